/* SPDX-License-Identifier: MIT */
/* HlSceneData: the numbers that a scene shows. */
#include "draw/scene/hl-scene-data.h"

/**
 * hl_scene_data_ref: (skip)
 * @self: data
 *
 * Returns: (transfer full): the same
 */
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

/**
 * hl_scene_data_unref: (skip)
 * @self: (transfer full): data
 */
void
hl_scene_data_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/**
 * hl_scene_data_equal: (skip)
 * @self: data
 * @other: data of the same kind
 *
 * Returns: whether both are of the same numbers, read or not
 */
gboolean
hl_scene_data_equal (gconstpointer self,
                     gconstpointer other)
{
  const HlSceneData *data = self;

  return data->klass->equal (data, other);
}

/**
 * hl_scene_data_read: (skip)
 * @self: data without numbers
 * @known: (nullable): data of the same kind read earlier, of which what is the same is taken
 * @cancellable: (nullable): stops it
 * @error: what the source or the file says, %HL_ERROR_TOO_LARGE, or %G_IO_ERROR_CANCELLED
 *
 * Returns: whether all numbers are there
 */
gboolean
hl_scene_data_read (gpointer        self,
                    gconstpointer   known,
                    GCancellable   *cancellable,
                    GError        **error)
{
  HlSceneData *data = self;

  return data->klass->read (data, known, cancellable, error);
}
