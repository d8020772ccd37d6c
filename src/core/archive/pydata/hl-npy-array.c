/* SPDX-License-Identifier: MIT */
/* An array of NumPy: its type as NumPy spells it, the header that numpy.save puts before it (numpy.lib.format, versions 1
 * to 3: a magic, a length, and a dictionary as Python spells it, which is read by a parser of just that and never
 * evaluated), and what it is as a member of an archive: a tensor, strings, or, when it has no axes, an attribute. */
#include "core/archive/pydata/hl-npy-array.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

#define MAGIC "\x93NUMPY"
#define MAGIC_SIZE 6

static const struct
{
  const char *code;
  HlDType dtype;
} numbers[] = {
  { "f2", HL_DTYPE_F16 },
  { "f4", HL_DTYPE_F32 },
  { "f8", HL_DTYPE_F64 },
  { "i1", HL_DTYPE_I8 },
  { "i2", HL_DTYPE_I16 },
  { "i4", HL_DTYPE_I32 },
  { "i8", HL_DTYPE_I64 },
  { "u1", HL_DTYPE_U8 },
  { "u2", HL_DTYPE_U16 },
  { "u4", HL_DTYPE_U32 },
  { "u8", HL_DTYPE_U64 },
  { "b1", HL_DTYPE_BOOL },
  { "?", HL_DTYPE_BOOL },
  /* NumPy has no bfloat16. Those who add it (ml_dtypes) have it saved as two bytes of no type. */
  { "V2", HL_DTYPE_BF16 },
  { "bfloat16", HL_DTYPE_BF16 },
};

gboolean
hl_npy_type_parse (HlNpyType  *self,
                   const char *code,
                   GError    **error)
{
  const char *name = code;
  gboolean is_big = G_BYTE_ORDER == G_BIG_ENDIAN;
  guint64 n;

  *self = (HlNpyType){ 0 };
  if (*name == '<' || *name == '>')
    is_big = *name == '>';
  if (*name != '\0' && strchr ("<>|=", *name) != NULL)
    name++;
  self->swapped = is_big != (G_BYTE_ORDER == G_BIG_ENDIAN);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (g_str_equal (name, numbers[i].code))
      {
        self->kind = HL_NPY_NUMBERS;
        self->dtype = numbers[i].dtype;
        self->size = hl_dtype_get_size (self->dtype);
        return TRUE;
      }
  if (*name == 'O')
    {
      self->kind = HL_NPY_OBJECTS;
      return TRUE;
    }
  if ((*name == 'U' || *name == 'S' || *name == 'a') &&
      g_ascii_string_to_unsigned (name + 1, 10, 0, HL_LIMIT_NPY_STRING, &n, NULL))
    {
      self->kind = *name == 'U' ? HL_NPY_UNICODE : HL_NPY_BYTES;
      self->size = (gsize) n * (*name == 'U' ? 4 : 1);
      return TRUE;
    }
  g_autofree char *valid = hl_utf8_make_valid (code, strlen (code), NULL);
  g_autofree char *start = hl_utf8_shorten (valid, 40);
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("an array of type “%s” is not read"), start);
  return FALSE;
}

typedef struct
{
  const char *at;
  const char *end;
} Reader;

static void
skip_spaces (Reader *self)
{
  while (self->at < self->end && g_ascii_isspace (*self->at))
    self->at++;
}

static gboolean
take (Reader *self,
      char    c)
{
  skip_spaces (self);
  if (self->at == self->end || *self->at != c)
    return FALSE;
  self->at++;
  return TRUE;
}

static gboolean
take_word (Reader     *self,
           const char *word)
{
  const gsize length = strlen (word);

  skip_spaces (self);
  if ((gsize) (self->end - self->at) < length || memcmp (self->at, word, length) != 0)
    return FALSE;
  self->at += length;
  return TRUE;
}

/* A string in quotes of either kind; one that needs escapes names no type. */
static char *
take_quoted (Reader *self)
{
  skip_spaces (self);
  if (self->at == self->end || (*self->at != '\'' && *self->at != '"'))
    return NULL;
  const char quote = *self->at;
  const char *close = memchr (self->at + 1, quote, (gsize) (self->end - self->at - 1));
  if (close == NULL || !g_utf8_validate (self->at + 1, close - self->at - 1, NULL))
    return NULL;
  char *text = g_strndup (self->at + 1, (gsize) (close - self->at - 1));
  self->at = close + 1;
  return text;
}

