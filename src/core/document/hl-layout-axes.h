/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/hl-block.h"

G_BEGIN_DECLS

/**
 * HlLayoutAxes:
 * @letters: a letter for each axis of a tensor, outermost first: `l` layer, `b` example of a batch, `h` head, `q` query, `k` key,
 *   `s` step of a generation
 *
 * What the axes of a tensor of attention are.
 */
typedef struct
{
  char letters[HL_MAX_RANK + 1];
} HlLayoutAxes;

gboolean hl_layout_axes_guess    (HlLayoutAxes        *self,
                                  const HlShape       *shape,
                                  gboolean             one_layer,
                                  gboolean            *ambiguous);
gboolean hl_layout_axes_parse    (HlLayoutAxes        *self,
                                  const char          *text,
                                  GError             **error);
gboolean hl_layout_axes_apply    (const HlLayoutAxes  *self,
                                  HlLayerTensor       *layer,
                                  const char          *path,
                                  GError             **error);
char    *hl_layout_axes_describe (const HlLayoutAxes  *self);

G_END_DECLS
