/* SPDX-License-Identifier: MIT */
/* headlight-cli probe: heads held against annotated dependencies and mentions. */
#include "cli/cli-commands.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-table.h"
#include "cli/base/cli-text.h"
#include "cli/base/cli-view-options.h"
#include "core/analysis/corpus/hl-probe-run.h"
#include "core/base/file/hl-file-argument.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define COLUMN 11

/* What rows are called that are of no relation. */
#define ALL "all"
#define COREFERENCE "coreference"

typedef struct
{
  const char *annotations;
  const char *relation;
  CliOpenOptions open;
  CliModelText none;
  CliViewOptions view;
  const char *layer_name; /* of what is made of several */
  const char *head_name;
  HlProbe *probe;
  guint row; /* that of the relation */
  CliFormat format;
} Probe;

static gboolean
is_of_mentions (const Probe *self)
{
  return g_strcmp0 (self->relation, COREFERENCE) == 0;
}

static gboolean
find_relation (Probe   *self,
               GError **error)
{
  const gboolean wants_mentions = is_of_mentions (self);

  if (self->relation == NULL || (wants_mentions && hl_probe_get_n_mentions (self->probe) > 0) ||
      (!wants_mentions && g_str_equal (self->relation, ALL)) ||
      (!wants_mentions && hl_probe_find_relation (self->probe, self->relation, &self->row)))
    return TRUE;
  if (wants_mentions)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("no mention has an antecedent"));
  else
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("no word has the relation “%s”"), self->relation);
  return FALSE;
}

/* Who is stopped has that much. */
static void
keep_so_far (HlProbe *so_far,
             gpointer data)
{
  Probe *self = data;

  g_clear_pointer (&self->probe, hl_probe_free);
  self->probe = so_far;
}

/* Keeps the whole in place of the part. */
static gboolean
take_probe (Probe   *self,
            HlProbe *whole)
{
  if (whole != NULL)
    keep_so_far (whole, self);
  return whole != NULL;
}

static gboolean
derive (HlExample          *example,
        guint               index,
        HlAttention       **attention,
        HlAttentionSource **source,
        gpointer            data,
        GError            **error)
{
  Probe *self = data;

  if (!cli_view_options_derive (&self->view, hl_example_get_attention (example, index), attention, source, error))
    return FALSE;
  /* The same of all texts, and strings that stay. */
  g_atomic_pointer_set (&self->layer_name, hl_attention_get_layer_name (*attention));
  g_atomic_pointer_set (&self->head_name, hl_attention_get_head_name (*attention));
  return TRUE;
}

static gboolean
collect (CliJob  *job,
         GError **error)
{
  Probe *self = job->data;
  const char *source = job->file;
  g_autoptr (GFile) file = hl_file_new_for_argument (source);
  g_autoptr (HlConllu) sentences = NULL;
  gboolean done = FALSE;

  if (self->annotations != NULL)
    {
      g_autoptr (GFile) annotations = hl_file_new_for_argument (self->annotations);
      job->file = self->annotations;
      sentences = hl_conllu_load (annotations, job->cancellable, error);
      if (sentences == NULL)
        return FALSE;
      job->file = source;
    }
  if (hl_model_is_model (file))
    {
      g_autoptr (HlModel) model = cli_model_part_load (&self->none.part, file, error);
      if (model != NULL)
        done = take_probe (self, hl_probe_run_model (model, sentences, job->progress, derive, keep_so_far, self,
                                                     job->cancellable, error));
    }
  else
    {
      g_autoptr (HlDocument) document = cli_load_document (job, &self->none, &self->open, error);
      if (document != NULL)
        done = take_probe (self, hl_probe_run_document (document, NULL, 0, sentences, job->progress, derive,
                                                        keep_so_far, self, job->cancellable, error));
    }
  return done && find_relation (self, error);
}

static void
get_place (const HlProbe *probe,
           guint          index,
           guint         *layer,
           guint         *head)
{
  for (*layer = 0, *head = index; *head >= hl_probe_get_n_heads (probe, *layer); (*layer)++)
    *head -= hl_probe_get_n_heads (probe, *layer);
}

static void
add_head (CliTable    *table,
          const Probe *self,
          guint        index)
{
  guint layer, head;

  get_place (self->probe, index, &layer, &head);
  cli_table_add_index (table, self->layer_name, layer);
  cli_table_add_index (table, self->head_name, head);
}

