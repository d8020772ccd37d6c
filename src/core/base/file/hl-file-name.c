/* SPDX-License-Identifier: MIT */
/* Names of files, for people. */
#include "core/base/file/hl-file-name.h"

#include "core/base/file/hl-file-read.h"
#include "core/base/file/hl-shard-name.h"
#include "core/base/hl-utf8.h"

#include <string.h>

#define MODELS "models--"
#define BLOB "sha256-"
#define DIGEST "sha256:"

/* Manifests that are looked through for one, and the longest that is. */
#define MAX_MANIFESTS 256
#define MAX_MANIFEST (1 << 18)

/* What people see of one, in letters, and how many of them are its end. File systems have names of 255 bytes; addresses have any, and a word of
 * thousands of letters is laid out for seconds. */
#define MAX_NAME 255
#define NAME_END 60
#define MAX_PATH 1000
#define PATH_END 300

/* Names of blobs that were found, by their paths. */
static GHashTable *names;
static GMutex lock;

/* Returns `org/name` of `models--org--name/snapshots/HASH`, as the hub's tools lay out what they download. */
static char *
dup_snapshot_name (GFile *file)
{
  g_autoptr (GFile) snapshots = g_file_get_parent (file);
  g_autoptr (GFile) model = snapshots != NULL ? g_file_get_parent (snapshots) : NULL;
  g_autofree char *between = model != NULL ? g_file_get_basename (snapshots) : NULL;
  g_autofree char *name = model != NULL ? g_file_get_basename (model) : NULL;

  if (name == NULL || g_strcmp0 (between, "snapshots") != 0 || !g_str_has_prefix (name, MODELS))
    return NULL;
  g_auto (GStrv) parts = g_strsplit (name + strlen (MODELS), "--", 2);
  g_autofree char *joined = g_strjoinv ("/", parts);
  return g_filename_display_name (joined);
}

static gboolean
mentions (GFile      *manifest,
          const char *digest)
{
  gsize size;
  g_autofree char *text = hl_file_load_regular (manifest, &size, MAX_MANIFEST, NULL);

  return text != NULL && strstr (text, digest) != NULL;
}

/* Looks below HOST/NAMESPACE for MODEL/TAG with that digest in it. */
static char *
find_manifest (GFile      *folder,
               const char *digest,
               guint       depth,
               guint      *n_left)
{
  g_autoptr (GFileEnumerator)
    items = g_file_enumerate_children (folder, G_FILE_ATTRIBUTE_STANDARD_NAME, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  GFile *child;

  while (items != NULL && *n_left > 0 && g_file_enumerator_iterate (items, NULL, &child, NULL, NULL) && child != NULL)
    {
      (*n_left)--;
      char *found = depth > 1 ? find_manifest (child, digest, depth - 1, n_left) : NULL;
      if (found != NULL)
        return found;
      if (depth > 1 || !mentions (child, digest))
        continue;
      g_autofree char *tag = g_file_get_basename (child);
      g_autofree char *model = g_file_get_basename (folder);
      g_autofree char *name = g_strconcat (model, ":", tag, NULL);
      return g_filename_display_name (name);
    }
  return NULL;
}

/* Returns `llama3.2:latest` of `blobs/sha256-…`, as Ollama lays out what it downloads: which model a blob is of, manifests say. */
static char *
dup_blob_name (GFile *file)
{
  static const char *const kinds[] = { "manifests-v2", "manifests" };
  g_autofree char *basename = g_file_get_basename (file);
  g_autoptr (GFile) blobs = g_file_get_parent (file);
  g_autoptr (GFile) models = blobs != NULL ? g_file_get_parent (blobs) : NULL;
  g_autofree char *path = g_file_get_path (file);

  if (models == NULL || path == NULL || !g_str_has_prefix (basename, BLOB))
    return NULL;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  if (names == NULL)
    names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  char *name = g_strdup (g_hash_table_lookup (names, path));
  g_autofree char *digest = g_strconcat (DIGEST, basename + strlen (BLOB), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds) && name == NULL; i++)
    {
      g_autoptr (GFile) manifests = g_file_get_child (models, kinds[i]);
      guint n_left = MAX_MANIFESTS;
      name = find_manifest (manifests, digest, 4, &n_left);
    }
  if (name != NULL)
    g_hash_table_insert (names, g_steal_pointer (&path), g_strdup (name));
  return name;
}

/**
 * hl_file_dup_display_name:
 * @file: a file
 *
 * Returns: (transfer full): its name without its folder, valid UTF-8 in one line whatever the bytes of the name are, see
 *   hl_utf8_flatten(); of a model where programs keep what they download, what they call it; of a part of a dump, what the whole is called; of
 *   an address without end, its beginning and its end
 */
char *
hl_file_dup_display_name (GFile *file)
{
  g_autofree char *name = dup_snapshot_name (file);

  if (name == NULL)
    name = dup_blob_name (file);
  if (name == NULL)
    {
      g_autofree char *basename = g_file_get_basename (file);
      g_autofree char *whole = basename != NULL ? hl_shard_name_dup_whole (basename) : NULL;
      /* Addresses such as “file:///%00” have no name. */
      name = basename == NULL ? g_file_get_parse_name (file)
                              : g_filename_display_name (whole != NULL ? whole : basename);
    }
  hl_utf8_flatten (name);
  return hl_utf8_shorten_middle (name, MAX_NAME, NAME_END);
}

/**
 * hl_file_dup_display_path:
 * @file: a file
 *
 * Returns: (transfer full): where it is, for people, in one line, see hl_utf8_flatten(); of more than 1,000 letters the beginning and the end
 */
char *
hl_file_dup_display_path (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autofree char *path = g_file_get_parse_name (file);

  hl_utf8_flatten (path);
  return hl_utf8_shorten_middle (path, MAX_PATH, PATH_END);
}
