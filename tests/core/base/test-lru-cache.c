/* SPDX-License-Identifier: MIT */
/* What a cache keeps, and what it drops first. */
#include "core/base/hl-lru-cache.h"

static guint n_freed;

static void
free_value (gpointer value)
{
  n_freed++;
  g_free (value);
}

static void
add (HlLruCache *cache,
     guint64     group,
     guint64     index,
     const char *value,
     gsize       size)
{
  hl_lru_cache_add (cache, group, index, g_strdup (value), size);
}

static void
test_order (void)
{
  HlLruCache cache = HL_LRU_CACHE_INIT (10, free_value);

  n_freed = 0;
  add (&cache, 1, 1, "a", 4);
  add (&cache, 1, 2, "b", 4);
  g_assert_cmpstr (hl_lru_cache_get (&cache, 1, 1), ==, "a");
  add (&cache, 2, 1, "c", 4);
  g_assert_cmpuint (n_freed, ==, 1);
  g_assert_null (hl_lru_cache_get (&cache, 1, 2));
  g_assert_cmpstr (hl_lru_cache_get (&cache, 1, 1), ==, "a");
  g_assert_cmpstr (hl_lru_cache_get (&cache, 2, 1), ==, "c");
  hl_lru_cache_clear (&cache);
  g_assert_cmpuint (n_freed, ==, 3);
  g_assert_null (hl_lru_cache_get (&cache, 2, 1));
}

/* One that is larger than the budget is kept alone, until the next comes. */
static void
test_large (void)
{
  HlLruCache cache = HL_LRU_CACHE_INIT (10, free_value);

  n_freed = 0;
  add (&cache, 1, 1, "a", 4);
  add (&cache, 1, 2, "large", 40);
  g_assert_cmpuint (n_freed, ==, 1);
  g_assert_cmpstr (hl_lru_cache_get (&cache, 1, 2), ==, "large");
  add (&cache, 1, 3, "c", 10);
  g_assert_null (hl_lru_cache_get (&cache, 1, 2));
  g_assert_cmpstr (hl_lru_cache_get (&cache, 1, 3), ==, "c");
  hl_lru_cache_clear (&cache);
}

static void
test_replace (void)
{
  HlLruCache cache = HL_LRU_CACHE_INIT (10, free_value);

  n_freed = 0;
  add (&cache, 1, 1, "a", 6);
  add (&cache, 1, 1, "b", 6);
  add (&cache, 1, 2, "c", 4);
  g_assert_cmpuint (n_freed, ==, 1);
  g_assert_cmpstr (hl_lru_cache_get (&cache, 1, 1), ==, "b");
  g_assert_cmpstr (hl_lru_cache_get (&cache, 1, 2), ==, "c");
  hl_lru_cache_clear (&cache);
}

static void
test_groups (void)
{
  HlLruCache cache = HL_LRU_CACHE_INIT (10, free_value);

  n_freed = 0;
  add (&cache, 1, 1, "a", 1);
  add (&cache, 1, 2, "b", 1);
  add (&cache, 2, 1, "c", 1);
  g_assert_cmpstr (hl_lru_cache_get_any (&cache, 1), ==, "b");
  g_assert_cmpstr (hl_lru_cache_get_any (&cache, 2), ==, "c");
  g_assert_null (hl_lru_cache_get_any (&cache, 3));
  hl_lru_cache_forget (&cache, 1);
  g_assert_cmpuint (n_freed, ==, 2);
  g_assert_null (hl_lru_cache_get_any (&cache, 1));
  /* What is forgotten makes room. */
  add (&cache, 2, 2, "d", 9);
  g_assert_cmpstr (hl_lru_cache_get (&cache, 2, 1), ==, "c");
  hl_lru_cache_clear (&cache);
}

/* Heads of a few tokens are many; each is found as soon as the one used last. */
static void
test_many (void)
{
  HlLruCache cache = HL_LRU_CACHE_INIT (1 << 20, free_value);

  n_freed = 0;
  for (guint turn = 0; turn < 2; turn++)
    for (guint i = 0; i < 300000; i++)
      {
        g_autofree char *value = g_strdup_printf ("%u", i);
        const gboolean kept = turn == 1 && i >= 300000 - (1 << 18);

        /* Those that are kept from the first turn are all of the second that are used, so none of them is dropped. */
        if (turn == 0 || kept)
          g_assert_cmpint (hl_lru_cache_get (&cache, i % 7, i) != NULL, ==, kept);
        if (turn == 0)
          add (&cache, i % 7, i, value, 4);
      }
  g_assert_cmpuint (n_freed, ==, 300000 - (1 << 18));
  hl_lru_cache_forget (&cache, 3);
  g_assert_null (hl_lru_cache_get (&cache, 3, 3 + 7 * 42000));
  g_assert_cmpstr (hl_lru_cache_get (&cache, 4, 4 + 7 * 42000), ==, "294004");
  hl_lru_cache_clear (&cache);
  g_assert_cmpuint (n_freed, ==, 300000);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/lru-cache/order", test_order);
  g_test_add_func ("/lru-cache/large", test_large);
  g_test_add_func ("/lru-cache/replace", test_replace);
  g_test_add_func ("/lru-cache/groups", test_groups);
  g_test_add_func ("/lru-cache/many", test_many);
  return g_test_run ();
}
