/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlLruCache:
 * @budget: the most that the sizes of all values add up to, unless one alone is larger
 * @free_value: frees a value
 *
 * Keeps what was used last. Values have a group and an index in it. Not for several threads at once: a caller that is has a lock.
 * Begins as %HL_LRU_CACHE_INIT.
 */
typedef struct
{
  gsize          budget;
  GDestroyNotify free_value;

  /*< private >*/
  GQueue      entries;
  gsize       size;
  GHashTable *links;  /* of entries; %NULL without any */
  GHashTable *counts; /* likewise, of each group */
} HlLruCache;

/**
 * HL_LRU_CACHE_INIT:
 * @budget: as in #HlLruCache
 * @free_value: likewise
 *
 * A cache with nothing in it.
 */
#define HL_LRU_CACHE_INIT(budget, free_value) { budget, free_value, G_QUEUE_INIT, 0, NULL, NULL }

gpointer hl_lru_cache_get     (HlLruCache *self,
                               guint64     group,
                               guint64     index);
gpointer hl_lru_cache_get_any (HlLruCache *self,
                               guint64     group);
void     hl_lru_cache_add     (HlLruCache *self,
                               guint64     group,
                               guint64     index,
                               gpointer    value,
                               gsize       size);
void     hl_lru_cache_forget  (HlLruCache *self,
                               guint64     group);
void     hl_lru_cache_clear   (HlLruCache *self);

G_END_DECLS
