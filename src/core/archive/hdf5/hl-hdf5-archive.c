/* SPDX-License-Identifier: MIT */
/* HDF5 files as an archive. Datasets are tensors or strings, groups are groups; a single value can be an attribute or,
 * as many people write it, a dataset without axes. The library would follow links of every kind by itself, out of the
 * file too; so names are walked here, one link at a time, each looked at before it is opened. */
#include "core/archive/hdf5/hl-hdf5-archive.h"

#include "core/base/file/hl-file-read.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/archive/hdf5/hl-hdf5.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where a soft link leads, as names from the root, or NULL. */
static char *
read_soft_link (hid_t             group,
                const char       *link,
                const H5L_info_t *info,
                const char       *name,
                GError          **error)
{
  if (info->u.val_size == 0 || info->u.val_size > HL_LIMIT_HDF5_TARGET)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” is a link to a name of %zu bytes"), name,
                   (gsize) info->u.val_size);
      return NULL;
    }
  g_autofree char *target = g_malloc0 (info->u.val_size + 1);
  if (H5Lget_val (group, link, target, info->u.val_size, H5P_DEFAULT) < 0)
    {
      hl_hdf5_set_error (error, _ ("the link “%s” cannot be read"), name);
      return NULL;
    }
  return g_steal_pointer (&target);
}

/* The names still to walk, the next one last. */
static void
push_names (GPtrArray  *names,
            const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  for (guint i = g_strv_length (parts); i-- > 0;)
    if (*parts[i] != '\0' && strcmp (parts[i], ".") != 0)
      g_ptr_array_add (names, g_strdup (parts[i]));
}

static void
set_missing (GError    **error,
             const char *name,
             gboolean    through_link)
{
  if (through_link)
    g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” is a link to something that is not there"), name);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “%s”"), name);
}

/* What a hard link stands for. */
static hid_t
open_object (hid_t       group,
             const char *link,
             const char *name,
             GError    **error)
{
  if (!hl_hdf5_check_type (group, link, name, error))
    return H5I_INVALID_HID;
  const hid_t object = H5Oopen (group, link, H5P_DEFAULT);

  if (object < 0)
    hl_hdf5_set_error (error, _ ("“%s” cannot be opened"), name);
  return object;
}

/* Whether a group has a link; older programs wrote names in other encodings than UTF-8, whose bytes are listed as hl_utf8_make_valid() spells
 * them. */
static htri_t
find_link (hid_t  group,
           char **link)
{
  const htri_t exists = H5Lexists (group, *link, H5P_DEFAULT);
  g_autofree char *bytes = hl_utf8_get_bytes (*link);

  if (exists != 0 || g_str_equal (bytes, *link))
    return exists;
  g_free (*link);
  *link = g_steal_pointer (&bytes);
  return H5Lexists (group, *link, H5P_DEFAULT);
}

/* Opens what a name stands for. Soft links are followed within the file, as far as sixty-four steps. */
static hid_t
walk (hid_t       start,
      const char *path,
      const char *name,
      GError    **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean through_link = FALSE;

  hid_t at = H5Gopen2 (start, ".", H5P_DEFAULT);
  if (at < 0)
    {
      hl_hdf5_set_error (error, _ ("“%s” cannot be reached"), name);
      return H5I_INVALID_HID;
    }

  push_names (names, path);
  for (guint steps = 0; names->len > 0; steps++)
    {
      g_auto (HlHdf5Id) group = at;
      g_autofree char *link = g_ptr_array_steal_index (names, names->len - 1);
      H5L_info_t info;

      at = H5I_INVALID_HID;
      if (steps == HL_LIMIT_HDF5_STEPS)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                       _ ("“%s” leads through more than %d links, perhaps in a circle"), name, HL_LIMIT_HDF5_STEPS);
          return H5I_INVALID_HID;
        }
      if (H5Iget_type (group) != H5I_GROUP)
        {
          set_missing (error, name, through_link);
          return H5I_INVALID_HID;
        }
      const htri_t exists = find_link (group, &link);
      if (exists == 0)
        {
          set_missing (error, name, through_link);
          return H5I_INVALID_HID;
        }
      if (exists < 0 || H5Lget_info (group, link, &info, H5P_DEFAULT) < 0)
        {
          hl_hdf5_set_error (error, _ ("“%s” cannot be found"), name);
          return H5I_INVALID_HID;
        }

      switch (info.type)
        {
        case H5L_TYPE_HARD:
          at = open_object (group, link, name, error);
          if (at < 0)
            return H5I_INVALID_HID;
          break;
        case H5L_TYPE_SOFT:
          {
            g_autofree char *target = read_soft_link (group, link, &info, name, error);
            if (target == NULL)
              return H5I_INVALID_HID;
            through_link = TRUE;
            push_names (names, target);
            at = H5Gopen2 (group, *target == '/' ? "/" : ".", H5P_DEFAULT);
            if (at < 0)
              {
                hl_hdf5_set_error (error, _ ("“%s” cannot be opened"), name);
                return H5I_INVALID_HID;
              }
            break;
          }
        case H5L_TYPE_EXTERNAL:
          g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL,
                       _ ("“%s” is an external link into another file, which is not opened"), name);
          return H5I_INVALID_HID;
        default:
          g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("“%s” is a link of an unknown kind"), name);
          return H5I_INVALID_HID;
        }
    }
  return at;
}

