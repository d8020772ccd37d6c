/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-tree-archive.h"

G_BEGIN_DECLS

/**
 * HlPageExample:
 * @name: (nullable): what the page calls it
 * @view: (nullable): which view of the file it belongs to
 * @group: its members, named as in a dump
 *
 * One example that was found in a page.
 */
typedef struct
{
  char          *name;
  char          *view;
  HlArchiveNode *group;
} HlPageExample;

HlPageExample *hl_page_example_new         (const char           *name);
void           hl_page_example_free        (HlPageExample        *self);
gboolean       hl_page_example_copy        (HlPageExample        *self,
                                            const char           *name,
                                            const HlArchiveNode  *from,
                                            const char           *from_name,
                                            GError              **error);
void           hl_page_example_add_tensor  (HlPageExample        *self,
                                            const char           *name,
                                            HlTensor             *tensor);
void           hl_page_example_add_attribute (HlPageExample        *self,
                                            const char           *name,
                                            GVariant             *value);
void           hl_page_example_add_numbers (HlPageExample        *self,
                                            const char           *name,
                                            const float          *numbers,
                                            gsize                 n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPageExample, hl_page_example_free)

G_END_DECLS
