/* SPDX-License-Identifier: MIT */
/*
 * What a scene shows at some moment. Scene and view state of a figure are made in the worker that draws it and nobody
 * else sees them: scenes belong to one thread, and so do the fonts they lay text out with.
 */
#include "config.h"

#include "app/canvas/hl-figure.h"

#include "core/base/hl-worker.h"
#include "draw/export/hl-pair-scene.h"
#include "view/hl-still.h"

/* One of two scenes that stand side by side, or the only one. */
typedef struct
{
  HlStill still;
  double zoom;
  double scroll_x;
  double scroll_y;
} Side;

struct _HlFigure
{
  GObject parent_instance;

  Side sides[2];
  guint n_sides;
  double width;
  double height;
  gboolean dark;
  gboolean is_cut;
  /* Why a figure, or a page, is not made before somebody allows it. */
  GError *refusal;
  GError *page_refusal;
};

typedef struct
{
  HlExportOptions options;
  char *title;
  char *model;
  GFile *target;
  gsize n_left_out;
} Work;

G_DEFINE_FINAL_TYPE (HlFigure, hl_figure, G_TYPE_OBJECT)

static void
work_free (Work *work)
{
  g_free (work->title);
  g_free (work->model);
  g_clear_object (&work->target);
  g_free (work);
}

static void
hl_figure_finalize (GObject *object)
{
  for (guint i = 0; i < G_N_ELEMENTS (HL_FIGURE (object)->sides); i++)
    hl_still_clear (&HL_FIGURE (object)->sides[i].still);
  g_clear_error (&HL_FIGURE (object)->refusal);
  g_clear_error (&HL_FIGURE (object)->page_refusal);
  G_OBJECT_CLASS (hl_figure_parent_class)->finalize (object);
}

static void
hl_figure_class_init (HlFigureClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_figure_finalize;
}

static void
hl_figure_init (HlFigure *self)
{
}

static void
side_init (Side    *side,
           HlScene *scene)
{
  hl_still_take (&side->still, hl_scene_get_state (scene));
  side->zoom = hl_scene_get_zoom (scene);
  hl_scene_get_scroll (scene, &side->scroll_x, &side->scroll_y);
}

/* Whether nobody need be asked before a figure of a scene is made: it may read far more than the file holds. */
gboolean
hl_figure_check (HlScene       *scene,
                 HlExportFormat format,
                 GError       **error)
{
  g_return_val_if_fail (HL_IS_SCENE (scene), FALSE);

  if (!HL_IS_PAIR_SCENE (scene))
    return hl_export_check_reading (hl_scene_get_state (scene), format, error);
  for (guint i = 0; i < 2; i++)
    if (!hl_export_check_reading (hl_scene_get_state (hl_pair_scene_get_side (HL_PAIR_SCENE (scene), i)), format,
                                  error))
      return FALSE;
  return TRUE;
}

/* Of what the viewport of the scene shows, or if it is cut of nothing but what there is to show, all of it. */
HlFigure *
hl_figure_new (HlScene *scene,
               double   width,
               double   height,
               gboolean dark,
               gboolean is_cut)
{
  g_return_val_if_fail (HL_IS_SCENE (scene), NULL);
  g_return_val_if_fail (width > 0 && height > 0, NULL);

  HlFigure *self = g_object_new (HL_TYPE_FIGURE, NULL);

  self->n_sides = HL_IS_PAIR_SCENE (scene) ? 2 : 1;
  for (guint i = 0; i < self->n_sides; i++)
    side_init (&self->sides[i], self->n_sides > 1 ? hl_pair_scene_get_side (HL_PAIR_SCENE (scene), i) : scene);
  hl_figure_check (scene, HL_EXPORT_PNG, &self->refusal);
  hl_figure_check (scene, HL_EXPORT_HTML, &self->page_refusal);
  self->width = width;
  self->height = height;
  self->dark = dark;
  self->is_cut = is_cut;
  return self;
}

static HlScene *
side_create_scene (const Side   *side,
                   double        width,
                   double        height,
                   gboolean      dark,
                   gboolean      is_cut,
                   GCancellable *cancellable,
                   GError      **error)
{
  g_autoptr (HlViewState) state = hl_still_show (&side->still);

  hl_view_state_set_option (state, dark, dark);
  if (!hl_view_state_complete_numbers (state, cancellable, error))
    return NULL;
  HlScene *scene = hl_scene_new (hl_view_state_get_options (state)->view, state);
  hl_scene_set_viewport (scene, width, height, 1);
  g_object_set (scene, "is-cut", is_cut, NULL);
  return scene;
}

