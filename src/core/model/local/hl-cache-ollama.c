/* SPDX-License-Identifier: MIT */
/* What Ollama has downloaded. A manifest, HOST/NAMESPACE/MODEL/TAG, says which file in blobs/ is the model. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/file/hl-file-read.h"
#include "core/json/hl-json-tree.h"
#include "core/base/hl-environment.h"
#include "core/base/hl-limits.h"
#include "core/model/local/hl-model-cache.h"
#include "core/model/local/hl-model-peek.h"

#define DIGEST "sha256:"
#define DIGEST_DIGITS 64
#define MODEL_LAYER "application/vnd.ollama.image.model"
/* Folders above a manifest, and what names leave out there. */
#define DEPTH 4
#define HOST "registry.ollama.ai/"
#define NAMESPACE "library/"

static void
add_folders (GPtrArray *folders)
{
  GFile *folder = hl_environment_get_folder ("OLLAMA_MODELS", NULL);

  if (folder != NULL)
    {
      g_ptr_array_add (folders, folder);
      return;
    }
  g_ptr_array_add (folders, g_file_new_build_filename (g_get_home_dir (), ".ollama", "models", NULL));
  /* Of the service that runs as a user of its own. */
  g_ptr_array_add (folders, g_file_new_for_path ("/usr/share/ollama/.ollama/models"));
}

/* The file that a digest names, if it is one. */
static GFile *
find_blob (GFile      *models,
           const char *digest)
{
  if (digest == NULL || !g_str_has_prefix (digest, DIGEST) || strlen (digest) != strlen (DIGEST) + DIGEST_DIGITS)
    return NULL;
  for (const char *at = digest + strlen (DIGEST); *at != '\0'; at++)
    if (!g_ascii_isxdigit (*at))
      return NULL;
  g_autofree char *name = g_strconcat ("sha256-", digest + strlen (DIGEST), NULL);
  g_autoptr (GFile) blobs = g_file_get_child (models, "blobs");
  return g_file_get_child (blobs, name);
}

static const char *
get_string (HlJsonValue object,
            const char *key)
{
  return hl_json_value_get_kind (object) == HL_JSON_OBJECT ? hl_json_value_as_string (hl_json_value_get (object, key))
                                                           : NULL;
}

static HlJsonTree *
load (GFile        *file,
      GCancellable *cancellable,
      GError      **error)
{
  g_autofree char *text = NULL;
  gsize size;

  if (!hl_model_peek_is_small (file, cancellable, error) ||
      (text = hl_file_load_regular (file, &size, HL_LIMIT_LISTED_CONFIG, error)) == NULL)
    return NULL;
  return hl_json_tree_new (text, size, error);
}

/* The digest of the model among the layers of a manifest. */
static const char *
find_layer (HlJsonValue manifest)
{
  HlJsonIter layer;

  if (hl_json_value_get_kind (manifest) != HL_JSON_OBJECT ||
      hl_json_value_get_kind (hl_json_value_get (manifest, "layers")) != HL_JSON_ARRAY)
    return NULL;
  hl_json_iter_init (&layer, hl_json_value_get (manifest, "layers"));
  while (hl_json_iter_next (&layer))
    if (g_strcmp0 (get_string (layer.value, "mediaType"), MODEL_LAYER) == 0)
      return get_string (layer.value, "digest");
  return NULL;
}

/* What a list of manifests leads to: one that stands in it, or is a blob itself. */
static GFile *
find_in_list (HlModelListing *listing,
              GFile          *models,
              HlJsonValue     list)
{
  HlJsonIter item;

  hl_json_iter_init (&item, list);
  while (hl_json_iter_next (&item) && !g_cancellable_is_cancelled (listing->cancellable))
    {
      g_autoptr (GFile) blob = find_blob (models, find_layer (item.value));
      g_autoptr (GFile) manifest = blob == NULL ? find_blob (models, get_string (item.value, "digest")) : NULL;
      g_autoptr (HlJsonTree) tree = manifest != NULL ? load (manifest, listing->cancellable, NULL) : NULL;
      if (tree != NULL)
        blob = find_blob (models, find_layer (hl_json_tree_get_root (tree)));
      if (blob != NULL)
        return g_steal_pointer (&blob);
    }
  return NULL;
}

