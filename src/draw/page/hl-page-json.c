/* SPDX-License-Identifier: MIT */
#include "draw/page/hl-page-json.h"

/* Marks of HTML are written as escapes, as are the line ends that older scripts do not know. */
static gboolean
must_escape (gunichar c)
{
  return c < 0x20 || c == 0x7F || c == '<' || c == '>' || c == '&' || c == '\'' || c == 0x2028 || c == 0x2029;
}

/* A string in quotes. What is not UTF-8 becomes U+FFFD. */
void
hl_page_json_append_string (GString    *json,
                            const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (json, '"');
  for (const char *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    {
      const gunichar c = g_utf8_get_char (at);

      if (c == '"' || c == '\\')
        g_string_append_printf (json, "\\%c", (char) c);
      else if (must_escape (c))
        g_string_append_printf (json, "\\u%04x", c);
      else
        g_string_append_unichar (json, c);
    }
  g_string_append_c (json, '"');
}

/* As many digits as a float32 has. */
void
hl_page_json_append_number (GString *json,
                            double   number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (json, g_ascii_formatd (text, sizeof text, "%.9g", number));
}

/* Begins a member of an object. */
void
hl_page_json_begin_member (GString    *json,
                           const char *name)
{
  const char last = json->len > 0 ? json->str[json->len - 1] : '\0';

  if (last != '{' && last != '[')
    g_string_append (json, ",\n");
  hl_page_json_append_string (json, name);
  g_string_append_c (json, ':');
}

/* Adds a member that is text; none for NULL and for nothing. */
void
hl_page_json_append_member (GString    *json,
                            const char *name,
                            const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  hl_page_json_begin_member (json, name);
  hl_page_json_append_string (json, text);
}

/* Adds a member that is a whole number. */
void
hl_page_json_append_integer (GString    *json,
                             const char *name,
                             guint64     number)
{
  hl_page_json_begin_member (json, name);
  g_string_append_printf (json, "%" G_GUINT64_FORMAT, number);
}

/* Text as it stands in HTML. */
void
hl_page_append_html (GString    *html,
                     const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *escaped = g_markup_escape_text (valid, -1);

  g_string_append (html, escaped);
}
