/* SPDX-License-Identifier: MIT */
/* A folder of PEFT. What it holds is named as the modules of the model that it was trained with; each tensor is either understood or
 * refused, so that no change is left out without a word. */
#include "core/model/adapter/hl-adapter.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/text/hl-text-hash.h"
#include "core/model/adapter/hl-adapter-config.h"
#include "core/model/adapter/hl-low-rank-tensor.h"

/* What PEFT puts before the name of a module. */
#define OUTER "base_model.model."

static const char *const files[] = { "adapter_model.safetensors", "adapter_model.bin" };

/* What a module has. */
typedef enum
{
  PART_DOWN,
  PART_UP,
  PART_ROWS_DOWN, /* of an embedding, whose rows are what goes in */
  PART_ROWS_UP,
  PART_MAGNITUDE,
  PART_BIAS,
  N_PARTS,
} Part;

static const struct
{
  const char *ending;
  Part part;
} endings[] = {
  { ".lora_A.weight", PART_DOWN },
  { ".lora_B.weight", PART_UP },
  { ".lora_embedding_A", PART_ROWS_DOWN },
  { ".lora_embedding_B", PART_ROWS_UP },
  { ".lora_magnitude_vector", PART_MAGNITUDE },
  { ".lora_magnitude_vector.weight", PART_MAGNITUDE },
  { ".lora_B.bias", PART_BIAS },
};

/* What is between the name of a module and of a tensor that takes the place of its own. */
static const char *const between[] = { ".modules_to_save.default.", ".modules_to_save.", ".base_layer." };

/* What norms had before 2019. */
static const struct
{
  const char *ending;
  const char *old;
} old_endings[] = { { ".weight", ".gamma" }, { ".bias", ".beta" } };

/* What is left of it in names of tensors that are none of these. */
static const char *const unknown[] = { "lora_", "token_adapter", "trainable_tokens", OUTER };

/* The tensors that change one module, by their names in the file. */
typedef struct
{
  char *parts[N_PARTS];
} Change;

struct _HlAdapter
{
  HlAdapterConfig *config;
  HlArchive *archive;
  char *file;
  GHashTable *changes;  /* names of modules to their Change */
  GHashTable *replaced; /* names of tensors to what they are called in the file */
};

static void
free_change (gpointer data)
{
  Change *self = data;

  for (guint i = 0; i < N_PARTS; i++)
    g_free (self->parts[i]);
  g_free (self);
}

/* Returns whether a folder is an adapter. */
gboolean
hl_adapter_is_such (GFile *folder)
{
  g_autoptr (GFile) file = g_file_get_child (folder, HL_ADAPTER_CONFIG);

  return g_file_query_exists (file, NULL);
}

static Change *
get_change (HlAdapter  *self,
            const char *module,
            gsize       length)
{
  g_autofree char *name = g_strndup (module, length);
  Change *change = g_hash_table_lookup (self->changes, name);

  if (change == NULL)
    {
      change = g_new0 (Change, 1);
      g_hash_table_insert (self->changes, g_steal_pointer (&name), change);
    }
  return change;
}

/* What a tensor is called in the model. */
static char *
make_plain_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (between); i++)
    {
      const char *found = strstr (name, between[i]);
      if (found != NULL)
        return g_strdup_printf ("%.*s.%s", (int) (found - name), name, found + strlen (between[i]));
    }
  return g_strdup (name);
}

static gboolean
refuse_second (HlAdapter  *self,
               const char *name,
               GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%s: “%s” is there twice"), self->file, name);
  return FALSE;
}

static gboolean
take_tensor (HlAdapter  *self,
             const char *full_name,
             GError    **error)
{
  const char *name = g_str_has_prefix (full_name, OUTER) ? full_name + strlen (OUTER) : full_name;

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i].ending))
      {
        Change *change = get_change (self, name, strlen (name) - strlen (endings[i].ending));
        if (change->parts[endings[i].part] != NULL)
          return refuse_second (self, name, error);
        change->parts[endings[i].part] = g_strdup (full_name);
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    if (strstr (name, unknown[i]) != NULL)
      {
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("%s: what tensor “%s” changes is not known"), self->file,
                     name);
        return FALSE;
      }
  g_autofree char *plain = make_plain_name (name);
  if (g_hash_table_contains (self->replaced, plain))
    return refuse_second (self, plain, error);
  g_hash_table_insert (self->replaced, g_steal_pointer (&plain), g_strdup (full_name));
  return TRUE;
}

static gboolean
open_archive (HlAdapter *self,
              GFile     *folder,
              GError   **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GFile) file = g_file_get_child (folder, files[i]);
      g_autoptr (GError) local_error = NULL;

      if (!g_file_query_exists (file, NULL))
        continue;
      self->file = g_strdup (files[i]);
      self->archive = hl_weights_open_file (file, &local_error);
      if (self->archive == NULL)
        g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", files[i]);
      return self->archive != NULL;
    }
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “%s” in the folder, nor “%s”"), files[0], files[1]);
  return FALSE;
}

