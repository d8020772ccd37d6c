/* SPDX-License-Identifier: MIT */
/* HlScene: what every picture of attention has in common. */
#include "draw/scene/hl-scene.h"

#include <math.h>

#include "draw/scene/hl-scene-describe.h"

typedef struct
{
  HlViewState *state;
  HlSceneText *text;
  HlTextMode text_mode;
  HlSceneData *data; /* what was read last */

  HlSceneFrame frame;
  guint serial; /* of the state that it was made for */
  gboolean has_no_cards;
  gboolean names_heads;
  /* Of what is beside it; 0 while there is nothing, or something of the same size. */
  double beside_width;
  double beside_height;
  gboolean knows_wanted;
  gboolean is_laid_out;
  HlSceneData *wanted;
  GStrv caption;
  guint caption_lines; /* of this or of what is beside it, whichever are more */
  gpointer layout;
} HlScenePrivate;

enum
{
  PROP_STATE = 1,
  PROP_PAINTS_BACKGROUND,
  PROP_HIGH_CONTRAST,
  PROP_VECTOR,
  PROP_IS_CUT,
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

/* Another viewport needs another layout, and other lines of words. */
static void
drop_layout (HlScene *self,
             gboolean with_caption)
{
  HlScenePrivate *priv = hl_scene_get_private (self);

  priv->is_laid_out = FALSE;
  if (with_caption)
    g_clear_pointer (&priv->caption, g_strfreev);
}

static void
drop_frame (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_private (self);

  drop_layout (self, TRUE);
  g_clear_pointer (&priv->wanted, hl_scene_data_unref);
  priv->knows_wanted = FALSE;
}

/* What is wanted has no numbers: it is never read, only compared with. */
static void
find_data (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_private (self);
  HlSceneClass *klass = HL_SCENE_GET_CLASS (self);

  if (!priv->knows_wanted && klass->create_data != NULL)
    priv->wanted = klass->create_data (self, priv->frame.shown);
  priv->knows_wanted = TRUE;
  priv->frame.wanted = priv->wanted;
  priv->frame.data =
    priv->wanted != NULL && priv->data != NULL && hl_scene_data_equal (priv->data, priv->wanted) ? priv->data : NULL;
}

static gboolean
shows_nothing (HlScene *self)
{
  return HL_SCENE_GET_CLASS (self)->create_data != NULL && hl_scene_get_private (self)->wanted == NULL;
}

/* A name may come later than the picture, which does not move for it: it has no line of its own. */
static GStrv
break_caption (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_private (self);
  const HlSceneFrame *frame = &priv->frame;
  g_autofree char *words = hl_view_state_describe (priv->state);
  g_autofree char *named = priv->names_heads ? hl_view_state_describe_named (priv->state) : NULL;
  g_auto (GStrv) plain = hl_caption_break (priv->text, words, frame->level_width, frame->level_height);
  g_auto (GStrv) lines = named != NULL ? hl_caption_break (priv->text, named, frame->level_width, frame->level_height)
                                       : NULL;

  return lines != NULL && g_strv_length (lines) == g_strv_length (plain) &&
             hl_caption_fits (priv->text, lines, frame->level_width)
           ? g_steal_pointer (&lines)
           : g_steal_pointer (&plain);
}

static void
lay_out (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_private (self);
  HlSceneClass *klass = HL_SCENE_GET_CLASS (self);
  HlSceneFrame *frame = &priv->frame;

  if (klass->lay_out == NULL)
    return;
  if (priv->caption == NULL)
    {
      priv->caption = break_caption (self);
      priv->caption_lines = g_strv_length (priv->caption);
      if (frame->beside != NULL)
        {
          g_autofree char *others = hl_view_state_describe (hl_view_state_get_beside (priv->state));
          g_auto (GStrv) lines = hl_caption_break (priv->text, others, frame->level_width, frame->level_height);
          priv->caption_lines = MAX (priv->caption_lines, g_strv_length (lines));
        }
    }
  frame->caption = (const char *const *) priv->caption;
  frame->caption_room = (priv->caption_lines - 1.0) * HL_CAPTION_LINE;
  frame->layout = NULL;
  if (shows_nothing (self))
    return;
  if (klass->label_size > 0)
    hl_label_room_measure (&frame->room, priv->text, frame->shown, klass->label_size);
  if (klass->label_size > 0 && frame->beside != NULL)
    hl_label_room_measure (&frame->beside_room, priv->text, frame->beside, klass->label_size);
  else
    hl_label_room_clear (&frame->beside_room);
  if (priv->layout == NULL)
    priv->layout = g_malloc0 (klass->layout_size);
  klass->lay_out (self, frame, priv->layout);
  frame->layout = priv->layout;
}

/* What another picture of the same kind shows that stands beside it. */
static const HlShown *
get_beside (HlViewState *state)
{
  HlViewState *beside = hl_view_state_get_beside (state);
  const HlShown *shown = beside != NULL ? hl_view_state_get_shown (beside) : NULL;

  return shown != NULL && shown->options.view == hl_view_state_get_options (state)->view ? shown : NULL;
}

/* Others hear of a change of the state before this scene does, and then ask it: it cannot wait until it is told. */
const HlSceneFrame *
hl_scene_get_frame (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_private (self);
  HlSceneFrame *frame = &priv->frame;
  const guint serial = hl_view_state_get_serial (priv->state);

  if (priv->serial != serial)
    drop_frame (self);
  priv->serial = serial;
  frame->shown = hl_view_state_get_shown (priv->state);
  frame->beside = get_beside (priv->state);
  frame->level_width = frame->beside != NULL && priv->beside_width > 0 ? MIN (priv->beside_width, frame->width)
                                                                       : frame->width;
  frame->level_height = frame->beside != NULL && priv->beside_height > 0 ? MIN (priv->beside_height, frame->height)
                                                                         : frame->height;
  frame->hovered = hl_view_state_get_hovered (priv->state);
  frame->pinned = hl_view_state_get_pinned (priv->state);
  frame->in_focus = hl_view_state_get_in_focus (priv->state);
  frame->focus = &frame->in_focus->pick;
  frame->theme = frame->high_contrast ? hl_theme_get_high_contrast (frame->shown->options.dark)
                                      : hl_theme_get (frame->shown->options.dark);
  if (!priv->knows_wanted)
    find_data (self);
  if (!priv->is_laid_out)
    {
      frame->from_right = hl_view_state_reads_right_to_left (priv->state);
      lay_out (self);
    }
  priv->is_laid_out = TRUE;
  return frame;
}

static void
on_state_changed (HlScene  *self,
                  HlChanges changes)
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
      g_value_set_boolean (value, priv->frame.paints_background);
      break;
    case PROP_HIGH_CONTRAST:
      g_value_set_boolean (value, priv->frame.high_contrast);
      break;
    case PROP_VECTOR:
      g_value_set_boolean (value, priv->frame.vector);
      break;
    case PROP_IS_CUT:
      g_value_set_boolean (value, priv->frame.is_cut);
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
      priv->frame.paints_background = g_value_get_boolean (value);
      hl_scene_emit_changed (self, HL_SCENE_BACKDROP);
      break;
    case PROP_HIGH_CONTRAST:
      priv->frame.high_contrast = g_value_get_boolean (value);
      hl_scene_emit_all_changed (self);
      break;
    case PROP_VECTOR:
      priv->frame.vector = g_value_get_boolean (value);
      hl_scene_emit_changed (self, HL_SCENE_PICTURE);
      hl_scene_emit_job_needed (self);
      break;
    case PROP_IS_CUT:
      priv->frame.is_cut = g_value_get_boolean (value);
      drop_layout (self, FALSE);
      hl_scene_emit_all_changed (self);
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
  g_free (priv->layout);
  hl_label_room_clear (&priv->frame.room);
  hl_label_room_clear (&priv->frame.beside_room);
  g_clear_pointer (&priv->data, hl_scene_data_unref);
  hl_scene_text_free (priv->text);
  G_OBJECT_CLASS (hl_scene_parent_class)->finalize (object);
}

