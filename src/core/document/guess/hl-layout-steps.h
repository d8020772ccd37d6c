/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/document/guess/hl-layout-axes.h"
#include "core/document/guess/hl-layout-lister.h"
#include "core/document/guess/hl-layout.h"

G_BEGIN_DECLS

/**
 * HlLayoutSteps:
 * @paths: (element-type utf8): tensors, @n_steps times as many, those of a step together
 * @n_steps: how many steps, or examples, there are
 * @is_generation: whether they are steps of one generation, each with the queries that follow those of the step
 *   before; else they are examples
 * @one_layer: whether each tensor is of one layer
 * @are_heads: whether they are rather layers, and the tensors of each its heads
 * @first: the sizes of the first tensor
 * @layers: (element-type guint64): the numbers in the names of the first step's layers; empty where one tensor has all
 *   of them
 * @groups: (element-type guint64): those in the names of the steps, or of layers where @are_heads
 *
 * Attention as a list with an element for each step, as generate() of transformers returns it, or for each example.
 */
typedef struct
{
  GPtrArray *paths;
  guint      n_steps;
  gboolean   is_generation;
  gboolean   one_layer;
  gboolean   are_heads;
  HlShape    first;
  GArray    *layers;
  GArray    *groups;
} HlLayoutSteps;

gboolean hl_layout_steps_find        (HlLayoutSteps  *self,
                                      HlLayoutLister *lister,
                                      const char     *group,
                                      char          **members,
                                      const char     *pattern);
gboolean hl_layout_steps_find_pairs  (HlLayoutSteps  *self,
                                      HlArchive      *archive,
                                      const char     *group,
                                      char          **members,
                                      const char     *pattern,
                                      GCancellable   *cancellable);
guint    hl_layout_steps_count_lists (HlLayoutLister *lister,
                                      const char     *group,
                                      char          **members);
void     hl_layout_steps_clear       (HlLayoutSteps  *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlLayoutSteps, hl_layout_steps_clear)

G_END_DECLS
