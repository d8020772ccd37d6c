/* SPDX-License-Identifier: MIT */
/* What a tokenizer is made of, on the way to one. */
#include "core/tokenizer/hl-tokenizer-parts.h"

void
hl_tokenizer_parts_init (HlTokenizerParts *self)
{
  *self = (HlTokenizerParts){ .model = NULL };
  for (guint i = 0; i < HL_N_SPECIAL_TOKENS; i++)
    self->special[i] = HL_NO_TOKEN;
}

void
hl_tokenizer_parts_clear (HlTokenizerParts *self)
{
  g_clear_pointer (&self->normalizer, hl_normalizer_free);
  g_clear_pointer (&self->pre_tokenizer, hl_pre_tokenizer_free);
  g_clear_pointer (&self->model, hl_token_model_free);
  g_clear_pointer (&self->added, hl_added_tokens_free);
  g_clear_pointer (&self->post_processor, hl_post_processor_free);
}
