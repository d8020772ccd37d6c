/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "view/hl-number-text.h"

#include <glib/gi18n-lib.h>

/* Whether it is of the maps that are seen, or of which those of a second side are subtracted. */
static gboolean
is_of_seen (const HlShown *shown)
{
  return (shown->comparison != NULL ? hl_comparison_get_source_a (shown->comparison) : shown->source) ==
         shown->numbered_source;
}

/* Its label, and of what it is where the maps that are seen have another: “entropy of unaltered maps in A”. */
char *
hl_number_text_new (const HlShown *shown,
                    HlHeadMeasure  measure,
                    const char    *label)
{
  g_autofree char *unaltered = NULL;

  if (hl_head_measure_is_stat (measure) && !is_of_seen (shown))
    /* Translators: a number of heads, “entropy”, where what is seen was made of the maps that it is of and has another one */
    unaltered = g_strdup_printf (_ ("%s of unaltered maps"), label);
  if (shown->comparison == NULL || measure == HL_HEAD_MEASURE_CHANGE)
    return unaltered != NULL ? g_steal_pointer (&unaltered) : g_strdup (label);
  /* Translators: “weight her → Sarah 0.92” or “entropy” of the first side of a comparison, in the title of the difference */
  return g_strdup_printf (_ ("%s in A"), unaltered != NULL ? unaltered : label);
}
