/* SPDX-License-Identifier: MIT */
/* Regular expressions of tokenizers are Oniguruma's, as the Python `tokenizers` library has them; they are searched for with PCRE2. What both
 * have and mean differently is written anew, with the characters that the library's classes have, and the rest is refused. */
#include "core/tokenizer/text/hl-pattern-syntax.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/tokenizer/text/hl-unicode.h"

#define SPACE "\\x{9}-\\x{d} \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}"
#define WORD                                                                                                           \
  "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{24b6}-\\x{24e9}\\x{1f130}-\\x{1f149}\\x{1f150}-\\x{1f169}\\x{1f170}-\\x{"      \
  "1f189}"

/* All other characters. */
#define NO_SPACE                                                                                                       \
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"                            \
  "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}"

/* How deep a class may be in classes. */
#define MAX_NESTED 8

/* The most characters of a group's beginning in a sentence. */
#define MAX_SHOWN 20

/* What counts as a word's outside of brackets only. */
#define WORD_OUTSIDE "\\x{b2}\\x{b3}\\x{b9}\\x{bc}-\\x{be}"

/* Sets of characters that have a letter, or a name in brackets. */
static const struct
{
  char letter;
  const char *name;
  const char *ranges;
  const char *newer[3]; /* what is newer than PCRE2 may know */
  const char *others;   /* all that are not in it, or NULL */
} sets[] = {
  { 's', "space", SPACE, { NULL }, NO_SPACE },
  { 'd', "digit", "\\p{Nd}", { "Nd" } },
  { 'h', "xdigit", "0-9A-Fa-f", { NULL }, "\\x{0}-/:-@G-`g-\\x{10ffff}" },
  { 'w', "word", WORD, { "L", "M", "Nd" } },
  { '\0', "alnum", "\\p{L}\\p{Nl}\\p{Nd}", { "alpha", "Nd" } },
  { '\0', "alpha", "\\p{L}\\p{Nl}", { "alpha" } },
  { '\0', "ascii", "\\x{0}-\\x{7f}", { NULL } },
  { '\0', "blank", "\\t\\p{Zs}", { NULL } },
  { '\0', "cntrl", "\\p{Cc}", { NULL } },
  { '\0', "lower", "\\p{Ll}", { "lower" } },
  { '\0', "punct", "\\p{P}\\p{S}", { "P", "S" } },
  { '\0', "upper", "\\p{Lu}", { "upper" } },
};

typedef struct
{
  gsize start;     /* where in the translation it begins */
  guint n_options; /* groups within it that were opened for options */
  guint n_last;    /* how many repetitions were noted before it */
  gboolean extended;
  gboolean caseless;
} Group;

typedef struct
{
  const char *at;
  GString *out;
  GArray *groups;   /* those that are open, and first all of the expression */
  gsize atom;       /* where in out what a repetition would repeat begins */
  GPtrArray *apart; /* in a class: the insides of sets of which all others belong to it; otherwise NULL */
  GString *folded;  /* in a class: letters that are alternatives to it */
  GString *alike;   /* in a class: characters that stand for them */
  guint depth;      /* of classes in a class */
  gsize class_end;  /* where in out the last class that had to become a group ends */
  gsize repeat_end; /* where in out the last repetition of such a class ends */
  GArray *last;     /* where in out such end behind which nothing follows, so far */
} Translation;

/* Letters that one character stands for where case does not count: the longest first. */
static const struct
{
  const char *letters;
  const char *characters;
} ligatures[] = {
  { "ffi", "ﬃ" }, { "ffl", "ﬄ" }, { "ff", "ﬀ" }, { "fi", "ﬁ" }, { "fl", "ﬂ" }, { "ss", "ßẞ" }, { "st", "ﬅﬆ" },
};

static gboolean
fail (const char *what,
      GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("the regular expression of “pattern” uses “%s”, which is not supported"), what);
  return FALSE;
}

static gboolean
fail_escape (char     letter,
             GError **error)
{
  const char name[] = { '\\', letter, '\0' };

  return fail (name, error);
}

static Group *
get_group (Translation *self)
{
  return &g_array_index (self->groups, Group, self->groups->len - 1);
}

