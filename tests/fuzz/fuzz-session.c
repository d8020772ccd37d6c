/* SPDX-License-Identifier: MIT */
/* Any bytes as a session file: what can be read is written, read again, and the same. */
#include "fuzz.h"

#include "view/session/hl-saved-session.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GFile) folder = g_file_new_for_path ("/nowhere");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession) session = hl_saved_session_parse ((const char *) bytes, size, folder, &error);

  g_assert ((session == NULL) == (error != NULL));
  if (session == NULL)
    {
      g_assert (g_utf8_validate (error->message, -1, NULL));
      return 0;
    }
  g_autofree char *json = hl_saved_session_to_json (session, folder);
  g_autoptr (HlSavedSession) again = hl_saved_session_parse (json, strlen (json), folder, &error);
  g_assert_no_error (error);
  g_autofree char *json_again = hl_saved_session_to_json (again, folder);
  g_assert_cmpstr (json, ==, json_again);

  g_autofree char *command = hl_saved_session_to_command (session, "figure.png", 800, 600, 2);
  g_auto (GStrv) words = NULL;
  /* GLib does not know how shells spell controls: $'\001'. */
  if (strstr (command, "$'") != NULL)
    return 0;
  g_assert (g_shell_parse_argv (command, NULL, &words, NULL));
  g_assert_cmpstr (words[1], ==, "render");
  return 0;
}
