/* SPDX-License-Identifier: MIT */
/* What each axis of a tensor is, to be chosen. */
#pragma once

#include <adwaita.h>

#include "core/document/guess/hl-layout-axes.h"

G_BEGIN_DECLS

#define HL_TYPE_AXES_GROUP (hl_axes_group_get_type ())
G_DECLARE_FINAL_TYPE (HlAxesGroup, hl_axes_group, HL, AXES_GROUP, AdwPreferencesGroup)

void         hl_axes_group_set_axes (HlAxesGroup        *self,
                                     const HlShape      *shape,
                                     const HlLayoutAxes *axes);
HlLayoutAxes hl_axes_group_get_axes (HlAxesGroup        *self);

G_END_DECLS
