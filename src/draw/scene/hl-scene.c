/* SPDX-License-Identifier: MIT */
/* HlScene: what every picture of attention has in common. */
#include "draw/scene/hl-scene.h"

#include <string.h>

#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-write.h"

#define CAPTION_SIZE 12
#define CAPTION_LINE 15
#define CAPTION_MARGIN 12
#define SEPARATOR " · "

/* Of a viewport that is low, the picture needs the rest. */
#define MAX_CAPTION_PART (1 / 3.0)
#define MAX_CAPTION_LINES 6

/* What is made once for a state and a viewport. */
typedef struct
{
  guint serial; /* of the state */
  gpointer layout;
  gboolean is_laid_out;
  HlSceneData *wanted;
} Frame;

typedef struct
{
  HlViewState *state;
  Frame frame;
  GStrv caption;
  double width;
  double height;
  double scale;
  double scroll_x;
  double scroll_y;
  double zoom;
  HlSceneData *data;
  HlSceneText *text;
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

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (HlScene, hl_scene, G_TYPE_OBJECT)

static HlScenePrivate *
hl_scene_get_private (HlScene *self)
{
  return hl_scene_get_instance_private (self);
}

static void
drop_frame (HlScene *self)
{
  Frame *frame = &hl_scene_get_private (self)->frame;

  frame->is_laid_out = FALSE;
  g_clear_pointer (&frame->wanted, hl_scene_data_unref);
}

/* Others hear of a change of the state before this scene does, and then ask it: it cannot wait until it is told. */
static Frame *
get_frame (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_private (self);
  const guint serial = hl_view_state_get_serial (priv->state);

  if (priv->frame.serial != serial)
    {
      g_clear_pointer (&priv->caption, g_strfreev);
      drop_frame (self);
    }
  priv->frame.serial = serial;
  return &priv->frame;
}

gconstpointer
hl_scene_get_layout (HlScene *self)
{
  HlSceneClass *klass = HL_SCENE_GET_CLASS (self);
  Frame *frame = get_frame (self);

  if (frame->layout == NULL)
    frame->layout = g_malloc0 (klass->layout_size);
  if (!frame->is_laid_out)
    klass->lay_out (self, frame->layout);
  frame->is_laid_out = TRUE;
  return frame->layout;
}

/* Without numbers: it is never read, only compared with. */
static const HlSceneData *
get_wanted (HlScene *self)
{
  Frame *frame = get_frame (self);

  if (frame->wanted == NULL)
    frame->wanted = HL_SCENE_GET_CLASS (self)->create_data (self);
  return frame->wanted;
}

static void
on_state_changed (HlScene   *self,
                  HlChanges  changes)
{
  HL_SCENE_GET_CLASS (self)->state_changed (self, changes);
}

static void
hl_scene_constructed (GObject *object)
{
  HlScene *self = HL_SCENE (object);
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  G_OBJECT_CLASS (hl_scene_parent_class)->constructed (object);
  g_assert (priv->state != NULL);
  g_signal_connect_object (priv->state, "changed", G_CALLBACK (on_state_changed), self, G_CONNECT_SWAPPED);
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
  drop_frame (HL_SCENE (object));
  g_free (priv->frame.layout);
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
hl_scene_real_state_changed (HlScene   *self,
                             HlChanges  changes)
{
  const HlSceneClass *klass = HL_SCENE_GET_CLASS (self);

  if (changes & ~(klass->ignored | klass->on_top))
    hl_scene_emit_all_changed (self);
  else if (changes & klass->on_top)
    hl_scene_emit_changed (self, HL_SCENE_OVERLAY);
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
  klass->on_top = HL_CHANGED_HOVER | HL_CHANGED_PIN;

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

HlViewState *
hl_scene_get_state (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_val_if_fail (HL_IS_SCENE (self), NULL);

  return priv->state;
}

/*
 * Of a shorter text one may have scrolled past the end of what there is. In a larger viewport one stays where one was:
 * while a page is laid out, it may be larger for a moment.
 */
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
  drop_frame (self);
}

static void
hl_scene_emit_measured (HlScene *self)
{
  g_signal_emit (self, signals[MEASURED], 0);
}

/* Says how much of the content is in view. All parts change. */
const HlTheme *
hl_scene_get_theme (HlScene *self)
{
  return hl_theme_get (hl_view_state_get_options (hl_scene_get_private (self)->state)->dark);
}

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
  drop_frame (self);
  hl_scene_emit_measured (self);
  for (HlScenePart part = 0; part < HL_SCENE_N_PARTS; part++)
    hl_scene_emit_changed (self, part);
  hl_scene_emit_job_needed (self);
}

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

/* Moves the viewport over the content, from where this begins to be read, left or right; positions outside are
 * clamped. */
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
  drop_frame (self);
  hl_scene_emit_measured (self);
  for (HlScenePart part = 0; part < HL_SCENE_N_PARTS; part++)
    hl_scene_emit_changed (self, part);
  hl_scene_emit_job_needed (self);
}

