/* SPDX-License-Identifier: MIT */
/* Unpacked chunks that may be needed again: by the next few rows of the same head, by the next head in the same chunk,
 * by someone who goes back to a head. One cache for the whole program, so that its bound is one too. */
#include "core/archive/hdf5/hl-chunk-cache.h"

/* Beside heads that sources keep as numbers, a few chunks are enough; a single one may be larger, or its rows would be
 * unpacked again and again. */
#define MAX_BYTES ((gsize) 8 << 20)
#define MAX_ONE ((gsize) 64 << 20)

typedef struct
{
  gconstpointer owner;
  guint64 index;
  GBytes *bytes;
} Entry;

static GMutex mutex;
static GQueue entries = G_QUEUE_INIT; /* the one used last first; a few hundred at the most in practice */
static gsize n_bytes;

static void
drop (GList *link)
{
  Entry *entry = link->data;

  n_bytes -= g_bytes_get_size (entry->bytes);
  g_bytes_unref (entry->bytes);
  g_free (entry);
  g_queue_delete_link (&entries, link);
}

static GList *
find (gconstpointer owner,
      guint64       index)
{
  for (GList *i = entries.head; i != NULL; i = i->next)
    {
      const Entry *entry = i->data;
      if (entry->owner == owner && entry->index == index)
        return i;
    }
  return NULL;
}

/**
 * hl_chunk_cache_get: (skip)
 * @owner: whose chunk
 * @index: which of its chunks
 *
 * From any thread.
 *
 * Returns: (transfer full) (nullable): the chunk, if it is still there
 */
GBytes *
hl_chunk_cache_get (gconstpointer owner,
                    guint64       index)
{
  GBytes *bytes = NULL;

  g_mutex_lock (&mutex);
  GList *link = find (owner, index);
  if (link != NULL)
    {
      g_queue_unlink (&entries, link);
      g_queue_push_head_link (&entries, link);
      bytes = g_bytes_ref (((Entry *) link->data)->bytes);
    }
  g_mutex_unlock (&mutex);
  return bytes;
}

/**
 * hl_chunk_cache_add: (skip)
 * @owner: whose chunk
 * @index: which of its chunks
 * @bytes: the chunk
 *
 * Keeps a chunk, and drops those that were not used for the longest time. One that is larger than the whole cache is
 * kept alone, up to 64 MiB.
 */
void
hl_chunk_cache_add (gconstpointer  owner,
                    guint64        index,
                    GBytes        *bytes)
{
  const gsize size = g_bytes_get_size (bytes);

  if (size > MAX_ONE)
    return;
  g_mutex_lock (&mutex);
  if (find (owner, index) == NULL)
    {
      while (entries.tail != NULL && n_bytes + size > MAX_BYTES)
        drop (entries.tail);
      Entry *entry = g_new (Entry, 1);
      *entry = (Entry) { owner, index, g_bytes_ref (bytes) };
      g_queue_push_head (&entries, entry);
      n_bytes += size;
    }
  g_mutex_unlock (&mutex);
}

/**
 * hl_chunk_cache_forget: (skip)
 * @owner: who is going away
 *
 * Drops its chunks.
 */
void
hl_chunk_cache_forget (gconstpointer owner)
{
  g_mutex_lock (&mutex);
  for (GList *i = entries.head, *next; i != NULL; i = next)
    {
      next = i->next;
      if (((Entry *) i->data)->owner == owner)
        drop (i);
    }
  g_mutex_unlock (&mutex);
}
