/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive-node.h"

G_BEGIN_DECLS

#define HL_TYPE_TREE_ARCHIVE (hl_tree_archive_get_type ())
G_DECLARE_FINAL_TYPE (HlTreeArchive, hl_tree_archive, HL, TREE_ARCHIVE, GObject)

HlArchive *hl_tree_archive_new (const char    *container,
                                HlArchiveNode *root);

G_END_DECLS
