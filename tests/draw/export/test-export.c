/* SPDX-License-Identifier: MIT */
/* Figures: the three formats show what the screen shows, hold text as text, and appear whole or not at all. */
#include "draw/export/hl-export.h"

#include <cairo-svg.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/test-attentions.h"
#include "core/test-dumps.h"
#include "draw/text/hl-export-context.h"
#include "draw/text/hl-scene-text.h"
#include "test-heads.h"
#include "test-scenes.h"

static const char *const tokens[] = { "[CLS]", "time", "flies", "<b>&", "שלום", NULL };

static HlScene *
make_scene (HlViewKind kind)
{
  const float weights[] = {
    0.5f, 0.2f, 0.1f, 0.1f, 0.1f, 0.9f, 0.05f, 0.05f, 0,    0, 0.2f, 0.2f, 0.2f,
    0.2f, 0.2f, 0,    0,    0.7f, 0.3f, 0,     0.6f,  0.4f, 0, 0,    0,
  };
  const TestHeads heads = { 1, 1, 5, 5, 6, 0, TRUE, { .scale = 0.4, .mask = { TRUE, 0 } } };
  const gboolean needs_queries = kind == HL_VIEW_STEPS || kind == HL_VIEW_NEURON;
  g_autoptr (HlViewState) state = needs_queries
                                    ? test_make_head_state (&heads)
                                    : test_make_state (1, 1, 5, 5, weights, tokens, 2, (HlMask){ FALSE, 0 });

  hl_view_state_set_option (state, colour_map, HL_COLOUR_MAP_PAPER);
  return test_make_scene (kind, state, 520, 340, 1);
}

static GBytes *export(HlScene *scene, HlExportOptions options, gsize *n_left_out)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = hl_export_scene_to_bytes (scene, &options, n_left_out, NULL, &error);

  g_assert_no_error (error);
  return bytes;
}

static cairo_status_t
read_bytes (void          *closure,
            unsigned char *data,
            unsigned int   length)
{
  GInputStream *stream = closure;
  gsize n;

  if (!g_input_stream_read_all (stream, data, length, &n, NULL, NULL) || n != length)
    return CAIRO_STATUS_READ_ERROR;
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
decode_png (GBytes *bytes)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  cairo_surface_t *surface = cairo_image_surface_create_from_png_stream (read_bytes, stream);

  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  return surface;
}

/* What another program makes of a file; the test is skipped where that program is missing. */
static char *
convert (GBytes            *bytes,
         const char        *suffix,
         const char *const *command,
         const char        *output_suffix,
         gsize             *size)
{
  g_autofree char *program = g_find_program_in_path (command[0]);
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *input = g_strdup_printf ("%s/figure%s", folder, suffix);
  g_autofree char *output = g_strdup_printf ("%s/output", folder);
  g_autofree char *output_file = g_strconcat (output, output_suffix, NULL);
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  char *contents = NULL;

  if (program == NULL)
    return NULL;
  g_file_set_contents (input, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), &error);
  g_assert_no_error (error);
  for (guint i = 0; command[i] != NULL; i++)
    g_ptr_array_add (arguments, (char *) (g_str_equal (command[i], "INPUT")    ? input
                                          : g_str_equal (command[i], "OUTPUT") ? output
                                                                               : command[i]));
  g_ptr_array_add (arguments, NULL);
  int status;
  g_spawn_sync (NULL, (char **) arguments->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, &error));
  g_file_get_contents (output_file, &contents, size, &error);
  g_assert_no_error (error);
  return contents;
}

