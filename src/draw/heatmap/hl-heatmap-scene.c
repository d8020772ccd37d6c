/* SPDX-License-Identifier: MIT */
/* The heatmap: the matrix of one head, a row for each query and a column for each key, a colour for each weight. */
#include "draw/heatmap/hl-heatmap-scene.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "core/source/derive/hl-sink-source.h"
#include "draw/heatmap/hl-heatmap-data.h"
#include "draw/heatmap/hl-heatmap-job.h"
#include "draw/heatmap/hl-heatmap-labels.h"
#include "draw/heatmap/hl-heatmap-layout.h"
#include "draw/heatmap/hl-heatmap-legend.h"
#include "draw/heatmap/hl-heatmap-region.h"
#include "draw/heatmap/hl-heatmap-strip.h"
#include "draw/heatmap/hl-heatmap-tiles.h"
#include "draw/paint/hl-theme.h"
#include "draw/paint/hl-value-scale.h"
#include "draw/scene/hl-map-read.h"
#include "draw/scene/hl-scene.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-write.h"
#include "view/hl-weight-text.h"

/* Cells of this size, in logical pixels, hold a number. */
#define MIN_NUMBER_WIDTH 28
#define MIN_NUMBER_HEIGHT 16

/* A line between cells that are smaller would cover them. */
#define MIN_DIVIDED 3

/* Device pixels from one stripe of masked cells to the next, at scale 1. */
#define HATCH 7

/* Pixels of a side of the image of cells on paper. */
#define MAX_IMAGE 4096
/* For one of the figure, along the longer side of rectangles. */
#define SHARPNESS 2

#define TITLE_SIZE 11

/* One row or column of a head that is too large to be kept. */
typedef struct
{
  HlPick pick;   /* a query or a key */
  float *values; /* its weights */
} HlHeatmapLine;

struct _HlHeatmapScene
{
  HlScene parent_instance;

  /* What stood beside when the scale was made; kept until the next one is. */
  HlHeatmapPart beside;
  HlAttentionSource *beside_source;
  HlHeatmapExtremes beside_extremes;
  HlHeatmapTiles *tiles;
  HlHeatmapRegion *region;
  HlHeatmapLine line;
};

G_DEFINE_FINAL_TYPE (HlHeatmapScene, hl_heatmap_scene, HL_TYPE_SCENE)

static void
hl_heatmap_scene_lay_out (HlScene            *scene,
                          const HlSceneFrame *frame,
                          gpointer            layout)
{
  hl_heatmap_layout_init (layout, frame);
}

static HlSceneData *
hl_heatmap_scene_create_data (HlScene       *scene,
                              const HlShown *shown)
{
  return &hl_heatmap_data_new (shown)->parent;
}

/* Colours of weights and colours of differences have nothing to do with one another. */
static HlHeatmapPart
get_beside (HlHeatmapScene     *self,
            const HlSceneFrame *frame)
{
  HlViewState *beside = hl_view_state_get_beside (hl_scene_get_state (HL_SCENE (self)));

  if (beside == NULL || hl_attention_source_is_signed (hl_view_state_get_shown (beside)->filtered) !=
                          hl_attention_source_is_signed (frame->shown->filtered))
    return (HlHeatmapPart){ 0 };
  return hl_heatmap_part_of (hl_view_state_get_shown (beside));
}

static void
set_beside (HlHeatmapScene          *self,
            const HlHeatmapPart     *beside,
            const HlHeatmapExtremes *extremes)
{
  self->beside = *beside;
  g_set_object (&self->beside_source, beside->source);
  self->beside_extremes = *extremes;
}

static HlHeatmapPaint
get_paint_without_scale (const HlSceneFrame *frame)
{
  HlAttentionSource *source = frame->shown->filtered;

  return (HlHeatmapPaint){
    .map = frame->shown->options.colour_map,
    .theme = frame->theme,
    .mask = *hl_attention_source_get_mask (source, frame->shown->layer),
    .n_queries = hl_attention_source_get_n (source, HL_QUERIES),
    .n_keys = hl_attention_source_get_n (source, HL_KEYS),
    .hatch = (guint) MAX (6, lround (HATCH * frame->scale)),
  };
}

