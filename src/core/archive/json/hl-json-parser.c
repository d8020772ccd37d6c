/* SPDX-License-Identifier: MIT */
/* JSON text to a tree of members, in one pass and without recursion. The text is not kept, and of
 * its numbers there is no node: they go straight into float32. */
#include "core/archive/json/hl-json-parser.h"

#include "core/archive/json/hl-json-array.h"
#include "core/base/hl-error.h"
#include "core/json/hl-json-lexer.h"

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
  gboolean is_list;
  guint64 n_members;
} Level;

/* Where reading stands: what is open, outermost first, and the path down to the member that is being
 * read. */
typedef struct
{
  HlJsonLexer *lexer;
  HlJsonBudget *budget;
  Level levels[HL_JSON_MAX_DEPTH];
  guint depth;
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

  return sizes->parts != NULL ? sizes->parts->len
                              : sizes->layer_heads != NULL ? sizes->layer_heads->len : 0;
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
            const HlJsonArray *array,
            GBytes            *bytes)
{
  guint64 offset = 0;

  for (guint i = 0; i < count_parts (array); i++)
    {
      const HlShape shape = get_part_shape (array, i);
      g_autofree char *name = g_strdup_printf ("%u", i);
      HlArchiveNode *layer = hl_archive_node_new (HL_MEMBER_TENSOR);
      guint64 n_bytes;

      layer->tensor =
        hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, offset, &layer->problem);
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

  if (!hl_json_array_read (&array, self->lexer, self->budget, get_label (self), self->depth,
                           error))
    return NULL;
  if (!hl_json_budget_spend (self->budget, (gsize) count_parts (&array) * MEMBER_COST, error))
    return NULL;

  HlArchiveNode *node = hl_archive_node_new (array.kind);
  node->problem = g_steal_pointer (&array.problem);
  if (array.strings != NULL)
    node->strings = (char **) g_ptr_array_free (g_steal_pointer (&array.strings), FALSE);
  if (node->problem != NULL || (array.kind != HL_MEMBER_TENSOR && array.kind != HL_MEMBER_GROUP))
    return node;

  g_autoptr (GBytes)
    bytes = g_bytes_new_take (g_steal_pointer (&array.numbers), array.n_numbers * sizeof (float));
  if (array.kind == HL_MEMBER_TENSOR)
    node->tensor =
      hl_tensor_new_for_bytes (HL_DTYPE_F32, &array.shape, NULL, FALSE, bytes, 0, &node->problem);
  else
    make_parts (node, &array, bytes);
  return node;
}

static HlArchiveNode *
read_number (Parser  *self,
             GError **error)
{
  HlJsonNumber number;
  gint64 integer;

  if (!hl_json_lexer_read_number (self->lexer, &number, error))
    return NULL;
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_OTHER);
  if (hl_json_number_to_int64 (&number, &integer))
    {
      node->attribute = g_variant_ref_sink (g_variant_new_int64 (integer));
      return node;
    }

  const double value = hl_json_number_to_double (&number);
  if (!number.special && value - value != 0)
    node->problem =
      g_error_new (HL_ERROR, HL_ERROR_VALUE, _ ("the number “%s” is too large"), get_label (self));
  else
    node->attribute = g_variant_ref_sink (g_variant_new_double (value));
  return node;
}

static HlArchiveNode *
read_string (Parser  *self,
             GError **error)
{
  if (!hl_json_lexer_read_string (self->lexer, self->value, self->budget->other_bytes, error) ||
      !hl_json_budget_spend (self->budget, self->value->len, error))
    return NULL;
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_OTHER);
  node->attribute = g_variant_ref_sink (g_variant_new_string (self->value->str));
  return node;
}

/* Anything but an object. Null is as if the member were not there: an empty result without an
 * error. */
