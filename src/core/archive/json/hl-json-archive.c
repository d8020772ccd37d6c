/* SPDX-License-Identifier: MIT */
/* A JSON file as an archive: objects are groups, and so are lists of them or of lists of strings; lists of numbers are
 * tensors, lists of strings are strings, and what stands alone is an attribute of its object. The text is read once,
 * from a mapping, without recursion and without a tree of its numbers: they go straight into float32, of large files into another file. */
#include "core/archive/json/hl-json-archive.h"

#include "core/archive/json/hl-json-array.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-mapped-file.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* About what a member takes besides its name and content: itself, its place in the tree, allocator
 * overhead. */
#define MEMBER_COST 256

/* Paths longer than this are shortened in sentences, of which there may be one a member. */
#define MAX_LABEL_LENGTH 200

/* An object, or a list of objects or of lists of strings, that is open. */
typedef struct
{
  HlArchiveNode *group;
  gsize path_length;
} Level;

/* Where reading stands: what is open, outermost first, and the path down to the member that is being read. */
typedef struct
{
  HlJsonReader *reader;
  HlJsonBudget *budget;
  Level levels[HL_LIMIT_JSON_DEPTH + 1]; /* by depth, from 1 */
  GString *path;
  GString *label;
  GString *name;
  GString *value;
  GPtrArray *discarded; /* members whose name is taken already */
} Parser;

/* The path of the member, for sentences. */
static const char *
get_label (Parser *self)
{
  const char *path = self->path->str;

  if (self->path->len <= MAX_LABEL_LENGTH)
    return path;
  const char *head_end = g_utf8_find_prev_char (path, path + MAX_LABEL_LENGTH / 2);
  const char *tail = g_utf8_find_prev_char (path, path + self->path->len - MAX_LABEL_LENGTH / 2);
  g_string_printf (self->label, "%.*s…%s", (int) (head_end - path), path, tail);
  return self->label->str;
}

/* How many elements of the first axis have sizes of their own. */
static guint
count_parts (const HlJsonArray *array)
{
  const HlJsonSizes *sizes = &array->sizes;

  return sizes->parts != NULL ? sizes->parts->len : sizes->layer_heads != NULL ? sizes->layer_heads->len : 0;
}

static HlShape
get_part_shape (const HlJsonArray *array,
                guint              index)
{
  HlShape shape = { .rank = array->shape.rank - 1 };

  if (array->sizes.parts != NULL)
    return g_array_index (array->sizes.parts, HlShape, index);
  for (guint i = 0; i < shape.rank; i++)
    shape.dims[i] = array->shape.dims[i + 1];
  shape.dims[shape.rank - 3] = g_array_index (array->sizes.layer_heads, guint64, index);
  return shape;
}

/* Elements of the first axis that differ: a tensor for each, as HDF5 has it with a group. */
static void
make_parts (HlArchiveNode     *node,
            const HlJsonArray *array)
{
  guint64 offset = 0;

  for (guint i = 0; i < count_parts (array); i++)
    {
      const HlShape shape = get_part_shape (array, i);
      g_autofree char *name = g_strdup_printf ("%u", i);
      HlArchiveNode *layer = hl_archive_node_new (HL_MEMBER_TENSOR);
      guint64 n_bytes;

      layer->tensor = hl_span_open_tensor (array->numbers, HL_DTYPE_F32, &shape, NULL, FALSE, offset, &layer->problem);
      hl_archive_node_add (node, name, layer);
      if (!hl_shape_get_n_bytes (&shape, sizeof (float), &n_bytes))
        g_assert_not_reached ();
      offset += n_bytes;
    }
}

static HlArchiveNode *
read_array (Parser  *self,
            GError **error)
{
  g_auto (HlJsonArray) array = { 0 };

  if (!hl_json_array_read (&array, self->reader, self->budget, get_label (self), error) ||
      !hl_json_budget_spend (self->budget, (gsize) count_parts (&array) * MEMBER_COST, error))
    return NULL;

  HlArchiveNode *node = hl_archive_node_new (array.kind);
  node->problem = g_steal_pointer (&array.problem);
  if (array.strings != NULL)
    node->strings = (char **) g_ptr_array_free (g_steal_pointer (&array.strings), FALSE);
  if (node->problem != NULL || (array.kind != HL_MEMBER_TENSOR && array.kind != HL_MEMBER_GROUP))
    return node;

  if (array.kind == HL_MEMBER_TENSOR)
    node->tensor = hl_span_open_tensor (array.numbers, HL_DTYPE_F32, &array.shape, NULL, FALSE, 0, &node->problem);
  else
    make_parts (node, &array);
  return node;
}

static HlArchiveNode *
read_number (Parser  *self,
             GError **error)
{
  HlJsonNumber number;
  gint64 integer;

  if (!hl_json_reader_read_number (self->reader, &number, error))
    return NULL;
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_OTHER);
  if (hl_json_number_to_int64 (&number, &integer))
    {
      node->attribute = g_variant_ref_sink (g_variant_new_int64 (integer));
      return node;
    }

  const double value = hl_json_number_to_double (&number);
  if (!number.special && value - value != 0)
    node->problem = g_error_new (HL_ERROR, HL_ERROR_VALUE, _ ("the number “%s” is too large"), get_label (self));
  else
    node->attribute = g_variant_ref_sink (g_variant_new_double (value));
  return node;
}

