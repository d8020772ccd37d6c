/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive-node.h"

G_BEGIN_DECLS

/**
 * HL_TREE_ONLY_NAME:
 *
 * What the only member of a file is called that has no names.
 */
#define HL_TREE_ONLY_NAME "array"

#define HL_TYPE_TREE_ARCHIVE (hl_tree_archive_get_type ())
G_DECLARE_FINAL_TYPE (HlTreeArchive, hl_tree_archive, HL, TREE_ARCHIVE, GObject)

HlArchive *hl_tree_archive_new          (const char    *container,
                                         HlArchiveNode *root);
HlArchive *hl_tree_archive_new_for_node (const char    *container,
                                         HlArchiveNode *node);

G_END_DECLS
