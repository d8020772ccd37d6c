/* SPDX-License-Identifier: MIT */
/* Which keys queries cannot see: what the file says, held against its numbers, and what the numbers show when it says
 * nothing. */
#include "core/document/read/hl-dump-mask.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* Rows that are looked at. A mask shows in the first few. */
#define MAX_ROWS 64

/* Where rows are very long, fewer will do. */
#define MAX_NUMBERS (1 << 22)

/* In maps of fewer positions, zeros above the diagonal may be chance. */
#define FEWEST_POSITIONS 3

typedef enum {
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

/* The first head of the first layer and the last head of the last: few rows, but of the two that differ most. */
static gboolean
weigh_weights (const HlDumpContext  *context,
               const HlMask         *mask,
               const HlDumpMaps     *weights,
               guint64               batch,
               Evidence             *evidence,
               GError              **error)
{
  const gsize n_queries = hl_layer_tensor_get_n_rows (weights->layers);
  const gsize n_keys = hl_layer_tensor_get_n_columns (weights->layers);
  const gsize n_rows = MIN (n_queries, CLAMP (MAX_NUMBERS / n_keys, 1, MAX_ROWS));
  g_autofree float *rows = g_new (float, n_rows * n_keys);

  *evidence = EVIDENCE_NONE;
  for (guint i = 0; i < 2; i++)
    {
      HlLayerTensor layer = weights->layers[i == 0 ? 0 : weights->n_layers - 1];
      const guint64 head = i == 0 ? 0 : hl_layer_tensor_get_n_heads (&layer) - 1;

      layer.batch = batch;
      if (!hl_layer_tensor_read (&layer, head, 0, n_rows, 0, n_keys, rows, context->cancellable, error))
        return FALSE;
      const Evidence found = weigh_rows (mask, rows, n_rows, n_queries, n_keys);
      if (found != EVIDENCE_NONE)
        *evidence = found;
      if (found == EVIDENCE_AGAINST)
        break;
    }
  return TRUE;
}

static void
say_mask (const HlDumpContext *context,
          const HlMask        *mask,
          gboolean             found)
{
  if (found)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the attention looks causal: no query attends to a later key; those keys are shown "
                                  "as masked"));
  else if (mask->window > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the attention is causal, with a window of %" PRIu64 " keys up to the query itself"),
                               mask->window);
  else
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the attention is causal: no query attends to a later key"));
}

/**
 * hl_dump_find_mask: (skip)
 * @context: which example
 * @rule: what the file says
 * @weights: the stored weights; none if they are computed, and then the rule is all there is
 * @batch: which batch item of the weights
 * @mask: (out): which keys a query cannot see
 * @error: an error of reading the weights
 *
 * Finds the mask of an attention, and notes how. Only some rows of two heads are read.
 *
 * Returns: %FALSE if weights cannot be read
 */
gboolean
hl_dump_find_mask (const HlDumpContext  *context,
                   const HlDumpRule     *rule,
                   const HlDumpMaps     *weights,
                   guint64               batch,
                   HlMask               *mask,
                   GError              **error)
{
  Evidence evidence = EVIDENCE_NONE;

  *mask = (HlMask) { rule->causal, rule->causal ? rule->window : 0 };
  if (rule->window > 0 && !rule->causal)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("attribute “sliding_window” is left out, because “causal” is not 1"));
  if (weights->n_layers == 0)
    {
      if (mask->causal)
        say_mask (context, mask, FALSE);
      return TRUE;
    }

  const gsize n_queries = hl_layer_tensor_get_n_rows (weights->layers);
  const gsize n_keys = hl_layer_tensor_get_n_columns (weights->layers);
  /* What is generated sees what was there before it, though not all keys need have queries. */
  const gboolean guess = !rule->has_causal && n_queries >= FEWEST_POSITIONS &&
                         (n_queries == n_keys || (weights->is_generation && n_queries < n_keys));
  if (!rule->causal && !guess)
    return TRUE;
  mask->causal = TRUE;
  if (!weigh_weights (context, mask, weights, batch, &evidence, error))
    return FALSE;

  if (rule->causal && evidence == EVIDENCE_AGAINST)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("attribute “causal” is 1, but queries attend to keys that would be masked; nothing "
                                  "is masked"));
  else if (rule->causal || evidence == EVIDENCE_FOR)
    {
      say_mask (context, mask, !rule->causal);
      return TRUE;
    }
  *mask = (HlMask) { FALSE, 0 };
  return TRUE;
}
