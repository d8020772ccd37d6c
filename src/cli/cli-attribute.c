/* SPDX-License-Identifier: MIT */
/* headlight-cli attribute: what heads, feed-forwards and the embedding add to the logit of a token. */
#include "cli/base/cli-aim.h"
#include "cli/cli-commands.h"
#include "cli/base/cli-table.h"
#include "cli/base/cli-text.h"
#include "core/analysis/hl-experiment-text.h"
#include "core/analysis/hl-prediction-aim.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

/* Wide enough for the name of a part, and for a number. */
#define COLUMN 12

/* Terms that people are shown; programs get all. */
#define N_SHOWN 20

typedef struct
{
  char *against;
  CliModelText text;
  CliAim aim;
  HlAttribution *attribution;
} Attribute;

static gboolean
work (CliJob  *job,
      GError **error)
{
  Attribute *self = job->data;
  guint32 other = 0;

  if (!cli_aim_load (&self->aim, job, &self->text, TRUE, error) ||
      (self->against != NULL && !hl_prediction_aim_find_token (self->aim.unembedding, self->against, &other, error)))
    return FALSE;
  self->attribution = hl_attribution_compute (self->aim.call, self->aim.unembedding, self->aim.value.position,
                                              self->aim.value.token, self->against != NULL ? (gint64) other : -1,
                                              job->cancellable, error);
  return self->attribution != NULL;
}

static const char *
get_part_name (HlAttributionPart part)
{
  static const char *const names[] = {
    [HL_ATTRIBUTION_EMBEDDING] = "embedding",
    [HL_ATTRIBUTION_HEAD] = "head",
    [HL_ATTRIBUTION_FEED_FORWARD] = "feed_forward",
    [HL_ATTRIBUTION_LINEAR] = "linear_attention",
    [HL_ATTRIBUTION_BIAS] = "bias",
  };

  return names[part];
}

static gboolean
is_of_layer (HlAttributionPart part)
{
  return part == HL_ATTRIBUTION_FEED_FORWARD || part == HL_ATTRIBUTION_LINEAR;
}

static int
compare_values (gconstpointer a,
                gconstpointer b)
{
  const double first = fabs ((*(const HlAttributionItem *const *) a)->value);
  const double second = fabs ((*(const HlAttributionItem *const *) b)->value);

  return (second > first) - (second < first);
}

/* The strongest first. */
static GPtrArray *
sort_items (const HlAttribution *attribution)
{
  GPtrArray *sorted = g_ptr_array_new ();

  for (gsize i = 0; i < attribution->n_items; i++)
    g_ptr_array_add (sorted, &attribution->items[i]);
  g_ptr_array_sort (sorted, compare_values);
  return sorted;
}

static CliTable *
make_table (const Attribute *self,
            guint            n_most)
{
  CliTable *table = cli_table_new ();
  g_autoptr (GPtrArray) sorted = sort_items (self->attribution);

  cli_table_add_column (table, "part", NULL, -COLUMN, 0);
  cli_table_add_column (table, "block", NULL, -COLUMN, 0);
  cli_table_add_column (table, "layer", NULL, 5, 0);
  cli_table_add_column (table, "head", NULL, 5, 0);
  cli_table_add_column (table, "value", NULL, COLUMN, 4);
  for (guint i = 0; i < MIN (sorted->len, n_most); i++)
    {
      const HlAttributionItem *item = g_ptr_array_index (sorted, i);
      const gboolean is_head = item->part == HL_ATTRIBUTION_HEAD;

      cli_table_add_string (table, get_part_name (item->part));
      cli_table_add_string (table, is_head ? hl_attention_kind_get_name (item->attention) : "");
      if (is_head || is_of_layer (item->part))
        cli_table_add_integer (table, item->layer);
      else
        cli_table_add_nothing (table);
      if (is_head)
        cli_table_add_integer (table, item->head);
      else
        cli_table_add_nothing (table);
      cli_table_add_real (table, item->value);
    }
  return table;
}

static void
add_json_token (JsonBuilder     *builder,
                const char      *id_member,
                const char      *member,
                const Attribute *self,
                guint32          token)
{
  g_autofree char *name = hl_prediction_aim_name_token (hl_model_call_get_model (self->aim.call), token);

  json_builder_set_member_name (builder, id_member);
  json_builder_add_int_value (builder, token);
  json_builder_set_member_name (builder, member);
  json_builder_add_string_value (builder, name);
}