/* A row for each head, of one relation. */
static CliTable *
make_heads (const Probe *self)
{
  const HlProbe *probe = self->probe;
  const gboolean of_mentions = is_of_mentions (self);
  CliTable *table = cli_table_new ();
  guint index = 0;

  cli_table_add_column (table, "layer", NULL, 5, 0);
  cli_table_add_column (table, "head", NULL, 5, 0);
  cli_table_add_column (table, "n", NULL, 8, 0);
  if (of_mentions)
    cli_table_add_column (table, "accuracy", NULL, COLUMN, 4);
  else
    {
      cli_table_add_column (table, "dependent", NULL, COLUMN, 4);
      cli_table_add_column (table, "governor", NULL, COLUMN, 4);
    }
  for (guint layer = 0; layer < hl_probe_get_n_layers (probe); layer++)
    for (guint head = 0; head < hl_probe_get_n_heads (probe, layer); head++, index++)
      {
        add_head (table, self, index);
        cli_table_add_integer (table,
                               of_mentions ? hl_probe_get_n_mentions (probe) : hl_probe_get_n (probe, self->row));
        if (of_mentions)
          cli_table_add_real (table, hl_probe_get_coreference (probe, index));
        for (HlProbeSide side = 0; side < HL_N_PROBE_SIDES && !of_mentions; side++)
          cli_table_add_real (table, hl_probe_get_accuracy (probe, self->row, side, index));
      }
  return table;
}

static int
compare_relations (gconstpointer a,
                   gconstpointer b,
                   gpointer      data)
{
  const guint first = *(const guint *) a, second = *(const guint *) b;
  const guint64 n_first = hl_probe_get_n (data, first), n_second = hl_probe_get_n (data, second);

  /* All together come first, then what there is most of. */
  if (first == HL_PROBE_ALL || second == HL_PROBE_ALL || n_first == n_second)
    return first < second ? -1 : first > second;
  return n_first > n_second ? -1 : 1;
}

static void
add_relation (CliTable    *table,
              const Probe *self,
              guint        relation)
{
  const HlProbe *probe = self->probe;
  const char *name = hl_probe_get_relation (probe, relation);
  HlProbeSide side;
  guint head;
  int offset;

  if (!hl_probe_find_best (probe, relation, &side, &head))
    return;
  const double baseline = hl_probe_get_baseline (probe, relation, &offset);
  g_autofree char *written = g_strdup_printf ("%+d", offset);
  cli_table_add_string (table, name != NULL ? name : ALL);
  cli_table_add_integer (table, hl_probe_get_n (probe, relation));
  add_head (table, self, head);
  cli_table_add_string (table, side == HL_PROBE_DEPENDENT ? "dependent" : "governor");
  cli_table_add_real (table, hl_probe_get_accuracy (probe, relation, side, head));
  cli_table_add_string (table, written);
  cli_table_add_real (table, baseline);
}

static void
add_mentions (CliTable    *table,
              const Probe *self)
{
  const HlProbe *probe = self->probe;
  const char *const rules[] = { "nearest", "same word" };
  const double baselines[] = { hl_probe_get_nearest (probe), hl_probe_get_same_word (probe) };
  guint head;

  if (!hl_probe_find_best_coreference (probe, &head))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      cli_table_add_string (table, COREFERENCE);
      cli_table_add_integer (table, hl_probe_get_n_mentions (probe));
      add_head (table, self, head);
      cli_table_add_string (table, "mention");
      cli_table_add_real (table, hl_probe_get_coreference (probe, head));
      cli_table_add_string (table, rules[i]);
      cli_table_add_real (table, baselines[i]);
    }
}

/* A row for each relation, with the head that is best at it. */
static CliTable *
make_relations (const Probe *self)
{
  const HlProbe *probe = self->probe;
  const guint n = hl_probe_get_n_relations (probe);
  g_autofree guint *order = g_new (guint, MAX (n, 1));
  CliTable *table = cli_table_new ();

  cli_table_add_column (table, "relation", NULL, -14, 0);
  cli_table_add_column (table, "n", NULL, 8, 0);
  cli_table_add_column (table, "layer", NULL, 5, 0);
  cli_table_add_column (table, "head", NULL, 5, 0);
  cli_table_add_column (table, "attends", NULL, -10, 0);
  cli_table_add_column (table, "accuracy", NULL, 9, 4);
  cli_table_add_column (table, "rule", NULL, 9, 0);
  cli_table_add_column (table, "baseline", NULL, 9, 4);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) n, sizeof *order, compare_relations, (gpointer) probe);
  for (guint i = 0; i < n; i++)
    add_relation (table, self, order[i]);
  add_mentions (table, self);
  return table;
}

/* Of rows of all relations, those of dependencies come first, where there are any. */
static guint
get_n_texts (const Probe *self)
{
  const guint n = hl_probe_get_n_texts_of (self->probe, HL_PROBE_DEPENDENCIES);

  return is_of_mentions (self) || n == 0 ? hl_probe_get_n_texts_of (self->probe, HL_PROBE_COREFERENCE) : n;
}

static void
print_texts (const Probe *self)
{
  const guint n = get_n_texts (self), n_documents = hl_probe_get_n_texts_of (self->probe, HL_PROBE_COREFERENCE);

  g_print (g_dngettext (GETTEXT_PACKAGE, "over %u text", "over %u texts", n), n);
  g_print ("\n");
  if (self->relation != NULL || hl_probe_get_n_mentions (self->probe) == 0 || n_documents == n)
    return;
  g_print (g_dngettext (GETTEXT_PACKAGE, "%s is over %u text", "%s is over %u texts", n_documents), COREFERENCE,
           n_documents);
  g_print ("\n");
}

