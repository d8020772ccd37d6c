/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/base/hl-dump-context.h"
#include "core/document/read/base/hl-dump-maps.h"

G_BEGIN_DECLS

/**
 * HlDumpOutput:
 * @projection: `output_projection`: the rows of W_O of each head
 * @value_norms: `value_norms`: the lengths of values after it
 * @inputs: `inputs`: what queries are projected from
 * @stream: `stream`: what the result is added to, where that is not `inputs`
 * @norm: (nullable): `output_norm`: the weights of the layer norm behind attention
 * @is_stream_unknown: whether the file has a `stream` or a norm that does not fit, so that `inputs` are not what the result is added to
 *
 * What a dump holds of what becomes of a head's result. Each is empty unless it is there and fits.
 */
typedef struct
{
  HlDumpMaps projection;
  HlDumpMaps value_norms;
  HlDumpMaps inputs;
  HlDumpMaps stream;
  HlTensor  *norm;
  gboolean   is_stream_unknown;
} HlDumpOutput;

gboolean hl_dump_output_open  (HlDumpOutput        *self,
                               const HlDumpContext *context,
                               const HlDumpMaps    *base,
                               const HlDumpMaps    *values,
                               gsize                n_queries,
                               gsize                n_keys,
                               GError             **error);
void     hl_dump_output_clear (HlDumpOutput        *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlDumpOutput, hl_dump_output_clear)

G_END_DECLS
