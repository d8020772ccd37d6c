/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * hl_layout_token_names:
 *
 * What data/dump-format.md calls lists of tokens; ends with %NULL.
 */
extern const char *const hl_layout_token_names[];

char     *hl_layout_names_find         (char          **members,
                                        HlAttentionKind kind);
char     *hl_layout_names_find_tokens  (char          **members,
                                        const char     *name);
gboolean  hl_layout_names_are_tokens   (const char     *member);
gboolean  hl_layout_names_are_no_tokens (const char    *member);
gboolean  hl_layout_names_is_attention (const char     *name);
int       hl_layout_names_rate         (const char     *pattern);
gboolean  hl_layout_names_are_layers   (const char     *pattern);
gboolean  hl_layout_names_are_examples (const char     *pattern);
gboolean  hl_layout_names_are_heads    (const char     *name);
gboolean  hl_layout_names_are_weights  (const char     *member);

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

gboolean   hl_dataset_look_at  (HlArchive       *archive,
                                const char      *path,
                                HlShape         *shape,
                                HlDType         *dtype);
GPtrArray *hl_dataset_list     (HlArchive       *archive,
                                GCancellable    *cancellable,
                                GError         **error);
gboolean   hl_dataset_is       (const HlDataset *self,
                                const char      *path);
char      *hl_dataset_describe (const HlDataset *self);

G_END_DECLS
