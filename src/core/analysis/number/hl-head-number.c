/* SPDX-License-Identifier: MIT */
/* Which number is which, and whether one is defined. */
#include "core/analysis/number/hl-head-number.h"

#include "core/analysis/number/hl-head-norms.h"
#include "core/base/hl-error.h"
#include "core/document/attention/hl-own-key.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define ROW(NAME, id) &hl_head_number_##id,

/**
 * hl_head_number_get:
 * @stat: which
 *
 * Returns: (transfer none): what is known of it
 */
const HlHeadNumber *
hl_head_number_get (HlHeadStat stat)
{
  static const HlHeadNumber *const numbers[] = { HL_HEAD_NUMBERS (ROW) };

  g_return_val_if_fail (stat < HL_N_HEAD_STATS, NULL);

  return numbers[stat];
}

/**
 * hl_head_number_find:
 * @nick: one of the names of a number
 * @stat: (out): which it is
 *
 * Returns: whether there is one of that name
 */
gboolean
hl_head_number_find (const char *nick,
                     HlHeadStat *stat)
{
  for (HlHeadStat i = 0; i < HL_N_HEAD_STATS; i++)
    {
      const HlHeadNumber *number = hl_head_number_get (i);

      if (!g_str_equal (number->nick, nick) && g_strcmp0 (number->other_nick, nick) != 0)
        continue;
      *stat = i;
      return TRUE;
    }
  return FALSE;
}

/**
 * hl_head_number_is_read:
 * @stat: which
 *
 * Returns: whether it is read off the rows of a map, a head at a time; hl_head_stats_compute()
 */
gboolean
hl_head_number_is_read (HlHeadStat stat)
{
  const HlHeadNumber *number = hl_head_number_get (stat);

  return number->measure != NULL || number->measure_map != NULL;
}

/**
 * hl_head_number_get_usual:
 *
 * Returns: the numbers that are told unless others are asked for
 */
HlHeadNumberSet
hl_head_number_get_usual (void)
{
  HlHeadNumberSet set = 0;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (hl_head_number_get (stat)->group == HL_HEAD_NUMBER_GROUP_USUAL)
      set |= HL_HEAD_NUMBER_BIT (stat);
  return set;
}

/**
 * hl_head_number_get_computable:
 *
 * Returns: the numbers that follow from an attention and the model behind it; not those that hl_head_numbers_give() is told
 */
HlHeadNumberSet
hl_head_number_get_computable (void)
{
  HlHeadNumberSet set = 0;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (hl_head_number_is_read (stat) || hl_head_number_get (stat)->compute != NULL)
      set |= HL_HEAD_NUMBER_BIT (stat);
  return set;
}

/**
 * hl_head_number_get_of_weights:
 *
 * Returns: the numbers that are of the weights themselves, whatever is made of these
 */
HlHeadNumberSet
hl_head_number_get_of_weights (void)
{
  HlHeadNumberSet set = 0;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (hl_head_number_get (stat)->of_weights)
      set |= HL_HEAD_NUMBER_BIT (stat);
  return set;
}

/* Whether what was derived has a map for each head, of the same tokens. */
static gboolean
has_own_heads (const HlHeadNumberRequest *request)
{
  const guint n_layers = hl_attention_get_n_layers (request->attention);

  if (request->own == NULL || n_layers != hl_attention_get_n_layers (request->own))
    return FALSE;
  for (guint layer = 0; layer < n_layers; layer++)
    if (hl_attention_get_n_heads (request->attention, layer) != hl_attention_get_n_heads (request->own, layer))
      return FALSE;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (hl_attention_get_n (request->attention, side) != hl_attention_get_n (request->own, side))
      return FALSE;
  return hl_attention_is_transposed (request->attention) == hl_attention_is_transposed (request->own);
}

/**
 * hl_head_number_get_own_request:
 * @request: what numbers are told of
 *
 * Returns: what those are told of that are of the weights: these, if @request has them and they have the same heads and tokens; otherwise the same
 */
HlHeadNumberRequest
hl_head_number_get_own_request (const HlHeadNumberRequest *request)
{
  HlHeadNumberRequest own = *request;

  if (!has_own_heads (request))
    return own;
  own.attention = request->own;
  own.source = request->weights;
  own.own = NULL;
  own.weights = NULL;
  return own;
}

/**
 * hl_head_number_get_word:
 * @stat: which
 * @value: a value of it
 *
 * Returns: (transfer none) (nullable): its name, if the number is a class and the value is defined
 */
const HlHeadNumberWord *
hl_head_number_get_word (HlHeadStat stat,
                         double     value)
{
  const HlHeadNumberWord *word = hl_head_number_get (stat)->words;

  if (word == NULL || isnan (value))
    return NULL;
  for (guint i = 0; word != NULL && i < (guint) value; i++)
    word = word->nick != NULL ? word + 1 : NULL;
  return word != NULL && word->nick != NULL ? word : NULL;
}

