/* SPDX-License-Identifier: MIT */
/* Which pre-tokenizers there are, and one after the other. */
#include "core/tokenizer/pre-tokenizer/hl-pre-tokenizer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/tokenizer/normalizer/hl-normalizer.h"
#include "core/tokenizer/text/hl-byte-level.h"
#include "core/tokenizer/text/hl-pattern.h"
#include "core/tokenizer/text/hl-unicode.h"

static gboolean
hl_split_behavior_load (HlJsonValue      config,
                        HlSplitBehavior *behavior,
                        GError         **error)
{
  static const char *const names[] = {
    [HL_SPLIT_REMOVED] = "Removed",
    [HL_SPLIT_ISOLATED] = "Isolated",
    [HL_SPLIT_MERGED_WITH_PREVIOUS] = "MergedWithPrevious",
    [HL_SPLIT_MERGED_WITH_NEXT] = "MergedWithNext",
    [HL_SPLIT_CONTIGUOUS] = "Contiguous",
  };
  const char *name = NULL;

  if (!hl_json_get_string (config, "behavior", &name, error))
    return FALSE;
  if (name == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      {
        *behavior = (HlSplitBehavior) i;
        return TRUE;
      }
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a known “behavior”"), name);
  return FALSE;
}

typedef struct
{
  HlPreTokenizer parent;
  gboolean add_prefix_space;
  GPtrArray *patterns; /* of HlPattern; what each matches is a piece for the next */
} ByteLevel;

static void
byte_level_free (HlPreTokenizer *self)
{
  g_ptr_array_unref (((ByteLevel *) self)->patterns);
  g_free (self);
}

static HlPreTokenizer *
byte_level_load (HlJsonValue config,
                 guint       depth,
                 GError    **error)
{
  static const char *const patterns[] = { HL_BYTE_LEVEL_REGEX };
  gboolean add_prefix_space = TRUE, use_regex = TRUE;

  if (!hl_json_get_boolean (config, "add_prefix_space", &add_prefix_space, error) ||
      !hl_json_get_boolean (config, "use_regex", &use_regex, error))
    return NULL;
  return hl_pre_tokenizer_new_byte_level (patterns, use_regex ? 1 : 0, add_prefix_space, error);
}

static void
add_prefix_spaces (HlPieces *pieces)
{
  HlPieces spaced;

  hl_pieces_init (&spaced, pieces->text.room);
  for (guint i = 0; i < pieces->pieces->len && !pieces->text.room->overflow; i++)
    {
      const HlPiece *piece = &g_array_index (pieces->pieces, HlPiece, i);
      const gsize start = spaced.text.length;
      if (piece->token == HL_NO_TOKEN && pieces->text.bytes[piece->start] != ' ')
        hl_aligned_append (&spaced.text, " ", 1, pieces->text.spans[piece->start]);
      hl_aligned_append_part (&spaced.text, &pieces->text, piece->start, piece->end);
      hl_pieces_add (&spaced, start, spaced.text.length, piece->token, piece->origin);
    }
  hl_pieces_clear (pieces);
  *pieces = spaced;
}

static gboolean
find_pattern (const char *text,
              gsize       length,
              HlTextRoom *room,
              GArray     *matches,
              gpointer    data,
              GError    **error)
{
  return hl_pattern_find (data, text, length, FALSE, room, matches, error);
}

static gboolean
byte_level_apply (const HlPreTokenizer *self,
                  HlPieces             *pieces,
                  GError              **error)
{
  const ByteLevel *byte_level = (const ByteLevel *) self;
  HlPieces bytes;

  if (byte_level->add_prefix_space)
    add_prefix_spaces (pieces);
  if (!hl_text_room_check (pieces->text.room, error))
    return FALSE;
  for (guint i = 0; i < byte_level->patterns->len; i++)
    if (!hl_pieces_split (pieces, find_pattern, byte_level->patterns->pdata[i], HL_SPLIT_ISOLATED, error))
      return FALSE;

  hl_pieces_init (&bytes, pieces->text.room);
  for (guint i = 0; i < pieces->pieces->len && !pieces->text.room->overflow; i++)
    {
      const HlPiece *piece = &g_array_index (pieces->pieces, HlPiece, i);
      const gsize start = bytes.text.length;
      if (piece->token == HL_NO_TOKEN)
        hl_byte_level_append (&bytes.text, &pieces->text, piece->start, piece->end);
      else
        hl_aligned_append_part (&bytes.text, &pieces->text, piece->start, piece->end);
      hl_pieces_add (&bytes, start, bytes.text.length, piece->token, piece->origin);
    }
  hl_pieces_clear (pieces);
  *pieces = bytes;
  return TRUE;
}

static const HlPreTokenizerClass hl_byte_level_pre_tokenizer = { "ByteLevel", byte_level_load, byte_level_apply,
                                                                 byte_level_free };

/* Returns one that cuts at what patterns match, one after the other, and makes letters of bytes. */
HlPreTokenizer *
hl_pre_tokenizer_new_byte_level (const char *const *patterns,
                                 guint              n_patterns,
                                 gboolean           add_prefix_space,
                                 GError           **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_pattern_free);

  for (guint i = 0; i < n_patterns; i++)
    {
      HlPattern *pattern = hl_pattern_new_regex (patterns[i], error);
      if (pattern == NULL)
        return NULL;
      g_ptr_array_add (list, pattern);
    }
  ByteLevel *self = g_new0 (ByteLevel, 1);
  self->parent.klass = &hl_byte_level_pre_tokenizer;
  self->add_prefix_space = add_prefix_space;
  self->patterns = g_steal_pointer (&list);
  return &self->parent;
}

