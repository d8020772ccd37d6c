/* SPDX-License-Identifier: MIT */
/* Numbers and pictures come from workers while the window goes on: it looks at something else, draws, points. */
#include "draw/test-heads.h"
#include "draw/test-scenes.h"

#include "app/canvas/hl-scene-runner.h"
#include "core/test-attentions.h"

#include <string.h>

#define N_STEPS 24

/* What one does to a picture, one after the other, whatever the worker is at. */
static void
change (HlViewState *state,
        guint        step)
{
  const HlPick pick = { HL_PICK_QUERY, .query = step % 5, .layer = step % 2 };

  hl_view_state_set_hovered (state, &pick);
  switch (step % 8)
    {
    case 0:
      hl_view_state_set_option (state, threshold, step / 100.0);
      break;
    case 1:
      hl_view_state_set_option (state, direction, step & 8 ? HL_DIRECTION_AS_IS : HL_DIRECTION_TRANSPOSED);
      break;
    case 2:
      hl_view_state_hide (state, &pick);
      break;
    case 3:
      hl_view_state_set_option (state, dark, step & 8);
      break;
    case 4:
      hl_view_state_set_option (state, value_scale, step & 8 ? HL_VALUE_SCALE_LOG : HL_VALUE_SCALE_LINEAR);
      break;
    case 5:
      hl_view_state_show_all_tokens (state);
      break;
    case 6:
      hl_view_state_set_pinned (state, &pick);
      break;
    default:
      hl_view_state_toggle_head (state, step / 8 % 2);
    }
}

static void
wait (HlSceneRunner *runner)
{
  while (hl_scene_runner_get_busy (runner) || g_main_context_pending (NULL))
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (hl_scene_runner_get_error (runner));
}

static void
test_changes (gconstpointer data)
{
  const HlViewKind kind = GPOINTER_TO_UINT (data);
  const TestHeads heads = { .n_heads = 2,
                            .n_key_heads = 2,
                            .n_queries = 30,
                            .n_keys = 30,
                            .n_features = 8,
                            .has_values = TRUE,
                            .rule = { .scale = 0.25 } };
  const HlViewTraits *view = hl_view_kind_get_traits (kind);
  g_autoptr (HlViewState) state = view->shows_steps      ? test_make_head_state (&heads)
                                  : view->shows_pictures ? test_make_picture_state (3, 2, 15, 20)
                                                         : test_make_random_state (3, 2, 300);
  g_autoptr (HlScene) scene = test_make_scene (kind, state, 400, 300, 1);
  g_autoptr (HlScene) still = NULL;
  g_autoptr (HlSceneRunner) runner = hl_scene_runner_new (scene);
  guint n_busy = 0;

  hl_scene_runner_set_active (runner, TRUE);
  for (guint step = 0; step < N_STEPS; step++)
    {
      change (state, step);
      hl_scene_set_zoom (scene, 1 + step % 3);
      g_main_context_iteration (NULL, FALSE);
      n_busy += hl_scene_runner_get_busy (runner);
      g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
      g_assert_nonnull (picture);
    }
  g_assert_cmpuint (n_busy, >, 0);
  wait (runner);

  /* In the end it is what it would be if nobody had been in a hurry. */
  still = test_make_scene (kind, state, 400, 300, 1);
  hl_scene_set_zoom (still, hl_scene_get_zoom (scene));
  test_prepare (still);
  g_autoptr (cairo_surface_t) hurried = test_draw_all (scene);
  g_autoptr (cairo_surface_t) expected = test_draw_all (still);
  test_assert_similar (hl_view_kind_get_traits (kind)->nick, hurried, expected, 0, 0);
}

/* What would read far more than the file holds is not begun before it is allowed, and then at once. */
static void
test_refused (void)
{
  g_autoptr (HlExample) example = test_make_hollow_example (9, 4096);
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  g_autoptr (HlScene) scene = hl_scene_new (HL_VIEW_MODEL, state);
  hl_scene_set_viewport (scene, 400, 300, 1);
  g_autoptr (HlSceneRunner) runner = hl_scene_runner_new (scene);
  hl_scene_runner_set_active (runner, TRUE);
  hl_view_state_set_option (state, threshold, 0.5);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  g_assert_false (hl_scene_runner_get_busy (runner));
  g_assert_no_error (hl_scene_runner_get_error (runner));

  hl_view_state_allow_expansion (state, FALSE);
  while (!hl_scene_runner_get_busy (runner))
    g_main_context_iteration (NULL, TRUE);
  hl_scene_runner_set_active (runner, FALSE);
  while (hl_scene_runner_get_busy (runner))
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (hl_scene_runner_get_error (runner));
}

