/* SPDX-License-Identifier: MIT */
/* HlScene: what every picture of attention has in common, and the one place where kinds of views become scenes. */
#include "draw/hl-scene.h"

#include "draw/hl-head-view-scene.h"
#include "draw/hl-heatmap-scene.h"
#include "draw/hl-layers-scene.h"
#include "draw/hl-model-view-scene.h"
#include "draw/hl-neuron-scene.h"
#include "draw/hl-steps-scene.h"

typedef struct
{
  HlViewState *state;
  double width;
  double height;
  double scale;
  double scroll_x;
  double scroll_y;
  HlTextMode text_mode;
  gboolean paints_background;
  gboolean vector;
} HlScenePrivate;

enum
{
  PROP_STATE = 1,
  PROP_PAINTS_BACKGROUND,
  PROP_VECTOR,
  N_PROPERTIES,
};

enum
{
  JOB_NEEDED,
  CHANGED,
  MEASURED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_ABSTRACT_TYPE (HlSceneJob, hl_scene_job, G_TYPE_OBJECT)
G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (HlScene, hl_scene, G_TYPE_OBJECT)

static void
hl_scene_job_class_init (HlSceneJobClass *klass)
{
}

static void
hl_scene_job_init (HlSceneJob *self)
{
}

/**
 * hl_scene_job_run:
 * @self: a job
 * @cancellable: (nullable): stops it
 * @error: what the source says, or %G_IO_ERROR_CANCELLED
 *
 * Does the work, on whatever thread; once only.
 *
 * Returns: whether it is done and the scene can accept it
 */
gboolean
hl_scene_job_run (HlSceneJob    *self,
                  GCancellable  *cancellable,
                  GError       **error)
{
  g_return_val_if_fail (HL_IS_SCENE_JOB (self), FALSE);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  return HL_SCENE_JOB_GET_CLASS (self)->run (self, cancellable, error);
}

static void
on_state_notify (HlViewState *state,
                 GParamSpec  *pspec,
                 HlScene     *self)
{
  HL_SCENE_GET_CLASS (self)->state_changed (self, pspec->name);
}

static void
hl_scene_constructed (GObject *object)
{
  HlScene *self = HL_SCENE (object);
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  G_OBJECT_CLASS (hl_scene_parent_class)->constructed (object);
  g_assert (priv->state != NULL);
  g_signal_connect_object (priv->state, "notify", G_CALLBACK (on_state_notify), self, 0);
}

static void
hl_scene_get_property (GObject    *object,
                       guint       id,
                       GValue     *value,
                       GParamSpec *pspec)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (HL_SCENE (object));

