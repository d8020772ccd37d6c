/* SPDX-License-Identifier: MIT */
#include "view/hl-sentence.h"

#include "core/base/hl-utf8.h"

/* Names are spelt as they are: a word of small letters alone is none, "config.json" and "d_model" may be. */
static gboolean
begins_with_word (const char *text)
{
  const char *end = text;

  while (g_unichar_islower (g_utf8_get_char (end)))
    end = g_utf8_next_char (end);
  return end > text && (*end == '\0' || *end == ' ' || *end == ',' || *end == ';');
}

char *
hl_sentence_new (const char *text)
{
  char first[6];

  g_return_val_if_fail (text != NULL, NULL);

  if (!begins_with_word (text))
    return g_strdup (text);
  const int length = g_unichar_to_utf8 (g_unichar_totitle (g_utf8_get_char (text)), first);
  return g_strdup_printf ("%.*s%s", length, first, g_utf8_next_char (text));
}

char *
hl_sentence_of_error (const GError *error)
{
  g_return_val_if_fail (error != NULL, NULL);

  g_autofree char *bounded = hl_utf8_bound (error->message);
  return hl_sentence_new (bounded);
}
