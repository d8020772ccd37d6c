/* SPDX-License-Identifier: MIT */
/* Files that are offered: those that were opened lately, as the desktop remembers them, and the sample. File choosers
 * note there what was saved, too; what was opened is told from it by a group. */
#include "config.h"

#include "app/base/hl-recent.h"

#define OPENED "headlight-opened"

void
hl_recent_add (GFile   *file,
               gboolean is_folder)
{
  g_return_if_fail (G_IS_FILE (file));

  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *basename = g_file_get_basename (file);
  g_autofree char *type = is_folder ? g_strdup ("inode/directory") : g_content_type_guess (basename, NULL, 0, NULL);
  g_autofree char *mime = g_content_type_get_mime_type (type);
  char *groups[] = { (char *) OPENED, NULL };
  GtkRecentData data = {
    .mime_type = mime != NULL ? mime : (char *) "application/octet-stream",
    .app_name = (char *) g_get_application_name (),
    .app_exec = (char *) "headlight %u",
    .groups = groups,
  };

  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

static int
compare_visits (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const char *name = data;
  GDateTime *visits[2] = { NULL, NULL };

  gtk_recent_info_get_application_info ((GtkRecentInfo *) a, name, NULL, NULL, &visits[0]);
  gtk_recent_info_get_application_info ((GtkRecentInfo *) b, name, NULL, NULL, &visits[1]);
  return g_date_time_compare (visits[1], visits[0]);
}

/* Files that Headlight opened and that are still there, the latest first. */
GPtrArray *
hl_recent_list (guint max)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  const char *name = g_get_application_name ();
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  GList *ours = NULL;

  for (GList *item = items; item != NULL; item = item->next)
    if (gtk_recent_info_has_application (item->data, name) && gtk_recent_info_has_group (item->data, OPENED))
      ours = g_list_prepend (ours, item->data);
  ours = g_list_sort_with_data (ours, compare_visits, (gpointer) name);
  for (GList *item = ours; item != NULL && files->len < max; item = item->next)
    if (gtk_recent_info_exists (item->data))
      g_ptr_array_add (files, g_file_new_for_uri (gtk_recent_info_get_uri (item->data)));
  g_list_free (ours);
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  return files;
}

/* The folder it is in, for people, “~” for home. */
char *
hl_recent_dup_place (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *name = folder != NULL ? g_file_get_parse_name (folder) : NULL;
  const char *home = g_get_home_dir ();
  const gsize length = strlen (home);

  if (name == NULL)
    return NULL;
  if (length > 1 && g_str_has_prefix (name, home) && (name[length] == '\0' || name[length] == '/'))
    return g_strconcat ("~", name + length, NULL);
  return g_steal_pointer (&name);
}

/* HEADLIGHT_DATA_DIR says where data is when the program is run without having been installed. */
GFile *
hl_sample_get_file (void)
{
  const char *folder = g_getenv ("HEADLIGHT_DATA_DIR");

  return g_file_new_build_filename (folder != NULL ? folder : HL_PKGDATADIR, "samples", "minilm-l6-v2.gguf", NULL);
}
