/* SPDX-License-Identifier: MIT */
/* JSON as a flat list of nodes in the order of the text, each knowing where its subtree ends. Strings
 * lie one after the other in one block, terminated, so that a vocabulary of a quarter of a million
 * entries costs two allocations. */
#include "core/json/hl-json-tree.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/json/hl-json-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  guint32 next;   /* the node after this one and all that is inside it */
  guint32 offset; /* string: where in the block; number: which; boolean: its value */
  guint32 length; /* string: bytes; container: elements or members */
  guint32 kind;
} Node;

struct _HlJsonTree
{
  GArray *nodes;
  GArray *numbers;
  GString *strings;
};

static const Node *
get_node (HlJsonValue value)
{
  return &g_array_index (value.tree->nodes, Node, value.index);
}

static guint32
add_node (HlJsonTree *self,
          HlJsonKind  kind)
{
  const Node node = { .next = self->nodes->len + 1, .kind = kind };

  g_array_append_val (self->nodes, node);
  return self->nodes->len - 1;
}

/* A string, or the name of a member. */
static gboolean
read_string (HlJsonTree   *self,
             HlJsonReader *reader,
             gboolean      is_name,
             GError      **error)
{
  const guint32 index = add_node (self, HL_JSON_STRING);
  const gsize offset = self->strings->len;
  const gsize most = HL_LIMIT_JSON_TREE - MIN (offset, HL_LIMIT_JSON_TREE);

  if (!(is_name ? hl_json_reader_read_name (reader, self->strings, most, error)
                : hl_json_reader_read_string (reader, self->strings, most, error)))
    return FALSE;
  Node *node = &g_array_index (self->nodes, Node, index);
  node->offset = (guint32) offset;
  node->length = (guint32) (self->strings->len - offset);
  g_string_append_c (self->strings, '\0');
  return TRUE;
}

static gboolean
read_word (HlJsonTree   *self,
           HlJsonReader *reader,
           GError      **error)
{
  const char *word = hl_json_reader_read_word (reader, error);

  if (word == NULL)
    return FALSE;
  const guint32 index = add_node (self, *word == 'n' ? HL_JSON_NULL : HL_JSON_BOOLEAN);
  g_array_index (self->nodes, Node, index).offset = *word == 't';
  return TRUE;
}

static gboolean
read_number (HlJsonTree   *self,
             HlJsonReader *reader,
             GError      **error)
{
  HlJsonNumber number;

  if (!hl_json_reader_read_number (reader, &number, error))
    return FALSE;
  const guint32 index = add_node (self, HL_JSON_NUMBER);
  g_array_index (self->nodes, Node, index).offset = self->numbers->len;
  const double value = hl_json_number_to_double (&number);
  g_array_append_val (self->numbers, value);
  return TRUE;
}

static gboolean read_value (HlJsonTree *self, HlJsonReader *reader, GError **error);

static gboolean
read_container (HlJsonTree   *self,
                HlJsonReader *reader,
                char          opener,
                GError      **error)
{
  const gboolean is_object = opener == '{';
  const guint32 index = add_node (self, is_object ? HL_JSON_OBJECT : HL_JSON_ARRAY);
  gboolean more;

  if (!hl_json_reader_begin (reader, opener, NULL, error) || !hl_json_reader_next (reader, &more, error))
    return FALSE;
  while (more)
    if ((is_object && !read_string (self, reader, TRUE, error)) || !read_value (self, reader, error) ||
        !hl_json_reader_next (reader, &more, error))
      return FALSE;
  Node *node = &g_array_index (self->nodes, Node, index);
  node->next = self->nodes->len;
  node->length = (guint32) reader->counts[reader->depth + 1];
  return TRUE;
}

static gboolean
read_value (HlJsonTree   *self,
            HlJsonReader *reader,
            GError      **error)
{
  const int first = hl_json_reader_peek (reader);
  const gsize size = self->nodes->len * sizeof (Node) + self->numbers->len * sizeof (double) + self->strings->len;

  if (size > HL_LIMIT_JSON_TREE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the JSON needs more than %d MiB of memory"),
                   (int) (HL_LIMIT_JSON_TREE >> 20));
      return FALSE;
    }
  switch (first)
    {
    case '{':
    case '[':
      return read_container (self, reader, (char) first, error);
    case '"':
      return read_string (self, reader, FALSE, error);
    case 't':
    case 'f':
    case 'n':
      return read_word (self, reader, error);
    default:
      return read_number (self, reader, error);
    }
}