/* Does not depend on how large the content is, so that scenes can lay it out by this. */
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

void
hl_scene_set_text_mode (HlScene    *self,
                        HlTextMode  mode)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_if_fail (HL_IS_SCENE (self));

  priv->text_mode = mode;
}

HlTextMode
hl_scene_get_text_mode (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_val_if_fail (HL_IS_SCENE (self), HL_TEXT_GLYPHS);

  return priv->text_mode;
}

gboolean
hl_scene_get_paints_background (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return priv->paints_background;
}

gboolean
hl_scene_get_vector (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return priv->vector;
}

/* Whether layer and heads of the state change nothing of what must be read. */
gboolean
hl_scene_get_shows_all_heads (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return HL_SCENE_GET_CLASS (self)->shows_all_heads;
}

void
hl_scene_measure (HlScene *self,
                  double  *width,
                  double  *height)
{
  g_return_if_fail (HL_IS_SCENE (self));

  HL_SCENE_GET_CLASS (self)->measure (self, width, height);
}

HlSceneText *
hl_scene_get_text (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  return priv->text;
}

void
hl_scene_emit_job_needed (HlScene *self)
{
  g_signal_emit (self, signals[JOB_NEEDED], 0);
}

void
hl_scene_emit_changed (HlScene     *self,
                       HlScenePart  part)
{
  g_signal_emit (self, signals[CHANGED], 0, (guint) part);
}

/* For subclasses: size and all parts are others, and a job may be needed. */
void
hl_scene_emit_all_changed (HlScene *self)
{
  g_return_if_fail (HL_IS_SCENE (self));

  stay_within_content (self);
  hl_scene_emit_measured (self);
  for (HlScenePart part = 0; part < HL_SCENE_N_PARTS; part++)
    hl_scene_emit_changed (self, part);
  hl_scene_emit_job_needed (self);
}

gboolean
hl_scene_can_zoom (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return HL_SCENE_GET_CLASS (self)->zoom != NULL;
}

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

void
hl_scene_fit (HlScene *self)
{
  g_return_if_fail (HL_IS_SCENE (self));

  if (hl_scene_can_zoom (self))
    HL_SCENE_GET_CLASS (self)->fit (self);
}

/* For hl_scene_set_zoom() of a scene of the same class; 0 while the scene chooses it to fit the viewport. */
double
hl_scene_get_zoom (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), 0);

  return hl_scene_get_private (self)->zoom;
}

/* Scenes that do not zoom ignore it. */
void
hl_scene_set_zoom (HlScene *self,
                   double   zoom)
{
  HlScenePrivate *priv = hl_scene_get_private (self);

  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (zoom >= 0);

  if (!hl_scene_can_zoom (self) || priv->zoom == zoom)
    return;
  priv->zoom = zoom;
  drop_frame (self);
  hl_scene_emit_all_changed (self);
}

