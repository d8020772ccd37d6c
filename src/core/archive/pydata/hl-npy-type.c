/* SPDX-License-Identifier: MIT */
/* Types of NumPy as it spells them: byte order, kind, size. */
#include "core/archive/pydata/hl-npy-type.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"

/* More would not be a token but a mistake; it also keeps sizes from overflowing. */
#define MAX_TEXT (1 << 24)

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

/**
 * hl_npy_type_parse: (skip)
 * @self: (out caller-allocates): the type
 * @code: such as `<f4`
 * @error: %HL_ERROR_UNSUPPORTED
 *
 * Returns: whether it is a type that can be read
 */
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
      g_ascii_string_to_unsigned (name + 1, 10, 0, MAX_TEXT, &n, NULL))
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
