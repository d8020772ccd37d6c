/* SPDX-License-Identifier: MIT */
/* Heads held against dependencies and mentions: the example of the definitions, and counts of many texts in any order. */
#include "core/analysis/corpus/hl-corpus-work.h"
#include "core/analysis/corpus/hl-probe.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/source/make/hl-source-factory.h"
#include "test-attentions.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

static HlAttentionSource *
make_source (guint        n_layers,
             guint        n_heads,
             gsize        n,
             const float *weights)
{
  g_autoptr (HlAttention) attention = test_make_attention (n_layers, n_heads, n, n, weights);

  return hl_attention_make_source (attention);
}

static void
add (HlProbe            *probe,
     HlAttentionSource  *source,
     const HlAnnotation *annotation,
     const HlTokenSpan  *runs,
     HlProbeTasks        tasks)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_probe_add (probe, source, annotation, runs, tasks, NULL, &error));
  g_assert_no_error (error);
}

/* [CLS] a b c [SEP], a and c depend on b. */
static void
test_example (void)
{
  static const float weights[] = { .2f, .2f, .2f, .2f,  .2f,  .70f, .05f, .15f, .05f, .05f, .2f, .2f, .2f,
                                   .2f, .2f, .3f, .25f, .05f, .3f,  .1f,  .2f,  .2f,  .2f,  .2f, .2f };
  static const HlTokenSpan runs[] = { { 1, 1 }, { 2, 1 }, { 3, 1 } };
  g_autoptr (HlAttentionSource) source = make_source (1, 1, 5, weights);
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();
  HlProbeSide side;
  guint head, relation;
  int offset;

  hl_annotation_add_word (annotation, "a", 1, "nsubj", TRUE);
  hl_annotation_add_word (annotation, "b", HL_WORD_ROOT, "root", TRUE);
  hl_annotation_add_word (annotation, "c", 1, "obj", TRUE);
  add (probe, source, annotation, runs, HL_PROBE_DEPENDENCIES);
  g_assert_cmpuint (hl_probe_get_n (probe, HL_PROBE_ALL), ==, 2);
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, HL_PROBE_ALL, HL_PROBE_DEPENDENT, 0), ==, .5);
  g_assert_cmpfloat (hl_probe_get_baseline (probe, HL_PROBE_ALL, &offset), ==, .5);
  g_assert_cmpint (ABS (offset), ==, 1);
  g_assert_true (hl_probe_find_relation (probe, "nsubj", &relation));
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, relation, HL_PROBE_DEPENDENT, 0), ==, 1);
  g_assert_cmpfloat (hl_probe_get_baseline (probe, relation, &offset), ==, 1);
  g_assert_cmpint (offset, ==, 1);
  g_assert_true (hl_probe_find_relation (probe, "obj", &relation));
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, relation, HL_PROBE_DEPENDENT, 0), ==, 0);
  g_assert_cmpfloat (hl_probe_get_baseline (probe, relation, &offset), ==, 1);
  g_assert_cmpint (offset, ==, -1);
  g_assert_false (hl_probe_find_relation (probe, "root", &relation));
  g_assert_true (hl_probe_find_best (probe, HL_PROBE_ALL, &side, &head));
  /* Of words, c attends to a most, .25, and b to a, .2; b attends to c more than a does, .2 and .05. */
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, HL_PROBE_ALL, HL_PROBE_HEAD, 0), ==, .5);
}

