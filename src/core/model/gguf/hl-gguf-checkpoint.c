/* SPDX-License-Identifier: MIT */
/* A model in a GGUF file. */
#include "core/model/gguf/hl-gguf-checkpoint.h"

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/model/gguf/hl-gguf-architecture.h"
#include "core/model/gguf/hl-gguf-config.h"
#include "core/model/gguf/hl-gguf-names.h"

/* Maps a file and finds out which model is in it. */
gboolean
hl_gguf_checkpoint_open (HlGgufCheckpoint *self,
                         GFile            *file,
                         GError          **error)
{
  g_autofree char *name = g_file_get_basename (file);

  *self = (HlGgufCheckpoint){ 0 };
  g_autoptr (HlArchive) archive = hl_gguf_archive_open (file, NULL, NULL, error);
  if (archive == NULL)
    return FALSE;
  self->archive = HL_GGUF_ARCHIVE (g_object_ref (archive));
  g_autoptr (GVariant) kind = hl_archive_get_attribute (archive, "", "general.architecture", error);
  if (kind == NULL || !g_variant_is_of_type (kind, G_VARIANT_TYPE_STRING))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the file has no “%s”"), "general.architecture");
      return FALSE;
    }
  const HlGgufArchitecture *architecture = hl_gguf_architecture_find (g_variant_get_string (kind, NULL), error);
  const HlFamily *family = architecture != NULL ? hl_family_find (architecture->type, error) : NULL;
  if (family == NULL)
    return FALSE;
  self->weights = hl_weights_new ();
  if (!hl_weights_add (self->weights, archive, name, error))
    return FALSE;
  self->family = hl_gguf_names_apply (family, architecture, self->weights);
  self->config = hl_gguf_config_new (self->archive, architecture, error);
  return self->config != NULL;
}

void
hl_gguf_checkpoint_clear (HlGgufCheckpoint *self)
{
  g_clear_pointer (&self->config, hl_model_config_free);
  g_clear_pointer (&self->weights, hl_weights_free);
  g_clear_pointer (&self->family, g_free);
  g_clear_object (&self->archive);
}
