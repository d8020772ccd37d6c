/* SPDX-License-Identifier: MIT */
/* The model view: all heads of all layers as thumbnails, a row for each layer. */
#include "draw/model-view/hl-model-view-scene.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/model-view/hl-model-view-card.h"
#include "draw/model-view/hl-model-view-job.h"
#include "draw/model-view/hl-model-view-layout.h"
#include "draw/model-view/hl-thumbnail.h"
#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-export-context.h"
#include "view/hl-gap-text.h"
#include "view/hl-number-text.h"
#include "view/hl-weight-text.h"

/* Of larger maps, numbers take longer than a pointer rests. */
#define MAX_CELLS_OF_STATS ((gsize) 64 * 1024 * 1024)

/* Thumbnails in one job; more are made by the next. */
#define MAX_BATCH 256

/* Thumbnails out of view are made too if all together take no more than this, and dropped when there is more. */
#define MAX_BYTES ((gsize) 64 * 1024 * 1024)

#define LEGEND_SIZE 11
#define LEGEND_WIDTH 120
#define LEGEND_HEIGHT 9
#define LEGEND_GAP 8
#define N_STEPS 16
/* Between a head's name and its number, at least. */
#define MIN_SPACE 3
/* Wide thumbnails say which number is the layer's. */
#define MIN_WIDTH_OF_LETTERS 92

#define TITLE_SIZE 11
#define LABEL_PAD 7
/* Around smaller thumbnails frames would be all there is to see. */
#define MIN_FRAMED_PITCH 18
/* Of the tick on a thumbnail that is chosen, and the least thumbnail of which it leaves enough. */
#define MAX_TICK 8
#define MIN_TICKED 20

struct _HlModelViewScene
{
  HlScene parent_instance;

  HlThumbnailSet set;
  HlModelViewOrder order;
};

G_DEFINE_FINAL_TYPE (HlModelViewScene, hl_model_view_scene, HL_TYPE_SCENE)

static void
hl_model_view_scene_lay_out (HlScene            *scene,
                             const HlSceneFrame *frame,
                             gpointer            layout)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);

  hl_model_view_order_follow (&self->order, hl_scene_get_state (scene));
  hl_model_view_layout_init (layout, frame, &self->order);
}

static HlThumbnailStyle
get_style (const HlSceneFrame *frame,
           double              width,
           double              height)
{

  return (HlThumbnailStyle){
    .kind = frame->shown->options.thumbnails,
    .map = frame->shown->options.colour_map,
    .value_scale = frame->shown->value_scale,
    .relative = hl_shown_has_relative_lines (frame->shown),
    .least_whole = hl_shown_get_least_whole (frame->shown),
    .dark = frame->shown->options.dark,
    .mirrored = frame->from_right,
    .width = (guint) MAX (1, lround (width * frame->scale)),
    .height = (guint) MAX (1, lround (height * frame->scale)),
    .scale = frame->scale,
  };
}

/* Finds the size of the enlarged thumbnail, which has the shape of the map unless that is very long. */
static void
get_preview_size (const HlSceneFrame *frame,
                  double             *width,
                  double             *height)
{
  const double shape =
    CLAMP ((double) MAX (frame->shown->keys.n, 1) / (double) MAX (frame->shown->queries.n, 1), 0.5, 2);

  *width = HL_MODEL_VIEW_CARD_PICTURE * MIN (1, shape);
  *height = HL_MODEL_VIEW_CARD_PICTURE / MAX (1, shape);
}

static gboolean
has_stats (const HlSceneFrame *frame)
{
  const gsize n_keys = hl_attention_get_n (frame->shown->attention, HL_KEYS);

  return frame->shown->queries.n <= MAX_CELLS_OF_STATS / MAX (n_keys, 1);
}

/* The numbers that a card tells: the usual ones, and those that heads are sorted and framed by. */
static HlHeadNumberSet
get_told (HlViewState *state)
{
  return hl_head_number_get_usual () | hl_head_measure_get_set (hl_view_state_get_applied_sort (state)) |
         hl_head_measure_get_set (hl_view_state_get_applied_colour_by (state));
}

/* Returns which of them are known of a head. */
static HlHeadNumberSet
hl_model_view_scene_get_stats (HlModelViewScene   *self,
                               const HlSceneFrame *frame,
                               const HlPick       *pick,
                               HlHeadStats        *stats)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);
  HlHeadNumberSet set = 0;

  if (!hl_thumbnail_set_is_of (&self->set, state))
    return 0;
  const HlHeadStats *own = hl_thumbnail_set_get (&self->set, pick->layer, pick->head)->stats;
  if (own != NULL)
    {
      *stats = *own;
      set = hl_head_number_get_usual ();
    }
  /* Somebody may have asked for those of all heads; maps that are derived have others. */
  if (numbers == NULL || frame->shown->source != hl_view_state_get_attention_source (state))
    return set;
  const guint index = hl_head_numbers_get_index (numbers, pick->layer, pick->head);
  const HlHeadNumberSet known = hl_head_numbers_get_set (numbers, index) & get_told (state);
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (known & HL_HEAD_NUMBER_BIT (stat))
      stats->values[stat] = hl_head_numbers_get (numbers, HL_HEAD_MEASURE_STATS + stat, index);
  return set | known;
}

