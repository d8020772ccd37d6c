/* SPDX-License-Identifier: MIT */
/* Holds the heads of a model, or of the examples of a file, against annotations, a text at a time. A model reads sentences for dependencies, and for
 * coreference documents, as much of them at a time as it takes. */
#include "core/analysis/corpus/hl-probe-run.h"

#include "core/analysis/corpus/hl-corpus-work.h"
#include "core/analysis/corpus/hl-word-runs.h"
#include "core/base/hl-error.h"
#include "core/model/hl-model-run.h"
#include "core/source/make/hl-source-factory.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Tokens that a document is read at a time, of a model that takes more. */
#define MAX_WINDOW 1024

/* Sentences that are read as one text. */
typedef struct
{
  guint first;
  guint n;
  gsize size; /* about how many bytes */
  HlProbeTasks tasks;
} Unit;

typedef struct
{
  HlModel *model;
  HlDocument *document;
  const HlConllu *sentences;
  GArray *examples; /* (element-type guint): of a document */
  GArray *units;    /* of Unit */
  HlProbe *probe;
  HlCorpusDerive derive;
  HlProbeFunc func;
  gpointer data;
} Run;

static gsize
get_size (gpointer data,
          guint    index)
{
  const Run *self = data;

  return g_array_index (self->units, Unit, index).size;
}

static HlAnnotation *
read_unit (const Run  *self,
           const Unit *unit,
           GError    **error)
{
  if (unit->n == 1)
    return hl_conllu_read (self->sentences, unit->first, error);
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  for (guint i = unit->first; i < unit->first + unit->n; i++)
    {
      g_autoptr (HlAnnotation) sentence = hl_conllu_read (self->sentences, i, error);
      if (sentence == NULL)
        return NULL;
      hl_annotation_append (annotation, sentence);
    }
  return g_steal_pointer (&annotation);
}

/* Which attention is that of a text on itself. */
static HlAttention *
find_attention (HlExample *example,
                guint     *index,
                GError   **error)
{
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      *index = i;
      if (hl_attention_get_kind (attention) != HL_ATTENTION_CROSS && hl_attention_has_same_tokens (attention) &&
          hl_attention_get_n (attention, HL_QUERIES) == hl_attention_get_n (attention, HL_KEYS))
        return attention;
    }
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no attention of a text on itself"));
  return NULL;
}

/* The maps that are held against the words, of all tokens. */
static HlAttentionSource *
make_source (const Run *self,
             HlExample *example,
             guint      index,
             GError   **error)
{
  HlAttention *attention = hl_example_get_attention (example, index);
  g_autoptr (HlAttentionSource) source = NULL;
  g_autoptr (HlAttention) derived = NULL;

  if (self->derive == NULL)
    return hl_attention_make_source (attention);
  if (!self->derive (example, index, &derived, &source, self->data, error))
    return NULL;
  for (HlSide side = 0; side <= HL_KEYS; side++)
    if (hl_attention_get_n (derived, side) != hl_attention_get_n (attention, side))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                     _ ("words are looked for among all tokens, and some are left out"));
        return NULL;
      }
  return g_steal_pointer (&source);
}

static gboolean
add (const Run          *self,
     HlProbe            *probe,
     HlExample          *example,
     guint               index,
     const HlAnnotation *annotation,
     const HlTokenSpan  *runs,
     HlProbeTasks        tasks,
     GCancellable       *cancellable,
     GError            **error)
{
  g_autoptr (HlAttentionSource) source = make_source (self, example, index, error);

  if (hl_probe_get_n_layers (probe) == 0)
    hl_probe_set_kind (probe, hl_attention_get_kind (hl_example_get_attention (example, index)));
  return source != NULL && hl_probe_add (probe, source, annotation, runs, tasks, cancellable, error);
}

/* A unit, and what a model makes of it. */
typedef struct
{
  const Unit *unit;
  HlAnnotation *annotation;
  gsize *starts; /* of words in the text */
  HlEncoding *encoding;
  HlModelRun *run;
} Reading;

