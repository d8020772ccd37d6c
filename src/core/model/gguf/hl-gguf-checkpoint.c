/* SPDX-License-Identifier: MIT */
/* A model in a GGUF file. */
#include "core/model/gguf/hl-gguf-checkpoint.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/document/attention/hl-attention.h"
#include "core/model/gguf/hl-gguf-architecture.h"
#include "core/model/gguf/hl-gguf-config.h"
#include "core/model/gguf/hl-gguf-names.h"
#include "core/model/gguf/hl-gguf-part-name.h"

/* As long as the name of a file can be. */
#define MAX_SHOWN 255

/* The function of scores that gives the shares of experts, as files number them. */
#define SIGMOID 2

/* Reads a whole number of the metadata; returns whether it is there. */
static gboolean
read_integer (HlArchive  *archive,
              const char *key,
              gint64     *integer)
{
  const HlGgufValue *value = hl_gguf_archive_get_value (HL_GGUF_ARCHIVE (archive), key);

  return value != NULL && !value->is_array && hl_gguf_value_get_integer (value, 0, integer);
}

/* Opens one of several files, of which the first has what is there to know of the model. */
static HlArchive *
open_shard (GFile      *file,
            const char *name,
            gint64      number,
            gint64      n_shards,
            GError    **error)
{
  GError *local_error = NULL;
  gint64 found = -1, n_found = -1;

  if (!g_file_query_exists (file, NULL))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("part %d of %d, “%s”, is not beside it"), (int) number + 1,
                   (int) n_shards, name);
      return NULL;
    }
  g_autoptr (HlArchive) archive = hl_gguf_archive_open (file, NULL, NULL, &local_error);
  if (archive == NULL)
    {
      g_propagate_prefixed_error (error, local_error, "%s: ", name);
      return NULL;
    }
  if (!read_integer (archive, "split.no", &found) || !read_integer (archive, "split.count", &n_found) ||
      found != number || n_found != n_shards)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” does not say that it is part %d of %d"), name,
                   (int) number + 1, (int) n_shards);
      return NULL;
    }
  return g_steal_pointer (&archive);
}

static gboolean
check_n_tensors (HlGgufCheckpoint *self,
                 HlArchive        *first,
                 GError          **error)
{
  gint64 n_tensors;

  if (!read_integer (first, "split.tensors.count", &n_tensors) || n_tensors == hl_weights_get_n (self->weights))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the parts have %u tensors together; %d are announced"),
               hl_weights_get_n (self->weights), (int) CLAMP (n_tensors, 0, G_MAXINT));
  return FALSE;
}

/* Adds the tensors of a file, and of the others that are parts of the same model. */
static gboolean
open_shards (HlGgufCheckpoint *self,
             GFile            *file,
             HlArchive        *archive,
             GError          **error)
{
  g_autofree char *name = g_file_get_basename (file);
  gint64 n_shards = 1, number = 0;

  if (!read_integer (archive, "split.count", &n_shards) || n_shards <= 1)
    {
      self->archive = HL_GGUF_ARCHIVE (g_object_ref (archive));
      return hl_weights_add (self->weights, archive, name, error);
    }
  if (n_shards > HL_LIMIT_GGUF_SHARDS || !read_integer (archive, "split.no", &number) || number < 0 ||
      number >= n_shards)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the file cannot be the part of a model that it says it is"));
      return FALSE;
    }
  guint named = 0;
  if (hl_gguf_part_name_parse (name, &named) != (guint) n_shards || named != (guint) number)
    {
      g_autofree char *ending = hl_gguf_part_name_make_end ((guint) number, (guint) n_shards);
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                   _ ("the file is part %d of %d: the others are found when its name ends with “%s”"), (int) number + 1,
                   (int) n_shards, ending);
      return FALSE;
    }
  for (gint64 i = 0; i < n_shards; i++)
    {
      g_autoptr (GFile) place = hl_gguf_part_name_get_file (file, (guint) i);
      g_autofree char *basename = g_file_get_basename (place);
      g_autofree char *other = hl_utf8_quote (basename, strlen (basename), MAX_SHOWN);
      g_autoptr (HlArchive) shard = open_shard (place, other, i, n_shards, error);

      if (shard == NULL || !hl_weights_add (self->weights, shard, other, error))
        return FALSE;
      if (i == 0)
        self->archive = HL_GGUF_ARCHIVE (g_object_ref (shard));
    }
  return check_n_tensors (self, HL_ARCHIVE (self->archive), error);
}

