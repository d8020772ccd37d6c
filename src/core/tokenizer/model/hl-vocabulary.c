/* SPDX-License-Identifier: MIT */
/* Strings and ids, a quarter of a million of them in a few allocations: all strings in one block, and a
 * table of indices with open addressing. */
#include "core/tokenizer/model/hl-vocabulary.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/tokenizer/text/hl-pieces.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  guint32 offset; /* in the block */
  guint32 length;
  guint32 id;
  guint32 hash;
} Entry;

/* A place of the table; the hash is there too, so that few entries are looked at in vain. */
typedef struct
{
  guint32 index; /* of an entry plus 1, 0 for free */
  guint32 hash;
} Slot;

struct _HlVocabulary
{
  GString *block;
  GArray *entries; /* of Entry, one a string */
  GArray *by_id;   /* of guint32: index of an entry plus 1, 0 for a gap */
  Slot *table;
  guint32 mask;
  gsize longest; /* bytes of a token */
  guint64 seed;  /* so that nobody can choose tokens that are looked for in the same places */
};

HlVocabulary *
hl_vocabulary_new (void)
{
  HlVocabulary *self = g_new0 (HlVocabulary, 1);

  self->block = g_string_new (NULL);
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->by_id = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->mask = 1023;
  self->table = g_new0 (Slot, self->mask + 1);
  self->seed = (guint64) g_random_int () << 32 | g_random_int ();
  return self;
}

static void
resize (HlVocabulary *self,
        guint32       mask)
{
  g_free (self->table);
  self->mask = mask;
  self->table = g_new0 (Slot, (gsize) mask + 1);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const guint32 hash = g_array_index (self->entries, Entry, i).hash;
      guint32 at = hash & mask;
      while (self->table[at].index != 0)
        at = (at + 1) & mask;
      self->table[at] = (Slot){ i + 1, hash };
    }
}

/* Makes room for so many tokens, none of which may be more than %HL_LIMIT_TOKEN_ID. */
void
hl_vocabulary_reserve (HlVocabulary *self,
                       guint32       n_tokens)
{
  guint32 mask = self->mask;

  while (mask / 2 < n_tokens)
    mask = mask * 2 + 1;
  if (mask != self->mask)
    resize (self, mask);
}

void
hl_vocabulary_free (HlVocabulary *self)
{
  g_string_free (self->block, TRUE);
  g_array_unref (self->entries);
  g_array_unref (self->by_id);
  g_free (self->table);
  g_free (self);
}

static guint32
get_hash (const HlVocabulary *self,
          const char         *token,
          gsize               length)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325) ^ self->seed;

  for (gsize i = 0; i < length; i++)
    hash = (hash ^ (guchar) token[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return (guint32) (hash ^ hash >> 32);
}

static Slot *
find_slot (const HlVocabulary *self,
           const char         *token,
           gsize               length,
           guint32             hash)
{
  for (guint32 at = hash & self->mask;; at = (at + 1) & self->mask)
    {
      Slot *slot = &self->table[at];
      if (slot->index == 0)
        return slot;
      if (slot->hash != hash)
        continue;
      const Entry *entry = &g_array_index (self->entries, Entry, slot->index - 1);
      if (entry->length == length && memcmp (self->block->str + entry->offset, token, length) == 0)
        return slot;
    }
}

static void
fill (HlVocabulary *self,
      Slot         *slot,
      const char   *token,
      gsize         length,
      guint32       hash,
      guint32       id)
{
  if (slot->index != 0)
    {
      g_array_index (self->entries, Entry, slot->index - 1).id = id;
    }
  else
    {
      const Entry entry = { (guint32) self->block->len, (guint32) length, id, hash };
      g_string_append_len (self->block, token, (gssize) length);
      g_string_append_c (self->block, '\0');
      g_array_append_val (self->entries, entry);
      self->longest = MAX (self->longest, length);
      *slot = (Slot){ self->entries->len, hash };
    }
  if (id >= self->by_id->len)
    g_array_set_size (self->by_id, id + 1);
  g_array_index (self->by_id, guint32, id) = slot->index;
  if (self->entries->len > self->mask / 2)
    resize (self, self->mask * 2 + 1);
}

/* Whether one more token is short enough, and all of them together: a text repeats them, and they are arranged byte by byte. */
gboolean
hl_vocabulary_check (const HlVocabulary *self,
                     const char         *token,
                     gsize               length,
                     GError            **error)
{
  if (length > HL_LIMIT_SPELLING)
    {
      g_autofree char *start = hl_utf8_quote (token, length, 80);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the token “%s” of the vocabulary is longer than %d bytes"),
                   start, HL_LIMIT_SPELLING);
      return FALSE;
    }
  if (length < HL_LIMIT_VOCABULARY - self->block->len)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the vocabulary has more than %d MiB of text"),
               (int) (HL_LIMIT_VOCABULARY >> 20));
  return FALSE;
}