static HlHeatmapPaint
hl_heatmap_scene_get_paint (HlHeatmapScene      *self,
                            const HlSceneFrame  *frame,
                            const HlHeatmapData *data)
{
  HlHeatmapPaint paint = get_paint_without_scale (frame);

  hl_heatmap_job_set_scale (&paint, frame->shown->value_scale, data, &self->beside_extremes);
  return paint;
}

static void
hl_heatmap_scene_measure (HlScene            *scene,
                          const HlSceneFrame *frame,
                          double             *width,
                          double             *height)
{
  const HlHeatmapLayout *layout = frame->layout;

  *width = layout->content_width;
  *height = layout->content_height;
}

static gboolean
region_serves (const HlHeatmapRegion *region,
               const HlHeatmapData   *data,
               const HlHeatmapCell   *cell,
               const HlHeatmapPixels *pixels)
{
  return region != NULL && region->data == data && hl_heatmap_cell_equal (&region->cell, cell) &&
         region->pixels.x == pixels->x && region->pixels.y == pixels->y && region->pixels.width == pixels->width &&
         region->pixels.height == pixels->height;
}

/* The query whose row, or the key whose column, is to be known; of a head that is kept all are. */
static HlPick
get_line_pick (const HlSceneFrame *frame)
{
  const HlPick *pick = frame->hovered->kind == HL_PICK_CELL ? frame->hovered : frame->focus;

  if (pick->kind == HL_PICK_KEY)
    return *pick;
  if (hl_pick_has (pick, HL_QUERIES))
    return (HlPick){ HL_PICK_QUERY, .query = pick->query };
  return (HlPick){ HL_PICK_NONE };
}

static gboolean
holds_numbers (const HlHeatmapLayout *layout)
{
  return layout->cell.width >= MIN_NUMBER_WIDTH && layout->cell.height >= MIN_NUMBER_HEIGHT;
}

/*
 * Pixels of a cell in the image of cells on paper. Viewers that stretch it let pixels run into one another: of rectangles, which are
 * stretched far in one direction, that would be seen.
 */
static double
get_image_cell (double cell,
                double other,
                gsize  n)
{
  const double wanted = cell > other ? MAX (1, round (cell * SHARPNESS)) : 1;
  const double most = MAX_IMAGE / (double) n;

  return MIN (wanted, most >= 1 ? floor (most) : most);
}

/* Which weights must be at hand besides the tiles: for shapes on paper, or for numbers in cells. */
static gboolean
get_region_wanted (const HlSceneFrame *frame,
                   HlHeatmapCell      *cell,
                   HlHeatmapPixels    *pixels)
{
  const HlHeatmapLayout *layout = frame->layout;
  const HlHeatmapData *data = frame->data;
  const gboolean for_numbers = holds_numbers (layout) && data != NULL && data->weights == NULL;
  HlRange rows, columns;

  if (!frame->vector && !for_numbers)
    return FALSE;
  hl_heatmap_layout_get_cells (layout, &rows, &columns);
  if (rows.n == 0 || columns.n == 0)
    return FALSE;
  const gboolean are_shapes = rows.n <= HL_HEATMAP_MAX_SHAPES && columns.n <= HL_HEATMAP_MAX_SHAPES;
  *cell = (HlHeatmapCell){ 1, 1 };
  if (!are_shapes)
    *cell = (HlHeatmapCell){ get_image_cell (layout->cell.width, layout->cell.height, columns.n),
                             get_image_cell (layout->cell.height, layout->cell.width, rows.n) };
  pixels->x = (gint64) floor (columns.first * cell->width);
  pixels->y = (gint64) floor (rows.first * cell->height);
  pixels->width = (gint64) ceil ((columns.first + columns.n) * cell->width) - pixels->x;
  pixels->height = (gint64) ceil ((rows.first + rows.n) * cell->height) - pixels->y;
  return TRUE;
}

