/* SPDX-License-Identifier: MIT */
/*
 * Times what a person waits for when looking at a scene: the lines of 512 tokens, hovering over each of them, where lines are relative to the
 * strongest, pointing at lines, panning and zooming a heatmap of 4096 × 4096, and pointing at the patches of an image. Prints "name value
 * unit" lines.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/hl-error.h"
#include "core/test-attentions.h"
#include "draw/paint/hl-cairo.h"
#include "draw/scene/hl-scene.h"
#include "draw/scene/hl-scene-whole.h"

#define WIDTH 1280
#define HEIGHT 860
#define N_FRAMES 120

static double
now (void)
{
  return g_get_monotonic_time () / 1000.0;
}

/* What this thread has worked, whatever else the machine does. */
static double
worked (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1000 + (double) time.tv_nsec / 1e6;
}

static int
compare (const void *a,
         const void *b)
{
  const double first = *(const double *) a;
  const double second = *(const double *) b;

  return (first > second) - (first < second);
}

static void
print (const char *name,
       double     *times,
       gsize       n)
{
  qsort (times, n, sizeof *times, compare);
  printf ("%s-median %.3f ms\n", name, times[n / 2]);
  printf ("%s-worst %.3f ms\n", name, times[n - 1]);
}

/* The same of what was worked. */
static void
print_work (const char *name,
            double     *works,
            gsize       n)
{
  g_autofree char *work = g_strconcat (name, "-work", NULL);

  print (work, works, n);
}

static HlScene *
make_scene (HlViewKind kind,
            guint      n_heads,
            gsize      n)
{
  g_autofree float *weights = test_make_weights (1, n_heads, n, n);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (HlExample) example = NULL;
  g_autoptr (HlViewState) state = NULL;
  HlScene *scene;

  g_ptr_array_add (attentions, test_make_attention (1, n_heads, n, n, weights));
  example = hl_example_new ("bench", NULL, NULL, attentions, checks);
  state = hl_view_state_new (example);
  hl_view_state_set_option (state, view, kind);
  scene = hl_scene_new (kind, state);
  hl_scene_set_viewport (scene, WIDTH, HEIGHT, 1);
  return scene;
}

/* Milliseconds of all jobs until the scene is complete. */
static double
prepare (HlScene *scene)
{
  const double begin = now ();

  if (!hl_scene_prepare (scene, NULL, NULL))
    g_error ("the scene cannot be prepared");
  return now () - begin;
}

/* Milliseconds of drawing parts as a screen does: into pixels that are there already. */
static double
draw (HlScene         *scene,
      cairo_surface_t *target,
      HlScenePart      first,
      HlScenePart      last)
{
  const double begin = now ();
  g_autoptr (cairo_t) cr = cairo_create (target);

  cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
  cairo_paint (cr);
  cairo_set_operator (cr, CAIRO_OPERATOR_OVER);
  for (HlScenePart part = first; part <= last; part++)
    hl_scene_draw_part (scene, cr, part);
  cairo_surface_flush (target);
  return now () - begin;
}

static void
bench_head_view (guint n_heads)
{
  const gsize n = 512;
  g_autoptr (HlScene) scene = make_scene (HL_VIEW_HEAD_VIEW, n_heads, n);
  HlViewState *state = hl_scene_get_state (scene);
  g_autoptr (cairo_surface_t) target = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  g_autofree double *times = g_new (double, 2 * n);
  g_autofree double *works = g_new (double, 2 * n);
  g_autofree char *suffix = n_heads > 1 ? g_strdup_printf ("-%u-heads", n_heads) : g_strdup ("");
  g_autofree char *hover = g_strdup_printf ("head-view-512%s-hover", suffix);
  g_autofree char *hover_fit = g_strdup_printf ("head-view-512%s-hover-fit", suffix);
  g_autofree char *line = g_strdup_printf ("head-view-512%s-line", suffix);
  g_autofree char *line_fit = g_strdup_printf ("head-view-512%s-line-fit", suffix);

  hl_view_state_select_all_heads (state);
  g_autoptr (HlSceneJob) first = hl_scene_create_job (scene);
  const double begin = now ();
  if (!hl_scene_job_run (first, NULL, NULL))
    g_error ("the scene cannot be prepared");
  hl_scene_accept (scene, first);
  draw (scene, target, HL_SCENE_BACKDROP, HL_SCENE_PICTURE);
  printf ("head-view-512%s-first %.3f ms\n", suffix, now () - begin);
  printf ("head-view-512%s-job %.3f ms\n", suffix, prepare (scene));
  printf ("head-view-512%s-frame %.3f ms\n", suffix, draw (scene, target, HL_SCENE_BACKDROP, HL_SCENE_PICTURE));
  for (guint fit = 0; fit < 2; fit++)
    {
      if (fit)
        hl_scene_fit (scene);
      prepare (scene);
      for (gsize i = 0; i < 2 * n; i++)
        {
          const gboolean is_query = i < n;
          const HlPick pick = { is_query ? HL_PICK_QUERY : HL_PICK_KEY, .query = is_query ? i : 0,
                                .key = is_query ? 0 : i - n };

          const double begin_work = worked ();
          hl_view_state_set_hovered (state, &pick);
          times[i] = draw (scene, target, HL_SCENE_OVERLAY, HL_SCENE_OVERLAY);
          works[i] = worked () - begin_work;
        }
      print (fit ? hover_fit : hover, times, 2 * n);
      print_work (fit ? hover_fit : hover, works, 2 * n);
      hl_view_state_set_hovered (state, NULL);
      for (gsize i = 0; i < 2 * n; i++)
        {
          const double begin_pick = now (), begin_work = worked ();
          HlPick pick;

          hl_scene_pick (scene, WIDTH / 2.0 - 150 + i % 300, HEIGHT / 4.0 + i % 400, &pick);
          hl_view_state_set_hovered (state, &pick);
          draw (scene, target, HL_SCENE_OVERLAY, HL_SCENE_OVERLAY);
          times[i] = now () - begin_pick;
          works[i] = worked () - begin_work;
        }
      print (fit ? line_fit : line, times, 2 * n);
      print_work (fit ? line_fit : line, works, 2 * n);
      hl_view_state_set_hovered (state, NULL);
    }
}

