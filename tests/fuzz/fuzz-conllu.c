/* SPDX-License-Identifier: MIT */
/* Any bytes as annotated sentences, and as a list of texts. */
#include "fuzz.h"

#include "core/analysis/corpus/hl-conllu.h"
#include "core/analysis/corpus/hl-text-list.h"

static void
look_at_sentence (const HlConllu *conllu,
                  guint           sentence)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlAnnotation) annotation = hl_conllu_read (conllu, sentence, &error);

  g_assert_no_error (error);
  const guint n = hl_annotation_get_n (annotation);
  g_assert (n > 0);
  g_autofree gsize *starts = g_new (gsize, n);
  g_autofree char *text = hl_annotation_make_text (annotation, starts);
  g_assert (g_utf8_validate (text, -1, NULL));
  for (guint i = 0; i < n; i++)
    {
      const HlAnnotatedWord *word = hl_annotation_get_word (annotation, i);
      g_assert (g_str_has_prefix (text + starts[i], word->form));
      g_assert (word->head < (int) n && word->head != (int) i);
    }
  for (guint i = 0; i < hl_annotation_get_n_mentions (annotation); i++)
    {
      const HlMention *mention = hl_annotation_get_mention (annotation, i);
      g_assert (mention->n > 0 && mention->first + mention->n <= n && mention->head - mention->first < mention->n);
    }
}

static void
look_at_texts (const guint8 *bytes,
               gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTextList) list = hl_text_list_parse ((const char *) bytes, size, &error);

  g_assert ((list == NULL) == (error != NULL));
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL));
  for (guint i = 0; list != NULL && i < hl_text_list_get_n (list); i++)
    {
      g_autofree char *text = NULL, *second = NULL;
      g_assert (hl_text_list_dup (list, i, &text, &second, NULL));
      g_assert (g_utf8_validate (text, -1, NULL));
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlConllu) conllu = hl_conllu_parse ((const char *) bytes, size, &error);

  g_assert ((conllu == NULL) == (error != NULL));
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL));
  for (guint i = 0; conllu != NULL && i < hl_conllu_get_n (conllu); i++)
    look_at_sentence (conllu, i);
  look_at_texts (bytes, size);
  return 0;
}
