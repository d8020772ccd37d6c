/* SPDX-License-Identifier: MIT */
/* The queries and keys of a head as points of the plane in which they are farthest apart. */
#pragma once

#include "core/base/hl-side.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HlPlane:
 * @n: how many points of each #HlSide
 * @points: [n, 2] of each side: where they are
 * @shares: which part of the variance of all points each of the two directions holds, 0 to 1
 *
 * Points in a plane. Free its points with hl_plane_clear().
 */
typedef struct
{
  gsize   n[2];
  double *points[2];
  double  shares[2];
} HlPlane;

gboolean hl_plane_compute (HlPlane            *self,
                           const float *const  vectors[2],
                           const gsize         n[2],
                           gsize               n_features,
                           GCancellable       *cancellable,
                           GError            **error);
void     hl_plane_clear   (HlPlane            *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlPlane, hl_plane_clear)

G_END_DECLS
