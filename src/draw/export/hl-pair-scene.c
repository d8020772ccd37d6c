/* SPDX-License-Identifier: MIT */
/* Two scenes side by side, as one: what is asked of it is asked of both. */
#include "draw/export/hl-pair-scene.h"

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-whole.h"
#include "draw/scene/hl-scene-write.h"

/* A job of one of the two. */
#define HL_TYPE_PAIR_JOB (hl_pair_job_get_type ())
G_DECLARE_FINAL_TYPE (HlPairJob, hl_pair_job, HL, PAIR_JOB, HlSceneJob)

struct _HlPairScene
{
  HlScene parent_instance;

  HlScene *sides[2];
};

struct _HlPairJob
{
  HlSceneJob parent_instance;

  guint side; /* not the scene itself: jobs may be finalized in a worker, scenes may not */
  HlSceneJob *job;
};

G_DEFINE_FINAL_TYPE (HlPairScene, hl_pair_scene, HL_TYPE_SCENE)

G_DEFINE_FINAL_TYPE (HlPairJob, hl_pair_job, HL_TYPE_SCENE_JOB)

static gboolean
hl_pair_job_run (HlSceneJob   *job,
                 GCancellable *cancellable,
                 GError      **error)
{
  return hl_scene_job_run (HL_PAIR_JOB (job)->job, cancellable, error);
}

static void
hl_pair_job_finalize (GObject *object)
{
  g_clear_object (&HL_PAIR_JOB (object)->job);
  G_OBJECT_CLASS (hl_pair_job_parent_class)->finalize (object);
}

static void
hl_pair_job_class_init (HlPairJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_pair_job_finalize;
  HL_SCENE_JOB_CLASS (klass)->run = hl_pair_job_run;
}

static void
hl_pair_job_init (HlPairJob *self)
{
}

/* Both have what the pair has. */
static void
update_sides (HlPairScene        *self,
              const HlSceneFrame *frame)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    {
      HlScene *side = self->sides[i];
      hl_scene_set_viewport (side, MAX ((frame->width - HL_PAIR_SCENE_GAP) / 2, 0), frame->height, frame->scale);
      hl_scene_set_text_mode (side, hl_scene_get_text_mode (HL_SCENE (self)));
      const HlSceneFrame *theirs = hl_scene_get_frame (side);
      if (theirs->paints_background != frame->paints_background || theirs->vector != frame->vector ||
          theirs->is_cut != frame->is_cut)
        g_object_set (side, "paints-background", frame->paints_background, "vector", frame->vector, "is-cut",
                      frame->is_cut, NULL);
    }
}

static void
hl_pair_scene_measure (HlScene            *scene,
                       const HlSceneFrame *frame,
                       double             *width,
                       double             *height)
{
  HlPairScene *self = HL_PAIR_SCENE (scene);

  update_sides (self, frame);
  *width = 0;
  *height = 0;
  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    {
      double side_width, side_height;
      hl_scene_measure (self->sides[i], &side_width, &side_height);
      *width = MAX (*width, 2 * side_width + HL_PAIR_SCENE_GAP);
      *height = MAX (*height, side_height);
    }
}

static HlSceneJob *
hl_pair_scene_create_job (HlScene            *scene,
                          const HlSceneFrame *frame,
                          gpointer            data)
{
  HlPairScene *self = HL_PAIR_SCENE (scene);

  update_sides (self, frame);
  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    {
      HlSceneJob *job = hl_scene_create_job (self->sides[i]);
      if (job == NULL)
        continue;
      HlPairJob *pair_job = g_object_new (HL_TYPE_PAIR_JOB, NULL);
      pair_job->side = i;
      pair_job->job = job;
      return HL_SCENE_JOB (pair_job);
    }
  return NULL;
}

static void
hl_pair_scene_accept (HlScene            *scene,
                      const HlSceneFrame *frame,
                      HlSceneJob         *scene_job,
                      gboolean            is_new)
{
  HlPairJob *job = HL_PAIR_JOB (scene_job);

  hl_scene_accept (HL_PAIR_SCENE (scene)->sides[job->side], job->job);
}

