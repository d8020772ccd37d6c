/* SPDX-License-Identifier: MIT */
/* HlSceneJob: work of a scene that any thread may do. */
#include "draw/scene/hl-scene-job.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  HlSceneData *data;
  HlSceneData *known;
  HlProgress *progress; /* NULL if nobody asks */
  gboolean must_read;
} HlSceneJobPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (HlSceneJob, hl_scene_job, G_TYPE_OBJECT)

gpointer
hl_scene_data_ref (gpointer self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  HlSceneData *self = data;

  self->klass->clear (self);
}

void
hl_scene_data_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, clear);
}

gboolean
hl_scene_data_equal (gconstpointer self,
                     gconstpointer other)
{
  const HlSceneData *data = self;

  return data->klass->equal (data, other);
}

/* Of known, read earlier, is taken what is the same. */
gboolean
hl_scene_data_read (gpointer      self,
                    gconstpointer known,
                    GCancellable *cancellable,
                    GError      **error)
{
  HlSceneData *data = self;

  return data->klass->read (data, known, cancellable, error);
}

static gboolean
hl_scene_job_real_read (HlSceneJob        *self,
                        HlSceneData       *data,
                        const HlSceneData *known,
                        GCancellable      *cancellable,
                        GError           **error)
{
  return hl_scene_data_read (data, known, cancellable, error);
}

static void
hl_scene_job_finalize (GObject *object)
{
  HlSceneJobPrivate *priv = hl_scene_job_get_instance_private (HL_SCENE_JOB (object));

  g_clear_pointer (&priv->data, hl_scene_data_unref);
  g_clear_pointer (&priv->known, hl_scene_data_unref);
  g_clear_object (&priv->progress);
  G_OBJECT_CLASS (hl_scene_job_parent_class)->finalize (object);
}

static void
hl_scene_job_class_init (HlSceneJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_scene_job_finalize;
  klass->read = hl_scene_job_real_read;
}

static void
hl_scene_job_init (HlSceneJob *self)
{
}

void
hl_scene_job_show (HlSceneJob *self,
                   gpointer    data)
{
  HlSceneJobPrivate *priv = hl_scene_job_get_instance_private (self);

  g_assert (priv->data == NULL);
  priv->data = hl_scene_data_ref (data);
}

void
hl_scene_job_read (HlSceneJob *self,
                   gpointer    data,
                   gpointer    known)
{
  HlSceneJobPrivate *priv = hl_scene_job_get_instance_private (self);

  hl_scene_job_show (self, data);
  priv->must_read = TRUE;
  priv->known = known != NULL ? hl_scene_data_ref (known) : NULL;
}

gpointer
hl_scene_job_get_data (HlSceneJob *self)
{
  HlSceneJobPrivate *priv = hl_scene_job_get_instance_private (self);

  return priv->data;
}

/* Whom the work tells how far it is; before it is run. */
void
hl_scene_job_set_progress (HlSceneJob *self,
                           HlProgress *progress)
{
  HlSceneJobPrivate *priv = hl_scene_job_get_instance_private (self);

  g_return_if_fail (HL_IS_SCENE_JOB (self) && HL_IS_PROGRESS (progress));

  g_set_object (&priv->progress, progress);
}

/* NULL if nobody asks. */
HlProgress *
hl_scene_job_get_progress (HlSceneJob *self)
{
  HlSceneJobPrivate *priv = hl_scene_job_get_instance_private (self);

  return priv->progress;
}

static gboolean
run (HlSceneJob   *self,
     GCancellable *cancellable,
     GError      **error)
{
  HlSceneJobPrivate *priv = hl_scene_job_get_instance_private (self);
  HlSceneJobClass *klass = HL_SCENE_JOB_GET_CLASS (self);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (priv->must_read && !klass->read (self, priv->data, priv->known, cancellable, error))
    return FALSE;
  return klass->run == NULL || klass->run (self, cancellable, error);
}

/* Does the work, on whatever thread; once only. */
gboolean
hl_scene_job_run (HlSceneJob   *self,
                  GCancellable *cancellable,
                  GError      **error)
{
  GError *reason = NULL;

  g_return_val_if_fail (HL_IS_SCENE_JOB (self), FALSE);

  if (run (self, cancellable, &reason))
    return TRUE;
  /* What fails without a reason would be begun again and again, or be told as done. */
  if (reason == NULL)
    g_set_error_literal (&reason, HL_ERROR, HL_ERROR_IO, _ ("the numbers for the picture could not be made"));
  g_propagate_error (error, reason);
  return FALSE;
}
