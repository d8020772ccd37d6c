/* SPDX-License-Identifier: MIT */
/* Panels that slide. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

gboolean hl_flap_finish (AdwFlap *flap);

G_END_DECLS