/* SentencePiece's way with spaces: they become a visible character that words begin with. */

typedef enum
{
  PREPEND_ALWAYS,
  PREPEND_FIRST,
  PREPEND_NEVER,
} PrependScheme;

typedef struct
{
  HlPreTokenizer parent;
  char replacement[8];
  PrependScheme scheme;
  gboolean split;
} Metaspace;

static gboolean
load_scheme (HlJsonValue    config,
             PrependScheme *scheme,
             GError       **error)
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
      if (hl_json_value_as_string (hl_json_value_get (config, "prepend_scheme")) != NULL && *scheme != PREPEND_NEVER)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“add_prefix_space” contradicts “prepend_scheme”"));
          return FALSE;
        }
      *scheme = PREPEND_NEVER;
    }
  return TRUE;
}

static HlPreTokenizer *
metaspace_load (HlJsonValue config,
                guint       depth,
                GError    **error)
{
  const char *replacement = "▁";
  g_autofree Metaspace *self = g_new0 (Metaspace, 1);

  self->split = TRUE;
  if (!hl_json_get_string (config, "replacement", &replacement, error) || !load_scheme (config, &self->scheme, error) ||
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

  for (gsize at = piece->start; at < piece->end && !text->room->overflow; at++)
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
metaspace_apply (const HlPreTokenizer *self,
                 HlPieces             *pieces,
                 GError              **error)
{
  const Metaspace *metaspace = (const Metaspace *) self;
  const char *replacement = metaspace->replacement;
  const gsize length = strlen (replacement);
  HlPieces result;

  hl_pieces_init (&result, pieces->text.room);
  for (guint i = 0; i < pieces->pieces->len && !pieces->text.room->overflow; i++)
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
          const gboolean has_it = *bytes == ' ' ||
                                  (piece->end - piece->start >= length && memcmp (bytes, replacement, length) == 0);
          if (!has_it &&
              (metaspace->scheme == PREPEND_ALWAYS || (metaspace->scheme == PREPEND_FIRST && piece->origin == 0)))
            hl_aligned_append (&result.text, replacement, length, pieces->text.spans[piece->start]);
          append_replaced (&result.text, &pieces->text, piece, replacement, length);
        }
      hl_pieces_add (&result, start, result.text.length, piece->token, piece->origin);
    }
  hl_pieces_clear (pieces);
  *pieces = result;
  if (!hl_text_room_check (pieces->text.room, error))
    return FALSE;
  return !metaspace->split ||
         hl_pieces_split_by (pieces, is_character, GUINT_TO_POINTER (g_utf8_get_char (replacement)),
                             HL_SPLIT_MERGED_WITH_NEXT, error);
}

static void
metaspace_free (HlPreTokenizer *self)
{
  g_free (self);
}

static const HlPreTokenizerClass hl_metaspace_pre_tokenizer = { "Metaspace", metaspace_load, metaspace_apply,
                                                                metaspace_free };

/* Pre-tokenizers that cut at classes of characters. */

/* What most of them need: how to cut, and where. */
typedef struct
{
  HlPreTokenizer parent;
  HlSplitBehavior behavior;
  guint32 number; /* a character, or a length */
} Simple;

static Simple *
simple_new (HlSplitBehavior behavior)
{
  Simple *self = g_new0 (Simple, 1);

  self->behavior = behavior;
  return self;
}

