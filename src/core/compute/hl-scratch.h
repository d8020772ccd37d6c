/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlScratch:
 * @numbers: room
 * @size: for how many
 *
 * Memory that grows to what is needed and is used again. One of zeros is empty.
 */
typedef struct
{
  float *numbers;
  gsize  size;
} HlScratch;

float *hl_scratch_get   (HlScratch *self,
                         gsize      size);
void   hl_scratch_clear (HlScratch *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlScratch, hl_scratch_clear)

G_END_DECLS
