/* SPDX-License-Identifier: MIT */
/* How long the main thread is busy at a stretch: nobody is answered from when its loop has found work until it waits
 * again. */
#include "config.h"

#include "app/base/hl-busy-clock.h"

/* The loop calls a function without data; there is one main thread. */
static GPollFunc poll_before;
static gint64 woken;
static gint64 longest;

static gint
wait_for_work (GPollFD *fds,
               guint    n_fds,
               gint     timeout)
{
  const gint64 now = g_get_monotonic_time ();

  if (woken != 0)
    longest = MAX (longest, now - woken);
  const gint n = poll_before (fds, n_fds, timeout);
  woken = g_get_monotonic_time ();
  return n;
}

void
hl_busy_clock_start (void)
{
  g_return_if_fail (poll_before == NULL);

  poll_before = g_main_context_get_poll_func (NULL);
  g_main_context_set_poll_func (NULL, wait_for_work);
}

/* In microseconds, since this was last asked. */
gint64
hl_busy_clock_take_longest (void)
{
  const gint64 taken = longest;

  longest = 0;
  return taken;
}
