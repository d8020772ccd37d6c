/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The subcommands: each takes its arguments, its own name first, and returns the exit status. */
int cli_info       (char **arguments);
int cli_tokens     (char **arguments);
int cli_recompute  (char **arguments);
int cli_render     (char **arguments);
int cli_stats      (char **arguments);
int cli_find_heads (char **arguments);
int cli_compare    (char **arguments);
int cli_convert    (char **arguments);

G_END_DECLS