static HlPreTokenizer *
plain_load (HlJsonValue config,
            guint       depth,
            GError    **error)
{
  return &simple_new (HL_SPLIT_REMOVED)->parent;
}

static void
plain_free (HlPreTokenizer *self)
{
  g_free (self);
}

static gboolean
is_of_class (gunichar      c,
             gconstpointer data)
{
  return hl_unicode_is (c, (HlCharClass) GPOINTER_TO_UINT (data));
}

static gboolean
bert_apply (const HlPreTokenizer *self,
            HlPieces             *pieces,
            GError              **error)
{
  return hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_SPACE), HL_SPLIT_REMOVED, error) &&
         hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_PUNCTUATION), HL_SPLIT_ISOLATED, error);
}

static const HlPreTokenizerClass hl_bert_pre_tokenizer = { "BertPreTokenizer", plain_load, bert_apply, plain_free };

static gboolean
whitespace_split_apply (const HlPreTokenizer *self,
                        HlPieces             *pieces,
                        GError              **error)
{
  return hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_SPACE), HL_SPLIT_REMOVED, error);
}

static const HlPreTokenizerClass hl_whitespace_split_pre_tokenizer = { "WhitespaceSplit", plain_load,
                                                                       whitespace_split_apply, plain_free };

static gboolean
whitespace_apply (const HlPreTokenizer *self,
                  HlPieces             *pieces,
                  GError              **error)
{
  return whitespace_split_apply (self, pieces, error) &&
         hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_WORD), HL_SPLIT_CONTIGUOUS, error);
}

static const HlPreTokenizerClass hl_whitespace_pre_tokenizer = { "Whitespace", plain_load, whitespace_apply,
                                                                 plain_free };

static HlPreTokenizer *
punctuation_load (HlJsonValue config,
                  guint       depth,
                  GError    **error)
{
  g_autofree Simple *self = simple_new (HL_SPLIT_ISOLATED);

  if (!hl_split_behavior_load (config, &self->behavior, error))
    return NULL;
  return &((Simple *) g_steal_pointer (&self))->parent;
}

static gboolean
punctuation_apply (const HlPreTokenizer *self,
                   HlPieces             *pieces,
                   GError              **error)
{
  return hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_PUNCTUATION),
                             ((const Simple *) self)->behavior, error);
}

static const HlPreTokenizerClass hl_punctuation_pre_tokenizer = { "Punctuation", punctuation_load, punctuation_apply,
                                                                  plain_free };

static HlPreTokenizer *
digits_load (HlJsonValue config,
             guint       depth,
             GError    **error)
{
  gboolean individual = FALSE;

  if (!hl_json_get_boolean (config, "individual_digits", &individual, error))
    return NULL;
  return &simple_new (individual ? HL_SPLIT_ISOLATED : HL_SPLIT_CONTIGUOUS)->parent;
}

static gboolean
digits_apply (const HlPreTokenizer *self,
              HlPieces             *pieces,
              GError              **error)
{
  return hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_NUMBER), ((const Simple *) self)->behavior,
                             error);
}

static const HlPreTokenizerClass hl_digits_pre_tokenizer = { "Digits", digits_load, digits_apply, plain_free };

static HlPreTokenizer *
char_delimiter_load (HlJsonValue config,
                     guint       depth,
                     GError    **error)
{
  const char *delimiter = hl_json_value_as_string (hl_json_value_get (config, "delimiter"));

  if (delimiter == NULL || g_utf8_strlen (delimiter, -1) != 1)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“delimiter” is not one character"));
      return NULL;
    }
  Simple *self = simple_new (HL_SPLIT_REMOVED);
  self->number = g_utf8_get_char (delimiter);
  return &self->parent;
}

static gboolean
char_delimiter_apply (const HlPreTokenizer *self,
                      HlPieces             *pieces,
                      GError              **error)
{
  return hl_pieces_split_by (pieces, is_character, GUINT_TO_POINTER (((const Simple *) self)->number), HL_SPLIT_REMOVED,
                             error);
}

static const HlPreTokenizerClass hl_char_delimiter_split_pre_tokenizer = { "CharDelimiterSplit", char_delimiter_load,
                                                                           char_delimiter_apply, plain_free };

static HlPreTokenizer *
fixed_length_load (HlJsonValue config,
                   guint       depth,
                   GError    **error)
{
  g_autofree Simple *self = simple_new (HL_SPLIT_ISOLATED);

  self->number = 5;
  if (!hl_json_get_uint (config, "length", &self->number, error))
    return NULL;
  if (self->number == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“length” is 0"));
      return NULL;
    }
  return &((Simple *) g_steal_pointer (&self))->parent;
}