static gboolean
read_value (Parser      *self,
            int          first,
            HlArchiveNode **node,
            GError     **error)
{
  gboolean truth = FALSE;

  switch (first)
    {
    case '[':
      *node = read_array (self, error);
      return *node != NULL;
    case '"':
      *node = read_string (self, error);
      return *node != NULL;
    case 'n':
      return hl_json_lexer_read_literal (self->lexer, "null", error);
    case 't':
      truth = TRUE;
      G_GNUC_FALLTHROUGH;
    case 'f':
      if (!hl_json_lexer_read_literal (self->lexer, truth ? "true" : "false", error))
        return FALSE;
      *node = hl_archive_node_new (HL_MEMBER_OTHER);
      (*node)->attribute = g_variant_ref_sink (g_variant_new_int64 (truth));
      return TRUE;
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
  Level *level = &self->levels[self->depth - 1];
  HlArchiveNode *earlier = hl_archive_node_get (level->group, self->name->str);

  level->n_members++;
  if (earlier == NULL)
    {
      hl_archive_node_add (level->group, self->name->str, node);
      return;
    }
  g_ptr_array_add (self->discarded, node);
  if (earlier->problem == NULL || !g_error_matches (earlier->problem, HL_ERROR, HL_ERROR_CORRUPT))
    {
      g_clear_error (&earlier->problem);
      earlier->problem = g_error_new (HL_ERROR, HL_ERROR_CORRUPT,
                                      _ ("“%s” is there more than once"), get_label (self));
    }
}

/* Whether there are objects in the list that begins at the present position, or lists of strings. */
static gboolean
is_list_of_groups (const HlJsonLexer *lexer)
{
  const char *at = lexer->at;
  guint depth = 0;

  for (; at < lexer->end && strchr ("[ \t\r\n", *at) != NULL && *at != '\0'; at++)
    depth += *at == '[';
  return at < lexer->end && (*at == '{' || (*at == '"' && depth > 1));
}

/* Opens an object, or a list of them or of lists of strings, whose members are named 0, 1, 2 … */
static gboolean
open_group (Parser        *self,
            HlArchiveNode *group,
            GError       **error)
{
  if (self->depth == HL_JSON_MAX_DEPTH)
    {
      guint64 line, column;
      hl_json_lexer_locate (self->lexer, self->lexer->at, &line, &column);
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ (
                     "there are more than %d objects inside one another, at line %" PRIu64
                     ", column %" PRIu64),
                   HL_JSON_MAX_DEPTH, line, column);
      return FALSE;
    }
  self->levels[self->depth] = (Level){
    .group = group,
    .path_length = self->path->len,
    .is_list = *self->lexer->at == '[',
  };
  self->lexer->at++;
  self->depth++;
  return TRUE;
}

/* The name of a member of an object, or the index of one of a list. */
static gboolean
read_name (Parser  *self,
           GError **error)
{
  const Level *level = &self->levels[self->depth - 1];

  if (level->is_list)
    {
      g_string_printf (self->name, "%" PRIu64, level->n_members);
    }
  else
    {
      if (hl_json_lexer_peek (self->lexer) != '"')
        return hl_json_lexer_fail (self->lexer, _ ("the name of a member"), error);
      if (!hl_json_lexer_read_string (self->lexer, self->name, self->budget->other_bytes, error))
        return FALSE;
      if (hl_json_lexer_peek (self->lexer) != ':')
        return hl_json_lexer_fail (self->lexer, "“:”", error);
      self->lexer->at++;
    }
  if (!hl_json_budget_spend (self->budget, self->name->len + MEMBER_COST, error))
    return FALSE;

  g_string_truncate (self->path, level->path_length);
  if (self->path->len > 0)
    g_string_append_c (self->path, '/');
  g_string_append_len (self->path, self->name->str, (gssize) self->name->len);
  return TRUE;
}

/* One member. A value is read whole; what holds members of its own is opened and becomes the
 * innermost. */
static gboolean
read_member (Parser   *self,
             gboolean *opened,
             GError  **error)
{
  HlArchiveNode *node = NULL;

  *opened = FALSE;
  if (!read_name (self, error) || !hl_json_lexer_check (self->lexer, error))
    return FALSE;
  const int first = hl_json_lexer_peek (self->lexer);
  if (first == '{' || (first == '[' && is_list_of_groups (self->lexer)))
    {
      node = hl_archive_node_new (HL_MEMBER_GROUP);
      add_member (self, node);
      *opened = TRUE;
      return open_group (self, node, error);
    }
  if (!read_value (self, first, &node, error))
    return FALSE;
  if (node != NULL)
    add_member (self, node);
  else
    self->levels[self->depth - 1].n_members++;
  return TRUE;
}

