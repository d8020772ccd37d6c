/* SPDX-License-Identifier: MIT */
/* Files that were opened lately, as the desktop remembers them. File choosers note there what was saved, too; what was
 * opened is told from it by a group. */
#include "config.h"

#include "app/base/hl-recent.h"

#include "core/base/file/hl-file-name.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

#define OPENED "headlight-opened"

/* Names with more folders are not read. */
#define MAX_FOLDERS 16

/* A picture comes before the list is read and written, which takes the time of half a picture. */
#define ADD_AFTER_MS 500

typedef struct
{
  GFile *file;
  gboolean is_folder;
  guint timeout;
} Addition;

static GQueue additions = G_QUEUE_INIT; /* yet to be made, the first first; of the main thread */

/* NULL where the list of the desktop is no simple file: a pipe would be waited for, and a device may have no end. */
GtkRecentManager *
hl_recent_get_manager (void)
{
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), "recently-used.xbel", NULL);
  GStatBuf info;

  return g_stat (path, &info) != 0 || S_ISREG (info.st_mode) ? gtk_recent_manager_get_default () : NULL;
}

static void
addition_free (gpointer data)
{
  Addition *addition = data;

  g_object_unref (addition->file);
  g_free (addition);
}

static gboolean
add (gpointer addition)
{
  GFile *file = ((Addition *) addition)->file;
  const gboolean is_folder = ((Addition *) addition)->is_folder;
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
  GtkRecentManager *manager = hl_recent_get_manager ();

  g_queue_remove (&additions, addition);
  if (manager != NULL)
    gtk_recent_manager_add_full (manager, uri, &data);
  g_application_release (g_application_get_default ());
  return G_SOURCE_REMOVE;
}

/* Who reads the list, or takes something out of it, has it whole. */
static void
add_all (void)
{
  for (Addition *addition = g_queue_peek_head (&additions); addition != NULL; addition = g_queue_peek_head (&additions))
    {
      const guint timeout = addition->timeout;
      add (addition);
      g_source_remove (timeout);
    }
}

/* Soon, and even if the window is closed before. */
void
hl_recent_add (GFile   *file,
               gboolean is_folder)
{
  g_return_if_fail (G_IS_FILE (file));

  Addition *addition = g_new (Addition, 1);

  *addition = (Addition){ .file = g_object_ref (file), .is_folder = is_folder };
  g_queue_push_tail (&additions, addition);
  g_application_hold (g_application_get_default ());
  addition->timeout = g_timeout_add_full (G_PRIORITY_LOW, ADD_AFTER_MS, add, addition, addition_free);
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
  add_all ();
  GtkRecentManager *manager = hl_recent_get_manager ();
  GList *items = manager != NULL ? gtk_recent_manager_get_items (manager) : NULL;
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

/* A file with so many of the folders that it is in; of one that is in fewer, with all. */
static char *
dup_name_below (GFile *file,
                guint  n_folders)
{
  char *name = hl_file_dup_display_name (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);

  for (; folder != NULL && n_folders > 0; n_folders--)
    {
      g_autofree char *outer = hl_file_dup_display_name (folder);
      g_autofree char *inner = name;
      GFile *above = g_file_get_parent (folder);
      name = g_strconcat (above != NULL ? outer : "", "/", inner, NULL);
      g_object_unref (folder);
      folder = above;
    }
  return name;
}

/* What files are called in a list of them: by their names, and with as much of their folders as tells apart those of one name. */
GStrv
hl_recent_list_names (GPtrArray *files)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (files != NULL, NULL);

  for (guint i = 0; i < files->len; i++)
    g_ptr_array_add (names, hl_file_dup_display_name (files->pdata[i]));
  for (guint n_folders = 1; n_folders <= MAX_FOLDERS; n_folders++)
    {
      g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint i = 0; i < files->len; i++)
        g_hash_table_insert (counts, names->pdata[i],
                             GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, names->pdata[i])) + 1));
      if (g_hash_table_size (counts) == files->len)
        break;
      g_autoptr (GPtrArray) longer = g_ptr_array_new_with_free_func (g_free);
      for (guint i = 0; i < files->len; i++)
        g_ptr_array_add (longer, GPOINTER_TO_UINT (g_hash_table_lookup (counts, names->pdata[i])) > 1
                                   ? dup_name_below (files->pdata[i], n_folders)
                                   : g_strdup (names->pdata[i]));
      g_hash_table_remove_all (counts);
      g_ptr_array_unref (names);
      names = g_steal_pointer (&longer);
    }
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

/* The folder it is in, for people, “~” for home. */
char *
hl_recent_dup_place (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *name = folder != NULL ? hl_file_dup_display_path (folder) : NULL;
  const char *home = g_get_home_dir ();
  const gsize length = strlen (home);

  if (name == NULL)
    return NULL;
  if (length > 1 && g_str_has_prefix (name, home) && (name[length] == '\0' || name[length] == '/'))
    return g_strconcat ("~", name + length, NULL);
  return g_steal_pointer (&name);
}

static GtkRecentInfo *
look_up (GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);
  GtkRecentManager *manager = hl_recent_get_manager ();

  return manager != NULL ? gtk_recent_manager_lookup_item (manager, uri, NULL) : NULL;
}

/* When Headlight opened it last, for people; NULL if nobody knows. */
char *
hl_recent_dup_time (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  GtkRecentInfo *info = look_up (file);
  GDateTime *visit = NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *text = NULL;

  if (info == NULL)
    return NULL;
  if (gtk_recent_info_get_application_info (info, g_get_application_name (), NULL, NULL, &visit) && visit != NULL)
    {
      g_autoptr (GDateTime) local = g_date_time_to_local (visit);
      g_autofree char *day = g_date_time_format (local, "%F");
      g_autofree char *today = g_date_time_format (now, "%F");
      /* Translators: when a file was opened, on this day: hours and minutes as strftime writes them */
      text = g_date_time_format (local, g_str_equal (day, today) ? _ ("today, %H:%M") : "%x");
    }
  gtk_recent_info_unref (info);
  return g_steal_pointer (&text);
}

/* Takes a file out of the list. It stays where it is. */
void
hl_recent_remove (GFile *file)
{
  g_return_if_fail (G_IS_FILE (file));

  g_autofree char *uri = g_file_get_uri (file);

  add_all ();
  GtkRecentManager *manager = hl_recent_get_manager ();
  /* What is not in the list need not be taken out. */
  if (manager != NULL)
    gtk_recent_manager_remove_item (manager, uri, NULL);
}
