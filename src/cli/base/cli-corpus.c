/* SPDX-License-Identifier: MIT */
/* Numbers over many texts: lines that a model reads, annotated sentences, examples of a file. */
#include "cli/base/cli-corpus.h"

#include "cli/base/cli-source.h"
#include "cli/base/cli-text.h"
#include "core/base/file/hl-file-argument.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Wide enough for a mean and a spread in brackets. */
#define COLUMN 17

/* What the work on a text is told. */
typedef struct
{
  CliCorpus *self;
  const CliViewOptions *view;
} Measure;

void
cli_corpus_add_entries (CliCorpus      *self,
                        GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "texts", 0, 0, G_OPTION_ARG_FILENAME, &self->texts,
      N_ ("Means over texts, a line each or two with a tab between them, that a model reads"), N_ ("FILE") },
    { "examples", 0, 0, G_OPTION_ARG_STRING, &self->examples, N_ ("Means over several examples of a file"),
      N_ ("all|NAME|N,…") },
    { "annotations", 0, 0, G_OPTION_ARG_FILENAME, &self->annotations,
      N_ ("Sentences in CoNLL-U, for dependency and coreference; without --texts they are what a model reads"),
      N_ ("FILE") },
    { "relation", 0, 0, G_OPTION_ARG_STRING, &self->relation, N_ ("Of which relation dependency is; of all otherwise"),
      N_ ("NAME") },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* Returns whether one text is meant. */
gboolean
cli_corpus_is_empty (const CliCorpus *self)
{
  return self->texts == NULL && self->examples == NULL && self->annotations == NULL;
}

/* Holds the options against the source; @option is the one that names numbers. What is wrong is said on standard error. Returns 0, or the exit status for wrong usage. */
int
cli_corpus_check (CliCorpus      *self,
                  const char     *file,
                  CliOpenOptions *open,
                  HlHeadNumberSet wanted,
                  const char     *option)
{
  g_autoptr (GFile) source = hl_file_new_for_argument (file);
  const gboolean is_model = hl_model_is_model (source);

  if (self->texts != NULL && !is_model)
    return cli_print_misuse (_ ("“%s” is no model: --texts is for models"), file);
  if (self->examples != NULL && *self->examples == '\0')
    return cli_print_misuse (_ ("--examples is empty"));
  if (self->examples != NULL && is_model)
    return cli_print_misuse (_ ("“%s” is a model: --examples is for files"), file);
  if (is_model && !cli_open_options_is_empty (open))
    return cli_print_misuse (_ (
                               "“%s” is a model: --dataset, --axes, --tokens, --tokenizer and --softmax are for files"),
                             file);
  if (self->relation != NULL && !(wanted & HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_DEPENDENCY)))
    return cli_print_misuse (_ ("--relation needs dependency as %s"), option);
  /* Else they are what the model reads. */
  if (self->annotations != NULL && (self->texts != NULL || !is_model) && !(wanted & HL_PROBE_NUMBERS))
    return cli_print_misuse (_ ("--annotations needs dependency or coreference as %s"), option);
  return 0;
}

static gboolean
is_in (const GArray *examples,
       guint         index)
{
  for (guint i = 0; i < examples->len; i++)
    if (g_array_index (examples, guint, i) == index)
      return TRUE;
  return FALSE;
}

/* Each once, however often it is named. */
static GArray *
find_examples (HlDocument *document,
               const char *wanted,
               GError    **error)
{
  g_auto (GStrv) names = g_strsplit (wanted, ",", -1);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; names[i] != NULL; i++)
    {
      guint index;
      if (!cli_find_example (document, g_strstrip (names[i]), &index, error))
        return NULL;
      if (!is_in (found, index))
        g_array_append_val (found, index);
    }
  return g_steal_pointer (&found);
}

