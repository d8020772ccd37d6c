/* SPDX-License-Identifier: MIT */
/* From an archive to the attentions of an example, whatever the container. */
#include "core/document/read/hl-dump-reader.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/document/attention/hl-attention.h"
#include "core/document/read/hl-dump-annotation.h"
#include "core/document/read/base/hl-dump-attributes.h"
#include "core/document/read/hl-dump-cells.h"
#include "core/document/read/base/hl-dump-context.h"
#include "core/document/read/hl-dump-distances.h"
#include "core/document/read/hl-dump-mask.h"
#include "core/document/read/hl-dump-output.h"
#include "core/document/read/hl-dump-picture.h"
#include "core/document/read/hl-dump-projection.h"
#include "core/document/read/hl-dump-tokens.h"
#include "core/document/read/hl-dump-sinks.h"

#define HL_TYPE_PROJECTED_TENSOR (hl_projected_tensor_get_type ())
/**
 * HlProjectedTensor:
 *
 * Keys or values whose positions are projected to fewer, as in a Linformer: E·K of every head (Wang et al. 2020).
 * Computed when it is read.
 */
G_DECLARE_FINAL_TYPE (HlProjectedTensor, hl_projected_tensor, HL, PROJECTED_TENSOR, HlTensor)

/* Rows of the projection are read this many numbers at a time. */
#define BAND_NUMBERS (1u << 20)

struct _HlProjectedTensor
{
  HlTensor parent_instance;

  HlLayerTensor base;
  HlLayerTensor projection;
};

G_DEFINE_FINAL_TYPE (HlProjectedTensor, hl_projected_tensor, HL_TYPE_TENSOR)

/* One row of the product. */
HL_KERNEL static void
project_row (const float *weights,
             const float *rows,
             gsize        n_rows,
             gsize        n_columns,
             double      *sums,
             float       *target)
{
  for (gsize column = 0; column < n_columns; column++)
    sums[column] = 0;
  for (gsize row = 0; row < n_rows; row++)
    for (gsize column = 0; column < n_columns; column++)
      sums[column] += (double) weights[row] * rows[row * n_columns + column];
  for (gsize column = 0; column < n_columns; column++)
    target[column] = (float) sums[column];
}

/* Rows @first_row on, columns @first_column on, of one head of one batch item. */
static gboolean
read_head (HlProjectedTensor *self,
           guint64            batch,
           guint64            head,
           guint64            first_row,
           guint64            n_rows,
           guint64            first_column,
           guint64            n_columns,
           float             *target,
           GCancellable      *cancellable,
           GError           **error)
{
  const guint64 n = hl_layer_tensor_get_n_rows (&self->base);
  const guint64 band = CLAMP (BAND_NUMBERS / n, 1, n_rows);
  const guint64 projection_head = self->projection.head_axis < 0 ? 0 : head;
  HlLayerTensor base = self->base;
  g_autofree float *rows = g_try_malloc_n (n * n_columns, sizeof (float));
  g_autofree float *weights = g_try_malloc_n (band * n, sizeof (float));
  g_autofree double *sums = g_try_malloc_n (n_columns, sizeof (double));

  if (rows == NULL || weights == NULL || sums == NULL)
    return hl_error_set_no_memory (error);
  base.batch = batch;
  if (!hl_layer_tensor_read (&base, head, 0, n, first_column, n_columns, rows, cancellable, error))
    return FALSE;
  for (guint64 done = 0; done < n_rows; done += band)
    {
      const guint64 part = MIN (band, n_rows - done);

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !hl_layer_tensor_read (&self->projection, projection_head, first_row + done, part, 0, n, weights, cancellable,
                                 error))
        return FALSE;
      for (guint64 i = 0; i < part; i++)
        project_row (weights + i * n, rows, n, n_columns, sums, target + (done + i) * n_columns);
    }
  return TRUE;
}

static gboolean
hl_projected_tensor_read_f32 (HlTensor      *tensor,
                              const guint64 *start,
                              const guint64 *count,
                              float         *target,
                              GCancellable  *cancellable,
                              GError       **error)
{
  HlProjectedTensor *self = HL_PROJECTED_TENSOR (tensor);

  if (count[0] == 0 || count[1] == 0 || count[2] == 0 || count[3] == 0)
    return TRUE;
  for (guint64 batch = 0; batch < count[0]; batch++)
    for (guint64 head = 0; head < count[1]; head++)
      {
        if (!read_head (self, start[0] + batch, start[1] + head, start[2], count[2], start[3], count[3], target,
                        cancellable, error))
          return FALSE;
        target += count[2] * count[3];
      }
  return TRUE;
}

static void
hl_projected_tensor_finalize (GObject *object)
{
  HlProjectedTensor *self = HL_PROJECTED_TENSOR (object);

  g_clear_object (&self->base.tensor);
  g_clear_object (&self->projection.tensor);
  G_OBJECT_CLASS (hl_projected_tensor_parent_class)->finalize (object);
}

static void
hl_projected_tensor_class_init (HlProjectedTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_projected_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_projected_tensor_read_f32;
}

static void
hl_projected_tensor_init (HlProjectedTensor *self)
{
}

