/* SPDX-License-Identifier: MIT */
/* What there is to choose from in a file. */
#pragma once

#include "app/reading/hl-dataset-item.h"
#include "core/document/hl-document.h"

G_BEGIN_DECLS

/**
 * HlAxesSurvey:
 * @archive: the open file
 * @items: (element-type HlDatasetItem): what could be read; first what is found without a choice, if there is something
 *
 * What there is to choose from.
 */
typedef struct
{
  HlArchive *archive;
  GPtrArray *items;
} HlAxesSurvey;

void          hl_axes_survey_make_async  (GFile                *file,
                                          HlDocument           *document,
                                          GCancellable         *cancellable,
                                          GAsyncReadyCallback   callback,
                                          gpointer              user_data);
HlAxesSurvey *hl_axes_survey_make_finish (GAsyncResult         *result,
                                          GError              **error);
guint         hl_axes_survey_find        (const HlAxesSurvey   *self,
                                          HlDocument           *document);
void          hl_axes_survey_free        (HlAxesSurvey         *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlAxesSurvey, hl_axes_survey_free)

G_END_DECLS