static gboolean
take_number (Reader  *self,
             guint64 *number)
{
  skip_spaces (self);
  const char *first = self->at;
  *number = 0;
  for (; self->at < self->end && g_ascii_isdigit (*self->at); self->at++)
    if (!g_uint64_checked_mul (number, *number, 10) ||
        !g_uint64_checked_add (number, *number, (guint64) (*self->at - '0')))
      return FALSE;
  const gboolean found = self->at > first;
  take (self, 'L'); /* as Python 2 had it */
  return found;
}

static gboolean
take_shape (Reader  *self,
            HlShape *shape,
            GError **error)
{
  if (!take (self, '('))
    return FALSE;
  while (!take (self, ')'))
    {
      guint64 size;

      if (!take_number (self, &size))
        return FALSE;
      if (shape->rank == HL_LIMIT_RANK)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("the array has more than %d axes"), HL_LIMIT_RANK);
          return FALSE;
        }
      shape->dims[shape->rank++] = size;
      if (!take (self, ','))
        return take (self, ')');
    }
  return TRUE;
}

static gboolean
take_type (Reader    *self,
           HlNpyType *type,
           GError   **error)
{
  skip_spaces (self);
  if (self->at < self->end && *self->at == '[')
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("the array has fields of several types; an array of numbers is needed"));
      return FALSE;
    }
  g_autofree char *code = take_quoted (self);
  return code != NULL && hl_npy_type_parse (type, code, error);
}

static gboolean
parse_dictionary (HlNpyHeader *self,
                  Reader      *reader,
                  GError     **error)
{
  gboolean has_type = FALSE, has_order = FALSE, has_shape = FALSE;

  if (!take (reader, '{'))
    return FALSE;
  while (!take (reader, '}'))
    {
      g_autofree char *name = take_quoted (reader);

      if (name == NULL || !take (reader, ':'))
        return FALSE;
      if (g_str_equal (name, "descr") && !has_type)
        {
          has_type = take_type (reader, &self->type, error);
          if (!has_type)
            return FALSE;
        }
      else if (g_str_equal (name, "fortran_order") && !has_order)
        {
          has_order = TRUE;
          self->is_fortran = take_word (reader, "True");
          if (!self->is_fortran && !take_word (reader, "False"))
            return FALSE;
        }
      else if (g_str_equal (name, "shape") && !has_shape)
        {
          has_shape = take_shape (reader, &self->shape, error);
          if (!has_shape)
            return FALSE;
        }
      else
        return FALSE;
      if (take (reader, ','))
        continue;
      if (!take (reader, '}'))
        return FALSE;
      break;
    }
  skip_spaces (reader);
  return has_type && has_order && has_shape && reader->at == reader->end;
}

static gboolean
fail_short (GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the array breaks off in its header"));
  return FALSE;
}

gboolean
hl_npy_header_recognise (const guint8 *bytes,
                         gsize         size)
{
  return size >= MAGIC_SIZE && memcmp (bytes, MAGIC, MAGIC_SIZE) == 0;
}

/* The first bytes of a file are needed, HL_LIMIT_NPY_HEADER or all there are. */
gboolean
hl_npy_header_parse (HlNpyHeader  *self,
                     const guint8 *bytes,
                     gsize         size,
                     GError      **error)
{
  g_autoptr (GError) local_error = NULL;

  *self = (HlNpyHeader){ 0 };
  if (!hl_npy_header_recognise (bytes, size))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT, _ ("this is not an array of NumPy"));
      return FALSE;
    }
  const gboolean is_short = size > MAGIC_SIZE && bytes[MAGIC_SIZE] == 1;
  const gsize start = MAGIC_SIZE + 2 + (is_short ? 2 : 4);
  if (size < start)
    return fail_short (error);
  if (bytes[MAGIC_SIZE] < 1 || bytes[MAGIC_SIZE] > 3)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("the array is of version %d of its format; 1 to 3 can be read"), bytes[MAGIC_SIZE]);
      return FALSE;
    }
  gsize length = bytes[8] | (gsize) bytes[9] << 8;
  if (!is_short)
    length |= (gsize) bytes[10] << 16 | (gsize) bytes[11] << 24;
  if (length > HL_LIMIT_NPY_HEADER - start)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the header of the array is larger than %d bytes"),
                   HL_LIMIT_NPY_HEADER);
      return FALSE;
    }
  if (length > size - start)
    return fail_short (error);

  self->offset = start + length;
  Reader reader = { (const char *) bytes + start, (const char *) bytes + start + length };
  if (parse_dictionary (self, &reader, &local_error))
    return TRUE;
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the header of the array is damaged"));
  return FALSE;
}