static HlTensor *
hl_projected_tensor_new (const HlLayerTensor *base,
                         const HlLayerTensor *projection)
{
  HlProjectedTensor *self = g_object_new (HL_TYPE_PROJECTED_TENSOR, NULL);
  const guint64 n_batch = base->batch_axis < 0 ? 1 : hl_tensor_get_shape (base->tensor)->dims[base->batch_axis];
  const HlShape shape = { 4,
                          { n_batch, hl_layer_tensor_get_n_heads (base), hl_layer_tensor_get_n_rows (projection),
                            hl_layer_tensor_get_n_columns (base) } };

  self->base = *base;
  self->projection = *projection;
  g_object_ref (base->tensor);
  g_object_ref (projection->tensor);
  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_F32, &shape);
  return HL_TENSOR (self);
}

/* `key_projections` and `value_projections` of a Linformer's dump: keys and values become those of projected
 * positions. */

/* Which axis is what: [position, token], after the layers if there are three axes, and the heads if there are four. */
static gboolean
assign_axes (HlLayerTensor *projection,
             const char    *path,
             GError       **error)
{
  const HlShape *shape = hl_tensor_get_shape (projection->tensor);
  const HlDType dtype = hl_tensor_get_dtype (projection->tensor);
  guint64 n_elements;

  if (!hl_dtype_is_float (dtype))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE,
                   _ ("“%s” holds numbers of type %s; float16, bfloat16, float32 or float64 is needed"), path,
                   hl_dtype_get_name (dtype));
      return FALSE;
    }
  if (shape->rank < 2 || shape->rank > 4)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_RANK,
                   _ ("“%s” has rank %u; rank 2 (position, token), 3 (layer, position, token) or 4 "
                      "(layer, head, position, token) is "
                      "needed"),
                   path, shape->rank);
      return FALSE;
    }
  if (!hl_shape_get_n_elements (shape, &n_elements) || n_elements == 0)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is empty: its sizes are %s"), path, sizes);
      return FALSE;
    }
  projection->layer_axis = shape->rank > 2 ? 0 : -1;
  projection->batch_axis = -1;
  projection->head_axis = shape->rank > 3 ? 1 : -1;
  projection->row_axis = (int) shape->rank - 2;
  projection->column_axis = (int) shape->rank - 1;
  return TRUE;
}

/* Whether it can be multiplied with all layers of what it projects. */
static gboolean
check_sizes (const HlLayerTensor *projection,
             const char          *path,
             const char          *base_name,
             const HlDumpMaps    *maps,
             GError             **error)
{
  const HlShape *shape = hl_tensor_get_shape (projection->tensor);
  const guint64 n_tokens = hl_layer_tensor_get_n_rows (maps->layers);
  gboolean fits = projection->layer_axis < 0 || shape->dims[0] == maps->n_layers;

  for (guint i = 0; fits && i < maps->n_layers; i++)
    fits = projection->head_axis < 0 ||
           hl_layer_tensor_get_n_heads (projection) == hl_layer_tensor_get_n_heads (&maps->layers[i]);
  if (!fits)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” does not have the layers and heads of “%s”"), path,
                   base_name);
      return FALSE;
    }
  if (hl_layer_tensor_get_n_columns (projection) != n_tokens)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” projects %" PRIu64 " tokens, but “%s” have %" PRIu64),
                   path, hl_layer_tensor_get_n_columns (projection), base_name, n_tokens);
      return FALSE;
    }
  if (hl_layer_tensor_get_n_rows (projection) > HL_LIMIT_POSITIONS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has %" PRIu64 " positions; at most %d can be shown"),
                   path, hl_layer_tensor_get_n_rows (projection), HL_LIMIT_POSITIONS);
      return FALSE;
    }
  return TRUE;
}

/* What a file has of what keys and values are made of; each of as many layers as the attention, or %NULL. */
typedef struct
{
  HlLayerTensor *layers[HL_N_INGREDIENTS];
} Ingredients;

static void
keep_ingredient (Ingredients         *self,
                 HlIngredient         which,
                 guint                layer,
                 guint                n_layers,
                 const HlLayerTensor *tensor)
{
  if (self->layers[which] == NULL)
    self->layers[which] = g_new0 (HlLayerTensor, n_layers);
  self->layers[which][layer] = *tensor;
  g_object_ref (tensor->tensor);
}

static void
clear_ingredient (Ingredients *self,
                  HlIngredient which,
                  guint        n_layers)
{
  for (guint i = 0; self->layers[which] != NULL && i < n_layers; i++)
    g_object_unref (self->layers[which][i].tensor);
  g_clear_pointer (&self->layers[which], g_free);
}

/* Replaces keys, or values, of n tokens by those of k projected positions, if the dump has projections: [k, n] for all
 * layers, [layers, k, n] or [layers, heads, k, n]. Both are kept, from @projection_of and @base_of on. No numbers are read. */
