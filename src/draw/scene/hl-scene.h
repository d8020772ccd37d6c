/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene-frame.h"
#include "draw/scene/hl-scene-job.h"
#include "view/hl-view-state.h"

#include <cairo.h>

G_BEGIN_DECLS

/* The parts of a scene, painted one over the other in this order. A screen keeps pictures of the first two. */
typedef enum {
  HL_SCENE_BACKDROP, /* what changes rarely and never depends on the pointer: background, labels, axes, title */
  HL_SCENE_PICTURE,  /* the costly part: all the lines, the cells */
  HL_SCENE_OVERLAY,  /* what follows the pointer, and the pinned token: must be drawn within a frame */
  HL_SCENE_N_PARTS,
} HlScenePart;

#define HL_TYPE_SCENE (hl_scene_get_type ())
G_DECLARE_DERIVABLE_TYPE (HlScene, hl_scene, HL, SCENE, GObject)

/**
 * HlSceneClass:
 * @shows_all_heads: whether it shows all heads of all layers, whichever the state has chosen
 * @ignored: changes of the view state that it does not show
 * @on_top: changes that its overlay alone shows; of what is hovered and pinned unless derived types know better
 * @label_size: of the font of tokens, for which the frame has the room; 0 for none
 * @layout_size: bytes of its layout
 * @lay_out: (nullable): makes the layout for a frame that has all else, but not for what is hovered
 * @measure: the size of the whole content in logical pixels at the present zoom; the viewport shows a part of it
 * @create_data: (nullable): which data the state asks for, still without numbers, or %NULL if it is nothing that can be
 *   shown; absent in scenes that have none
 * @create_job: a job that brings the scene up to date with its state and size, or %NULL if it is; @data is what there
 *   is of what the state asks for, or must be read
 * @accept: takes a job that ran, of the data that the state asks for, even if a newer one is needed already; is told
 *   whether this data was only taken over just now
 * @draw: paints a part of the viewport, the viewport's corner at (0, 0): one for each #HlScenePart
 * @get_picture_opacity: how strongly the picture shows: 0 while a token in focus shows its own lines in the overlay; 1
 *   unless derived types know better
 * @pick: what is at a point of the viewport
 * @describe: one line for a pick that is shown, for tooltips and screen readers: "time → flies 0.31"; translated
 * @make_row: (nullable): the weights of a focus over the tokens of the other side that are shown, the mean of so many
 *   heads; free with g_free(), %NULL where they are not known
 * @move: (nullable): where an arrow key leads from a pick; from one of another kind to where keys begin
 * @zoom: (nullable): zooms by a factor so that what is at a point of the viewport stays there
 * @fit: (nullable): zooms so that everything is in view
 * @is_mirrored: (nullable): whether content begins at its right edge
 * @get_window: (nullable): the part of the viewport that content is seen through, not under what stays in place
 * @locate: (nullable): where a token or cell lies, in pixels of the viewport, also when that is outside of it
 * @state_changed: the view state changed; what is @on_top changes the overlay and all else but @ignored everything,
 *   unless derived types know better
 *
 * A picture of attention: measured, drawn, and asked what is where. The same object is on screen, in exports and in
 * tests. Belongs to one thread; only its jobs leave it. Where nothing can be shown, only the backdrop is drawn, and of
 * the rest only @describe and @get_picture_opacity are asked.
 */
struct _HlSceneClass
{
  GObjectClass parent_class;

  gboolean  shows_all_heads;
  HlChanges ignored;
  HlChanges on_top;
  double    label_size;
  gsize     layout_size;

  void        (*lay_out)             (HlScene            *self,
                                      const HlSceneFrame *frame,
                                      gpointer            layout);
  void        (*measure)             (HlScene            *self,
                                      const HlSceneFrame *frame,
                                      double             *width,
                                      double             *height);
  HlSceneData *(*create_data)        (HlScene            *self,
                                      const HlShown      *shown);
  HlSceneJob *(*create_job)          (HlScene            *self,
                                      const HlSceneFrame *frame,
                                      gpointer            data);
  void        (*accept)              (HlScene            *self,
                                      const HlSceneFrame *frame,
                                      HlSceneJob         *job,
                                      gboolean            is_new);
  void        (*draw[HL_SCENE_N_PARTS]) (HlScene         *self,
                                      const HlSceneFrame *frame,
                                      cairo_t            *cr);
  double      (*get_picture_opacity) (HlScene            *self,
                                      const HlSceneFrame *frame);
  void        (*pick)                (HlScene            *self,
                                      const HlSceneFrame *frame,
                                      double              x,
                                      double              y,
                                      HlPick             *pick);
  char       *(*describe)            (HlScene            *self,
                                      const HlSceneFrame *frame,
                                      const HlPick       *pick);
  float      *(*make_row)            (HlScene            *self,
                                      const HlSceneFrame *frame,
                                      const HlFocus      *focus,
                                      guint              *n_heads);
  void        (*move)                (HlScene            *self,
                                      const HlSceneFrame *frame,
                                      HlPick             *pick,
                                      int                 dx,
                                      int                 dy,
                                      gboolean            to_end);
  void        (*zoom)                (HlScene            *self,
                                      const HlSceneFrame *frame,
                                      double              factor,
                                      double              x,
                                      double              y);
  void        (*fit)                 (HlScene            *self,
                                      const HlSceneFrame *frame);
  gboolean    (*is_mirrored)         (HlScene            *self);
  void        (*get_window)          (HlScene            *self,
                                      const HlSceneFrame *frame,
                                      cairo_rectangle_t  *window);
  gboolean    (*locate)              (HlScene            *self,
                                      const HlSceneFrame *frame,
                                      const HlPick       *pick,
                                      cairo_rectangle_t  *box);
  void        (*state_changed)       (HlScene            *self,
                                      HlChanges           changes);
};

