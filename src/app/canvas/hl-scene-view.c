/* SPDX-License-Identifier: MIT */
/*
 * The widget that hosts scenes. Backdrop and picture are kept and drawn again only when the scene says so; a frame in
 * which only the pointer moved costs the overlay. What takes time is the runner's business. Pointer and keyboard are in
 * files of their own.
 */
#include "config.h"

#include "app/canvas/hl-scene-view-private.h"

#include <glib/gi18n.h>

enum
{
  PROP_VIEW_STATE = 1,
  PROP_SCENE,
  PROP_BUSY,
  N_PROPERTIES,
  PROP_HADJUSTMENT = N_PROPERTIES,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

enum
{
  FINISHED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (HlSceneView, hl_scene_view, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

static void
clear_layers (HlSceneView *self)
{
  for (guint part = 0; part < G_N_ELEMENTS (self->layers); part++)
    hl_scene_layer_clear (&self->layers[part]);
}

static void
update_accessible (HlSceneView *self)
{
  g_autofree char *shown = NULL;
  g_autofree char *label = NULL;
  g_autofree char *description = NULL;

  if (self->view_state != NULL)
    {
      shown = hl_view_state_describe (self->view_state);
      /* Translators: the kind of view, then what it shows: "Heatmap: attention weight · layer 3 · head 5" */
      label = g_strdup_printf (
        _ ("%s: %s"), _ (hl_view_kinds[hl_view_state_get_view (self->view_state)].label), shown);
      /* A swatch or a map is never in focus, but the pointer over it is told all the same. */
      const HlPick *hovered = hl_view_state_get_hovered (self->view_state);
      const gboolean is_head = hovered->kind == HL_PICK_HEAD || hovered->kind == HL_PICK_MAP;
      description = hl_scene_describe (self->scene, is_head ? hovered : hl_view_state_get_focus (self->view_state));
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label != NULL ? label : "", GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description != NULL ? description : "", -1);
}

static void
on_changed (HlSceneView *self,
            guint        part)
{
  if (part < G_N_ELEMENTS (self->layers))
    hl_scene_layer_clear (&self->layers[part]);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_busy (HlSceneView *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
on_finished (HlSceneView *self)
{
  /* Numbers that were not there yet may be now. */
  hl_scene_view_pick_again (self);
  update_accessible (self);
  g_signal_emit (self, signals[FINISHED], 0);
}

static void
allot_viewport (HlSceneView *self)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self));
  const int height = gtk_widget_get_height (GTK_WIDGET (self));

  if (self->scene != NULL && width > 0 && height > 0)
    hl_scene_set_viewport (self->scene, width, height, gtk_widget_get_scale_factor (GTK_WIDGET (self)));
}

static void
leave_scene (HlSceneView *self)
{
  if (self->scene == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->scene, self);
  g_signal_handlers_disconnect_by_data (self->runner, self);
  hl_scene_runner_set_active (self->runner, FALSE);
  self->scene = NULL;
  self->runner = NULL;
  clear_layers (self);
}

static void
enter_scene (HlSceneView *self)
{
  const HlViewKind kind = hl_view_state_get_view (self->view_state);

  if (kind != HL_VIEW_MODEL)
    self->head_view = kind;
  if (self->runners[kind] == NULL)
    {
      g_autoptr (HlScene) scene = hl_scene_new (kind, self->view_state);
      self->runners[kind] = hl_scene_runner_new (scene);
    }
  self->runner = self->runners[kind];
  self->scene = hl_scene_runner_get_scene (self->runner);
  g_signal_connect_swapped (self->scene, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->scene, "measured", G_CALLBACK (hl_scene_view_update_adjustments), self);
  g_signal_connect_swapped (self->runner, "notify::busy", G_CALLBACK (on_busy), self);
  g_signal_connect_swapped (self->runner, "finished", G_CALLBACK (on_finished), self);
  allot_viewport (self);
  hl_scene_view_update_adjustments (self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    hl_scene_runner_set_active (self->runner, TRUE);
  on_busy (self);
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SCENE]);
}

static void
on_state_notify (HlSceneView *self,
                 GParamSpec  *pspec)
{
  if (g_str_equal (pspec->name, "view"))
    {
      leave_scene (self);
      enter_scene (self);
    }
  else
    update_accessible (self);
}

static void
hl_scene_view_map (GtkWidget *widget)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  GTK_WIDGET_CLASS (hl_scene_view_parent_class)->map (widget);
  if (self->runner != NULL)
    hl_scene_runner_set_active (self->runner, TRUE);
}

