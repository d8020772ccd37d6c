/* SPDX-License-Identifier: MIT */
/* Numbers over many texts beside the window: what is known so far, what stays when it is stopped, what is wrong, and what of it is shown. */
#include "model-support.h"
#include "panel-support.h"

#include "app/heads/hl-head-work.h"
#include "app/live/hl-texts-work.h"
#include "core/analysis/hl-head-stats-csv.h"
#include "view/hl-view-state.h"

#include <glib/gstdio.h>
#include <math.h>

#define USUAL hl_head_number_get_usual ()

static HlModel *
load_model (GFile *folder)
{
  g_autoptr (GError) error = NULL;
  HlModel *model = hl_model_load (folder, &error);

  g_assert_no_error (error);
  return model;
}

static void
run (HlTextsWork      *work,
     const HlTextsJob *job)
{
  hl_texts_work_start (work, job);
  g_assert_true (hl_texts_work_get_busy (work));
  PANEL_WAIT_UNTIL (!hl_texts_work_get_busy (work));
}

static void
test_texts (void)
{
  GFile *folder = model_folder_new ("bert");
  g_autoptr (HlModel) model = load_model (folder);
  g_autoptr (HlTextsWork) work = hl_texts_work_new ();
  const HlTextsJob job = { .model = model, .text = "w1 w2 w3\n\nw4 w5\n", .wanted = USUAL };

  run (work, &job);
  g_assert_no_error (hl_texts_work_get_error (work));
  HlCorpusNumbers *numbers = hl_texts_work_get_numbers (work);
  g_assert_cmpuint (hl_corpus_numbers_get_n_texts (numbers), ==, 2);
  g_assert_cmpuint (hl_corpus_numbers_get_n_all (numbers), ==, 2);
  g_assert_cmpuint (hl_corpus_numbers_get_spread (numbers, 0, 0, 0)->n, ==, 2);
  g_assert_null (hl_texts_work_get_probe (work));

  /* What is wrong takes the place of what was right. */
  const HlTextsJob bad = { .model = model, .text = "w1\tw2\tw3", .wanted = USUAL };
  run (work, &bad);
  g_assert_nonnull (hl_texts_work_get_error (work));
  g_assert_null (hl_texts_work_get_numbers (work));
  const HlTextsJob unknown = { .model = model, .text = "w1\nw2 w99", .wanted = USUAL };
  run (work, &unknown);
  g_assert_true (g_str_has_prefix (hl_texts_work_get_error (work)->message, "line 2: "));
  g_assert_cmpuint (hl_corpus_numbers_get_n_texts (hl_texts_work_get_numbers (work)), ==, 1);
  g_assert_finalize_object (g_steal_pointer (&work));
  model_folder_remove (folder);
}

static void
count (HlTextsWork *work,
       guint       *n)
{
  HlCorpusNumbers *numbers = hl_texts_work_get_numbers (work);
  const guint now = numbers != NULL ? hl_corpus_numbers_get_n_texts (numbers) : 0;

  g_assert_cmpuint (now, >=, *n);
  *n = now;
}

/* Stopped, what is known so far is all that there is. */
static void
test_stop (void)
{
  GFile *folder = model_folder_new ("bert");
  g_autoptr (HlModel) model = load_model (folder);
  g_autoptr (HlTextsWork) work = hl_texts_work_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < 200000; i++)
    g_string_append (text, "w1 w2 w3 w4 w5 w6 w7 w8\n");
  const HlTextsJob job = { .model = model, .text = text->str, .wanted = USUAL };
  g_signal_connect (work, "changed", G_CALLBACK (count), &n);
  hl_texts_work_start (work, &job);
  PANEL_WAIT_UNTIL (n > 0);
  g_assert_true (hl_texts_work_get_busy (work));
  g_assert_cmpuint (n, <, 200000);
  hl_texts_work_stop (work);
  g_assert_false (hl_texts_work_get_busy (work));
  const guint before = n;
  panel_wait (400);
  g_assert_cmpuint (n, ==, before);
  g_assert_cmpuint (hl_corpus_numbers_get_n_texts (hl_texts_work_get_numbers (work)), ==, before);
  g_assert_no_error (hl_texts_work_get_error (work));
  model_folder_remove (folder);
}

static void
count_annotated (HlTextsWork *work,
                 guint       *n)
{
  HlProbe *probe = hl_texts_work_get_probe (work);

  *n = probe != NULL ? hl_probe_get_n_texts (probe) : 0;
}