static void
compare_with_png (HlViewKind         kind,
                  HlExportFormat     format,
                  HlTextMode         text_mode,
                  const char        *suffix,
                  const char *const *command,
                  double             tolerance)
{
  g_autoptr (HlScene) scene = make_scene (kind);
  g_autoptr (HlScene) other = make_scene (kind);
  const HlPick pin = { HL_PICK_QUERY, .query = 2 };
  gsize size;

  if (kind != HL_VIEW_HEAD_VIEW)
    hl_view_state_set_pinned (hl_scene_get_state (scene), &pin);
  if (kind != HL_VIEW_HEAD_VIEW)
    hl_view_state_set_pinned (hl_scene_get_state (other), &pin);
  g_autoptr (GBytes) vectors = export(scene, (HlExportOptions){ format, 1, .text_mode = text_mode }, NULL);
  g_autoptr (GBytes) png = export(other, (HlExportOptions){ HL_EXPORT_PNG, 1 }, NULL);
  g_autoptr (cairo_surface_t) reference = decode_png (png);
  char *contents = convert (vectors, suffix, command, ".png", &size);
  if (contents == NULL)
    {
      g_test_skip ("a program to draw the format with is not installed");
      return;
    }
  g_autoptr (GBytes) drawn = g_bytes_new_take (contents, size);
  g_autoptr (cairo_surface_t) picture = decode_png (drawn);
  g_autoptr (cairo_surface_t)
    opaque = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, cairo_image_surface_get_width (reference),
                                         cairo_image_surface_get_height (reference));
  g_autoptr (cairo_t) cr = cairo_create (opaque);
  cairo_set_source_surface (cr, picture, 0, 0);
  cairo_paint (cr);
  g_autofree char *name = g_strdup_printf ("export%s-%d-%d", suffix, kind, text_mode);
  test_assert_similar (name, opaque, reference, 255, tolerance);
}

static void
test_svg_pixels (void)
{
  /* rsvg-convert takes the whole name of what it writes. */
  const char *const command[] = { "sh", "-c", "rsvg-convert \"$0\" -o \"$1.png\"", "INPUT", "OUTPUT", NULL };
  g_autofree char *program = g_find_program_in_path ("rsvg-convert");

  if (program == NULL)
    {
      g_test_skip ("rsvg-convert is not installed");
      return;
    }
  for (HlViewKind kind = HL_VIEW_HEAD_VIEW; kind <= HL_VIEW_LAYERS; kind++)
    {
      compare_with_png (kind, HL_EXPORT_SVG, HL_TEXT_GLYPHS, ".svg", command, 2.2);
      compare_with_png (kind, HL_EXPORT_SVG, HL_TEXT_OUTLINES, ".svg", command, 2.2);
    }
}

static void
test_pdf_pixels (void)
{
  const char *const command[] = { "pdftoppm", "-r", "96", "-png", "-singlefile", "INPUT", "OUTPUT", NULL };

  for (HlViewKind kind = HL_VIEW_HEAD_VIEW; kind <= HL_VIEW_LAYERS; kind++)
    compare_with_png (kind, HL_EXPORT_PDF, HL_TEXT_GLYPHS, ".pdf", command, 3.0);
}

/* The PNG is the scene itself, and says how large it is and what it shows. */
static void
test_png (void)
{
  for (HlViewKind kind = HL_VIEW_HEAD_VIEW; kind <= HL_VIEW_LAYERS; kind++)
    for (guint scale = 1; scale <= 2; scale++)
      {
        g_autoptr (HlScene) scene = make_scene (kind);
        g_autoptr (HlScene) same = make_scene (kind);
        const HlPick hover = { HL_PICK_KEY, .key = 1 };

        hl_view_state_set_hovered (hl_scene_get_state (scene), &hover);
        g_autoptr (GBytes) png = export(scene, (HlExportOptions){ HL_EXPORT_PNG, scale, .title = NULL }, NULL);
        /* Which heads are chosen is for the screen alone. */
        if (kind == HL_VIEW_MODEL)
          hl_view_state_select_no_heads (hl_scene_get_state (same));
        hl_scene_set_viewport (same, 520, 340, scale);
        test_prepare (same);
        g_autoptr (cairo_surface_t) reference = test_draw_all (same);
        g_autoptr (cairo_surface_t) picture = decode_png (png);
        test_assert_similar ("export-png", picture, reference, 0, 0);

        gsize size;
        const char *data = g_bytes_get_data (png, &size);
        const char *density = memmem (data, size, "pHYs", 4);
        g_assert_nonnull (density);
        g_assert_cmpuint (GUINT32_FROM_BE (*(const guint32 *) memcpy (&(guint32){ 0 }, density + 4, 4)), ==,
                          (guint) lround (scale * 96 / 0.0254));
        g_assert_nonnull (memmem (data, size, "attention weight", 16));
      }
}

