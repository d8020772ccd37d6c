/* SPDX-License-Identifier: MIT */
/* How tokens are spelt: a pinned one, those that are hidden, and pairs of words. */
#include "view/spelling/hl-state-text-private.h"

#include "core/analysis/hl-token-pairs.h"
#include "core/base/hl-error.h"
#include "core/source/derive/hl-sink-source.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NO_LAYER G_MAXSIZE

static const char *const steps[] = {
  [HL_STEP_NONE] = "",
  [HL_STEP_INPUT] = "input",
  [HL_STEP_QUERY_WEIGHTS] = "query-weights",
  [HL_STEP_QUERIES] = "queries",
  [HL_STEP_KEY_WEIGHTS] = "key-weights",
  [HL_STEP_TOKEN_KEYS] = "token-keys",
  [HL_STEP_KEY_PROJECTION] = "key-projection",
  [HL_STEP_KEYS] = "keys",
  [HL_STEP_VALUE_WEIGHTS] = "value-weights",
  [HL_STEP_TOKEN_VALUES] = "token-values",
  [HL_STEP_VALUE_PROJECTION] = "value-projection",
  [HL_STEP_VALUES] = "values",
  [HL_STEP_PRODUCTS] = "products",
  [HL_STEP_SCALED] = "scaled",
  [HL_STEP_CAPPED] = "capped",
  [HL_STEP_BIASED] = "biased",
  [HL_STEP_MASKED] = "masked",
  [HL_STEP_WEIGHTS] = "weights",
  [HL_STEP_OUTPUT] = "output",
  [HL_STEP_OUTPUT_WEIGHTS] = "output-weights",
  [HL_STEP_RESULT] = "result",
};

G_STATIC_ASSERT (G_N_ELEMENTS (steps) == HL_N_STEPS);

static gboolean
parse_index (const char *text,
             gsize      *index)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &number, NULL))
    return FALSE;
  *index = (gsize) number;
  return TRUE;
}

/* "3,5-7", of which the last leads; one alone is no set. */
static gboolean
parse_tokens (const char *text,
              HlSide      side,
              HlFocus    *focus)
{
  HlTokenSet *sets[2] = { NULL, NULL };
  const char *comma = strrchr (text, ','), *dash = strrchr (text, '-');
  const char *last = MAX (comma, dash);

  if (strspn (text, "0123456789,-") != strlen (text) ||
      !parse_index (last != NULL ? last + 1 : text, &focus->pick.tokens[side]) || !hl_token_sets_parse (text, sets))
    return FALSE;
  if (last != NULL)
    focus->gathered = hl_token_set_ref (sets[side]);
  hl_token_set_unref (sets[HL_QUERIES]);
  hl_token_set_unref (sets[HL_KEYS]);
  return TRUE;
}

/*
 * "3" a query, ":5" a key, "3,5-7" or ":3,5-7" several, "3:5" both; behind it, "@queries.7" the matrix of a view of
 * several, and the feature, or "@layer.2" the layer in the view of all, NO_LAYER where none is written.
 */
static gboolean
parse_pin (const char *text,
           HlFocus    *focus,
           gsize      *layer)
{
  g_auto (GStrv) halves = g_strsplit (text, "@", 2);
  g_auto (GStrv) tokens = g_strsplit (halves[0] != NULL ? halves[0] : "", ":", 2);
  const gboolean has_query = tokens[0] != NULL && *tokens[0] != '\0';
  const gboolean has_key = tokens[0] != NULL && tokens[1] != NULL;
  HlPick *pick = &focus->pick;

  *layer = NO_LAYER;
  *focus = (HlFocus){ { has_query && has_key ? HL_PICK_CELL : has_key ? HL_PICK_KEY : HL_PICK_QUERY }, NULL };
  if (pick->kind == HL_PICK_CELL
        ? !parse_index (tokens[0], &pick->query) || !parse_index (tokens[1], &pick->key)
        : (!has_query && !has_key) || !parse_tokens (has_key ? tokens[1] : tokens[0], hl_pick_get_side (pick), focus))
    return FALSE;
  if (halves[1] == NULL)
    return TRUE;

  g_auto (GStrv) place = g_strsplit (halves[1], ".", 2);
  if (g_strcmp0 (place[0], "layer") == 0)
    return hl_pick_has (pick, HL_QUERIES) && place[1] != NULL && parse_index (place[1], layer);
  for (HlStep step = HL_STEP_NONE + 1; step < HL_N_STEPS; step++)
    if (g_strcmp0 (place[0], steps[step]) == 0)
      pick->step = step;
  if (pick->step == HL_STEP_NONE)
    return FALSE;
  if (hl_step_is_map (pick->step))
    return place[1] == NULL;
  return pick->kind == hl_pick_kind_of (hl_step_get_side (pick->step)) &&
         (place[1] == NULL || parse_index (place[1], &pick->feature));
}

