/* SPDX-License-Identifier: MIT */
/* Names in an HDF5 file. The library would follow links of every kind by itself, out of the file too; so names are
 * walked here, one link at a time, each looked at before it is opened. */
#include "core/archive/hdf5/hl-hdf5-bytes.h"

#include <string.h>

#include <glib/gi18n-lib.h>

/* Links and groups that one name can lead through, soft links included: an end to every cycle. */
#define MAX_STEPS 64
#define MAX_TARGET 4096

/* Where a soft link leads, as names from the root, or NULL. */
static char *
read_soft_link (hid_t             group,
                const char       *link,
                const H5L_info_t *info,
                const char       *name,
                GError          **error)
{
  if (info->u.val_size == 0 || info->u.val_size > MAX_TARGET)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” is a link to a name of %zu bytes"),
                   name, (gsize) info->u.val_size);
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
open_object (hid_t        group,
             const char  *link,
             const char  *name,
             GError     **error)
{
  if (!hl_hdf5_check_type (group, link, name, error))
    return H5I_INVALID_HID;
  const hid_t object = H5Oopen (group, link, H5P_DEFAULT);

  if (object < 0)
    hl_hdf5_set_error (error, _ ("“%s” cannot be opened"), name);
  return object;
}

/**
 * hl_hdf5_open_member: (skip)
 * @start: an open file or group
 * @path: the path of a member from there; empty for the group itself
 * @name: what sentences call it
 * @error: %HL_ERROR_MISSING when there is nothing of that name, %HL_ERROR_EXTERNAL, %HL_ERROR_CORRUPT …
 *
 * Opens what a name stands for. Soft links are followed within the file, as far as sixty-four steps. With the lock
 * held.
 *
 * Returns: (transfer full): a group, dataset or type, or a negative number
 */
hid_t
hl_hdf5_open_member (hid_t        start,
                     const char  *path,
                     const char  *name,
                             GError     **error)
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
      if (steps == MAX_STEPS)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                       _ ("“%s” leads through more than %d links, perhaps in a circle"), name, MAX_STEPS);
          return H5I_INVALID_HID;
        }
      if (H5Iget_type (group) != H5I_GROUP)
        {
          set_missing (error, name, through_link);
          return H5I_INVALID_HID;
        }
      const htri_t exists = H5Lexists (group, link, H5P_DEFAULT);
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