/* Adds a set of characters, or all others. */
static void
add_set (Translation *self,
         gboolean     negated,
         const char  *inside)
{
  if (self->apart == NULL)
    g_string_append_printf (self->out, "[%s%s]", negated ? "^" : "", inside);
  else if (negated)
    g_ptr_array_add (self->apart, g_strdup (inside));
  else
    g_string_append (self->out, inside);
}

static char *
spell_set (guint    i,
           gboolean outside)
{
  GString *inside = g_string_new (sets[i].ranges);

  if (outside && sets[i].letter == 'w')
    g_string_append (inside, WORD_OUTSIDE);
  for (guint j = 0; j < G_N_ELEMENTS (sets[i].newer) && sets[i].newer[j] != NULL; j++)
    g_string_append (inside, hl_unicode_newer_ranges (sets[i].newer[j]));
  return g_string_free (inside, FALSE);
}

/* Adds a set that has a letter or a name, or all others. */
static void
add_known_set (Translation *self,
               guint        i,
               gboolean     negated)
{
  if (self->apart != NULL && negated && sets[i].others != NULL)
    {
      g_string_append (self->out, sets[i].others);
      return;
    }
  g_autofree char *inside = spell_set (i, self->apart == NULL);
  add_set (self, negated, inside);
}

static gboolean
find_set (char   letter,
          guint *set)
{
  for (guint i = 0; i < G_N_ELEMENTS (sets) && sets[i].letter != '\0'; i++)
    if (letter == sets[i].letter)
      {
        *set = i;
        return TRUE;
      }
  return FALSE;
}

/* Where a word begins or ends, or anywhere else. */
static void
add_boundary (Translation *self,
              gboolean     negated)
{
  guint set = 0;
  find_set ('w', &set);
  g_autofree char *word = spell_set (set, TRUE);

  g_string_append_printf (self->out, "(?(?<=[%s])(?%c[%s])|(?%c[%s]))", word, negated ? '=' : '!', word,
                          negated ? '!' : '=', word);
}

/* Where case does not count, a class has all of a letter's cases, and a set by itself has not. */
static gboolean
check_case (Translation *self,
            const char  *name,
            GError     **error)
{
  static const char *const names[] = { "Ll", "Lt", "Lu", "lower", "upper", NULL };

  if (self->apart == NULL || !get_group (self)->caseless || !g_strv_contains (names, name))
    return TRUE;
  g_autofree char *what = g_strdup_printf (strlen (name) > 2 ? "(?i)[[:%s:]]" : "(?i)[\\p{%s}]", name);
  return fail (what, error);
}

static gboolean
translate_property (Translation *self,
                    gboolean     negated,
                    GError     **error)
{
  const char *start = self->at + 1;
  const char *end = *self->at == '{' ? strchr (start, '}') : NULL;

  if (end == NULL || end - start > 40)
    return fail ("\\p", error);
  if (*start == '^')
    {
      negated = !negated;
      start++;
    }
  g_autofree char *name = g_strndup (start, (gsize) (end - start));
  const char *newer = hl_unicode_newer_ranges (name);
  /* Names of scripts mean Script there and Script_Extensions in PCRE2. */
  const char *kind = strlen (name) > 2 && strcmp (name, "Any") != 0 ? "sc:" : "";
  g_autofree char *inside = g_strdup_printf ("\\p{%s%s}%s", kind, name, newer != NULL ? newer : "");

  self->at = end + 1;
  add_set (self, negated, inside);
  return check_case (self, name, error);
}

/* Stands after the letter, which is x before a brace, or u. */
static gboolean
translate_code_point (Translation *self,
                      char         letter,
                      GError     **error)
{
  const gboolean braces = *self->at == '{';
  const char *start = self->at + braces;
  char *end;
  const guint64 c = g_ascii_strtoull (start, &end, 16);

  if (end == start || (braces ? *end != '}' : end - start < 4) || !g_ascii_isxdigit (*start) || c > 0x10ffff)
    return fail_escape (letter, error);
  g_string_append_printf (self->out, "\\x{%x}", (guint) (braces ? c : c >> (4 * (end - start - 4))));
  self->at = braces ? end + 1 : start + 4;
  return TRUE;
}