static gboolean
pin_check (const char *text)
{
  g_auto (HlFocus) focus = { { HL_PICK_NONE }, NULL };
  gsize layer;

  return parse_pin (text, &focus, &layer);
}

/* Tokens are spelt as those of the file, whatever of them is put together or hidden: of a word, its first piece. */
static gboolean
find_token (HlTokenMap *map,
            HlRange     shown,
            gsize      *token,
            GError    **error)
{
  const gsize wanted = *token;
  const gboolean is_there = map == NULL || hl_token_map_find (map, wanted, token);

  if (is_there && *token >= shown.first && *token - shown.first < shown.n)
    return TRUE;
  /* Of words, or where others are hidden, what is shown is no run of what people count. */
  if (map != NULL || shown.n == 0)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no token %zu among those shown"), wanted);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no token %zu among those shown, which are %zu to %zu"),
                 wanted, shown.first, shown.first + shown.n - 1);
  return FALSE;
}

static void
append_run (GString    *list,
            HlTokenSpan run)
{
  if (run.n > 0)
    g_string_append_printf (list, "%s%zu", list->len > 0 ? "," : "", run.first);
  if (run.n > 1)
    g_string_append_printf (list, "-%zu", run.first + run.n - 1);
}

/* Several in rising order, but for the one that leads, which stands last. Words that follow one another are one run. */
static void
append_tokens (GString       *text,
               const HlFocus *focus,
               HlSide         side,
               HlAttention   *shown)
{
  HlTokenMap *map = hl_attention_get_map (shown, side);
  g_autoptr (GString) list = g_string_new (NULL);
  HlTokenSpan run = { 0, 0 };
  gsize n, end = 0;
  g_autofree gsize *tokens = hl_focus_list_tokens (focus, side, &n);
  const gsize lead = hl_attention_get_position (shown, side, focus->pick.tokens[side]);
  const gsize last = hl_attention_get_position (shown, side, tokens[n - 1]);

  for (gsize i = 0; i < n; i++)
    {
      const gsize position = hl_attention_get_position (shown, side, tokens[i]);
      if (hl_sink_is_at (shown, side, tokens[i]) || (position == lead && lead != last))
        continue;
      if (position > end)
        {
          append_run (list, run);
          run.first = position;
        }
      run.n = position - run.first + 1;
      end = position + (map != NULL ? hl_token_map_get_spans (map)[tokens[i]].n : 1);
    }
  append_run (list, run);
  if (lead != last)
    append_run (list, (HlTokenSpan){ lead, 1 });
  g_string_append (text, list->str);
}

static char *
pin_dup (HlViewState *state)
{
  const HlFocus *focus = hl_view_state_get_pin (state);
  const HlPick *pick = &focus->pick;
  HlAttention *shown = hl_view_state_get_shown (state)->attention;
  const HlViewTraits *view = hl_view_kind_get_traits (hl_view_state_get_options (state)->view);
  g_autoptr (GString) text = g_string_new (NULL);

  /* The sink has no number among the tokens. */
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (hl_pick_has (pick, side) && hl_sink_is_at (shown, side, pick->tokens[side]))
      return NULL;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (hl_pick_has (pick, side))
      {
        g_string_append (text, side == HL_KEYS ? ":" : "");
        append_tokens (text, focus, side, shown);
      }
  /* Who has more of them than can be read again comes back without. */
  if (!pin_check (text->str))
    return NULL;
  if (pick->step != HL_STEP_NONE)
    g_string_append_printf (text, "@%s", steps[pick->step]);
  if (pick->step != HL_STEP_NONE && !hl_step_is_map (pick->step) && pick->feature > 0)
    g_string_append_printf (text, ".%zu", pick->feature);
  /* It stays where it was pinned, whichever layer is chosen then. */
  if (view->shows_all_layers && hl_pick_has (pick, HL_QUERIES) && pick->layer != hl_view_state_get_shown (state)->layer)
    g_string_append_printf (text, "@layer.%u", pick->layer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The file may have changed since somebody pinned something. */
static gboolean
check_step (HlViewState *state,
            HlPick      *pick)
{
  HlAttention *attention = hl_view_state_get_attention (state);

  if (pick->step == HL_STEP_NONE || !hl_view_state_get_shown (state)->shows_steps ||
      !hl_head_steps_are_known (attention))
    {
      pick->step = HL_STEP_NONE;
      pick->feature = 0;
      return TRUE;
    }
  g_autoptr (HlHeadSteps)
    head = hl_head_steps_new (attention, hl_view_state_get_layer (state), hl_view_state_get_head (state), 1, TRUE);
  return hl_head_steps_has (head, pick->step) &&
         (hl_step_is_map (pick->step) || pick->feature < hl_head_steps_get_n_columns (head, pick->step));
}

static void
add_run (HlTokenSet **set,
         gsize        first,
         gsize        end)
{
  g_autoptr (HlTokenSet) before = g_steal_pointer (set);

  *set = hl_token_set_change (before, first, end - first, TRUE);
}

/* The tokens that are shown in place of those that are written. */
static gboolean
find_tokens (HlViewState *state,
             HlSide       side,
             HlFocus     *focus,
             GError     **error)
{
  HlTokenMap *map = hl_attention_get_map (hl_view_state_get_shown (state)->attention, side);
  const HlRange range = hl_view_state_get_shown (state)->ranges[side];
  g_autoptr (HlTokenSet) written = g_steal_pointer (&focus->gathered);
  g_autoptr (HlTokenSet) shown = NULL;
  gsize n, first = 0, end = 0;
  const HlTokenSpan *spans = hl_token_set_get_spans (written, &n);

  if (!find_token (map, range, &focus->pick.tokens[side], error))
    return FALSE;
  /* The first that is missing ends it, however many are written. */
  for (gsize i = 0; i < n; i++)
    for (gsize token = spans[i].first; token < spans[i].first + spans[i].n; token++)
      {
        gsize found = token;
        if (!find_token (map, range, &found, error))
          return FALSE;
        if (found > end)
          {
            add_run (&shown, first, end);
            first = found;
          }
        end = found + 1;
      }
  add_run (&shown, first, end);
  *focus = hl_focus_join (&(HlFocus){ focus->pick, NULL }, &(HlFocus){ focus->pick, shown });
  return TRUE;
}

/* In the view of all layers, in the one that is written, or else the one that is chosen. */
static gboolean
put_in_layer (HlViewState *state,
              HlPick      *pick,
              gsize        written,
              GError     **error)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  const HlViewKind view = hl_view_state_get_options (state)->view;
  const guint n_layers = hl_attention_get_n_layers (shown->attention);
  const gboolean takes = written != NO_LAYER && hl_view_kind_get_traits (view)->shows_all_layers &&
                         !shown->merges_layers;

  if (takes && written >= n_layers)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no layer %u; the last one is %u"), (guint) written,
                   n_layers - 1);
      return FALSE;
    }
  hl_view_kind_put_in_layer (view, pick, takes ? (guint) written : shown->layer);
  return TRUE;
}

