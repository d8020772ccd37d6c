/* SPDX-License-Identifier: MIT */
/* Searches for a string or a regular expression. */
#include "core/tokenizer/text/hl-pattern.h"

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _HlPattern
{
  char   *string; /* what is looked for, or the regular expression as the file has it */
  gsize   length;
  GRegex *regex;
};

/**
 * hl_pattern_new_regex:
 * @regex: a regular expression as Oniguruma spells it
 * @error: %HL_ERROR_VALUE if it is none, %HL_ERROR_UNSUPPORTED if PCRE2 has nothing like it
 *
 * Returns: (transfer full): the pattern
 */
HlPattern *
hl_pattern_new_regex (const char  *regex,
                      GError     **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *translated = hl_pattern_translate (regex, error);

  if (translated == NULL)
    return NULL;
  GRegex *compiled = g_regex_new (translated,
                                  G_REGEX_OPTIMIZE | G_REGEX_MULTILINE | G_REGEX_NEWLINE_LF,
                                  G_REGEX_MATCH_NEWLINE_LF, &local);
  if (compiled == NULL)
    {
      g_autofree char *start = hl_utf8_shorten (regex, 200);
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a regular expression"), start);
      return NULL;
    }
  HlPattern *self = g_new0 (HlPattern, 1);
  self->regex = compiled;
  self->string = g_strdup (regex);
  return self;
}

/**
 * hl_pattern_new:
 * @config: a string, or an object with a member `String` or `Regex`
 * @error: %HL_ERROR_VALUE or %HL_ERROR_UNSUPPORTED
 *
 * Returns: (transfer full): the pattern
 */
HlPattern *
hl_pattern_new (HlJsonValue   config,
                GError      **error)
{
  const char *regex = hl_json_value_as_string (hl_json_value_get (config, "Regex"));
  const char *string = hl_json_value_as_string (hl_json_value_get (config, "String"));

  if (regex != NULL)
    return hl_pattern_new_regex (regex, error);
  if (string == NULL)
    string = hl_json_value_as_string (config);
  if (string == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("“pattern” is neither a string nor a regular expression"));
      return NULL;
    }
  HlPattern *self = g_new0 (HlPattern, 1);
  self->string = g_strdup (string);
  self->length = strlen (string);
  return self;
}

/**
 * hl_pattern_free:
 * @self: (transfer full): a pattern
 */
void
hl_pattern_free (HlPattern *self)
{
  g_free (self->string);
  g_clear_pointer (&self->regex, g_regex_unref);
  g_free (self);
}

static void
add_match (GArray   *matches,
           gsize    *between,
           gsize     start,
           gsize     end,
           gboolean  invert)
{
  const HlMatch before = { *between, start, invert };
  const HlMatch match = { start, end, !invert };

  if (*between < start)
    g_array_append_val (matches, before);
  g_array_append_val (matches, match);
  *between = end;
}

static gboolean
find_regex (const HlPattern  *self,
            const char       *text,
            gsize             length,
            gboolean          invert,
            GArray           *matches,
            gsize            *between,
            GError          **error)
{
  g_autoptr (GMatchInfo) info = NULL;
  g_autoptr (GError) local = NULL;

  g_regex_match_full (self->regex, text, (gssize) length, 0, 0, &info, &local);
  while (local == NULL && g_match_info_matches (info))
    {
      int start, end;
      g_match_info_fetch_pos (info, 0, &start, &end);
      add_match (matches, between, (gsize) start, (gsize) end, invert);
      g_match_info_next (info, &local);
    }
  if (local == NULL)
    return TRUE;
  g_autofree char *start = hl_utf8_shorten (self->string, 200);
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("the regular expression “%s” takes too many steps on this text"), start);
  return FALSE;
}

/**
 * hl_pattern_find:
 * @self: a pattern
 * @text: UTF-8
 * @length: its bytes
 * @invert: take what lies between for the matches
 * @matches: (element-type HlMatch): what is found is added here; covers all of the text
 * @error: %HL_ERROR_TOO_LARGE if a regular expression would take too long
 *
 * Returns: whether it could be searched
 */
gboolean
hl_pattern_find (const HlPattern  *self,
                 const char       *text,
                 gsize             length,
                 gboolean          invert,
                 GArray           *matches,
                 GError          **error)
{
  gsize between = 0;

  if (self->regex != NULL)
    {
      if (!find_regex (self, text, length, invert, matches, &between, error))
        return FALSE;
    }
  else if (self->length > 0)
    {
      const char *found;
      while ((found = memmem (text + between, length - between, self->string, self->length)) != NULL)
        add_match (matches, &between, (gsize) (found - text),
                   (gsize) (found - text) + self->length, invert);
    }
  if (between < length)
    {
      const HlMatch rest = { between, length, invert };
      g_array_append_val (matches, rest);
    }
  return TRUE;
}
