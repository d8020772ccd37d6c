/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

#define HL_TYPE_PENDING_TENSOR (hl_pending_tensor_get_type ())
/**
 * HlPendingTensor:
 *
 * Numbers that are still being computed. Its shape is known; reading it waits until it is filled or has failed. To those who read, it is
 * immutable like any other tensor.
 */
G_DECLARE_FINAL_TYPE (HlPendingTensor, hl_pending_tensor, HL, PENDING_TENSOR, HlTensor)

HlPendingTensor *hl_pending_tensor_new      (const HlShape   *shape,
                                             GError         **error);
gboolean         hl_pending_tensor_fill     (HlPendingTensor *self,
                                             const float     *numbers,
                                             GError         **error);
void             hl_pending_tensor_fail     (HlPendingTensor *self,
                                             const GError    *reason);
gboolean         hl_pending_tensor_is_ready (HlPendingTensor *self);

G_END_DECLS
