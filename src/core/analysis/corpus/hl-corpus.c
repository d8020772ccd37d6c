/* SPDX-License-Identifier: MIT */
/* Many texts, of which one is in memory at a time. */
#include "core/analysis/corpus/hl-corpus.h"

#include "core/base/hl-error.h"
#include "core/model/hl-model-run.h"

#include <glib/gi18n-lib.h>

/* Texts with more bytes are read by all threads together. */
#define LONG_TEXT 4096

/* A word stands among nine other columns. */
#define LONG_SENTENCE (8 * LONG_TEXT)

struct _HlCorpus
{
  GObject parent_instance;

  HlModel *model;
  HlTextList *texts;   /* a model reads these */
  HlConllu *sentences; /* or these; */
  HlDocument *document;
  GArray *examples; /* of guint; else they are of a file */
};

G_DEFINE_FINAL_TYPE (HlCorpus, hl_corpus, G_TYPE_OBJECT)

static void
hl_corpus_finalize (GObject *object)
{
  HlCorpus *self = HL_CORPUS (object);

  g_clear_object (&self->model);
  g_clear_pointer (&self->texts, hl_text_list_unref);
  g_clear_pointer (&self->sentences, hl_conllu_unref);
  g_clear_object (&self->document);
  g_clear_pointer (&self->examples, g_array_unref);
  G_OBJECT_CLASS (hl_corpus_parent_class)->finalize (object);
}

static void
hl_corpus_class_init (HlCorpusClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_corpus_finalize;
}

static void
hl_corpus_init (HlCorpus *self)
{
}

/**
 * hl_corpus_new_for_texts:
 * @model: a model
 * @texts: what it reads
 * @error: that the model has no tokenizer
 *
 * What stands behind a tab is a second text behind the first or, of a model that writes, what its decoder is to write. A text that is longer than
 * the model takes is cut, as it is where it is read alone, and has a check of the topic %HL_CHECK_TOPIC_LENGTH.
 *
 * Returns: (transfer full) (nullable): the texts as the model reads them
 */
HlCorpus *
hl_corpus_new_for_texts (HlModel    *model,
                         HlTextList *texts,
                         GError    **error)
{
  g_return_val_if_fail (HL_IS_MODEL (model), NULL);
  g_return_val_if_fail (texts != NULL, NULL);

  if (hl_model_require_tokenizer (model, error) == NULL)
    return NULL;
  HlCorpus *self = g_object_new (HL_TYPE_CORPUS, NULL);
  self->model = g_object_ref (model);
  self->texts = hl_text_list_ref (texts);
  return self;
}

/**
 * hl_corpus_new_for_sentences:
 * @model: a model
 * @sentences: what it reads, a sentence a text
 * @error: that the model has no tokenizer
 *
 * Returns: (transfer full) (nullable): the sentences as the model reads them
 */
HlCorpus *
hl_corpus_new_for_sentences (HlModel  *model,
                             HlConllu *sentences,
                             GError  **error)
{
  g_return_val_if_fail (HL_IS_MODEL (model), NULL);
  g_return_val_if_fail (sentences != NULL, NULL);

  if (hl_model_require_tokenizer (model, error) == NULL)
    return NULL;
  HlCorpus *self = g_object_new (HL_TYPE_CORPUS, NULL);
  self->model = g_object_ref (model);
  self->sentences = hl_conllu_ref (sentences);
  return self;
}

/**
 * hl_corpus_new_for_examples:
 * @document: a file with examples
 * @examples: (nullable) (array length=n): which of them; %NULL for all that are not steps of others
 * @n: how many
 *
 * Returns: (transfer full): these
 */
HlCorpus *
hl_corpus_new_for_examples (HlDocument  *document,
                            const guint *examples,
                            guint        n)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (document), NULL);

  HlCorpus *self = g_object_new (HL_TYPE_CORPUS, NULL);
  self->document = g_object_ref (document);
  self->examples = g_array_new (FALSE, FALSE, sizeof (guint));
  if (examples != NULL)
    g_array_append_vals (self->examples, examples, n);
  for (guint i = 0; examples == NULL && i < hl_document_get_n_examples (document); i++)
    if (!hl_document_is_part (document, i))
      g_array_append_val (self->examples, i);
  return self;
}

/**
 * hl_corpus_get_n:
 * @self: texts
 *
 * Returns: how many there are
 */
