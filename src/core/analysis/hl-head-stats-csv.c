/* SPDX-License-Identifier: MIT */
/* The numbers of heads as a table that programs read: a row for each head, as RFC 4180 says. */
#include "core/analysis/hl-head-stats-csv.h"

#include "core/base/file/hl-temp-file.h"
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

/* A class has a name. */
static void
append_stat (GString             *text,
             const HlHeadNumbers *numbers,
             HlHeadStat           stat,
             guint                index)
{
  const double value = hl_head_numbers_get (numbers, HL_HEAD_MEASURE_STATS + stat, index);
  const HlHeadNumberWord *word = hl_head_number_get_word (stat, value);

  if (word != NULL)
    g_string_append_printf (text, ",%s", word->nick);
  else
    append_number (text, value);
  const HlHeadSpread *spread = hl_head_numbers_get_spread (numbers, HL_HEAD_MEASURE_STATS + stat, index);
  if (spread == NULL)
    return;
  append_number (text, hl_head_spread_get_deviation (spread));
  g_string_append_printf (text, ",%" G_GUINT64_FORMAT, spread->n);
}

/**
 * hl_head_stats_csv_append_names:
 * @text: where to
 * @set: which numbers are told
 * @numbers: what is known of heads: these, how they link pairs of words, how far they changed
 *
 * Appends the first line: the names of the columns. Of several pairs each has one, behind those of their mean and its rank; a mean over texts has
 * its standard deviation and how many texts counted behind it.
 */
void
hl_head_stats_csv_append_names (GString             *text,
                                HlHeadNumberSet      set,
                                const HlHeadNumbers *numbers)
{
  const HlPairRanking *ranking = hl_head_numbers_get_ranking (numbers);
  const gboolean has_changes = hl_head_numbers_get_compared (numbers) != NULL;
  const gboolean is_mean = hl_head_numbers_get_n_texts (numbers) > 0;
  const HlTokenPairs *pairs = ranking != NULL ? hl_pair_ranking_get_pairs (ranking) : NULL;
  const guint n_pairs = pairs != NULL ? hl_token_pairs_get_n (pairs) : 0;

  g_string_append (text, "block,layer,head");
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      const HlHeadNumber *number = hl_head_number_get (stat);

      if (!(set & HL_HEAD_NUMBER_BIT (stat)))
        continue;
      g_string_append_printf (text, ",%s", number->nick);
      if (is_mean && number->words == NULL)
        g_string_append_printf (text, ",%s-sd,%s-n", number->nick, number->nick);
    }
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
 * @set: which numbers are told
 * @numbers: what is known of its heads: these, how they link pairs of words, how far they changed
 *
 * Appends a line for each head, with six digits; a field is empty where a number is not defined.
 */
void
hl_head_stats_csv_append_attention (GString             *text,
                                    HlAttention         *attention,
                                    HlHeadNumberSet      set,
                                    const HlHeadNumbers *numbers)
{
  const char *name = hl_attention_kind_get_name (hl_attention_get_kind (attention));
  const HlPairRanking *ranking = hl_head_numbers_get_ranking (numbers);
  guint index = 0;

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++, index++)
      {
        g_string_append (text, name);
        append_index (text, hl_attention_get_layer_name (attention), layer);
        append_index (text, hl_attention_get_head_name (attention), head);
        for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
          if (set & HL_HEAD_NUMBER_BIT (stat))
            append_stat (text, numbers, stat, index);
        if (ranking != NULL)
          append_ranking (text, ranking, index);
        if (hl_head_numbers_get_compared (numbers) != NULL)
          append_number (text, hl_head_numbers_get (numbers, HL_HEAD_MEASURE_CHANGE, index));
        g_string_append (text, "\r\n");
      }
}

/* Of what is known, what the table has no use for is left out. */
static HlHeadNumbers *
complete (const HlHeadNumberRequest *request,
          HlHeadNumbers             *known,
          HlHeadNumberSet            set,
          HlComparison              *compared,
          HlProgress                *progress,
          GCancellable              *cancellable,
          GError                   **error)
{
  g_autoptr (HlHeadNumbers)
    numbers = known != NULL ? hl_head_numbers_set_changes (known, NULL, NULL)
                            : hl_head_numbers_new (request->attention, request->first_query, request->n_queries);

  if (!hl_head_numbers_complete (&numbers, request, set, progress, cancellable, error))
    return NULL;
  if (compared == NULL)
    return g_steal_pointer (&numbers);
  g_autoptr (GArray) changes = hl_head_changes_compute (compared, cancellable, error);
  return changes != NULL ? hl_head_numbers_set_changes (numbers, compared, changes) : NULL;
}

