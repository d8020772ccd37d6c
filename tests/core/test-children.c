/* SPDX-License-Identifier: MIT */
#include "test-children.h"

#include <sys/wait.h>
#include <unistd.h>

/* A child that hangs is ended after as long as no machine takes. */
#define PATIENCE 120

#if defined(__SANITIZE_ADDRESS__)
/* In a child, what only threads of its parent know is none. */
int __lsan_is_turned_off (void);

int
__lsan_is_turned_off (void)
{
  return 1;
}
#endif

pid_t
test_fork (void)
{
  const pid_t child = fork ();

  if (child == 0)
    alarm (PATIENCE);
  g_assert_cmpint (child, >=, 0);
  return child;
}

void
test_assert_ends (pid_t child)
{
  int status;

  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}
