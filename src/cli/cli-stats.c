/* SPDX-License-Identifier: MIT */
/* headlight-cli stats: numbers that tell heads apart, for people, tables or programs. */
#include "cli/cli-commands.h"
#include "cli/cli-source.h"
#include "cli/cli-text.h"
#include "cli/cli-view-options.h"
#include "core/analysis/hl-head-stats-csv.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>

/* Wide enough for every name and number of a table's column. */
#define COLUMN 9

typedef struct
{
  const char *wanted; /* name or number of the example */
  CliModelText text;
  CliOpenOptions open;
  CliViewOptions view;
  GPtrArray *attentions; /* (element-type HlAttention): what is derived of each */
  GPtrArray *stats;  /* (element-type HlHeadStats): the heads of each attention */
} Stats;

static gboolean
collect (CliJob  *job,
         GError **error)
{
  Stats *self = job->data;
  g_autoptr (HlDocument) document = cli_load_document (job, &self->text, &self->open, error);

  if (document == NULL)
    return FALSE;
  g_autoptr (HlExample) example = cli_load_example (job, document, self->wanted, error);
  if (example == NULL)
    return FALSE;
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      g_autoptr (HlViewState) state = hl_view_state_new (example);
      hl_view_state_set_attention (state, hl_example_get_attention (example, i));
      if (!hl_state_texts_apply (&self->view.written, state, error))
        return FALSE;
      HlAttention *attention = hl_view_state_get_shown_attention (state);
      HlHeadStats *stats = hl_head_stats_compute_all (attention, hl_view_state_get_source (state), 0,
                                                      hl_attention_get_n_used_queries (attention), job->cancellable,
                                                      error);
      if (stats == NULL)
        return FALSE;
      g_ptr_array_add (self->attentions, g_object_ref (attention));
      g_ptr_array_add (self->stats, stats);
    }
  return TRUE;
}

/* A number, or the name of what is made of several. */
static char *
spell_index (const char *name,
             guint       index)
{
  return name != NULL ? g_strdup (name) : g_strdup_printf ("%u", index);
}

typedef void (*PrintRow) (gpointer           data,
                          HlAttention       *attention,
                          guint              layer,
                          guint              head,
                          const HlHeadStats *stats);

static void
foreach_head (const Stats *self,
              PrintRow     print_row,
              gpointer     data)
{
  for (guint i = 0; i < self->attentions->len; i++)
    {
      HlAttention *attention = g_ptr_array_index (self->attentions, i);
      const HlHeadStats *stats = g_ptr_array_index (self->stats, i);

      for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
        for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++)
          print_row (data, attention, layer, head, stats++);
    }
}

static void
print_table_row (gpointer           data,
                 HlAttention       *attention,
                 guint              layer,
                 guint              head,
                 const HlHeadStats *stats)
{
  g_autofree char *of_layer = spell_index (hl_attention_get_layer_name (attention), layer);
  g_autofree char *of_head = spell_index (hl_attention_get_head_name (attention), head);

  printf ("%-*s %5s %5s", COLUMN, hl_attention_kind_get_name (hl_attention_get_kind (attention)), of_layer, of_head);
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (isnan (stats->values[stat]))
      printf (" %*s", COLUMN, "-");
    else
      printf (" %*.4f", COLUMN, stats->values[stat]);
  printf ("\n");
}

static void
print_table (const Stats *self)
{
  printf ("%-*s %5s %5s", COLUMN, "block", "layer", "head");
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    printf (" %*s", COLUMN, hl_head_stat_get_name (stat));
  printf ("\n");
  foreach_head (self, print_table_row, NULL);
}

static void
print_csv (const Stats *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  hl_head_stats_csv_append_names (text, NULL, FALSE);
  for (guint i = 0; i < self->attentions->len; i++)
    hl_head_stats_csv_append_attention (text, g_ptr_array_index (self->attentions, i),
                                        g_ptr_array_index (self->stats, i), NULL, NULL);
  printf ("%s", text->str);
}

