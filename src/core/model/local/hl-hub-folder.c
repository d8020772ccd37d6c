/* SPDX-License-Identifier: MIT */
/* A folder as the hub's own tools lay it out: models--ORG--NAME/refs/main holds the name of a folder in snapshots/, whose files are links. */
#include "core/model/local/hl-hub-folder.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/file/hl-file-read.h"

#define MODELS "models--"
#define MAX_HASH 128

/* Returns `org/name` of `models--org--name`. */
static char *
make_name (const char *folder)
{
  g_auto (GStrv) parts = g_strsplit (folder + strlen (MODELS), "--", 2);

  return g_strjoinv ("/", parts);
}

/* The snapshot that refs/main names, if that is a name and no path. */
static GFile *
find_main (GFile        *model,
           GFile        *snapshots,
           GCancellable *cancellable)
{
  g_autoptr (GFile) ref = g_file_resolve_relative_path (model, "refs/main");
  g_autoptr (GBytes) bytes = hl_file_read_regular (ref, MAX_HASH, cancellable, NULL);

  if (bytes == NULL || g_bytes_get_size (bytes) == 0)
    return NULL;
  g_autofree char *hash = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_strstrip (hash);
  for (const char *at = hash; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at))
      return NULL;
  return *hash != '\0' ? g_file_get_child (snapshots, hash) : NULL;
}

/* The snapshot of the main branch; where no branch is noted, as of a model that was asked for by a revision, one of those that are there. */
static GFile *
find_snapshot (HlModelListing *listing,
               GFile          *model)
{
  g_autoptr (GFile) snapshots = g_file_get_child (model, "snapshots");
  g_autoptr (GFile) named = find_main (model, snapshots, listing->cancellable);

  if (named != NULL &&
      g_file_query_file_type (named, G_FILE_QUERY_INFO_NONE, listing->cancellable) == G_FILE_TYPE_DIRECTORY)
    return g_steal_pointer (&named);
  g_autoptr (GPtrArray) entries = hl_model_listing_look (listing, snapshots);
  for (guint i = 0; i < entries->len; i++)
    if (((HlCacheEntry *) entries->pdata[i])->is_folder)
      return g_file_get_child (snapshots, ((HlCacheEntry *) entries->pdata[i])->name);
  return NULL;
}

/* Adds the models of a folder. */
void
hl_hub_folder_list (HlModelListing *listing,
                    GFile          *folder)
{
  g_autoptr (GPtrArray) entries = hl_model_listing_look (listing, folder);

  for (guint i = 0; i < entries->len && !g_cancellable_is_cancelled (listing->cancellable); i++)
    {
      const HlCacheEntry *entry = entries->pdata[i];
      if (!entry->is_folder || !g_str_has_prefix (entry->name, MODELS))
        continue;
      g_autofree char *name = make_name (entry->name);
      if (!hl_model_listing_wants (listing, name))
        continue;
      g_autoptr (GFile) model = g_file_get_child (folder, entry->name);
      g_autoptr (GFile) snapshot = find_snapshot (listing, model);
      if (snapshot != NULL)
        hl_model_listing_add_folder (listing, name, snapshot);
      else
        hl_model_listing_add_problem (listing, name, _ ("there is no snapshot of it: its download did not end"));
    }
}
