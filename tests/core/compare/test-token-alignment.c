/* SPDX-License-Identifier: MIT */
/* Tokens of two texts paired: by hand, and as many pairs as the plainest dynamic programme finds. */
#include "core/compare/hl-token-alignment.h"

#include "core/compare/hl-few-edits.h"

#include <string.h>

/* "a b c" against "a x c" as "a b< x> c". */
static char *
format (const HlTokenAlignment *alignment,
        char                  **a,
        char                  **b)
{
  GString *text = g_string_new (NULL);
  const HlAlignedToken *positions = hl_token_alignment_get_positions (alignment);

  for (gsize i = 0; i < hl_token_alignment_get_n (alignment); i++)
    {
      const HlAlignedToken *p = &positions[i];
      if (p->a != HL_TOKEN_NONE && p->b != HL_TOKEN_NONE)
        g_assert_cmpstr (a[p->a], ==, b[p->b]);
      g_string_append_printf (text, "%s%s%s", i > 0 ? " " : "", p->a != HL_TOKEN_NONE ? a[p->a] : b[p->b],
                              p->b == HL_TOKEN_NONE   ? "<"
                              : p->a == HL_TOKEN_NONE ? ">"
                                                      : "");
    }
  return g_string_free (text, FALSE);
}

static void
test_by_hand (void)
{
  static const char *const cases[][3] = {
    { "a b c", "a b c", "a b c" },
    { "a b c", "a x c", "a b< x> c" },
    { "a c", "a b c", "a b> c" },
    { "time flies like an arrow .", "fruit flies like a banana .", "time< fruit> flies like an< arrow< a> banana> ." },
    { "a b", "c d", "a< b< c> d>" },
    { "a", "b a b", "b> a b>" },
    { "the cat the dog", "the dog", "the cat< the< dog" },
    { "", "a b", "a> b>" },
    { "a b", "", "a< b<" },
    { "", "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) a = g_strsplit (cases[i][0], " ", -1);
      g_auto (GStrv) b = g_strsplit (cases[i][1], " ", -1);
      g_autoptr (HlTokenAlignment)
        alignment = hl_token_alignment_new ((const char *const *) a, g_strv_length (a), (const char *const *) b,
                                            g_strv_length (b), NULL);
      g_autofree char *text = format (alignment, a, b);
      g_assert_cmpstr (text, ==, cases[i][2]);
      g_assert_cmpint (hl_token_alignment_is_identity (alignment), ==, g_str_equal (cases[i][0], cases[i][1]));
    }
}

static void
test_maps (void)
{
  const char *const a[] = { "x", "a", "b", "c" };
  const char *const b[] = { "a", "y", "c" };
  g_autoptr (HlTokenAlignment) alignment = hl_token_alignment_new (a, 4, b, 3, NULL);

  /* x< a b< y> c */
  g_assert_cmpuint (hl_token_alignment_get_n (alignment), ==, 5);
  g_assert_cmpuint (hl_token_alignment_get_n_common (alignment), ==, 2);
  g_assert_cmpuint (hl_token_alignment_find_a (alignment, 2), ==, 2);
  g_assert_cmpuint (hl_token_alignment_find_b (alignment, 1), ==, 3);
  g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, 1), ==, 0);
  g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, 3), ==, 2);
  g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, 0), ==, HL_TOKEN_NONE);
  g_assert_cmpuint (hl_token_alignment_b_to_a (alignment, 2), ==, 3);
  g_assert_cmpuint (hl_token_alignment_b_to_a (alignment, 1), ==, HL_TOKEN_NONE);
  g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, 4), ==, HL_TOKEN_NONE);
  g_assert_cmpuint (hl_token_alignment_find_b (alignment, G_MAXSIZE), ==, HL_TOKEN_NONE);
}

static void
test_by_index (void)
{
  g_autoptr (HlTokenAlignment) alignment = hl_token_alignment_new_by_index (3, 5);
  g_autoptr (HlTokenAlignment) same = hl_token_alignment_new_by_index (4, 4);

  g_assert_cmpuint (hl_token_alignment_get_n (alignment), ==, 5);
  g_assert_cmpuint (hl_token_alignment_get_n_common (alignment), ==, 3);
  g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, 2), ==, 2);
  g_assert_cmpuint (hl_token_alignment_b_to_a (alignment, 3), ==, HL_TOKEN_NONE);
  g_assert_false (hl_token_alignment_is_identity (alignment));
  g_assert_true (hl_token_alignment_is_identity (same));
}

