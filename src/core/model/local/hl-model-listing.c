/* SPDX-License-Identifier: MIT */
/* What is found in caches, within bounds. */
#include "core/model/local/hl-model-listing.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/base/text/hl-text-hash.h"
#include "core/model/adapter/hl-adapter-config.h"
#include "core/model/checkpoint/hl-model-folder.h"
#include "core/model/checkpoint/hl-weights.h"
#include "core/model/hub/hl-hub-name.h"
#include "core/model/local/hl-model-peek.h"

#define GGUF ".gguf"

#define ATTRIBUTES G_FILE_ATTRIBUTE_STANDARD_NAME "," G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE

/* Characters of a name in a sentence. */
#define MAX_SHOWN 60

/* What changes a model, of which is not known yet whether it is there. */
typedef struct
{
  const HlModelCache *cache;
  char *name;
  GFile *file;
  guint64 size;
  char *base;
} Adapter;

static void
free_adapter (gpointer data)
{
  Adapter *self = data;

  g_free (self->name);
  g_object_unref (self->file);
  g_free (self->base);
  g_free (self);
}

/* Begins a walk; with @wanted it may leave out models whose name does not begin so, nor is the beginning of it. */
void
hl_model_listing_init (HlModelListing *self,
                       const char     *wanted,
                       GCancellable   *cancellable)
{
  *self = (HlModelListing){ .wanted = wanted, .cancellable = cancellable };
  self->models = g_ptr_array_new_with_free_func (g_object_unref);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  self->adapters = g_ptr_array_new_with_free_func (free_adapter);
  self->seen = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
}

void
hl_model_listing_clear (HlModelListing *self)
{
  g_clear_pointer (&self->models, g_ptr_array_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_clear_pointer (&self->adapters, g_ptr_array_unref);
  g_clear_pointer (&self->seen, g_hash_table_unref);
}

/* Goes on with another cache. */
void
hl_model_listing_begin (HlModelListing     *self,
                        const HlModelCache *cache)
{
  self->cache = cache;
  self->n_left = HL_LIMIT_MODEL_ENTRIES;
}

/* Returns whether a model of this name, or one whose name goes on from it, is asked for. */
gboolean
hl_model_listing_wants (HlModelListing *self,
                        const char     *name)
{
  return self->wanted == NULL || g_str_has_prefix (self->wanted, name) || g_str_has_prefix (name, self->wanted);
}

static void
free_entry (gpointer data)
{
  HlCacheEntry *entry = data;

  g_free (entry->name);
  g_free (entry);
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  return strcmp ((*(const HlCacheEntry *const *) a)->name, (*(const HlCacheEntry *const *) b)->name);
}

/* Returns what is in a folder, by name: the #HlCacheEntry of each file and folder, or link to one, that is not hidden. Nothing is in one
 * that is not there; one that cannot be read, or has too much in it, is noted. */
GPtrArray *
hl_model_listing_look (HlModelListing *self,
                       GFile          *folder)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func (free_entry);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileEnumerator)
    items = g_file_enumerate_children (folder, ATTRIBUTES, G_FILE_QUERY_INFO_NONE, self->cancellable, &error);
  GFileInfo *info = NULL;

  while (items != NULL && self->n_left > 0 &&
         g_file_enumerator_iterate (items, &info, NULL, self->cancellable, &error) && info != NULL)
    {
      const char *name = g_file_info_get_name (info);
      const GFileType type = g_file_info_get_file_type (info);

      self->n_left--;
      if (*name == '.' || (type != G_FILE_TYPE_REGULAR && type != G_FILE_TYPE_DIRECTORY))
        continue;
      HlCacheEntry *entry = g_new (HlCacheEntry, 1);
      *entry = (HlCacheEntry){ g_strdup (name), type == G_FILE_TYPE_DIRECTORY, (guint64) g_file_info_get_size (info) };
      g_ptr_array_add (entries, entry);
    }
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_ptr_array_add (self->notes, g_strdup (error->message));
  if (self->n_left == 0 && info != NULL)
    {
      g_autofree char *place = g_file_get_parse_name (folder);
      g_ptr_array_add (self->notes,
                       g_strdup_printf (_ ("%s: the first %d files and folders were looked at, the rest was not"),
                                        place, HL_LIMIT_MODEL_ENTRIES));
    }
  g_ptr_array_sort (entries, compare_entries);
  return entries;
}

/* A name is listed once of a cache, and a file by the first of the caches that lead to it. */
static void
add (HlModelListing *self,
     const char     *name,
     const char     *title,
     GFile          *file,
     guint64         size,
     const HlFamily *family,
     const char     *problem)
{
  g_autofree char *shown = g_filename_display_name (name);
  g_autofree char *path = file != NULL ? g_file_get_uri (file) : g_strdup ("");
  const HlModelCache *other = g_hash_table_lookup (self->seen, path);

  if (other != NULL && other != self->cache)
    return;
  /* The table takes it, also where it is there already. */
  char *own = g_strdup_printf ("%p %s", (const void *) self->cache, name);
  if (!g_hash_table_insert (self->seen, own, (gpointer) self->cache))
    return;
  if (file != NULL)
    g_hash_table_insert (self->seen, g_steal_pointer (&path), (gpointer) self->cache);
  g_ptr_array_add (self->models, hl_local_model_new (self->cache, shown, title, file, size, family, problem));
}

