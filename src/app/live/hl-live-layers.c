/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/live/hl-live-layers.h"

#include "core/base/tensor/hl-pending-tensor.h"

/* Whether the last thing that a layer gets is there, and will not stay away. */
static gboolean
has_numbers (HlAttention *attention,
             guint        layer)
{
  HlTensor *inputs = hl_attention_get_inputs (attention, layer)->tensor;
  const guint64 start[] = { 0, 0 };
  const guint64 count[] = { 1, 1 };
  float number;

  return hl_pending_tensor_is_ready (HL_PENDING_TENSOR (inputs)) &&
         hl_tensor_read_f32 (inputs, start, count, &number, NULL, NULL);
}

/* If the document does not have the attention, its first counts, and if that has not so many layers, its last. */
gboolean
hl_live_layers_has (HlDocument     *document,
                    HlAttentionKind attention,
                    guint           layer)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (document), FALSE);

  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  HlAttention *found = hl_example_find_attention (example, attention);

  if (found == NULL)
    found = hl_example_get_attention (example, 0);
  return has_numbers (found, MIN (layer, hl_attention_get_n_layers (found) - 1));
}

/* Layers of the encoder and of the decoder. @document: (nullable): without one there are none. */
void
hl_live_layers_count (HlDocument *document,
                      guint      *n_done,
                      guint      *n_layers)
{
  g_autoptr (HlExample) example = NULL;
  guint done = 0, all = 0;

  if (document != NULL)
    example = hl_document_get_example (document, 0, NULL, NULL);
  for (guint i = 0; example != NULL && i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      /* Attention from decoder to encoder is part of the decoder's layers. */
      if (hl_attention_get_kind (attention) == HL_ATTENTION_CROSS)
        continue;
      all += hl_attention_get_n_layers (attention);
      for (guint layer = 0; layer < hl_attention_get_n_layers (attention) && has_numbers (attention, layer); layer++)
        done++;
    }
  if (n_done != NULL)
    *n_done = done;
  if (n_layers != NULL)
    *n_layers = all;
}
