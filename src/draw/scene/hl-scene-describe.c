/* SPDX-License-Identifier: MIT */
/* What scenes say about a pick, in words: tooltips and screen readers get the same sentence from every view. */
#include "draw/scene/hl-scene-describe.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/source/derive/hl-sink-source.h"
#include "draw/text/hl-token-label.h"
#include "view/hl-weight-text.h"
#include "view/shown/hl-shown-mask.h"

/* A listener keeps about as many in mind. */
#define N_NAMED 5

static const char *
get_title (HlSide side)
{
  /* Translators: titles of the tokens that attend, and of those that are attended to */
  return side == HL_QUERIES ? _ ("query") : _ ("key");
}

const char *
hl_scene_get_row_title (const HlShown *shown)
{
  return get_title (hl_attention_is_transposed (shown->attention) ? HL_KEYS : HL_QUERIES);
}

const char *
hl_scene_get_column_title (const HlShown *shown)
{
  return get_title (hl_attention_is_transposed (shown->attention) ? HL_QUERIES : HL_KEYS);
}

/* "head 5", and whether it is off, or, of a guest, "layer 7 · head 3". */
char *
hl_scene_describe_head (const HlShown *shown,
                        guint          head)
{
  const guint n_heads = hl_attention_get_n_heads (shown->original, shown->selection.layer);

  if (head >= n_heads && head - n_heads < shown->n_others)
    return g_strdup_printf (_ ("layer %u · head %u"), shown->others[head - n_heads].layer,
                            shown->others[head - n_heads].head);
  return g_strdup_printf (hl_head_set_contains (shown->merges_heads ? hl_head_selection_get_heads (&shown->selection)
                                                                    : &shown->heads,
                                                head)
                            ? _ ("head %u")
                            : _ ("head %u (off)"),
                          head);
}

/* Whether a head that is shown of the layer is subtracted from none. */
static gboolean
lacks_partner (const HlShown *shown)
{
  guint n = 0;

  if (shown->comparison == NULL)
    return FALSE;
  if (shown->shows_one_head)
    return !hl_comparison_has_partner (shown->comparison, shown->layer, shown->head);
  g_autofree HlShownHead *heads = hl_shown_list_heads (shown, &n);
  for (guint i = 0; i < n; i++)
    if (!hl_comparison_has_partner (shown->comparison, heads[i].layer, heads[i].head))
      return TRUE;
  return FALSE;
}

/* "time → flies 0.31": from the token that attends to the one that is attended to, whichever of them has the row. */
char *
hl_scene_describe_cell (const HlShown *shown,
                        const HlPick  *pick,
                        const float   *weight,
                        guint          n_heads)
{
  HlAttention *attention = shown->attention;
  const HlSide queries = hl_attention_is_transposed (attention) ? HL_KEYS : HL_QUERIES;
  const HlSide keys = hl_side_get_other (queries);
  g_autofree char *query = hl_token_text_quote (hl_attention_get_texts (attention, queries)[pick->tokens[queries]]);
  g_autofree char *key = hl_token_text_quote (hl_attention_get_texts (attention, keys)[pick->tokens[keys]]);
  char number[HL_WEIGHT_TEXT_SIZE];

  if (!hl_shown_is_visible (shown, pick->query, pick->key) ||
      (weight != NULL && hl_shown_is_masked_weight (shown, *weight)))
    /* Translators: query token, key token */
    return g_strdup_printf (_ ("%s → %s: masked"), query, key);
  if (!hl_shown_is_on_both_sides (shown, pick))
    /* Translators: query token, key token; in the difference of two texts, a token that only one of them has */
    return g_strdup_printf (_ ("%s → %s: not in both texts"), query, key);
  if (weight == NULL)
    return g_strdup_printf ("%s → %s", query, key);
  if (isnan (*weight) && lacks_partner (shown))
    /* Translators: query token, key token; in a difference, where the second side has no such head */
    return g_strdup_printf (_ ("%s → %s: not in both"), query, key);
  if (*weight == 0 && shown->filtered != shown->source && !shown->is_cumulative)
    /* Translators: query token, key token; the weight between them is not among those that are shown, by how strong it is */
    return g_strdup_printf (_ ("%s → %s: left out"), query, key);

  hl_weight_text_format (*weight, number);
  if (shown->is_cumulative)
    /* Translators: query token, key token, the share of the query's weight held by keys no stronger than this one */
    return g_strdup_printf (_ ("%s → %s: cumulative mass %s"), query, key, number);
  if (n_heads > 1)
    /* Translators: query token, key token, weight, number of heads */
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s → %s %s (mean of %u head)",
                                         "%s → %s %s (mean of %u heads)", n_heads),
                            query, key, number, n_heads);
  return g_strdup_printf ("%s → %s %s", query, key, number);
}

