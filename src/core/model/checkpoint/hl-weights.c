/* SPDX-License-Identifier: MIT */
/* The weights of a model folder: model.safetensors, or the shards that model.safetensors.index.json names. Which tensor is
 * in which shard is read from the shards themselves, so that the index cannot lie about it. */
#include "core/model/checkpoint/hl-weights.h"

#include "core/archive/json/hl-json-archive.h"
#include "core/archive/safetensors/hl-safetensors-archive.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define SINGLE "model.safetensors"
#define INDEX "model.safetensors.index.json"

/* A shard holds gigabytes; no model has so many. */
#define MAX_SHARDS 4096

/* Numbers looked at in one go for one that is none; whole blocks of every type. */
#define SCAN_NUMBERS 65536

struct _HlWeights
{
  GPtrArray *archives;
  GPtrArray *files;   /* their names */
  GHashTable *places; /* name to the archive that has it */
  char *prefix;
};

/* Adds the tensors of one file, whose name errors will begin with. */
gboolean
hl_weights_add (HlWeights  *self,
                HlArchive  *archive,
                const char *file,
                GError    **error)
{
  g_autoptr (GError) local_error = NULL;
  g_auto (GStrv) names = hl_archive_list (archive, "", &local_error);

  if (names == NULL)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", file);
      return FALSE;
    }
  for (char **i = names; *i != NULL; i++)
    if (!g_hash_table_insert (self->places, g_strdup (*i), archive))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%s: tensor “%s” is in another file too"), file, *i);
        return FALSE;
      }
  g_ptr_array_add (self->archives, g_object_ref (archive));
  g_ptr_array_add (self->files, g_strdup (file));
  return TRUE;
}

static gboolean
add_file (HlWeights  *self,
          GFile      *folder,
          const char *name,
          GError    **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (HlArchive) archive = hl_safetensors_archive_open (file, NULL, NULL, &local_error);

  if (archive == NULL)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", name);
      return FALSE;
    }
  return hl_weights_add (self, archive, name, error);
}

/* The names of the shards, each once. */
static gboolean
read_index (GFile      *folder,
            GFile      *index,
            GHashTable *shards,
            GError    **error)
{
  g_autoptr (HlArchive) archive = hl_json_archive_open (index, NULL, NULL, error);
  if (archive == NULL)
    return FALSE;
  g_auto (GStrv) names = hl_archive_list (archive, "weight_map", error);
  if (names == NULL)
    return FALSE;

  for (char **name = names; *name != NULL; name++)
    {
      GError *local_error = NULL;
      g_autoptr (GVariant) shard = hl_archive_get_attribute (archive, "weight_map", *name, &local_error);

      if (local_error != NULL)
        {
          g_propagate_error (error, local_error);
          return FALSE;
        }
      if (shard == NULL || !g_variant_is_of_type (shard, G_VARIANT_TYPE_STRING))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the file of tensor “%s” is not a name"), *name);
          return FALSE;
        }
      const char *file = g_variant_get_string (shard, NULL);
      if (strchr (file, '/') != NULL || g_str_equal (file, "..") || *file == '\0')
        {
          g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL, _ ("tensor “%s” is said to be in “%s”, outside the folder"),
                       *name, file);
          return FALSE;
        }
      g_hash_table_add (shards, g_strdup (file));
      if (g_hash_table_size (shards) > MAX_SHARDS)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are more than %d files"), MAX_SHARDS);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
add_shards (HlWeights *self,
            GFile     *folder,
            GFile     *index,
            GError   **error)
{
  g_autoptr (GHashTable) shards = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) local_error = NULL;
  GHashTableIter iter;
  gpointer name;

  if (!read_index (folder, index, shards, &local_error))
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", INDEX);
      return FALSE;
    }
  g_hash_table_iter_init (&iter, shards);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!add_file (self, folder, name, error))
      return FALSE;
  return TRUE;
}

/* Makes one without tensors. */
HlWeights *
hl_weights_new (void)
{
  HlWeights *self = g_new0 (HlWeights, 1);

  self->archives = g_ptr_array_new_with_free_func (g_object_unref);
  self->files = g_ptr_array_new_with_free_func (g_free);
  self->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->prefix = g_strdup ("");
  return self;
}

/* Maps all weights of a folder and checks their headers. */
HlWeights *
hl_weights_open (GFile   *folder,
                 GError **error)
{
  g_return_val_if_fail (G_IS_FILE (folder), NULL);

  g_autoptr (GFile) single = g_file_get_child (folder, SINGLE);
  g_autoptr (GFile) index = g_file_get_child (folder, INDEX);
  g_autoptr (HlWeights) self = hl_weights_new ();
  gboolean done;

  if (g_file_query_exists (single, NULL))
    done = add_file (self, folder, SINGLE, error);
  else if (g_file_query_exists (index, NULL))
    done = add_shards (self, folder, index, error);
  else
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “%s” in the folder, nor “%s”"), SINGLE, INDEX);
      done = FALSE;
    }
  return done ? g_steal_pointer (&self) : NULL;
}

/* Frees them; tensors keep what they need. */
void
hl_weights_free (HlWeights *self)
{
  g_hash_table_unref (self->places);
  g_ptr_array_unref (self->archives);
  g_ptr_array_unref (self->files);
  g_free (self->prefix);
  g_free (self);
}

/* A name that begins with a slash is meant as it is. */
static char *
complete_name (HlWeights  *self,
               const char *name)
{
  return *name == '/' ? g_strdup (name + 1) : g_strconcat (self->prefix, name, NULL);
}

