/* SPDX-License-Identifier: MIT */
/* The tokenizer of a model that is not loaded, or of none. */
#include "core/model/local/hl-model-tokenizer.h"

#include "core/archive/gguf/hl-gguf-archive.h"
#include "core/base/file/hl-file-version.h"
#include "core/model/checkpoint/hl-model-folder.h"
#include "core/model/local/hl-file-stamp.h"
#include "core/model/local/hl-model-place.h"
#include "core/tokenizer/gguf/hl-gguf-tokenizer.h"
#include "core/tokenizer/hl-tokenizer-files.h"

static HlTokenizer *
open_tokenizer (GFile   *file,
                GError **error)
{
  g_auto (HlModelPlace) place = { 0 };
  const gboolean is_here = hl_tokenizer_files_are_in (file);
  g_autoptr (GFile) folder = is_here ? NULL : hl_model_folder_find (file);
  if (folder == NULL && !is_here && hl_model_place_fail_for_kind (file, error))
    return NULL;
  if (folder == NULL)
    return hl_tokenizer_open (file, error);
  return hl_model_place_find (&place, file, error) ? hl_model_place_load_tokenizer (&place, error) : NULL;
}

/**
 * hl_model_open_tokenizer:
 * @file: a model, a folder with the files of a tokenizer, or one of these files
 * @error: as hl_tokenizer_open() and hl_model_place_find(); %HL_ERROR_IO where its files were replaced while they were read
 *
 * Reads a tokenizer, wherever it is. Blocks.
 *
 * Returns: (transfer full): the tokenizer
 */
HlTokenizer *
hl_model_open_tokenizer (GFile   *file,
                         GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  /* What is read beside one file is in its folder. */
  g_autoptr (GFile) parent = g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_REGULAR &&
                                 !hl_gguf_archive_is_such (file)
                               ? g_file_get_parent (file)
                               : NULL;
  GFile *place = parent != NULL ? parent : file;
  g_autofree char *before = hl_file_stamp_take_of_tokenizer (place);
  g_autoptr (GError) reason = NULL;
  g_autoptr (HlTokenizer) tokenizer = open_tokenizer (file, &reason);
  g_autofree char *after = hl_file_stamp_take_of_tokenizer (place);

  /* Then what is wrong is a consequence. */
  if (g_strcmp0 (before, after) != 0)
    {
      hl_file_version_set_changed (error);
      return NULL;
    }
  if (tokenizer == NULL)
    g_propagate_error (error, g_steal_pointer (&reason));
  return g_steal_pointer (&tokenizer);
}