static HlCorpus *
open_texts (CliCorpus *self,
            CliJob    *job,
            GError   **error)
{
  /* What goes wrong from now on is of a line. */
  job->file = self->texts != NULL ? self->texts : self->annotations;
  if (self->texts == NULL)
    return hl_corpus_new_for_sentences (self->model, self->sentences, error);
  g_autoptr (GFile) file = hl_file_new_for_argument (self->texts);
  g_autoptr (HlTextList) texts = hl_text_list_load (file, job->cancellable, error);
  return texts != NULL ? hl_corpus_new_for_texts (self->model, texts, error) : NULL;
}

static const guint *
get_chosen (const CliCorpus *self)
{
  return self->chosen != NULL ? (const guint *) (gconstpointer) self->chosen->data : NULL;
}

static HlCorpus *
open_examples (CliCorpus *self,
               GError   **error)
{
  if (self->examples != NULL && !g_str_equal (self->examples, "all") &&
      (self->chosen = find_examples (self->document, self->examples, error)) == NULL)
    return NULL;
  return hl_corpus_new_for_examples (self->document, get_chosen (self), self->chosen != NULL ? self->chosen->len : 0);
}

static HlConllu *
load_annotations (CliCorpus *self,
                  CliJob    *job,
                  GError   **error)
{
  const char *source = job->file;
  g_autoptr (GFile) file = hl_file_new_for_argument (self->annotations);

  job->file = self->annotations;
  HlConllu *sentences = hl_conllu_load (file, job->cancellable, error);
  if (sentences != NULL)
    job->file = source;
  return sentences;
}

/* What is derived of an attention, as the options say. */
static gboolean
derive (HlExample          *example,
        guint               index,
        HlAttention       **attention,
        HlAttentionSource **source,
        gpointer            data,
        GError            **error)
{
  const CliViewOptions *view = ((const Measure *) data)->view;
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  hl_view_state_set_attention (state, hl_example_get_attention (example, index));
  return hl_state_texts_apply (&view->written, state, error) &&
         cli_view_options_measure (state, attention, source, error);
}

/* Those of tokens: words are put together when they are held against annotations. */
static gboolean
derive_tokens (HlExample          *example,
               guint               index,
               HlAttention       **attention,
               HlAttentionSource **source,
               gpointer            data,
               GError            **error)
{
  const CliViewOptions *view = ((const Measure *) data)->view;
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  hl_view_state_set_attention (state, hl_example_get_attention (example, index));
  if (!hl_state_texts_apply (&view->written, state, error))
    return FALSE;
  hl_view_state_set_option (state, words, FALSE);
  return cli_view_options_measure (state, attention, source, error);
}

static gboolean
is_derived (const CliViewOptions *view)
{
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    if (view->written.texts[i] != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
find_relation (CliCorpus *self,
               GError   **error)
{
  if (self->relation == NULL || hl_probe_find_relation (self->probe, self->relation, &self->row))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("no word has the relation “%s”"), self->relation);
  return FALSE;
}

/* Opens what the options name. */
gboolean
cli_corpus_open (CliCorpus      *self,
                 CliJob         *job,
                 CliOpenOptions *open,
                 GError        **error)
{
  const char *source = job->file;
  g_autoptr (GFile) file = hl_file_new_for_argument (source);
  CliModelText none = { NULL };

  if (self->annotations != NULL && (self->sentences = load_annotations (self, job, error)) == NULL)
    return FALSE;
  if (hl_model_is_model (file))
    self->model = cli_model_part_load (self->part, file, error);
  else
    self->document = cli_load_document (job, &none, open, error);
  if (self->model == NULL && self->document == NULL)
    return FALSE;
  self->corpus = self->model != NULL ? open_texts (self, job, error) : open_examples (self, error);
  if (self->corpus == NULL)
    return FALSE;
  job->file = source;
  return TRUE;
}

/* Who is stopped has that much. */
static void
keep_so_far (HlCorpusNumbers *so_far,
             gpointer         data)
{
  CliCorpus *self = ((Measure *) data)->self;

  g_clear_pointer (&self->numbers, hl_corpus_numbers_unref);
  self->numbers = hl_corpus_numbers_ref (so_far);
}

static gboolean
run_probe (CliCorpus *self,
           CliJob    *job,
           Measure   *measure,
           GError   **error)
{
  const HlCorpusDerive how = is_derived (measure->view) ? derive_tokens : NULL;

  if (self->model == NULL)
    self->probe = hl_probe_run_document (self->document, get_chosen (self),
                                         self->chosen != NULL ? self->chosen->len : 0, self->sentences, job->progress,
                                         how, NULL, measure, job->cancellable, error);
  else if (self->sentences != NULL)
    self->probe =
      hl_probe_run_model (self->model, self->sentences, job->progress, how, NULL, measure, job->cancellable, error);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("dependency and coreference need --annotations"));
  return self->probe != NULL && find_relation (self, error);
}

