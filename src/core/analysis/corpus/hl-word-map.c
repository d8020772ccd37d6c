/* SPDX-License-Identifier: MIT */
/* Weights from words to words: of the tokens of a key the sum, of those of a query the mean (Clark et al. 2019, section 4.1). */
#include "core/analysis/corpus/hl-word-map.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Weights between tokens that are held at a time, 16 MiB: words are few, but there may be any number of tokens that are of none. */
#define BAND_SIZE ((gsize) 4 * 1024 * 1024)

/* Takes no map yet. */
gboolean
hl_word_map_init (HlWordMap         *self,
                  HlAttentionSource *source,
                  const HlTokenSpan *runs,
                  guint              n_words,
                  GError           **error)
{
  const gsize n = hl_attention_source_get_n (source, HL_KEYS);

  *self = (HlWordMap){ .source = g_object_ref (source), .runs = runs, .n_words = n_words, .n_tokens = n };
  if (hl_attention_source_get_n (source, HL_QUERIES) != n)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("it has %zu queries and %zu keys, which are not the same words"),
                   hl_attention_source_get_n (source, HL_QUERIES), n);
      return FALSE;
    }
  self->n_band = CLAMP (BAND_SIZE / MAX (n, 1), 1, MAX (n, 1));
  self->tokens = g_try_malloc_n (self->n_band * MAX (n, 1), sizeof *self->tokens);
  self->weights = g_try_new (double, MAX (n_words, 1));
  self->greatest = g_try_new (double, MAX (n_words, 1));
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    self->most[side] = g_try_new (int, MAX (n_words, 1));
  return (self->tokens != NULL && self->weights != NULL && self->greatest != NULL && self->most[HL_QUERIES] != NULL &&
          self->most[HL_KEYS] != NULL) ||
         hl_error_set_no_memory (error);
}

void
hl_word_map_clear (HlWordMap *self)
{
  g_clear_object (&self->source);
  g_free (self->tokens);
  g_free (self->weights);
  g_free (self->greatest);
  g_free (self->most[HL_QUERIES]);
  g_free (self->most[HL_KEYS]);
}

static gboolean
read_band (HlWordMap    *self,
           guint         layer,
           guint         head,
           gsize         first,
           GCancellable *cancellable,
           GError      **error)
{
  const gsize n_queries = MIN (self->n_band, self->n_tokens - first);
  const HlAttentionRequest request = {
    .layer = layer,
    .head = head,
    .first_query = first,
    .n_queries = n_queries,
    .n_keys = self->n_tokens,
    .n_rows = n_queries,
    .n_columns = self->n_tokens,
  };

  return hl_attention_source_read (self->source, &request, self->tokens, cancellable, error);
}

/* What a token of a word attends to, in addition to the tokens before it. */
static void
add_row (HlWordMap   *self,
         const float *row)
{
  for (guint i = 0; i < self->n_words; i++)
    {
      const HlTokenSpan *keys = &self->runs[i];

      for (gsize key = keys->first; key < keys->first + keys->n; key++)
        self->weights[i] += row[key];
    }
}

/* The word has all its weights. Of equals the first stays, for words come in their order. */
static void
take_word (HlWordMap *self,
           guint      word)
{
  double most = 0;

  for (guint other = 0; other < self->n_words; other++)
    {
      const double weight = self->weights[other] / (double) self->runs[word].n;

      if (other == word)
        continue;
      if (weight > most)
        {
          most = weight;
          self->most[HL_QUERIES][word] = (int) other;
        }
      if (weight > self->greatest[other])
        {
          self->greatest[other] = weight;
          self->most[HL_KEYS][other] = (int) word;
        }
    }
}

/* Goes over the map of a head. */
gboolean
hl_word_map_read (HlWordMap    *self,
                  guint         layer,
                  guint         head,
                  GCancellable *cancellable,
                  GError      **error)
{
  gsize first = 0, end = 0; /* the rows that are at hand */

  for (guint i = 0; i < self->n_words; i++)
    {
      self->greatest[i] = 0;
      self->most[HL_QUERIES][i] = self->most[HL_KEYS][i] = -1;
    }
  for (guint i = 0; i < self->n_words; i++)
    {
      const HlTokenSpan *queries = &self->runs[i];

      if (queries->n == 0)
        continue;
      memset (self->weights, 0, self->n_words * sizeof *self->weights);
      for (gsize query = queries->first; query < queries->first + queries->n; query++)
        {
          if (query < first || query >= end)
            {
              if (!read_band (self, layer, head, query, cancellable, error))
                return FALSE;
              first = query;
              end = MIN (query + self->n_band, self->n_tokens);
            }
          add_row (self, self->tokens + (query - first) * self->n_tokens);
        }
      take_word (self, i);
    }
  return TRUE;
}

/* Returns which other word a query attends to most, or which attends most to a key: the first of equals, -1 where none has any weight. */
int
hl_word_map_get_most (const HlWordMap *self,
                      HlSide           side,
                      guint            word)
{
  return self->most[side][word];
}
