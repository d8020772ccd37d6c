/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/base/hl-heap.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* What is closed is let go of bit by bit, and some of it by workers. */
#define PATIENCE_SECONDS 2

/* Heads and pictures come and go by the megabyte, in whatever worker is free. glibc would keep them for reuse, in a
 * heap for each thread; this gives them back. What GTK and a scene need for each frame, pictures of a whole window,
 * together stays: to have it cleared anew by the kernel took a third of a frame's time. To be called before threads begin. */
void
hl_heap_limit (void)
{
#ifdef __GLIBC__
  mallopt (M_MMAP_THRESHOLD, 4 * 1024 * 1024);
  mallopt (M_TRIM_THRESHOLD, 8 * 1024 * 1024);
  mallopt (M_ARENA_MAX, 2);
#endif
}

#if defined(__GLIBC__) && !GLIB_CHECK_VERSION(2, 76, 0)
/* GLib before 2.76 cuts objects out of slabs of its own, and a slab with a single object that is in use is kept whole: within an
 * hour these came to 20 MiB. What it takes from malloc() can be given back. That is to be said before anything uses it, which the
 * constructors of libraries do. */
static void
leave_slabs (void)
{
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  g_slice_set_config (G_SLICE_CONFIG_ALWAYS_MALLOC, TRUE);
  G_GNUC_END_IGNORE_DEPRECATIONS
}

__attribute__ ((section (".preinit_array"), used)) static void (*const before_libraries) (void) = leave_slabs;
#endif

#ifdef __GLIBC__
static guint give_back_id;
static gboolean goes_again;

static gboolean
give_back (gpointer data)
{
  malloc_trim (0);
  if (goes_again)
    {
      goes_again = FALSE;
      return G_SOURCE_CONTINUE;
    }
  give_back_id = 0;
  return G_SOURCE_REMOVE;
}
#endif

/* Much was let go of. The end of the heap is given back by itself; what lies between things that are in use, which after some hours is
 * more than these, is so a while after this, and once more if it is called meanwhile. Of the main thread. */
void
hl_heap_give_back (void)
{
#ifdef __GLIBC__
  if (give_back_id != 0)
    goes_again = TRUE;
  else
    give_back_id = g_timeout_add_seconds_full (G_PRIORITY_LOW, PATIENCE_SECONDS, give_back, NULL, NULL);
#endif
}
