/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

/**
 * HlJsonNode:
 * @kind: what it is for an archive; what stands alone is `other`
 * @members: (nullable): of a group, names to nodes in natural order; %NULL if it has none
 * @tensor: (nullable): of a tensor
 * @strings: (nullable): of strings
 * @attribute: (nullable): of what stands alone
 * @problem: (nullable): why it cannot be used
 *
 * A member of an object of JSON.
 */
typedef struct
{
  HlMemberKind  kind;
  GTree        *members;
  HlTensor     *tensor;
  char        **strings;
  GVariant     *attribute;
  GError       *problem;
} HlJsonNode;

HlJsonNode       *hl_json_node_new     (HlMemberKind      kind);
void              hl_json_node_free    (HlJsonNode       *self);
void              hl_json_node_add     (HlJsonNode       *self,
                                        const char       *name,
                                        HlJsonNode       *member);
HlJsonNode       *hl_json_node_get     (const HlJsonNode *self,
                                        const char       *name);
const HlJsonNode *hl_json_node_resolve (const HlJsonNode *self,
                                        const char       *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlJsonNode, hl_json_node_free)

G_END_DECLS
