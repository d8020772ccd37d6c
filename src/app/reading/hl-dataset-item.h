/* SPDX-License-Identifier: MIT */
/* One way to begin reading a file: a dataset of it, or all that was found. */
#pragma once

#include "core/document/guess/hl-dataset.h"
#include "core/document/guess/hl-layout-axes.h"

G_BEGIN_DECLS

#define HL_TYPE_DATASET_ITEM (hl_dataset_item_get_type ())
G_DECLARE_FINAL_TYPE (HlDatasetItem, hl_dataset_item, HL, DATASET_ITEM, GObject)

HlDatasetItem      *hl_dataset_item_new           (const HlDataset     *dataset);
HlDatasetItem      *hl_dataset_item_new_for_found (const char          *subtitle,
                                                   const HlShape       *shape,
                                                   guint                n_layers);
const char         *hl_dataset_item_get_path      (HlDatasetItem       *self);
const char         *hl_dataset_item_get_title     (HlDatasetItem       *self);
const char         *hl_dataset_item_get_subtitle  (HlDatasetItem       *self);
const HlShape      *hl_dataset_item_get_shape     (HlDatasetItem       *self);
const HlLayoutAxes *hl_dataset_item_get_axes      (HlDatasetItem       *self);
gboolean            hl_dataset_item_is_certain    (HlDatasetItem       *self);
void                hl_dataset_item_set_found     (HlDatasetItem       *self,
                                                   const HlLayoutAxes  *axes,
                                                   gboolean             certain);

G_END_DECLS
