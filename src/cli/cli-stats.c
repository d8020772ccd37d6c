/* SPDX-License-Identifier: MIT */
/* headlight-cli stats: numbers that tell heads apart, for people, tables or programs. */
#include "cli/cli-commands.h"
#include "cli/base/cli-corpus.h"
#include "cli/base/cli-need.h"
#include "cli/base/cli-numbers.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-table.h"
#include "cli/base/cli-text.h"
#include "cli/base/cli-view-options.h"
#include "core/analysis/hl-head-name.h"
#include "core/analysis/hl-token-pairs.h"
#include "core/analysis/number/hl-repeated-text.h"
#include "core/base/hl-error.h"
#include "core/source/save/hl-head-csv.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Wide enough for every name and number of a table's column. */
#define COLUMN 9

/* Likewise for the names of classes. */
#define WORD 17

/* The numbers of a text that the program makes. */
#define RANDOM_TEXT                                                                                                    \
  (HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_PREVIOUS_TOKEN) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_DUPLICATE_TOKEN) |              \
   HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_INDUCTION))

typedef struct
{
  const char *wanted; /* name or number of the example */
  CliModelText text;
  CliOpenOptions open;
  CliViewOptions view;
  CliNumbers numbers;
  CliCorpus corpus;
  CliFormat format;
  gint64 seed;
  gint64 period;
  char *spans[2];        /* of each side the words of one */
  int place[2];          /* the layer and the head whose own map is wanted; below 0 for none */
  char *map;             /* that map, as CSV */
  GPtrArray *attentions; /* (element-type HlAttention): what is derived of each */
  GPtrArray *notes;      /* (element-type utf8): why numbers are not defined */
  GPtrArray *known;      /* (element-type HlHeadNumbers): what is known of the heads of each */
  gboolean has_names;    /* whether heads of weights are among them, which have names */
} Stats;

/* Who asks for a number is told why it is not defined; of spans, that they are not there is in @outside. */
static void
explain (Stats                     *self,
         const HlHeadNumberRequest *request,
         const GError              *outside)
{
  const char *name = hl_attention_kind_get_name (hl_attention_get_kind (request->attention));

  for (guint i = 0; i < cli_numbers_get_n_explained (&self->numbers); i++)
    {
      g_autoptr (GError) error = NULL;

      if (hl_head_number_check (self->numbers.stats[i], request, &error))
        continue;
      g_ptr_array_add (self->notes,
                       outside != NULL && self->numbers.stats[i] == HL_HEAD_STAT_RETRIEVAL
                         /* Translators: “encoder” has no retrieval: there is no “her” among the queries */
                         ? g_strdup_printf (_ ("“%s” has no %s: %s"), name, self->numbers.nicks[i], outside->message)
                         : cli_numbers_explain (&self->numbers, i, request->attention, error->message));
    }
}

static void
add_number (CliTable            *table,
            const HlHeadNumbers *known,
            HlHeadStat           stat,
            guint                index)
{
  const double value = hl_head_numbers_get (known, HL_HEAD_MEASURE_STATS + stat, index);
  const HlHeadNumberWord *word = hl_head_number_get_word (stat, value);

  if (word != NULL)
    cli_table_add_string (table, word->nick);
  else
    cli_table_add_real (table, value);
}

/* Beside the numbers that are usual stands what they come to: a name, and the number that tells it. */
static void
add_name (CliTable            *table,
          const HlHeadNumbers *known,
          guint                index)
{
  double value;
  const HlHeadName *name = hl_head_name_find (known, index, &value);

  if (name != NULL)
    cli_table_add_string (table, name->nick);
  else
    cli_table_add_nothing (table);
  cli_table_add_real (table, value);
}

/* Means over the queries that are known look like those over all. */
static void
tell_unknown (Stats                     *self,
              const HlHeadNumberRequest *request,
              const HlHeadNumbers       *known)
{
  const char *name = hl_attention_kind_get_name (hl_attention_get_kind (request->attention));
  guint n_maps = 0;
  gsize most = 0;

  for (guint i = 0; i < hl_head_numbers_get_n (known); i++)
    {
      const gsize n = hl_head_numbers_get_n_unknown (known, i);
      n_maps += n > 0;
      most = MAX (most, n);
    }
  if (n_maps > 0)
    g_ptr_array_add (
      self->notes,
      g_strdup_printf (
        /* Translators: “attention”: in 3 maps, queries with weights that are no numbers are left out, up to 295 of 300 */
        g_dngettext (GETTEXT_PACKAGE,
                     "“%s”: in %u map, queries with weights that are no numbers are left out, %zu of %zu",
                     "“%s”: in %u maps, queries with weights that are no numbers are left out, up to "
                     "%zu of %zu",
                     n_maps),
        name, n_maps, most, request->n_queries));
}