/* Words of two tokens: of a key the sum, of a query the mean. */
static void
test_pieces (void)
{
  static const float weights[] = { .0f, .2f, .3f, .5f, .1f, .1f, .4f, .4f, .0f, .0f, .9f, .1f, .5f, .5f, .0f, .0f };
  static const HlTokenSpan runs[] = { { 0, 1 }, { 1, 2 }, { 3, 1 }, { 0, 0 } };
  g_autoptr (HlAttentionSource) source = make_source (1, 1, 4, weights);
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();
  guint relation;

  /* .2 + .3 is as much as .5: the first of equals. The second word gives a half of .1 to the first and a half of .5 to the third. */
  hl_annotation_add_word (annotation, "a", 1, "x", TRUE);
  hl_annotation_add_word (annotation, "b", 2, "y", TRUE);
  hl_annotation_add_word (annotation, "c", HL_WORD_ROOT, NULL, TRUE);
  hl_annotation_add_word (annotation, "cut", 0, "z", TRUE);
  add (probe, source, annotation, runs, HL_PROBE_DEPENDENCIES);
  g_assert_cmpuint (hl_probe_get_n (probe, HL_PROBE_ALL), ==, 2);
  g_assert_cmpuint (hl_probe_get_n_left_out (probe), ==, 1);
  g_assert_true (hl_probe_find_relation (probe, "x", &relation));
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, relation, HL_PROBE_DEPENDENT, 0), ==, 1);
  g_assert_true (hl_probe_find_relation (probe, "y", &relation));
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, relation, HL_PROBE_DEPENDENT, 0), ==, 1);
  g_assert_false (hl_probe_find_relation (probe, "z", &relation));
}

/* A causal first word sees no other. */
static void
test_nothing_seen (void)
{
  static const float weights[] = { 1, 0, .5f, .5f };
  static const HlTokenSpan runs[] = { { 0, 1 }, { 1, 1 } };
  g_autoptr (HlAttentionSource) source = make_source (1, 1, 2, weights);
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();

  hl_annotation_add_word (annotation, "a", 1, NULL, TRUE);
  hl_annotation_add_word (annotation, "b", HL_WORD_ROOT, NULL, TRUE);
  add (probe, source, annotation, runs, HL_PROBE_DEPENDENCIES);
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, HL_PROBE_ALL, HL_PROBE_DEPENDENT, 0), ==, 0);
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, HL_PROBE_ALL, HL_PROBE_HEAD, 0), ==, 1);
}

static void
add_mention (HlAnnotation *annotation,
             guint         entity,
             guint         word)
{
  const HlMention mention = { entity, word, 1, word };

  hl_annotation_add_mention (annotation, &mention);
}

/* Ann saw Bob ; she waved , Bob smiled: she is Ann, which Bob stands nearer to. */
static void
test_mentions (void)
{
  static const char *const words[] = { "Ann", "saw", "Bob", ";", "she", "waved", ",", "bob", "smiled" };
  enum
  {
    N = G_N_ELEMENTS (words),
  };
  float weights[2 * N * N] = { 0 };
  HlTokenSpan runs[N];
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();
  guint head;

  for (guint i = 0; i < N; i++)
    {
      runs[i] = (HlTokenSpan){ i, 1 };
      hl_annotation_add_word (annotation, words[i], HL_WORD_NONE, NULL, TRUE);
      weights[i * N] = weights[N * N + i * N + i] = 1;
    }
  add_mention (annotation, 0, 0);
  add_mention (annotation, 1, 2);
  add_mention (annotation, 0, 4);
  add_mention (annotation, 1, 7);
  weights[N * N + 7 * N + 2] = .5f;
  weights[N * N + 4 * N + 2] = .5f;
  g_autoptr (HlAttentionSource) source = make_source (1, 2, N, weights);
  add (probe, source, annotation, runs, HL_PROBE_COREFERENCE);
  g_assert_cmpuint (hl_probe_get_n_mentions (probe), ==, 2);
  g_assert_cmpuint (hl_probe_get_n (probe, HL_PROBE_ALL), ==, 0);
  /* The first head sends all to Ann; the second, but for itself, to Bob. */
  g_assert_cmpfloat (hl_probe_get_coreference (probe, 0), ==, .5);
  g_assert_cmpfloat (hl_probe_get_coreference (probe, 1), ==, .5);
  g_assert_true (hl_probe_find_best_coreference (probe, &head));
  g_assert_cmpuint (head, ==, 0);
  g_assert_cmpfloat (hl_probe_get_nearest (probe), ==, 0);
  g_assert_cmpfloat (hl_probe_get_same_word (probe), ==, .5);
}

#define N_TEXTS 40
#define N_WORDS 7

typedef struct
{
  HlProbe *probe;
  gboolean backwards;
  guint fails_at;
} Run;