typedef struct
{
  guint n_texts;
  GString *text;
} Parsed;

static void
on_element (GMarkupParseContext *context,
            const char          *name,
            const char         **attribute_names,
            const char         **attribute_values,
            gpointer             data,
            GError             **error)
{
  ((Parsed *) data)->n_texts += g_str_equal (name, "text");
}

static void
on_text (GMarkupParseContext *context,
         const char          *text,
         gsize                length,
         gpointer             data,
         GError             **error)
{
  Parsed *parsed = data;

  if (g_str_equal (g_markup_parse_context_get_element (context), "text"))
    {
      g_string_append_len (parsed->text, text, (gssize) length);
      g_string_append_c (parsed->text, '\n');
    }
}

static void
parse_svg (GBytes *svg,
           Parsed *parsed)
{
  const GMarkupParser parser = { .start_element = on_element, .text = on_text };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, parsed, NULL);
  g_autoptr (GError) error = NULL;
  gsize size;
  const char *data = g_bytes_get_data (svg, &size);

  *parsed = (Parsed){ 0, g_string_new (NULL) };
  g_markup_parse_context_parse (context, data, (gssize) size, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
}

static guint
count_lines (const char *text,
             const char *line)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n += g_str_equal (lines[i], line);
  return n;
}

/* Every token is there as text, once a side, also with a pin that repaints labels; as outlines none is. */
static void
test_svg_text (void)
{
  for (HlViewKind kind = HL_VIEW_HEAD_VIEW; kind <= HL_VIEW_HEATMAP; kind++)
    for (guint pinned = 0; pinned < 2; pinned++)
      {
        g_autoptr (HlScene) scene = make_scene (kind);
        Parsed parsed, outlined;

        if (pinned && kind == HL_VIEW_HEAD_VIEW)
          hl_view_state_set_pinned (hl_scene_get_state (scene), &(HlPick){ HL_PICK_QUERY, .query = 0 });
        g_autoptr (GBytes) svg = export(scene, (HlExportOptions){ HL_EXPORT_SVG, 1, .title = "A < B & \"C\"" }, NULL);
        parse_svg (svg, &parsed);
        for (guint i = 0; tokens[i] != NULL; i++)
          g_assert_cmpuint (count_lines (parsed.text->str, tokens[i]), ==, 2);
        g_assert_cmpuint (count_lines (parsed.text->str, "A < B & \"C\""), ==, 1);
        g_assert_nonnull (strstr (parsed.text->str, "attention weight · layer 0 · head 0"));

        g_autoptr (GBytes)
          outlines = export(scene, (HlExportOptions){ HL_EXPORT_SVG, 1, .text_mode = HL_TEXT_OUTLINES }, NULL);
        parse_svg (outlines, &outlined);
        g_assert_cmpuint (outlined.n_texts, ==, 0);
        g_string_free (parsed.text, TRUE);
        g_string_free (outlined.text, TRUE);
      }
}

static void
test_pdf_text (void)
{
  const char *const command[] = { "pdftotext", "INPUT", "OUTPUT.txt", NULL };
  const char *const shell[] = { "sh", "-c", "pdftotext \"$0\" \"$1.txt\"", "INPUT", "OUTPUT", NULL };
  g_autofree char *program = g_find_program_in_path (command[0]);
  g_autoptr (HlScene) scene = make_scene (HL_VIEW_HEAD_VIEW);
  g_autoptr (GBytes) pdf = NULL;
  g_autofree char *text = NULL;

  if (program == NULL)
    {
      g_test_skip ("pdftotext is not installed");
      return;
    }
  pdf = export(scene, (HlExportOptions){ HL_EXPORT_PDF, 1, .title = "A figure" }, NULL);
  text = convert (pdf, ".pdf", shell, ".txt", NULL);
  for (guint i = 0; i < 4; i++)
    g_assert_nonnull (strstr (text, tokens[i]));
  g_assert_nonnull (strstr (text, "A figure"));
}