/* What the rows are of, for people; and what they are not of, for all. */
static void
print_sums (const Probe *self)
{
  const gulong n_left_out = (gulong) hl_probe_get_n_left_out (self->probe);

  if (self->format == CLI_FORMAT_TABLE)
    print_texts (self);
  if (n_left_out == 0)
    return;
  g_autofree char *note =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%lu word without tokens of its own, or of its head, is left out",
                                  "%lu words without tokens of their own, or of their heads, are left out", n_left_out),
                     n_left_out);
  cli_print_note (note);
}

static void
print_all (const Probe *self)
{
  g_autoptr (CliTable) table = self->relation != NULL ? make_heads (self) : make_relations (self);

  print_sums (self);
  cli_table_print (table, self->format);
}

static void
show_so_far (CliJob *job)
{
  Probe *self = job->data;
  const guint n = self->probe != NULL ? get_n_texts (self) : 0;
  g_autofree char *note =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "interrupted after %u text; the numbers are of this one",
                                  "interrupted after %u texts; the numbers are of these", n),
                     n);

  if (n == 0 || !find_relation (self, NULL))
    {
      cli_print_note (_ ("interrupted before there was anything to tell"));
      return;
    }
  print_all (self);
  cli_print_note (note);
}

static void
probe_clear (Probe *self)
{
  g_clear_pointer (&self->probe, hl_probe_free);
  cli_view_options_clear (&self->view);
  cli_open_options_clear (&self->open);
  cli_model_text_clear (&self->none);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Probe, probe_clear)

static int
run_probe (char **arguments)
{
  g_autofree char *written_format = NULL;
  g_autofree char *annotations = NULL;
  g_autofree char *relation = NULL;
  g_autofree char *image = NULL;
  g_autofree char *pixels = NULL;
  g_auto (GStrv) files = NULL;
  g_auto (Probe) self = { 0 };
  const GOptionEntry entries[] = {
    CLI_FORMAT_ENTRY (&written_format),
    { "annotations", 0, 0, G_OPTION_ARG_FILENAME, &annotations,
      N_ ("Sentences in CoNLL-U; those in a file of attention itself otherwise"), N_ ("FILE") },
    { "relation", 0, 0, G_OPTION_ARG_STRING, &relation,
      N_ ("Of which relation, all or coreference, to print a row for each head"), N_ ("NAME") },
    /* Other commands have them, so that it is said why this has not. */
    { "image", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &image, NULL, NULL },
    { "pixels", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &pixels, NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (
    context,
    _ ("Holds the heads of SOURCE against annotated sentences, as Clark et al. 2019: how often a word attends most to "
       "the "
       "word it depends on, or is attended to most by it, and how often a mention attends most to an antecedent. "
       "Prints for "
       "each relation the best head beside what the best simple rule finds: a fixed offset, the nearest mention, or "
       "the nearest one with the same head word."));
  cli_view_options_add_quantity (&self.view, context);
  cli_open_options_add_entries (&self.open, context);
  cli_open_options_add_expansion (&self.open, context);
  cli_model_part_add_entries (&self.none.part, context);
  int status = cli_parse_options (context, entries, arguments, &self.none.part, &files);
  if (status == 0)
    status = cli_format_parse (written_format, &self.format);
  if (status == 0)
    status = cli_view_options_parse (&self.view);
  if (status == 0)
    status = cli_open_options_parse (&self.open, &self.none);
  if (status == 0)
    status = cli_model_part_parse (&self.none.part, "stop-after-layer");
  if (status != 0)
    return status;
  if (image != NULL || pixels != NULL)
    return cli_print_misuse (
      _ ("%s holds heads against words that depend on one another, which images do not have: it takes no --image and "
         "no --pixels"),
      arguments[0]);
  g_autoptr (GFile) source = hl_file_new_for_argument (files[0]);
  const gboolean is_model = hl_model_is_model (source);
  if (is_model && !cli_open_options_is_empty (&self.open))
    return cli_print_misuse (_ ("“%s” is a model: --dataset, --axes, --tokens and --softmax are for files"), files[0]);
  if (!is_model && self.none.part.n_layers > 0)
    return cli_print_misuse (_ ("“%s” is no model: --stop-after-layer is for models"), files[0]);
  if (is_model && annotations == NULL)
    return cli_print_misuse (_ ("“%s” is a model, which needs --annotations"), files[0]);

  self.annotations = annotations;
  self.relation = relation;
  CliJob job = { .work = collect, .show_so_far = show_so_far, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status != 0)
    return status;
  print_all (&self);
  return 0;
}

const CliCommand cli_probe = {
  "probe",
  N_ ("probe SOURCE --annotations FILE"),
  N_ ("heads that follow dependencies and mentions"),
  run_probe,
};