/* Whether a tensor's name begins so. */
static gboolean
has_stem (HlWeights  *self,
          const char *stem)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->places);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (g_str_has_prefix (name, stem))
      return TRUE;
  return FALSE;
}

/* Finds out what the names of these weights begin with; from then on names are asked for without it. */
gboolean
hl_weights_set_prefix (HlWeights         *self,
                       const char *const *prefixes,
                       const char        *layer,
                       GError           **error)
{
  g_autofree char *start = g_strndup (layer, strcspn (layer, "%"));

  for (const char *const *prefix = prefixes; *prefix != NULL; prefix++)
    {
      g_autofree char *stem = g_strconcat (*prefix, start, NULL);
      if (!has_stem (self, stem))
        continue;
      g_free (self->prefix);
      self->prefix = g_strdup (*prefix);
      return TRUE;
    }
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there are no tensors “%s%s…”"), prefixes[0], start);
  return FALSE;
}

/* Returns how many tensors there are. */
guint
hl_weights_get_n (HlWeights *self)
{
  return g_hash_table_size (self->places);
}

gboolean
hl_weights_has (HlWeights  *self,
                const char *name)
{
  g_autofree char *complete = complete_name (self, name);

  return g_hash_table_contains (self->places, complete);
}

static HlTensor *
open_tensor (HlWeights  *self,
             const char *name,
             GError    **error)
{
  HlArchive *archive = g_hash_table_lookup (self->places, name);

  if (archive == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("tensor “%s” is missing"), name);
      return NULL;
    }
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, name, error);
  if (tensor == NULL)
    return NULL;
  if (!hl_dtype_is_float (hl_tensor_get_dtype (tensor)))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("tensor “%s” is of %s; floating-point numbers are needed"), name,
                   hl_dtype_get_name (hl_tensor_get_dtype (tensor)));
      return NULL;
    }
  return g_steal_pointer (&tensor);
}

HlTensor *
hl_weights_get (HlWeights     *self,
                const char    *name,
                guint          rank,
                const guint64 *dims,
                GError       **error)
{
  g_autofree char *complete = complete_name (self, name);
  g_autoptr (HlTensor) tensor = open_tensor (self, complete, error);
  HlShape wanted = { .rank = rank };

  if (tensor == NULL)
    return NULL;
  memcpy (wanted.dims, dims, rank * sizeof *dims);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  if (shape->rank != rank || memcmp (shape->dims, dims, rank * sizeof *dims) != 0)
    {
      g_autofree char *is = hl_shape_to_string (shape);
      g_autofree char *should = hl_shape_to_string (&wanted);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” is %s; config.json makes it %s"), complete, is,
                   should);
      return NULL;
    }
  return g_steal_pointer (&tensor);
}

/* Finds a tensor that may be tied to others: files keep it once, under any of its names. */
HlTensor *
hl_weights_find (HlWeights         *self,
                 const char *const *names,
                 GError           **error)
{
  for (const char *const *name = names; *name != NULL; name++)
    if (hl_weights_has (self, *name))
      {
        g_autofree char *found = complete_name (self, *name);
        return open_tensor (self, found, error);
      }
  g_autofree char *first = complete_name (self, names[0]);
  return open_tensor (self, first, error);
}

/* To be called after numbers of any tensor were used. */
gboolean
hl_weights_check (HlWeights *self,
                  GError   **error)
{
  for (guint i = 0; i < self->archives->len; i++)
    {
      g_autoptr (GError) local_error = NULL;

      if (!hl_archive_check (self->archives->pdata[i], &local_error))
        {
          g_propagate_prefixed_error (error, g_steal_pointer (&local_error),
                                      "%s: ", (const char *) self->files->pdata[i]);
          return FALSE;
        }
    }
  return TRUE;
}

/* Whether a number of a tensor is NaN or infinite. */
static gboolean
is_bad (HlTensor     *tensor,
        GCancellable *cancellable)
{
  const HlShape *shape = hl_tensor_get_shape (tensor);
  guint64 start[HL_MAX_RANK] = { 0 }, count[HL_MAX_RANK] = { 1 }, n_row = 1;

  for (guint axis = 1; axis < shape->rank; axis++)
    n_row *= count[axis] = shape->dims[axis];
  if (shape->rank == 0 || n_row == 0)
    return FALSE;
  const guint64 n_rows = MAX (SCAN_NUMBERS / n_row, 1);
  g_autofree float *numbers = g_new (float, n_rows *n_row);
  for (; start[0] < shape->dims[0]; start[0] += n_rows)
    {
      count[0] = MIN (n_rows, shape->dims[0] - start[0]);
      if (!hl_tensor_read_f32 (tensor, start, count, numbers, cancellable, NULL))
        return FALSE;
      for (guint64 i = 0; i < count[0] * n_row; i++)
        if (!isfinite (numbers[i]))
          return TRUE;
    }
  return FALSE;
}

/* Looks through all numbers, which takes a while: for when results show that something is wrong. */
char *
hl_weights_find_bad (HlWeights    *self,
                     GCancellable *cancellable)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->places), (GCompareFunc) strcmp);

  for (GList *name = names; name != NULL; name = name->next)
    {
      g_autoptr (HlTensor) tensor = open_tensor (self, name->data, NULL);
      if (tensor != NULL && is_bad (tensor, cancellable))
        return g_strdup (name->data);
    }
  return NULL;
}
