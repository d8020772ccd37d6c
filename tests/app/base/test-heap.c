/* SPDX-License-Identifier: MIT */
/* What is let go of between things that stay goes back to the system. */
#include "config.h"

#include "app/base/hl-heap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N_BLOCKS 16384
#define BLOCK_SIZE 4096

/* Of this process, in pages. */
static gulong
get_resident (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  fields = g_strsplit (text, " ", 3);
  return strtoul (fields[1], NULL, 10);
}

static void
test_give_back (void)
{
  char **blocks = g_new (char *, N_BLOCKS);
  const gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  for (guint i = 0; i < N_BLOCKS; i++)
    blocks[i] = memset (g_malloc (BLOCK_SIZE), 1, BLOCK_SIZE);
  for (guint i = 0; i < N_BLOCKS; i++)
    if (i % 64 != 0)
      g_clear_pointer (&blocks[i], g_free);
  const gulong before = get_resident ();
  const gulong most = (gulong) N_BLOCKS * BLOCK_SIZE / (gulong) sysconf (_SC_PAGESIZE);
  hl_heap_give_back ();
  hl_heap_give_back ();
  g_assert_cmpuint (get_resident (), >, before - most / 4);
  while (get_resident () > before - most / 2 && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (10000);
  g_assert_cmpuint (get_resident (), <=, before - most / 2);
  /* What stayed is as it was. */
  for (guint i = 0; i < N_BLOCKS; i += 64)
    {
      g_assert_cmpint (blocks[i][BLOCK_SIZE - 1], ==, 1);
      g_free (blocks[i]);
    }
  g_free (blocks);
}

#if defined(__GLIBC__) && !GLIB_CHECK_VERSION(2, 76, 0)
static void
test_slabs (void)
{
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  g_assert_true (g_slice_get_config (G_SLICE_CONFIG_ALWAYS_MALLOC));
  G_GNUC_END_IGNORE_DEPRECATIONS
}
#endif

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#ifdef __GLIBC__
  hl_heap_limit ();
  g_test_add_func ("/heap/give-back", test_give_back);
#if !GLIB_CHECK_VERSION(2, 76, 0)
  g_test_add_func ("/heap/slabs", test_slabs);
#endif
#endif
  return g_test_run ();
}
