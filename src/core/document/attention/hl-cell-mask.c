/* SPDX-License-Identifier: MIT */
#include "core/document/attention/hl-cell-mask.h"

#include <string.h>

#include "core/base/hl-error.h"

struct _HlCellMask
{
  guint8 *keys;
  gsize n_keys;
  HlLayerTensor *bits;
  guint n_layers;
};

/**
 * hl_cell_mask_new:
 * @keys: (nullable): [n_keys], 0 for a key that no query sees, 1 for others
 * @n_keys: keys of the map
 * @bits: (nullable): n_layers times [query, byte], without heads: bit j mod 8 of byte j div 8 is 1 where the query sees key j
 * @n_layers: layers of the attention
 *
 * Returns: (transfer full): a mask of both
 */
HlCellMask *
hl_cell_mask_new (const guint8        *keys,
                  gsize                n_keys,
                  const HlLayerTensor *bits,
                  guint                n_layers)
{
  HlCellMask *self = g_atomic_rc_box_new0 (HlCellMask);

  self->keys = g_memdup2 (keys, keys != NULL ? n_keys : 0);
  self->n_keys = n_keys;
  self->bits = g_memdup2 (bits, bits != NULL ? n_layers * sizeof *bits : 0);
  self->n_layers = n_layers;
  for (guint i = 0; bits != NULL && i < n_layers; i++)
    g_object_ref (bits[i].tensor);
  return self;
}

HlCellMask *
hl_cell_mask_ref (HlCellMask *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  HlCellMask *self = data;

  for (guint i = 0; self->bits != NULL && i < self->n_layers; i++)
    g_object_unref (self->bits[i].tensor);
  g_free (self->bits);
  g_free (self->keys);
}

void
hl_cell_mask_unref (HlCellMask *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/* Returns [n_keys], 0 for a key that no query sees; %NULL if there is none. */
const guint8 *
hl_cell_mask_get_keys (HlCellMask *self)
{
  return self->keys;
}

/* Returns [query, byte], as hl_cell_mask_new() has it; %NULL if there are none. */
const HlLayerTensor *
hl_cell_mask_get_bits (HlCellMask *self,
                       guint       layer)
{
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->bits != NULL ? &self->bits[layer] : NULL;
}

/* Numbers of JSON may be anything; what is no byte hides all. */
static guint
get_byte (float number)
{
  return number >= 0 && number < 256 ? (guint) number : 0;
}

/* A byte of bits as eight bytes, each 0 or 1. */
static void
unpack (const float *bytes,
        gsize        first_bit,
        gsize        n,
        guint8      *seen)
{
  gsize i = 0;

  for (; i < n && (first_bit + i) % 8 != 0; i++)
    seen[i] = get_byte (bytes[(first_bit + i) / 8]) >> ((first_bit + i) % 8) & 1;
  for (; i + 8 <= n; i += 8)
    {
      const guint byte = get_byte (bytes[(first_bit + i) / 8]);

      for (guint bit = 0; bit < 8; bit++)
        seen[i + bit] = byte >> bit & 1;
    }
  for (; i < n; i++)
    seen[i] = get_byte (bytes[(first_bit + i) / 8]) >> ((first_bit + i) % 8) & 1;
}

/**
 * hl_cell_mask_read:
 * @self: a mask
 * @layer: a layer
 * @first_query: the first query
 * @n_queries: how many
 * @first_key: the first key
 * @n_keys: how many
 * @seen: (out caller-allocates): [n_queries, n_keys], 1 where a query sees a key, else 0
 * @cancellable: (nullable): stops it
 * @error: what reading fails with
 *
 * Only the bits of these queries and keys are read. From any thread.
 *
 * Returns: whether @seen is filled
 */
gboolean
hl_cell_mask_read (HlCellMask   *self,
                   guint         layer,
                   gsize         first_query,
                   gsize         n_queries,
                   gsize         first_key,
                   gsize         n_keys,
                   guint8       *seen,
                   GCancellable *cancellable,
                   GError      **error)
{
  const gsize first_byte = first_key / 8, n_bytes = n_keys > 0 ? (first_key + n_keys - 1) / 8 - first_byte + 1 : 0;
  g_autofree float *bytes = NULL;

  if (n_queries == 0 || n_keys == 0)
    return TRUE;
  if (self->bits != NULL)
    {
      bytes = g_try_malloc_n (n_queries * n_bytes, sizeof (float));
      if (bytes == NULL)
        return hl_error_set_no_memory (error);
      if (!hl_layer_tensor_read (&self->bits[layer], 0, first_query, n_queries, first_byte, n_bytes, bytes, cancellable,
                                 error))
        return FALSE;
    }
  for (gsize i = 0; i < n_queries; i++)
    {
      guint8 *row = seen + i * n_keys;

      if (bytes != NULL)
        unpack (bytes + i * n_bytes, first_key % 8, n_keys, row);
      else
        memset (row, 1, n_keys);
      for (gsize key = 0; self->keys != NULL && key < n_keys; key++)
        row[key] &= self->keys[first_key + key];
    }
  return TRUE;
}

/* As hl_cell_mask_read(), in memory that is made for it. */
guint8 *
hl_cell_mask_read_new (HlCellMask   *self,
                       guint         layer,
                       gsize         first_query,
                       gsize         n_queries,
                       gsize         first_key,
                       gsize         n_keys,
                       GCancellable *cancellable,
                       GError      **error)
{
  g_autofree guint8 *seen = g_try_malloc_n (MAX (n_queries * n_keys, 1), 1);

  if (seen == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  return hl_cell_mask_read (self, layer, first_query, n_queries, first_key, n_keys, seen, cancellable, error)
           ? g_steal_pointer (&seen)
           : NULL;
}

/* Zeros of cells that are not seen become the −0 by which hl_weight_is_masked() knows them. */
void
hl_cell_mask_mark (const guint8 *seen,
                   gsize         n,
                   float        *weights)
{
  for (gsize i = 0; i < n; i++)
    if (seen[i] == 0 && weights[i] == 0)
      weights[i] = -0.0f;
}