static void
hl_model_view_scene_measure (HlScene            *scene,
                             const HlSceneFrame *frame,
                             double             *width,
                             double             *height)
{
  const HlModelViewLayout *layout = frame->layout;

  *width = layout->content_width;
  *height = layout->content_height;
}

static void
hl_model_view_scene_draw_picture (HlScene            *scene,
                                  const HlSceneFrame *frame,
                                  cairo_t            *cr)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);
  const HlModelViewLayout *layout = frame->layout;
  HlRange rows, columns;

  if (!hl_thumbnail_set_is_of (&self->set, hl_scene_get_state (scene)))
    return;
  cairo_rectangle (cr, layout->plot.x, layout->plot.y, layout->plot.width, layout->plot.height);
  cairo_clip (cr);
  hl_model_view_layout_get_seen (layout, &rows, &columns);
  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      {
        guint layer, head;
        cairo_rectangle_t box;

        if (!hl_model_view_layout_get_map (layout, row, column, &layer, &head))
          continue;
        const HlThumbnail *thumbnail = hl_thumbnail_set_get (&self->set, layer, head)->thumbnail;
        if (thumbnail == NULL)
          continue;
        hl_model_view_layout_get_box (layout, layer, head, &box);
        (frame->vector ? hl_thumbnail_draw : hl_thumbnail_paint) (thumbnail, &box, cr);
      }
}

static void
hl_model_view_scene_pick (HlScene            *scene,
                          const HlSceneFrame *frame,
                          double              x,
                          double              y,
                          HlPick             *pick)
{
  hl_model_view_layout_pick (frame->layout, x, y, pick);
}

static void
hl_model_view_scene_zoom (HlScene            *scene,
                          const HlSceneFrame *frame,
                          double              factor,
                          double              x,
                          double              y)
{
  const HlModelViewLayout before = *(const HlModelViewLayout *) frame->layout;
  const double at_x = CLAMP (x, before.plot.x, before.plot.x + before.plot.width);
  const double at_y = CLAMP (y, before.plot.y, before.plot.y + before.plot.height);
  const double column = (at_x - before.origin_x) / before.pitch_x;
  const double row = (at_y - before.origin_y) / before.pitch_y;
  /* What is shown is rounded; small steps must still add up. */
  const double zoom = CLAMP (CLAMP (frame->zoom, 1, before.max_zoom) * factor, 1, before.max_zoom);

  hl_scene_set_zoom (scene, zoom <= 1 ? 0 : zoom);

  const HlModelViewLayout *after = hl_scene_get_frame (scene)->layout;
  hl_scene_set_scroll (scene, after->plot.x + column * after->pitch_x - at_x,
                       after->plot.y + row * after->pitch_y - at_y);
}

static void
hl_model_view_scene_fit (HlScene            *scene,
                         const HlSceneFrame *frame)
{
  hl_scene_set_zoom (scene, 0);
  hl_scene_set_scroll (scene, 0, 0);
}

/* First, to the one that is chosen. */
static void
hl_model_view_scene_move (HlScene            *scene,
                          const HlSceneFrame *frame,
                          HlPick             *pick,
                          int                 dx,
                          int                 dy,
                          gboolean            to_end)
{
  if (pick->kind != HL_PICK_MAP)
    *pick = (HlPick){ HL_PICK_MAP, .head = frame->shown->head, .layer = frame->shown->layer };
  else
    hl_model_view_layout_move (frame->layout, pick, dx, dy, to_end);
}

static gboolean
hl_model_view_scene_locate (HlScene            *scene,
                            const HlSceneFrame *frame,
                            const HlPick       *pick,
                            cairo_rectangle_t  *box)
{
  const HlModelViewLayout *layout = frame->layout;

  if (pick->kind != HL_PICK_MAP || pick->layer >= hl_attention_get_n_layers (layout->attention) ||
      pick->head >= hl_attention_get_n_heads (layout->attention, pick->layer))
    return FALSE;
  hl_model_view_layout_get_box (layout, pick->layer, pick->head, box);
  return TRUE;
}

static void
hl_model_view_scene_state_changed (HlScene  *scene,
                                   HlChanges changes)
{
  HlViewState *state = hl_scene_get_state (scene);
  HlChanges seen = changes;

  /* Numbers come bit by bit, for a table perhaps that this view knows nothing of; its card does. */
  if ((changes & HL_CHANGED_NUMBERS) && hl_view_state_get_applied_sort (state) == HL_HEAD_MEASURE_NONE &&
      hl_view_state_get_applied_colour_by (state) == HL_HEAD_MEASURE_NONE)
    seen = (changes & ~HL_CHANGED_NUMBERS) | HL_CHANGED_HOVER;
  HL_SCENE_CLASS (hl_model_view_scene_parent_class)->state_changed (scene, seen);
  if (changes & HL_CHANGED_HOVER)
    hl_scene_emit_job_needed (scene);
}

static void
hl_model_view_scene_finalize (GObject *object)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (object);

  hl_thumbnail_set_clear (&self->set);
  hl_model_view_order_clear (&self->order);
  G_OBJECT_CLASS (hl_model_view_scene_parent_class)->finalize (object);
}

