/* SPDX-License-Identifier: MIT */
/* headlight-cli find-heads: heads ranked by the weight between given words. */
#include "cli/cli-commands.h"
#include "cli/base/cli-pairs.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-table.h"
#include "cli/base/cli-text.h"
#include "cli/base/cli-view-options.h"
#include "core/analysis/hl-head-numbers.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

/* Wide enough for the name of an attention, and for a weight. */
#define COLUMN 9

/* Likewise for two words, which may be longer. */
#define PAIR 20

typedef struct
{
  const char *wanted; /* name or number of the example */
  const char *attention_name;
  HlAttentionKind kind;
  CliPairs pairs;
  CliModelText text;
  CliOpenOptions open;
  CliViewOptions view;
  HlAttention *attention;
  HlHeadNumbers *numbers;
  guint *order; /* best first */
} FindHeads;

static gboolean
collect (CliJob  *job,
         GError **error)
{
  FindHeads *self = job->data;
  g_autofree char *lines = cli_pairs_load (&self->pairs, job, error);
  g_autoptr (HlDocument) document = lines != NULL ? cli_load_document (job, &self->text, &self->open, error) : NULL;
  g_autoptr (HlExample) example = document != NULL ? cli_load_example (job, document, self->wanted, error) : NULL;

  if (example == NULL)
    return FALSE;
  HlAttention *attention = self->attention_name != NULL ? hl_example_find_attention (example, self->kind)
                                                        : hl_example_get_attention (example, 0);
  if (attention == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no block “%s” in it"), self->attention_name);
      return FALSE;
    }
  g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (attention, lines, error);
  if (pairs == NULL)
    return FALSE;
  g_autoptr (HlAttentionSource) source = NULL;
  g_autoptr (HlAttention) derived = NULL;
  if (!cli_view_options_derive (&self->view, attention, &derived, &source, error))
    return FALSE;
  g_autoptr (HlPairRanking) ranking = hl_pair_ranking_compute (source, pairs, job->cancellable, error);
  if (ranking == NULL)
    return FALSE;
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_new (derived, 0, hl_attention_get_n_used (attention, HL_QUERIES));
  self->attention = g_object_ref (derived);
  self->numbers = hl_head_numbers_set_ranking (numbers, ranking);
  self->order = hl_head_numbers_sort (self->numbers, HL_HEAD_MEASURE_PAIR);
  return TRUE;
}

static const HlPairRanking *
get_ranking (const FindHeads *self)
{
  return hl_head_numbers_get_ranking (self->numbers);
}

/* Of one pair, its weight is the weight. */
static guint
get_n_columns (const FindHeads *self)
{
  const guint n_pairs = hl_token_pairs_get_n (hl_pair_ranking_get_pairs (get_ranking (self)));

  return n_pairs > 1 ? n_pairs : 0;
}

static const char *
get_label (const FindHeads *self,
           guint            pair)
{
  return hl_token_pairs_get (hl_pair_ranking_get_pairs (get_ranking (self)), pair)->label;
}

/* In the table the columns of several pairs are numbered, for labels have any length. */
static void
add_pair_columns (const FindHeads *self,
                  CliTable        *table)
{
  for (guint pair = 0; pair < get_n_columns (self); pair++)
    {
      g_autofree char *number = g_strdup_printf ("%u", pair + 1);
      cli_table_add_column (table, get_label (self, pair), number, COLUMN, 4);
    }
}

/* A line for each says which it is. */
static void
print_pairs (const FindHeads *self)
{
  const guint n_columns = get_n_columns (self);

  for (guint pair = 0; pair < MAX (n_columns, 1); pair++)
    {
      g_autofree char *label = cli_make_printable (get_label (self, pair));
      if (n_columns > 0)
        g_print ("%u: %s\n", pair + 1, label);
      else
        g_print ("%s\n", label);
    }
}

