/* SPDX-License-Identifier: MIT */
/*
 * A sheet lies over all that it is put over, and takes most of its height, always the same, whatever is in it. It goes
 * by Escape, by a click beside it, by its button, or pulled down by its handle. The keyboard goes into it, stays in it
 * while it is open, and then goes back to where it was.
 */
#include "app/widgets/hl-bottom-sheet.h"

#include "app/widgets/hl-into-view.h"

#define SHARE_OF_HEIGHT 0.7
#define ANIMATION_MS 200
/* Pulled down by that much of its height, it goes. */
#define CLOSING_SHARE 0.25

struct _HlBottomSheet
{
  GtkWidget parent_instance;

  GtkWidget *scrim;
  GtkWidget *sheet;
  GtkLabel *title;
  AdwBin *content;

  AdwAnimation *animation;
  double shown;  /* from 0 to 1 */
  double pulled; /* by how many pixels */
  gboolean open;
  GtkWidget *focus_before;
};

enum
{
  PROP_OPEN = 1,
  PROP_TITLE,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlBottomSheet, hl_bottom_sheet, GTK_TYPE_WIDGET)

static void
close_sheet (HlBottomSheet *self)
{
  hl_bottom_sheet_set_open (self, FALSE);
}

static gboolean
close_by_key (GtkWidget *widget,
              GVariant  *arguments,
              gpointer   data)
{
  close_sheet (HL_BOTTOM_SHEET (widget));
  return TRUE;
}

static int
get_sheet_height (HlBottomSheet *self)
{
  return (int) (gtk_widget_get_height (GTK_WIDGET (self)) * SHARE_OF_HEIGHT);
}

