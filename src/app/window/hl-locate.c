/* SPDX-License-Identifier: MIT */
/* A session whose file is no longer where it says: somebody may know where. */
#include "config.h"

#include "app/window/hl-locate.h"

#include "app/base/hl-file-choice.h"
#include "core/base/file/hl-file-name.h"
#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "view/session/hl-saved-session.h"

#include <glib/gi18n.h>

/* Of a window, the dialog that asks. */
#define ASKS_KEY "hl-locate-asks"

typedef struct
{
  HlWindow *window;
  GFile *session_file;
  GPtrArray *files; /* that were located before; the one that is looked for comes behind them */
  HlLocated located;
} Search;

static Search *
search_new (HlWindow  *window,
            GFile     *session_file,
            GPtrArray *files,
            HlLocated  located)
{
  Search *search = g_new0 (Search, 1);

  *search = (Search){ g_object_ref (window), g_object_ref (session_file),
                      g_ptr_array_new_with_free_func (g_object_unref), located };
  for (guint i = 0; files != NULL && i < files->len; i++)
    g_ptr_array_add (search->files, g_object_ref (files->pdata[i]));
  return search;
}

static void
search_free (Search   *search,
             GClosure *closure)
{
  g_object_unref (search->window);
  g_object_unref (search->session_file);
  g_ptr_array_unref (search->files);
  g_free (search);
}

static void
on_located (GtkFileChooserNative *chooser,
            int                   response,
            Search               *search)
{
  g_autoptr (GFile) located = hl_file_choice_get_file (chooser, response);

  if (located == NULL)
    return;
  g_ptr_array_add (search->files, g_steal_pointer (&located));
  search->located (search->window, search->session_file, search->files);
}

static void
on_search_response (Search     *search,
                    const char *response)
{
  g_autoptr (HlSavedSession)
    saved = g_str_equal (response, "locate") ? hl_saved_session_load (search->session_file, NULL, NULL) : NULL;

  if (saved == NULL)
    return;
  hl_saved_session_use_located (saved, search->files, NULL);
  const HlSavedSession *missing = hl_saved_session_get_missing (saved, NULL);
  const HlSavedSession *wanted = missing != NULL ? missing : saved;
  g_autofree char *name = wanted->file != NULL ? g_file_get_basename (wanted->file) : NULL;
  const gboolean is_folder = (wanted->text != NULL || wanted->pixels != NULL) &&
                             (name == NULL || !g_str_has_suffix (name, ".gguf"));
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new (is_folder ? _ ("Locate Model Folder") : _ ("Locate File"), GTK_WINDOW (search->window),
                                 is_folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN,
                                 _ ("_Open"), NULL);

  g_signal_connect_data (chooser, "response", G_CALLBACK (on_located),
                         search_new (search->window, search->session_file, search->files, search->located),
                         (GClosureNotify) search_free, 0);
  hl_file_choice_show (chooser, search->session_file);
}

static void
on_answered (HlWindow *window)
{
  g_object_set_data (G_OBJECT (window), ASKS_KEY, NULL);
}

/* Asks where the file is that a session shows, if that is what is wrong; whether it does. Of many sessions that come together it asks for one
 * at a time. */
gboolean
hl_locate_offer (HlWindow       *window,
                 HlDocumentPage *page,
                 const GError   *error,
                 HlLocated       located)
{
  GFile *file = hl_document_page_get_file (page);
  g_autofree char *name = hl_file_dup_display_name (file);

  if (!g_error_matches (error, HL_ERROR, HL_ERROR_EXTERNAL) || !g_str_has_suffix (name, HL_SAVED_SESSION_SUFFIX) ||
      g_object_get_data (G_OBJECT (window), ASKS_KEY) != NULL)
    return FALSE;
  g_autofree char *whole = g_strdup_printf ("%s: %s", name, error->message), *body = hl_utf8_bound (whole);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (window), _ ("File Not Found"), body);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "locate", _ ("_Locate…"),
                                    NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "locate", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "locate");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  gtk_window_set_title (GTK_WINDOW (dialog), _ ("File Not Found"));
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_search_response),
                         search_new (window, file, hl_document_page_get_located (page), located),
                         (GClosureNotify) search_free, G_CONNECT_SWAPPED);
  g_object_set_data (G_OBJECT (window), ASKS_KEY, dialog);
  g_signal_connect_object (dialog, "destroy", G_CALLBACK (on_answered), window, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}
