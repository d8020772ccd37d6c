/* SPDX-License-Identifier: MIT */
/* What HDF5 takes for a plugin, and drops as soon as it looks into it: by then it has run. */
#include <stdlib.h>

__attribute__ ((constructor)) static void
tell (void)
{
  setenv ("HEADLIGHT_TEST_PLUGIN", "loaded", 1);
}
