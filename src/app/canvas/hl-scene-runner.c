/* SPDX-License-Identifier: MIT */
/*
 * Runs the jobs of a scene in workers. At most one runs; while it does, the need for another is only noted, and the job
 * is made when the worker is free, from what the scene needs then. A job that can no longer be of use, because another
 * layer, head or attention is shown, is cancelled. None is made that would read far more than the file holds before
 * somebody allows it.
 */
#include "config.h"

#include "app/canvas/hl-scene-runner.h"

#include "core/base/hl-worker.h"

struct _HlSceneRunner
{
  GObject parent_instance;

  HlScene *scene;
  HlProgress *progress; /* of the job that runs */
  GCancellable *cancellable;
  GError *error;
  guint idle;
  gboolean active;
};

enum
{
  PROP_BUSY = 1,
  N_PROPERTIES,
};

enum
{
  FINISHED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlSceneRunner, hl_scene_runner, G_TYPE_OBJECT)

static void start (HlSceneRunner *self);

static void
run (GTask        *task,
     gpointer      source,
     gpointer      job,
     GCancellable *cancellable)
{
  GError *error = NULL;

  hl_worker_give_way ();
  if (hl_scene_job_run (job, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
finished (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (HlSceneRunner) self = data;
  GTask *task = G_TASK (result);
  g_autoptr (GError) error = NULL;
  const gboolean done = g_task_propagate_boolean (task, &error);
  const gboolean cancelled = g_cancellable_is_cancelled (self->cancellable);
  const gboolean failed = !done && !cancelled;

  g_clear_object (&self->cancellable);
  g_clear_error (&self->error);
  if (done && !cancelled)
    hl_scene_accept (self->scene, g_task_get_task_data (task));
  else if (failed)
    self->error = g_steal_pointer (&error);

  /* A scene whose job failed would give the same job again, and again. The next change gives it another chance. */
  if (!failed)
    start (self);
  if (self->cancellable == NULL)
    {
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
      g_signal_emit (self, signals[FINISHED], 0);
    }
}

static void
start (HlSceneRunner *self)
{
  if (self->cancellable != NULL || !self->active)
    return;

  const gboolean is_allowed = hl_view_state_check_picture (hl_scene_get_state (self->scene), NULL);
  g_autoptr (HlSceneJob) job = is_allowed ? hl_scene_create_job (self->scene) : NULL;
  if (job == NULL)
    {
      /* What could not be read is no longer what is looked at. */
      g_clear_error (&self->error);
      return;
    }

  self->cancellable = g_cancellable_new ();
  hl_progress_set (self->progress, 0, NULL);
  hl_scene_job_set_progress (job, self->progress);
  /* The task does not own the runner: tasks may be finalized in the worker, scenes may not. */
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, finished, g_object_ref (self));
  g_task_set_source_tag (task, start);
  g_task_set_name (task, "scene job");
  /* What the job made is of use even when somebody cancels in the last moment; finished() decides. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, g_steal_pointer (&job), g_object_unref);
  g_task_run_in_thread (task, run);
}

static gboolean
start_from_idle (gpointer data)
{
  HlSceneRunner *self = data;
  const gboolean was_busy = self->cancellable != NULL;

  self->idle = 0;
  start (self);
  if (!was_busy && self->cancellable != NULL)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
  else if (!was_busy)
    g_signal_emit (self, signals[FINISHED], 0);
  return G_SOURCE_REMOVE;
}

/* One change of the view state is many signals; all of them together need one job. */
static void
queue_start (HlSceneRunner *self)
{
  if (self->idle != 0 || !self->active)
    return;
  self->idle = g_idle_add_full (G_PRIORITY_DEFAULT, start_from_idle, self, NULL);
}

static void
drop_running (HlSceneRunner *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

/* Where all heads are shown, only another source or another chart outdates what is made. */
static void
on_state_changed (HlSceneRunner *self,
                  HlChanges      changes)
{
  HlChanges outdating = HL_CHANGED_SOURCE | HL_CHANGED_CHART;

  if (!hl_scene_get_shows_all_heads (self->scene))
    outdating |= HL_CHANGED_LAYER | HL_CHANGED_HEADS | HL_CHANGED_HEAD;

  if (changes & outdating)
    drop_running (self);
}

static void
hl_scene_runner_dispose (GObject *object)
{
  HlSceneRunner *self = HL_SCENE_RUNNER (object);

  drop_running (self);
  g_clear_handle_id (&self->idle, g_source_remove);
  g_clear_object (&self->scene);
  G_OBJECT_CLASS (hl_scene_runner_parent_class)->dispose (object);
}

static void
hl_scene_runner_finalize (GObject *object)
{
  HlSceneRunner *self = HL_SCENE_RUNNER (object);

  g_clear_object (&self->cancellable);
  g_clear_object (&self->progress);
  g_clear_error (&self->error);
  G_OBJECT_CLASS (hl_scene_runner_parent_class)->finalize (object);
}

static void
hl_scene_runner_get_property (GObject    *object,
                              guint       id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  HlSceneRunner *self = HL_SCENE_RUNNER (object);

  switch (id)
    {
    case PROP_BUSY:
      g_value_set_boolean (value, hl_scene_runner_get_busy (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_scene_runner_class_init (HlSceneRunnerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = hl_scene_runner_dispose;
  object_class->finalize = hl_scene_runner_finalize;
  object_class->get_property = hl_scene_runner_get_property;

  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /* The scene is complete, or its job failed: see hl_scene_runner_get_error(). */
  signals[FINISHED] =
    g_signal_new ("finished", HL_TYPE_SCENE_RUNNER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_scene_runner_init (HlSceneRunner *self)
{
  self->progress = hl_progress_new ();
}

HlSceneRunner *
hl_scene_runner_new (HlScene *scene)
{
  g_return_val_if_fail (HL_IS_SCENE (scene), NULL);

  HlSceneRunner *self = g_object_new (HL_TYPE_SCENE_RUNNER, NULL);
  HlViewState *state = hl_scene_get_state (scene);
  self->scene = g_object_ref (scene);
  g_signal_connect_object (scene, "job-needed", G_CALLBACK (queue_start), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "changed", G_CALLBACK (on_state_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "notify::allows-expansion", G_CALLBACK (queue_start), self, G_CONNECT_SWAPPED);
  return self;
}

HlScene *
hl_scene_runner_get_scene (HlSceneRunner *self)
{
  g_return_val_if_fail (HL_IS_SCENE_RUNNER (self), NULL);
  return self->scene;
}

/* Jobs of scenes that nobody sees are not run. */
void
hl_scene_runner_set_active (HlSceneRunner *self,
                            gboolean       active)
{
  g_return_if_fail (HL_IS_SCENE_RUNNER (self));

  self->active = !!active;
  if (self->active)
    queue_start (self);
  else
    {
      g_clear_handle_id (&self->idle, g_source_remove);
      drop_running (self);
    }
}

gboolean
hl_scene_runner_get_busy (HlSceneRunner *self)
{
  g_return_val_if_fail (HL_IS_SCENE_RUNNER (self), FALSE);
  return self->cancellable != NULL;
}

/* How far the job is, of those that know. */
HlProgress *
hl_scene_runner_get_progress (HlSceneRunner *self)
{
  g_return_val_if_fail (HL_IS_SCENE_RUNNER (self), NULL);
  return self->progress;
}

const GError *
hl_scene_runner_get_error (HlSceneRunner *self)
{
  g_return_val_if_fail (HL_IS_SCENE_RUNNER (self), NULL);
  return self->error;
}
