/* SPDX-License-Identifier: MIT */
/* How a session is written: as a file, and as a command that draws the same picture. */
#include "draw/hl-saved-session.h"

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

static void
append_member (GString    *json,
               const char *key,
               const char *text)
{
  if (text == NULL)
    return;
  g_string_append (json, ",\n  ");
  append_string (json, key);
  g_string_append (json, ": ");
  append_string (json, text);
}

static void
append_number (GString *json,
               double   number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (json, g_ascii_formatd (text, sizeof text, "%.10g", number));
}

static char *
make_list (char **tokens)
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
              const HlStateTexts *state)
{
  gboolean any = FALSE;

  for (guint i = 0; i < hl_state_text_get_n (); i++)
    {
      if (state->texts[i] == NULL)
        continue;
      g_string_append (json, any ? ",\n    " : ",\n  \"state\": {\n    ");
      append_string (json, hl_state_text_get_name (i));
      g_string_append (json, ": ");
      append_string (json, state->texts[i]);
      any = TRUE;
    }
  if (any)
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
  g_autofree char *relative = folder != NULL ? g_file_get_relative_path (folder, self->file) : NULL;
  g_autofree char *uri = g_file_get_uri (self->file);
  g_autofree char *axes = hl_layout_axes_to_string (&self->options.axes);

  if (relative != NULL && g_utf8_validate (relative, -1, NULL))
    append_member (json, "file", relative);
  append_member (json, "uri", uri);
  append_member (json, "dataset", self->options.dataset);
  append_member (json, "axes", *axes != '\0' ? axes : NULL);
  if (self->options.tokens != NULL)
    {
      g_autofree char *list = make_list (self->options.tokens);
      g_string_append_printf (json, ",\n  \"tokens\": %s", list);
    }
  if (self->options.softmax)
    g_string_append (json, ",\n  \"softmax\": true");
  if (self->example > 0)
    g_string_append_printf (json, ",\n  \"example\": %u", self->example);
  append_member (json, "text", self->text);
  append_member (json, "text-pair", self->text_pair);
  append_member (json, "target-text", self->target_text);
  append_state (json, &self->state);
  if (self->zoom > 0)
    {
      g_string_append (json, ",\n  \"zoom\": ");
      append_number (json, self->zoom);
    }
  if (self->scroll_x > 0 || self->scroll_y > 0)
    {
      g_string_append (json, ",\n  \"scroll\": [");
      append_number (json, self->scroll_x);
      g_string_append (json, ", ");
      append_number (json, self->scroll_y);
      g_string_append_c (json, ']');
    }
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

/* Quotes only where a shell would take something for its own. */
static void
append_word (GString    *command,
             const char *text)
{
  static const char plain[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,@%+-";

  if (*text != '\0' && text[strspn (text, plain)] == '\0')
    {
      g_string_append (command, text);
      return;
    }
  g_autofree char *quoted = g_shell_quote (text);
  g_string_append (command, quoted);
}

static void
append_option (GString    *command,
               const char *name,
               const char *text)
{
  if (text == NULL)
    return;
  g_string_append_printf (command, " --%s=", name);
  append_word (command, text);
}

static void
append_number_option (GString    *command,
                      const char *name,
                      double      number)
{
  if (number <= 0)
    return;
  g_string_append_printf (command, " --%s=", name);
  append_number (command, number);
}

static void
append_source (GString              *command,
               const HlSavedSession *self)
{
  g_autofree char *path = g_file_get_path (self->file);
  g_autofree char *uri = g_file_get_uri (self->file);
  g_autofree char *axes = hl_layout_axes_to_string (&self->options.axes);
  g_autofree char *tokens = self->options.tokens != NULL ? make_list (self->options.tokens) : NULL;
  g_autofree char *example = self->example > 0 ? g_strdup_printf ("%u", self->example) : NULL;

  append_word (command, path != NULL ? path : uri);
  append_option (command, "dataset", self->options.dataset);
  append_option (command, "axes", *axes != '\0' ? axes : NULL);
  append_option (command, "tokens", tokens);
  if (self->options.softmax)
    g_string_append (command, " --softmax");
  append_option (command, "example", example);
  append_option (command, "text", self->text);
  append_option (command, "text-pair", self->text_pair);
  append_option (command, "target-text", self->target_text);
}

static void
append_state_options (GString            *command,
                      const HlStateTexts *state)
{
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    {
      if (state->texts[i] == NULL)
        continue;
      if (!g_str_equal (hl_state_text_get_property (i), "pairs"))
        {
          append_option (command, hl_state_text_get_name (i), state->texts[i]);
          continue;
        }
      g_auto (GStrv) pairs = g_strsplit (state->texts[i], "\n", -1);
      for (guint j = 0; pairs[j] != NULL; j++)
        append_option (command, "pair", *pairs[j] != '\0' ? pairs[j] : NULL);
    }
}

/**
 * hl_saved_session_to_command:
 * @self: a session
 * @output: the name of the figure
 * @width: of the figure, logical pixels
 * @height: of the figure, logical pixels
 * @scale: how many pixels a PNG has for each of these
 *
 * Returns: (transfer full): a command for a POSIX shell that draws the picture
 */
char *
hl_saved_session_to_command (const HlSavedSession *self,
                             const char           *output,
                             double                width,
                             double                height,
                             double                scale)
{
  GString *command = g_string_new ("headlight-cli render ");

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (output != NULL, NULL);

  append_source (command, self);
  append_state_options (command, &self->state);
  append_number_option (command, "width", width);
  append_number_option (command, "height", height);
  append_number_option (command, "scale", scale);
  append_number_option (command, "zoom", self->zoom);
  if (self->scroll_x > 0 || self->scroll_y > 0)
    {
      g_string_append (command, " --scroll=");
      append_number (command, self->scroll_x);
      g_string_append_c (command, ',');
      append_number (command, self->scroll_y);
    }
  append_option (command, "output", output);
  return g_string_free (command, FALSE);
}