/* Parts of texts, one behind the other: tokens of one part have no partners in another. */
static void
test_joined (void)
{
  char *a[] = { "x", "x", "a", "b", "x", NULL };
  char *b[] = { "x", "x", "b", "c", NULL };
  const char *const *strings_a = (const char *const *) a, *const *strings_b = (const char *const *) b;
  g_autoptr (HlTokenAlignment) before = hl_token_alignment_new (strings_a, 2, strings_b, 1, NULL);
  g_autoptr (HlTokenAlignment) text = hl_token_alignment_new (strings_a + 2, 2, strings_b + 1, 3, NULL);
  g_autoptr (HlTokenAlignment) behind = hl_token_alignment_new (strings_a + 4, 1, strings_b + 4, 0, NULL);
  HlTokenAlignment *const parts[] = { before, text, behind };
  g_autoptr (HlTokenAlignment) joined = hl_token_alignment_new_joined (parts, 3);
  g_autofree char *found = format (joined, a, b);

  g_assert_cmpstr (found, ==, "x x< a< x> b c> x<");
  g_assert_cmpuint (hl_token_alignment_get_n_common (joined), ==, 2);
  g_assert_cmpuint (hl_token_alignment_a_to_b (joined, 3), ==, 2);
  g_assert_cmpuint (hl_token_alignment_b_to_a (joined, 0), ==, 0);
  g_assert_cmpuint (hl_token_alignment_find_b (joined, 3), ==, 5);
  g_assert_true (hl_token_alignment_is_searched (joined));
}

static const char **
make_tokens (GRand *rand,
             gsize  n,
             guint  n_words)
{
  static const char words[] = "a\0b\0c\0d\0e\0f\0g\0h\0i\0j\0k\0l\0m\0n\0o\0p\0q\0r\0s\0t\0u\0v\0w\0x\0y\0z";
  const char **tokens = g_new (const char *, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    tokens[i] = words + 2 * g_rand_int_range (rand, 0, (int) n_words);
  return tokens;
}

/* Length of the longest common subsequence, by the table that everybody knows. */
static gsize
count_naively (const char **a,
               gsize        n_a,
               const char **b,
               gsize        n_b)
{
  g_autofree gsize *table = g_new0 (gsize, (n_a + 1) * (n_b + 1));
  const gsize width = n_b + 1;

  for (gsize i = 1; i <= n_a; i++)
    for (gsize j = 1; j <= n_b; j++)
      table[i * width + j] = g_str_equal (a[i - 1], b[j - 1])
                               ? table[(i - 1) * width + j - 1] + 1
                               : MAX (table[(i - 1) * width + j], table[i * width + j - 1]);
  return table[n_a * width + n_b];
}

/* Both texts whole and in order, every pair spelt the same, and no more pairs possible. */
static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint round = 0; round < 300; round++)
    {
      const gsize n_a = (gsize) g_rand_int_range (rand, 0, 200);
      const gsize n_b = (gsize) g_rand_int_range (rand, 0, 200);
      const guint n_words = (guint) g_rand_int_range (rand, 1, 26);
      g_autofree const char **a = make_tokens (rand, n_a, n_words);
      g_autofree const char **b = make_tokens (rand, n_b, n_words);
      g_autoptr (HlTokenAlignment) alignment = hl_token_alignment_new (a, n_a, b, n_b, NULL);
      const HlAlignedToken *positions = hl_token_alignment_get_positions (alignment);
      gsize next_a = 0, next_b = 0, n_common = 0;

      for (gsize i = 0; i < hl_token_alignment_get_n (alignment); i++)
        {
          g_assert_true (positions[i].a != HL_TOKEN_NONE || positions[i].b != HL_TOKEN_NONE);
          if (positions[i].a != HL_TOKEN_NONE)
            g_assert_cmpuint (positions[i].a, ==, next_a++);
          if (positions[i].b != HL_TOKEN_NONE)
            g_assert_cmpuint (positions[i].b, ==, next_b++);
          if (positions[i].a == HL_TOKEN_NONE || positions[i].b == HL_TOKEN_NONE)
            continue;
          g_assert_cmpstr (a[positions[i].a], ==, b[positions[i].b]);
          g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, positions[i].a), ==, positions[i].b);
          g_assert_cmpuint (hl_token_alignment_find_b (alignment, positions[i].b), ==, i);
          n_common++;
        }
      g_assert_cmpuint (next_a, ==, n_a);
      g_assert_cmpuint (next_b, ==, n_b);
      g_assert_cmpuint (n_common, ==, hl_token_alignment_get_n_common (alignment));
      g_assert_cmpuint (n_common, ==, count_naively (a, n_a, b, n_b));
    }
}

