/* SPDX-License-Identifier: MIT */
/* SentencePiece's way with spaces: they become a visible character that words begin with. */
#include "core/tokenizer/pre-tokenizer/hl-pre-tokenizer.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef enum
{
  PREPEND_ALWAYS,
  PREPEND_FIRST,
  PREPEND_NEVER,
} PrependScheme;

typedef struct
{
  HlPreTokenizer parent;
  char           replacement[8];
  PrependScheme  scheme;
  gboolean       split;
} Metaspace;

static gboolean
load_scheme (HlJsonValue     config,
             PrependScheme  *scheme,
             GError        **error)
{
  static const char *const names[] = { "always", "first", "never" };
  const char *name = NULL;
  gboolean add_prefix_space = TRUE;

  if (!hl_json_get_string (config, "prepend_scheme", &name, error) ||
      !hl_json_get_boolean (config, "add_prefix_space", &add_prefix_space, error))
    return FALSE;
  *scheme = PREPEND_ALWAYS;
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      {
        *scheme = (PrependScheme) i;
        name = NULL;
      }
  if (name != NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a known “prepend_scheme”"), name);
      return FALSE;
    }
  /* Older files have only add_prefix_space; where both are, false must agree with never. */
  if (!add_prefix_space)
    {
      if (hl_json_value_as_string (hl_json_value_get (config, "prepend_scheme")) != NULL &&
          *scheme != PREPEND_NEVER)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("“add_prefix_space” contradicts “prepend_scheme”"));
          return FALSE;
        }
      *scheme = PREPEND_NEVER;
    }
  return TRUE;
}

static HlPreTokenizer *
metaspace_load (HlJsonValue   config,
                guint         depth,
                GError      **error)
{
  const char *replacement = "▁";
  g_autofree Metaspace *self = g_new0 (Metaspace, 1);

  self->split = TRUE;
  if (!hl_json_get_string (config, "replacement", &replacement, error) ||
      !load_scheme (config, &self->scheme, error) ||
      !hl_json_get_boolean (config, "split", &self->split, error))
    return NULL;
  if (g_utf8_strlen (replacement, -1) != 1)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“replacement” is not one character"));
      return NULL;
    }
  g_strlcpy (self->replacement, replacement, sizeof self->replacement);
  return &((Metaspace *) g_steal_pointer (&self))->parent;
}

static void
append_replaced (HlAligned       *text,
                 const HlAligned *old,
                 const HlPiece   *piece,
                 const char      *replacement,
                 gsize            length)
{
  gsize from = piece->start;

  for (gsize at = piece->start; at < piece->end; at++)
    if (old->bytes[at] == ' ')
      {
        hl_aligned_append_part (text, old, from, at);
        hl_aligned_append (text, replacement, length, old->spans[at]);
        from = at + 1;
      }
  hl_aligned_append_part (text, old, from, piece->end);
}

static gboolean
is_character (gunichar      c,
              gconstpointer data)
{
  return c == GPOINTER_TO_UINT (data);
}

static gboolean
metaspace_apply (const HlPreTokenizer  *self,
                 HlPieces              *pieces,
                 GError               **error)
{
  const Metaspace *metaspace = (const Metaspace *) self;
  const char *replacement = metaspace->replacement;
  const gsize length = strlen (replacement);
  HlPieces result;

  hl_pieces_init (&result);
  for (guint i = 0; i < pieces->pieces->len; i++)
    {
      const HlPiece *piece = &g_array_index (pieces->pieces, HlPiece, i);
      const char *bytes = pieces->text.bytes + piece->start;
      const gsize start = result.text.length;
      if (piece->token != HL_NO_TOKEN)
        {
          hl_aligned_append_part (&result.text, &pieces->text, piece->start, piece->end);
        }
      else
        {
          const gboolean has_it = *bytes == ' ' || (piece->end - piece->start >= length &&
                                                    memcmp (bytes, replacement, length) == 0);
          if (!has_it && (metaspace->scheme == PREPEND_ALWAYS ||
                          (metaspace->scheme == PREPEND_FIRST && piece->origin == 0)))
            hl_aligned_append (&result.text, replacement, length, pieces->text.spans[piece->start]);
          append_replaced (&result.text, &pieces->text, piece, replacement, length);
        }
      hl_pieces_add (&result, start, result.text.length, piece->token, piece->origin);
    }
  result.text.overflow |= pieces->text.overflow;
  hl_pieces_clear (pieces);
  *pieces = result;
  return !metaspace->split ||
         hl_pieces_split_by (pieces, is_character, GUINT_TO_POINTER (g_utf8_get_char (replacement)),
                             HL_SPLIT_MERGED_WITH_NEXT, error);
}

static void
metaspace_free (HlPreTokenizer *self)
{
  g_free (self);
}

const HlPreTokenizerClass hl_metaspace_pre_tokenizer = { "Metaspace", metaspace_load, metaspace_apply,
                                                         metaspace_free };
