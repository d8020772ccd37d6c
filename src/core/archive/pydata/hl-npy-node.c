/* SPDX-License-Identifier: MIT */
/* An array of NumPy as a member of an archive: a tensor, strings, or, when it has no axes, an attribute. */
#include "core/archive/pydata/hl-npy-node.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"

/* Every string has the room of the longest; as the writer has it. */
#define MAX_TEXT_BYTES ((guint64) 1 << 30)

/* Text of one element; NumPy fills up with zeros, which do not belong to it. */
static char *
make_string (const HlNpyType *type,
             const guint8    *bytes,
             gboolean        *repaired)
{
  gsize n = type->size;

  if (type->kind == HL_NPY_BYTES)
    {
      while (n > 0 && bytes[n - 1] == 0)
        n--;
      return hl_utf8_make_valid ((const char *) bytes, n, repaired);
    }

  GString *text = g_string_new (NULL);
  const gboolean is_big = type->swapped != (G_BYTE_ORDER == G_BIG_ENDIAN);
  *repaired = FALSE;
  while (n >= 4 && (bytes[n - 4] | bytes[n - 3] | bytes[n - 2] | bytes[n - 1]) == 0)
    n -= 4;
  for (gsize i = 0; i + 4 <= n; i += 4)
    {
      const gunichar c =
        is_big ? (guint32) bytes[i] << 24 | bytes[i + 1] << 16 | bytes[i + 2] << 8 | bytes[i + 3]
               : (guint32) bytes[i + 3] << 24 | bytes[i + 2] << 16 | bytes[i + 1] << 8 | bytes[i];
      *repaired |= !g_unichar_validate (c);
      if (c == 0)
        g_string_append (text, "␀");
      else
        g_string_append_unichar (text, g_unichar_validate (c) ? c : 0xfffd);
    }
  return g_string_free (text, FALSE);
}

static HlArchiveNode *
make_list (const HlNpyType *type,
           const guint8    *bytes,
           guint64          n)
{
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_STRINGS);

  node->strings = g_new0 (char *, n + 1);
  for (guint64 i = 0; i < n; i++)
    {
      gboolean repaired;
      node->strings[i] = make_string (type, bytes + i * type->size, &repaired);
      node->n_repaired += repaired;
    }
  return node;
}

/**
 * hl_npy_node_new_for_text: (skip)
 * @header: of an array of strings
 * @bytes: its elements, dense; more may follow
 * @error: %HL_ERROR_TRUNCATED, %HL_ERROR_TOO_LARGE, %HL_ERROR_RANK, %HL_ERROR_IO
 *
 * Strings of rank 0 are an attribute, of rank 2 a group of lists, such as the tokens of a batch.
 *
 * Returns: (transfer full) (nullable): the member
 */
HlArchiveNode *
hl_npy_node_new_for_text (const HlNpyHeader *header,
                          HlSpan            *bytes,
                          GError           **error)
{
  const HlShape *shape = &header->shape;
  guint64 n_bytes, n;

  /* Strings of no width still cost a pointer each. */
  if (!hl_shape_get_n_elements (shape, &n) || n > HL_MAX_STRINGS ||
      !hl_shape_get_n_bytes (shape, MAX (header->type.size, 1), &n_bytes) ||
      n_bytes > MAX_TEXT_BYTES || (shape->rank > 1 && shape->dims[0] > HL_MAX_MEMBERS))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the array has more strings than can be read"));
      return NULL;
    }
  if (shape->rank > 2 || (shape->rank == 2 && header->is_fortran))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_RANK,
                   _ ("the array of strings has %u axes; at most 2 are read"), shape->rank);
      return NULL;
    }
  n_bytes = n * header->type.size;
  if (n_bytes > hl_span_get_size (bytes))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("the array breaks off: %" PRIu64 " of %" PRIu64 " bytes are there"),
                   hl_span_get_size (bytes), n_bytes);
      return NULL;
    }
  g_autofree guint8 *text = g_malloc (MAX (n_bytes, 1));
  if (!hl_span_read (bytes, 0, text, n_bytes, error))
    return NULL;

  if (shape->rank == 1)
    return make_list (&header->type, text, n);
  if (shape->rank == 0)
    {
      gboolean repaired;
      HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_OTHER);
      g_autofree char *string = make_string (&header->type, text, &repaired);
      node->attribute = g_variant_ref_sink (g_variant_new_string (string));
      return node;
    }
  HlArchiveNode *group = hl_archive_node_new (HL_MEMBER_GROUP);
  for (guint64 i = 0; i < shape->dims[0]; i++)
    {
      g_autofree char *name = g_strdup_printf ("%" PRIu64, i);
      hl_archive_node_add (group, name,
                           make_list (&header->type, text + i * shape->dims[1] * header->type.size,
                                      shape->dims[1]));
    }
  return group;
}

/**
 * hl_npy_node_new_for_tensor: (skip)
 * @tensor: numbers of any shape
 * @error: of reading it
 *
 * A number without axes is an attribute.
 *
 * Returns: (transfer full) (nullable): the member
 */
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
  node->attribute = g_variant_ref_sink (
    hl_dtype_is_float (dtype) ? g_variant_new_double (number)
                              : g_variant_new_int64 ((gint64) CLAMP (number, -9e18f, 9e18f)));
  return node;
}
