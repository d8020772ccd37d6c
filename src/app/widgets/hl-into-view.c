/* SPDX-License-Identifier: MIT */
/*
 * A list that drops down can be asked for where nobody sees its button: by Return after the panel was scrolled on, by a mnemonic, by
 * what reads the screen. It would come up beside the button, out of the window and often out of the display, where GTK 4.8 finds no
 * monitor that would hold it (get_monitor_for_rect() of gdksurface.c) and gives it a width below 0. So it would from a panel that
 * slides in or out.
 */
#include "app/widgets/hl-into-view.h"

#include "app/widgets/hl-flap.h"

/* What stays between the button and the edge, logical pixels. */
#define ROOM 12

/* By how much to scroll for what begins at a place and is so long, in a view of a length; 0 where any of it is seen. */
static double
get_step (double begin,
          double length,
          double view)
{
  if (begin + length > 0 && begin < view)
    return 0;
  return begin < 0 ? begin - ROOM : begin + length + ROOM - view;
}

/* What drops down asks where its button is before the next frame would have moved it. */
static void
give_place (GtkWidget *widget)
{
  GtkAllocation place;

  gtk_widget_get_allocation (widget, &place);
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_size_allocate (widget, &place, -1);
}

/* Has all panels that the widget is in where they slide to, scrolls all that it is scrolled by, if nothing of it is in view, and
 * gives it its place at once. */
void
hl_into_view_bring (GtkWidget *widget)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  for (GtkWidget *flap = gtk_widget_get_ancestor (widget, ADW_TYPE_FLAP); flap != NULL;
       flap = gtk_widget_get_ancestor (gtk_widget_get_parent (flap), ADW_TYPE_FLAP))
    if (hl_flap_finish (ADW_FLAP (flap)))
      give_place (flap);
  for (GtkWidget *view = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT); view != NULL;
       view = gtk_widget_get_ancestor (gtk_widget_get_parent (view), GTK_TYPE_VIEWPORT))
    {
      GtkAdjustment *across = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (view));
      GtkAdjustment *down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
      graphene_rect_t bounds;

      if (!gtk_widget_get_mapped (view) || !gtk_widget_compute_bounds (widget, view, &bounds))
        return;
      const double dx = get_step (bounds.origin.x, bounds.size.width, gtk_widget_get_width (view));
      const double dy = get_step (bounds.origin.y, bounds.size.height, gtk_widget_get_height (view));
      if (dx == 0 && dy == 0)
        continue;
      gtk_adjustment_set_value (across, gtk_adjustment_get_value (across) + dx);
      gtk_adjustment_set_value (down, gtk_adjustment_get_value (down) + dy);
      give_place (view);
    }
}

/* To be called before the widget goes out of view, or to another place: what dropped down from anything in it would come up again with
 * it, wherever it is on the way. */
void
hl_into_view_leave (GtkWidget *widget)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  if (GTK_IS_POPOVER (widget) && gtk_widget_get_visible (widget))
    gtk_popover_popdown (GTK_POPOVER (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    hl_into_view_leave (child);
}

static gboolean
on_toggled (GSignalInvocationHint *hint,
            guint                  n_values,
            const GValue          *values,
            gpointer               data)
{
  GtkToggleButton *button = g_value_get_object (&values[0]);

  if (gtk_toggle_button_get_active (button) && gtk_widget_get_mapped (GTK_WIDGET (button)))
    hl_into_view_bring (GTK_WIDGET (button));
  return TRUE;
}

/* From now on, in all windows: lists that drop down and buttons with menus are toggle buttons inside, which nobody else gets at. */
void
hl_into_view_watch (void)
{
  static gsize is_watched = 0;

  if (!g_once_init_enter (&is_watched))
    return;
  g_type_class_unref (g_type_class_ref (GTK_TYPE_TOGGLE_BUTTON));
  g_signal_add_emission_hook (g_signal_lookup ("toggled", GTK_TYPE_TOGGLE_BUTTON), 0, on_toggled, NULL, NULL);
  g_once_init_leave (&is_watched, 1);
}
