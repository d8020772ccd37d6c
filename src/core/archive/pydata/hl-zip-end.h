/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-span.h"

G_BEGIN_DECLS

/**
 * HlZipEnd:
 * @start: where the directory begins
 * @size: how many bytes it has
 * @n_members: how many entries
 *
 * What the end of a zip file says of its directory.
 */
typedef struct
{
  guint64 start;
  guint64 size;
  guint64 n_members;
} HlZipEnd;

gboolean hl_zip_end_find (HlZipEnd      *self,
                          HlSpan        *file,
                          GError       **error);
guint64  hl_zip_get      (const guint8  *bytes,
                          guint          size);

G_END_DECLS
