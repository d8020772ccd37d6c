/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-layer-tensor.h"

G_BEGIN_DECLS

/**
 * HL_OUTPUT_PRODUCTS_MAX_SIZE:
 *
 * Of longer heads the products take more time and memory than they save.
 */
#define HL_OUTPUT_PRODUCTS_MAX_SIZE 64

gboolean      hl_output_products_are_worth_it (const HlLayerTensor  *output);
const double *hl_output_products_get          (const HlLayerTensor  *output,
                                               guint                 head,
                                               GCancellable         *cancellable,
                                               GError              **error);

G_END_DECLS
