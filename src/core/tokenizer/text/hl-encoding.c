/* SPDX-License-Identifier: MIT */
/* A text as tokens. */
#include "core/tokenizer/text/hl-encoding.h"

HlEncoding *
hl_encoding_new (guint n_tokens)
{
  HlEncoding *self = g_new0 (HlEncoding, 1);

  self->n_tokens = n_tokens;
  self->ids = g_new0 (guint32, n_tokens);
  self->tokens = g_new0 (char *, (gsize) n_tokens + 1);
  self->segments = g_new0 (guint32, n_tokens);
  self->special = g_new0 (guint8, n_tokens);
  self->offsets = g_new0 (HlOffsets, n_tokens);
  self->sentence_b_start = -1;
  return self;
}

void
hl_encoding_free (HlEncoding *self)
{
  g_free (self->ids);
  g_strfreev (self->tokens);
  g_free (self->segments);
  g_free (self->special);
  g_free (self->offsets);
  g_free (self);
}
