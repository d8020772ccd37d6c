/* SPDX-License-Identifier: MIT */
/* Standard input, output and error, which a process may have been started without. */
#include "core/base/file/hl-standard-streams.h"

#include <fcntl.h>
#include <unistd.h>

/**
 * hl_standard_streams_fill:
 *
 * Opens those that are closed, as what has nothing to read and cannot be written to. What else is opened, a file or a connection,
 * must not be what a line is then printed into. To be called before anything is opened.
 */
void
hl_standard_streams_fill (void)
{
  int fd;

  do
    fd = open ("/dev/null", O_RDONLY);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0)
    close (fd);
}
