/* SPDX-License-Identifier: MIT */
/* What transformers and the hub's other tools have downloaded. */
#include <glib/gi18n-lib.h>

#include "core/model/local/hl-cache-folder.h"
#include "core/model/local/hl-hub-folder.h"
#include "core/model/local/hl-model-cache.h"

static void
add_folders (GPtrArray *folders)
{
  GFile *folder = hl_cache_folder_from_environment ("HF_HUB_CACHE", NULL);

  if (folder == NULL)
    folder = hl_cache_folder_from_environment ("HF_HOME", "hub");
  if (folder == NULL)
    folder = g_file_new_build_filename (g_get_user_cache_dir (), "huggingface", "hub", NULL);
  g_ptr_array_add (folders, folder);
}

const HlModelCache hl_cache_hugging_face = {
  .nick = "hugging-face",
  .label = N_ ("Hugging Face"),
  .prefix = "",
  .add_folders = add_folders,
  .list = hl_hub_folder_list,
};
