/* SPDX-License-Identifier: MIT */
/* What a scene may look at while it measures, draws, picks and describes. */
#pragma once

#include "draw/paint/hl-theme.h"
#include "draw/text/hl-scene-text.h"
#include "view/pick/hl-focus.h"
#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

/**
 * HlLabelRoom:
 * @query_width: what the widest label of a query takes, logical pixels
 * @key_width: what the widest label of a key takes
 * @times: of each side, whether all labels are times that rise, see hl_token_times_rise()
 *
 * The room that the labels of the shown tokens want: measured once for an attention and what of it is shown. Zeros before
 * the first hl_label_room_measure().
 */
typedef struct
{
  double query_width;
  double key_width;
  gboolean times[2];

  /*< private >*/
  HlAttention *attention;
  HlRange queries;
  HlRange keys;
} HlLabelRoom;

void hl_label_room_measure (HlLabelRoom   *self,
                            HlSceneText   *text,
                            const HlShown *shown,
                            double         size);
void hl_label_room_clear   (HlLabelRoom   *self);

/* A figure that only says why there is nothing to show is so high, and as much more as its caption has lines. */
#define HL_LACK_HEIGHT 120
/* From the middle of one line of the caption to that of the next, logical pixels. */
#define HL_CAPTION_LINE 15

GStrv hl_scene_text_break (HlSceneText       *text,
                           const char        *words,
                           const HlTextStyle *style,
                           guint              n_lines);

HlTextStyle hl_caption_get_style (double       width);
GStrv       hl_caption_break     (HlSceneText *text,
                                  const char  *caption,
                                  double       width,
                                  double       height);
gboolean    hl_caption_fits      (HlSceneText *text,
                                  GStrv        lines,
                                  double       width);

/**
 * HlSceneFrame:
 * @shown: what is shown
 * @beside: (nullable): what another picture beside it shows, whose rows are to lie as high
 * @hovered: what the pointer is over
 * @pinned: what is pinned
 * @focus: which of both rules the picture; of several tokens the one that leads
 * @in_focus: the same with all tokens that were gathered
 * @theme: the colours that are not data
 * @paints_background: whether the backdrop is opaque
 * @high_contrast: whether somebody looks at it who asks for high contrast; figures are never made so
 * @vector: whether it will be drawn to a surface that keeps shapes
 * @is_cut: whether it will be a figure that has nothing but what is shown, and no room to spare
 * @width: of the viewport, logical pixels
 * @height: of the viewport
 * @level_width: the room that both this and what is beside it have, so that rows lie as high in both
 * @level_height: likewise, downwards
 * @scale: device pixels a logical pixel
 * @x: how far the viewport has moved over the content, from where this begins to be read
 * @y: likewise, downwards
 * @zoom: what the scene takes for a zoom; 0 while it chooses that to fit the viewport
 * @from_right: whether the text is read from right to left
 * @room: what the labels of tokens want
 * @beside_room: what those of the picture beside it want; zeros where there is none
 * @caption: the lines over the picture
 * @caption_room: how much lower these are than a single line
 * @wanted: (nullable): which data the state asks for, without numbers; %NULL if it is nothing that can be shown
 * @data: (nullable): this data with its numbers, once they are read
 * @layout: (nullable): where everything is, as the scene's class laid it out; %NULL where nothing can be shown
 *
 * What follows from a state and a viewport, made once for both: scenes are given it with all that they are asked.
 */
typedef struct
{
  const HlShown     *shown;
  const HlShown     *beside;
  const HlPick      *hovered;
  const HlPick      *pinned;
  const HlPick      *focus;
  const HlFocus     *in_focus;
  const HlTheme     *theme;
  gboolean           paints_background;
  gboolean           high_contrast;
  gboolean           vector;
  gboolean           is_cut;
  double             width;
  double             height;
  double             level_width;
  double             level_height;
  double             scale;
  double             x;
  double             y;
  double             zoom;
  gboolean           from_right;
  HlLabelRoom        room;
  HlLabelRoom        beside_room;
  const char *const *caption;
  double             caption_room;
  gconstpointer      wanted;
  gpointer           data;
  gconstpointer      layout;
} HlSceneFrame;

gboolean hl_scene_frame_has_token (const HlSceneFrame *self,
                                   const HlPick       *pick);

G_END_DECLS