/* Adds what there is no file of that could be opened. */
void
hl_model_listing_add_problem (HlModelListing *self,
                              const char     *name,
                              const char     *problem)
{
  add (self, name, NULL, NULL, 0, NULL, problem);
}

/* Adds a GGUF file. */
void
hl_model_listing_add_gguf (HlModelListing *self,
                           const char     *name,
                           GFile          *file,
                           guint64         size)
{
  g_autoptr (GError) error = NULL;

  if (!hl_model_listing_wants (self, name))
    return;
  g_autofree char *title = NULL;
  const HlFamily *family = hl_model_peek_gguf (file, &title, &error);
  add (self, name, title, file, size, family, error != NULL ? error->message : NULL);
}

static guint64
measure_shards (GPtrArray *entries,
                guint      first)
{
  const HlCacheEntry *entry = entries->pdata[first];
  guint64 size = entry->size;
  gsize stem, other_stem;

  if (hl_hub_get_shard (entry->name, GGUF, &stem) == 0)
    return size;
  for (guint i = first + 1; i < entries->len; i++)
    {
      const HlCacheEntry *other = entries->pdata[i];
      if (strncmp (other->name, entry->name, stem) != 0)
        break;
      if (hl_hub_get_shard (other->name, GGUF, &other_stem) > 1 && other_stem == stem)
        size += other->size;
    }
  return size;
}

/* Adds the GGUF files among what is in a folder, as models whose names go on from that of the folder; of shards, the first. Returns whether
 * there are any. */
gboolean
hl_model_listing_add_ggufs (HlModelListing *self,
                            const char     *name,
                            GFile          *folder,
                            GPtrArray      *entries)
{
  gboolean found = FALSE;
  gsize stem;

  for (guint i = 0; i < entries->len && !g_cancellable_is_cancelled (self->cancellable); i++)
    {
      const HlCacheEntry *entry = entries->pdata[i];
      if (entry->is_folder || !g_str_has_suffix (entry->name, GGUF) || hl_hub_get_shard (entry->name, GGUF, &stem) > 1)
        continue;
      g_autoptr (GFile) file = g_file_get_child (folder, entry->name);
      g_autofree char *full = *name != '\0' ? g_strconcat (name, "/", entry->name, NULL) : g_strdup (entry->name);
      hl_model_listing_add_gguf (self, full, file, measure_shards (entries, i));
      found = TRUE;
    }
  return found;
}

/* Bytes of the weights of what changes a model, which may be there in two formats. */
static guint64
measure_adapter (GPtrArray *entries)
{
  static const char *const names[] = { "adapter_model.safetensors", "adapter_model.bin" };

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    for (guint i = 0; i < entries->len; i++)
      {
        const HlCacheEntry *entry = entries->pdata[i];
        if (!entry->is_folder && entry->size > 0 && g_str_equal (entry->name, names[k]))
          return entry->size;
      }
  return 0;
}

static gboolean
has_entry (GPtrArray  *entries,
           const char *name)
{
  for (guint i = 0; i < entries->len; i++)
    if (g_str_equal (((HlCacheEntry *) entries->pdata[i])->name, name))
      return TRUE;
  return FALSE;
}

/* Bytes of all NAME-00001-of-00003SUFFIX; 0 if one of them is not there. */
static guint64
measure_numbered (GPtrArray  *entries,
                  const char *name,
                  const char *suffix)
{
  guint64 size = 0, n = 0, n_all = 0;
  gsize stem;

  for (guint i = 0; i < entries->len; i++)
    {
      const HlCacheEntry *entry = entries->pdata[i];
      const guint place = entry->is_folder ? 0 : hl_hub_get_shard (entry->name, suffix, &stem);

      if (place == 0 || stem != strlen (name) || !g_str_has_prefix (entry->name, name))
        continue;
      const guint64 n_said = g_ascii_strtoull (entry->name + stem + strlen ("-00000-of-"), NULL, 10);
      /* Of two sets the index has to say which it is of. */
      if (place > n_said || (n_all > 0 && n_said != n_all))
        return 0;
      n_all = n_said;
      n++;
      size += entry->size;
    }
  return n == n_all ? size : 0;
}

/* Bytes of the weights of an index, where these are called as most are: then it need not be read, which may have megabytes. */
static guint64
measure_indexed (GPtrArray *entries)
{
  if (has_entry (entries, "model.safetensors"))
    return 0;
  if (has_entry (entries, "model.safetensors.index.json"))
    return measure_numbered (entries, "model", ".safetensors");
  return has_entry (entries, "pytorch_model.bin.index.json") && !has_entry (entries, "pytorch_model.bin")
           ? measure_numbered (entries, "pytorch_model", ".bin")
           : 0;
}

