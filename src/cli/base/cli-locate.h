/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int cli_locate (char **name);

G_END_DECLS
