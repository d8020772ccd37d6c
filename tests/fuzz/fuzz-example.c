/* SPDX-License-Identifier: MIT */
#include "fuzz-example.h"

#include "core/source/hl-attention-source.h"
#include "core/source/make/hl-source-factory.h"

/* Enough to reach every kind of reading; a file that announces more is only looked at in part. */
#define MAX_LAYERS 2
#define MAX_HEADS 2
#define MAX_NUMBERS 1024

static void
read_attention (HlAttention *attention)
{
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const gsize n_keys = MIN (hl_attention_get_n (attention, HL_KEYS), MAX_NUMBERS);
  const gsize n_queries = MIN (hl_attention_get_n (attention, HL_QUERIES), MAX_NUMBERS / n_keys);

  for (guint layer = 0; layer < MIN (hl_attention_get_n_layers (attention), MAX_LAYERS); layer++)
    for (guint head = 0; head < MIN (hl_attention_get_n_heads (attention, layer), MAX_HEADS); head++)
      {
        const HlAttentionRequest request = {
          .layer = layer,
          .head = head,
          .n_queries = n_queries,
          .n_keys = n_keys,
          .n_rows = n_queries,
          .n_columns = n_keys,
        };
        g_autofree float *weights = g_new (float, n_queries *n_keys);
        g_autoptr (GError) error = NULL;
        const gboolean read = hl_attention_source_read (source, &request, weights, NULL, &error);
        g_assert (read == (error == NULL));
        if (error != NULL)
          g_assert (g_utf8_validate (error->message, -1, NULL));
      }
}

/* Reads some heads of every attention. */
void
fuzz_read_example (HlExample *example)
{
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    read_attention (hl_example_get_attention (example, i));
}