static gboolean
measure (gpointer      data,
         guint         index,
         guint         n,
         gpointer     *results,
         GCancellable *cancellable,
         GError      **error)
{
  const Run *self = data;
  const guint seed = self->backwards ? N_TEXTS - 1 - index : index;
  g_autofree float *weights = test_make_weights (seed + 1, 6, N_WORDS, N_WORDS);
  g_autoptr (HlAttentionSource) source = make_source (2, 3, N_WORDS, weights);
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();
  HlTokenSpan runs[N_WORDS];

  if (index == self->fails_at)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, "text %u is bad", index);
      return FALSE;
    }
  for (guint i = 0; i < N_WORDS; i++)
    {
      static const char *const names[] = { "a", "b", "c" };
      const guint head = (i + 1 + seed % (N_WORDS - 1)) % N_WORDS;

      runs[i] = (HlTokenSpan){ i, 1 };
      hl_annotation_add_word (annotation, "w", (int) head, names[(i + seed) % 3], TRUE);
      add_mention (annotation, (i + seed) % 4, i);
    }
  add (probe, source, annotation, runs, HL_PROBE_DEPENDENCIES | HL_PROBE_COREFERENCE);
  *results = g_steal_pointer (&probe);
  return TRUE;
}

static gboolean
take (gpointer data,
      guint    index,
      gpointer result,
      GError **error)
{
  Run *self = data;

  g_assert_cmpuint (hl_probe_get_n_texts (self->probe), ==, index);
  return hl_probe_merge (self->probe, result, error);
}

static HlProbe *
run_all (gboolean backwards)
{
  Run run = { hl_probe_new (), backwards, G_MAXUINT };
  const HlCorpusWork work = {
    .n = N_TEXTS, .measure = measure, .take = take, .free_result = (GDestroyNotify) hl_probe_free, .data = &run
  };
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_corpus_work_run (&work, NULL, NULL, &error));
  g_assert_no_error (error);
  return run.probe;
}

static void
test_order (void)
{
  g_autoptr (HlProbe) forth = run_all (FALSE), back = run_all (TRUE);

  g_assert_cmpuint (hl_probe_get_n (forth, HL_PROBE_ALL), ==, N_TEXTS * N_WORDS);
  g_assert_cmpuint (hl_probe_get_n_relations (forth), ==, 4);
  /* Each relation of each head, on either side. */
  g_assert_cmpuint (hl_probe_get_size (forth), >=, 4 * 6 * 2 * sizeof (guint64));
  for (guint i = 0; i < hl_probe_get_n_relations (forth); i++)
    {
      guint other = HL_PROBE_ALL;
      if (i != HL_PROBE_ALL)
        g_assert_true (hl_probe_find_relation (back, hl_probe_get_relation (forth, i), &other));
      for (guint head = 0; head < 6; head++)
        for (HlProbeSide side = 0; side < HL_N_PROBE_SIDES; side++)
          g_assert_cmpfloat (hl_probe_get_accuracy (forth, i, side, head), ==,
                             hl_probe_get_accuracy (back, other, side, head));
    }
  for (guint head = 0; head < 6; head++)
    g_assert_cmpfloat (hl_probe_get_coreference (forth, head), ==, hl_probe_get_coreference (back, head));
  g_assert_cmpfloat (hl_probe_get_nearest (forth), ==, hl_probe_get_nearest (back));
}

