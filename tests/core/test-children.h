/* SPDX-License-Identifier: MIT */
/* Children of fork(), for tests. */
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

pid_t test_fork        (void);
void  test_assert_ends (pid_t child);

G_END_DECLS
