/* SPDX-License-Identifier: MIT */
/* How figures and numbers leave a window. */
#include "config.h"

#include "app/hl-window-private.h"

#include "app/hl-export-dialog.h"
#include "app/hl-figure.h"
#include "app/hl-session-name.h"
#include "core/analysis/hl-head-stats-csv.h"
#include "core/source/hl-head-csv.h"

#include <glib/gi18n.h>
#include <string.h>

#define CLIPBOARD_SCALE 2

static HlScene *
create_scene (HlWindow *self)
{
  return hl_compare_view_create_scene (hl_document_page_get_compare_view (self->page));
}

static char *
dup_name (GFile *file)
{
  g_autofree char *basename = g_file_get_basename (file);

  return g_filename_display_name (basename);
}

static void
on_exported (HlWindow *self,
             GFile    *file,
             guint     n_left_out)
{
  g_autofree char *name = dup_name (file);
  g_autofree char *title = NULL;

  if (n_left_out > 0)
    title =
      g_strdup_printf (ngettext ("Saved “%s”; %u line too faint to see is not in it",
                                 "Saved “%s”; %u lines too faint to see are not in it", n_left_out),
                       name, n_left_out);
  else
    title = g_strdup_printf (_ ("Saved “%s”"), name);
  hl_window_say (self, title, file, HL_SENTENCE_SECONDS);
}

void
hl_window_export (HlWindow *self)
{
  g_autofree char *name = hl_session_dup_figure_name (self->session);
  g_autoptr (GFile) folder = g_file_get_parent (hl_document_page_get_file (self->page));
  g_autoptr (HlScene) scene = create_scene (self);
  GtkWidget *dialog = hl_export_dialog_new (scene, folder, name);

  g_signal_connect_object (dialog, "exported", G_CALLBACK (on_exported), self, G_CONNECT_SWAPPED);
  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (self));
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Both kinds of a figure go onto the clipboard: whoever pastes takes what it can use. Made one after the other. */
static const struct
{
  HlExportFormat format;
  const char *type;
} copies[] = { { HL_EXPORT_PNG, "image/png" }, { HL_EXPORT_SVG, "image/svg+xml" } };

typedef struct
{
  HlWindow *window;
  HlFigure *figure;
  GdkContentProvider *providers[G_N_ELEMENTS (copies)];
  guint n_made;
} Copy;

static void
copy_free (Copy *copy)
{
  for (guint i = 0; i < G_N_ELEMENTS (copies); i++)
    g_clear_object (&copy->providers[i]);
  g_object_unref (copy->figure);
  g_object_unref (copy->window);
  g_free (copy);
}

static void
finish_copy (Copy *copy)
{
  g_autoptr (GdkContentProvider) all = NULL;

  /* The union takes the providers over. */
  all = gdk_content_provider_new_union (copy->providers, G_N_ELEMENTS (copies));
  memset (copy->providers, 0, sizeof copy->providers);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (copy->window)), all);
  hl_window_say (copy->window, _ ("Figure copied"), NULL, HL_WORD_SECONDS);
}

static void make_copy (Copy *copy);

static void
on_copy_made (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  Copy *copy = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hl_figure_make_finish (copy->figure, result, NULL, &error);

  if (bytes == NULL)
    {
      hl_window_say (copy->window, error->message, NULL, HL_SENTENCE_SECONDS);
      copy_free (copy);
      return;
    }
  copy->providers[copy->n_made] =
    gdk_content_provider_new_for_bytes (copies[copy->n_made].type, bytes);
  if (++copy->n_made < G_N_ELEMENTS (copies))
    {
      make_copy (copy);
      return;
    }
  finish_copy (copy);
  copy_free (copy);
}

static void
make_copy (Copy *copy)
{
  const HlExportOptions options = { .format = copies[copy->n_made].format,
                                    .scale = CLIPBOARD_SCALE };

  hl_figure_make_async (copy->figure, &options, NULL, NULL, on_copy_made, copy);
}