/* Of numbers; FALSE if the sizes are too large for any file. */
gboolean
hl_npy_header_get_strides (const HlNpyHeader *self,
                           gint64            *strides)
{
  const guint rank = self->shape.rank;
  guint64 n_bytes;
  gint64 step = (gint64) self->type.size;

  if (!hl_shape_get_n_bytes (&self->shape, self->type.size, &n_bytes) || n_bytes > G_MAXINT64)
    return FALSE;
  for (guint i = 0; i < rank; i++)
    {
      const guint axis = self->is_fortran ? i : rank - 1 - i;
      strides[axis] = step;
      if (__builtin_mul_overflow (step, (gint64) MAX (self->shape.dims[axis], 1), &step))
        return FALSE;
    }
  return TRUE;
}

/* As much is in memory of what the file holds: NumPy gives each string the room of the longest. */
#define PIECE ((gsize) 64 << 10)

/* Lists of the greatest length in one array: only one at a time is looked at. */
#define N_ROWS 4

/* The strings of an array, read one after the other. */
typedef struct
{
  const HlNpyType *type;
  HlSpan *bytes;
  guint64 size;
  guint64 at;
  guint64 end;  /* of what is in @piece, from the beginning of @bytes */
  gsize n_text; /* that may still come */
  GString *text;
  guint8 piece[PIECE];
} TextReader;

/* The next bytes, PIECE at the most. */
static const guint8 *
take_piece (TextReader *self,
            gsize       n,
            GError    **error)
{
  if (n > self->end - self->at)
    {
      const gsize n_read = (gsize) MIN (PIECE, self->size - self->at);
      if (!hl_span_read (self->bytes, self->at, self->piece, n_read, error))
        return NULL;
      self->end = self->at + n_read;
      memmove (self->piece + PIECE - n_read, self->piece, n_read);
    }
  const guint8 *piece = self->piece + PIECE - (self->end - self->at);
  self->at += n;
  return piece;
}

static gboolean
spend (TextReader *self,
       guint64     size,
       GError    **error)
{
  if (size <= self->n_text)
    {
      self->n_text -= size;
      return TRUE;
    }
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("a list of strings has more than %d MiB of text"),
               (int) (HL_LIMIT_STRINGS_TEXT >> 20));
  return FALSE;
}

/* Code points, after so many zeros. */
static gboolean
take_characters (TextReader   *self,
                 const guint8 *piece,
                 gsize         n,
                 guint64      *n_zeros,
                 gboolean     *repaired,
                 GError      **error)
{
  const gboolean is_big = self->type->swapped != (G_BYTE_ORDER == G_BIG_ENDIAN);

  for (const guint8 *bytes = piece; bytes < piece + n; bytes += 4)
    {
      const gunichar c = is_big ? (guint32) bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3]
                                : (guint32) bytes[3] << 24 | bytes[2] << 16 | bytes[1] << 8 | bytes[0];
      const gboolean is_valid = g_unichar_validate (c);
      char utf8[6];

      if (c == 0)
        {
          (*n_zeros)++;
          continue;
        }
      const gsize length = (gsize) g_unichar_to_utf8 (is_valid ? c : 0xfffd, utf8);
      if (!spend (self, *n_zeros * strlen ("␀") + length, error))
        return FALSE;
      for (; *n_zeros > 0; (*n_zeros)--)
        g_string_append (self->text, "␀");
      g_string_append_len (self->text, utf8, (gssize) length);
      *repaired |= !is_valid;
    }
  return TRUE;
}

static gboolean
take_bytes (TextReader   *self,
            const guint8 *piece,
            gsize         n,
            guint64      *n_zeros,
            GError      **error)
{
  gsize end = n;

  while (end > 0 && piece[end - 1] == 0)
    end--;
  if (end > 0)
    {
      if (!spend (self, *n_zeros + end, error))
        return FALSE;
      for (; *n_zeros > 0; (*n_zeros)--)
        g_string_append_c (self->text, '\0');
      g_string_append_len (self->text, (const char *) piece, (gssize) end);
    }
  *n_zeros += n - end;
  return TRUE;
}

/* Text of one element; NumPy fills up with zeros, which do not belong to it. */
static char *
take_string (TextReader *self,
             gboolean   *repaired,
             GError    **error)
{
  guint64 n_zeros = 0;

  g_string_truncate (self->text, 0);
  *repaired = FALSE;
  for (gsize done = 0; done < self->type->size;)
    {
      const gsize n = MIN (PIECE, self->type->size - done);

      const guint8 *piece = take_piece (self, n, error);
      if (piece == NULL ||
          !(self->type->kind == HL_NPY_BYTES ? take_bytes (self, piece, n, &n_zeros, error)
                                             : take_characters (self, piece, n, &n_zeros, repaired, error)))
        return NULL;
      done += n;
    }
  return self->type->kind == HL_NPY_BYTES ? hl_utf8_make_valid (self->text->str, self->text->len, repaired)
                                          : g_strndup (self->text->str, self->text->len);
}