/* Texts too long and too different to be searched share beginning and end; long ones that differ little are searched. */
static void
test_long (void)
{
  const gsize n = 200000;
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autofree const char **a = make_tokens (rand, n, 26);
  g_autofree const char **b = make_tokens (rand, n, 26);
  g_autofree const char **c = g_memdup2 (a, n * sizeof *a);

  a[0] = b[0] = a[n - 1] = b[n - 1] = c[n - 1] = "same";
  a[1] = a[n - 2] = "first";
  b[1] = b[n - 2] = "second";
  g_autoptr (HlTokenAlignment) different = hl_token_alignment_new (a, n, b, n, NULL);
  g_assert_cmpuint (hl_token_alignment_get_n_common (different), ==, 2);
  g_assert_cmpuint (hl_token_alignment_get_n (different), ==, 2 * n - 2);
  g_assert_false (hl_token_alignment_is_searched (different));

  memcpy (c, a, n * sizeof *a);
  c[n / 2] = "another";
  c[n / 2 + 9] = "again";
  g_autoptr (HlTokenAlignment) similar = hl_token_alignment_new (a, n, c, n, NULL);
  g_assert_cmpuint (hl_token_alignment_get_n_common (similar), ==, n - 2);
  g_assert_true (hl_token_alignment_is_searched (similar));
}

/* The search for lists that differ in few places finds as many pairs, however many places they differ in. */
static void
test_few_edits (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (10);

  for (guint round = 0; round < 300; round++)
    {
      const gsize n_a = (gsize) g_rand_int_range (rand, 0, 120);
      const gsize n_b = (gsize) g_rand_int_range (rand, 0, 120);
      const guint n_words = (guint) g_rand_int_range (rand, 1, 26);
      g_autofree const char **a = make_tokens (rand, n_a, n_words);
      g_autofree const char **b = make_tokens (rand, n_b, n_words);
      g_autofree guint32 *symbols_a = g_new (guint32, MAX (n_a, 1));
      g_autofree guint32 *symbols_b = g_new (guint32, MAX (n_b, 1));
      g_autofree gsize *partners = g_new (gsize, MAX (n_a, 1));
      gsize n_common = 0, next = 0;

      for (gsize i = 0; i < n_a; i++)
        {
          symbols_a[i] = (guint32) *a[i];
          partners[i] = HL_TOKEN_NONE;
        }
      for (gsize i = 0; i < n_b; i++)
        symbols_b[i] = (guint32) *b[i];
      g_assert_true (hl_few_edits_find (symbols_a, n_a, symbols_b, n_b, partners, NULL));
      for (gsize i = 0; i < n_a; i++)
        {
          if (partners[i] == HL_TOKEN_NONE)
            continue;
          g_assert_cmpuint (partners[i], >=, next);
          g_assert_cmpuint (partners[i], <, n_b);
          g_assert_cmpuint (symbols_a[i], ==, symbols_b[partners[i]]);
          next = partners[i] + 1;
          n_common++;
        }
      g_assert_cmpuint (n_common, ==, count_naively (a, n_a, b, n_b));
    }
}

/* Long texts are compared as a whole where they differ in some thousand places, the first and the last tokens among them, and one is
 * shifted against the other. */
static void
test_long_shifted (void)
{
  const gsize n = 200000, n_changes = 2000;
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autofree const char **a = make_tokens (rand, n, 26);
  g_autofree const char **b = g_new (const char *, n);

  b[0] = "inserted";
  memcpy (b + 1, a, (n - 1) * sizeof *b);
  for (gsize i = 0; i < n_changes; i++)
    b[n - 1 - i * 97] = "changed";
  g_autoptr (HlTokenAlignment) alignment = hl_token_alignment_new (a, n, b, n, NULL);
  g_assert_true (hl_token_alignment_is_searched (alignment));
  g_assert_cmpuint (hl_token_alignment_get_n_common (alignment), ==, n - 1 - n_changes);
  g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, 0), ==, 1);
}

/* Words that are nearly everywhere in both texts are found as soon as rare ones, whatever stands between them. */
static void
test_frequent (void)
{
  const gsize n = 100000;
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autofree const char **a = make_tokens (rand, n, 1);
  g_autofree const char **b = make_tokens (rand, n, 1);

  for (gsize i = 0; i < n; i += 2 * (gsize) g_rand_int_range (rand, 1, 50))
    {
      a[i] = "odd";
      b[n - 1 - i] = "odd";
    }
  a[0] = a[n - 1] = "first";
  b[0] = b[n - 1] = "second";
  g_autoptr (HlTokenAlignment) alignment = hl_token_alignment_new (a, n, b, n, NULL);
  g_assert_cmpuint (hl_token_alignment_get_n_common (alignment), >, n * 95 / 100);
  g_assert_cmpuint (hl_token_alignment_get_n_common (alignment), <, n - 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/token-alignment/by-hand", test_by_hand);
  g_test_add_func ("/token-alignment/maps", test_maps);
  g_test_add_func ("/token-alignment/by-index", test_by_index);
  g_test_add_func ("/token-alignment/joined", test_joined);
  g_test_add_func ("/token-alignment/random", test_random);
  g_test_add_func ("/token-alignment/long", test_long);
  g_test_add_func ("/token-alignment/few-edits", test_few_edits);
  g_test_add_func ("/token-alignment/long-shifted", test_long_shifted);
  g_test_add_func ("/token-alignment/frequent", test_frequent);
  return g_test_run ();
}
