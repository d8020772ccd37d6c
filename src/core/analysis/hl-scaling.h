/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

double *hl_scaling_compute (const double *distances,
                            gsize         n,
                            guint         n_dimensions,
                            GCancellable *cancellable,
                            GError      **error);

G_END_DECLS