static gboolean
read_members (Parser  *self,
              GError **error)
{
  gboolean just_opened = TRUE;

  while (self->depth > 0)
    {
      const gboolean is_list = self->levels[self->depth - 1].is_list;
      const int next = hl_json_lexer_peek (self->lexer);

      if (next == (is_list ? ']' : '}'))
        {
          self->lexer->at++;
          self->depth--;
          just_opened = FALSE;
          continue;
        }
      if (!just_opened)
        {
          if (next != ',')
            return hl_json_lexer_fail (self->lexer, is_list ? _ ("“,” or “]”") : _ ("“,” or “}”"),
                                       error);
          self->lexer->at++;
        }
      if (!read_member (self, &just_opened, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * hl_json_parse_value:
 * @lexer: stands at the brace or bracket that opens it; afterwards behind the one that closes it
 * @budget: what it may cost
 * @name: what it is called in sentences, when it is a list
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED, %HL_ERROR_ENCODING, %HL_ERROR_TOO_LARGE or
 *   %G_IO_ERROR_CANCELLED
 *
 * Reads an object or a list of JSON that may stand amid other text, with all that is in it. A list
 * of objects, or of lists of strings, becomes a group, with members named 0, 1, 2 …
 *
 * Returns: (transfer full) (nullable): a group with its members, or what else it is
 */
HlArchiveNode *
hl_json_parse_value (HlJsonLexer  *lexer,
                     HlJsonBudget *budget,
                     const char   *name,
                     GError      **error)
{
  g_autoptr (GString) path = g_string_new (NULL);
  g_autoptr (GString) label = g_string_new (NULL);
  g_autoptr (GString) member = g_string_new (NULL);
  g_autoptr (GString) value = g_string_new (NULL);
  g_autoptr (GPtrArray)
    discarded = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_archive_node_free);
  Parser parser = {
    .lexer = lexer,
    .budget = budget,
    .path = path,
    .label = label,
    .name = member,
    .value = value,
    .discarded = discarded,
  };

  if (hl_json_lexer_peek (lexer) == '[' && !is_list_of_groups (lexer))
    {
      g_string_assign (path, name);
      return read_array (&parser, error);
    }
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);
  if (!open_group (&parser, root, error) || !read_members (&parser, error))
    return NULL;
  return g_steal_pointer (&root);
}

/**
 * hl_json_parse:
 * @lexer: stands where JSON begins; it need not be terminated and is not needed afterwards
 * @name: what it is called in sentences, when it is a list
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED, %HL_ERROR_ENCODING, %HL_ERROR_TOO_LARGE or
 *   %G_IO_ERROR_CANCELLED
 *
 * Reads an object or a list of JSON, and nothing behind it. Numbers take 4 bytes each, at most
 * 1 GiB; names and strings at most 256 MiB.
 *
 * Returns: (transfer full) (nullable): as hl_json_parse_value()
 */
HlArchiveNode *
hl_json_parse (HlJsonLexer *lexer,
               const char  *name,
               GError     **error)
{
  HlJsonBudget budget = HL_JSON_BUDGET;

  g_return_val_if_fail (lexer != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  switch (hl_json_lexer_peek (lexer))
    {
    case '{':
    case '[':
      break;
    case -1:
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("the file is empty but for white space"));
      return NULL;
    default:
      hl_json_lexer_fail (lexer, _ ("an object or a list"), error);
      return NULL;
    }
  g_autoptr (HlArchiveNode) root = hl_json_parse_value (lexer, &budget, name, error);
  if (root == NULL)
    return NULL;
  if (hl_json_lexer_peek (lexer) != -1)
    {
      hl_json_lexer_fail (lexer, _ ("the end of the file"), error);
      return NULL;
    }
  return g_steal_pointer (&root);
}
