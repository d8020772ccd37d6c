/* SPDX-License-Identifier: MIT */
/* A line in the middle of a view that waits for a layer, or for a text. It follows what is looked at and what is done. */
#include "config.h"

#include "app/session/hl-wait-note.h"

#include "app/live/hl-live-layers.h"

#include <glib/gi18n.h>

/* Layers that come sooner are not waited for. */
#define SHOW_AFTER_MS 200

struct _HlWaitNote
{
  AdwBin parent_instance;

  GtkWidget *label;
  HlSession *session;
  guint timeout;
};

G_DEFINE_FINAL_TYPE (HlWaitNote, hl_wait_note, ADW_TYPE_BIN)

static gboolean
on_timeout (gpointer data)
{
  HlWaitNote *self = data;

  self->timeout = 0;
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  return G_SOURCE_REMOVE;
}

/* Layers are computed one after the other: of several that are combined, the last is waited for. */
static guint
get_awaited_layer (HlViewState *state)
{
  guint layer = hl_view_state_get_layer (state);
  const guint n_merged = hl_view_state_get_shown (state)->merges_layers
                           ? hl_attention_get_n_layers (hl_view_state_get_attention (state))
                           : 0;

  for (guint i = 0; i < n_merged; i++)
    if (hl_layer_set_contains (hl_view_state_get_layers (state), i))
      layer = i;
  return layer;
}

static void
update (HlWaitNote *self)
{
  HlViewState *state = hl_session_get_view_state (self->session);
  const guint layer = get_awaited_layer (state);
  const HlAttentionKind kind = hl_attention_get_kind (hl_view_state_get_attention (state));

  if (hl_session_is_empty (self->session))
    {
      g_clear_handle_id (&self->timeout, g_source_remove);
      gtk_label_set_label (GTK_LABEL (self->label), _ ("Type a text to see its attention"));
      gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
      return;
    }
  if (hl_live_layers_has (hl_session_get_document (self->session), kind, layer))
    {
      g_clear_handle_id (&self->timeout, g_source_remove);
      gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
      return;
    }
  g_autofree char *text = g_strdup_printf (hl_live_model_get_busy (hl_session_get_live (self->session))
                                             ? _ ("Waiting for layer %u…")
                                             : _ ("Layer %u was not computed"),
                                           layer);
  gtk_label_set_label (GTK_LABEL (self->label), text);
  if (self->timeout == 0 && !gtk_widget_get_visible (GTK_WIDGET (self)))
    self->timeout = g_timeout_add (SHOW_AFTER_MS, on_timeout, self);
}

static void
leave_session (HlWaitNote *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->session == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->session, self);
  g_signal_handlers_disconnect_by_data (hl_session_get_view_state (self->session), self);
  g_signal_handlers_disconnect_by_data (hl_session_get_live (self->session), self);
  g_clear_object (&self->session);
}

static void
hl_wait_note_dispose (GObject *object)
{
  leave_session (HL_WAIT_NOTE (object));
  G_OBJECT_CLASS (hl_wait_note_parent_class)->dispose (object);
}

static void
hl_wait_note_class_init (HlWaitNoteClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_wait_note_dispose;
}

static void
hl_wait_note_init (HlWaitNote *self)
{
  self->label = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->label, "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self), "hl-wait-note");
  adw_bin_set_child (ADW_BIN (self), self->label);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

void
hl_wait_note_set_session (HlWaitNote *self,
                          HlSession  *session)
{
  g_return_if_fail (HL_IS_WAIT_NOTE (self));
  g_return_if_fail (session == NULL || HL_IS_SESSION (session));

  leave_session (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  if (session == NULL || hl_session_get_live (session) == NULL)
    return;
  self->session = g_object_ref (session);
  g_signal_connect_swapped (session, "notify::document", G_CALLBACK (update), self);
  g_signal_connect_swapped (hl_session_get_view_state (session), "notify::layer", G_CALLBACK (update), self);
  g_signal_connect_swapped (hl_session_get_view_state (session), "notify::shown-attention", G_CALLBACK (update), self);
  g_signal_connect_swapped (hl_session_get_live (session), "notify::n-done", G_CALLBACK (update), self);
  g_signal_connect_swapped (hl_session_get_live (session), "notify::empty", G_CALLBACK (update), self);
  g_signal_connect_swapped (hl_session_get_live (session), "notify::busy", G_CALLBACK (update), self);
  update (self);
}
