/* SPDX-License-Identifier: MIT */
/* Choosers of files: nothing in them is drawn before it has its place. */
#include "app/base/hl-file-choice.h"

static GtkWidget *
get_dialog (void)
{
  GListModel *toplevels = gtk_window_get_toplevels ();

  g_assert_cmpuint (g_list_model_get_n_items (toplevels), ==, 1);
  g_autoptr (GtkWidget) dialog = g_list_model_get_item (toplevels, 0);
  g_assert_true (GTK_IS_FILE_CHOOSER_DIALOG (dialog));
  return dialog;
}

static void
find_ends (GtkWidget *widget,
           GPtrArray *found)
{
  if (gtk_widget_has_css_class (widget, "slider-button"))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    find_ends (child, found);
}

static gboolean
count_down (gpointer data)
{
  int *left = data;

  (*left)--;
  return G_SOURCE_CONTINUE;
}

/* Any warning ends the test. */
static void
test_row_of_folders (void)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new ("Open", NULL, GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  g_autoptr (GPtrArray) ends = g_ptr_array_new ();
  int seconds = 60;
  const guint timer = g_timeout_add_seconds (1, count_down, &seconds);

  g_autoptr (GFile) beside = g_file_new_build_filename (g_get_tmp_dir (), "any", NULL);
  hl_file_choice_show (chooser, beside);
  find_ends (get_dialog (), ends);
  g_assert_cmpuint (ends->len, ==, 2);
  /* Nobody has told the row a folder yet. */
  for (guint i = 0; i < ends->len; i++)
    g_assert_false (gtk_widget_is_drawable (ends->pdata[i]));
  while (seconds > 0 && !(gtk_widget_is_drawable (ends->pdata[0]) && gtk_widget_is_drawable (ends->pdata[1])))
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < ends->len; i++)
    {
      g_assert_true (gtk_widget_is_drawable (ends->pdata[i]));
      g_assert_cmpint (gtk_widget_get_width (ends->pdata[i]), >, 0);
    }
  g_source_remove (timer);
  g_signal_emit_by_name (chooser, "response", GTK_RESPONSE_CANCEL);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/file-choice/row-of-folders", test_row_of_folders);
  return g_test_run ();
}
