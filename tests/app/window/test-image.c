/* SPDX-License-Identifier: MIT */
/* Images among the files that are opened, and such as have no file: which model gets them, and what is said where none can. */
#include "panel-support.h"

#include "app/base/hl-toast.h"
#include "app/hl-application.h"
#include "app/live/hl-image-file.h"
#include "app/window/hl-incoming-image.h"
#include "app/window/hl-window-open.h"
#include "core/base/hl-limits.h"

#include <string.h>
#include <sys/resource.h>

static GFile *
get_file (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", name, NULL);

  return g_file_new_for_path (path);
}

static HlApplication *
create_application (void)
{
  HlApplication *application = hl_application_new ();
  g_autoptr (GError) error = NULL;

  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, &error));
  g_assert_no_error (error);
  return application;
}

/* Opens files by their names, up to NULL. */
static void
open_files (HlWindow          *window,
            const char *const *names)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; names[i] != NULL; i++)
    g_ptr_array_add (files, get_file (names[i]));
  hl_window_open_files (gtk_window_get_application (GTK_WINDOW (window)), window, (GFile **) files->pdata, files->len);
}

static guint
count_pages (HlWindow *window)
{
  g_autoptr (GListModel) pages = hl_window_create_pages (window);

  return g_list_model_get_n_items (pages);
}

/* Of the page on top, whose image is what was expected. */
static gboolean
shows (HlWindow   *window,
       const char *image)
{
  HlDocumentPage *page = hl_window_get_page (window);
  HlSession *session = page != NULL ? hl_document_page_get_session (page) : NULL;
  HlLiveModel *live = session != NULL ? hl_session_get_live (session) : NULL;

  return live != NULL && !hl_live_model_get_busy (live) && g_strcmp0 (hl_session_get_subtitle (session), image) == 0;
}

static gboolean
find_label (GtkWidget  *widget,
            const char *words)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) &&
      strstr (gtk_label_get_label (GTK_LABEL (widget)), words) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (find_label (child, words))
      return TRUE;
  return FALSE;
}

static void
close_window (HlWindow *window)
{
  gtk_window_close (GTK_WINDOW (window));
  panel_wait (100);
}

static void
test_find (void)
{
  static const char *const names[] = { "images/picture.png",    "vision/vit",    "images/other.png",
                                       "vision/vit/pixels.npy", "vision/dinov2", "images/p.JPG" };
  static const int expected[] = { 1, -1, 1, -1, -1, 4 };
  GFile *files[G_N_ELEMENTS (names)];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    files[i] = get_file (names[i]);
  g_autofree int *found = hl_image_file_find_models (files, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpint (found[i], ==, expected[i]);
  g_autofree int *alone = hl_image_file_find_models (&files[5], 1);
  g_assert_cmpint (alone[0], ==, -1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_object_unref (files[i]);
}

#define N_MANY 1000

/* One model for many: where each was looked at for each of the others, this took ten seconds. */
static void
test_find_many (void)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < N_MANY; i++)
    g_ptr_array_add (files, i == N_MANY / 2 ? get_file ("vision/vit") : get_file ("images/picture.png"));
  g_autofree int *found = hl_image_file_find_models ((GFile *const *) files->pdata, N_MANY);
  for (guint i = 0; i < N_MANY; i++)
    g_assert_cmpint (found[i], ==, i == N_MANY / 2 ? -1 : N_MANY / 2);
}

/* Given with the model, given to the one that is open, and alone. */
static void
test_with_model (void)
{
  static const char *const both[] = { "vision/dinov2", "images/picture.png", NULL };
  static const char *const other[] = { "images/other.png", "vision/dinov2", NULL };
  static const char *const alone[] = { "images/picture.png", NULL };
  static const char *const two[] = { "vision/dinov2", "images/other.png", "images/picture.png", NULL };
  g_autoptr (HlApplication) application = create_application ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));

  open_files (window, both);
  PANEL_WAIT_UNTIL (shows (window, "picture.png"));
  g_assert_cmpuint (count_pages (window), ==, 1);
  open_files (window, other);
  PANEL_WAIT_UNTIL (shows (window, "other.png"));
  open_files (window, alone);
  PANEL_WAIT_UNTIL (shows (window, "picture.png"));
  g_assert_cmpuint (count_pages (window), ==, 1);

  open_files (window, two);
  PANEL_WAIT_UNTIL (shows (window, "other.png") && find_label (GTK_WIDGET (window), "one at a time"));
  g_assert_cmpuint (count_pages (window), ==, 1);
  close_window (window);
}

