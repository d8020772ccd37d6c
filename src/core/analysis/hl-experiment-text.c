/* SPDX-License-Identifier: MIT */
/* What an experiment came to, in sentences: “without head 5·2 “Paris” falls from 0.61 to 0.12”. */
#include "core/analysis/hl-experiment-text.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/analysis/hl-prediction-aim.h"
#include "core/base/hl-utf8.h"

/* Heads that are named one by one. */
#define MAX_NAMED 4

/**
 * hl_probability_format:
 * @probability: 0 to 1
 *
 * Returns: (transfer full): it with two places, or with as many as it takes where these would be 0, and a point in every language
 */
char *
hl_probability_format (double probability)
{
  const char *format = probability >= 0.01 || probability == 0 ? "%.2f" : probability >= 0.0001 ? "%.4f" : "%.0e";
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (number, sizeof number, format, probability));
}

static const char *
get_attention_name (HlAttentionKind attention)
{
  static const char *const names[] = {
    [HL_ATTENTION_ENCODER] = N_ ("encoder"),
    [HL_ATTENTION_DECODER] = N_ ("decoder"),
    [HL_ATTENTION_CROSS] = N_ ("cross"),
  };

  return attention == HL_ATTENTION_SELF ? NULL : _ (names[attention]);
}

/* “5·2, 0·1”; of attentions of several kinds, “5·2, cross 0·1”. */
static char *
list_heads (const HlHeadEdit *edits,
            gsize             n_edits,
            gboolean          names_attention)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (gsize i = 0; i < n_edits; i++)
    {
      const char *attention = names_attention ? get_attention_name (edits[i].attention) : NULL;
      g_string_append_printf (list, "%s%s%s%u·%u", i > 0 ? ", " : "", attention != NULL ? attention : "",
                              attention != NULL ? " " : "", edits[i].layer, edits[i].head);
    }
  return g_string_free (g_steal_pointer (&list), FALSE);
}

/* “without head 5·2”, “without cross heads 5·2, 0·1”. */
static char *
describe_edits (const HlHeadEdit *edits,
                gsize             n_edits)
{
  const gboolean uniform = n_edits > 0 && edits[0].kind == HL_HEAD_UNIFORM;
  const char *attention = n_edits > 0 ? get_attention_name (edits[0].attention) : NULL;
  gboolean are_alike = TRUE;

  if (n_edits > MAX_NAMED)
    return g_strdup_printf (uniform ? g_dngettext (GETTEXT_PACKAGE, "with uniform attention of %u head",
                                                   "with uniform attention of %u heads", n_edits)
                                    : g_dngettext (GETTEXT_PACKAGE, "without %u head", "without %u heads", n_edits),
                            (guint) n_edits);
  for (gsize i = 1; i < n_edits; i++)
    are_alike = are_alike && edits[i].attention == edits[0].attention;
  g_autofree char *list = list_heads (edits, n_edits, !are_alike);
  if (attention != NULL && are_alike && uniform)
    /* Translators: the first %s is “encoder”, “decoder” or “cross”, as in all of these */
    return g_strdup_printf (n_edits == 1 ? _ ("with uniform attention of %s head %s")
                                         : _ ("with uniform attention of %s heads %s"),
                            attention, list);
  if (attention != NULL && are_alike)
    return g_strdup_printf (n_edits == 1 ? _ ("without %s head %s") : _ ("without %s heads %s"), attention, list);
  if (uniform)
    return g_strdup_printf (n_edits == 1 ? _ ("with uniform attention of head %s")
                                         : _ ("with uniform attention of heads %s"),
                            list);
  return g_strdup_printf (n_edits == 1 ? _ ("without head %s") : _ ("without heads %s"), list);
}

/* A vocabulary may have tokens of thousands of letters, and any that act on those beside them; a sentence is read as a whole. */
static char *
name_token (HlModel *model,
            guint32  token)
{
  g_autofree char *name = hl_prediction_aim_name_token (model, token);

  return hl_utf8_quote (name, strlen (name), HL_EXPERIMENT_MAX_LETTERS);
}

static char *
name_aim (HlAblation *ablation)
{
  return name_token (hl_model_call_get_model (hl_ablation_get_call (ablation)), hl_ablation_get_token (ablation));
}

/**
 * hl_ablation_describe_intact:
 * @ablation: an ablation with an aim
 *
 * Returns: (transfer full): what is predicted with all heads: “at token 5, “Paris” has probability 0.61”. In this as in the other
 *   sentences, the name of a token is cut off after %HL_EXPERIMENT_MAX_LETTERS, and flat
 */
