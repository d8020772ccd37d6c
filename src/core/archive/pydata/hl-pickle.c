/* SPDX-License-Identifier: MIT */
/* The pickle machine: Python's protocols 0 to 5 (pickletools.py describes each opcode), reduced to one that can only
 * build data. It has a stack, marks and a memo; it has no way to call anything. What calls would make is in
 * hl-pickle-global.c. */
#include "core/archive/pydata/hl-pickle.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/pydata/hl-pickle-stack.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

#define MAX_NAME 200

/* Opcodes between looks at the cancellable. */
#define LOOK_EVERY 4096

/* Reads what stands behind opcodes. Nothing is read past the end. */
typedef struct
{
  const guint8 *first; /* mapped, so it lasts only as long as the pickle is read or whoever keeps the span */
  gsize size;
  gsize at;
  HlSpan *span;
} Reader;

typedef struct
{
  HlPickleStack stack;
  Reader reader;
  HlPickleUnpack unpack;
  gpointer data;
} Machine;

static gboolean
fail_short (GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the pickle breaks off before its end"));
  return FALSE;
}

static gboolean
take_number (Reader  *self,
             guint    size,
             guint64 *number,
             GError **error)
{
  if (self->size - self->at < size)
    return fail_short (error);
  *number = 0;
  for (guint i = size; i-- > 0;)
    *number = *number << 8 | self->first[self->at + i];
  self->at += size;
  return TRUE;
}

/* The text up to the end of a line, which is taken too. */
static const char *
take_line (Reader  *self,
           gsize   *length,
           GError **error)
{
  const char *line = (const char *) self->first + self->at;
  const char *end = memchr (line, '\n', self->size - self->at);

  if (end == NULL)
    {
      fail_short (error);
      return NULL;
    }
  *length = (gsize) (end - line);
  self->at += *length + 1;
  if (*length > 0 && line[*length - 1] == '\r')
    (*length)--;
  return line;
}

/* A short line as a string of its own, for those who read numbers. */
static char *
take_short_line (Reader  *self,
                 GError **error)
{
  gsize length;
  const char *line = take_line (self, &length, error);

  if (line == NULL)
    return NULL;
  if (length > MAX_NAME)
    return hl_pickle_refuse (error);
  return g_strndup (line, length);
}

static gboolean
take_index (Reader  *self,
            guint64 *index,
            GError **error)
{
  g_autofree char *line = take_short_line (self, error);

  if (line == NULL)
    return FALSE;
  return g_ascii_string_to_unsigned (line, 10, 0, G_MAXUINT64, index, NULL) || hl_pickle_fail (error);
}

/* A name that is to be looked up, valid UTF-8. */
static char *
make_name (const HlPickleText *text,
           GError            **error)
{
  if (text->size <= MAX_NAME)
    return hl_utf8_make_valid ((const char *) text->data, text->size, NULL);
  return hl_pickle_refuse (error);
}

static char *
take_name (Reader  *self,
           GError **error)
{
  gsize length;
  const char *line = take_line (self, &length, error);
  const HlPickleText text = { .data = (const guint8 *) line, .size = length };

  return line != NULL ? make_name (&text, error) : NULL;
}

/* Text that stays where it is, with its length in @size bytes in front. */
static HlPickleValue *
take_text (Reader       *self,
           HlPickleHeap *heap,
           HlPickleKind  kind,
           guint         size,
           GError      **error)
{
  guint64 length;

  if (!take_number (self, size, &length, error))
    return NULL;
  if (length > self->size - self->at)
    {
      fail_short (error);
      return NULL;
    }
  HlPickleValue *value = hl_pickle_heap_add (heap, kind, error);
  if (value == NULL)
    return NULL;
  value->text = (HlPickleText){ self->first + self->at, length, self->span, self->at };
  self->at += length;
  return value;
}

/* Escapes as Python spells bytes (and, with @wide, characters) that a line cannot hold. */
static char *
unescape (const char *text,
          gsize       length,
          gboolean    wide,
          gsize      *size)
{
  GString *result = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++)
    {
      const char c = i + 1 < length ? text[i + 1] : '\0';
      const guint n_digits = text[i] != '\\' ? 0 : wide ? (c == 'u' ? 4 : c == 'U' ? 8 : 0) : (c == 'x' ? 2 : 0);
      gunichar code = 0;
      guint n = 0;

      while (n < n_digits && i + 2 + n < length && g_ascii_isxdigit (text[i + 2 + n]))
        code = code << 4 | (guint) g_ascii_xdigit_value (text[i + 2 + n++]);
      if (n_digits > 0 && n == n_digits)
        {
          if (!wide)
            g_string_append_c (result, (char) code);
          else
            g_string_append_unichar (result, g_unichar_validate (code) ? code : 0xfffd);
          i += 1 + n_digits;
        }
      else if (wide)
        {
          /* Other characters stand as Latin-1. */
          g_string_append_unichar (result, (guint8) text[i]);
        }
      else if (text[i] == '\\' && c != '\0' && strchr ("\\'\"nrt", c) != NULL)
        {
          g_string_append_c (result, c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c);
          i++;
        }
      else
        {
          g_string_append_c (result, text[i]);
        }
    }
  *size = result->len;
  return g_string_free (result, FALSE);
}

