/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/window/hl-window.h"

G_BEGIN_DECLS

typedef void (*HlLocated) (HlWindow  *window,
                           GFile     *session_file,
                           GPtrArray *files);

gboolean hl_locate_offer (HlWindow       *window,
                          HlDocumentPage *page,
                          const GError   *error,
                          HlLocated       located);

G_END_DECLS