/* Goes over the texts, which are open, also for distances between heads if that is asked; progress is that of the one and then of the other. Cancelled, @numbers has those of the texts
 * that are done. */
gboolean
cli_corpus_measure (CliCorpus      *self,
                    CliJob         *job,
                    CliViewOptions *view,
                    HlHeadNumberSet wanted,
                    gboolean        distances,
                    GError        **error)
{
  Measure measure = { self, view };
  const HlCorpusRequest request = { .wanted = wanted & ~HL_PROBE_NUMBERS,
                                    .distances = distances,
                                    .derive = is_derived (view) ? derive : NULL,
                                    .func = keep_so_far,
                                    .data = &measure };

  if ((wanted & HL_PROBE_NUMBERS) && !run_probe (self, job, &measure, error))
    return FALSE;
  if (self->model != NULL)
    job->file = self->texts != NULL ? self->texts : self->annotations;
  HlCorpusNumbers *numbers = hl_corpus_measure (self->corpus, &request, job->progress, job->cancellable, error);
  if (numbers == NULL)
    return FALSE;
  g_clear_pointer (&self->numbers, hl_corpus_numbers_unref);
  self->numbers = numbers;
  return TRUE;
}

/* The numbers of what a state shows become those over the texts. */
gboolean
cli_corpus_give (const CliCorpus *self,
                 HlViewState     *state,
                 GError         **error)
{
  const HlRange queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (state));
  HlAttention *attention = hl_view_state_get_attention (state);
  g_autoptr (HlHeadNumbers)
    means = hl_corpus_numbers_make_numbers (self->numbers, attention, queries.first, queries.n, error);
  g_autoptr (HlHeadNumbers)
    more = means != NULL && self->probe != NULL ? hl_probe_give (self->probe, self->row, attention, means) : NULL;

  if (means != NULL)
    hl_view_state_set_numbers (state, more != NULL ? more : means);
  return means != NULL;
}

static gboolean
is_probed (HlHeadStat stat)
{
  return stat == HL_HEAD_STAT_DEPENDENCY || stat == HL_HEAD_STAT_COREFERENCE;
}

static HlProbeTasks
get_task (HlHeadStat stat)
{
  return stat == HL_HEAD_STAT_DEPENDENCY ? HL_PROBE_DEPENDENCIES : HL_PROBE_COREFERENCE;
}

/* The columns of a number: one, or one for each class. */
static GArray *
list_columns (const CliCorpus *self,
              HlHeadStat       stat)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < hl_corpus_numbers_get_n_columns (self->numbers); i++)
    if (hl_corpus_numbers_get_column (self->numbers, i)->stat == stat)
      g_array_append_val (columns, i);
  return columns;
}

static void
add_titles (CliTable   *table,
            const char *nick,
            gboolean    has_spread,
            CliFormat   format)
{
  if (format == CLI_FORMAT_TABLE)
    {
      cli_table_add_column (table, nick, NULL, MAX (COLUMN, (int) strlen (nick)), 4);
      return;
    }
  g_autofree char *spread = g_strconcat (nick, "-sd", NULL);
  g_autofree char *n = g_strconcat (nick, "-n", NULL);
  cli_table_add_column (table, nick, NULL, COLUMN, 4);
  if (has_spread)
    cli_table_add_column (table, spread, NULL, COLUMN, 4);
  cli_table_add_column (table, n, NULL, COLUMN, 0);
}

