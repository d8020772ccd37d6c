/* SPDX-License-Identifier: MIT */
/* What libFuzzer calls, and the replay of its corpus too. */
#pragma once

#include <glib.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/* What was written just now is not opened before the clock has gone on by which files are dated; a million times that would take an hour. */
static inline void
fuzz_make_old (int fd)
{
  const struct timespec times[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };

  g_assert (futimens (fd, times) == 0);
}

int LLVMFuzzerTestOneInput (const guint8 *bytes,
                            gsize         size);

G_END_DECLS