/* A head's own numbers: what each query has for each key, as the window exports them. */
static gboolean
read_map (Stats         *self,
          const HlShown *shown,
          GCancellable  *cancellable,
          GError       **error)
{
  const guint layer = (guint) self->place[0], head = (guint) self->place[1];

  if (layer >= hl_attention_get_n_layers (shown->attention) ||
      head >= hl_attention_get_n_heads (shown->attention, layer))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no layer %u, head %u in it"), layer, head);
      return FALSE;
    }
  const HlHeadCsv csv = { .source = shown->source,
                          .layer = layer,
                          .head = head,
                          .n_queries = hl_attention_get_n_used (shown->attention, HL_QUERIES),
                          .n_keys = hl_attention_get_n_used (shown->attention, HL_KEYS),
                          .query_tokens = hl_attention_get_tokens (shown->attention, HL_QUERIES),
                          .key_tokens = hl_attention_get_tokens (shown->attention, HL_KEYS) };
  self->map = hl_head_csv_to_string (&csv, cancellable, error);
  return self->map != NULL;
}

/* Where tokens of the document are among those that numbers are of: others may be left out, and several be one word. */
static gboolean
find_in_map (HlTokenMap *map,
             const char *text,
             HlTokenRun *run,
             GError    **error)
{
  const HlTokenRun own = *run;

  if (map == NULL)
    return TRUE;
  run->n = 0;
  for (gsize token = own.first; token < own.first + own.n; token++)
    {
      gsize index;

      if (!hl_token_map_find (map, token, &index))
        continue;
      run->first = run->n > 0 ? run->first : index;
      run->n = index + 1 - run->first;
    }
  if (run->n > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("of “%s” no token is left"), text);
  return FALSE;
}

/* The spans that retrieval is between, counted in the document, where it is asked for. What one attention does not have, another may: why is in @error. */
static void
find_spans (Stats               *self,
            HlHeadNumberRequest *request,
            GError             **error)
{
  for (HlSide side = 0; side <= HL_KEYS; side++)
    {
      HlTokenRun run;

      if (self->spans[side] == NULL)
        continue;
      if (!hl_token_run_find (request->own, side, self->spans[side], &run, error) ||
          !find_in_map (hl_attention_get_map (request->attention, side), self->spans[side], &run, error))
        return;
      request->spans[side].first = run.first;
      request->spans[side].n = run.n;
    }
}

/* Of a text that the program makes it is said which. */
static void
tell_text (Stats   *self,
           HlModel *model)
{
  if (!(cli_numbers_get_set (&self->numbers) & RANDOM_TEXT))
    return;
  const gsize period = hl_repeated_text_get_period (model, (gsize) self->period);
  g_ptr_array_add (self->notes, g_strdup_printf (_ ("the random text is 2 × %zu tokens, seed %" PRIu64), period,
                                                 (uint64_t) self->seed));
}

/* Whether the tokens that are named are in any attention: what one lacks, another may have. A map is of the first. */
static gboolean
check_tokens (Stats     *self,
              HlExample *example,
              GError   **error)
{
  const guint n = self->place[0] >= 0 ? 1 : hl_example_get_n_attentions (example);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (HlViewState) state = hl_view_state_new (example);

      hl_view_state_set_attention (state, hl_example_get_attention (example, i));
      g_clear_error (error);
      if (!hl_state_texts_apply (&self->view.written, state, NULL) ||
          cli_view_options_check_tokens (&self->view, state, error))
        return TRUE;
    }
  return n == 0;
}

