/* SPDX-License-Identifier: MIT */
/* Charts of numbers of heads: what all kinds have in common; each has a file of its own. */
#include "draw/chart/hl-chart-scene.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/chart/hl-chart.h"
#include "draw/chart/hl-chart-job.h"
#include "draw/chart/hl-chart-points.h"
#include "draw/scene/hl-scene-write.h"

#define MARGIN 12
#define CAPTION_HEIGHT 26
#define QUIET_OPACITY 0.35

struct _HlChartScene
{
  HlScene parent_instance;

  HlChartNumbers numbers;
};

G_DEFINE_FINAL_TYPE (HlChartScene, hl_chart_scene, HL_TYPE_SCENE)

static const HlChartClass *const kinds[HL_N_CHART_KINDS] = {
  [HL_CHART_LAYERS] = &hl_chart_layers,   [HL_CHART_SHARES] = &hl_chart_shares, [HL_CHART_GRID] = &hl_chart_grid,
  [HL_CHART_SCATTER] = &hl_chart_scatter, [HL_CHART_PLANE] = &hl_chart_plane,
};

static const HlChartClass *
get_kind (const HlSceneFrame *frame)
{
  return kinds[frame->shown->options.chart];
}

static HlChart
get_chart (HlScene            *scene,
           const HlSceneFrame *frame)
{
  return (HlChart){ scene, frame, frame->layout, &HL_CHART_SCENE (scene)->numbers, frame->data };
}

static void
hl_chart_scene_lay_out (HlScene            *scene,
                        const HlSceneFrame *frame,
                        gpointer            data)
{
  HlChartScene *self = HL_CHART_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  HlChartLayout *layout = data;
  const HlChartData *read = frame->data;
  const HlHeadMeasure measure = hl_view_state_get_charted (state);

  hl_chart_numbers_clear (&self->numbers);
  hl_chart_numbers_init (&self->numbers, state, measure,
                         frame->shown->other != NULL &&
                           (hl_head_measure_is_stat (measure) || measure == HL_HEAD_MEASURE_PAIR),
                         read != NULL ? read->others.values : NULL);
  *layout = (HlChartLayout){
    .content_width = frame->width,
    .content_height = frame->height,
    .caption_y = MARGIN + CAPTION_HEIGHT / 2.0 - 4,
    .top = MARGIN + CAPTION_HEIGHT + frame->caption_room,
  };
  const HlChart chart = { scene, frame, layout, &self->numbers, frame->data };
  get_kind (frame)->lay_out (&chart, layout);
}

static HlSceneData *
hl_chart_scene_create_data (HlScene       *scene,
                            const HlShown *shown)
{
  HlViewState *state = hl_scene_get_state (scene);

  return &hl_chart_data_new (shown, hl_view_state_get_numbers (state), hl_view_state_get_pairs (state),
                             hl_view_state_get_other_call (state))
            ->parent;
}

static void
hl_chart_scene_measure (HlScene            *scene,
                        const HlSceneFrame *frame,
                        double             *width,
                        double             *height)
{
  const HlChartLayout *layout = frame->layout;

  *width = layout->content_width;
  *height = layout->content_height;
}

/* Numbers that the state has are drawn as they come; what else a chart needs is read once. */
static HlSceneJob *
hl_chart_scene_create_job (HlScene            *scene,
                           const HlSceneFrame *frame,
                           gpointer            data)
{
  return frame->data == NULL ? hl_scene_new_job (scene, HL_TYPE_CHART_JOB, data) : NULL;
}

static void
hl_chart_scene_accept (HlScene            *scene,
                       const HlSceneFrame *frame,
                       HlSceneJob         *job,
                       gboolean            is_new)
{
  if (is_new)
    hl_scene_emit_all_changed (scene);
}

/* Why there is nothing but words to show, or NULL. */
static char *
get_notice (const HlChart *chart)
{
  const HlChartClass *kind = get_kind (chart->frame);

  return kind->get_notice != NULL ? kind->get_notice (chart) : NULL;
}

