/* SPDX-License-Identifier: MIT */
/* Searches for a string or a regular expression. */
#include "core/tokenizer/text/hl-pattern.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/tokenizer/text/hl-pattern-syntax.h"

/* The most characters of an expression in a sentence. */
#define MAX_SHOWN 80

/* Steps are counted anew wherever a match may begin, so that a search of all of a text could go on for days, and nothing can stop it. So each
 * search ends after some characters in which nothing was found, and is one attempt: it passes over as few as it can. */
#define PROLOGUE "(*UCP)(*LIMIT_MATCH=%u)\\G(?s:.{0,%u}?)\\K(?:"
#define EPILOGUE ")"

/* A step may go over all of a text: “a*a*b” does over as many a as there are. So an attempt sees a window of the text only, and a wider one where
 * what is behind the window counts; the wider it is, the fewer steps the attempt may take before it is given up. The usual patterns need a few
 * steps a character, and rarely see farther than the narrowest. An attempt takes a second at most, but in texts longer than the widest. */
#define N_WINDOWS 8
#define WINDOW(i) ((gsize) (1 << 14) << (i))
#define MAX_STEPS(i) ((1u << 20) >> (i))

/* Where no step goes over more than a few characters, one for each of a long run is not too many: “\s*[\r\n]+” gives back blank after blank. */
#define MAX_SHORT_STEPS 50000000

/* What a step may go over then: items behind the first that repeats, bytes of words in a group; and how many alternatives may repeat, each of
 * which goes over a run once or twice wherever a match may begin. */
#define MAX_ITEMS_BEHIND 3
#define MAX_WORDS 64
#define MAX_REPEATING 8

/* Characters at which a match may begin in one attempt. “\s+$” goes over a run of blanks anew from each of them; where that takes too many
 * steps, there are so few for a while that each may go over all of the window. */
#define SEARCHED(i, few) ((few) ? MAX (32u >> (2 * (i)), 1u) : 1024u)

/* Items of a class are compared with one by one, and all that is one step. So the longer a class is, the fewer are the beginnings; but those of
 * sets that have a letter, of some thousand bytes, have all of them. */
#define WEIGHT(length) ((guint) ((length) >> 9) + 1)
#define MAX_LIGHT_WEIGHT 8

/* All searches of a text together: seconds, and one more for each MiB that it may become. The usual patterns need a tenth of a second for a
 * MiB of text, which may become 32. */
#define MAX_SECONDS 3

struct _HlPattern
{
  char *string; /* what is looked for, or the regular expression as the file has it */
  gsize length;
  char *translated;              /* NULL for a string */
  guint weight;                  /* of its longest class */
  GRegex *regexes[2][N_WINDOWS]; /* with many beginnings and with few; NULL until needed, but for the first */
};

/* Stands at a character or a class of them. Returns: what follows, or NULL at anything else */
static const char *
skip_character (const char *at)
{
  if (*at == '\\')
    return g_ascii_isalnum (at[1]) && strchr ("rnt", at[1]) == NULL ? NULL : g_utf8_next_char (at + 1);
  if (*at != '[')
    return strchr ("^$()|?*+{", *at) != NULL ? NULL : g_utf8_next_char (at);
  for (at++; *at != ']'; at += *at == '\\' ? 2 : 1)
    if (*at == '[')
      return NULL;
  return at + 1;
}

/* Stands at a parenthesis: of words, or of a look ahead at one character. Returns: what follows, or NULL at anything else */
static const char *
skip_group (const char *at,
            gboolean   *has_words)
{
  if (at[1] != '?')
    return NULL;
  if (at[2] == '!' || at[2] == '=')
    {
      const char *end = skip_character (at + 3);
      return end != NULL && *end == ')' ? end + 1 : NULL;
    }
  const char *words = at + 2 + strspn (at + 2, "imsx-");
  const char *end = words + strcspn (words, "\\(?*+{$)");
  *has_words = TRUE;
  return *words == ':' && *end == ')' && end - words <= MAX_WORDS ? end + 1 : NULL;
}

/* Whether all alternatives are of characters one after the other, and no step goes over more than a few. What repeats gives back one character
 * a step, if nothing that repeats as well could go over them again before something fails. What may be there or not makes what follows
 * begin anew: one such thing may be before what repeats. */
