/* SPDX-License-Identifier: MIT */
/*
 * Times what a person waits for at the model view: all heads of a small model, the first and all of a large one that is computed from
 * queries and keys, frames while they come, and hovering. Prints "name value unit" lines.
 */
#include <math.h>
#include <stdio.h>

#include "core/test-attentions.h"
#include "draw/paint/hl-cairo.h"
#include "draw/scene/hl-scene.h"
#include "draw/scene/hl-scene-whole.h"

#define WIDTH 1280
#define HEIGHT 860
#define N_FEATURES 64

static double
now (void)
{
  return g_get_monotonic_time () / 1000.0;
}

static HlScene *
make_scene (HlAttention *attention)
{
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions, g_object_ref (attention));
  g_autoptr (HlExample) example = hl_example_new ("bench", NULL, NULL, attentions, checks);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  HlScene *scene = hl_scene_new (HL_VIEW_MODEL, state);
  hl_scene_set_viewport (scene, WIDTH, HEIGHT, 1);
  return scene;
}

static HlAttention *
make_computed_attention (guint n_layers,
                         guint n_heads,
                         gsize n)
{
  const HlShape shape = { 4, { n_layers, n_heads, n, N_FEATURES } };
  const gsize n_numbers = n_layers * n_heads * n * N_FEATURES;
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree float *numbers = g_new (float, n_numbers);
  g_autofree HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);

  for (gsize i = 0; i < n_numbers; i++)
    numbers[i] = (float) g_rand_double_range (rand, -2, 2);
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, numbers);
  for (guint layer = 0; layer < n_layers; layer++)
    layers[layer] = (HlLayerTensor){ .tensor = tensor,
                                     .layer_axis = 0,
                                     .layer = layer,
                                     .batch_axis = -1,
                                     .head_axis = 1,
                                     .row_axis = 2,
                                     .column_axis = 3 };
  const HlAttentionInit init = { .kind = HL_ATTENTION_SELF,
                                 .projections = { layers, layers },
                                 .n_layers = n_layers,
                                 .n_used = { n, n },
                                 .rule.scale = 1 / sqrt (N_FEATURES) };
  return hl_attention_new (&init);
}

static double
draw (HlScene         *scene,
      cairo_surface_t *target,
      HlScenePart      first,
      HlScenePart      last)
{
  const double begin = now ();
  g_autoptr (cairo_t) cr = cairo_create (target);

  for (HlScenePart part = first; part <= last; part++)
    hl_scene_draw_part (scene, cr, part);
  cairo_surface_flush (target);
  return now () - begin;
}

/* Job by job and frame by frame, as a window does it. */
static void
fill (HlScene         *scene,
      cairo_surface_t *target,
      const char      *name)
{
  const double begin = now ();
  double first = 0, create = 0, accept = 0, frame = draw (scene, target, HL_SCENE_BACKDROP, HL_SCENE_BACKDROP);

  for (;;)
    {
      const double created = now ();
      g_autoptr (HlSceneJob) job = hl_scene_create_job (scene);
      create = MAX (create, now () - created);
      if (job == NULL)
        break;
      if (!hl_scene_job_run (job, NULL, NULL))
        g_error ("the thumbnails cannot be made");
      const double accepted = now ();
      hl_scene_accept (scene, job);
      accept = MAX (accept, now () - accepted);
      frame = MAX (frame, draw (scene, target, HL_SCENE_BACKDROP, HL_SCENE_OVERLAY));
      if (first == 0)
        first = now () - begin;
    }
  printf ("%s-first %.3f ms\n%s-all %.3f ms\n", name, first, name, now () - begin);
  printf ("%s-main-thread-worst %.3f ms\n", name, MAX (MAX (create, accept), frame));
}

static void
bench (HlAttention *attention,
       const char  *name)
{
  g_autoptr (HlScene) scene = make_scene (attention);
  HlViewState *state = hl_scene_get_state (scene);
  g_autoptr (cairo_surface_t) target = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  g_autofree char *lines = g_strdup_printf ("%s-lines", name);
  double hover = 0, job_time = 0;

  fill (scene, target, name);
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    {
      const HlPick pick = { HL_PICK_MAP, .head = layer % hl_attention_get_n_heads (attention, layer), .layer = layer };

      hl_view_state_set_hovered (state, &pick);
      hover = MAX (hover, draw (scene, target, HL_SCENE_OVERLAY, HL_SCENE_OVERLAY));
      const double begin = now ();
      if (!hl_scene_prepare (scene, NULL, NULL))
        g_error ("the head cannot be read");
      job_time = MAX (job_time, now () - begin);
      hover = MAX (hover, draw (scene, target, HL_SCENE_OVERLAY, HL_SCENE_OVERLAY));
    }
  printf ("%s-hover-worst %.3f ms\n%s-preview-worst %.3f ms\n", name, hover, name, job_time);
  hl_view_state_set_hovered (state, NULL);
  hl_view_state_set_option (state, thumbnails, HL_THUMBNAIL_LINES);
  fill (scene, target, lines);
}

int
main (void)
{
  g_autofree float *weights = test_make_weights (1, 6 * 12, 128, 128);
  g_autoptr (HlAttention) small = test_make_attention (6, 12, 128, 128, weights);
  g_autoptr (HlAttention) large = make_computed_attention (30, 16, 512);

  bench (small, "model-view-6x12-128");
  bench (large, "model-view-30x16-512");
  return 0;
}
