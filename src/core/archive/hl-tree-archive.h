/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/archive/hl-span.h"

G_BEGIN_DECLS

/**
 * HlArchiveNode:
 * @kind: what it is for an archive; what stands alone is `other`
 * @members: (nullable): of a group, names to nodes in natural order; %NULL if it has none
 * @slashed: (nullable): of a group, hashes of its members' names that have slashes
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
  GHashTable   *slashed;
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
                                        const char       *path,
                                        gboolean         *is_ambiguous);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlArchiveNode, hl_archive_node_free)

/**
 * HL_TREE_ONLY_NAME:
 *
 * What the only member of a file is called that has no names.
 */
#define HL_TREE_ONLY_NAME "array"

#define HL_TYPE_TREE_ARCHIVE (hl_tree_archive_get_type ())
G_DECLARE_FINAL_TYPE (HlTreeArchive, hl_tree_archive, HL, TREE_ARCHIVE, GObject)

/* See hl_archive_verify(). */
typedef gboolean (*HlTreeVerify) (gpointer      data,
                                  guint        *n_verified,
                                  HlProgress   *progress,
                                  GCancellable *cancellable,
                                  GError      **error);

HlArchive *hl_tree_archive_new          (const char    *container,
                                         HlArchiveNode *root);
HlArchive *hl_tree_archive_new_for_node (const char    *container,
                                         HlArchiveNode *node);
void       hl_tree_archive_add_mapped   (HlTreeArchive *self,
                                         HlSpan        *span);
void       hl_tree_archive_set_verify   (HlTreeArchive *self,
                                         HlTreeVerify   verify,
                                         gpointer       data,
                                         GDestroyNotify free_data);

G_END_DECLS
