/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean hl_special_token_is (const char *token);

G_END_DECLS
