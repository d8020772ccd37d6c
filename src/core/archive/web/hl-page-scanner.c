/* SPDX-License-Identifier: MIT */
/* Where in a web page, or in a script, tools that draw attention have put its numbers. Nothing is run: an object is
 * found by what stands before its opening brace. */
#include "core/archive/web/hl-page-scanner.h"

#include <string.h>

/* Identifiers and the ids of elements are shorter. */
#define MAX_LOOK_BACK 512

static const char *
skip_space_before (const char *start,
                   const char *at)
{
  while (at > start && g_ascii_isspace (at[-1]))
    at--;
  return at;
}

/* Steps back over white space and that character. */
static gboolean
take_before (const char  *start,
             const char **at,
             char         c)
{
  const char *before = skip_space_before (start, *at);

  if (before == start || before[-1] != c)
    return FALSE;
  *at = before - 1;
  return TRUE;
}

/* Steps back over an identifier with its dots; where it ends is stored in @end. */
static gboolean
take_name_before (const char  *start,
                  const char **at,
                  const char **end)
{
  *end = skip_space_before (start, *at);
  *at = *end;
  while (*at > start && (g_ascii_isalnum ((*at)[-1]) || strchr ("_$.", (*at)[-1]) != NULL) &&
         (*at)[-1] != '\0')
    (*at)--;
  return *at < *end;
}

static gboolean
take_string_before (const char  *start,
                    const char **at)
{
  const char *before = skip_space_before (start, *at);

  if (before == start || (before[-1] != '"' && before[-1] != '\''))
    return FALSE;
  const char quote = before[-1];
  before--;
  while (before > start && before[-1] != quote && before[-1] != '\n')
    before--;
  if (before == start || before[-1] != quote)
    return FALSE;
  *at = before - 1;
  return TRUE;
}

/* Whether a name is that word, or ends in it after a dot. */
static gboolean
is_name (const char *name,
         const char *end,
         const char *word)
{
  const gsize length = strlen (word);
  const gsize size = (gsize) (end - name);

  return size >= length && memcmp (end - length, word, length) == 0 &&
         (size == length || end[-(gssize) length - 1] == '.');
}

/* The last part of a name. */
static gboolean
has_prefix (const char *name,
            const char *end,
            const char *prefix)
{
  const char *dot = g_strrstr_len (name, end - name, ".");
  const char *last = dot != NULL ? dot + 1 : name;

  return (gsize) (end - last) >= strlen (prefix) && memcmp (last, prefix, strlen (prefix)) == 0;
}

/* `const params =`, `window.params =`, `window.bertviz_params =` or, in the first versions, `window.attention =`. */
static gboolean
is_after_assignment (const char *start,
                     const char *at)
{
  const char *end;

  return take_before (start, &at, '=') && take_name_before (start, &at, &end) &&
         (is_name (at, end, "params") || is_name (at, end, "bertviz_params") ||
          is_name (at, end, "window.attention"));
}

/* `window.chartsEmbed('id',` */
static gboolean
is_after_embed (const char *start,
                const char *at)
{
  const char *end;

  return take_before (start, &at, ',') && take_string_before (start, &at) &&
         take_before (start, &at, '(') && take_name_before (start, &at, &end) &&
         is_name (at, end, "chartsEmbed");
}

/* `render("id", AttentionHeads,` */
static gboolean
is_after_render (const char *start,
                 const char *at)
{
  const char *end;

  if (!take_before (start, &at, ',') || !take_name_before (start, &at, &end) ||
      !has_prefix (at, end, "Attention"))
    return FALSE;
  return take_before (start, &at, ',') && take_string_before (start, &at) &&
         take_before (start, &at, '(') && take_name_before (start, &at, &end) &&
         is_name (at, end, "render");
}

/**
 * hl_page_scan: (skip)
 * @start: where the text begins
 * @at: (inout): where to look from; then the opening brace of the object, or @end
 * @end: one past the text
 *
 * Looks for the next object in which a tool may have put attention.
 *
 * Returns: whose it is
 */
HlPageTool
hl_page_scan (const char  *start,
              const char **at,
              const char  *end)
{
  for (;; (*at)++)
    {
      *at = *at < end ? memchr (*at, '{', (gsize) (end - *at)) : NULL;
      if (*at == NULL)
        {
          *at = end;
          return HL_PAGE_TOOL_NONE;
        }
      const char *limit = *at - start > MAX_LOOK_BACK ? *at - MAX_LOOK_BACK : start;
      if (is_after_assignment (limit, *at))
        return HL_PAGE_TOOL_BERTVIZ;
      if (is_after_embed (limit, *at))
        return HL_PAGE_TOOL_INSPECTUS;
      if (is_after_render (limit, *at))
        return HL_PAGE_TOOL_CIRCUITSVIS;
    }
}