static gboolean
collect (CliJob  *job,
         GError **error)
{
  Stats *self = job->data;
  g_autoptr (GError) lacking = NULL;
  g_autoptr (GError) outside = NULL;
  guint n_without_spans = 0;

  if (!cli_corpus_is_empty (&self->corpus))
    {
      if (!cli_corpus_open (&self->corpus, job, &self->open, error))
        return FALSE;
      if (self->corpus.model != NULL)
        tell_text (self, self->corpus.model);
      return cli_corpus_measure (&self->corpus, job, &self->view, cli_numbers_get_set (&self->numbers), FALSE, error);
    }
  g_autoptr (HlDocument) document = cli_load_document (job, &self->text, &self->open, error);
  if (document == NULL)
    return FALSE;
  g_autoptr (HlExample) example = cli_load_example (job, document, self->wanted, error);
  if (example == NULL || !check_tokens (self, example, error))
    return FALSE;
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      g_autoptr (HlViewState) state = hl_view_state_new (example);
      hl_view_state_set_attention (state, hl_example_get_attention (example, i));
      g_autoptr (HlAttention) attention = NULL;
      g_autoptr (HlAttentionSource) source = NULL;
      /* What one attention lacks, another may have. */
      g_clear_error (&lacking);
      if (!hl_state_texts_apply (&self->view.written, state, &lacking) ||
          !cli_view_options_measure (state, &attention, &source, &lacking))
        {
          /* A map is of the first: that of another would be taken for it. */
          if (self->place[0] >= 0)
            {
              g_propagate_error (error, g_steal_pointer (&lacking));
              return FALSE;
            }
          const HlAttentionKind kind = hl_attention_get_kind (hl_example_get_attention (example, i));
          g_ptr_array_add (self->notes, g_strdup_printf (_ ("“%s” is left out: %s"), hl_attention_kind_get_name (kind),
                                                         lacking->message));
          continue;
        }
      if (self->place[0] >= 0)
        return read_map (self, hl_view_state_get_shown (state), job->cancellable, error);
      HlHeadNumberRequest request = { .attention = attention,
                                      .source = source,
                                      .own = hl_view_state_get_attention (state),
                                      .weights = hl_view_state_get_attention_source (state),
                                      .n_queries = hl_attention_get_n_used (attention, HL_QUERIES),
                                      .call = hl_model_call_of (document),
                                      .seed = (guint64) self->seed,
                                      .period = (gsize) self->period };
      g_autoptr (HlHeadNumbers) known = hl_head_numbers_new (attention, 0, request.n_queries);
      g_clear_error (&outside);
      find_spans (self, &request, &outside);
      n_without_spans += outside != NULL;
      explain (self, &request, outside);
      if (i == 0 && request.call != NULL)
        tell_text (self, hl_model_call_get_model (request.call));
      const gboolean has_names = self->numbers.written == NULL && request.source == request.weights &&
                                 hl_attention_get_quantity (request.own) == NULL;
      const HlHeadNumberSet names = has_names ? hl_head_name_get_numbers () : 0;
      if (!hl_head_numbers_complete (&known, &request, cli_numbers_get_set (&self->numbers) | names, job->progress,
                                     job->cancellable, error))
        return FALSE;
      tell_unknown (self, &request, known);
      self->has_names |= has_names;
      g_ptr_array_add (self->attentions, g_object_ref (attention));
      g_ptr_array_add (self->known, g_steal_pointer (&known));
    }
  if (self->attentions->len > n_without_spans)
    return TRUE;
  g_propagate_error (error, self->attentions->len > 0 ? g_steal_pointer (&outside) : g_steal_pointer (&lacking));
  return FALSE;
}

/* Numbers that are of weights by what they are do not follow the quantity. */
static void
tell_weights (const Stats *self)
{
  if (hl_state_texts_get_options (&self->view.written).quantity == HL_QUANTITY_WEIGHT)
    return;
  for (guint i = 0; i < self->numbers.n; i++)
    if (hl_head_number_get (self->numbers.stats[i])->of_weights)
      {
        /* Translators: the name of a number, such as “mixing” */
        g_autofree char *sentence =
          g_strdup_printf (_ ("%s is of the weights, whatever the quantity"), self->numbers.nicks[i]);
        cli_print_note (sentence);
      }
}

static void
show_so_far (CliJob *job)
{
  const Stats *self = job->data;

  if (self->corpus.numbers != NULL)
    cli_corpus_print (&self->corpus, &self->numbers, self->format);
  else if (!cli_corpus_is_empty (&self->corpus))
    cli_print_note (_ ("interrupted before the first text was done"));
}

