/* SPDX-License-Identifier: MIT */
/* headlight-cli compare: which heads of two sources differ most, for people, tables or programs. */
#include "cli/cli-commands.h"
#include "cli/base/cli-other-side.h"
#include "cli/base/cli-table.h"
#include "cli/base/cli-text.h"
#include "cli/base/cli-view-options.h"
#include "core/analysis/hl-head-changes.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdio.h>

typedef struct
{
  const char *attention;
  const char *layer_name; /* of what is made of several */
  const char *head_name;
  HlHeadChange change;
} Row;

typedef struct
{
  char *wanted; /* name or number of the example */
  CliModelText text;
  CliOpenOptions open;
  CliOtherSide other;
  CliViewOptions view;
  GArray *rows;       /* (element-type Row) */
  GString *alignment; /* what tokens both sides have */
  GPtrArray *notes;   /* (element-type utf8): which attentions are left out, and why */
} Compare;

static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  const double x = ((const Row *) a)->change.divergence;
  const double y = ((const Row *) b)->change.divergence;

  if (isnan (x) || isnan (y))
    return isnan (x) - isnan (y);
  return (x < y) - (x > y);
}

static gboolean
is_searched (HlComparison *comparison)
{
  return hl_token_alignment_is_searched (hl_comparison_get_alignment (comparison, HL_QUERIES)) &&
         hl_token_alignment_is_searched (hl_comparison_get_alignment (comparison, HL_KEYS));
}

static void
describe_alignment (Compare      *self,
                    const char   *attention,
                    HlComparison *comparison)
{
  const HlHeadCommon queries = hl_head_changes_count (comparison, HL_QUERIES);
  const HlHeadCommon keys = hl_head_changes_count (comparison, HL_KEYS);

  g_string_append_printf (self->alignment,
                          _ ("%s: %zu of %zu and %zu queries are in both, and %zu of %zu and %zu keys\n"), attention,
                          queries.n_common, queries.n_a, queries.n_b, keys.n_common, keys.n_a, keys.n_b);
  if (!is_searched (comparison))
    g_string_append_printf (self->alignment,
                            _ ("%s: the texts are too long and too different to be aligned; only their beginnings and "
                               "ends are compared\n"),
                            attention);
}

/* What one attention lacks, another may have: why it is left out is in @lacking. */
static gboolean
compare_attentions (Compare     *self,
                    CliJob      *job,
                    HlAttention *a,
                    HlAttention *b,
                    GError     **lacking,
                    GError     **error)
{
  const char *name = hl_attention_kind_get_name (hl_attention_get_kind (a));
  g_autoptr (HlAttentionSource) source_a = NULL;
  g_autoptr (HlAttentionSource) source_b = NULL;
  g_autoptr (HlAttention) derived_a = NULL;
  g_autoptr (HlAttention) derived_b = NULL;

  if (!cli_other_side_check_heads (&self->other, job, b, error))
    return FALSE;
  if (!cli_view_options_derive (&self->view, a, &derived_a, &source_a, lacking))
    return TRUE;
  if (!cli_view_options_derive (&self->view, b, &derived_b, &source_b, lacking))
    {
      g_prefix_error (lacking, "“%s”: ", self->other.file);
      return TRUE;
    }
  /* What is made of several corresponds to what is made likewise. */
  const HlHeadPairing pairing = { hl_attention_get_layer_name (derived_b) != NULL ? -1 : self->other.layer,
                                  hl_attention_get_head_name (derived_b) != NULL ? -1 : self->other.head };
  g_autoptr (HlComparison) comparison = hl_comparison_new (derived_a, source_a, derived_b, source_b, &pairing, NULL);
  g_autoptr (GArray) changes = hl_head_changes_compute (comparison, job->cancellable, error);
  if (changes == NULL)
    return FALSE;
  describe_alignment (self, name, comparison);
  for (guint i = 0; i < changes->len; i++)
    {
      const Row row = { name, hl_attention_get_layer_name (derived_a), hl_attention_get_head_name (derived_a),
                        g_array_index (changes, HlHeadChange, i) };
      g_array_append_val (self->rows, row);
    }
  return TRUE;
}

static gboolean
collect (CliJob  *job,
         GError **error)
{
  Compare *self = job->data;
  g_autoptr (HlDocument) document = cli_load_document (job, &self->text, &self->open, error);
  g_autoptr (GError) lacking = NULL;
  guint n_compared = 0;

  if (document == NULL)
    return FALSE;
  g_autoptr (HlExample) example = cli_load_example (job, document, self->wanted, error);
  if (example == NULL)
    return FALSE;
  g_autoptr (HlExample) other = cli_other_side_load (&self->other, job, &self->open, self->wanted, NULL, error);
  if (other == NULL)
    return FALSE;
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *a = hl_example_get_attention (example, i);
      HlAttention *b = hl_comparison_find_attention (example, a, other);

      if (b == NULL)
        continue;
      g_clear_error (&lacking);
      if (!compare_attentions (self, job, a, b, &lacking, error))
        return FALSE;
      if (lacking == NULL)
        n_compared++;
      else
        g_ptr_array_add (self->notes,
                         g_strdup_printf (_ ("“%s” is left out: %s"),
                                          hl_attention_kind_get_name (hl_attention_get_kind (a)), lacking->message));
    }
  g_array_sort (self->rows, compare_rows);
  if (n_compared > 0)
    return TRUE;
  if (lacking != NULL)
    g_propagate_error (error, g_steal_pointer (&lacking));
  else
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” has no attention of the same kind"), self->other.file);
  return FALSE;
}

