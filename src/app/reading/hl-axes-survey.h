/* SPDX-License-Identifier: MIT */
/* What there is to choose from in a file: its datasets, and what is found in it when nobody chooses. */
#pragma once

#include "core/document/guess/hl-dataset.h"
#include "core/document/guess/hl-layout-axes.h"
#include "core/document/hl-document.h"

G_BEGIN_DECLS

#define HL_TYPE_DATASET_ITEM (hl_dataset_item_get_type ())
G_DECLARE_FINAL_TYPE (HlDatasetItem, hl_dataset_item, HL, DATASET_ITEM, GObject)

const char         *hl_dataset_item_get_path     (HlDatasetItem *self);
const char         *hl_dataset_item_get_title    (HlDatasetItem *self);
const char         *hl_dataset_item_get_subtitle (HlDatasetItem *self);
const HlShape      *hl_dataset_item_get_shape    (HlDatasetItem *self);
const HlLayoutAxes *hl_dataset_item_get_axes     (HlDatasetItem *self);
gboolean            hl_dataset_item_is_certain   (HlDatasetItem *self);

typedef struct
{
  HlArchive *archive;
  char *stamp;      /* of the file before it was opened; NULL where it was open */
  GPtrArray *items; /* of HlDatasetItem; first what is found without a choice, if there is something */
} HlAxesSurvey;

void          hl_axes_survey_make_async  (GFile               *file,
                                          HlDocument          *document,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
HlAxesSurvey *hl_axes_survey_make_finish (GAsyncResult        *result,
                                          GError             **error);
guint         hl_axes_survey_find        (const HlAxesSurvey  *self,
                                          HlDocument          *document);
void          hl_axes_survey_free        (HlAxesSurvey        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlAxesSurvey, hl_axes_survey_free)

G_END_DECLS