static void
add_spread (CliTable           *table,
            const HlHeadSpread *spread,
            CliFormat           format)
{
  const double mean = hl_head_spread_get_mean (spread), deviation = hl_head_spread_get_deviation (spread);

  if (format == CLI_FORMAT_TABLE && spread->n > 1)
    {
      g_autofree char *cell = g_strdup_printf ("%.4f (%.4f)", mean, deviation);
      cli_table_add_string (table, cell);
      return;
    }
  cli_table_add_real (table, mean);
  if (format == CLI_FORMAT_TABLE)
    return;
  cli_table_add_real (table, deviation);
  cli_table_add_integer (table, spread->n);
}

static void
add_probed (CliTable        *table,
            const CliCorpus *self,
            HlHeadStat       stat,
            gboolean         has_words,
            guint            head,
            CliFormat        format)
{
  const gboolean of_words = get_task (stat) == HL_PROBE_DEPENDENCIES;
  guint64 n = 0;
  double accuracy = NAN;

  if (has_words && of_words)
    {
      n = hl_probe_get_n (self->probe, self->row);
      accuracy = hl_probe_get_better (self->probe, self->row, head);
    }
  else if (has_words)
    {
      n = hl_probe_get_n_mentions (self->probe);
      accuracy = hl_probe_get_coreference (self->probe, head);
    }
  cli_table_add_real (table, accuracy);
  if (format != CLI_FORMAT_TABLE)
    cli_table_add_integer (table, n);
}

static CliTable *
make_table (const CliCorpus  *self,
            const CliNumbers *numbers,
            CliFormat         format)
{
  CliTable *table = cli_table_new ();
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  cli_table_add_column (table, "block", NULL, -9, 0);
  cli_table_add_column (table, "layer", NULL, 5, 0);
  cli_table_add_column (table, "head", NULL, 5, 0);
  for (guint i = 0; i < numbers->n; i++)
    {
      GArray *own = list_columns (self, numbers->stats[i]);

      g_ptr_array_add (columns, own);
      if (is_probed (numbers->stats[i]))
        add_titles (table, numbers->nicks[i], FALSE, format);
      for (guint j = 0; j < own->len; j++)
        {
          const HlCorpusColumn *column = hl_corpus_numbers_get_column (self->numbers, g_array_index (own, guint, j));
          g_autofree char *nick = hl_corpus_column_get_nick (column);
          add_titles (table, column->word < 0 ? numbers->nicks[i] : nick, TRUE, format);
        }
    }
  for (guint i = 0; i < hl_corpus_numbers_get_n_attentions (self->numbers); i++)
    {
      HlAttention *attention = hl_corpus_numbers_get_attention (self->numbers, i);
      const gboolean has_words = self->probe != NULL && hl_probe_is_of (self->probe, attention);
      guint index = 0;

      for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
        for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++, index++)
          {
            cli_table_add_string (table, hl_attention_kind_get_name (hl_attention_get_kind (attention)));
            cli_table_add_index (table, hl_attention_get_layer_name (attention), layer);
            cli_table_add_index (table, hl_attention_get_head_name (attention), head);
            for (guint j = 0; j < numbers->n; j++)
              {
                const GArray *own = columns->pdata[j];
                if (is_probed (numbers->stats[j]))
                  add_probed (table, self, numbers->stats[j], has_words, index, format);
                for (guint k = 0; k < own->len; k++)
                  add_spread (table,
                              hl_corpus_numbers_get_spread (self->numbers, i, index, g_array_index (own, guint, k)),
                              format);
              }
          }
    }
  return table;
}

/* What was cut is said on standard error. */
void
cli_corpus_note (const CliCorpus *self)
{
  const guint n_cut = hl_corpus_numbers_get_n_cut (self->numbers);
  g_autofree char *note =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u text is longer than the model takes, and was cut",
                                  "%u texts are longer than the model takes, and were cut", n_cut),
                     n_cut);

  if (n_cut > 0)
    cli_print_note (note);
}

