/* SPDX-License-Identifier: MIT */
/* headlight-cli ablate: what a model says, and what it makes of a text, without some of its heads. */
#include "cli/base/cli-aim.h"
#include "cli/cli-commands.h"
#include "cli/base/cli-table.h"
#include "cli/base/cli-text.h"
#include "core/analysis/hl-experiment-text.h"
#include "core/analysis/hl-prediction-aim.h"
#include "core/base/hl-error.h"
#include "view/shown/hl-head-selection.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

/* Wide enough for the name of an attention, and for a number. */
#define COLUMN 12

/* Sentences above the table. */
#define N_SENTENCES 3

typedef struct
{
  HlHeadEdit edit;
  HlAblationEffect effect;
} Row;

typedef struct
{
  CliModelText text;
  CliAim aim;
  gboolean has_block;
  HlAttentionKind block;
  HlHeadEditKind method;
  GArray *heads; /* (element-type HlHeadPlace): those that are switched off together; empty for each alone */
  HlAblation *ablation;
  GArray *rows;  /* (element-type Row) */
  GArray *edits; /* (element-type HlHeadEdit): those made together */
  HlAblationEffect together;
} Ablate;

static void
keep_effect (const HlHeadEdit       *edit,
             const HlAblationEffect *effect,
             gpointer                data)
{
  const Row row = { *edit, *effect };

  g_array_append_val (data, row);
}

static gboolean
run_each (Ablate  *self,
          CliJob  *job,
          GError **error)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (HlHeadEdit));

  for (HlAttentionKind attention = HL_ATTENTION_SELF; attention <= HL_ATTENTION_CROSS; attention++)
    if (hl_model_call_has (self->aim.call, attention) && (!self->has_block || attention == self->block))
      {
        gsize n;
        g_autofree HlHeadEdit *edits = hl_ablation_list_heads (self->aim.call, attention, self->method, &n);
        g_array_append_vals (all, edits, (guint) n);
      }
  return hl_ablation_run (self->ablation, (const HlHeadEdit *) (gconstpointer) all->data, all->len, keep_effect,
                          self->rows, job->progress, job->cancellable, error);
}

static gboolean
run_together (Ablate  *self,
              CliJob  *job,
              GError **error)
{
  for (guint i = 0; i < self->heads->len; i++)
    {
      const HlHeadPlace *place = &g_array_index (self->heads, HlHeadPlace, i);
      const HlHeadEdit edit = { self->block, place->layer, place->head, self->method };
      g_array_append_val (self->edits, edit);
    }
  return hl_ablation_run_together (self->ablation, (const HlHeadEdit *) (gconstpointer) self->edits->data,
                                   self->edits->len, &self->together, job->cancellable, error);
}

static gboolean
work (CliJob  *job,
      GError **error)
{
  Ablate *self = job->data;

  if (!cli_aim_load (&self->aim, job, &self->text, FALSE, error))
    return FALSE;
  const gboolean two = hl_model_has_decoder (hl_model_call_get_model (self->aim.call));
  if (!self->has_block && self->heads->len > 0 && two)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("heads of which attention, --block has to say"));
      return FALSE;
    }
  if (self->has_block && !hl_model_call_has (self->aim.call, self->block))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no block “%s” in it"),
                   hl_attention_kind_get_name (self->block));
      return FALSE;
    }
  self->ablation = hl_ablation_new (self->aim.call, self->aim.unembedding,
                                    self->aim.has_value ? &self->aim.value : NULL, job->cancellable, error);
  if (self->ablation == NULL)
    return FALSE;
  return self->heads->len > 0 ? run_together (self, job, error) : run_each (self, job, error);
}

/* How much a head matters: for the prediction, or for the final states. */
static double
get_strength (const Row *row)
{
  return isnan (row->effect.log_change) ? row->effect.state_change : fabs (row->effect.log_change);
}

static int
compare_strength (gconstpointer a,
                  gconstpointer b)
{
  const double first = get_strength (*(const Row *const *) a), second = get_strength (*(const Row *const *) b);

  return (second > first) - (second < first);
}

static void
print_sentence (char *sentence)
{
  g_autofree char *own = sentence;
  g_autofree char *printable = cli_make_printable (own);

  g_print ("%s\n", printable);
}

/* What the model says, and without which heads it says it least. */
static void
print_sentences (const Ablate *self)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  if (hl_ablation_has_aim (self->ablation))
    print_sentence (hl_ablation_describe_intact (self->ablation));
  if (self->edits->len > 0)
    print_sentence (hl_ablation_describe (self->ablation, (const HlHeadEdit *) (gconstpointer) self->edits->data,
                                          self->edits->len, &self->together));
  for (guint i = 0; i < self->rows->len; i++)
    g_ptr_array_add (sorted, &g_array_index (self->rows, Row, i));
  g_ptr_array_sort (sorted, compare_strength);
  for (guint i = 0; i < MIN (sorted->len, N_SENTENCES); i++)
    {
      const Row *row = g_ptr_array_index (sorted, i);
      print_sentence (hl_ablation_describe (self->ablation, &row->edit, 1, &row->effect));
    }
}

