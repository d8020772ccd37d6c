/* SPDX-License-Identifier: MIT */
/*
 * What of a model view follows pointer and keyboard: which heads are chosen, and a larger picture of the one in focus
 * with its numbers.
 */
#include "draw/model-view/hl-model-view-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-callout.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-export-context.h"

#define CARD_PAD 12
#define TITLE_SIZE 12.5
#define NUMBER_SIZE 11.5
#define LINE 17
#define TITLE_ROOM 24
/* From thumbnail to card. */
#define CARD_GAP 10

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

/* What is chosen, which a figure need not know. */
static void
draw_chosen (HlModelViewScene        *self,
             cairo_t                 *cr,
             const HlModelViewLayout *layout)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const guint layer = hl_view_state_get_shown_layer (state);
  const HlHeadSet *heads = hl_view_state_get_shown_heads (state);
  HlGuests guests;

  for (guint head = 0; head < hl_attention_get_n_heads (layout->attention, layer); head++)
    if (hl_head_set_contains (heads, head))
      outline (cr, layout, layer, head, 3, &hl_theme_get (hl_view_state_get_options (state)->dark)->accent);
  hl_view_state_get_shown_guests (state, &guests);
  for (guint i = 0; i < guests.n; i++)
    outline (cr, layout, guests.heads[i].layer, guests.heads[i].head, 3,
             &hl_theme_get (hl_view_state_get_options (state)->dark)->accent);
}

static double
get_card_height (gboolean           has_stats,
                 const HlHeadStats *stats,
                 gboolean           has_pairs,
                 double             picture)
{
  guint n_lines = has_pairs ? 1 : 0;

  for (HlHeadStat stat = 0; has_stats && stat < HL_N_HEAD_STATS; stat++)
    n_lines += stats == NULL || !isnan (stats->values[stat]);
  return CARD_PAD + TITLE_ROOM + picture + (picture > 0 ? 8 : 0) + n_lines * LINE + CARD_PAD - 4;
}

/* What was asked for stands first. */
static void
draw_pairs (HlModelViewScene *self,
            cairo_t          *cr,
            const char       *label,
            const char       *number,
            const HlTheme    *theme,
            double            x,
            double            y,
            double            width)
{
  const HlTextStyle style = { .size = NUMBER_SIZE };
  const double room = width - hl_scene_measure_text (HL_SCENE (self), number, &style) - 8;
  const HlTextStyle label_style = { .size = NUMBER_SIZE, .max_width = MAX (room, 24) };

  hl_scene_write (HL_SCENE (self), cr, label, &label_style, &theme->muted, x, y + LINE / 2.0, 0);
  hl_scene_write (HL_SCENE (self), cr, number, &style, &theme->foreground, x + width, y + LINE / 2.0, 1);
}

static void
draw_numbers (HlModelViewScene  *self,
              cairo_t           *cr,
              const HlHeadStats *stats,
              const HlTheme     *theme,
              double             x,
              double             y,
              double             width)
{
  const HlTextStyle style = { .size = NUMBER_SIZE };

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      if (stats != NULL && isnan (stats->values[stat]))
        continue;
      g_autofree char *number = stats != NULL
                                  ? hl_model_view_format_measure (HL_HEAD_MEASURE_STATS + stat, stats->values[stat])
                                  : g_strdup ("…");
      hl_scene_write (HL_SCENE (self), cr, _ (hl_head_number_get (stat)->label), &style, &theme->muted, x, y + LINE / 2.0, 0);
      hl_scene_write (HL_SCENE (self), cr, number, &style, &theme->foreground, x + width, y + LINE / 2.0, 1);
      y += LINE;
    }
}