/* A model that sees asks for another; one that does not is told about, and the window is as before. */
static void
test_refused (void)
{
  static const char *const broken[] = { "vision/dinov2", "images/none.png", NULL };
  static const char *const text[] = { "checkpoints/gpt2", "images/picture.png", NULL };
  static const char *const alone[] = { "images/picture.png", NULL };
  g_autoptr (HlApplication) application = create_application ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));

  gtk_window_present (GTK_WINDOW (window));
  open_files (window, alone);
  PANEL_WAIT_UNTIL (find_label (GTK_WIDGET (window), "picture.png: this is an image"));
  open_files (window, text);
  PANEL_WAIT_UNTIL (count_pages (window) == 0 && find_label (GTK_WIDGET (window), "gpt2: "));

  open_files (window, broken);
  PANEL_WAIT_UNTIL (hl_window_get_page (window) != NULL && !hl_document_page_get_loading (hl_window_get_page (window)));
  PANEL_WAIT_UNTIL (find_label (GTK_WIDGET (window), "none.png"));
  g_assert_true (hl_document_page_takes_pixels (hl_window_get_page (window)));
  open_files (window, alone);
  PANEL_WAIT_UNTIL (shows (window, "picture.png"));
  close_window (window);
}

static HlIncomingImage *
expect_image (HlDocumentPage *page)
{
  g_autoptr (AdwToastOverlay) toasts = g_object_ref_sink (ADW_TOAST_OVERLAY (adw_toast_overlay_new ()));

  return hl_incoming_image_new (page, NULL, toasts);
}

/* Lets the image be that of a file; returns once the page has it, or does not want it. */
static void
give_image (HlIncomingImage *image,
            const char      *name)
{
  g_autoptr (GFile) file = get_file (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &error);
  AdwToastOverlay *toasts = image->toasts;

  g_assert_no_error (error);
  g_object_add_weak_pointer (G_OBJECT (toasts), (gpointer *) &toasts);
  hl_incoming_image_take_stream (image, G_INPUT_STREAM (stream), NULL, NULL);
  PANEL_WAIT_UNTIL (toasts == NULL);
}

static HlImage *
load_image (const char *name)
{
  g_autoptr (GFile) file = get_file (name);
  g_autoptr (GError) error = NULL;
  HlImage *image = hl_image_load (file, NULL, &error);

  g_assert_no_error (error);
  return image;
}

/* Whether the page has an image of the same pixels. */
static gboolean
has_image (HlDocumentPage *page,
           const char     *name)
{
  HlLiveModel *live = hl_session_get_live (hl_document_page_get_session (page));
  g_autoptr (HlImage) wanted = load_image (name), image = hl_image_load (hl_live_model_get_pixels (live), NULL, NULL);

  return hl_image_equal (image, wanted);
}

/* The image that came last is shown, and not the one that is read last. */
static void
test_order (void)
{
  static const char *const both[] = { "vision/dinov2", "images/picture.png", NULL };
  g_autoptr (HlApplication) application = create_application ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));

  open_files (window, both);
  PANEL_WAIT_UNTIL (shows (window, "picture.png"));
  HlDocumentPage *page = hl_window_get_page (window);
  HlIncomingImage *first = expect_image (page), *second = expect_image (page), *third = expect_image (page);
  give_image (first, "images/other.png");
  g_assert_true (has_image (page, "images/other.png"));
  give_image (third, "images/picture.png");
  g_assert_true (has_image (page, "images/picture.png"));
  give_image (second, "images/other.png");
  g_assert_true (has_image (page, "images/picture.png"));

  /* A file is chosen meanwhile. */
  HlIncomingImage *fourth = expect_image (page);
  g_autoptr (GFile) chosen = get_file ("images/other.png");
  hl_document_page_set_pixels (page, chosen);
  give_image (fourth, "images/picture.png");
  g_assert_true (has_image (page, "images/other.png"));
  HlIncomingImage *fifth = expect_image (page);
  give_image (fifth, "images/picture.png");
  g_assert_true (has_image (page, "images/picture.png"));
  close_window (window);
}

/* An image that comes to a tab that asked for one, and was closed meanwhile, is no reason to read its model. */
static void
test_closed (void)
{
  static const char *const alone[] = { "vision/dinov2", NULL };
  g_autoptr (HlApplication) application = create_application ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));

  open_files (window, alone);
  PANEL_WAIT_UNTIL (hl_window_get_page (window) != NULL && hl_document_page_takes_pixels (hl_window_get_page (window)));
  g_autoptr (HlDocumentPage) page = g_object_ref (hl_window_get_page (window));
  HlIncomingImage *image = expect_image (page);
  hl_window_close_tab (window);
  PANEL_WAIT_UNTIL (count_pages (window) == 0);
  g_assert_false (hl_document_page_takes_pixels (page));
  give_image (image, "images/picture.png");
  g_assert_false (hl_document_page_get_loading (page));
  close_window (window);
}

