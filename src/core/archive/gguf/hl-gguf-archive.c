/* SPDX-License-Identifier: MIT */
/* A GGUF file as an archive. */
#include "core/archive/gguf/hl-gguf-archive.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/archive/gguf/hl-gguf-header.h"
#include "core/base/block/hl-block-tensor.h"
#include "core/base/block/hl-microscale-tensor.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/file/hl-mapped-file.h"
#include "core/base/hl-limits.h"

struct _HlGgufArchive
{
  GObject parent_instance;

  HlMappedFile *file;
  GBytes *bytes; /* of all of it */
  HlGgufHeader *header;
};

static void hl_gguf_archive_iface_init (HlArchiveInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlGgufArchive,
                               hl_gguf_archive,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ARCHIVE, hl_gguf_archive_iface_init))

static const HlGgufEntry *
find_entry (HlArchive  *archive,
            const char *name)
{
  return g_hash_table_lookup (HL_GGUF_ARCHIVE (archive)->header->index, name);
}

static const char *
hl_gguf_archive_get_container (HlArchive *archive)
{
  return "GGUF";
}

static char **
hl_gguf_archive_list (HlArchive  *archive,
                      const char *group,
                      GError    **error)
{
  HlGgufArchive *self = HL_GGUF_ARCHIVE (archive);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  if (*group != '\0')
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no group “%s”"), group);
      return NULL;
    }
  if (self->header->entries->len > HL_LIMIT_MEMBERS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has %u members; at most %d are read"),
                   *group != '\0' ? group : "/", self->header->entries->len, HL_LIMIT_MEMBERS);
      return NULL;
    }
  for (guint i = 0; i < self->header->entries->len; i++)
    g_strv_builder_add (names, ((const HlGgufEntry *) self->header->entries->pdata[i])->name);
  return g_strv_builder_end (names);
}

static HlMemberKind
hl_gguf_archive_get_kind (HlArchive  *archive,
                          const char *name)
{
  const HlGgufEntry *entry = find_entry (archive, name);

  if (entry == NULL)
    return *name == '\0' ? HL_MEMBER_GROUP : HL_MEMBER_NONE;
  return entry->is_readable ? HL_MEMBER_TENSOR : HL_MEMBER_OTHER;
}

/* The last axis is the innermost: a matrix of a linear layer is [out, in]. */
static HlTensor *
hl_gguf_archive_open_tensor (HlArchive  *archive,
                             const char *name,
                             GError    **error)
{
  HlGgufArchive *self = HL_GGUF_ARCHIVE (archive);
  const HlGgufEntry *entry = find_entry (archive, name);

  if (entry == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “%s”"), name);
      return NULL;
    }
  if (!entry->is_readable)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("tensor “%s” is of type %u, which is not known"), name,
                   entry->type);
      return NULL;
    }
  if (entry->type == HL_GGUF_MXFP4_IN_PAIRS)
    return hl_microscale_tensor_new_for_file (&entry->shape, self->file, entry->begin, error);
  if (hl_dtype_get_block (entry->dtype) == 1)
    return hl_tensor_new_for_mapped_file (entry->dtype, &entry->shape, NULL, self->header->swapped, self->file,
                                          self->bytes, entry->begin, error);
  /* Blocks are read as little-endian wherever this runs. */
  return hl_block_tensor_new (entry->dtype, &entry->shape, self->header->swapped == (G_BYTE_ORDER == G_LITTLE_ENDIAN),
                              self->file, entry->begin, error);
}

static char **
hl_gguf_archive_read_strings (HlArchive  *archive,
                              const char *name,
                              GError    **error)
{
  if (find_entry (archive, name) != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” holds numbers, not strings"), name);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “%s”"), name);
  return NULL;
}

static GVariant *
hl_gguf_archive_get_attribute (HlArchive  *archive,
                               const char *group,
                               const char *name,
                               GError    **error)
{
  const HlGgufValue *value = hl_gguf_archive_get_value (HL_GGUF_ARCHIVE (archive), name);
  gint64 integer;
  double number;
  gsize length;

  if (*group != '\0' || value == NULL || value->is_array)
    return NULL;
  const char *string = hl_gguf_value_get_string (value, &length);
  if (string != NULL)
    {
      g_autofree char *text = g_utf8_make_valid (string, (gssize) length);
      return g_variant_new_string (text);
    }
  if (hl_gguf_value_get_integer (value, 0, &integer))
    return g_variant_new_int64 (integer);
  return hl_gguf_value_get_number (value, 0, &number) ? g_variant_new_double (number) : NULL;
}

static gboolean
hl_gguf_archive_check (HlArchive *archive,
                       GError   **error)
{
  return hl_mapped_file_check (HL_GGUF_ARCHIVE (archive)->file, error);
}

static void
hl_gguf_archive_iface_init (HlArchiveInterface *iface)
{
  iface->get_container = hl_gguf_archive_get_container;
  iface->list = hl_gguf_archive_list;
  iface->get_kind = hl_gguf_archive_get_kind;
  iface->open_tensor = hl_gguf_archive_open_tensor;
  iface->read_strings = hl_gguf_archive_read_strings;
  iface->get_attribute = hl_gguf_archive_get_attribute;
  iface->check = hl_gguf_archive_check;
}

static void
hl_gguf_archive_finalize (GObject *object)
{
  HlGgufArchive *self = HL_GGUF_ARCHIVE (object);

  g_clear_pointer (&self->header, hl_gguf_header_free);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->file, hl_mapped_file_unref);
  G_OBJECT_CLASS (hl_gguf_archive_parent_class)->finalize (object);
}

static void
hl_gguf_archive_class_init (HlGgufArchiveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_gguf_archive_finalize;
}

static void
hl_gguf_archive_init (HlGgufArchive *self)
{
}

gboolean
hl_gguf_archive_recognise (GFile        *file,
                           const guint8 *head,
                           gsize         size)
{
  return size >= 4 && memcmp (head, "GGUF", 4) == 0;
}

/* Returns whether it is a file that begins as one, however damaged. Blocks. */
gboolean
hl_gguf_archive_is_such (GFile *file)
{
  struct stat info;
  guint8 head[4];

  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  const int fd = hl_file_open_regular (file, &info, NULL);
  if (fd < 0)
    return FALSE;
  const gssize n_read = pread (fd, head, sizeof head, 0);
  close (fd);
  return n_read > 0 && hl_gguf_archive_recognise (file, head, (gsize) n_read);
}

/* Maps a file and checks its header. */
HlArchive *
hl_gguf_archive_open (GFile        *file,
                      HlProgress   *progress,
                      GCancellable *cancellable,
                      GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlGgufArchive) self = g_object_new (HL_TYPE_GGUF_ARCHIVE, NULL);
  self->file = hl_mapped_file_open (file, error);
  if (self->file == NULL)
    return NULL;
  self->bytes = hl_mapped_file_get_bytes (self->file);
  self->header = hl_gguf_header_parse ((const guint8 *) hl_mapped_file_get_data (self->file),
                                       hl_mapped_file_get_size (self->file), error);
  if (!hl_mapped_file_check (self->file, error) || self->header == NULL)
    return NULL;
  return HL_ARCHIVE (g_steal_pointer (&self));
}

/* Returns a value of the metadata, which is good as long as the archive; %NULL when there is none of that key. */
const HlGgufValue *
hl_gguf_archive_get_value (HlGgufArchive *self,
                           const char    *key)
{
  g_return_val_if_fail (HL_IS_GGUF_ARCHIVE (self), NULL);

  return g_hash_table_lookup (self->header->values, key);
}
