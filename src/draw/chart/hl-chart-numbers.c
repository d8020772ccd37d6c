/* SPDX-License-Identifier: MIT */
#include "draw/chart/hl-chart-numbers.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "view/hl-number-text.h"
#include "view/hl-weight-text.h"

static void
find_layer (HlChartNumbers *self,
            guint           layer)
{
  const double *values = self->values + self->starts[layer];
  HlChartLayer *found = &self->layers[layer];
  double squares = 0, spreads = 0;

  *found = (HlChartLayer){ NAN, NAN };
  for (guint head = 0; head < hl_chart_numbers_get_n_drawn (self, layer); head++)
    {
      if (!isfinite (values[head]))
        continue;
      if (found->n == 0)
        {
          found->mean = 0;
          found->least = found->most = head;
        }
      /* As Welford 1962 has it. */
      const double off = values[head] - found->mean;
      found->n++;
      found->mean += off / found->n;
      squares += off * (values[head] - found->mean);
      spreads += self->spreads != NULL ? self->spreads[self->starts[layer] + head] : 0;
      if (values[head] < values[found->least])
        found->least = head;
      if (values[head] > values[found->most])
        found->most = head;
    }
  if (found->n > 0)
    found->spread = self->spreads != NULL ? spreads / found->n : found->n > 1 ? sqrt (squares / (found->n - 1)) : 0;
}

/* The band may reach farther than any head, and so may the lines of heads over texts. */
static void
find_ends (HlChartNumbers *self)
{
  for (guint i = 0; i < self->starts[self->n_layers]; i++)
    if (isfinite (self->values[i]))
      {
        const double spread = self->spreads != NULL ? self->spreads[i] : 0;

        self->min = MIN (self->min, self->values[i]);
        self->max = MAX (self->max, self->values[i]);
        self->band_min = MIN (self->band_min, self->values[i] - spread);
        self->band_max = MAX (self->band_max, self->values[i] + spread);
      }
  for (guint layer = 0; layer < self->n_layers; layer++)
    if (self->layers[layer].n > 0)
      {
        self->band_min = MIN (self->band_min, self->layers[layer].mean - self->layers[layer].spread);
        self->band_max = MAX (self->band_max, self->layers[layer].mean + self->layers[layer].spread);
      }
}

/* Not of what is counted over all texts at once. */
static gboolean
has_spreads (HlHeadNumbers *numbers,
             HlHeadMeasure  measure)
{
  for (guint i = 0; i < hl_head_numbers_get_n (numbers); i++)
    {
      const HlHeadSpread *spread = hl_head_numbers_get_spread (numbers, measure, i);
      if (spread != NULL && spread->n > 0)
        return TRUE;
    }
  return FALSE;
}

/* Over texts; nothing of a single one. */
static double
get_deviation (HlHeadNumbers *numbers,
               HlHeadMeasure  measure,
               guint          index)
{
  const double deviation = hl_head_spread_get_deviation (hl_head_numbers_get_spread (numbers, measure, index));

  return isfinite (deviation) ? deviation : 0;
}

