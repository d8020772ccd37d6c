/* SPDX-License-Identifier: MIT */
/*
 * Where everything of a head view is. Plain numbers, so that drawing, picking and tests agree by construction.
 *
 * Tokens have coordinates of their own: x goes from the queries to the keys, y along the text. Upright and from left to
 * right these are those of the viewport; a matrix lays them down, or mirrors them, and nothing else knows.
 */
#pragma once

#include "draw/scene/hl-scene-frame.h"

G_BEGIN_DECLS

typedef struct
{
  double left;
  double right;
} HlLabelColumn;

/* All in logical pixels. */
typedef struct
{
  double         width; /* of the viewport */
  double         height; /* of the viewport */
  union
  {
    struct
    {
      HlRange queries; /* the queries that are shown */
      HlRange keys; /* the keys that are shown */
    };
    HlRange ranges[2]; /* both, by side */
  };
  gsize          lead[2]; /* rows that are free above the first of each side */
  gboolean       horizontal; /* whether tokens run across the viewport, not down */
  gboolean       curved; /* whether lines are curves */
  gboolean       mirrored; /* whether the text is read from right to left */
  gboolean       flat; /* whether labels of tokens that run across have room side by side, and need not be turned */
  cairo_matrix_t matrix; /* from coordinates of tokens to those of the viewport */
  double         begin; /* where tokens come into view, on the y of tokens */
  double         end; /* where they leave it */
  double         side; /* where the room of tokens begins, on the x of tokens */
  double         across; /* where it ends */
  double         row_height; /* from one token to the next, on the side that has more of them */
  double         pitches[2]; /* likewise, of each side: the same, or where both are spread over one length not */
  double         min_row; /* the least that row_height can be */
  gsize          n_rows; /* rows of this picture, or of one beside it if that has more; at least 1 */
  double         comfortable_row; /* the distance between tokens that needs not be larger */
  double         max_row; /* the largest */
  double         slack; /* room before the first row where rows do not fill what there is: half of that */
  double         header_height; /* of the head strip and caption, which stay in place */
  double         first_row; /* begin of the first row, on the y of tokens; depends on the scroll position */
  double         content_width; /* of everything */
  double         content_height; /* of everything */
  double         x_query; /* where lines begin, on the x of tokens as all that follows up to gutter */
  double         x_key; /* where lines end */
  HlLabelColumn  columns[2]; /* where labels of queries and of keys stand */
  double         map_cell; /* side of a cell of the small heatmap beside the lines; 0 where there is no room for it */
  cairo_rectangle_t map; /* its cells, on the x and y of tokens */
  double         gutter; /* room beside labels for numbers, pins and the marks of sentences */
  double         label_size; /* of the font of labels, the larger of both sides */
  gsize          label_stride; /* every how many tokens there is room for a label, on the side that has more of them */
  double         label_sizes[2]; /* of each side */
  gsize          label_strides[2]; /* likewise */
  double         label_steps[2];   /* seconds from one label to the next, where tokens are times without room for a label each; else 0 */
  double         number_room; /* how far numbers must be apart, on the y of tokens */
  double         caption_y; /* middle of the caption in the viewport */
  double         titles_y; /* middle of the titles of both columns in the viewport, where tokens run down */
  guint          n_heads; /* swatches: of the heads of the layer, then of guests, which are of other layers */
  guint          n_own; /* heads of the layer */
  gboolean       is_cut; /* whether heads of the layer that are not shown have no swatch */
  HlHeadSet      chosen; /* those that are */
  double         strip_x; /* left edge of the head strip in the viewport */
  double         strip_y; /* its top */
  guint          strip_columns; /* heads in a row of it */
  double         swatch_width; /* of a head's swatch */
  double         swatch_height; /* of a head's swatch */
  double         swatch_gap; /* between swatches */
} HlHeadViewLayout;

/* Of the font of labels for which a frame has the room. */
#define HL_HEAD_VIEW_LABEL_SIZE 13

/* The smallest height of a row, in logical pixels. */
#define HL_HEAD_VIEW_MIN_ROW 0.5

/* The greatest height of a row, in logical pixels. */
#define HL_HEAD_VIEW_MAX_ROW 64.0

/*
 * Where one side has so many times as many tokens as the other, and they do not fit, both sides are as long as one another and all is
 * in view: with rows alike, lines from 30 words to 1,500 frames of sound would all leave the picture.
 */
#define HL_HEAD_VIEW_SPREAD_RATIO 3

void     hl_head_view_layout_init          (HlHeadViewLayout   *self,
                                            const HlSceneFrame *frame,
                                            double              title_width);
void     hl_head_view_layout_init_rows     (HlHeadViewLayout   *self,
                                            const HlSceneFrame *frame,
                                            double              header_height,
                                            gboolean            can_spread);
double   hl_head_view_layout_get_fit_row   (const HlHeadViewLayout *self);
double   hl_head_view_layout_get_row_top   (const HlHeadViewLayout *self,
                                            HlSide                  side,
                                            gsize                   row);
double   hl_head_view_layout_get_row_y     (const HlHeadViewLayout *self,
                                            HlSide                  side,
                                            gsize                   row);
gboolean hl_head_view_layout_has_swatch    (const HlHeadViewLayout *self,
                                            guint                   head);
void     hl_head_view_layout_get_swatch    (const HlHeadViewLayout *self,
                                            guint                   head,
                                            double                 *x,
                                            double                 *y);
void     hl_head_view_layout_get_rows_seen (const HlHeadViewLayout *self,
                                            HlSide                  side,
                                            gsize                   n,
                                            gsize                  *first,
                                            gsize                  *end);
gboolean hl_head_view_layout_is_crowded    (const HlHeadViewLayout *self,
                                            HlSide                  side);
gboolean hl_head_view_layout_has_label (const HlHeadViewLayout *self, HlAttention *attention, HlSide side, gsize row);
void     hl_head_view_layout_enter         (const HlHeadViewLayout *self,
                                            cairo_t                *cr);
void     hl_head_view_layout_map_box       (const HlHeadViewLayout *self,
                                            cairo_rectangle_t      *box);
void     hl_head_view_layout_pick          (const HlHeadViewLayout *self,
                                            double                  x,
                                            double                  y,
                                            HlPick                 *pick);

G_END_DECLS