static gboolean
has_short_steps (const char *translated)
{
  guint n_repeating = 0, n_choices = 0, n_repeated = 0, n_behind = 0;

  for (const char *at = translated; *at != '\0';)
    {
      gboolean has_words = FALSE, may_fail = TRUE, repeats = FALSE;

      if (*at == '|')
        {
          n_choices = n_repeated = n_behind = 0;
          at++;
          continue;
        }
      at = *at == '$' ? at + 1 : *at == '(' ? skip_group (at, &has_words) : skip_character (at);
      n_behind += n_repeated > 0;
      if (at == NULL || n_choices > 1 || n_behind > MAX_ITEMS_BEHIND)
        return FALSE;
      if (*at != '\0' && strchr ("?*+{", *at) != NULL)
        {
          repeats = *at != '?';
          may_fail = *at == '+' || *at == '{';
          n_choices += *at == '?';
          if (*at == '{' && n_repeated > 0)
            return FALSE;
          at += *at == '{' ? strcspn (at, "}") + 1 : 1;
          at += *at == '+' || *at == '?';
        }
      if ((may_fail && n_repeated > 1) || (repeats && has_words))
        return FALSE;
      n_choices += has_words ? 2 : 0;
      n_repeating += repeats && n_repeated == 0;
      n_repeated += repeats;
    }
  return n_repeating <= MAX_REPEATING;
}

static guint
weigh (const char *translated)
{
  gsize longest = 0;

  for (const char *at = translated; *at != '\0'; at++)
    {
      const char *start = at;
      if (*at == '[')
        while (*at != ']')
          at += *at == '\\' ? 2 : 1;
      else if (*at == '\\')
        at++;
      longest = MAX (longest, (gsize) (at - start));
    }
  return WEIGHT (longest);
}

/* What refers back to a group is compared with all of that, and is no step. A group that is there several times is that often in what is searched
 * with; so is what refers back in it. Returns: how often a step may be compared so, at most, and 1 if none is */
static guint
count_references (const char *translated)
{
  guint64 n = 0, times = 1;

  for (const char *at = translated; *at != '\0'; at++)
    if (*at == '[')
      while (*at != ']')
        at += *at == '\\' ? 2 : 1;
    else if (*at == '\\')
      n += *++at == 'k' || (*at >= '1' && *at <= '9');
    else if (at[0] == ')' && at[1] == '{')
      {
        char *end;
        const guint64 least = g_ascii_strtoull (at + 2, &end, 10);
        const guint64 most = *end == ',' ? g_ascii_strtoull (end + 1, NULL, 10) : 0;
        times = MIN (times * MIN (MAX (MAX (least, most), 1), MAX_STEPS (0)), MAX_STEPS (0));
      }
  return (guint) MAX (MIN (n * times, MAX_STEPS (0)), 1);
}

static guint
count_beginnings (guint    weight,
                  guint    window,
                  gboolean few)
{
  const guint most = SEARCHED (window, few);

  return weight > MAX_LIGHT_WEIGHT ? MIN (most, MAX ((1024u / weight) >> window, 1u)) : most;
}

static GRegex *
compile (const char *translated,
         guint       weight,
         guint       window,
         gboolean    few,
         GError    **error)
{
  g_autoptr (GString) regex = g_string_new (NULL);

  const guint steps = MAX (MAX_STEPS (window) / count_references (translated), 1);

  g_string_append_printf (regex, PROLOGUE, has_short_steps (translated) ? MAX_SHORT_STEPS : steps,
                          count_beginnings (weight, window, few) - 1);
  g_string_append (regex, translated);
  g_string_append (regex, EPILOGUE);
  GRegex *compiled = g_regex_new (regex->str, G_REGEX_OPTIMIZE | G_REGEX_MULTILINE | G_REGEX_NEWLINE_LF,
                                  G_REGEX_MATCH_NEWLINE_LF, error);
  /* The first such match finishes it, which must not happen in two threads. */
  if (compiled != NULL)
    g_regex_match (compiled, "", G_REGEX_MATCH_PARTIAL_HARD, NULL);
  return compiled;
}

