/* SPDX-License-Identifier: MIT */
#include "draw/chart/hl-chart.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-export-context.h"
#include "view/hl-sentence.h"

/* Words that were asked for are not in every text. */
static char *
dup_lack_of_pairs (const HlChart *self)
{
  HlViewState *state = hl_scene_get_state (self->scene);
  const char *pairs = hl_view_state_get_pairs (state);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTokenPairs)
    found = pairs != NULL ? hl_token_pairs_parse (hl_view_state_get_attention (state), pairs, &error) : NULL;

  return error != NULL ? hl_sentence_of_error (error) : g_strdup (_ ("Find heads by a pair of words first"));
}

/* Why the first side of a difference has no such number: "A needs values, …"; NULL where it has. */
static char *
dup_own_lack (const HlChart *self)
{
  const HlHeadMeasure measure = self->numbers->measure;
  const HlHeadNumberRequest request = hl_view_state_get_number_request (hl_scene_get_state (self->scene));
  g_autoptr (GError) error = NULL;

  if (!self->numbers->is_difference || !hl_head_measure_is_stat (measure) ||
      hl_head_number_check (measure - HL_HEAD_MEASURE_STATS, &request, &error))
    return NULL;
  /* Translators: why the first side of a comparison has no such number: “A needs the model: …” */
  return g_strdup_printf (_ ("A %s"), error->message);
}

/* Of charts of one number. */
char *
hl_chart_get_numbers_notice (const HlChart *self)
{
  const HlHeadMeasure wanted = self->frame->shown->options.number;

  if (self->numbers->measure == HL_HEAD_MEASURE_NONE && wanted == HL_HEAD_MEASURE_PAIR)
    return dup_lack_of_pairs (self);
  if (self->numbers->measure == HL_HEAD_MEASURE_NONE)
    return g_strdup (wanted == HL_HEAD_MEASURE_CHANGE ? _ ("There is nothing to compare with")
                                                      : _ ("No number is chosen"));
  if (hl_chart_numbers_subtracts_classes (self->numbers))
    return g_strdup (_ ("A class has no difference; the two sides can be seen side by side"));
  if (hl_chart_numbers_mixes_texts (self->numbers))
    return g_strdup (
      _ ("Means over several texts have no difference; “Several Texts” shows the numbers of this text again"));
  if (hl_chart_numbers_has_any (self->numbers))
    return NULL;
  char *own = dup_own_lack (self);
  if (own != NULL)
    return own;
  if (self->data != NULL && self->data->others.lacking != NULL && self->numbers->measure == HL_HEAD_MEASURE_PAIR)
    return g_strdup_printf ("B: %s", self->data->others.lacking);
  if (self->data != NULL && self->data->others.lacking != NULL)
    /* Translators: why the second side of a comparison has no such number: “B needs the model: …” */
    return g_strdup_printf (_ ("B %s"), self->data->others.lacking);
  if (!self->numbers->is_complete)
    return g_strdup (_ ("The numbers are being computed…"));
  /* Translators: a number of heads, such as “mean distance” */
  return g_strdup_printf (_ ("No head has a number for “%s” here"), hl_head_measure_get_label (self->numbers->measure));
}

/* "entropy", "entropy, B − A". */
char *
hl_chart_dup_number_title (const HlChart *self)
{
  const char *label = hl_head_measure_get_label (self->numbers->measure);

  /* Translators: a number of heads, of the second side of a comparison minus that of the first */
  return self->numbers->is_difference ? g_strdup_printf (_ ("%s, B − A"), label) : g_strdup (label);
}

