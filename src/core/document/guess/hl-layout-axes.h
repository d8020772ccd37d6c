/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/base/hl-limits.h"

G_BEGIN_DECLS

/**
 * HlLayoutAxes:
 * @letters: a letter for each axis of a tensor, outermost first: `l` layer, `b` example of a batch, `h` head, `q`
 *   query, `k` key, `s` step of a generation, `x` none of these, of which one index is taken
 * @indices: of an `x`, the index that is taken; else 0
 *
 * What the axes of a tensor of attention are.
 */
typedef struct
{
  char    letters[HL_LIMIT_RANK + 1];
  guint64 indices[HL_LIMIT_RANK];
} HlLayoutAxes;

gboolean hl_layout_axes_guess_reversed (HlLayoutAxes   *self,
                                        const HlShape  *shape,
                                        gboolean        one_layer,
                                        gboolean       *ambiguous);
gboolean hl_layout_axes_guess     (HlLayoutAxes        *self,
                                   const HlShape       *shape,
                                   gboolean             one_layer,
                                   gboolean            *ambiguous);
gboolean hl_layout_axes_parse     (HlLayoutAxes        *self,
                                   const char          *text,
                                   GError             **error);
gboolean hl_layout_axes_check     (const HlLayoutAxes  *self,
                                   GError             **error);
gboolean hl_layout_axes_apply     (const HlLayoutAxes  *self,
                                   HlLayerTensor       *layer,
                                   const char          *path,
                                   GError             **error);
void     hl_layout_axes_init_of   (HlLayoutAxes        *self,
                                   const HlLayerTensor *layer);
gboolean hl_layout_axes_equal     (const HlLayoutAxes  *self,
                                   const HlLayoutAxes  *other);
char    *hl_layout_axes_describe  (const HlLayoutAxes  *self);
char    *hl_layout_axes_to_string (const HlLayoutAxes  *self);

G_END_DECLS