static gboolean
write_table (const GString *text,
             GFile         *target,
             GError       **error)
{
  g_autoptr (HlTempFile) file = hl_temp_file_new (target, error);

  return file != NULL && hl_temp_file_write (file, text->str, text->len, error) && hl_temp_file_commit (file, error);
}

/**
 * hl_head_stats_csv_save:
 * @request: the attention, its weights, and which queries count
 * @known: (nullable): what is known of its heads already: numbers, and how they link pairs of words
 * @set: which numbers are told
 * @compared: (nullable): the attention and what it is compared with, to tell how far heads changed
 * @target: a local file, which may exist
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_IO, what hl_head_numbers_complete() and hl_head_changes_compute() say, or %G_IO_ERROR_CANCELLED
 *
 * Finds out what is not known yet and writes a table of all heads to a file, which appears whole or not at all. Blocks: call it from a worker.
 *
 * Returns: whether the file is there
 */
gboolean
hl_head_stats_csv_save (const HlHeadNumberRequest *request,
                        HlHeadNumbers             *known,
                        HlHeadNumberSet            set,
                        HlComparison              *compared,
                        GFile                     *target,
                        HlProgress                *progress,
                        GCancellable              *cancellable,
                        GError                   **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION (request->attention), FALSE);
  g_return_val_if_fail (G_IS_FILE (target), FALSE);

  g_autoptr (HlHeadNumbers) numbers = complete (request, known, set, compared, progress, cancellable, error);
  if (numbers == NULL)
    return FALSE;

  g_autoptr (GString) text = g_string_new (NULL);
  hl_head_stats_csv_append_names (text, set, numbers);
  hl_head_stats_csv_append_attention (text, request->attention, set, numbers);
  return write_table (text, target, error);
}

/**
 * hl_head_stats_csv_save_difference:
 * @request: the attention of the first side, its maps, and which queries count
 * @known: what is known of its heads already: the weight of pairs, where @measure is that
 * @measure: which number
 * @others: (array): the same of the second side, for each head of the first; NaN where it has none
 * @target: a local file, which may exist
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_IO, what hl_head_numbers_complete() says, or %G_IO_ERROR_CANCELLED
 *
 * Like hl_head_stats_csv_save(), of one number of two sides: what it is in A, in B, and B − A. Blocks: call it from a worker.
 *
 * Returns: whether the file is there
 */
gboolean
hl_head_stats_csv_save_difference (const HlHeadNumberRequest *request,
                                   HlHeadNumbers             *known,
                                   HlHeadMeasure              measure,
                                   const double              *others,
                                   GFile                     *target,
                                   HlProgress                *progress,
                                   GCancellable              *cancellable,
                                   GError                   **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION (request->attention), FALSE);
  g_return_val_if_fail (others != NULL, FALSE);
  g_return_val_if_fail (G_IS_FILE (target), FALSE);

  const char *nick = hl_head_measure_is_stat (measure) ? hl_head_number_get (measure - HL_HEAD_MEASURE_STATS)->nick
                                                       : "weight";
  const char *name = hl_attention_kind_get_name (hl_attention_get_kind (request->attention));
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_ref (known);
  g_autoptr (GString) text = g_string_new ("block,layer,head");

  if (!hl_head_numbers_complete (&numbers, request, hl_head_measure_get_set (measure), progress, cancellable, error))
    return FALSE;
  g_string_append_printf (text, ",%s-a,%s-b,%s-difference\r\n", nick, nick, nick);
  for (guint i = 0; i < hl_head_numbers_get_n (numbers); i++)
    {
      const double own = hl_head_numbers_get (numbers, measure, i);

      g_string_append_printf (text, "%s,%u,%u", name, hl_head_numbers_get_layer (numbers, i),
                              hl_head_numbers_get_head (numbers, i));
      append_number (text, own);
      append_number (text, others[i]);
      append_number (text, others[i] - own);
      g_string_append (text, "\r\n");
    }
  return write_table (text, target, error);
}