  switch (id)
    {
    case PROP_STATE:
      g_value_set_object (value, priv->state);
      break;
    case PROP_PAINTS_BACKGROUND:
      g_value_set_boolean (value, priv->paints_background);
      break;
    case PROP_VECTOR:
      g_value_set_boolean (value, priv->vector);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_scene_set_property (GObject      *object,
                       guint         id,
                       const GValue *value,
                       GParamSpec   *pspec)
{
  HlScene *self = HL_SCENE (object);
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  switch (id)
    {
    case PROP_STATE:
      priv->state = g_value_dup_object (value);
      break;
    case PROP_PAINTS_BACKGROUND:
      priv->paints_background = g_value_get_boolean (value);
      hl_scene_emit_changed (self, HL_SCENE_BACKDROP);
      break;
    case PROP_VECTOR:
      priv->vector = g_value_get_boolean (value);
      hl_scene_emit_changed (self, HL_SCENE_PICTURE);
      hl_scene_emit_job_needed (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_scene_finalize (GObject *object)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (HL_SCENE (object));

  g_clear_object (&priv->state);
  G_OBJECT_CLASS (hl_scene_parent_class)->finalize (object);
}

static void
hl_scene_class_init (HlSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = hl_scene_constructed;
  object_class->get_property = hl_scene_get_property;
  object_class->set_property = hl_scene_set_property;
  object_class->finalize = hl_scene_finalize;

  properties[PROP_STATE] =
    g_param_spec_object ("state", NULL, NULL, HL_TYPE_VIEW_STATE,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  /**
   * HlScene:paints-background:
   *
   * Whether the backdrop is opaque, in the colour of the theme.
   */
  properties[PROP_PAINTS_BACKGROUND] =
    g_param_spec_boolean ("paints-background", NULL, NULL, TRUE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  /**
   * HlScene:vector:
   *
   * Whether it will be drawn to a surface that keeps shapes, so that no pixels need be prepared.
   */
  properties[PROP_VECTOR] =
    g_param_spec_boolean ("vector", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /**
   * HlScene::job-needed:
   *
   * Something changed so that hl_scene_create_job() has a job to give.
   */
  signals[JOB_NEEDED] = g_signal_new ("job-needed", HL_TYPE_SCENE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 0);
  /**
   * HlScene::changed:
   * @part: the #HlScenePart that is to be painted anew
   */
  signals[CHANGED] = g_signal_new ("changed", HL_TYPE_SCENE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * HlScene::measured:
   *
   * The size of the content, or the place of the viewport in it, is another.
   */
  signals[MEASURED] = g_signal_new ("measured", HL_TYPE_SCENE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
}

static void
hl_scene_init (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  priv->scale = 1;
  priv->paints_background = TRUE;
}

/**
 * hl_scene_new:
 * @kind: the kind of view
 * @state: what it shows
 *
 * Returns: (transfer full): a scene with an empty viewport
 */
HlScene *
hl_scene_new (HlViewKind   kind,
              HlViewState *state)
{
  GType (*const types[]) (void) = {
    [HL_VIEW_HEAD_VIEW] = hl_head_view_scene_get_type,
    [HL_VIEW_HEATMAP] = hl_heatmap_scene_get_type,
    [HL_VIEW_MODEL] = hl_model_view_scene_get_type,
    [HL_VIEW_STEPS] = hl_steps_scene_get_type,
    [HL_VIEW_NEURON] = hl_neuron_scene_get_type,
    [HL_VIEW_LAYERS] = hl_layers_scene_get_type,
  };

  g_return_val_if_fail (HL_IS_VIEW_STATE (state), NULL);
  g_return_val_if_fail (kind < G_N_ELEMENTS (types), NULL);

  return g_object_new (types[kind] (), "state", state, NULL);
}

/**
 * hl_scene_get_state:
 * @self: a scene
 *
 * Returns: (transfer none): what it shows
 */
HlViewState *
hl_scene_get_state (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_val_if_fail (HL_IS_SCENE (self), NULL);

  return priv->state;
}

/**
 * hl_scene_set_viewport:
 * @self: a scene
 * @width: logical pixels
 * @height: logical pixels
 * @scale: device pixels a logical pixel
 *
 * Says how much of the content is in view. All parts change.
 */
void
hl_scene_set_viewport (HlScene *self,
                       double   width,
                       double   height,
                       double   scale)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (width >= 0 && height >= 0 && scale > 0);

  if (priv->width == width && priv->height == height && priv->scale == scale)
    return;
  priv->width = width;
  priv->height = height;
  priv->scale = scale;
  hl_scene_emit_measured (self);
  for (HlScenePart part = 0; part < HL_SCENE_N_PARTS; part++)
    hl_scene_emit_changed (self, part);
  hl_scene_emit_job_needed (self);
}

/**
 * hl_scene_get_viewport:
 * @self: a scene
 * @width: (out) (optional): logical pixels
 * @height: (out) (optional): logical pixels
 * @scale: (out) (optional): device pixels a logical pixel
 */
void
hl_scene_get_viewport (HlScene *self,
                       double  *width,
                       double  *height,
                       double  *scale)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_if_fail (HL_IS_SCENE (self));

  if (width != NULL)
    *width = priv->width;
  if (height != NULL)
    *height = priv->height;
  if (scale != NULL)
    *scale = priv->scale;
}

/**
 * hl_scene_set_progress:
 * @self: a scene
 * @x: logical pixels of the content before the viewport, from where it begins to be read, left or right
 * @y: logical pixels of the content above the viewport
 *
 * Moves the viewport over the content; positions outside the content are clamped.
 */
void
hl_scene_set_progress (HlScene *self,
                       double   x,
                       double   y)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);
  double width, height;

  g_return_if_fail (HL_IS_SCENE (self));

  hl_scene_measure (self, &width, &height);
  x = CLAMP (x, 0, MAX (0, width - priv->width));
  y = CLAMP (y, 0, MAX (0, height - priv->height));
  if (priv->scroll_x == x && priv->scroll_y == y)
    return;
  priv->scroll_x = x;
  priv->scroll_y = y;
  hl_scene_emit_measured (self);
  for (HlScenePart part = 0; part < HL_SCENE_N_PARTS; part++)
    hl_scene_emit_changed (self, part);
  hl_scene_emit_job_needed (self);
}

/**
 * hl_scene_get_progress:
 * @self: a scene
 * @x: (out) (optional): logical pixels of the content before the viewport, as hl_scene_set_progress() has it
 * @y: (out) (optional): logical pixels of the content above the viewport
 *
 * Does not depend on how large the content is, so that scenes can lay it out by this.
 */
void
hl_scene_get_progress (HlScene *self,
                       double  *x,
                       double  *y)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_if_fail (HL_IS_SCENE (self));

  if (x != NULL)
    *x = priv->scroll_x;
  if (y != NULL)
    *y = priv->scroll_y;
}

/**
 * hl_scene_set_text_mode:
 * @self: a scene
 * @mode: how text is drawn
 */
void
hl_scene_set_text_mode (HlScene    *self,
                        HlTextMode  mode)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_if_fail (HL_IS_SCENE (self));

  priv->text_mode = mode;
}

/**
 * hl_scene_get_text_mode:
 * @self: a scene
 *
 * Returns: how text is drawn
 */
HlTextMode
hl_scene_get_text_mode (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_val_if_fail (HL_IS_SCENE (self), HL_TEXT_GLYPHS);

  return priv->text_mode;
}

/**
 * hl_scene_get_paints_background:
 * @self: a scene
 *
 * Returns: whether the backdrop is opaque, in the colour of the theme
 */
gboolean
hl_scene_get_paints_background (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return priv->paints_background;
}

/**
 * hl_scene_get_vector:
 * @self: a scene
 *
 * Returns: whether it will be drawn to a surface that keeps shapes, so that no pixels need be prepared
 */
gboolean
hl_scene_get_vector (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return priv->vector;
}

/**
 * hl_scene_get_shows_all_heads:
 * @self: a scene
 *
 * Returns: whether layer and heads of the state change nothing of what must be read
 */
gboolean
hl_scene_get_shows_all_heads (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return HL_SCENE_GET_CLASS (self)->shows_all_heads;
}

/**
 * hl_scene_measure:
 * @self: a scene
 * @width: (out): logical pixels that the content takes
 * @height: (out): logical pixels that the content takes
 */
void
hl_scene_measure (HlScene *self,
                  double  *width,
                  double  *height)
{
  g_return_if_fail (HL_IS_SCENE (self));

  HL_SCENE_GET_CLASS (self)->measure (self, width, height);
}

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
  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (HL_IS_SCENE_JOB (job));

  HL_SCENE_GET_CLASS (self)->accept (self, job);
}

/**
 * hl_scene_prepare:
 * @self: a scene
 * @cancellable: (nullable): stops it
 * @error: as hl_scene_job_run()
 *
 * Runs jobs here and now until the scene is complete: for exports, the command line and tests.
 *
 * Returns: whether it is complete
 */
gboolean
hl_scene_prepare (HlScene       *self,
                  GCancellable  *cancellable,
                  GError       **error)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  for (;;)
    {
      g_autoptr (HlSceneJob) job = hl_scene_create_job (self);
      if (job == NULL)
        return TRUE;
      if (!hl_scene_job_run (job, cancellable, error))
        return FALSE;
      hl_scene_accept (self, job);
    }
}

/**
 * hl_scene_draw_part:
 * @self: a scene
 * @cr: where to draw; the viewport's corner is at (0, 0)
 * @part: which part
 *
 * Paints one part, at full opacity.
 */
void
hl_scene_draw_part (HlScene     *self,
                    cairo_t     *cr,
                    HlScenePart  part)
{
  g_return_if_fail (HL_IS_SCENE (self));

  cairo_save (cr);
  HL_SCENE_GET_CLASS (self)->draw (self, cr, part);
  cairo_restore (cr);
}

/**
 * hl_scene_get_picture_opacity:
 * @self: a scene
 *
 * Returns: 0 to 1: how strongly %HL_SCENE_PICTURE shows just now
 */
double
hl_scene_get_picture_opacity (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), 1);

  return HL_SCENE_GET_CLASS (self)->get_picture_opacity (self);
}

