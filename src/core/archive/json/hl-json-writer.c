/* SPDX-License-Identifier: MIT */
/* Writes JSON as it comes: members one after the other, objects opened and closed as paths ask for
 * it, a row of numbers a line. A group of tensors named 0, 1, 2 … becomes a list, which is what one
 * expects of layers that differ in heads, unless some are missing. */
#include "core/archive/json/hl-json-writer.h"

#include "core/base/text/hl-decimal.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-temp-file.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* How much text gathers before it goes to the file. */
#define FLUSH_SIZE (1 << 16)

struct _HlJsonWriter
{
  GObject parent_instance;

  HlTempFile *file;
  GString *text;
  GPtrArray *groups;     /* names of the objects that are open, outermost first */
  gboolean has_members;  /* whether the innermost has any so far */
  guint n_layers;        /* the innermost is a list of that many; 0 for an object */
  gboolean lacks_layers; /* groups of layers have gaps, which lists cannot have */

  char *tensor; /* path of the tensor that is being written */
  HlShape shape;
  guint64 index[HL_LIMIT_RANK];
  guint64 n_missing;
};

static void hl_json_writer_iface_init (HlArchiveWriterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlJsonWriter,
                               hl_json_writer,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ARCHIVE_WRITER, hl_json_writer_iface_init))

static gboolean
flush (HlJsonWriter *self,
       gsize         threshold,
       GError      **error)
{
  if (self->text->len <= threshold)
    return TRUE;
  const gboolean written = hl_temp_file_write (self->file, self->text->str, self->text->len, error);
  g_string_truncate (self->text, 0);
  return written;
}

static void
append_string (GString    *text,
               const char *string)
{
  g_string_append_c (text, '"');
  for (const char *c = string; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_c (text, '\\');
      if ((guchar) *c < 0x20)
        g_string_append_printf (text, "\\u%04x", (guint) *c);
      else
        g_string_append_c (text, *c);
    }
  g_string_append_c (text, '"');
}

static void
close_group (HlJsonWriter *self)
{
  g_string_append (self->text, self->n_layers > 0 ? "\n]" : "\n}");
  g_ptr_array_remove_index (self->groups, self->groups->len - 1);
  self->has_members = TRUE;
  self->n_layers = 0;
}

static void
begin_member (HlJsonWriter *self,
              const char   *name)
{
  g_string_append (self->text, self->has_members ? ",\n" : "\n");
  if (self->n_layers == 0)
    {
      append_string (self->text, name);
      g_string_append_c (self->text, ':');
    }
  self->has_members = TRUE;
}

/* Closes and opens objects until the innermost is the one of this path. */
static void
enter_group (HlJsonWriter *self,
             const char   *path,
             gboolean      as_list)
{
  g_auto (GStrv) names = g_strsplit (path, "/", -1);
  guint n_common = 0;

  while (n_common < self->groups->len && names[n_common] != NULL &&
         strcmp (g_ptr_array_index (self->groups, n_common), names[n_common]) == 0)
    n_common++;
  while (self->groups->len > n_common)
    close_group (self);
  for (guint i = n_common; names[i] != NULL; i++)
    {
      begin_member (self, names[i]);
      g_ptr_array_add (self->groups, g_strdup (names[i]));
      self->has_members = FALSE;
      self->n_layers = as_list && names[i + 1] == NULL ? 1 : 0;
      g_string_append_c (self->text, self->n_layers > 0 ? '[' : '{');
    }
}

/* The member's own name, once its group is the innermost. */
static const char *
enter_parent (HlJsonWriter *self,
              const char   *path)
{
  const char *slash = strrchr (path, '/');

  if (slash == NULL)
    {
      enter_group (self, "", FALSE);
      return path;
    }
  g_autofree char *group = g_strndup (path, (gsize) (slash - path));
  enter_group (self, group, FALSE);
  return slash + 1;
}

static gboolean
append_number (HlJsonWriter *self,
               const char   *name,
               double        number,
               GError      **error)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (number))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a finite number, which JSON cannot hold"), name);
      return FALSE;
    }
  g_string_append (self->text, g_ascii_dtostr (buffer, sizeof buffer, number));
  return TRUE;
}