static HlThumbnail *
new_thumbnail (HlModelViewScene       *self,
               guint                   layer,
               guint                   head,
               const HlThumbnailStyle *style)
{
  return hl_thumbnail_new (self->set.source, layer, head, self->set.queries, self->set.keys, style);
}

static void
want_preview (HlModelViewScene   *self,
              const HlSceneFrame *frame,
              HlModelViewJob     *job)
{
  const HlPick *pick = frame->hovered;
  const HlThumbnail *preview = self->set.preview;
  double width, height;

  if (pick->kind != HL_PICK_MAP)
    return;
  get_preview_size (frame, &width, &height);
  const HlThumbnailStyle style = get_style (frame, width, height);
  HlHeadStats stats;
  const HlHeadNumberSet known = hl_model_view_scene_get_stats (self, frame, pick, &stats);
  const gboolean needs_stats = has_stats (frame) && (hl_head_number_get_usual () & ~known) != 0;
  const gboolean has_preview = preview != NULL && preview->layer == pick->layer && preview->head == pick->head &&
                               hl_thumbnail_looks (preview, &style);
  /* What is said of a head needs its numbers, also where no card shows them. */
  if (!needs_stats && (has_preview || !hl_scene_get_has_cards (HL_SCENE (self))))
    return;
  job->preview = new_thumbnail (self, pick->layer, pick->head, &style);
  job->attention = g_object_ref (frame->shown->attention);
  job->source = g_object_ref (frame->shown->source);
  job->stats = needs_stats ? g_new0 (HlHeadStats, 1) : NULL;
}

static void
want (HlModelViewScene       *self,
      HlModelViewJob         *job,
      guint                   layer,
      guint                   head,
      const HlThumbnailStyle *style)
{
  HlThumbnail *known = hl_thumbnail_set_get (&self->set, layer, head)->thumbnail;

  if (job->items->len < MAX_BATCH && (known == NULL || !hl_thumbnail_looks (known, style)))
    hl_model_view_job_add (job, new_thumbnail (self, layer, head, style), known);
}

/* What is in view comes first, row by row; then the rest, if there is room for all. */
static void
want_thumbnails (HlModelViewScene   *self,
                 const HlSceneFrame *frame,
                 HlModelViewJob     *job)
{
  const HlModelViewLayout *layout = frame->layout;
  double width, height;

  hl_model_view_layout_get_size (layout, &width, &height);
  const HlThumbnailStyle style = get_style (frame, width, height);
  g_autoptr (HlThumbnail) one = new_thumbnail (self, 0, 0, &style);
  HlRange rows, columns;
  guint layer, head;

  hl_model_view_layout_get_seen (layout, &rows, &columns);
  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      if (hl_model_view_layout_get_map (layout, row, column, &layer, &head))
        want (self, job, layer, head, &style);
  if (job->items->len > 0 || self->set.starts[self->set.n_layers] * hl_thumbnail_get_size (one) > MAX_BYTES)
    return;
  for (gsize row = 0; row < layout->n_rows; row++)
    for (gsize column = 0; column < layout->n_columns; column++)
      if (hl_model_view_layout_get_map (layout, row, column, &layer, &head))
        want (self, job, layer, head, &style);
}

/* The thumbnails that are most wanted. */
static HlSceneJob *
hl_model_view_scene_create_job (HlScene            *scene,
                                const HlSceneFrame *frame,
                                gpointer            data)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);

  hl_thumbnail_set_follow (&self->set, hl_scene_get_state (scene));
  if (self->set.queries.n == 0 || self->set.keys.n == 0 || frame->width < 1 || frame->height < 1)
    return NULL;

  g_autoptr (HlModelViewJob) job = g_object_new (HL_TYPE_MODEL_VIEW_JOB, NULL);
  want_preview (self, frame, job);
  want_thumbnails (self, frame, job);
  return job->preview != NULL || job->items->len > 0 ? HL_SCENE_JOB (g_steal_pointer (&job)) : NULL;
}

/* When thumbnails take too much, those out of view go. */
static void
make_room (HlModelViewScene   *self,
           const HlSceneFrame *frame)
{
  const HlModelViewLayout *layout = frame->layout;
  HlRange rows, columns;
  gsize size = 0;

  for (guint i = 0; i < self->set.starts[self->set.n_layers]; i++)
    if (self->set.slots[i].thumbnail != NULL)
      size += hl_thumbnail_get_size (self->set.slots[i].thumbnail);
  if (size <= MAX_BYTES)
    return;
  hl_model_view_layout_get_seen (layout, &rows, &columns);
  for (guint layer = 0; layer < self->set.n_layers; layer++)
    for (guint head = 0; head < hl_attention_get_n_heads (layout->attention, layer); head++)
      {
        guint row, column;

        hl_model_view_layout_get_cell (layout, layer, head, &row, &column);
        if (row - rows.first >= rows.n || column - columns.first >= columns.n)
          g_clear_pointer (&hl_thumbnail_set_get (&self->set, layer, head)->thumbnail, hl_thumbnail_unref);
      }
}

