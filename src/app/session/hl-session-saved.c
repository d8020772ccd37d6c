/* SPDX-License-Identifier: MIT */
/* How a session becomes one that can be saved, and is as one that was. */
#include "config.h"

#include "app/session/hl-session-saved.h"

#include "core/base/hl-error.h"

#include <glib/gi18n.h>

/* What a session was opened from stays with it, */
static G_DEFINE_QUARK (hl - session - saved, saved)

/* and what it was compared with, until it is again. */
static G_DEFINE_QUARK (hl - session - other, other)

static char *
dup_unless_empty (const char *text)
{
  return text != NULL && *text != '\0' ? g_strdup (text) : NULL;
}

static void
save_texts (HlSavedSession *saved,
            HlLiveModel    *live)
{
  const HlSecondText kind = hl_live_preparation_get_second_kind (hl_live_model_get_model (live));
  const char *text, *second_text;

  hl_live_model_get_texts (live, &text, &second_text);
  saved->text = dup_unless_empty (text);
  if (saved->text != NULL && kind == HL_SECOND_TEXT_PAIR)
    saved->text_pair = dup_unless_empty (second_text);
  if (saved->text != NULL && kind == HL_SECOND_TEXT_TARGET)
    saved->target_text = dup_unless_empty (second_text);
}

/**
 * hl_session_save:
 * @session: a session
 * @scene: what shows it
 *
 * Returns: (transfer full): everything that makes the picture
 */
HlSavedSession *
hl_session_save (HlSession *session,
                 HlScene   *scene)
{
  g_return_val_if_fail (HL_IS_SESSION (session), NULL);
  g_return_val_if_fail (HL_IS_SCENE (scene), NULL);

  HlDocument *document = hl_session_get_document (session);
  HlSavedSession *saved = g_new0 (HlSavedSession, 1);
  g_autoptr (HlOpenOptions) options = hl_open_options_copy (hl_document_get_options (document));

  saved->file = g_object_ref (hl_document_get_file (document));
  if (options != NULL)
    {
      saved->options = *options;
      *options = (HlOpenOptions){ 0 };
    }
  saved->example = hl_session_get_example_index (session);
  if (hl_session_get_live (session) != NULL)
    save_texts (saved, hl_session_get_live (session));
  hl_state_texts_take (&saved->state, hl_session_get_view_state (session));
  saved->zoom = hl_scene_get_zoom (scene);
  hl_scene_get_scroll (scene, &saved->scroll_x, &saved->scroll_y);
  return saved;
}

static void
apply (GTask *task)
{
  HlSession *session = g_task_get_source_object (task);
  HlSavedSession *saved = g_task_get_task_data (task);
  GError *error = NULL;

  if (!hl_state_texts_apply (&saved->state, hl_session_get_view_state (session), &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_object_set_qdata_full (G_OBJECT (session), saved_quark (), hl_saved_session_copy (saved),
                           (GDestroyNotify) hl_saved_session_free);
  g_task_return_boolean (task, TRUE);
}

static void
on_busy (HlSession  *session,
         GParamSpec *pspec,
         GTask      *task)
{
  if (hl_session_get_busy (session))
    return;
  g_signal_handlers_disconnect_by_data (session, task);
  if (!g_task_get_completed (task))
    apply (task);
  g_object_unref (task);
}

/* Comes before the session is no longer busy. */
static void
on_failed (HlSession    *session,
           const GError *error,
           GTask        *task)
{
  g_task_return_error (task, g_error_copy (error));
}

/**
 * hl_session_restore:
 * @session: a session as it was made
 * @saved: what was saved of one of the same file
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Has a session be as one that was saved.
 */
void
hl_session_restore (HlSession            *session,
                    const HlSavedSession *saved,
                    GAsyncReadyCallback   callback,
                    gpointer              user_data)
{
  g_return_if_fail (HL_IS_SESSION (session));

  const guint n_examples = hl_document_get_n_examples (hl_session_get_document (session));
  GTask *task = g_task_new (session, NULL, callback, user_data);

  g_task_set_source_tag (task, hl_session_restore);
  g_task_set_task_data (task, hl_saved_session_copy (saved),
                        (GDestroyNotify) hl_saved_session_free);
  if (saved->example >= n_examples)
    {
      g_task_return_new_error (task, HL_ERROR, HL_ERROR_MISSING,
                               _ ("there is no example %u; the last one is %u"), saved->example,
                               n_examples - 1);
      g_object_unref (task);
    }
  else if (saved->example == hl_session_get_example_index (session))
    {
      apply (task);
      g_object_unref (task);
    }
  else
    {
      g_signal_connect (session, "notify::busy", G_CALLBACK (on_busy), task);
      g_signal_connect (session, "failed", G_CALLBACK (on_failed), task);
      hl_session_set_example_index (session, saved->example);
    }
}

/**
 * hl_session_restore_finish:
 * @session: the session
 * @result: what the callback got
 * @error: %HL_ERROR_MISSING for what the document does not have, or any other of #HlError
 *
 * Returns: whether it is as it was
 */
gboolean
hl_session_restore_finish (HlSession    *session,
                           GAsyncResult *result,
                           GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, session), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * hl_session_get_saved:
 * @session: a session
 *
 * Returns: (transfer none) (nullable): what it was restored from
 */
const HlSavedSession *
hl_session_get_saved (HlSession *session)
{
  g_return_val_if_fail (HL_IS_SESSION (session), NULL);

  return g_object_get_qdata (G_OBJECT (session), saved_quark ());
}

static void
close_other (gpointer data)
{
  g_autoptr (HlSession) other = data;

  hl_session_close (other);
}

/**
 * hl_session_set_other:
 * @session: a session that was restored
 * @other: (transfer full): what it was compared with when it was saved
 *
 * Keeps it for who shows both.
 */
void
hl_session_set_other (HlSession *session,
                      HlSession *other)
{
  g_return_if_fail (HL_IS_SESSION (session));
  g_return_if_fail (HL_IS_SESSION (other));

  g_object_set_qdata_full (G_OBJECT (session), other_quark (), other, close_other);
}

/**
 * hl_session_steal_other:
 * @session: a session
 *
 * Returns: (transfer full) (nullable): what it is to be compared with; only once
 */
HlSession *
hl_session_steal_other (HlSession *session)
{
  g_return_val_if_fail (HL_IS_SESSION (session), NULL);

  return g_object_steal_qdata (G_OBJECT (session), other_quark ());
}