static guint
read_byte (const char **at)
{
  guint byte = 0;

  for (guint i = 0; i < 2 && g_ascii_isxdigit (**at); i++, (*at)++)
    byte = byte * 16 + (guint) g_ascii_xdigit_value (**at);
  return byte;
}

/* Stands after the x. Two digits are a byte: those of a longer character follow one another. */
static gboolean
translate_byte (Translation *self,
                GError     **error)
{
  char bytes[8] = { (char) read_byte (&self->at) };
  const guint length = (guint) g_utf8_skip[(guchar) *bytes];

  for (guint i = 1; i < length && g_str_has_prefix (self->at, "\\x"); i++)
    {
      self->at += 2;
      bytes[i] = (char) read_byte (&self->at);
    }
  if (*bytes != '\0' && !g_utf8_validate (bytes, length, NULL))
    return fail_escape ('x', error);
  g_string_append_printf (self->out, "\\x{%x}", g_utf8_get_char (bytes));
  return TRUE;
}

/* Stands after a backslash. */
static gboolean
translate_escape (Translation *self,
                  GError     **error)
{
  const char letter = *self->at;
  guint set;

  if (letter == '\0')
    return fail ("\\", error);
  self->at++;
  if (find_set (g_ascii_tolower (letter), &set))
    {
      add_known_set (self, set, g_ascii_isupper (letter));
      return TRUE;
    }
  if (letter == 'p' || letter == 'P')
    return translate_property (self, letter == 'P', error);
  if (letter == 'u' || (letter == 'x' && *self->at == '{'))
    return translate_code_point (self, letter, error);
  if (letter == 'x')
    return translate_byte (self, error);
  if ((letter == 'b' || letter == 'B') && self->apart == NULL)
    {
      add_boundary (self, letter == 'B');
      return TRUE;
    }
  /* Three digits may be a byte of a longer character. */
  if (strchr ("CEGQVXYgy", letter) != NULL ||
      ((letter == '2' || letter == '3') && g_ascii_isdigit (self->at[0]) && g_ascii_isdigit (self->at[1])))
    return fail_escape (letter, error);
  if (letter == 'v')
    {
      g_string_append (self->out, "\\x{b}");
      return TRUE;
    }
  const gsize length = (gsize) g_utf8_skip[(guchar) letter];
  g_string_append_c (self->out, '\\');
  g_string_append_len (self->out, self->at - 1, (gssize) length);
  self->at += length - 1;
  return TRUE;
}

/* Returns: the letters that a character stands for where case does not count, or NULL if that is one */
static char *
fold_to_several (const char *character)
{
  const gsize length = (gsize) g_utf8_skip[(guchar) *character];
  g_autofree char *folded = length > 1 ? g_utf8_casefold (character, (gssize) length) : NULL;

  return folded != NULL && g_utf8_strlen (folded, -1) > 1 ? g_steal_pointer (&folded) : NULL;
}

/* Stands at a character. Where case does not count, it may be several, or one with those behind it; but what repeats is by itself. Returns: whether
 * it is and was added */
static gboolean
translate_ligature (Translation *self)
{
  g_autofree char *folded = fold_to_several (self->at);

  for (guint i = 0; i < G_N_ELEMENTS (ligatures); i++)
    {
      const gsize length = strlen (ligatures[i].letters);
      if (folded == NULL && g_ascii_strncasecmp (self->at, ligatures[i].letters, length) == 0 &&
          (self->at[length] == '\0' || strchr ("*+?{", self->at[length]) == NULL))
        self->at += length;
      else if (g_strcmp0 (folded, ligatures[i].letters) == 0)
        self->at = g_utf8_next_char (self->at);
      else
        continue;
      g_string_append_printf (self->out, "(?:%s|[%s])", ligatures[i].letters, ligatures[i].characters);
      return TRUE;
    }
  if (folded == NULL)
    return FALSE;
  g_string_append_printf (self->out, "(?:%.*s|%s)", g_utf8_skip[(guchar) *self->at], self->at, folded);
  self->at = g_utf8_next_char (self->at);
  return TRUE;
}

