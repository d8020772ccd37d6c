/* SPDX-License-Identifier: MIT */
/* The steps of a head in words. */
#include "draw/steps/hl-step-text.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/text/hl-token-label.h"

/* Three significant digits, with a point and a true minus sign. */
const char *
hl_score_text_format (double value,
                      char   buffer[HL_SCORE_TEXT_SIZE])
{
  char digits[HL_SCORE_TEXT_SIZE - 3];

  if (isnan (value))
    g_strlcpy (buffer, "NaN", HL_SCORE_TEXT_SIZE);
  else if (isinf (value))
    g_strlcpy (buffer, value < 0 ? "−∞" : "∞", HL_SCORE_TEXT_SIZE);
  else
    {
      g_ascii_formatd (digits, sizeof digits, fabs (value) >= 99.95 && fabs (value) < 99999.5 ? "%.0f" : "%.3g",
                       fabs (value));
      g_snprintf (buffer, HL_SCORE_TEXT_SIZE, "%s%s", value < 0 ? "−" : "", digits);
    }
  return buffer;
}

/* As many digits as a narrow column has room for, two of them after the point where that tells something. */
const char *
hl_score_text_format_short (double value,
                            char   buffer[HL_SCORE_TEXT_SIZE])
{
  const double size = fabs (value);
  char digits[HL_SCORE_TEXT_SIZE - 3];

  if (!(size < 99999.5))
    return hl_score_text_format (value, buffer);
  g_ascii_formatd (digits, sizeof digits, size < 9.995 ? "%.2f" : size < 99.95 ? "%.1f" : "%.0f", size);
  g_snprintf (buffer, HL_SCORE_TEXT_SIZE, "%s%s", value < -0.005 ? "−" : "", digits);
  return buffer;
}

const char *
hl_step_text_get_title (const HlHeadSteps *steps,
                        HlStep             step)
{
  switch (step)
    {
    case HL_STEP_QUERY_WEIGHTS:
      return "W_Q";
    case HL_STEP_KEY_WEIGHTS:
      return "W_K";
    case HL_STEP_VALUE_WEIGHTS:
      return "W_V";
    case HL_STEP_OUTPUT_WEIGHTS:
      return "W_O";
    case HL_STEP_TOKEN_KEYS:
      return "K";
    case HL_STEP_KEY_PROJECTION:
      return "E";
    case HL_STEP_TOKEN_VALUES:
      return "V";
    case HL_STEP_VALUE_PROJECTION:
      return "F";
    case HL_STEP_RESULT:
      /* Translators: title of the matrix that a head adds to what goes from layer to layer */
      return _ ("Result");
    case HL_STEP_INPUT:
      return "X";
    case HL_STEP_QUERIES:
      return "Q";
    case HL_STEP_KEYS:
      return hl_head_steps_has (steps, HL_STEP_KEY_PROJECTION) ? "E · K" : "K";
    case HL_STEP_VALUES:
      return hl_head_steps_has (steps, HL_STEP_VALUE_PROJECTION) ? "F · V" : "V";
    case HL_STEP_PRODUCTS:
      return "S";
    case HL_STEP_SCALED:
      /* Translators: title of the matrix of scores after they were scaled */
      return _ ("Scaled");
    case HL_STEP_CAPPED:
      /* Translators: title of the matrix of scores after the soft cap */
      return _ ("Capped");
    case HL_STEP_BIASED:
      /* Translators: title of the matrix of scores after a bias was added */
      return _ ("Biased");
    case HL_STEP_MASKED:
      /* Translators: title of the matrix of scores after the mask */
      return _ ("Masked");
    case HL_STEP_WEIGHTS:
      return _ ("Softmax");
    case HL_STEP_OUTPUT:
      /* Translators: title of the matrix that a head hands on */
      return _ ("Output");
    case HL_STEP_NONE:
    case HL_N_STEPS:
      break;
    }
  g_return_val_if_reached (NULL);
}

/* "scaled" */
static const char *
hl_step_text_get_name (const HlHeadSteps *steps,
                       HlStep             step)
{
  switch (step)
    {
    case HL_STEP_PRODUCTS:
      return "q·k";
    case HL_STEP_SCALED:
      /* Translators: a score after scaling, before a number: "scaled 1.5" */
      return _ ("scaled");
    case HL_STEP_CAPPED:
      /* Translators: a score after the soft cap, before a number: "capped 1.5" */
      return _ ("capped");
    case HL_STEP_BIASED:
      /* Translators: a score with its bias, before a number: "with bias 1.5" */
      return _ ("with bias");
    case HL_STEP_MASKED:
      return _ ("masked");
    case HL_STEP_WEIGHTS:
      /* Translators: a weight, before a number: "softmax 0.31" */
      return _ ("softmax");
    default:
      return hl_step_text_get_title (steps, step);
    }
}