/* Whatever is beside. */
static void
init_alone (HlChartNumbers *self,
            HlViewState    *state,
            HlHeadMeasure   measure,
            gboolean        is_difference,
            const double   *others)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);
  HlAttention *attention = hl_view_state_get_attention (state);

  *self = (HlChartNumbers){
    .attention = attention,
    .measure = measure,
    .is_difference = is_difference,
    .is_share = hl_number_text_is_share (hl_view_state_get_shown (state), measure),
    .n_layers = hl_attention_get_n_layers (attention),
    .min = INFINITY,
    .max = -INFINITY,
    .band_min = INFINITY,
    .band_max = -INFINITY,
  };
  self->starts = g_new0 (guint, self->n_layers + 1);
  for (guint layer = 0; layer < self->n_layers; layer++)
    self->starts[layer + 1] = self->starts[layer] + hl_attention_get_n_heads (attention, layer);
  const guint n = self->starts[self->n_layers];
  self->values = g_new (double, MAX (n, 1));
  self->n_texts = numbers != NULL ? hl_head_numbers_get_n_texts (numbers) : 0;
  if (hl_head_measure_is_stat (measure))
    {
      self->words = hl_head_number_get (measure - HL_HEAD_MEASURE_STATS)->words;
      self->is_of_layer = hl_head_number_get (measure - HL_HEAD_MEASURE_STATS)->is_of_layer;
    }
  if (self->n_texts > 0 && !is_difference && has_spreads (numbers, measure))
    self->spreads = g_new (double, MAX (n, 1));
  self->layers = g_new (HlChartLayer, MAX (self->n_layers, 1));
  self->is_complete = numbers != NULL && hl_head_numbers_knows (numbers, measure) && (!is_difference || others != NULL);
  const gboolean is_undefined = hl_chart_numbers_mixes_texts (self) || hl_chart_numbers_subtracts_classes (self);
  for (guint i = 0; i < n; i++)
    {
      const double own = numbers != NULL && measure != HL_HEAD_MEASURE_NONE ? hl_head_numbers_get (numbers, measure, i)
                                                                            : NAN;
      self->values[i] = !is_difference ? own : others != NULL && !is_undefined ? others[i] - own : NAN;
      if (self->spreads != NULL)
        self->spreads[i] = get_deviation (numbers, measure, i);
    }
  for (guint layer = 0; layer < self->n_layers; layer++)
    find_layer (self, layer);
  find_ends (self);
}

/* Two pictures side by side have one scale. */
static void
widen_by_beside (HlChartNumbers *self,
                 HlViewState    *beside)
{
  HlChartNumbers other;

  init_alone (&other, beside, self->measure, FALSE, NULL);
  self->min = MIN (self->min, other.min);
  self->max = MAX (self->max, other.max);
  self->band_min = MIN (self->band_min, other.band_min);
  self->band_max = MAX (self->band_max, other.band_max);
  hl_chart_numbers_clear (&other);
}

/* Of a difference, what is subtracted from is @others: by head, NaN without a partner; NULL while they are not known. */
void
hl_chart_numbers_init (HlChartNumbers *self,
                       HlViewState    *state,
                       HlHeadMeasure   measure,
                       gboolean        is_difference,
                       const double   *others)
{
  HlViewState *beside = hl_view_state_get_beside (state);

  init_alone (self, state, measure, is_difference, others);
  if (beside != NULL && !is_difference && hl_view_state_get_attention (beside) != NULL)
    widen_by_beside (self, beside);
}

void
hl_chart_numbers_clear (HlChartNumbers *self)
{
  g_free (self->starts);
  g_free (self->values);
  g_free (self->spreads);
  g_free (self->layers);
  *self = (HlChartNumbers){ 0 };
}

double
hl_chart_numbers_get (const HlChartNumbers *self,
                      guint                 layer,
                      guint                 head)
{
  return self->values[self->starts[layer] + head];
}

/* Those beside are none of them. */
gboolean
hl_chart_numbers_has_any (const HlChartNumbers *self)
{
  for (guint layer = 0; layer < self->n_layers; layer++)
    if (self->layers[layer].n > 0)
      return TRUE;
  return FALSE;
}

/* Shares in percent, classes by their names, other numbers with as many digits as tell them from zero. */
char *
hl_chart_numbers_format (const HlChartNumbers *self,
                         double                value)
{
  char number[HL_WEIGHT_TEXT_SIZE];

  if (isnan (value))
    return g_strdup ("–");
  if (self->words != NULL)
    return g_strdup (_ (hl_head_number_get_word (self->measure - HL_HEAD_MEASURE_STATS, value)->label));
  if (!self->is_share)
    return g_strdup (hl_weight_text_format (value, number));
  /* Translators: a percentage. */
  g_autofree char *size = g_strdup_printf (_ ("%d %%"), (int) lround (fabs (value) * 100));
  /* A difference below zero has a sign, unless it is so small that it is written as zero. */
  return value < 0 && strpbrk (size, "123456789") != NULL ? g_strconcat ("−", size, NULL) : g_steal_pointer (&size);
}