/* Stands at a character of a class. */
static void
add_member (Translation *self)
{
  const gsize length = (gsize) g_utf8_skip[(guchar) *self->at];
  g_autofree char *folded = get_group (self)->caseless ? fold_to_several (self->at) : NULL;

  /* PCRE2 would take what begins and ends with a point, a colon or an equals sign for a name in brackets; what a caret is
   * the first of here, and a hyphen the first or the last, may not be all of the class. */
  if ((self->out->len == 0 && strchr (".:=^-", *self->at) != NULL) || (*self->at == '-' && self->at[1] == ']'))
    g_string_append_c (self->out, '\\');
  g_string_append_len (self->out, self->at, (gssize) length);
  if (folded != NULL)
    {
      g_string_append_printf (self->folded, "|%s", folded);
      g_string_append_len (self->alike, self->at, (gssize) length);
    }
  for (guint i = 0; i < G_N_ELEMENTS (ligatures); i++)
    if (g_strcmp0 (folded, ligatures[i].letters) == 0)
      g_string_append (self->alike, ligatures[i].characters);
  self->at += length;
}

/* Stands at the inner bracket. */
static gboolean
translate_named_set (Translation *self,
                     GError     **error)
{
  const gboolean negated = self->at[2] == '^';
  const char *start = self->at + 2 + negated;
  const char *end = strstr (start, ":]");

  for (guint i = 0; end != NULL && i < G_N_ELEMENTS (sets); i++)
    if (strlen (sets[i].name) == (gsize) (end - start) && g_str_has_prefix (start, sets[i].name))
      {
        add_known_set (self, i, negated);
        self->at = end + 2;
        return check_case (self, sets[i].name, error);
      }
  return fail ("[:", error);
}

static gboolean translate_inside (Translation *self, GError **error);

/* Stands at the inner bracket. All that is within it belongs to the outer class. */
static gboolean
translate_nested (Translation *self,
                  GError     **error)
{
  g_autoptr (GString) inside = g_string_new (NULL);
  GString *out = self->out;

  /* Behind a hyphen one counts in place of what is before it. */
  if (self->at[1] == '^' || self->at[-1] == '-' || self->depth == MAX_NESTED)
    return fail ("[[", error);
  self->at++;
  self->out = inside;
  self->depth++;
  const gboolean translated = translate_inside (self, error);
  self->out = out;
  self->depth--;
  g_string_append (out, inside->str);
  if (translated && *self->at == '-')
    {
      g_string_append (out, "\\-");
      self->at++;
    }
  return translated;
}

/* Stands after the bracket. Returns: whether all until the end of the class could be added to out, and to what is apart */
static gboolean
translate_inside (Translation *self,
                  GError     **error)
{
  if (*self->at == ']')
    {
      g_string_append (self->out, "\\]");
      self->at++;
    }
  while (*self->at != ']')
    {
      if (*self->at == '\0')
        return fail ("[", error);
      if (self->at[0] == '&' && self->at[1] == '&')
        return fail ("&&", error);
      if (self->at[0] == '[' && self->at[1] == ':')
        {
          if (!translate_named_set (self, error))
            return FALSE;
        }
      else if (*self->at == '[')
        {
          if (!translate_nested (self, error))
            return FALSE;
        }
      else if (*self->at == '\\')
        {
          self->at++;
          if (!translate_escape (self, error))
            return FALSE;
        }
      else
        {
          add_member (self);
        }
    }
  self->at++;
  return TRUE;
}

/* A class of what is inside and of all that each of some sets leaves out, or of everything else. */
static void
add_class (GString         *out,
           gboolean         negated,
           const GString   *inside,
           const GPtrArray *apart)
{
  if (apart->len == 0)
    {
      g_string_append_printf (out, "[%s%s]", negated ? "^" : "", inside->str);
      return;
    }
  if (inside->len == 0 && apart->len == 1)
    {
      g_string_append_printf (out, "[%s%s]", negated ? "" : "^", (const char *) apart->pdata[0]);
      return;
    }
  /* What several have is tried once. */
  g_string_append (out, negated ? "(?:" : "(?>");
  if (inside->len > 0)
    g_string_append_printf (out, negated ? "(?![%s])" : "[%s]|", inside->str);
  for (guint i = 0; i < apart->len; i++)
    {
      const gboolean last = i + 1 == apart->len;
      const char *set = apart->pdata[i];
      if (negated)
        g_string_append_printf (out, last ? "[%s]" : "(?=[%s])", set);
      else
        g_string_append_printf (out, last ? "[^%s]" : "[^%s]|", set);
    }
  g_string_append_c (out, ')');
}

