/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "view/hl-number-text.h"

#include "core/source/derive/hl-group-source.h"
#include "core/source/derive/hl-sink-source.h"

#include <glib/gi18n-lib.h>

/* Whether it is read off maps, be they those of annotated texts: not of keys alone, nor what the model is run for again. */
static gboolean
is_of_maps (HlHeadMeasure measure)
{
  if (!hl_head_measure_is_stat (measure))
    return FALSE;
  const HlHeadNumber *number = hl_head_number_get (measure - HL_HEAD_MEASURE_STATS);
  return number->group != HL_HEAD_NUMBER_GROUP_MODEL && !number->is_of_keys;
}

/* Likewise, and of the queries that are looked at: not of annotated texts, nor of a span. */
gboolean
hl_number_text_is_of_maps (HlHeadMeasure measure)
{
  return is_of_maps (measure) &&
         hl_head_number_get (measure - HL_HEAD_MEASURE_STATS)->group != HL_HEAD_NUMBER_GROUP_GIVEN;
}

/* The maps that are seen, or of which those of a second side are subtracted. */
static HlAttentionSource *
get_seen (const HlShown *shown)
{
  return shown->comparison != NULL ? hl_comparison_get_source_a (shown->comparison) : shown->source;
}

/* Whether numbers are of these. They count what a sink takes, which is a key that is seen. */
static gboolean
is_of_seen (const HlShown *shown)
{
  HlAttentionSource *seen = get_seen (shown);

  if (HL_IS_SINK_SOURCE (seen))
    seen = hl_derived_source_get_origin (HL_DERIVED_SOURCE (seen));
  return seen == shown->numbered_source;
}

/* Whether their rows were divided by what is left of them: no row is where no key is left out, whatever is chosen. */
static gboolean
is_renormalised (HlAttentionSource *source)
{
  for (; HL_IS_DERIVED_SOURCE (source); source = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source)))
    if (HL_IS_GROUP_SOURCE (source) && hl_group_source_renormalises (HL_GROUP_SOURCE (source)))
      return TRUE;
  return FALSE;
}

/* Whether the weight of a pair, by which heads are ranked whatever the quantity is, is another in the maps that are seen. */
static gboolean
has_other_weights (const HlShown *shown)
{
  return shown->lens.quantity != HL_QUANTITY_WEIGHT || is_renormalised (get_seen (shown)) ||
         (hl_attention_source_is_signed (get_seen (shown)) && !hl_attention_source_is_signed (shown->original_source));
}

/* Whether it is of the weights, though maps of another quantity are seen. */
gboolean
hl_number_text_is_of_weights (const HlShown *shown,
                              HlHeadMeasure  measure)
{
  return shown->lens.quantity != HL_QUANTITY_WEIGHT &&
         (measure == HL_HEAD_MEASURE_CHANGE ||
          (hl_head_measure_is_stat (measure) && hl_head_number_get (measure - HL_HEAD_MEASURE_STATS)->of_weights));
}

/* Whether it is a part of 1, which people read in percent: what is on a token is none where maps are of lengths, of which rows sum to anything. */
gboolean
hl_number_text_is_share (const HlShown *shown,
                         HlHeadMeasure  measure)
{
  if (!hl_head_measure_is_stat (measure))
    return FALSE;
  const HlHeadNumber *number = hl_head_number_get (measure - HL_HEAD_MEASURE_STATS);
  const gboolean has_whole = !hl_quantity_get (shown->numbered)->is_length &&
                             hl_attention_get_quantity (shown->original) == NULL;
  return number->is_share && (number->of_weights || !hl_number_text_is_of_maps (measure) || has_whole);
}

/* Its label, and of what it is where the maps that are seen have another: “entropy of unaltered maps in A”. */
char *
hl_number_text_new (const HlShown *shown,
                    HlHeadMeasure  measure,
                    const char    *label)
{
  g_autofree char *unaltered = NULL;

  if (is_of_maps (measure) && !is_of_seen (shown))
    /* Translators: a number of heads, “entropy”, where what is seen was made of the maps that it is of and has another one */
    unaltered = g_strdup_printf (_ ("%s of unaltered maps"), label);
  else if (measure == HL_HEAD_MEASURE_PAIR && has_other_weights (shown))
    /* Translators: “weight her → Sarah 0.92”, where what is seen was made of the weights and has other numbers */
    unaltered = g_strdup_printf (_ ("unaltered %s"), label);
  if (shown->comparison == NULL || measure == HL_HEAD_MEASURE_CHANGE)
    return unaltered != NULL ? g_steal_pointer (&unaltered) : g_strdup (label);
  /* Translators: “weight her → Sarah 0.92” or “entropy” of the first side of a comparison, in the title of the difference */
  return g_strdup_printf (_ ("%s in A"), unaltered != NULL ? unaltered : label);
}