/* Lets the scene choose its zoom again, for subclasses whose content is another and who tell of that. */
void
hl_scene_forget_zoom (HlScene *self)
{
  hl_scene_get_private (self)->zoom = 0;
  drop_frame (self);
}

gboolean
hl_scene_is_mirrored (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return HL_SCENE_GET_CLASS (self)->is_mirrored != NULL && HL_SCENE_GET_CLASS (self)->is_mirrored (self);
}

/* From what is left of the viewport to what is right of it, and back. */
static double
mirror (HlScene *self,
        double   x)
{
  double width, height, page;

  if (!hl_scene_is_mirrored (self))
    return x;
  hl_scene_measure (self, &width, &height);
  hl_scene_get_viewport (self, &page, NULL, NULL);
  return MAX (0, width - page) - x;
}

/* Moves the viewport over the content, from its left edge; positions outside are clamped. */
void
hl_scene_set_scroll (HlScene *self,
                     double   x,
                     double   y)
{
  g_return_if_fail (HL_IS_SCENE (self));

  hl_scene_set_progress (self, mirror (self, x), y);
}

void
hl_scene_get_scroll (HlScene *self,
                     double  *x,
                     double  *y)
{
  double progress;

  g_return_if_fail (HL_IS_SCENE (self));

  hl_scene_get_progress (self, &progress, y);
  if (x != NULL)
    *x = mirror (self, progress);
}

/* Says where content scrolls: what lies outside is under captions and axes, which stay in place, or beyond the
 * viewport. */
void
hl_scene_get_window (HlScene           *self,
                     cairo_rectangle_t *window)
{
  g_return_if_fail (HL_IS_SCENE (self));

  *window = (cairo_rectangle_t){ 0 };
  hl_scene_get_viewport (self, &window->width, &window->height, NULL);
  if (HL_SCENE_GET_CLASS (self)->get_window != NULL)
    HL_SCENE_GET_CLASS (self)->get_window (self, window);
}

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

char *
hl_scene_describe (HlScene      *self,
                   const HlPick *pick)
{
  g_return_val_if_fail (HL_IS_SCENE (self), NULL);

  return pick->kind != HL_PICK_NONE ? HL_SCENE_GET_CLASS (self)->describe (self, pick) : NULL;
}

/* The inverse of hl_scene_pick(), for those who bring something into view; what is found may lie outside of the
 * viewport. */
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

HlSceneJob *
hl_scene_create_job (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), NULL);

  return HL_SCENE_GET_CLASS (self)->create_job (self);
}

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
      const HlSceneData *wanted = get_wanted (self);

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

/* NULL while only other data is there than the state asks for. */
gpointer
hl_scene_get_data (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_private (self);

  if (priv->data == NULL)
    return NULL;
  const HlSceneData *wanted = get_wanted (self);
  return wanted != NULL && hl_scene_data_equal (priv->data, wanted) ? priv->data : NULL;
}

/* What was read last, whatever the state asks for by now. */
gpointer
hl_scene_get_any_data (HlScene *self)
{
  return hl_scene_get_private (self)->data;
}

/* What the state asks for: what is there, or what must be read; NULL if there is nothing to show. */
gpointer
hl_scene_dup_data (HlScene  *self,
                   gboolean *is_read)
{
  HlScenePrivate *priv = hl_scene_get_private (self);
  const HlSceneData *wanted = get_wanted (self);

  *is_read = wanted != NULL && priv->data != NULL && hl_scene_data_equal (priv->data, wanted);
  return *is_read ? hl_scene_data_ref (priv->data) : HL_SCENE_GET_CLASS (self)->create_data (self);
}

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

/* Runs jobs here and now until the scene is complete: for exports, the command line and tests. */
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

/* At full opacity. */
void
hl_scene_draw_part (HlScene     *self,
                    cairo_t     *cr,
                    HlScenePart  part)
{
  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (part < HL_SCENE_N_PARTS);

  cairo_save (cr);
  HL_SCENE_GET_CLASS (self)->draw[part] (self, cr);
  cairo_restore (cr);
}

