/* SPDX-License-Identifier: MIT */
/* What tables are kept by whose keys come from a file. g_str_hash() is the same everywhere: a file can have thousands of names that all lie in
 * one place, of which each is then held against all others. */
#include "core/base/text/hl-text-hash.h"

/* Returns a number that nobody can know before the program runs. */
static guint64
get_seed (void)
{
  static gsize is_made = 0;
  static guint64 seed = 0;

  if (g_once_init_enter (&is_made))
    {
      seed = (guint64) g_random_int () << 32 | g_random_int ();
      g_once_init_leave (&is_made, 1);
    }
  return seed;
}

/**
 * hl_text_hash:
 * @text: (type utf8): a string
 *
 * FNV-1a from a beginning that differs from run to run, for g_hash_table_new(): it goes with g_str_equal(). So does the order of what the
 * table lists.
 *
 * Returns: a number
 */
guint
hl_text_hash (gconstpointer text)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325) ^ get_seed ();

  for (const guchar *at = text; *at != '\0'; at++)
    hash = (hash ^ *at) * G_GUINT64_CONSTANT (0x100000001b3);
  return (guint) (hash ^ hash >> 32);
}