static gboolean
find_lengths (const char *text,
              gsize       length,
              HlTextRoom *room,
              GArray     *matches,
              gpointer    data,
              GError    **error)
{
  const guint32 step = GPOINTER_TO_UINT (data);
  gsize start = 0;
  guint32 n = 0;

  for (gsize at = 0; at < length;)
    {
      at += (gsize) g_utf8_skip[(guchar) text[at]];
      if (++n == step || at >= length)
        {
          const HlMatch match = { start, at, TRUE };
          g_array_append_val (matches, match);
          start = at;
          n = 0;
        }
    }
  return TRUE;
}

static gboolean
fixed_length_apply (const HlPreTokenizer *self,
                    HlPieces             *pieces,
                    GError              **error)
{
  return hl_pieces_split (pieces, find_lengths, GUINT_TO_POINTER (((const Simple *) self)->number), HL_SPLIT_ISOLATED,
                          error);
}

static const HlPreTokenizerClass hl_fixed_length_pre_tokenizer = { "FixedLength", fixed_length_load, fixed_length_apply,
                                                                   plain_free };

/* Pre-tokenizers that cut at a pattern, and where the script changes. */

typedef struct
{
  HlPreTokenizer parent;
  HlPattern *pattern;
  HlSplitBehavior behavior;
  gboolean invert;
} Split;

static void
split_free (HlPreTokenizer *self)
{
  g_clear_pointer (&((Split *) self)->pattern, hl_pattern_free);
  g_free (self);
}

static HlPreTokenizer *
split_load (HlJsonValue config,
            guint       depth,
            GError    **error)
{
  HlSplitBehavior behavior = HL_SPLIT_ISOLATED;
  gboolean invert = FALSE;

  if (!hl_split_behavior_load (config, &behavior, error) || !hl_json_get_boolean (config, "invert", &invert, error))
    return NULL;
  HlPattern *pattern = hl_pattern_new (hl_json_value_get (config, "pattern"), error);
  if (pattern == NULL)
    return NULL;
  Split *self = g_new0 (Split, 1);
  self->pattern = pattern;
  self->behavior = behavior;
  self->invert = invert;
  return &self->parent;
}

static gboolean
find_split (const char *text,
            gsize       length,
            HlTextRoom *room,
            GArray     *matches,
            gpointer    data,
            GError    **error)
{
  const Split *self = data;

  return hl_pattern_find (self->pattern, text, length, self->invert, room, matches, error);
}

static gboolean
split_apply (const HlPreTokenizer *self,
             HlPieces             *pieces,
             GError              **error)
{
  return hl_pieces_split (pieces, find_split, (gpointer) self, ((const Split *) self)->behavior, error);
}

static const HlPreTokenizerClass hl_split_pre_tokenizer = { "Split", split_load, split_apply, split_free };

/* The scripts of Japanese count as one; spaces and what is of no script go with their neighbours. */
static GUnicodeScript
get_script (gunichar c)
{
  const GUnicodeScript script = hl_unicode_is (c, HL_CHAR_UNSCRIPTED) ? G_UNICODE_SCRIPT_UNKNOWN
                                                                      : g_unichar_get_script (c);

  if (c == 0x30fc || script == G_UNICODE_SCRIPT_HIRAGANA || script == G_UNICODE_SCRIPT_KATAKANA)
    return G_UNICODE_SCRIPT_HAN;
  return script;
}

/* What is of no script before the first that has one is a match, and goes. */
static gboolean
find_scripts (const char *text,
              gsize       length,
              HlTextRoom *room,
              GArray     *matches,
              gpointer    data,
              GError    **error)
{
  GUnicodeScript last = G_UNICODE_SCRIPT_UNKNOWN;
  HlMatch match = { 0, 0, TRUE };

  for (gsize at = 0; at < length; at += (gsize) g_utf8_skip[(guchar) text[at]])
    {
      const GUnicodeScript script = get_script (g_utf8_get_char (text + at));
      if (script == G_UNICODE_SCRIPT_UNKNOWN || script == last)
        continue;
      match.end = at;
      g_array_append_val (matches, match);
      match = (HlMatch){ at, at, FALSE };
      last = script;
    }
  match.end = length;
  g_array_append_val (matches, match);
  return TRUE;
}