static char *
make_scale_formula (const HlHeadSteps *steps)
{
  const double scale = hl_attention_get_rule (steps->attention, steps->layer)->scale;
  GString *text = g_string_new ("S");
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (fabs (scale * sqrt ((double) steps->n_features) - 1) < 1e-5)
    g_string_append_printf (text, " / √%zu", steps->n_features);
  else
    g_string_append_printf (text, " × %s", g_ascii_formatd (number, sizeof number, "%.4g", scale));
  if (steps->score_scale != 1)
    g_string_append_printf (text, " × %s", g_ascii_formatd (number, sizeof number, "%.3g", steps->score_scale));
  return g_string_free (text, FALSE);
}

/* What is added to scores: a number of the distance, or what query and key give with what stands for it. */
static char *
make_bias_formula (const HlHeadSteps *steps)
{
  const gboolean has_keys = hl_attention_get_distances (steps->attention, HL_KEYS, steps->layer) != NULL;
  const gboolean has_queries = hl_attention_get_distances (steps->attention, HL_QUERIES, steps->layer) != NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (steps->rule.distances == NULL)
    return g_strdup (_ ("+ bias of the distance"));
  g_ascii_formatd (number, sizeof number, "%.4g", steps->rule.scale);
  return g_strdup_printf ("+ (%s%s%s) × %s", has_keys ? "q·k_d" : "", has_keys && has_queries ? " + " : "",
                          has_queries ? "k·q_d" : "", number);
}

/* Neighbouring heads may share keys and values. */
static char *
make_shared_formula (const HlLayerTensor *tensor,
                     const HlHeadSteps   *steps,
                     const char          *own,
                     const char          *shared)
{
  const guint n_heads = hl_attention_get_n_heads (steps->attention, steps->layer);
  const guint group = (guint) (n_heads / hl_layer_tensor_get_n_heads (tensor));
  const guint first = group > 0 ? steps->head / group * group : 0;

  return group > 1 ? g_strdup_printf (shared, first, first + group - 1) : g_strdup (own);
}

static char *
make_mask_formula (const HlHeadSteps *steps)
{
  const HlMask *mask = &hl_attention_get_rule (steps->attention, steps->layer)->mask;
  const guint window = (guint) MIN (mask->window, G_MAXINT);

  if (!steps->masked)
    return g_strdup (_ ("mask off"));
  if (mask->chunk > 0)
    /* Translators: what a query sees that has only the keys of its own part of the text */
    return g_strdup_printf (_ ("−∞ outside of chunks of %u keys and at later keys"),
                            (guint) MIN (mask->chunk, G_MAXINT));
  if (!mask->causal && window == 0)
    return g_strdup (_ ("−∞ at padding"));
  if (mask->causal && window == 0)
    return g_strdup (_ ("−∞ at later keys"));
  if (mask->causal)
    /* Translators: what a sliding window hides */
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "−∞ but at the last %u key", "−∞ but at the last %u keys",
                                         window),
                            window);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "−∞ from %u key away on", "−∞ from %u keys away on", window),
                          window);
}

/* "X · W_Q + b, normalised, rotated by position", or what it is where that is not known. */
static char *
make_product_formula (const HlHeadSteps *steps,
                      HlStep             step,
                      char              *name)
{
  const HlIngredient bias = step == HL_STEP_QUERIES ? HL_INGREDIENT_QUERY_BIAS
                            : step == HL_STEP_KEYS  ? HL_INGREDIENT_KEY_BIAS
                                                    : HL_INGREDIENT_VALUE_BIAS;
  const HlFinish finish = step == HL_STEP_VALUES ? HL_FINISH_NONE
                                                 : hl_attention_get_finish (steps->attention, steps->layer);
  g_autofree char *owned = name;
  HlStepSum sum;

  /* Queries before the first key have none of their own; all others are made alike. */
  if (!hl_head_steps_find_factors (steps, step, hl_head_steps_get_n_rows (steps, step) - 1, &sum))
    return g_steal_pointer (&owned);
  if (sum.first != HL_STEP_INPUT)
    return g_strdup (step == HL_STEP_KEYS ? _ ("keys of positions") : _ ("values of positions"));
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s · %s", hl_step_text_get_title (steps, sum.first),
                          hl_step_text_get_title (steps, sum.second));
  if (hl_attention_get_ingredient (steps->attention, bias, steps->layer) != NULL)
    g_string_append (text, " + b");
  if (finish & HL_FINISH_NORM)
    /* Translators: what becomes of queries and keys, behind a formula */
    g_string_append (text, _ (", normalised"));
  if (finish & HL_FINISH_ROTARY)
    /* Translators: what becomes of queries and keys, behind a formula: rotary embedding */
    g_string_append (text, _ (", rotated"));
  return g_string_free (text, FALSE);
}

