/* SPDX-License-Identifier: MIT */
/* headlight-cli compare: which heads of two sources differ most, for people, tables or programs. */
#include "cli/cli-commands.h"
#include "cli/cli-other-side.h"
#include "cli/cli-text.h"
#include "core/analysis/hl-head-changes.h"
#include "core/base/hl-error.h"
#include "core/source/make/hl-source-factory.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>

typedef struct
{
  const char *attention;
  HlHeadChange change;
} Row;

typedef struct
{
  char *wanted; /* name or number of the example */
  CliModelText text;
  CliOpenOptions open;
  CliOtherSide other;
  GArray *rows;       /* (element-type Row) */
  GString *alignment; /* what tokens both sides have */
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

static void
describe_alignment (Compare      *self,
                    const char   *attention,
                    HlComparison *comparison,
                    HlAttention  *a,
                    HlAttention  *b)
{
  g_string_append_printf (
    self->alignment,
    _ ("%s: %zu of %zu and %zu queries are in both, and %zu of %zu and %zu keys\n"), attention,
    hl_token_alignment_get_n_common (hl_comparison_get_queries (comparison)), hl_attention_get_n_used_queries (a),
    hl_attention_get_n_used_queries (b), hl_token_alignment_get_n_common (hl_comparison_get_keys (comparison)),
    hl_attention_get_n_used_keys (a), hl_attention_get_n_used_keys (b));
}

static gboolean
compare_attentions (Compare     *self,
                    CliJob      *job,
                    HlAttention *a,
                    HlAttention *b,
                    GError     **error)
{
  const char *name = hl_attention_kind_get_name (hl_attention_get_kind (a));
  const HlHeadPairing pairing = { self->other.layer, self->other.head };
  g_autoptr (HlAttentionSource) source_a = hl_attention_source_new_for_attention (a);
  g_autoptr (HlAttentionSource) source_b = hl_attention_source_new_for_attention (b);

  if (!cli_other_side_check_heads (&self->other, b, error))
    return FALSE;
  g_autoptr (HlComparison) comparison = hl_comparison_new (a, source_a, b, source_b, &pairing, NULL);
  g_autoptr (GArray) changes = hl_head_changes_compute (comparison, job->cancellable, error);
  if (changes == NULL)
    return FALSE;
  describe_alignment (self, name, comparison, a, b);
  for (guint i = 0; i < changes->len; i++)
    {
      const Row row = { name, g_array_index (changes, HlHeadChange, i) };
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
  gboolean found = FALSE;

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
      HlAttention *b = cli_other_side_find_attention (example, other, a);

      if (b == NULL)
        continue;
      found = TRUE;
      if (!compare_attentions (self, job, a, b, error))
        return FALSE;
    }
  if (!found)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” has no attention of the same kind"), self->other.file);
  g_array_sort (self->rows, compare_rows);
  return found;
}

static void
print_table (const Compare *self)
{
  printf ("%s%-9s %5s %5s %11s %10s %7s %10s %9s\n", self->alignment->str, "block", "layer", "head", "other-layer",
          "other-head", "queries", "divergence", "distance");
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);
      const HlHeadChange *change = &row->change;

      printf ("%-9s %5u %5u %11u %10u %7zu", row->attention, change->layer, change->head, change->other_layer,
              change->other_head, change->n_queries);
      if (isnan (change->divergence))
        printf (" %10s %9s\n", "-", "-");
      else
        printf (" %10.6f %9.6f\n", change->divergence, change->distance);
    }
}

static void
print_csv (const Compare *self)
{
  printf ("block,layer,head,other-layer,other-head,queries,divergence,distance\r\n");
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);
      const HlHeadChange *change = &row->change;

      printf ("%s,%u,%u,%u,%u,%zu,", row->attention, change->layer, change->head, change->other_layer,
              change->other_head, change->n_queries);
      if (isnan (change->divergence))
        printf (",\r\n");
      else
        printf ("%.6g,%.6g\r\n", change->divergence, change->distance);
    }
}

