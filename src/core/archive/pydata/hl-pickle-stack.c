/* SPDX-License-Identifier: MIT */
/* The stack, marks and memo of the pickle machine. Nothing reaches below the last mark or past the top. */
#include "core/archive/pydata/hl-pickle-stack.h"

#include "core/base/hl-limits.h"

gboolean
hl_pickle_stack_push (HlPickleStack *self,
                      HlPickleValue *value)
{
  if (value != NULL)
    g_ptr_array_add (self->values, value);
  return value != NULL;
}

/* The height that the stack cannot be taken below. */
guint
hl_pickle_stack_get_floor (HlPickleStack *self)
{
  return self->marks->len > 0 ? g_array_index (self->marks, guint, self->marks->len - 1) : 0;
}

HlPickleValue *
hl_pickle_stack_pop (HlPickleStack *self,
                     GError       **error)
{
  if (self->values->len <= hl_pickle_stack_get_floor (self))
    return hl_pickle_refuse (error);
  HlPickleValue *value = g_ptr_array_index (self->values, self->values->len - 1);
  g_ptr_array_set_size (self->values, (gint) self->values->len - 1);
  return value;
}

HlPickleValue *
hl_pickle_stack_peek (HlPickleStack *self,
                      GError       **error)
{
  if (self->values->len > hl_pickle_stack_get_floor (self))
    return g_ptr_array_index (self->values, self->values->len - 1);
  return hl_pickle_refuse (error);
}

/* Takes the last mark away; what was above it is then to be found from @first on. */
gboolean
hl_pickle_stack_pop_mark (HlPickleStack *self,
                          guint         *first,
                          GError       **error)
{
  *first = hl_pickle_stack_get_floor (self);
  if (self->marks->len == 0)
    return hl_pickle_fail (error);
  g_array_set_size (self->marks, self->marks->len - 1);
  return TRUE;
}

void
hl_pickle_stack_drop_to (HlPickleStack *self,
                         guint          height)
{
  g_ptr_array_set_size (self->values, (gint) height);
}

/* A list or dictionary of what is on the stack from @first on. */
gboolean
hl_pickle_stack_push_collected (HlPickleStack *self,
                                HlPickleKind   kind,
                                guint          first,
                                GError       **error)
{
  HlPickleValue *value = hl_pickle_heap_add (self->heap, kind, error);

  if (value == NULL || first > self->values->len || first < hl_pickle_stack_get_floor (self))
    return value == NULL ? FALSE : hl_pickle_fail (error);
  const guint n = self->values->len - first;
  if (kind == HL_PICKLE_DICTIONARY && n % 2 != 0)
    return hl_pickle_fail (error);
  for (guint i = 0; i < n; i++)
    hl_pickle_list_append (value, g_ptr_array_index (self->values, first + i));
  hl_pickle_stack_drop_to (self, first);
  return hl_pickle_stack_push (self, value);
}

gboolean
hl_pickle_stack_push_marked (HlPickleStack *self,
                             HlPickleKind   kind,
                             GError       **error)
{
  guint first;

  return hl_pickle_stack_pop_mark (self, &first, error) && hl_pickle_stack_push_collected (self, kind, first, error);
}

/* Adds what is on the stack from @first on to the list or dictionary below it. */
gboolean
hl_pickle_stack_extend (HlPickleStack *self,
                        HlPickleKind   kind,
                        guint          first,
                        GError       **error)
{
  if (first == 0 || first > self->values->len || first - 1 < hl_pickle_stack_get_floor (self))
    return hl_pickle_fail (error);
  const guint n = self->values->len - first;
  HlPickleValue *target = g_ptr_array_index (self->values, first - 1);
  if (kind == HL_PICKLE_DICTIONARY && n % 2 != 0)
    return hl_pickle_fail (error);
  /* What is added to something that was not worth keeping is not either. */
  if (target->kind != kind && target->kind != HL_PICKLE_NONE)
    return hl_pickle_fail (error);
  for (guint i = 0; target->kind == kind && i < n; i++)
    hl_pickle_list_append (target, g_ptr_array_index (self->values, first + i));
  hl_pickle_stack_drop_to (self, first);
  return TRUE;
}

gboolean
hl_pickle_stack_extend_marked (HlPickleStack *self,
                               HlPickleKind   kind,
                               GError       **error)
{
  guint first;

  return hl_pickle_stack_pop_mark (self, &first, error) && hl_pickle_stack_extend (self, kind, first, error);
}

gboolean
hl_pickle_stack_memo_set (HlPickleStack *self,
                          guint64        index,
                          GError       **error)
{
  HlPickleValue *value = hl_pickle_stack_peek (self, error);

  if (value == NULL)
    return FALSE;
  if (index >= HL_LIMIT_PICKLE_VALUES)
    return hl_pickle_fail_full (error);
  if (index >= self->memo->len)
    g_ptr_array_set_size (self->memo, (gint) index + 1);
  self->memo->pdata[index] = value;
  return TRUE;
}

gboolean
hl_pickle_stack_memo_get (HlPickleStack *self,
                          guint64        index,
                          GError       **error)
{
  HlPickleValue *value = index < self->memo->len ? self->memo->pdata[index] : NULL;

  return value != NULL ? hl_pickle_stack_push (self, value) : hl_pickle_fail (error);
}
