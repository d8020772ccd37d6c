/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

typedef enum {
  HL_EXPORT_PNG, /* pixels */
  HL_EXPORT_SVG, /* vectors */
  HL_EXPORT_PDF, /* vectors, one page */
  HL_EXPORT_HTML, /* a page that shows all heads, see hl_page_make() */
} HlExportFormat;

typedef enum {
  HL_EXPORT_BACKGROUND_THEME, /* that of the theme */
  HL_EXPORT_BACKGROUND_WHITE, /* white */
  HL_EXPORT_BACKGROUND_NONE,  /* transparent */
} HlExportBackground;

typedef struct
{
  HlExportFormat      format;     /* the kind of file */
  double              scale;      /* pixels a logical pixel in PNG, 0.1 to 16; PDF and SVG ignore it */
  HlExportBackground  background; /* what is behind the scene */
  const char         *title;      /* a line over the figure; may be NULL */
  const char         *model;      /* whose attention it is, for who opens a page again; may be NULL */
  HlTextMode          text_mode;  /* text as text or as outlines, in SVG and PDF */
} HlExportOptions;

gboolean hl_export_format_from_path (const char             *path,
                                     HlExportFormat         *format);
guint    hl_export_count_maps_read  (HlViewState            *state,
                                     HlExportFormat          format);
gboolean hl_export_check_reading    (HlViewState            *state,
                                     HlExportFormat          format,
                                     GError                **error);
void     hl_export_get_whole_size   (HlScene *scene,
                                     double  *width,
                                     double  *height);
gboolean hl_export_save             (GBytes                 *figure,
                                     GFile                  *target,
                                     GError                **error);
gboolean hl_export_scene            (HlScene                *scene,
                                     const HlExportOptions  *options,
                                     GFile                  *target,
                                     gsize                  *n_left_out,
                                     GCancellable           *cancellable,
                                     GError                **error);
GBytes  *hl_export_scene_to_bytes   (HlScene                *scene,
                                     const HlExportOptions  *options,
                                     gsize                  *n_left_out,
                                     GCancellable           *cancellable,
                                     GError                **error);

G_END_DECLS
