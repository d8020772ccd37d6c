/* SPDX-License-Identifier: MIT */
/* Any bytes as what was open in a window: what can be read is written, read again, and the same. */
#include "fuzz.h"

#include "view/session/hl-saved-window.h"

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedWindow) window = hl_saved_window_parse ((const char *) bytes, size, &error);

  g_assert ((window == NULL) == (error != NULL));
  if (window == NULL)
    {
      g_assert (g_utf8_validate (error->message, -1, NULL));
      return 0;
    }
  g_assert (window->tabs->len == 0 ? window->selected == 0 : window->selected < window->tabs->len);
  g_autoptr (GBytes) written = hl_saved_window_to_bytes (window);
  g_autoptr (HlSavedWindow)
    again = hl_saved_window_parse (g_bytes_get_data (written, NULL), g_bytes_get_size (written), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->tabs->len, ==, window->tabs->len);
  g_assert_cmpuint (again->selected, ==, window->selected);
  g_autoptr (GBytes) written_again = hl_saved_window_to_bytes (again);
  g_assert (g_bytes_equal (written, written_again));
  return 0;
}
