/* SPDX-License-Identifier: MIT */
/* What a file announces, held against what it holds. A few bytes can stand for any number of numbers: strides of 0 repeat one, chunks that
 * were never written are zeros. To look at some of them costs nothing; to read all can take for ever, and to write them all there is. */
#include "core/document/hl-expansion.h"

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

typedef struct
{
  GHashTable *seen; /* of HlTensor: layers share them */
  guint64 announced;
  guint64 stored;
} Account;

static guint64
add (guint64 a,
     guint64 b)
{
  return a > G_MAXUINT64 - b ? G_MAXUINT64 : a + b;
}

static void
take (Account             *self,
      const HlLayerTensor *layer)
{
  if (layer == NULL || layer->tensor == NULL || !g_hash_table_add (self->seen, layer->tensor))
    return;
  self->announced = add (self->announced, hl_tensor_get_announced (layer->tensor));
  self->stored = add (self->stored, hl_tensor_get_stored (layer->tensor));
}

static void
take_attention (Account     *self,
                HlAttention *attention)
{
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    {
      take (self, hl_attention_get_weights (attention, layer));
      take (self, hl_attention_get_projection (attention, HL_QUERIES, layer));
      take (self, hl_attention_get_projection (attention, HL_KEYS, layer));
      take (self, hl_attention_get_values (attention, layer));
    }
}

static HlCheck *
find_check (HlExample *example)
{
  GPtrArray *checks = hl_example_get_checks (example);

  for (guint i = 0; i < checks->len; i++)
    if (hl_check_get_topic (checks->pdata[i]) == HL_CHECK_TOPIC_EXPANSION)
      return checks->pdata[i];
  return NULL;
}

static gboolean
is_allowed (HlExample           *example,
            const HlOpenOptions *options)
{
  return find_check (example) == NULL || (options != NULL && options->expansion == HL_EXPANSION_ALLOWED);
}

static gboolean
refuse (HlExample *example,
        GError   **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("%s; to have them all, allow it (--allow-expansion)"),
               hl_check_get_message (find_check (example)));
  return FALSE;
}

/**
 * hl_expansion_check:
 * @example: an example that was just read, which nobody else has yet
 * @file_size: how long the file is
 * @options: (nullable): what somebody chose
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Adds a check of the topic %HL_CHECK_TOPIC_EXPANSION to an example whose attentions announce more than a GiB of numbers, and more than a
 * hundred times what the file can hold of them. Tensors that share bytes count each for itself, but all together not more than the file.
 *
 * Returns: whether that is as it should be
 */
gboolean
hl_expansion_check (HlExample           *example,
                    guint64              file_size,
                    const HlOpenOptions *options,
                    GError             **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Account account = { .seen = seen };

  g_return_val_if_fail (HL_IS_EXAMPLE (example), FALSE);

  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    take_attention (&account, hl_example_get_attention (example, i));
  const guint64 stored = MIN (account.stored, file_size);
  if (account.announced <= HL_LIMIT_ANNOUNCED || account.announced / HL_LIMIT_EXPANSION <= stored)
    return TRUE;
  g_autofree char *announced_text = g_format_size_full (account.announced, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *stored_text = g_format_size_full (stored, G_FORMAT_SIZE_IEC_UNITS);
  g_ptr_array_add (hl_example_get_checks (example),
                   hl_check_new_about (HL_CHECK_TOPIC_EXPANSION, HL_SEVERITY_WARNING,
                                       /* Translators: two sizes, as “36.4 TiB” and “4 bytes” */
                                       _ ("the file announces %s of numbers and holds %s of them: the others repeat "
                                          "them, or were never written"),
                                       announced_text, stored_text));
  return options == NULL || options->expansion != HL_EXPANSION_REFUSED || refuse (example, error);
}

/**
 * hl_expansion_refuse:
 * @example: an example of which all numbers are going to be read
 * @options: (nullable): what somebody chose
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Returns: whether nothing speaks against that, or it is allowed
 */
gboolean
hl_expansion_refuse (HlExample           *example,
                     const HlOpenOptions *options,
                     GError             **error)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (example), FALSE);

  return is_allowed (example, options) || refuse (example, error);
}

/* How many bytes the map of a head stands for, on the average: what is announced of it, or the weights that are made of that. */
static guint64
get_map_size (HlAttention *attention)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Account account = { .seen = seen };
  const guint64 n_weights = (guint64) hl_attention_get_n (attention, HL_QUERIES) *
                            hl_attention_get_n (attention, HL_KEYS);
  guint64 n_heads = 0;

  take_attention (&account, attention);
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    n_heads += hl_attention_get_n_heads (attention, layer);
  return MAX (account.announced / MAX (n_heads, 1), n_weights * sizeof (float));
}

/**
 * hl_expansion_refuse_maps:
 * @example: an example
 * @attention: one of its attentions
 * @n_maps: of how many of its heads all numbers are going to be read
 * @options: (nullable): what somebody chose
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Whoever looks at a few heads waits for these alone.
 *
 * Returns: whether they are so small that nothing speaks against that, or it is allowed
 */
gboolean
hl_expansion_refuse_maps (HlExample           *example,
                          HlAttention         *attention,
                          guint64              n_maps,
                          const HlOpenOptions *options,
                          GError             **error)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (example), FALSE);
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  return is_allowed (example, options) || n_maps <= HL_LIMIT_ANNOUNCED / get_map_size (attention) ||
         refuse (example, error);
}
