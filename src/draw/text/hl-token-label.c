/* SPDX-License-Identifier: MIT */
/* Tokens as people read them: what would not be seen is made visible, and marks have something to stand on. */
#include "draw/text/hl-token-label.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/text/hl-bidi.h"
#include "core/base/hl-utf8.h"
#include "draw/text/hl-text-cuts.h"

/* No label has room for more, and a file may hold tokens of any length. */
#define MAX_SHOWN 200
/* Marks on one letter: more than any language writes. Further ones would cover the rows above and below. */
#define MAX_MARKS 6

#define DOTTED_CIRCLE "◌"
/* Without it, a circle with a mark of Arabic is no Arabic, and fonts do not put the mark on it. */
#define ARABIC_LETTER_MARK "\xD8\x9C"

#define JOINER 0x200D
#define NON_JOINER 0x200C
#define BLACK_FLAG 0x1F3F4
#define CANCEL_TAG 0xE007F

static gboolean
is_within (gunichar c,
           gunichar first,
           gunichar last)
{
  return c >= first && c <= last;
}

static gboolean
is_selector (gunichar c)
{
  return is_within (c, 0xFE00, 0xFE0F) || is_within (c, 0xE0100, 0xE01EF) || is_within (c, 0x180B, 0x180D) ||
         c == 0x180F;
}

/* Signs of the category of formats that are seen: those that stand under numbers, and the end of a verse. */
static gboolean
is_seen_format (gunichar c)
{
  return is_within (c, 0x600, 0x605) || c == 0x6DD || c == 0x70F || is_within (c, 0x890, 0x891) || c == 0x8E2 ||
         c == 0x110BD || c == 0x110CD;
}

/*
 * What fonts leave blank: all that the property Default_Ignorable_Code_Point has besides selectors, blank letters, and what is no
 * character at all.
 */
static gboolean
is_blank (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_FORMAT:
      return !is_seen_format (c);
    case G_UNICODE_CONTROL:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_SPACE_SEPARATOR:
    case G_UNICODE_SURROGATE:
      return TRUE;
    default:
      return c == 0x34F || is_within (c, 0x115F, 0x1160) || is_within (c, 0x17B4, 0x17B5) || c == 0x2065 ||
             c == 0x2800 || c == 0x3164 || c == 0xFFA0 || is_within (c, 0xFFF0, 0xFFF8) ||
             hl_utf8_is_noncharacter (c) || (is_within (c, 0xE0000, 0xE0FFF) && !is_selector (c));
    }
}

/* Vowels of Thai and Lao that begin with a mark are letters to Unicode. */
static gboolean
is_mark (gunichar c)
{
  return g_unichar_ismark (c) || c == 0xE33 || c == 0xEB3;
}

/* Parts of letters, as Tibetan has them below others, are marks too, but of no such class. */
static gboolean
stacks (gunichar mark)
{
  return g_unichar_combining_class (mark) != 0;
}

