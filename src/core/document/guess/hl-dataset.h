/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HlDataset:
 * @path: what #HlOpenOptions calls it
 * @n_layers: how many tensors there are, a layer each, or a head of a layer; 0 for one tensor
 * @in_series: whether it is one of a series that is listed as well
 * @shape: the sizes of the tensor, or of the first one
 * @dtype: the type of its numbers
 *
 * Something in a file that attention could be read from: a tensor of real numbers with at least two axes, or a series
 * of them.
 */
typedef struct
{
  char    *path;
  guint    n_layers;
  gboolean in_series;
  HlShape  shape;
  HlDType  dtype;
} HlDataset;

GPtrArray *hl_dataset_list     (HlArchive       *archive,
                                GCancellable    *cancellable,
                                GError         **error);
gboolean   hl_dataset_is       (const HlDataset *self,
                                const char      *path);
char      *hl_dataset_describe (const HlDataset *self);

G_END_DECLS