/* Who asks for a number that is defined nowhere is told why. */
static void
explain (const CliCorpus  *self,
         const CliNumbers *numbers)
{
  for (guint i = 0; i < hl_corpus_numbers_get_n_attentions (self->numbers); i++)
    for (guint j = 0; j < cli_numbers_get_n_explained (numbers); j++)
      {
        const char *need = hl_corpus_numbers_get_need (self->numbers, i, numbers->stats[j]);
        g_autofree char *note =
          need != NULL ? cli_numbers_explain (numbers, j, hl_corpus_numbers_get_attention (self->numbers, i), need)
                       : NULL;

        if (note != NULL)
          cli_print_note (note);
      }
}

/* Over how many texts those are that are held against annotations, where that are others than those of the means. */
static void
print_annotated (const CliCorpus  *self,
                 const CliNumbers *numbers,
                 CliFormat         format)
{
  for (guint i = 0; i < numbers->n; i++)
    {
      const guint n = self->probe != NULL && is_probed (numbers->stats[i])
                        ? hl_probe_get_n_texts_of (self->probe, get_task (numbers->stats[i]))
                        : 0;

      if (n == 0 || n == hl_corpus_numbers_get_n_texts (self->numbers))
        continue;
      /* Translators: the name of a number, as in a column’s head: “dependency is over 16 texts” */
      g_autofree char *text =
        g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s is over %u text", "%s is over %u texts", n),
                         numbers->nicks[i], n);
      if (format == CLI_FORMAT_TABLE)
        g_print ("%s\n", text);
      else
        cli_print_note (text);
    }
}

/* Prints a row for each head; over how many texts it is, people are told in front, and all what was cut, or that some are missing. */
void
cli_corpus_print (const CliCorpus  *self,
                  const CliNumbers *numbers,
                  CliFormat         format)
{
  const guint n = hl_corpus_numbers_get_n_texts (self->numbers), n_all = hl_corpus_numbers_get_n_all (self->numbers);
  g_autoptr (CliTable) table = make_table (self, numbers, format);

  if (format == CLI_FORMAT_TABLE)
    {
      g_print (g_dngettext (GETTEXT_PACKAGE, "mean over %u text",
                            "mean over %u texts, in brackets the standard deviation", n),
               n);
      g_print ("\n");
      print_annotated (self, numbers, format);
    }
  cli_table_print (table, format);
  for (HlAttentionKind kind = 0; kind <= HL_ATTENTION_CROSS; kind++)
    {
      const GError *lacking = hl_corpus_numbers_get_lacking (self->numbers, kind);
      g_autofree char *left_out =
        lacking != NULL
          ? g_strdup_printf (_ ("“%s” is left out: %s"), hl_attention_kind_get_name (kind), lacking->message)
          : NULL;
      if (left_out != NULL)
        cli_print_note (left_out);
    }
  explain (self, numbers);
  cli_corpus_note (self);
  if (n == n_all)
    return;
  g_autofree char *note =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "interrupted after %u of %u texts; the numbers are of this one",
                                  "interrupted after %u of %u texts; the numbers are of these", n),
                     n, n_all);
  cli_print_note (note);
  if (format != CLI_FORMAT_TABLE)
    print_annotated (self, numbers, format);
}

void
cli_corpus_clear (CliCorpus *self)
{
  g_free (self->texts);
  g_free (self->examples);
  g_free (self->annotations);
  g_free (self->relation);
  g_clear_object (&self->model);
  g_clear_object (&self->document);
  g_clear_pointer (&self->chosen, g_array_unref);
  g_clear_pointer (&self->sentences, hl_conllu_unref);
  g_clear_object (&self->corpus);
  g_clear_pointer (&self->numbers, hl_corpus_numbers_unref);
  g_clear_pointer (&self->probe, hl_probe_free);
}
