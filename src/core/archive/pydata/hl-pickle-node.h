/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-tree-archive.h"
#include "core/archive/pydata/hl-pickle-value.h"

G_BEGIN_DECLS

HlArchiveNode *hl_pickle_node_new (HlPickleHeap   *heap,
                                   HlPickleValue  *value,
                                   GCancellable   *cancellable,
                                   GError        **error);

G_END_DECLS
