/* SPDX-License-Identifier: MIT */
/*
 * What a scene shows at some moment, so that figures of it can be made in a worker while the screen moves on. Made from
 * the scene on the main thread; a figure never changes.
 */
#pragma once

#include "draw/export/hl-export.h"

G_BEGIN_DECLS

#define HL_TYPE_FIGURE (hl_figure_get_type ())
G_DECLARE_FINAL_TYPE (HlFigure, hl_figure, HL, FIGURE, GObject)

gboolean  hl_figure_check       (HlScene                *scene,
                                 HlExportFormat          format,
                                 GError                **error);
HlFigure *hl_figure_new         (HlScene                *scene,
                                 double                  width,
                                 double                  height,
                                 gboolean                dark,
                                 gboolean                is_cut);
void      hl_figure_make_async  (HlFigure               *self,
                                 const HlExportOptions  *options,
                                 GFile                  *target,
                                 GCancellable           *cancellable,
                                 GAsyncReadyCallback     callback,
                                 gpointer                user_data);
GBytes   *hl_figure_make_finish (HlFigure               *self,
                                 GAsyncResult           *result,
                                 gsize                  *n_left_out,
                                 GError                **error);

G_END_DECLS
