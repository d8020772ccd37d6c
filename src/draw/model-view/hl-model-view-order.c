/* SPDX-License-Identifier: MIT */
/* In which order a model view shows heads, and how strong their frames are. */
#include "draw/model-view/hl-model-view-order.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "view/hl-number-text.h"
#include "view/hl-weight-text.h"

/* Goes back to a row for each layer. */
void
hl_model_view_order_clear (HlModelViewOrder *self)
{
  g_clear_pointer (&self->numbers, hl_head_numbers_unref);
  g_free (self->order);
  g_free (self->places);
  *self = (HlModelViewOrder){ 0 };
}

static void
sort (HlModelViewOrder *self)
{
  const guint n = hl_head_numbers_get_n (self->numbers);

  self->order = hl_head_numbers_sort (self->numbers, self->sort);
  self->places = g_new (guint, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    self->places[self->order[i]] = i;
}

static void
find_range (HlModelViewOrder *self)
{
  self->min = INFINITY;
  self->max = -INFINITY;
  for (guint i = 0; i < hl_head_numbers_get_n (self->numbers); i++)
    {
      const double value = hl_head_numbers_get (self->numbers, self->colour_by, i);
      if (!isfinite (value))
        continue;
      self->min = MIN (self->min, value);
      self->max = MAX (self->max, value);
    }
  if (self->min > self->max)
    self->min = self->max = NAN;
}

/* Makes it what the state asks for. Heads are sorted when the numbers of all are known, not once and again while
 * they come. */
void
hl_model_view_order_follow (HlModelViewOrder *self,
                            HlViewState      *state)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);
  HlHeadMeasure wanted = hl_view_state_get_applied_sort (state);
  const HlHeadMeasure colour_by = hl_view_state_get_applied_colour_by (state);

  if (numbers == NULL || !hl_head_numbers_knows (numbers, wanted))
    wanted = HL_HEAD_MEASURE_NONE;
  if (self->numbers == numbers && self->sort == wanted && self->colour_by == colour_by)
    return;
  hl_model_view_order_clear (self);
  self->sort = wanted;
  self->colour_by = colour_by;
  if (numbers == NULL)
    return;
  self->numbers = hl_head_numbers_ref (numbers);
  if (wanted != HL_HEAD_MEASURE_NONE)
    sort (self);
  if (colour_by != HL_HEAD_MEASURE_NONE)
    find_range (self);
}

/* Where its number lies between the least, 0, and the greatest, 1. */
gboolean
hl_model_view_order_get_tint (const HlModelViewOrder *self,
                              guint                   layer,
                              guint                   head,
                              double                 *tint)
{
  if (self->numbers == NULL || self->colour_by == HL_HEAD_MEASURE_NONE)
    return FALSE;
  const double value =
    hl_head_numbers_get (self->numbers, self->colour_by, hl_head_numbers_get_index (self->numbers, layer, head));
  if (!isfinite (value))
    return FALSE;
  *tint = self->max > self->min ? (value - self->min) / (self->max - self->min) : 1;
  return TRUE;
}

/* A part of the weight in percent; a dash where it is not defined. */
char *
hl_model_view_format_measure (const HlShown *shown,
                              HlHeadMeasure  measure,
                              double         value)
{
  char number[HL_WEIGHT_TEXT_SIZE];

  if (isnan (value))
    return g_strdup ("–");
  if (measure == HL_HEAD_MEASURE_PAIR || measure == HL_HEAD_MEASURE_CHANGE)
    return g_strdup (hl_weight_text_format (value, number));
  const HlHeadNumberWord *word = hl_head_number_get_word (measure - HL_HEAD_MEASURE_STATS, value);
  if (word != NULL)
    return g_strdup (_ (word->label));
  const HlHeadNumber *row = hl_head_number_get (measure - HL_HEAD_MEASURE_STATS);
  const gboolean is_small = row->group != HL_HEAD_NUMBER_GROUP_USUAL && fabs (value) < 0.1;
  if (!hl_number_text_is_share (shown, measure))
    return g_strdup (g_ascii_formatd (number, sizeof number,
                                      is_small        ? "%.4f"
                                      : value < 99.95 ? "%.2f"
                                                      : "%.0f",
                                      value));
  /* Translators: a percentage. */
  return g_strdup_printf (_ ("%d %%"), (int) lround (value * 100));
}
