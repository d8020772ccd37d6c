/* SPDX-License-Identifier: MIT */
/* The maps of one layer of a source as a tensor, for those who write numbers and do not ask where they come from. */
#include "core/source/hl-source-tensor.h"

struct _HlSourceTensor
{
  HlTensor parent_instance;

  HlAttentionSource *source;
  guint layer;
};

G_DEFINE_FINAL_TYPE (HlSourceTensor, hl_source_tensor, HL_TYPE_TENSOR)

static gboolean
hl_source_tensor_read_f32 (HlTensor      *tensor,
                           const guint64 *start,
                           const guint64 *count,
                           float         *target,
                           GCancellable  *cancellable,
                           GError       **error)
{
  HlSourceTensor *self = HL_SOURCE_TENSOR (tensor);

  if (count[1] == 0 || count[2] == 0)
    return TRUE;
  for (guint64 i = 0; i < count[0]; i++)
    {
      const HlAttentionRequest request = {
        .layer = self->layer,
        .head = (guint) (start[0] + i),
        .first_query = start[1],
        .n_queries = count[1],
        .first_key = start[2],
        .n_keys = count[2],
        .n_rows = count[1],
        .n_columns = count[2],
      };
      if (!hl_attention_source_read (self->source, &request, target + i * count[1] * count[2],
                                     cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static void
hl_source_tensor_finalize (GObject *object)
{
  g_clear_object (&HL_SOURCE_TENSOR (object)->source);
  G_OBJECT_CLASS (hl_source_tensor_parent_class)->finalize (object);
}

static void
hl_source_tensor_class_init (HlSourceTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_source_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_source_tensor_read_f32;
}

static void
hl_source_tensor_init (HlSourceTensor *self)
{
}

/**
 * hl_source_tensor_new:
 * @source: a source
 * @layer: one of its layers
 *
 * Returns: (transfer full): the layer's weights, [heads, queries, keys], computed when they are read
 */
HlTensor *
hl_source_tensor_new (HlAttentionSource *source,
                      guint              layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);
  g_return_val_if_fail (layer < hl_attention_source_get_n_layers (source), NULL);

  HlSourceTensor *self = g_object_new (HL_TYPE_SOURCE_TENSOR, NULL);
  const HlShape shape = { 3,
                          { hl_attention_source_get_n_heads (source, layer),
                            hl_attention_source_get_n_queries (source),
                            hl_attention_source_get_n_keys (source) } };

  self->source = g_object_ref (source);
  self->layer = layer;
  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_F32, &shape);
  return HL_TENSOR (self);
}
