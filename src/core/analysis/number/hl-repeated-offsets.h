/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model.h"

G_BEGIN_DECLS

/**
 * HlRepeatedOffset:
 * @HL_REPEATED_OFFSET_PREVIOUS: on the token before
 * @HL_REPEATED_OFFSET_DUPLICATE: on the same token the first time
 * @HL_REPEATED_OFFSET_INDUCTION: on what came behind the same token the first time
 * @HL_N_REPEATED_OFFSETS: how many there are
 *
 * What is told of a text that is written twice.
 */
typedef enum
{
  HL_REPEATED_OFFSET_PREVIOUS,
  HL_REPEATED_OFFSET_DUPLICATE,
  HL_REPEATED_OFFSET_INDUCTION,
  HL_N_REPEATED_OFFSETS,
} HlRepeatedOffset;

gboolean hl_repeated_offsets_measure (HlModel *model,
                                      HlAttentionKind kind,
                                      guint64 seed,
                                      gsize period,
                                      HlRepeatedOffset offset,
                                      double *values,
                                      HlProgress *progress,
                                      GCancellable *cancellable,
                                      GError **error);

G_END_DECLS