/* Stands after the bracket. */
static gboolean
translate_class (Translation *self,
                 GError     **error)
{
  g_autoptr (GPtrArray) apart = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) inside = g_string_new (NULL);
  g_autoptr (GString) folded = g_string_new (NULL);
  g_autoptr (GString) alike = g_string_new (NULL);
  GString *out = self->out;
  const gsize start = out->len;
  const gboolean negated = *self->at == '^';

  self->at += negated;
  self->out = inside;
  self->apart = apart;
  self->folded = folded;
  self->alike = alike;
  const gboolean translated = translate_inside (self, error);
  self->out = out;
  self->apart = NULL;
  if (!translated)
    return FALSE;
  if (folded->len > 0 && !negated)
    g_string_append (out, "(?:(?>");
  add_class (out, negated, inside, apart);
  if (folded->len > 0 && !negated)
    g_string_append_printf (out, "|[%s])%s)", alike->str, folded->str);
  if (out->str[start] == '(')
    self->class_end = out->len;
  return TRUE;
}

/* Stands at the parenthesis. What PCRE2 alone has is refused as what it has not: a group that is called from a look ahead, as by “(?1)”, may
 * end a match before its beginning. */
static gboolean
check_group (const char *at,
             GError    **error)
{
  if (at[1] == '*')
    return fail ("(*", error);
  if (at[1] != '?')
    return TRUE;
  const gsize letters = strspn (at + 2, "imx-");
  const char *mark = at + 2 + letters;
  if (strchr (letters > 0 ? ":)" : ":=!><'", *mark) != NULL) /* or the end, which PCRE2 refuses */
    return TRUE;
  g_autofree char *name = hl_utf8_quote (at, (gsize) (g_utf8_next_char (mark) - at), MAX_SHOWN);
  return fail (name, error);
}

/* Stands at the parenthesis. */
static gboolean
translate_group (Translation *self,
                 GError     **error)
{
  Group group = *get_group (self);

  if (!check_group (self->at, error))
    return FALSE;
  group.start = self->out->len;
  group.n_options = 0;
  group.n_last = self->last->len;
  g_string_append_c (self->out, *self->at++);
  if (*self->at == '?')
    {
      gboolean on = TRUE;

      g_string_append_c (self->out, *self->at++);
      const gsize letters = strspn (self->at, "imx-");
      for (gsize i = 0; i < letters; i++, self->at++)
        {
          g_string_append_c (self->out, *self->at == 'm' ? 's' : *self->at);
          on = on && *self->at != '-';
          if (*self->at == 'x')
            group.extended = on;
          if (*self->at == 'i')
            group.caseless = on;
        }
      /* All that follows in the group has these options, alternatives and all, as if it were a group. */
      if (letters > 0 && *self->at == ')')
        {
          g_string_append_c (self->out, ':');
          self->at++;
          get_group (self)->n_options++;
          get_group (self)->extended = group.extended;
          get_group (self)->caseless = group.caseless;
          return TRUE;
        }
      /* The marks of look-around must not be taken for repetitions. */
      while (*self->at != '\0' && strchr ("<=!>:", *self->at) != NULL)
        g_string_append_c (self->out, *self->at++);
    }
  g_array_append_val (self->groups, group);
  return TRUE;
}

static void
close_options (Translation *self)
{
  for (guint i = 0; i < get_group (self)->n_options; i++)
    g_string_append_c (self->out, ')');
}

/* An alternative ends. */
static void
note_repetition (Translation *self)
{
  if (self->repeat_end > 0 && self->repeat_end == self->out->len)
    g_array_append_val (self->last, self->repeat_end);
}

/* A group that repeats takes room for each time that it can give back, and PCRE2 has room for some thousand. The last ones give
 * nothing back: there is nothing behind them that could use it. */