static void
hl_model_view_scene_accept (HlScene            *scene,
                            const HlSceneFrame *frame,
                            HlSceneJob         *scene_job,
                            gboolean            is_new)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);
  HlModelViewJob *job = HL_MODEL_VIEW_JOB (scene_job);
  const HlThumbnail *any = job->preview != NULL ? job->preview
                                                : g_array_index (job->items, HlModelViewItem, 0).thumbnail;

  hl_thumbnail_set_follow (&self->set, hl_scene_get_state (scene));
  /* Weights of another source, or of other tokens, would be a lie. */
  if (any->source != self->set.source || !hl_range_equal (any->queries, self->set.queries) ||
      !hl_range_equal (any->keys, self->set.keys))
    return;

  if (job->preview != NULL)
    {
      HlThumbnailSlot *slot = hl_thumbnail_set_get (&self->set, job->preview->layer, job->preview->head);
      if (slot->stats == NULL)
        slot->stats = g_steal_pointer (&job->stats);
      g_clear_pointer (&self->set.preview, hl_thumbnail_unref);
      self->set.preview = g_steal_pointer (&job->preview);
      hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
    }
  for (guint i = 0; i < job->items->len; i++)
    {
      HlModelViewItem *item = &g_array_index (job->items, HlModelViewItem, i);
      if (!item->done)
        continue;
      HlThumbnailSlot *slot = hl_thumbnail_set_get (&self->set, item->thumbnail->layer, item->thumbnail->head);
      g_clear_pointer (&slot->thumbnail, hl_thumbnail_unref);
      slot->thumbnail = hl_thumbnail_ref (item->thumbnail);
    }
  make_room (self, frame);
  if (job->items->len > 0)
    hl_scene_emit_changed (scene, HL_SCENE_PICTURE);
}

/* The words that heads were looked for with, and how this one links them: "0.92 (1 of 144)". */
static gboolean
hl_model_view_scene_describe_pairs (HlModelViewScene   *self,
                                    const HlSceneFrame *frame,
                                    const HlPick       *pick,
                                    char              **label,
                                    char              **number)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);
  HlPairRanking *ranking = numbers != NULL ? hl_head_numbers_get_ranking (numbers) : NULL;
  char weight[HL_WEIGHT_TEXT_SIZE];

  if (ranking == NULL || frame->shown->merges_heads || frame->shown->merges_layers)
    return FALSE;
  const guint index = hl_head_numbers_get_index (numbers, pick->layer, pick->head);
  const guint rank = hl_pair_ranking_get_rank (ranking, index);
  /* A weight that is not a number has no place. */
  if (rank == 0)
    return FALSE;
  *label = hl_token_pairs_describe (hl_pair_ranking_get_pairs (ranking));
  hl_weight_text_format (hl_pair_ranking_get_weight (ranking, index), weight);
  /* Translators: a weight, and which place that gives a head among how many: “0.92 (1 of 144)” */
  *number = g_strdup_printf (_ ("%s (%u of %u)"), weight, rank, hl_pair_ranking_get_n (ranking));
  return TRUE;
}

static char *
hl_model_view_scene_describe (HlScene            *scene,
                              const HlSceneFrame *frame,
                              const HlPick       *pick)
{
  if (pick->kind != HL_PICK_MAP)
    return NULL;

  HlHeadStats stats;
  const HlHeadNumberSet known = hl_model_view_scene_get_stats (HL_MODEL_VIEW_SCENE (scene), frame, pick, &stats);
  g_autofree char *name = hl_shown_dup_map_name (frame->shown, pick->layer, pick->head);
  GString *text = g_string_new (name);
  const char *separator = ": ";
  g_autofree char *pairs = NULL;
  g_autofree char *weight = NULL;

  if (hl_model_view_scene_describe_pairs (HL_MODEL_VIEW_SCENE (scene), frame, pick, &pairs, &weight))
    {
      g_string_append_printf (text, "%s%s %s", separator, pairs, weight);
      separator = ", ";
    }
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      if (!(known & HL_HEAD_NUMBER_BIT (stat)) || isnan (stats.values[stat]))
        continue;
      g_autofree char *number =
        hl_model_view_format_measure (frame->shown, HL_HEAD_MEASURE_STATS + stat, stats.values[stat]);
      g_string_append_printf (text, "%s%s %s", separator, _ (hl_head_number_get (stat)->label), number);
      separator = ", ";
    }
  return g_string_free (text, FALSE);
}

static HlColour
get_tint_colour (const HlTheme *theme,
                 double         tint)
{
  const guint32 pixel = hl_colour_map_lookup (HL_COLOUR_MAP_PAPER, theme->dark, tint);

  return (HlColour){ (float) (pixel >> 16 & 0xff) / 255, (float) (pixel >> 8 & 0xff) / 255,
                     (float) (pixel & 0xff) / 255, 1 };
}