static void
hl_scene_view_unmap (GtkWidget *widget)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  if (self->runner != NULL)
    hl_scene_runner_set_active (self->runner, FALSE);
  GTK_WIDGET_CLASS (hl_scene_view_parent_class)->unmap (widget);
}

static void
hl_scene_view_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  *minimum = 160;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 480;
}

static void
hl_scene_view_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  allot_viewport (self);
  hl_scene_view_update_adjustments (self);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
hl_scene_view_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget),
                                                     gtk_widget_get_height (widget));

  if (self->scene == NULL || bounds.size.width <= 0 || bounds.size.height <= 0)
    return;

  GskRenderer *renderer = gtk_native_get_renderer (gtk_widget_get_native (widget));
  for (HlScenePart part = 0; part < G_N_ELEMENTS (self->layers); part++)
    {
      const double opacity = part == HL_SCENE_PICTURE ? hl_scene_get_picture_opacity (self->scene) : 1;
      if (opacity <= 0)
        continue;
      if (opacity < 1)
        gtk_snapshot_push_opacity (snapshot, opacity);
      hl_scene_layer_snapshot (&self->layers[part], self->scene, part, GSK_IS_CAIRO_RENDERER (renderer),
                               snapshot);
      if (opacity < 1)
        gtk_snapshot_pop (snapshot);
    }

  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  hl_scene_draw_part (self->scene, cr, HL_SCENE_OVERLAY);
  cairo_destroy (cr);
  hl_scene_view_snapshot_link (self, snapshot);
}

static gboolean
hl_scene_view_query_tooltip (GtkWidget  *widget,
                             int         x,
                             int         y,
                             gboolean    keyboard,
                             GtkTooltip *tooltip)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  HlPick pick;

  if (self->scene == NULL || keyboard)
    return FALSE;
  /* Only swatches need words: tokens and cells are explained by the scene and the panel. */
  hl_scene_pick (self->scene, x, y, &pick);
  if (pick.kind != HL_PICK_HEAD)
    return FALSE;
  g_autofree char *text = hl_scene_describe (self->scene, &pick);
  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

static void
hl_scene_view_dispose (GObject *object)
{
  HlSceneView *self = HL_SCENE_VIEW (object);

  g_clear_pointer (&self->menu, gtk_widget_unparent);
  hl_scene_view_set_view_state (self, NULL);
  hl_scene_view_set_adjustment (self, &self->hadjustment, NULL);
  hl_scene_view_set_adjustment (self, &self->vadjustment, NULL);
  G_OBJECT_CLASS (hl_scene_view_parent_class)->dispose (object);
}