/* How far a scene can be scrolled depends on what is beside it, which may have a longer caption. */
static void
side_go_to_place (const Side *side,
                  HlScene    *scene,
                  gboolean    is_cut)
{
  hl_scene_set_zoom (scene, side->zoom);
  if (!is_cut)
    hl_scene_set_scroll (scene, side->scroll_x, side->scroll_y);
}

static HlScene *
create_scene (HlFigure     *self,
              GCancellable *cancellable,
              GError      **error)
{
  const double width = self->n_sides > 1 ? MAX ((self->width - HL_PAIR_SCENE_GAP) / 2, 1) : self->width;
  g_autoptr (HlScene)
    scene = side_create_scene (&self->sides[0], width, self->height, self->dark, self->is_cut, cancellable, error);

  if (scene == NULL)
    return NULL;
  if (self->n_sides == 1)
    {
      side_go_to_place (&self->sides[0], scene, self->is_cut);
      return g_steal_pointer (&scene);
    }
  g_autoptr (HlScene)
    right = side_create_scene (&self->sides[1], width, self->height, self->dark, self->is_cut, cancellable, error);
  if (right == NULL)
    return NULL;
  /* One scale for both, as on screen. */
  hl_view_state_set_beside (hl_scene_get_state (scene), hl_scene_get_state (right));
  hl_view_state_set_beside (hl_scene_get_state (right), hl_scene_get_state (scene));
  side_go_to_place (&self->sides[0], scene, self->is_cut);
  side_go_to_place (&self->sides[1], right, self->is_cut);
  HlScene *pair = hl_pair_scene_new (scene, right);
  g_object_set (pair, "is-cut", self->is_cut, NULL);
  hl_scene_set_viewport (pair, self->width, self->height, 1);
  return pair;
}

static void
make (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  hl_worker_give_way ();
  HlFigure *self = source;
  Work *work = data;
  GError *error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (HlScene) scene = create_scene (self, cancellable, &error);

  if (scene == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (work->target == NULL)
    bytes = hl_export_scene_to_bytes (scene, &work->options, &work->n_left_out, cancellable, &error);
  else if (hl_export_scene (scene, &work->options, work->target, &work->n_left_out, cancellable, &error))
    bytes = g_bytes_new_static ("", 0);

  if (bytes != NULL)
    g_task_return_pointer (task, g_steal_pointer (&bytes), (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, error);
}

/* Makes a file of the figure, as hl_export_scene() does, in a worker. Any number of these may run at a time. One that hl_figure_check()
 * spoke against fails with that. */
void
hl_figure_make_async (HlFigure              *self,
                      const HlExportOptions *options,
                      GFile                 *target,
                      GCancellable          *cancellable,
                      GAsyncReadyCallback    callback,
                      gpointer               user_data)
{
  g_return_if_fail (HL_IS_FIGURE (self));
  g_return_if_fail (options != NULL);
  g_return_if_fail (target == NULL || G_IS_FILE (target));

  Work *work = g_new0 (Work, 1);
  work->options = *options;
  work->title = g_strdup (options->title);
  work->options.title = work->title;
  work->model = g_strdup (options->model);
  work->options.model = work->model;
  work->target = target != NULL ? g_object_ref (target) : NULL;

  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, hl_figure_make_async);
  g_task_set_name (task, "figure");
  g_task_set_task_data (task, work, (GDestroyNotify) work_free);
  const GError *refusal = options->format == HL_EXPORT_HTML ? self->page_refusal : self->refusal;
  if (refusal != NULL)
    g_task_return_error (task, g_error_copy (refusal));
  else
    g_task_run_in_thread (task, make);
}

GBytes *
hl_figure_make_finish (HlFigure     *self,
                       GAsyncResult *result,
                       gsize        *n_left_out,
                       GError      **error)
{
  g_return_val_if_fail (HL_IS_FIGURE (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  const Work *work = g_task_get_task_data (G_TASK (result));
  if (n_left_out != NULL)
    *n_left_out = work->n_left_out;
  return g_task_propagate_pointer (G_TASK (result), error);
}
