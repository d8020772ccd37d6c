/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-stack.h"

G_BEGIN_DECLS

gboolean hl_stack_read_config (HlStack        *self,
                               HlStackPart     part,
                               HlModelConfig  *config,
                               double         *epsilon,
                               GError        **error);

G_END_DECLS
