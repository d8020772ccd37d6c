/* SPDX-License-Identifier: MIT */
/* A text of random tokens written twice: what a head makes of the second time tells what it looks for. */
#include "core/analysis/number/hl-repeated-text.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/document/tokens/hl-token-text.h"

#include <glib/gi18n-lib.h>

/* How often a token is drawn again that is none of a text. */
#define MAX_DRAWS 1000

/* SplitMix64 (Steele, Lea and Flood 2014): the same numbers everywhere, of the same seed. */
static guint64
draw (guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Without a tokenizer nobody knows which are special. */
static gboolean
is_of_text (HlTokenizer *tokenizer,
            guint32      id)
{
  const char *token = tokenizer != NULL ? hl_tokenizer_get_token (tokenizer, id) : NULL;

  return tokenizer == NULL || (token != NULL && !hl_special_token_is (token));
}

/**
 * hl_repeated_text_get_period:
 * @model: a model
 * @period: what somebody wants; 0 for as many as are usual
 *
 * Returns: how many tokens are written twice: unless somebody says, %HL_REPEATED_TEXT_PERIOD, or half of what the model takes
 */
gsize
hl_repeated_text_get_period (HlModel *model,
                             gsize    period)
{
  const gsize max = hl_model_get_max_length (model);

  if (period > 0)
    return period;
  return max > 0 ? MIN (HL_REPEATED_TEXT_PERIOD, MAX (max / 2, 1)) : HL_REPEATED_TEXT_PERIOD;
}

/**
 * hl_repeated_text_make:
 * @model: a model
 * @attention: for which attention of it
 * @seed: of the random numbers
 * @period: how many tokens, at least 1
 * @error: %HL_ERROR_VALUE when the vocabulary has nothing but special tokens, %HL_ERROR_TOO_LARGE for a text that is longer than any
 *
 * Draws tokens of the model's vocabulary with SplitMix64, each number taken modulo its size; where that is a special token, or none, the next
 * number is drawn. The same seed gives the same text.
 *
 * Returns: (transfer full) (nullable): 2·@period token numbers, the second half as the first; free with g_free()
 */
guint32 *
hl_repeated_text_make (HlModel        *model,
                       HlAttentionKind attention,
                       guint64         seed,
                       gsize           period,
                       GError        **error)
{
  const gsize size = hl_model_get_stack (model, attention)->vocabulary_size;
  HlTokenizer *tokenizer = hl_model_get_tokenizer (model);

  if (size == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the model takes pixels, and no text"));
      return NULL;
    }
  if (period > HL_LIMIT_PERIOD)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("a period is at most %u tokens, not %zu"), HL_LIMIT_PERIOD,
                   period);
      return NULL;
    }
  g_autofree guint32 *ids = g_new (guint32, 2 * period);
  for (gsize i = 0; i < period; i++)
    {
      guint n_draws = 0;

      do
        ids[i] = (guint32) (draw (&seed) % size);
      while (!is_of_text (tokenizer, ids[i]) && ++n_draws < MAX_DRAWS);
      if (n_draws == MAX_DRAWS)
        {
          g_set_error_literal (error, HL_ERROR, HL_ERROR_VALUE, _ ("the vocabulary has too few tokens of text"));
          return NULL;
        }
      ids[period + i] = ids[i];
    }
  return g_steal_pointer (&ids);
}