/* A learned sink has the same score for every query. */
static char *
make_softmax_formula (const HlHeadSteps *steps)
{
  char number[HL_SCORE_TEXT_SIZE];

  if (steps->rule.sinks == NULL)
    return g_strdup (_ ("exp (s) / Σ exp (s), by row"));
  /* Translators: short for exp (s) / (Σ exp (s) + exp (…)), with a number, the score of a learned sink */
  return g_strdup_printf (_ ("eˢ / (Σ eˢ + exp %s)"), hl_score_text_format (*steps->rule.sinks, number));
}

char *
hl_step_text_make_formula (const HlHeadSteps *steps,
                           HlStep             step)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  switch (step)
    {
    case HL_STEP_INPUT:
      return g_strdup (_ ("input of the layer"));
    case HL_STEP_QUERY_WEIGHTS:
      return g_strdup_printf (_ ("of queries, head %u"), steps->head);
    case HL_STEP_KEY_WEIGHTS:
      return make_shared_formula (hl_attention_get_ingredient (steps->attention, HL_INGREDIENT_KEY_WEIGHTS,
                                                               steps->layer),
                                  steps, _ ("of keys"),
                                  /* Translators: the first and the last of several heads */
                                  _ ("of keys, heads %u to %u"));
    case HL_STEP_VALUE_WEIGHTS:
      return make_shared_formula (hl_attention_get_ingredient (steps->attention, HL_INGREDIENT_VALUE_WEIGHTS,
                                                               steps->layer),
                                  steps, _ ("of values"),
                                  /* Translators: the first and the last of several heads */
                                  _ ("of values, heads %u to %u"));
    case HL_STEP_OUTPUT_WEIGHTS:
      return g_strdup_printf (_ ("of the output, head %u"), steps->head);
    case HL_STEP_TOKEN_KEYS:
      return g_strdup (_ ("keys of tokens"));
    case HL_STEP_TOKEN_VALUES:
      return g_strdup (_ ("values of tokens"));
    case HL_STEP_KEY_PROJECTION:
    case HL_STEP_VALUE_PROJECTION:
      return g_strdup (_ ("makes positions of tokens"));
    case HL_STEP_RESULT:
      return g_strdup (_ ("Output · W_O"));
    case HL_STEP_QUERIES:
      return make_product_formula (steps, step, g_strdup (_ ("queries")));
    case HL_STEP_KEYS:
      return make_product_formula (
        steps, step,
        make_shared_formula (hl_attention_get_projection (steps->attention, HL_KEYS, steps->layer), steps, _ ("keys"),
                             /* Translators: the first and the last of several heads */
                             _ ("keys of heads %u to %u")));
    case HL_STEP_VALUES:
      return make_product_formula (steps, step,
                                   make_shared_formula (hl_attention_get_values (steps->attention, steps->layer), steps,
                                                        _ ("values"),
                                                        /* Translators: the first and the last of several heads */
                                                        _ ("values of heads %u to %u")));
    case HL_STEP_PRODUCTS:
      return g_strdup ("Q · Kᵀ");
    case HL_STEP_SCALED:
      return make_scale_formula (steps);
    case HL_STEP_CAPPED:
      g_ascii_formatd (number, sizeof number, "%.4g", steps->rule.softcap);
      return g_strdup_printf ("%s · tanh (s / %s)", number, number);
    case HL_STEP_BIASED:
      return make_bias_formula (steps);
    case HL_STEP_MASKED:
      return make_mask_formula (steps);
    case HL_STEP_WEIGHTS:
      return make_softmax_formula (steps);
    case HL_STEP_OUTPUT:
      return g_strdup (_ ("Softmax · V"));
    case HL_STEP_NONE:
    case HL_N_STEPS:
      break;
    }
  g_return_val_if_reached (NULL);
}

