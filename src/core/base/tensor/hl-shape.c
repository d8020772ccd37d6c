/* SPDX-License-Identifier: MIT */
/* Sizes of tensors, with every product checked: sizes come from untrusted files. */
#include "core/base/tensor/hl-shape.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* Returns %FALSE if the product does not fit 63 bits. */
gboolean
hl_shape_get_n_elements (const HlShape *shape,
                         guint64       *n_elements)
{
  return hl_shape_get_n_bytes (shape, 1, n_elements);
}

/* Returns %FALSE if the product does not fit 63 bits. */
gboolean
hl_shape_get_n_bytes (const HlShape *shape,
                      gsize          element_size,
                      guint64       *n_bytes)
{
  guint64 product = element_size;

  g_return_val_if_fail (shape->rank <= HL_LIMIT_RANK, FALSE);

  /* A zero anywhere makes the product zero, but the other sizes must be sane all the same. */
  for (guint i = 0; i < shape->rank; i++)
    if (shape->dims[i] > G_MAXINT64)
      return FALSE;
  for (guint i = 0; i < shape->rank; i++)
    if (!g_uint64_checked_mul (&product, product, shape->dims[i]) || product > G_MAXINT64)
      return FALSE;
  *n_bytes = product;
  return TRUE;
}

gboolean
hl_shape_check_n_bytes (const HlShape *shape,
                        gsize          element_size,
                        guint64       *n_bytes,
                        GError       **error)
{
  if (hl_shape_get_n_bytes (shape, element_size, n_bytes))
    return TRUE;
  g_autofree char *sizes = hl_shape_to_string (shape);
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("a tensor of %s elements is too large"), sizes);
  return FALSE;
}

/* The lowest byte that the elements touch and one past the highest, relative to the first element; without @strides they lie one after the
 * other. Returns %FALSE if that does not fit 63 bits. */
gboolean
hl_shape_get_extent (const HlShape *shape,
                     const gint64  *strides,
                     gsize          element_size,
                     gint64        *low,
                     gint64        *high)
{
  guint64 n_bytes;

  *low = 0;
  *high = (gint64) element_size;
  if (strides == NULL)
    {
      if (!hl_shape_get_n_bytes (shape, element_size, &n_bytes))
        return FALSE;
      *high = (gint64) n_bytes;
      return TRUE;
    }
  for (guint i = 0; i < shape->rank; i++)
    {
      gint64 span;
      if (shape->dims[i] == 0)
        {
          *low = *high = 0;
          return TRUE;
        }
      if (__builtin_mul_overflow (strides[i], (gint64) (shape->dims[i] - 1), &span) ||
          __builtin_add_overflow (span < 0 ? *low : *high, span, span < 0 ? low : high))
        return FALSE;
    }
  return TRUE;
}

/* Returns whether elements lie one after the other, the last axis fastest. */
gboolean
hl_shape_is_dense (const HlShape *shape,
                   const gint64  *strides,
                   gsize          element_size)
{
  gint64 step = (gint64) element_size;

  for (guint i = shape->rank; strides != NULL && i-- > 0;)
    {
      /* Where there is one index only, its stride leads nowhere. */
      if (shape->dims[i] > 1 && strides[i] != step)
        return FALSE;
      if (__builtin_mul_overflow (step, (gint64) MAX (shape->dims[i], 1), &step))
        return FALSE;
    }
  return TRUE;
}

/* Counts up as an odometer does: the last axis first, and one that is through begins again. Returns the axis that
 * went on, those behind which began again; −1 when all were through, and all began again. */
int
hl_shape_advance (guint64       *at,
                  const guint64 *first,
                  const guint64 *end,
                  guint          n_axes)
{
  int axis = (int) n_axes - 1;

  for (; axis >= 0; axis--)
    {
      if (++at[axis] < end[axis])
        break;
      at[axis] = first != NULL ? first[axis] : 0;
    }
  return axis;
}

/* Returns whether the region lies within the shape. */
gboolean
hl_shape_contains (const HlShape *shape,
                   const guint64 *start,
                   const guint64 *count)
{
  for (guint i = 0; i < shape->rank; i++)
    if (start[i] > shape->dims[i] || count[i] > shape->dims[i] - start[i])
      return FALSE;
  return TRUE;
}

/* Returns the sizes as people write them, `6 × 12 × 512 × 512`. */
char *
hl_shape_to_string (const HlShape *shape)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < shape->rank; i++)
    g_string_append_printf (text, "%s%" PRIu64, i > 0 ? " × " : "", shape->dims[i]);
  return g_string_free (text, FALSE);
}
