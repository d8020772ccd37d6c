/* SPDX-License-Identifier: MIT */
/* Looks in a file in which no attention was found whether there is something to choose from. */
#pragma once

#include "app/window/hl-window.h"

G_BEGIN_DECLS

/* There is; @text is what was said of the file. */
typedef void (*HlAxesFound) (HlWindow   *window,
                             const char *text,
                             const char *uri);

void hl_axes_offer_make (HlWindow    *window,
                         GFile       *file,
                         const char  *text,
                         HlAxesFound  found);

G_END_DECLS