/**
 * hl_adapter_open:
 * @folder: a folder with an adapter_config.json
 * @error: what is wrong with it, or %HL_ERROR_UNSUPPORTED naming what is not known
 *
 * Returns: (transfer full): the adapter
 */
HlAdapter *
hl_adapter_open (GFile   *folder,
                 GError **error)
{
  g_return_val_if_fail (G_IS_FILE (folder), NULL);

  g_autoptr (HlAdapter) self = g_new0 (HlAdapter, 1);
  self->changes = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, free_change);
  self->replaced = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, g_free);
  self->config = hl_adapter_config_load (folder, error);
  if (self->config == NULL || !open_archive (self, folder, error))
    return NULL;
  g_auto (GStrv) names = hl_archive_list (self->archive, "", error);
  for (char **name = names; name != NULL && *name != NULL; name++)
    if (!take_tensor (self, *name, error))
      return NULL;
  return names != NULL && hl_adapter_config_check_modules (self->config, g_hash_table_size (self->changes), error)
           ? g_steal_pointer (&self)
           : NULL;
}

void
hl_adapter_free (HlAdapter *self)
{
  g_clear_pointer (&self->config, hl_adapter_config_free);
  g_clear_object (&self->archive);
  g_clear_pointer (&self->changes, g_hash_table_unref);
  g_clear_pointer (&self->replaced, g_hash_table_unref);
  g_free (self->file);
  g_free (self);
}

/* Returns the model that it changes, as whoever trained it called that: a name or a path. */
const char *
hl_adapter_get_base (HlAdapter *self)
{
  return self->config->base;
}

static HlTensor *
open_part (HlAdapter  *self,
           const char *name,
           GError    **error)
{
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (self->archive, name, error);

  if (tensor == NULL || hl_dtype_is_float (hl_tensor_get_dtype (tensor)))
    return g_steal_pointer (&tensor);
  g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("tensor “%s” is of %s; floating-point numbers are needed"), name,
               hl_dtype_get_name (hl_tensor_get_dtype (tensor)));
  return NULL;
}

static void
fail_for_missing (const char *tensor,
                  GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the adapter changes “%s”, which its base does not have"), tensor);
}

static HlTensor *
find_base (HlWeights         *weights,
           const char *const *prefixes,
           const char        *tensor,
           char             **name,
           GError           **error)
{
  *name = hl_weights_match (weights, prefixes, tensor);
  if (*name == NULL)
    {
      fail_for_missing (tensor, error);
      return NULL;
    }
  const char *const names[] = { *name, NULL };
  return hl_weights_find (weights, names, error);
}

/* Whether a matrix is stored as [in, out]. Where its sizes do not tell, its model does: what PEFT says is of the last module that it
 * changed. */
static gboolean
is_transposed (gboolean       transposed,
               const HlShape *base,
               HlTensor      *down,
               HlTensor      *up)
{
  const HlShape *in = hl_tensor_get_shape (down), *out = hl_tensor_get_shape (up);

  if (base->rank != 2 || in->rank != 2 || out->rank != 2 || in->dims[1] == out->dims[0])
    return transposed;
  return base->dims[0] == in->dims[1];
}

/* What is added to the biases of a module. */
static gboolean
add_bias (HlAdapter         *self,
          HlWeights         *weights,
          const char *const *prefixes,
          const char        *module,
          const char        *part,
          float              scale,
          GError           **error)
{
  g_autofree char *tensor = g_strconcat (module, ".bias", NULL);
  g_autofree char *name = NULL;
  g_autoptr (HlTensor) base = find_base (weights, prefixes, tensor, &name, error);
  g_autoptr (HlTensor) bias = base != NULL ? open_part (self, part, error) : NULL;
  const guint64 start = 0;

  if (bias == NULL)
    return FALSE;
  const HlShape *shape = hl_tensor_get_shape (base);
  const HlShape *added = hl_tensor_get_shape (bias);
  if (shape->rank != 1 || added->rank != 1 || added->dims[0] != shape->dims[0])
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” is of another size than what it is added to"),
                   part);
      return FALSE;
    }
  g_autofree float *sum = g_new (float, MAX (shape->dims[0], 1));
  g_autofree float *more = g_new (float, MAX (shape->dims[0], 1));
  if (!hl_tensor_read_f32 (base, &start, shape->dims, sum, NULL, error) ||
      !hl_tensor_read_f32 (bias, &start, shape->dims, more, NULL, error))
    return FALSE;
  for (guint64 i = 0; i < shape->dims[0]; i++)
    sum[i] += scale * more[i];
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&sum), shape->dims[0] * sizeof (float));
  g_autoptr (HlTensor) both = hl_tensor_new_for_bytes (HL_DTYPE_F32, shape, NULL, FALSE, bytes, 0, error);
  if (both != NULL)
    hl_weights_replace (weights, name, both);
  return both != NULL;
}