static gboolean
hl_dump_project (const HlDumpContext *context,
                 const char          *name,
                 const char          *base_name,
                 HlDumpMaps          *maps,
                 Ingredients         *ingredients,
                 HlIngredient         projection_of,
                 HlIngredient         base_of,
                 gboolean            *projected,
                 GError             **error)
{
  g_autofree char *path = hl_dump_context_get_path (context, name);

  *projected = FALSE;
  if (maps->n_layers == 0 || hl_archive_get_kind (context->archive, path) == HL_MEMBER_NONE)
    return TRUE;
  if (!hl_dump_maps_check_rows (maps, hl_dump_context_get_name (context, base_name), error))
    return FALSE;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, error);
  HlLayerTensor projection = { .tensor = tensor };
  if (tensor == NULL || !assign_axes (&projection, path, error) ||
      !check_sizes (&projection, path, base_name, maps, error))
    return FALSE;

  for (guint i = 0; i < maps->n_layers; i++)
    {
      HlLayerTensor *layer = &maps->layers[i];

      projection.layer = projection.layer_axis < 0 ? 0 : i;
      keep_ingredient (ingredients, projection_of, i, maps->n_layers, &projection);
      keep_ingredient (ingredients, base_of, i, maps->n_layers, layer);
      HlTensor *made = hl_projected_tensor_new (layer, &projection);
      g_object_unref (layer->tensor);
      *layer = (HlLayerTensor){
        .tensor = made,
        .layer_axis = -1,
        .batch_axis = 0,
        .head_axis = 1,
        .row_axis = 2,
        .column_axis = 3,
      };
    }
  *projected = TRUE;
  return TRUE;
}

/* What is not there: layers and heads of the model that the file leaves out, and parts of the file that are broken. */

/* As many are named; the rest is counted. */
#define MAX_NAMED 32

/* The numbers as people write them, such as `2, 5, 11`. */
static char *
list_numbers (const HlDumpContext *context,
              const char          *name)
{
  g_autofree char *path = hl_dump_context_get_path (context, name);

  if (hl_archive_get_kind (context->archive, path) != HL_MEMBER_TENSOR)
    return NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, NULL);
  if (tensor == NULL || hl_tensor_get_shape (tensor)->rank != 1)
    return NULL;

  const guint64 n = hl_tensor_get_shape (tensor)->dims[0];
  const guint64 start[1] = { 0 }, count[1] = { MIN (n, MAX_NAMED) };
  float numbers[MAX_NAMED];
  if (n == 0 || !hl_tensor_read_f32 (tensor, start, count, numbers, context->cancellable, NULL))
    return NULL;
  GString *list = g_string_new (NULL);
  for (guint64 i = 0; i < count[0]; i++)
    g_string_append_printf (list, "%s%.0f", i > 0 ? ", " : "", (double) numbers[i]);
  if (n > MAX_NAMED)
    g_string_append (list, ", …");
  return g_string_free (list, FALSE);
}

/* Notes what `include_layers` and `include_heads` say: which layers and heads of the model those of the file are; and,
 * as `unreadable` of the root, why something else in the file could not be read. */
static void
hl_dump_note_omissions (const HlDumpContext *context)
{
  const HlDumpContext root = { context->archive, "", context->checks, context->cancellable };
  g_autofree char *layers = list_numbers (context, "include_layers");
  g_autofree char *heads = list_numbers (context, "include_heads");
  g_autofree char *unreadable = hl_dump_read_text (&root, "unreadable");

  if (layers != NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the file has only these layers of the model, which are counted from 0 here: %s"),
                               layers);
  if (heads != NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("the file has only these heads of the model, which are counted from 0 here: %s"),
                               heads);
  if (unreadable != NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("something else in the file is left out: %s"),
                               unreadable);
}

/* Whether as many heads of one layer use each of those that are shared. */
static gboolean
check_shared_heads (guint                number,
                    const HlLayerTensor *layer,
                    const char          *name,
                    const HlLayerTensor *shared,
                    const char          *shared_name,
                    GError             **error)
{
  const guint64 n = hl_layer_tensor_get_n_heads (layer);
  const guint64 n_shared = hl_layer_tensor_get_n_heads (shared);

  if (n_shared == 0 ? n == 0 : n % n_shared == 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
               _ ("layer %u: %" PRIu64 " heads of “%s” cannot share %" PRIu64 " heads of “%s” evenly"), number, n, name,
               n_shared, shared_name);
  return FALSE;
}

/* Whether queries and keys can be multiplied. */
static gboolean
check_projections (const HlDumpContext *context,
                   const HlDumpMaps    *queries,
                   const HlDumpMaps    *keys,
                   GError             **error)
{
  const char *query_name = hl_dump_context_get_name (context, "queries");
  const char *key_name = hl_dump_context_get_name (context, "keys");

  if (queries->n_layers == 0 || keys->n_layers == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there are “%s” but no “%s”; weights follow only from both"),
                   queries->n_layers > 0 ? query_name : key_name, queries->n_layers > 0 ? key_name : query_name);
      return FALSE;
    }
  if (queries->n_layers != keys->n_layers || queries->n_batch != keys->n_batch)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” have %u layers (batch of %" PRIu64 "), “%s” %u (batch of %" PRIu64 ")"), query_name,
                   queries->n_layers, queries->n_batch, key_name, keys->n_layers, keys->n_batch);
      return FALSE;
    }
  if (!hl_dump_maps_check_rows (queries, query_name, error) || !hl_dump_maps_check_rows (keys, key_name, error))
    return FALSE;
  for (guint i = 0; i < queries->n_layers; i++)
    {
      const guint64 width = hl_layer_tensor_get_n_columns (&queries->layers[i]);
      const guint64 key_width = hl_layer_tensor_get_n_columns (&keys->layers[i]);

      if (width != key_width)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                       _ ("layer %u: “%s” are %" PRIu64 " numbers wide, “%s” %" PRIu64), i, query_name, width, key_name,
                       key_width);
          return FALSE;
        }
      if (!check_shared_heads (i, &queries->layers[i], query_name, &keys->layers[i], key_name, error))
        return FALSE;
    }
  return TRUE;
}

