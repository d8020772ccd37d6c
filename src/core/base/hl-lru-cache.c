/* SPDX-License-Identifier: MIT */
/* What was used last, up to a budget. */
#include "core/base/hl-lru-cache.h"

typedef struct
{
  guint64 group;
  guint64 index;
  gpointer value;
  gsize size;
} Entry;

/* A list is as quick as a table: there are a few hundred at the most in practice, and the one that is wanted is near its head. */
static GList *
find (HlLruCache *self,
      guint64     group,
      guint64     index)
{
  for (GList *i = self->entries.head; i != NULL; i = i->next)
    {
      const Entry *entry = i->data;
      if (entry->group == group && entry->index == index)
        return i;
    }
  return NULL;
}

static void
drop (HlLruCache *self,
      GList      *link)
{
  Entry *entry = link->data;

  g_queue_delete_link (&self->entries, link);
  self->size -= entry->size;
  self->free_value (entry->value);
  g_free (entry);
}

/* Returns the value, if it is still there; it now counts as the one used last. */
gpointer
hl_lru_cache_get (HlLruCache *self,
                  guint64     group,
                  guint64     index)
{
  GList *link = find (self, group, index);

  if (link == NULL)
    return NULL;
  g_queue_unlink (&self->entries, link);
  g_queue_push_head_link (&self->entries, link);
  return ((Entry *) link->data)->value;
}

/* Does not count as using it. Returns the value of the group that was used last. */
gpointer
hl_lru_cache_get_any (HlLruCache *self,
                      guint64     group)
{
  for (GList *i = self->entries.head; i != NULL; i = i->next)
    if (((const Entry *) i->data)->group == group)
      return ((const Entry *) i->data)->value;
  return NULL;
}

/* Drops values that were not used for the longest time until the budget is kept; this one stays in any case. */
void
hl_lru_cache_add (HlLruCache *self,
                  guint64     group,
                  guint64     index,
                  gpointer    value,
                  gsize       size)
{
  GList *link = find (self, group, index);
  Entry *entry = g_new (Entry, 1);

  if (link != NULL)
    drop (self, link);
  *entry = (Entry){ group, index, value, size };
  g_queue_push_head (&self->entries, entry);
  self->size += size;
  while (self->size > self->budget && self->entries.length > 1)
    drop (self, self->entries.tail);
}

/* Drops all values of the group. */
void
hl_lru_cache_forget (HlLruCache *self,
                     guint64     group)
{
  for (GList *i = self->entries.head, *next; i != NULL; i = next)
    {
      next = i->next;
      if (((const Entry *) i->data)->group == group)
        drop (self, i);
    }
}

/* Drops all values. */
void
hl_lru_cache_clear (HlLruCache *self)
{
  while (self->entries.head != NULL)
    drop (self, self->entries.head);
}
