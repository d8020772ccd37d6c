/* SPDX-License-Identifier: MIT */
/* The second side is a session of its own, with a view state that follows the first. It is opened in a worker, as tabs
 * are. */
#include "config.h"

#include "app/compare/hl-compare-view-private.h"

#include "app/base/hl-accessible.h"
#include "app/compare/hl-compare-figure.h"

enum
{
  PROP_CONTENT = 1,
  PROP_ACTIVE,
  PROP_DIFFERENCE,
  N_PROPERTIES,
};

enum
{
  FAILED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlCompareView, hl_compare_view, ADW_TYPE_BIN)

/* Half each to begin with. Whoever moves the handle finds it there again after a look at the difference. */
static gboolean
halve (GtkWidget     *paned,
       GdkFrameClock *clock,
       gpointer       data)
{
  const int width = gtk_widget_get_width (paned);

  if (width > 0)
    gtk_paned_set_position (GTK_PANED (paned), width / 2);
  return width > 0 ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

/* What the link says is what can be seen. */
void
hl_compare_view_update (HlCompareView *self)
{
  const gboolean difference = hl_compare_view_get_difference (self);
  const gboolean beside = self->cancellable != NULL || (self->link != NULL && !difference);

  /* A page that has just been opened has no width yet. */
  if (beside && !self->was_active && halve (GTK_WIDGET (self->paned), NULL, NULL) == G_SOURCE_CONTINUE)
    gtk_widget_add_tick_callback (GTK_WIDGET (self->paned), halve, NULL, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), self->link != NULL);
  self->was_active = hl_compare_view_get_active (self);
  gtk_widget_set_visible (self->other_side, beside);
  gtk_stack_set_visible_child_name (self->other_stack, self->cancellable != NULL ? "loading" : "scene");
  if (self->link != NULL)
    hl_compare_bar_update_names (self->bar, self->session, self->other);
}

static void
on_link_changed (HlCompareView *self)
{
  hl_compare_view_update (self);
  hl_compare_bar_update (self->bar);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DIFFERENCE]);
}

static void
unlink_sides (HlCompareView *self)
{
  if (self->link == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->link, self);
  hl_compare_bar_set_link (self->bar, NULL, NULL);
  g_clear_object (&self->scroll);
  hl_compare_link_close (self->link);
  g_clear_object (&self->link);
  hl_view_state_set_names (hl_session_get_view_state (self->session), NULL, NULL);
  hl_text_bar_set_live (self->other_text_bar, NULL);
  hl_scene_view_set_view_state (self->other_view, NULL);
  g_signal_handlers_disconnect_by_data (self->other, self);
  hl_session_close (self->other);
  g_clear_object (&self->other);
}

/* Whoever was in the second side goes back to the first before that is gone. */
static void
keep_focus (HlCompareView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL && (gtk_widget_is_ancestor (focus, self->other_side) ||
                        gtk_widget_is_ancestor (focus, GTK_WIDGET (self->bar))))
    gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
}

/* What was compared before still is. */
static void
on_cancel (HlCompareView *self)
{
  hl_compare_view_stop_opening (self);
  hl_compare_view_update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
}

static void
on_text_left (HlCompareView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->other_view));
}

static void
hl_compare_view_dispose (GObject *object)
{
  hl_compare_view_set_session (HL_COMPARE_VIEW (object), NULL, NULL);
  G_OBJECT_CLASS (hl_compare_view_parent_class)->dispose (object);
}

