/* SPDX-License-Identifier: MIT */
/* The pickle machine: Python's protocols 0 to 5 (pickletools.py describes each opcode), reduced to one that can only
 * build data. It has a stack, marks and a memo; it has no way to call anything. What calls would make is in
 * hl-pickle-global.c. */
#include "core/archive/pydata/hl-pickle.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/pydata/hl-pickle-private.h"
#include "core/archive/pydata/hl-pickle-stack.h"
#include "core/base/hl-error.h"

/* Marks inside marks: more than any data nests, and a bound for those who walk through it. */
#define MAX_MARKS 10000

/* Opcodes between looks at the cancellable. */
#define LOOK_EVERY 4096

static gboolean
push_integer (HlPickleMachine *self,
              gint64           integer,
              GError         **error)
{
  return hl_pickle_stack_push (self, hl_pickle_heap_add_integer (self->heap, integer, error));
}

static gboolean
push_fixed (HlPickleMachine *self,
            guint            size,
            gboolean         is_signed,
            GError         **error)
{
  guint64 number;

  return hl_pickle_reader_take_number (&self->reader, size, &number, error) &&
         push_integer (self, is_signed ? (gint64) (gint32) number : (gint64) number, error);
}

static gboolean
push_global (HlPickleMachine *self,
             const char      *module,
             const char      *name,
             GError         **error)
{
  HlPickleGlobal global;

  if (!hl_pickle_global_find (&global, module, name, error))
    return FALSE;
  HlPickleValue *value = hl_pickle_heap_add (self->heap, HL_PICKLE_GLOBAL, error);
  if (value != NULL)
    value->global = global;
  return hl_pickle_stack_push (self, value);
}

static gboolean
do_global (HlPickleMachine *self,
           GError         **error)
{
  g_autofree char *module = hl_pickle_reader_take_name (&self->reader, error);
  g_autofree char *name = module != NULL ? hl_pickle_reader_take_name (&self->reader, error) : NULL;

  return name != NULL && push_global (self, module, name, error);
}

static gboolean
do_stack_global (HlPickleMachine *self,
                 GError         **error)
{
  const HlPickleValue *name = hl_pickle_stack_pop (self, error);
  const HlPickleValue *module = name != NULL ? hl_pickle_stack_pop (self, error) : NULL;

  if (module == NULL)
    return FALSE;
  if (module->kind != HL_PICKLE_TEXT || name->kind != HL_PICKLE_TEXT)
    return hl_pickle_fail (error);
  g_autofree char *module_name = hl_pickle_make_name (&module->text, error);
  g_autofree char *global_name = module_name != NULL ? hl_pickle_make_name (&name->text, error)
                                                     : NULL;
  return global_name != NULL && push_global (self, module_name, global_name, error);
}

static gboolean
call (HlPickleMachine *self,
      HlPickleValue   *function,
      HlPickleValue   *arguments,
      GError         **error)
{
  return function != NULL && arguments != NULL &&
         hl_pickle_stack_push (self, hl_pickle_reduce (self->heap, function, arguments,
                                                       self->unpack, self->data, error));
}

static gboolean
do_reduce (HlPickleMachine *self,
           gboolean         has_keywords,
           GError         **error)
{
  if (has_keywords && hl_pickle_stack_pop (self, error) == NULL)
    return FALSE;
  HlPickleValue *arguments = hl_pickle_stack_pop (self, error);
  HlPickleValue *function = arguments != NULL ? hl_pickle_stack_pop (self, error) : NULL;
  return call (self, function, arguments, error);
}

/* The function is above the mark, or named in the pickle, and its arguments follow. */
static gboolean
do_object (HlPickleMachine *self,
           gboolean         is_named,
           GError         **error)
{
  guint first;

  if (!hl_pickle_stack_pop_mark (self, &first, error) ||
      !hl_pickle_stack_push_collected (self, HL_PICKLE_LIST, is_named ? first : first + 1, error))
    return FALSE;
  HlPickleValue *arguments = hl_pickle_stack_pop (self, error);
  if (is_named && !do_global (self, error))
    return FALSE;
  HlPickleValue *function = hl_pickle_stack_pop (self, error);
  return call (self, function, arguments, error);
}

static gboolean
do_build (HlPickleMachine *self,
          GError         **error)
{
  HlPickleValue *state = hl_pickle_stack_pop (self, error);
  HlPickleValue *object = state != NULL ? hl_pickle_stack_peek (self, error) : NULL;

  return object != NULL && hl_pickle_build (self->heap, object, state, error);
}

static gboolean
do_persistent (HlPickleMachine *self,
               GError         **error)
{
  HlPickleValue *id = hl_pickle_stack_pop (self, error);

  return id != NULL && hl_pickle_stack_push (self, hl_pickle_persistent (self->heap, id, error));
}

