/* SPDX-License-Identifier: MIT */
/* Which keys queries cannot see: what the file says, held against its numbers, and what the numbers show when it says
 * nothing. */
#include "core/document/read/hl-dump-mask.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/document/attention/hl-attention-rule.h"

/* In maps of fewer positions, zeros above the diagonal may be chance. */
#define FEWEST_POSITIONS 3

typedef enum
{
  EVIDENCE_NONE,
  EVIDENCE_FOR,
  EVIDENCE_AGAINST,
} Evidence;

/* Whether the first rows of a map have weights only where @mask allows. All rows zero are no evidence; nor is a map
 * that could be the same without a mask. */
static Evidence
weigh_rows (const HlMask *mask,
            const float  *rows,
            gsize         n_rows,
            gsize         n_queries,
            gsize         n_keys)
{
  Evidence evidence = EVIDENCE_NONE;

  for (gsize query = 0; query < n_rows; query++)
    {
      const float *row = rows + query * n_keys;
      gsize first, end;

      hl_mask_get_visible (mask, n_queries, n_keys, query, &first, &end);
      for (gsize key = 0; key < n_keys; key++)
        {
          if (row[key] == 0)
            continue;
          if (key < first || key >= end)
            return EVIDENCE_AGAINST;
          if (key + 1 < end)
            evidence = EVIDENCE_FOR;
        }
    }
  return evidence;
}

static guint64
get_window (const HlDumpRule *rule,
            guint             layer)
{
  return rule->causal ? (guint64) hl_dump_numbers_get (&rule->windows, layer, 0) : 0;
}

/* The first rows of two heads: few, but of the two that differ most. */
static gboolean
weigh_weights (const HlDumpContext *context,
               const HlDumpHeld    *held,
               const HlDumpRule    *rule,
               Evidence            *evidence,
               GError             **error)
{
  const gsize n_rows = hl_dump_held_count_rows (held, held->n_queries);
  g_autofree float *rows = g_new (float, MAX (n_rows * held->n_keys, 1));

  *evidence = EVIDENCE_NONE;
  for (guint i = 0; i < HL_DUMP_HELD_N_HEADS; i++)
    {
      if (!hl_dump_held_read (held, context, i, 0, n_rows, rows, error))
        return FALSE;
      const HlMask mask = { .causal = TRUE, .window = get_window (rule, hl_dump_held_get_layer (held, i)) };
      const Evidence found = weigh_rows (&mask, rows, n_rows, held->n_queries, held->n_keys);
      if (found != EVIDENCE_NONE)
        *evidence = found;
      if (found == EVIDENCE_AGAINST)
        break;
    }
  return TRUE;
}

static void
say_mask (const HlDumpContext *context,
          const HlDumpRule    *rule,
          gboolean             found)
{
  const guint64 window = rule->causal ? (guint64) hl_dump_numbers_max (&rule->windows) : 0;
  guint n_windows = 0;

  for (guint i = 0; i < rule->windows.n; i++)
    n_windows += rule->windows.numbers[i] > 0;
  if (found)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the attention looks causal: no query attends to a later key; those keys are shown "
                                  "as masked"));
  else if (window > 0 && rule->windows.n > 1)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the attention is causal, in %u of %u layers with a window of up to %" PRIu64
                                  " keys up to the query itself"),
                               n_windows, rule->windows.n, window);
  else if (window > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the attention is causal, with a window of %" PRIu64 " keys up to the query itself"),
                               window);
  else
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the attention is causal: no query attends to a later key"));
}

/* Finds the mask of an attention, and notes how. Only some rows of two heads are read. */
gboolean
hl_dump_find_mask (const HlDumpContext *context,
                   const HlDumpRule    *rule,
                   HlDumpHeld          *held,
                   GError             **error)
{
  Evidence evidence = EVIDENCE_NONE;
  const gboolean has_one_window = rule->windows.n <= 1;
  /* Where layers differ in it, each adds its own to this. */
  HlMask mask = { rule->causal, has_one_window ? get_window (rule, 0) : 0 };

  if (hl_dump_numbers_max (&rule->windows) > 0 && !rule->causal)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("attribute “sliding_window” is left out, because “causal” is not 1"));
  /* What follows from queries and keys, or from scores, is masked by the rule that the file gives. */
  if (held->weights->n_layers == 0 || (held->has_scores && mask.causal))
    {
      if (mask.causal)
        say_mask (context, rule, FALSE);
      held->mask = mask;
      return TRUE;
    }

  /* What is generated sees what was there before it, though not all keys need have queries. */
  const gboolean guess =
    !rule->has_causal && held->n_queries >= FEWEST_POSITIONS &&
    (held->n_queries == held->n_keys || (held->weights->is_generation && held->n_queries < held->n_keys));
  if (!rule->causal && !guess)
    return TRUE;
  mask.causal = TRUE;
  if (!weigh_weights (context, held, rule, &evidence, error))
    return FALSE;

  if (rule->causal && evidence == EVIDENCE_AGAINST)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("attribute “causal” is 1, but queries attend to keys that would be masked; nothing "
                                  "is masked"));
  else if (rule->causal || evidence == EVIDENCE_FOR)
    {
      say_mask (context, rule, !rule->causal);
      held->mask = mask;
    }
  return TRUE;
}

/* Among scores, keys that are −∞ to every query are padding that the model was not to see, at the beginning or at the end. Rows of two
 * heads are read, from all over. */
gboolean
hl_dump_find_padding (const HlDumpContext *context,
                      HlDumpHeld          *held,
                      GError             **error)
{
  const gsize n_keys = held->n_keys;
  gsize first_key = n_keys, end_key = 0;

  if (!held->has_scores)
    return TRUE;
  const gsize n_rows = hl_dump_held_count_rows (held, held->n_queries);
  const gsize parts[] = { 0, (held->n_queries - n_rows) / 2, held->n_queries - n_rows };
  g_autofree float *rows = g_new (float, MAX (n_rows * n_keys, 1));

  for (guint i = 0; i < HL_DUMP_HELD_N_HEADS; i++)
    for (guint part = 0; part < G_N_ELEMENTS (parts); part++)
      {
        if (part > 0 && parts[part] == parts[part - 1])
          continue;
        if (!hl_dump_held_read (held, context, i, parts[part], n_rows, rows, error))
          return FALSE;
        for (gsize at = 0; at < n_rows * n_keys; at++)
          if (rows[at] != 0)
            {
              first_key = MIN (first_key, at % n_keys);
              end_key = MAX (end_key, at % n_keys + 1);
            }
      }
  /* Where nothing is left there is no padding to tell from the rest. */
  if (end_key == 0 || (first_key == 0 && end_key == n_keys))
    return TRUE;
  held->mask.first_key = first_key;
  held->mask.end_key = end_key < n_keys ? end_key : 0;
  if (first_key > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("no query can attend to the first %zu keys: they are shown as masked"), first_key);
  if (end_key < n_keys)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("no query can attend to the last %zu keys: they are shown as masked"),
                               n_keys - end_key);
  return TRUE;
}
