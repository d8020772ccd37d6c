/* SPDX-License-Identifier: MIT */
/* The file that a model is to see: who writes to it is noticed, and what was good before is known. */
#include "panel-support.h"

#include "app/live/hl-live-pixels.h"

#include <glib/gstdio.h>

static void
count (guint *n)
{
  (*n)++;
}

static void
write_file (GFile      *file,
            const char *text)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (g_file_peek_path (file), text, -1, &error);
  g_assert_no_error (error);
}

static void
test_written (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-pixels-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.png", NULL);
  g_autofree char *other_path = g_build_filename (folder, "b.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) other = g_file_new_for_path (other_path);
  HlLivePixels *pixels = hl_live_pixels_new ();
  guint n_written = 0;

  write_file (file, "a");
  write_file (other, "b");
  g_signal_connect_swapped (pixels, "written", G_CALLBACK (count), &n_written);
  g_assert_true (hl_live_pixels_set_file (pixels, file));
  g_assert_false (hl_live_pixels_set_file (pixels, file));
  write_file (file, "c");
  PANEL_WAIT_UNTIL (n_written > 0);

  /* That file alone, as long as it is the one. */
  g_assert_true (hl_live_pixels_set_file (pixels, other));
  panel_wait (50);
  n_written = 0;
  write_file (file, "d");
  panel_wait (300);
  g_assert_cmpuint (n_written, ==, 0);
  hl_live_pixels_close (pixels);
  g_assert_null (hl_live_pixels_get_file (pixels));
  write_file (other, "e");
  panel_wait (300);
  g_assert_cmpuint (n_written, ==, 0);
  g_assert_finalize_object (pixels);
  g_unlink (path);
  g_unlink (other_path);
  g_rmdir (folder);
}

static void
test_good (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nowhere/a.png");
  g_autoptr (HlLivePixels) pixels = hl_live_pixels_new ();
  g_autoptr (HlImage) image = hl_image_new (2, 2, NULL);

  g_assert_null (hl_live_pixels_get_good (pixels));
  hl_live_pixels_set_file (pixels, file);
  g_assert_null (hl_live_pixels_get_good (pixels));
  hl_live_pixels_keep (pixels, file, image);
  g_assert_true (hl_live_pixels_get_good (pixels) == file);
  g_assert_true (hl_live_pixels_get_thumbnail (pixels) == image);
  /* A text takes its place, and is what a run was made of then. */
  g_assert_true (hl_live_pixels_set_file (pixels, NULL));
  g_assert_null (hl_live_pixels_get_thumbnail (pixels));
  g_assert_true (hl_live_pixels_get_good (pixels) == file);
  hl_live_pixels_keep (pixels, NULL, NULL);
  g_assert_null (hl_live_pixels_get_good (pixels));
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/live-pixels/written", test_written);
  g_test_add_func ("/live-pixels/good", test_good);
  return g_test_run ();
}