guint
hl_corpus_get_n (HlCorpus *self)
{
  g_return_val_if_fail (HL_IS_CORPUS (self), 0);

  if (self->sentences != NULL)
    return hl_conllu_get_n (self->sentences);
  return self->texts != NULL ? hl_text_list_get_n (self->texts) : self->examples->len;
}

/**
 * hl_corpus_is_long:
 * @self: texts
 * @index: one of them
 *
 * Returns: whether it takes so much memory and time that it should be read alone
 */
gboolean
hl_corpus_is_long (HlCorpus *self,
                   guint     index)
{
  g_return_val_if_fail (HL_IS_CORPUS (self), FALSE);

  if (self->sentences != NULL)
    return hl_conllu_get_size (self->sentences, index) > LONG_SENTENCE;
  return self->texts != NULL && hl_text_list_get_size (self->texts, index) > LONG_TEXT;
}

/**
 * hl_corpus_get_place:
 * @self: texts
 * @index: one of them
 *
 * Returns: (transfer full): where it stands, for people: "line 7"
 */
char *
hl_corpus_get_place (HlCorpus *self,
                     guint     index)
{
  g_return_val_if_fail (HL_IS_CORPUS (self), NULL);

  if (self->sentences != NULL)
    return g_strdup_printf (_ ("line %u"), hl_conllu_get_line (self->sentences, index));
  if (self->texts != NULL)
    return g_strdup_printf (_ ("line %u"), hl_text_list_get_line (self->texts, index));
  const guint example = g_array_index (self->examples, guint, index);
  const char *name = hl_document_get_example_name (self->document, example);
  return name != NULL ? g_strdup_printf (_ ("example “%s”"), name) : g_strdup_printf (_ ("example %u"), example);
}

static gboolean
dup_text (HlCorpus *self,
          guint     index,
          char    **text,
          char    **second,
          GError  **error)
{
  if (self->texts != NULL)
    return hl_text_list_dup (self->texts, index, text, second, error);
  g_autoptr (HlAnnotation) annotation = hl_conllu_read (self->sentences, index, error);
  if (annotation == NULL)
    return FALSE;
  g_autofree gsize *starts = g_new (gsize, hl_annotation_get_n (annotation));
  *text = hl_annotation_make_text (annotation, starts);
  *second = NULL;
  return TRUE;
}

static HlDocument *
run_model (HlCorpus     *self,
           guint         index,
           GCancellable *cancellable,
           GError      **error)
{
  g_autofree char *text = NULL, *second = NULL;

  if (!dup_text (self, index, &text, &second, error))
    return NULL;
  const gboolean writes = hl_model_has_decoder (self->model);
  const HlModelText model_text = { .text = text,
                                   .text_pair = writes ? NULL : second,
                                   .target_text = writes ? second : NULL };
  g_autoptr (HlModelRun) run = hl_model_run_new (self->model, &model_text, error);
  if (run == NULL || !hl_model_run_execute (run, NULL, cancellable, error))
    return NULL;
  return g_object_ref (hl_model_run_get_document (run));
}

/**
 * hl_corpus_read:
 * @self: texts
 * @index: one of them
 * @example: (out) (transfer full): what follows from it, with all its numbers
 * @cancellable: (nullable): stops it
 * @error: as hl_model_run_new(), hl_model_run_execute() and hl_document_get_example(), with the place of the text in front
 *
 * Returns: (transfer full) (nullable): the document that it is of
 */
HlDocument *
hl_corpus_read (HlCorpus     *self,
                guint         index,
                HlExample   **example,
                GCancellable *cancellable,
                GError      **error)
{
  g_return_val_if_fail (HL_IS_CORPUS (self), NULL);
  g_return_val_if_fail (index < hl_corpus_get_n (self), NULL);

  g_autoptr (HlDocument) document = self->model != NULL ? run_model (self, index, cancellable, error)
                                                        : g_object_ref (self->document);
  const guint which = self->model != NULL ? 0 : g_array_index (self->examples, guint, index);
  *example = document != NULL ? hl_document_get_example (document, which, cancellable, error) : NULL;
  if (*example != NULL)
    return g_steal_pointer (&document);
  g_autofree char *place = hl_corpus_get_place (self, index);
  g_prefix_error (error, "%s: ", place);
  return NULL;
}
