/* SPDX-License-Identifier: MIT */
/*
 * What can be changed belongs to one thread, that in which it was made: the window's, or that of a job which has it to itself. Who changes it from
 * another aborts, in builds for those who develop; in others nothing is asked.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#ifdef HL_CHECK_OWNERS

static inline void
hl_owner_check (GThread    *owner,
                const char *function)
{
  if (owner != g_thread_self ())
    g_error ("%s: called from a thread that does not own what it changes", function);
}

/* @self has the thread as its @owner. */
#define HL_ASSERT_OWNER(self) hl_owner_check ((self)->owner, G_STRFUNC)

#else
#define HL_ASSERT_OWNER(self) ((void) 0)
#endif

G_END_DECLS