static void
draw_card (HlModelViewScene        *self,
           cairo_t                 *cr,
           const HlModelViewLayout *layout,
           const HlPick            *pick)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (state)->dark);
  const HlHeadStats *stats = hl_model_view_scene_get_stats (self, pick);
  const HlTextStyle bold = { .size = TITLE_SIZE, .bold = TRUE, .max_width = HL_MODEL_VIEW_PREVIEW };
  g_autofree char *title = hl_view_state_dup_map_name (state, pick->layer, pick->head);
  g_autofree char *pairs = NULL;
  g_autofree char *weight = NULL;
  const gboolean has_pairs = hl_model_view_scene_describe_pairs (self, pick, &pairs, &weight);
  cairo_rectangle_t box;
  double picture_width, picture_height;

  hl_model_view_layout_get_box (layout, pick->layer, pick->head, &box);
  hl_model_view_scene_get_preview_size (self, &picture_width, &picture_height);
  /* A thumbnail that is as large itself is not shown twice. */
  const gboolean enlarges = box.width < picture_width || box.height < picture_height;
  const double width = HL_MODEL_VIEW_PREVIEW + 2 * CARD_PAD;
  const gboolean has_stats = hl_model_view_scene_has_stats (self);
  const double height = get_card_height (has_stats, stats, has_pairs, enlarges ? picture_height : 0);
  double x = box.x + box.width + CARD_GAP;
  if (x + width > layout->width - 4)
    x = box.x - CARD_GAP - width;
  x = hl_cairo_snap (CLAMP (x, 4, MAX (4, layout->width - width - 4)), layout->scale);
  const double y =
    hl_cairo_snap (CLAMP (box.y + box.height / 2 - height / 2, 4, MAX (4, layout->height - height - 4)), layout->scale);

  hl_callout_panel (cr, theme, &(cairo_rectangle_t){ x, y, width, height }, 9);
  hl_scene_write (HL_SCENE (self), cr, title, &bold, &theme->foreground, x + CARD_PAD,
                  y + CARD_PAD + TITLE_SIZE * 0.6, 0);

  double below = y + CARD_PAD + TITLE_ROOM;
  if (enlarges)
    {
      const HlThumbnail *preview = self->set.preview;
      const cairo_rectangle_t at = { hl_cairo_snap (x + (width - picture_width) / 2, layout->scale), below,
                                     picture_width, picture_height };

      if (preview == NULL || preview->layer != pick->layer || preview->head != pick->head)
        preview = hl_thumbnail_set_get (&self->set, pick->layer, pick->head)->thumbnail;
      if (preview != NULL)
        hl_thumbnail_paint (preview, &at, cr);
      hl_cairo_set_colour (cr, &theme->grid, 1);
      cairo_rectangle (cr, at.x - 0.5, at.y - 0.5, at.width + 1, at.height + 1);
      cairo_stroke (cr);
      below += picture_height + 8;
    }
  if (has_pairs)
    {
      draw_pairs (self, cr, pairs, weight, theme, x + CARD_PAD, below, width - 2 * CARD_PAD);
      below += LINE;
    }
  if (has_stats)
    draw_numbers (self, cr, stats, theme, x + CARD_PAD, below, width - 2 * CARD_PAD);
}

/**
 * hl_model_view_scene_draw_overlay: (skip)
 * @scene: a model view
 * @cr: where to
 */
void
hl_model_view_scene_draw_overlay (HlScene *scene,
                                  cairo_t *cr)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlModelViewLayout layout = hl_model_view_scene_get_layout (self);
  const HlPick *pick = hl_view_state_get_hovered (state);
  HlRange layers, heads;

  if (hl_export_context_get (cr) != NULL || !hl_thumbnail_set_is_of (&self->set, state) || self->set.queries.n == 0 ||
      self->set.keys.n == 0)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, layout.plot.x - 3, layout.plot.y - 3, layout.plot.width + 6, layout.plot.height + 6);
  cairo_clip (cr);
  draw_chosen (self, cr, &layout);
  if (pick->kind == HL_PICK_MAP)
    outline (cr, &layout, pick->layer, pick->head, 2, &hl_theme_get (hl_view_state_get_options (state)->dark)->foreground);
  cairo_restore (cr);
  if (pick->kind != HL_PICK_MAP)
    return;

  hl_model_view_layout_get_seen (&layout, &layers, &heads);
  if (layout.order->order == NULL && pick->layer - layers.first < layers.n)
    hl_model_view_scene_draw_label (self, cr, &layout, TRUE, pick->layer, TRUE);
  if (layout.order->order == NULL && pick->head - heads.first < heads.n)
    hl_model_view_scene_draw_label (self, cr, &layout, FALSE, pick->head, TRUE);
  draw_card (self, cr, &layout, pick);
}