static HlPickleValue *
take_escaped (Reader       *self,
              HlPickleHeap *heap,
              gboolean      wide,
              GError      **error)
{
  gsize length, size;
  const char *line = take_line (self, &length, error);

  if (line == NULL)
    return NULL;
  if (!wide)
    {
      if (length < 2 || line[0] != line[length - 1] || (line[0] != '\'' && line[0] != '"'))
        return hl_pickle_refuse (error);
      line++;
      length -= 2;
    }
  char *text = unescape (line, length, wide, &size);
  return hl_pickle_heap_add_text (heap, HL_PICKLE_TEXT, text, size, error);
}

static HlPickleValue *
make_number (HlPickleHeap *heap,
             double        number,
             GError      **error)
{
  HlPickleValue *value = hl_pickle_heap_add (heap, HL_PICKLE_NUMBER, error);

  if (value != NULL)
    value->number = number;
  return value;
}

/* An integer of any length, the least significant byte first, two's complement. */
static HlPickleValue *
take_long (Reader       *self,
           HlPickleHeap *heap,
           guint         size,
           GError      **error)
{
  guint64 length;

  if (!take_number (self, size, &length, error))
    return NULL;
  if (length > self->size - self->at)
    {
      fail_short (error);
      return NULL;
    }
  const guint8 *bytes = self->first + self->at;
  self->at += length;
  const gboolean is_negative = length > 0 && bytes[length - 1] >= 0x80;
  if (length > 8)
    return make_number (heap, is_negative ? -G_MAXDOUBLE : G_MAXDOUBLE, error);
  guint64 number = is_negative ? G_MAXUINT64 : 0;
  for (gsize i = length; i-- > 0;)
    number = number << 8 | bytes[i];
  return hl_pickle_heap_add_integer (heap, (gint64) number, error);
}

static HlPickleValue *
take_integer_line (Reader       *self,
                   HlPickleHeap *heap,
                   GError      **error)
{
  g_autofree char *line = take_short_line (self, error);
  gint64 number;

  if (line == NULL)
    return NULL;
  if (g_str_has_suffix (line, "L"))
    line[strlen (line) - 1] = '\0';
  if (!g_ascii_string_to_signed (line, 10, G_MININT64, G_MAXINT64, &number, NULL))
    return hl_pickle_refuse (error);
  return hl_pickle_heap_add_integer (heap, number, error);
}

static HlPickleValue *
take_float (Reader       *self,
            HlPickleHeap *heap,
            gboolean      is_line,
            GError      **error)
{
  guint64 bits;
  double number;

  if (is_line)
    {
      g_autofree char *line = take_short_line (self, error);
      return line != NULL ? make_number (heap, g_ascii_strtod (line, NULL), error) : NULL;
    }
  if (!take_number (self, 8, &bits, error))
    return NULL;
  bits = GUINT64_SWAP_LE_BE (bits);
  memcpy (&number, &bits, sizeof number);
  return make_number (heap, number, error);
}

/* What follows an opcode with a line, a float or an integer of any length. */
static HlPickleValue *
take_value (Reader       *self,
            HlPickleHeap *heap,
            guint8        opcode,
            GError      **error)
{
  switch (opcode)
    {
    case 'I':
    case 'L':
      return take_integer_line (self, heap, error);
    case 'F':
    case 'G':
      return take_float (self, heap, opcode == 'F', error);
    case 'S':
    case 'V':
      return take_escaped (self, heap, opcode == 'V', error);
    default:
      return take_long (self, heap, opcode == 0x8a ? 1 : 4, error);
    }
}

static gboolean
push_integer (Machine *self,
              gint64   integer,
              GError **error)
{
  return hl_pickle_stack_push (&self->stack, hl_pickle_heap_add_integer (self->stack.heap, integer, error));
}

static gboolean
push_fixed (Machine *self,
            guint    size,
            gboolean is_signed,
            GError **error)
{
  guint64 number;

  return take_number (&self->reader, size, &number, error) &&
         push_integer (self, is_signed ? (gint64) (gint32) number : (gint64) number, error);
}