static void
print_rows (const FindHeads *self,
            CliFormat        format)
{
  const HlPairRanking *ranking = get_ranking (self);
  g_autoptr (CliTable) table = cli_table_new ();

  cli_table_add_column (table, "rank", NULL, 5, 0);
  cli_table_add_column (table, "block", NULL, -COLUMN, 0);
  cli_table_add_column (table, "layer", NULL, 5, 0);
  cli_table_add_column (table, "head", NULL, 5, 0);
  cli_table_add_column (table, "weight", NULL, COLUMN, 4);
  add_pair_columns (self, table);
  for (guint i = 0; i < hl_pair_ranking_get_n (ranking); i++)
    {
      const guint index = self->order[i];
      const guint rank = hl_pair_ranking_get_rank (ranking, index);

      if (rank > 0)
        cli_table_add_integer (table, rank);
      else
        cli_table_add_nothing (table);
      cli_table_add_string (table, hl_attention_kind_get_name (hl_attention_get_kind (self->attention)));
      cli_table_add_index (table, hl_attention_get_layer_name (self->attention),
                           hl_head_numbers_get_layer (self->numbers, index));
      cli_table_add_index (table, hl_attention_get_head_name (self->attention),
                           hl_head_numbers_get_head (self->numbers, index));
      cli_table_add_real (table, hl_pair_ranking_get_weight (ranking, index));
      for (guint pair = 0; pair < get_n_columns (self); pair++)
        cli_table_add_real (table, hl_pair_ranking_get_pair_weight (ranking, index, pair));
    }
  cli_table_print (table, format);
}

/* A layer or a head, which has a number unless several were made one. */
static char *
dup_name (const char *name,
          guint       number)
{
  return name != NULL ? g_strdup (name) : g_strdup_printf ("%u", number);
}

/* A row for each pair: its weights in all heads, as a classifier reads them (Coenen et al. 2019). */
static void
print_vectors (const FindHeads *self,
               CliFormat        format)
{
  const HlPairRanking *ranking = get_ranking (self);
  g_autoptr (CliTable) table = cli_table_new ();

  cli_table_add_column (table, "pair", NULL, -PAIR, 0);
  for (guint i = 0; i < hl_pair_ranking_get_n (ranking); i++)
    {
      g_autofree char *layer =
        dup_name (hl_attention_get_layer_name (self->attention), hl_head_numbers_get_layer (self->numbers, i));
      g_autofree char *head =
        dup_name (hl_attention_get_head_name (self->attention), hl_head_numbers_get_head (self->numbers, i));
      g_autofree char *name = g_strconcat (layer, ".", head, NULL);
      cli_table_add_column (table, name, NULL, COLUMN, 4);
    }
  for (guint pair = 0; pair < hl_token_pairs_get_n (hl_pair_ranking_get_pairs (ranking)); pair++)
    {
      cli_table_add_string (table, get_label (self, pair));
      for (guint i = 0; i < hl_pair_ranking_get_n (ranking); i++)
        cli_table_add_real (table, hl_pair_ranking_get_pair_weight (ranking, i, pair));
    }
  cli_table_print (table, format);
}

static void
add_json_index (JsonBuilder *builder,
                const char  *member,
                const char  *name,
                guint        number)
{
  json_builder_set_member_name (builder, member);
  if (name != NULL)
    json_builder_add_string_value (builder, name);
  else
    json_builder_add_int_value (builder, number);
}

static void
add_json_head (JsonBuilder     *builder,
               const FindHeads *self,
               guint            index)
{
  const HlPairRanking *ranking = get_ranking (self);
  const HlTokenPairs *pairs = hl_pair_ranking_get_pairs (ranking);
  const guint rank = hl_pair_ranking_get_rank (ranking, index);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "rank");
  if (rank > 0)
    json_builder_add_int_value (builder, rank);
  else
    json_builder_add_null_value (builder);
  add_json_index (builder, "layer", hl_attention_get_layer_name (self->attention),
                  hl_head_numbers_get_layer (self->numbers, index));
  add_json_index (builder, "head", hl_attention_get_head_name (self->attention),
                  hl_head_numbers_get_head (self->numbers, index));
  json_builder_set_member_name (builder, "weight");
  cli_json_add_real (builder, hl_pair_ranking_get_weight (ranking, index));
  json_builder_set_member_name (builder, "weights");
  json_builder_begin_array (builder);
  for (guint pair = 0; pair < hl_token_pairs_get_n (pairs); pair++)
    cli_json_add_real (builder, hl_pair_ranking_get_pair_weight (ranking, index, pair));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_json_run (JsonBuilder      *builder,
              const char       *name,
              const HlTokenRun *run)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (gsize i = 0; i < run->n; i++)
    json_builder_add_int_value (builder, (gint64) (run->first + i));
  json_builder_end_array (builder);
}

