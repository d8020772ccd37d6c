/* SPDX-License-Identifier: MIT */
/* What members of a zip file are once they are unpacked: a little of it in memory, the rest in one file without a name, where each member
 * has its place. A small file may unpack to gigabytes, of which most are never looked at. */
#include "core/archive/pydata/hl-zip-store.h"

#include "core/archive/pydata/hl-inflate.h"
#include "core/base/file/hl-scratch-file.h"
#include "core/base/hl-error.h"

/* All members of one zip file together, as long as there is room for the next. */
#define IN_MEMORY ((guint64) 4 << 20)

/* Zeros are left out of the file page by page. */
#define ALIGNMENT 4096

struct _HlZipStore
{
  GObject parent_instance;

  HlSpan *zip;
  guint64 size; /* of the file, whether it is there or not */
  GMutex lock;  /* guards what follows */
  guint64 n_in_memory;
  HlSpan *file;
  int fd; /* of @file, which closes it */
};

G_DEFINE_FINAL_TYPE (HlZipStore, hl_zip_store, G_TYPE_OBJECT)

static void
hl_zip_store_finalize (GObject *object)
{
  HlZipStore *self = HL_ZIP_STORE (object);

  g_clear_object (&self->zip);
  g_clear_object (&self->file);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_zip_store_parent_class)->finalize (object);
}

static void
hl_zip_store_class_init (HlZipStoreClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_zip_store_finalize;
}

static void
hl_zip_store_init (HlZipStore *self)
{
  g_mutex_init (&self->lock);
}

/* Tensors of its spans are mapped if those of @zip are. */
HlZipStore *
hl_zip_store_new (HlSpan *zip)
{
  g_return_val_if_fail (HL_IS_SPAN (zip), NULL);

  HlZipStore *self = g_object_new (HL_TYPE_ZIP_STORE, NULL);
  self->zip = g_object_ref (zip);
  return self;
}

/* Returns the place of a member, before anything is unpacked; the sizes of all have been checked. */
guint64
hl_zip_store_reserve (HlZipStore *self,
                      guint64     size)
{
  g_return_val_if_fail (HL_IS_ZIP_STORE (self), 0);

  const guint64 place = self->size;
  self->size += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return place;
}

static gboolean
take_memory (HlZipStore *self,
             guint64     size)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (size > IN_MEMORY - self->n_in_memory)
    return FALSE;
  self->n_in_memory += size;
  return TRUE;
}

static HlSpan *
require_file (HlZipStore *self,
              GError    **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->file != NULL)
    return self->file;
  const int fd = hl_scratch_file_open (self->size, error);
  if (fd < 0)
    return NULL;
  self->fd = fd;
  self->file = hl_span_new_for_scratch (fd, self->zip, error);
  return self->file;
}

/* Returns the file of what was unpacked by now; %NULL without any. */
HlSpan *
hl_zip_store_get_file (HlZipStore *self)
{
  g_return_val_if_fail (HL_IS_ZIP_STORE (self), NULL);

  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  return self->file;
}

/* All of a member, held against its checksum. A member that is unpacked twice is written to its place once more, which is the same. */
HlSpan *
hl_zip_store_unpack (HlZipStore   *self,
                     HlSpan       *packed,
                     guint64       place,
                     guint64       size,
                     guint32       crc,
                     GCancellable *cancellable,
                     GError      **error)
{
  g_return_val_if_fail (HL_IS_ZIP_STORE (self), NULL);
  g_return_val_if_fail (place + size <= self->size, NULL);

  if (take_memory (self, size))
    {
      g_autoptr (GBytes) bytes = hl_inflate (packed, size, size, crc, cancellable, error);
      return bytes != NULL ? hl_span_new_for_bytes (bytes) : NULL;
    }
  HlSpan *file = require_file (self, error);
  return file != NULL && hl_inflate_to_file (packed, size, crc, self->fd, place, cancellable, error)
           ? hl_span_slice (file, place, size)
           : NULL;
}