static HlArchiveNode *
read_string (Parser  *self,
             GError **error)
{
  const char *start = self->reader->at;
  HlArchiveNode *node;
  g_autoptr (GError) problem = NULL;

  g_string_truncate (self->value, 0);
  if (!hl_json_reader_read_string (self->reader, self->value, HL_LIMIT_STRINGS_TEXT, &problem))
    {
      if (!g_error_matches (problem, HL_ERROR, HL_ERROR_TOO_LARGE))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return NULL;
        }
      self->reader->at = start;
      if (!hl_json_reader_skip (self->reader, error))
        return NULL;
      node = hl_archive_node_new (HL_MEMBER_OTHER);
      node->problem = g_error_new (HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the strings of “%s” are more than %d MiB"),
                                   get_label (self), (int) (HL_LIMIT_STRINGS_TEXT >> 20));
      return node;
    }
  if (!hl_json_budget_spend (self->budget, self->value->len, error))
    return NULL;
  node = hl_archive_node_new (HL_MEMBER_OTHER);
  node->attribute = g_variant_ref_sink (g_variant_new_string (self->value->str));
  return node;
}

/* True or false. Null is as if the member were not there: an empty result without an error. */
static gboolean
read_word (Parser         *self,
           HlArchiveNode **node,
           GError        **error)
{
  const char *word = hl_json_reader_read_word (self->reader, error);

  if (word != NULL && *word != 'n')
    {
      *node = hl_archive_node_new (HL_MEMBER_OTHER);
      (*node)->attribute = g_variant_ref_sink (g_variant_new_int64 (*word == 't'));
    }
  return word != NULL;
}

/* Anything but a group. */
static gboolean
read_value (Parser         *self,
            HlArchiveNode **node,
            GError        **error)
{
  switch (hl_json_reader_peek (self->reader))
    {
    case '[':
      *node = read_array (self, error);
      return *node != NULL;
    case '"':
      *node = read_string (self, error);
      return *node != NULL;
    case 't':
    case 'f':
    case 'n':
      return read_word (self, node, error);
    default:
      *node = read_number (self, error);
      return *node != NULL;
    }
}

/* Which of two members of one name is meant cannot be known; it is an error once somebody asks for
 * it. */
static void
add_member (Parser        *self,
            HlArchiveNode *node)
{
  HlArchiveNode *group = self->levels[self->reader->depth].group;
  HlArchiveNode *earlier = hl_archive_node_get (group, self->name->str);

  if (earlier == NULL)
    {
      hl_archive_node_add (group, self->name->str, node);
      return;
    }
  g_ptr_array_add (self->discarded, node);
  if (earlier->problem == NULL || !g_error_matches (earlier->problem, HL_ERROR, HL_ERROR_CORRUPT))
    {
      g_clear_error (&earlier->problem);
      earlier->problem = g_error_new (HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” is there more than once"), get_label (self));
    }
}

/* Whether there are objects in the list that begins at the present position, or lists of strings. */
static gboolean
is_list_of_groups (const HlJsonReader *reader)
{
  const char *at = reader->at;
  guint depth = 0;

  /* Deeper is refused, however long it goes on. */
  for (; at < reader->end && depth <= HL_LIMIT_JSON_DEPTH && strchr ("[ \t\r\n", *at) != NULL && *at != '\0'; at++)
    depth += *at == '[';
  return at < reader->end && (*at == '{' || (*at == '"' && depth > 1));
}

/* Opens an object, or a list of them or of lists of strings, whose members are named 0, 1, 2 … */
static gboolean
open_group (Parser        *self,
            HlArchiveNode *group,
            GError       **error)
{
  if (!hl_json_reader_begin (self->reader, *self->reader->at, NULL, error))
    return FALSE;
  self->levels[self->reader->depth] = (Level){ .group = group, .path_length = self->path->len };
  return TRUE;
}

/* The name of a member of an object, or the index of one of a list. */
static gboolean
read_name (Parser  *self,
           GError **error)
{
  const guint depth = self->reader->depth;

  g_string_truncate (self->name, 0);
  if (self->reader->closers[depth] == ']')
    g_string_printf (self->name, "%" PRIu64, self->reader->counts[depth]);
  else if (!hl_json_reader_read_name (self->reader, self->name, HL_LIMIT_JSON_NAME, error))
    return FALSE;
  if (!hl_json_budget_spend (self->budget, self->name->len + MEMBER_COST, error))
    return FALSE;

  g_string_truncate (self->path, self->levels[depth].path_length);
  if (self->path->len > 0)
    g_string_append_c (self->path, '/');
  g_string_append_len (self->path, self->name->str, (gssize) self->name->len);
  return TRUE;
}

/* One member. A value is read whole; what holds members of its own is opened and becomes the innermost. */
static gboolean
read_member (Parser  *self,
             GError **error)
{
  HlArchiveNode *node = NULL;

  if (!read_name (self, error))
    return FALSE;
  const int first = hl_json_reader_peek (self->reader);
  if (first == '{' || (first == '[' && is_list_of_groups (self->reader)))
    {
      node = hl_archive_node_new (HL_MEMBER_GROUP);
      add_member (self, node);
      return open_group (self, node, error);
    }
  if (!read_value (self, &node, error))
    return FALSE;
  if (node != NULL)
    add_member (self, node);
  return TRUE;
}

static gboolean
read_members (Parser  *self,
              GError **error)
{
  while (self->reader->depth > 0)
    {
      gboolean more;

      if (!hl_json_reader_next (self->reader, &more, error) || (more && !read_member (self, error)))
        return FALSE;
    }
  return TRUE;
}

/* Reads an object or a list of JSON that may stand amid other text, with all that is in it. A list of objects, or of
 * lists of strings, becomes a group, with members named 0, 1, 2 … Returns a group with its members, or what else it
 * is. */
HlArchiveNode *
hl_json_parse_value (HlJsonReader *reader,
                     HlJsonBudget *budget,
                     const char   *name,
                     GError      **error)
{
  g_autoptr (GString) path = g_string_new (NULL);
  g_autoptr (GString) label = g_string_new (NULL);
  g_autoptr (GString) member = g_string_new (NULL);
  g_autoptr (GString) value = g_string_new (NULL);
  g_autoptr (GPtrArray) discarded = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_archive_node_free);
  Parser parser = {
    .reader = reader,
    .budget = budget,
    .path = path,
    .label = label,
    .name = member,
    .value = value,
    .discarded = discarded,
  };

  if (hl_json_reader_peek (reader) == '[' && !is_list_of_groups (reader))
    {
      g_string_assign (path, name);
      return read_array (&parser, error);
    }
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);
  if (!open_group (&parser, root, error) || !read_members (&parser, error))
    return NULL;
  return g_steal_pointer (&root);
}