/* Whether queries and keys are those of the stored weights. */
static gboolean
check_against_weights (const HlDumpContext *context,
                       const HlDumpMaps    *weights,
                       const HlDumpMaps    *queries,
                       const HlDumpMaps    *keys,
                       GError             **error)
{
  gboolean fits = weights->n_layers == queries->n_layers && weights->n_batch == queries->n_batch &&
                  hl_layer_tensor_get_n_rows (weights->layers) == hl_layer_tensor_get_n_rows (queries->layers) &&
                  hl_layer_tensor_get_n_columns (weights->layers) == hl_layer_tensor_get_n_rows (keys->layers);

  for (guint i = 0; fits && i < weights->n_layers; i++)
    fits = hl_layer_tensor_get_n_heads (&weights->layers[i]) == hl_layer_tensor_get_n_heads (&queries->layers[i]);
  if (!fits)
    g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” and “%s” do not have the sizes of “%s”"),
                 hl_dump_context_get_name (context, "queries"), hl_dump_context_get_name (context, "keys"),
                 hl_dump_context_get_name (context, "attention"));
  return fits;
}

/* Values stand beside keys, and heads share them as they share keys. */
static gboolean
check_values (const HlDumpContext *context,
              const HlDumpMaps    *values,
              const HlDumpMaps    *base,
              const char          *base_name,
              guint64              n_keys,
              GError             **error)
{
  const char *name = hl_dump_context_get_name (context, "values");
  gboolean fits = values->n_layers == base->n_layers && values->n_batch == base->n_batch &&
                  hl_layer_tensor_get_n_rows (values->layers) == n_keys;

  if (!hl_dump_maps_check_rows (values, name, error))
    return FALSE;

  /* Layers without attention have neither heads nor values. */
  for (guint i = 0; fits && i < base->n_layers; i++)
    fits = (hl_layer_tensor_get_n_heads (&values->layers[i]) == 0) ==
           (hl_layer_tensor_get_n_heads (&base->layers[i]) == 0);
  if (!fits)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” do not have the layers and keys of the attention"), name);
      return FALSE;
    }
  for (guint i = 0; i < base->n_layers; i++)
    if (!check_shared_heads (i, &base->layers[i], base_name, &values->layers[i], name, error))
      return FALSE;
  return TRUE;
}

typedef struct
{
  HlDumpMaps weights;
  HlDumpMaps queries;
  HlDumpMaps keys;
  HlDumpMaps values;
  HlDumpOutput output;
  HlDumpProjection projection;
  HlDumpDistances distances;
  gboolean projected; /* keys are projected positions */
  Ingredients ingredients;
} AttentionMaps;

/* Before the maps whose layers they have. */
static void
clear_ingredients (AttentionMaps *maps)
{
  clear_ingredient (&maps->ingredients, HL_INGREDIENT_KEY_PROJECTION, maps->keys.n_layers);
  clear_ingredient (&maps->ingredients, HL_INGREDIENT_TOKEN_KEYS, maps->keys.n_layers);
  clear_ingredient (&maps->ingredients, HL_INGREDIENT_VALUE_PROJECTION, maps->values.n_layers);
  clear_ingredient (&maps->ingredients, HL_INGREDIENT_TOKEN_VALUES, maps->values.n_layers);
}

static void
clear_attention_maps (AttentionMaps *maps)
{
  clear_ingredients (maps);
  hl_dump_maps_clear (&maps->weights);
  hl_dump_maps_clear (&maps->queries);
  hl_dump_maps_clear (&maps->keys);
  hl_dump_maps_clear (&maps->values);
  hl_dump_output_clear (&maps->output);
  hl_dump_projection_clear (&maps->projection);
  hl_dump_distances_clear (&maps->distances);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttentionMaps, clear_attention_maps)

/* Queries, keys, values and what follows them. Beside stored weights, what does not fit is left
 * out. */