static HlSceneJob *
hl_heatmap_scene_create_job (HlScene            *scene,
                             const HlSceneFrame *frame,
                             gpointer            wanted)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  const HlHeatmapLayout *layout = frame->layout;
  const gboolean is_empty = layout->queries.n == 0 || layout->keys.n == 0 || layout->width < 1 || layout->height < 1;
  g_autoptr (HlHeatmapJob) job = hl_scene_new_job (scene, HL_TYPE_HEATMAP_JOB, wanted);
  const HlHeatmapData *data = frame->data;
  const HlHeatmapPart beside = get_beside (self, frame);
  const gboolean has_scale = hl_heatmap_part_equal (&beside, &self->beside);
  gboolean needed = data == NULL || !has_scale;

  job->scale_kind = frame->shown->value_scale;
  job->beside = beside;
  g_set_object (&job->beside_source, beside.source);
  job->paint = get_paint_without_scale (frame);
  if (is_empty)
    return needed ? HL_SCENE_JOB (g_steal_pointer (&job)) : NULL;

  if (!frame->vector)
    {
      gboolean usable = FALSE;

      if (data != NULL && has_scale)
        {
          const HlHeatmapPaint paint = hl_heatmap_scene_get_paint (self, frame, data);
          usable = hl_heatmap_tiles_are_of (self->tiles, data, &paint);
        }
      job->tile_cell = (HlHeatmapCell){ layout->cell.width * layout->scale, layout->cell.height * layout->scale };
      if (!usable)
        job->tile_pixels = hl_heatmap_tiles_get_seen (layout);
      else if (!hl_heatmap_tiles_get_missing (self->tiles, layout, &job->tile_pixels))
        job->tile_pixels = (HlHeatmapPixels){ 0 };
      needed |= job->tile_pixels.width > 0;
    }

  if (get_region_wanted (frame, &job->region_cell, &job->region_pixels))
    {
      if (data != NULL && region_serves (self->region, data, &job->region_cell, &job->region_pixels))
        job->region_pixels = (HlHeatmapPixels){ 0 };
      needed |= job->region_pixels.width > 0;
    }

  if (data != NULL && data->weights == NULL)
    {
      const HlPick pick = get_line_pick (frame);
      const gsize query = pick.query - data->queries.first;
      const gsize key = pick.key - data->keys.first;
      if (!hl_pick_equal (&pick, &self->line.pick) &&
          ((pick.kind == HL_PICK_QUERY && query < data->queries.n) || (pick.kind == HL_PICK_KEY && key < data->keys.n)))
        {
          job->line_pick = pick;
          needed = TRUE;
        }
    }
  return needed ? HL_SCENE_JOB (g_steal_pointer (&job)) : NULL;
}

static void
clear_line (HlHeatmapScene *self)
{
  g_clear_pointer (&self->line.values, g_free);
  self->line.pick = (HlPick){ HL_PICK_NONE };
}

static void
hl_heatmap_scene_accept (HlScene            *scene,
                         const HlSceneFrame *frame,
                         HlSceneJob         *scene_job,
                         gboolean            is_new)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  HlHeatmapJob *job = HL_HEATMAP_JOB (scene_job);
  const HlHeatmapData *data = frame->data;

  if (!hl_heatmap_part_equal (&self->beside, &job->beside))
    {
      set_beside (self, &job->beside, &job->beside_extremes);
      hl_scene_emit_changed (scene, HL_SCENE_BACKDROP);
    }
  if (is_new)
    {
      hl_heatmap_tiles_reset (self->tiles, data, &job->paint);
      g_clear_pointer (&self->region, hl_heatmap_region_free);
      clear_line (self);
      hl_scene_emit_changed (scene, HL_SCENE_BACKDROP);
    }
  /* Two jobs may have read the same head; tiles and regions know theirs by its address. */
  if (hl_scene_job_get_data (scene_job) != data)
    return;

  if (job->surfaces != NULL)
    {
      const HlHeatmapPaint paint = hl_heatmap_scene_get_paint (self, frame, data);
      if (!hl_heatmap_tiles_are_of (self->tiles, data, &job->paint) && hl_heatmap_paint_equal (&paint, &job->paint))
        hl_heatmap_tiles_reset (self->tiles, data, &job->paint);
      if (hl_heatmap_tiles_are_of (self->tiles, data, &job->paint))
        hl_heatmap_tiles_add (self->tiles, job->tile_region, job->surfaces);
    }
  if (job->region != NULL)
    {
      g_clear_pointer (&self->region, hl_heatmap_region_free);
      self->region = g_steal_pointer (&job->region);
    }
  if (job->line_values != NULL)
    {
      clear_line (self);
      self->line = (HlHeatmapLine){ job->line_pick, g_steal_pointer (&job->line_values) };
    }
  hl_scene_emit_changed (scene, HL_SCENE_PICTURE);
  hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
}

