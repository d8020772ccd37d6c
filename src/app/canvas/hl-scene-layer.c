/* SPDX-License-Identifier: MIT */
/*
 * A picture of one part of a scene. A graphics card wants a texture, which it keeps; GTK's software renderer would copy
 * that whole in each frame, pixel by pixel, but paints from a surface directly.
 */
#include "config.h"

#include "app/canvas/hl-scene-layer.h"

#include "app/base/hl-texture.h"

#include <math.h>

#define ROUNDING 0.001

void
hl_scene_layer_clear (HlSceneLayer *self)
{
  g_return_if_fail (self != NULL);

  g_clear_object (&self->texture);
  g_clear_pointer (&self->surface, cairo_surface_destroy);
}

static void
draw (HlSceneLayer *self,
      HlScene      *scene,
      HlScenePart   part)
{
  double width, height, scale;

  hl_scene_get_viewport (scene, &width, &height, &scale);
  /* A size in pixels that was divided by a scale is not always whole again. */
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) ceil (width * scale - ROUNDING),
                                              (int) ceil (height * scale - ROUNDING));
  cairo_surface_set_device_scale (self->surface, scale, scale);
  cairo_t *cr = cairo_create (self->surface);
  hl_scene_draw_part (scene, cr, part);
  cairo_destroy (cr);
  cairo_surface_flush (self->surface);
  g_assert (cairo_surface_status (self->surface) == CAIRO_STATUS_SUCCESS);
}

static void
ensure_surface (HlSceneLayer *self,
                HlScene      *scene,
                HlScenePart   part)
{
  if (self->surface == NULL)
    draw (self, scene, part);
}

/* For GTK's software renderer. */
void
hl_scene_layer_paint (HlSceneLayer *self,
                      HlScene      *scene,
                      HlScenePart   part,
                      double        opacity,
                      cairo_t      *cr)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (HL_IS_SCENE (scene));

  if (opacity <= 0)
    return;
  ensure_surface (self, scene, part);
  cairo_set_source_surface (cr, self->surface, 0, 0);
  cairo_paint_with_alpha (cr, opacity);
}

/* For renderers that have a graphics card. */
void
hl_scene_layer_snapshot (HlSceneLayer *self,
                         HlScene      *scene,
                         HlScenePart   part,
                         double        opacity,
                         GtkSnapshot  *snapshot)
{
  double width, height;

  g_return_if_fail (self != NULL);
  g_return_if_fail (HL_IS_SCENE (scene));

  if (opacity <= 0)
    return;
  hl_scene_get_viewport (scene, &width, &height, NULL);
  ensure_surface (self, scene, part);
  if (self->texture == NULL)
    self->texture = hl_texture_new_for_surface (self->surface);
  if (opacity < 1)
    gtk_snapshot_push_opacity (snapshot, opacity);
  gtk_snapshot_append_texture (snapshot, self->texture, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  if (opacity < 1)
    gtk_snapshot_pop (snapshot);
}
