/* SPDX-License-Identifier: MIT */
/* HlSession: what is odd about the example that is shown: what was found when it was read, and in its numbers. */
#include "config.h"

#include "app/session/hl-session-private.h"

#include "core/analysis/hl-examine.h"
#include "core/base/hl-worker.h"
#include "core/source/make/hl-source-factory.h"

#include <glib/gi18n.h>

void
hl_session_stop_examining (HlSession *self)
{
  if (self->examine_cancellable == NULL)
    return;
  g_cancellable_cancel (self->examine_cancellable);
  g_clear_object (&self->examine_cancellable);
  g_object_notify (G_OBJECT (self), "examining");
}

/**
 * hl_session_get_checks:
 * @self: a session
 *
 * Returns: (transfer none): the #HlCheck of the example that is shown; grows when hl_session_examine() is through
 */
GListModel *
hl_session_get_checks (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return G_LIST_MODEL (self->checks);
}

static void
examine (GTask        *task,
         gpointer      source,
         gpointer      data,
         GCancellable *cancellable)
{
  hl_worker_give_way ();
  HlExample *example = source;
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      /* A source of its own, so that what is looked at stays in the cache of the one on screen. */
      g_autoptr (HlAttentionSource) weights = hl_attention_source_new_for_attention (attention);
      g_autoptr (GError) error = NULL;
      GPtrArray *checks = hl_examine_attention (attention, weights, cancellable, &error);

      if (checks == NULL)
        {
          g_task_return_error (task, g_steal_pointer (&error));
          return;
        }
      g_ptr_array_extend_and_steal (found, checks);
    }
  g_task_return_pointer (task, g_steal_pointer (&found), (GDestroyNotify) g_ptr_array_unref);
}

static void
examined (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (HlSession) self = data;
  g_autoptr (GError) error = NULL;
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  g_autoptr (GPtrArray) found = g_task_propagate_pointer (G_TASK (result), &error);

  if (cancellable != self->examine_cancellable)
    return;

  g_clear_object (&self->examine_cancellable);
  if (found != NULL)
    g_list_store_splice (self->checks, g_list_model_get_n_items (G_LIST_MODEL (self->checks)), 0,
                         found->pdata, found->len);
  else
    {
      g_autoptr (HlCheck) check
          = hl_check_new (HL_SEVERITY_WARNING, _ ("Not all of it can be read: %s"), error->message);
      g_list_store_append (self->checks, check);
    }
  g_object_notify (G_OBJECT (self), "examining");
}

/**
 * hl_session_examine:
 * @self: a session
 *
 * Looks, in a worker, for what is odd about the numbers of the example that is shown, and adds it to the checks. Does
 * nothing when that was done or is under way, nor for what is computed here: its rows sum to 1. Not done on its own, so
 * that it does not compete with the first picture.
 */
void
hl_session_examine (HlSession *self)
{
  g_return_if_fail (HL_IS_SESSION (self));

  if (self->examined || self->live != NULL)
    return;

  self->examined = TRUE;
  self->examine_cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (hl_view_state_get_example (self->view_state),
                                       self->examine_cancellable, examined, g_object_ref (self));
  g_task_set_source_tag (task, hl_session_examine);
  g_task_set_priority (task, G_PRIORITY_LOW);
  g_task_run_in_thread (task, examine);
  g_object_notify (G_OBJECT (self), "examining");
}

/**
 * hl_session_get_examining:
 * @self: a session
 *
 * Returns: whether hl_session_examine() is under way
 */
gboolean
hl_session_get_examining (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), FALSE);
  return self->examine_cancellable != NULL;
}
