/* SPDX-License-Identifier: MIT */
/* What tables are kept by whose keys come from a file. g_str_hash() is the same everywhere: a file can have thousands of names that all lie in
 * one place, of which each is then held against all others. */
#include "core/base/text/hl-text-hash.h"

#include <string.h>

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
 * hl_text_hash_begin:
 *
 * Returns: the hash of no bytes, which differs from run to run
 */
guint64
hl_text_hash_begin (void)
{
  return G_GUINT64_CONSTANT (0xcbf29ce484222325) ^ get_seed ();
}

/**
 * hl_text_hash_add:
 * @hash: that of what stands before
 * @bytes: (array length=length): what follows
 * @length: how many bytes
 *
 * FNV-1a. All beginnings of a text are hashed in one pass over it.
 *
 * Returns: the hash of both together
 */
guint64
hl_text_hash_add (guint64     hash,
                  const char *bytes,
                  gsize       length)
{
  for (gsize i = 0; i < length; i++)
    hash = (hash ^ (guchar) bytes[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

/**
 * hl_text_hash:
 * @text: (type utf8): a string
 *
 * For g_hash_table_new(): it goes with g_str_equal(). It differs from run to run, and so does the order of what the table lists.
 *
 * Returns: a number
 */
guint
hl_text_hash (gconstpointer text)
{
  const guint64 hash = hl_text_hash_add (hl_text_hash_begin (), text, strlen (text));

  return (guint) (hash ^ hash >> 32);
}
