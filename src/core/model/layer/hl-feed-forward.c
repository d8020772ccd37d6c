/* SPDX-License-Identifier: MIT */
/* Two products with an activation between them, and perhaps a gate. */
#include "core/model/layer/hl-feed-forward.h"

/* Multiplies rows [n_rows, in]. @wide has room for what is between the products. The bias of the last is left to what comes next. */
void
hl_feed_forward_multiply (const HlFeedForward *self,
                          gsize                n_rows,
                          const float         *input,
                          float               *wide,
                          float               *result,
                          HlScratch           *scratch)
{
  const gsize inner = self->inner_width, width = self->in.n_in;
  const gsize stride = self->gated ? 2 * inner : inner;

  if (self->gate.tensor != NULL)
    {
      hl_linear_apply (&self->gate, n_rows, input, width, wide, stride, scratch);
      hl_linear_apply (&self->in, n_rows, input, width, wide + inner, stride, scratch);
    }
  else
    {
      hl_linear_apply (&self->in, n_rows, input, width, wide, stride, scratch);
    }
  if (self->gated && self->clamp.limit > 0)
    hl_activation_gate_clamped (&self->clamp, n_rows, inner, self->bias, wide, stride);
  else if (self->gated)
    hl_activation_gate (self->activation, n_rows, inner, self->bias, wide, stride);
  else
    hl_activation_apply (self->activation, n_rows, inner, self->bias, wide, stride);
  hl_linear_apply (&self->out, n_rows, wide, stride, result, self->out.n_out, scratch);
}

void
hl_feed_forward_clear (HlFeedForward *self)
{
  hl_linear_clear (&self->gate);
  hl_linear_clear (&self->in);
  hl_linear_clear (&self->out);
  g_clear_pointer (&self->bias, g_free);
  hl_norm_clear (&self->before);
  hl_norm_clear (&self->inner);
  hl_norm_clear (&self->after);
  g_clear_pointer (&self->scale, g_free);
}