static HlArchiveNode *
make_list (TextReader *reader,
           guint64     n,
           GError    **error)
{
  g_autoptr (HlArchiveNode) node = hl_archive_node_new (HL_MEMBER_STRINGS);

  node->strings = g_new0 (char *, n + 1);
  for (guint64 i = 0; i < n; i++)
    {
      gboolean repaired;
      node->strings[i] = take_string (reader, &repaired, error);
      if (node->strings[i] == NULL)
        return NULL;
      node->n_repaired += repaired;
    }
  return g_steal_pointer (&node);
}

static HlArchiveNode *
make_text (TextReader    *reader,
           const HlShape *shape,
           GError       **error)
{
  if (shape->rank == 1)
    return make_list (reader, shape->dims[0], error);
  if (shape->rank == 0)
    {
      gboolean repaired;
      g_autofree char *string = take_string (reader, &repaired, error);
      if (string == NULL)
        return NULL;
      HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_OTHER);
      node->attribute = g_variant_ref_sink (g_variant_new_string (string));
      return node;
    }
  g_autoptr (HlArchiveNode) group = hl_archive_node_new (HL_MEMBER_GROUP);
  for (guint64 i = 0; i < shape->dims[0]; i++)
    {
      g_autofree char *name = g_strdup_printf ("%" PRIu64, i);
      HlArchiveNode *list = make_list (reader, shape->dims[1], error);
      if (list == NULL)
        return NULL;
      hl_archive_node_add (group, name, list);
    }
  return g_steal_pointer (&group);
}

/* Strings of rank 0 are an attribute, of rank 2 a group of lists, such as the tokens of a batch. */
HlArchiveNode *
hl_npy_node_new_for_text (const HlNpyHeader *header,
                          HlSpan            *bytes,
                          GError           **error)
{
  const HlShape *shape = &header->shape;
  guint64 n_bytes, n;

  /* Strings of no width still cost a pointer each. */
  if (!hl_shape_get_n_elements (shape, &n) || n > (shape->rank > 1 ? N_ROWS : 1) * HL_LIMIT_STRINGS ||
      !hl_shape_get_n_bytes (shape, MAX (header->type.size, 1), &n_bytes) || n_bytes > HL_LIMIT_NPY_STRINGS ||
      (shape->rank > 1 && shape->dims[0] > HL_LIMIT_MEMBERS))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the array has more strings than can be read"));
      return NULL;
    }
  if (shape->rank > 2 || (shape->rank == 2 && header->is_fortran))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("the array of strings has %u axes; at most 2 are read"),
                   shape->rank);
      return NULL;
    }
  n_bytes = n * header->type.size;
  if (n_bytes > hl_span_get_size (bytes))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("the array breaks off: %" PRIu64 " of %" PRIu64 " bytes are there"), hl_span_get_size (bytes),
                   n_bytes);
      return NULL;
    }
  g_autofree TextReader *reader = g_new (TextReader, 1);
  g_autoptr (GString) text = g_string_new (NULL);
  reader->type = &header->type;
  reader->bytes = bytes;
  reader->size = n_bytes;
  reader->at = reader->end = 0;
  reader->n_text = HL_LIMIT_STRINGS_TEXT;
  reader->text = text;
  return make_text (reader, shape, error);
}

/* A number without axes is an attribute. */
HlArchiveNode *
hl_npy_node_new_for_tensor (HlTensor *tensor,
                            GError  **error)
{
  const HlDType dtype = hl_tensor_get_dtype (tensor);
  HlArchiveNode *node;
  float number;

  if (hl_tensor_get_shape (tensor)->rank > 0)
    {
      node = hl_archive_node_new (HL_MEMBER_TENSOR);
      node->tensor = g_object_ref (tensor);
      return node;
    }
  if (!hl_tensor_read_f32 (tensor, NULL, NULL, &number, NULL, error))
    return NULL;
  node = hl_archive_node_new (HL_MEMBER_OTHER);
  node->attribute = g_variant_ref_sink (hl_dtype_is_float (dtype)
                                          ? g_variant_new_double (number)
                                          : g_variant_new_int64 ((gint64) CLAMP (number, -9e18f, 9e18f)));
  return node;
}
