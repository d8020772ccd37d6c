/* SPDX-License-Identifier: MIT */
/* HlArchiveWriter: the calls that every container answers. */
#include "core/archive/hl-archive-writer.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_INTERFACE (HlArchiveWriter, hl_archive_writer, G_TYPE_OBJECT)

static void
hl_archive_writer_default_init (HlArchiveWriterInterface *iface)
{
}

/* Stores a small value, or a list. Those of a group come before what else is in it. */
gboolean
hl_archive_writer_set_attribute (HlArchiveWriter *self,
                                 const char      *group,
                                 const char      *name,
                                 GVariant        *value,
                                 GError         **error)
{
  g_autoptr (GVariant) kept = g_variant_ref_sink (value);

  g_return_val_if_fail (HL_IS_ARCHIVE_WRITER (self), FALSE);
  g_return_val_if_fail (group != NULL && name != NULL, FALSE);
  g_return_val_if_fail (g_variant_is_of_type (kept, G_VARIANT_TYPE_STRING) ||
                          g_variant_is_of_type (kept, G_VARIANT_TYPE_INT64) ||
                          g_variant_is_of_type (kept, G_VARIANT_TYPE_DOUBLE) ||
                          g_variant_is_of_type (kept, G_VARIANT_TYPE ("ax")) ||
                          g_variant_is_of_type (kept, G_VARIANT_TYPE ("ad")),
                        FALSE);

  return HL_ARCHIVE_WRITER_GET_IFACE (self)->set_attribute (self, group, name, kept, error);
}

gboolean
hl_archive_writer_add_strings (HlArchiveWriter   *self,
                               const char        *name,
                               const char *const *strings,
                               gsize              n_strings,
                               GError           **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE_WRITER (self), FALSE);
  g_return_val_if_fail (name != NULL && *name != '\0', FALSE);

  return HL_ARCHIVE_WRITER_GET_IFACE (self)->add_strings (self, name, strings, n_strings, error);
}

/* Announces a tensor. All of its numbers must follow before anything else; those of a type of whole numbers are whole, and in its range. */
gboolean
hl_archive_writer_begin_tensor (HlArchiveWriter *self,
                                const char      *name,
                                HlDType          dtype,
                                const HlShape   *shape,
                                const guint64   *chunk,
                                GError         **error)
{
  guint64 n_bytes;

  g_return_val_if_fail (HL_IS_ARCHIVE_WRITER (self), FALSE);
  g_return_val_if_fail (name != NULL && *name != '\0', FALSE);
  g_return_val_if_fail (dtype == HL_DTYPE_F16 || dtype == HL_DTYPE_BF16 || dtype == HL_DTYPE_F32 ||
                          dtype == HL_DTYPE_U8 || dtype == HL_DTYPE_I32,
                        FALSE);
  g_return_val_if_fail (shape->rank >= 1 && shape->rank <= HL_LIMIT_RANK, FALSE);
  for (guint i = 0; i < shape->rank; i++)
    g_return_val_if_fail (shape->dims[i] > 0, FALSE);

  return hl_shape_check_n_bytes (shape, sizeof (float), &n_bytes, error) &&
         HL_ARCHIVE_WRITER_GET_IFACE (self)->begin_tensor (self, name, dtype, shape, chunk, error);
}

gboolean
hl_archive_writer_write (HlArchiveWriter *self,
                         const float     *numbers,
                         gsize            n,
                         GError         **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE_WRITER (self), FALSE);

  return HL_ARCHIVE_WRITER_GET_IFACE (self)->write (self, numbers, n, error);
}

/* Completes the file and puts it at its place. The writer is of no use afterwards. */
gboolean
hl_archive_writer_close (HlArchiveWriter *self,
                         GError         **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE_WRITER (self), FALSE);

  return HL_ARCHIVE_WRITER_GET_IFACE (self)->close (self, error);
}
