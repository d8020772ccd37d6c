/* SPDX-License-Identifier: MIT */
/* HlScene: what every picture of attention has in common. */
#include "draw/scene/hl-scene-private.h"

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

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (HlScene, hl_scene, G_TYPE_OBJECT)

/**
 * hl_scene_get_private: (skip)
 * @self: a scene
 *
 * Returns: (transfer none): its members
 */
HlScenePrivate *
hl_scene_get_private (HlScene *self)
{
  return hl_scene_get_instance_private (self);
}

static void
on_state_notify (HlViewState *state,
                 GParamSpec  *pspec,
                 HlScene     *self)
{
  if (!g_str_equal (pspec->name, "hovered"))
    g_clear_pointer (&hl_scene_get_private (self)->caption, g_strfreev);
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
  g_clear_pointer (&priv->caption, g_strfreev);
  g_clear_pointer (&priv->data, hl_scene_data_unref);
  hl_scene_text_free (priv->text);
  G_OBJECT_CLASS (hl_scene_parent_class)->finalize (object);
}

static double
hl_scene_real_get_picture_opacity (HlScene *self)
{
  return 1;
}

static void
hl_scene_real_state_changed (HlScene    *self,
                             const char *property)
{
  const char *const *without_effect = HL_SCENE_GET_CLASS (self)->without_effect;

  if (g_str_equal (property, "hovered") || g_str_equal (property, "pinned"))
    hl_scene_emit_changed (self, HL_SCENE_OVERLAY);
  else if (without_effect == NULL || !g_strv_contains (without_effect, property))
    hl_scene_emit_all_changed (self);
}

static void
hl_scene_class_init (HlSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = hl_scene_constructed;
  object_class->get_property = hl_scene_get_property;
  object_class->set_property = hl_scene_set_property;
  object_class->finalize = hl_scene_finalize;
  klass->get_picture_opacity = hl_scene_real_get_picture_opacity;
  klass->state_changed = hl_scene_real_state_changed;

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
  priv->text = hl_scene_text_new ();
  priv->paints_background = TRUE;
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
  g_clear_pointer (&priv->caption, g_strfreev);
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
 * hl_scene_get_text: (skip)
 * @self: a scene
 *
 * Returns: (transfer none): what writes its lines of text
 */
HlSceneText *
hl_scene_get_text (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  return priv->text;
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

/* Of a shorter text, or in a larger viewport, one may have scrolled past the end of what there is. */
static void
stay_within_content (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);
  double width, height;

  if (priv->scroll_x == 0 && priv->scroll_y == 0)
    return;
  hl_scene_measure (self, &width, &height);
  priv->scroll_x = CLAMP (priv->scroll_x, 0, MAX (0, width - priv->width));
  priv->scroll_y = CLAMP (priv->scroll_y, 0, MAX (0, height - priv->height));
}

/**
 * hl_scene_emit_measured: (skip)
 * @self: a scene
 */
void
hl_scene_emit_measured (HlScene *self)
{
  stay_within_content (self);
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