static void
bench_heatmap (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_VIEW_HEATMAP, 1, 4096);
  g_autoptr (cairo_surface_t) target = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  double frames[N_FRAMES], jobs[N_FRAMES];
  double x, y;

  printf ("heatmap-4096-first-job %.3f ms\n", prepare (scene));
  draw (scene, target, HL_SCENE_BACKDROP, HL_SCENE_OVERLAY);

  /* In to cells of 64 pixels and out again, each step drawn before its tiles are there, as on a screen. */
  for (guint i = 0; i < N_FRAMES; i++)
    {
      hl_scene_zoom (scene, i < N_FRAMES / 2 ? 1.12 : 1 / 1.12, WIDTH / 2, HEIGHT / 2);
      frames[i] = draw (scene, target, HL_SCENE_BACKDROP, HL_SCENE_OVERLAY);
      jobs[i] = prepare (scene);
    }
  print ("heatmap-4096-zoom", frames, N_FRAMES);
  print ("heatmap-4096-zoom-job", jobs, N_FRAMES);

  hl_scene_fit (scene);
  hl_scene_zoom (scene, 40, WIDTH / 2, HEIGHT / 2);
  prepare (scene);
  for (guint i = 0; i < N_FRAMES; i++)
    {
      hl_scene_get_scroll (scene, &x, &y);
      hl_scene_set_scroll (scene, x + 29, y + 17);
      frames[i] = draw (scene, target, HL_SCENE_BACKDROP, HL_SCENE_OVERLAY);
      jobs[i] = prepare (scene);
    }
  print ("heatmap-4096-pan", frames, N_FRAMES);
  print ("heatmap-4096-pan-job", jobs, N_FRAMES);
}

/* Each patch is pointed at, colour and smooth. */
static void
bench_picture (gsize side)
{
  const gsize n = side * side;
  g_autofree float *weights = test_make_weights (1, 1, n, n);
  const HlShape shape = { 4, { 1, 1, n, n } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, weights);
  g_autoptr (HlImage) image = hl_image_new (768, 768, NULL);
  const HlPictureGrid grid = { 0, 0, side, side, side, { 0, 0, 768, 768 } };
  const HlLayerTensor layer = {
    .tensor = tensor, .layer_axis = 0, .batch_axis = -1, .head_axis = 1, .row_axis = 2, .column_axis = 3
  };
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  for (gsize i = 0; i < 768 * 768 * 3; i++)
    image->pixels[i] = (guint8) (i * 31);
  g_autoptr (HlPicture) picture = hl_picture_new (&image, 1, &grid, 1, n, NULL);
  const HlAttentionInit init = {
    .weights = &layer, .n_layers = 1, .n_used = { n, n }, .pictures = { picture, picture }, .rule = { .scale = 1 }
  };
  g_ptr_array_add (attentions, hl_attention_new (&init));
  g_autoptr (HlExample) example = hl_example_new ("bench", NULL, NULL, attentions, checks);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  hl_view_state_set_option (state, view, HL_VIEW_PICTURE);
  g_autoptr (HlScene) scene = hl_scene_new (HL_VIEW_PICTURE, state);
  g_autoptr (cairo_surface_t) target = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  g_autofree double *times = g_new (double, N_FRAMES);

  hl_scene_set_viewport (scene, WIDTH, HEIGHT, 1);
  printf ("picture-%zux%zu-job %.3f ms\n", side, side, prepare (scene));
  for (int smooth = 0; smooth < 2; smooth++)
    {
      hl_view_state_set_option (state, smooth_heat, smooth);
      g_autofree char *name = g_strdup_printf ("picture-%zux%zu-%shover", side, side, smooth ? "smooth-" : "");
      for (guint i = 0; i < N_FRAMES; i++)
        {
          const HlPick pick = hl_pick_of (HL_QUERIES, i * 37 % n);
          const double begin = now ();
          hl_view_state_set_hovered (state, &pick);
          draw (scene, target, HL_SCENE_OVERLAY, HL_SCENE_OVERLAY);
          times[i] = now () - begin;
        }
      print (name, times, N_FRAMES);
      hl_view_state_set_hovered (state, NULL);
    }
}

int
main (void)
{
  bench_head_view (1);
  bench_head_view (16);
  bench_heatmap ();
  bench_picture (14);
  bench_picture (32);
  bench_picture (64);
  return 0;
}