static void
add_json_index (JsonBuilder *builder,
                const char  *member,
                const char  *name,
                guint        index)
{
  json_builder_set_member_name (builder, member);
  if (name != NULL)
    json_builder_add_string_value (builder, name);
  else
    json_builder_add_int_value (builder, index);
}

static void
add_json_row (gpointer           data,
              HlAttention       *attention,
              guint              layer,
              guint              head,
              const HlHeadStats *stats)
{
  JsonBuilder *builder = data;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "block");
  json_builder_add_string_value (builder, hl_attention_kind_get_name (hl_attention_get_kind (attention)));
  add_json_index (builder, "layer", hl_attention_get_layer_name (attention), layer);
  add_json_index (builder, "head", hl_attention_get_head_name (attention), head);
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      json_builder_set_member_name (builder, hl_head_stat_get_name (stat));
      if (isnan (stats->values[stat]))
        json_builder_add_null_value (builder);
      else
        json_builder_add_double_value (builder, stats->values[stat]);
    }
  json_builder_end_object (builder);
}

static void
print_json (const Stats *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  g_autoptr (JsonGenerator) generator = json_generator_new ();

  json_builder_begin_array (builder);
  foreach_head (self, add_json_row, builder);
  json_builder_end_array (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  g_autofree char *text = json_generator_to_data (generator, NULL);
  printf ("%s\n", text);
}

static void
stats_clear (Stats *self)
{
  g_clear_pointer (&self->attentions, g_ptr_array_unref);
  g_clear_pointer (&self->stats, g_ptr_array_unref);
  cli_view_options_clear (&self->view);
  cli_model_text_clear (&self->text);
  cli_open_options_clear (&self->open);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stats, stats_clear)

int
cli_stats (char **arguments)
{
  static const struct
  {
    const char *name;
    void (*print) (const Stats *self);
  } formats[] = { { "table", print_table }, { "csv", print_csv }, { "json", print_json } };
  g_autofree char *wanted = NULL;
  g_autofree char *format = NULL;
  g_auto (GStrv) files = NULL;
  g_auto (Stats) self = { .attentions = g_ptr_array_new_with_free_func (g_object_unref),
                          .stats = g_ptr_array_new_with_free_func (g_free) };
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &format, N_ ("How to print them; a table otherwise"), "table|csv|json" },
    { "example", 0, 0, G_OPTION_ARG_STRING, &wanted,
      N_ ("Which example, if the file has several; the first otherwise"), N_ ("NAME|N") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  guint chosen = 0;

  g_option_context_set_summary (
    context, _ ("Prints a row for each layer and head of SOURCE: entropy in nats, mean distance in tokens, and the "
                "weight on the first "
                "token, on special tokens, on the previous, the next and the same token; means over the queries."));
  cli_view_options_add_derivations (&self.view, context);
  cli_open_options_add_entries (&self.open, context);
  cli_model_text_add_entries (&self.text, context);
  int status = cli_parse_options (context, entries, arguments, &files);
  while (status == 0 && format != NULL && chosen < G_N_ELEMENTS (formats) &&
         !g_str_equal (formats[chosen].name, format))
    chosen++;
  if (chosen == G_N_ELEMENTS (formats))
    return cli_print_misuse (_ ("--format cannot be “%s”; it is table, csv or json"), format);
  if (status == 0)
    status = cli_view_options_parse (&self.view);
  if (status == 0 && hl_state_texts_get (&self.view.written, "heads") != NULL &&
      hl_state_texts_get_enum (&self.view.written, "combine") == HL_COMBINE_NONE)
    return cli_print_misuse (_ ("--heads needs --combine"));
  if (status == 0)
    status = cli_check_source (files[0], &self.text, &self.open);
  if (status != 0)
    return status;

  self.wanted = wanted;
  CliJob job = { .work = collect, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status == 0)
    formats[chosen].print (&self);
  return status;
}
