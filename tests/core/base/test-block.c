/* SPDX-License-Identifier: MIT */
/* Quantised types: every bit as the Python package gguf has it (blocks.txt, by tests/gguf/make-blocks.py), regions that begin within a
 * block, and the other byte order. */
#include "core/base/block/hl-block-tensor.h"
#include "core/base/block/hl-block.h"
#include "core/base/hl-error.h"

#include "test-dumps.h"

#include <string.h>

#define N_BLOCKS 4096
#define N_TYPES 22

/* Rows of a tensor of 3 axes. */
#define N_OUTER 2
#define N_ROWS 3
#define N_ROW_BLOCKS 16

typedef struct
{
  HlDType dtype;
  guint64 seed;
  int scales[2]; /* upper bytes of 16-bit scales; −1 for none */
  char *sum;
} Case;

static Case cases[N_TYPES];

/* What ggml has in a block as numbers of several bytes. Types that are not here are not read in the other byte order. */
static const struct
{
  HlDType dtype;
  struct
  {
    guint8 offset;
    guint8 size; /* 0 for none */
  } numbers[3];
} layouts[] = {
  { HL_DTYPE_Q4_0, { { 0, 2 } } },
  { HL_DTYPE_Q4_1, { { 0, 2 }, { 2, 2 } } },
  { HL_DTYPE_Q5_0, { { 0, 2 }, { 2, 4 } } },
  { HL_DTYPE_Q5_1, { { 0, 2 }, { 2, 2 }, { 4, 4 } } },
  { HL_DTYPE_Q8_0, { { 0, 2 } } },
  { HL_DTYPE_MXFP4, { { 0 } } },
  { HL_DTYPE_Q2_K, { { 80, 2 }, { 82, 2 } } },
  { HL_DTYPE_Q3_K, { { 108, 2 } } },
  { HL_DTYPE_Q4_K, { { 0, 2 }, { 2, 2 } } },
  { HL_DTYPE_Q5_K, { { 0, 2 }, { 2, 2 } } },
  { HL_DTYPE_Q6_K, { { 208, 2 } } },
  { HL_DTYPE_IQ4_NL, { { 0, 2 } } },
  { HL_DTYPE_IQ4_XS, { { 0, 2 }, { 2, 2 } } },
  { HL_DTYPE_IQ2_S, { { 0, 2 } } },
  { HL_DTYPE_IQ3_S, { { 0, 2 } } },
  { HL_DTYPE_TQ1_0, { { 52, 2 } } },
  { HL_DTYPE_TQ2_0, { { 64, 2 } } },
};

static HlDType
find_type (const char *name)
{
  for (guint dtype = HL_DTYPE_Q4_0; dtype <= HL_DTYPE_TQ2_0; dtype++)
    if (g_str_equal (hl_dtype_get_name (dtype), name))
      return dtype;
  g_error ("there is no type %s", name);
}

static void
read_cases (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "gguf", "blocks.txt", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, N_TYPES);
  for (guint i = 0; i < N_TYPES; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);
      const guint n = g_strv_length (words);

      cases[i] = (Case){ find_type (words[0]), g_ascii_strtoull (words[1], NULL, 10), { -1, -1 } };
      for (guint k = 2; k + 1 < n && words[k][0] != '-'; k++)
        cases[i].scales[k - 2] = (int) g_ascii_strtoll (words[k], NULL, 10);
      cases[i].sum = g_strdup (words[n - 1]);
    }
}

/* The bytes that the references were made of: splitmix64, with scales that are finite. */
static guint8 *
make_blocks (const Case *self,
             gsize       n_blocks)
{
  const gsize size = hl_dtype_get_size (self->dtype), n = n_blocks * size;
  guint8 *bytes = g_malloc (n);
  guint64 state = self->seed;

  for (gsize i = 0; i < n; i += sizeof state)
    {
      guint64 z = state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      z = (z ^ z >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
      z = (z ^ z >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
      z = GUINT64_TO_LE (z ^ z >> 31);
      memcpy (bytes + i, &z, MIN (sizeof z, n - i));
    }
  for (gsize i = 0; i < n_blocks; i++)
    for (guint k = 0; k < 2; k++)
      if (self->scales[k] >= 0)
        bytes[i * size + (gsize) self->scales[k]] &= 0xbf;
  return bytes;
}

static void
test_bits (gconstpointer data)
{
  const Case *self = data;
  const gsize n = N_BLOCKS * hl_dtype_get_block (self->dtype);
  g_autofree guint8 *blocks = make_blocks (self, N_BLOCKS);
  g_autofree float *numbers = g_new (float, n);

  hl_dtype_widen (self->dtype, blocks, n, numbers);
  for (gsize i = 0; G_BYTE_ORDER == G_BIG_ENDIAN && i < n; i++)
    {
      guint32 bits;
      memcpy (&bits, &numbers[i], sizeof bits);
      bits = GUINT32_TO_LE (bits);
      memcpy (&numbers[i], &bits, sizeof bits);
    }
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) numbers, n * sizeof *numbers);
  g_assert_cmpstr (sum, ==, self->sum);
}

static HlShape
make_shape (const Case *self)
{
  return (HlShape){ 3, { N_OUTER, N_ROWS, N_ROW_BLOCKS * hl_dtype_get_block (self->dtype) } };
}

