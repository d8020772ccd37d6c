/* SPDX-License-Identifier: MIT */
/* HlSession: what a model computes takes the place of what is shown, as soon as it can. */
#include "app/session/hl-session-private.h"

static gboolean
has_same_tokens (HlAttention *a,
                 HlAttention *b)
{
  const char *const *lists[2][2] = { { hl_attention_get_query_tokens (a), hl_attention_get_key_tokens (a) },
                                     { hl_attention_get_query_tokens (b), hl_attention_get_key_tokens (b) } };

  for (guint side = 0; side < 2; side++)
    if (lists[0][side] == NULL || lists[1][side] == NULL || !g_strv_equal (lists[0][side], lists[1][side]))
      return FALSE;
  return TRUE;
}

/* A newer text. What is pinned in the old one stays only where the new one has the same tokens. */
static void
on_live_document (HlSession *self)
{
  g_autoptr (HlAttention) before = g_object_ref (hl_view_state_get_attention (self->view_state));
  const HlPick pinned = *hl_view_state_get_pinned (self->view_state);

  g_set_object (&self->document, hl_live_model_get_document (self->live));
  g_autoptr (HlExample) example = hl_document_get_example (self->document, 0, NULL, NULL);
  g_object_freeze_notify (G_OBJECT (self->view_state));
  hl_session_show_example (self, example);
  if (has_same_tokens (before, hl_view_state_get_attention (self->view_state)))
    hl_view_state_set_pinned (self->view_state, &pinned);
  g_object_thaw_notify (G_OBJECT (self->view_state));
  g_object_notify (G_OBJECT (self), "document");
}

static void
update_wanted (HlSession *self)
{
  hl_live_model_set_wanted (self->live, hl_attention_get_kind (hl_view_state_get_attention (self->view_state)),
                            hl_view_state_get_layer (self->view_state));
}

/**
 * hl_session_new_live:
 * @live: a model that has a document
 * @error: return location for an error
 *
 * Shows what a model computes of the text that is typed, always of the newest that is ready.
 *
 * Returns: (transfer full): a session, or %NULL with an error of the domain %HL_ERROR
 */
HlSession *
hl_session_new_live (HlLiveModel *live,
                     GError     **error)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (live), NULL);
  g_return_val_if_fail (hl_live_model_get_document (live) != NULL, NULL);

  HlSession *self = hl_session_new (hl_live_model_get_document (live), error);
  if (self == NULL)
    return NULL;

  self->live = g_object_ref (live);
  g_signal_connect_object (live, "notify::document", G_CALLBACK (on_live_document), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view_state, "notify::layer", G_CALLBACK (update_wanted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view_state, "notify::attention", G_CALLBACK (update_wanted), self, G_CONNECT_SWAPPED);
  return self;
}

/**
 * hl_session_get_live:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the model that follows typing; %NULL when a file is shown
 */
HlLiveModel *
hl_session_get_live (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return self->live;
}