/* Bytes of the weights that would be opened: many folders have the same in several formats, and an index calls them as it likes. */
static guint64
measure_weights (GFile     *folder,
                 GPtrArray *entries)
{
  guint64 size = measure_indexed (entries);

  if (size > 0)
    return size;
  g_auto (GStrv) names = hl_weights_list_files (folder);
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GFile) file = g_file_resolve_relative_path (folder, *name);
      g_autoptr (GFileInfo)
        info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
      size += info != NULL ? (guint64) g_file_info_get_size (info) : 0;
    }
  return size;
}

/* Keeps what changes a model until all models are found. */
static void
add_adapter (HlModelListing *self,
             const char     *name,
             GFile          *file,
             GFile          *folder,
             guint64         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlAdapterConfig) config = hl_adapter_config_load (folder, &error);

  if (config == NULL)
    {
      add (self, name, NULL, file, size, NULL, error->message);
      return;
    }
  Adapter *adapter = g_new (Adapter, 1);
  *adapter = (Adapter){ self->cache, g_strdup (name), g_object_ref (file), size, g_steal_pointer (&config->base) };
  g_ptr_array_add (self->adapters, adapter);
}

/* Adds the model that is in a folder, itself or in one within; whether there is any. */
static gboolean
add_model (HlModelListing *self,
           const char     *name,
           GFile          *folder,
           GPtrArray      *entries)
{
  g_autoptr (GFile) place = hl_model_folder_find (folder);
  g_autoptr (GPtrArray) inner = NULL;
  g_autoptr (GError) error = NULL;

  if (place == NULL)
    return FALSE;
  if (!g_file_equal (place, folder))
    entries = inner = hl_model_listing_look (self, place);
  const gboolean is_adapter = has_entry (entries, HL_ADAPTER_CONFIG);
  const guint64 size = is_adapter ? measure_adapter (entries) : measure_weights (place, entries);
  if (size == 0)
    return FALSE;
  if (is_adapter)
    {
      add_adapter (self, name, folder, place, size);
      return TRUE;
    }
  const HlFamily *family = hl_model_peek_folder (place, &error);
  add (self, name, NULL, folder, size, family, error != NULL ? error->message : NULL);
  return TRUE;
}

/* Why there is nothing in a folder that could be opened. */
static void
add_missing (HlModelListing *self,
             const char     *name,
             GFile          *folder)
{
  g_autoptr (GFile) place = hl_model_folder_find (folder);
  g_autoptr (GError) error = NULL;

  if (place == NULL)
    hl_model_listing_add_problem (self, name, _ ("there is neither “config.json” nor a GGUF file in its folder"));
  else if (!hl_weights_are_in (place, &error))
    hl_model_listing_add_problem (self, name, error->message);
}

/* Adds the model that a folder is, and each of the GGUF files in it and in the folders within. */
void
hl_model_listing_add_folder (HlModelListing *self,
                             const char     *name,
                             GFile          *folder)
{
  g_autoptr (GPtrArray) entries = hl_model_listing_look (self, folder);
  gboolean found = add_model (self, name, folder, entries);

  found |= hl_model_listing_add_ggufs (self, name, folder, entries);
  for (guint i = 0; i < entries->len; i++)
    {
      const HlCacheEntry *entry = entries->pdata[i];
      if (!entry->is_folder)
        continue;
      g_autoptr (GFile) inner = g_file_get_child (folder, entry->name);
      g_autoptr (GPtrArray) within = hl_model_listing_look (self, inner);
      g_autofree char *inner_name = g_strconcat (name, "/", entry->name, NULL);
      found |= hl_model_listing_add_ggufs (self, inner_name, inner, within);
    }
  if (!found && hl_model_listing_wants (self, name))
    add_missing (self, name, folder);
}

/* The family of what an adapter changes: of a model of that name, or in the folder that the name leads to. */
static const HlFamily *
find_base_family (HlModelListing *self,
                  const Adapter  *adapter)
{
  for (guint i = 0; i < self->models->len; i++)
    if (g_str_equal (hl_local_model_get_name (self->models->pdata[i]), adapter->base))
      return hl_local_model_get_family (self->models->pdata[i]);
  g_autoptr (GFile) folder = g_file_resolve_relative_path (adapter->file, adapter->base);
  return hl_model_peek_folder (folder, NULL);
}

/* Ends a walk: what changes other models is added now that these are known. Of a walk for one name they are not, and then nothing is said
 * of them. */
void
hl_model_listing_end (HlModelListing *self)
{
  const guint n = self->adapters->len;

  for (guint i = 0; i < n; i++)
    {
      const Adapter *adapter = self->adapters->pdata[i];
      const HlFamily *family = find_base_family (self, adapter);
      g_autofree char *base = hl_utf8_quote (adapter->base, strlen (adapter->base), MAX_SHOWN);
      g_autofree char *problem =
        family == NULL ? g_strdup_printf (_ ("it changes the model “%s”, which is not there"), base) : NULL;

      self->cache = adapter->cache;
      add (self, adapter->name, NULL, adapter->file, adapter->size, family, problem);
    }
}
