/* SPDX-License-Identifier: MIT */
/* Weights from words to words: of the tokens of a key the sum, of those of a query the mean (Clark et al. 2019, section 4.1). */
#include "core/analysis/corpus/hl-word-map.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

#define NO_PLACE G_MAXUINT

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

  *self = (HlWordMap){ g_object_ref (source), runs, n_words, n, 0, NULL, NULL, NULL };
  if (hl_attention_source_get_n (source, HL_QUERIES) != n)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("it has %zu queries and %zu keys, which are not the same words"),
                   hl_attention_source_get_n (source, HL_QUERIES), n);
      return FALSE;
    }
  if (!place_words (self))
    return hl_error_set_no_memory (error);
  const gsize n_placed = MAX (self->n_placed, 1);
  self->tokens = g_try_malloc_n (MAX (n, 1) * MAX (n, 1), sizeof *self->tokens);
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

/* Takes the map of a head. */
gboolean
hl_word_map_read (HlWordMap    *self,
                  guint         layer,
                  guint         head,
                  GCancellable *cancellable,
                  GError      **error)
{
  const gsize n = self->n_tokens;
  const HlAttentionRequest request = {
    .layer = layer, .head = head, .n_queries = n, .n_keys = n, .n_rows = n, .n_columns = n
  };

  if (!hl_attention_source_read (self->source, &request, self->tokens, cancellable, error))
    return FALSE;
  for (guint i = 0; i < self->n_words; i++)
    {
      const HlTokenSpan *queries = &self->runs[i];

      if (self->places[i] == NO_PLACE)
        continue;
      for (guint j = 0; j < self->n_words; j++)
        {
          const HlTokenSpan *keys = &self->runs[j];
          double sum = 0;

          if (self->places[j] == NO_PLACE)
            continue;
          for (gsize query = queries->first; query < queries->first + queries->n; query++)
            for (gsize key = keys->first; key < keys->first + keys->n; key++)
              sum += self->tokens[query * n + key];
          self->weights[(gsize) self->places[i] * self->n_placed + self->places[j]] = sum / (double) queries->n;
        }
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
