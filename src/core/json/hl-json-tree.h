/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlJsonTree:
 *
 * A whole JSON text as a flat list of 16-byte nodes, for files with hundreds of thousands of short
 * members, such as vocabularies. Immutable.
 */
typedef struct _HlJsonTree HlJsonTree;

/**
 * HlJsonKind:
 * @HL_JSON_MISSING: there is no such value
 * @HL_JSON_NULL: `null`
 * @HL_JSON_BOOLEAN: `true` or `false`
 * @HL_JSON_NUMBER: a number
 * @HL_JSON_STRING: a string
 * @HL_JSON_ARRAY: a list
 * @HL_JSON_OBJECT: an object
 *
 * What a value is.
 */
typedef enum
{
  HL_JSON_MISSING,
  HL_JSON_NULL,
  HL_JSON_BOOLEAN,
  HL_JSON_NUMBER,
  HL_JSON_STRING,
  HL_JSON_ARRAY,
  HL_JSON_OBJECT,
} HlJsonKind;

/**
 * HlJsonValue:
 * @tree: where it is
 * @index: private
 *
 * A value of a tree. Cheap to copy; good as long as the tree.
 */
typedef struct
{
  const HlJsonTree *tree;
  guint32           index;
} HlJsonValue;

/**
 * HlJsonIter:
 * @key: (nullable): the name of the present member; %NULL in lists
 * @value: the present value
 *
 * Steps through the members of an object or the elements of a list.
 */
typedef struct
{
  const char *key;
  HlJsonValue value;
  /*< private >*/
  guint32     next;
  guint32     left;
  gboolean    object;
} HlJsonIter;

HlJsonTree *hl_json_tree_new          (const char        *text,
                                       gsize              size,
                                       GError           **error);
void        hl_json_tree_free         (HlJsonTree        *self);
HlJsonValue hl_json_tree_get_root     (const HlJsonTree  *self);

HlJsonKind  hl_json_value_get_kind    (HlJsonValue        value);
guint       hl_json_value_get_length  (HlJsonValue        value);
HlJsonValue hl_json_value_get         (HlJsonValue        object,
                                       const char        *key);
const char *hl_json_value_as_string   (HlJsonValue        value);
gboolean    hl_json_value_as_double   (HlJsonValue        value,
                                       double            *number);
gboolean    hl_json_value_as_uint     (HlJsonValue        value,
                                       guint32           *number);
void        hl_json_iter_init         (HlJsonIter        *iter,
                                       HlJsonValue        container);
gboolean    hl_json_iter_next         (HlJsonIter        *iter);

HlJsonValue hl_json_get_member        (HlJsonValue        object,
                                       const char        *key,
                                       HlJsonKind         kind,
                                       GError           **error);
gboolean    hl_json_get_boolean       (HlJsonValue        object,
                                       const char        *key,
                                       gboolean          *value,
                                       GError           **error);
gboolean    hl_json_get_string        (HlJsonValue        object,
                                       const char        *key,
                                       const char       **value,
                                       GError           **error);
gboolean    hl_json_get_uint          (HlJsonValue        object,
                                       const char        *key,
                                       guint32           *value,
                                       GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlJsonTree, hl_json_tree_free)

G_END_DECLS
