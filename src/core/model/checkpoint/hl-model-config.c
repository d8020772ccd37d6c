/* SPDX-License-Identifier: MIT */
/* config.json. Values are asked for by the names that families and versions have given them, separated by “|”; the
 * members of `text_config`, where models of several kinds of input keep those of text, come first. Of other parts only their own members
 * count. */
#include "core/model/checkpoint/hl-model-config.h"

#include "core/archive/json/hl-json-archive.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

struct _HlModelConfig
{
  HlArchive *archive;
  char *prefixes[3]; /* of names, in the order in which they are looked for; NULL-terminated */
};

HlModelConfig *
hl_model_config_load (GFile   *folder,
                      GError **error)
{
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) local_error = NULL;
  g_autoptr (HlArchive) archive = NULL;

  g_return_val_if_fail (G_IS_FILE (folder), NULL);

  file = g_file_get_child (folder, "config.json");
  if (!g_file_query_exists (file, NULL))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “config.json” in the folder"));
      return NULL;
    }
  g_autoptr (GFileInfo)
    info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  if (info != NULL && g_file_info_get_size (info) > (goffset) HL_LIMIT_JSON_CONFIG)
    g_set_error (&local_error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the JSON is larger than %d MiB"),
                 (int) (HL_LIMIT_JSON_CONFIG >> 20));
  else
    archive = hl_json_archive_open (file, NULL, NULL, &local_error);
  if (archive == NULL)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "config.json: ");
      return NULL;
    }
  return hl_model_config_new (archive);
}

/* Makes one of an archive whose attributes are called as those of a config.json. */
HlModelConfig *
hl_model_config_new (HlArchive *archive)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (archive), NULL);

  HlModelConfig *self = g_new0 (HlModelConfig, 1);
  guint n = 0;
  self->archive = g_object_ref (archive);
  if (hl_archive_get_kind (archive, "text_config") == HL_MEMBER_GROUP)
    self->prefixes[n++] = g_strdup ("text_config/");
  self->prefixes[n] = g_strdup ("");
  return self;
}

/* Returns that of a part of a model, such as `vision_config`; %NULL where there is no such part. */
HlModelConfig *
hl_model_config_new_part (HlModelConfig *whole,
                          const char    *part)
{
  if (hl_archive_get_kind (whole->archive, part) != HL_MEMBER_GROUP)
    return NULL;
  HlModelConfig *self = g_new0 (HlModelConfig, 1);
  self->archive = g_object_ref (whole->archive);
  self->prefixes[0] = g_strconcat (part, "/", NULL);
  return self;
}

void
hl_model_config_free (HlModelConfig *self)
{
  g_object_unref (self->archive);
  for (guint i = 0; i < G_N_ELEMENTS (self->prefixes); i++)
    g_free (self->prefixes[i]);
  g_free (self);
}

/* One key, which may be a path. */
static GVariant *
read_key (HlModelConfig *self,
          const char    *prefix,
          const char    *key,
          GError       **error)
{
  g_autofree char *path = g_strconcat (prefix, key, NULL);
  char *slash = strrchr (path, '/');

  if (slash == NULL)
    return hl_archive_get_attribute (self->archive, "", path, error);
  *slash = '\0';
  return hl_archive_get_kind (self->archive, path) == HL_MEMBER_GROUP
           ? hl_archive_get_attribute (self->archive, path, slash + 1, error)
           : NULL;
}

/* The first of several keys that is there; NULL if none is. FALSE only with an error. */
static gboolean
read_value (HlModelConfig *self,
            const char    *keys,
            char         **found,
            GVariant     **value,
            GError       **error)
{
  g_auto (GStrv) list = g_strsplit (keys, "|", -1);
  GError *local_error = NULL;

  for (char **prefix = self->prefixes; *prefix != NULL; prefix++)
    for (char **key = list; *key != NULL; key++)
      {
        *value = read_key (self, *prefix, *key, &local_error);
        if (local_error != NULL)
          {
            g_propagate_prefixed_error (error, local_error, "config.json: ");
            return FALSE;
          }
        if (*value == NULL)
          continue;
        if (found != NULL)
          *found = g_strdup (*key);
        return TRUE;
      }
  return TRUE;
}

/* The whole name of a member of that kind; NULL if there is none. */
static char *
find_member (HlModelConfig *self,
             const char    *key,
             HlMemberKind   kind)
{
  for (char **prefix = self->prefixes; *prefix != NULL; prefix++)
    {
      g_autofree char *name = g_strconcat (*prefix, key, NULL);
      if (hl_archive_get_kind (self->archive, name) == kind)
        return g_steal_pointer (&name);
    }
  return NULL;
}

static gboolean
fail_value (const char *key,
            const char *expected,
            GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not %s"), key, expected);
  return FALSE;
}

/* The `model_type`, of the text part if there are several; without one, the first of `architectures`. */
char *
hl_model_config_dup_type (HlModelConfig *self,
                          GError       **error)
{
  g_autofree char *type = NULL;
  g_auto (GStrv) names = NULL;

  if (!hl_model_config_read_string (self, "model_type", NULL, &type, error))
    return NULL;
  if (type != NULL)
    return g_steal_pointer (&type);
  if (!hl_model_config_read_strings (self, "architectures", &names, error))
    return NULL;
  if (names == NULL || names[0] == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("config.json has no “model_type”"));
      return NULL;
    }
  return g_strdup (names[0]);
}

