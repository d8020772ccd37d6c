/* SPDX-License-Identifier: MIT */
/* What rules a picture: a pick, or several tokens of one side that somebody gathered. */
#include "view/pick/hl-focus.h"

#include "config.h"
#include "core/base/hl-utf8.h"
#include "core/base/text/hl-bidi.h"
#include "view/pick/hl-repeated.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A caption has room for about as many, and for as many characters of one. */
#define MAX_NAMES 6
#define MAX_NAME 40

HlFocus
hl_focus_copy (const HlFocus *self)
{
  return (HlFocus){ self->pick, hl_token_set_ref (self->gathered) };
}

void
hl_focus_clear (HlFocus *self)
{
  g_clear_pointer (&self->gathered, hl_token_set_unref);
  self->pick = (HlPick){ HL_PICK_NONE };
}

gboolean
hl_focus_equal (const HlFocus *a,
                const HlFocus *b)
{
  return hl_pick_equal (&a->pick, &b->pick) && hl_token_set_equal (a->gathered, b->gathered);
}

/*
 * The tokens of a side that it stands for, in rising order: none, that of a pick, or all that were gathered. Whoever
 * shows a focus reads it by this. Free with g_free().
 */
gsize *
hl_focus_list_tokens (const HlFocus *self,
                      HlSide         side,
                      gsize         *n)
{
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize n_spans;
  const HlTokenSpan *spans = hl_token_set_get_spans (self->gathered, &n_spans);

  if (hl_pick_has (&self->pick, side) && n_spans == 0)
    g_array_append_val (tokens, self->pick.tokens[side]);
  else if (hl_pick_has (&self->pick, side))
    for (gsize i = 0; i < n_spans; i++)
      for (gsize token = spans[i].first; token < spans[i].first + spans[i].n; token++)
        g_array_append_val (tokens, token);
  *n = tokens->len;
  return (gsize *) g_array_free (g_steal_pointer (&tokens), FALSE);
}

/* Whether both are tokens of one column of the picture. */
static gboolean
can_join (const HlPick *a,
          const HlPick *b)
{
  return hl_pick_is_token (a) && a->kind == b->kind && a->layer == b->layer;
}

/* Whether it is the same, or one of the tokens that were gathered. */
gboolean
hl_focus_covers (const HlFocus *self,
                 const HlPick  *pick)
{
  return hl_pick_equal (&self->pick, pick) ||
         (can_join (&self->pick, pick) &&
          hl_token_set_contains (self->gathered, pick->tokens[hl_pick_get_side (pick)]));
}

/* @lead is one of @tokens. One token is no set. */
static HlFocus
make (const HlPick *lead,
      HlTokenSet   *tokens)
{
  gsize n;
  const HlTokenSpan *spans = hl_token_set_get_spans (tokens, &n);

  if (n > 1 || (n == 1 && spans[0].n > 1))
    return (HlFocus){ *lead, tokens };
  hl_token_set_unref (tokens);
  return (HlFocus){ *lead, NULL };
}

static HlTokenSet *
dup_set (const HlFocus *self)
{
  if (self->gathered != NULL)
    return hl_token_set_ref (self->gathered);
  return hl_token_set_change (NULL, self->pick.tokens[hl_pick_get_side (&self->pick)], 1, TRUE);
}

/* Where a cell is in focus, its token of the side. */
static HlFocus
take_side (const HlFocus *self,
           HlSide         side)
{
  HlFocus taken = hl_focus_copy (self);

  if (self->pick.kind == HL_PICK_CELL)
    {
      taken.pick = hl_pick_of (side, self->pick.tokens[side]);
      taken.pick.layer = self->pick.layer;
    }
  return taken;
}

/*
 * With a token more, which leads; without it, if it is there already. Of a cell its token of that side is kept. A token of
 * the other side begins anew.
 */
