/* SPDX-License-Identifier: MIT */
/* What is meant by a folder: the model in it, in a folder within, or, of an adapter, one elsewhere. */
#include "core/model/local/hl-model-place.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/gguf/hl-gguf-archive.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-file-name.h"
#include "core/base/hl-utf8.h"
#include "core/model/adapter/hl-adapter.h"
#include "core/model/checkpoint/hl-model-folder.h"
#include "core/model/local/hl-model-peek.h"
#include "core/model/local/hl-local-models.h"
#include "core/tokenizer/gguf/hl-gguf-tokenizer.h"
#include "core/tokenizer/hl-tokenizer-files.h"

#define MAX_SHOWN 200

/* A path is seen from the adapter, or else from where the program was started; what is none is the name of a model of this computer. */
static GFile *
locate_base (GFile      *adapter,
             const char *name,
             GError    **error)
{
  g_autoptr (GFile) beside = g_file_resolve_relative_path (adapter, name);

  if (strstr (name, "://") != NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL, _ ("only local files can be opened"));
      return NULL;
    }
  if (g_file_query_exists (beside, NULL))
    return g_steal_pointer (&beside);
  g_autoptr (GFile) file = hl_model_locate (name, NULL, error);
  if (file == NULL || g_file_query_exists (file, NULL))
    return g_steal_pointer (&file);
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               _ ("there is no such file, nor a model of this name on this computer"));
  return NULL;
}

static gboolean
is_special (GFile *file)
{
  return g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_SPECIAL;
}

/* What is a pipe or a device is not missing. Returns whether that is why nothing was found. */
gboolean
hl_model_place_fail_for_kind (GFile   *file,
                              GError **error)
{
  g_autoptr (GFile) modules = g_file_get_child (file, HL_MODEL_FOLDER_MODULES);

  if (is_special (file))
    g_set_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE, _ ("this is not a regular file"));
  else if (is_special (modules))
    g_set_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE, _ ("“%s” is not a regular file"), HL_MODEL_FOLDER_MODULES);
  else
    return FALSE;
  return TRUE;
}

static gboolean
check_base (GFile   *checkpoint,
            GError **error)
{
  if (checkpoint == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “config.json” in the folder"));
  else if (hl_adapter_is_such (checkpoint))
    g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("it is an adapter itself"));
  else
    return TRUE;
  return FALSE;
}

static gboolean
find_base (HlModelPlace *self,
           GError      **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (HlAdapter) adapter = hl_adapter_open (self->adapter, error);

  if (adapter == NULL)
    return FALSE;
  const char *name = hl_adapter_get_base (adapter);
  g_autoptr (GFile) base = locate_base (self->adapter, name, &local_error);
  if (base != NULL && hl_gguf_archive_is_such (base))
    g_set_error (&local_error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                 _ ("it is there as a GGUF file only; its folder of “config.json” is needed"));
  else if (base != NULL)
    self->checkpoint = hl_model_folder_find (base);
  if (local_error == NULL && check_base (self->checkpoint, &local_error))
    return TRUE;
  g_autofree char *shown = hl_utf8_quote (name, strlen (name), MAX_SHOWN);
  g_set_error (error, HL_ERROR, local_error->code, _ ("it changes the model “%s”, which cannot be opened: %s"), shown,
               local_error->message);
  return FALSE;
}

/**
 * hl_model_place_find:
 * @self: (out caller-allocates): filled, and to be cleared
 * @file: a folder or a GGUF file
 * @error: %HL_ERROR_MISSING when there is no model, or not all of it is on this computer; %HL_ERROR_NOT_A_FILE
 *
 * Finds the parts of a model. Blocks.
 *
 * Returns: whether they are there
 */