/* Scripts whose shaping puts a circle itself where a mark has no letter: a second one would be in another font. */
static gboolean
has_own_circle (gunichar mark)
{
  switch (g_unichar_get_script (mark))
    {
    case G_UNICODE_SCRIPT_BALINESE:
    case G_UNICODE_SCRIPT_BENGALI:
    case G_UNICODE_SCRIPT_DEVANAGARI:
    case G_UNICODE_SCRIPT_GUJARATI:
    case G_UNICODE_SCRIPT_GURMUKHI:
    case G_UNICODE_SCRIPT_JAVANESE:
    case G_UNICODE_SCRIPT_KANNADA:
    case G_UNICODE_SCRIPT_KHMER:
    case G_UNICODE_SCRIPT_MALAYALAM:
    case G_UNICODE_SCRIPT_MYANMAR:
    case G_UNICODE_SCRIPT_ORIYA:
    case G_UNICODE_SCRIPT_SINHALA:
    case G_UNICODE_SCRIPT_SUNDANESE:
    case G_UNICODE_SCRIPT_TAMIL:
    case G_UNICODE_SCRIPT_TELUGU:
    case G_UNICODE_SCRIPT_TIBETAN:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Several marks of Arabic are shared with other scripts, says Unicode, but stand in its blocks. */
static gboolean
is_arabic_mark (gunichar mark)
{
  return is_within (mark, 0x600, 0x6FF) || is_within (mark, 0x750, 0x77F) || is_within (mark, 0x8A0, 0x8FF);
}

static void
append_base (GString *text,
             gunichar mark)
{
  if (has_own_circle (mark))
    return;
  if (is_arabic_mark (mark))
    g_string_append (text, ARABIC_LETTER_MARK);
  g_string_append (text, DOTTED_CIRCLE);
}

/* The end of a flag that is spelt in tags (Scotland), %NULL if none begins at @p. */
static const char *
find_flag_end (const char *p)
{
  const char *end;

  if (g_utf8_get_char (p) != BLACK_FLAG)
    return NULL;
  for (end = g_utf8_next_char (p); is_within (g_utf8_get_char (end), 0xE0020, 0xE007E);)
    end = g_utf8_next_char (end);
  return g_utf8_get_char (end) == CANCEL_TAG ? g_utf8_next_char (end) : NULL;
}

/* Whether a joiner is between two characters, so that it shows in how these look. */
static gboolean
joins (gunichar    c,
       gboolean    has_base,
       const char *next)
{
  return (c == JOINER || c == NON_JOINER) && has_base && *next != '\0' && !is_blank (g_utf8_get_char (next));
}

static void
append_visible (GString *text,
                gunichar c)
{
  if (c == ' ' || c == 0xA0)
    g_string_append (text, "␣");
  else if (c == '\n')
    g_string_append (text, "↵");
  else if (c == '\t')
    g_string_append (text, "⇥");
  else
    g_string_append_printf (text, "⟨%04X⟩", c);
}

/* Whether a space has something that is seen on both sides, and so is seen itself. */
static gboolean
is_inner (const char *token,
          const char *p,
          const char *end)
{
  return p > token && p + 1 < end && !is_blank (g_utf8_get_char (g_utf8_prev_char (p))) &&
         !is_blank (g_utf8_get_char (p + 1));
}

/* How much of a token is shown: whole characters, as readers take them. */
static const char *
find_end (const char *token)
{
  const char *end = token;

  for (guint i = 0; i < MAX_SHOWN && *end != '\0'; i++)
    end = g_utf8_next_char (end);
  if (*end == '\0')
    return end;

  /* One more, since it may belong to the last. */
  g_autofree char *begin = g_strndup (token, (gsize) (g_utf8_next_char (end) - token));
  gsize n;
  g_autofree gsize *cuts = hl_text_cuts_find (begin, &n);
  return n > 1 ? token + cuts[n - 1] : end;
}

/*
 * Makes visible what would not be seen: spaces at either end and several in a row, line breaks, the empty token, and as numbers control characters,
 * those that change the direction of text, joiners that join nothing and letters that are blank. Marks that have no
 * letter in the token, as pieces of words begin with, stand on a dotted circle. Of very long tokens the beginning is
 * shown, of letters with very many marks the first of them.
 */
char *
hl_token_text_show (const char *token)
{
  GString *text;
  gboolean has_base = FALSE;
  guint n_marks = 0;

  g_return_val_if_fail (token != NULL, NULL);

  if (*token == '\0')
    return g_strdup ("∅");

  const char *end = find_end (token);
  text = g_string_new (NULL);
  for (const char *p = token; p < end;)
    {
      const gunichar c = g_utf8_get_char (p);
      const char *next = g_utf8_next_char (p);
      const char *flag_end = find_flag_end (p);

      if (flag_end != NULL && flag_end <= end)
        {
          next = flag_end;
          g_string_append_len (text, p, next - p);
          has_base = TRUE;
        }
      else if (joins (c, has_base, next) || (is_selector (c) && has_base))
        g_string_append_unichar (text, c);
      else if (c == ' ' && is_inner (token, p, end))
        {
          g_string_append_c (text, ' ');
          has_base = FALSE;
        }
      else if (is_blank (c) || is_selector (c))
        {
          append_visible (text, c);
          has_base = FALSE;
        }
      else if (is_mark (c))
        {
          if (!has_base)
            {
              append_base (text, c);
              n_marks = 0;
            }
          has_base = TRUE;
          n_marks += stacks (c);
          if (!stacks (c) || n_marks <= MAX_MARKS)
            g_string_append_unichar (text, c);
        }
      else
        {
          g_string_append_unichar (text, c);
          n_marks = 0;
          /* The sign of a piece that goes on is no letter. */
          has_base = c != '#' || p != token + 1 || *token != '#';
        }
      p = next;
    }
  if (*end != '\0')
    g_string_append (text, "…");
  return g_string_free (text, FALSE);
}

/* hl_token_text_show() of it, such that it can be put into a sentence; see hl_bidi_isolate(). */
char *
hl_token_text_quote (const char *token)
{
  g_autofree char *shown = hl_token_text_show (token);

  return hl_bidi_isolate (shown);
}

/* As hl_token_text_quote(), of a long token beginning and end: about @n_letters of it. */
char *
hl_token_text_shorten (const char *token,
                       guint       n_letters)
{
  g_autofree char *shown = hl_token_text_show (token);
  const glong length = g_utf8_strlen (shown, -1);

  g_return_val_if_fail (n_letters > 2, NULL);

  if (length <= (glong) n_letters)
    return hl_bidi_isolate (shown);
  const char *head = g_utf8_offset_to_pointer (shown, n_letters / 2);
  const char *tail = g_utf8_offset_to_pointer (shown, length - (glong) (n_letters - 1) / 2);
  /* Marks stay with their letter. */
  while (head < tail && g_unichar_ismark (g_utf8_get_char (head)))
    head = g_utf8_next_char (head);
  while (*tail != '\0' && g_unichar_ismark (g_utf8_get_char (tail)))
    tail = g_utf8_next_char (tail);
  if (head >= tail)
    return hl_bidi_isolate (shown);
  g_autofree char *beginning = g_strndup (shown, (gsize) (head - shown));
  g_autofree char *shortened = g_strconcat (beginning, "…", tail, NULL);
  return hl_bidi_isolate (shortened);
}

/* What people read and how the tokenizer spells it, "flies, spelt “Ġflies”"; NULL where they are the same. */
char *
hl_token_text_describe (const char *text,
                        const char *token)
{
  g_return_val_if_fail (text != NULL && token != NULL, NULL);

  if (g_str_equal (text, token))
    return NULL;
  g_autofree char *shown_text = hl_token_text_quote (text);
  g_autofree char *shown_token = hl_token_text_quote (token);
  /* Translators: a token as people read it, and as it stands in the vocabulary of the model */
  return g_strdup_printf (_ ("%s, spelt “%s”"), shown_text, shown_token);
}