/* "time → flies: q·k 12.3, scaled 1.53, softmax 0.31" */
char *
hl_step_text_describe_cell (const HlHeadSteps *steps,
                            gsize              query,
                            gsize              key)
{
  g_autofree char *query_token = hl_token_text_quote (hl_attention_get_texts (steps->attention, HL_QUERIES)[query]);
  g_autofree char *key_token = hl_token_text_quote (hl_attention_get_texts (steps->attention, HL_KEYS)[key]);
  GString *text = g_string_new (NULL);
  float *rows[HL_N_STEPS] = { NULL };

  for (HlStep step = HL_STEP_PRODUCTS; step <= HL_STEP_WEIGHTS; step++)
    if (hl_head_steps_has (steps, step))
      rows[step] = g_new (float, steps->n_keys);
  hl_head_steps_follow_query (steps, query, rows, NULL);
  const gboolean visible = hl_mask_is_visible (&steps->rule.mask, steps->n_queries, steps->n_keys, query, key) &&
                           !hl_weight_is_masked (&steps->rule.mask, rows[HL_STEP_WEIGHTS][key]);

  for (HlStep step = HL_STEP_PRODUCTS; step <= HL_STEP_WEIGHTS; step++)
    {
      char number[HL_SCORE_TEXT_SIZE];

      if (rows[step] == NULL || (step == HL_STEP_MASKED && visible) || (step == HL_STEP_WEIGHTS && !visible))
        continue;
      if (text->len > 0)
        /* Translators: between the members of a list of tokens and weights */
        g_string_append (text, _ (", "));
      g_string_append (text, hl_step_text_get_name (steps, step));
      if (step != HL_STEP_MASKED)
        g_string_append_printf (text, " %s", hl_score_text_format (rows[step][key], number));
    }
  if (visible && steps->rule.sinks != NULL)
    {
      char number[HL_SCORE_TEXT_SIZE];
      double rest = 1;

      for (gsize i = 0; i < steps->n_keys; i++)
        rest -= rows[HL_STEP_WEIGHTS][i];
      /* Translators: what a learned sink takes of a row of weights: “to the sink 0.31” */
      g_string_append_printf (text, _ (", to the sink %s"), hl_score_text_format (MAX (rest, 0), number));
    }
  for (guint step = 0; step < HL_N_STEPS; step++)
    g_free (rows[step]);

  g_autofree char *list = g_string_free (text, FALSE);
  /* Translators: query token, key token, what becomes of their score */
  return g_strdup_printf (_ ("%s → %s: %s"), query_token, key_token, list);
}

/* The largest are named. */
#define N_TERMS 3

/* " = Σ X·W_Q: −0.12 (7), 0.08 (3), … + 0.02, then rotated": what a number is made of. */
static void
append_sum (GString           *text,
            const HlHeadSteps *steps,
            HlStep             step,
            gsize              row,
            gsize              column)
{
  HlStepSum sum;
  char number[HL_SCORE_TEXT_SIZE];
  double total = 0;

  if (!hl_head_steps_get_sum (steps, step, row, column, &sum))
    return;
  g_autofree float *terms = sum.terms;
  const HlFinish finish = step == HL_STEP_QUERIES || (step == HL_STEP_KEYS && sum.first == HL_STEP_INPUT)
                            ? hl_attention_get_finish (steps->attention, steps->layer) &
                                (HL_FINISH_NORM | HL_FINISH_ROTARY)
                            : HL_FINISH_NONE;
  const char *const *names = hl_step_is_projection (sum.first) ? hl_attention_get_texts (steps->attention, HL_QUERIES)
                             : sum.first == HL_STEP_WEIGHTS    ? hl_attention_get_texts (steps->attention, HL_KEYS)
                                                               : NULL;

  for (gsize i = 0; i < sum.n; i++)
    total += terms[i];
  g_string_append_printf (text, "%s Σ %s·%s%s%s%s", finish != HL_FINISH_NONE ? " ⇐" : " =",
                          sum.first == HL_STEP_OUTPUT ? _ ("Output") : hl_step_text_get_title (steps, sum.first),
                          hl_step_text_get_title (steps, sum.second), finish != HL_FINISH_NONE ? " " : "",
                          finish != HL_FINISH_NONE ? hl_score_text_format (total, number) : "", " (");
  for (guint rank = 0; rank < MIN (N_TERMS, sum.n); rank++)
    {
      gsize best = 0;

      for (gsize i = 1; i < sum.n; i++)
        if (!(fabsf (terms[i]) <= fabsf (terms[best])))
          best = i;
      if (rank > 0)
        /* Translators: between the members of a list of tokens and weights */
        g_string_append (text, _ (", "));
      g_string_append (text, hl_score_text_format (terms[best], number));
      if (names != NULL)
        {
          g_autofree char *name = hl_token_text_quote (names[best]);
          g_string_append_printf (text, " %s", name);
        }
      else
        /* Translators: of a sum of products, which one */
        g_string_append_printf (text, _ (" at %zu"), best);
      terms[best] = 0;
    }
  g_string_append (text, sum.n > N_TERMS ? ", …)" : ")");
  if (sum.bias != 0)
    g_string_append_printf (text, " %s %s", sum.bias < 0 ? "−" : "+", hl_score_text_format (fabs (sum.bias), number));
  if (finish & HL_FINISH_NORM)
    g_string_append (text, _ (", normalised"));
  if (finish & HL_FINISH_ROTARY)
    g_string_append (text, _ (", rotated"));
}