static void
hl_compare_view_get_property (GObject    *object,
                              guint       id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  HlCompareView *self = HL_COMPARE_VIEW (object);

  switch (id)
    {
    case PROP_CONTENT:
      g_value_set_object (value, gtk_paned_get_start_child (self->paned));
      break;
    case PROP_ACTIVE:
      g_value_set_boolean (value, hl_compare_view_get_active (self));
      break;
    case PROP_DIFFERENCE:
      g_value_set_boolean (value, hl_compare_view_get_difference (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_compare_view_set_property (GObject      *object,
                              guint         id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  HlCompareView *self = HL_COMPARE_VIEW (object);

  switch (id)
    {
    case PROP_CONTENT:
      gtk_paned_set_start_child (self->paned, g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_compare_view_class_init (HlCompareViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = hl_compare_view_dispose;
  object_class->get_property = hl_compare_view_get_property;
  object_class->set_property = hl_compare_view_set_property;

  /**
   * HlCompareView:content:
   *
   * The picture of the document, in what scrolls it.
   */
  properties[PROP_CONTENT] =
    g_param_spec_object ("content", NULL, NULL, GTK_TYPE_WIDGET, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_ACTIVE] = g_param_spec_boolean ("active", NULL, NULL, FALSE, readable);
  properties[PROP_DIFFERENCE] = g_param_spec_boolean ("difference", NULL, NULL, FALSE, readable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /**
   * HlCompareView::failed:
   * @self: a compare view
   * @error: what went wrong, a sentence without the file's name
   *
   * The second side could not be read.
   */
  signals[FAILED] = g_signal_new ("failed", HL_TYPE_COMPARE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_ERROR);

  g_type_ensure (HL_TYPE_COMPARE_BAR);
  g_type_ensure (HL_TYPE_LOADING_PAGE);
  g_type_ensure (HL_TYPE_SCENE_VIEW);
  g_type_ensure (HL_TYPE_TEXT_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/compare-view.ui");
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, bar);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, paned);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, other_side);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, other_stack);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, loading_page);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, other_view);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, other_text_bar);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
  gtk_widget_class_bind_template_callback (widget_class, on_text_left);
}

static void
hl_compare_view_init (HlCompareView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_bar_stack (self->other_text_bar);
}

/* A newer text was computed. Heads of one text are compared with one another, so that both sides get it. */
static void
on_document (HlCompareView *self)
{
  if (self->link == NULL || !self->follows_document)
    return;
  const gboolean difference = hl_compare_link_get_difference (self->link);
  const HlHeadPairing pairing = *hl_compare_link_get_pairing (self->link);
  /* Its first example was read when it was made: this cannot fail. */
  g_autoptr (HlSession) other = hl_session_new (hl_session_get_document (self->session), NULL);
  if (other == NULL)
    return;
  hl_compare_view_start (self, other, &pairing);
  hl_compare_link_set_difference (self->link, difference);
}

static void
on_example (HlCompareView *self)
{
  if (self->link != NULL && self->follows_example)
    hl_session_set_example_index (self->other, hl_session_get_example_index (self->session));
}

/**
 * hl_compare_view_set_session:
 * @self: a compare view
 * @session: (nullable): the document that is compared: with what it was when it was saved, or with nothing yet
 * @scene_view: (nullable): the view that shows it
 */
void
hl_compare_view_set_session (HlCompareView *self,
                             HlSession     *session,
                             HlSceneView   *scene_view)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  if (self->session != NULL)
    {
      hl_compare_view_stop (self);
      g_signal_handlers_disconnect_by_data (self->session, self);
    }
  g_set_object (&self->session, session);
  if (session != NULL)
    {
      g_signal_connect_swapped (session, "notify::document", G_CALLBACK (on_document), self);
      g_signal_connect_swapped (session, "notify::example-index", G_CALLBACK (on_example), self);
    }
  g_set_object (&self->scene_view, scene_view);
  if (session != NULL)
    hl_compare_view_restore (self);
}

static void
on_other_failed (HlCompareView *self,
                 const GError  *error)
{
  g_signal_emit (self, signals[FAILED], 0, error);
}

/**
 * hl_compare_view_start:
 * @self: a compare view with a session
 * @other: what it is compared with; the compare view's own from now on
 * @pairing: which heads belong together
 *
 * Shows both side by side.
 */
void
hl_compare_view_start (HlCompareView       *self,
                       HlSession           *other,
                       const HlHeadPairing *pairing)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));
  g_return_if_fail (HL_IS_SESSION (other));
  g_return_if_fail (self->session != NULL && other != self->session);

  hl_compare_view_stop_opening (self);
  unlink_sides (self);
  self->other = g_object_ref (other);
  self->follows_document = hl_session_get_document (other) == hl_session_get_document (self->session);
  self->follows_example =
    self->follows_document && hl_session_get_example_index (other) == hl_session_get_example_index (self->session);
  self->link = hl_compare_link_new (hl_session_get_view_state (self->session), hl_session_get_view_state (other),
                                    pairing);
  g_signal_connect_swapped (self->link, "changed", G_CALLBACK (on_link_changed), self);
  g_signal_connect_swapped (other, "notify::document", G_CALLBACK (hl_compare_view_update), self);
  g_signal_connect_swapped (other, "failed", G_CALLBACK (on_other_failed), self);
  hl_scene_view_set_view_state (self->other_view, hl_session_get_view_state (other));
  hl_text_bar_set_live (self->other_text_bar, hl_session_get_live (other));
  hl_compare_bar_set_link (self->bar, self->link, hl_session_get_view_state (other));
  self->scroll = hl_compare_scroll_new (self->link, self->scene_view, self->other_view);
  hl_compare_view_update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
}

/**
 * hl_compare_view_stop:
 * @self: a compare view
 *
 * Shows the document alone again.
 */
void
hl_compare_view_stop (HlCompareView *self)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  if (!hl_compare_view_get_active (self))
    return;
  keep_focus (self);
  hl_compare_view_stop_opening (self);
  unlink_sides (self);
  hl_compare_view_update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
}

/**
 * hl_compare_view_get_active:
 * @self: a compare view
 *
 * Returns: whether there is a second side, or will be
 */
gboolean
hl_compare_view_get_active (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), FALSE);
  return self->link != NULL || self->cancellable != NULL;
}

/**
 * hl_compare_view_get_difference:
 * @self: a compare view
 *
 * Returns: whether the difference is shown in place of the two sides
 */
gboolean
hl_compare_view_get_difference (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), FALSE);
  return self->link != NULL && hl_compare_link_get_difference (self->link);
}

/**
 * hl_compare_view_set_difference:
 * @self: a compare view that is active
 * @difference: whether to show the difference in place of the two sides
 */
void
hl_compare_view_set_difference (HlCompareView *self,
                                gboolean       difference)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  if (self->link == NULL)
    return;
  if (difference)
    keep_focus (self);
  hl_compare_link_set_difference (self->link, difference);
}

/**
 * hl_compare_view_get_link:
 * @self: a compare view
 *
 * Returns: (transfer none) (nullable): what keeps the two sides together
 */
HlCompareLink *
hl_compare_view_get_link (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), NULL);
  return self->link;
}

/**
 * hl_compare_view_create_scene:
 * @self: a compare view with a session
 *
 * Returns: (transfer full): what is on screen, for a figure: one scene, or both sides as one
 */
HlScene *
hl_compare_view_create_scene (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), NULL);
  g_return_val_if_fail (self->scene_view != NULL, NULL);

  if (self->link == NULL || hl_compare_link_get_difference (self->link))
    return g_object_ref (hl_scene_view_get_scene (self->scene_view));
  return hl_compare_figure_create_scene (self->scene_view, self->other_view);
}