HlPattern *
hl_pattern_new_regex (const char *regex,
                      GError    **error)
{
  g_autofree char *translated = hl_pattern_translate (regex, error);

  if (translated == NULL)
    return NULL;
  g_autoptr (GError) local = NULL;
  const guint weight = weigh (translated);
  GRegex *compiled = compile (translated, weight, 0, FALSE, &local);
  if (g_error_matches (local, G_REGEX_ERROR, G_REGEX_ERROR_EXPRESSION_TOO_LARGE))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the regular expression of “pattern” is too large"));
      return NULL;
    }
  if (compiled == NULL)
    {
      g_autofree char *start = hl_utf8_quote (regex, strlen (regex), MAX_SHOWN);
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a regular expression"), start);
      return NULL;
    }
  HlPattern *self = g_new0 (HlPattern, 1);
  self->regexes[FALSE][0] = compiled;
  self->translated = g_steal_pointer (&translated);
  self->weight = weight;
  self->string = g_strdup (regex);
  return self;
}

HlPattern *
hl_pattern_new (HlJsonValue config,
                GError    **error)
{
  const char *regex = hl_json_value_as_string (hl_json_value_get (config, "Regex"));
  const char *string = hl_json_value_as_string (hl_json_value_get (config, "String"));

  if (regex != NULL)
    return hl_pattern_new_regex (regex, error);
  if (string == NULL)
    string = hl_json_value_as_string (config);
  if (string == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“pattern” is neither a string nor a regular expression"));
      return NULL;
    }
  /* Nothing is between all characters. */
  if (*string == '\0')
    return hl_pattern_new_regex (string, error);
  HlPattern *self = g_new0 (HlPattern, 1);
  self->string = g_strdup (string);
  self->length = strlen (string);
  return self;
}

void
hl_pattern_free (HlPattern *self)
{
  g_free (self->string);
  g_free (self->translated);
  for (guint i = 0; i < N_WINDOWS; i++)
    {
      g_clear_pointer (&self->regexes[FALSE][i], g_regex_unref);
      g_clear_pointer (&self->regexes[TRUE][i], g_regex_unref);
    }
  g_free (self);
}

static void
add_match (GArray  *matches,
           gsize   *between,
           gsize    start,
           gsize    end,
           gboolean invert)
{
  const HlMatch before = { *between, start, invert };
  const HlMatch match = { start, end, !invert };

  if (*between < start)
    g_array_append_val (matches, before);
  g_array_append_val (matches, match);
  *between = end;
}

/* Notes what a search took, but not that the program was not running meanwhile. Returns: whether there may be another */
static gboolean
goes_on (HlTextRoom *room,
         gint64     *last)
{
  const gint64 now = g_get_monotonic_time ();
  const gint64 most = (MAX_SECONDS + (gint64) (room->limit >> 20)) * G_USEC_PER_SEC;

  room->searched += now - *last;
  *last = now;
  if (room->searched > most)
    room->searched = MIN (room->searched, hl_text_room_get_time (room));
  return room->searched <= most;
}

/* Goes over @n characters that were searched. Returns: whether there is more */
static gboolean
pass (const char *text,
      gsize       length,
      guint       n,
      gsize      *at)
{
  for (guint i = 0; i < n; i++)
    {
      if (*at >= length)
        return FALSE;
      *at += (gsize) g_utf8_skip[(guchar) text[*at]];
    }
  return TRUE;
}

/* In any thread. */
static GRegex *
get_regex (HlPattern *self,
           guint      window,
           gboolean   few,
           GError   **error)
{
  GRegex **place = &self->regexes[few][window];
  GRegex *regex = g_atomic_pointer_get (place);

  if (regex != NULL)
    return regex;
  regex = compile (self->translated, self->weight, window, few, error);
  if (regex == NULL || g_atomic_pointer_compare_and_exchange (place, NULL, regex))
    return regex;
  g_regex_unref (regex);
  return g_atomic_pointer_get (place);
}

/* Where a window ends that begins at @at: not within a character. */
static gsize
get_end (const char *text,
         gsize       length,
         gsize       at,
         guint       window)
{
  if (window == N_WINDOWS - 1 || length - at <= WINDOW (window))
    return length;
  return (gsize) (g_utf8_find_prev_char (text, text + at + WINDOW (window)) - text);
}

typedef struct
{
  HlPattern *pattern;
  const char *text;
  gsize length;
  gboolean invert;
  HlTextRoom *room;
  gint64 last; /* when a search ended */
  GArray *matches;
  gsize between; /* where the last of them ended */
  gsize at;      /* all before it was searched */
} Search;