struct _HlHdf5Archive
{
  GObject parent_instance;

  guint life; /* of the library, in which the numbers are what they were */
  hid_t file;
  HlHdf5Handle *handle; /* keeps open what tensors in one piece are read from */
  char *last_group;     /* where the last name was looked up, guarded by the lock */
  hid_t last_group_id;
};

static void hl_hdf5_archive_iface_init (HlArchiveInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlHdf5Archive,
                               hl_hdf5_archive,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ARCHIVE, hl_hdf5_archive_iface_init))

static const guint8 signature[] = { 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n' };

static gboolean
has_signature_at (int   fd,
                  off_t offset)
{
  guint8 bytes[sizeof signature];

  return pread (fd, bytes, sizeof bytes, offset) == sizeof bytes && memcmp (bytes, signature, sizeof signature) == 0;
}

/* HDF5 begins with its signature, or with a block of the user's own of 512, 1024, 2048 … bytes. */
gboolean
hl_hdf5_archive_recognise (GFile        *file,
                           const guint8 *head,
                           gsize         size)
{
  if (size >= sizeof signature && memcmp (head, signature, sizeof signature) == 0)
    return TRUE;

  struct stat info;
  const int fd = hl_file_open_regular (file, &info, NULL);
  gboolean found = FALSE;
  if (fd < 0)
    return FALSE;
  for (off_t offset = 512; !found && offset <= info.st_size - (off_t) sizeof signature; offset *= 2)
    found = has_signature_at (fd, offset);
  close (fd);
  return found;
}

HlArchive *
hl_hdf5_archive_open (GFile        *file,
                      HlProgress   *progress,
                      GCancellable *cancellable,
                      GError      **error)
{
  g_autofree char *path = g_file_get_path (file);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;

  g_autoptr (HlHdf5Archive) self = g_object_new (HL_TYPE_HDF5_ARCHIVE, NULL);
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  void *handle;

  self->life = hl_hdf5_get_life ();
  self->file = hl_hdf5_open_file (path, error);
  if (self->file < 0)
    return NULL;
  if (H5Fget_vfd_handle (self->file, H5P_DEFAULT, &handle) < 0)
    {
      hl_hdf5_set_error (error, _ ("it cannot be opened as HDF5"));
      return NULL;
    }
  self->handle = g_atomic_rc_box_acquire (handle);
  return HL_ARCHIVE (g_steal_pointer (&self));
}

/* What a name stands for. Names are asked for group by group, so the group of the last one stays open: walking to it
 * each time takes most of the time of opening a file of many examples. */
static hid_t
open_member (HlHdf5Archive *self,
             const char    *name,
             GError       **error)
{
  const char *slash = strrchr (name, '/');

  if (!hl_hdf5_check_life (self->life, error))
    return H5I_INVALID_HID;
  if (slash == NULL)
    return walk (self->file, name, *name != '\0' ? name : "/", error);

  g_autofree char *group = g_strndup (name, (gsize) (slash - name));
  if (g_strcmp0 (group, self->last_group) != 0)
    {
      g_auto (HlHdf5Id) id = walk (self->file, group, name, error);
      if (id < 0)
        return H5I_INVALID_HID;
      if (H5Iget_type (id) != H5I_GROUP)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “%s”"), name);
          return H5I_INVALID_HID;
        }
      hl_hdf5_close (self->last_group_id);
      g_free (self->last_group);
      self->last_group_id = id;
      self->last_group = g_steal_pointer (&group);
      id = H5I_INVALID_HID;
    }
  return walk (self->last_group_id, slash + 1, name, error);
}

