/* SPDX-License-Identifier: MIT */
/* Pre-tokenizers that cut at a pattern, and where the script changes. */
#include "core/tokenizer/pre-tokenizer/hl-pre-tokenizer.h"

#include "core/tokenizer/text/hl-pattern.h"

typedef struct
{
  HlPreTokenizer  parent;
  HlPattern      *pattern;
  HlSplitBehavior behavior;
  gboolean        invert;
} Split;

static void
split_free (HlPreTokenizer *self)
{
  g_clear_pointer (&((Split *) self)->pattern, hl_pattern_free);
  g_free (self);
}

static HlPreTokenizer *
split_load (HlJsonValue   config,
            guint         depth,
            GError      **error)
{
  HlSplitBehavior behavior = HL_SPLIT_ISOLATED;
  gboolean invert = FALSE;

  if (!hl_split_behavior_load (config, &behavior, error) ||
      !hl_json_get_boolean (config, "invert", &invert, error))
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
find_pattern (const char  *text,
              gsize        length,
              GArray      *matches,
              gpointer     data,
              GError     **error)
{
  const Split *self = data;

  return hl_pattern_find (self->pattern, text, length, self->invert, matches, error);
}

static gboolean
split_apply (const HlPreTokenizer  *self,
             HlPieces              *pieces,
             GError               **error)
{
  return hl_pieces_split (pieces, find_pattern, (gpointer) self, ((const Split *) self)->behavior, error);
}

const HlPreTokenizerClass hl_split_pre_tokenizer = { "Split", split_load, split_apply, split_free };

/* The scripts of Japanese count as one; spaces and what is of no script go with their neighbours. */
static GUnicodeScript
get_script (gunichar c)
{
  const GUnicodeScript script = g_unichar_get_script (c);

  if (c == 0x30fc || script == G_UNICODE_SCRIPT_HIRAGANA || script == G_UNICODE_SCRIPT_KATAKANA)
    return G_UNICODE_SCRIPT_HAN;
  return c == ' ' ? G_UNICODE_SCRIPT_UNKNOWN : script;
}

/* What is of no script before the first that has one is a match, and goes. */
static gboolean
find_scripts (const char  *text,
              gsize        length,
              GArray      *matches,
              gpointer     data,
              GError     **error)
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
scripts_load (HlJsonValue   config,
              guint         depth,
              GError      **error)
{
  return g_new0 (HlPreTokenizer, 1);
}

static gboolean
scripts_apply (const HlPreTokenizer  *self,
               HlPieces              *pieces,
               GError               **error)
{
  return hl_pieces_split (pieces, find_scripts, NULL, HL_SPLIT_REMOVED, error);
}

static void
scripts_free (HlPreTokenizer *self)
{
  g_free (self);
}

const HlPreTokenizerClass hl_unicode_scripts_pre_tokenizer = { "UnicodeScripts", scripts_load, scripts_apply,
                                                               scripts_free };
