/* SPDX-License-Identifier: MIT */
/* What is wrong, as a window says it by itself: a GError's text continues a line, and begins lower case. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *hl_sentence_new      (const char   *text);
char *hl_sentence_of_error (const GError *error);

G_END_DECLS