static gboolean
do_memo (HlPickleMachine *self,
         gboolean         is_put,
         guint            size,
         GError         **error)
{
  guint64 index;

  if (size > 0 ? !hl_pickle_reader_take_number (&self->reader, size, &index, error)
               : !hl_pickle_reader_take_index (&self->reader, &index, error))
    return FALSE;
  return is_put ? hl_pickle_stack_memo_set (self, index, error)
                : hl_pickle_stack_memo_get (self, index, error);
}

static gboolean
do_mark (HlPickleMachine *self,
         GError         **error)
{
  if (self->marks->len >= MAX_MARKS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the pickle is nested too deeply"));
      return FALSE;
    }
  g_array_append_val (self->marks, self->stack->len);
  return TRUE;
}

static gboolean
do_pop (HlPickleMachine *self,
        GError         **error)
{
  guint first;

  /* Above a mark with nothing on it, the mark itself is meant. */
  if (self->marks->len > 0 && self->stack->len == hl_pickle_stack_get_floor (self))
    return hl_pickle_stack_pop_mark (self, &first, error);
  return hl_pickle_stack_pop (self, error) != NULL;
}

static gboolean
do_pop_mark (HlPickleMachine *self,
             GError         **error)
{
  guint first;

  if (!hl_pickle_stack_pop_mark (self, &first, error))
    return FALSE;
  hl_pickle_stack_drop_to (self, first);
  return TRUE;
}

static gboolean
skip (HlPickleMachine *self,
      guint            size,
      GError         **error)
{
  guint64 ignored;

  return hl_pickle_reader_take_number (&self->reader, size, &ignored, error);
}

static gboolean
push_text (HlPickleMachine *self,
           HlPickleKind     kind,
           guint            size,
           GError         **error)
{
  return hl_pickle_stack_push (self, hl_pickle_reader_take_text (&self->reader, self->heap, kind,
                                                                 size, error));
}

static gboolean
do_number (HlPickleMachine *self,
           guint8           opcode,
           GError         **error)
{
  return hl_pickle_stack_push (self, hl_pickle_reader_take_value (&self->reader, self->heap, opcode,
                                                                  error));
}

static gboolean
step (HlPickleMachine *self,
      guint8           opcode,
      GError         **error)
{
  switch (opcode)
    {
    case 0x80: /* the protocol */
      return skip (self, 1, error);
    case 0x95: /* the length of a frame, which is of use to streams only */
      return skip (self, 8, error);
    case '(':
      return do_mark (self, error);
    case '0':
      return do_pop (self, error);
    case '1':
      return do_pop_mark (self, error);
    case '2':
      return hl_pickle_stack_push (self, hl_pickle_stack_peek (self, error));
    case 'N':
      return hl_pickle_stack_push (self, hl_pickle_heap_add (self->heap, HL_PICKLE_NONE, error));
    case 0x88:
    case 0x89:
      return push_integer (self, opcode == 0x88, error);
    case 'J':
      return push_fixed (self, 4, TRUE, error);
    case 'K':
      return push_fixed (self, 1, FALSE, error);
    case 'M':
      return push_fixed (self, 2, FALSE, error);
    case 'I':
    case 'L':
    case 'F':
    case 'G':
    case 'S':
    case 'V':
    case 0x8a:
    case 0x8b:
      return do_number (self, opcode, error);
    case 'U':
    case 0x8c:
      return push_text (self, HL_PICKLE_TEXT, 1, error);
    case 'T':
    case 'X':
      return push_text (self, HL_PICKLE_TEXT, 4, error);
    case 0x8d:
      return push_text (self, HL_PICKLE_TEXT, 8, error);
    case 'C':
      return push_text (self, HL_PICKLE_BYTES, 1, error);
    case 'B':
      return push_text (self, HL_PICKLE_BYTES, 4, error);
    case 0x8e:
    case 0x96:
      return push_text (self, HL_PICKLE_BYTES, 8, error);
    case 0x98: /* that a buffer is not to be written to */
      return TRUE;
    case ']':
    case ')':
    case 0x8f:
      return hl_pickle_stack_push (self, hl_pickle_heap_add (self->heap, HL_PICKLE_LIST, error));
    case '}':
      return hl_pickle_stack_push (self,
                                   hl_pickle_heap_add (self->heap, HL_PICKLE_DICTIONARY, error));
    case 'l':
    case 't':
    case 0x91:
      return hl_pickle_stack_push_marked (self, HL_PICKLE_LIST, error);
    case 'd':
      return hl_pickle_stack_push_marked (self, HL_PICKLE_DICTIONARY, error);
    case 0x85:
    case 0x86:
    case 0x87:
      if (self->stack->len < opcode - 0x84u)
        return hl_pickle_fail (error);
      return hl_pickle_stack_push_collected (self, HL_PICKLE_LIST,
                                             self->stack->len - (opcode - 0x84u), error);
    case 'a':
      return hl_pickle_stack_extend (self, HL_PICKLE_LIST, MAX (self->stack->len, 1) - 1, error);
    case 's':
      return hl_pickle_stack_extend (self, HL_PICKLE_DICTIONARY, MAX (self->stack->len, 2) - 2,
                                     error);
    case 'e':
    case 0x90:
      return hl_pickle_stack_extend_marked (self, HL_PICKLE_LIST, error);
    case 'u':
      return hl_pickle_stack_extend_marked (self, HL_PICKLE_DICTIONARY, error);
    case 'c':
      return do_global (self, error);
    case 0x93:
      return do_stack_global (self, error);
    case 'R':
    case 0x81:
    case 0x92:
      return do_reduce (self, opcode == 0x92, error);
    case 'i':
    case 'o':
      return do_object (self, opcode == 'i', error);
    case 'b':
      return do_build (self, error);
    case 'Q':
      return do_persistent (self, error);
    case 0x94:
      return hl_pickle_stack_memo_set (self, self->memo->len, error);
    case 'p':
    case 'q':
    case 'r':
      return do_memo (self, TRUE, opcode == 'p' ? 0 : opcode == 'q' ? 1 : 4, error);
    case 'g':
    case 'h':
    case 'j':
      return do_memo (self, FALSE, opcode == 'g' ? 0 : opcode == 'h' ? 1 : 4, error);
    case 'P':
    case 0x82:
    case 0x83:
    case 0x84:
    case 0x97:
      g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL,
                   _ ("the pickle refers to something outside the file"));
      return FALSE;
    default:
      return hl_pickle_fail (error);
    }
}

