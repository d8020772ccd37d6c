/* SPDX-License-Identifier: MIT */
/* Weights from words to words: of the tokens of a key the sum, of those of a query the mean (Clark et al. 2019, section 4.1). */
#include "core/analysis/corpus/hl-word-map.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NO_PLACE G_MAXUINT

/* Weights between tokens that are held at a time, 16 MiB: words are few, but there may be any number of tokens that are of none. */
#define BAND_SIZE ((gsize) 4 * 1024 * 1024)

/* Most words of a long sentence may stand behind what the model reads. */
static gboolean
place_words (HlWordMap *self)
{
  self->places = g_try_new (guint, MAX (self->n_words, 1));
  if (self->places == NULL)
    return FALSE;
  for (guint i = 0; i < self->n_words; i++)
    self->places[i] = self->runs[i].n > 0 ? self->n_placed++ : NO_PLACE;
  return TRUE;
}

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
  if (!place_words (self))
    return hl_error_set_no_memory (error);
  const gsize n_placed = MAX (self->n_placed, 1);
  self->n_band = CLAMP (BAND_SIZE / MAX (n, 1), 1, MAX (n, 1));
  self->tokens = g_try_malloc_n (self->n_band * MAX (n, 1), sizeof *self->tokens);
  self->weights = g_try_malloc_n (n_placed * n_placed, sizeof *self->weights);
  return (self->tokens != NULL && self->weights != NULL) || hl_error_set_no_memory (error);
}

void
hl_word_map_clear (HlWordMap *self)
{
  g_clear_object (&self->source);
  g_free (self->places);
  g_free (self->tokens);
  g_free (self->weights);
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
add_row (const HlWordMap *self,
         const float     *row,
         double          *weights)
{
  for (guint i = 0; i < self->n_words; i++)
    {
      const HlTokenSpan *keys = &self->runs[i];

      for (gsize key = keys->first; key < keys->first + keys->n; key++)
        weights[self->places[i]] += row[key];
    }
}

/* Takes the map of a head. */
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
      const HlTokenSpan *queries = &self->runs[i];

      if (self->places[i] == NO_PLACE)
        continue;
      double *weights = self->weights + (gsize) self->places[i] * self->n_placed;
      memset (weights, 0, self->n_placed * sizeof *weights);
      for (gsize query = queries->first; query < queries->first + queries->n; query++)
        {
          if (query < first || query >= end)
            {
              if (!read_band (self, layer, head, query, cancellable, error))
                return FALSE;
              first = query;
              end = MIN (query + self->n_band, self->n_tokens);
            }
          add_row (self, self->tokens + (query - first) * self->n_tokens, weights);
        }
      for (guint j = 0; j < self->n_placed; j++)
        weights[j] /= (double) queries->n;
    }
  return TRUE;
}

/* From a word to a word; 0 where either has no tokens. */
static double
get (const HlWordMap *self,
     guint            query,
     guint            key)
{
  if (self->places[query] == NO_PLACE || self->places[key] == NO_PLACE)
    return 0;
  return self->weights[(gsize) self->places[query] * self->n_placed + self->places[key]];
}

/* Returns which other word a word attends to most, or with @as_key which attends most to it: the first of equals, -1 where none has any
 * weight. */
int
hl_word_map_find_most (const HlWordMap *self,
                       guint            word,
                       gboolean         as_key)
{
  double most = 0;
  int found = -1;

  for (guint other = 0; other < self->n_words; other++)
    {
      const double weight = as_key ? get (self, other, word) : get (self, word, other);

      if (other != word && weight > most)
        {
          most = weight;
          found = (int) other;
        }
    }
  return found;
}
