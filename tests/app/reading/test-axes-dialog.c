/* SPDX-License-Identifier: MIT */
/* The dialog that asks how a file is to be read: names that are in the file, or that of a file, are not read as markup. */
#include "panel-support.h"

#include "app/reading/hl-axes-dialog.h"
#include "app/reading/hl-dataset-chooser.h"
#include "app/tokens/hl-token-group.h"
#include "core/test-dumps.h"

#include <string.h>

#define MAP "[[[[0.5, 0.5], [0.25, 0.75]]]]"

static GtkWidget *
open_dialog (const char *folder,
             const char *content)
{
  g_autofree char *path = g_build_filename (folder, "names.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, content, -1, NULL));
  GtkWidget *dialog = hl_axes_dialog_new (file, NULL, NULL);
  gtk_window_present (GTK_WINDOW (dialog));
  return dialog;
}

static gboolean
shows_page (GtkWidget  *dialog,
            const char *name)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (panel_get_child (dialog, "stack"))), name) == 0;
}

/* Whether a label in it shows these very words, perhaps among others. */
static gboolean
shows (GtkWidget  *dialog,
       const char *child,
       const char *words)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  panel_find_all (panel_get_child (dialog, child), "GtkLabel", labels);
  for (guint i = 0; i < labels->len; i++)
    if (strstr (gtk_label_get_text (labels->pdata[i]), words) != NULL)
      return TRUE;
  return FALSE;
}

static void
close_dialog (GtkWidget *dialog)
{
  gtk_window_destroy (GTK_WINDOW (dialog));
  panel_wait (100);
}

/* The name of the dataset that is chosen, and what the file calls its numbers. */
static void
test_names (void)
{
  g_autofree char *folder = test_make_folder ();
  GtkWidget *dialog =
    open_dialog (folder, "{\"q & k\": " MAP ", \"<a href=\\\"x\\\">attention</a>\": " MAP ", \"quantity\": \"<i>&\"}");

  PANEL_WAIT_UNTIL (shows_page (dialog, "choice"));
  GtkWidget *list = panel_get_child (panel_get_child (dialog, "chooser"), "list");
  GtkSingleSelection *selection = GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (list)));
  PANEL_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (selection)) == 2);
  for (guint i = 0; i < 2; i++)
    {
      gtk_single_selection_set_selected (selection, i);
      HlDatasetItem *item = gtk_single_selection_get_selected_item (selection);
      g_assert_true (shows (dialog, "axes_group", hl_dataset_item_get_title (item)));
      PANEL_WAIT_UNTIL (shows (dialog, "softmax_row", "“<i>&”"));
    }
  close_dialog (dialog);
  test_remove_folder (folder);
}

/* Why there is nothing to choose from. */
static void
test_failure (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *open = g_strnfill (100, '[');
  g_autofree char *content = g_strdup_printf ("{\"<b>q & k</b>\": %s", open);
  GtkWidget *dialog = open_dialog (folder, content);

  PANEL_WAIT_UNTIL (shows_page (dialog, "failure"));
  g_assert_true (shows (dialog, "status_page", "“<b>q & k</b>” has more than"));
  close_dialog (dialog);
  test_remove_folder (folder);
}

/* That of a tokenizer comes from a chooser, which is the desktop's. */
static void
test_tokenizer (void)
{
  GtkWidget *group = g_object_ref_sink (g_object_new (HL_TYPE_TOKEN_GROUP, NULL));
  AdwActionRow *row = ADW_ACTION_ROW (panel_get_child (group, "folder_row"));

  adw_action_row_set_subtitle (row, "R&D");
  g_assert_true (shows (group, "folder_row", "R&D"));
  g_assert_finalize_object (group);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/axes-dialog/names", test_names);
  g_test_add_func ("/axes-dialog/failure", test_failure);
  g_test_add_func ("/axes-dialog/tokenizer", test_tokenizer);
  return g_test_run ();
}