static void
add_effect (CliTable               *table,
            const HlAblationEffect *effect,
            gboolean                has_aim)
{
  cli_table_add_real (table, effect->state_change);
  if (!has_aim)
    return;
  cli_table_add_real (table, effect->divergence);
  cli_table_add_real (table, effect->probability);
  cli_table_add_real (table, effect->log_change);
}

static CliTable *
make_table (const Ablate *self)
{
  const gboolean has_aim = hl_ablation_has_aim (self->ablation);
  CliTable *table = cli_table_new ();

  cli_table_add_column (table, "block", NULL, -COLUMN, 0);
  cli_table_add_column (table, "layer", NULL, 5, 0);
  cli_table_add_column (table, "head", NULL, 5, 0);
  cli_table_add_column (table, "state_change", NULL, COLUMN, 4);
  if (has_aim)
    {
      cli_table_add_column (table, "divergence", NULL, COLUMN, 4);
      cli_table_add_column (table, "probability", NULL, COLUMN, 4);
      cli_table_add_column (table, "log_change", NULL, COLUMN, 4);
    }
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);

      cli_table_add_string (table, hl_attention_kind_get_name (row->edit.attention));
      cli_table_add_integer (table, row->edit.layer);
      cli_table_add_integer (table, row->edit.head);
      add_effect (table, &row->effect, has_aim);
    }
  /* Heads that were switched off together have the same effect. */
  for (guint i = 0; i < self->edits->len; i++)
    {
      const HlHeadEdit *edit = &g_array_index (self->edits, HlHeadEdit, i);

      cli_table_add_string (table, hl_attention_kind_get_name (edit->attention));
      cli_table_add_integer (table, edit->layer);
      cli_table_add_integer (table, edit->head);
      add_effect (table, &self->together, has_aim);
    }
  return table;
}

static void
add_number (JsonBuilder *builder,
            const char  *name,
            double       number)
{
  json_builder_set_member_name (builder, name);
  cli_json_add_real (builder, number);
}

static void
add_json_effect (JsonBuilder            *builder,
                 const HlAblationEffect *effect,
                 gboolean                has_aim)
{
  add_number (builder, "state_change", effect->state_change);
  if (!has_aim)
    return;
  add_number (builder, "divergence", effect->divergence);
  add_number (builder, "probability", effect->probability);
  add_number (builder, "log_change", effect->log_change);
}

static void
add_json_head (JsonBuilder      *builder,
               const HlHeadEdit *edit)
{
  json_builder_set_member_name (builder, "block");
  json_builder_add_string_value (builder, hl_attention_kind_get_name (edit->attention));
  json_builder_set_member_name (builder, "layer");
  json_builder_add_int_value (builder, edit->layer);
  json_builder_set_member_name (builder, "head");
  json_builder_add_int_value (builder, edit->head);
}

static void
add_json_aim (JsonBuilder  *builder,
              const Ablate *self)
{
  const guint32 token = hl_ablation_get_token (self->ablation);
  g_autofree char *name = hl_prediction_aim_name_token (hl_model_call_get_model (self->aim.call), token);

  json_builder_set_member_name (builder, "position");
  json_builder_add_int_value (builder, (gint64) hl_ablation_get_position (self->ablation));
  json_builder_set_member_name (builder, "id");
  json_builder_add_int_value (builder, token);
  json_builder_set_member_name (builder, "token");
  json_builder_add_string_value (builder, name);
  add_number (builder, "probability", hl_ablation_get_probability (self->ablation));
}

static void
print_json (const Ablate *self)
{
  const gboolean has_aim = hl_ablation_has_aim (self->ablation);
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "method");
  json_builder_add_string_value (builder, self->method == HL_HEAD_ZERO ? "zero" : "uniform");
  if (has_aim)
    add_json_aim (builder, self);
  if (self->edits->len > 0)
    {
      json_builder_set_member_name (builder, "together");
      json_builder_begin_object (builder);
      add_json_effect (builder, &self->together, has_aim);
      json_builder_end_object (builder);
    }
  json_builder_set_member_name (builder, "heads");
  json_builder_begin_array (builder);
  for (guint i = 0; i < MAX (self->rows->len, self->edits->len); i++)
    {
      json_builder_begin_object (builder);
      add_json_head (builder, self->edits->len > 0 ? &g_array_index (self->edits, HlHeadEdit, i)
                                                   : &g_array_index (self->rows, Row, i).edit);
      if (self->rows->len > 0)
        add_json_effect (builder, &g_array_index (self->rows, Row, i).effect, has_aim);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  cli_print_json (builder);
}