static void
on_pulled (HlBottomSheet *self,
           double         dx,
           double         dy)
{
  self->pulled = MAX (dy, 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
on_let_go (HlBottomSheet *self,
           double         dx,
           double         dy)
{
  const int height = get_sheet_height (self);

  self->pulled = 0;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  if (dy <= height * CLOSING_SHARE)
    return;
  self->shown = MAX (0, 1 - dy / height);
  close_sheet (self);
}

static void
on_animated (double   value,
             gpointer data)
{
  HlBottomSheet *self = data;

  self->shown = value;
  gtk_widget_set_opacity (self->scrim, value);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
on_animation_done (HlBottomSheet *self)
{
  if (!self->open)
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
animate (HlBottomSheet *self)
{
  AdwTimedAnimation *animation = ADW_TIMED_ANIMATION (self->animation);

  adw_animation_pause (self->animation);
  adw_timed_animation_set_value_from (animation, self->shown);
  adw_timed_animation_set_value_to (animation, self->open ? 1 : 0);
  adw_animation_reset (self->animation);
  adw_animation_play (self->animation);
}

static gboolean
holds_focus (HlBottomSheet *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus == NULL || gtk_widget_is_ancestor (focus, GTK_WIDGET (self));
}

static void
take_focus (HlBottomSheet *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  g_set_weak_pointer (&self->focus_before, root != NULL ? gtk_root_get_focus (root) : NULL);
  gtk_widget_child_focus (GTK_WIDGET (self->content), GTK_DIR_TAB_FORWARD);
}

/* Nothing that slides out of the window takes keys. */
static void
give_focus_back (HlBottomSheet *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (root != NULL)
    gtk_root_set_focus (root, NULL);
  if (self->focus_before != NULL && gtk_widget_get_mapped (self->focus_before))
    gtk_widget_grab_focus (self->focus_before);
  g_clear_weak_pointer (&self->focus_before);
}

/* Behind the last comes the first. */
static gboolean
hl_bottom_sheet_focus (GtkWidget       *widget,
                       GtkDirectionType direction)
{
  if (GTK_WIDGET_CLASS (hl_bottom_sheet_parent_class)->focus (widget, direction))
    return TRUE;
  if (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD)
    return FALSE;
  gtk_root_set_focus (gtk_widget_get_root (widget), NULL);
  return GTK_WIDGET_CLASS (hl_bottom_sheet_parent_class)->focus (widget, direction);
}

static void
hl_bottom_sheet_measure (GtkWidget     *widget,
                         GtkOrientation orientation,
                         int            for_size,
                         int           *min,
                         int           *nat,
                         int           *min_baseline,
                         int           *nat_baseline)
{
  gtk_widget_measure (HL_BOTTOM_SHEET (widget)->sheet, orientation, for_size, min, nat, NULL, NULL);
  /* What it lies over has its height. */
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *min = *nat = 0;
}

static void
hl_bottom_sheet_size_allocate (GtkWidget *widget,
                               int        width,
                               int        height,
                               int        baseline)
{
  HlBottomSheet *self = HL_BOTTOM_SHEET (widget);
  int min_height;

  gtk_widget_measure (self->scrim, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (self->scrim, width, height, baseline, NULL);
  gtk_widget_measure (self->sheet, GTK_ORIENTATION_VERTICAL, width, &min_height, NULL, NULL, NULL);
  const int sheet_height = MAX (min_height, (int) (height * SHARE_OF_HEIGHT));
  const double y = height - sheet_height * self->shown + self->pulled;
  gtk_widget_allocate (self->sheet, width, sheet_height, baseline,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (0, (float) y)));
}

static void
hl_bottom_sheet_get_property (GObject    *object,
                              guint       id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  HlBottomSheet *self = HL_BOTTOM_SHEET (object);

  switch (id)
    {
    case PROP_OPEN:
      g_value_set_boolean (value, self->open);
      break;
    case PROP_TITLE:
      g_value_set_string (value, gtk_label_get_label (self->title));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_bottom_sheet_set_property (GObject      *object,
                              guint         id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  HlBottomSheet *self = HL_BOTTOM_SHEET (object);

  switch (id)
    {
    case PROP_OPEN:
      hl_bottom_sheet_set_open (self, g_value_get_boolean (value));
      break;
    case PROP_TITLE:
      gtk_label_set_label (self->title, g_value_get_string (value));
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, g_value_get_string (value),
                                      -1);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_bottom_sheet_dispose (GObject *object)
{
  HlBottomSheet *self = HL_BOTTOM_SHEET (object);

  g_clear_weak_pointer (&self->focus_before);
  g_clear_object (&self->animation);
  gtk_widget_dispose_template (GTK_WIDGET (self), HL_TYPE_BOTTOM_SHEET);
  G_OBJECT_CLASS (hl_bottom_sheet_parent_class)->dispose (object);
}

static void
hl_bottom_sheet_class_init (HlBottomSheetClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hl_bottom_sheet_get_property;
  object_class->set_property = hl_bottom_sheet_set_property;
  object_class->dispose = hl_bottom_sheet_dispose;
  widget_class->focus = hl_bottom_sheet_focus;
  widget_class->measure = hl_bottom_sheet_measure;
  widget_class->size_allocate = hl_bottom_sheet_size_allocate;

  properties[PROP_OPEN] = g_param_spec_boolean ("open", NULL, NULL, FALSE, flags);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_DIALOG);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, close_by_key, NULL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/bottom-sheet.ui");
  gtk_widget_class_bind_template_child (widget_class, HlBottomSheet, scrim);
  gtk_widget_class_bind_template_child (widget_class, HlBottomSheet, sheet);
  gtk_widget_class_bind_template_child (widget_class, HlBottomSheet, title);
  gtk_widget_class_bind_template_child (widget_class, HlBottomSheet, content);
  gtk_widget_class_bind_template_callback (widget_class, close_sheet);
  gtk_widget_class_bind_template_callback (widget_class, on_pulled);
  gtk_widget_class_bind_template_callback (widget_class, on_let_go);
  gtk_widget_class_set_css_name (widget_class, "bottomsheet");
}

static void
hl_bottom_sheet_init (HlBottomSheet *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_MODAL, TRUE, -1);
  self->animation = adw_timed_animation_new (GTK_WIDGET (self), 0, 1, ANIMATION_MS,
                                             adw_callback_animation_target_new (on_animated, self, NULL));
  g_signal_connect_swapped (self->animation, "done", G_CALLBACK (on_animation_done), self);
}

void
hl_bottom_sheet_set_child (HlBottomSheet *self,
                           GtkWidget     *child)
{
  g_return_if_fail (HL_IS_BOTTOM_SHEET (self));
  g_return_if_fail (child == NULL || GTK_IS_WIDGET (child));

  adw_bin_set_child (self->content, child);
}

gboolean
hl_bottom_sheet_get_open (HlBottomSheet *self)
{
  g_return_val_if_fail (HL_IS_BOTTOM_SHEET (self), FALSE);

  return self->open;
}

void
hl_bottom_sheet_set_open (HlBottomSheet *self,
                          gboolean       open)
{
  g_return_if_fail (HL_IS_BOTTOM_SHEET (self));

  open = !!open;
  if (self->open == open)
    return;
  const gboolean held_focus = holds_focus (self);
  self->open = open;
  if (open)
    {
      gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
      /* Sheets of other tabs open with that of the one on top, and have no keyboard to take. */
      if (gtk_widget_get_mapped (GTK_WIDGET (self)))
        take_focus (self);
    }
  else
    hl_into_view_leave (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OPEN]);
  if (!open && held_focus)
    give_focus_back (self);
  animate (self);
}
