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

/* Of all that is announced of an example. */
static Account
take_all (HlExample *example)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Account account = { .seen = seen };

  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    take_attention (&account, hl_example_get_attention (example, i));
  account.seen = NULL;
  return account;
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
  g_return_val_if_fail (HL_IS_EXAMPLE (example), FALSE);

  const Account account = take_all (example);
  const guint64 stored = MIN (account.stored, file_size);
  if (account.announced <= HL_LIMIT_ANNOUNCED || account.announced / HL_LIMIT_EXPANSION <= stored)
    return TRUE;
  hl_example_set_stored (example, stored);
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
  return MAX (MAX (account.announced / MAX (n_heads, 1), n_weights * sizeof (float)), 1);
}

/* Whether so many maps are soon read. */
static gboolean
are_few (HlAttention *attention,
         guint64      n_maps)
{
  return n_maps <= HL_LIMIT_ANNOUNCED / get_map_size (attention);
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

  return is_allowed (example, options) || are_few (attention, n_maps) || refuse (example, error);
}

/* What somebody is asked who can say that it may be. */
static gboolean
ask (HlExample *example,
     guint64    n_bytes,
     GError   **error)
{
  g_autofree char *read_text = g_format_size_full (n_bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *stored_text = g_format_size_full (hl_example_get_stored (example), G_FORMAT_SIZE_IEC_UNITS);

  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               /* Translators: two sizes, as “36.4 TiB” and “4 bytes” */
               _ ("this would read %s of numbers, of which the file holds %s"), read_text, stored_text);
  return FALSE;
}

/**
 * hl_expansion_ask:
 * @example: an example of which all numbers are going to be read
 * @error: %HL_ERROR_TOO_LARGE, with what somebody is to be told who decides whether that may be
 *
 * As hl_expansion_refuse(), for those who can ask.
 *
 * Returns: whether nobody need be asked
 */
gboolean
hl_expansion_ask (HlExample *example,
                  GError   **error)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (example), FALSE);

  return find_check (example) == NULL || ask (example, take_all (example).announced, error);
}

/**
 * hl_expansion_ask_maps:
 * @example: an example
 * @attention: one of its attentions
 * @n_maps: of how many of its heads all numbers are going to be read
 * @error: as of hl_expansion_ask()
 *
 * As hl_expansion_refuse_maps(), for those who can ask.
 *
 * Returns: whether nobody need be asked
 */
gboolean
hl_expansion_ask_maps (HlExample   *example,
                       HlAttention *attention,
                       guint64      n_maps,
                       GError     **error)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (example), FALSE);
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  if (find_check (example) == NULL || are_few (attention, n_maps))
    return TRUE;
  const guint64 size = get_map_size (attention);
  return ask (example, n_maps > G_MAXUINT64 / size ? G_MAXUINT64 : n_maps * size, error);
}
