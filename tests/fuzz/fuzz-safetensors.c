/* SPDX-License-Identifier: MIT */
/* Any bytes as a safetensors file: the header checked, and every tensor's first and last element read. */
#include "fuzz.h"

#include "core/archive/safetensors/hl-safetensors-header.h"
#include "core/base/hl-limits.h"
#include "core/base/tensor/hl-tensor.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSafetensorsHeader) header = hl_safetensors_header_parse ((const char *) bytes, size, &error);
  g_autoptr (GBytes) file = g_bytes_new_static (bytes, size);

  g_assert ((header == NULL) == (error != NULL));
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
  for (guint i = 0; header != NULL && i < header->entries->len; i++)
    {
      const HlSafetensorsEntry *entry = header->entries->pdata[i];
      g_autoptr (HlTensor) tensor = hl_tensor_new_for_bytes (entry->dtype, &entry->shape, NULL, FALSE, file,
                                                             header->data_offset + entry->begin, NULL);
      guint64 start[HL_LIMIT_RANK] = { 0 }, count[HL_LIMIT_RANK];
      float number;

      /* That a checked entry lies within the file is what the header promises. */
      g_assert (tensor != NULL);
      for (guint axis = 0; axis < entry->shape.rank; axis++)
        count[axis] = 1;
      if (entry->begin == entry->end)
        continue;
      g_assert (hl_tensor_read_f32 (tensor, start, count, &number, NULL, NULL));
      for (guint axis = 0; axis < entry->shape.rank; axis++)
        start[axis] = entry->shape.dims[axis] - 1;
      g_assert (hl_tensor_read_f32 (tensor, start, count, &number, NULL, NULL));
    }
  return 0;
}
