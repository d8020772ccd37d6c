/* SPDX-License-Identifier: MIT */
/* A GGUF file: metadata by key, tensors by name. */
#include "core/archive/gguf/hl-gguf-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/gguf/hl-gguf-header.h"
#include "core/base/block/hl-block-tensor.h"
#include "core/base/hl-error.h"
#include "core/base/hl-mapped-file.h"

struct _HlGgufFile
{
  GObject parent_instance;

  HlMappedFile *file;
  GBytes *bytes; /* of all of it */
  HlGgufHeader *header;
};

G_DEFINE_FINAL_TYPE (HlGgufFile, hl_gguf_file, G_TYPE_OBJECT)

static void
hl_gguf_file_finalize (GObject *object)
{
  HlGgufFile *self = HL_GGUF_FILE (object);

  g_clear_pointer (&self->header, hl_gguf_header_free);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->file, hl_mapped_file_unref);
  G_OBJECT_CLASS (hl_gguf_file_parent_class)->finalize (object);
}

static void
hl_gguf_file_class_init (HlGgufFileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_gguf_file_finalize;
}

static void
hl_gguf_file_init (HlGgufFile *self)
{
}

/* Returns whether a file that begins so is one, however damaged. */
gboolean
hl_gguf_file_recognise (const guint8 *head,
                        gsize         size)
{
  return size >= 4 && memcmp (head, "GGUF", 4) == 0;
}

/* Maps a file and checks its header. */
HlGgufFile *
hl_gguf_file_open (GFile   *file,
                   GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlGgufFile) self = g_object_new (HL_TYPE_GGUF_FILE, NULL);
  self->file = hl_mapped_file_open (file, error);
  if (self->file == NULL)
    return NULL;
  self->bytes = hl_mapped_file_get_bytes (self->file);
  self->header = hl_gguf_header_parse ((const guint8 *) hl_mapped_file_get_data (self->file),
                                       hl_mapped_file_get_size (self->file), error);
  if (self->header == NULL || !hl_mapped_file_check (self->file, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Returns the version of the format, 2 or 3. */
guint32
hl_gguf_file_get_version (HlGgufFile *self)
{
  g_return_val_if_fail (HL_IS_GGUF_FILE (self), 0);

  return self->header->version;
}

/* Returns a value of the metadata, which is good as long as the file; %NULL when there is none of that key. */
const HlGgufValue *
hl_gguf_file_get_value (HlGgufFile *self,
                        const char *key)
{
  g_return_val_if_fail (HL_IS_GGUF_FILE (self), NULL);

  return g_hash_table_lookup (self->header->values, key);
}

guint
hl_gguf_file_get_n_tensors (HlGgufFile *self)
{
  g_return_val_if_fail (HL_IS_GGUF_FILE (self), 0);

  return self->header->entries->len;
}

/* Returns the name of a tensor by its place in the file. */
const char *
hl_gguf_file_get_tensor_name (HlGgufFile *self,
                              guint       index)
{
  g_return_val_if_fail (HL_IS_GGUF_FILE (self) && index < self->header->entries->len, NULL);

  return ((const HlGgufEntry *) self->header->entries->pdata[index])->name;
}

gboolean
hl_gguf_file_has_tensor (HlGgufFile *self,
                         const char *name)
{
  g_return_val_if_fail (HL_IS_GGUF_FILE (self), FALSE);

  return g_hash_table_contains (self->header->index, name);
}

/* Returns a tensor, whose last axis is the innermost: a matrix of a linear layer is [out, in]. */
HlTensor *
hl_gguf_file_open_tensor (HlGgufFile *self,
                          const char *name,
                          GError    **error)
{
  g_return_val_if_fail (HL_IS_GGUF_FILE (self), NULL);

  const HlGgufEntry *entry = g_hash_table_lookup (self->header->index, name);
  if (entry == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("tensor “%s” is missing"), name);
      return NULL;
    }
  if (!entry->is_readable)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("tensor “%s” is of type %u, which is not known"), name,
                   entry->type);
      return NULL;
    }
  if (hl_dtype_get_block (entry->dtype) == 1)
    return hl_tensor_new_for_mapped_file (entry->dtype, &entry->shape, NULL, self->header->swapped, self->file,
                                          self->bytes, entry->begin, error);
  /* Blocks are read as little-endian wherever this runs. */
  return hl_block_tensor_new (entry->dtype, &entry->shape, self->header->swapped == (G_BYTE_ORDER == G_LITTLE_ENDIAN),
                              self->file, entry->begin, error);
}

/* For those who use what hl_tensor_get_data() gives. Returns whether numbers that were looked at are those of the file. */
gboolean
hl_gguf_file_check (HlGgufFile *self,
                    GError    **error)
{
  g_return_val_if_fail (HL_IS_GGUF_FILE (self), FALSE);

  return hl_mapped_file_check (self->file, error);
}