static void
print_json (const FindHeads *self)
{
  const HlPairRanking *ranking = get_ranking (self);
  const HlTokenPairs *pairs = hl_pair_ranking_get_pairs (ranking);
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "block");
  json_builder_add_string_value (builder, hl_attention_kind_get_name (hl_attention_get_kind (self->attention)));
  json_builder_set_member_name (builder, "pairs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < hl_token_pairs_get_n (pairs); i++)
    {
      const HlTokenPair *pair = hl_token_pairs_get (pairs, i);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "pair");
      json_builder_add_string_value (builder, pair->label);
      add_json_run (builder, "queries", &pair->queries);
      add_json_run (builder, "keys", &pair->keys);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "heads");
  json_builder_begin_array (builder);
  for (guint i = 0; i < hl_pair_ranking_get_n (ranking); i++)
    add_json_head (builder, self, self->order[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  cli_print_json (builder);
}

static void
find_heads_clear (FindHeads *self)
{
  g_clear_object (&self->attention);
  g_clear_pointer (&self->numbers, hl_head_numbers_unref);
  g_free (self->order);
  cli_pairs_clear (&self->pairs);
  cli_model_text_clear (&self->text);
  cli_open_options_clear (&self->open);
  cli_view_options_clear (&self->view);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FindHeads, find_heads_clear)

static int
run_find_heads (char **arguments)
{
  g_autofree char *wanted = NULL;
  g_autofree char *attention = NULL;
  g_autofree char *written_format = NULL;
  gboolean vectors = FALSE;
  g_auto (GStrv) files = NULL;
  g_auto (FindHeads) self = { 0 };
  const GOptionEntry entries[] = {
    CLI_FORMAT_ENTRY (&written_format),
    { "block", 0, 0, G_OPTION_ARG_STRING, &attention, N_ ("Which attention of an encoder–decoder model"),
      "attention|encoder|decoder|cross" },
    { "example", 0, 0, G_OPTION_ARG_STRING, &wanted, N_ ("Which example, if the file has several; the first otherwise"),
      N_ ("NAME|N") },
    { "vectors", 0, 0, G_OPTION_ARG_NONE, &vectors,
      N_ ("A row for each pair: its weights in all layers and heads, for a classifier"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  CliFormat format;

  g_option_context_set_summary (context, _ ("Ranks the heads of SOURCE by the weight from one word to another, the "
                                            "mean over pairs of words if there are several. Of "
                                            "words in pieces, the mean over those of the query of the sum over those "
                                            "of the key. “her#2” is the second “her”, "
                                            "“#7” the token at index 7."));
  cli_pairs_add_entries (&self.pairs, context);
  cli_view_options_add_quantity (&self.view, context);
  cli_open_options_add_entries (&self.open, context);
  cli_open_options_add_tokenizer (&self.open, context);
  cli_open_options_add_expansion (&self.open, context);
  cli_model_text_add_entries (&self.text, context);
  int status = cli_parse_options (context, entries, arguments, &self.text.part, &files);
  if (status == 0)
    status = cli_format_parse (written_format, &format);
  if (status == 0)
    status = cli_view_options_parse (&self.view);
  if (status == 0 && cli_pairs_is_empty (&self.pairs))
    return cli_print_misuse (_ ("find-heads needs --pair QUERY:KEY or --pairs FILE"));
  if (status == 0 && attention != NULL && !hl_attention_kind_from_name (attention, &self.kind))
    return cli_print_misuse (_ ("--block cannot be “%s”; it is one of attention, encoder, decoder, cross"), attention);
  if (status == 0)
    status = cli_check_source (files[0], &self.text, &self.open);
  if (status != 0)
    return status;

  self.wanted = wanted;
  self.attention_name = attention;
  CliJob job = { .work = collect, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status != 0)
    return status;
  if (vectors)
    {
      print_vectors (&self, format);
      return 0;
    }
  if (format == CLI_FORMAT_JSON)
    {
      print_json (&self);
      return 0;
    }
  if (format == CLI_FORMAT_TABLE)
    print_pairs (&self);
  print_rows (&self, format);
  return 0;
}

const CliCommand cli_find_heads = {
  "find-heads",
  N_ ("find-heads SOURCE --pair QUERY:KEY"),
  N_ ("heads ranked by the weight between words"),
  run_find_heads,
};