static int
parse_method (const char     *written,
              HlHeadEditKind *method)
{
  if (written == NULL || g_str_equal (written, "zero"))
    *method = HL_HEAD_ZERO;
  else if (g_str_equal (written, "uniform"))
    *method = HL_HEAD_UNIFORM;
  else
    return cli_print_misuse (_ ("--method cannot be “%s”; it is one of zero, uniform"), written);
  return 0;
}

static int
parse_block (Ablate     *self,
             const char *written)
{
  self->has_block = written != NULL;
  if (written == NULL || hl_attention_kind_from_name (written, &self->block))
    return 0;
  return cli_print_misuse (_ ("--block cannot be “%s”; it is one of attention, encoder, decoder, cross"), written);
}

static int
parse_heads (Ablate     *self,
             const char *written)
{
  if (written == NULL)
    return 0;
  g_auto (GStrv) parts = g_strsplit (written, ",", -1);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  /* An empty list is none, and not each head alone. */
  gboolean is_read = parts[0] != NULL;

  for (guint i = 0; is_read && parts[i] != NULL; i++)
    is_read = hl_head_places_parse (self->heads, known, parts[i]);
  return is_read ? 0 : cli_print_misuse (_ ("--heads cannot be “%s”; it is L.H,L.H…"), written);
}

static void
ablate_clear (Ablate *self)
{
  g_clear_object (&self->ablation);
  g_clear_pointer (&self->heads, g_array_unref);
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->edits, g_array_unref);
  cli_aim_clear (&self->aim);
  cli_model_text_clear (&self->text);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ablate, ablate_clear)

static int
run_ablate (char **arguments)
{
  g_autofree char *written_format = NULL;
  g_autofree char *method = NULL;
  g_autofree char *block = NULL;
  g_autofree char *heads = NULL;
  g_auto (GStrv) files = NULL;
  g_auto (Ablate) self = { .heads = g_array_new (FALSE, FALSE, sizeof (HlHeadPlace)),
                           .rows = g_array_new (FALSE, FALSE, sizeof (Row)),
                           .edits = g_array_new (FALSE, FALSE, sizeof (HlHeadEdit)) };
  const GOptionEntry entries[] = {
    CLI_FORMAT_ENTRY (&written_format),
    { "method", 0, 0, G_OPTION_ARG_STRING, &method,
      N_ ("What a head gives: nothing, or the mean of all values it sees; zero otherwise"), "zero|uniform" },
    { "block", 0, 0, G_OPTION_ARG_STRING, &block, N_ ("Which attention of an encoder–decoder model"),
      "attention|encoder|decoder|cross" },
    { "heads", 0, 0, G_OPTION_ARG_STRING, &heads, N_ ("Heads that are switched off together; each alone otherwise"),
      "L.H,L.H…" },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  CliFormat format;

  g_option_context_set_summary (
    context, _ ("Runs the model in SOURCE again with a head switched off, each in turn, and prints what that changes: "
                "1 − the cosine of the mean final state, and, of models that predict tokens, the divergence of the "
                "prediction in bits, the probability of a token and the change of its natural logarithm."));
  cli_aim_add_entries (&self.aim, context);
  cli_model_text_add_entries (&self.text, context);
  int status = cli_parse_options (context, entries, arguments, &self.text.part, &files);
  if (status == 0)
    status = cli_format_parse (written_format, &format);
  if (status == 0)
    status = parse_method (method, &self.method);
  if (status == 0)
    status = parse_block (&self, block);
  if (status == 0)
    status = parse_heads (&self, heads);
  if (status == 0)
    status = cli_aim_check_model ("ablate", files[0]);
  if (status == 0)
    status = cli_check_source (files[0], &self.text, &(CliOpenOptions){ 0 });
  if (status != 0)
    return status;

  CliJob job = { .work = work, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status != 0)
    return status;
  if (self.aim.note != NULL)
    cli_print_note (self.aim.note);
  if (format == CLI_FORMAT_JSON)
    {
      print_json (&self);
      return 0;
    }
  if (format == CLI_FORMAT_TABLE)
    print_sentences (&self);
  g_autoptr (CliTable) table = make_table (&self);
  cli_table_print (table, format);
  return 0;
}

const CliCommand cli_ablate = {
  "ablate",
  N_ ("ablate MODEL --text TEXT"),
  N_ ("what a model says without each of its heads"),
  run_ablate,
};
