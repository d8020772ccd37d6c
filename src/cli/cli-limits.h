/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CLI_LIMITS_ENTRY(asked)                                                                                        \
  {                                                                                                                    \
    "limits", 0, 0, G_OPTION_ARG_NONE, (asked),                                                                        \
      N_ ("In place of a file: the most that is read of any, and why; --format says how to print it"), NULL            \
  }

int cli_run_limits (char **arguments);

G_END_DECLS