static void
draw_sides (HlScene            *scene,
            const HlSceneFrame *frame,
            cairo_t            *cr,
            HlScenePart         part)
{
  HlPairScene *self = HL_PAIR_SCENE (scene);

  update_sides (self, frame);
  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    {
      const double side_width = MAX ((frame->width - HL_PAIR_SCENE_GAP) / 2, 0);
      cairo_save (cr);
      cairo_translate (cr, i * (side_width + HL_PAIR_SCENE_GAP), 0);
      cairo_rectangle (cr, 0, 0, side_width, frame->height);
      cairo_clip (cr);
      hl_scene_draw_part_as_seen (self->sides[i], cr, part);
      cairo_restore (cr);
    }
}

static void
hl_pair_scene_draw_backdrop (HlScene            *scene,
                             const HlSceneFrame *frame,
                             cairo_t            *cr)
{
  hl_scene_paint_background (frame, cr);
  hl_cairo_set_colour (cr, &frame->theme->grid, 1);
  cairo_rectangle (cr, (frame->width - 1) / 2, 0, 1, frame->height);
  cairo_fill (cr);
  draw_sides (scene, frame, cr, HL_SCENE_BACKDROP);
}

static void
hl_pair_scene_draw_picture (HlScene            *scene,
                            const HlSceneFrame *frame,
                            cairo_t            *cr)
{
  draw_sides (scene, frame, cr, HL_SCENE_PICTURE);
}

static void
hl_pair_scene_draw_overlay (HlScene            *scene,
                            const HlSceneFrame *frame,
                            cairo_t            *cr)
{
  draw_sides (scene, frame, cr, HL_SCENE_OVERLAY);
}

static void
hl_pair_scene_pick (HlScene            *scene,
                    const HlSceneFrame *frame,
                    double              x,
                    double              y,
                    HlPick             *pick)
{
  HlPairScene *self = HL_PAIR_SCENE (scene);

  update_sides (self, frame);
  const double side_width = MAX ((frame->width - HL_PAIR_SCENE_GAP) / 2, 0);
  if (x < side_width)
    hl_scene_pick (self->sides[0], x, y, pick);
  else if (x >= side_width + HL_PAIR_SCENE_GAP)
    hl_scene_pick (self->sides[1], x - side_width - HL_PAIR_SCENE_GAP, y, pick);
}

static char *
hl_pair_scene_describe (HlScene            *scene,
                        const HlSceneFrame *frame,
                        const HlPick       *pick)
{
  return hl_scene_describe (HL_PAIR_SCENE (scene)->sides[0], pick);
}

static void
hl_pair_scene_finalize (GObject *object)
{
  HlPairScene *self = HL_PAIR_SCENE (object);

  g_clear_object (&self->sides[0]);
  g_clear_object (&self->sides[1]);
  G_OBJECT_CLASS (hl_pair_scene_parent_class)->finalize (object);
}

static void
hl_pair_scene_class_init (HlPairSceneClass *klass)
{
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_pair_scene_finalize;
  scene_class->measure = hl_pair_scene_measure;
  scene_class->create_job = hl_pair_scene_create_job;
  scene_class->accept = hl_pair_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_pair_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_pair_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_pair_scene_draw_overlay;
  scene_class->pick = hl_pair_scene_pick;
  scene_class->describe = hl_pair_scene_describe;
}

static void
hl_pair_scene_init (HlPairScene *self)
{
}

/* Both belong to the pair from now on: it gives them their viewports; zoom and scroll they keep. Its state is that
 * of left. */
HlScene *
hl_pair_scene_new (HlScene *left,
                   HlScene *right)
{
  g_return_val_if_fail (HL_IS_SCENE (left) && HL_IS_SCENE (right), NULL);

  HlPairScene *self = g_object_new (HL_TYPE_PAIR_SCENE, "state", hl_scene_get_state (left), NULL);
  self->sides[0] = g_object_ref (left);
  self->sides[1] = g_object_ref (right);
  return HL_SCENE (self);
}

HlScene *
hl_pair_scene_get_side (HlPairScene *self,
                        guint        side)
{
  g_return_val_if_fail (HL_IS_PAIR_SCENE (self), NULL);
  g_return_val_if_fail (side < G_N_ELEMENTS (self->sides), NULL);

  return self->sides[side];
}
