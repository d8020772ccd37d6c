/* SPDX-License-Identifier: MIT */
/* Which tokens of an attention are special: by how they are spelt, and by what stands in their place. */
#include "core/document/attention/hl-special-token.h"

#include <string.h>

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

/* As models that see, and their dumps, name what stands before the patches: `CLS`, `distillation`, `register 1`. */
static gboolean
stands_before_patches (const char *token,
                       gsize       index)
{
  if (g_str_has_prefix (token, "register "))
    {
      const char *number = token + strlen ("register ");
      return *number != '\0' && number[strspn (number, "0123456789")] == '\0';
    }
  return (index == 0 && g_str_equal (token, "CLS")) || (index <= 1 && g_str_equal (token, "distillation"));
}

/**
 * hl_attention_is_special_token:
 * @self: an attention
 * @side: queries or keys
 * @index: a query or key
 *
 * A token is special that is spelt as hl_special_token_is() tells, such as `[CLS]` and `<s>`. What stands for a part of an image
 * is content, whatever its name: a patch that the file tells of, and places that are named `<image>`, `<|image_pad|>` and the like.
 * Beside patches, `CLS` at the beginning, `distillation` behind it and `register 1` are special.
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
  if (hl_attention_find_patch (self, side, index, &patch))
    return FALSE;
  if (hl_attention_get_picture (self, side) != NULL && stands_before_patches (token, index))
    return TRUE;
  return hl_special_token_is (token) && !g_strv_contains (placeholders, token);
}