double
hl_scene_get_picture_opacity (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), 1);

  return HL_SCENE_GET_CLASS (self)->get_picture_opacity (self);
}

/* Paints all parts, as they are seen on screen. */
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

static HlTextStyle
get_caption_style (double width)
{
  return (HlTextStyle){ .size = CAPTION_SIZE, .max_width = MAX (width - 2 * CAPTION_MARGIN, 24) };
}

/* How much of a caption fits into a line if it is broken at a separator; 0 for nothing. */
static gsize
get_fitting_length (HlSceneText *text,
                    const char  *caption,
                    const char  *separator,
                    double       width)
{
  const HlTextStyle style = { .size = CAPTION_SIZE };
  gsize length = 0;

  for (const char *end = caption; end != NULL;)
    {
      end = strstr (length == 0 ? caption : caption + length + strlen (separator), separator);
      const gsize longer = end != NULL ? (gsize) (end - caption) : strlen (caption);
      g_autofree char *line = g_strndup (caption, longer);
      if (hl_scene_text_get_width (text, line, &style) > width)
        break;
      length = longer;
    }
  return length;
}

/*
 * How much of it stands in a line: parts as long as they fit, else words, else all, of which an ellipsis takes the end.
 */
static gsize
get_line_length (HlSceneText *text,
                 const char  *caption,
                 double       width)
{
  const gsize parts = get_fitting_length (text, caption, SEPARATOR, width);
  const gsize words = parts == 0 ? get_fitting_length (text, caption, " ", width) : parts;
  const char *end = strstr (caption, SEPARATOR);

  return words > 0 ? words : end != NULL ? (gsize) (end - caption) : strlen (caption);
}

static GStrv
break_lines (HlScene *scene,
             double   width,
             double   height)
{
  const double room = get_caption_style (width).max_width;
  const guint n_lines = (guint) CLAMP (height * MAX_CAPTION_PART / CAPTION_LINE, 1, MAX_CAPTION_LINES);
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  g_autofree char *caption = hl_view_state_describe (hl_scene_get_state (scene));
  const char *rest = caption;

  /* The last line takes what is left. */
  for (guint i = 0; i + 1 < n_lines; i++)
    {
      const gsize length = get_line_length (hl_scene_get_text (scene), rest, room);
      if (rest[length] == '\0')
        break;
      g_autofree char *line = g_strndup (rest, length);
      g_strv_builder_add (lines, line);
      rest += length + strlen (g_str_has_prefix (rest + length, SEPARATOR) ? SEPARATOR : " ");
    }
  g_strv_builder_add (lines, rest);
  return g_strv_builder_end (lines);
}

/* Made once for a state and a viewport. */
static GStrv
get_caption_lines (HlScene *scene)
{
  HlScenePrivate *priv = hl_scene_get_private (scene);

  get_frame (scene);
  if (priv->caption == NULL)
    priv->caption = break_lines (scene, priv->width, priv->height);
  return priv->caption;
}

/* How much lower the caption is than one of a single line. */
double
hl_scene_caption_get_room (HlScene *scene)
{
  return (g_strv_length (get_caption_lines (scene)) - 1.0) * CAPTION_LINE;
}

/* In as many lines as it takes: words that are cut off would say less than the picture. */
void
hl_scene_caption_draw (HlScene *scene,
                       cairo_t *cr,
                       double   y)
{
  const HlTheme *theme = hl_scene_get_theme (scene);
  const GStrv lines = get_caption_lines (scene);
  double width;

  hl_scene_get_viewport (scene, &width, NULL, NULL);
  const HlTextStyle style = get_caption_style (width);
  for (guint i = 0; lines[i] != NULL; i++)
    hl_scene_write (scene, cr, lines[i], &style, &theme->muted, width / 2, y + i * CAPTION_LINE, 0.5);
}