static CliTable *
make_table (const Stats *self)
{
  CliTable *table = cli_table_new ();

  cli_table_add_column (table, "block", NULL, -COLUMN, 0);
  cli_table_add_column (table, "layer", NULL, 5, 0);
  cli_table_add_column (table, "head", NULL, 5, 0);
  for (guint i = 0; i < self->numbers.n; i++)
    {
      const HlHeadNumberWord *words = hl_head_number_get (self->numbers.stats[i])->words;
      const int room = MAX (COLUMN, (int) strlen (self->numbers.nicks[i]));
      cli_table_add_column (table, self->numbers.nicks[i], NULL, words != NULL ? MAX (room, WORD) : room, 4);
    }
  if (self->has_names)
    {
      cli_table_add_column (table, "name", NULL, WORD, 0);
      cli_table_add_column (table, "name-number", NULL, strlen ("name-number"), 4);
    }
  for (guint i = 0; i < self->attentions->len; i++)
    {
      HlAttention *attention = g_ptr_array_index (self->attentions, i);
      const HlHeadNumbers *known = g_ptr_array_index (self->known, i);
      guint index = 0;

      for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
        for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++, index++)
          {
            cli_table_add_string (table, hl_attention_kind_get_name (hl_attention_get_kind (attention)));
            cli_table_add_index (table, hl_attention_get_layer_name (attention), layer);
            cli_table_add_index (table, hl_attention_get_head_name (attention), head);
            for (guint number = 0; number < self->numbers.n; number++)
              add_number (table, known, self->numbers.stats[number], index);
            if (self->has_names)
              add_name (table, known, index);
          }
    }
  return table;
}

static void
stats_clear (Stats *self)
{
  g_clear_pointer (&self->attentions, g_ptr_array_unref);
  g_clear_pointer (&self->known, g_ptr_array_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  cli_numbers_clear (&self->numbers);
  cli_corpus_clear (&self->corpus);
  g_free (self->map);
  g_free (self->spans[HL_QUERIES]);
  g_free (self->spans[HL_KEYS]);
  cli_view_options_clear (&self->view);
  cli_model_text_clear (&self->text);
  cli_open_options_clear (&self->open);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stats, stats_clear)

/* What options say of others that are not there. */
static int
check_needs (const Stats *self)
{
  const HlHeadNumberSet numbers = cli_numbers_get_set (&self->numbers);
  const HlLens lens = cli_view_options_get_lens (&self->view);
  const gboolean has_text = (numbers & RANDOM_TEXT) != 0;
  const gboolean has_spans = (numbers & HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_RETRIEVAL)) != 0;
  const char *text = _ ("--numbers previous-token, duplicate-token or induction");
  const CliNeed needs[] = {
    { "heads", hl_state_texts_get (&self->view.written, "heads") != NULL,
      hl_lens_merges_heads (&lens) || hl_lens_merges_layers (&lens), _ ("--combine, or --quantity rollout or flow") },
    { "seed", self->seed != 0, has_text, text },
    { "period", self->period != 0, has_text, text },
    { "queries", self->spans[HL_QUERIES] != NULL, has_spans, "--numbers retrieval" },
    { "keys", self->spans[HL_KEYS] != NULL, has_spans, "--numbers retrieval" },
  };

  return cli_needs_check (needs, G_N_ELEMENTS (needs));
}