/* The file of the model that a manifest, or a list of some, is of. */
static GFile *
find_model (HlModelListing *listing,
            GFile          *models,
            GFile          *manifest,
            GError        **error)
{
  g_autoptr (HlJsonTree) tree = load (manifest, listing->cancellable, error);
  const HlJsonValue root = tree != NULL ? hl_json_tree_get_root (tree) : (HlJsonValue){ NULL };

  if (tree == NULL)
    return NULL;
  GFile *blob = find_blob (models, find_layer (root));
  const HlJsonValue list = hl_json_value_get_kind (root) == HL_JSON_OBJECT ? hl_json_value_get (root, "manifests")
                                                                           : root;
  if (blob == NULL && hl_json_value_get_kind (list) == HL_JSON_ARRAY)
    blob = find_in_list (listing, models, list);
  if (blob == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("its manifest names no GGUF file"));
  return blob;
}

/* Returns `llama3.2:latest` of `registry.ollama.ai/library/llama3.2/latest`. */
static char *
make_name (const char *path)
{
  if (g_str_has_prefix (path, HOST))
    path += strlen (HOST);
  if (g_str_has_prefix (path, NAMESPACE))
    path += strlen (NAMESPACE);
  char *name = g_strdup (path);
  *strrchr (name, '/') = ':';
  return name;
}

static void
add_manifest (HlModelListing *listing,
              GFile          *models,
              GFile          *manifest,
              const char     *path)
{
  g_autofree char *name = make_name (path);
  g_autoptr (GError) error = NULL;

  if (!hl_model_listing_wants (listing, name))
    return;
  g_autoptr (GFile) blob = find_model (listing, models, manifest, &error);
  g_autoptr (GFileInfo)
    info = blob != NULL ? g_file_query_info (blob, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                                             G_FILE_QUERY_INFO_NONE, listing->cancellable, NULL)
                        : NULL;
  if (error != NULL)
    hl_model_listing_add_problem (listing, name, error->message);
  else if (info == NULL || g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    hl_model_listing_add_problem (listing, name, _ ("the file that its manifest names is not there"));
  else
    hl_model_listing_add_gguf (listing, name, blob, (guint64) g_file_info_get_size (info));
}

/* What is below a folder of manifests; @path is where below the first that is. */
static void
list_manifests (HlModelListing *listing,
                GFile          *models,
                GFile          *folder,
                const char     *path,
                guint           depth)
{
  g_autoptr (GPtrArray) entries = hl_model_listing_look (listing, folder);

  for (guint i = 0; i < entries->len && !g_cancellable_is_cancelled (listing->cancellable); i++)
    {
      const HlCacheEntry *entry = entries->pdata[i];
      g_autoptr (GFile) file = g_file_get_child (folder, entry->name);
      g_autofree char *inner = *path != '\0' ? g_strconcat (path, "/", entry->name, NULL) : g_strdup (entry->name);
      if (entry->is_folder && depth > 1)
        list_manifests (listing, models, file, inner, depth - 1);
      else if (!entry->is_folder && depth == 1)
        add_manifest (listing, models, file, inner);
    }
}

static void
list_models (HlModelListing *listing,
             GFile          *folder)
{
  g_autoptr (GFile) newer = g_file_get_child (folder, "manifests-v2");
  g_autoptr (GFile) older = g_file_get_child (folder, "manifests");

  list_manifests (listing, folder, newer, "", DEPTH);
  list_manifests (listing, folder, older, "", DEPTH);
}

const HlModelCache hl_cache_ollama = {
  .nick = "ollama",
  .label = N_ ("Ollama"),
  .prefix = "ollama:",
  .suffix = ":latest",
  .add_folders = add_folders,
  .list = list_models,
};