static CliTable *
make_table (const Compare *self)
{
  static const struct
  {
    const char *name;
    int width;
    int digits;
  } columns[] = {
    { "block", -9, 0 },      { "layer", 5, 0 },   { "head", 5, 0 },        { "other-layer", 11, 0 },
    { "other-head", 10, 0 }, { "queries", 7, 0 }, { "divergence", 10, 6 }, { "distance", 9, 6 },
  };
  CliTable *table = cli_table_new ();

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    cli_table_add_column (table, columns[i].name, NULL, columns[i].width, columns[i].digits);
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);
      const HlHeadChange *change = &row->change;

      cli_table_add_string (table, row->attention);
      cli_table_add_index (table, row->layer_name, change->layer);
      cli_table_add_index (table, row->head_name, change->head);
      cli_table_add_index (table, row->layer_name, change->other_layer);
      cli_table_add_index (table, row->head_name, change->other_head);
      cli_table_add_integer (table, change->n_queries);
      cli_table_add_real (table, change->divergence);
      cli_table_add_real (table, change->distance);
    }
  return table;
}

static void
compare_clear (Compare *self)
{
  g_free (self->wanted);
  g_array_unref (self->rows);
  g_string_free (self->alignment, TRUE);
  g_ptr_array_unref (self->notes);
  cli_model_text_clear (&self->text);
  cli_open_options_clear (&self->open);
  cli_view_options_clear (&self->view);
  cli_other_side_clear (&self->other);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Compare, compare_clear)

static int
run_compare (char **arguments)
{
  g_autofree char *written_format = NULL;
  g_auto (GStrv) files = NULL;
  g_auto (Compare) self = { .rows = g_array_new (FALSE, FALSE, sizeof (Row)),
                            .alignment = g_string_new (NULL),
                            .notes = g_ptr_array_new_with_free_func (g_free),
                            .other = CLI_OTHER_SIDE_INIT };
  CliModelPart *const parts[] = { &self.text.part, &self.other.model_text.part };
  const GOptionEntry entries[] = {
    CLI_FORMAT_ENTRY (&written_format),
    { "example", 0, 0, G_OPTION_ARG_STRING, &self.wanted,
      N_ ("Which example, if the file has several; the first otherwise"), N_ ("NAME|N") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  CliFormat format;

  g_option_context_set_summary (context, _ ("Prints the heads of SOURCE that differ most from those of a second "
                                            "source, or from other heads of its own. Tokens of both are "
                                            "aligned; the divergence is Jensen and Shannon's in bits, 0 to 1, mean "
                                            "over the queries that both have, of what they give to the "
                                            "keys that both have; the distance is its square root."));
  cli_other_side_add_entries (&self.other, context);
  cli_view_options_add_quantity (&self.view, context);
  cli_open_options_add_entries (&self.open, context);
  cli_open_options_add_tokenizer (&self.open, context);
  cli_open_options_add_expansion (&self.open, context);
  cli_model_text_add_entries (&self.text, context);
  int status = cli_parse_sources (context, entries, arguments, 2, parts, &files);
  if (status == 0)
    status = cli_format_parse (written_format, &format);
  if (status == 0)
    status = cli_view_options_parse (&self.view);
  if (status == 0)
    {
      self.other.file = g_strdup (files[1]);
      if (cli_other_side_is_empty (&self.other))
        return cli_print_misuse (_ ("compare needs a second file, or one of the options that begin with --other"));
      self.text.has_other_text = cli_other_side_has_text (&self.other);
      status = cli_check_source (files[0], &self.text, &self.open);
    }
  const HlLens lens = cli_view_options_get_lens (&self.view);
  if (status == 0)
    status = cli_other_side_check_made (&self.other, &lens);
  if (status == 0)
    status = cli_other_side_parse (&self.other, files[0], &self.text);
  if (status != 0)
    return status;

  CliJob job = { .work = collect, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status == 0)
    {
      g_autoptr (CliTable) table = make_table (&self);
      if (format == CLI_FORMAT_TABLE)
        cli_print_text (self.alignment->str);
      cli_table_print (table, format);
      for (guint i = 0; i < self.notes->len; i++)
        cli_print_note (g_ptr_array_index (self.notes, i));
    }
  return status;
}

const CliCommand cli_compare = {
  "compare",
  N_ ("compare SOURCE [SOURCE]"),
  N_ ("the heads that differ most in two sources, or from one another"),
  run_compare,
};