/* Draws what stands out around thumbnails, as far as numbers are known. */
static void
hl_model_view_scene_draw_tints (HlModelViewScene   *self,
                                const HlSceneFrame *frame,
                                cairo_t            *cr)
{
  const HlModelViewLayout *layout = frame->layout;
  HlRange rows, columns;

  if (layout->mat <= 0)
    return;
  hl_model_view_layout_get_seen (layout, &rows, &columns);
  /* Lines are seen through. */
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      {
        guint layer, head;
        cairo_rectangle_t box;
        double tint;

        if (!hl_model_view_layout_get_map (layout, row, column, &layer, &head) ||
            !hl_model_view_order_get_tint (&self->order, layer, head, &tint))
          continue;
        const HlColour colour = get_tint_colour (frame->theme, tint);
        hl_model_view_layout_get_box (layout, layer, head, &box);
        hl_cairo_set_colour (cr, &colour, 1);
        cairo_rectangle (cr, box.x - layout->mat, box.y - layout->mat, box.width + 2 * layout->mat,
                         box.height + 2 * layout->mat);
        cairo_rectangle (cr, box.x, box.y, box.width, box.height);
        cairo_fill (cr);
      }
}

static void
draw_name (HlModelViewScene   *self,
           const HlSceneFrame *frame,
           cairo_t            *cr,
           guint               layer,
           guint               head)
{
  const HlModelViewLayout *layout = frame->layout;
  const HlTheme *theme = frame->theme;
  const HlTextStyle style = { .size = layout->label_size, .bold = TRUE };
  const HlTextStyle plain = { .size = layout->label_size };
  HlHeadNumbers *numbers = self->order.numbers;
  const guint index = hl_head_numbers_get_index (numbers, layer, head);
  /* Translators: layer and head, very short; without the letters where there is less room */
  g_autofree char *name =
    g_strdup_printf (layout->pitch_x >= MIN_WIDTH_OF_LETTERS ? _ ("L%u·H%u") : "%u·%u", layer, head);
  g_autofree char *number = hl_model_view_format_measure (frame->shown, self->order.sort,
                                                          hl_head_numbers_get (numbers, self->order.sort, index));
  cairo_rectangle_t box;

  hl_model_view_layout_get_box (layout, layer, head, &box);
  const double y = box.y - layout->mat - layout->strip / 2;
  const double left = box.x - layout->mat;
  const double width = box.width + 2 * layout->mat;
  hl_scene_write (HL_SCENE (self), cr, name, &style, &theme->foreground, left, y, 0);
  if (hl_scene_measure_text (HL_SCENE (self), name, &style) + hl_scene_measure_text (HL_SCENE (self), number, &plain) +
        MIN_SPACE <=
      width)
    hl_scene_write (HL_SCENE (self), cr, number, &plain, &theme->muted, left + width, y, 1);
}

/* Writes over each thumbnail which layer and head it is, and the number that gave it its place. */
static void
hl_model_view_scene_draw_names (HlModelViewScene   *self,
                                const HlSceneFrame *frame,
                                cairo_t            *cr)
{
  const HlModelViewLayout *layout = frame->layout;
  HlRange rows, columns;

  hl_model_view_layout_get_seen (layout, &rows, &columns);
  cairo_save (cr);
  cairo_rectangle (cr, layout->plot.x - 1, layout->plot.y - 1, layout->plot.width + 2, layout->plot.height + 2);
  cairo_clip (cr);
  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      {
        guint layer, head;

        if (hl_model_view_layout_get_map (layout, row, column, &layer, &head))
          draw_name (self, frame, cr, layer, head);
      }
  cairo_restore (cr);
}

/* Says what the frames mean: the number, its least and its greatest value, and the colours between. */
static void
hl_model_view_scene_draw_legend (HlModelViewScene   *self,
                                 const HlSceneFrame *frame,
                                 cairo_t            *cr)
{
  const HlModelViewLayout *layout = frame->layout;
  const HlTheme *theme = frame->theme;
  const HlTextStyle style = { .size = LEGEND_SIZE };
  const HlModelViewOrder *order = &self->order;

  if (layout->mat <= 0 || order->numbers == NULL)
    return;
  g_autofree char *name = hl_head_numbers_dup_label (order->numbers, order->colour_by);
  g_autofree char *label = hl_number_text_new (frame->shown, order->colour_by, name);
  g_autofree char *min = hl_model_view_format_measure (frame->shown, order->colour_by, order->min);
  g_autofree char *max = hl_model_view_format_measure (frame->shown, order->colour_by, order->max);
  const double min_width = hl_scene_measure_text (HL_SCENE (self), min, &style);
  const double rest = min_width + hl_scene_measure_text (HL_SCENE (self), max, &style) + LEGEND_WIDTH + 3 * LEGEND_GAP;
  const HlTextStyle whole = { .size = LEGEND_SIZE,
                              .max_width = MAX (layout->width - rest - 2 * LEGEND_GAP, LEGEND_GAP) };
  const HlTextStyle label_style = hl_scene_fit_text (HL_SCENE (self), label, &whole);
  const double label_width = hl_scene_measure_text (HL_SCENE (self), label, &label_style);
  const double y = layout->legend_y;
  double x = (layout->width - label_width - rest) / 2;

  hl_scene_write (HL_SCENE (self), cr, label, &label_style, &theme->foreground, x, y, 0);
  x += label_width + LEGEND_GAP;
  hl_scene_write (HL_SCENE (self), cr, min, &style, &theme->muted, x, y, 0);
  x = hl_cairo_snap (x + min_width + LEGEND_GAP, layout->scale);

  const double top = hl_cairo_snap (y - LEGEND_HEIGHT / 2.0, layout->scale);
  g_autoptr (cairo_pattern_t) pattern = cairo_pattern_create_linear (x, 0, x + LEGEND_WIDTH, 0);
  for (guint i = 0; i <= N_STEPS; i++)
    {
      const HlColour colour = get_tint_colour (theme, (double) i / N_STEPS);
      cairo_pattern_add_color_stop_rgb (pattern, (double) i / N_STEPS, colour.r, colour.g, colour.b);
    }
  cairo_rectangle (cr, x, top, LEGEND_WIDTH, LEGEND_HEIGHT);
  cairo_set_source (cr, pattern);
  cairo_fill_preserve (cr);
  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1 / layout->scale);
  cairo_stroke (cr);
  hl_scene_write (HL_SCENE (self), cr, max, &style, &theme->muted, x + LEGEND_WIDTH + LEGEND_GAP, y, 0);
}