/**
 * hl_scene_draw:
 * @self: a scene
 * @cr: where to draw; the viewport's corner is at (0, 0)
 *
 * Paints all parts, as they are seen on screen.
 */
void
hl_scene_draw (HlScene *self,
               cairo_t *cr)
{
  const double opacity = hl_scene_get_picture_opacity (self);

  g_return_if_fail (HL_IS_SCENE (self));

  hl_scene_draw_part (self, cr, HL_SCENE_BACKDROP);
  if (opacity >= 1)
    hl_scene_draw_part (self, cr, HL_SCENE_PICTURE);
  else if (opacity > 0)
    {
      cairo_push_group (cr);
      hl_scene_draw_part (self, cr, HL_SCENE_PICTURE);
      cairo_pop_group_to_source (cr);
      cairo_paint_with_alpha (cr, opacity);
    }
  hl_scene_draw_part (self, cr, HL_SCENE_OVERLAY);
}

/**
 * hl_scene_pick:
 * @self: a scene
 * @x: logical pixels from the viewport's left edge
 * @y: logical pixels from its top edge
 * @pick: (out): what is there
 */
void
hl_scene_pick (HlScene *self,
               double   x,
               double   y,
               HlPick  *pick)
{
  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (pick != NULL);

  *pick = (HlPick){ HL_PICK_NONE };
  HL_SCENE_GET_CLASS (self)->pick (self, x, y, pick);
}