static HlPreTokenizer *
scripts_load (HlJsonValue config,
              guint       depth,
              GError    **error)
{
  return g_new0 (HlPreTokenizer, 1);
}

static gboolean
scripts_apply (const HlPreTokenizer *self,
               HlPieces             *pieces,
               GError              **error)
{
  return hl_pieces_split (pieces, find_scripts, NULL, HL_SPLIT_REMOVED, error);
}

static void
scripts_free (HlPreTokenizer *self)
{
  g_free (self);
}

static const HlPreTokenizerClass hl_unicode_scripts_pre_tokenizer = { "UnicodeScripts", scripts_load, scripts_apply,
                                                                      scripts_free };

typedef struct
{
  HlPreTokenizer parent;
  GPtrArray *steps;
} Sequence;

static void
sequence_free (HlPreTokenizer *self)
{
  g_ptr_array_unref (((Sequence *) self)->steps);
  g_free (self);
}

static HlPreTokenizer *
sequence_load (HlJsonValue config,
               guint       depth,
               GError    **error)
{
  const HlJsonValue list = hl_json_get_member (config, "pretokenizers", HL_JSON_ARRAY, error);
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_pre_tokenizer_free);
  HlJsonIter iter;
  guint n_steps = 0;

  if (hl_json_value_get_kind (list) == HL_JSON_MISSING)
    return NULL;
  hl_json_iter_init (&iter, list);
  while (hl_json_iter_next (&iter))
    {
      HlPreTokenizer *step = hl_pre_tokenizer_load (iter.value, depth + 1, error);
      if (step == NULL)
        return NULL;
      g_ptr_array_add (steps, step);
      n_steps += step->n_steps;
      if (n_steps > HL_LIMIT_COMPONENTS)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are more than %d steps"), HL_LIMIT_COMPONENTS);
          return NULL;
        }
    }
  Sequence *self = g_new0 (Sequence, 1);
  self->steps = g_steal_pointer (&steps);
  self->parent.n_steps = n_steps;
  return &self->parent;
}

static gboolean
sequence_apply (const HlPreTokenizer *self,
                HlPieces             *pieces,
                GError              **error)
{
  const GPtrArray *steps = ((const Sequence *) self)->steps;

  for (guint i = 0; i < steps->len; i++)
    if (!hl_text_room_pass (pieces->text.room, pieces->text.length + pieces->pieces->len, error) ||
        !hl_pre_tokenizer_apply (steps->pdata[i], pieces, error))
      return FALSE;
  return TRUE;
}

static const HlPreTokenizerClass sequence = { "Sequence", sequence_load, sequence_apply, sequence_free };

static const HlPreTokenizerClass *const classes[] = {
  &hl_bert_pre_tokenizer,
  &hl_byte_level_pre_tokenizer,
  &hl_char_delimiter_split_pre_tokenizer,
  &hl_digits_pre_tokenizer,
  &hl_fixed_length_pre_tokenizer,
  &hl_metaspace_pre_tokenizer,
  &hl_punctuation_pre_tokenizer,
  &hl_split_pre_tokenizer,
  &hl_unicode_scripts_pre_tokenizer,
  &hl_whitespace_pre_tokenizer,
  &hl_whitespace_split_pre_tokenizer,
  &sequence,
};

HlPreTokenizer *
hl_pre_tokenizer_load (HlJsonValue config,
                       guint       depth,
                       GError    **error)
{
  const char *type = hl_json_value_as_string (hl_json_value_get (config, "type"));

  if (depth > HL_LIMIT_COMPONENT_DEPTH)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“pre_tokenizer” has more than %d sequences inside one another"), HL_LIMIT_COMPONENT_DEPTH);
      return NULL;
    }
  if (type == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“pre_tokenizer” has no “type”"));
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (strcmp (type, classes[i]->type) == 0)
      {
        HlPreTokenizer *self = classes[i]->load (config, depth, error);
        if (self == NULL)
          g_prefix_error (error, _ ("pre-tokenizer “%s”: "), type);
        else
          {
            self->klass = classes[i];
            self->n_steps++;
          }
        return self;
      }
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the pre-tokenizer “%s” is not supported"), type);
  return NULL;
}

gboolean
hl_pre_tokenizer_apply (const HlPreTokenizer *self,
                        HlPieces             *pieces,
                        GError              **error)
{
  return self->klass->apply (self, pieces, error) && hl_text_room_check (pieces->text.room, error);
}

void
hl_pre_tokenizer_free (HlPreTokenizer *self)
{
  self->klass->free (self);
}