static gboolean
open_projections (const HlDumpContext *context,
                  AttentionMaps       *maps,
                  GError             **error)
{
  g_autoptr (GError) local_error = NULL;
  const gboolean has_weights = maps->weights.n_layers > 0;
  gboolean values_projected;

  if (hl_dump_open_maps (context, "queries", HL_DUMP_MAPS_PROJECTIONS, &maps->queries, &local_error) &&
      hl_dump_open_maps (context, "keys", HL_DUMP_MAPS_PROJECTIONS, &maps->keys, &local_error) &&
      hl_dump_project (context, "key_projections", "keys", &maps->keys, &maps->ingredients,
                       HL_INGREDIENT_KEY_PROJECTION, HL_INGREDIENT_TOKEN_KEYS, &maps->projected, &local_error) &&
      (maps->queries.n_layers > 0 || maps->keys.n_layers > 0) &&
      check_projections (context, &maps->queries, &maps->keys, &local_error) && has_weights)
    check_against_weights (context, &maps->weights, &maps->queries, &maps->keys, &local_error);
  if (local_error != NULL)
    {
      if (!has_weights || g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
      hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; they are left out"), local_error->message);
      g_clear_error (&local_error);
      clear_ingredients (maps);
      hl_dump_maps_clear (&maps->queries);
      hl_dump_maps_clear (&maps->keys);
      maps->projected = FALSE;
    }

  const HlDumpMaps *base = has_weights ? &maps->weights : &maps->queries;
  if (base->n_layers == 0)
    return TRUE;
  const guint64 n_keys = has_weights ? hl_layer_tensor_get_n_columns (base->layers)
                                     : hl_layer_tensor_get_n_rows (maps->keys.layers);
  if (hl_dump_open_maps (context, "values", HL_DUMP_MAPS_PROJECTIONS, &maps->values, &local_error) &&
      hl_dump_project (context, "value_projections", "values", &maps->values, &maps->ingredients,
                       HL_INGREDIENT_VALUE_PROJECTION, HL_INGREDIENT_TOKEN_VALUES, &values_projected, &local_error) &&
      maps->values.n_layers > 0)
    check_values (context, &maps->values, base,
                  hl_dump_context_get_name (context, has_weights ? "attention" : "queries"), n_keys, &local_error);
  if (local_error != NULL)
    {
      hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; they are left out"), local_error->message);
      clear_ingredient (&maps->ingredients, HL_INGREDIENT_VALUE_PROJECTION, maps->values.n_layers);
      clear_ingredient (&maps->ingredients, HL_INGREDIENT_TOKEN_VALUES, maps->values.n_layers);
      hl_dump_maps_clear (&maps->values);
    }
  const HlDumpMaps *made[] = { &maps->queries, &maps->keys, &maps->values };
  return (maps->projected ||
          hl_dump_distances_open (&maps->distances, context, &maps->queries, &maps->keys, !has_weights, error)) &&
         hl_dump_output_open (&maps->output, context, base, &maps->values, hl_layer_tensor_get_n_rows (base->layers),
                              n_keys, error) &&
         hl_dump_projection_open (&maps->projection, context, &maps->output.inputs, made, base->n_layers, error);
}

/* What there is once is that of all items. */
static void
set_batch (HlLayerTensor *layer,
           guint64        batch)
{
  if (layer->batch_axis >= 0)
    layer->batch = hl_tensor_get_shape (layer->tensor)->dims[layer->batch_axis] > 1 ? batch : 0;
}

static const HlLayerTensor *
select_batch (HlDumpMaps *maps,
              guint64     batch)
{
  for (guint i = 0; i < maps->n_layers; i++)
    set_batch (&maps->layers[i], batch);
  return maps->n_layers > 0 ? maps->layers : NULL;
}

/* What the file says that it holds in place of weights, of the example or of all. */
static char *
read_quantity (const HlDumpContext *context)
{
  const HlDumpContext root = { context->archive, "", context->checks, context->cancellable };
  char *quantity = hl_dump_read_text (context, "quantity");

  if (quantity == NULL && *context->group != '\0')
    quantity = hl_dump_read_text (&root, "quantity");
  if (quantity == NULL || *quantity == '\0' || g_str_equal (quantity, "weight"))
    {
      g_free (quantity);
      return NULL;
    }
  g_autofree char *whole = quantity;
  char *start = hl_utf8_shorten (whole, 80);
  hl_utf8_flatten (start);
  return start;
}

static const HlLayerTensor *
select_ingredient (Ingredients *self,
                   HlIngredient which,
                   guint        n_layers,
                   guint64      batch)
{
  HlLayerTensor *layers = self->layers[which];

  for (guint i = 0; layers != NULL && i < n_layers; i++)
    set_batch (&layers[i], batch);
  return layers;
}

/* Which tokens stand for parts of images. */
static gboolean
read_pictures (const HlDumpContext *context,
               GPtrArray           *images,
               HlAttentionKind      kind,
               const AttentionMaps *maps,
               const HlDumpHeld    *held,
               gboolean             causal,
               const HlDumpTokens  *tokens,
               HlPicture           *pictures[2],
               GError             **error)
{
  const HlMask mask = { .causal = causal && held->n_queries < held->n_keys, .shift = held->mask.shift };
  const gint64 position = hl_mask_get_position (&mask, held->n_queries, held->n_keys, 0);
  const gsize first = maps->weights.is_generation ? maps->weights.first_query : (gsize) MAX (position, 0);

  return (maps->projected || hl_dump_picture_read (context, images, kind, HL_KEYS, tokens->keys, 0, held->n_keys,
                                                   &pictures[HL_KEYS], error)) &&
         hl_dump_picture_read (context, images, kind, HL_QUERIES, tokens->queries, first, held->n_queries,
                               &pictures[HL_QUERIES], error);
}

/* Of a layer with distances there is no cap, of which nobody has said what it would be. */
static gboolean
check_caps (const HlDumpContext *context,
            const AttentionMaps *maps,
            const HlDumpRule    *rule,
            GError             **error)
{
  if (maps->distances.distances == NULL || hl_dump_rule_get_max (rule, HL_DUMP_RULE_SOFTCAP) == 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("attribute “%s” is not for attention with “%s”"),
               hl_dump_context_get_name (context, "softcap"), hl_dump_context_get_name (context, "distance_rows"));
  return FALSE;
}

/* A rule for each layer; sinks stay whose they are. */
static HlAttentionRule *
make_rules (const HlDumpRule    *rule,
            const HlDumpHeld    *held,
            const HlMask        *masks,
            const AttentionMaps *maps,
            const HlDumpMaps    *base,
            const HlDumpSinks   *sinks)
{
  HlAttentionRule *rules = g_new0 (HlAttentionRule, base->n_layers);

  for (guint i = 0; i < base->n_layers; i++)
    {
      const double width =
        maps->queries.n_layers > 0 ? (double) hl_layer_tensor_get_n_columns (&maps->queries.layers[i]) : 1;

      rules[i] = (HlAttentionRule){ .scale = hl_dump_rule_get (rule, HL_DUMP_RULE_SCALE, i, 1 / sqrt (width)),
                                    .softcap = hl_dump_rule_get (rule, HL_DUMP_RULE_SOFTCAP, i, 0),
                                    .mask = masks[i],
                                    .sinks = sinks->of_layers != NULL ? sinks->of_layers[i] : NULL,
                                    .distances = maps->distances.distances,
                                    .left_out = hl_layer_tensor_get_n_heads (&base->layers[i]) == 0 &&
                                                hl_dump_rule_get (rule, HL_DUMP_RULE_CAPTURED, i, 1) == 0 };
      rules[i].mask.first_key = held->mask.first_key;
      rules[i].mask.end_key = held->mask.end_key;
      rules[i].mask.scattered = held->mask.scattered;
    }
  return rules;
}

/* Layers and heads are each few enough, and yet there may be millions of both together. */
static gboolean
check_heads (const HlDumpMaps *base,
             const char       *name,
             GError          **error)
{
  guint64 n_heads = 0;

  for (guint layer = 0; layer < base->n_layers; layer++)
    n_heads += hl_layer_tensor_get_n_heads (&base->layers[layer]);
  return hl_limit_check (name, n_heads, HL_LIMIT_ALL_HEADS, _ ("heads"), error);
}

static HlAttention *
find_attention (GPtrArray      *attentions,
                HlAttentionKind kind)
{
  for (guint i = 0; i < attentions->len; i++)
    if (hl_attention_get_kind (attentions->pdata[i]) == kind)
      return attentions->pdata[i];
  return NULL;
}

/* The queries of an attention at whose places there are keys that are seen. */
static HlTokenSpan
get_text_of_queries (HlAttention *attention)
{
  const HlMask *mask = &hl_attention_get_rule (attention, 0)->mask;
  const gsize n_queries = hl_attention_get_n (attention, HL_QUERIES), n_keys = hl_attention_get_n (attention, HL_KEYS);
  const gint64 position = hl_mask_get_position (mask, n_queries, n_keys, 0);
  const gint64 first = MAX ((gint64) mask->first_key - position, 0);
  const gint64 end = MIN ((gint64) (mask->end_key > 0 ? mask->end_key : n_keys) - position, (gint64) n_queries);

  if (end <= first || (!mask->causal && n_queries != n_keys))
    return (HlTokenSpan){ 0, 0 };
  return (HlTokenSpan){ (gsize) first, (gsize) (end - first) };
}

/* Queries of cross attention are those of the decoder, whose attention was read before, or of that which takes its place. */
static gboolean
find_text_of_cross (const HlDumpContext *context,
                    GPtrArray           *attentions,
                    const HlDumpMaps    *base,
                    gboolean             strict,
                    const HlDumpHeld    *held,
                    HlTokenSpan         *text,
                    GError             **error)
{
  HlAttention *decoder = find_attention (attentions, HL_ATTENTION_DECODER);

  if (decoder == NULL)
    {
      /* That one may be of an encoder, so what is said of the decoder itself goes before. */
      if (!hl_dump_read_text_span (context, base, strict, held, text, error))
        return FALSE;
      if (text->n > 0)
        return TRUE;
      decoder = find_attention (attentions, HL_ATTENTION_SELF);
    }
  if (decoder != NULL && hl_attention_get_n (decoder, HL_QUERIES) == held->n_queries)
    *text = get_text_of_queries (decoder);
  return TRUE;
}

/* @context is that of the example, @own that of the kind of attention, whose names may begin otherwise. @attentions are those
 * before it. */
static HlAttention *
make_attention (const HlDumpContext *context,
                const HlDumpContext *own,
                GPtrArray           *images,
                GPtrArray           *attentions,
                HlAttentionKind      kind,
                guint64              batch,
                guint64              n_batch,
                AttentionMaps       *maps,
                GError             **error)
{
  const gboolean has_weights = maps->weights.n_layers > 0;
  const HlDumpMaps *base = has_weights ? &maps->weights : &maps->queries;
  const gsize n_queries = hl_layer_tensor_get_n_rows (base->layers);
  const gsize n_keys = has_weights ? hl_layer_tensor_get_n_columns (base->layers)
                                   : hl_layer_tensor_get_n_rows (maps->keys.layers);
  g_auto (HlDumpTokens) tokens = { 0 };
  g_auto (HlDumpRule) rule = { 0 };
  g_autoptr (HlCellMask) cells = NULL;
  const gboolean has_scores = context->options != NULL && context->options->softmax;
  HlDumpHeld held = { &maps->weights, batch, has_scores, { 0 }, n_queries, n_keys };

  if (has_scores && !has_weights)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                   _ ("there are queries and keys, but no stored scores for a softmax"));
      return NULL;
    }
  /* An encoder sees a text once of which several sequences are generated. */
  if (base->n_batch < n_batch && n_batch % base->n_batch == 0 && hl_layout_is_generation (context->layout))
    held.batch = batch /= n_batch / base->n_batch;
  if (batch >= base->n_batch)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” has a batch of %" PRIu64 ", others have more"),
                   has_weights ? hl_dump_get_weights_name (kind) : hl_dump_context_get_name (own, "queries"),
                   base->n_batch);
      return NULL;
    }
  if (!check_heads (base, has_weights ? hl_dump_get_weights_name (kind) : hl_dump_context_get_name (own, "queries"),
                    error) ||
      !hl_dump_read_rule (own, base->n_layers, !has_weights, &rule, error) || !check_caps (own, maps, &rule, error))
    return NULL;
  const gboolean is_causal = hl_dump_rule_get_max (&rule, HL_DUMP_RULE_CAUSAL) > 0;
  if (maps->projected && is_causal)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("attribute “causal” is left out: keys are projected positions, "
                                  "of which none is later than a query"));
  /* What a file says of its decoder is not said of an encoder or of cross attention. */
  const gboolean may_guess = kind == HL_ATTENTION_SELF || kind == HL_ATTENTION_DECODER;
  HlTokenSpan text = { 0, 0 };
  if (kind == HL_ATTENTION_CROSS && !find_text_of_cross (context, attentions, base, !has_weights, &held, &text, error))
    return NULL;
  g_autofree HlMask *masks = g_new0 (HlMask, base->n_layers);
  g_autofree guint8 *seen_keys = NULL;
  if (!maps->projected && (!hl_dump_read_keys (own, &rule, kind, base, !has_weights, &held, &seen_keys, error) ||
                           !hl_dump_find_mask (own, &rule, base->n_layers, may_guess, &held, masks, error) ||
                           !hl_dump_read_cells (own, &rule, base, !has_weights, seen_keys, &held, &cells, error)))
    return NULL;
  if (!hl_dump_find_padding (context, &held, error))
    return NULL;
  held.mask.scattered = has_scores || cells != NULL;
  if (maps->weights.is_generation
        ? !hl_dump_tokens_read_steps (&tokens, context, &held, kind, maps->weights.first_query, error)
        : !hl_dump_tokens_read (&tokens, context, &held, kind, is_causal,
                                maps->projected ? maps->ingredients.layers[HL_INGREDIENT_KEY_PROJECTION] : NULL,
                                base->n_layers, error))
    return NULL;
  if (has_scores)
    hl_dump_context_add_check (
      context, HL_SEVERITY_INFO,
      _ ("the numbers in the file are taken for scores; a softmax over keys makes weights of them"));

  g_autofree char *quantity = has_weights ? read_quantity (context) : NULL;
  g_auto (HlDumpSinks) sinks = { 0 };
  if (!hl_dump_sinks_read (own, base, !has_weights, &sinks, error))
    return NULL;
  g_autoptr (HlPicture) of_queries = NULL;
  g_autoptr (HlPicture) of_keys = NULL;
  HlPicture *pictures[2] = { NULL };
  const gboolean have_pictures =
    read_pictures (context, images, kind, maps, &held, is_causal, &tokens, pictures, error);
  of_queries = pictures[HL_QUERIES];
  of_keys = pictures[HL_KEYS];
  if (!have_pictures)
    return NULL;
  const HlLayerTensor *inputs = select_batch (&maps->output.inputs, batch);
  const HlLayerTensor *stream = select_batch (&maps->output.stream, batch);
  g_auto (GStrv) layer_types = hl_dump_read_texts (own, "layer_types");
  g_auto (GStrv) modules = hl_dump_read_texts (own, "layer_names");
  HlDistances *distances = maps->distances.distances;
  g_autofree HlAttentionRule *rules = make_rules (&rule, &held, masks, maps, base, &sinks);
  g_autoptr (GBytes) kept = NULL;
  if (distances != NULL)
    {
      kept = g_bytes_new_with_free_func (distances, sizeof *distances, (GDestroyNotify) hl_distances_free, distances);
      maps->distances.distances = NULL;
    }
  HlAttentionInit init = {
    .kind = kind,
    .weights = select_batch (&maps->weights, batch),
    .projections = { select_batch (&maps->queries, batch), select_batch (&maps->keys, batch) },
    .values = select_batch (&maps->values, batch),
    .distances = { select_batch (&maps->distances.tables[HL_QUERIES], batch),
                   select_batch (&maps->distances.tables[HL_KEYS], batch) },
    .biases = select_batch (&maps->distances.biases, batch),
    .has_scores = has_scores,
    .quantity = quantity,
    .is_signed = quantity != NULL && hl_dump_read_signed (context),
    .inputs = inputs,
    .output = select_batch (&maps->output.projection, 0),
    .value_norms = select_batch (&maps->output.value_norms, batch),
    .stream = stream != NULL || maps->output.is_stream_unknown ? stream : inputs,
    .output_norm = maps->output.norm,
    .finishes = maps->projection.finishes,
    .n_layers = base->n_layers,
    .tokens = { (const char *const *) tokens.queries, (const char *const *) tokens.keys },
    .first_query = maps->weights.is_generation ? maps->weights.first_query : 0,
    .n_used = { tokens.n_used_queries, tokens.n_used_keys },
    .text_spans[HL_QUERIES] = text,
    .pictures = { of_queries, of_keys },
    .times = { tokens.times[HL_QUERIES], tokens.times[HL_KEYS] },
    .sentence_b_start = (kind == HL_ATTENTION_SELF || kind == HL_ATTENTION_ENCODER) && !maps->projected
                          ? hl_dump_read_split (context, n_keys)
                          : 0,
    .rules = rules,
    .bias = kept,
    .cells = cells,
    .layer_types = (const char *const *) layer_types,
    .modules = (const char *const *) modules,
  };
  for (guint i = 0; i < HL_N_INGREDIENTS; i++)
    init.ingredients[i] = i < HL_DUMP_N_PROJECTIONS ? select_batch (&maps->projection.maps[i], 0)
                                                    : select_ingredient (&maps->ingredients, i, base->n_layers, batch);
  return hl_attention_new (&init);
}

