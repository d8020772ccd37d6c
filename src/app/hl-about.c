/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/hl-about.h"

#include "app/base/hl-toast.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/* The class of the button with the version on it; part of what libadwaita lets style sheets ask for. */
#define VERSION_CLASS "app-version"

/* What of libadwaita's window is changed; NULL where a later version has another. */
typedef struct
{
  GtkWidget *toasts, *version;
} Parts;

static void
find_parts (GtkWidget *widget,
            Parts     *parts)
{
  if (ADW_IS_TOAST_OVERLAY (widget))
    parts->toasts = widget;
  else if (GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, VERSION_CLASS))
    parts->version = widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    find_parts (child, parts);
}

static void
copy_version (AdwToastOverlay *toasts)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (toasts)), HL_VERSION);
  hl_toast_say (toasts, _ ("Copied"), NULL, HL_TOAST_WORD_SECONDS);
}

/* A new one, not yet presented. Its version is copied with a toast that takes the place of the one before: by itself
 * the window of libadwaita 1.2 has them wait for each other, and ends the program when two are dismissed within a fifth of a second. */
GtkWidget *
hl_about_new (void)
{
  GtkWidget *about = g_object_new (ADW_TYPE_ABOUT_WINDOW, "application-name", _ ("Headlight"), "application-icon",
                                   HL_APPLICATION_ID, "version", HL_VERSION, "comments",
                                   _ ("See what the attention heads of transformers look at"), "license-type",
                                   GTK_LICENSE_MIT_X11, "developer-name", _ ("The Headlight developers"), NULL);
  Parts parts = { NULL, NULL };

  find_parts (about, &parts);
  if (parts.toasts != NULL && parts.version != NULL)
    {
      gtk_actionable_set_action_name (GTK_ACTIONABLE (parts.version), NULL);
      /* A button whose action goes is left as one whose action cannot be used. */
      gtk_widget_set_sensitive (parts.version, TRUE);
      g_signal_connect_object (parts.version, "clicked", G_CALLBACK (copy_version), parts.toasts, G_CONNECT_SWAPPED);
      g_signal_connect_object (about, "destroy", G_CALLBACK (hl_toast_clear), parts.toasts, G_CONNECT_SWAPPED);
    }
  return about;
}