/* Whether something is part of a layer: these have numbers. What is not may be a head that a model got for its training, and that its base
 * has nothing of. */
static gboolean
is_of_layer (const char *module)
{
  g_auto (GStrv) parts = g_strsplit (module, ".", -1);

  for (char **part = parts; *part != NULL; part++)
    if (g_ascii_isdigit (**part))
      return TRUE;
  return FALSE;
}

static gboolean
is_wanted (HlWeights         *weights,
           const char *const *prefixes,
           const char        *module)
{
  g_autofree char *tensor = g_strconcat (module, ".weight", NULL);
  g_autofree char *name = hl_weights_match (weights, prefixes, tensor);

  return name != NULL || is_of_layer (module);
}

static gboolean
apply_change (HlAdapter         *self,
              const char        *module,
              const Change      *change,
              HlWeights         *weights,
              const char *const *prefixes,
              gboolean           transposed,
              GError           **error)
{
  const gboolean rows = change->parts[PART_ROWS_DOWN] != NULL || change->parts[PART_ROWS_UP] != NULL;
  const char *down_name = change->parts[rows ? PART_ROWS_DOWN : PART_DOWN];
  const char *up_name = change->parts[rows ? PART_ROWS_UP : PART_UP];
  const char *magnitude_name = change->parts[PART_MAGNITUDE];

  if (rows && (magnitude_name != NULL || self->config->dora))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("adapters with “%s” of an embedding are not supported"),
                   "use_dora");
      return FALSE;
    }
  if (down_name == NULL || up_name == NULL || (self->config->dora && magnitude_name == NULL))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("what changes “%s” is not all there"), module);
      return FALSE;
    }
  g_autofree char *tensor = g_strconcat (module, ".weight", NULL);
  g_autofree char *name = NULL;
  g_autoptr (HlTensor) base = find_base (weights, prefixes, tensor, &name, error);
  g_autoptr (HlTensor) down = base != NULL ? open_part (self, down_name, error) : NULL;
  g_autoptr (HlTensor) up = down != NULL ? open_part (self, up_name, error) : NULL;
  g_autoptr (HlTensor) magnitude = NULL;
  HlLowRank low_rank = { down, up, 0, FALSE, NULL };

  if (up == NULL)
    return FALSE;
  if (magnitude_name != NULL)
    {
      magnitude = open_part (self, magnitude_name, error);
      if (magnitude == NULL)
        return FALSE;
      low_rank.magnitude = magnitude;
    }
  const guint64 rank = hl_tensor_get_shape (down)->dims[0];
  if (!hl_adapter_config_get_scale (self->config, module, MAX (rank, 1), &low_rank.scale, error))
    return FALSE;
  low_rank.transposed = rows ||
                        is_transposed (transposed && is_of_layer (module), hl_tensor_get_shape (base), down, up);
  g_autoptr (HlTensor) sum = hl_low_rank_tensor_new (base, &low_rank, error);
  if (sum == NULL)
    {
      g_prefix_error (error, "%s: ", module);
      return FALSE;
    }
  hl_weights_replace (weights, name, sum);
  return change->parts[PART_BIAS] == NULL ||
         add_bias (self, weights, prefixes, module, change->parts[PART_BIAS], low_rank.scale, error);
}

/* In their order, so that of several that are wrong the same is named each time. */
static GList *
list_names (GHashTable *table)
{
  return g_list_sort (g_hash_table_get_keys (table), (GCompareFunc) strcmp);
}

/* By what name weights have what a tensor takes the place of: norms of old files call theirs otherwise. */
static char *
match_tensor (HlWeights         *weights,
              const char *const *prefixes,
              const char        *tensor)
{
  char *match = hl_weights_match (weights, prefixes, tensor);

  for (guint i = 0; match == NULL && i < G_N_ELEMENTS (old_endings); i++)
    if (g_str_has_suffix (tensor, old_endings[i].ending))
      {
        const int length = (int) (strlen (tensor) - strlen (old_endings[i].ending));
        g_autofree char *old = g_strdup_printf ("%.*s%s", length, tensor, old_endings[i].old);
        match = hl_weights_match (weights, prefixes, old);
      }
  return match;
}

static gboolean
is_list_of_layers (const char *part)
{
  static const char *const last[] = { "layer", "layers", "block", "blocks", "groups" };

  for (guint i = 0; i < G_N_ELEMENTS (last); i++)
    if (g_str_has_suffix (part, last[i]))
      return TRUE;
  return g_str_equal (part, "h");
}

