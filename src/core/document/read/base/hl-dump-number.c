/* SPDX-License-Identifier: MIT */
/* A number that is an attribute. Some containers can only hold text, and there it is spelled out. */
#include "core/document/read/base/hl-dump-number.h"

/* Returns whether the text is a number and nothing else. */
gboolean
hl_dump_number_parse_text (const char *text,
                           double     *number)
{
  char *end;

  *number = g_ascii_strtod (text, &end);
  return *text != '\0' && *end == '\0';
}

/* Returns whether an attribute is a number, or text that spells one. */
gboolean
hl_dump_number_parse (GVariant *value,
                      double   *number)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    *number = (double) g_variant_get_int64 (value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    *number = g_variant_get_double (value);
  else
    return g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) &&
           hl_dump_number_parse_text (g_variant_get_string (value, NULL), number);
  return TRUE;
}
