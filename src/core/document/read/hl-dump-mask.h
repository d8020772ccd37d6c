/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/base/hl-dump-attributes.h"
#include "core/document/read/base/hl-dump-held.h"

G_BEGIN_DECLS

HlMask   hl_dump_mask_of_layer (const HlDumpRule    *rule,
                                const HlDumpHeld    *held,
                                guint                layer);
gboolean hl_dump_find_mask     (const HlDumpContext *context,
                                const HlDumpRule    *rule,
                                guint                n_layers,
                                gboolean             may_guess,
                                HlDumpHeld          *held,
                                HlMask              *masks,
                                GError             **error);
gboolean hl_dump_find_padding  (const HlDumpContext *context,
                                HlDumpHeld          *held,
                                GError             **error);
void     hl_dump_say_padding   (const HlDumpContext *context,
                                const HlDumpHeld    *held);

G_END_DECLS