/* The middle of what is in view of a row or column. */
static double
get_middle (double begin,
            double length,
            double plot_begin,
            double plot_length)
{
  const double first = MAX (begin, plot_begin);
  const double end = MIN (begin + length, plot_begin + plot_length);

  return (first + end) / 2;
}

static void
hl_model_view_scene_draw_label (HlModelViewScene   *self,
                                const HlSceneFrame *frame,
                                cairo_t            *cr,
                                gboolean            is_layer,
                                guint               index,
                                gboolean            in_focus)
{
  const HlModelViewLayout *layout = frame->layout;
  const HlTheme *theme = frame->theme;
  const HlTextStyle style = { .size = in_focus ? MAX (layout->label_size, 11) : layout->label_size, .bold = in_focus };
  double x = layout->plot.x - LABEL_PAD;
  double y = layout->plot.y - LABEL_PAD - style.size * 0.6;
  const char *name = is_layer ? hl_attention_get_layer_name (layout->attention)
                              : hl_attention_get_head_name (layout->attention);
  g_autofree char *number = name != NULL ? g_strdup (_ (name)) : g_strdup_printf ("%u", index);

  if (is_layer)
    y = get_middle (layout->origin_y + index * layout->pitch_y, layout->pitch_y - layout->gap, layout->plot.y,
                    layout->plot.height);
  else
    x = get_middle (layout->origin_x + index * layout->pitch_x, layout->pitch_x - layout->gap, layout->plot.x,
                    layout->plot.width);
  if (in_focus)
    {
      const double width = hl_scene_measure_text (HL_SCENE (self), number, &style) + 8;
      const double height = style.size * 1.5;

      hl_cairo_set_colour (cr, &theme->background, 1);
      cairo_rectangle (cr, x - (is_layer ? width - 4 : width / 2), y - height / 2, width, height);
      cairo_fill (cr);
    }
  hl_scene_write (HL_SCENE (self), cr, number, &style, in_focus ? &theme->accent : &theme->foreground, x, y,
                  is_layer ? 1 : 0.5);
}

/* The row of a layer without attention. */
static void
draw_gap (HlModelViewScene   *self,
          const HlSceneFrame *frame,
          cairo_t            *cr,
          guint               layer)
{
  const HlModelViewLayout *layout = frame->layout;
  const HlTextStyle style = { .size = layout->label_size };
  const double left = MAX (layout->origin_x, layout->plot.x);
  const double right =
    MIN (layout->origin_x + hl_attention_get_max_heads (layout->attention) * layout->pitch_x - layout->gap,
         layout->plot.x + layout->plot.width);
  const double top = MAX (layout->origin_y + layer * layout->pitch_y, layout->plot.y);
  const double bottom =
    MIN (layout->origin_y + (layer + 1) * layout->pitch_y - layout->gap, layout->plot.y + layout->plot.height);

  if (right <= left || bottom <= top)
    return;
  hl_cairo_set_colour (cr, &frame->theme->masked, 0.5);
  cairo_rectangle (cr, left, top, right - left, bottom - top);
  cairo_fill (cr);
  if (bottom - top >= style.size)
    hl_scene_write (HL_SCENE (self), cr, hl_gap_text_get (layout->attention, layer), &style, &frame->theme->muted,
                    left + 8, (top + bottom) / 2, 0);
}

static void
draw_labels (HlModelViewScene   *self,
             const HlSceneFrame *frame,
             cairo_t            *cr)
{
  const HlTheme *theme = frame->theme;
  const HlModelViewLayout *layout = frame->layout;
  const HlTextStyle style = { .size = TITLE_SIZE };
  HlRange layers, heads;

  hl_model_view_layout_get_seen (layout, &layers, &heads);
  for (guint layer = 0; layer < layers.first + layers.n; layer += layout->row_stride)
    if (layer >= layers.first)
      hl_model_view_scene_draw_label (self, frame, cr, TRUE, layer, FALSE);
  for (guint head = 0; head < heads.first + heads.n; head += layout->column_stride)
    if (head >= heads.first)
      hl_model_view_scene_draw_label (self, frame, cr, FALSE, head, FALSE);

  for (guint layer = layers.first; layer < layers.first + layers.n; layer++)
    if (hl_attention_get_n_heads (layout->attention, layer) == 0)
      draw_gap (self, frame, cr, layer);

  /* Where a name stands in place of numbers, the caption says of what. */
  if (hl_attention_get_head_name (layout->attention) == NULL)
    /* Translators: title of the columns of the model view */
    hl_scene_write (HL_SCENE (self), cr, _ ("head"), &style, &theme->muted, layout->plot.x + layout->plot.width / 2,
                    layout->plot.y - LABEL_PAD - layout->label_size * 1.6 - 6, 0.5);
  if (hl_attention_get_layer_name (layout->attention) == NULL)
    /* Translators: title of the rows of the model view */
    hl_scene_write_upwards (HL_SCENE (self), cr, _ ("layer"), &style, &theme->muted,
                            layout->plot.x - LABEL_PAD - layout->label_size * 2 - 8,
                            layout->plot.y + layout->plot.height / 2, 0.5);
}

