/* SPDX-License-Identifier: MIT */
/*
 * Private to the line raster: how much of one column of pixels shows through the lines of a layer.
 */
#pragma once

#include "draw/lines/hl-line-band.h"
#include "draw/lines/hl-line-load.h"

G_BEGIN_DECLS

/* Memory to work out columns in. Not to be shared by threads. */
typedef struct _HlLineColumn HlLineColumn;

HlLineColumn *hl_line_column_new  (void);
void          hl_line_column_free (HlLineColumn *self);

const float *hl_line_column_run (HlLineColumn     *self,
                                 const HlLineGrid *grid,
                                 const HlLineBand *band,
                                 const HlLineLoad *load,
                                 int               x);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLineColumn, hl_line_column_free)

G_END_DECLS
