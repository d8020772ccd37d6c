/* SPDX-License-Identifier: MIT */
/* How a session is written as a file. */
#include "view/session/hl-saved-session-private.h"

#include "core/base/hl-temp-file.h"

#include <string.h>

static void
append_string (GString    *json,
               const char *text)
{
  g_string_append_c (json, '"');
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (json, "\\%c", *c);
    else if ((guchar) *c < 0x20)
      g_string_append_printf (json, "\\u%04x", (guint) *c);
    else
      g_string_append_c (json, *c);
  g_string_append_c (json, '"');
}

/* What comes before a member; the first one of an object follows its brace. */
static void
append_key (GString    *json,
            const char *indent,
            const char *key)
{
  g_string_append (json, json->str[json->len - 1] == '{' ? "\n" : ",\n");
  g_string_append (json, indent);
  append_string (json, key);
  g_string_append (json, ": ");
}

static void
append_member (GString    *json,
               const char *indent,
               const char *key,
               const char *text)
{
  if (text == NULL)
    return;
  append_key (json, indent, key);
  append_string (json, text);
}

void
hl_saved_session_append_number (GString *text,
                                double   number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (digits, sizeof digits, "%.10g", number));
}

/* A JSON list, also on a command line. */
char *
hl_saved_session_make_list (char **tokens)
{
  GString *json = g_string_new ("[");

  for (guint i = 0; tokens[i] != NULL; i++)
    {
      g_string_append (json, i > 0 ? ", " : "");
      append_string (json, tokens[i]);
    }
  g_string_append_c (json, ']');
  return g_string_free (json, FALSE);
}

static void
append_state (GString            *json,
              const char         *indent,
              const HlStateTexts *state)
{
  g_autofree char *deeper = g_strconcat (indent, "  ", NULL);
  gboolean any = FALSE;

  for (guint i = 0; i < hl_state_text_get_n (); i++)
    any = any || state->texts[i] != NULL;
  if (!any)
    return;
  append_key (json, indent, "state");
  g_string_append_c (json, '{');
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    append_member (json, deeper, hl_state_text_get_name (i), state->texts[i]);
  g_string_append_printf (json, "\n%s}", indent);
}

static void
append_file (GString    *json,
             const char *indent,
             GFile      *file,
             GFile      *folder)
{
  if (file == NULL)
    return;
  g_autofree char *relative = folder != NULL ? g_file_get_relative_path (folder, file) : NULL;
  g_autofree char *uri = g_file_get_uri (file);
  if (relative != NULL && g_utf8_validate (relative, -1, NULL))
    append_member (json, indent, "file", relative);
  append_member (json, indent, "uri", uri);
}

/* What both sides of a comparison have. */
static void
append_side (GString              *json,
             const char           *indent,
             const HlSavedSession *self,
             GFile                *folder)
{
  g_autofree char *axes = hl_layout_axes_to_string (&self->options.axes);
  g_autofree char *tokens = self->options.tokens != NULL ? hl_saved_session_make_list (self->options.tokens) : NULL;

  append_file (json, indent, self->file, folder);
  append_member (json, indent, "dataset", self->options.dataset);
  append_member (json, indent, "axes", *axes != '\0' ? axes : NULL);
  if (tokens != NULL)
    {
      append_key (json, indent, "tokens");
      g_string_append (json, tokens);
    }
  if (self->options.softmax)
    {
      append_key (json, indent, "softmax");
      g_string_append (json, "true");
    }
  if (self->example > 0)
    {
      append_key (json, indent, "example");
      g_string_append_printf (json, "%u", self->example);
    }
  append_member (json, indent, "text", self->text);
  append_member (json, indent, "text-pair", self->text_pair);
  append_member (json, indent, "target-text", self->target_text);
  append_state (json, indent, &self->state);
  if (self->zoom > 0)
    {
      append_key (json, indent, "zoom");
      hl_saved_session_append_number (json, self->zoom);
    }
  if (self->scroll_x > 0 || self->scroll_y > 0)
    {
      append_key (json, indent, "scroll");
      g_string_append_c (json, '[');
      hl_saved_session_append_number (json, self->scroll_x);
      g_string_append (json, ", ");
      hl_saved_session_append_number (json, self->scroll_y);
      g_string_append_c (json, ']');
    }
}

static void
append_other (GString              *json,
              const HlSavedSession *other,
              GFile                *folder)
{
  append_key (json, "  ", "other");
  g_string_append_c (json, '{');
  append_side (json, "    ", other, folder);
  if (other->difference)
    {
      append_key (json, "    ", "difference");
      g_string_append (json, "true");
    }
  g_string_append (json, "\n  }");
}

/**
 * hl_saved_session_to_json:
 * @self: a session
 * @folder: (nullable): where the file will be
 *
 * Returns: (transfer full): what hl_saved_session_parse() reads as the same
 */
char *
hl_saved_session_to_json (const HlSavedSession *self,
                          GFile                *folder)
{
  g_return_val_if_fail (self != NULL, NULL);

  GString *json = g_string_new ("{\n  \"format\": \"headlight-session\",\n  \"version\": 1");
  append_side (json, "  ", self, folder);
  if (self->other != NULL)
    append_other (json, self->other, folder);
  g_string_append (json, "\n}\n");
  return g_string_free (json, FALSE);
}

/**
 * hl_saved_session_save:
 * @self: a session
 * @target: the file
 * @error: %HL_ERROR_IO
 *
 * Writes a session file, whole or not at all; blocks.
 *
 * Returns: whether it is there
 */
gboolean
hl_saved_session_save (const HlSavedSession *self,
                       GFile                *target,
                       GError              **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (G_IS_FILE (target), FALSE);

  g_autoptr (GFile) folder = g_file_get_parent (target);
  g_autofree char *json = hl_saved_session_to_json (self, folder);
  g_autoptr (HlTempFile) file = hl_temp_file_new (target, error);
  return file != NULL && hl_temp_file_write (file, json, strlen (json), error) &&
         hl_temp_file_commit (file, error);
}