static cairo_status_t
append (gpointer             bytes,
        const unsigned char *data,
        unsigned             length)
{
  g_byte_array_append (bytes, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* A side of an image of more pixels than are read; in a file it has some kilobytes. */
#define LARGE 9000

static GBytes *
make_large_image (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A1, LARGE, LARGE);

  g_assert_cmpuint (LARGE * LARGE, >, HL_LIMIT_PICTURE_PIXELS);
  g_assert_cmpint (cairo_surface_write_to_png_stream (surface, append, bytes), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_destroy (surface);
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

/* In KiB, the most there was. */
static glong
get_memory (void)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  return usage.ru_maxrss;
}

static void
note_read (gpointer is_read_whole,
           gboolean is_read)
{
  *(gboolean *) is_read_whole = is_read;
}

/* An image from elsewhere is asked for its size before there is room for it, and read no further than it may be long. */
static void
test_too_large (void)
{
  static const char *const both[] = { "vision/dinov2", "images/picture.png", NULL };
  g_autoptr (HlApplication) application = create_application ();
  HlWindow *window = hl_window_new (GTK_APPLICATION (application));
  g_autoptr (GBytes) bytes = make_large_image ();
  g_autoptr (GdkContentProvider) content = gdk_content_provider_new_for_bytes ("image/png", bytes);

  open_files (window, both);
  PANEL_WAIT_UNTIL (shows (window, "picture.png"));
  AdwToastOverlay *toasts = hl_window_get_toasts (window);
  g_assert_true (gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (window)), content));
  const glong before = get_memory ();
  g_action_group_activate_action (G_ACTION_GROUP (window), "paste-image", NULL);
  PANEL_WAIT_UNTIL (hl_toast_says (toasts,
                                   "The image has 9000 × 9000 pixels; at most 32768 a side, and 67108864 in all, "
                                   "are read"));
  g_assert_cmpint (get_memory () - before, <, LARGE * LARGE / 1024);

  g_autoptr (GInputStream) endless = g_memory_input_stream_new ();
  g_autofree char *zeros = g_malloc0 (1 << 20);
  g_autoptr (GBytes) part = g_bytes_new_static (zeros, 1 << 20);
  for (gsize size = 0; size <= HL_LIMIT_PICTURE_FILE; size += 1 << 20)
    g_memory_input_stream_add_bytes (G_MEMORY_INPUT_STREAM (endless), part);
  gboolean is_read = TRUE;
  hl_incoming_image_take_stream (hl_incoming_image_new (hl_window_get_page (window), NULL, toasts), endless, note_read,
                                 &is_read);
  PANEL_WAIT_UNTIL (hl_toast_says (toasts, "The image is too large"));
  g_assert_false (is_read);
  g_assert_true (has_image (hl_window_get_page (window), "images/picture.png"));
  close_window (window);
}

/* What the other program offers is asked for, and not what the toolkit would make of it. */
static void
test_types (void)
{
  static const char *const rows[][2] = {
    { "image/png", "image/png" }, { "image/jpeg", "image/jpeg" }, { "image/webp", "image/webp" },
    { "image/tiff", NULL },       { "text/plain", NULL },
  };
  g_autoptr (GdkContentFormats) own = gdk_content_formats_new_for_gtype (GDK_TYPE_TEXTURE);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GdkContentFormats) formats =
        gdk_content_formats_union_deserialize_gtypes (gdk_content_formats_new (&(const char *){ rows[i][0] }, 1));
      g_assert_cmpstr (hl_incoming_image_find_type (formats), ==, rows[i][1]);
    }
  g_assert_cmpstr (hl_incoming_image_find_type (own), ==, "image/png");
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/image/find", test_find);
  g_test_add_func ("/image/find-many", test_find_many);
  g_test_add_func ("/image/with-model", test_with_model);
  g_test_add_func ("/image/refused", test_refused);
  g_test_add_func ("/image/order", test_order);
  g_test_add_func ("/image/closed", test_closed);
  g_test_add_func ("/image/too-large", test_too_large);
  g_test_add_func ("/image/types", test_types);
  return g_test_run ();
}
