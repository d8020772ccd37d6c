/* SPDX-License-Identifier: MIT */
/* What a safetensors file says of a tensor, and that it can be true: every promise is held against the bytes there
 * are. */
#include "core/archive/safetensors/hl-safetensors-entry.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* The format's names of element types. Those that Headlight has no use for are known by their size, so that
 * a file with one of them opens nevertheless. */
static const struct
{
  const char *name;
  gsize size;
  int dtype;
} types[] = {
  { "F64", 8, HL_DTYPE_F64 }, { "F32", 4, HL_DTYPE_F32 }, { "F16", 2, HL_DTYPE_F16 },
  { "BF16", 2, HL_DTYPE_BF16 }, { "I64", 8, HL_DTYPE_I64 }, { "I32", 4, HL_DTYPE_I32 },
  { "I16", 2, HL_DTYPE_I16 }, { "I8", 1, HL_DTYPE_I8 }, { "U64", 8, HL_DTYPE_U64 },
  { "U32", 4, HL_DTYPE_U32 }, { "U16", 2, HL_DTYPE_U16 }, { "U8", 1, HL_DTYPE_U8 },
  { "BOOL", 1, HL_DTYPE_BOOL }, { "F8_E4M3", 1, -1 }, { "F8_E5M2", 1, -1 },
  { "F8_E8M0", 1, -1 }, { "F8_E4M3FNUZ", 1, -1 }, { "F8_E5M2FNUZ", 1, -1 }, { "C64", 8, -1 },
};

/**
 * hl_safetensors_entry_free:
 * @data: an entry
 *
 * Frees it.
 */
void
hl_safetensors_entry_free (gpointer data)
{
  HlSafetensorsEntry *entry = data;

  g_free (entry->name);
  g_free (entry);
}

/**
 * hl_safetensors_entry_set_type:
 * @self: an entry
 * @name: a type as the file spells it
 *
 * Returns: whether there is such a type
 */
gboolean
hl_safetensors_entry_set_type (HlSafetensorsEntry *self,
                               const char         *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (types[i].name, name))
      {
        g_strlcpy (self->type_name, types[i].name, sizeof self->type_name);
        self->is_readable = types[i].dtype >= 0;
        self->dtype = self->is_readable ? (HlDType) types[i].dtype : HL_DTYPE_U8;
        self->element_size = types[i].size;
        return TRUE;
      }
  return FALSE;
}

/**
 * hl_safetensors_entry_check:
 * @self: an entry, complete
 * @n_data: how many bytes of data the file has
 * @error: %HL_ERROR_TOO_LARGE, %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED or %HL_ERROR_SHAPE
 *
 * Holds what a tensor says of itself against itself and the size of the data.
 *
 * Returns: whether it can be
 */
gboolean
hl_safetensors_entry_check (const HlSafetensorsEntry *self,
                            guint64                   n_data,
                            GError                  **error)
{
  g_autofree char *sizes = hl_shape_to_string (&self->shape);
  guint64 needed;

  if (!hl_shape_get_n_bytes (&self->shape, self->element_size, &needed))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("tensor “%s” of %s elements is too large"), self->name, sizes);
      return FALSE;
    }
  if (self->end < self->begin)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ ("tensor “%s” ends at byte %" PRIu64
                      ", before it begins at %" PRIu64),
                   self->name, self->end, self->begin);
      return FALSE;
    }
  if (self->end > n_data)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("tensor “%s” reaches to byte %" PRIu64
                      " of the data, but the file has only %" PRIu64),
                   self->name, self->end, n_data);
      return FALSE;
    }
  if (self->end - self->begin != needed)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("tensor “%s” has %" PRIu64 " bytes, but %s elements of %s take "
                      "%" PRIu64),
                   self->name, self->end - self->begin, sizes, self->type_name, needed);
      return FALSE;
    }
  return TRUE;
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const HlSafetensorsEntry *first = *(const HlSafetensorsEntry *const *) a;
  const HlSafetensorsEntry *second = *(const HlSafetensorsEntry *const *) b;

  if (first->begin != second->begin)
    return first->begin < second->begin ? -1 : 1;
  return first->end < second->end ? -1 : first->end > second->end;
}

/**
 * hl_safetensors_entries_check:
 * @entries: (element-type HlSafetensorsEntry): all tensors of a file; sorted by where their bytes lie
 * @n_data: how many bytes of data the file has
 * @error: %HL_ERROR_CORRUPT
 *
 * Holds the tensors against one another: they have to fill the data, one after the other.
 *
 * Returns: whether they do
 */
gboolean
hl_safetensors_entries_check (GPtrArray *entries,
                              guint64    n_data,
                              GError   **error)
{
  guint64 at = 0;

  g_ptr_array_sort (entries, compare_entries);
  for (guint i = 0; i < entries->len; i++)
    {
      const HlSafetensorsEntry *entry = entries->pdata[i];
      if (entry->begin < at)
        {
          const HlSafetensorsEntry *before = entries->pdata[i - 1];
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("tensors “%s” and “%s” overlap"),
                       before->name, entry->name);
          return FALSE;
        }
      if (entry->begin > at)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                       _ ("%" PRIu64 " bytes before tensor “%s” belong to no tensor"),
                       entry->begin - at, entry->name);
          return FALSE;
        }
      at = entry->end;
    }
  if (at != n_data)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ ("%" PRIu64 " bytes at the end belong to no tensor"), n_data - at);
      return FALSE;
    }
  return TRUE;
}
