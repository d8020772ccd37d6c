/* SPDX-License-Identifier: MIT */
/*
 * What a window says in passing. It says one thing at a time, and what is new takes the place of what stood there: who
 * exports ten figures need not wait for ten messages to go, and AdwToastOverlay (1.2) does not outlive two that go at
 * once.
 */
#include "config.h"

#include "app/base/hl-toast.h"
#include "app/window/hl-window-private.h"
#include "core/base/hl-file-name.h"

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

/* Says something that nobody has to answer, but may. */
void
hl_window_offer (HlWindow   *self,
                 const char *text,
                 const char *label,
                 const char *action,
                 const char *target,
                 guint       seconds)
{
  GtkWidget *title = gtk_label_new (text);
  const gboolean is_new = self->toast == NULL;

  if (is_new)
    {
      self->toast = adw_toast_new ("");
      adw_toast_set_timeout (self->toast, 0);
      g_signal_connect_object (self->toast, "dismissed", G_CALLBACK (on_dismissed), self,
                               G_CONNECT_SWAPPED);
    }
  /* A sentence must be readable to its end, which a toast's own title is not. */
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (title), PANGO_WRAP_WORD_CHAR);
  /* By itself a label that may break within a word asks for so little room that it does. */
  gtk_label_set_natural_wrap_mode (GTK_LABEL (title), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_max_width_chars (GTK_LABEL (title), 70);
  adw_toast_set_custom_title (self->toast, title);
  adw_toast_set_button_label (self->toast, label);
  /* A button that is seen complains of an action without the parameter that it needs. */
  if (action != NULL)
    adw_toast_set_action_target (self->toast, "s", target);
  adw_toast_set_action_name (self->toast, action);
  g_clear_handle_id (&self->toast_timeout, g_source_remove);
  self->toast_timeout = g_timeout_add_seconds (seconds, on_timeout, self);
  if (is_new)
    hl_toast_show (self->toast_overlay, g_object_ref (self->toast));
}

/* Says something that nobody has to answer. */
void
hl_window_say (HlWindow   *self,
               const char *text,
               GFile      *file,
               guint       seconds)
{
  g_autoptr (GFile) folder = file != NULL ? g_file_get_parent (file) : NULL;
  g_autofree char *uri = folder != NULL ? g_file_get_uri (folder) : NULL;

  hl_window_offer (self, text, uri != NULL ? _ ("Open _Folder") : NULL, uri != NULL ? "win.open-folder" : NULL, uri,
                   seconds);
}

/* Says how saving a file went. */
void
hl_window_say_saved (HlWindow     *self,
                     GFile        *target,
                     const GError *error)
{
  g_autofree char *name = hl_file_dup_display_name (target);
  g_autofree char *text = error == NULL ? g_strdup_printf (_ ("Saved “%s”"), name)
                                        : g_strdup_printf ("%s: %s", name, error->message);

  hl_window_say (self, text, error == NULL ? target : NULL, HL_SENTENCE_SECONDS);
}

/* Whether that is what it says at the moment. */
gboolean
hl_window_says (HlWindow   *self,
                const char *text)
{
  GtkWidget *title = self->toast != NULL ? adw_toast_get_custom_title (self->toast) : NULL;

  return title != NULL && g_str_equal (gtk_label_get_label (GTK_LABEL (title)), text);
}

/* To be called once the window goes. */
void
hl_window_clear_toast (HlWindow *self)
{
  if (self->toast != NULL)
    g_signal_handlers_disconnect_by_func (self->toast, on_dismissed, self);
  on_dismissed (self);
}
