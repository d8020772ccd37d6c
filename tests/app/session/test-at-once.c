/* SPDX-License-Identifier: MIT */
/*
 * All at once: while a model computes a text, another is typed or the model goes on by itself, figures are being made, heads and views are
 * switched, and in the midst of it the document is closed. Each figure is whole and of one moment, and nothing stays behind.
 */
#include "draw/test-scenes.h"
#include "model-support.h"

#include "app/canvas/hl-figure.h"
#include "app/canvas/hl-scene-runner.h"
#include "app/session/hl-first-choice.h"
#include "core/base/hl-error.h"

#include <glib/gstdio.h>

#define N_STEPS 60
#define N_WORDS 60

/* What is under way, and what has to be gone in the end. */
typedef struct
{
  HlSession *session;
  HlScene *scene;
  HlSceneRunner *runner;
  GRand *random;
  char *folder;
  GPtrArray *gone;    /* of GWeakRef */
  GPtrArray *figures; /* of Made */
  guint n_making;
  guint n_made;
  guint n_while_computing;
} Stage;

/* A figure, the words that were seen when it was taken, and the file it is made into. */
typedef struct
{
  Stage *stage;
  HlFigure *figure;
  const HlExportOptions *format;
  GHashTable *words; /* NULL where the view shows none */
  GFile *target;
  gboolean done;
} Made;

/* Words can be read in the one; the other is the same when it is made again. */
static const HlExportOptions formats[] = {
  { .format = HL_EXPORT_SVG, .scale = 1 },
  { .format = HL_EXPORT_PNG, .scale = 1 },
};

static void
made_free (gpointer data)
{
  Made *made = data;

  g_object_unref (made->figure);
  g_object_unref (made->target);
  g_clear_pointer (&made->words, g_hash_table_unref);
  g_free (made);
}

