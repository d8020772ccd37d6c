/* SPDX-License-Identifier: MIT */
/* Words, which of them depends on which, and which of them name the same. */
#include "core/document/tokens/hl-annotation.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

struct _HlAnnotation
{
  gatomicrefcount n_refs;
  GArray *words;    /* of HlAnnotatedWord */
  GArray *mentions; /* of HlMention */
};

static void
clear_word (gpointer data)
{
  HlAnnotatedWord *word = data;

  g_free (word->form);
  g_free (word->relation);
}

/**
 * hl_annotation_new:
 *
 * Returns: (transfer full): an annotation without words
 */
HlAnnotation *
hl_annotation_new (void)
{
  HlAnnotation *self = g_new (HlAnnotation, 1);

  g_atomic_ref_count_init (&self->n_refs);
  self->words = g_array_new (FALSE, FALSE, sizeof (HlAnnotatedWord));
  g_array_set_clear_func (self->words, clear_word);
  self->mentions = g_array_new (FALSE, FALSE, sizeof (HlMention));
  return self;
}

/**
 * hl_annotation_ref:
 * @self: an annotation
 *
 * Returns: (transfer full): the same
 */
HlAnnotation *
hl_annotation_ref (HlAnnotation *self)
{
  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

/**
 * hl_annotation_unref:
 * @self: (transfer full): an annotation
 */
void
hl_annotation_unref (HlAnnotation *self)
{
  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  g_array_unref (self->words);
  g_array_unref (self->mentions);
  g_free (self);
}

/**
 * hl_annotation_add_word:
 * @self: an annotation that nobody else has yet
 * @form: how the word is written
 * @head: the word it depends on, which may come later; %HL_WORD_ROOT or %HL_WORD_NONE
 * @relation: (nullable): what it is to that
 * @space_after: whether a space follows
 */
void
hl_annotation_add_word (HlAnnotation *self,
                        const char   *form,
                        int           head,
                        const char   *relation,
                        gboolean      space_after)
{
  const HlAnnotatedWord word = { g_strdup (form), head, g_strdup (relation), space_after };

  g_array_append_val (self->words, word);
}

/**
 * hl_annotation_add_mention:
 * @self: an annotation that nobody else has yet
 * @mention: some of its words
 */
void
hl_annotation_add_mention (HlAnnotation    *self,
                           const HlMention *mention)
{
  g_return_if_fail (mention->n > 0 && mention->first + mention->n <= self->words->len);
  g_return_if_fail (mention->head - mention->first < mention->n);

  g_array_append_vals (self->mentions, mention, 1);
}

/**
 * hl_annotation_append:
 * @self: an annotation that nobody else has yet
 * @other: what follows it
 */
void
hl_annotation_append (HlAnnotation       *self,
                      const HlAnnotation *other)
{
  const guint start = self->words->len;

  for (guint i = 0; i < other->words->len; i++)
    {
      const HlAnnotatedWord *word = hl_annotation_get_word (other, i);
      hl_annotation_add_word (self, word->form, word->head >= 0 ? word->head + (int) start : word->head, word->relation,
                              word->space_after);
    }
  for (guint i = 0; i < other->mentions->len; i++)
    {
      HlMention mention = *hl_annotation_get_mention (other, i);
      mention.first += start;
      mention.head += start;
      hl_annotation_add_mention (self, &mention);
    }
}

/**
 * hl_annotation_new_of_lists:
 * @words: (array length=n): words
 * @heads: (array length=n): of each the number of its head, from 1, and 0 of one that depends on no other
 * @relations: (nullable) (array length=n): what each is to its head
 * @n: how many
 * @error: %HL_ERROR_VALUE for a head that is none of the words, %HL_ERROR_TOO_LARGE for more than %HL_LIMIT_ANNOTATION_WORDS
 *
 * As pickles of parsed sentences have them: Clark et al. 2019.
 *
 * Returns: (transfer full) (nullable): an annotation
 */
HlAnnotation *
hl_annotation_new_of_lists (const char *const *words,
                            const float       *heads,
                            const char *const *relations,
                            gsize              n,
                            GError           **error)
{
  g_autoptr (HlAnnotation) self = hl_annotation_new ();

  if (n > HL_LIMIT_ANNOTATION_WORDS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are %zu words; at most %u are read"), n,
                   HL_LIMIT_ANNOTATION_WORDS);
      return NULL;
    }
  for (gsize i = 0; i < n; i++)
    {
      const double head = heads[i];

      if (!(head >= 0 && head <= (double) n) || head != floor (head) || head == (double) (i + 1))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("the head of word %zu is %g; it is another of the %zu words, or 0"), i + 1, head, n);
          return NULL;
        }
      hl_annotation_add_word (self, words[i], head > 0 ? (int) head - 1 : HL_WORD_ROOT,
                              relations != NULL ? relations[i] : NULL, TRUE);
    }
  return g_steal_pointer (&self);
}

/**
 * hl_annotation_get_n:
 * @self: an annotation
 *
 * Returns: how many words there are
 */
guint
hl_annotation_get_n (const HlAnnotation *self)
{
  return self->words->len;
}

/**
 * hl_annotation_get_word:
 * @self: an annotation
 * @index: which word
 *
 * Returns: (transfer none): it
 */
const HlAnnotatedWord *
hl_annotation_get_word (const HlAnnotation *self,
                        guint               index)
{
  g_return_val_if_fail (index < self->words->len, NULL);

  return &g_array_index (self->words, HlAnnotatedWord, index);
}

/**
 * hl_annotation_get_n_mentions:
 * @self: an annotation
 *
 * Returns: how many mentions there are
 */
guint
hl_annotation_get_n_mentions (const HlAnnotation *self)
{
  return self->mentions->len;
}

/**
 * hl_annotation_get_mention:
 * @self: an annotation
 * @index: which mention
 *
 * Returns: (transfer none): it
 */
const HlMention *
hl_annotation_get_mention (const HlAnnotation *self,
                           guint               index)
{
  g_return_val_if_fail (index < self->mentions->len, NULL);

  return &g_array_index (self->mentions, HlMention, index);
}

/**
 * hl_annotation_make_text:
 * @self: an annotation
 * @starts: (out caller-allocates) (array): where in the text each word begins, in bytes, as many as there are words
 *
 * Returns: (transfer full): the words one after another, with spaces where there are some
 */
char *
hl_annotation_make_text (const HlAnnotation *self,
                         gsize              *starts)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->words->len; i++)
    {
      const HlAnnotatedWord *word = hl_annotation_get_word (self, i);
      starts[i] = text->len;
      g_string_append (text, word->form);
      if (word->space_after && i + 1 < self->words->len)
        g_string_append_c (text, ' ');
    }
  return g_string_free (text, FALSE);
}