gboolean
hl_model_place_find (HlModelPlace *self,
                     GFile        *file,
                     GError      **error)
{
  *self = (HlModelPlace){ .file = g_object_ref (file) };
  if (hl_gguf_archive_is_such (file))
    {
      self->checkpoint = g_object_ref (file);
      return TRUE;
    }
  g_autoptr (GFile) folder = hl_model_folder_find (file);
  if (folder == NULL)
    {
      if (!hl_model_place_fail_for_kind (file, error))
        g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “config.json” in the folder"));
      return FALSE;
    }
  if (!hl_adapter_is_such (folder))
    {
      self->checkpoint = g_steal_pointer (&folder);
      return TRUE;
    }
  self->adapter = g_steal_pointer (&folder);
  return find_base (self, error);
}

void
hl_model_place_clear (HlModelPlace *self)
{
  g_clear_object (&self->file);
  g_clear_object (&self->checkpoint);
  g_clear_object (&self->adapter);
}

/* Returns the name of what was opened, and of the folder within where the model is there. */
char *
hl_model_place_dup_name (HlModelPlace *self)
{
  GFile *inner = self->adapter != NULL ? self->adapter : self->checkpoint;
  g_autofree char *name = hl_file_dup_display_name (self->file);

  if (g_file_equal (inner, self->file))
    return g_steal_pointer (&name);
  g_autofree char *inner_name = hl_file_dup_display_name (inner);
  return g_strconcat (name, "/", inner_name, NULL);
}

/**
 * hl_model_place_fail_for_text:
 * @family: one that takes pixels
 * @error: %HL_ERROR_MISSING
 *
 * Says of a model that reads no text of what kind it is, and what it is to be given.
 */
void
hl_model_place_fail_for_text (const HlFamily *family,
                              GError        **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               /* Translators: %s is a kind of model, such as “ViT”; --image is not translated. */
               _ ("the model sees images (%s) and reads no text: it is to be given an image (--image)"), family->label);
}

/* Reads the tokenizer of a folder: that of the adapter before that of its base, that beside the weights before one above them. */
HlTokenizer *
hl_model_place_load_tokenizer (HlModelPlace *self,
                               GError      **error)
{
  GFile *const places[] = { self->adapter, self->checkpoint, self->file };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (places[i] != NULL && hl_tokenizer_files_are_in (places[i]))
      return hl_tokenizer_open (places[i], error);
  const HlFamily *family = hl_gguf_archive_is_such (self->checkpoint) ? NULL
                                                                      : hl_model_peek_folder (self->checkpoint, NULL);
  if (family == NULL || family->stack.patches.projection == NULL)
    return hl_tokenizer_open (self->checkpoint, error);
  hl_model_place_fail_for_text (family, error);
  return NULL;
}

/**
 * hl_model_place_locate:
 * @name: as hl_model_locate() takes it; with `:base` behind the name of an adapter, that is meant while it is off
 * @is_bare: (out): whether it is an adapter that is off, for hl_model_load_base()
 * @cancellable: (nullable): to stop it
 * @error: as hl_model_locate()
 *
 * Finds what is meant by a name. Blocks.
 *
 * Returns: (transfer full): the folder or file, as hl_model_locate() does
 */
GFile *
hl_model_place_locate (const char   *name,
                       gboolean     *is_bare,
                       GCancellable *cancellable,
                       GError      **error)
{
  *is_bare = FALSE;
  if (!g_str_has_suffix (name, HL_MODEL_PLACE_BASE) || g_file_test (name, G_FILE_TEST_EXISTS))
    return hl_model_locate (name, cancellable, error);
  g_autofree char *stem = g_strndup (name, strlen (name) - strlen (HL_MODEL_PLACE_BASE));
  g_autoptr (GFile) file = hl_model_locate (stem, cancellable, NULL);
  g_autoptr (GFile) folder = file != NULL ? hl_model_folder_find (file) : NULL;
  if (folder == NULL || !hl_adapter_is_such (folder))
    return hl_model_locate (name, cancellable, error);
  *is_bare = TRUE;
  return g_steal_pointer (&file);
}