static int
run_stats (char **arguments)
{
  g_autofree char *wanted = NULL;
  g_autofree char *written_format = NULL;
  g_auto (GStrv) files = NULL;
  g_auto (Stats) self = { .place = { -1, -1 },
                          .attentions = g_ptr_array_new_with_free_func (g_object_unref),
                          .notes = g_ptr_array_new_with_free_func (g_free),
                          .known = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_head_numbers_unref) };
  const GOptionEntry entries[] = {
    CLI_FORMAT_ENTRY (&written_format),
    { "example", 0, 0, G_OPTION_ARG_STRING, &wanted, N_ ("Which example, if the file has several; the first otherwise"),
      N_ ("NAME|N") },
    { "layer", 0, 0, G_OPTION_ARG_INT, &self.place[0],
      N_ ("With --head, that head’s own numbers: a row for each query, a column for each key; as CSV"), N_ ("N") },
    { "head", 0, 0, G_OPTION_ARG_INT, &self.place[1], N_ ("Which head of it"), N_ ("N") },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &self.seed,
      N_ ("Of the random text of previous-token, duplicate-token and induction; 0 otherwise"), N_ ("N") },
    { "period", 0, 0, G_OPTION_ARG_INT64, &self.period,
      N_ ("How many random tokens are written twice in it; 50 otherwise, or half of what the model takes"), N_ ("N") },
    { "queries", 0, 0, G_OPTION_ARG_STRING, &self.spans[HL_QUERIES],
      N_ ("Of retrieval, the tokens that look: words, or the first and the last index"), N_ ("A-B") },
    { "keys", 0, 0, G_OPTION_ARG_STRING, &self.spans[HL_KEYS], N_ ("Those that they look at, likewise"), N_ ("A-B") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (
    context, _ ("Prints a row for each layer and head of SOURCE: entropy in nats, mean distance in tokens, and the "
                "weight on the first "
                "token, on special tokens, on the previous, the next and the token itself; means over the queries. "
                "With --numbers, those that it names; without, also the name of a head whose number is clear."));
  cli_numbers_add_entries (&self.numbers, context);
  cli_corpus_add_entries (&self.corpus, context);
  cli_view_options_add_derivations (&self.view, context);
  cli_open_options_add_entries (&self.open, context);
  cli_open_options_add_tokenizer (&self.open, context);
  cli_open_options_add_expansion (&self.open, context);
  cli_model_text_add_entries (&self.text, context);
  int status = cli_parse_options (context, entries, arguments, &self.text.part, &files);
  if (status == 0)
    status = cli_format_parse (written_format, &self.format);
  if (status == 0)
    status = cli_numbers_parse (&self.numbers);
  if (status == 0 && (self.period < 0 || self.seed < 0))
    return cli_print_misuse (_ ("--seed and --period cannot be below 0"));
  if (status == 0)
    status = cli_view_options_parse (&self.view);
  const gboolean is_map = self.place[0] != -1 || self.place[1] != -1;
  if (status == 0 && is_map && (self.place[0] < 0 || self.place[1] < 0))
    return cli_print_misuse (_ ("--layer and --head go together, and are not below 0"));
  if (status == 0 && is_map && (self.format != CLI_FORMAT_CSV || self.numbers.written != NULL))
    return cli_print_misuse (
      _ ("a head’s own numbers are CSV: --layer and --head need --format csv, without --numbers"));
  const gboolean is_one = cli_corpus_is_empty (&self.corpus);
  if (status == 0 && !is_one && (!cli_model_text_is_empty (&self.text) || wanted != NULL))
    return cli_print_misuse (
      _ ("--text, --ids and --example are for one text; --texts, --examples and --annotations for several"));
  if (status == 0 && !is_one &&
      (is_map || self.seed != 0 || self.period != 0 || self.spans[0] != NULL || self.spans[1] != NULL))
    return cli_print_misuse (_ ("--layer, --head, --seed, --period, --queries and --keys are for one text"));
  if (status == 0)
    status = check_needs (&self);
  if (status == 0 && is_one && self.corpus.relation != NULL)
    return cli_print_misuse (_ ("--relation goes with --texts, --examples or --annotations"));
  if (status == 0)
    status =
      is_one ? cli_check_source (files[0], &self.text, &self.open)
             : cli_corpus_check (&self.corpus, files[0], &self.open, cli_numbers_get_set (&self.numbers), "--numbers");
  if (status == 0 && !is_one)
    status = cli_open_options_parse (&self.open, &self.text);
  if (status == 0 && !is_one)
    status = cli_model_text_parse (&self.text);
  self.corpus.part = &self.text.part;
  if (status != 0)
    return status;

  self.wanted = wanted;
  CliJob job = { .work = collect, .show_so_far = show_so_far, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status == 0)
    tell_weights (&self);
  if (status == 0 && !is_one)
    cli_corpus_print (&self.corpus, &self.numbers, self.format);
  else if (status == 0 && self.map != NULL)
    cli_print_data (self.map);
  else if (status == 0)
    {
      g_autoptr (CliTable) table = make_table (&self);
      cli_table_print (table, self.format);
    }
  for (guint i = 0; status == 0 && i < self.notes->len; i++)
    cli_print_note (g_ptr_array_index (self.notes, i));
  return status;
}

const CliCommand cli_stats = {
  "stats",
  N_ ("stats SOURCE [--format csv]"),
  N_ ("numbers that tell heads apart, a row for each"),
  run_stats,
};
