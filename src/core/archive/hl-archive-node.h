/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

/**
 * HlArchiveNode:
 * @kind: what it is for an archive; what stands alone is `other`
 * @members: (nullable): of a group, names to nodes in natural order; %NULL if it has none
 * @tensor: (nullable): of a tensor
 * @strings: (nullable): of strings
 * @n_repaired: how many of them held bytes that were no text
 * @attribute: (nullable): of what stands alone
 * @problem: (nullable): why it cannot be used
 *
 * A member of a file whose members are a tree in memory; their numbers may still be in the file.
 */
typedef struct
{
  HlMemberKind  kind;
  GTree        *members;
  HlTensor     *tensor;
  char        **strings;
  gsize         n_repaired;
  GVariant     *attribute;
  GError       *problem;
} HlArchiveNode;

HlArchiveNode       *hl_archive_node_new     (HlMemberKind      kind);
void              hl_archive_node_free    (HlArchiveNode       *self);
void              hl_archive_node_add     (HlArchiveNode       *self,
                                        const char       *name,
                                        HlArchiveNode       *member);
HlArchiveNode       *hl_archive_node_get     (const HlArchiveNode *self,
                                        const char       *name);
const HlArchiveNode *hl_archive_node_resolve (const HlArchiveNode *self,
                                        const char       *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlArchiveNode, hl_archive_node_free)

G_END_DECLS