static gboolean
push_global (Machine    *self,
             const char *module,
             const char *name,
             GError    **error)
{
  HlPickleGlobal global;

  if (!hl_pickle_global_find (&global, module, name, error))
    return FALSE;
  HlPickleValue *value = hl_pickle_heap_add (self->stack.heap, HL_PICKLE_GLOBAL, error);
  if (value != NULL)
    value->global = global;
  return hl_pickle_stack_push (&self->stack, value);
}

static gboolean
do_global (Machine *self,
           GError **error)
{
  g_autofree char *module = take_name (&self->reader, error);
  g_autofree char *name = module != NULL ? take_name (&self->reader, error) : NULL;

  return name != NULL && push_global (self, module, name, error);
}

static gboolean
do_stack_global (Machine *self,
                 GError **error)
{
  const HlPickleValue *name = hl_pickle_stack_pop (&self->stack, error);
  const HlPickleValue *module = name != NULL ? hl_pickle_stack_pop (&self->stack, error) : NULL;

  if (module == NULL)
    return FALSE;
  if (module->kind != HL_PICKLE_TEXT || name->kind != HL_PICKLE_TEXT)
    return hl_pickle_fail (error);
  g_autofree char *module_name = make_name (&module->text, error);
  g_autofree char *global_name = module_name != NULL ? make_name (&name->text, error) : NULL;
  return global_name != NULL && push_global (self, module_name, global_name, error);
}

static gboolean
call (Machine       *self,
      HlPickleValue *function,
      HlPickleValue *arguments,
      GError       **error)
{
  return function != NULL && arguments != NULL &&
         hl_pickle_stack_push (&self->stack, hl_pickle_reduce (self->stack.heap, function, arguments, self->unpack,
                                                               self->data, error));
}

static gboolean
do_reduce (Machine *self,
           gboolean has_keywords,
           GError **error)
{
  if (has_keywords && hl_pickle_stack_pop (&self->stack, error) == NULL)
    return FALSE;
  HlPickleValue *arguments = hl_pickle_stack_pop (&self->stack, error);
  HlPickleValue *function = arguments != NULL ? hl_pickle_stack_pop (&self->stack, error) : NULL;
  return call (self, function, arguments, error);
}

/* The function is above the mark, or named in the pickle, and its arguments follow. */
static gboolean
do_object (Machine *self,
           gboolean is_named,
           GError **error)
{
  guint first;

  if (!hl_pickle_stack_pop_mark (&self->stack, &first, error) ||
      !hl_pickle_stack_push_collected (&self->stack, HL_PICKLE_LIST, is_named ? first : first + 1, error))
    return FALSE;
  HlPickleValue *arguments = hl_pickle_stack_pop (&self->stack, error);
  if (is_named && !do_global (self, error))
    return FALSE;
  HlPickleValue *function = hl_pickle_stack_pop (&self->stack, error);
  return call (self, function, arguments, error);
}

static gboolean
do_build (Machine *self,
          GError **error)
{
  HlPickleValue *state = hl_pickle_stack_pop (&self->stack, error);
  HlPickleValue *object = state != NULL ? hl_pickle_stack_peek (&self->stack, error) : NULL;

  return object != NULL && hl_pickle_build (self->stack.heap, object, state, error);
}

static gboolean
do_persistent (Machine *self,
               GError **error)
{
  HlPickleValue *id = hl_pickle_stack_pop (&self->stack, error);

  return id != NULL && hl_pickle_stack_push (&self->stack, hl_pickle_persistent (self->stack.heap, id, error));
}

static gboolean
do_memo (Machine *self,
         gboolean is_put,
         guint    size,
         GError **error)
{
  guint64 index;

  if (size > 0 ? !take_number (&self->reader, size, &index, error) : !take_index (&self->reader, &index, error))
    return FALSE;
  return is_put ? hl_pickle_stack_memo_set (&self->stack, index, error)
                : hl_pickle_stack_memo_get (&self->stack, index, error);
}

static gboolean
do_mark (Machine *self,
         GError **error)
{
  if (self->stack.marks->len >= HL_LIMIT_PICKLE_MARKS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the pickle is nested too deeply"));
      return FALSE;
    }
  g_array_append_val (self->stack.marks, self->stack.values->len);
  return TRUE;
}

static gboolean
do_pop (Machine *self,
        GError **error)
{
  guint first;

  /* Above a mark with nothing on it, the mark itself is meant. */
  if (self->stack.marks->len > 0 && self->stack.values->len == hl_pickle_stack_get_floor (&self->stack))
    return hl_pickle_stack_pop_mark (&self->stack, &first, error);
  return hl_pickle_stack_pop (&self->stack, error) != NULL;
}