/* If another token had the id, that keeps leading to it; the id leads to the one added last. */
gboolean
hl_vocabulary_add (HlVocabulary *self,
                   const char   *token,
                   gsize         length,
                   guint32       id,
                   GError      **error)
{
  const guint32 hash = get_hash (self, token, length);

  if (id > HL_LIMIT_TOKEN_ID)
    {
      g_autofree char *start = hl_utf8_quote (token, length, 80);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the id %u of the token “%s” is larger than %u"), id, start,
                   HL_LIMIT_TOKEN_ID);
      return FALSE;
    }
  if (!hl_vocabulary_check (self, token, length, error))
    return FALSE;
  fill (self, find_slot (self, token, length, hash), token, length, hash, id);
  return TRUE;
}

/* Adds a token that hl_vocabulary_check() has nothing against, if it is not there; returns whether it was not, and otherwise in @id what it is. */
gboolean
hl_vocabulary_add_once (HlVocabulary *self,
                        const char   *token,
                        gsize         length,
                        guint32      *id)
{
  const guint32 hash = get_hash (self, token, length);
  Slot *slot = find_slot (self, token, length, hash);

  g_return_val_if_fail (*id <= HL_LIMIT_TOKEN_ID, FALSE);

  if (slot->index != 0)
    {
      *id = g_array_index (self->entries, Entry, slot->index - 1).id;
      return FALSE;
    }
  fill (self, slot, token, length, hash, *id);
  return TRUE;
}

gboolean
hl_vocabulary_add_object (HlVocabulary *self,
                          HlJsonValue   object,
                          GError      **error)
{
  HlJsonIter iter;

  hl_json_iter_init (&iter, object);
  while (hl_json_iter_next (&iter))
    {
      guint32 id;
      if (!hl_json_value_as_uint (iter.value, &id))
        {
          g_autofree char *start = hl_utf8_quote (iter.key, strlen (iter.key), 80);
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the id of the token “%s” is not a whole number"), start);
          return FALSE;
        }
      if (!hl_vocabulary_add (self, iter.key, strlen (iter.key), id, error))
        return FALSE;
    }
  /* Of a key that stands there twice the last counts; an id that it had first may be that of another. */
  for (guint32 id = 0; id < self->by_id->len; id++)
    {
      guint32 *index = &g_array_index (self->by_id, guint32, id);
      if (*index != 0 && g_array_index (self->entries, Entry, *index - 1).id != id)
        *index = 0;
    }
  for (guint32 i = 0; i < self->entries->len; i++)
    {
      guint32 *index = &g_array_index (self->by_id, guint32, g_array_index (self->entries, Entry, i).id);
      if (*index == 0)
        *index = i + 1;
    }
  return TRUE;
}

gboolean
hl_vocabulary_find (const HlVocabulary *self,
                    const char         *token,
                    gsize               length,
                    guint32            *id)
{
  if (length > self->longest)
    return FALSE;
  const Slot *slot = find_slot (self, token, length, get_hash (self, token, length));
  if (slot->index == 0)
    return FALSE;
  *id = g_array_index (self->entries, Entry, slot->index - 1).id;
  return TRUE;
}

const char *
hl_vocabulary_get_token (const HlVocabulary *self,
                         guint32             id)
{
  if (id >= self->by_id->len || g_array_index (self->by_id, guint32, id) == 0)
    return NULL;
  return self->block->str + g_array_index (self->entries, Entry, g_array_index (self->by_id, guint32, id) - 1).offset;
}

guint32
hl_vocabulary_get_n_ids (const HlVocabulary *self)
{
  return self->by_id->len;
}

/* Returns how many tokens there are, with or without gaps between their ids: of strings, or of ids if a string has several. */
guint32
hl_vocabulary_get_n_tokens (const HlVocabulary *self)
{
  guint32 n = 0;

  for (guint32 id = 0; id < self->by_id->len; id++)
    n += g_array_index (self->by_id, guint32, id) != 0;
  return MAX (n, self->entries->len);
}

/* Finds the tokens of single bytes, which are spelt `<0x41>`: %HL_NO_TOKEN for those that it does not have. */
void
hl_vocabulary_find_bytes (const HlVocabulary *self,
                          guint32             ids[256])
{
  for (guint byte = 0; byte < 256; byte++)
    {
      char name[8];
      g_snprintf (name, sizeof name, "<0x%02X>", byte);
      if (!hl_vocabulary_find (self, name, strlen (name), &ids[byte]))
        ids[byte] = HL_NO_TOKEN;
    }
}

/* Reads the member `unk_token` of a model. One that is not in the vocabulary is only wrong when it is needed. */
gboolean
hl_vocabulary_load_unknown (const HlVocabulary *self,
                            HlJsonValue         config,
                            gboolean           *has_unknown,
                            guint32            *unknown,
                            GError            **error)
{
  const char *name = NULL;

  if (!hl_json_get_string (config, "unk_token", &name, error))
    return FALSE;
  if (name != NULL)
    *has_unknown = hl_vocabulary_find (self, name, strlen (name), unknown);
  return TRUE;
}
