/* SPDX-License-Identifier: MIT */
/* A safetensors file as an archive. The file is mapped; tensors are views of the mapping, and the strings of
 * `__metadata__` are attributes of the root. A slash in a name is read as a group. */
#include "core/archive/safetensors/hl-safetensors-archive.h"

#include "core/archive/safetensors/hl-safetensors-header.h"
#include "core/base/hl-error.h"
#include "core/base/tensor/hl-float8-tensor.h"
#include "core/base/file/hl-mapped-file.h"
#include "core/base/hl-limits.h"
#include "core/base/text/hl-text-hash.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _HlSafetensorsArchive
{
  GObject parent_instance;

  HlMappedFile *file;
  GBytes *bytes; /* of all of it */
  HlSafetensorsHeader *header;
};

static void hl_safetensors_archive_iface_init (HlArchiveInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlSafetensorsArchive,
                               hl_safetensors_archive,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ARCHIVE, hl_safetensors_archive_iface_init))

static const HlSafetensorsEntry *
find_entry (HlArchive  *archive,
            const char *name)
{
  return g_hash_table_lookup (HL_SAFETENSORS_ARCHIVE (archive)->header->index, name);
}

/* What of a name follows a group's path, or NULL when it is not inside. */
static const char *
get_rest (const char *name,
          const char *group)
{
  const gsize length = strlen (group);

  if (length == 0)
    return name;
  return g_str_has_prefix (name, group) && name[length] == '/' ? name + length + 1 : NULL;
}

static const char *
hl_safetensors_archive_get_container (HlArchive *archive)
{
  return "safetensors";
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strverscmp (*(const char *const *) a, *(const char *const *) b);
}

static char **
hl_safetensors_archive_list (HlArchive  *archive,
                             const char *group,
                             GError    **error)
{
  HlSafetensorsArchive *self = HL_SAFETENSORS_ARCHIVE (archive);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < self->header->entries->len; i++)
    {
      const HlSafetensorsEntry *entry = self->header->entries->pdata[i];
      const char *rest = get_rest (entry->name, group);

      if (rest == NULL || *rest == '\0' || *rest == '/')
        continue;
      g_autofree char *member = g_strndup (rest, strcspn (rest, "/"));
      if (g_hash_table_contains (seen, member))
        continue;
      g_ptr_array_add (names, member);
      g_hash_table_add (seen, g_steal_pointer (&member));
    }
  if (names->len > HL_LIMIT_MEMBERS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has %u members; at most %d are read"),
                   *group != '\0' ? group : "/", names->len, HL_LIMIT_MEMBERS);
      return NULL;
    }
  if (names->len == 0 && *group != '\0')
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no group “%s”"), group);
      return NULL;
    }
  g_ptr_array_sort (names, compare_names);
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  for (guint i = 0; i < names->len; i++)
    g_strv_builder_add (list, names->pdata[i]);
  return g_strv_builder_end (list);
}

static HlMemberKind
hl_safetensors_archive_get_kind (HlArchive  *archive,
                                 const char *name)
{
  HlSafetensorsArchive *self = HL_SAFETENSORS_ARCHIVE (archive);
  const HlSafetensorsEntry *entry = find_entry (archive, name);

  if (entry != NULL)
    return entry->is_readable ? HL_MEMBER_TENSOR : HL_MEMBER_OTHER;
  if (*name == '\0')
    return HL_MEMBER_GROUP;
  for (guint i = 0; i < self->header->entries->len; i++)
    if (get_rest (((HlSafetensorsEntry *) self->header->entries->pdata[i])->name, name) != NULL)
      return HL_MEMBER_GROUP;
  return HL_MEMBER_NONE;
}