static gboolean
has_notice (const HlChart *chart)
{
  g_autofree char *notice = get_notice (chart);

  return notice != NULL;
}

static void
hl_chart_scene_draw_backdrop (HlScene            *scene,
                              const HlSceneFrame *frame,
                              cairo_t            *cr)
{
  const HlChart chart = get_chart (scene, frame);
  g_autofree char *notice = get_notice (&chart);

  hl_scene_paint_background (frame, cr);
  hl_scene_draw_caption (scene, frame, cr, chart.layout->caption_y);
  if (notice != NULL)
    hl_scene_draw_lack (scene, frame, cr, notice);
  else
    get_kind (frame)->draw_backdrop (&chart, cr);
}

static void
hl_chart_scene_draw_picture (HlScene            *scene,
                             const HlSceneFrame *frame,
                             cairo_t            *cr)
{
  const HlChart chart = get_chart (scene, frame);

  if (!has_notice (&chart))
    get_kind (frame)->draw_picture (&chart, cr);
}

static void
hl_chart_scene_draw_overlay (HlScene            *scene,
                             const HlSceneFrame *frame,
                             cairo_t            *cr)
{
  const HlChart chart = get_chart (scene, frame);

  if (!has_notice (&chart))
    get_kind (frame)->draw_overlay (&chart, cr);
}

/* While a token shows its own lines, all others stand back. */
static double
hl_chart_scene_get_picture_opacity (HlScene            *scene,
                                    const HlSceneFrame *frame)
{
  return frame->shown->options.chart == HL_CHART_PLANE && hl_pick_is_token (frame->focus) &&
             hl_scene_frame_has_token (frame, frame->focus)
           ? QUIET_OPACITY
           : 1;
}

static void
hl_chart_scene_pick (HlScene            *scene,
                     const HlSceneFrame *frame,
                     double              x,
                     double              y,
                     HlPick             *pick)
{
  const HlChart chart = get_chart (scene, frame);

  if (!has_notice (&chart))
    get_kind (frame)->pick (&chart, x, y, pick);
}

static char *
hl_chart_scene_describe (HlScene            *scene,
                         const HlSceneFrame *frame,
                         const HlPick       *pick)
{
  const HlChart chart = get_chart (scene, frame);

  return has_notice (&chart) ? NULL : get_kind (frame)->describe (&chart, pick);
}

static float *
hl_chart_scene_make_row (HlScene            *scene,
                         const HlSceneFrame *frame,
                         const HlFocus      *focus,
                         guint              *n_heads)
{
  const HlChart chart = get_chart (scene, frame);
  const HlChartClass *kind = get_kind (frame);

  *n_heads = 1;
  return kind->make_row != NULL && !has_notice (&chart) ? kind->make_row (&chart, focus) : NULL;
}

static gboolean
hl_chart_scene_locate (HlScene            *scene,
                       const HlSceneFrame *frame,
                       const HlPick       *pick,
                       cairo_rectangle_t  *box)
{
  const HlChart chart = get_chart (scene, frame);

  return !has_notice (&chart) && hl_shown_has_pick (frame->shown, pick) && get_kind (frame)->locate (&chart, pick, box);
}

static void
hl_chart_scene_move (HlScene            *scene,
                     const HlSceneFrame *frame,
                     HlPick             *pick,
                     int                 dx,
                     int                 dy,
                     gboolean            to_end)
{
  const HlChart chart = get_chart (scene, frame);

  if (!has_notice (&chart))
    get_kind (frame)->move (&chart, pick, dx, dy, to_end);
}

static void
hl_chart_scene_zoom (HlScene            *scene,
                     const HlSceneFrame *frame,
                     double              factor,
                     double              x,
                     double              y)
{
  if (hl_chart_kind_has_points (frame->shown->options.chart))
    hl_chart_points_zoom (scene, frame, factor, x, y);
}

