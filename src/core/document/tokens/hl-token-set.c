/* SPDX-License-Identifier: MIT */
/* Some tokens of a text, by their positions: those that somebody chose to hide. */
#include "core/document/tokens/hl-token-set.h"

#include "core/base/hl-limits.h"

#include <string.h>

/* Positions and items that are read; no text has more tokens, and nobody writes that many items by hand. */
#define MAX_POSITION 0x7FFFFFFF

struct _HlTokenSet
{
  gsize n;
  HlTokenSpan *spans;
};

static void
clear (gpointer data)
{
  g_free (((HlTokenSet *) data)->spans);
}

static HlTokenSet *
new_from_array (GArray *spans)
{
  HlTokenSet *self;

  if (spans->len == 0)
    return NULL;
  self = g_atomic_rc_box_new0 (HlTokenSet);
  self->n = spans->len;
  self->spans = g_memdup2 (spans->data, spans->len * sizeof (HlTokenSpan));
  return self;
}

/* Adds a span behind those there are, none of which begins behind it. */
static void
append_span (GArray *spans,
             gsize   first,
             gsize   end)
{
  HlTokenSpan *last = spans->len > 0 ? &g_array_index (spans, HlTokenSpan, spans->len - 1) : NULL;

  if (first >= end)
    return;
  if (last != NULL && last->first + last->n >= first)
    last->n = MAX (last->first + last->n, end) - last->first;
  else
    g_array_append_vals (spans, &(HlTokenSpan){ first, end - first }, 1);
}

/**
 * hl_token_set_new_sorted:
 * @tokens: (array length=n): tokens in rising order, each as often as one likes
 * @n: how many
 *
 * Returns: (transfer full) (nullable): the set of them
 */
HlTokenSet *
hl_token_set_new_sorted (const gsize *tokens,
                         gsize        n)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (HlTokenSpan));

  g_return_val_if_fail (tokens != NULL || n == 0, NULL);

  for (gsize i = 0; i < n; i++)
    append_span (spans, tokens[i], tokens[i] + 1);
  return new_from_array (spans);
}

/**
 * hl_token_set_unite:
 * @a: (nullable): a set
 * @b: (nullable): another
 *
 * Returns: (transfer full) (nullable): the set of what is in either
 */
HlTokenSet *
hl_token_set_unite (const HlTokenSet *a,
                    const HlTokenSet *b)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (HlTokenSpan));
  const gsize n_a = a != NULL ? a->n : 0, n_b = b != NULL ? b->n : 0;

  for (gsize i = 0, j = 0; i < n_a || j < n_b;)
    {
      const gboolean is_of_a = j == n_b || (i < n_a && a->spans[i].first <= b->spans[j].first);
      const HlTokenSpan *next = is_of_a ? &a->spans[i++] : &b->spans[j++];
      append_span (spans, next->first, next->first + next->n);
    }
  return new_from_array (spans);
}

/**
 * hl_token_set_change:
 * @self: (nullable): a set
 * @first: a token
 * @n: how many, counted from it
 * @contained: whether they are to be in the set
 *
 * Returns: (transfer full) (nullable): the set with these tokens, or without them
 */
HlTokenSet *
hl_token_set_change (const HlTokenSet *self,
                     gsize             first,
                     gsize             n,
                     gboolean          contained)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (HlTokenSpan));
  const gsize end = first + n;
  gboolean added = !contained;

  g_return_val_if_fail (end >= first, NULL);

  for (gsize i = 0; self != NULL && i < self->n; i++)
    {
      const gsize own_first = self->spans[i].first;
      const gsize own_end = own_first + self->spans[i].n;

      if (!added && own_first >= first)
        {
          append_span (spans, first, end);
          added = TRUE;
        }
      if (contained)
        {
          append_span (spans, own_first, own_end);
          continue;
        }
      append_span (spans, own_first, MIN (own_end, first));
      append_span (spans, MAX (own_first, end), own_end);
    }
  if (!added)
    append_span (spans, first, end);
  return new_from_array (spans);
}

/**
 * hl_token_set_ref:
 * @self: (nullable): a set
 *
 * Returns: (transfer full) (nullable): the same
 */
HlTokenSet *
hl_token_set_ref (HlTokenSet *self)
{
  return self != NULL ? g_atomic_rc_box_acquire (self) : NULL;
}

/**
 * hl_token_set_unref:
 * @self: (transfer full) (nullable): a set
 */
void
hl_token_set_unref (HlTokenSet *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, clear);
}

/**
 * hl_token_set_contains:
 * @self: (nullable): a set
 * @token: a token
 *
 * Returns: whether it is in the set
 */
