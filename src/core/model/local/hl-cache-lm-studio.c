/* SPDX-License-Identifier: MIT */
/* What LM Studio has downloaded: PUBLISHER/MODEL/, with GGUF files or a folder of transformers in it. */
#include <glib/gi18n-lib.h>

#include "core/model/local/hl-model-cache.h"

static void
add_folders (GPtrArray *folders)
{
  g_ptr_array_add (folders, g_file_new_build_filename (g_get_home_dir (), ".lmstudio", "models", NULL));
  /* Where it was before version 0.3.6. */
  g_ptr_array_add (folders, g_file_new_build_filename (g_get_home_dir (), ".cache", "lm-studio", "models", NULL));
}

static void
list_publisher (HlModelListing *listing,
                const char     *publisher,
                GFile          *folder)
{
  g_autoptr (GPtrArray) models = hl_model_listing_look (listing, folder);

  for (guint i = 0; i < models->len && !g_cancellable_is_cancelled (listing->cancellable); i++)
    {
      const HlCacheEntry *model = models->pdata[i];
      g_autofree char *name = g_strconcat (publisher, "/", model->name, NULL);
      if (!model->is_folder || !hl_model_listing_wants (listing, name))
        continue;
      g_autoptr (GFile) file = g_file_get_child (folder, model->name);
      hl_model_listing_add_folder (listing, name, file);
    }
}

static void
list_models (HlModelListing *listing,
             GFile          *folder)
{
  g_autoptr (GPtrArray) publishers = hl_model_listing_look (listing, folder);

  for (guint i = 0; i < publishers->len; i++)
    {
      const HlCacheEntry *publisher = publishers->pdata[i];
      g_autoptr (GFile) file = g_file_get_child (folder, publisher->name);
      if (publisher->is_folder && hl_model_listing_wants (listing, publisher->name))
        list_publisher (listing, publisher->name, file);
    }
}

const HlModelCache hl_cache_lm_studio = {
  .nick = "lm-studio",
  .label = N_ ("LM Studio"),
  .prefix = "lmstudio:",
  .add_folders = add_folders,
  .list = list_models,
};