static void
draw_frames (cairo_t                 *cr,
             const HlModelViewLayout *layout,
             const HlTheme           *theme)
{
  HlRange rows, columns;

  if (MIN (layout->pitch_x, layout->pitch_y) < MIN_FRAMED_PITCH)
    return;
  hl_model_view_layout_get_seen (layout, &rows, &columns);
  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      {
        const double line = 1 / layout->scale;
        guint layer, head;
        cairo_rectangle_t box;

        if (!hl_model_view_layout_get_map (layout, row, column, &layer, &head))
          continue;
        hl_model_view_layout_get_box (layout, layer, head, &box);
        cairo_rectangle (cr, box.x - line / 2, box.y - line / 2, box.width + line, box.height + line);
      }
  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1 / layout->scale);
  cairo_stroke (cr);
}

static void
hl_model_view_scene_draw_backdrop (HlScene            *scene,
                                   const HlSceneFrame *frame,
                                   cairo_t            *cr)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);
  const HlTheme *theme = frame->theme;
  const HlModelViewLayout *layout = frame->layout;

  hl_scene_paint_background (frame, cr);
  hl_scene_draw_caption (scene, frame, cr, layout->caption_y);
  if (frame->shown->queries.n == 0 || frame->shown->keys.n == 0)
    {
      hl_scene_write (scene, cr, _ ("No tokens to show"), &(HlTextStyle){ .size = 13 }, &theme->muted,
                      layout->width / 2, layout->plot.y + 24, 0.5);
      return;
    }
  hl_model_view_scene_draw_legend (self, frame, cr);
  if (layout->order->order == NULL)
    draw_labels (self, frame, cr);
  else
    hl_model_view_scene_draw_names (self, frame, cr);
  cairo_save (cr);
  cairo_rectangle (cr, layout->plot.x - 1, layout->plot.y - 1, layout->plot.width + 2, layout->plot.height + 2);
  cairo_clip (cr);
  hl_model_view_scene_draw_tints (self, frame, cr);
  draw_frames (cr, layout, theme);
  cairo_restore (cr);
}

static void
outline (cairo_t                 *cr,
         const HlModelViewLayout *layout,
         guint                    layer,
         guint                    head,
         double                   width,
         const HlColour          *colour)
{
  cairo_rectangle_t box;

  hl_model_view_layout_get_box (layout, layer, head, &box);
  hl_cairo_set_colour (cr, colour, 1);
  cairo_set_line_width (cr, width);
  cairo_rectangle (cr, box.x - width / 2, box.y - width / 2, box.width + width, box.height + width);
  cairo_stroke (cr);
}

/* A tick in the corner: the mat around the thumbnail is in colours of its own. */
static void
tick (cairo_t                 *cr,
      const cairo_rectangle_t *box,
      const HlTheme           *theme)
{
  const double r = MIN (MAX_TICK, MIN (box->width, box->height) / 4);
  const double x = box->x + box->width - r, y = box->y + r;

  cairo_arc (cr, x, y, r, 0, 2 * G_PI);
  hl_cairo_set_colour (cr, &theme->background, 1);
  cairo_fill (cr);
  cairo_arc (cr, x, y, r - 1, 0, 2 * G_PI);
  hl_cairo_set_colour (cr, &theme->accent, 1);
  cairo_fill (cr);
  cairo_move_to (cr, x - r * 0.4, y);
  cairo_line_to (cr, x - r * 0.1, y + r * 0.35);
  cairo_line_to (cr, x + r * 0.45, y - r * 0.35);
  hl_cairo_set_colour (cr, &theme->background, 1);
  cairo_set_line_width (cr, MAX (1, r / 4));
  cairo_stroke (cr);
}

/* Around the mat, or where there is none, around the thumbnail. */
static void
draw_chosen_head (cairo_t                 *cr,
                  const HlModelViewLayout *layout,
                  const HlTheme           *theme,
                  guint                    layer,
                  guint                    head)
{
  const double mat = layout->mat;
  cairo_rectangle_t box;

  if (mat <= 0)
    {
      outline (cr, layout, layer, head, 3, &theme->accent);
      return;
    }
  hl_model_view_layout_get_box (layout, layer, head, &box);
  hl_cairo_set_colour (cr, &theme->accent, 1);
  cairo_set_line_width (cr, 3);
  cairo_rectangle (cr, box.x - mat - 1.5, box.y - mat - 1.5, box.width + 2 * mat + 3, box.height + 2 * mat + 3);
  cairo_stroke (cr);
  if (MIN (box.width, box.height) >= MIN_TICKED)
    tick (cr, &box, theme);
}

