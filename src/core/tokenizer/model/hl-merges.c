/* SPDX-License-Identifier: MIT */
/* The pairs that byte-pair encoding joins: a table with open addressing, 16 bytes a slot. */
#include "core/tokenizer/model/hl-merges.h"

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define FREE G_MAXUINT32

typedef struct
{
  guint32 left;
  guint32 right;
  guint32 rank;
  guint32 joined;
} Slot;

struct _HlMerges
{
  Slot   *slots;
  guint32 mask;
};

static Slot *
find_slot (const HlMerges *self,
           guint32         left,
           guint32         right)
{
  guint64 hash = ((guint64) left << 32 | right) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  hash ^= hash >> 32;
  for (guint32 at = (guint32) hash & self->mask;; at = (at + 1) & self->mask)
    {
      Slot *slot = &self->slots[at];
      if (slot->left == FREE || (slot->left == left && slot->right == right))
        return slot;
    }
}

/* A merge is a list of two strings, or one string with a space between them. */
static gboolean
get_pair (HlJsonValue  merge,
          const char **left,
          gsize       *left_length,
          const char **right)
{
  const char *line = hl_json_value_as_string (merge);
  HlJsonIter iter;

  if (line != NULL)
    {
      const char *space = strchr (line, ' ');
      *left = line;
      *left_length = space != NULL ? (gsize) (space - line) : 0;
      *right = space != NULL ? space + 1 : NULL;
      return space != NULL && strchr (space + 1, ' ') == NULL;
    }
  if (hl_json_value_get_kind (merge) != HL_JSON_ARRAY || hl_json_value_get_length (merge) != 2)
    return FALSE;
  hl_json_iter_init (&iter, merge);
  hl_json_iter_next (&iter);
  *left = hl_json_value_as_string (iter.value);
  hl_json_iter_next (&iter);
  *right = hl_json_value_as_string (iter.value);
  if (*left == NULL || *right == NULL)
    return FALSE;
  *left_length = strlen (*left);
  return TRUE;
}

static gboolean
fail_missing (guint        index,
              const char  *token,
              gsize        length,
              GError     **error)
{
  g_autofree char *start = hl_utf8_quote (token, length, 80);

  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               _ ("entry %u of “merges” needs the token “%s”, which is not in the vocabulary"), index, start);
  return FALSE;
}

static gboolean
add_merge (HlMerges            *self,
           HlJsonValue          merge,
           const HlVocabulary  *vocabulary,
           gsize                prefix_length,
           guint                index,
           GString             *joined,
           GError             **error)
{
  const char *left, *right;
  gsize left_length;
  guint32 left_id, right_id, id;

  if (!get_pair (merge, &left, &left_length, &right))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("entry %u of “merges” is not a pair of tokens"), index);
      return FALSE;
    }
  const gsize right_length = strlen (right);
  if (!hl_vocabulary_find (vocabulary, left, left_length, &left_id))
    return fail_missing (index, left, left_length, error);
  if (!hl_vocabulary_find (vocabulary, right, right_length, &right_id))
    return fail_missing (index, right, right_length, error);
  g_string_truncate (joined, 0);
  g_string_append_len (joined, left, (gssize) left_length);
  g_string_append (joined, right + MIN (prefix_length, right_length));
  if (!hl_vocabulary_find (vocabulary, joined->str, joined->len, &id))
    return fail_missing (index, joined->str, joined->len, error);
  *find_slot (self, left_id, right_id) = (Slot){ left_id, right_id, index, id };
  return TRUE;
}

/**
 * hl_merges_load:
 * @list: the merges, first those learned first
 * @vocabulary: the tokens
 * @prefix_length: bytes that the second of a pair loses when it is joined
 * @error: %HL_ERROR_VALUE, %HL_ERROR_MISSING
 *
 * Returns: (transfer full): the merges
 */
HlMerges *
hl_merges_load (HlJsonValue          list,
                const HlVocabulary  *vocabulary,
                gsize                prefix_length,
                GError             **error)
{
  g_autoptr (HlMerges) self = g_new0 (HlMerges, 1);
  g_autoptr (GString) joined = g_string_new (NULL);
  const guint n = hl_json_value_get_length (list);
  HlJsonIter iter;

  self->mask = 15;
  while (self->mask / 2 < n)
    self->mask = self->mask * 2 + 1;
  self->slots = g_new (Slot, (gsize) self->mask + 1);
  for (gsize i = 0; i <= self->mask; i++)
    self->slots[i].left = FREE;
  hl_json_iter_init (&iter, list);
  for (guint i = 0; hl_json_iter_next (&iter); i++)
    /* The first line of merges.txt sometimes got here. */
    if (!(hl_json_value_as_string (iter.value) != NULL &&
          g_str_has_prefix (hl_json_value_as_string (iter.value), "#version")) &&
        !add_merge (self, iter.value, vocabulary, prefix_length, i, joined, error))
      return NULL;
  return g_steal_pointer (&self);
}

/**
 * hl_merges_free:
 * @self: (transfer full): merges
 */
void
hl_merges_free (HlMerges *self)
{
  g_free (self->slots);
  g_free (self);
}

/**
 * hl_merges_find:
 * @self: merges
 * @left: a token
 * @right: the one after it
 * @rank: (out): how early it was learned, from 0
 * @joined: (out): the token that they become
 *
 * Returns: whether they are joined
 */
gboolean
hl_merges_find (const HlMerges *self,
                guint32         left,
                guint32         right,
                guint32        *rank,
                guint32        *joined)
{
  const Slot *slot = find_slot (self, left, right);

  if (slot->left == FREE)
    return FALSE;
  *rank = slot->rank;
  *joined = slot->joined;
  return TRUE;
}