static void
hl_scene_view_get_property (GObject    *object,
                            guint       id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  HlSceneView *self = HL_SCENE_VIEW (object);

  switch (id)
    {
    case PROP_VIEW_STATE:
      g_value_set_object (value, self->view_state);
      break;
    case PROP_SCENE:
      g_value_set_object (value, self->scene);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, hl_scene_view_get_busy (self));
      break;
    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->hadjustment);
      break;
    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->vadjustment);
      break;
    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, self->hscroll_policy);
      break;
    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, self->vscroll_policy);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_scene_view_set_property (GObject      *object,
                            guint         id,
                            const GValue *value,
                            GParamSpec   *pspec)
{
  HlSceneView *self = HL_SCENE_VIEW (object);

  switch (id)
    {
    case PROP_VIEW_STATE:
      hl_scene_view_set_view_state (self, g_value_get_object (value));
      break;
    case PROP_HADJUSTMENT:
      hl_scene_view_set_adjustment (self, &self->hadjustment, g_value_get_object (value));
      break;
    case PROP_VADJUSTMENT:
      hl_scene_view_set_adjustment (self, &self->vadjustment, g_value_get_object (value));
      break;
    case PROP_HSCROLL_POLICY:
      self->hscroll_policy = g_value_get_enum (value);
      break;
    case PROP_VSCROLL_POLICY:
      self->vscroll_policy = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_scene_view_class_init (HlSceneViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = hl_scene_view_dispose;
  object_class->get_property = hl_scene_view_get_property;
  object_class->set_property = hl_scene_view_set_property;
  widget_class->map = hl_scene_view_map;
  widget_class->unmap = hl_scene_view_unmap;
  widget_class->measure = hl_scene_view_measure;
  widget_class->size_allocate = hl_scene_view_size_allocate;
  widget_class->snapshot = hl_scene_view_snapshot;
  widget_class->query_tooltip = hl_scene_view_query_tooltip;

  properties[PROP_VIEW_STATE] =
    g_param_spec_object ("view-state", NULL, NULL, HL_TYPE_VIEW_STATE,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SCENE] = g_param_spec_object ("scene", NULL, NULL, HL_TYPE_SCENE, readable);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, readable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");

  /**
   * HlSceneView::finished:
   * @self: a scene view
   *
   * The scene is complete, or cannot be: see hl_scene_view_get_error().
   */
  signals[FINISHED] = g_signal_new ("finished", HL_TYPE_SCENE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 0);

  hl_scene_view_install_keys (widget_class);
  hl_scene_view_install_link (widget_class);
  hl_scene_view_install_menu (widget_class);
  gtk_widget_class_set_css_name (widget_class, "sceneview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
hl_scene_view_init (HlSceneView *self)
{
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_focus_on_click (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (allot_viewport), NULL);
  hl_scene_view_init_pointer (self);
  hl_scene_view_init_link (self);
  hl_scene_view_init_menu (self);
}

/**
 * hl_scene_view_new:
 *
 * Returns: (transfer floating): a scene view that shows nothing
 */
GtkWidget *
hl_scene_view_new (void)
{
  return g_object_new (HL_TYPE_SCENE_VIEW, NULL);
}

/**
 * hl_scene_view_get_view_state:
 * @self: a scene view
 *
 * Returns: (transfer none) (nullable): what it shows
 */
HlViewState *
hl_scene_view_get_view_state (HlSceneView *self)
{
  g_return_val_if_fail (HL_IS_SCENE_VIEW (self), NULL);
  return self->view_state;
}

/**
 * hl_scene_view_set_view_state:
 * @self: a scene view
 * @view_state: (nullable): what to show
 */
void
hl_scene_view_set_view_state (HlSceneView *self,
                              HlViewState *view_state)
{
  g_return_if_fail (HL_IS_SCENE_VIEW (self));
  g_return_if_fail (view_state == NULL || HL_IS_VIEW_STATE (view_state));

  if (self->view_state == view_state)
    return;
  leave_scene (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->runners); i++)
    g_clear_object (&self->runners[i]);
  if (self->view_state != NULL)
    g_signal_handlers_disconnect_by_data (self->view_state, self);
  g_set_object (&self->view_state, view_state);
  if (view_state != NULL)
    {
      g_signal_connect_swapped (view_state, "notify", G_CALLBACK (on_state_notify), self);
      enter_scene (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VIEW_STATE]);
}

/**
 * hl_scene_view_get_scene:
 * @self: a scene view
 *
 * Returns: (transfer none) (nullable): the scene on screen
 */
HlScene *
hl_scene_view_get_scene (HlSceneView *self)
{
  g_return_val_if_fail (HL_IS_SCENE_VIEW (self), NULL);
  return self->scene;
}

/**
 * hl_scene_view_get_busy:
 * @self: a scene view
 *
 * Returns: whether a worker makes the picture
 */
gboolean
hl_scene_view_get_busy (HlSceneView *self)
{
  g_return_val_if_fail (HL_IS_SCENE_VIEW (self), FALSE);
  return self->runner != NULL && hl_scene_runner_get_busy (self->runner);
}

/**
 * hl_scene_view_get_error:
 * @self: a scene view
 *
 * Returns: (nullable): why there is no picture, a sentence without the file's name
 */
const char *
hl_scene_view_get_error (HlSceneView *self)
{
  g_return_val_if_fail (HL_IS_SCENE_VIEW (self), NULL);

  const GError *error = self->runner != NULL ? hl_scene_runner_get_error (self->runner) : NULL;
  /* What waits for a run that was stopped is told elsewhere. */
  return error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? error->message : NULL;
}

void
hl_scene_view_toggle_pin (HlSceneView  *self,
                          const HlPick *pick)
{
  if (hl_pick_equal (hl_view_state_get_pinned (self->view_state), pick))
    hl_view_state_set_pinned (self->view_state, NULL);
  else
    hl_view_state_set_pinned (self->view_state, pick);
}
