/* SPDX-License-Identifier: MIT */
/*
 * Tells the thread sanitizer how GLib's locks, tasks and counted references order what threads do. GLib is not built
 * with the sanitizer, so that what it does inside is not seen, and each value that one thread hands to another by it
 * would be called a race. Preloaded, these functions stand before GLib's own: a release where a thread has done with
 * something, an acquire where another takes it up.
 */
#include "sanitizer.h"

#include <gio/gio.h>

#undef g_object_ref
#undef g_object_unref
#undef g_once_init_enter
#undef g_once_init_leave
#undef g_task_run_in_thread

void
g_mutex_lock (GMutex *mutex)
{
  FIND (g_mutex_lock);
  next (mutex);
  acquire (mutex);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  FIND (g_mutex_trylock);
  const gboolean is_locked = next (mutex);
  if (is_locked)
    acquire (mutex);
  return is_locked;
}

void
g_mutex_unlock (GMutex *mutex)
{
  FIND (g_mutex_unlock);
  release (mutex);
  next (mutex);
}

void
g_rec_mutex_lock (GRecMutex *mutex)
{
  FIND (g_rec_mutex_lock);
  next (mutex);
  acquire (mutex);
}

gboolean
g_rec_mutex_trylock (GRecMutex *mutex)
{
  FIND (g_rec_mutex_trylock);
  const gboolean is_locked = next (mutex);
  if (is_locked)
    acquire (mutex);
  return is_locked;
}

void
g_rec_mutex_unlock (GRecMutex *mutex)
{
  FIND (g_rec_mutex_unlock);
  release (mutex);
  next (mutex);
}

void
g_cond_wait (GCond  *cond,
             GMutex *mutex)
{
  FIND (g_cond_wait);
  release (mutex);
  next (cond, mutex);
  acquire (mutex);
}

gboolean
g_cond_wait_until (GCond  *cond,
                   GMutex *mutex,
                   gint64  end)
{
  FIND (g_cond_wait_until);
  release (mutex);
  const gboolean was_signalled = next (cond, mutex, end);
  acquire (mutex);
  return was_signalled;
}

gboolean
g_once_init_enter (volatile void *location)
{
  FIND (g_once_init_enter);
  const gboolean is_first = next (location);
  acquire (location);
  return is_first;
}

void
g_once_init_leave (volatile void *location,
                   gsize          result)
{
  FIND (g_once_init_leave);
  release (location);
  next (location, result);
}

/* Whoever has the last reference frees what all others have done with. */
void
g_object_unref (gpointer object)
{
  FIND (g_object_unref);
  release (object);
  if (G_IS_OBJECT (object) && g_atomic_int_get (&((GObject *) object)->ref_count) == 1)
    acquire (object);
  next (object);
}

/* What frees a box in this thread. */
static __thread GDestroyNotify clear_box;

static void
clear_acquired (gpointer box)
{
  acquire (box);
  if (clear_box != NULL)
    clear_box (box);
}

void
g_atomic_rc_box_release_full (gpointer       box,
                              GDestroyNotify clear)
{
  FIND (g_atomic_rc_box_release_full);
  const GDestroyNotify outer = clear_box;

  clear_box = clear;
  release (box);
  next (box, clear_acquired);
  clear_box = outer;
}

void
g_atomic_rc_box_release (gpointer box)
{
  g_atomic_rc_box_release_full (box, NULL);
}

/* Tasks: from the thread that starts one to the worker, and back with the result. */
static void
run_task (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  acquire (task);
  ((GTaskThreadFunc) g_object_get_data (G_OBJECT (task), "thread-function")) (task, source, data, cancellable);
}

void
g_task_run_in_thread (GTask          *task,
                      GTaskThreadFunc function)
{
  FIND (g_task_run_in_thread);
  g_object_set_data (G_OBJECT (task), "thread-function", function);
  release (task);
  next (task, run_task);
}

void
g_task_return_pointer (GTask         *task,
                       gpointer       result,
                       GDestroyNotify free)
{
  FIND (g_task_return_pointer);
  release (task);
  next (task, result, free);
}

void
g_task_return_boolean (GTask   *task,
                       gboolean result)
{
  FIND (g_task_return_boolean);
  release (task);
  next (task, result);
}

void
g_task_return_error (GTask  *task,
                     GError *error)
{
  FIND (g_task_return_error);
  release (task);
  next (task, error);
}

gpointer
g_task_propagate_pointer (GTask   *task,
                          GError **error)
{
  FIND (g_task_propagate_pointer);
  acquire (task);
  return next (task, error);
}

gboolean
g_task_propagate_boolean (GTask   *task,
                          GError **error)
{
  FIND (g_task_propagate_boolean);
  acquire (task);
  return next (task, error);
}