/* What annotations tell is known so far, too. */
static void
test_stop_annotated (void)
{
  GFile *folder = model_folder_new ("bert");
  g_autoptr (HlModel) model = load_model (folder);
  g_autoptr (HlTextsWork) work = hl_texts_work_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *path = g_build_filename (g_file_peek_path (folder), "annotations.conllu", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  for (guint i = 0; i < 50000; i++)
    g_string_append (text, "1\tw1\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tw2\t_\t_\t_\t_\t0\troot\t_\t_\n"
                           "3\tw3\t_\t_\t_\t_\t2\tobj\t_\t_\n\n");
  g_file_set_contents (path, text->str, (gssize) text->len, &error);
  g_assert_no_error (error);
  const HlTextsJob job = { .model = model, .annotations = file, .wanted = USUAL | HL_PROBE_NUMBERS };
  g_signal_connect (work, "changed", G_CALLBACK (count_annotated), &n);
  hl_texts_work_start (work, &job);
  PANEL_WAIT_UNTIL (n > 0);
  g_assert_true (hl_texts_work_get_busy (work));
  g_assert_cmpuint (n, <, 50000);
  hl_texts_work_stop (work);
  const guint before = n;
  panel_wait (400);
  g_assert_cmpuint (hl_probe_get_n_texts (hl_texts_work_get_probe (work)), ==, before);
  g_assert_null (hl_texts_work_get_numbers (work));
  g_assert_no_error (hl_texts_work_get_error (work));
  g_assert_cmpint (g_remove (path), ==, 0);
  model_folder_remove (folder);
}

static HlDocument *
open_document (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  HlDocument *document = hl_document_load (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return document;
}

/* The means as the numbers of what is shown; what is computed of the text itself meanwhile does not get among them. */
static void
test_shown (void)
{
  g_autoptr (HlDocument) document = open_document ("examples.h5");
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (HlTextsWork) work = hl_texts_work_new ();
  g_autoptr (HlHeadWork) heads = hl_head_work_new ();
  g_autoptr (GError) error = NULL;
  const HlTextsJob job = { .document = document, .wanted = USUAL };

  run (work, &job);
  g_assert_no_error (hl_texts_work_get_error (work));
  const HlCorpusNumbers *numbers = hl_texts_work_get_numbers (work);
  g_assert_cmpuint (hl_corpus_numbers_get_n_texts (numbers), ==, 3);
  const HlRange queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (state));
  g_autoptr (HlHeadNumbers) means =
    hl_corpus_numbers_make_numbers (numbers, hl_view_state_get_attention (state), queries.first, queries.n, &error);
  g_assert_no_error (error);

  hl_head_work_set_view_state (heads, state);
  hl_head_work_set_wanted (heads, TRUE);
  hl_view_state_set_numbers (state, means);
  panel_wait (200);
  HlHeadNumbers *shown = hl_view_state_get_numbers (state);
  g_assert_cmpuint (hl_head_numbers_get_n_texts (shown), ==, 3);
  for (guint head = 0; head < hl_head_numbers_get_n (shown); head++)
    {
      const HlHeadSpread *spread = hl_corpus_numbers_get_spread (numbers, 0, head, 0);
      g_assert_cmpint (hl_corpus_numbers_get_column (numbers, 0)->stat, ==, HL_HEAD_STAT_ENTROPY);
      g_assert_cmpfloat (hl_head_numbers_get (shown, HL_HEAD_MEASURE_ENTROPY, head), ==, spread->mean);
      g_assert_cmpfloat (hl_head_numbers_get_spread (shown, HL_HEAD_MEASURE_ENTROPY, head)->squares, ==,
                         spread->squares);
    }
  /* Not taken over these texts. */
  g_assert_true (isnan (hl_head_numbers_get (shown, HL_HEAD_MEASURE_MASS_OTHER, 0)));
  g_autofree char *label = hl_head_numbers_dup_label (shown, HL_HEAD_MEASURE_ENTROPY);
  g_assert_cmpstr (label, ==, "entropy, mean over 3 texts");

  /* A file of them has the spreads too. */
  g_autoptr (GString) names = g_string_new (NULL);
  hl_head_stats_csv_append_names (names, HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_ENTROPY), shown);
  g_assert_cmpstr (names->str, ==, "block,layer,head,entropy,entropy-sd,entropy-n\r\n");
  g_string_truncate (names, 0);
  hl_head_stats_csv_append_attention (names, hl_view_state_get_attention (state),
                                      HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_ENTROPY), shown);
  g_auto (GStrv) lines = g_strsplit (names->str, "\r\n", 2);
  g_assert_true (g_str_has_prefix (lines[0], "attention,0,0,"));
  g_assert_true (g_str_has_suffix (lines[0], ",3"));

  hl_view_state_set_numbers (state, NULL);
  PANEL_WAIT_UNTIL (hl_view_state_get_numbers (state) != NULL &&
                    hl_head_numbers_knows (hl_view_state_get_numbers (state), HL_HEAD_MEASURE_ENTROPY));
  g_assert_cmpuint (hl_head_numbers_get_n_texts (hl_view_state_get_numbers (state)), ==, 0);
  g_assert_null (hl_head_numbers_get_spread (hl_view_state_get_numbers (state), HL_HEAD_MEASURE_ENTROPY, 0));
  hl_head_work_set_view_state (heads, NULL);
}

