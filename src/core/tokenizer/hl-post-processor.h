/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/json/hl-json-tree.h"

G_BEGIN_DECLS

/**
 * HlTemplateItem:
 * @sequence: 0 for the first text, 1 for the second, -1 for a special token
 * @id: of a special token
 * @segment: its segment
 *
 * What stands at a place of a finished encoding.
 */
typedef struct
{
  int     sequence;
  guint32 id;
  guint32 segment;
} HlTemplateItem;

/**
 * HlPostProcessor:
 * @single: (element-type HlTemplateItem): how one text is put together
 * @pair: (element-type HlTemplateItem): how two are
 * @has_template: whether they come from the file
 * @trim_offsets: spaces at the ends of a token are not of what it was made from
 * @add_prefix_space: the first of those spaces may have been added
 *
 * What is done to tokens at the end.
 */
typedef struct
{
  GArray  *single;
  GArray  *pair;
  gboolean has_template;
  gboolean trim_offsets;
  gboolean add_prefix_space;
} HlPostProcessor;

HlPostProcessor *hl_post_processor_load            (HlJsonValue             config,
                                                    GError                **error);
HlPostProcessor *hl_post_processor_new             (const HlTemplateItem   *single,
                                                    guint                   n_single,
                                                    const HlTemplateItem   *pair,
                                                    guint                   n_pair);
void             hl_post_processor_free            (HlPostProcessor        *self);
guint            hl_post_processor_get_n_special   (const HlPostProcessor  *self,
                                                    gboolean                pair);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPostProcessor, hl_post_processor_free)

G_END_DECLS
