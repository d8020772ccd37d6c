/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/base/tensor/hl-dtype.h"
#include "core/base/tensor/hl-shape.h"

G_BEGIN_DECLS

#define HL_TYPE_ARCHIVE_WRITER (hl_archive_writer_get_type ())
G_DECLARE_INTERFACE (HlArchiveWriter, hl_archive_writer, HL, ARCHIVE_WRITER, GObject)

/**
 * HlArchiveWriterInterface:
 * @set_attribute: stores a value of type `s`, `x` or `d`, or a list `ax` or `ad`, on a group (empty: the root)
 * @add_strings: stores a list of strings
 * @begin_tensor: announces a tensor of floating-point numbers, uint8 or int32, whose numbers follow by @write; @chunk (same rank) is a hint of what is read
 *   together
 * @write: the next @n numbers of the announced tensor, last axis fastest
 * @close: completes the file and puts it at its place; until then nothing is there
 *
 * Writes named tensors, strings and attributes into a container. The order is the caller's; attributes of a group come
 * before its members, so that streamed containers can be written in one pass. An object that is dropped without a
 * successful @close leaves nothing behind and an existing file as it was.
 */
struct _HlArchiveWriterInterface
{
  GTypeInterface parent_interface;

  gboolean (*set_attribute) (HlArchiveWriter      *self,
                             const char           *group,
                             const char           *name,
                             GVariant             *value,
                             GError              **error);
  gboolean (*add_strings)   (HlArchiveWriter      *self,
                             const char           *name,
                             const char *const    *strings,
                             gsize                 n_strings,
                             GError              **error);
  gboolean (*begin_tensor)  (HlArchiveWriter      *self,
                             const char           *name,
                             HlDType               dtype,
                             const HlShape        *shape,
                             const guint64        *chunk,
                             GError              **error);
  gboolean (*write)         (HlArchiveWriter      *self,
                             const float          *numbers,
                             gsize                 n,
                             GError              **error);
  gboolean (*close)         (HlArchiveWriter      *self,
                             GError              **error);
};

gboolean         hl_archive_writer_set_attribute (HlArchiveWriter   *self,
                                                  const char        *group,
                                                  const char        *name,
                                                  GVariant          *value,
                                                  GError           **error);
gboolean         hl_archive_writer_add_strings   (HlArchiveWriter   *self,
                                                  const char        *name,
                                                  const char *const *strings,
                                                  gsize              n_strings,
                                                  GError           **error);
gboolean         hl_archive_writer_begin_tensor  (HlArchiveWriter   *self,
                                                  const char        *name,
                                                  HlDType            dtype,
                                                  const HlShape     *shape,
                                                  const guint64     *chunk,
                                                  GError           **error);
gboolean         hl_archive_writer_write         (HlArchiveWriter   *self,
                                                  const float       *numbers,
                                                  gsize              n,
                                                  GError           **error);
gboolean         hl_archive_writer_close         (HlArchiveWriter   *self,
                                                  GError           **error);

G_END_DECLS
