/* SPDX-License-Identifier: MIT */
/* Scores of a sink of each head, which join the softmax of its rows. */
#include "core/document/read/hl-dump-sinks.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"

static float *
read_numbers (const HlDumpContext *context,
              const char          *path,
              guint                n_layers,
              guint64              n_heads,
              GError             **error)
{
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, error);
  const guint64 start[2] = { 0, 0 }, count[2] = { n_layers, n_heads };

  if (tensor == NULL)
    return NULL;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  if (!hl_dtype_is_float (hl_tensor_get_dtype (tensor)) || shape->rank != 2 || shape->dims[0] != n_layers ||
      shape->dims[1] != n_heads)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is not a floating-point number for each layer and head"),
                   hl_dump_context_get_name (context, "sinks"));
      return NULL;
    }
  g_autofree float *numbers = g_new (float, n_layers *n_heads);
  if (!hl_tensor_read_f32 (tensor, start, count, numbers, context->cancellable, error))
    return NULL;
  for (gsize i = 0; i < n_layers * n_heads; i++)
    if (!isfinite (numbers[i]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” has a number that is NaN or infinite"),
                     hl_dump_context_get_name (context, "sinks"));
        return NULL;
      }
  return g_steal_pointer (&numbers);
}

/* How many scores each layer has: as many as it has heads, unless it has none. */
guint64
hl_dump_sinks_count_heads (const HlDumpMaps *base)
{
  guint64 n = 0;

  for (guint i = 0; i < base->n_layers; i++)
    n = MAX (n, hl_layer_tensor_get_n_heads (&base->layers[i]));
  return n;
}

/* Reads [layers, heads] into @sinks, NULL if there are none. @base are the weights, or the queries. What does not fit is an
 * error if @strict, when weights follow from it; otherwise it is left out. Returns FALSE only with an error. */
gboolean
hl_dump_sinks_read (const HlDumpContext *context,
                    const HlDumpMaps    *base,
                    gboolean             strict,
                    float              **sinks,
                    GError             **error)
{
  const HlDumpContext place = hl_dump_context_of_model (context, "sinks");
  g_autofree char *path = hl_dump_context_get_path (&place, "sinks");
  const guint64 n_heads = hl_dump_sinks_count_heads (base);
  GError *reason = NULL;

  *sinks = NULL;
  if (hl_archive_get_kind (context->archive, path) == HL_MEMBER_NONE)
    return TRUE;
  for (guint i = 0; i < base->n_layers && reason == NULL; i++)
    if (hl_layer_tensor_get_n_heads (&base->layers[i]) != n_heads &&
        hl_layer_tensor_get_n_heads (&base->layers[i]) != 0)
      reason = g_error_new (HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is not a floating-point number for each layer and head"),
                            hl_dump_context_get_name (context, "sinks"));
  if (reason == NULL)
    *sinks = read_numbers (&place, path, base->n_layers, n_heads, &reason);
  if (reason == NULL)
    return TRUE;
  if (!strict)
    return hl_dump_context_leave_out (context, reason, error);
  g_propagate_error (error, reason);
  return FALSE;
}