/**
 * hl_scene_describe:
 * @self: a scene
 * @pick: something picked
 *
 * Returns: (transfer full) (nullable): a line about it, translated; %NULL if there is nothing to say
 */
char *
hl_scene_describe (HlScene      *self,
                   const HlPick *pick)
{
  g_return_val_if_fail (HL_IS_SCENE (self), NULL);

  return pick->kind != HL_PICK_NONE ? HL_SCENE_GET_CLASS (self)->describe (self, pick) : NULL;
}

/**
 * hl_scene_can_zoom:
 * @self: a scene
 *
 * Returns: whether hl_scene_zoom() and hl_scene_fit() do something
 */
gboolean
hl_scene_can_zoom (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return HL_SCENE_GET_CLASS (self)->zoom != NULL;
}

/**
 * hl_scene_zoom:
 * @self: a scene
 * @factor: over 1 enlarges
 * @x: logical pixels from the viewport's left edge
 * @y: logical pixels from its top edge
 *
 * Zooms so that what is at a point stays there.
 */
void
hl_scene_zoom (HlScene *self,
               double   factor,
               double   x,
               double   y)
{
  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (factor > 0);

  if (hl_scene_can_zoom (self))
    HL_SCENE_GET_CLASS (self)->zoom (self, factor, x, y);
}

/**
 * hl_scene_fit:
 * @self: a scene
 *
 * Zooms so that everything is in view.
 */
void
hl_scene_fit (HlScene *self)
{
  g_return_if_fail (HL_IS_SCENE (self));

  if (hl_scene_can_zoom (self))
    HL_SCENE_GET_CLASS (self)->fit (self);
}

/**
 * hl_scene_locate:
 * @self: a scene
 * @pick: a token or a cell
 * @x: (out): logical pixels from the viewport's left edge; may lie outside the viewport
 * @y: (out): logical pixels from its top edge
 * @width: (out): logical pixels
 * @height: (out): logical pixels
 *
 * The inverse of hl_scene_pick(), for those who bring something into view.
 *
 * Returns: whether the scene shows such a thing; otherwise nothing is written
 */
gboolean
hl_scene_locate (HlScene      *self,
                 const HlPick *pick,
                 double       *x,
                 double       *y,
                 double       *width,
                 double       *height)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);
  g_return_val_if_fail (pick != NULL, FALSE);

  return HL_SCENE_GET_CLASS (self)->locate != NULL &&
         HL_SCENE_GET_CLASS (self)->locate (self, pick, x, y, width, height);
}

/**
 * hl_scene_get_zoom:
 * @self: a scene
 *
 * Returns: the zoom, for hl_scene_set_zoom() of a scene of the same class; 0 while the scene chooses it to fit the viewport
 */
double
hl_scene_get_zoom (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), 0);

  return HL_SCENE_GET_CLASS (self)->get_zoom != NULL ? HL_SCENE_GET_CLASS (self)->get_zoom (self) : 0;
}

/**
 * hl_scene_set_zoom:
 * @self: a scene
 * @zoom: what hl_scene_get_zoom() gave
 *
 * Shows the content as large as another scene does. Scenes that do not zoom ignore it.
 */
void
hl_scene_set_zoom (HlScene *self,
                   double   zoom)
{
  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (zoom >= 0);

  if (HL_SCENE_GET_CLASS (self)->set_zoom != NULL)
    HL_SCENE_GET_CLASS (self)->set_zoom (self, zoom);
}

/**
 * hl_scene_emit_job_needed: (skip)
 * @self: a scene
 */
void
hl_scene_emit_job_needed (HlScene *self)
{
  g_signal_emit (self, signals[JOB_NEEDED], 0);
}

/**
 * hl_scene_emit_changed: (skip)
 * @self: a scene
 * @part: what is to be painted anew
 */
void
hl_scene_emit_changed (HlScene     *self,
                       HlScenePart  part)
{
  g_signal_emit (self, signals[CHANGED], 0, (guint) part);
}

/**
 * hl_scene_emit_measured: (skip)
 * @self: a scene
 */
void
hl_scene_emit_measured (HlScene *self)
{
  g_signal_emit (self, signals[MEASURED], 0);
}

/**
 * hl_scene_emit_all_changed:
 * @self: a scene
 *
 * For subclasses: size and all parts are others, and a job may be needed.
 */
void
hl_scene_emit_all_changed (HlScene *self)
{
  g_return_if_fail (HL_IS_SCENE (self));

  hl_scene_emit_measured (self);
  for (HlScenePart part = 0; part < HL_SCENE_N_PARTS; part++)
    hl_scene_emit_changed (self, part);
  hl_scene_emit_job_needed (self);
}