static void
reading_clear (Reading *self)
{
  g_clear_pointer (&self->annotation, hl_annotation_unref);
  g_clear_pointer (&self->starts, g_free);
  g_clear_pointer (&self->encoding, hl_encoding_free);
  g_clear_object (&self->run);
}

static gboolean
reading_begin (Reading   *self,
               const Run *run,
               GError   **error)
{
  self->annotation = read_unit (run, self->unit, error);
  if (self->annotation == NULL)
    return FALSE;
  self->starts = g_new (gsize, hl_annotation_get_n (self->annotation));
  g_autofree char *text = hl_annotation_make_text (self->annotation, self->starts);
  const HlModelText model_text = { .text = text };
  self->encoding = hl_tokenizer_encode (hl_model_get_tokenizer (run->model), text, NULL,
                                        (guint) MIN (hl_model_get_max_length (run->model), G_MAXUINT32), error);
  self->run = self->encoding != NULL ? hl_model_run_new (run->model, &model_text, error) : NULL;
  return self->run != NULL;
}

static gboolean
reading_measure (const Reading *self,
                 const Run     *run,
                 HlProbe       *probe,
                 GCancellable  *cancellable,
                 GError       **error)
{
  HlDocument *document = hl_model_run_get_document (self->run);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, cancellable, error);
  guint index = 0;
  HlAttention *attention = example != NULL ? find_attention (example, &index, error) : NULL;

  if (attention == NULL)
    return FALSE;
  g_autofree HlTokenSpan *runs = hl_word_runs_find_by_offsets (self->annotation, self->starts, self->encoding,
                                                               hl_attention_get_n (attention, HL_KEYS));
  return add (run, probe, example, index, self->annotation, runs, self->unit->tasks, cancellable, error);
}