typedef enum
{
  SEARCH_PASSED,  /* there is no match in the next characters */
  SEARCH_CUT_OFF, /* what is behind the window may count */
  SEARCH_GAVE_UP, /* it takes too many steps from so many beginnings */
  SEARCH_FAILED,
} SearchResult;

/* Adds what is found in a window. */
static SearchResult
search_window (Search  *self,
               guint    window,
               gboolean few,
               GError **error)
{
  g_autoptr (GMatchInfo) info = NULL;
  g_autoptr (GError) local = NULL;
  const gsize end = get_end (self->text, self->length, self->at, window);
  GRegex *regex = get_regex (self->pattern, window, few, error);
  gboolean patient = TRUE;

  if (regex == NULL)
    return SEARCH_FAILED;
  g_regex_match_full (regex, self->text, (gssize) end, (int) self->at,
                      end < self->length ? G_REGEX_MATCH_PARTIAL_HARD : 0, &info, &local);
  while (local == NULL && g_match_info_matches (info) && (patient = goes_on (self->room, &self->last)))
    {
      int start, after;
      g_match_info_fetch_pos (info, 0, &start, &after);
      /* PCRE2 has ways to end a match before its beginning, and more of them than are known here. */
      if (after < start)
        {
          patient = FALSE;
          break;
        }
      /* The library passes over what is empty and stands where the last match ended. */
      if (after > start || self->matches->len == 0 || self->between < (gsize) start)
        add_match (self->matches, &self->between, (gsize) start, (gsize) after, self->invert);
      /* The next one begins behind the character that an empty one stands before. */
      self->at = (gsize) (after == start && after < (int) self->length ? after + g_utf8_skip[(guchar) self->text[after]]
                                                                       : after);
      /* Where nothing is left of a window, a match of nothing would not be cut off. */
      if (self->at >= end && end < self->length)
        return SEARCH_CUT_OFF;
      g_match_info_next (info, &local);
    }
  if (local == NULL && patient && goes_on (self->room, &self->last))
    return g_match_info_is_partial_match (info) ? SEARCH_CUT_OFF : SEARCH_PASSED;
  if (local != NULL && !few && goes_on (self->room, &self->last))
    return SEARCH_GAVE_UP;
  g_autofree char *start = hl_utf8_quote (self->pattern->string, strlen (self->pattern->string), MAX_SHOWN);
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the regular expression “%s” takes too many steps on this text"),
               start);
  return SEARCH_FAILED;
}

static gboolean
search_all (Search  *self,
            GError **error)
{
  const guint weight = self->pattern->weight;
  guint window = 0;
  gsize few_until = 0; /* an attempt before this has few beginnings */

  while (TRUE)
    {
      const gsize before = self->at;
      const gboolean few = before < few_until;
      const SearchResult result = search_window (self, window, few, error);

      if (result == SEARCH_FAILED)
        return FALSE;
      if (result == SEARCH_GAVE_UP)
        few_until = self->at + WINDOW (0);
      if (result == SEARCH_PASSED &&
          !pass (self->text, self->length, count_beginnings (weight, window, few), &self->at))
        return TRUE;
      if (self->at > before)
        window = 0;
      else if (result == SEARCH_CUT_OFF)
        window++;
    }
}

gboolean
hl_pattern_find (HlPattern  *self,
                 const char *text,
                 gsize       length,
                 gboolean    invert,
                 HlTextRoom *room,
                 GArray     *matches,
                 GError    **error)
{
  gsize between = 0;

  if (self->translated != NULL)
    {
      Search search = {
        .pattern = self,
        .text = text,
        .length = length,
        .invert = invert,
        .room = room,
        .last = g_get_monotonic_time (),
        .matches = matches,
      };

      if (!search_all (&search, error))
        return FALSE;
      between = search.between;
    }
  else
    {
      const char *found;
      while ((found = memmem (text + between, length - between, self->string, self->length)) != NULL)
        add_match (matches, &between, (gsize) (found - text), (gsize) (found - text) + self->length, invert);
    }
  if (between < length)
    {
      const HlMatch rest = { between, length, invert };
      g_array_append_val (matches, rest);
    }
  return TRUE;
}