static gboolean
append_list (HlJsonWriter *self,
             const char   *name,
             GVariant     *list,
             GError      **error)
{
  const gboolean is_whole = g_variant_is_of_type (list, G_VARIANT_TYPE ("ax"));
  gsize n;
  const void *numbers = g_variant_get_fixed_array (list, &n, sizeof (gint64));

  g_string_append_c (self->text, '[');
  for (gsize i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (self->text, ',');
      if (is_whole)
        g_string_append_printf (self->text, "%" PRId64, ((const gint64 *) numbers)[i]);
      else if (!append_number (self, name, ((const double *) numbers)[i], error))
        return FALSE;
    }
  g_string_append_c (self->text, ']');
  return TRUE;
}

static gboolean
hl_json_writer_set_attribute (HlArchiveWriter *writer,
                              const char      *group,
                              const char      *name,
                              GVariant        *value,
                              GError         **error)
{
  HlJsonWriter *self = HL_JSON_WRITER (writer);

  enter_group (self, group, FALSE);
  begin_member (self, name);
  /* It is said where some are missing. */
  self->lacks_layers |= g_str_has_suffix (name, "layers");
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    {
      append_string (self->text, g_variant_get_string (value, NULL));
    }
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    {
      g_string_append_printf (self->text, "%" PRId64, g_variant_get_int64 (value));
    }
  else if (g_variant_is_container (value) ? !append_list (self, name, value, error)
                                          : !append_number (self, name, g_variant_get_double (value), error))
    {
      return FALSE;
    }
  return flush (self, FLUSH_SIZE, error);
}

static gboolean
hl_json_writer_add_strings (HlArchiveWriter   *writer,
                            const char        *name,
                            const char *const *strings,
                            gsize              n_strings,
                            GError           **error)
{
  HlJsonWriter *self = HL_JSON_WRITER (writer);

  begin_member (self, enter_parent (self, name));
  g_string_append_c (self->text, '[');
  for (gsize i = 0; i < n_strings; i++)
    {
      if (i > 0)
        g_string_append_c (self->text, ',');
      append_string (self->text, strings[i]);
      if (!flush (self, FLUSH_SIZE, error))
        return FALSE;
    }
  g_string_append_c (self->text, ']');
  return TRUE;
}

/* The first tensor of a group that is named 0 makes the group a list; those that follow are in order. Not of fewer than three
 * axes: a list of them where layers differ in heads is ragged to who reads it, and one of rows would be a matrix. */
static void
begin_tensor_member (HlJsonWriter  *self,
                     const char    *path,
                     const HlShape *shape)
{
  const char *slash = strrchr (path, '/');

  if (slash != NULL && g_ascii_isdigit (slash[1]))
    {
      g_autofree char *group = g_strndup (path, (gsize) (slash - path));
      enter_group (self, group, strcmp (slash + 1, "0") == 0 && shape->rank > 2 && !self->lacks_layers);
      if (self->n_layers > 0)
        {
          g_autofree char *expected = g_strdup_printf ("%u", self->n_layers - 1);
          g_return_if_fail (strcmp (slash + 1, expected) == 0);
          begin_member (self, slash + 1);
          self->n_layers++;
          return;
        }
    }
  begin_member (self, enter_parent (self, path));
}

static gboolean
hl_json_writer_begin_tensor (HlArchiveWriter *writer,
                             const char      *name,
                             HlDType          dtype,
                             const HlShape   *shape,
                             const guint64   *chunk,
                             GError         **error)
{
  HlJsonWriter *self = HL_JSON_WRITER (writer);

  g_return_val_if_fail (self->n_missing == 0, FALSE);

  if (!hl_shape_get_n_elements (shape, &self->n_missing))
    g_assert_not_reached ();
  begin_tensor_member (self, name, shape);
  g_free (self->tensor);
  self->tensor = g_strdup (name);
  self->shape = *shape;
  memset (self->index, 0, sizeof self->index);
  return TRUE;
}

