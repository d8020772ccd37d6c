/* SPDX-License-Identifier: MIT */
/* `key_projections` and `value_projections` of a Linformer's dump: keys and values become those of projected
 * positions. */
#include "core/document/read/hl-dump-projection.h"

#include "core/base/hl-error.h"
#include "core/document/attention/hl-projected-tensor.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

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
      g_set_error (
        error, HL_ERROR, HL_ERROR_DTYPE,
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
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is empty: its sizes are %s"), path,
                   sizes);
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
    fits = projection->head_axis < 0 || hl_layer_tensor_get_n_heads (projection) ==
                                          hl_layer_tensor_get_n_heads (&maps->layers[i]);
  if (!fits)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” does not have the layers and heads of “%s”"), path, base_name);
      return FALSE;
    }
  if (hl_layer_tensor_get_n_columns (projection) != n_tokens)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” projects %" PRIu64 " tokens, but “%s” have %" PRIu64), path,
                   hl_layer_tensor_get_n_columns (projection), base_name, n_tokens);
      return FALSE;
    }
  if (hl_layer_tensor_get_n_rows (projection) > HL_MAX_POSITIONS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“%s” has %" PRIu64 " positions; at most %d can be shown"), path,
                   hl_layer_tensor_get_n_rows (projection), HL_MAX_POSITIONS);
      return FALSE;
    }
  return TRUE;
}

/**
 * hl_dump_project: (skip)
 * @context: which example
 * @name: the projections' name
 * @base_name: that of what they project
 * @maps: (inout): all layers of that; empty if there is none
 * @projected: (out): whether there are projections
 * @error: %HL_ERROR_RANK, %HL_ERROR_SHAPE, %HL_ERROR_DTYPE …
 *
 * Replaces keys, or values, of n tokens by those of k projected positions, if the dump has projections: [k, n] for all
 * layers, [layers, k, n] or [layers, heads, k, n]. No numbers are read.
 *
 * Returns: whether that went well
 */
gboolean
hl_dump_project (const HlDumpContext *context,
                 const char          *name,
                 const char          *base_name,
                 HlDumpMaps          *maps,
                 gboolean            *projected,
                 GError             **error)
{
  g_autofree char *path = hl_dump_context_get_path (context, name);

  *projected = FALSE;
  if (maps->n_layers == 0 || hl_archive_get_kind (context->archive, path) == HL_MEMBER_NONE)
    return TRUE;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, error);
  HlLayerTensor projection = { .tensor = tensor };
  if (tensor == NULL || !assign_axes (&projection, path, error) ||
      !check_sizes (&projection, path, base_name, maps, error))
    return FALSE;

  for (guint i = 0; i < maps->n_layers; i++)
    {
      HlLayerTensor *layer = &maps->layers[i];

      projection.layer = projection.layer_axis < 0 ? 0 : i;
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
