/* SPDX-License-Identifier: MIT */
/* The header of a file of numpy.save, versions 1 to 3 (numpy.lib.format): a magic, a length, and a dictionary as Python
 * spells it. It is read by a parser of just that and never evaluated. */
#include "core/archive/pydata/hl-npy-header.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"

#define MAGIC "\x93NUMPY"
#define MAGIC_SIZE 6

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
take_string (Reader *self)
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
      if (shape->rank == HL_MAX_RANK)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("the array has more than %d axes"),
                       HL_MAX_RANK);
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
  g_autofree char *code = take_string (self);
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
      g_autofree char *name = take_string (reader);

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

/**
 * hl_npy_header_recognise: (skip)
 * @bytes: the first bytes of a file
 * @size: how many
 *
 * Returns: whether it begins as an array of NumPy does
 */
gboolean
hl_npy_header_recognise (const guint8 *bytes,
                         gsize         size)
{
  return size >= MAGIC_SIZE && memcmp (bytes, MAGIC, MAGIC_SIZE) == 0;
}

/**
 * hl_npy_header_parse: (skip)
 * @self: (out caller-allocates): the header
 * @bytes: the first bytes of a file, %HL_NPY_MAX_HEADER or all there are
 * @size: how many
 * @error: %HL_ERROR_UNKNOWN_FORMAT, %HL_ERROR_TRUNCATED, %HL_ERROR_CORRUPT, %HL_ERROR_UNSUPPORTED, %HL_ERROR_RANK,
 *   %HL_ERROR_TOO_LARGE
 *
 * Returns: whether it is a header that can be read
 */
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
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the array breaks off in its header"));
      return FALSE;
    }
  if (bytes[MAGIC_SIZE] < 1 || bytes[MAGIC_SIZE] > 3)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("the array is of version %d of its format; 1 to 3 can be read"),
                   bytes[MAGIC_SIZE]);
      return FALSE;
    }
  gsize length = bytes[8] | (gsize) bytes[9] << 8;
  if (!is_short)
    length |= (gsize) bytes[10] << 16 | (gsize) bytes[11] << 24;
  if (length > HL_NPY_MAX_HEADER - start)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the header of the array is larger than %d bytes"), HL_NPY_MAX_HEADER);
      return FALSE;
    }
  if (length > size - start)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the array breaks off in its header"));
      return FALSE;
    }

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

/**
 * hl_npy_header_get_strides: (skip)
 * @self: a header of numbers
 * @strides: (out caller-allocates): room for %HL_MAX_RANK
 *
 * Returns: %FALSE if the sizes are too large for any file
 */
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