/* "Q · time (query 1) · feature 5: −0.31 = Σ X·W_Q (…)"; NULL when the number cannot be read. */
char *
hl_step_text_describe_feature (const HlHeadSteps *steps,
                               HlStep             step,
                               gsize              row,
                               gsize              feature)
{
  const HlSide side = hl_step_get_side (step);
  const char *const *tokens = hl_attention_get_texts (steps->attention, side);
  g_autofree float *numbers = g_new (float, MAX (hl_head_steps_get_n_columns (steps, step), 1));
  g_autofree char *token = hl_token_text_quote (tokens[row]);
  char number[HL_SCORE_TEXT_SIZE];
  GString *text = g_string_new (NULL);

  if (!hl_head_steps_get_row (steps, step, row, numbers, NULL))
    {
      g_string_free (text, TRUE);
      return NULL;
    }
  hl_score_text_format (numbers[feature], number);
  g_string_printf (text,
                   side == HL_KEYS
                     /* Translators: a matrix, a token and its position, a column of the matrix, the number there */
                     ? _ ("%s · %s (key %zu) · feature %zu: %s")
                     /* Translators: a matrix, a token and its position, a column of the matrix, the number there */
                     : _ ("%s · %s (query %zu) · feature %zu: %s"),
                   hl_step_text_get_title (steps, step), token, row, feature, number);
  append_sum (text, steps, step, row, feature);
  return g_string_free (text, FALSE);
}

/* "W_Q · row 7 · column 5: −0.31"; NULL when the number cannot be read. */
char *
hl_step_text_describe_weight (const HlHeadSteps *steps,
                              HlStep             step,
                              gsize              row,
                              gsize              column)
{
  char number[HL_SCORE_TEXT_SIZE];

  if (row >= hl_head_steps_get_n_rows (steps, step) || column >= hl_head_steps_get_n_columns (steps, step))
    return NULL;
  g_autofree float *numbers = g_new (float, hl_head_steps_get_n_columns (steps, step));
  if (!hl_head_steps_get_row (steps, step, row, numbers, NULL))
    return NULL;
  /* Translators: a matrix of weights, a feature that goes in, one that comes out, the number there */
  return g_strdup_printf (_ ("%s · from feature %zu to %zu: %s"), hl_step_text_get_title (steps, step), row, column,
                          hl_score_text_format (numbers[column], number));
}

/* "E · time → p3: 0.4"; NULL when the number cannot be read. */
char *
hl_step_text_describe_projection (const HlHeadSteps *steps,
                                  HlStep             step,
                                  gsize              key,
                                  gsize              token)
{
  g_autofree char *name = hl_token_text_quote (hl_attention_get_texts (steps->attention, HL_QUERIES)[token]);
  g_autofree char *position = hl_token_text_quote (hl_attention_get_texts (steps->attention, HL_KEYS)[key]);
  g_autofree float *numbers = g_new (float, MAX (steps->n_queries, 1));
  char number[HL_SCORE_TEXT_SIZE];

  if (!hl_head_steps_get_row (steps, step, key, numbers, NULL))
    return NULL;
  return g_strdup_printf ("%s · %s → %s: %s", hl_step_text_get_title (steps, step), name, position,
                          hl_score_text_format (numbers[token], number));
}

/* What is shown in place of steps that are not known. */
const char *
hl_step_text_get_lack (void)
{
  return _ ("This view needs queries and keys, which the file does not have.");
}
