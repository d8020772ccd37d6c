/* SPDX-License-Identifier: MIT */
/*
 * After a layout GTK (4.8) makes an event of where the pointer is, with the buttons that are down by then: where one was let go
 * already, and the window was too busy to hear of that, gestures give up a press whose release is about to come, and the click is
 * lost. As long as a button is down by what the window has heard, events that nobody moved the pointer for do not get further.
 */
#include "app/base/hl-press-guard.h"

#define ALL_BUTTONS (GDK_BUTTON1_MASK | GDK_BUTTON2_MASK | GDK_BUTTON3_MASK | GDK_BUTTON4_MASK | GDK_BUTTON5_MASK)

/* One bit for each button that is down. */
static void
set_button (guint32  *buttons,
            GdkEvent *event,
            gboolean  is_down)
{
  const guint button = MIN (gdk_button_event_get_button (event), 31);

  *buttons = is_down ? *buttons | 1u << button : *buttons & ~(1u << button);
}

static gboolean
on_event (GtkEventControllerLegacy *controller,
          GdkEvent                 *event,
          guint32                  *buttons)
{
  switch (gdk_event_get_event_type (event))
    {
    case GDK_BUTTON_PRESS:
      set_button (buttons, event, TRUE);
      return GDK_EVENT_PROPAGATE;
    case GDK_BUTTON_RELEASE:
      set_button (buttons, event, FALSE);
      return GDK_EVENT_PROPAGATE;
    case GDK_GRAB_BROKEN:
      *buttons = 0;
      return GDK_EVENT_PROPAGATE;
    case GDK_MOTION_NOTIFY:
      if (gdk_event_get_time (event) == GDK_CURRENT_TIME)
        return *buttons != 0 ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
      /* A release that went elsewhere. */
      if ((gdk_event_get_modifier_state (event) & ALL_BUTTONS) == 0)
        *buttons = 0;
      return GDK_EVENT_PROPAGATE;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static void
free_buttons (gpointer  buttons,
              GClosure *closure)
{
  g_free (buttons);
}

/* For all that is in it. */
void
hl_press_guard_attach (GtkWidget *window)
{
  g_return_if_fail (GTK_IS_WINDOW (window));

  GtkEventController *controller = gtk_event_controller_legacy_new ();
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_data (controller, "event", G_CALLBACK (on_event), g_new0 (guint32, 1), free_buttons, 0);
  gtk_widget_add_controller (window, controller);
}