/* What is counted of a group is all in the first of its results. */
static gboolean
measure_readings (const Run    *self,
                  Reading      *readings,
                  guint         n,
                  gpointer     *results,
                  guint        *n_done,
                  GCancellable *cancellable,
                  GError      **error)
{
  HlModelRun *runs[HL_CORPUS_WORK_MAX_GROUP] = { NULL };

  for (*n_done = 0; *n_done < n; ++*n_done)
    {
      if (!reading_begin (&readings[*n_done], self, error))
        return FALSE;
      runs[*n_done] = readings[*n_done].run;
    }
  *n_done = 0;
  if (!hl_model_run_execute_together (runs, n, cancellable, error))
    return FALSE;
  for (; *n_done < n; ++*n_done)
    {
      results[*n_done] = hl_probe_new ();
      if (!reading_measure (&readings[*n_done], self, results[0], cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
measure_units (gpointer      data,
               guint         first,
               guint         n,
               gpointer     *results,
               GCancellable *cancellable,
               GError      **error)
{
  const Run *self = data;
  Reading readings[HL_CORPUS_WORK_MAX_GROUP] = { { NULL } };
  guint n_done;

  for (guint i = 0; i < n; i++)
    readings[i].unit = &g_array_index (self->units, Unit, first + i);
  const gboolean done = measure_readings (self, readings, n, results, &n_done, cancellable, error);
  if (!done)
    g_prefix_error (error, _ ("the sentence of line %u: "),
                    hl_conllu_get_line (self->sentences, readings[n_done].unit->first));
  for (guint i = 0; i < n; i++)
    {
      if (!done)
        g_clear_pointer (&results[i], hl_probe_free);
      reading_clear (&readings[i]);
    }
  return done;
}

/* Examples of a file have nothing from being read together. */
static gboolean
measure_example (gpointer      data,
                 guint         index,
                 guint         n,
                 gpointer     *results,
                 GCancellable *cancellable,
                 GError      **error)
{
  const Run *self = data;
  const guint number = g_array_index (self->examples, guint, index);
  const Unit *unit = self->sentences != NULL ? &g_array_index (self->units, Unit, index) : NULL;
  g_autoptr (HlExample) example = hl_document_get_example (self->document, number, cancellable, error);
  g_autoptr (HlAnnotation) annotation = NULL;
  g_autoptr (HlProbe) probe = hl_probe_new ();
  gboolean done = FALSE;

  if (example != NULL && unit != NULL)
    annotation = read_unit (self, unit, error);
  else if (example != NULL && hl_example_get_annotation (example) != NULL)
    annotation = hl_annotation_ref (hl_example_get_annotation (example));
  else if (example != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("it has no “words” with “heads”"));
  guint place = 0;
  HlAttention *attention = annotation != NULL ? find_attention (example, &place, error) : NULL;
  if (attention != NULL && !hl_attention_has_tokens (attention, HL_KEYS))
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("it has no tokens to find the words among"));
  else if (attention != NULL)
    {
      g_autofree HlTokenSpan *runs = hl_word_runs_find_by_text (annotation,
                                                                hl_attention_get_tokens (attention, HL_KEYS),
                                                                hl_attention_get_n_used (attention, HL_KEYS), error);
      done = runs != NULL && add (self, probe, example, place, annotation, runs,
                                  unit != NULL ? unit->tasks : HL_PROBE_DEPENDENCIES, cancellable, error);
    }
  if (done)
    *results = g_steal_pointer (&probe);
  else
    g_prefix_error (error, _ ("example %u: "), number);
  return done;
}

static gsize
get_room (gpointer data,
          gpointer result)
{
  return hl_probe_get_size (result);
}

static gboolean
take (gpointer data,
      guint    index,
      gpointer result,
      GError **error)
{
  Run *self = data;

  return hl_probe_merge (self->probe, result, error);
}

static void
show (gpointer data,
      guint    n_done)
{
  Run *self = data;

  self->func (hl_probe_copy (self->probe), self->data);
}

static HlProbe *
go (Run          *self,
    guint         n,
    gboolean      by_example,
    HlProgress   *progress,
    GCancellable *cancellable,
    GError      **error)
{
  const HlCorpusWork work = {
    .n = n,
    .get_size = by_example ? NULL : get_size,
    .measure = by_example ? measure_example : measure_units,
    .get_room = get_room,
    .take = take,
    .free_result = (GDestroyNotify) hl_probe_free,
    .show = self->func != NULL ? show : NULL,
    .data = self,
  };

  self->probe = hl_probe_new ();
  if (hl_corpus_work_run (&work, progress, cancellable, error))
    return g_steal_pointer (&self->probe);
  if (self->func != NULL && hl_probe_get_n_texts (self->probe) > 0)
    self->func (hl_probe_copy (self->probe), self->data);
  return NULL;
}

static void
run_clear (Run *self)
{
  g_clear_pointer (&self->examples, g_array_unref);
  g_clear_pointer (&self->units, g_array_unref);
  g_clear_pointer (&self->probe, hl_probe_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static void
add_unit (Run         *self,
          guint        first,
          guint        n,
          gsize        size,
          HlProbeTasks tasks)
{
  const Unit unit = { first, n, size, tasks };

  g_array_append_val (self->units, unit);
}

/* The tokens that a sentence takes of a model's room, its special ones not counted; and its bytes. */
static gboolean
measure_sentence (const Run *self,
                  guint      sentence,
                  gsize     *n_tokens,
                  gsize     *size,
                  GError   **error)
{
  g_autoptr (HlAnnotation) annotation = hl_conllu_read (self->sentences, sentence, error);
  if (annotation == NULL)
    return FALSE;
  g_autofree gsize *starts = g_new (gsize, hl_annotation_get_n (annotation));
  g_autofree char *text = hl_annotation_make_text (annotation, starts);
  *size = strlen (text);
  if (n_tokens == NULL)
    return TRUE;
  g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (hl_model_get_tokenizer (self->model), text, NULL, 0, error);
  if (encoding == NULL)
    return FALSE;
  *n_tokens = 0;
  for (guint i = 0; i < encoding->n_tokens; i++)
    *n_tokens += !encoding->special[i];
  return TRUE;
}

/* Documents, or as many of their sentences as a model takes. */
static gboolean
list_documents (Run          *self,
                GCancellable *cancellable,
                GError      **error)
{
  const gsize limit = hl_model_get_max_length (self->model);
  const guint n = hl_conllu_get_n (self->sentences);
  g_autoptr (HlEncoding) empty = hl_tokenizer_encode (hl_model_get_tokenizer (self->model), "", NULL, 0, error);
  gsize n_all = 0, size_all = 0;
  guint first = 0;

  if (empty == NULL)
    return FALSE;
  const gsize room = (limit > 0 ? MIN (limit, MAX_WINDOW) : MAX_WINDOW) - MIN (empty->n_tokens, MAX_WINDOW / 2);
  for (guint i = 0; i < n; i++)
    {
      gsize n_tokens, size;

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !measure_sentence (self, i, &n_tokens, &size, error))
        return FALSE;
      if (i > first && (hl_conllu_begins_document (self->sentences, i) || n_all + n_tokens > room))
        {
          add_unit (self, first, i - first, size_all, HL_PROBE_COREFERENCE);
          first = i;
          n_all = size_all = 0;
        }
      n_all += n_tokens;
      size_all += size + 1;
    }
  add_unit (self, first, n - first, size_all, HL_PROBE_COREFERENCE);
  return TRUE;
}

static gboolean
check_sentences (const HlConllu *sentences,
                 GError        **error)
{
  if (hl_conllu_has_dependencies (sentences) || hl_conllu_has_mentions (sentences))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("no word has a head, and there are no mentions"));
  return FALSE;
}

/**
 * hl_probe_run_model:
 * @model: a model with a tokenizer
 * @sentences: what it reads
 * @progress: (nullable): told how far it is
 * @derive: (nullable) (scope call): makes the maps that heads are held against, of all tokens; %NULL for weights
 * @func: (nullable) (scope call): told what is known so far
 * @data: for both
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_MISSING where nothing is annotated; as hl_model_run_new() and hl_probe_add(); or %G_IO_ERROR_CANCELLED
 *
 * Dependencies are of a sentence, which the model reads alone; coreference is of a document, of which it reads as many sentences at a time as it
 * takes, and at most 1,024 tokens. What is too long is cut, and words that are cut off are left out. Blocks: call it from a worker.
 *
 * Returns: (transfer full) (nullable): how often heads are right
 */
HlProbe *
hl_probe_run_model (HlModel        *model,
                    const HlConllu *sentences,
                    HlProgress     *progress,
                    HlCorpusDerive  derive,
                    HlProbeFunc     func,
                    gpointer        data,
                    GCancellable   *cancellable,
                    GError        **error)
{
  g_return_val_if_fail (HL_IS_MODEL (model), NULL);
  g_return_val_if_fail (sentences != NULL, NULL);

  g_auto (Run) self = { .model = model, .sentences = sentences, .derive = derive, .func = func, .data = data };
  self.units = g_array_new (FALSE, FALSE, sizeof (Unit));
  if (!check_sentences (sentences, error) || hl_model_require_tokenizer (model, error) == NULL)
    return NULL;
  for (guint i = 0; hl_conllu_has_dependencies (sentences) && i < hl_conllu_get_n (sentences); i++)
    {
      gsize size;
      if (g_cancellable_set_error_if_cancelled (cancellable, error) || !measure_sentence (&self, i, NULL, &size, error))
        return NULL;
      add_unit (&self, i, 1, size, HL_PROBE_DEPENDENCIES);
    }
  if (hl_conllu_has_mentions (sentences) && !list_documents (&self, cancellable, error))
    return NULL;
  return go (&self, self.units->len, FALSE, progress, cancellable, error);
}

/* Which sentences belong to each example: one, or a document. */
static gboolean
match_examples (Run     *self,
                guint    n_examples,
                GError **error)
{
  const guint n = hl_conllu_get_n (self->sentences);
  const HlProbeTasks tasks = (hl_conllu_has_dependencies (self->sentences) ? HL_PROBE_DEPENDENCIES : 0) |
                             (hl_conllu_has_mentions (self->sentences) ? HL_PROBE_COREFERENCE : 0);
  guint n_documents = 0;

  for (guint i = 0; i < n; i++)
    n_documents += hl_conllu_begins_document (self->sentences, i);
  for (guint i = 0, next; i < n; i = next)
    {
      for (next = i + 1; n != n_examples && next < n && !hl_conllu_begins_document (self->sentences, next);)
        next++;
      add_unit (self, i, next - i, 0, tasks);
    }
  if (self->units->len == n_examples)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
               _ ("the annotations do not fit: there are %u sentences, %u documents and %u examples"), n, n_documents,
               n_examples);
  return FALSE;
}

/**
 * hl_probe_run_document:
 * @document: what somebody saved
 * @examples: (nullable) (array length=n): which of its examples; %NULL for all that are not steps of others
 * @n: how many
 * @sentences: (nullable): annotations, a sentence or a document for each of these examples; %NULL for those that are in the file
 * @progress: (nullable): told how far it is
 * @derive: (nullable) (scope call): makes the maps that heads are held against, of all tokens; %NULL for weights
 * @func: (nullable) (scope call): told what is known so far
 * @data: for both
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_VALUE where they do not fit, %HL_ERROR_MISSING where there are none; as hl_probe_add(); or %G_IO_ERROR_CANCELLED
 *
 * Blocks: call it from a worker.
 *
 * Returns: (transfer full) (nullable): how often heads are right
 */
HlProbe *
hl_probe_run_document (HlDocument     *document,
                       const guint    *examples,
                       guint           n,
                       const HlConllu *sentences,
                       HlProgress     *progress,
                       HlCorpusDerive  derive,
                       HlProbeFunc     func,
                       gpointer        data,
                       GCancellable   *cancellable,
                       GError        **error)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (document), NULL);

  g_auto (Run) self = { .document = document, .sentences = sentences, .derive = derive, .func = func, .data = data };
  self.units = g_array_new (FALSE, FALSE, sizeof (Unit));
  self.examples = g_array_new (FALSE, FALSE, sizeof (guint));
  if (examples != NULL)
    g_array_append_vals (self.examples, examples, n);
  for (guint i = 0; examples == NULL && i < hl_document_get_n_examples (document); i++)
    if (!hl_document_is_part (document, i))
      g_array_append_val (self.examples, i);
  if (sentences != NULL && (!check_sentences (sentences, error) || !match_examples (&self, self.examples->len, error)))
    return NULL;
  return go (&self, self.examples->len, TRUE, progress, cancellable, error);
}

