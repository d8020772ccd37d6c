/* SPDX-License-Identifier: MIT */
/* What transformers and the hub's other tools have downloaded. */
#include <glib/gi18n-lib.h>

#include "core/model/hub/hl-hub-place.h"
#include "core/model/local/hl-hub-folder.h"
#include "core/model/local/hl-model-cache.h"

static void
add_folders (GPtrArray *folders)
{
  g_ptr_array_add (folders, hl_hub_place_get_folder ());
}

const HlModelCache hl_cache_hugging_face = {
  .nick = "hugging-face",
  .label = N_ ("Hugging Face"),
  .prefix = "",
  .add_folders = add_folders,
  .list = hl_hub_folder_list,
};
