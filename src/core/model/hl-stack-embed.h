/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-stack-run.h"

G_BEGIN_DECLS

gboolean hl_stack_check_run (const HlStack     *self,
                             const HlStackRun  *run,
                             GError           **error);
gboolean hl_stack_embed     (const HlStack     *self,
                             const HlStackRun  *run,
                             float             *target,
                             GError           **error);

G_END_DECLS
