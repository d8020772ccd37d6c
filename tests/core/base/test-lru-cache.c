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

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/lru-cache/order", test_order);
  g_test_add_func ("/lru-cache/large", test_large);
  g_test_add_func ("/lru-cache/replace", test_replace);
  g_test_add_func ("/lru-cache/groups", test_groups);
  return g_test_run ();
}
