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

static guint
hash (gconstpointer key)
{
  const Entry *entry = key;
  const guint64 mixed = (entry->group * 31 + entry->index) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  return (guint) (mixed >> 32);
}

static gboolean
equal (gconstpointer a,
       gconstpointer b)
{
  const Entry *first = a, *second = b;

  return first->group == second->group && first->index == second->index;
}

/* Of heads of a few tokens there are tens of thousands: a list would be gone through for each of them. */
static GList *
find (HlLruCache *self,
      guint64     group,
      guint64     index)
{
  const Entry wanted = { .group = group, .index = index };

  return self->links != NULL ? g_hash_table_lookup (self->links, &wanted) : NULL;
}

/* How many entries a group has; where pointers are short, groups may be counted together. */
static guint
count_group (HlLruCache *self,
             guint64     group)
{
  return self->counts != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, (gpointer) (guintptr) group)) : 0;
}

static void
drop (HlLruCache *self,
      GList      *link)
{
  Entry *entry = link->data;
  const guint rest = count_group (self, entry->group) - 1;

  g_hash_table_remove (self->links, entry);
  if (rest > 0)
    g_hash_table_insert (self->counts, (gpointer) (guintptr) entry->group, GUINT_TO_POINTER (rest));
  else
    g_hash_table_remove (self->counts, (gpointer) (guintptr) entry->group);
  g_queue_delete_link (&self->entries, link);
  if (self->entries.length == 0)
    {
      g_clear_pointer (&self->links, g_hash_table_unref);
      g_clear_pointer (&self->counts, g_hash_table_unref);
    }
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
  for (GList *i = count_group (self, group) > 0 ? self->entries.head : NULL; i != NULL; i = i->next)
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
  if (self->links == NULL)
    {
      self->links = g_hash_table_new (hash, equal);
      self->counts = g_hash_table_new (NULL, NULL);
    }
  g_hash_table_insert (self->links, entry, self->entries.head);
  g_hash_table_insert (self->counts, (gpointer) (guintptr) group, GUINT_TO_POINTER (count_group (self, group) + 1));
  self->size += size;
  while (self->size > self->budget && self->entries.length > 1)
    drop (self, self->entries.tail);
}

/* Drops all values of the group. */
void
hl_lru_cache_forget (HlLruCache *self,
                     guint64     group)
{
  for (GList *i = count_group (self, group) > 0 ? self->entries.head : NULL, *next; i != NULL; i = next)
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