gboolean
hl_token_set_contains (const HlTokenSet *self,
                       gsize             token)
{
  gsize low = 0, high = self != NULL ? self->n : 0;

  while (low < high)
    {
      const gsize middle = low + (high - low) / 2;
      const HlTokenSpan *span = &self->spans[middle];
      if (token >= span->first && token - span->first < span->n)
        return TRUE;
      if (token < span->first)
        high = middle;
      else
        low = middle + 1;
    }
  return FALSE;
}

/**
 * hl_token_set_equal:
 * @a: (nullable): a set
 * @b: (nullable): another
 *
 * Returns: whether both hold the same tokens
 */
gboolean
hl_token_set_equal (const HlTokenSet *a,
                    const HlTokenSet *b)
{
  if (a == b)
    return TRUE;
  return a != NULL && b != NULL && a->n == b->n && memcmp (a->spans, b->spans, a->n * sizeof (HlTokenSpan)) == 0;
}

/**
 * hl_token_set_get_spans:
 * @self: (nullable): a set
 * @n: (out): how many spans
 *
 * Returns: (transfer none) (array length=n) (nullable): the tokens, in rising order; spans do not touch
 */
const HlTokenSpan *
hl_token_set_get_spans (const HlTokenSet *self,
                        gsize            *n)
{
  g_return_val_if_fail (n != NULL, NULL);

  *n = self != NULL ? self->n : 0;
  return self != NULL ? self->spans : NULL;
}

static void
format_set (const HlTokenSet *self,
            const char       *side,
            GString          *text)
{
  for (gsize i = 0; self != NULL && i < self->n; i++)
    {
      const HlTokenSpan *span = &self->spans[i];
      g_string_append_printf (text, "%s%s%zu", text->len > 0 ? "," : "", side, span->first);
      if (span->n > 1)
        g_string_append_printf (text, "-%zu", span->first + span->n - 1);
    }
}

/**
 * hl_token_sets_format:
 * @sets: (nullable): some tokens of each #HlSide
 *
 * Returns: (transfer full): what hl_token_sets_parse() reads: "0,4-6"; "q2,k0-3" where queries and keys are not the
 *   same
 */
char *
hl_token_sets_format (HlTokenSet *const sets[2])
{
  GString *text = g_string_new (NULL);
  const gboolean same = hl_token_set_equal (sets[HL_QUERIES], sets[HL_KEYS]);

  format_set (sets[HL_QUERIES], same ? "" : "q", text);
  if (!same)
    format_set (sets[HL_KEYS], "k", text);
  return g_string_free (text, FALSE);
}

static gboolean
parse_position (const char **text,
                gsize       *position)
{
  char *end;

  if (!g_ascii_isdigit (**text))
    return FALSE;
  *position = g_ascii_strtoull (*text, &end, 10);
  *text = end;
  return *position <= MAX_POSITION;
}

static void
add (HlTokenSet **set,
     gsize        first,
     gsize        n)
{
  HlTokenSet *more = hl_token_set_change (*set, first, n, TRUE);

  hl_token_set_unref (*set);
  *set = more;
}

/**
 * hl_token_sets_parse:
 * @text: positions and ranges of them, counted from 0, with commas between: "0,4-6"; with a `q` before it one counts
 *   for queries only, with a `k` for keys; may be empty
 * @sets: (out) (transfer full) (nullable): those of each #HlSide
 *
 * Returns: whether @text could be understood; nothing is returned if not
 */
gboolean
hl_token_sets_parse (const char *text,
                     HlTokenSet *sets[2])
{
  g_autoptr (HlTokenSet) own_queries = NULL;
  g_autoptr (HlTokenSet) own_keys = NULL;
  g_auto (GStrv) items = NULL;

  g_return_val_if_fail (text != NULL && sets != NULL, FALSE);

  items = g_strsplit (text, ",", HL_LIMIT_SET_ITEMS + 1);
  if (g_strv_length (items) > HL_LIMIT_SET_ITEMS)
    return FALSE;
  for (guint i = 0; items[i] != NULL; i++)
    {
      const char *at = g_strstrip (items[i]);
      const char side = *at == 'q' || *at == 'k' ? *at++ : '\0';
      gsize first, last;

      if (*at == '\0' && side == '\0' && items[1] == NULL)
        break;
      if (!parse_position (&at, &first))
        return FALSE;
      last = first;
      if (*at == '-' && (at++, !parse_position (&at, &last)))
        return FALSE;
      if (*at != '\0' || last < first)
        return FALSE;
      if (side != 'k')
        add (&own_queries, first, last - first + 1);
      if (side != 'q')
        add (&own_keys, first, last - first + 1);
    }
  sets[HL_QUERIES] = g_steal_pointer (&own_queries);
  sets[HL_KEYS] = g_steal_pointer (&own_keys);
  return TRUE;
}