/* They are of the maps of a quantity, as those of the one text that is shown are; of another quantity they do not stay. */
static void
test_quantity (void)
{
  g_autoptr (HlDocument) document = open_document ("examples.h5");
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (HlTextsWork) work = hl_texts_work_new ();
  g_autoptr (HlHeadWork) heads = hl_head_work_new ();
  const HlTextsJob job = { .document = document, .wanted = USUAL, .quantity = HL_QUANTITY_RESIDUAL };
  HlHeadSpread spread = { 0 };

  run (work, &job);
  g_assert_no_error (hl_texts_work_get_error (work));
  g_assert_cmpint (hl_texts_work_get_quantity (work), ==, HL_QUANTITY_RESIDUAL);
  hl_view_state_set_option (state, quantity, HL_QUANTITY_RESIDUAL);
  hl_head_work_set_view_state (heads, state);
  hl_head_work_set_wanted (heads, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (HlExample) one = hl_document_get_example (document, i, NULL, NULL);
      hl_view_state_set_example (state, one);
      PANEL_WAIT_UNTIL (hl_view_state_get_numbers (state) != NULL &&
                        hl_head_numbers_knows (hl_view_state_get_numbers (state), HL_HEAD_MEASURE_ENTROPY));
      hl_head_spread_add (&spread, hl_head_numbers_get (hl_view_state_get_numbers (state), HL_HEAD_MEASURE_ENTROPY, 0));
    }
  g_assert_cmpfloat (hl_corpus_numbers_get_spread (hl_texts_work_get_numbers (work), 0, 0, 0)->mean, ==, spread.mean);

  const HlRange queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (state));
  g_autoptr (HlHeadNumbers)
    means = hl_corpus_numbers_make_numbers (hl_texts_work_get_numbers (work), hl_view_state_get_attention (state),
                                            queries.first, queries.n, NULL);
  hl_view_state_set_numbers (state, means);
  hl_view_state_set_option (state, quantity, HL_QUANTITY_WEIGHT);
  g_assert_cmpuint (hl_head_numbers_get_n_texts (hl_view_state_get_numbers (state)), ==, 0);
  hl_head_work_set_view_state (heads, NULL);
}

/* Heads that the texts do not have cannot be told of. */
static void
test_other_heads (void)
{
  g_autoptr (HlDocument) document = open_document ("examples.h5"), other = open_document ("f64.h5");
  g_autoptr (HlExample) example = hl_document_get_example (other, 0, NULL, NULL);
  g_autoptr (HlTextsWork) work = hl_texts_work_new ();
  g_autoptr (GError) error = NULL;
  const HlTextsJob job = { .document = document, .wanted = HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_PATTERN) };

  run (work, &job);
  g_assert_no_error (hl_texts_work_get_error (work));
  g_assert_null (hl_corpus_numbers_make_numbers (hl_texts_work_get_numbers (work),
                                                 hl_example_get_attention (example, 0), 0, 1, &error));
  g_assert_cmpstr (error->message, ==, "the texts do not have the layers and heads of what is shown");
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/texts-work/texts", test_texts);
  g_test_add_func ("/texts-work/stop", test_stop);
  g_test_add_func ("/texts-work/stop-annotated", test_stop_annotated);
  g_test_add_func ("/texts-work/shown", test_shown);
  g_test_add_func ("/texts-work/quantity", test_quantity);
  g_test_add_func ("/texts-work/other-heads", test_other_heads);
  return g_test_run ();
}
