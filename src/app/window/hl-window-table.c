/* SPDX-License-Identifier: MIT */
/* How numbers leave a window: the weights of what is shown, or what tells all heads apart. */
#include "config.h"

#include "app/window/hl-window-private.h"

#include "app/base/hl-file-choice.h"
#include "app/session/hl-session-name.h"
#include "core/analysis/hl-head-stats-csv.h"
#include "core/source/save/hl-head-csv.h"

#include <glib/gi18n.h>

typedef struct
{
  HlAttention *attention;
  gboolean of_all_heads;
  HlPairRanking *ranking;
  HlComparison *compared;
  HlHeadCsv csv;
  GFile *target;
} Table;

static void
table_free (Table *table)
{
  g_object_unref (table->csv.source);
  g_object_unref (table->attention);
  g_clear_pointer (&table->ranking, hl_pair_ranking_unref);
  g_clear_object (&table->compared);
  g_object_unref (table->target);
  g_free (table);
}

static void
save_table (GTask        *task,
            gpointer      source,
            gpointer      data,
            GCancellable *cancellable)
{
  const Table *table = data;
  const HlHeadCsv *csv = &table->csv;
  GError *error = NULL;
  const gboolean saved =
    table->of_all_heads ? hl_head_stats_csv_save (table->attention, csv->source, csv->first_query, csv->n_queries,
                                                  table->ranking, table->compared, table->target, cancellable, &error)
                        : hl_head_csv_save (csv, table->target, cancellable, &error);

  if (saved)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_table_saved (GObject      *source,
                GAsyncResult *result,
                gpointer      data)
{
  g_autoptr (HlWindow) self = data;
  g_autoptr (GError) error = NULL;
  const Table *table = g_task_get_task_data (G_TASK (result));

  g_task_propagate_boolean (G_TASK (result), &error);
  hl_window_say_saved (self, table->target, error);
}

/* What the table of heads shows. */
static Table *
create_head_table (HlViewState *state,
                   GFile       *target)
{
  Table *table = g_new0 (Table, 1);
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);
  HlPairRanking *ranking = numbers != NULL ? hl_head_numbers_get_ranking (numbers) : NULL;
  const HlRange queries = hl_view_state_get_numbered_queries (state);

  table->attention = g_object_ref (hl_view_state_get_attention (state));
  table->target = g_object_ref (target);
  table->of_all_heads = TRUE;
  table->ranking = ranking != NULL ? hl_pair_ranking_ref (ranking) : NULL;
  g_set_object (&table->compared, hl_view_state_get_compared (state));
  table->csv = (HlHeadCsv){ .source = g_object_ref (hl_view_state_get_attention_source (state)),
                            .first_query = queries.first,
                            .n_queries = queries.n };
  return table;
}

/* The weights as they are, of what is shown: filters are for the eye. Where all heads are seen, the numbers that tell
 * them apart. */
static Table *
create_table (HlViewState *state,
              GFile       *target)
{
  Table *table = g_new0 (Table, 1);
  const HlRange queries = hl_view_state_get_shown_queries (state);
  const HlRange keys = hl_view_state_get_shown_keys (state);

  table->attention = g_object_ref (hl_view_state_get_shown_attention (state));
  table->target = g_object_ref (target);
  table->of_all_heads = hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->shows_all_heads;
  table->csv = (HlHeadCsv){
    .source = g_object_ref (hl_view_state_get_source (state)),
    .layer = hl_view_state_get_shown_layer (state),
    .head = hl_view_state_get_shown_head (state),
    .first_query = queries.first,
    .n_queries = queries.n,
    .first_key = keys.first,
    .n_keys = keys.n,
    .query_tokens = hl_attention_get_query_tokens (table->attention),
    .key_tokens = hl_attention_get_key_tokens (table->attention),
  };
  return table;
}

typedef struct
{
  HlWindow *window;
  HlSession *session;
  gboolean of_table;
} Choice;

static void
choice_free (Choice   *choice,
             GClosure *closure)
{
  g_object_unref (choice->window);
  g_object_unref (choice->session);
  g_free (choice);
}

static void
on_table_chosen (GtkFileChooserNative *chooser,
                 int                   response,
                 Choice               *choice)
{
  HlViewState *state = hl_session_get_view_state (choice->session);
  g_autoptr (GFile) target = hl_file_choice_get_file (chooser, response);

  if (target == NULL)
    return;
  Table *table = choice->of_table ? create_head_table (state, target) : create_table (state, target);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_table_saved, g_object_ref (choice->window));
  g_task_set_source_tag (task, on_table_chosen);
  g_task_set_task_data (task, table, (GDestroyNotify) table_free);
  g_task_run_in_thread (task, save_table);
}

static char *
make_table_title (HlViewState *state,
                  gboolean     of_all_heads)
{
  const guint layer = hl_view_state_get_shown_layer (state);
  const guint head = hl_view_state_get_shown_head (state);
  g_autofree char *name = hl_view_state_dup_map_name (state, layer, head);

  if (of_all_heads)
    return g_strdup (_ ("Export Numbers of All Heads"));
  if (hl_view_state_merges_heads (state) || hl_view_state_merges_layers (state))
    /* Translators: “layer 3 · mean of heads 0, 2” */
    return g_strdup_printf (_ ("Export Numbers: %s"), name);
  return g_strdup_printf (_ ("Export Numbers of Layer %u, Head %u"), layer, head);
}

static void
export_csv (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  HlWindow *self = data;
  HlViewState *state = hl_session_get_view_state (self->session);
  const gboolean of_table = hl_window_shows_head_table (self);
  const gboolean of_all_heads = of_table || hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->shows_all_heads;
  g_autofree char *stem = of_table       ? hl_session_dup_table_name (self->session)
                          : of_all_heads ? hl_session_dup_figure_name (self->session)
                                         : hl_session_dup_head_name (self->session);
  g_autofree char *name = g_strconcat (stem, ".csv", NULL);
  g_autofree char *title = make_table_title (state, of_all_heads);
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (title, GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE,
                                                               _ ("_Save"), NULL);
  Choice *choice = g_new0 (Choice, 1);

  choice->window = g_object_ref (self);
  choice->session = g_object_ref (self->session);
  choice->of_table = of_table;
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  g_signal_connect_data (chooser, "response", G_CALLBACK (on_table_chosen), choice, (GClosureNotify) choice_free, 0);
  hl_file_choice_show (chooser, hl_document_page_get_file (self->page));
}

static const GActionEntry entries[] = {
  { "export-csv", export_csv },
};

void
hl_window_install_table_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
hl_window_update_table_actions (HlWindow *self)
{
  hl_window_enable_action (self, "export-csv", self->session != NULL);
}