HlFocus
hl_focus_toggle (const HlFocus *self,
                 const HlPick  *token)
{
  const HlSide side = hl_pick_get_side (token);
  const gsize index = token->tokens[side];

  g_return_val_if_fail (hl_pick_is_token (token), hl_focus_copy (self));

  g_auto (HlFocus) of_side = take_side (self, side);
  if (!can_join (&of_side.pick, token) ||
      (of_side.pick.kind != self->pick.kind && hl_pick_equal (&of_side.pick, token)))
    return (HlFocus){ *token, NULL };
  g_autoptr (HlTokenSet) before = dup_set (&of_side);
  const gboolean added = !hl_token_set_contains (before, index);
  HlTokenSet *tokens = hl_token_set_change (before, index, 1, added);
  gsize n;
  const HlTokenSpan *spans = hl_token_set_get_spans (tokens, &n);
  HlPick lead = added ? *token : of_side.pick;

  if (n == 0)
    return (HlFocus){ { HL_PICK_NONE }, NULL };
  if (!hl_token_set_contains (tokens, lead.tokens[side]))
    lead.tokens[side] = spans[n - 1].first + spans[n - 1].n - 1;
  return make (&lead, tokens);
}

/* The tokens of both, if they are of one side; else the first, unless that is nothing. */
HlFocus
hl_focus_join (const HlFocus *self,
               const HlFocus *more)
{
  if (self->pick.kind == HL_PICK_NONE)
    return hl_focus_copy (more);
  if (!can_join (&self->pick, &more->pick))
    return hl_focus_copy (self);
  g_autoptr (HlTokenSet) tokens = dup_set (self);
  g_autoptr (HlTokenSet) added = dup_set (more);
  return make (&self->pick, hl_token_set_unite (tokens, added));
}

static int
compare_tokens (const void *a,
                const void *b)
{
  const gsize first = *(const gsize *) a, second = *(const gsize *) b;

  return (first > second) - (first < second);
}

/* The same elsewhere: what is not there is left out. */
HlFocus
hl_focus_map (const HlFocus *self,
              HlFocusMap     map,
              gconstpointer  data)
{
  const HlSide side = hl_pick_get_side (&self->pick);
  HlFocus mapped = { map (&self->pick, data), NULL };
  gsize n;

  if (self->gathered == NULL)
    return mapped;
  g_autofree gsize *tokens = hl_focus_list_tokens (self, side, &n);
  gsize n_mapped = 0;
  for (gsize i = 0; i < n; i++)
    {
      HlPick one = self->pick;
      one.tokens[side] = tokens[i];
      one = map (&one, data);
      if (mapped.pick.kind == HL_PICK_NONE)
        mapped.pick = one;
      if (can_join (&mapped.pick, &one))
        tokens[n_mapped++] = one.tokens[hl_pick_get_side (&one)];
    }
  if (n_mapped == 0)
    return mapped;
  qsort (tokens, n_mapped, sizeof *tokens, compare_tokens);
  return make (&mapped.pick, hl_token_set_new_sorted (tokens, n_mapped));
}

/* Several tokens of the side are queries, of which the mean counts, unless rows and columns changed over. */
static gboolean
is_mean (HlSide       side,
         HlAttention *attention)
{
  return (side == HL_QUERIES) != hl_attention_is_transposed (attention);
}

/* By what the weights of each token are multiplied before they are added up. */
double
hl_focus_get_part (const HlFocus *self,
                   HlAttention   *attention)
{
  gsize n;

  if (self->gathered == NULL || !is_mean (hl_pick_get_side (&self->pick), attention))
    return 1;
  g_free (hl_focus_list_tokens (self, hl_pick_get_side (&self->pick), &n));
  return 1.0 / n;
}

/*
 * What the tokens have together over @n tokens of the other side: of queries the mean, of keys the sum. Numbers that are
 * none, as those of a token that one side of a difference lacks, count only where there are no others; −0 stays where
 * all are masked. Returns whether all could be read.
 */
