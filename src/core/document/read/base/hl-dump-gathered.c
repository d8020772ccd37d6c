/* SPDX-License-Identifier: MIT */
/* Names of the keys of a Linformer: the tokens that each of its positions gathers. */
#include "core/document/read/base/hl-dump-gathered.h"

#include <math.h>

#include "core/base/hl-utf8.h"
#include "core/document/tokens/hl-token-text.h"

/* More numbers are not read for names. */
#define MAX_NUMBERS (1u << 23)

/* So many tokens are named at most, and each up to so many bytes. */
#define MAX_NAMED 3
#define MAX_BYTES 12

/* The sizes of what each position takes of each token, on the average over heads of all layers. */
static float *
read_sizes (const HlLayerTensor *layers,
            guint                n_layers,
            gsize                n_positions,
            gsize                n_tokens,
            GCancellable        *cancellable,
            GError             **error)
{
  g_autofree float *sizes = g_new0 (float, n_positions *n_tokens);
  g_autofree float *row = g_new (float, n_tokens);

  for (guint layer = 0; layer < n_layers; layer++)
    for (guint64 head = 0; head < hl_layer_tensor_get_n_heads (&layers[layer]); head++)
      for (gsize position = 0; position < n_positions; position++)
        {
          if (!hl_layer_tensor_read (&layers[layer], head, position, 1, 0, n_tokens, row, cancellable, error))
            return NULL;
          for (gsize token = 0; token < n_tokens; token++)
            if (isfinite (row[token]))
              sizes[position * n_tokens + token] += fabsf (row[token]);
        }
  return g_steal_pointer (&sizes);
}

/* "p3:the,cat": spaces would be shown as such. */
static char *
make_name (gsize              position,
           float             *sizes,
           gsize              n_tokens,
           const char *const *texts)
{
  GString *name = g_string_new (NULL);
  float greatest = 0;

  g_string_printf (name, "p%zu", position);
  for (guint rank = 0; rank < MAX_NAMED; rank++)
    {
      gsize best = 0;

      for (gsize token = 1; token < n_tokens; token++)
        if (sizes[token] > sizes[best])
          best = token;
      greatest = MAX (greatest, sizes[best]);
      /* What is less than half of the strongest says little of a position. */
      if (sizes[best] <= 0 || sizes[best] < greatest / 2)
        break;
      g_autofree char *text = hl_utf8_shorten (texts[best], MAX_BYTES);
      g_string_append_printf (name, "%s%s", rank == 0 ? ":" : ",", text);
      sizes[best] = 0;
    }
  return g_string_free (name, FALSE);
}

/* Names of all positions that projections make of @tokens; @layers of one tensor are looked at once. With too many numbers, or without tokens,
 * positions have their number alone. */
char **
hl_dump_name_gathered (const HlDumpContext *context,
                       const HlLayerTensor *layers,
                       guint                n_layers,
                       char               **tokens,
                       GError             **error)
{
  const gsize n_positions = hl_layer_tensor_get_n_rows (layers);
  const gsize n_tokens = hl_layer_tensor_get_n_columns (layers);
  const gboolean are_same = layers->layer_axis < 0 && layers[n_layers - 1].tensor == layers->tensor;
  const guint n_different = are_same ? 1 : n_layers;
  const gboolean is_small = (double) n_positions * (double) n_tokens * n_different *
                              (double) hl_layer_tensor_get_n_heads (layers) <=
                            MAX_NUMBERS;
  const gboolean has_names = is_small && tokens != NULL && g_strv_length (tokens) == n_tokens;
  g_auto (GStrv) texts = NULL;
  g_autofree float *sizes = NULL;

  if (has_names)
    {
      sizes = read_sizes (layers, n_different, n_positions, n_tokens, context->cancellable, error);
      if (sizes == NULL)
        return NULL;
      texts = hl_token_text_make_labels ((const char *const *) tokens, n_tokens);
    }
  char **names = g_new0 (char *, n_positions + 1);
  for (gsize i = 0; i < n_positions; i++)
    names[i] = sizes != NULL ? make_name (i, sizes + i * n_tokens, n_tokens, (const char *const *) texts)
                             : g_strdup_printf ("p%zu", i);
  return names;
}
