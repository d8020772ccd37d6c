/* SPDX-License-Identifier: MIT */
/* What all choosers of files have in common: where they begin, what was chosen, and that they go. */
#include "config.h"

#include "app/base/hl-file-choice.h"

#include "core/base/file/hl-file-name.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* Of all windows. */
static GFile *last_folder;

/* Where what is kept is looked for. */
static GFile *
find_own_folder (GUserDirectory usual)
{
  const char *folder = g_get_user_special_dir (usual);

  return g_file_new_for_path (folder != NULL && g_file_test (folder, G_FILE_TEST_IS_DIR) ? folder : g_get_home_dir ());
}

/* Nobody keeps things where a program is installed. */
static gboolean
can_keep (GFile *folder)
{
  const char *data = g_getenv ("HEADLIGHT_DATA_DIR");
  g_autoptr (GFile) installed = g_file_new_for_path (data != NULL ? data : HL_PKGDATADIR);
  const char *path = g_file_peek_path (folder);

  return !g_file_equal (folder, installed) && !g_file_has_prefix (folder, installed) &&
         (path == NULL || g_access (path, W_OK) == 0);
}

static void
on_saved (GtkFileChooserNative *chooser,
          int                   response)
{
  g_autoptr (GFile) file = hl_file_choice_get_file (chooser, response);

  if (file == NULL)
    return;
  g_clear_object (&last_folder);
  last_folder = g_file_get_parent (file);
}

/* As hl_file_choice_show(), of what is to be saved: where that other file is one that came along, where something was saved
 * last, or in the usual folder. */
void
hl_file_choice_show_to_save (GtkFileChooserNative *chooser,
                             GFile                *beside,
                             GUserDirectory        usual)
{
  g_autoptr (GFile) folder = beside != NULL ? g_file_get_parent (beside) : NULL;

  if (folder == NULL || !can_keep (folder))
    {
      g_autoptr (GFile) own = last_folder != NULL ? g_object_ref (last_folder) : find_own_folder (usual);
      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), own, NULL);
      beside = NULL;
    }
  g_signal_connect (chooser, "response", G_CALLBACK (on_saved), NULL);
  hl_file_choice_show (chooser, beside);
}

/* The two buttons at the ends of the row of folders. */
static void
hide_ends (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_has_css_class (child, "slider-button"))
      gtk_widget_set_child_visible (child, FALSE);
    else
      hide_ends (child);
}

/*
 * GTK's own chooser has its row of folders drawn before it knows a folder, which it asks for in the background, and gives the
 * buttons at both ends no room until then: on a busy computer they are drawn "without a current allocation" (GTK 4.8,
 * gtk_path_bar_size_allocate()). It shows them itself once they have their places.
 */
static void
hide_unplaced (void)
{
  GListModel *toplevels = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWidget) toplevel = g_list_model_get_item (toplevels, i);
      if (GTK_IS_FILE_CHOOSER_DIALOG (toplevel) && !gtk_widget_get_visible (toplevel))
        hide_ends (toplevel);
    }
}

/* Takes the chooser over; it goes once it has responded. It begins in the folder of the other file. */
void
hl_file_choice_show (GtkFileChooserNative *chooser,
                     GFile                *beside)
{
  g_autoptr (GFile) folder = beside != NULL ? g_file_get_parent (beside) : NULL;

  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  /* It lives until it has answered, whoever asked may not. */
  g_signal_connect_after (chooser, "response", G_CALLBACK (g_object_unref), NULL);
  hide_unplaced ();
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* The file or folder that was chosen, the first of several. */
GFile *
hl_file_choice_get_file (GtkFileChooserNative *chooser,
                         int                   response)
{
  return response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser)) : NULL;
}

/* Not if there is a file of that name already, since nobody was asked whether it may be replaced. */
GFile *
hl_file_choice_add_ending (GFile      *file,
                           const char *ending,
                           GError    **error)
{
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *whole = g_strconcat (uri, ending, NULL);
  g_autoptr (GFile) named = g_file_new_for_uri (whole);

  if (!g_file_query_exists (named, NULL))
    return g_steal_pointer (&named);
  g_autofree char *name = hl_file_dup_display_name (named);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS, _ ("“%s” is there already; nothing was saved"), name);
  return NULL;
}
