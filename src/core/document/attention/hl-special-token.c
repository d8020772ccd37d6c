/* SPDX-License-Identifier: MIT */
/* Which tokens of an attention are special: by how they are spelt, and by what stands in their place. */
#include "core/document/attention/hl-special-token.h"

#include "core/document/tokens/hl-token-text.h"

/* Special tokens in a vocabulary, whose places in a text images, videos and sounds take: LLaVA, Qwen2-VL, Gemma 3, InternVL,
 * Pixtral, Qwen-Audio. What begins and ends an image, as `<|vision_start|>`, is special. */
static const char *const placeholders[] = { "<image>",
                                            "<|image_pad|>",
                                            "<image_soft_token>",
                                            "<IMG_CONTEXT>",
                                            "[IMG]",
                                            "<im_patch>",
                                            "<image_patch>",
                                            "<|image|>",
                                            "<video>",
                                            "<|video_pad|>",
                                            "<audio>",
                                            "<|audio_pad|>",
                                            "<|AUDIO|>",
                                            "<audio_soft_token>",
                                            NULL };

/**
 * hl_attention_is_special_token:
 * @self: an attention
 * @side: queries or keys
 * @index: a query or key
 *
 * A token is special that is spelt as hl_special_token_is() tells, such as `[CLS]` and `<s>`. What stands for a part of an image
 * is content, whatever its name: a patch that the file tells of, and places that are named `<image>`, `<|image_pad|>` and the like.
 *
 * Returns: whether it is special; %FALSE without tokens
 */
gboolean
hl_attention_is_special_token (HlAttention *self,
                               HlSide       side,
                               gsize        index)
{
  HlPicturePatch patch;

  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);
  g_return_val_if_fail (index < hl_attention_get_n (self, side), FALSE);

  if (!hl_attention_has_tokens (self, side))
    return FALSE;
  const char *token = hl_attention_get_tokens (self, side)[index];
  return hl_special_token_is (token) && !g_strv_contains (placeholders, token) &&
         !hl_attention_find_patch (self, side, index, &patch);
}