static char *
keep_last (const GString *out,
           const GArray  *last)
{
  GString *kept = g_string_new (NULL);
  gsize at = 0;

  for (guint i = 0; i < last->len; i++)
    {
      const gsize end = g_array_index (last, gsize, i);
      g_string_append_len (kept, out->str + at, (gssize) (end - at));
      g_string_append_c (kept, '+');
      at = end;
    }
  g_string_append (kept, out->str + at);
  return g_string_free (kept, FALSE);
}

/* Stands at the brace. */
static gboolean
translate_count (Translation *self,
                 GError     **error)
{
  const gsize length = strspn (self->at + 1, "0123456789,");

  if (length == 0 || self->at[length + 1] != '}' || (length == 1 && self->at[1] == ','))
    {
      g_string_append (self->out, "\\{");
      self->at++;
      return TRUE;
    }
  g_autofree char *count = g_strdup_printf ("{%s%.*s}", self->at[1] == ',' ? "0" : "", (int) length, self->at + 1);
  self->at += length + 2;
  g_string_append (self->out, count);
  /* So many or none, not as few as can be. */
  if (*self->at == '?' && strchr (count, ',') == NULL)
    return fail ("{n}?", error);
  if (*self->at == '+')
    {
      g_string_insert (self->out, (gssize) self->atom, "(?:");
      g_string_append (self->out, ")+");
      self->at++;
    }
  return TRUE;
}

static gboolean
translate_next (Translation *self,
                GError     **error)
{
  const gsize start = self->out->len;

  switch (*self->at)
    {
    case '\\':
      self->at++;
      self->atom = start;
      return translate_escape (self, error);
    case '[':
      self->at++;
      self->atom = start;
      return translate_class (self, error);
    case '(':
      if (g_str_has_prefix (self->at, "(?#"))
        {
          self->at += strcspn (self->at, ")");
          if (*self->at == '\0' || self->at[-1] == '\\')
            return fail ("(?#", error);
          self->at++;
          return TRUE;
        }
      self->atom = start;
      return translate_group (self, error);
    case ')':
      if (self->groups->len == 1)
        return fail (")", error);
      note_repetition (self);
      if (self->at[1] != '\0' && self->at[1] != '|' && self->at[1] != ')')
        g_array_set_size (self->last, get_group (self)->n_last);
      close_options (self);
      self->atom = get_group (self)->start;
      g_array_set_size (self->groups, self->groups->len - 1);
      g_string_append_c (self->out, *self->at++);
      return TRUE;
    case '{':
      return translate_count (self, error);
    case '*':
    case '+':
      g_string_append_c (self->out, *self->at++);
      if (start > 0 && self->class_end == start)
        self->repeat_end = self->out->len;
      return TRUE;
    case '?':
      g_string_append_c (self->out, *self->at++);
      return TRUE;
    case '|':
      note_repetition (self);
      g_string_append_c (self->out, *self->at++);
      return TRUE;
    default:
      if (get_group (self)->extended && *self->at == '#')
        {
          self->at += strcspn (self->at, "\n");
          return TRUE;
        }
      if (!get_group (self)->extended || !g_ascii_isspace (*self->at))
        self->atom = start;
      if (get_group (self)->caseless && translate_ligature (self))
        return TRUE;
      const gsize length = (gsize) g_utf8_skip[(guchar) *self->at];
      g_string_append_len (self->out, self->at, (gssize) length);
      self->at += length;
      return TRUE;
    }
}

/* Rewrites it for PCRE2 with Unicode properties, multi-line mode and line feeds as line ends. */
char *
hl_pattern_translate (const char *regex,
                      GError    **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GArray) groups = g_array_new (FALSE, TRUE, sizeof (Group));
  g_autoptr (GArray) last = g_array_new (FALSE, FALSE, sizeof (gsize));
  Translation translation = { .at = regex, .out = out, .groups = groups, .last = last };

  if (strlen (regex) > HL_LIMIT_PATTERN)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the regular expression of “pattern” has more than %d bytes"), HL_LIMIT_PATTERN);
      return NULL;
    }
  g_array_set_size (groups, 1);
  while (*translation.at != '\0')
    {
      if (!translate_next (&translation, error))
        return NULL;
      if (out->len > HL_LIMIT_TRANSLATED_PATTERN)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the regular expression of “pattern” is too large"));
          return NULL;
        }
    }
  note_repetition (&translation);
  close_options (&translation);
  return keep_last (out, last);
}
