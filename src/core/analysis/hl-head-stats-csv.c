/* SPDX-License-Identifier: MIT */
/* The numbers of heads as a table that programs read: a row for each head, as RFC 4180 says. */
#include "core/analysis/hl-head-stats-csv.h"

#include "core/base/hl-temp-file.h"
#include "core/source/save/hl-head-csv.h"

#include <math.h>

/* The point is a point in every language; what is no number is an empty field. */
static void
append_number (GString *text,
               double   value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, ",%s", isnan (value) ? "" : g_ascii_formatd (number, sizeof number, "%.6g", value));
}

/* What is made of several has a name in place of a number. */
static void
append_index (GString    *text,
              const char *name,
              guint       index)
{
  if (name != NULL)
    g_string_append_printf (text, ",%s", name);
  else
    g_string_append_printf (text, ",%u", index);
}

static void
append_ranking (GString             *text,
                const HlPairRanking *ranking,
                guint                index)
{
  const guint n_pairs = hl_token_pairs_get_n (hl_pair_ranking_get_pairs (ranking));

  append_number (text, hl_pair_ranking_get_weight (ranking, index));
  append_number (text, hl_pair_ranking_get_rank (ranking, index) > 0 ? hl_pair_ranking_get_rank (ranking, index) : NAN);
  for (guint pair = 0; n_pairs > 1 && pair < n_pairs; pair++)
    append_number (text, hl_pair_ranking_get_pair_weight (ranking, index, pair));
}

/**
 * hl_head_stats_csv_append_names:
 * @text: where to
 * @ranking: (nullable): how heads link pairs of words, if that is told too
 * @has_changes: whether it is told how far heads changed, too
 *
 * Appends the first line: the names of the columns. Of several pairs each has one, behind those of their mean and its rank.
 */
void
hl_head_stats_csv_append_names (GString             *text,
                                const HlPairRanking *ranking,
                                gboolean             has_changes)
{
  const HlTokenPairs *pairs = ranking != NULL ? hl_pair_ranking_get_pairs (ranking) : NULL;
  const guint n_pairs = pairs != NULL ? hl_token_pairs_get_n (pairs) : 0;

  g_string_append (text, "block,layer,head");
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    g_string_append_printf (text, ",%s", hl_head_number_get (stat)->nick);
  if (n_pairs > 0)
    g_string_append (text, ",weight,rank");
  for (guint pair = 0; n_pairs > 1 && pair < n_pairs; pair++)
    {
      g_string_append_c (text, ',');
      hl_head_csv_append_field (text, hl_token_pairs_get (pairs, pair)->label);
    }
  if (has_changes)
    g_string_append (text, ",change");
  g_string_append (text, "\r\n");
}

/**
 * hl_head_stats_csv_append_attention:
 * @text: where to
 * @attention: an attention
 * @stats: the numbers of its heads, as hl_head_stats_compute_all() gives them
 * @ranking: (nullable): how its heads link pairs of words
 * @changes: (nullable): numbers that know %HL_HEAD_MEASURE_CHANGE
 *
 * Appends a line for each head, with six digits; a field is empty where a number is not defined.
 */
void
hl_head_stats_csv_append_attention (GString             *text,
                                    HlAttention         *attention,
                                    const HlHeadStats   *stats,
                                    const HlPairRanking *ranking,
                                    const HlHeadNumbers *changes)
{
  const char *name = hl_attention_kind_get_name (hl_attention_get_kind (attention));
  guint index = 0;

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++, stats++)
      {
        g_string_append (text, name);
        append_index (text, hl_attention_get_layer_name (attention), layer);
        append_index (text, hl_attention_get_head_name (attention), head);
        for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
          append_number (text, stats->values[stat]);
        if (ranking != NULL)
          append_ranking (text, ranking, index);
        if (changes != NULL)
          append_number (text, hl_head_numbers_get (changes, HL_HEAD_MEASURE_CHANGE, index));
        index++;
        g_string_append (text, "\r\n");
      }
}

/**
 * hl_head_stats_csv_save:
 * @attention: an attention
 * @source: its weights, not filtered
 * @first_query: the first query that counts
 * @n_queries: how many
 * @ranking: (nullable): how its heads link pairs of words
 * @compared: (nullable): the attention and what it is compared with, to tell how far heads changed
 * @target: a local file, which may exist
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_IO, what hl_head_stats_compute_all() and hl_head_changes_compute() say, or %G_IO_ERROR_CANCELLED
 *
 * Computes the numbers of all heads and writes them to a file, which appears whole or not at all. Blocks: call it from a worker.
 *
 * Returns: whether the file is there
 */
gboolean
hl_head_stats_csv_save (HlAttention       *attention,
                        HlAttentionSource *source,
                        gsize              first_query,
                        gsize              n_queries,
                        HlPairRanking     *ranking,
                        HlComparison      *compared,
                        GFile             *target,
                        GCancellable      *cancellable,
                        GError           **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);
  g_return_val_if_fail (G_IS_FILE (target), FALSE);

  g_autofree HlHeadStats *stats =
    hl_head_stats_compute_all (attention, source, first_query, n_queries, cancellable, error);
  if (stats == NULL)
    return FALSE;

  g_autoptr (HlHeadNumbers) changes = NULL;
  if (compared != NULL)
    {
      g_autoptr (GArray) list = hl_head_changes_compute (compared, cancellable, error);
      if (list == NULL)
        return FALSE;
      g_autoptr (HlHeadNumbers) none = hl_head_numbers_new (attention, first_query, n_queries);
      changes = hl_head_numbers_set_changes (none, compared, list);
    }

  g_autoptr (GString) text = g_string_new (NULL);
  hl_head_stats_csv_append_names (text, ranking, changes != NULL);
  hl_head_stats_csv_append_attention (text, attention, stats, ranking, changes);
  g_autoptr (HlTempFile) file = hl_temp_file_new (target, error);
  return file != NULL && hl_temp_file_write (file, text->str, text->len, error) && hl_temp_file_commit (file, error);
}
