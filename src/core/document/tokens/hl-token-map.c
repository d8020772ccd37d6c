/* SPDX-License-Identifier: MIT */
/* Which tokens are shown, and which of them as one. */
#include "core/document/tokens/hl-token-map.h"

#include <string.h>

struct _HlTokenMap
{
  gsize n_tokens;
  gsize n;
  HlTokenSpan *spans;
};

static HlTokenMap *
new_with_room (gsize n_tokens,
               gsize n)
{
  HlTokenMap *self = g_atomic_rc_box_new0 (HlTokenMap);

  self->n_tokens = n_tokens;
  self->spans = g_new (HlTokenSpan, MAX (n, 1));
  return self;
}

/* Returns a map that shows each by itself. */
HlTokenMap *
hl_token_map_new_each (gsize n_tokens)
{
  HlTokenMap *self = new_with_room (n_tokens, n_tokens);

  for (self->n = 0; self->n < n_tokens; self->n++)
    self->spans[self->n] = (HlTokenSpan){ self->n, 1 };
  return self;
}

HlTokenMap *
hl_token_map_new_spans (gsize              n_tokens,
                        const HlTokenSpan *spans,
                        gsize              n)
{
  HlTokenMap *self = new_with_room (n_tokens, n);

  for (self->n = 0; self->n < n; self->n++)
    self->spans[self->n] = spans[self->n];
  return self;
}

/* Returns the map without the spans in which a token is hidden: what was hidden does not come back when words are
 * shown. */
HlTokenMap *
hl_token_map_hide (HlTokenMap   *self,
                   const guint8 *hidden)
{
  HlTokenMap *left;

  g_return_val_if_fail (self != NULL && hidden != NULL, NULL);

  left = new_with_room (self->n_tokens, self->n);
  for (gsize i = 0; i < self->n; i++)
    {
      const HlTokenSpan *span = &self->spans[i];
      gboolean is_hidden = FALSE;
      for (gsize token = span->first; token < span->first + span->n; token++)
        is_hidden |= hidden[token] != 0;
      if (!is_hidden)
        left->spans[left->n++] = *span;
    }
  return left;
}

HlTokenMap *
hl_token_map_ref (HlTokenMap *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  g_free (((HlTokenMap *) data)->spans);
}

void
hl_token_map_unref (HlTokenMap *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/* Returns how many tokens there are, shown or not. */
gsize
hl_token_map_get_n_tokens (const HlTokenMap *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_tokens;
}

gsize
hl_token_map_get_n (const HlTokenMap *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n;
}

const HlTokenSpan *
hl_token_map_get_spans (const HlTokenMap *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->spans;
}

/* Returns whether it shows every token by itself. */
gboolean
hl_token_map_is_trivial (const HlTokenMap *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return self->n == self->n_tokens;
}

/* Returns whether both show the same spans of as many tokens. */
gboolean
hl_token_map_equal (const HlTokenMap *a,
                    const HlTokenMap *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return a == b ||
         (a->n_tokens == b->n_tokens && a->n == b->n && memcmp (a->spans, b->spans, a->n * sizeof *a->spans) == 0);
}

/* The first span that ends after @token; n if none does. */
static gsize
find_from (const HlTokenMap *self,
           gsize             token)
{
  gsize low = 0, high = self->n;

  while (low < high)
    {
      const gsize middle = low + (high - low) / 2;
      if (self->spans[middle].first + self->spans[middle].n <= token)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

gboolean
hl_token_map_find (const HlTokenMap *self,
                   gsize             token,
                   gsize            *index)
{
  g_return_val_if_fail (self != NULL && index != NULL, FALSE);

  *index = find_from (self, token);
  return *index < self->n && self->spans[*index].first <= token;
}

/* Returns how many spans begin before it. */
gsize
hl_token_map_count_before (const HlTokenMap *self,
                           gsize             token)
{
  gsize index;

  g_return_val_if_fail (self != NULL, 0);

  index = find_from (self, token);
  return index < self->n && self->spans[index].first < token ? index + 1 : index;
}