/* What went before a text that is bad stays. */
static void
test_bad_text (void)
{
  Run run = { hl_probe_new (), FALSE, 17 };
  g_autoptr (HlProbe) probe = run.probe;
  const HlCorpusWork work = {
    .n = N_TEXTS, .measure = measure, .take = take, .free_result = (GDestroyNotify) hl_probe_free, .data = &run
  };
  g_autoptr (GError) error = NULL;

  g_assert_false (hl_corpus_work_run (&work, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, "text 17 is bad");
  g_assert_cmpuint (hl_probe_get_n_texts (probe), ==, 17);
}

/* No list of all pairs of mentions is made that does not fit. */
static void
test_too_large (void)
{
  static const float weights[] = { 1 };
  static const HlTokenSpan runs[] = { { 0, 1 } };
  static const HlMention mention = { 0, 0, 1, 0 };
  g_autoptr (HlAttentionSource) source = make_source (1, 1, 1, weights);
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();
  g_autoptr (GError) error = NULL;

  hl_annotation_add_word (annotation, "a", HL_WORD_ROOT, NULL, TRUE);
  for (guint i = 0; i < 10001; i++)
    hl_annotation_add_mention (annotation, &mention);
  g_assert_false (hl_probe_add (probe, source, annotation, runs, HL_PROBE_COREFERENCE, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_cmpstr (error->message, ==, "the text has 10001 mentions; at most 10000 can be held against a head");
}

/* Words may stand among any number of tokens that are of none, whose map fits into no memory. */
static void
test_many_tokens (void)
{
  const gsize n = HL_LIMIT_POSITIONS;
  const HlTokenSpan runs[] = { { 0, 2 }, { n - 2, 2 } };
  g_autoptr (HlExample) example = test_make_hollow_example (1, n);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (hl_example_get_attention (example, 0));
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();

  hl_annotation_add_word (annotation, "a", 1, NULL, TRUE);
  hl_annotation_add_word (annotation, "b", HL_WORD_ROOT, NULL, TRUE);
  add (probe, source, annotation, runs, HL_PROBE_DEPENDENCIES);
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, HL_PROBE_ALL, HL_PROBE_DEPENDENT, 0), ==, 1);
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, HL_PROBE_ALL, HL_PROBE_HEAD, 1), ==, 1);
}

static glong
get_peak_kib (void)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  return usage.ru_maxrss;
}

/* As many words as make a map of 275 MB, which is not held. */
static void
test_many_words (void)
{
  enum
  {
    N = 6000,
  };
  const glong before = get_peak_kib ();
  g_autofree HlTokenSpan *runs = g_new (HlTokenSpan, N);
  g_autoptr (HlExample) example = test_make_hollow_example (1, N);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (hl_example_get_attention (example, 0));
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();

  /* All weights are equal: each word depends on the first, and the first on the second. */
  for (guint i = 0; i < N; i++)
    {
      runs[i] = (HlTokenSpan){ i, 1 };
      hl_annotation_add_word (annotation, "a", i == 0 ? 1 : 0, NULL, TRUE);
    }
  add (probe, source, annotation, runs, HL_PROBE_DEPENDENCIES);
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, HL_PROBE_ALL, HL_PROBE_DEPENDENT, 0), ==, 1);
  g_assert_cmpfloat (hl_probe_get_accuracy (probe, HL_PROBE_ALL, HL_PROBE_HEAD, 1), ==, 1);
  /* With what a sanitizer keeps. */
  g_assert_cmpint (get_peak_kib () - before, <, 160 << 10);
}

/* Mentions of one entity are some fifty million pairs, which are not listed. */
static void
test_many_mentions (void)
{
  static const float weights[] = { 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0 };
  static const HlTokenSpan runs[] = { { 0, 1 }, { 1, 1 }, { 2, 1 }, { 3, 1 } };
  const glong before = get_peak_kib ();
  g_autoptr (HlAttentionSource) source = make_source (1, 1, 4, weights);
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();

  for (guint i = 0; i < 4; i++)
    hl_annotation_add_word (annotation, "a", HL_WORD_NONE, NULL, TRUE);
  for (guint i = 0; i < HL_LIMIT_MENTIONS; i++)
    add_mention (annotation, 0, i % 4);
  add (probe, source, annotation, runs, HL_PROBE_COREFERENCE);
  /* Those of the first word have nothing before them, and of the others only the last looks back. */
  g_assert_cmpuint (hl_probe_get_n_mentions (probe), ==, HL_LIMIT_MENTIONS / 4 * 3);
  g_assert_cmpfloat_with_epsilon (hl_probe_get_coreference (probe, 0), 1.0 / 3, 1e-12);
  g_assert_cmpint (get_peak_kib () - before, <, 100 << 10);
}

