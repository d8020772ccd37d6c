/* SPDX-License-Identifier: MIT */
/* What is opened in a process that was started without standard streams is none of them. */
#include "core/base/file/hl-standard-streams.h"

#include <fcntl.h>
#include <unistd.h>

static void
fill_and_open (guint closed)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (closed & (1u << fd))
      close (fd);
  hl_standard_streams_fill ();
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0)
      _exit (1);
  /* Nothing more is left open than what was closed. */
  _exit (open ("/", O_RDONLY) == STDERR_FILENO + 1 ? 0 : 2);
}

static void
test_fill (gconstpointer data)
{
  if (g_test_subprocess ())
    {
      closefrom (STDERR_FILENO + 1);
      fill_and_open (GPOINTER_TO_UINT (data));
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint closed = 0; closed < 8; closed++)
    {
      g_autofree char *path = g_strdup_printf ("/standard-streams/fill/%u", closed);
      g_test_add_data_func (path, GUINT_TO_POINTER (closed), test_fill);
    }
  return g_test_run ();
}