static void
test_same_again (void)
{
  for (HlExportFormat format = HL_EXPORT_PNG; format <= HL_EXPORT_PDF; format++)
    for (HlViewKind kind = HL_VIEW_HEAD_VIEW; kind <= HL_VIEW_LAYERS; kind++)
      {
        g_autoptr (HlScene) scene = make_scene (kind);
        g_autoptr (HlScene) again = make_scene (kind);
        g_autoptr (GBytes) first = export(scene, (HlExportOptions){ format, 1 }, NULL);
        g_autoptr (GBytes) second = export(again, (HlExportOptions){ format, 1 }, NULL);
        g_autoptr (GBytes) third = export(scene, (HlExportOptions){ format, 1 }, NULL);

        g_assert_true (g_bytes_equal (first, second));
        g_assert_true (g_bytes_equal (first, third));
      }
}

static void
test_options (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_VIEW_HEAD_VIEW);
  g_autoptr (GBytes) plain = NULL;

  hl_view_state_set_option (hl_scene_get_state (scene), dark, TRUE);
  const guint32 corners[] = { 0xFF1E1E1E, 0xFFFFFFFF, 0 };
  for (HlExportBackground background = 0; background <= HL_EXPORT_BACKGROUND_NONE; background++)
    {
      g_autoptr (GBytes)
        png = export(scene, (HlExportOptions){ HL_EXPORT_PNG, 1, .background = background, .title = "Title" }, NULL);
      g_autoptr (cairo_surface_t) picture = decode_png (png);

      g_assert_cmphex (test_get_pixel (picture, 1, 1), ==, corners[background]);
      g_assert_cmphex (test_get_pixel (picture, 260, 335), ==, corners[background]);
      g_assert_cmpint (cairo_image_surface_get_width (picture), ==, 520);
      g_assert_cmpint (cairo_image_surface_get_height (picture), >, 340);
    }
  plain = export(scene, (HlExportOptions){ HL_EXPORT_PNG, 0.5 }, NULL);
  g_autoptr (cairo_surface_t) half = decode_png (plain);
  g_assert_cmpint (cairo_image_surface_get_width (half), ==, 260);
  g_assert_cmpint (cairo_image_surface_get_height (half), ==, 170);
}

/* What is left out is what is too faint, not what is hidden by weight 0. */
static void
test_left_out (void)
{
  const float weights[] = { 0.999f, 0.0001f, 0.0002f, 0.4f, 0.6f, 0, 1, 0, 0 };
  const char *names[] = { "i", "i", "i", NULL };
  g_autoptr (HlViewState) state = test_make_state (1, 1, 3, 3, weights, names, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 400, 300, 1);
  gsize n_left_out = 99;

  for (HlExportFormat format = HL_EXPORT_PNG; format <= HL_EXPORT_PDF; format++)
    {
      g_autoptr (GBytes) bytes = export(scene, (HlExportOptions){ format, 1 }, &n_left_out);
      g_assert_cmpuint (n_left_out, ==, format == HL_EXPORT_PNG ? 0 : 2);
    }
}

