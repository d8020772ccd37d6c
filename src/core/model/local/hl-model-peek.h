/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/model/family/hl-family.h"

G_BEGIN_DECLS

const HlFamily *hl_model_peek_folder (GFile   *folder,
                                      GError **error);
const HlFamily *hl_model_peek_gguf   (GFile   *file,
                                      char   **title,
                                      GError **error);

gboolean        hl_model_peek_is_small (GFile         *file,
                                        GCancellable  *cancellable,
                                        GError       **error);

G_END_DECLS
