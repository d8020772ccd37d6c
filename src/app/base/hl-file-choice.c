/* SPDX-License-Identifier: MIT */
/* What all choosers of files have in common: where they begin, what was chosen, and that they go. */
#include "config.h"

#include "app/base/hl-file-choice.h"

#include "core/base/hl-file-name.h"

#include <glib/gi18n.h>

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