static gboolean
do_pop_mark (Machine *self,
             GError **error)
{
  guint first;

  if (!hl_pickle_stack_pop_mark (&self->stack, &first, error))
    return FALSE;
  hl_pickle_stack_drop_to (&self->stack, first);
  return TRUE;
}

static gboolean
skip (Machine *self,
      guint    size,
      GError **error)
{
  guint64 ignored;

  return take_number (&self->reader, size, &ignored, error);
}

static gboolean
push_text (Machine     *self,
           HlPickleKind kind,
           guint        size,
           GError     **error)
{
  return hl_pickle_stack_push (&self->stack, take_text (&self->reader, self->stack.heap, kind, size, error));
}

static gboolean
do_number (Machine *self,
           guint8   opcode,
           GError **error)
{
  return hl_pickle_stack_push (&self->stack, take_value (&self->reader, self->stack.heap, opcode, error));
}

static gboolean
step (Machine *self,
      guint8   opcode,
      GError **error)
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
      return hl_pickle_stack_push (&self->stack, hl_pickle_stack_peek (&self->stack, error));
    case 'N':
      return hl_pickle_stack_push (&self->stack, hl_pickle_heap_add (self->stack.heap, HL_PICKLE_NONE, error));
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
      return hl_pickle_stack_push (&self->stack, hl_pickle_heap_add (self->stack.heap, HL_PICKLE_LIST, error));
    case '}':
      return hl_pickle_stack_push (&self->stack, hl_pickle_heap_add (self->stack.heap, HL_PICKLE_DICTIONARY, error));
    case 'l':
    case 't':
    case 0x91:
      return hl_pickle_stack_push_marked (&self->stack, HL_PICKLE_LIST, error);
    case 'd':
      return hl_pickle_stack_push_marked (&self->stack, HL_PICKLE_DICTIONARY, error);
    case 0x85:
    case 0x86:
    case 0x87:
      if (self->stack.values->len < opcode - 0x84u)
        return hl_pickle_fail (error);
      return hl_pickle_stack_push_collected (&self->stack, HL_PICKLE_LIST, self->stack.values->len - (opcode - 0x84u),
                                             error);
    case 'a':
      return hl_pickle_stack_extend (&self->stack, HL_PICKLE_LIST, MAX (self->stack.values->len, 1) - 1, error);
    case 's':
      return hl_pickle_stack_extend (&self->stack, HL_PICKLE_DICTIONARY, MAX (self->stack.values->len, 2) - 2, error);
    case 'e':
    case 0x90:
      return hl_pickle_stack_extend_marked (&self->stack, HL_PICKLE_LIST, error);
    case 'u':
      return hl_pickle_stack_extend_marked (&self->stack, HL_PICKLE_DICTIONARY, error);
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
      return hl_pickle_stack_memo_set (&self->stack, self->stack.memo->len, error);
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
      g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL, _ ("the pickle refers to something outside the file"));
      return FALSE;
    default:
      return hl_pickle_fail (error);
    }
}

static HlPickleValue *
run (Machine      *self,
     GCancellable *cancellable,
     GError      **error)
{
  for (guint n = 0;; n++)
    {
      guint64 opcode;

      if (n % LOOK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (!take_number (&self->reader, 1, &opcode, error))
        return NULL;
      if (opcode == '.')
        return hl_pickle_stack_pop (&self->stack, error);
      if (!step (self, (guint8) opcode, error))
        return NULL;
    }
}

/* Newer pickles begin with their protocol. The older ones have no mark: those are recognised that begin with a list,
 * tuple, dictionary or a name, and do so as Python writes it. */
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

/* Runs a pickle from @offset on, which is set to where it ended. It takes time and memory in proportion to its size at the
 * most. What it makes belongs to @heap; texts stay in the mapped file, and who has looked at them asks hl_span_check(). */
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
  Machine machine = {
    .stack = { heap, g_ptr_array_new (), g_array_new (FALSE, FALSE, sizeof (guint)), g_ptr_array_new () },
    .reader = { .first = first, .size = size, .at = MIN (*offset, size), .span = span },
    .unpack = unpack,
    .data = data,
  };
  HlPickleValue *value = run (&machine, cancellable, error);
  *offset = machine.reader.at;
  g_ptr_array_unref (machine.stack.memo);
  g_array_unref (machine.stack.marks);
  g_ptr_array_unref (machine.stack.values);
  return hl_span_check (span, error) ? value : NULL;
}