HlScene     *hl_scene_new                 (HlViewKind     kind,
                                           HlViewState   *state);
HlViewState *hl_scene_get_state           (HlScene       *self);
void         hl_scene_set_viewport        (HlScene       *self,
                                           double         width,
                                           double         height,
                                           double         scale);
void         hl_scene_set_beside_size     (HlScene       *self,
                                           double         width,
                                           double         height);
void         hl_scene_get_viewport        (HlScene       *self,
                                           double        *width,
                                           double        *height,
                                           double        *scale);
void         hl_scene_set_scroll          (HlScene       *self,
                                           double         x,
                                           double         y);
void         hl_scene_get_scroll          (HlScene       *self,
                                           double        *x,
                                           double        *y);
void         hl_scene_set_progress        (HlScene       *self,
                                           double         x,
                                           double         y);
void         hl_scene_get_progress        (HlScene       *self,
                                           double        *x,
                                           double        *y);
gboolean     hl_scene_is_mirrored         (HlScene       *self);
void         hl_scene_set_text_mode       (HlScene       *self,
                                           HlTextMode     mode);
HlTextMode   hl_scene_get_text_mode       (HlScene       *self);
gboolean     hl_scene_get_shows_all_heads (HlScene       *self);
void         hl_scene_measure             (HlScene       *self,
                                           double        *width,
                                           double        *height);
void         hl_scene_measure_cut         (HlScene       *self,
                                           double         least_width,
                                           double        *width,
                                           double        *height);
HlSceneJob  *hl_scene_create_job          (HlScene       *self);
void         hl_scene_accept              (HlScene       *self,
                                           HlSceneJob    *job);
void         hl_scene_draw_part           (HlScene       *self,
                                           cairo_t       *cr,
                                           HlScenePart    part);
double       hl_scene_get_picture_opacity (HlScene       *self);
void         hl_scene_pick                (HlScene       *self,
                                           double         x,
                                           double         y,
                                           HlPick        *pick);
char        *hl_scene_describe            (HlScene       *self,
                                           const HlPick  *pick);
char        *hl_scene_describe_focus      (HlScene       *self);
void         hl_scene_move                (HlScene       *self,
                                           HlPick        *pick,
                                           int            dx,
                                           int            dy,
                                           gboolean       to_end);
gboolean     hl_scene_can_zoom            (HlScene       *self);
void         hl_scene_zoom                (HlScene       *self,
                                           double         factor,
                                           double         x,
                                           double         y);
void         hl_scene_fit                 (HlScene       *self);
void         hl_scene_get_window          (HlScene       *self,
                                           cairo_rectangle_t *window);
gboolean     hl_scene_locate              (HlScene       *self,
                                           const HlPick  *pick,
                                           double        *x,
                                           double        *y,
                                           double        *width,
                                           double        *height);
void         hl_scene_set_names_heads     (HlScene       *self,
                                           gboolean       names_heads);
gboolean     hl_scene_get_has_cards       (HlScene       *self);
void         hl_scene_set_has_cards       (HlScene       *self,
                                           gboolean       has_cards);
double       hl_scene_get_zoom            (HlScene       *self);
void         hl_scene_set_zoom            (HlScene       *self,
                                           double         zoom);

const HlSceneFrame *hl_scene_get_frame    (HlScene       *self);

/* For those who derive. */
HlSceneText *hl_scene_get_text            (HlScene       *self);
void         hl_scene_forget_zoom         (HlScene       *self);
gpointer     hl_scene_get_any_data        (HlScene       *self);
gpointer     hl_scene_new_job             (HlScene       *self,
                                           GType          type,
                                           gpointer       data);
void         hl_scene_emit_job_needed     (HlScene       *self);
void         hl_scene_emit_changed        (HlScene       *self,
                                           HlScenePart    part);
void         hl_scene_emit_all_changed    (HlScene       *self);

G_END_DECLS