char *
hl_ablation_describe_intact (HlAblation *ablation)
{
  g_return_val_if_fail (HL_IS_ABLATION (ablation), NULL);

  g_autofree char *token = name_aim (ablation);
  g_autofree char *probability = hl_probability_format (hl_ablation_get_probability (ablation));

  return g_strdup_printf (_ ("at token %zu, “%s” has probability %s"), hl_ablation_get_position (ablation), token,
                          probability);
}

/**
 * hl_ablation_describe:
 * @ablation: an ablation
 * @edits: (array length=n_edits): what was done to heads at once
 * @n_edits: how many
 * @effect: what that does
 *
 * Returns: (transfer full): a sentence without its point: “without head 5·2 “Paris” falls from 0.61 to 0.12”
 */
char *
hl_ablation_describe (HlAblation             *ablation,
                      const HlHeadEdit       *edits,
                      gsize                   n_edits,
                      const HlAblationEffect *effect)
{
  g_return_val_if_fail (HL_IS_ABLATION (ablation), NULL);

  g_autofree char *heads = describe_edits (edits, n_edits);

  if (!hl_ablation_has_aim (ablation))
    /* Translators: “without head 5·2” and how much the states change. */
    return g_strdup_printf (_ ("%s the mean final state changes by %.2g (1 − cosine)"), heads, effect->state_change);
  g_autofree char *token = name_aim (ablation);
  g_autofree char *before = hl_probability_format (hl_ablation_get_probability (ablation));
  g_autofree char *after = hl_probability_format (effect->probability);
  if (g_str_equal (before, after))
    /* Translators: “without head 5·2”, a token and its probability. */
    return g_strdup_printf (_ ("%s “%s” stays at %s"), heads, token, before);
  /* Translators: “without head 5·2”, a token, its probability before and after. */
  return g_strdup_printf (effect->log_change < 0 ? _ ("%s “%s” falls from %s to %s")
                                                 : _ ("%s “%s” rises from %s to %s"),
                          heads, token, before, after);
}

/**
 * hl_attribution_describe:
 * @attribution: an attribution
 * @model: the model it is of
 *
 * Returns: (transfer full): whose logit it is of: “the logit of “Paris” at token 5 is 14.2”
 */
char *
hl_attribution_describe (const HlAttribution *attribution,
                         HlModel             *model)
{
  g_autofree char *token = name_token (model, attribution->token);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.3f", attribution->logit);
  if (attribution->other < 0)
    return g_strdup_printf (_ ("the logit of “%s” at token %zu is %s"), token, attribution->position, number);
  g_autofree char *other = name_token (model, (guint32) attribution->other);
  return g_strdup_printf (_ ("the logit of “%s” less that of “%s” at token %zu is %s"), token, other,
                          attribution->position, number);
}

/**
 * hl_attribution_name_item:
 * @item: a term
 *
 * Returns: (transfer full): what it is: “head 5·2”, “cross head 5·2”, “feed-forward 3”, “embedding”, “biases”
 */
char *
hl_attribution_name_item (const HlAttributionItem *item)
{
  const char *attention = get_attention_name (item->attention);
  g_autofree char *head = NULL;

  switch (item->part)
    {
    case HL_ATTRIBUTION_EMBEDDING:
      return g_strdup (_ ("embedding"));
    case HL_ATTRIBUTION_FEED_FORWARD:
      return g_strdup_printf (_ ("feed-forward %u"), item->layer);
    case HL_ATTRIBUTION_LINEAR:
      return g_strdup_printf (_ ("linear attention %u"), item->layer);
    case HL_ATTRIBUTION_BIAS:
      return g_strdup (_ ("biases"));
    case HL_ATTRIBUTION_HEAD:
    default:
      head = g_strdup_printf ("%u·%u", item->layer, item->head);
      if (attention != NULL)
        return g_strdup_printf (C_ ("one part of a model", "%s head %s"), attention, head);
      return g_strdup_printf (C_ ("one part of a model", "head %s"), head);
    }
}

/**
 * hl_attribution_explain:
 * @attribution: an attribution
 *
 * Returns: (transfer full) (nullable): what has to be known to read it; %NULL when there is nothing
 */
char *
hl_attribution_explain (const HlAttribution *attribution)
{
  const char *sentences[3] = { NULL };
  guint n = 0;

  if (attribution->is_capped)
    sentences[n++] = _ ("The model bounds its logits; this is the one before that.");
  if (attribution->is_frozen)
    sentences[n++] = _ ("Norms between the layers, and the layer of a head that predicts, are taken at the scale that "
                        "they have in this text.");
  return n > 0 ? g_strjoinv (" ", (char **) sentences) : NULL;
}
