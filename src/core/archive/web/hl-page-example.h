/* SPDX-License-Identifier: MIT */
/* What a page holds, put together as a dump has it, and who reads that. */
#pragma once

#include "core/archive/hl-tree-archive.h"
#include "core/json/hl-json-reader.h"

G_BEGIN_DECLS

typedef struct
{
  char          *name;  /* what the page calls it, or NULL */
  char          *view;  /* which view of the file it belongs to, or NULL */
  HlArchiveNode *group; /* its members, named as in a dump */
} HlPageExample;

HlPageExample *hl_page_example_new         (const char           *name);
void           hl_page_example_free        (HlPageExample        *self);
gboolean       hl_page_example_copy        (HlPageExample        *self,
                                            const char           *name,
                                            const HlArchiveNode  *from,
                                            const char           *from_name,
                                            HlJsonBudget         *budget,
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

/* Each adds what it finds to @examples, which are HlPageExample; an object without attention is none of its own. */
gboolean hl_page_read_bertviz     (const HlArchiveNode  *params,
                                   HlJsonBudget         *budget,
                                   GPtrArray            *examples,
                                   GError              **error);
gboolean hl_page_read_circuitsvis (const HlArchiveNode  *params,
                                   HlJsonBudget         *budget,
                                   GPtrArray            *examples,
                                   GError              **error);
gboolean hl_page_read_headlight   (const HlArchiveNode  *params,
                                   HlJsonBudget         *budget,
                                   GPtrArray            *examples,
                                   GError              **error);
gboolean hl_page_read_inspectus   (const HlArchiveNode  *params,
                                   HlJsonBudget         *budget,
                                   GPtrArray            *examples,
                                   GError              **error);

G_END_DECLS