gboolean
hl_focus_combine (const HlFocus *self,
                  HlAttention   *attention,
                  gsize          n,
                  HlFocusRead    read,
                  gpointer       data,
                  float         *target)
{
  const HlSide side = hl_pick_get_side (&self->pick);
  gsize n_tokens;
  g_autofree gsize *tokens = hl_focus_list_tokens (self, side, &n_tokens);

  if (n_tokens == 1)
    return read (tokens[0], target, data);
  g_autofree float *row = g_new (float, MAX (n, 1));
  g_autofree double *sums = g_new (double, MAX (n, 1));
  g_autofree gsize *counts = g_new0 (gsize, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    sums[i] = -0.0;
  for (gsize t = 0; t < n_tokens; t++)
    {
      if (!read (tokens[t], row, data))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        if (!isnan (row[i]))
          {
            sums[i] += row[i];
            counts[i]++;
          }
    }
  for (gsize i = 0; i < n; i++)
    target[i] = counts[i] == 0 ? NAN : is_mean (side, attention) ? (float) (sums[i] / counts[i]) : (float) sums[i];
  return TRUE;
}

/* Marks what of @n tokens of the other side any of the tokens has a number with that is not 0. Returns whether all could be read. */
gboolean
hl_focus_mark_left (const HlFocus *self,
                    gsize          n,
                    HlFocusRead    read,
                    gpointer       data,
                    gboolean      *is_left)
{
  gsize n_tokens;
  g_autofree gsize *tokens = hl_focus_list_tokens (self, hl_pick_get_side (&self->pick), &n_tokens);
  g_autofree float *row = g_new (float, MAX (n, 1));

  for (gsize t = 0; t < n_tokens; t++)
    {
      if (!read (tokens[t], row, data))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        is_left[i] |= row[i] != 0;
    }
  return TRUE;
}

/* A token without a letter that is seen goes by its place, which also tells it from its like. */
static void
append_name (GString     *text,
             HlAttention *attention,
             HlSide       side,
             gsize        index)
{
  g_autofree char *name = g_strstrip (g_strdup (hl_attention_get_texts (attention, side)[index]));
  const gsize position = hl_attention_get_position (attention, side, index);

  g_string_append (text, text->len > 0 ? _ (", ") : "");
  if (*name == '\0' || strpbrk (name, "\n\r\t") != NULL)
    {
      g_string_append_printf (text, "#%zu", position);
      return;
    }
  g_autofree char *start = hl_utf8_shorten (name, MAX_NAME);
  hl_utf8_flatten (start);
  g_autofree char *isolated = hl_bidi_isolate (start);
  g_string_append (text, isolated);
  if (hl_token_is_repeated (attention, side, index))
    g_string_append_printf (text, " (%zu)", position);
}

/* "mean of 3 queries: time, flies, like", translated; NULL where no tokens were gathered. */
char *
hl_focus_describe (const HlFocus *self,
                   HlAttention   *attention)
{
  const HlSide side = hl_pick_get_side (&self->pick);
  gsize n;

  if (self->gathered == NULL)
    return NULL;
  g_autofree gsize *tokens = hl_focus_list_tokens (self, side, &n);
  g_autoptr (GString) names = g_string_new (NULL);
  for (gsize i = 0; i < MIN (n, MAX_NAMES); i++)
    append_name (names, attention, side, tokens[i]);
  if (n > MAX_NAMES)
    g_string_append (names, "…");
  /* Translators: how many tokens, and the first of them: “mean of 3 queries: time, flies, like” */
  return g_strdup_printf (is_mean (side, attention)
                            ? g_dngettext (GETTEXT_PACKAGE, "mean of %zu query: %s", "mean of %zu queries: %s", n)
                            : g_dngettext (GETTEXT_PACKAGE, "sum of %zu key: %s", "sum of %zu keys: %s", n),
                          n, names->str);
}