static void
hl_heatmap_scene_pick (HlScene            *scene,
                       const HlSceneFrame *frame,
                       double              x,
                       double              y,
                       HlPick             *pick)
{
  hl_heatmap_layout_pick (frame->layout, x, y, pick);
}

/* Of large heads only what is in view or in focus is known. */
static gboolean
hl_heatmap_scene_get_weight (HlHeatmapScene      *self,
                             const HlHeatmapData *data,
                             gsize                row,
                             gsize                column,
                             float               *weight)
{
  const HlHeatmapRegion *region = self->region;

  if (data->weights != NULL)
    {
      *weight = data->weights[row * data->keys.n + column];
      return TRUE;
    }
  if (self->line.pick.kind == HL_PICK_QUERY && self->line.pick.query == data->queries.first + row)
    {
      *weight = self->line.values[column];
      return TRUE;
    }
  if (self->line.pick.kind == HL_PICK_KEY && self->line.pick.key == data->keys.first + column)
    {
      *weight = self->line.values[row];
      return TRUE;
    }
  if (region != NULL && region->data == data && region->cell.width >= 1 && region->cell.height >= 1 &&
      row - region->rows.first < region->rows.n && column - region->columns.first < region->columns.n)
    {
      *weight = region->values[(row - region->rows.first) * region->n_columns + column - region->columns.first];
      return TRUE;
    }
  return FALSE;
}

static float *
hl_heatmap_scene_make_row (HlHeatmapScene      *self,
                           const HlHeatmapData *data,
                           const HlPick        *pick)
{
  const gboolean is_row = pick->kind == HL_PICK_QUERY;
  const gsize n = is_row ? data->keys.n : data->queries.n;
  float *values;

  if (data->weights == NULL && !hl_pick_equal (&self->line.pick, pick))
    return NULL;
  if (data->weights == NULL)
    return g_memdup2 (self->line.values, n * sizeof (float));

  values = g_new (float, MAX (n, 1));
  for (gsize i = 0; i < n; i++)
    values[i] = is_row ? data->weights[(pick->query - data->queries.first) * data->keys.n + i]
                       : data->weights[i * data->keys.n + pick->key - data->keys.first];
  return values;
}

static char *
hl_heatmap_scene_describe (HlScene            *scene,
                           const HlSceneFrame *frame,
                           const HlPick       *pick)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  const HlHeatmapData *data = frame->data;
  const HlRange queries = frame->shown->queries;
  const HlRange keys = frame->shown->keys;

  if (pick->kind == HL_PICK_HEAD)
    return hl_scene_describe_head (frame->shown, pick->head);
  if (pick->kind == HL_PICK_CELL)
    {
      float weight;
      const gboolean known = data != NULL && hl_heatmap_scene_get_weight (self, data, pick->query - queries.first,
                                                                          pick->key - keys.first, &weight);

      return hl_scene_describe_cell (frame->shown, pick, known ? &weight : NULL, 1);
    }

  g_autofree float *row = data != NULL ? hl_heatmap_scene_make_row (self, data, pick) : NULL;
  return hl_scene_describe_token (frame->shown, pick, row, pick->kind == HL_PICK_QUERY ? keys : queries, 1);
}

/* Of large heads it is known of the token in focus alone. A number that is left of any of the tokens counts with all of them. */
static float *
hl_heatmap_scene_make_row_of_focus (HlScene            *scene,
                                    const HlSceneFrame *frame,
                                    const HlFocus      *focus,
                                    guint              *n_heads)
{
  const HlHeatmapData *data = frame->data;
  const HlSide side = hl_pick_get_side (&focus->pick);
  const gsize n = frame->shown->ranges[hl_side_get_other (side)].n;

  *n_heads = 1;
  if (data == NULL || data->weights == NULL)
    return NULL;
  float *values = g_new (float, MAX (n, 1));
  HlMapRow row = { data->unfiltered != NULL ? data->unfiltered : data->weights, data->queries, data->keys, side };
  hl_focus_combine (focus, frame->shown->attention, n, hl_map_copy_row, &row, values);
  if (data->unfiltered == NULL)
    return values;
  g_autofree gboolean *is_left = g_new0 (gboolean, MAX (n, 1));
  row.map = data->weights;
  hl_focus_mark_left (focus, n, hl_map_copy_row, &row, is_left);
  for (gsize i = 0; i < n; i++)
    if (!is_left[i] && values[i] != 0)
      values[i] = 0;
  return values;
}

