/* SPDX-License-Identifier: MIT */
/* Eigenvalues and eigenvectors of small symmetric matrices. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean hl_eigen_symmetric (double       *matrix,
                             gsize         n,
                             double       *values,
                             GCancellable *cancellable,
                             GError      **error);

G_END_DECLS
