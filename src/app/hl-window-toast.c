/* SPDX-License-Identifier: MIT */
/*
 * What a window says in passing. It says one thing at a time, and what is new takes the place of what stood there: who exports ten
 * figures need not wait for ten messages to go, and AdwToastOverlay (1.2) does not outlive two that go at once.
 */
#include "config.h"

#include "app/hl-window-private.h"

#include <glib/gi18n.h>

static gboolean
on_timeout (gpointer data)
{
  HlWindow *self = data;

  self->toast_timeout = 0;
  adw_toast_dismiss (self->toast);
  return G_SOURCE_REMOVE;
}

static void
on_dismissed (HlWindow *self)
{
  g_clear_handle_id (&self->toast_timeout, g_source_remove);
  g_clear_object (&self->toast);
}

/**
 * hl_window_say:
 * @self: a window
 * @text: a sentence, translated
 * @file: (nullable): what it is about, whose folder the user is offered to open
 * @seconds: how long it stays
 *
 * Says something that nobody has to answer.
 */
void
hl_window_say (HlWindow   *self,
               const char *text,
               GFile      *file,
               guint       seconds)
{
  GtkWidget *label = gtk_label_new (text);
  g_autoptr (GFile) folder = file != NULL ? g_file_get_parent (file) : NULL;
  const gboolean is_new = self->toast == NULL;

  if (is_new)
    {
      self->toast = adw_toast_new ("");
      adw_toast_set_timeout (self->toast, 0);
      g_signal_connect_object (self->toast, "dismissed", G_CALLBACK (on_dismissed), self,
                               G_CONNECT_SWAPPED);
    }
  /* A sentence must be readable to its end, which a toast's own title is not. */
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 70);
  adw_toast_set_custom_title (self->toast, label);
  adw_toast_set_button_label (self->toast, folder != NULL ? _ ("Open _Folder") : NULL);
  adw_toast_set_action_name (self->toast, folder != NULL ? "win.open-folder" : NULL);
  if (folder != NULL)
    {
      g_autofree char *uri = g_file_get_uri (folder);
      adw_toast_set_action_target (self->toast, "s", uri);
    }
  g_clear_handle_id (&self->toast_timeout, g_source_remove);
  self->toast_timeout = g_timeout_add_seconds (seconds, on_timeout, self);
  if (is_new)
    adw_toast_overlay_add_toast (self->toast_overlay, g_object_ref (self->toast));
}

/* To be called once the window goes. */
void
hl_window_clear_toast (HlWindow *self)
{
  if (self->toast != NULL)
    g_signal_handlers_disconnect_by_func (self->toast, on_dismissed, self);
  on_dismissed (self);
}
