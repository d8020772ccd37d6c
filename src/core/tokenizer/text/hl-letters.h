/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *hl_letters_space_out (const char *text);

G_END_DECLS