/* "layer 3 · head 5: entropy 2.13; layer 1.90 ± 0.42" */
char *
hl_chart_describe_head (const HlChart *self,
                        guint          layer,
                        guint          head)
{
  const HlChartNumbers *numbers = self->numbers;
  const HlChartLayer *whole = &numbers->layers[layer];
  g_autofree char *name = hl_shown_dup_map_name (self->frame->shown, layer, head);
  g_autofree char *title = hl_chart_dup_number_title (self);
  g_autofree char *value = hl_chart_numbers_format (numbers, hl_chart_numbers_get (numbers, layer, head));

  if (numbers->spreads != NULL)
    {
      g_autofree char *deviation = hl_chart_numbers_format (numbers, numbers->spreads[numbers->starts[layer] + head]);
      /* Translators: a head, its number's name, mean and standard deviation over so many texts */
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s: %s %s ± %s (over %u text)",
                                           "%s: %s %s ± %s (over %u texts)", numbers->n_texts),
                              name, title, value, deviation, numbers->n_texts);
    }
  if (whole->n < 2 || numbers->words != NULL)
    return g_strdup_printf ("%s: %s %s", name, title, value);
  g_autofree char *mean = hl_chart_numbers_format (numbers, whole->mean);
  g_autofree char *spread = hl_chart_numbers_format (numbers, whole->spread);
  /* Translators: a head, its number's name and value, then mean and standard deviation over the heads of its layer */
  return g_strdup_printf (_ ("%s: %s %s (mean of the layer %s ± %s)"), name, title, value, mean, spread);
}

/* "layer 3: entropy 1.90 ± 0.42, from 1.10 (head 4) to 2.60 (head 7)" */
char *
hl_chart_describe_layer (const HlChart *self,
                         guint          layer)
{
  const HlChartNumbers *numbers = self->numbers;
  const HlChartLayer *found = &numbers->layers[layer];
  g_autofree char *title = hl_chart_dup_number_title (self);

  if (found->n == 0)
    return g_strdup_printf (_ ("layer %u: %s –"), layer, title);
  g_autofree char *mean = hl_chart_numbers_format (numbers, found->mean);
  if (numbers->is_of_layer && numbers->spreads != NULL)
    {
      g_autofree char *deviation = hl_chart_numbers_format (numbers, found->spread);
      /* Translators: a layer, its number's name, mean and standard deviation over so many texts */
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "layer %u: %s %s ± %s (over %u text)",
                                           "layer %u: %s %s ± %s (over %u texts)", numbers->n_texts),
                              layer, title, mean, deviation, numbers->n_texts);
    }
  if (found->n == 1)
    return g_strdup_printf (_ ("layer %u: %s %s"), layer, title, mean);
  g_autofree char *spread = hl_chart_numbers_format (numbers, found->spread);
  g_autofree char *least = hl_chart_numbers_format (numbers, hl_chart_numbers_get (numbers, layer, found->least));
  g_autofree char *most = hl_chart_numbers_format (numbers, hl_chart_numbers_get (numbers, layer, found->most));
  /* Translators: layer, number's name, mean, standard deviation, then the least and the greatest with their heads */
  return g_strdup_printf (_ ("layer %u: %s %s ± %s, from %s (head %u) to %s (head %u)"), layer, title, mean, spread,
                          least, found->least, most, found->most);
}

/* The next layer of which something is drawn; the same, where none follows. */
guint
hl_chart_move_layer (const HlChart *self,
                     guint          layer,
                     int            direction,
                     gboolean       to_end)
{
  const guint n_layers = self->numbers->n_layers;
  const int step = (to_end ? -1 : 1) * (direction < 0 ? -1 : 1);

  for (guint found = hl_chart_move_index (layer, n_layers, direction, to_end); found < n_layers; found += (guint) step)
    if (hl_chart_numbers_get_n_drawn (self->numbers, found) > 0)
      return found;
  return layer;
}

/* What the pointer is over, in words beside it. */
void
hl_chart_draw_bubble (const HlChart           *self,
                      cairo_t                 *cr,
                      const HlPick            *pick,
                      const cairo_rectangle_t *box)
{
  g_autofree char *text = hl_scene_describe (self->scene, pick);

  if (text != NULL && hl_export_context_get (cr) == NULL)
    hl_scene_draw_bubble (self->scene, self->frame, cr, text, box, &(HlBubblePlace){ .gap = 8, .flips = TRUE });
}