/* Each relation is counted for each head, of which there may be very many. */
static void
test_many_counts (void)
{
  enum
  {
    N = 70,
  };
  g_autofree float *weights = g_new0 (float, 64 * 1024 * 4);
  g_autoptr (HlAttentionSource) source = make_source (64, 1024, 2, weights);
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();
  g_autoptr (GError) error = NULL;
  HlTokenSpan runs[N];

  for (guint i = 0; i < N; i++)
    {
      g_autofree char *name = g_strdup_printf ("r%u", i);

      runs[i] = (HlTokenSpan){ i % 2, 1 };
      hl_annotation_add_word (annotation, "a", (int) (i + 1) % N, name, TRUE);
    }
  g_assert_false (hl_probe_add (probe, source, annotation, runs, HL_PROBE_DEPENDENCIES, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_cmpstr (error->message, ==, "64 relations are too many to be counted for each of 65536 heads");
}

static void
test_other_heads (void)
{
  static const float weights[] = { 1, 0, .5f, .5f, 1, 0, .5f, .5f };
  static const HlTokenSpan runs[] = { { 0, 1 }, { 1, 1 } };
  g_autoptr (HlAttentionSource) one = make_source (1, 1, 2, weights), two = make_source (1, 2, 2, weights);
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();
  g_autoptr (GError) error = NULL;

  hl_annotation_add_word (annotation, "a", 1, NULL, TRUE);
  hl_annotation_add_word (annotation, "b", HL_WORD_ROOT, NULL, TRUE);
  add (probe, one, annotation, runs, HL_PROBE_DEPENDENCIES);
  g_assert_false (hl_probe_add (probe, two, annotation, runs, HL_PROBE_DEPENDENCIES, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_SHAPE);
}

/* Heads of another attention are others, however many there are. */
static void
test_kinds (void)
{
  static const float weights[] = { 1, 0, .5f, .5f };
  static const HlTokenSpan runs[] = { { 0, 1 }, { 1, 1 } };
  g_autoptr (HlAttention) one = test_make_attention (1, 1, 2, 2, weights);
  g_autoptr (HlAttention) two = test_make_attention (1, 2, 1, 2, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (one);
  g_autoptr (HlAnnotation) annotation = hl_annotation_new ();
  g_autoptr (HlProbe) probe = hl_probe_new ();
  g_autoptr (HlProbe) other = hl_probe_new ();
  g_autoptr (HlProbe) all = hl_probe_new ();
  g_autoptr (GError) error = NULL;

  hl_annotation_add_word (annotation, "a", HL_WORD_ROOT, NULL, TRUE);
  hl_annotation_add_word (annotation, "b", 0, NULL, TRUE);
  add (probe, source, annotation, runs, HL_PROBE_DEPENDENCIES);
  hl_probe_set_kind (other, HL_ATTENTION_ENCODER);
  add (other, source, annotation, runs, HL_PROBE_DEPENDENCIES);
  g_assert_true (hl_probe_is_of (probe, one));
  g_assert_false (hl_probe_is_of (probe, two));
  g_assert_false (hl_probe_is_of (other, one));
  g_assert_true (hl_probe_merge (all, other, NULL));
  g_assert_false (hl_probe_is_of (all, one));
  g_assert_false (hl_probe_merge (all, probe, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_SHAPE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/probe/example", test_example);
  g_test_add_func ("/probe/pieces", test_pieces);
  g_test_add_func ("/probe/nothing-seen", test_nothing_seen);
  g_test_add_func ("/probe/mentions", test_mentions);
  g_test_add_func ("/probe/order", test_order);
  g_test_add_func ("/probe/bad-text", test_bad_text);
  g_test_add_func ("/probe/too-large", test_too_large);
  g_test_add_func ("/probe/many-tokens", test_many_tokens);
  g_test_add_func ("/probe/many-words", test_many_words);
  g_test_add_func ("/probe/many-mentions", test_many_mentions);
  g_test_add_func ("/probe/many-counts", test_many_counts);
  g_test_add_func ("/probe/other-heads", test_other_heads);
  g_test_add_func ("/probe/kinds", test_kinds);
  return g_test_run ();
}
