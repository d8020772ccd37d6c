/* SPDX-License-Identifier: MIT */
/* A toast says what is wrong with whatever a file or an address is called: a word of thousands of letters would be laid out for seconds. */
#include "panel-support.h"

#include "app/base/hl-toast.h"

#include <adwaita.h>
#include <string.h>

static void
test_long_word (void)
{
  GtkWidget *overlay = adw_toast_overlay_new ();
  GtkWidget *window = panel_show (overlay, 600, 400);
  g_autofree char *letters = g_strnfill (100000, 'a');
  g_autofree char *text = g_strdup_printf ("%s: Error opening file “/tmp/%s”: File name too long", letters, letters);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  gboolean seen = FALSE;

  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (overlay), gtk_label_new ("below"));
  hl_toast_say (ADW_TOAST_OVERLAY (overlay), text, NULL, 10);
  panel_wait (100);
  panel_find_all (overlay, "GtkLabel", labels);
  for (guint i = 0; i < labels->len; i++)
    {
      const char *said = gtk_label_get_label (labels->pdata[i]);

      if (!g_str_has_suffix (said, "a”: File name too long"))
        continue;
      seen = TRUE;
      g_assert_true (g_str_has_prefix (said, "aaa"));
      g_assert_nonnull (strstr (said, "a…a"));
      g_assert_cmpint (g_utf8_strlen (said, -1), <, 1000);
    }
  g_assert_true (seen);
  g_assert_true (hl_toast_says (ADW_TOAST_OVERLAY (overlay), text));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/toast/long-word", test_long_word);
  return g_test_run ();
}
