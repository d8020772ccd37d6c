/* SPDX-License-Identifier: MIT */
/* The stack, marks and memo of the pickle machine. All of them fail with %HL_ERROR_CORRUPT when there is not what they
 * need. */
#pragma once

#include "core/archive/pydata/hl-pickle-value.h"

G_BEGIN_DECLS

typedef struct
{
  HlPickleHeap *heap;   /* where values are */
  GPtrArray    *values; /* the last on top */
  GArray       *marks;  /* how high the stack was at each */
  GPtrArray    *memo;   /* values by number; NULL where none is */
} HlPickleStack;

gboolean       hl_pickle_stack_push           (HlPickleStack  *self,
                                               HlPickleValue    *value);
guint          hl_pickle_stack_get_floor      (HlPickleStack  *self);
HlPickleValue *hl_pickle_stack_pop            (HlPickleStack  *self,
                                               GError          **error);
HlPickleValue *hl_pickle_stack_peek           (HlPickleStack  *self,
                                               GError          **error);
gboolean       hl_pickle_stack_pop_mark       (HlPickleStack  *self,
                                               guint            *first,
                                               GError          **error);
void           hl_pickle_stack_drop_to        (HlPickleStack  *self,
                                               guint             height);
gboolean       hl_pickle_stack_push_collected (HlPickleStack  *self,
                                               HlPickleKind      kind,
                                               guint             first,
                                               GError          **error);
gboolean       hl_pickle_stack_push_marked    (HlPickleStack  *self,
                                               HlPickleKind      kind,
                                               GError          **error);
gboolean       hl_pickle_stack_extend         (HlPickleStack  *self,
                                               HlPickleKind      kind,
                                               guint             first,
                                               GError          **error);
gboolean       hl_pickle_stack_extend_marked  (HlPickleStack  *self,
                                               HlPickleKind      kind,
                                               GError          **error);
gboolean       hl_pickle_stack_memo_set       (HlPickleStack  *self,
                                               guint64           index,
                                               GError          **error);
gboolean       hl_pickle_stack_memo_get       (HlPickleStack  *self,
                                               guint64           index,
                                               GError          **error);

G_END_DECLS