static gboolean
pin_apply (HlViewState *state,
           const char  *text,
           GError     **error)
{
  g_auto (HlFocus) focus = { { HL_PICK_NONE }, NULL };
  HlPick *pick = &focus.pick;
  gsize layer;

  if (!parse_pin (text, &focus, &layer))
    return FALSE;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (hl_pick_has (pick, side) && !find_tokens (state, side, &focus, error))
      return FALSE;
  if (!check_step (state, pick))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no place “%s” in the steps of this head"), text);
      return FALSE;
    }
  if (!put_in_layer (state, pick, layer, error))
    return FALSE;
  hl_view_state_keep_pin (state, &focus);
  return TRUE;
}

const HlStateSpelling hl_state_pin_spelling = {
  .hint = "I,…|:J,…|I:J",
  .rule = N_ ("a query, a colon and a key, or both, as numbers; or several queries, as “3,5-7”, or keys, as “:3,5-7”"),
  .check = pin_check,
  .dup = pin_dup,
  .apply = pin_apply,
};

static gboolean
hidden_check (const char *text)
{
  g_auto (HlHiddenTokens) hidden = { { NULL } };

  return hl_token_sets_parse (text, hidden.sets);
}

static char *
hidden_dup (HlViewState *state)
{
  g_autofree char *text = hl_view_state_dup_hidden (state);

  return *text != '\0' && hidden_check (text) ? g_steal_pointer (&text) : NULL;
}

static gboolean
hidden_apply (HlViewState *state,
              const char  *text,
              GError     **error)
{
  hl_view_state_set_hidden (state, text);
  return TRUE;
}

const HlStateSpelling hl_state_hidden_spelling = {
  .hint = "I,I-J,qI,kI…",
  .rule = N_ ("numbers with commas between them, q or k before one, as in “0,3-5,k7”"),
  .check = hidden_check,
  .dup = hidden_dup,
  .apply = hidden_apply,
};

static gboolean
pairs_check (const char *text)
{
  return TRUE;
}

/* Words that a newer text does not have change nothing of the picture, and could not be applied again. */
static char *
pairs_dup (HlViewState *state)
{
  if (hl_view_state_get_found_pairs (state) == NULL)
    return NULL;
  return g_strdup (hl_view_state_get_pairs (state));
}

static gboolean
pairs_apply (HlViewState *state,
             const char  *text,
             GError     **error)
{
  g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (hl_view_state_get_attention (state), text, error);

  if (pairs != NULL)
    hl_view_state_set_pairs (state, text);
  return pairs != NULL;
}

const HlStateSpelling hl_state_pairs_spelling = {
  .hint = "",
  .rule = N_ ("a pair of words a line"),
  .check = pairs_check,
  .dup = pairs_dup,
  .apply = pairs_apply,
};