/**
 * hl_json_tree_new:
 * @text: (array length=size): JSON in UTF-8; not needed afterwards
 * @size: its bytes
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED, %HL_ERROR_ENCODING, or %HL_ERROR_TOO_LARGE for more
 *   than 128 MiB
 *
 * Returns: (transfer full): the tree
 */
HlJsonTree *
hl_json_tree_new (const char *text,
                  gsize       size,
                  GError    **error)
{
  HlJsonReader reader;

  g_return_val_if_fail (text != NULL || size == 0, NULL);

  if (size > HL_LIMIT_JSON_CONFIG)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the JSON is larger than %d MiB"),
                   (int) (HL_LIMIT_JSON_CONFIG >> 20));
      return NULL;
    }
  g_autoptr (HlJsonTree) self = g_new0 (HlJsonTree, 1);
  self->nodes = g_array_sized_new (FALSE, FALSE, sizeof (Node), (guint) (size / 32 + 16));
  self->numbers = g_array_new (FALSE, FALSE, sizeof (double));
  self->strings = g_string_sized_new (size / 2 + 16);
  add_node (self, HL_JSON_MISSING);

  hl_json_reader_init (&reader, size > 0 ? text : "", size, NULL, NULL);
  if (!read_value (self, &reader, error) || !hl_json_reader_end (&reader, _ ("the end"), error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * hl_json_tree_free:
 * @self: (transfer full): a tree
 */
void
hl_json_tree_free (HlJsonTree *self)
{
  g_array_unref (self->nodes);
  g_array_unref (self->numbers);
  g_string_free (self->strings, TRUE);
  g_free (self);
}

/**
 * hl_json_tree_get_root:
 * @self: a tree
 *
 * Returns: the outermost value
 */
HlJsonValue
hl_json_tree_get_root (const HlJsonTree *self)
{
  return (HlJsonValue){ self, 1 };
}

/**
 * hl_json_value_get_kind:
 * @value: a value
 *
 * Returns: what it is
 */
HlJsonKind
hl_json_value_get_kind (HlJsonValue value)
{
  return (HlJsonKind) get_node (value)->kind;
}

/**
 * hl_json_value_get_length:
 * @value: a value
 *
 * Returns: how many elements or members it has, or bytes of a string
 */
guint
hl_json_value_get_length (HlJsonValue value)
{
  return get_node (value)->length;
}

/**
 * hl_json_value_get:
 * @object: a value
 * @key: a name
 *
 * Returns: the last member of that name, of kind %HL_JSON_MISSING if there is none or @object is none
 */
HlJsonValue
hl_json_value_get (HlJsonValue object,
                   const char *key)
{
  HlJsonValue found = { object.tree, 0 };
  HlJsonIter iter;

  if (get_node (object)->kind != HL_JSON_OBJECT)
    return found;
  hl_json_iter_init (&iter, object);
  while (hl_json_iter_next (&iter))
    if (strcmp (iter.key, key) == 0)
      found = iter.value;
  return found;
}

/**
 * hl_json_value_as_string:
 * @value: a value
 *
 * Returns: (transfer none) (nullable): the string, as long as the tree lives; %NULL if it is none
 */
const char *
hl_json_value_as_string (HlJsonValue value)
{
  const Node *node = get_node (value);

  return node->kind == HL_JSON_STRING ? value.tree->strings->str + node->offset : NULL;
}

/**
 * hl_json_value_as_double:
 * @value: a value
 * @number: (out): the number
 *
 * Returns: whether it is a number
 */
gboolean
hl_json_value_as_double (HlJsonValue value,
                         double     *number)
{
  const Node *node = get_node (value);

  if (node->kind != HL_JSON_NUMBER)
    return FALSE;
  *number = g_array_index (value.tree->numbers, double, node->offset);
  return TRUE;
}

/**
 * hl_json_value_as_uint:
 * @value: a value
 * @number: (out): the number
 *
 * Returns: whether it is a whole number from 0 to 2³² − 1
 */
gboolean
hl_json_value_as_uint (HlJsonValue value,
                       guint32    *number)
{
  double real;

  if (!hl_json_value_as_double (value, &real) || !(real >= 0 && real <= G_MAXUINT32) || real != (double) (guint32) real)
    return FALSE;
  *number = (guint32) real;
  return TRUE;
}

/**
 * hl_json_iter_init:
 * @iter: an iterator
 * @container: a value; of anything but an object or list there is nothing to step through
 */
void
hl_json_iter_init (HlJsonIter *iter,
                   HlJsonValue container)
{
  const Node *node = get_node (container);

  *iter = (HlJsonIter){
    .value = { container.tree, 0 },
    .next = container.index + 1,
    .object = node->kind == HL_JSON_OBJECT,
    .left = node->kind == HL_JSON_OBJECT || node->kind == HL_JSON_ARRAY ? node->length : 0,
  };
}

/**
 * hl_json_iter_next:
 * @iter: an iterator
 *
 * Returns: whether there was another one
 */
gboolean
hl_json_iter_next (HlJsonIter *iter)
{
  if (iter->left == 0)
    return FALSE;
  iter->left--;
  if (iter->object)
    {
      iter->key = hl_json_value_as_string ((HlJsonValue){ iter->value.tree, iter->next });
      iter->next++;
    }
  iter->value.index = iter->next;
  iter->next = get_node (iter->value)->next;
  return TRUE;
}

static gboolean
fail_kind (const char *key,
           HlJsonKind  kind,
           GError    **error)
{
  const char *const names[] = {
    [HL_JSON_MISSING] = "",
    [HL_JSON_NULL] = "null",
    [HL_JSON_BOOLEAN] = _ ("true or false"),
    [HL_JSON_NUMBER] = _ ("a whole number that is not negative"),
    [HL_JSON_STRING] = _ ("a string"),
    [HL_JSON_ARRAY] = _ ("a list"),
    [HL_JSON_OBJECT] = _ ("an object"),
  };

  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not %s"), key, names[kind]);
  return FALSE;
}

/**
 * hl_json_get_member:
 * @object: a value
 * @key: a name
 * @kind: what it must be
 * @error: %HL_ERROR_MISSING or %HL_ERROR_VALUE
 *
 * Returns: the member; of kind %HL_JSON_MISSING, with @error set, if it is not there or another kind
 */
HlJsonValue
hl_json_get_member (HlJsonValue object,
                    const char *key,
                    HlJsonKind  kind,
                    GError    **error)
{
  const HlJsonValue value = hl_json_value_get (object, key);
  const HlJsonKind found = hl_json_value_get_kind (value);

  if (found == kind)
    return value;
  if (found == HL_JSON_MISSING)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” is missing"), key);
  else
    fail_kind (key, kind, error);
  return (HlJsonValue){ object.tree, 0 };
}

/**
 * hl_json_get_boolean:
 * @object: a value
 * @key: a name
 * @value: (inout): stays as it is if the member is missing or null
 * @error: %HL_ERROR_VALUE
 *
 * Returns: whether it was missing, null or a boolean
 */
gboolean
hl_json_get_boolean (HlJsonValue object,
                     const char *key,
                     gboolean   *value,
                     GError    **error)
{
  const Node *node = get_node (hl_json_value_get (object, key));

  if (node->kind == HL_JSON_MISSING || node->kind == HL_JSON_NULL)
    return TRUE;
  if (node->kind != HL_JSON_BOOLEAN)
    return fail_kind (key, HL_JSON_BOOLEAN, error);
  *value = (gboolean) node->offset;
  return TRUE;
}

/**
 * hl_json_get_string:
 * @object: a value
 * @key: a name
 * @value: (inout) (transfer none): stays as it is if the member is missing or null
 * @error: %HL_ERROR_VALUE
 *
 * Returns: whether it was missing, null or a string
 */
gboolean
hl_json_get_string (HlJsonValue  object,
                    const char  *key,
                    const char **value,
                    GError     **error)
{
  const HlJsonValue member = hl_json_value_get (object, key);
  const HlJsonKind kind = hl_json_value_get_kind (member);

  if (kind == HL_JSON_MISSING || kind == HL_JSON_NULL)
    return TRUE;
  if (kind != HL_JSON_STRING)
    return fail_kind (key, HL_JSON_STRING, error);
  *value = hl_json_value_as_string (member);
  return TRUE;
}

/**
 * hl_json_get_uint:
 * @object: a value
 * @key: a name
 * @value: (inout): stays as it is if the member is missing or null
 * @error: %HL_ERROR_VALUE
 *
 * Returns: whether it was missing, null or a whole number from 0 to 2³² − 1
 */
gboolean
hl_json_get_uint (HlJsonValue object,
                  const char *key,
                  guint32    *value,
                  GError    **error)
{
  const HlJsonValue member = hl_json_value_get (object, key);
  const HlJsonKind kind = hl_json_value_get_kind (member);

  if (kind == HL_JSON_MISSING || kind == HL_JSON_NULL || hl_json_value_as_uint (member, value))
    return TRUE;
  return fail_kind (key, HL_JSON_NUMBER, error);
}
