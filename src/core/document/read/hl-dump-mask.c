/* SPDX-License-Identifier: MIT */
/* Which keys queries cannot see: what the file says, held against its numbers, and what the numbers show when it says
 * nothing. */
#include "core/document/read/hl-dump-mask.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/hl-limits.h"
#include "core/document/attention/hl-attention-rule.h"

/* Where a file says nothing: heads that are looked at, rows of each, and numbers of all together. */
#define MAX_HEADS 16
#define MAX_ROWS 64
#define MAX_NUMBERS (1 << 23)

/* Where numbers have to be unpacked first, maybe a layer of them for each head: so many bytes, which takes a second, but two heads in any case. */
#define MAX_UNPACKED (256 << 20)

/* In maps of fewer positions, zeros above the diagonal may be chance. */
#define FEWEST_POSITIONS 3

typedef enum
{
  EVIDENCE_NONE,
  EVIDENCE_FOR,
  EVIDENCE_AGAINST,
} Evidence;

/* Whether rows of a map have weights only where @mask allows. All rows zero are no evidence, nor are those of padding, nor is what is no number;
 * nor is a map that could be the same without a mask. */
static Evidence
weigh_rows (const HlDumpHeld *held,
            const HlMask     *mask,
            const float      *rows,
            gsize             first_query,
            gsize             n_rows)
{
  const gsize n_keys = held->n_keys;
  Evidence evidence = EVIDENCE_NONE;

  for (gsize i = 0; i < n_rows; i++)
    {
      const float *row = rows + i * n_keys;
      gsize first, end;

      if (hl_dump_held_is_padding (held, mask, first_query + i))
        continue;
      hl_mask_get_visible (mask, held->n_queries, n_keys, first_query + i, &first, &end);
      for (gsize key = 0; key < n_keys; key++)
        {
          if (row[key] == 0 || isnan (row[key]))
            continue;
          if (key < first || key >= end)
            return EVIDENCE_AGAINST;
          if (key + 1 < end)
            evidence = EVIDENCE_FOR;
        }
    }
  return evidence;
}

/* What the rule says of a layer. */
HlMask
hl_dump_mask_of_layer (const HlDumpRule *rule,
                       const HlDumpHeld *held,
                       guint             layer)
{
  HlMask mask = {
    .causal = hl_dump_rule_get (rule, HL_DUMP_RULE_CAUSAL, layer, 0) != 0,
    .window = (guint64) hl_dump_rule_get (rule, HL_DUMP_RULE_WINDOW, layer, 0),
    .chunk = (guint64) hl_dump_rule_get (rule, HL_DUMP_RULE_CHUNK, layer, 0),
  };
  const gint64 own = hl_mask_get_position (&mask, held->n_queries, held->n_keys, 0);

  mask.shift = (gint64) hl_dump_rule_get (rule, HL_DUMP_RULE_OFFSET, layer, (double) own) - own;
  return mask;
}

/* The first rows that are no padding, of two heads: few, but of the two that differ most. */
static gboolean
weigh_weights (const HlDumpContext *context,
               const HlDumpHeld    *held,
               const HlMask        *masks,
               Evidence            *evidence,
               GError             **error)
{
  const gsize most = hl_dump_held_count_rows (held, held->n_queries);
  g_autofree float *rows = g_new (float, MAX (most * held->n_keys, 1));

  *evidence = EVIDENCE_NONE;
  for (guint i = 0; i < HL_DUMP_HELD_N_HEADS; i++)
    {
      const HlMask *mask = &masks[hl_dump_held_get_layer (held, i)];
      gsize first, end;

      hl_dump_held_find_text (held, mask, &first, &end);
      const gsize n_rows = MIN (most, end - first);
      if (!hl_dump_held_read (held, context, i, first, n_rows, rows, error))
        return FALSE;
      const Evidence found = weigh_rows (held, mask, rows, first, n_rows);
      if (found != EVIDENCE_NONE)
        *evidence = found;
      if (found == EVIDENCE_AGAINST)
        break;
    }
  return TRUE;
}

/* How much is looked at: so many rows at each of some places of each of some heads. */
typedef struct
{
  guint64 n_heads;
  gsize n_places;
  gsize n_rows;
} Sample;

