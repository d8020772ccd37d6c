/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean hl_few_edits_find (const guint32 *a,
                            gsize          n_a,
                            const guint32 *b,
                            gsize          n_b,
                            gsize         *partners,
                            GCancellable  *cancellable);

G_END_DECLS
