/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/base/hl-help.h"

#include "core/base/hl-error.h"

#include <glib/gi18n.h>

/* Where the desktop looks for pages of help, below each folder of data. */
static gboolean
is_installed (const char *page)
{
  g_autofree char *name = g_strconcat (page, ".page", NULL);

  for (const char *const *folder = g_get_system_data_dirs (); *folder != NULL; folder++)
    {
      g_autofree char *path = g_build_filename (*folder, "help", "C", "headlight", name, NULL);
      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return TRUE;
    }
  return FALSE;
}

/* The page as HTML in this folder of data, in the language that is best understood; NULL where there is none. */
static char *
find_html (const char *folder,
           const char *page)
{
  g_autofree char *name = g_strconcat (page, ".html", NULL);

  for (const char *const *language = g_get_language_names (); *language != NULL; language++)
    {
      g_autofree char *below = g_strconcat ("html-", *language, NULL);
      g_autofree char *path = g_build_filename (folder, "help", below, name, NULL);
      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return NULL;
}

/* The same of what was installed, there or where it was moved to. */
static char *
find_installed_html (const char *page)
{
  char *path = find_html (HL_PKGDATADIR, page);

  for (const char *const *folder = g_get_system_data_dirs (); path == NULL && *folder != NULL; folder++)
    {
      g_autofree char *ours = g_build_filename (*folder, "headlight", NULL);
      path = find_html (ours, page);
    }
  return path;
}

/* Finds where a page of help is: `help:headlight/PAGE` where a program shows such, otherwise the same page as a file of
 * HTML. HEADLIGHT_DATA_DIR says where that is when the program is run without having been installed. */
char *
hl_help_find (const char *page,
              GError    **error)
{
  g_return_val_if_fail (page != NULL, NULL);

  const char *folder = g_getenv ("HEADLIGHT_DATA_DIR");
  g_autoptr (GAppInfo) viewer = g_app_info_get_default_for_uri_scheme ("help");
  if (folder == NULL && viewer != NULL && is_installed (page))
    return g_strconcat ("help:headlight/", page, NULL);

  g_autofree char *path = folder != NULL ? find_html (folder, page) : find_installed_html (page);
  if (path != NULL)
    return g_filename_to_uri (path, NULL, error);
  g_autofree char *name = g_strconcat (page, ".html", NULL);
  g_autofree char *missing = g_build_filename (folder != NULL ? folder : HL_PKGDATADIR, "help", "html-C", name, NULL);
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the help is not installed: there is no “%s”"), missing);
  return NULL;
}

static void
on_shown (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (gtk_show_uri_full_finish (GTK_WINDOW (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Shows a page of help. */
void
hl_help_show (GtkWindow          *window,
              const char         *page,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  g_return_if_fail (GTK_IS_WINDOW (window));
  g_return_if_fail (page != NULL);

  GTask *task = g_task_new (window, NULL, callback, user_data);
  GError *error = NULL;
  g_autofree char *uri = hl_help_find (page, &error);

  g_task_set_source_tag (task, hl_help_show);
  if (uri != NULL)
    gtk_show_uri_full (window, uri, GDK_CURRENT_TIME, NULL, on_shown, task);
  else
    {
      g_task_return_error (task, error);
      g_object_unref (task);
    }
}

gboolean
hl_help_show_finish (GAsyncResult *result,
                     GError      **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