static const char *
hl_hdf5_archive_get_container (HlArchive *archive)
{
  return "HDF5";
}

static herr_t
take_name (hid_t             group,
           const char       *name,
           const H5L_info_t *info,
           void             *data)
{
  GPtrArray *names = data;

  g_ptr_array_add (names, hl_utf8_make_valid (name, strlen (name), NULL));
  /* A damaged index can go round in circles. */
  return names->len > HL_LIMIT_MEMBERS;
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strverscmp (*(const char *const *) a, *(const char *const *) b);
}

static char **
hl_hdf5_archive_list (HlArchive  *archive,
                      const char *name,
                      GError    **error)
{
  HlHdf5Archive *self = HL_HDF5_ARCHIVE (archive);
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  g_auto (HlHdf5Id) group = open_member (self, name, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  H5G_info_t info;

  if (group < 0)
    return NULL;
  if (H5Iget_type (group) != H5I_GROUP)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” is not a group"), name);
      return NULL;
    }
  if (!hl_hdf5_check_links (group, *name != '\0' ? name : "/", error))
    return NULL;
  if (H5Gget_info (group, &info) < 0 || (info.nlinks <= HL_LIMIT_MEMBERS &&
                                         H5Literate (group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, take_name, names) < 0))
    {
      hl_hdf5_set_error (error, _ ("the members of the group “%s” cannot be read"), *name != '\0' ? name : "/");
      return NULL;
    }
  if (MAX (info.nlinks, names->len) > HL_LIMIT_MEMBERS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the group “%s” has %" PRIu64 " members; at most %d are read"), *name != '\0' ? name : "/",
                   (guint64) MAX (info.nlinks, names->len), HL_LIMIT_MEMBERS);
      return NULL;
    }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_steal (names, NULL);
}

static HlMemberKind
get_dataset_kind (hid_t dataset)
{
  g_auto (HlHdf5Id) type = H5Dget_type (dataset);
  HlDType dtype;
  gboolean swapped;

  if (type < 0)
    return HL_MEMBER_OTHER;
  if (H5Tget_class (type) == H5T_STRING)
    return HL_MEMBER_STRINGS;
  return hl_hdf5_get_dtype (type, &dtype, &swapped) ? HL_MEMBER_TENSOR : HL_MEMBER_OTHER;
}

static HlMemberKind
hl_hdf5_archive_get_kind (HlArchive  *archive,
                          const char *name)
{
  HlHdf5Archive *self = HL_HDF5_ARCHIVE (archive);
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  g_autoptr (GError) error = NULL;
  g_auto (HlHdf5Id) member = open_member (self, name, &error);

  if (member < 0)
    return g_error_matches (error, HL_ERROR, HL_ERROR_MISSING) ? HL_MEMBER_NONE : HL_MEMBER_OTHER;
  switch (H5Iget_type (member))
    {
    case H5I_GROUP:
      return HL_MEMBER_GROUP;
    case H5I_DATASET:
      return get_dataset_kind (member);
    default:
      return HL_MEMBER_OTHER;
    }
}

/* The dataset of that name, or a negative number. */
static hid_t
open_dataset (HlHdf5Archive *self,
              const char    *name,
              GError       **error)
{
  hid_t member = open_member (self, name, error);

  if (member >= 0 && H5Iget_type (member) != H5I_DATASET)
    {
      if (H5Iget_type (member) == H5I_GROUP)
        g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” is a group, not a dataset"), name);
      else
        g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” is a data type, not a dataset"), name);
      hl_hdf5_close (member);
      return H5I_INVALID_HID;
    }
  return member;
}

static HlTensor *
hl_hdf5_archive_open_tensor (HlArchive  *archive,
                             const char *name,
                             GError    **error)
{
  HlHdf5Archive *self = HL_HDF5_ARCHIVE (archive);
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  g_auto (HlHdf5Id) dataset = open_dataset (self, name, error);

  return dataset >= 0 ? hl_hdf5_tensor_new (archive, self->file, dataset, name, error) : NULL;
}

