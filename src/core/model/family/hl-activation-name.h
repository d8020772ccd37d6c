/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-activation.h"

G_BEGIN_DECLS

gboolean hl_activation_find (const char   *name,
                             HlActivation *activation,
                             GError      **error);

G_END_DECLS