static void
hl_heatmap_scene_zoom (HlScene            *scene,
                       const HlSceneFrame *frame,
                       double              factor,
                       double              x,
                       double              y)
{
  const HlHeatmapLayout before = *(const HlHeatmapLayout *) frame->layout;
  const double along = before.mirrored ? before.mirror - x : x;
  const double at_x = CLAMP (along, before.plot.x, before.plot.x + before.plot.width);
  const double at_y = CLAMP (y, before.plot.y, before.plot.y + before.plot.height);
  const double column = (at_x - before.origin_x) / before.cell.width;
  const double row = (at_y - before.origin_y) / before.cell.height;
  /* What is shown is rounded; small steps must still add up. */
  const double least = hl_heatmap_cell_get_least (&before.fit_cell);
  const double shown = frame->zoom > 0 ? CLAMP (frame->zoom, least, HL_HEATMAP_MAX_CELL) : least;
  const double cell = CLAMP (shown * factor, least, HL_HEATMAP_MAX_CELL);

  hl_scene_set_zoom (scene, cell <= least ? 0 : cell);

  const HlHeatmapLayout *after = hl_scene_get_frame (scene)->layout;
  hl_scene_set_progress (scene, after->plot.x + column * after->cell.width - at_x,
                         after->plot.y + row * after->cell.height - at_y);
}

static void
hl_heatmap_scene_fit (HlScene            *scene,
                      const HlSceneFrame *frame)
{
  hl_scene_set_zoom (scene, 0);
  hl_scene_set_progress (scene, 0, 0);
}

static gboolean
hl_heatmap_scene_is_mirrored (HlScene *scene)
{
  return hl_view_state_reads_right_to_left (hl_scene_get_state (scene));
}

static void
hl_heatmap_scene_get_window (HlScene            *scene,
                             const HlSceneFrame *frame,
                             cairo_rectangle_t  *window)
{
  *window = ((const HlHeatmapLayout *) frame->layout)->plot;
}

static gboolean
hl_heatmap_scene_locate (HlScene            *scene,
                         const HlSceneFrame *frame,
                         const HlPick       *pick,
                         cairo_rectangle_t  *box)
{
  const HlHeatmapLayout *layout = frame->layout;
  const gsize row = pick->query - layout->queries.first;
  const gsize column = pick->key - layout->keys.first;
  const gboolean has_row = hl_pick_has (pick, HL_QUERIES);
  const gboolean has_column = hl_pick_has (pick, HL_KEYS);

  if (!hl_scene_frame_has_token (frame, pick))
    return FALSE;
  hl_heatmap_layout_get_cell_box (layout, has_row ? row : 0, has_column ? column : 0, box);
  if (!has_column)
    {
      box->x = layout->plot.x;
      box->width = layout->plot.width;
    }
  if (!has_row)
    {
      box->y = layout->plot.y;
      box->height = layout->plot.height;
    }
  return TRUE;
}

static void
hl_heatmap_scene_state_changed (HlScene  *scene,
                                HlChanges changes)
{
  const HlHeatmapData *data = hl_scene_get_any_data (scene);

  HL_SCENE_CLASS (hl_heatmap_scene_parent_class)->state_changed (scene, changes);
  /* Lines of a head that is not kept are read when they are looked at. */
  if ((changes & (HL_CHANGED_HOVER | HL_CHANGED_PIN)) != 0 && data != NULL && data->weights == NULL)
    hl_scene_emit_job_needed (scene);
}

static void
hl_heatmap_scene_finalize (GObject *object)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (object);

  hl_heatmap_tiles_free (self->tiles);
  g_clear_pointer (&self->region, hl_heatmap_region_free);
  clear_line (self);
  g_clear_object (&self->beside_source);
  G_OBJECT_CLASS (hl_heatmap_scene_parent_class)->finalize (object);
}

