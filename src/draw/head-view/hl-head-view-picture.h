/* SPDX-License-Identifier: MIT */
/* The lines of a head view, all of them: as pixels kept from frame to frame, or as strokes on paper. */
#pragma once

#include "draw/head-view/hl-head-view-data.h"
#include "draw/head-view/hl-head-view-layout.h"
#include "draw/paint/hl-cairo.h"
#include "draw/scene/hl-scene-job.h"

G_BEGIN_DECLS

/* The lines as pixels, of all rows or of those around the viewport. */
typedef struct
{
  HlHeadViewData  *data;        /* the weights it shows */
  guint            head;        /* of which of the heads alone, G_MAXUINT of all */
  cairo_surface_t *surface;     /* the pixels */
  double           row_height;  /* of the layout it was made for, logical pixels */
  double           pitches[2];  /* of each side, likewise */
  double           gap;         /* from where lines begin to where they end, logical pixels */
  guint            column_step; /* of how many columns of device pixels one is kept */
  double           margin;      /* logical pixels left of where lines begin */
  double           top;         /* top of the pixels, logical pixels below the top of the first row */
  double           height;      /* logical pixels */
  double           reserve;     /* logical pixels kept above and below the viewport */
  double           scale;       /* device pixels a logical pixel */
  gboolean         curved;      /* whether lines are curves */
  gboolean         dark;        /* of which theme the colours are */
} HlHeadViewRaster;

HlHeadViewRaster *hl_head_view_raster_new     (HlHeadViewData          *data,
                                               const HlHeadViewLayout  *layout,
                                               double                   scale,
                                               gboolean                 dark);
HlHeadViewRaster *hl_head_view_raster_new_of_head (HlHeadViewData         *data,
                                                   guint                   head,
                                                   const HlHeadViewLayout *layout,
                                                   double                  scale,
                                                   gboolean                dark);
HlHeadViewRaster *hl_head_view_raster_new_draft (HlHeadViewData          *data,
                                                 const HlHeadViewLayout  *layout,
                                                 double                   scale,
                                                 gboolean                 dark);
void              hl_head_view_raster_free    (HlHeadViewRaster        *self);
gboolean          hl_head_view_raster_serves  (const HlHeadViewRaster  *self,
                                               const HlHeadViewData    *data,
                                               const HlHeadViewLayout  *layout,
                                               double                   scale,
                                               gboolean                 dark);
void              hl_head_view_raster_paint   (const HlHeadViewRaster  *self,
                                               const HlHeadViewLayout  *layout,
                                               cairo_t                 *cr);

void              hl_head_view_stroke_all     (const HlHeadViewData    *data,
                                               const HlHeadViewLayout  *layout,
                                               gboolean                 dark,
                                               double                   opacity,
                                               cairo_t                 *cr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHeadViewRaster, hl_head_view_raster_free)

#define HL_TYPE_LINES_JOB (hl_lines_job_get_type ())
G_DECLARE_FINAL_TYPE (HlLinesJob, hl_lines_job, HL, LINES_JOB, HlSceneJob)

/* Makes lines of the data of the job. */
struct _HlLinesJob
{
  HlSceneJob parent_instance;

  GPtrArray *rasters; /* the lines to make, none when strokes are wanted */
};

void hl_lines_job_move_raster (HlLinesJob           *self,
                               const HlHeadViewData *data,
                               HlHeadViewRaster    **raster,
                               HlHeadViewRaster    **of_head);

G_END_DECLS
