/* SPDX-License-Identifier: MIT */
/* The parts of images that tokens of the panel stand for, each made once. */
#pragma once

#include "core/document/attention/hl-attention.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* To be zeroed before use. */
typedef struct
{
  HlAttention *attention; /* what those below are of */
  double size;
  int scale;
  GHashTable *textures[2]; /* of each side: token → GdkTexture */
} HlSwatches;

void        hl_swatches_clear  (HlSwatches  *self);
GdkTexture *hl_swatches_lookup (HlSwatches  *self,
                                HlAttention *attention,
                                HlSide       side,
                                gsize        token,
                                double       size,
                                int          scale);

G_END_DECLS
