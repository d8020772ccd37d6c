/* SPDX-License-Identifier: MIT */
/* Scores of a sink of each head, which join the softmax of its rows. */
#include "core/document/read/hl-dump-sinks.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"

static gboolean
refuse (const HlDumpContext *context,
        GError             **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is not a floating-point number for each layer and head"),
               hl_dump_context_get_name (context, "sinks"));
  return FALSE;
}

/* Reads a tensor that is to have these sizes. */
static gboolean
read_numbers (const HlDumpContext *context,
              const char          *path,
              guint                rank,
              const guint64       *dims,
              float               *numbers,
              GError             **error)
{
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, error);
  const guint64 start[2] = { 0, 0 };
  guint64 n = 1;

  if (tensor == NULL)
    return FALSE;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  if (!hl_dtype_is_float (hl_tensor_get_dtype (tensor)) || shape->rank != rank)
    return refuse (context, error);
  for (guint i = 0; i < rank; i++)
    {
      if (shape->dims[i] != dims[i])
        return refuse (context, error);
      n *= dims[i];
    }
  if (!hl_tensor_read_f32 (tensor, start, dims, numbers, context->cancellable, error))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    if (!isfinite (numbers[i]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” has a number that is NaN or infinite"),
                     hl_dump_context_get_name (context, "sinks"));
        return FALSE;
      }
  return TRUE;
}

/* One tensor with an axis of layers: those with attention have as many heads. */
static gboolean
read_whole (const HlDumpContext *context,
            const char          *path,
            const HlDumpMaps    *base,
            HlDumpSinks         *self,
            GError             **error)
{
  guint64 dims[2] = { base->n_layers, 0 };

  for (guint i = 0; i < base->n_layers; i++)
    dims[1] = MAX (dims[1], hl_layer_tensor_get_n_heads (&base->layers[i]));
  for (guint i = 0; i < base->n_layers; i++)
    if (hl_layer_tensor_get_n_heads (&base->layers[i]) != dims[1] &&
        hl_layer_tensor_get_n_heads (&base->layers[i]) != 0)
      return refuse (context, error);
  self->numbers = g_new (float, dims[0] * dims[1]);
  for (guint i = 0; i < base->n_layers; i++)
    self->of_layers[i] = self->numbers + i * dims[1];
  return read_numbers (context, path, 2, dims, self->numbers, error);
}

/* A group of one tensor a layer: those that are missing have no sinks. */
static gboolean
read_each (const HlDumpContext *context,
           const char          *path,
           const HlDumpMaps    *base,
           HlDumpSinks         *self,
           GError             **error)
{
  g_auto (GStrv) names = hl_archive_list (context->archive, path, error);
  guint n_known = 0;
  gsize n = 0;

  if (names == NULL)
    return FALSE;
  for (guint i = 0; i < base->n_layers; i++)
    n += hl_layer_tensor_get_n_heads (&base->layers[i]);
  self->numbers = g_new (float, n);
  n = 0;
  for (guint i = 0; i < base->n_layers; i++)
    {
      const guint64 n_heads = hl_layer_tensor_get_n_heads (&base->layers[i]);
      g_autofree char *name = g_strdup_printf ("%u", i);
      g_autofree char *own = hl_archive_join (path, name);

      if (hl_archive_get_kind (context->archive, own) == HL_MEMBER_NONE)
        continue;
      n_known++;
      if (n_heads == 0)
        continue;
      if (!read_numbers (context, own, 1, &n_heads, self->numbers + n, error))
        return FALSE;
      self->of_layers[i] = self->numbers + n;
      n += n_heads;
    }
  /* What is of no layer. */
  return n_known == g_strv_length (names) || refuse (context, error);
}

/* Reads them into @sinks, which is empty if there are none. @base are the weights, or the queries. What does not fit is an
 * error if @strict, when weights follow from it; otherwise it is left out. Returns FALSE only with an error. */
gboolean
hl_dump_sinks_read (const HlDumpContext *context,
                    const HlDumpMaps    *base,
                    gboolean             strict,
                    HlDumpSinks         *sinks,
                    GError             **error)
{
  const HlDumpContext place = hl_dump_context_of_model (context, "sinks");
  g_autofree char *path = hl_dump_context_get_path (&place, "sinks");
  const HlMemberKind kind = hl_archive_get_kind (context->archive, path);
  g_auto (HlDumpSinks) found = { 0 };
  GError *reason = NULL;

  *sinks = (HlDumpSinks){ 0 };
  if (kind == HL_MEMBER_NONE)
    return TRUE;
  found.of_layers = g_new0 (const float *, base->n_layers);
  if ((kind == HL_MEMBER_GROUP ? read_each : read_whole) (&place, path, base, &found, &reason))
    {
      *sinks = found;
      found = (HlDumpSinks){ 0 };
      return TRUE;
    }
  if (!strict)
    return hl_dump_context_leave_out (context, reason, error);
  g_propagate_error (error, reason);
  return FALSE;
}

void
hl_dump_sinks_clear (HlDumpSinks *self)
{
  g_clear_pointer (&self->numbers, g_free);
  g_clear_pointer (&self->of_layers, g_free);
}