static char *
dup_string (HlGgufArchive *archive,
            const char    *key)
{
  g_autoptr (GVariant) value = hl_archive_get_attribute (HL_ARCHIVE (archive), "", key, NULL);

  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) &&
             *g_variant_get_string (value, NULL) != '\0'
           ? g_variant_dup_string (value, NULL)
           : NULL;
}

/* Reads a whole number that belongs to an architecture. */
static gboolean
read_own_integer (HlGgufCheckpoint         *self,
                  const HlGgufArchitecture *architecture,
                  const char               *key,
                  gint64                   *integer)
{
  g_autofree char *path = g_strconcat (architecture->name, ".", key, NULL);

  return read_integer (HL_ARCHIVE (self->archive), path, integer);
}

/* Layers of the model; those behind them, which predict further tokens at a time, are none of these. */
static gboolean
read_n_layers (HlGgufCheckpoint         *self,
               const HlGgufArchitecture *architecture,
               guint                    *n_layers,
               GError                  **error)
{
  gint64 n = 0, n_next = 0;

  if (!read_own_integer (self, architecture, "block_count", &n))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the file has no “%s”"), "block_count");
      return FALSE;
    }
  read_own_integer (self, architecture, "nextn_predict_layers", &n_next);
  if (n <= 0 || n > HL_LIMIT_LAYERS || n_next < 0 || n_next >= n)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the file cannot have %d layers, %d of them behind the last"),
                   (int) CLAMP (n, -1, G_MAXINT), (int) CLAMP (n_next, -1, G_MAXINT));
      return FALSE;
    }
  *n_layers = (guint) (n - n_next);
  return TRUE;
}

/* What config.json calls such models; some architectures hold two, which the way they choose experts or a window tells apart. */
static const char *
find_type (HlGgufCheckpoint         *self,
           const HlGgufArchitecture *architecture)
{
  gint64 function = 0, window = 0;

  read_own_integer (self, architecture, "expert_gating_func", &function);
  read_own_integer (self, architecture, "attention.sliding_window", &window);
  if (architecture->windowed_type != NULL && window > 0)
    return architecture->windowed_type;
  return architecture->sigmoid_type != NULL && function == SIGMOID ? architecture->sigmoid_type : architecture->type;
}

/* Maps a file, and the others that it is a part of, and finds out which model is in it. */
gboolean
hl_gguf_checkpoint_open (HlGgufCheckpoint *self,
                         GFile            *file,
                         GError          **error)
{
  *self = (HlGgufCheckpoint){ 0 };
  g_autoptr (HlArchive) archive = hl_gguf_archive_open (file, NULL, NULL, error);
  if (archive == NULL)
    return FALSE;
  self->weights = hl_weights_new ();
  if (!open_shards (self, file, archive, error))
    return FALSE;
  g_autofree char *kind = dup_string (self->archive, "general.architecture");
  if (kind == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the file has no “%s”"), "general.architecture");
      return FALSE;
    }
  const HlGgufArchitecture *architecture = hl_gguf_architecture_find (kind, error);
  guint n_layers;
  if (architecture == NULL || !read_n_layers (self, architecture, &n_layers, error))
    return FALSE;
  const char *type = find_type (self, architecture);
  const HlFamily *family = hl_family_find (type, error);
  if (family == NULL)
    return FALSE;
  self->name = dup_string (self->archive, "general.name");
  self->family = hl_gguf_names_apply (family, architecture, self->weights, n_layers);
  self->config = hl_gguf_config_new (self->archive, self->weights, architecture, family, type, n_layers, error);
  return self->config != NULL;
}

void
hl_gguf_checkpoint_clear (HlGgufCheckpoint *self)
{
  g_clear_pointer (&self->config, hl_model_config_free);
  g_clear_pointer (&self->weights, hl_weights_free);
  g_clear_pointer (&self->family, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_object (&self->archive);
}
