/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/live/hl-live-mask.h"

/* Returns the token that stands for one that is to be guessed; NULL when the model has none. */
static const char *
get_mask (HlModel *model)
{
  HlTokenizer *tokenizer = hl_model_get_tokenizer (model);
  guint32 id;

  if (tokenizer == NULL || hl_model_has_decoder (model) || hl_model_is_causal (model) ||
      !hl_tokenizer_get_special_token (tokenizer, HL_SPECIAL_MASK, &id))
    return NULL;
  return hl_tokenizer_get_token (tokenizer, id);
}

/* Whether the model guesses masked tokens. */
gboolean
hl_live_mask_is_known (HlModel *model)
{
  g_return_val_if_fail (HL_IS_MODEL (model), FALSE);

  return get_mask (model) != NULL;
}

/* Returns the text that a token is of with a mask in its place; NULL of a special token, which is of none. @second_text: (nullable);
 * @in_second: (out): whether it is that. */
char *
hl_live_mask_put (HlModel    *model,
                  const char *text,
                  const char *second_text,
                  gsize       position,
                  gboolean   *in_second)
{
  g_return_val_if_fail (HL_IS_MODEL (model), NULL);
  g_return_val_if_fail (hl_live_mask_is_known (model), NULL);

  const char *second = second_text != NULL && *second_text != '\0' ? second_text : NULL;
  /* As what is shown was cut, so that its positions are the same. Places are those in the whole text. */
  const guint most = (guint) MIN (hl_model_get_max_length (model), G_MAXUINT32);
  g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (hl_model_get_tokenizer (model), text, second, most, NULL);

  if (encoding == NULL || position >= encoding->n_tokens || encoding->special[position])
    return NULL;
  const HlOffsets place = encoding->offsets[position];
  *in_second = encoding->sentence_b_start > 0 && position >= (gsize) encoding->sentence_b_start;
  const char *whole = *in_second ? second_text : text;
  g_autoptr (GString) masked = g_string_new_len (whole, place.start);
  g_string_append (masked, get_mask (model));
  g_string_append (masked, whole + place.end);
  return g_string_free (g_steal_pointer (&masked), FALSE);
}