/* What is chosen, which a figure need not know. */
static void
draw_chosen (const HlSceneFrame *frame,
             cairo_t            *cr)
{
  const HlModelViewLayout *layout = frame->layout;
  const guint layer = frame->shown->layer;
  const HlHeadSet *heads = &frame->shown->heads;

  for (guint head = 0; head < hl_attention_get_n_heads (layout->attention, layer); head++)
    if (hl_head_set_contains (heads, head))
      draw_chosen_head (cr, layout, frame->theme, layer, head);
  for (guint i = 0; i < frame->shown->n_others; i++)
    draw_chosen_head (cr, layout, frame->theme, frame->shown->others[i].layer, frame->shown->others[i].head);
}

static void
draw_card (HlModelViewScene   *self,
           const HlSceneFrame *frame,
           cairo_t            *cr,
           const HlPick       *pick)
{
  const HlThumbnail *preview = self->set.preview;
  HlModelViewCard card = { .told = has_stats (frame) ? get_told (hl_scene_get_state (HL_SCENE (self))) : 0 };
  g_autofree char *title = hl_shown_dup_map_name (frame->shown, pick->layer, pick->head);
  g_autofree char *pairs = NULL;
  g_autofree char *weight = NULL;
  cairo_rectangle_t box;

  hl_model_view_layout_get_box (frame->layout, pick->layer, pick->head, &box);
  hl_model_view_scene_describe_pairs (self, frame, pick, &pairs, &weight);
  card.title = title;
  card.pairs = pairs;
  card.weight = weight;
  card.known = hl_model_view_scene_get_stats (self, frame, pick, &card.stats);
  get_preview_size (frame, &card.picture_width, &card.picture_height);
  /* A thumbnail that is as large itself is not shown twice. */
  card.enlarges = box.width < card.picture_width || box.height < card.picture_height;
  if (preview == NULL || preview->layer != pick->layer || preview->head != pick->head)
    preview = hl_thumbnail_set_get (&self->set, pick->layer, pick->head)->thumbnail;
  card.picture = preview;
  hl_model_view_card_draw (&card, HL_SCENE (self), frame, cr, &box);
}

/* Which heads are chosen, and a larger picture of the one in focus with its numbers. */
static void
hl_model_view_scene_draw_overlay (HlScene            *scene,
                                  const HlSceneFrame *frame,
                                  cairo_t            *cr)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlModelViewLayout *layout = frame->layout;
  const HlPick *pick = frame->hovered;
  HlRange layers, heads;

  if (hl_export_context_get (cr) != NULL || !hl_thumbnail_set_is_of (&self->set, state) || self->set.queries.n == 0 ||
      self->set.keys.n == 0)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, layout->plot.x - 3, layout->plot.y - 3, layout->plot.width + 6, layout->plot.height + 6);
  cairo_clip (cr);
  draw_chosen (frame, cr);
  if (pick->kind == HL_PICK_MAP)
    outline (cr, layout, pick->layer, pick->head, 2, &frame->theme->foreground);
  cairo_restore (cr);
  if (pick->kind != HL_PICK_MAP)
    return;

  hl_model_view_layout_get_seen (layout, &layers, &heads);
  if (layout->order->order == NULL && pick->layer - layers.first < layers.n)
    hl_model_view_scene_draw_label (self, frame, cr, TRUE, pick->layer, TRUE);
  if (layout->order->order == NULL && pick->head - heads.first < heads.n)
    hl_model_view_scene_draw_label (self, frame, cr, FALSE, pick->head, TRUE);
  if (hl_scene_get_has_cards (HL_SCENE (self)))
    draw_card (self, frame, cr, pick);
}

static void
hl_model_view_scene_class_init (HlModelViewSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_model_view_scene_finalize;
  scene_class->shows_all_heads = TRUE;
  scene_class->layout_size = sizeof (HlModelViewLayout);
  scene_class->lay_out = hl_model_view_scene_lay_out;
  scene_class->measure = hl_model_view_scene_measure;
  scene_class->create_job = hl_model_view_scene_create_job;
  scene_class->accept = hl_model_view_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_model_view_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_model_view_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_model_view_scene_draw_overlay;
  scene_class->pick = hl_model_view_scene_pick;
  scene_class->describe = hl_model_view_scene_describe;
  scene_class->move = hl_model_view_scene_move;
  scene_class->zoom = hl_model_view_scene_zoom;
  scene_class->fit = hl_model_view_scene_fit;
  scene_class->locate = hl_model_view_scene_locate;
  scene_class->ignored = HL_CHANGED_VIEW | HL_CHANGED_SOURCE | HL_CHANGED_EXAMPLE | HL_CHANGED_PAIRS;
  scene_class->on_top |= HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_HEADS;
  scene_class->state_changed = hl_model_view_scene_state_changed;
}

static void
hl_model_view_scene_init (HlModelViewScene *self)
{
}
