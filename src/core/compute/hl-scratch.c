/* SPDX-License-Identifier: MIT */
/* Memory that kernels need while they work. */
#include "core/compute/hl-scratch.h"

/* A line of the cache: vectors then lie in one each. */
#define ALIGNMENT 64

/* Returns room for them, until the next call. */
float *
hl_scratch_get (HlScratch *self,
                gsize      size)
{
  if (size > self->size)
    {
      g_aligned_free (self->numbers);
      self->numbers = g_aligned_alloc (size, sizeof (float), ALIGNMENT);
      self->size = size;
    }
  return self->numbers;
}

void
hl_scratch_clear (HlScratch *self)
{
  g_clear_pointer (&self->numbers, g_aligned_free);
  self->size = 0;
}