/* A tensor in a file behind some bytes of others. */
static HlTensor *
open_blocks (const Case   *self,
             const char   *folder,
             const guint8 *blocks,
             gboolean      swapped,
             GError      **error)
{
  const HlShape shape = make_shape (self);
  const gsize size = N_OUTER * N_ROWS * N_ROW_BLOCKS * hl_dtype_get_size (self->dtype), before = 7;
  g_autofree char *path = g_build_filename (folder, "blocks", NULL);
  g_autofree char *bytes = g_malloc0 (before + size);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  memcpy (bytes + before, blocks, size);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) (before + size), NULL));
  g_autoptr (HlMappedFile) mapped = hl_mapped_file_open (file, NULL);
  g_assert_nonnull (mapped);
  g_assert_null (hl_block_tensor_new (self->dtype, &shape, FALSE, mapped, before + 1, NULL));
  return hl_block_tensor_new (self->dtype, &shape, swapped, mapped, before, error);
}

/* Holds regions, of which most begin and end within a block, against all of it. */
static void
check_regions (HlTensor    *tensor,
               const float *all)
{
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const guint64 width = shape->dims[2];
  const guint64 begins[] = { 0, 1, 31, 32, 33, 255, 256, 300, width - 1 },
                lengths[] = { 1, 2, 31, 32, 64, 256, 259, width };
  g_autofree float *numbers = g_new (float, N_OUTER *N_ROWS *width);

  for (guint i = 0; i < G_N_ELEMENTS (begins); i++)
    for (guint k = 0; k < G_N_ELEMENTS (lengths); k++)
      {
        const guint64 start[3] = { i % 2, i % 2 + 1, begins[i] };
        const guint64 count[3] = { N_OUTER - i % 2, 2 - i % 2, MIN (lengths[k], width - MIN (begins[i], width)) };
        const float *number = numbers;

        if (begins[i] >= width)
          continue;
        g_assert_true (hl_tensor_read_f32 (tensor, start, count, numbers, NULL, NULL));
        for (guint64 a = start[0]; a < start[0] + count[0]; a++)
          for (guint64 b = start[1]; b < start[1] + count[1]; b++, number += count[2])
            g_assert_cmpmem (number, count[2] * sizeof *number, all + (a * N_ROWS + b) * width + start[2],
                             count[2] * sizeof *number);
      }
  g_assert_true (hl_tensor_read_f32 (tensor, (guint64[]){ 1, 1, 5 }, (guint64[]){ 1, 1, 0 }, numbers, NULL, NULL));
}

static void
test_regions (gconstpointer data)
{
  const Case *self = data;
  const gsize n_blocks = N_OUTER * N_ROWS * N_ROW_BLOCKS, n = n_blocks * hl_dtype_get_block (self->dtype);
  g_autofree guint8 *blocks = make_blocks (self, n_blocks);
  g_autofree float *all = g_new (float, n);
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = open_blocks (self, folder, blocks, FALSE, &error);

  g_assert_no_error (error);
  hl_dtype_widen (self->dtype, blocks, n, all);
  check_regions (tensor, all);
  test_remove_folder (folder);
}

/* Turns the bytes round of what has an order in blocks; returns whether that is known. */
static gboolean
swap_blocks (HlDType dtype,
             guint8 *blocks,
             gsize   n_blocks)
{
  const gsize size = hl_dtype_get_size (dtype);

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    if (layouts[i].dtype == dtype)
      {
        for (gsize block = 0; block < n_blocks; block++)
          for (guint k = 0; k < G_N_ELEMENTS (layouts[i].numbers); k++)
            {
              guint8 *number = blocks + block * size + layouts[i].numbers[k].offset;
              const guint n = layouts[i].numbers[k].size;

              for (guint byte = 0; byte < n / 2; byte++)
                {
                  const guint8 first = number[byte];
                  number[byte] = number[n - 1 - byte];
                  number[n - 1 - byte] = first;
                }
            }
        return TRUE;
      }
  return FALSE;
}

/* The same numbers where parts of a block have their bytes the other way round; where nobody knows which those are, a sentence. */
static void
test_swapped (gconstpointer data)
{
  const Case *self = data;
  const gsize n_blocks = N_OUTER * N_ROWS * N_ROW_BLOCKS, n = n_blocks * hl_dtype_get_block (self->dtype);
  g_autofree guint8 *blocks = make_blocks (self, n_blocks);
  g_autofree float *all = g_new (float, n);
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GError) error = NULL;

  hl_dtype_widen (self->dtype, blocks, n, all);
  const gboolean is_known = swap_blocks (self->dtype, blocks, n_blocks);
  g_autoptr (HlTensor) tensor = open_blocks (self, folder, blocks, TRUE, &error);
  if (!is_known)
    {
      g_assert_null (tensor);
      g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
      test_assert_sentence (error);
    }
  else
    {
      g_assert_no_error (error);
      g_assert_null (hl_tensor_get_data (tensor));
      check_regions (tensor, all);
    }
  test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  read_cases ();
  for (guint i = 0; i < N_TYPES; i++)
    {
      const char *name = hl_dtype_get_name (cases[i].dtype);
      g_autofree char *bits = g_strdup_printf ("/block/bits/%s", name);
      g_autofree char *regions = g_strdup_printf ("/block/regions/%s", name);
      g_autofree char *swapped = g_strdup_printf ("/block/swapped/%s", name);

      g_test_add_data_func (bits, &cases[i], test_bits);
      g_test_add_data_func (regions, &cases[i], test_regions);
      g_test_add_data_func (swapped, &cases[i], test_swapped);
    }
  return g_test_run ();
}