static void
weak_free (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

/* Has it in the list of what must be gone. Also asked of what is let go in a worker: a weak pointer would be set there. */
static void
expect_gone (Stage   *stage,
             gpointer object)
{
  GWeakRef *weak = g_new (GWeakRef, 1);

  g_weak_ref_init (weak, object);
  g_ptr_array_add (stage->gone, weak);
}

static gboolean
are_gone (Stage *stage)
{
  for (guint i = 0; i < stage->gone->len; i++)
    {
      g_autoptr (GObject) object = g_weak_ref_get (stage->gone->pdata[i]);
      if (object != NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
wake (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Tells what it is that never comes. */
#define WAIT_UNTIL(condition)                                                                                          \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    const guint ticks_ = g_timeout_add (5, wake, NULL);                                                                \
    const gint64 end_ = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;                                                 \
    while (!(condition) && g_get_monotonic_time () < end_)                                                             \
      g_main_context_iteration (NULL, TRUE);                                                                           \
    g_source_remove (ticks_);                                                                                          \
    g_assert_true (condition);                                                                                         \
  }                                                                                                                    \
  G_STMT_END

static void
show (Stage     *stage,
      HlViewKind kind)
{
  HlViewState *state = hl_session_get_view_state (stage->session);

  g_clear_object (&stage->runner);
  g_clear_object (&stage->scene);
  hl_view_state_set_option (state, view, kind);
  stage->scene = test_make_scene (kind, state, 500, 400, 1);
  stage->runner = hl_scene_runner_new (stage->scene);
  hl_scene_runner_set_active (stage->runner, TRUE);
  expect_gone (stage, stage->scene);
  expect_gone (stage, stage->runner);
}

/* The words that stand in a figure, if they are those of a text. */
static GHashTable *
find_words (const char *svg_text)
{
  g_autoptr (GRegex) regex = g_regex_new (">(w\\d+)<", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  GHashTable *words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (g_regex_match (regex, svg_text, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    g_hash_table_add (words, g_match_info_fetch (match, 1));
  return words;
}

static GHashTable *
get_words (HlViewState *state)
{
  const char *const *tokens = hl_attention_get_tokens (hl_view_state_get_attention (state), HL_QUERIES);
  GHashTable *words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; tokens[i] != NULL; i++)
    g_hash_table_add (words, g_strdup (tokens[i]));
  return words;
}

static void
assert_same_words (GHashTable *found,
                   GHashTable *expected)
{
  GHashTableIter i;
  gpointer word;

  g_hash_table_iter_init (&i, expected);
  while (g_hash_table_iter_next (&i, &word, NULL))
    g_assert_true (g_hash_table_contains (found, word));
  g_assert_cmpuint (g_hash_table_size (found), ==, g_hash_table_size (expected));
}

static void
on_made (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  Made *made = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hl_figure_make_finish (HL_FIGURE (source), result, NULL, &error);

  made->stage->n_making--;
  made->done = bytes != NULL;
  /* Of a text that was typed over, what a figure needs may not have been computed. Then there is none, nor a part of one. */
  if (!made->done)
    {
      g_assert_error (error, HL_ERROR, HL_ERROR_NOT_COMPUTED);
      g_assert_false (g_file_query_exists (made->target, NULL));
    }
}

static void export(Stage *stage)
{
  HlViewState *state = hl_session_get_view_state (stage->session);
  HlLiveModel *live = hl_session_get_live (stage->session);
  const HlViewKind kind = hl_view_state_get_options (state)->view;
  g_autofree char *name = g_strdup_printf ("figure-%u", stage->figures->len);
  Made *made = g_new0 (Made, 1);
  double width, height;

  hl_export_get_whole_size (stage->scene, &width, &height);
  made->stage = stage;
  made->format = &formats[g_rand_int_range (stage->random, 0, G_N_ELEMENTS (formats))];
  made->figure = hl_figure_new (stage->scene, width, height, FALSE, TRUE);
  made->words = live != NULL && kind != HL_VIEW_MODEL ? get_words (state) : NULL;
  made->target = g_file_new_build_filename (stage->folder, name, NULL);
  g_ptr_array_add (stage->figures, made);
  expect_gone (stage, made->figure);
  stage->n_making++;
  stage->n_while_computing += live != NULL && hl_live_model_get_busy (live);
  hl_figure_make_async (made->figure, made->format, made->target, NULL, on_made, made);
}

/* What is seen is of a document that comes and goes. */
static void
on_document (Stage *stage)
{
  expect_gone (stage, hl_session_get_document (stage->session));
  expect_gone (stage, hl_view_state_get_example (hl_session_get_view_state (stage->session)));
}

static void
type (Stage *stage)
{
  HlLiveModel *live = hl_session_get_live (stage->session);
  const guint n = (guint) g_rand_int_range (stage->random, 2, 12);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "w%d ", g_rand_int_range (stage->random, 1, N_WORDS));
  hl_live_model_set_texts (live, text->str, "");
  hl_live_model_run (live);
}

static void
on_chosen (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  HlFirstHead choice;

  hl_first_choice_make_finish (HL_SESSION (source), result, &choice);
}

static void
turn_page (Stage *stage)
{
  const guint n = hl_document_get_n_examples (hl_session_get_document (stage->session));

  hl_session_set_example_index (stage->session, (guint) g_rand_int_range (stage->random, 0, (gint32) n));
  hl_session_examine (stage->session);
  hl_first_choice_make_async (stage->session, NULL, on_chosen, NULL);
  hl_file_watch_check (hl_session_get_watch (stage->session));
}

static void
step (Stage *stage)
{
  static const HlViewKind kinds[] = { HL_VIEW_HEAD_VIEW, HL_VIEW_HEATMAP, HL_VIEW_MODEL, HL_VIEW_LAYERS };
  const HlGenerationOptions options = { .max_tokens = 6 };
  HlViewState *state = hl_session_get_view_state (stage->session);
  HlLiveModel *live = hl_session_get_live (stage->session);
  HlAttention *attention = hl_view_state_get_attention (state);
  const guint layer = (guint) g_rand_int_range (stage->random, 0, (gint32) hl_attention_get_n_layers (attention));

  switch (g_rand_int_range (stage->random, 0, 8))
    {
    case 0:
    case 1:
      if (live != NULL)
        type (stage);
      else
        turn_page (stage);
      break;
    case 2:
      if (live != NULL)
        hl_live_model_write (live, &options);
      break;
    case 3:
      hl_view_state_go_to (state, layer, hl_attention_get_n_heads (attention, layer) - 1);
      break;
    case 4:
      show (stage, kinds[g_rand_int_range (stage->random, 0, G_N_ELEMENTS (kinds))]);
      break;
    case 5:
      hl_view_state_set_option (state, threshold, g_rand_double_range (stage->random, 0, 0.2));
      break;
    default:
      export(stage);
    }
  for (gint32 i = g_rand_int_range (stage->random, 0, 6); i > 0; i--)
    g_main_context_iteration (NULL, FALSE);
  g_autoptr (cairo_surface_t) picture = test_draw_all (stage->scene);
  g_assert_nonnull (picture);
}

static void
on_made_again (GObject      *source,
               GAsyncResult *result,
               gpointer      data)
{
  g_autoptr (GError) error = NULL;

  *(GBytes **) data = hl_figure_make_finish (HL_FIGURE (source), result, NULL, &error);
  g_assert_no_error (error);
}

/* Has the words of its text and no others, or is what comes of it once more, now that all is quiet. */
static void
check_figure (const Made *made)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_file_load_bytes (made->target, NULL, NULL, &error);
  GBytes *again = NULL;

  g_assert_no_error (error);
  if (made->format->format == HL_EXPORT_PNG)
    {
      hl_figure_make_async (made->figure, made->format, NULL, NULL, on_made_again, &again);
      WAIT_UNTIL (again != NULL);
      g_assert_true (g_bytes_equal (bytes, again));
      g_bytes_unref (again);
      return;
    }
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_true (g_str_has_suffix (g_strchomp (text), "</svg>"));
  if (made->words != NULL)
    {
      g_autoptr (GHashTable) found = find_words (text);
      assert_same_words (found, made->words);
    }
}

static void
check_figures (Stage *stage)
{
  for (guint i = 0; i < stage->figures->len; i++)
    {
      const Made *made = stage->figures->pdata[i];

      if (made->done)
        check_figure (made);
      stage->n_made += made->done;
    }
}

/* Nothing but figures is in the folder, no rest of a temporary file either. */
static void
empty_folder (Stage *stage)
{
  for (guint i = 0; i < stage->figures->len; i++)
    g_file_delete (((const Made *) stage->figures->pdata[i])->target, NULL, NULL);
  g_assert_cmpint (g_rmdir (stage->folder), ==, 0);
}

static void
act (HlSession *session,
     guint      seed)
{
  g_autoptr (GError) error = NULL;
  Stage stage = { .session = session,
                  .random = g_rand_new_with_seed (seed),
                  .folder = g_dir_make_tmp ("headlight-at-once-XXXXXX", &error),
                  .gone = g_ptr_array_new_with_free_func (weak_free),
                  .figures = g_ptr_array_new_with_free_func (made_free) };

  const gboolean is_live = hl_session_get_live (session) != NULL;

  g_assert_no_error (error);
  expect_gone (&stage, session);
  expect_gone (&stage, hl_session_get_view_state (session));
  if (is_live)
    expect_gone (&stage, hl_session_get_live (session));
  on_document (&stage);
  g_signal_connect_swapped (session, "notify::document", G_CALLBACK (on_document), &stage);
  show (&stage, HL_VIEW_HEAD_VIEW);
  for (guint i = 0; i < N_STEPS; i++)
    step (&stage);

  /* Closed in the midst of it. */
  if (is_live)
    type (&stage);
  else
    turn_page (&stage);
  export(&stage);
  g_signal_handlers_disconnect_by_data (session, &stage);
  hl_session_close (session);
  g_clear_object (&stage.runner);
  g_clear_object (&stage.scene);
  g_clear_object (&stage.session);

  WAIT_UNTIL (stage.n_making == 0);
  check_figures (&stage);
  g_test_message ("%u figures, %u of them begun while a text was computed; %u made", stage.figures->len,
                  stage.n_while_computing, stage.n_made);
  g_assert_cmpuint (stage.n_made, >, 0);
  if (is_live)
    g_assert_cmpuint (stage.n_while_computing, >, 0);
  empty_folder (&stage);
  g_ptr_array_unref (stage.figures);
  WAIT_UNTIL (are_gone (&stage));
  g_ptr_array_unref (stage.gone);
  g_rand_free (stage.random);
  g_free (stage.folder);
}

static void
test_model (gconstpointer data)
{
  GFile *folder = model_folder_new ("mistral");
  g_autoptr (HlProgress) progress = hl_progress_new ();
  HlLiveModel *live = hl_live_model_new (folder, progress);
  g_autoptr (GError) error = NULL;

  hl_live_model_set_texts (live, "w1 w2 w3", "");
  hl_live_model_run (live);
  WAIT_UNTIL (hl_live_model_get_document (live) != NULL);
  HlSession *session = hl_session_new_live (live, &error);
  g_assert_no_error (error);
  g_object_unref (live);
  act (session, GPOINTER_TO_UINT (data));
  model_folder_remove (folder);
}

static void
test_file (gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", "examples.h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);

  g_assert_no_error (error);
  HlSession *session = hl_session_new (document, &error);
  g_assert_no_error (error);
  g_clear_object (&document);
  hl_session_watch (session, NULL);
  act (session, GPOINTER_TO_UINT (data));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint seed = 1; seed <= 3; seed++)
    {
      g_autofree char *model = g_strdup_printf ("/at-once/model/%u", seed);
      g_autofree char *file = g_strdup_printf ("/at-once/file/%u", seed);
      g_test_add_data_func (model, GUINT_TO_POINTER (seed), test_model);
      g_test_add_data_func (file, GUINT_TO_POINTER (seed), test_file);
    }
  return g_test_run ();
}