static void
test_refused (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, 4);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 3000, 3000, 1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const HlExportOptions options = { HL_EXPORT_PNG, 16 };

  g_assert_null (hl_export_scene_to_bytes (scene, &options, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_clear_error (&error);

  g_cancellable_cancel (cancellable);
  for (HlExportFormat format = HL_EXPORT_PNG; format <= HL_EXPORT_PDF; format++)
    {
      g_autoptr (HlScene) fresh = make_scene (HL_VIEW_HEAD_VIEW);
      const HlExportOptions small = { format, 1 };
      g_assert_null (hl_export_scene_to_bytes (fresh, &small, NULL, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&error);
    }
}

static cairo_status_t
drop (void                *closure,
      const unsigned char *data,
      unsigned int         length)
{
  return CAIRO_STATUS_SUCCESS;
}

/* What is a shape each has a limit: of lines, 513 tokens that all attend to all have more. Where there is one too many the figure fails, rather
 * than lack it. */
static void
test_too_many (void)
{
  enum
  {
    N = 513
  };
  g_autofree float *weights = g_new (float, (gsize) N *N);
  g_autofree const char **names = g_new0 (const char *, N + 1);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < (gsize) N * N; i++)
    weights[i] = 1.0f / N;
  for (gsize i = 0; i < N; i++)
    names[i] = "i";
  g_autoptr (HlViewState) state = test_make_state (1, 1, N, N, weights, names, 0, (HlMask){ FALSE, 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 500, 10000, 1);
  for (HlExportFormat format = HL_EXPORT_SVG; format <= HL_EXPORT_PDF; format++)
    {
      const HlExportOptions options = { format, 1 };
      g_assert_null (hl_export_scene_to_bytes (scene, &options, NULL, NULL, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
      g_assert_nonnull (strstr (error->message, "lines"));
      g_clear_error (&error);
    }

  for (guint past = 0; past < 2; past++)
    {
      HlExportContext lines = { 0 }, texts = { 0 };
      cairo_surface_t *surface = cairo_svg_surface_create_for_stream (drop, NULL, 10, 10);
      cairo_t *cr = cairo_create (surface);
      g_autoptr (HlSceneText) text = hl_scene_text_new ();
      const HlTextStyle style = { .size = 10 };
      const HlColour black = { 0, 0, 0, 1 };

      g_assert_cmpint (hl_export_context_take_lines (&lines, HL_LIMIT_FIGURE_LINES + past), ==, !past);
      g_assert_cmpint (hl_export_context_take_lines (&lines, 1), ==, past);
      g_assert_error (lines.error, HL_ERROR, HL_ERROR_TOO_LARGE);
      g_clear_error (&lines.error);

      hl_export_context_attach (&texts, surface);
      /* With the one that is drawn now. */
      texts.n_texts = HL_LIMIT_FIGURE_TEXTS + past - 1;
      hl_scene_text_draw (text, cr, HL_TEXT_GLYPHS, "0", &style, &black, 5, 5, 0.5);
      g_assert_cmpint (texts.error != NULL, ==, past);
      g_clear_error (&texts.error);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
}

static void
test_file (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "figure.svg", NULL);
  g_autofree char *missing = g_build_filename (folder, "no", "figure.svg", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) missing_file = g_file_new_for_path (missing);
  g_autoptr (HlScene) scene = make_scene (HL_VIEW_HEAD_VIEW);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const HlExportOptions options = { HL_EXPORT_SVG, 1 };
  g_autofree char *contents = NULL;
  HlExportFormat format;

  g_assert_true (g_file_set_contents (path, "before", -1, NULL));
  g_cancellable_cancel (cancellable);
  g_assert_false (hl_export_scene (scene, &options, file, NULL, cancellable, &error));
  g_clear_error (&error);
  g_file_get_contents (path, &contents, NULL, NULL);
  g_assert_cmpstr (contents, ==, "before");

  g_assert_true (hl_export_scene (scene, &options, file, NULL, NULL, &error));
  g_assert_no_error (error);
  g_clear_pointer (&contents, g_free);
  g_file_get_contents (path, &contents, NULL, NULL);
  g_assert_nonnull (strstr (contents, "</svg>"));

  g_assert_false (hl_export_scene (scene, &options, missing_file, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);

  g_unlink (path);
  /* Fails if anything else was left there. */
  g_assert_cmpint (g_rmdir (folder), ==, 0);

  g_assert_true (hl_export_format_from_path ("/a/b.PNG", &format));
  g_assert_cmpint (format, ==, HL_EXPORT_PNG);
  g_assert_true (hl_export_format_from_path ("b.c.pdf", &format));
  g_assert_cmpint (format, ==, HL_EXPORT_PDF);
  g_assert_false (hl_export_format_from_path (".svg", &format));
  g_assert_false (hl_export_format_from_path ("svg", &format));
}

/* A whole figure has no room to spare: at the size that is asked for there is ink near each edge, of each view, and the scene that was asked
 * is as it was. */
static void
test_whole (void)
{
  static const HlViewKind kinds[] = { HL_VIEW_HEAD_VIEW, HL_VIEW_HEATMAP, HL_VIEW_MODEL };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (HlScene) seen = make_scene (kinds[i]);
      double width, height, seen_width, seen_height;
      hl_scene_set_viewport (seen, 1100, 900, 1);
      test_prepare (seen);
      g_autoptr (cairo_surface_t) before = test_draw_part (seen, HL_SCENE_BACKDROP);
      hl_export_get_whole_size (seen, &width, &height);
      g_autoptr (cairo_surface_t) after = test_draw_part (seen, HL_SCENE_BACKDROP);
      test_assert_similar ("whole-before", after, before, 0, 0);
      hl_scene_get_viewport (seen, &seen_width, &seen_height, NULL);
      g_assert_cmpfloat (seen_width, ==, 1100);
      g_assert_cmpfloat (seen_height, ==, 900);
      g_assert_cmpfloat (width * height, <, 1100 * 900);

      g_autoptr (HlScene) whole = make_scene (kinds[i]);
      g_object_set (whole, "is-cut", TRUE, NULL);
      hl_scene_set_viewport (whole, width, height, 1);
      g_autoptr (GBytes) png = export(whole, (HlExportOptions){ .format = HL_EXPORT_PNG, .scale = 1 }, NULL);
      g_autoptr (cairo_surface_t) picture = decode_png (png);
      int left = (int) width, right = 0, top = (int) height, bottom = 0;
      for (int y = 0; y < (int) height; y++)
        for (int x = 0; x < (int) width; x++)
          if ((test_get_pixel (picture, x, y) & 0xFF) < 0xF0)
            {
              left = MIN (left, x);
              right = MAX (right, x);
              top = MIN (top, y);
              bottom = MAX (bottom, y);
            }
      g_test_message ("%g × %g: %d to %d, %d to %d", width, height, left, right, top, bottom);
      /* A figure is at least as wide as a caption can be read in. */
      g_assert_true (width == 360 || (left <= 40 && right >= width - 40));
      g_assert_cmpint (top, <=, 24);
      g_assert_cmpint (bottom, >=, height - 32);
    }
}

/* The heads that are not shown have no chip, and those that are stand in the middle. */
static void
test_whole_heads (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 12, 6);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 500, 400, 1);
  double x, y, width, height;

  hl_view_state_go_to (state, 0, 7);
  g_object_set (scene, "is-cut", TRUE, NULL);
  for (guint head = 0; head < 12; head++)
    {
      const HlPick pick = { HL_PICK_HEAD, .head = head };
      HlPick picked;
      g_assert_cmpint (hl_scene_locate (scene, &pick, &x, &y, &width, &height), ==, head == 7);
      if (head != 7)
        continue;
      hl_scene_pick (scene, x + width / 2, y + height / 2, &picked);
      g_assert_true (hl_pick_equal (&picked, &pick));
      g_assert_cmpfloat_with_epsilon (x + width / 2, 250, 1);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/export/png", test_png);
  g_test_add_func ("/export/svg/pixels", test_svg_pixels);
  g_test_add_func ("/export/svg/text", test_svg_text);
  g_test_add_func ("/export/pdf/pixels", test_pdf_pixels);
  g_test_add_func ("/export/pdf/text", test_pdf_text);
  g_test_add_func ("/export/same-again", test_same_again);
  g_test_add_func ("/export/options", test_options);
  g_test_add_func ("/export/left-out", test_left_out);
  g_test_add_func ("/export/refused", test_refused);
  g_test_add_func ("/export/too-many", test_too_many);
  g_test_add_func ("/export/file", test_file);
  g_test_add_func ("/export/whole", test_whole);
  g_test_add_func ("/export/whole/heads", test_whole_heads);

  return g_test_run ();
}