static void
hl_heatmap_scene_draw_backdrop (HlScene            *scene,
                                const HlSceneFrame *frame,
                                cairo_t            *cr)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  const HlTheme *theme = frame->theme;
  const HlHeatmapLayout *layout = frame->layout;
  const HlHeatmapData *data = frame->data;
  const double middle = layout->plot.x + layout->plot.width / 2;
  const HlTextStyle title = { .size = TITLE_SIZE };

  hl_scene_paint_background (frame, cr);
  hl_scene_draw_caption (scene, frame, cr, layout->caption_y);
  if (layout->queries.n == 0 || layout->keys.n == 0)
    {
      hl_scene_write (scene, cr, _ ("No tokens to show"), &(HlTextStyle){ .size = 13 }, &theme->muted,
                      layout->width / 2, layout->plot.y + 24, 0.5);
      return;
    }

  hl_scene_write (scene, cr, hl_scene_get_column_title (frame->shown), &title, &theme->muted, middle, layout->title_y,
                  0.5);
  hl_scene_write_upwards (scene, cr, hl_scene_get_row_title (frame->shown), &title, &theme->muted, layout->title_x,
                          layout->plot.y + layout->plot.height / 2, 0.5);
  hl_heatmap_labels_draw (scene, frame, cr);

  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, layout->plot.x - 0.5, layout->plot.y - 0.5, layout->plot.width + 1, layout->plot.height + 1);
  cairo_stroke (cr);
  if (data != NULL)
    {
      const HlHeatmapPaint paint = hl_heatmap_scene_get_paint (self, frame, data);
      hl_heatmap_legend_draw (scene, frame, cr, &paint, data->has_masked, data->has_nan);
    }
}

static gboolean
is_masked (const HlHeatmapData  *data,
           const HlHeatmapPaint *paint,
           gsize                 row,
           gsize                 column)
{
  return !hl_mask_is_visible (&paint->mask, paint->n_queries, paint->n_keys, data->queries.first + row,
                              data->keys.first + column);
}

static void
draw_numbers (HlHeatmapScene        *self,
              const HlShown         *shown,
              cairo_t               *cr,
              const HlHeatmapLayout *layout,
              const HlHeatmapData   *data,
              const HlHeatmapPaint  *paint,
              HlRange                rows,
              HlRange                columns)
{
  const HlTextStyle style = { .size =
                                hl_text_size (MIN (layout->cell.width * 0.32, layout->cell.height * 0.6), 9.5, 13) };
  const gboolean is_filtered = shown->filtered != shown->source;

  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      {
        char number[HL_WEIGHT_TEXT_SIZE];
        cairo_rectangle_t box;
        float weight;

        if (is_masked (data, paint, row, column) || !hl_heatmap_scene_get_weight (self, data, row, column, &weight) ||
            isnan (weight) || hl_weight_is_masked (&paint->mask, weight))
          continue;
        /*
         * Two digits are what a cell has room for; those that would read 0.00 are what the colour says they are. What is exactly 0 is
         * said to be, where no filter made it so.
         */
        if (weight == 0 ? is_filtered : fabsf (weight) < 0.005f)
          continue;
        hl_weight_text_format_as (weight, weight == 0 ? "%.0f" : fabsf (weight) < 9.995f ? "%.2f" : "%.3g", number);

        const double position = hl_value_scale_map (&paint->scale, weight, data->row_max[row]);
        const HlColour ink = hl_heatmap_paint_get_ink (paint, position);
        hl_heatmap_layout_get_cell_box (layout, row, column, &box);
        hl_scene_write (HL_SCENE (self), cr, number, &style, &ink, box.x + box.width / 2, box.y + box.height / 2, 0.5);
      }
}

/* Between what stands for a sink, which is no token, and the tokens. */
static void
draw_sink_divider (const HlSceneFrame    *frame,
                   cairo_t               *cr,
                   const HlHeatmapLayout *layout)
{
  HlAttention *attention = frame->shown->attention;
  cairo_rectangle_t box;

  hl_heatmap_layout_get_cell_box (layout, 0, 0, &box);
  hl_cairo_set_colour (cr, &frame->theme->background, 1);
  if (layout->cell.height >= MIN_DIVIDED && layout->queries.first == 0 && hl_sink_is_at (attention, HL_QUERIES, 0))
    cairo_rectangle (cr, layout->plot.x, box.y + box.height - 1, layout->plot.width, 2);
  if (layout->cell.width >= MIN_DIVIDED && layout->keys.first == 0 && hl_sink_is_at (attention, HL_KEYS, 0))
    cairo_rectangle (cr, box.x + box.width - 1, layout->plot.y, 2, layout->plot.height);
  cairo_fill (cr);
}