/* Reads an object or a list of JSON, and nothing behind it. Numbers take 4 bytes each, at most 1 GiB, of which 64 MiB are in memory; names
 * and strings at most 128 MiB. */
HlArchiveNode *
hl_json_parse (HlJsonReader *reader,
               const char   *name,
               GError      **error)
{
  g_auto (HlJsonBudget) budget = HL_JSON_BUDGET;

  g_return_val_if_fail (reader != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  switch (hl_json_reader_peek (reader))
    {
    case '{':
    case '[':
      break;
    case -1:
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the file is empty but for white space"));
      return NULL;
    default:
      hl_json_reader_fail (reader, _ ("an object or a list"), error);
      return NULL;
    }
  g_autoptr (HlArchiveNode) root = hl_json_parse_value (reader, &budget, name, error);
  return root != NULL && hl_json_reader_end (reader, _ ("the end of the file"), error) ? g_steal_pointer (&root) : NULL;
}

/* A byte order mark of UTF-16 or UTF-32, or none but a bracket beside a zero byte. */
static gboolean
is_utf16 (const char *text,
          gsize       size)
{
  if (size < 2)
    return FALSE;
  if (memcmp (text, "\xff\xfe", 2) == 0 || memcmp (text, "\xfe\xff", 2) == 0)
    return TRUE;
  const char first = text[0] != '\0' ? text[0] : text[1];
  return (first == '{' || first == '[') && (text[0] == '\0') != (text[1] == '\0');
}

/* Returns whether it begins as an object or a list of JSON does, in UTF-8 or UTF-16, or with nothing but white space
 * so far. */
gboolean
hl_json_archive_recognise (GFile        *file,
                           const guint8 *head,
                           gsize         size)
{
  gsize i = hl_utf8_measure_mark (head, size);

  if (is_utf16 ((const char *) head, size))
    return TRUE;
  while (i < size && strchr (" \t\r\n", head[i]) != NULL && head[i] != '\0')
    i++;
  return i == size || head[i] == '{' || head[i] == '[';
}

/* Reads all of a JSON file, see hl_json_parse(). */
HlArchive *
hl_json_archive_open (GFile        *file,
                      HlProgress   *progress,
                      GCancellable *cancellable,
                      GError      **error)
{
  HlJsonReader reader;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlMappedFile) mapped = hl_mapped_file_open (file, error);
  if (mapped == NULL)
    return NULL;
  const char *text = hl_mapped_file_get_data (mapped);
  const gsize size = hl_mapped_file_get_size (mapped);
  if (is_utf16 (text, size))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_ENCODING, _ ("this is JSON in UTF-16 or UTF-32; only UTF-8 can be read"));
      return NULL;
    }

  hl_json_reader_init (&reader, text, size, progress, cancellable);
  hl_json_reader_set_mapped (&reader);
  g_autoptr (HlArchiveNode) root = hl_json_parse (&reader, HL_TREE_ONLY_NAME, error);
  if (!hl_mapped_file_check (mapped, error) || root == NULL)
    return NULL;
  return hl_tree_archive_new_for_node ("JSON", g_steal_pointer (&root));
}