static void
add_json_item (JsonBuilder             *builder,
               const HlAttributionItem *item)
{
  const gboolean is_head = item->part == HL_ATTRIBUTION_HEAD;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "part");
  json_builder_add_string_value (builder, get_part_name (item->part));
  if (is_head)
    {
      json_builder_set_member_name (builder, "block");
      json_builder_add_string_value (builder, hl_attention_kind_get_name (item->attention));
    }
  if (is_head || is_of_layer (item->part))
    {
      json_builder_set_member_name (builder, "layer");
      json_builder_add_int_value (builder, item->layer);
    }
  if (is_head)
    {
      json_builder_set_member_name (builder, "head");
      json_builder_add_int_value (builder, item->head);
    }
  json_builder_set_member_name (builder, "value");
  cli_json_add_real (builder, item->value);
  json_builder_end_object (builder);
}

static void
print_json (const Attribute *self)
{
  const HlAttribution *attribution = self->attribution;
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  g_autoptr (GPtrArray) sorted = sort_items (attribution);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "position");
  json_builder_add_int_value (builder, (gint64) attribution->position);
  add_json_token (builder, "id", "token", self, attribution->token);
  if (attribution->other >= 0)
    add_json_token (builder, "against_id", "against", self, (guint32) attribution->other);
  json_builder_set_member_name (builder, "logit");
  cli_json_add_real (builder, attribution->logit);
  json_builder_set_member_name (builder, "capped");
  json_builder_add_boolean_value (builder, attribution->is_capped);
  json_builder_set_member_name (builder, "frozen");
  json_builder_add_boolean_value (builder, attribution->is_frozen);
  json_builder_set_member_name (builder, "items");
  json_builder_begin_array (builder);
  for (guint i = 0; i < sorted->len; i++)
    add_json_item (builder, g_ptr_array_index (sorted, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  cli_print_json (builder);
}

static void
print_sentences (const Attribute *self)
{
  g_autofree char *sentence = hl_attribution_describe (self->attribution, hl_model_call_get_model (self->aim.call));
  g_autofree char *printable = cli_make_printable (sentence);
  g_autofree char *explanation = hl_attribution_explain (self->attribution);

  g_print ("%s\n", printable);
  if (explanation != NULL)
    g_print ("%s\n", explanation);
}

static void
attribute_clear (Attribute *self)
{
  g_free (self->against);
  g_clear_pointer (&self->attribution, hl_attribution_free);
  cli_aim_clear (&self->aim);
  cli_model_text_clear (&self->text);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Attribute, attribute_clear)

static int
run_attribute (char **arguments)
{
  g_autofree char *written_format = NULL;
  g_auto (GStrv) files = NULL;
  g_auto (Attribute) self = { 0 };
  const GOptionEntry entries[] = {
    CLI_FORMAT_ENTRY (&written_format),
    { "against", 0, 0, G_OPTION_ARG_STRING, &self.against, N_ ("A token whose logit is taken off"), N_ ("TOKEN") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  CliFormat format;

  g_option_context_set_summary (
    context, _ ("Prints what each head, feed-forward, the embedding and all biases of the model in SOURCE add to the "
                "logit of a token that it predicts, the strongest first. Their sum is the logit."));
  cli_aim_add_entries (&self.aim, context);
  cli_model_text_add_entries (&self.text, context);
  int status = cli_parse_options (context, entries, arguments, &self.text.part, &files);
  if (status == 0)
    status = cli_format_parse (written_format, &format);
  if (status == 0)
    status = cli_aim_check_model ("attribute", files[0]);
  if (status == 0)
    status = cli_check_source (files[0], &self.text, &(CliOpenOptions){ 0 });
  if (status != 0)
    return status;

  CliJob job = { .work = work, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status != 0)
    return status;
  if (format == CLI_FORMAT_JSON)
    {
      print_json (&self);
      return 0;
    }
  if (format == CLI_FORMAT_TABLE)
    print_sentences (&self);
  g_autoptr (CliTable) table = make_table (&self, format == CLI_FORMAT_TABLE ? N_SHOWN : G_MAXUINT);
  cli_table_print (table, format);
  return 0;
}

const CliCommand cli_attribute = {
  "attribute",
  N_ ("attribute MODEL --text TEXT"),
  N_ ("what adds to the logit of a token"),
  run_attribute,
};
