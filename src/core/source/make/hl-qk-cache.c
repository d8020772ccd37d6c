/* SPDX-License-Identifier: MIT */
/* What weights that follow from queries and keys are made of, head by head, for as long as the head is looked at. */
#include "core/source/make/hl-qk-cache.h"

#include "core/base/hl-error.h"

#include <math.h>
#include <string.h>

/* Heads are kept up to this many bytes, but at least the latest. */
#define MAX_BYTES (32u << 20)

struct _HlQkCache
{
  HlAttention *attention;
  GMutex lock;
  GQueue heads; /* of HlQkHead, the latest used first */
};

static void
clear_head (gpointer data)
{
  HlQkHead *self = data;

  g_bytes_unref (self->panels);
  g_free (self->norms);
  g_mutex_clear (&self->lock);
}

/**
 * hl_qk_head_unref:
 * @self: (transfer full): a head
 */
void
hl_qk_head_unref (HlQkHead *self)
{
  g_atomic_rc_box_release_full (self, clear_head);
}

/* Of these, no weights were made yet. A score of +∞ has no weights anyway. */
static gboolean
is_known (const HlSoftmaxNorm *norm)
{
  return norm->greatest != INFINITY;
}

/**
 * hl_qk_head_get_norms:
 * @self: a head
 * @first_query: the first query
 * @n_queries: how many
 * @norms: (out caller-allocates): [n_queries]
 *
 * Returns: whether weights of all these queries have been made before, and @norms is filled
 */
gboolean
hl_qk_head_get_norms (HlQkHead      *self,
                      gsize          first_query,
                      gsize          n_queries,
                      HlSoftmaxNorm *norms)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  for (gsize i = 0; i < n_queries; i++)
    {
      norms[i] = self->norms[first_query + i];
      if (!is_known (&norms[i]))
        return FALSE;
    }
  return TRUE;
}

/**
 * hl_qk_head_set_norms:
 * @self: a head
 * @first_query: the first query
 * @n_queries: how many
 * @norms: [n_queries] what hl_attend_tile() said of them
 *
 * Makes it known for another time.
 */
void
hl_qk_head_set_norms (HlQkHead            *self,
                      gsize                first_query,
                      gsize                n_queries,
                      const HlSoftmaxNorm *norms)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  memcpy (self->norms + first_query, norms, n_queries * sizeof *norms);
}

/**
 * hl_qk_cache_new:
 * @attention: an attention with queries and keys
 *
 * Returns: (transfer full): a cache of its heads, empty
 */
HlQkCache *
hl_qk_cache_new (HlAttention *attention)
{
  HlQkCache *self = g_new0 (HlQkCache, 1);

  self->attention = g_object_ref (attention);
  g_mutex_init (&self->lock);
  g_queue_init (&self->heads);
  return self;
}

/**
 * hl_qk_cache_free:
 * @self: (transfer full): a cache
 */
void
hl_qk_cache_free (HlQkCache *self)
{
  g_object_unref (self->attention);
  g_queue_clear_full (&self->heads, (GDestroyNotify) hl_qk_head_unref);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static GBytes *
read_panels (const HlLayerTensor  *keys,
             guint                 key_head,
             GCancellable         *cancellable,
             GError              **error)
{
  const gsize n_keys = hl_layer_tensor_get_n_rows (keys);
  const gsize n_features = hl_layer_tensor_get_n_columns (keys);
  gsize n_numbers, size;
  g_autofree float *numbers = NULL;
  GBytes *panels = NULL;

  if (g_size_checked_mul (&n_numbers, n_keys, n_features) && g_size_checked_mul (&size, n_numbers, sizeof (float)))
    numbers = g_try_malloc (MAX (size, 1));
  if (numbers != NULL)
    {
      if (!hl_layer_tensor_read (keys, key_head, 0, n_keys, 0, n_features, numbers, cancellable, error))
        return NULL;
      panels = hl_attend_make_panels (numbers, n_keys, n_features);
    }
  if (panels == NULL)
    hl_error_set_no_memory (error);
  return panels;
}

static HlQkHead *
make_head (gsize    n_queries,
           guint    layer,
           guint    head,
           guint    key_head,
           GBytes  *panels,
           GError **error)
{
  HlSoftmaxNorm *norms = g_try_new (HlSoftmaxNorm, MAX (n_queries, 1));

  if (norms == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  for (gsize i = 0; i < n_queries; i++)
    norms[i].greatest = INFINITY;

  HlQkHead *self = g_atomic_rc_box_new0 (HlQkHead);
  self->layer = layer;
  self->head = head;
  self->key_head = key_head;
  self->panels = g_bytes_ref (panels);
  self->n_queries = n_queries;
  self->norms = norms;
  g_mutex_init (&self->lock);
  return self;
}

/**
 * hl_qk_cache_get:
 * @self: a cache
 * @layer: a layer
 * @head: a query head of it
 * @cancellable: (nullable): stops it
 * @error: what the file says, or %HL_ERROR_TOO_LARGE
 *
 * Returns: (transfer full) (nullable): the head, with all its keys
 */
HlQkHead *
hl_qk_cache_get (HlQkCache     *self,
                 guint          layer,
                 guint          head,
                 GCancellable  *cancellable,
                 GError       **error)
{
  const HlLayerTensor *queries = hl_attention_get_queries (self->attention, layer);
  const HlLayerTensor *keys = hl_attention_get_keys (self->attention, layer);
  /* Grouped-query attention: neighbouring query heads share a key head (Ainslie et al. 2023). */
  const guint group = (guint) (hl_layer_tensor_get_n_heads (queries) / hl_layer_tensor_get_n_heads (keys));
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  g_autoptr (GBytes) panels = NULL;

  for (GList *link = self->heads.head; link != NULL; link = link->next)
    {
      HlQkHead *known = link->data;

      if (known->layer != layer || known->key_head != head / group)
        continue;
      if (known->head == head)
        {
          g_queue_unlink (&self->heads, link);
          g_queue_push_head_link (&self->heads, link);
          return g_atomic_rc_box_acquire (known);
        }
      if (panels == NULL)
        panels = g_bytes_ref (known->panels);
    }

  if (panels == NULL)
    panels = read_panels (keys, head / group, cancellable, error);
  const gsize n_queries = hl_attention_get_n_queries (self->attention);
  HlQkHead *found = panels != NULL ? make_head (n_queries, layer, head, head / group, panels, error) : NULL;
  if (found == NULL)
    return NULL;

  const gsize size = g_bytes_get_size (panels) + n_queries * sizeof (HlSoftmaxNorm);
  while (!g_queue_is_empty (&self->heads) && g_queue_get_length (&self->heads) + 1 > MAX_BYTES / MAX (size, 1))
    hl_qk_head_unref (g_queue_pop_tail (&self->heads));
  g_queue_push_head (&self->heads, found);
  return g_atomic_rc_box_acquire (found);
}
