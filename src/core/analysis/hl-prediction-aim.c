/* SPDX-License-Identifier: MIT */
/* Which prediction somebody means: where in a text, and of which token, as people write both. */
#include "core/analysis/hl-prediction-aim.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analysis/hl-token-matcher.h"
#include "core/base/hl-error.h"
#include "core/predict/hl-token-decoder.h"

/**
 * hl_prediction_aim_find_attention:
 * @unembedding: what predicts
 * @example: what its model was run on
 *
 * Returns: (transfer none) (nullable): the attention whose queries stand where predictions do
 */
HlAttention *
hl_prediction_aim_find_attention (HlUnembedding *unembedding,
                                  HlExample     *example)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (unembedding), NULL);
  g_return_val_if_fail (HL_IS_EXAMPLE (example), NULL);

  return hl_example_find_attention (example, hl_unembedding_get_attention (unembedding));
}

/* Of a masked language model it is what is masked. */
static gboolean
find_mask (HlUnembedding *unembedding,
           HlModelCall   *call,
           gsize         *position)
{
  const HlModelInput *input = hl_model_call_get_input (call);
  HlTokenizer *tokenizer = hl_model_get_tokenizer (hl_unembedding_get_model (unembedding));
  guint32 mask;

  if (input->ids == NULL || tokenizer == NULL || !hl_tokenizer_get_special_token (tokenizer, HL_SPECIAL_MASK, &mask))
    return FALSE;
  for (*position = 0; *position < input->n_ids; (*position)++)
    if (input->ids[*position] == mask)
      return TRUE;
  return FALSE;
}

/* The token that a word's prediction stands at: that which is to be guessed, or the one before it. */
static gboolean
find_word (HlTokenMatcher *matcher,
           const char     *word,
           gboolean        is_masked,
           gsize          *position,
           GError        **error)
{
  const char *mark = strrchr (word, '#');
  const char *text = word;
  g_autofree char *cut = NULL;
  guint64 nth = 0;
  HlTokenRun run;

  if (mark != NULL && mark > word && g_ascii_string_to_unsigned (mark + 1, 10, 1, G_MAXUINT, &nth, NULL))
    text = cut = g_strndup (word, (gsize) (mark - word));
  const guint n = hl_token_matcher_find (matcher, text, nth > 0 ? (guint) nth - 1 : 0, &run);
  if (n == 0)
    g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no “%s” in the text"), text);
  else if (nth == 0 && n > 1)
    g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is there %u times: write %s#1 to %s#%u"), text, n, text,
                 text, n);
  else if (nth > n)
    g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                 g_dngettext (GETTEXT_PACKAGE, "“%s” is there %u time", "“%s” is there %u times", n), text, n);
  else
    {
      *position = is_masked ? run.first : run.first + run.n - 1;
      return TRUE;
    }
  return FALSE;
}

/**
 * hl_prediction_aim_find_position:
 * @unembedding: what predicts
 * @call: a model and what it is run on
 * @attention: what hl_prediction_aim_find_attention() returned
 * @written: (nullable): the index of a token, from 0; a word, of which the last piece is meant, or “her#2” for the second “her”; %NULL
 *   for the last token, or, of masked language models, the first that is masked
 * @position: (out): a token of @attention's queries
 * @error: %HL_ERROR_VALUE when there is no such token; %HL_ERROR_MISSING when none is masked
 *
 * Returns: whether there is such a position
 */
gboolean
hl_prediction_aim_find_position (HlUnembedding *unembedding,
                                 HlModelCall   *call,
                                 HlAttention   *attention,
                                 const char    *written,
                                 gsize         *position,
                                 GError       **error)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (unembedding), FALSE);
  g_return_val_if_fail (HL_IS_MODEL_CALL (call), FALSE);
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  const gboolean is_masked = hl_unembedding_is_masked (unembedding);
  const gsize n = hl_attention_get_n_used (attention, HL_QUERIES);
  guint64 number;

  if (written == NULL && hl_unembedding_tells_classes (unembedding))
    {
      *position = 0;
      return TRUE;
    }
  if (written == NULL && !is_masked)
    {
      *position = n - 1;
      return TRUE;
    }
  if (written == NULL)
    {
      if (find_mask (unembedding, call, position))
        return TRUE;
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                   _ ("no token of the text is masked; a position has to be chosen"));
      return FALSE;
    }
  if (g_ascii_string_to_unsigned (written, 10, 0, G_MAXUINT32, &number, NULL))
    {
      *position = number;
      if (number < n)
        return TRUE;
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no token %zu; the last is %zu"), *position, n - 1);
      return FALSE;
    }
  g_autoptr (HlTokenMatcher) matcher = hl_token_matcher_new (hl_attention_get_tokens (attention, HL_QUERIES), n);
  return find_word (matcher, written, is_masked, position, error);
}

