/* SPDX-License-Identifier: MIT */
#include "app/base/hl-focus.h"

/* Whether the widget, or something in it, has the keyboard. */
gboolean
hl_focus_is_in (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

/*
 * To be called before a widget is hidden, goes to another place or away. A window keeps what held its keyboard and is hidden or taken out, to
 * find something near it after the frame (GTK 4.8, _gtk_window_unset_focus_and_default()). Where that happens twice before, what it
 * kept the first time is never freed: a panel that changed its place twice would stay, with all that it shows and the file open.
 * Whether it was so; the keyboard goes nowhere then.
 */
gboolean
hl_focus_leave (GtkWidget *widget)
{
  if (!hl_focus_is_in (widget))
    return FALSE;
  gtk_root_set_focus (gtk_widget_get_root (widget), NULL);
  return TRUE;
}