static HlTensor *
hl_safetensors_archive_open_tensor (HlArchive  *archive,
                                    const char *name,
                                    GError    **error)
{
  HlSafetensorsArchive *self = HL_SAFETENSORS_ARCHIVE (archive);
  const HlSafetensorsEntry *entry = find_entry (archive, name);

  if (entry == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “%s”"), name);
      return NULL;
    }
  if (!entry->is_readable)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("tensor “%s” is of type %s, which is not read"), name,
                   entry->type_name);
      return NULL;
    }
  g_autoptr (HlTensor)
    tensor = hl_tensor_new_for_mapped_file (entry->dtype, &entry->shape, NULL, G_BYTE_ORDER != G_LITTLE_ENDIAN,
                                            self->file, self->bytes, self->header->data_offset + entry->begin, error);
  return tensor != NULL && entry->is_float8 ? hl_float8_tensor_new (tensor, error) : g_steal_pointer (&tensor);
}

static char **
hl_safetensors_archive_read_strings (HlArchive  *archive,
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
hl_safetensors_archive_get_attribute (HlArchive  *archive,
                                      const char *group,
                                      const char *name,
                                      GError    **error)
{
  HlSafetensorsArchive *self = HL_SAFETENSORS_ARCHIVE (archive);
  const char *value = NULL;

  if (*group == '\0' && self->header->metadata != NULL)
    value = g_hash_table_lookup (self->header->metadata, name);
  return value != NULL ? g_variant_new_string (value) : NULL;
}

static gboolean
hl_safetensors_archive_check (HlArchive *archive,
                              GError   **error)
{
  return hl_mapped_file_check (HL_SAFETENSORS_ARCHIVE (archive)->file, error);
}

static void
hl_safetensors_archive_iface_init (HlArchiveInterface *iface)
{
  iface->get_container = hl_safetensors_archive_get_container;
  iface->list = hl_safetensors_archive_list;
  iface->get_kind = hl_safetensors_archive_get_kind;
  iface->open_tensor = hl_safetensors_archive_open_tensor;
  iface->read_strings = hl_safetensors_archive_read_strings;
  iface->get_attribute = hl_safetensors_archive_get_attribute;
  iface->check = hl_safetensors_archive_check;
}

static void
hl_safetensors_archive_finalize (GObject *object)
{
  HlSafetensorsArchive *self = HL_SAFETENSORS_ARCHIVE (object);

  g_clear_pointer (&self->header, hl_safetensors_header_free);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->file, hl_mapped_file_unref);
  G_OBJECT_CLASS (hl_safetensors_archive_parent_class)->finalize (object);
}

static void
hl_safetensors_archive_class_init (HlSafetensorsArchiveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_safetensors_archive_finalize;
}

static void
hl_safetensors_archive_init (HlSafetensorsArchive *self)
{
}

/* The format has no magic: an object of JSON follows eight bytes that are a length. They are told from text by
 * holding a byte that no text has, which the upper bytes of a length up to 2⁵⁶ always are. Returns whether it begins
 * as a safetensors file does, however wrong the length is. */
gboolean
hl_safetensors_archive_recognise (GFile        *file,
                                  const guint8 *head,
                                  gsize         size)
{
  /* Beside the brace, UTF-16 and UTF-32 would have a zero. */
  if (size < 10 || head[8] != '{' || head[9] == '\0')
    return FALSE;
  for (guint i = 0; i < 8; i++)
    if (head[i] < '\t' || head[i] == 0xff)
      return TRUE;
  return FALSE;
}

/* Maps a safetensors file and checks its header. */
HlArchive *
hl_safetensors_archive_open (GFile        *file,
                             HlProgress   *progress,
                             GCancellable *cancellable,
                             GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlSafetensorsArchive) self = g_object_new (HL_TYPE_SAFETENSORS_ARCHIVE, NULL);
  self->file = hl_mapped_file_open (file, error);
  if (self->file == NULL)
    return NULL;
  self->bytes = hl_mapped_file_get_bytes (self->file);
  self->header =
    hl_safetensors_header_parse (hl_mapped_file_get_data (self->file), hl_mapped_file_get_size (self->file), error);
  if (!hl_mapped_file_check (self->file, error) || self->header == NULL)
    return NULL;
  return HL_ARCHIVE (g_steal_pointer (&self));
}
