/* SPDX-License-Identifier: MIT */
/* The datasets of a file, to choose one. */
#pragma once

#include <adwaita.h>

#include "app/reading/hl-axes-survey.h"

G_BEGIN_DECLS

#define HL_TYPE_DATASET_CHOOSER (hl_dataset_chooser_get_type ())
G_DECLARE_FINAL_TYPE (HlDatasetChooser, hl_dataset_chooser, HL, DATASET_CHOOSER, AdwBin)

void           hl_dataset_chooser_set_items    (HlDatasetChooser *self,
                                                GPtrArray        *items,
                                                guint             selected);
HlDatasetItem *hl_dataset_chooser_get_selected (HlDatasetChooser *self);

G_END_DECLS