/* Reads an example: its attentions, tokens and attributes, and what is odd about them. Numbers stay where they are. */
HlExample *
hl_dump_reader_load (HlArchive           *archive,
                     const HlDumpEntry   *entry,
                     const HlOpenOptions *options,
                     GCancellable        *cancellable,
                     GError             **error)
{
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  const HlDumpContext root = { archive, "", checks, cancellable };
  const HlDumpContext context = { archive,       entry->group, checks,      cancellable,
                                  entry->layout, entry->batch, entry->step, options };

  for (guint i = 0; entry->layout != NULL && i < entry->layout->notes->len; i++)
    g_ptr_array_add (checks, g_object_ref (entry->layout->notes->pdata[i]));
  if (entry->is_layer)
    {
      g_autofree char *start = hl_utf8_shorten (entry->group, 60);
      hl_utf8_flatten (start);
      g_ptr_array_add (checks,
                       hl_check_new (HL_SEVERITY_WARNING,
                                     _ ("“%s” is said to be a layer, but was read as an example of its own"), start));
    }
  hl_dump_check_format (&root);
  g_free (hl_dump_read_text (&root, "model"));

  g_autoptr (GPtrArray) images = hl_dump_images_read (&context, error);
  if (images == NULL)
    return NULL;
  for (guint kind = 0; kind < HL_N_ATTENTION_KINDS; kind++)
    {
      g_auto (AttentionMaps) maps = { 0 };
      const HlDumpContext own = hl_dump_context_of_kind (&context, kind);

      if (!hl_dump_open_weights (&context, kind, &maps.weights, error) || !open_projections (&own, &maps, error))
        return NULL;
      if (maps.weights.n_layers == 0 && maps.queries.n_layers == 0)
        continue;
      HlAttention *attention =
        make_attention (&context, &own, images, attentions, kind, entry->batch, entry->n_batch, &maps, error);
      if (attention == NULL)
        return NULL;
      g_ptr_array_add (attentions, attention);
    }
  if (attentions->len == 0)
    {
      hl_dump_set_nothing_found (&context, error);
      return NULL;
    }
  const HlDumpContext first = hl_dump_context_of_kind (&context, hl_attention_get_kind (attentions->pdata[0]));
  hl_dump_check_layers (&first, hl_attention_get_n_layers (attentions->pdata[0]));
  hl_dump_note_omissions (&context);
  hl_dump_picture_note (&context, images, attentions);
  g_autofree char *text = hl_dump_read_text (&context, "text");
  g_autofree char *text_pair = hl_dump_read_text (&context, "text_pair");
  g_autoptr (HlAnnotation) annotation = hl_dump_read_annotation (&context);
  HlExample *example = hl_example_new (entry->name, text, text_pair, attentions, checks);
  hl_example_set_annotation (example, annotation);
  return example;
}
