/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/base/hl-sample.h"

/**
 * hl_sample_get_file:
 *
 * The environment variable `HEADLIGHT_DATA_DIR` says where data is when the program is run without having been
 * installed.
 *
 * Returns: (transfer full): the dump that comes with the program
 */
GFile *
hl_sample_get_file (void)
{
  const char *folder = g_getenv ("HEADLIGHT_DATA_DIR");

  return g_file_new_build_filename (folder != NULL ? folder : HL_PKGDATADIR, "samples",
                                    "minilm-time-flies.h5", NULL);
}
