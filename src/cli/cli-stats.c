/* SPDX-License-Identifier: MIT */
/* headlight-cli stats: numbers that tell heads apart, for people, tables or programs. */
#include "cli/cli-commands.h"
#include "cli/cli-source.h"
#include "cli/cli-table.h"
#include "cli/cli-text.h"
#include "cli/cli-view-options.h"
#include "core/analysis/hl-head-stats.h"

#include <glib/gi18n-lib.h>

/* Wide enough for every name and number of a table's column. */
#define COLUMN 9

typedef struct
{
  const char *wanted; /* name or number of the example */
  CliModelText text;
  CliOpenOptions open;
  CliViewOptions view;
  GPtrArray *attentions; /* (element-type HlAttention): what is derived of each */
  GPtrArray *stats;      /* (element-type HlHeadStats): the heads of each attention */
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
      HlAttention *attention = hl_view_state_get_shown (state)->attention;
      HlHeadStats *stats = hl_head_stats_compute_all (attention, hl_view_state_get_shown (state)->source, 0,
                                                      hl_attention_get_n_used (attention, HL_QUERIES), job->cancellable,
                                                      error);
      if (stats == NULL)
        return FALSE;
      g_ptr_array_add (self->attentions, g_object_ref (attention));
      g_ptr_array_add (self->stats, stats);
    }
  return TRUE;
}

static CliTable *
make_table (const Stats *self)
{
  CliTable *table = cli_table_new ();

  cli_table_add_column (table, "block", NULL, -COLUMN, 0);
  cli_table_add_column (table, "layer", NULL, 5, 0);
  cli_table_add_column (table, "head", NULL, 5, 0);
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    cli_table_add_column (table, hl_head_number_get (stat)->nick, NULL, COLUMN, 4);
  for (guint i = 0; i < self->attentions->len; i++)
    {
      HlAttention *attention = g_ptr_array_index (self->attentions, i);
      const HlHeadStats *stats = g_ptr_array_index (self->stats, i);

      for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
        for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++, stats++)
          {
            cli_table_add_string (table, hl_attention_kind_get_name (hl_attention_get_kind (attention)));
            cli_table_add_index (table, hl_attention_get_layer_name (attention), layer);
            cli_table_add_index (table, hl_attention_get_head_name (attention), head);
            for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
              cli_table_add_real (table, stats->values[stat]);
          }
    }
  return table;
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

static int
run_stats (char **arguments)
{
  g_autofree char *wanted = NULL;
  g_autofree char *written_format = NULL;
  g_auto (GStrv) files = NULL;
  g_auto (Stats) self = { .attentions = g_ptr_array_new_with_free_func (g_object_unref),
                          .stats = g_ptr_array_new_with_free_func (g_free) };
  const GOptionEntry entries[] = {
    CLI_FORMAT_ENTRY (&written_format),
    { "example", 0, 0, G_OPTION_ARG_STRING, &wanted, N_ ("Which example, if the file has several; the first otherwise"),
      N_ ("NAME|N") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  CliFormat format;

  g_option_context_set_summary (
    context, _ ("Prints a row for each layer and head of SOURCE: entropy in nats, mean distance in tokens, and the "
                "weight on the first "
                "token, on special tokens, on the previous, the next and the same token; means over the queries."));
  cli_view_options_add_derivations (&self.view, context);
  cli_open_options_add_entries (&self.open, context);
  cli_model_text_add_entries (&self.text, context);
  int status = cli_parse_options (context, entries, arguments, &files);
  if (status == 0)
    status = cli_format_parse (written_format, &format);
  if (status == 0)
    status = cli_view_options_parse (&self.view);
  if (status == 0 && hl_state_texts_get (&self.view.written, "heads") != NULL &&
      hl_state_texts_get_options (&self.view.written).combine == HL_COMBINE_NONE)
    return cli_print_misuse (_ ("--heads needs --combine"));
  if (status == 0)
    status = cli_check_source (files[0], &self.text, &self.open);
  if (status != 0)
    return status;

  self.wanted = wanted;
  CliJob job = { .work = collect, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status == 0)
    {
      g_autoptr (CliTable) table = make_table (&self);
      cli_table_print (table, format);
    }
  return status;
}

const CliCommand cli_stats = {
  "stats",
  N_ ("stats SOURCE [--format csv]"),
  N_ ("numbers that tell heads apart, a row for each"),
  run_stats,
};
