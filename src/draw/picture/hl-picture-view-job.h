/* SPDX-License-Identifier: MIT */
/* Work of a picture view that must not be done between two frames: weights are read, and images made as large as they are seen. */
#pragma once

#include "core/document/picture/hl-image.h"
#include "draw/paint/hl-cairo.h"
#include "draw/scene/hl-scene-job.h"

G_BEGIN_DECLS

/* An image as pixels of the screen, or nearly as many as a figure can hold. */
typedef struct
{
  HlImage *image;
  gsize width;
  gsize height;
  cairo_surface_t *surface; /* NULL until it is made */
} HlPictureViewImage;

HlPictureViewImage *hl_picture_view_image_new  (HlImage            *image,
                                                gsize               width,
                                                gsize               height);
void                hl_picture_view_image_free (HlPictureViewImage *self);

#define HL_TYPE_PICTURE_VIEW_JOB (hl_picture_view_job_get_type ())
G_DECLARE_FINAL_TYPE (HlPictureViewJob, hl_picture_view_job, HL, PICTURE_VIEW_JOB, HlSceneJob)

struct _HlPictureViewJob
{
  HlSceneJob parent_instance;

  GPtrArray *images; /* of HlPictureViewImage, to be made */
};

G_END_DECLS