static void
hl_chart_scene_fit (HlScene            *scene,
                    const HlSceneFrame *frame)
{
  hl_scene_set_zoom (scene, 0);
  hl_scene_set_scroll (scene, 0, 0);
}

static gboolean
has_other_distances (HlScene *scene)
{
  const HlChartData *read = hl_scene_get_any_data (scene);
  HlHeadNumbers *numbers = hl_view_state_get_numbers (hl_scene_get_state (scene));

  return read == NULL || read->heads.over_texts != (numbers != NULL ? hl_head_numbers_get_distances (numbers) : NULL);
}

static void
hl_chart_scene_state_changed (HlScene  *scene,
                              HlChanges changes)
{
  const HlChartKind kind = hl_view_state_get_options (hl_scene_get_state (scene))->chart;

  /* Numbers come bit by bit, for a table perhaps that this chart knows nothing of. Distances over texts come with them. */
  if ((changes & (HL_CHANGED_NUMBERS | HL_CHANGED_BESIDE)) && hl_chart_kind_has_points (kind) &&
      !(kind == HL_CHART_SCATTER && has_other_distances (scene)))
    changes &= ~(HlChanges) (HL_CHANGED_NUMBERS | HL_CHANGED_BESIDE);
  /* Which head is chosen is marked in charts of all heads, and what is drawn in that of one. */
  if ((changes & (HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_HEADS)) && kind != HL_CHART_PLANE)
    changes = (changes & ~(HlChanges) (HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_HEADS)) | HL_CHANGED_PIN;
  if (changes & HL_CHANGED_CHART)
    hl_scene_forget_zoom (scene);
  HL_SCENE_CLASS (hl_chart_scene_parent_class)->state_changed (scene, changes);
}

static void
hl_chart_scene_finalize (GObject *object)
{
  hl_chart_numbers_clear (&HL_CHART_SCENE (object)->numbers);
  G_OBJECT_CLASS (hl_chart_scene_parent_class)->finalize (object);
}

static void
hl_chart_scene_class_init (HlChartSceneClass *klass)
{
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_chart_scene_finalize;
  scene_class->layout_size = sizeof (HlChartLayout);
  scene_class->lay_out = hl_chart_scene_lay_out;
  scene_class->measure = hl_chart_scene_measure;
  scene_class->create_data = hl_chart_scene_create_data;
  scene_class->create_job = hl_chart_scene_create_job;
  scene_class->accept = hl_chart_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_chart_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_chart_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_chart_scene_draw_overlay;
  scene_class->get_picture_opacity = hl_chart_scene_get_picture_opacity;
  scene_class->pick = hl_chart_scene_pick;
  scene_class->describe = hl_chart_scene_describe;
  scene_class->make_row = hl_chart_scene_make_row;
  scene_class->move = hl_chart_scene_move;
  scene_class->zoom = hl_chart_scene_zoom;
  scene_class->fit = hl_chart_scene_fit;
  scene_class->locate = hl_chart_scene_locate;
  scene_class->ignored = HL_CHANGED_VIEW | HL_CHANGED_SOURCE | HL_CHANGED_EXAMPLE | HL_CHANGED_PAIRS |
                         HL_CHANGED_ORIENTATION | HL_CHANGED_THUMBNAILS | HL_CHANGED_ORDER | HL_CHANGED_LINES;
  scene_class->state_changed = hl_chart_scene_state_changed;
}

static void
hl_chart_scene_init (HlChartScene *self)
{
}

/* Why there is nothing but words to show, of a scene that is complete; NULL where there is a chart. */
char *
hl_chart_scene_dup_notice (HlChartScene *self)
{
  HlScene *scene = HL_SCENE (self);

  g_return_val_if_fail (HL_IS_CHART_SCENE (self), NULL);

  const HlChart chart = get_chart (scene, hl_scene_get_frame (scene));
  return get_notice (&chart);
}