/* Whether a tensor is of the base by its name: it is in one of a list of layers, or within what has weights itself. A head that is new can
 * have numbers too. */
static gboolean
is_of_base (HlWeights         *weights,
            const char *const *prefixes,
            const char        *tensor)
{
  g_auto (GStrv) parts = g_strsplit (tensor, ".", -1);
  const guint n = g_strv_length (parts);

  for (guint i = 1; i < n; i++)
    if (g_ascii_isdigit (*parts[i]) && is_list_of_layers (parts[i - 1]))
      return TRUE;
  if (n < 3)
    return FALSE;
  g_clear_pointer (&parts[n - 2], g_free);
  g_clear_pointer (&parts[n - 1], g_free);
  g_autofree char *outer = g_strjoinv (".", parts);
  g_autofree char *weight = g_strconcat (outer, ".weight", NULL);
  g_autofree char *match = match_tensor (weights, prefixes, weight);
  return match != NULL;
}

/* Puts tensors where others were, or only those that are of the base itself. What is new, as a head that classifies, is not asked
 * for. */
static gboolean
replace_tensors (HlAdapter         *self,
                 HlWeights         *weights,
                 const char *const *prefixes,
                 gboolean           base_only,
                 GError           **error)
{
  g_autoptr (GList) replaced = list_names (self->replaced);

  for (GList *name = replaced; name != NULL; name = name->next)
    {
      g_autofree char *match = match_tensor (weights, prefixes, name->data);

      if (match == NULL && !base_only && is_of_base (weights, prefixes, name->data))
        {
          fail_for_missing (name->data, error);
          return FALSE;
        }
      if (match == NULL || (base_only && hl_adapter_config_is_saved (self->config, name->data)))
        continue;
      g_autoptr (HlTensor) tensor = open_part (self, g_hash_table_lookup (self->replaced, name->data), error);
      if (tensor == NULL)
        return FALSE;
      hl_weights_replace (weights, match, tensor);
    }
  return TRUE;
}

static gboolean
apply_changes (HlAdapter         *self,
               HlWeights         *weights,
               const char *const *prefixes,
               gboolean           transposed,
               GError           **error)
{
  g_autoptr (GList) changes = list_names (self->changes);

  for (GList *name = changes; name != NULL; name = name->next)
    if (is_wanted (weights, prefixes, name->data) &&
        !apply_change (self, name->data, g_hash_table_lookup (self->changes, name->data), weights, prefixes, transposed,
                       error))
      return FALSE;
  return TRUE;
}

/* Returns whether it changes a tensor of that name, or has one to take its place. */
gboolean
hl_adapter_changes (HlAdapter  *self,
                    const char *tensor)
{
  const char *dot = strrchr (tensor, '.');
  g_autofree char *module = dot != NULL ? g_strndup (tensor, (gsize) (dot - tensor)) : g_strdup (tensor);
  const Change *change = g_hash_table_lookup (self->changes, module);

  return g_hash_table_contains (self->replaced, tensor) ||
         (change != NULL && (g_str_has_suffix (tensor, ".weight") || change->parts[PART_BIAS] != NULL));
}

/**
 * hl_adapter_put_base:
 * @self: an adapter
 * @weights: those of its base, whose prefix is set
 * @prefixes: (array zero-terminated=1): what names of such a model can begin with
 * @error: as hl_adapter_apply()
 *
 * Puts what it has of its base itself in the place of what is there, as embeddings that were made longer before it was trained.
 *
 * Returns: whether it fits
 */
gboolean
hl_adapter_put_base (HlAdapter         *self,
                     HlWeights         *weights,
                     const char *const *prefixes,
                     GError           **error)
{
  g_autoptr (GError) local_error = NULL;

  if (replace_tensors (self, weights, prefixes, TRUE, &local_error))
    return TRUE;
  g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", self->file);
  return FALSE;
}

/**
 * hl_adapter_apply:
 * @self: an adapter
 * @weights: those of its base, whose prefix is set
 * @prefixes: (array zero-terminated=1): what names of such a model can begin with
 * @transposed: whether matrices of its layers are stored as [in, out], where their sizes do not tell
 * @error: %HL_ERROR_MISSING or %HL_ERROR_SHAPE for what the base does not have so
 *
 * Puts what it changes in the place of what it changes. No matrix is copied.
 *
 * Returns: whether it fits
 */
gboolean
hl_adapter_apply (HlAdapter         *self,
                  HlWeights         *weights,
                  const char *const *prefixes,
                  gboolean           transposed,
                  GError           **error)
{
  g_autoptr (GError) local_error = NULL;

  hl_weights_watch (weights, self->archive, self->file);
  if (replace_tensors (self, weights, prefixes, FALSE, &local_error) &&
      apply_changes (self, weights, prefixes, transposed, &local_error))
    return TRUE;
  g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", self->file);
  return FALSE;
}