/* Finds the layer of one of some heads at equal steps, the first and the last among them. */
static guint
find_sampled (const HlDumpMaps *weights,
              guint64           i,
              guint64           n_sampled,
              guint64          *head)
{
  guint64 n_heads = 0;
  guint layer = 0;

  for (guint k = 0; k < weights->n_layers; k++)
    n_heads += hl_layer_tensor_get_n_heads (&weights->layers[k]);
  *head = n_sampled > 1 ? i * (n_heads - 1) / (n_sampled - 1) : 0;
  for (; *head >= hl_layer_tensor_get_n_heads (&weights->layers[layer]); layer++)
    *head -= hl_layer_tensor_get_n_heads (&weights->layers[layer]);
  return layer;
}

/* Whether so many heads are soon looked at. Tells whether what is read of them lies in the file as it is. */
static gboolean
are_soon_read (const HlDumpHeld *held,
               guint64           n_heads,
               gsize             n_rows,
               gboolean         *lie_as_they_are)
{
  const HlTensor *last = NULL;
  guint64 head, n_left = MAX_UNPACKED;

  *lie_as_they_are = TRUE;
  for (guint64 i = 0; i < n_heads; i++)
    {
      const HlLayerTensor *layer = &held->weights->layers[find_sampled (held->weights, i, n_heads, &head)];
      guint64 count[HL_LIMIT_RANK];
      gboolean stays;

      for (guint axis = 0; axis < HL_LIMIT_RANK; axis++)
        count[axis] = 1;
      count[layer->row_axis] = n_rows;
      count[layer->column_axis] = held->n_keys;
      const guint64 n_unpacked = hl_tensor_get_unpacked (layer->tensor, count, &stays);
      *lie_as_they_are &= n_unpacked == 0 && !hl_tensor_lies_apart (layer->tensor);
      if (stays && layer->tensor == last)
        continue;
      if (n_unpacked > n_left)
        return FALSE;
      n_left -= n_unpacked;
      last = layer->tensor;
    }
  return TRUE;
}

/* What nobody has to wait for. Rows that do not lie in the file as they are, are read in one piece. */
static Sample
choose_sample (const HlDumpHeld *held)
{
  guint64 n_heads = 0;
  gboolean lie_as_they_are;

  for (guint i = 0; i < held->weights->n_layers; i++)
    n_heads += hl_layer_tensor_get_n_heads (&held->weights->layers[i]);
  n_heads = MIN (n_heads, MAX_HEADS);
  const gsize n_rows = MIN (held->n_queries, CLAMP (MAX_NUMBERS / n_heads / held->n_keys, 1, MAX_ROWS));
  while (!are_soon_read (held, n_heads, n_rows, &lie_as_they_are) && n_heads > HL_DUMP_HELD_N_HEADS)
    n_heads--;
  return (Sample){ n_heads, lie_as_they_are ? n_rows : 1, lie_as_they_are ? 1 : n_rows };
}

/* Heads at equal steps, the first and the last among them, and of each other rows: those that see later keys may be all of a few
 * heads, or a few of all heads. */
static gboolean
weigh_sample (const HlDumpContext *context,
              const HlDumpHeld    *held,
              const HlMask        *masks,
              Evidence            *evidence,
              GError             **error)
{
  const Sample sample = choose_sample (held);
  g_autofree float *rows = g_new (float, MAX (sample.n_rows * held->n_keys, 1));

  *evidence = EVIDENCE_NONE;
  for (guint64 i = 0; i < sample.n_heads; i++)
    {
      guint64 head;
      const guint layer = find_sampled (held->weights, i, sample.n_heads, &head);
      gsize first_query, end_query;

      hl_dump_held_find_text (held, &masks[layer], &first_query, &end_query);
      const gsize n_rows = MIN (sample.n_rows, end_query - first_query);
      const gsize n_firsts = end_query - first_query - n_rows + 1;
      for (gsize place = 0; place < sample.n_places; place++)
        {
          const gsize first = first_query +
                              (place * sample.n_heads + i) * n_firsts / (sample.n_places * sample.n_heads);

          if (!hl_dump_held_read_head (held, context, layer, head, first, n_rows, rows, error))
            return FALSE;
          const Evidence found = weigh_rows (held, &masks[layer], rows, first, n_rows);
          if (found != EVIDENCE_NONE)
            *evidence = found;
          if (found == EVIDENCE_AGAINST)
            return TRUE;
        }
    }
  return TRUE;
}

/* What all layers have in common. */
static HlMask
merge_masks (const HlMask *masks,
             guint         n_layers)
{
  HlMask all = masks[0];

  for (guint i = 1; i < n_layers; i++)
    {
      if (masks[i].causal != all.causal || masks[i].shift != all.shift)
        return (HlMask){ 0 };
      all.window = masks[i].window == all.window ? all.window : 0;
      all.chunk = masks[i].chunk == all.chunk ? all.chunk : 0;
    }
  return all;
}