/**
 * hl_head_number_group_get_label:
 * @group: a group
 *
 * Returns: (transfer none): its name for people, translated: "Weights"
 */
const char *
hl_head_number_group_get_label (HlHeadNumberGroup group)
{
  static const char *const labels[] = {
    [HL_HEAD_NUMBER_GROUP_USUAL] = N_ ("Usual Numbers"),      [HL_HEAD_NUMBER_GROUP_WEIGHTS] = N_ ("Of the Weights"),
    [HL_HEAD_NUMBER_GROUP_NORMS] = N_ ("Of What They Bring"), [HL_HEAD_NUMBER_GROUP_MODEL] = N_ ("Run the Model Again"),
    [HL_HEAD_NUMBER_GROUP_GIVEN] = N_ ("Of Given Words"),
  };

  g_return_val_if_fail (group < HL_N_HEAD_NUMBER_GROUPS, NULL);

  return _ (labels[group]);
}

/* Keys of another text, or projected to fewer, have no place beside a query; nor has one of which other tokens are left. */
gboolean
hl_head_attention_has_positions (HlAttention       *attention,
                                 HlAttentionSource *source,
                                 guint              layer)
{
  const HlMask *mask = hl_attention_source_get_mask (source, layer);

  return hl_attention_get_kind (attention) != HL_ATTENTION_CROSS &&
         (mask->causal ||
          hl_attention_source_get_n (source, HL_KEYS) == hl_attention_source_get_n (source, HL_QUERIES)) &&
         hl_attention_has_own_keys (attention, mask);
}

static gboolean
lacks (GError    **error,
       const char *sentence)
{
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MISSING, sentence);
  return FALSE;
}

static gboolean
has_heads_of_model (const HlHeadNumberRequest *request)
{
  HlModel *model = hl_model_call_get_model (request->call);
  const HlAttentionKind kind = hl_attention_get_kind (request->attention);
  const guint n_layers = hl_attention_get_n_layers (request->attention);

  if (hl_attention_get_layer_name (request->attention) != NULL ||
      hl_attention_get_head_name (request->attention) != NULL || n_layers != hl_model_get_n_layers (model, kind))
    return FALSE;
  for (guint layer = 0; layer < n_layers; layer++)
    if (hl_attention_get_n_heads (request->attention, layer) != hl_model_get_shape (model, kind, layer)->n_heads)
      return FALSE;
  return TRUE;
}

/**
 * hl_head_number_check:
 * @stat: which
 * @wanted: what it is to be told of
 * @error: %HL_ERROR_MISSING: what it needs
 *
 * Returns: whether it is defined for at least some heads
 */
gboolean
hl_head_number_check (HlHeadStat                 stat,
                      const HlHeadNumberRequest *wanted,
                      GError                   **error)
{
  const HlHeadNumber *number = hl_head_number_get (stat);

  g_return_val_if_fail (number != NULL, FALSE);
  g_return_val_if_fail (HL_IS_ATTENTION (wanted->attention), FALSE);

  const HlHeadNumberRequest own = hl_head_number_get_own_request (wanted);
  const HlHeadNumberRequest *request = number->of_weights ? &own : wanted;

  if (hl_attention_is_transposed (request->attention) || hl_attention_source_is_signed (request->source))
    return lacks (error, _ ("needs weights of queries on keys, not transposed and not a difference"));
  if ((number->needs & HL_HEAD_NUMBER_NEEDS_MODEL) && request->call == NULL)
    return lacks (error, _ ("needs the model: open a model’s folder with a text"));
  if ((number->needs & HL_HEAD_NUMBER_NEEDS_MODEL) && !has_heads_of_model (request))
    return lacks (error, _ ("needs the model’s own heads, not what is made of them"));
  if ((number->needs & HL_HEAD_NUMBER_NEEDS_NORMS) && !hl_head_norms_are_known (request->attention) &&
      request->call != NULL)
    return lacks (error, _ ("needs the model’s own heads, not what is made of them"));
  if ((number->needs & HL_HEAD_NUMBER_NEEDS_NORMS) && !hl_head_norms_are_known (request->attention))
    return lacks (error, _ ("needs values and the output projection, which this file does not have"));
  if ((number->needs & HL_HEAD_NUMBER_NEEDS_TOKENS) && !hl_attention_has_tokens (request->attention, HL_KEYS))
    return lacks (error, _ ("needs the tokens of the keys"));
  if ((number->needs & HL_HEAD_NUMBER_NEEDS_POSITIONS) &&
      !hl_head_attention_has_positions (request->attention, request->source, 0))
    return lacks (error, _ ("needs keys that are the tokens of the queries' own text"));
  return number->check == NULL || number->check (request, error);
}
