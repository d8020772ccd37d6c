/* SPDX-License-Identifier: MIT */
/* Tokens a second, memory and what is left. A picture does not move for it, nor does what is typed. */
#include "config.h"

#include "app/session/hl-pace-note.h"

#include "app/live/hl-live-model.h"

/* More often nobody reads it. */
#define TELL_EVERY_MS 500

struct _HlPaceNote
{
  AdwBin parent_instance;

  GtkLabel *label;
  HlLiveModel *live;
  guint timeout;
};

G_DEFINE_FINAL_TYPE (HlPaceNote, hl_pace_note, ADW_TYPE_BIN)

static gboolean
tell (gpointer data)
{
  HlPaceNote *self = data;
  g_autofree char *pace = hl_live_model_dup_pace (self->live);

  if (pace != NULL)
    gtk_label_set_label (self->label, pace);
  gtk_widget_set_visible (GTK_WIDGET (self), pace != NULL);
  return G_SOURCE_CONTINUE;
}

static void
follow_busy (HlPaceNote *self)
{
  const gboolean is_busy = self->live != NULL && hl_live_model_get_busy (self->live);

  if (is_busy && self->timeout == 0)
    self->timeout = g_timeout_add (TELL_EVERY_MS, tell, self);
  if (is_busy)
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
hl_pace_note_dispose (GObject *object)
{
  hl_pace_note_set_session (HL_PACE_NOTE (object), NULL);
  G_OBJECT_CLASS (hl_pace_note_parent_class)->dispose (object);
}

static void
hl_pace_note_class_init (HlPaceNoteClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_pace_note_dispose;
}

static void
hl_pace_note_init (HlPaceNote *self)
{
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (self), "hl-wait-note");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->label));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

void
hl_pace_note_set_session (HlPaceNote *self,
                          HlSession  *session)
{
  g_return_if_fail (HL_IS_PACE_NOTE (self));
  g_return_if_fail (session == NULL || HL_IS_SESSION (session));

  HlLiveModel *live = session != NULL ? hl_session_get_live (session) : NULL;

  if (self->live != NULL)
    g_signal_handlers_disconnect_by_data (self->live, self);
  g_set_object (&self->live, live);
  if (self->live != NULL)
    g_signal_connect_swapped (self->live, "notify::busy", G_CALLBACK (follow_busy), self);
  follow_busy (self);
}