static void
say_causal (const HlDumpContext *context,
            const HlMask        *masks,
            guint                n_layers)
{
  guint64 window = 0;
  guint n_windows = 0;

  for (guint i = 0; i < n_layers; i++)
    {
      window = MAX (window, masks[i].window);
      n_windows += masks[i].window > 0;
    }
  if (window > 0 && n_windows < n_layers)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the attention is causal, in %u of %u layers with a window of up to %" PRIu64
                                  " keys up to the query itself"),
                               n_windows, n_layers, window);
  else if (window > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the attention is causal, with a window of %" PRIu64 " keys up to the query itself"),
                               window);
  else
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the attention is causal: no query attends to a later key"));
}

static void
say_mask (const HlDumpContext *context,
          const HlMask        *masks,
          guint                n_layers)
{
  guint n_causal = 0, n_windows = 0, n_chunks = 0;

  for (guint i = 0; i < n_layers; i++)
    {
      n_causal += masks[i].causal;
      n_windows += !masks[i].causal && masks[i].window > 0;
      n_chunks += masks[i].chunk > 0;
    }
  if (n_causal == n_layers)
    say_causal (context, masks, n_layers);
  else if (n_causal > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO, _ ("the attention is causal in %u of %u layers"), n_causal,
                               n_layers);
  if (n_windows > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("in %u of %u layers queries see keys in a window to both sides only"), n_windows,
                               n_layers);
  if (n_chunks > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("in %u of %u layers queries see keys of their own chunk only"), n_chunks, n_layers);
}

/* Finds the masks of all layers of an attention, and what they have in common, and notes how. Only some rows of two heads are read; where the file
 * says nothing and @may_guess, weights of more heads tell whether they are causal. */
gboolean
hl_dump_find_mask (const HlDumpContext *context,
                   const HlDumpRule    *rule,
                   guint                n_layers,
                   gboolean             may_guess,
                   HlDumpHeld          *held,
                   HlMask              *masks,
                   GError             **error)
{
  Evidence evidence = EVIDENCE_NONE;
  gboolean hides = FALSE;
  gsize first, end;

  for (guint i = 0; i < n_layers; i++)
    {
      masks[i] = hl_dump_mask_of_layer (rule, held, i);
      hides |= hl_mask_hides (&masks[i]);
    }
  hl_dump_held_find_text (held, masks, &first, &end);
  /* What is generated sees what was there before it, though not all keys need have queries. */
  const gboolean guesses =
    may_guess && !hl_dump_rule_has (rule, HL_DUMP_RULE_CAUSAL) && held->weights->n_layers > 0 &&
    end - first >= FEWEST_POSITIONS && !hides &&
    (held->n_queries == held->n_keys || (held->weights->is_generation && held->n_queries < held->n_keys));
  for (guint i = 0; i < n_layers && guesses; i++)
    masks[i].causal = TRUE;
  if (!hides && !guesses)
    return TRUE;
  /* What follows from queries and keys, or from scores, is masked by the rule that the file gives. */
  if (held->weights->n_layers > 0 && !(held->has_scores && hides) &&
      !(guesses ? weigh_sample : weigh_weights) (context, held, masks, &evidence, error))
    return FALSE;

  if (hides && evidence == EVIDENCE_AGAINST && hl_dump_rule_get_max (rule, HL_DUMP_RULE_CAUSAL) > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("attribute “causal” is 1, but queries attend to keys that would be masked; nothing "
                                  "is masked"));
  else if (hides && evidence == EVIDENCE_AGAINST)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ (
                                 "the file says which keys are masked, but queries attend to them; nothing is masked"));
  else if (hides)
    say_mask (context, masks, n_layers);
  else if (evidence == EVIDENCE_FOR)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the attention looks causal: no query attends to a later key; those keys are shown "
                                  "as masked"));
  if (evidence == EVIDENCE_AGAINST || (!hides && evidence == EVIDENCE_NONE))
    memset (masks, 0, n_layers * sizeof *masks);
  held->mask = merge_masks (masks, n_layers);
  return TRUE;
}

/* Notes which keys at either end no query sees. */
void
hl_dump_say_padding (const HlDumpContext *context,
                     const HlDumpHeld    *held)
{
  if (held->mask.first_key > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("no query can attend to the first %zu keys: they are shown as masked"),
                               (gsize) held->mask.first_key);
  if (held->mask.end_key > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("no query can attend to the last %zu keys: they are shown as masked"),
                               held->n_keys - (gsize) held->mask.end_key);
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
  hl_dump_say_padding (context, held);
  return TRUE;
}