/**
 * hl_probe_give:
 * @probe: how often heads are right
 * @relation: of which relation: a row of @probe
 * @attention: an attention
 * @numbers: what is known of its heads
 *
 * Returns: (transfer full): numbers that know %HL_PROBE_NUMBERS too; as they were, if they are of other heads
 */
HlHeadNumbers *
hl_probe_give (const HlProbe *probe,
               guint          relation,
               HlAttention   *attention,
               HlHeadNumbers *numbers)
{
  const guint n = hl_head_numbers_get_n (numbers);

  if (!hl_probe_is_of (probe, attention))
    return hl_head_numbers_ref (numbers);
  g_autofree double *dependency = g_new (double, MAX (n, 1)), *coreference = g_new (double, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      dependency[i] = hl_probe_get_better (probe, relation, i);
      coreference[i] = hl_probe_get_coreference (probe, i);
    }
  g_autoptr (HlHeadNumbers)
    more = hl_head_numbers_give_annotated (numbers, HL_HEAD_STAT_DEPENDENCY,
                                           hl_probe_get_n_texts_of (probe, HL_PROBE_DEPENDENCIES), dependency);
  g_autoptr (HlHeadNumbers) named = hl_head_numbers_name_relation (more, hl_probe_get_relation (probe, relation));
  return hl_head_numbers_give_annotated (named, HL_HEAD_STAT_COREFERENCE,
                                         hl_probe_get_n_texts_of (probe, HL_PROBE_COREFERENCE), coreference);
}