static void
add_json_row (JsonBuilder *builder,
              const Row   *row)
{
  const HlHeadChange *change = &row->change;
  const struct
  {
    const char *name;
    gint64 value;
  } counts[] = { { "layer", change->layer },
                 { "head", change->head },
                 { "other-layer", change->other_layer },
                 { "other-head", change->other_head },
                 { "queries", (gint64) change->n_queries } };

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "block");
  json_builder_add_string_value (builder, row->attention);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      json_builder_set_member_name (builder, counts[i].name);
      json_builder_add_int_value (builder, counts[i].value);
    }
  json_builder_set_member_name (builder, "divergence");
  if (isnan (change->divergence))
    json_builder_add_null_value (builder);
  else
    json_builder_add_double_value (builder, change->divergence);
  json_builder_set_member_name (builder, "distance");
  if (isnan (change->distance))
    json_builder_add_null_value (builder);
  else
    json_builder_add_double_value (builder, change->distance);
  json_builder_end_object (builder);
}

static void
print_json (const Compare *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  g_autoptr (JsonGenerator) generator = json_generator_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < self->rows->len; i++)
    add_json_row (builder, &g_array_index (self->rows, Row, i));
  json_builder_end_array (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  g_autofree char *text = json_generator_to_data (generator, NULL);
  printf ("%s\n", text);
}

static void
compare_clear (Compare *self)
{
  g_free (self->wanted);
  g_array_unref (self->rows);
  g_string_free (self->alignment, TRUE);
  cli_model_text_clear (&self->text);
  cli_open_options_clear (&self->open);
  cli_other_side_clear (&self->other);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Compare, compare_clear)

int
cli_compare (char **arguments)
{
  static const struct
  {
    const char *name;
    void (*print) (const Compare *self);
  } formats[] = { { "table", print_table }, { "csv", print_csv }, { "json", print_json } };
  g_autofree char *format = NULL;
  g_auto (GStrv) files = NULL;
  g_auto (Compare) self = { .rows = g_array_new (FALSE, FALSE, sizeof (Row)),
                            .alignment = g_string_new (NULL),
                            .other = CLI_OTHER_SIDE_INIT };
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &format, N_ ("How to print them; a table otherwise"), "table|csv|json" },
    { "example", 0, 0, G_OPTION_ARG_STRING, &self.wanted,
      N_ ("Which example, if the file has several; the first otherwise"), N_ ("NAME|N") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  guint chosen = 0;

  g_option_context_set_summary (context, _ ("Prints the heads of SOURCE that differ most from those of a second "
                                            "source, or from other heads of its own. Tokens of both are "
                                            "aligned; the divergence is Jensen and Shannon's in bits, 0 to 1, mean "
                                            "over the queries that both have, of what they give to the "
                                            "keys that both have; the distance is its square root."));
  cli_other_side_add_entries (&self.other, context);
  cli_open_options_add_entries (&self.open, context);
  cli_model_text_add_entries (&self.text, context);
  int status = cli_parse_sources (context, entries, arguments, 2, &files);
  while (status == 0 && format != NULL && chosen < G_N_ELEMENTS (formats) &&
         !g_str_equal (formats[chosen].name, format))
    chosen++;
  if (chosen == G_N_ELEMENTS (formats))
    return cli_print_misuse (_ ("--format cannot be “%s”; it is table, csv or json"), format);
  if (status == 0)
    {
      self.other.file = g_strdup (files[1]);
      if (cli_other_side_is_empty (&self.other))
        return cli_print_misuse (_ ("compare needs a second file, or one of the options that begin with --other"));
      status = cli_check_source (files[0], &self.text, &self.open);
    }
  if (status == 0)
    status = cli_other_side_parse (&self.other, files[0], &self.text);
  if (status != 0)
    return status;

  CliJob job = { .work = collect, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status == 0)
    formats[chosen].print (&self);
  return status;
}