/* Where one text of a pair ends and the other begins. */
static void
draw_divider (const HlSceneFrame    *frame,
              cairo_t               *cr,
              const HlHeatmapLayout *layout,
              const HlTheme         *theme)
{
  const gsize query = hl_shown_get_sentence_b (frame->shown, HL_QUERIES);
  const gsize key = hl_shown_get_sentence_b (frame->shown, HL_KEYS);
  const gsize row = query - layout->queries.first;
  const gsize column = key - layout->keys.first;
  cairo_rectangle_t box;

  if (query == 0 && key == 0)
    return;
  hl_heatmap_layout_get_cell_box (layout, row, column, &box);
  hl_cairo_set_colour (cr, &theme->background, 1);
  if (layout->cell.height >= MIN_DIVIDED && query > layout->queries.first && row < layout->queries.n)
    cairo_rectangle (cr, layout->plot.x, box.y - 1, layout->plot.width, 2);
  if (layout->cell.width >= MIN_DIVIDED && key > layout->keys.first && column < layout->keys.n)
    cairo_rectangle (cr, box.x - 1, layout->plot.y, 2, layout->plot.height);
  cairo_fill (cr);
}

static void
hl_heatmap_scene_draw_picture (HlScene            *scene,
                               const HlSceneFrame *frame,
                               cairo_t            *cr)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  const HlHeatmapLayout *layout = frame->layout;
  const HlHeatmapData *data = frame->data;
  HlHeatmapLayout straight;
  HlRange rows, columns;

  if (data == NULL || layout->queries.n == 0 || layout->keys.n == 0)
    return;

  const HlHeatmapPaint paint = hl_heatmap_scene_get_paint (self, frame, data);
  hl_heatmap_layout_get_cells (layout, &rows, &columns);
  cairo_rectangle (cr, layout->plot.x, layout->plot.y, layout->plot.width, layout->plot.height);
  cairo_clip (cr);
  cairo_save (cr);
  hl_heatmap_layout_enter (layout, &straight, cr);
  if (frame->vector)
    {
      if (self->region != NULL && self->region->data == data)
        hl_heatmap_region_draw (self->region, cr, &straight, &paint, rows, columns);
    }
  else
    hl_heatmap_tiles_paint (self->tiles, &straight, cr);
  draw_divider (frame, cr, &straight, paint.theme);
  draw_sink_divider (frame, cr, &straight);
  cairo_restore (cr);
  if (holds_numbers (layout))
    draw_numbers (self, frame->shown, cr, layout, data, &paint, rows, columns);
}

static void
draw_cross (cairo_t            *cr,
            const HlSceneFrame *frame)
{
  const HlHeatmapLayout *layout = frame->layout;
  const HlPick *pick = frame->focus;
  const double strength = pick->kind == HL_PICK_CELL ? 0.6 : 1;
  cairo_rectangle_t box;

  cairo_save (cr);
  cairo_rectangle (cr, layout->plot.x, layout->plot.y, layout->plot.width, layout->plot.height);
  cairo_clip (cr);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      gsize n;
      g_autofree gsize *tokens = hl_focus_list_tokens (frame->in_focus, side, &n);
      for (gsize i = 0; i < n; i++)
        {
          hl_heatmap_layout_get_cell_box (layout, side == HL_QUERIES ? tokens[i] - layout->queries.first : 0,
                                          side == HL_KEYS ? tokens[i] - layout->keys.first : 0, &box);
          if (side == HL_QUERIES)
            box = (cairo_rectangle_t){ layout->plot.x - 4, box.y, layout->plot.width + 8, box.height };
          else
            box = (cairo_rectangle_t){ box.x, layout->plot.y - 4, box.width, layout->plot.height + 8 };
          hl_callout_outline (cr, &box, strength);
        }
    }
  if (pick->kind == HL_PICK_CELL)
    {
      hl_heatmap_layout_get_cell_box (layout, pick->query - layout->queries.first, pick->key - layout->keys.first,
                                      &box);
      hl_callout_outline (cr, &box, 1);
    }
  cairo_restore (cr);
}

/* Of tokens that were gathered, what they have together. */
static void
draw_strip (HlHeatmapScene     *self,
            const HlSceneFrame *frame,
            cairo_t            *cr)
{
  guint n_heads;
  g_autofree float *values = frame->in_focus->gathered != NULL
                               ? hl_heatmap_scene_make_row_of_focus (HL_SCENE (self), frame, frame->in_focus, &n_heads)
                               : NULL;

  if (values == NULL)
    return;
  const HlHeatmapPaint paint = hl_heatmap_scene_get_paint (self, frame, frame->data);
  hl_heatmap_strip_draw (HL_SCENE (self), frame, cr, &paint, frame->data, values);
}