static char **
read_strings (HlHdf5Archive *self,
              const char    *name,
              gsize         *n_repaired,
              GError       **error)
{
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  g_auto (HlHdf5Id) dataset = open_dataset (self, name, error);

  return dataset >= 0 ? hl_hdf5_read_strings (dataset, name, n_repaired, error) : NULL;
}

static char **
hl_hdf5_archive_read_strings (HlArchive  *archive,
                              const char *name,
                              GError    **error)
{
  gsize n_repaired;

  return read_strings (HL_HDF5_ARCHIVE (archive), name, &n_repaired, error);
}

static gsize
hl_hdf5_archive_count_repaired (HlArchive  *archive,
                                const char *name)
{
  gsize n_repaired = 0;
  g_auto (GStrv) strings = read_strings (HL_HDF5_ARCHIVE (archive), name, &n_repaired, NULL);

  return n_repaired;
}

static GVariant *
hl_hdf5_archive_get_attribute (HlArchive  *archive,
                               const char *group_name,
                               const char *name,
                               GError    **error)
{
  HlHdf5Archive *self = HL_HDF5_ARCHIVE (archive);
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  g_autoptr (GError) local_error = NULL;
  g_auto (HlHdf5Id) group = open_member (self, group_name, error);

  if (group < 0)
    return NULL;
  if (!hl_hdf5_check_attributes (group, *group_name != '\0' ? group_name : "/", error))
    return NULL;
  const htri_t exists = H5Aexists (group, name);
  if (exists < 0)
    {
      hl_hdf5_set_error (error, _ ("the attributes of “%s” cannot be read"), *group_name != '\0' ? group_name : "/");
      return NULL;
    }
  if (exists > 0)
    {
      g_auto (HlHdf5Id) attribute = H5Aopen (group, name, H5P_DEFAULT);
      if (attribute < 0)
        {
          hl_hdf5_set_error (error, _ ("the attribute “%s” cannot be read"), name);
          return NULL;
        }
      return hl_hdf5_read_value (attribute, name, error);
    }

  /* f["model"] = "…" is a dataset without axes. */
  g_autofree char *path = hl_archive_join (group_name, name);
  g_auto (HlHdf5Id) member = open_member (self, path, &local_error);
  if (member < 0)
    {
      if (!g_error_matches (local_error, HL_ERROR, HL_ERROR_MISSING))
        g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  return H5Iget_type (member) == H5I_DATASET ? hl_hdf5_read_value (member, path, error) : NULL;
}

static gboolean
hl_hdf5_archive_check (HlArchive *archive,
                       GError   **error)
{
  HlHdf5Archive *self = HL_HDF5_ARCHIVE (archive);

  return hl_hdf5_check_life (self->life, error) &&
         hl_file_version_check (&self->handle->version, self->handle->fd, error);
}

static void
hl_hdf5_archive_iface_init (HlArchiveInterface *iface)
{
  iface->get_container = hl_hdf5_archive_get_container;
  iface->list = hl_hdf5_archive_list;
  iface->get_kind = hl_hdf5_archive_get_kind;
  iface->open_tensor = hl_hdf5_archive_open_tensor;
  iface->read_strings = hl_hdf5_archive_read_strings;
  iface->count_repaired = hl_hdf5_archive_count_repaired;
  iface->get_attribute = hl_hdf5_archive_get_attribute;
  iface->check = hl_hdf5_archive_check;
}

static void
hl_hdf5_archive_finalize (GObject *object)
{
  HlHdf5Archive *self = HL_HDF5_ARCHIVE (object);

  hl_hdf5_let_go (self->life, self->last_group_id);
  hl_hdf5_let_go (self->life, self->file);
  g_clear_pointer (&self->handle, hl_hdf5_handle_unref);
  g_free (self->last_group);
  G_OBJECT_CLASS (hl_hdf5_archive_parent_class)->finalize (object);
}

static void
hl_hdf5_archive_class_init (HlHdf5ArchiveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_hdf5_archive_finalize;
}

static void
hl_hdf5_archive_init (HlHdf5Archive *self)
{
  self->file = self->last_group_id = H5I_INVALID_HID;
}