/* The strongest, whatever their sign: "flies 0.31, arrow 0.22, [SEP] 0.14". Weights of 0 and NaN are not named. */
static char *
list_strongest (const char *const *tokens,
                const float       *weights,
                gsize              n,
                gsize              n_best)
{
  GString *text = g_string_new (NULL);
  float last = 0;
  gsize last_index = 0;

  /* A few passes over the row, each for the next in order, cost less than sorting it. */
  for (gsize rank = 0; rank < n_best; rank++)
    {
      char number[HL_WEIGHT_TEXT_SIZE];
      gsize best = n;

      for (gsize i = 0; i < n; i++)
        {
          const float size = fabsf (weights[i]);
          const gboolean comes_later = rank == 0 || size < last || (size == last && i > last_index);
          if (size > 0 && comes_later && (best == n || size > fabsf (weights[best])))
            best = i;
        }
      if (best == n)
        break;
      last = fabsf (weights[best]);
      last_index = best;

      g_autofree char *token = hl_token_text_quote (tokens[best]);
      if (text->len > 0)
        /* Translators: between the members of a list of tokens and weights */
        g_string_append (text, _ (", "));
      g_string_append_printf (text, "%s %s", token, hl_weight_text_format (weights[best], number));
    }
  return g_string_free (text, FALSE);
}

/* "time (query 1): flies 0.31, arrow 0.22 (mean of 3 heads)" */
static char *
name_strongest (const char        *name,
                const char *const *tokens,
                const float       *weights,
                gsize              n,
                guint              n_heads)
{
  g_autofree char *list = list_strongest (tokens, weights, n, N_NAMED);

  if (*list == '\0')
    return g_strdup (name);
  if (n_heads > 1)
    /* Translators: a token with its position, a list of tokens with weights, number of heads */
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s: %s (mean of %u head)", "%s: %s (mean of %u heads)",
                                         n_heads),
                            name, list, n_heads);
  /* Translators: a token with its position, a list of tokens with weights */
  return g_strdup_printf (_ ("%s: %s"), name, list);
}

/* "time (query 1)", and of a token of sound "time (query 1, 0.42–0.44 s)" */
static char *
name_token (HlAttention *attention,
            HlSide       side,
            gsize        index)
{
  const gboolean is_query = (side == HL_QUERIES) != hl_attention_is_transposed (attention);
  const gsize position = hl_attention_get_position (attention, side, index);
  g_autofree char *token = hl_token_text_quote (hl_attention_get_texts (attention, side)[index]);
  g_autofree char *time = hl_attention_dup_time (attention, side, index);

  if (hl_sink_is_at (attention, side, index))
    return g_steal_pointer (&token);
  if (time != NULL)
    /* Translators: a token, its position, and when it is in a sound: “0.42–0.44 s” */
    return is_query ? g_strdup_printf (_ ("%s (query %zu, %s)"), token, position, time)
                    : g_strdup_printf (_ ("%s (key %zu, %s)"), token, position, time);
  /* Translators: a token and its position */
  return is_query ? g_strdup_printf (_ ("%s (query %zu)"), token, position)
                  : g_strdup_printf (_ ("%s (key %zu)"), token, position);
}

/* "time (query 1): flies 0.31, arrow 0.22" */
char *
hl_scene_describe_token (const HlShown *shown,
                         const HlPick  *pick,
                         const float   *weights,
                         HlRange        others,
                         guint          n_heads)
{
  HlAttention *attention = shown->attention;
  const HlSide side = hl_pick_get_side (pick);
  const gsize index = pick->tokens[side];
  const char *const *other = hl_attention_get_texts (attention, hl_side_get_other (side));
  g_autofree char *name = name_token (attention, side, index);

  if (!hl_shown_is_on_both_sides (shown, pick))
    /* Translators: a token with its position; in the difference of two texts, a token that only one of them has */
    return g_strdup_printf (_ ("%s: not in both texts"), name);
  if (weights == NULL)
    return g_steal_pointer (&name);

  return name_strongest (name, other + others.first, weights, others.n, n_heads);
}

/* "mean of 3 queries: time, flies, like: arrow 0.31, [SEP] 0.22" */
char *
hl_scene_describe_tokens (const HlShown *shown,
                          const HlFocus *focus,
                          const float   *weights,
                          guint          n_heads)
{
  const HlSide other = hl_side_get_other (hl_pick_get_side (&focus->pick));
  const HlRange others = shown->ranges[other];
  g_autofree char *name = hl_focus_describe (focus, shown->attention);

  if (weights == NULL)
    return g_steal_pointer (&name);
  return name_strongest (name, hl_attention_get_texts (shown->attention, other) + others.first, weights, others.n,
                         n_heads);
}