G_DECLARE_FINAL_TYPE (TestJob, test_job, TEST, JOB, HlSceneJob)
G_DECLARE_FINAL_TYPE (TestScene, test_scene, TEST, SCENE, HlScene)

struct _TestJob
{
  HlSceneJob parent_instance;
};

struct _TestScene
{
  HlScene parent_instance;

  guint n_jobs;
  gboolean is_whole;
};

G_DEFINE_FINAL_TYPE (TestJob, test_job, HL_TYPE_SCENE_JOB)
G_DEFINE_FINAL_TYPE (TestScene, test_scene, HL_TYPE_SCENE)

static gboolean
test_job_run (HlSceneJob   *job,
              GCancellable *cancellable,
              GError      **error)
{
  return FALSE;
}

static void
test_job_class_init (TestJobClass *klass)
{
  HL_SCENE_JOB_CLASS (klass)->run = test_job_run;
}

static void
test_job_init (TestJob *self)
{
}

static HlSceneJob *
test_scene_create_job (HlScene            *scene,
                       const HlSceneFrame *frame,
                       gpointer            data)
{
  if (TEST_SCENE (scene)->is_whole)
    return NULL;
  TEST_SCENE (scene)->n_jobs++;
  return g_object_new (test_job_get_type (), NULL);
}

static void
test_scene_class_init (TestSceneClass *klass)
{
  HL_SCENE_CLASS (klass)->create_job = test_scene_create_job;
}

static void
test_scene_init (TestScene *self)
{
}

/* What failed without a word is said to have failed, and is not begun anew before something is changed. */
static void
test_silent (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, 4);
  g_autoptr (TestScene) scene = g_object_new (test_scene_get_type (), "state", state, NULL);
  g_autoptr (HlSceneRunner) runner = hl_scene_runner_new (HL_SCENE (scene));

  hl_scene_runner_set_active (runner, TRUE);
  while (hl_scene_runner_get_error (runner) == NULL)
    {
      g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (scene->n_jobs, <=, 1);
    }
  g_assert_cmpuint (strlen (hl_scene_runner_get_error (runner)->message), >, 0);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  g_assert_false (hl_scene_runner_get_busy (runner));
  g_assert_cmpuint (scene->n_jobs, ==, 1);
}

static void
count (guint *n)
{
  (*n)++;
}

/* Where everything that is looked at is there, or none of it is read, what could not be read before is no longer spoken of. */
static void
test_back (gconstpointer is_refused)
{
  g_autoptr (HlExample) example = test_make_hollow_example (9, 4096);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (TestScene) scene = g_object_new (test_scene_get_type (), "state", state, NULL);
  g_autoptr (HlSceneRunner) runner = hl_scene_runner_new (HL_SCENE (scene));
  guint n_finished = 0;

  g_assert_true (hl_view_state_check_picture (state, NULL));
  hl_scene_runner_set_active (runner, TRUE);
  while (hl_scene_runner_get_error (runner) == NULL)
    g_main_context_iteration (NULL, TRUE);
  if (is_refused)
    hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  else
    scene->is_whole = TRUE;
  g_signal_connect_swapped (runner, "finished", G_CALLBACK (count), &n_finished);
  g_signal_emit_by_name (scene, "job-needed");
  while (n_finished == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (hl_scene_runner_get_error (runner));
  g_assert_cmpuint (scene->n_jobs, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (HlViewKind kind = 0; kind < HL_N_VIEW_KINDS; kind++)
    {
      g_autofree char *path = g_strconcat ("/scene-runner/", hl_view_kind_get_traits (kind)->nick, NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (kind), test_changes);
    }
  g_test_add_func ("/scene-runner/refused", test_refused);
  g_test_add_func ("/scene-runner/silent", test_silent);
  g_test_add_data_func ("/scene-runner/back", GINT_TO_POINTER (FALSE), test_back);
  g_test_add_data_func ("/scene-runner/back-to-refused", GINT_TO_POINTER (TRUE), test_back);
  return g_test_run ();
}