/* The brackets and commas before a number: as many as axes begin with it. */
static void
append_opening (HlJsonWriter *self)
{
  const guint rank = self->shape.rank;
  guint n_opened = 0;
  gboolean first = TRUE;

  for (guint axis = rank; axis-- > 0 && first;)
    {
      first = self->index[axis] == 0;
      n_opened += first;
    }
  if (!first)
    g_string_append_c (self->text, ',');
  if (n_opened == 0)
    return;
  for (guint i = 1; i < n_opened; i++)
    g_string_append_c (self->text, '[');
  g_string_append (self->text, rank > 1 ? "\n[" : "[");
}

/* Counts on, and closes the axes that are complete. */
static void
append_closing (HlJsonWriter *self)
{
  self->n_missing--;
  const int went_on = hl_shape_advance (self->index, NULL, self->shape.dims, self->shape.rank);
  for (int axis = went_on + 1; axis < (int) self->shape.rank; axis++)
    g_string_append_c (self->text, ']');
}

static gboolean
refuse_number (HlJsonWriter *self,
               GError      **error)
{
  g_autoptr (GString) element = g_string_new (self->tensor);

  for (guint i = 0; i < self->shape.rank; i++)
    g_string_append_printf (element, "[%" PRIu64 "]", self->index[i]);
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
               _ ("%s is not a finite number, which JSON cannot hold; HDF5 and NPZ can"), element->str);
  return FALSE;
}

static gboolean
hl_json_writer_write (HlArchiveWriter *writer,
                      const float     *numbers,
                      gsize            n,
                      GError         **error)
{
  HlJsonWriter *self = HL_JSON_WRITER (writer);
  char number[HL_DECIMAL_SIZE];

  g_return_val_if_fail (n <= self->n_missing, FALSE);

  for (gsize i = 0; i < n; i++)
    {
      if (G_UNLIKELY (!isfinite (numbers[i])))
        return refuse_number (self, error);
      append_opening (self);
      g_string_append_len (self->text, number, (gssize) hl_decimal_format (numbers[i], number));
      append_closing (self);
      if (!flush (self, FLUSH_SIZE, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
hl_json_writer_close (HlArchiveWriter *writer,
                      GError         **error)
{
  HlJsonWriter *self = HL_JSON_WRITER (writer);

  g_return_val_if_fail (self->n_missing == 0, FALSE);

  while (self->groups->len > 0)
    close_group (self);
  g_string_append (self->text, "\n}\n");
  return flush (self, 0, error) && hl_temp_file_commit (self->file, error);
}

static void
hl_json_writer_iface_init (HlArchiveWriterInterface *iface)
{
  iface->set_attribute = hl_json_writer_set_attribute;
  iface->add_strings = hl_json_writer_add_strings;
  iface->begin_tensor = hl_json_writer_begin_tensor;
  iface->write = hl_json_writer_write;
  iface->close = hl_json_writer_close;
}

static void
hl_json_writer_finalize (GObject *object)
{
  HlJsonWriter *self = HL_JSON_WRITER (object);

  g_clear_pointer (&self->file, hl_temp_file_free);
  g_string_free (self->text, TRUE);
  g_ptr_array_unref (self->groups);
  g_free (self->tensor);
  G_OBJECT_CLASS (hl_json_writer_parent_class)->finalize (object);
}

static void
hl_json_writer_class_init (HlJsonWriterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_json_writer_finalize;
}

static void
hl_json_writer_init (HlJsonWriter *self)
{
  self->text = g_string_new ("{");
  self->groups = g_ptr_array_new_with_free_func (g_free);
}

/* Numbers are spelt with as few digits as read back as the same float32. JSON has no numbers that are not finite:
 * writing one is %HL_ERROR_VALUE. */
HlArchiveWriter *
hl_json_writer_new (GFile   *file,
                    GError **error)
{
  g_autoptr (HlJsonWriter) self = g_object_new (HL_TYPE_JSON_WRITER, NULL);

  self->file = hl_temp_file_new (file, error);
  return self->file != NULL ? HL_ARCHIVE_WRITER (g_steal_pointer (&self)) : NULL;
}
