/* SPDX-License-Identifier: MIT */
/* Many texts, of which a few are in memory at a time. */
#include "core/analysis/corpus/hl-corpus.h"

#include "core/base/hl-error.h"
#include "core/model/hl-model-run.h"

#include <glib/gi18n-lib.h>

/* A word stands among nine other columns, most of which are short. */
#define N_COLUMNS 8

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
 * hl_corpus_has_model:
 * @self: texts
 *
 * Returns: whether a model reads them; else they are of a file
 */
gboolean
hl_corpus_has_model (HlCorpus *self)
{
  g_return_val_if_fail (HL_IS_CORPUS (self), FALSE);

  return self->model != NULL;
}

/**
 * hl_corpus_get_size:
 * @self: texts that a model reads
 * @index: one of them
 *
 * Returns: about how many bytes it has
 */
gsize
hl_corpus_get_size (HlCorpus *self,
                    guint     index)
{
  g_return_val_if_fail (HL_IS_CORPUS (self) && self->model != NULL, 0);

  return self->texts != NULL ? hl_text_list_get_size (self->texts, index)
                             : hl_conllu_get_size (self->sentences, index) / N_COLUMNS;
}

/**
 * hl_corpus_get_max_heads:
 * @self: examples of a file
 * @index: one of them, which is read if it is not kept
 *
 * Returns: how many heads that of its attentions has that has most, of all layers; 0 where it cannot be read
 */
guint
hl_corpus_get_max_heads (HlCorpus *self,
                         guint     index)
{
  g_return_val_if_fail (HL_IS_CORPUS (self) && self->document != NULL, 0);

  const guint which = g_array_index (self->examples, guint, index);
  g_autoptr (HlExample) example = hl_document_get_example (self->document, which, NULL, NULL);
  guint most = 0;

  for (guint i = 0; example != NULL && i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      guint n = 0;

      for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
        n += hl_attention_get_n_heads (attention, layer);
      most = MAX (most, n);
    }
  return most;
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

static gboolean
prefix_place (HlCorpus *self,
              guint     index,
              GError  **error)
{
  g_autofree char *place = hl_corpus_get_place (self, index);

  g_prefix_error (error, "%s: ", place);
  return FALSE;
}

static HlModelRun *
begin_run (HlCorpus *self,
           guint     index,
           GError  **error)
{
  g_autofree char *text = NULL, *second = NULL;

  if (!dup_text (self, index, &text, &second, error))
    return NULL;
  const gboolean writes = hl_model_has_decoder (self->model);
  const HlModelText model_text = { .text = text,
                                   .text_pair = writes ? NULL : second,
                                   .target_text = writes ? second : NULL };
  return hl_model_run_new (self->model, &model_text, error);
}

/* Documents of texts, which the model reads in one pass. */
static gboolean
run_model (HlCorpus     *self,
           guint         first,
           guint         n,
           HlDocument  **documents,
           GCancellable *cancellable,
           GError      **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      HlModelRun *run = begin_run (self, first + i, error);
      if (run == NULL)
        return prefix_place (self, first + i, error);
      g_ptr_array_add (runs, run);
    }
  if (!hl_model_run_execute_together ((HlModelRun **) runs->pdata, n, cancellable, error))
    return prefix_place (self, first, error);
  for (guint i = 0; i < n; i++)
    documents[i] = g_object_ref (hl_model_run_get_document (runs->pdata[i]));
  return TRUE;
}

/**
 * hl_corpus_read_together:
 * @self: texts
 * @first: the first to be read
 * @n: how many
 * @documents: (out caller-allocates) (array length=n): the documents that they are of
 * @examples: (out caller-allocates) (array length=n): what follows from each, with all its numbers
 * @cancellable: (nullable): stops it
 * @error: as hl_model_run_new(), hl_model_run_execute() and hl_document_get_example(), with a place in front: of the text to blame, or of the first
 *   where it cannot be told which it is
 *
 * Reads texts that follow one another. A model reads them in one pass, so that many short texts are done sooner, with the numbers that each would
 * have alone; memory is needed for all of them at once.
 *
 * Returns: whether all are there; if not, none is
 */
gboolean
hl_corpus_read_together (HlCorpus     *self,
                         guint         first,
                         guint         n,
                         HlDocument  **documents,
                         HlExample   **examples,
                         GCancellable *cancellable,
                         GError      **error)
{
  g_return_val_if_fail (HL_IS_CORPUS (self), FALSE);
  g_return_val_if_fail (n > 0 && first < hl_corpus_get_n (self) && n <= hl_corpus_get_n (self) - first, FALSE);

  if (self->model != NULL && !run_model (self, first, n, documents, cancellable, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (self->model == NULL)
        documents[i] = g_object_ref (self->document);
      const guint which = self->model != NULL ? 0 : g_array_index (self->examples, guint, first + i);
      examples[i] = hl_document_get_example (documents[i], which, cancellable, error);
      if (examples[i] != NULL)
        continue;
      for (guint j = 0; j < (self->model != NULL ? n : i + 1); j++)
        g_clear_object (&documents[j]);
      for (guint j = 0; j < i; j++)
        g_clear_object (&examples[j]);
      return prefix_place (self, first + i, error);
    }
  return TRUE;
}

/**
 * hl_corpus_read:
 * @self: texts
 * @index: one of them
 * @example: (out) (transfer full): what follows from it, with all its numbers
 * @cancellable: (nullable): stops it
 * @error: as hl_corpus_read_together()
 *
 * Reads one text.
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
  HlDocument *document = NULL;

  *example = NULL;
  hl_corpus_read_together (self, index, 1, &document, example, cancellable, error);
  return document;
}