static HlPickleValue *
run (HlPickleMachine *self,
     GCancellable    *cancellable,
     GError         **error)
{
  for (guint n = 0;; n++)
    {
      guint64 opcode;

      if (n % LOOK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (!hl_pickle_reader_take_number (&self->reader, 1, &opcode, error))
        return NULL;
      if (opcode == '.')
        return hl_pickle_stack_pop (self, error);
      if (!step (self, (guint8) opcode, error))
        return NULL;
    }
}

/**
 * hl_pickle_recognise: (skip)
 * @head: the first bytes of a file
 * @size: how many
 *
 * Newer pickles begin with their protocol. The older ones have no mark: those are recognised that begin with a list,
 * tuple, dictionary or a name, and do so as Python writes it.
 *
 * Returns: whether it begins as a pickle does
 */
gboolean
hl_pickle_recognise (const guint8 *head,
                     gsize         size)
{
  if (size < 4)
    return FALSE;
  if (head[0] == 0x80)
    return head[1] >= 1 && head[1] <= 5 && head[2] != 0;
  if (head[0] == '(')
    return strchr ("ldtc(]}iIFSVUXKJM", head[1]) != NULL && head[1] != '\0';
  if (head[0] == ']' || head[0] == '}')
    return head[1] == 'q' || head[1] == '(' || head[1] == '.';
  /* A module and a name, each to the end of a line. */
  const guint8 *line = head[0] == 'c' ? memchr (head, '\n', MIN (size, 200)) : NULL;
  for (const guint8 *c = head; line != NULL && c < line; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '.')
      return FALSE;
  return line != NULL;
}

/**
 * hl_pickle_load: (skip)
 * @heap: where to put values
 * @span: bytes with a pickle in them
 * @offset: (inout): where it begins, and then where it ended
 * @unpack: (nullable): reads a file of PyTorch inside
 * @data: for @unpack
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED, %HL_ERROR_UNSUPPORTED, %HL_ERROR_EXTERNAL, %HL_ERROR_TOO_LARGE,
 *   %HL_ERROR_RANK …
 *
 * Runs a pickle. It takes time and memory in proportion to its size at the most.
 *
 * Returns: (transfer none) (nullable): what it made, which belongs to @heap
 */
HlPickleValue *
hl_pickle_load (HlPickleHeap  *heap,
                HlSpan        *span,
                guint64       *offset,
                HlPickleUnpack unpack,
                gpointer       data,
                GCancellable  *cancellable,
                GError       **error)
{
  g_autoptr (GBytes) bytes = hl_span_map (span, error);

  if (bytes == NULL)
    return NULL;
  gsize size;
  const guint8 *first = g_bytes_get_data (bytes, &size);
  g_ptr_array_add (heap->kept, g_object_ref (span));
  HlPickleMachine machine = { .heap = heap, .unpack = unpack, .data = data };
  machine.reader =
    (HlPickleReader){ .first = first, .size = size, .at = MIN (*offset, size), .span = span };
  machine.stack = g_ptr_array_new ();
  machine.marks = g_array_new (FALSE, FALSE, sizeof (guint));
  machine.memo = g_ptr_array_new ();
  HlPickleValue *value = run (&machine, cancellable, error);
  *offset = machine.reader.at;
  g_ptr_array_unref (machine.memo);
  g_array_unref (machine.marks);
  g_ptr_array_unref (machine.stack);
  return value;
}