static double
hl_scene_real_get_picture_opacity (HlScene            *self,
                                   const HlSceneFrame *frame)
{
  return 1;
}

static void
hl_scene_real_state_changed (HlScene  *self,
                             HlChanges changes)
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

  properties[PROP_STATE] = g_param_spec_object ("state", NULL, NULL, HL_TYPE_VIEW_STATE,
                                                G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  /**
   * HlScene:paints-background:
   *
   * Whether the backdrop is opaque, in the colour of the theme.
   */
  properties[PROP_PAINTS_BACKGROUND] =
    g_param_spec_boolean ("paints-background", NULL, NULL, TRUE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  /**
   * HlScene:high-contrast:
   *
   * Whether what is not data is drawn in the colours of high contrast.
   */
  properties[PROP_HIGH_CONTRAST] =
    g_param_spec_boolean ("high-contrast", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  /**
   * HlScene:vector:
   *
   * Whether it will be drawn to a surface that keeps shapes, so that no pixels need be prepared.
   */
  properties[PROP_VECTOR] =
    g_param_spec_boolean ("vector", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  /**
   * HlScene:is-cut:
   *
   * Whether it will be a figure that has nothing but what is shown, and no room to spare.
   */
  properties[PROP_IS_CUT] =
    g_param_spec_boolean ("is-cut", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /**
   * HlScene::job-needed:
   *
   * Something changed so that hl_scene_create_job() has a job to give.
   */
  signals[JOB_NEEDED] =
    g_signal_new ("job-needed", HL_TYPE_SCENE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /**
   * HlScene::changed:
   * @part: the #HlScenePart that is to be painted anew
   */
  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_SCENE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * HlScene::measured:
   *
   * The size of the content, or the place of the viewport in it, is another.
   */
  signals[MEASURED] = g_signal_new ("measured", HL_TYPE_SCENE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_scene_init (HlScene *self)
{
  HlScenePrivate *priv = hl_scene_get_instance_private (self);

  priv->frame.scale = 1;
  priv->text = hl_scene_text_new ();
  priv->frame.paints_background = TRUE;
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
  HlSceneFrame *frame = &hl_scene_get_private (self)->frame;
  double width, height;

  if (frame->x == 0 && frame->y == 0)
    return;
  hl_scene_measure (self, &width, &height);
  frame->x = CLAMP (frame->x, 0, MAX (0, width - frame->width));
  frame->y = CLAMP (frame->y, 0, MAX (0, height - frame->height));
  drop_layout (self, FALSE);
}

/* The size of the content, the place of the viewport in it and all parts. */
static void
emit_measured (HlScene *self)
{
  g_signal_emit (self, signals[MEASURED], 0);
  for (HlScenePart part = 0; part < HL_SCENE_N_PARTS; part++)
    hl_scene_emit_changed (self, part);
  hl_scene_emit_job_needed (self);
}

/* Says how much of the content is in view. All parts change. */
void
hl_scene_set_viewport (HlScene *self,
                       double   width,
                       double   height,
                       double   scale)
{
  HlSceneFrame *frame = &hl_scene_get_private (self)->frame;

  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (width >= 0 && height >= 0 && scale > 0);

  if (frame->width == width && frame->height == height && frame->scale == scale)
    return;
  frame->width = width;
  frame->height = height;
  frame->scale = scale;
  drop_layout (self, TRUE);
  emit_measured (self);
}

/* Says how large the viewport of the picture beside it is, so that rows lie as high in both. */
void
hl_scene_set_beside_size (HlScene *self,
                          double   width,
                          double   height)
{
  HlScenePrivate *priv = hl_scene_get_private (self);

  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (width >= 0 && height >= 0);

  if (priv->beside_width == width && priv->beside_height == height)
    return;
  priv->beside_width = width;
  priv->beside_height = height;
  drop_layout (self, TRUE);
  emit_measured (self);
}

void
hl_scene_get_viewport (HlScene *self,
                       double  *width,
                       double  *height,
                       double  *scale)
{
  const HlSceneFrame *frame = &hl_scene_get_private (self)->frame;

  g_return_if_fail (HL_IS_SCENE (self));

  if (width != NULL)
    *width = frame->width;
  if (height != NULL)
    *height = frame->height;
  if (scale != NULL)
    *scale = frame->scale;
}

/* Moves the viewport over the content, from where this begins to be read, left or right; positions outside are
 * clamped. */
void
hl_scene_set_progress (HlScene *self,
                       double   x,
                       double   y)
{
  HlSceneFrame *frame = &hl_scene_get_private (self)->frame;
  double width, height;

  g_return_if_fail (HL_IS_SCENE (self));

  hl_scene_measure (self, &width, &height);
  x = CLAMP (x, 0, MAX (0, width - frame->width));
  y = CLAMP (y, 0, MAX (0, height - frame->height));
  if (frame->x == x && frame->y == y)
    return;
  frame->x = x;
  frame->y = y;
  drop_layout (self, FALSE);
  emit_measured (self);
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
    *x = priv->frame.x;
  if (y != NULL)
    *y = priv->frame.y;
}

void
hl_scene_set_text_mode (HlScene   *self,
                        HlTextMode mode)
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

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  *width = frame->width;
  *height = frame->height;
  if (!shows_nothing (self))
    HL_SCENE_GET_CLASS (self)->measure (self, frame, width, height);
  else if (frame->is_cut)
    *height = MIN (*height, HL_LACK_HEIGHT + frame->caption_room);
}

/*
 * The size of a figure that is cut to what the scene shows, of rows and cells as high as they are in its viewport. Nobody hears of it:
 * the scene stays as it is.
 */
void
hl_scene_measure_cut (HlScene *self,
                      double   least_width,
                      double  *width,
                      double  *height)
{
  g_return_if_fail (HL_IS_SCENE (self));

  HlSceneFrame *frame = &hl_scene_get_private (self)->frame;
  const double page_width = frame->width;
  const gboolean was_cut = frame->is_cut;
  double narrower;
  frame->is_cut = TRUE;
  drop_layout (self, TRUE);
  hl_scene_measure (self, width, height);
  *width = ceil (MAX (*width, MIN (least_width, page_width)));
  /* A caption breaks into more lines of fewer words. */
  frame->width = *width;
  drop_layout (self, TRUE);
  hl_scene_measure (self, &narrower, height);
  *height = ceil (*height);
  frame->width = page_width;
  frame->is_cut = was_cut;
  drop_layout (self, TRUE);
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
hl_scene_emit_changed (HlScene    *self,
                       HlScenePart part)
{
  g_signal_emit (self, signals[CHANGED], 0, (guint) part);
}

/* For subclasses: size and all parts are others, and a job may be needed. */
void
hl_scene_emit_all_changed (HlScene *self)
{
  g_return_if_fail (HL_IS_SCENE (self));

  stay_within_content (self);
  emit_measured (self);
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

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  if (hl_scene_can_zoom (self) && !shows_nothing (self))
    HL_SCENE_GET_CLASS (self)->zoom (self, frame, factor, x, y);
}

void
hl_scene_fit (HlScene *self)
{
  g_return_if_fail (HL_IS_SCENE (self));

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  if (hl_scene_can_zoom (self) && !shows_nothing (self))
    HL_SCENE_GET_CLASS (self)->fit (self, frame);
}

/* Whether the caption says what the head is called, as soon as that is known. */
void
hl_scene_set_names_heads (HlScene *self,
                          gboolean names_heads)
{
  HlScenePrivate *priv = hl_scene_get_private (self);

  g_return_if_fail (HL_IS_SCENE (self));

  if (priv->names_heads == names_heads)
    return;
  priv->names_heads = names_heads;
  hl_scene_emit_all_changed (self);
}

gboolean
hl_scene_get_has_cards (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  return !hl_scene_get_private (self)->has_no_cards;
}

/* Whether what is pointed at is told of on a card beside it, where a scene has these; not where a panel does. */
void
hl_scene_set_has_cards (HlScene *self,
                        gboolean has_cards)
{
  HlScenePrivate *priv = hl_scene_get_private (self);

  g_return_if_fail (HL_IS_SCENE (self));

  if (priv->has_no_cards == !has_cards)
    return;
  priv->has_no_cards = !has_cards;
  hl_scene_emit_all_changed (self);
}

/* For hl_scene_set_zoom() of a scene of the same class; 0 while the scene chooses it to fit the viewport. */
double
hl_scene_get_zoom (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), 0);

  return hl_scene_get_private (self)->frame.zoom;
}

/* Scenes that do not zoom ignore it. */
void
hl_scene_set_zoom (HlScene *self,
                   double   zoom)
{
  HlScenePrivate *priv = hl_scene_get_private (self);

  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (zoom >= 0);

  if (!hl_scene_can_zoom (self) || priv->frame.zoom == zoom)
    return;
  priv->frame.zoom = zoom;
  drop_layout (self, FALSE);
  hl_scene_emit_all_changed (self);
}

/* Lets the scene choose its zoom again, for subclasses whose content is another and who tell of that. */
void
hl_scene_forget_zoom (HlScene *self)
{
  hl_scene_get_private (self)->frame.zoom = 0;
  drop_layout (self, FALSE);
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
  double width, height;

  if (!hl_scene_is_mirrored (self))
    return x;
  hl_scene_measure (self, &width, &height);
  return MAX (0, width - hl_scene_get_private (self)->frame.width) - x;
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

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  *window = (cairo_rectangle_t){ 0, 0, frame->width, frame->height };
  if (HL_SCENE_GET_CLASS (self)->get_window != NULL && !shows_nothing (self))
    HL_SCENE_GET_CLASS (self)->get_window (self, frame, window);
}

void
hl_scene_pick (HlScene *self,
               double   x,
               double   y,
               HlPick  *pick)
{
  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (pick != NULL);

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  *pick = (HlPick){ HL_PICK_NONE };
  if (!shows_nothing (self))
    HL_SCENE_GET_CLASS (self)->pick (self, frame, x, y, pick);
}

char *
hl_scene_describe (HlScene      *self,
                   const HlPick *pick)
{
  g_return_val_if_fail (HL_IS_SCENE (self), NULL);

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  return pick->kind != HL_PICK_NONE && hl_shown_has_pick (frame->shown, pick)
           ? HL_SCENE_GET_CLASS (self)->describe (self, frame, pick)
           : NULL;
}

/* What is in focus; of several tokens, what they have together. */
char *
hl_scene_describe_focus (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), NULL);

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  const HlFocus *focus = frame->in_focus;
  guint n_heads = 0;
  if (focus->gathered == NULL)
    return hl_scene_describe (self, frame->focus);
  g_autofree float *row = HL_SCENE_GET_CLASS (self)->make_row != NULL
                            ? HL_SCENE_GET_CLASS (self)->make_row (self, frame, focus, &n_heads)
                            : NULL;
  return hl_scene_describe_tokens (frame->shown, focus, row, n_heads);
}

/* Where an arrow key leads, in scenes that have their own ways. */
void
hl_scene_move (HlScene *self,
               HlPick  *pick,
               int      dx,
               int      dy,
               gboolean to_end)
{
  g_return_if_fail (HL_IS_SCENE (self));

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  if (HL_SCENE_GET_CLASS (self)->move != NULL && !shows_nothing (self))
    HL_SCENE_GET_CLASS (self)->move (self, frame, pick, dx, dy, to_end);
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

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  cairo_rectangle_t box;
  if (HL_SCENE_GET_CLASS (self)->locate == NULL || shows_nothing (self) ||
      !HL_SCENE_GET_CLASS (self)->locate (self, frame, pick, &box))
    return FALSE;
  *x = box.x;
  *y = box.y;
  *width = box.width;
  *height = box.height;
  return TRUE;
}

HlSceneJob *
hl_scene_create_job (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), NULL);

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  HlSceneClass *klass = HL_SCENE_GET_CLASS (self);
  if (shows_nothing (self))
    return NULL;
  g_autoptr (HlSceneData) data = frame->data != NULL          ? hl_scene_data_ref (frame->data)
                                 : klass->create_data != NULL ? klass->create_data (self, frame->shown)
                                                              : NULL;
  return klass->create_job (self, frame, data);
}

void
hl_scene_accept (HlScene    *self,
                 HlSceneJob *job)
{
  HlScenePrivate *priv = hl_scene_get_private (self);
  gboolean is_new = FALSE;

  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (HL_IS_SCENE_JOB (job));

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  HlSceneData *data = hl_scene_job_get_data (job);
  if (data != NULL)
    {
      /* The picture of other heads than those that are written above it would be a lie, however fresh. */
      if (frame->wanted == NULL || !hl_scene_data_equal (data, frame->wanted))
        return;
      is_new = frame->data == NULL;
      if (is_new)
        {
          g_clear_pointer (&priv->data, hl_scene_data_unref);
          priv->data = hl_scene_data_ref (data);
          find_data (self);
          /* Charts have axes as long as their numbers. */
          drop_layout (self, FALSE);
        }
    }
  HL_SCENE_GET_CLASS (self)->accept (self, frame, job, is_new);
}

/* What was read last, whatever the state asks for by now. */
gpointer
hl_scene_get_any_data (HlScene *self)
{
  return hl_scene_get_private (self)->data;
}

/* Of what hl_scene_create_job() was given: it is read first, unless it is there. */
gpointer
hl_scene_new_job (HlScene *self,
                  GType    type,
                  gpointer data)
{
  HlScenePrivate *priv = hl_scene_get_private (self);
  HlSceneJob *job = g_object_new (type, NULL);

  if (data == priv->data)
    hl_scene_job_show (job, data);
  else
    hl_scene_job_read (job, data, priv->data);
  return job;
}

/* At full opacity. */
void
hl_scene_draw_part (HlScene    *self,
                    cairo_t    *cr,
                    HlScenePart part)
{
  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (part < HL_SCENE_N_PARTS);

  const HlSceneFrame *frame = hl_scene_get_frame (self);
  if (part != HL_SCENE_BACKDROP && shows_nothing (self))
    return;
  cairo_save (cr);
  HL_SCENE_GET_CLASS (self)->draw[part](self, frame, cr);
  cairo_restore (cr);
}

double
hl_scene_get_picture_opacity (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), 1);

  return HL_SCENE_GET_CLASS (self)->get_picture_opacity (self, hl_scene_get_frame (self));
}
