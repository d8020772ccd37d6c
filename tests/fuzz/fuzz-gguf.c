/* SPDX-License-Identifier: MIT */
/* Any bytes as a GGUF file: the header checked, every value of the metadata gone over, and a number at the end of every tensor read. */
#include "fuzz.h"

#include "core/archive/gguf/hl-gguf-header.h"
#include "core/base/block/hl-block-tensor.h"
#include "core/base/block/hl-block.h"

#include <string.h>

/* What is read of an array, which may have as many numbers as the file has bytes. */
#define MAX_ITEMS 64

static void
read_value (const HlGgufValue *value)
{
  HlGgufStrings strings;
  gint64 integer;
  double number;
  gsize length, n_bytes = 0;

  if (value->type == HL_GGUF_STRING)
    {
      hl_gguf_strings_init (&strings, value);
      for (const char *string; (string = hl_gguf_strings_next (&strings, &length)) != NULL;)
        for (gsize i = 0; i < length; i++)
          n_bytes += string[i] != 0;
      g_assert (strings.n_seen == value->n && n_bytes <= (gsize) (strings.at - value->data));
      return;
    }
  for (guint64 i = 0; i < MIN (value->n, MAX_ITEMS); i++)
    if (hl_gguf_value_get_integer (value, value->n - 1 - i, &integer))
      g_assert (hl_gguf_value_get_number (value, value->n - 1 - i, &number) && number == (double) integer);
}

/* The last block, or the last number, of a tensor that a checked header has. */
static void
read_end (const HlGgufEntry *entry,
          const guint8      *bytes,
          gsize              size)
{
  const gsize block = hl_dtype_get_block (entry->dtype), n_bytes = hl_dtype_get_size (entry->dtype);
  float numbers[HL_DTYPE_MAX_BLOCK];
  guint64 expected;

  g_assert (entry->begin <= size && entry->n_bytes <= size - entry->begin);
  g_assert (hl_block_shape_get_n_bytes (entry->dtype, &entry->shape, &expected) && expected == entry->n_bytes);
  if (entry->n_bytes == 0)
    return;
  const guint8 *last = bytes + entry->begin + entry->n_bytes - n_bytes;
  if (block > 1)
    hl_dtype_widen (entry->dtype, last, block, numbers);
  else
    hl_dtype_convert_to_f32 (entry->dtype, TRUE, last, n_bytes, numbers, 1);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlGgufHeader) header = hl_gguf_header_parse (bytes, size, &error);
  GHashTableIter iter;
  gpointer key, value;

  /* One value is found without the rest; in a file that is in order, whenever it is there. */
  g_autofree char *found = hl_gguf_header_find_string (bytes, size, "general.architecture", NULL);
  g_assert (found == NULL || g_utf8_validate (found, -1, NULL));
  const HlGgufValue *wanted = header != NULL ? g_hash_table_lookup (header->values, "general.architecture") : NULL;
  g_assert (header == NULL ||
            (found != NULL) == (wanted != NULL && wanted->type == HL_GGUF_STRING && !wanted->is_array));
  g_assert ((header == NULL) == (error != NULL));
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
  if (header == NULL)
    return 0;
  g_hash_table_iter_init (&iter, header->values);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      g_assert (g_utf8_validate (key, -1, NULL));
      read_value (value);
    }
  for (guint i = 0; i < header->entries->len; i++)
    {
      const HlGgufEntry *entry = header->entries->pdata[i];

      g_assert (g_hash_table_lookup (header->index, entry->name) == entry);
      if (entry->is_readable)
        read_end (entry, bytes, size);
    }
  return 0;
}