void
hl_window_copy_figure (HlWindow *self)
{
  g_autoptr (HlScene) scene = create_scene (self);
  double width, height;

  hl_scene_get_viewport (scene, &width, &height, NULL);
  if (width <= 0 || height <= 0)
    return;
  Copy *copy = g_new0 (Copy, 1);
  copy->window = g_object_ref (self);
  copy->figure =
    hl_figure_new (scene, width, height, hl_view_state_get_dark (hl_scene_get_state (scene)));
  make_copy (copy);
}

typedef struct
{
  HlBlock *block;
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
  g_object_unref (table->block);
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
    table->of_all_heads ? hl_head_stats_csv_save (table->block, csv->source, csv->first_query, csv->n_queries,
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
  g_autofree char *name = dup_name (table->target);
  const gboolean saved = g_task_propagate_boolean (G_TASK (result), &error);
  g_autofree char *text = saved ? g_strdup_printf (_ ("Saved “%s”"), name)
                                : g_strdup_printf ("%s: %s", name, error->message);

  hl_window_say (self, text, saved ? table->target : NULL, HL_SENTENCE_SECONDS);
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

  table->block = g_object_ref (hl_view_state_get_block (state));
  table->target = g_object_ref (target);
  table->of_all_heads = TRUE;
  table->ranking = ranking != NULL ? hl_pair_ranking_ref (ranking) : NULL;
  g_set_object (&table->compared, hl_view_state_get_compared (state));
  table->csv = (HlHeadCsv){ .source = g_object_ref (hl_view_state_get_block_source (state)),
                            .first_query = queries.first,
                            .n_queries = queries.n };
  return table;
}

/* The weights as they are, of what is shown: filters are for the eye. Where all heads are seen, the numbers that tell them apart. */
static Table *
create_table (HlViewState *state,
              GFile       *target)
{
  Table *table = g_new0 (Table, 1);
  const HlRange queries = hl_view_state_get_shown_queries (state);
  const HlRange keys = hl_view_state_get_shown_keys (state);

  table->block = g_object_ref (hl_view_state_get_shown_block (state));
  table->target = g_object_ref (target);
  table->of_all_heads = hl_view_state_get_view (state) == HL_VIEW_MODEL;
  table->csv = (HlHeadCsv){
    .source = g_object_ref (hl_view_state_get_source (state)),
    .layer = hl_view_state_get_shown_layer (state),
    .head = hl_view_state_get_shown_head (state),
    .first_query = queries.first,
    .n_queries = queries.n,
    .first_key = keys.first,
    .n_keys = keys.n,
    .query_tokens = hl_block_get_query_tokens (table->block),
    .key_tokens = hl_block_get_key_tokens (table->block),
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
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) target = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
      g_autoptr (GTask)
        task = g_task_new (NULL, NULL, on_table_saved, g_object_ref (choice->window));
      g_task_set_source_tag (task, hl_window_export_csv);
      HlViewState *state = hl_session_get_view_state (choice->session);
      g_task_set_task_data (task,
                            choice->of_table ? create_head_table (state, target) : create_table (state, target),
                            (GDestroyNotify) table_free);
      g_task_run_in_thread (task, save_table);
    }
  g_object_unref (chooser);
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

void
hl_window_export_csv (HlWindow *self)
{
  HlViewState *state = hl_session_get_view_state (self->session);
  const gboolean of_table = hl_window_shows_head_table (self);
  const gboolean of_all_heads = of_table || hl_view_state_get_view (state) == HL_VIEW_MODEL;
  g_autofree char *figure = of_table ? hl_session_dup_table_name (self->session)
                            : of_all_heads ? hl_session_dup_figure_name (self->session) : hl_session_dup_head_name (self->session);
  g_autofree char *name = g_strconcat (figure, ".csv", NULL);
  g_autofree char *title = make_table_title (state, of_all_heads);
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (title, GTK_WINDOW (self),
                                                               GTK_FILE_CHOOSER_ACTION_SAVE,
                                                               _ ("_Save"), NULL);
  g_autoptr (GFile) folder = g_file_get_parent (hl_document_page_get_file (self->page));
  Choice *choice = g_new0 (Choice, 1);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  choice->window = g_object_ref (self);
  choice->session = g_object_ref (self->session);
  choice->of_table = of_table;
  g_signal_connect_data (chooser, "response", G_CALLBACK (on_table_chosen), choice,
                         (GClosureNotify) choice_free, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