gboolean
hl_model_config_has (HlModelConfig *self,
                     const char    *keys)
{
  g_autoptr (GVariant) value = NULL;

  return read_value (self, keys, NULL, &value, NULL) && value != NULL;
}

/* Reads a number of things, from 0 to 2²⁸. */
gboolean
hl_model_config_read_size (HlModelConfig *self,
                           const char    *keys,
                           guint64        fallback,
                           guint64       *value,
                           GError       **error)
{
  g_autofree char *key = NULL;
  g_autoptr (GVariant) found = NULL;

  if (!read_value (self, keys, &key, &found, error))
    return FALSE;
  if (found == NULL)
    {
      *value = fallback;
      if (fallback != HL_CONFIG_REQUIRED)
        return TRUE;
      g_autofree char *first = g_strndup (keys, strcspn (keys, "|"));
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("config.json has no “%s”"), first);
      return FALSE;
    }
  if (!g_variant_is_of_type (found, G_VARIANT_TYPE_INT64) || g_variant_get_int64 (found) < 0)
    return fail_value (key, _ ("a size"), error);
  *value = (guint64) g_variant_get_int64 (found);
  return hl_model_config_check_size (key, *value, HL_LIMIT_MODEL_SIZE, error);
}

/* Whether a number of things is not above a limit; key is what it is called, or follows from. */
gboolean
hl_model_config_check_size (const char *key,
                            guint64     size,
                            guint64     most,
                            GError    **error)
{
  if (size <= most)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("“%s” in config.json is %" PRIu64 "; it can be at most %" PRIu64), key, size, most);
  return FALSE;
}

gboolean
hl_model_config_read_number (HlModelConfig *self,
                             const char    *keys,
                             double         fallback,
                             double        *value,
                             GError       **error)
{
  g_autofree char *key = NULL;
  g_autoptr (GVariant) found = NULL;

  *value = fallback;
  if (!read_value (self, keys, &key, &found, error))
    return FALSE;
  if (found == NULL)
    return TRUE;
  if (g_variant_is_of_type (found, G_VARIANT_TYPE_INT64))
    *value = (double) g_variant_get_int64 (found);
  else if (g_variant_is_of_type (found, G_VARIANT_TYPE_DOUBLE))
    *value = g_variant_get_double (found);
  else
    return fail_value (key, _ ("a number"), error);
  return isfinite (*value) || fail_value (key, _ ("a number"), error);
}

gboolean
hl_model_config_read_boolean (HlModelConfig *self,
                              const char    *keys,
                              gboolean       fallback,
                              gboolean      *value,
                              GError       **error)
{
  guint64 size;

  if (!hl_model_config_read_size (self, keys, fallback ? 1 : 0, &size, error))
    return FALSE;
  *value = size != 0;
  return TRUE;
}

gboolean
hl_model_config_read_string (HlModelConfig *self,
                             const char    *keys,
                             const char    *fallback,
                             char         **value,
                             GError       **error)
{
  g_autofree char *key = NULL;
  g_autoptr (GVariant) found = NULL;

  *value = NULL;
  if (!read_value (self, keys, &key, &found, error))
    return FALSE;
  if (found != NULL && !g_variant_is_of_type (found, G_VARIANT_TYPE_STRING))
    return fail_value (key, _ ("a string"), error);
  *value = found != NULL ? g_variant_dup_string (found, NULL) : g_strdup (fallback);
  return TRUE;
}

gboolean
hl_model_config_read_strings (HlModelConfig *self,
                              const char    *key,
                              char        ***values,
                              GError       **error)
{
  g_autofree char *name = find_member (self, key, HL_MEMBER_STRINGS);

  *values = NULL;
  if (name == NULL)
    return TRUE;
  *values = hl_archive_read_strings (self->archive, name, error);
  return *values != NULL;
}

/* Reads a list of at most so many numbers; none and %NULL when there is no such list. */
gboolean
hl_model_config_read_numbers (HlModelConfig *self,
                              const char    *key,
                              gsize          max,
                              double       **values,
                              gsize         *n,
                              GError       **error)
{
  g_autofree char *name = find_member (self, key, HL_MEMBER_TENSOR);
  const guint64 start[1] = { 0 };

  *values = NULL;
  *n = 0;
  if (name == NULL)
    return TRUE;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (self->archive, name, error);
  if (tensor == NULL)
    return FALSE;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  if (shape->rank != 1 || shape->dims[0] > max)
    return fail_value (key, _ ("a list of numbers"), error);
  g_autofree float *numbers = g_new (float, MAX (shape->dims[0], 1));
  if (!hl_tensor_read_f32 (tensor, start, shape->dims, numbers, NULL, error))
    return FALSE;
  *n = shape->dims[0];
  *values = g_new (double, MAX (*n, 1));
  for (gsize i = 0; i < *n; i++)
    (*values)[i] = (double) numbers[i];
  return TRUE;
}
