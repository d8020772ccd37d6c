/* SPDX-License-Identifier: MIT */
/* HlSession: from one example of a document to another, which a worker reads. */
#include "app/session/hl-session-private.h"

/**
 * hl_session_get_example_index:
 * @self: a session
 *
 * Returns: the example that is shown, or that will be as soon as it is read
 */
guint
hl_session_get_example_index (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), 0);
  return self->example_index;
}

void
hl_session_stop_reading (HlSession *self)
{
  if (self->example_cancellable == NULL)
    return;
  g_cancellable_cancel (self->example_cancellable);
  g_clear_object (&self->example_cancellable);
  g_object_notify (G_OBJECT (self), "busy");
}

static void
read_example (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  GError *error = NULL;
  HlExample *example = hl_document_get_example (source, GPOINTER_TO_UINT (data), cancellable, &error);

  if (example != NULL)
    g_task_return_pointer (task, example, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
example_read (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (HlSession) self = data;
  g_autoptr (GError) error = NULL;
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  g_autoptr (HlExample) example = g_task_propagate_pointer (G_TASK (result), &error);

  if (cancellable != self->example_cancellable)
    return;

  g_clear_object (&self->example_cancellable);
  if (example != NULL)
    {
      self->shown_index = self->example_index;
      hl_session_show_example (self, example);
    }
  else
    {
      self->example_index = self->shown_index;
      g_object_notify (G_OBJECT (self), "example-index");
      g_signal_emit_by_name (self, "failed", error);
    }
  g_object_notify (G_OBJECT (self), "busy");
}

/**
 * hl_session_set_example_index:
 * @self: a session
 * @index: an example of the document
 *
 * Shows another example as soon as it is read. If it cannot be, #HlSession::failed tells, and the index goes back.
 */
void
hl_session_set_example_index (HlSession *self,
                              guint      index)
{
  g_return_if_fail (HL_IS_SESSION (self));
  g_return_if_fail (index < hl_document_get_n_examples (self->document));

  if (index == self->example_index)
    return;

  hl_session_stop_reading (self);
  self->example_index = index;
  g_object_notify (G_OBJECT (self), "example-index");
  if (index == self->shown_index)
    return;

  self->example_cancellable = g_cancellable_new ();
  g_autoptr (GTask) task
      = g_task_new (self->document, self->example_cancellable, example_read, g_object_ref (self));
  g_task_set_source_tag (task, hl_session_set_example_index);
  g_task_set_task_data (task, GUINT_TO_POINTER (index), NULL);
  g_task_run_in_thread (task, read_example);
  g_object_notify (G_OBJECT (self), "busy");
}

/**
 * hl_session_get_busy:
 * @self: a session
 *
 * Returns: whether another example is being read
 */
gboolean
hl_session_get_busy (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), FALSE);
  return self->example_cancellable != NULL;
}
