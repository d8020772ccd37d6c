/* SPDX-License-Identifier: MIT */
/* Of which family a model is, without opening it: of a folder only config.json is read, of a GGUF file where its header begins. */
#include "core/model/local/hl-model-peek.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/gguf/hl-gguf-header.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/file/hl-mapped-file.h"
#include "core/base/hl-utf8.h"
#include "core/model/gguf/hl-gguf-architecture.h"

/* Writers put the architecture first. */
#define MAX_HEADER (1 << 20)

/* Characters of a type in a sentence. */
#define MAX_TYPE 40

/* Of what a model calls itself, in a list. */
#define MAX_TITLE 80

/* Its sentence is short, unlike hl_family_find()'s, for a list has one in each row. */
static const HlFamily *
find_family (const char *type,
             GError    **error)
{
  const HlFamily *family;

  for (guint i = 0; (family = hl_family_get (i)) != NULL; i++)
    if (g_strv_contains (family->types, type))
      return family;
  g_autofree char *shown = hl_utf8_quote (type, strlen (type), MAX_TYPE);
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models of type “%s” are not known"), shown);
  return NULL;
}

/* Fails for what is no file, or longer than any file of JSON in a cache. */
gboolean
hl_model_peek_is_small (GFile        *file,
                        GCancellable *cancellable,
                        GError      **error)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GFileInfo)
    info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                              G_FILE_QUERY_INFO_NONE, cancellable, NULL);

  if (info == NULL || g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no file “%s”"), name);
      return FALSE;
    }
  if (g_file_info_get_size (info) > HL_LIMIT_LISTED_CONFIG)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has more than %d bytes"), name,
                   HL_LIMIT_LISTED_CONFIG);
      return FALSE;
    }
  return TRUE;
}

/* The family of the model in a folder, by its config.json. */
const HlFamily *
hl_model_peek_folder (GFile   *folder,
                      GError **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, "config.json");
  g_autoptr (HlModelConfig) config = hl_model_peek_is_small (file, NULL, error) ? hl_model_config_load (folder, error)
                                                                                : NULL;
  g_autofree char *type = config != NULL ? hl_model_config_dup_type (config, error) : NULL;

  return type != NULL ? find_family (type, error) : NULL;
}

/* What a file says of itself where its header begins, in one line; NULL where it does not say. */
static char *
find_title (HlMappedFile *mapped,
            gsize         size)
{
  g_autofree char *name =
    hl_gguf_header_find_string ((const guint8 *) hl_mapped_file_get_data (mapped), size, "general.name", NULL);

  return name != NULL && *name != '\0' ? hl_utf8_quote (name, strlen (name), MAX_TITLE) : NULL;
}

/* The family of the model in a file, by its architecture, and what it calls itself, or NULL. */
const HlFamily *
hl_model_peek_gguf (GFile   *file,
                    char   **title,
                    GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (HlMappedFile) mapped = hl_mapped_file_open (file, error);

  if (mapped == NULL)
    return NULL;
  const gsize size = hl_mapped_file_get_size (mapped);
  g_autofree char *name = hl_gguf_header_find_string ((const guint8 *) hl_mapped_file_get_data (mapped),
                                                      MIN (size, MAX_HEADER), "general.architecture", &local_error);
  g_autofree char *own = find_title (mapped, MIN (size, MAX_HEADER));
  if (!hl_mapped_file_check (mapped, error))
    return NULL;
  if (size > MAX_HEADER && g_error_matches (local_error, HL_ERROR, HL_ERROR_TRUNCATED))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the first %d bytes do not say its architecture"), MAX_HEADER);
      return NULL;
    }
  if (name == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  g_autofree char *shown = hl_utf8_quote (name, strlen (name), MAX_TYPE);
  const HlGgufArchitecture *architecture = hl_gguf_architecture_find (shown, error);
  *title = g_steal_pointer (&own);
  return architecture != NULL ? find_family (architecture->type, error) : NULL;
}
