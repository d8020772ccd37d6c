/* SPDX-License-Identifier: MIT */
/* The stack, marks and memo of the pickle machine. All of them fail with %HL_ERROR_CORRUPT when there is not what they
 * need. */
#pragma once

#include "core/archive/pydata/hl-pickle-global.h"
#include "core/archive/pydata/hl-pickle-text.h"

G_BEGIN_DECLS

/**
 * HlPickleMachine:
 * @heap: where values are
 * @reader: what follows
 * @unpack: (nullable): reads a file of PyTorch inside
 * @data: for @unpack
 * @stack: values, the last on top
 * @marks: (element-type guint): how high the stack was at each mark
 * @memo: values by number; %NULL where none is
 *
 * What a pickle is run on.
 */
typedef struct
{
  HlPickleHeap  *heap;
  HlPickleReader reader;
  HlPickleUnpack unpack;
  gpointer       data;
  GPtrArray     *stack;
  GArray        *marks;
  GPtrArray     *memo;
} HlPickleMachine;

gboolean       hl_pickle_stack_push           (HlPickleMachine  *self,
                                               HlPickleValue    *value);
guint          hl_pickle_stack_get_floor      (HlPickleMachine  *self);
HlPickleValue *hl_pickle_stack_pop            (HlPickleMachine  *self,
                                               GError          **error);
HlPickleValue *hl_pickle_stack_peek           (HlPickleMachine  *self,
                                               GError          **error);
gboolean       hl_pickle_stack_pop_mark       (HlPickleMachine  *self,
                                               guint            *first,
                                               GError          **error);
void           hl_pickle_stack_drop_to        (HlPickleMachine  *self,
                                               guint             height);
gboolean       hl_pickle_stack_push_collected (HlPickleMachine  *self,
                                               HlPickleKind      kind,
                                               guint             first,
                                               GError          **error);
gboolean       hl_pickle_stack_push_marked    (HlPickleMachine  *self,
                                               HlPickleKind      kind,
                                               GError          **error);
gboolean       hl_pickle_stack_extend         (HlPickleMachine  *self,
                                               HlPickleKind      kind,
                                               guint             first,
                                               GError          **error);
gboolean       hl_pickle_stack_extend_marked  (HlPickleMachine  *self,
                                               HlPickleKind      kind,
                                               GError          **error);
gboolean       hl_pickle_stack_memo_set       (HlPickleMachine  *self,
                                               guint64           index,
                                               GError          **error);
gboolean       hl_pickle_stack_memo_get       (HlPickleMachine  *self,
                                               guint64           index,
                                               GError          **error);

G_END_DECLS