/* The weight of a cell. */
static void
draw_bubble (HlHeatmapScene     *self,
             const HlSceneFrame *frame,
             cairo_t            *cr,
             const HlPick       *pick)
{
  const HlHeatmapLayout *layout = frame->layout;
  g_autofree char *text = hl_scene_describe (HL_SCENE (self), pick);
  cairo_rectangle_t box;

  if (text == NULL)
    return;
  hl_heatmap_layout_get_cell_box (layout, pick->query - layout->queries.first, pick->key - layout->keys.first, &box);
  if (box.x + box.width < layout->plot.x || box.x > layout->plot.x + layout->plot.width ||
      box.y + box.height < layout->plot.y || box.y > layout->plot.y + layout->plot.height)
    return;
  hl_scene_draw_bubble_of (HL_SCENE (self), frame, cr, text, pick, &box, &(HlBubblePlace){ .gap = 12, .flips = TRUE });
}

static void
hl_heatmap_scene_draw_overlay (HlScene            *scene,
                               const HlSceneFrame *frame,
                               cairo_t            *cr)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  const HlHeatmapLayout *layout = frame->layout;
  const HlPick *focus = frame->focus;
  const HlPick *hovered = frame->hovered;
  const HlPick *told = NULL;

  if (hl_scene_frame_has_token (frame, focus))
    {
      draw_cross (cr, frame);
      hl_heatmap_labels_draw_in_focus (scene, frame, cr);
      draw_strip (self, frame, cr);
      if (focus->kind == HL_PICK_CELL)
        told = focus;
    }
  /* While something is pinned, the weight under the pointer can still be read. */
  if (hl_scene_frame_has_token (frame, hovered) && hovered->kind == HL_PICK_CELL)
    {
      cairo_rectangle_t box;

      hl_heatmap_layout_get_cell_box (layout, hovered->query - layout->queries.first, hovered->key - layout->keys.first,
                                      &box);
      cairo_save (cr);
      cairo_rectangle (cr, layout->plot.x, layout->plot.y, layout->plot.width, layout->plot.height);
      cairo_clip (cr);
      hl_callout_outline (cr, &box, 1);
      cairo_restore (cr);
      told = hovered;
    }
  if (told != NULL)
    draw_bubble (self, frame, cr, told);
}

static void
hl_heatmap_scene_class_init (HlHeatmapSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_heatmap_scene_finalize;
  scene_class->label_size = HL_HEATMAP_LABEL_SIZE;
  scene_class->layout_size = sizeof (HlHeatmapLayout);
  scene_class->lay_out = hl_heatmap_scene_lay_out;
  scene_class->measure = hl_heatmap_scene_measure;
  scene_class->create_data = hl_heatmap_scene_create_data;
  scene_class->create_job = hl_heatmap_scene_create_job;
  scene_class->accept = hl_heatmap_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_heatmap_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_heatmap_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_heatmap_scene_draw_overlay;
  scene_class->pick = hl_heatmap_scene_pick;
  scene_class->describe = hl_heatmap_scene_describe;
  scene_class->make_row = hl_heatmap_scene_make_row_of_focus;
  scene_class->zoom = hl_heatmap_scene_zoom;
  scene_class->fit = hl_heatmap_scene_fit;
  scene_class->is_mirrored = hl_heatmap_scene_is_mirrored;
  scene_class->get_window = hl_heatmap_scene_get_window;
  scene_class->locate = hl_heatmap_scene_locate;
  scene_class->ignored = HL_CHANGED_VIEW | HL_CHANGED_HEADS | HL_CHANGED_SOURCE | HL_CHANGED_EXAMPLE | HL_CHANGED_LINES;
  scene_class->state_changed = hl_heatmap_scene_state_changed;
}

static void
hl_heatmap_scene_init (HlHeatmapScene *self)
{
  self->tiles = hl_heatmap_tiles_new ();
  set_beside (self, &(HlHeatmapPart){ 0 }, &(HlHeatmapExtremes) HL_HEATMAP_EXTREMES_INIT);
}
