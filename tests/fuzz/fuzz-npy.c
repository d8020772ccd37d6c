/* SPDX-License-Identifier: MIT */
/* Any bytes as an array of NumPy: the header parsed, strings read, and the last number. */
#include "core/base/hl-limits.h"
#include "fuzz.h"

#include "core/archive/pydata/hl-npy-array.h"

#include <string.h>

static void
read_last (HlTensor *tensor)
{
  const HlShape *shape = hl_tensor_get_shape (tensor);
  guint64 start[HL_LIMIT_RANK], count[HL_LIMIT_RANK];
  float number;

  for (guint i = 0; i < shape->rank; i++)
    {
      if (shape->dims[i] == 0)
        return;
      start[i] = shape->dims[i] - 1;
      count[i] = 1;
    }
  g_assert (hl_tensor_read_f32 (tensor, start, count, &number, NULL, NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  HlNpyHeader header;
  const gboolean parsed = hl_npy_header_parse (&header, bytes, size, &error);

  g_assert (parsed == (error == NULL));
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL));
  if (!parsed)
    return 0;
  g_assert (header.offset <= size);
  g_autoptr (GBytes) data = g_bytes_new_static (bytes + header.offset, size - header.offset);
  g_autoptr (HlSpan) span = hl_span_new_for_bytes (data);
  g_autoptr (GError) problem = NULL;
  gint64 strides[HL_LIMIT_RANK];

  if (header.type.kind == HL_NPY_UNICODE || header.type.kind == HL_NPY_BYTES)
    {
      HlArchiveNode *node = hl_npy_node_new_for_text (&header, span, &problem);
      g_assert ((node == NULL) == (problem != NULL));
      for (char **string = node != NULL ? node->strings : NULL; string != NULL && *string != NULL; string++)
        g_assert (g_utf8_validate (*string, -1, NULL));
      g_clear_pointer (&node, hl_archive_node_free);
    }
  else if (header.type.kind == HL_NPY_NUMBERS && hl_npy_header_get_strides (&header, strides))
    {
      g_autoptr (HlTensor) tensor =
        hl_span_open_tensor (span, header.type.dtype, &header.shape, strides, header.type.swapped, 0, &problem);
      g_assert ((tensor == NULL) == (problem != NULL));
      if (tensor != NULL)
        read_last (tensor);
    }
  return 0;
}
