/* SPDX-License-Identifier: MIT */
/* What llama.cpp has downloaded: files beside one another until 2025, the layout of the hub since. */
#include <glib/gi18n-lib.h>

#include "core/base/hl-environment.h"
#include "core/model/local/hl-hub-folder.h"
#include "core/model/local/hl-model-cache.h"

static void
add_folders (GPtrArray *folders)
{
  GFile *folder = hl_environment_get_folder ("LLAMA_CACHE", NULL);

  g_ptr_array_add (folders,
                   folder != NULL ? folder : g_file_new_build_filename (g_get_user_cache_dir (), "llama.cpp", NULL));
}

static void
list_models (HlModelListing *listing,
             GFile          *folder)
{
  g_autoptr (GPtrArray) entries = hl_model_listing_look (listing, folder);

  hl_model_listing_add_ggufs (listing, "", folder, entries);
  hl_hub_folder_list (listing, folder);
}

const HlModelCache hl_cache_llama_cpp = {
  .nick = "llama.cpp",
  .label = N_ ("llama.cpp"),
  .prefix = "llama.cpp:",
  .add_folders = add_folders,
  .list = list_models,
};
