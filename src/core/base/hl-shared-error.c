/* SPDX-License-Identifier: MIT */
/* HlSharedError: the first thing that goes wrong in any of the threads is what the caller is told. */
#include "core/base/hl-shared-error.h"

/**
 * hl_shared_error_is_set:
 * @self: what went wrong
 *
 * From any thread.
 *
 * Returns: whether something did, so that what is left to do need not be
 */
gboolean
hl_shared_error_is_set (HlSharedError *self)
{
  return g_atomic_pointer_get (&self->error) != NULL;
}

/**
 * hl_shared_error_take:
 * @self: what went wrong
 * @error: (transfer full): what went wrong in this thread
 *
 * Keeps the error unless there is one before it. From any thread.
 */
void
hl_shared_error_take (HlSharedError *self,
                      GError        *error)
{
  if (!g_atomic_pointer_compare_and_exchange (&self->error, NULL, error))
    g_error_free (error);
}

/**
 * hl_shared_error_propagate:
 * @self: what went wrong; nothing afterwards
 * @error: what is told to the caller
 *
 * To be called when the threads are done.
 *
 * Returns: whether nothing went wrong
 */
gboolean
hl_shared_error_propagate (HlSharedError  *self,
                           GError        **error)
{
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}