/* The only token that a text is made of, special ones around it left out. */
static gboolean
encode (HlTokenizer *tokenizer,
        const char  *text,
        guint32     *token,
        guint       *n)
{
  g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, NULL, 0, NULL);

  *n = 0;
  for (guint i = 0; encoding != NULL && i < encoding->n_tokens; i++)
    if (!encoding->special[i])
      {
        *token = encoding->ids[i];
        (*n)++;
      }
  return *n == 1;
}

/* Whether it is what stands for all that the vocabulary does not have: such as two Egyptian hieroglyphs. */
static gboolean
is_unknown (HlTokenizer *tokenizer,
            guint32      token)
{
  guint32 unknown = 0;
  guint n;

  return encode (tokenizer, "\360\223\200\200\360\223\200\201", &unknown, &n) && unknown == token;
}

/* By its whole name, or the first of those that it has with commas between them. */
static gboolean
find_class (HlUnembedding *unembedding,
            const char    *written,
            guint32       *token,
            GError       **error)
{
  const gsize length = strlen (written);

  for (*token = 0; length > 0 && *token < hl_unembedding_get_n_tokens (unembedding); (*token)++)
    {
      g_autofree char *name = hl_model_dup_class (hl_unembedding_get_model (unembedding), *token);

      if (g_str_has_prefix (name, written) && (name[length] == '\0' || name[length] == ','))
        return TRUE;
    }
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is no class of this model"), written);
  return FALSE;
}

/**
 * hl_prediction_aim_find_token:
 * @unembedding: what predicts
 * @written: of images, a class; otherwise a word that is one token, with or without a space before it, a token as the vocabulary spells it, or its number behind “#”
 * @token: (out): its number
 * @error: %HL_ERROR_VALUE when there is no such token; %HL_ERROR_MISSING without a tokenizer
 *
 * A word is looked for as it stands within a text, behind a space, before it is looked for without.
 *
 * Returns: whether there is such a token
 */
gboolean
hl_prediction_aim_find_token (HlUnembedding *unembedding,
                              const char    *written,
                              guint32       *token,
                              GError       **error)
{
  g_return_val_if_fail (HL_IS_UNEMBEDDING (unembedding), FALSE);

  const gsize n_tokens = hl_unembedding_get_n_tokens (unembedding);
  guint64 number;
  guint n;

  if (written[0] == '#' && g_ascii_string_to_unsigned (written + 1, 10, 0, G_MAXUINT32, &number, NULL))
    {
      *token = (guint32) number;
      if (number < n_tokens)
        return TRUE;
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no token %u; the model predicts %zu"), *token,
                   n_tokens);
      return FALSE;
    }
  if (hl_unembedding_tells_classes (unembedding))
    return find_class (unembedding, written, token, error);
  HlTokenizer *tokenizer = hl_model_require_tokenizer (hl_unembedding_get_model (unembedding), error);
  if (tokenizer == NULL)
    return FALSE;
  g_autofree char *spaced = g_strconcat (" ", written, NULL);
  if (((written[0] != ' ' && encode (tokenizer, spaced, token, &n)) || encode (tokenizer, written, token, &n)) &&
      !is_unknown (tokenizer, *token))
    return TRUE;
  if (hl_tokenizer_get_id (tokenizer, written, token))
    return TRUE;
  if (n > 1)
    g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                 _ ("“%s” is %u tokens of this model, of which it predicts one at a time"), written, n);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is no token of this model"), written);
  return FALSE;
}

/**
 * hl_prediction_aim_name_token:
 * @model: a model
 * @token: one of the tokens it predicts
 *
 * Returns: (transfer full): the token as people read it, without the space before it; as the vocabulary spells it where nothing is left
 *   of that, and its number behind “#” where there is no vocabulary
 */
char *
hl_prediction_aim_name_token (HlModel *model,
                              guint32  token)
{
  g_return_val_if_fail (HL_IS_MODEL (model), NULL);

  if (hl_model_takes_pixels (model))
    return hl_model_dup_class (model, token);
  HlTokenizer *tokenizer = hl_model_get_tokenizer (model);
  if (tokenizer == NULL || token >= hl_tokenizer_get_n_tokens (tokenizer) ||
      *hl_tokenizer_get_token (tokenizer, token) == '\0')
    return g_strdup_printf ("#%u", token);
  g_autoptr (HlTokenDecoder) decoder = hl_token_decoder_new (tokenizer, FALSE);
  hl_token_decoder_append (decoder, token);
  g_autofree char *text = g_strstrip (g_strdup (hl_token_decoder_get_text (decoder)));
  return *text != '\0' && strstr (text, "\357\277\275") == NULL ? g_steal_pointer (&text)
                                                                : g_strdup (hl_tokenizer_get_token (tokenizer, token));
}
