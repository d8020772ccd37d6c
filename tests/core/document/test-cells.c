/* SPDX-License-Identifier: MIT */
/* Which cells a query sees: rules of masks against their definition, cell by cell, and masks of single cells. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/document/attention/hl-attention-rule.h"
#include "core/document/attention/hl-cell-mask.h"

/* As data/dump-format.md says. */
static gboolean
sees (const HlMask *mask,
      gsize         n_queries,
      gsize         n_keys,
      gsize         query,
      gsize         key)
{
  const double i = (double) query + (mask->causal ? (double) n_keys - (double) n_queries : 0) + (double) mask->shift;
  const double j = (double) key;

  if (mask->causal && j > i)
    return FALSE;
  if (mask->window > 0 && !(mask->causal ? j > i - (double) mask->window : fabs (i - j) < (double) mask->window))
    return FALSE;
  if (mask->chunk > 0 && floor (i / (double) mask->chunk) != floor (j / (double) mask->chunk))
    return FALSE;
  return key >= mask->first_key && (mask->end_key == 0 || key < mask->end_key);
}

/* A number of a range; what is below 0 is 0. */
static guint64
pick (GRand *random,
      gint   first,
      gint   end)
{
  const gint found = g_rand_int_range (random, first, end);

  return (guint64) MAX (found, 0);
}

static void
test_rules (void)
{
  GRand *random = g_rand_new_with_seed (16);

  for (guint round = 0; round < 4000; round++)
    {
      const gsize n_queries = (gsize) g_rand_int_range (random, 1, 14),
                  n_keys = (gsize) g_rand_int_range (random, 1, 14);
      HlMask mask = {
        .causal = g_rand_boolean (random),
        .window = pick (random, -8, 16),
        .chunk = pick (random, -8, 8),
        .shift = g_rand_boolean (random) ? g_rand_int_range (random, -16, 17) : 0,
        .first_key = pick (random, -6, 4),
        .end_key = pick (random, -14, (gint) n_keys),
      };

      for (gsize query = 0; query < n_queries; query++)
        for (gsize key = 0; key < n_keys; key++)
          {
            HlMask turned = mask;
            const gboolean expected = sees (&mask, n_queries, n_keys, query, key);

            g_assert_cmpint (hl_mask_is_visible (&mask, n_queries, n_keys, query, key), ==, expected);
            turned.transposed = TRUE;
            g_assert_cmpint (hl_mask_is_visible (&turned, n_keys, n_queries, key, query), ==, expected);
          }
      HlMask other = mask;
      g_assert_true (hl_mask_equal (&mask, &other));
      other.shift++;
      g_assert_false (hl_mask_equal (&mask, &other));
    }
  g_rand_free (random);
}

/* What is longer than any text hides nothing. */
static void
test_far (void)
{
  const HlMask mask = { .causal = TRUE, .window = G_MAXUINT64, .chunk = G_MAXUINT64 };

  g_assert_true (hl_mask_is_visible (&mask, 4, 4, 3, 0));
  g_assert_false (hl_mask_is_visible (&mask, 4, 4, 0, 1));
}

#define N_QUERIES 5
#define N_KEYS 21
#define N_BYTES 3

/* Any part of the bits, of two layers, with keys that nobody sees. */
static void
test_bits (void)
{
  GRand *random = g_rand_new_with_seed (3);
  guint8 bytes[2][N_QUERIES][N_BYTES], keys[N_KEYS];
  const HlShape shape = { 3, { 2, N_QUERIES, N_BYTES } };
  HlLayerTensor layers[2];
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < sizeof bytes; i++)
    ((guint8 *) bytes)[i] = (guint8) g_rand_int (random);
  for (guint i = 0; i < N_KEYS; i++)
    keys[i] = g_rand_int_range (random, 0, 4) > 0;
  g_autoptr (GBytes) stored = g_bytes_new (bytes, sizeof bytes);
  g_autoptr (HlTensor) tensor = hl_tensor_new_for_bytes (HL_DTYPE_U8, &shape, NULL, FALSE, stored, 0, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    layers[i] = (HlLayerTensor){ tensor,          .layer_axis = 0, .layer = i,      .batch_axis = -1,
                                 .head_axis = -1, .row_axis = 1,   .column_axis = 2 };
  g_autoptr (HlCellMask) mask = hl_cell_mask_new (keys, N_KEYS, layers, 2);

  for (guint layer = 0; layer < 2; layer++)
    for (gsize first = 0; first < N_KEYS; first++)
      for (gsize n = 0; n <= N_KEYS - first; n++)
        {
          g_autofree guint8 *seen = hl_cell_mask_read_new (mask, layer, 1, N_QUERIES - 2, first, n, NULL, &error);

          g_assert_no_error (error);
          for (gsize i = 0; i < N_QUERIES - 2; i++)
            for (gsize j = 0; j < n; j++)
              {
                const gsize key = first + j;
                const guint bit = bytes[layer][i + 1][key / 8] >> (key % 8) & 1;

                g_assert_cmpuint (seen[i * n + j], ==, bit & keys[key]);
              }
        }
  g_rand_free (random);
}

static void
test_marks (void)
{
  const guint8 seen[] = { 1, 0, 0, 1 };
  float weights[] = { 0, 0, .5f, .5f };

  hl_cell_mask_mark (seen, G_N_ELEMENTS (seen), weights);
  g_assert_false (signbit (weights[0]));
  g_assert_true (signbit (weights[1]));
  g_assert_cmpfloat (weights[2], ==, .5f); /* what holds weight is not masked */
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cells/rules", test_rules);
  g_test_add_func ("/cells/far", test_far);
  g_test_add_func ("/cells/bits", test_bits);
  g_test_add_func ("/cells/marks", test_marks);
  return g_test_run ();
}
