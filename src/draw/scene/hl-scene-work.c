/* SPDX-License-Identifier: MIT */
/* HlScene: what must be done before it is complete, and the data that comes of it. What is stale is dropped here. */
#include "draw/scene/hl-scene-private.h"

/**
 * hl_scene_create_job:
 * @self: a scene
 *
 * Returns: (transfer full) (nullable): what must be computed before the scene is complete; %NULL if it is
 */
HlSceneJob *
hl_scene_create_job (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), NULL);

  return HL_SCENE_GET_CLASS (self)->create_job (self);
}

/**
 * hl_scene_accept:
 * @self: a scene
 * @job: a job of this scene that ran with success
 */
void
hl_scene_accept (HlScene    *self,
                 HlSceneJob *job)
{
  HlScenePrivate *priv = hl_scene_get_private (self);
  gboolean is_new = FALSE;

  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (HL_IS_SCENE_JOB (job));

  HlSceneData *data = hl_scene_job_get_data (job);
  if (data != NULL)
    {
      g_autoptr (HlSceneData) wanted = HL_SCENE_GET_CLASS (self)->create_data (self);

      /* The picture of other heads than those that are written above it would be a lie, however fresh. */
      if (wanted == NULL || !hl_scene_data_equal (data, wanted))
        return;
      is_new = priv->data == NULL || !hl_scene_data_equal (priv->data, data);
      if (is_new)
        {
          g_clear_pointer (&priv->data, hl_scene_data_unref);
          priv->data = hl_scene_data_ref (data);
        }
    }
  HL_SCENE_GET_CLASS (self)->accept (self, job, is_new);
}

/**
 * hl_scene_get_data: (skip)
 * @self: a scene with data
 *
 * Returns: (transfer none) (nullable): the #HlSceneData that the state asks for, %NULL while only other is there
 */
gpointer
hl_scene_get_data (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_private (self);

  if (priv->data == NULL)
    return NULL;
  g_autoptr (HlSceneData) wanted = HL_SCENE_GET_CLASS (self)->create_data (self);
  return wanted != NULL && hl_scene_data_equal (priv->data, wanted) ? priv->data : NULL;
}

/**
 * hl_scene_get_any_data: (skip)
 * @self: a scene with data
 *
 * Returns: (transfer none) (nullable): the #HlSceneData that was read last, whatever the state asks for by now
 */
gpointer
hl_scene_get_any_data (HlScene *self)
{
  return hl_scene_get_private (self)->data;
}

/**
 * hl_scene_dup_data: (skip)
 * @self: a scene with data
 * @is_read: (out): whether it has its numbers
 *
 * Returns: (transfer full) (nullable): the #HlSceneData that the state asks for: what is there, or what must be read;
 *   %NULL if there is nothing to show
 */
gpointer
hl_scene_dup_data (HlScene  *self,
                   gboolean *is_read)
{
  HlScenePrivate *priv = hl_scene_get_private (self);
  g_autoptr (HlSceneData) wanted = HL_SCENE_GET_CLASS (self)->create_data (self);

  *is_read = wanted != NULL && priv->data != NULL && hl_scene_data_equal (priv->data, wanted);
  return *is_read ? hl_scene_data_ref (priv->data) : g_steal_pointer (&wanted);
}

/**
 * hl_scene_new_job: (skip)
 * @self: a scene with data
 * @type: a type of #HlSceneJob
 * @data: what hl_scene_dup_data() gave
 *
 * Returns: (transfer full): a job about this data, which reads it if that was not yet done
 */
gpointer
hl_scene_new_job (HlScene  *self,
                  GType     type,
                  gpointer  data)
{
  HlScenePrivate *priv = hl_scene_get_private (self);
  HlSceneJob *job = g_object_new (type, NULL);

  if (data == priv->data)
    hl_scene_job_show (job, data);
  else
    hl_scene_job_read (job, data, priv->data);
  return job;
}
