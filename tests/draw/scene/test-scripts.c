/* SPDX-License-Identifier: MIT */
/* Tokens of every script in pictures: how they are shaped and cut, where they stand, and that figures hold them as text. */
#include "draw/text/hl-scene-text.h"
#include "draw/text/hl-text-cuts.h"
#include "draw/text/hl-token-label.h"

#include <pango/pangocairo.h>
#include <locale.h>
#include <string.h>

#include "core/base/text/hl-bidi.h"
#include "core/document/hl-document.h"
#include "core/test-attentions.h"
#include "draw/export/hl-export.h"
#include "test-scenes.h"

#define SIZE 20.0

static const char *const examples[] = {
  "hebrew", "arabic", "devanagari", "thai", "cjk", "emoji", "invisible", "bytes", "long",
};

/* tests/fixtures/make-scripts.py wrote the file. */
static HlViewState *
load (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", "scripts.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < hl_document_get_n_examples (document); i++)
    if (g_str_equal (hl_document_get_example_name (document, i), name))
      {
        g_autoptr (HlExample) example = hl_document_get_example (document, i, NULL, &error);
        g_assert_no_error (error);
        return hl_view_state_new (example);
      }
  g_assert_not_reached ();
}

static PangoLayout *
make_layout (const char *text)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoLayout *layout = pango_layout_new (context);

  pango_layout_set_text (layout, text, -1);
  g_object_unref (context);
  return layout;
}

static int
get_x (PangoLayout *layout,
       const char  *part)
{
  const char *text = pango_layout_get_text (layout);
  const char *at = strstr (text, part);
  PangoRectangle place;

  g_assert_nonnull (at);
  pango_layout_index_to_pos (layout, (int) (at - text), &place);
  return MIN (place.x, place.x + place.width);
}

/* In a sentence, the query stands before the arrow and the key behind it, whatever letters they have. */
static void
test_sentence (void)
{
  static const char *const cases[][2] = {
    { "time", "flies" }, { "שלום", "עולם" }, { "السلام", "عليكم" }, { "time", "עולם" },
    { "שלום", "3" },     { "(", "שלום" },    { "؟", "x" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const tokens[] = { cases[i][0], cases[i][1], NULL };
      g_autofree float *weights = test_make_weights (1, 1, 2, 2);
      g_autoptr (HlViewState) state = test_make_state (1, 1, 2, 2, weights, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 300, 300, 1);
      const HlPick cell = { HL_PICK_CELL, .query = 0, .key = 1 };

      test_prepare (scene);
      g_autofree char *text = hl_scene_describe (scene, &cell);
      g_autoptr (PangoLayout) layout = make_layout (text);
      g_test_message ("%s", text);
      g_assert_cmpint (get_x (layout, cases[i][0]), <, get_x (layout, "→"));
      g_assert_cmpint (get_x (layout, "→"), <, get_x (layout, cases[i][1]));
      g_assert_cmpint (get_x (layout, cases[i][1]), <, get_x (layout, "0."));
    }
}

static gboolean
has_font (const char *text)
{
  g_autoptr (PangoLayout) layout = make_layout (text);

  return pango_layout_get_unknown_glyphs_count (layout) == 0;
}

/* Whether no font here has all letters of a text; then the test says so and is skipped. */
static gboolean
skip_without_font (const char *text)
{
  if (has_font (text))
    return FALSE;
  g_autofree char *reason = g_strdup_printf ("no font here has all of “%s”", text);
  g_test_skip (reason);
  return TRUE;
}

static double
get_width (HlSceneText *text,
           const char  *token)
{
  const HlTextStyle style = { .size = SIZE };
  g_autofree char *shown = hl_token_text_show (token);

  return hl_scene_text_get_width (text, shown, &style);
}

/* Letters that join take other shapes than they have alone, which are as wide together only by accident. */
static void
test_joined (gconstpointer data)
{
  const char *word = data;
  g_autoptr (HlSceneText) text = hl_scene_text_new ();
  double alone = 0;

  if (skip_without_font (word))
    return;
  for (const char *p = word; *p != '\0'; p = g_utf8_next_char (p))
    {
      char letter[7] = { 0 };
      g_unichar_to_utf8 (g_utf8_get_char (p), letter);
      alone += get_width (text, letter);
    }
  g_assert_cmpfloat (get_width (text, word), <, alone - SIZE / 5);
}

/* Pairs: what has parts is as wide as what is one. */
static void
test_as_wide (gconstpointer data)
{
  const char *const *pair = data;
  g_autoptr (HlSceneText) text = hl_scene_text_new ();

  if (!skip_without_font (pair[0]) && !skip_without_font (pair[1]))
    g_assert_cmpfloat_with_epsilon (get_width (text, pair[0]), get_width (text, pair[1]), 1);
}

/* What stands beside a Latin letter, from whatever font, does not move it up or down. */
static void
test_baseline (void)
{
  static const char *const beside[] = { "", "漢", "ที่", "क्ष", "ﷺ", "👩", "\ue000" };
  g_autoptr (HlSceneText) text = hl_scene_text_new ();
  const HlTextStyle style = { .size = SIZE };
  const HlColour black = { 0, 0, 0, 1 };
  g_autoptr (cairo_surface_t) first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (beside); i++)
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 10, 60);
      g_autoptr (cairo_t) cr = cairo_create (surface);
      g_autofree char *label = g_strconcat ("E", "\u00a0\u00a0", beside[i], NULL);

      cairo_set_source_rgb (cr, 1, 1, 1);
      cairo_paint (cr);
      hl_scene_text_draw (text, cr, HL_TEXT_GLYPHS, label, &style, &black, 0, 30, 0);
      cairo_surface_flush (surface);
      g_test_message ("%s", label);
      if (first == NULL)
        {
          g_assert_false (test_is_blank (surface));
          first = surface;
          continue;
        }
      test_assert_similar ("baseline", surface, first, 0, 0);
      cairo_surface_destroy (surface);
    }
}

/* One token turned over leaves the pictures of all others as they are. */
static void
test_others (void)
{
  const char *const tokens[] = { "one", "\u202etwo", "three\u2067", "(four)", NULL };
  const char *const plain[] = { "one", "two", "three", "(four)", NULL };
  g_autofree float *weights = test_make_weights (1, 1, 4, 4);
  HlScene *scenes[2];
  cairo_surface_t *pictures[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (HlViewState) state = test_make_state (1, 1, 4, 4, weights, i == 0 ? tokens : plain, 0, (HlMask){ 0 });

      hl_view_state_set_option (state, orientation, HL_ORIENTATION_VERTICAL);
      scenes[i] = test_make_scene (HL_VIEW_HEAD_VIEW, state, 600, 300, 1);
      pictures[i] = test_draw_part (scenes[i], HL_SCENE_BACKDROP);
    }
  for (gsize row = 0; row < 4; row += 3)
    {
      const HlPick pick = { HL_PICK_KEY, .key = row };
      double x, y, width, height, other_x, other_y, other_width, other_height;

      g_assert_true (hl_scene_locate (scenes[0], &pick, &x, &y, &width, &height));
      g_assert_true (hl_scene_locate (scenes[1], &pick, &other_x, &other_y, &other_width, &other_height));
      for (double j = 0; j < height; j++)
        for (double i = 0; i < 60; i++)
          g_assert_cmpuint (test_get_pixel (pictures[0], floor (x) + i, y + j), ==,
                            test_get_pixel (pictures[1], floor (other_x) + i, other_y + j));
    }
  for (guint i = 0; i < 2; i++)
    {
      cairo_surface_destroy (pictures[i]);
      g_object_unref (scenes[i]);
    }
}

static const char *
find_unescaped (const char *text,
                char      **content)
{
  const char *begin = strchr (text, '>') + 1;
  const char *end = strstr (begin, "</text>");
  g_autoptr (GString) plain = g_string_new_len (begin, end - begin);

  g_string_replace (plain, "&lt;", "<", 0);
  g_string_replace (plain, "&gt;", ">", 0);
  g_string_replace (plain, "&amp;", "&", 0);
  g_string_replace (plain, "&#39;", "'", 0);
  *content = g_strdup (plain->str);
  return end;
}

/* Every label of a figure is what is shown of a token, whole or up to a boundary between characters; text that begins
 * with letters that run from the right says so. */
static void
test_svg (gconstpointer data)
{
  g_autoptr (HlViewState) state = load (data);
  HlAttention *attention = hl_view_state_get_attention (state);
  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  const HlExportOptions options = { HL_EXPORT_SVG, 1 };

  for (HlOrientation orientation = HL_ORIENTATION_VERTICAL; orientation <= HL_ORIENTATION_HORIZONTAL; orientation++)
    for (double width = 240; width < 2400; width *= 1.9)
      {
        g_autoptr (GError) error = NULL;
        guint n_labels = 0;

        hl_view_state_set_option (state, orientation, orientation);
        g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, width, 1200, 1);
        g_autoptr (GBytes) svg = hl_export_scene_to_bytes (scene, &options, NULL, NULL, &error);
        g_assert_no_error (error);
        g_autofree char *figure = g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));
        for (const char *p = figure; (p = strstr (p, "<text ")) != NULL;)
          {
            const char *element = p;
            g_autofree char *label = NULL;
            gboolean known = FALSE;

            p = find_unescaped (p, &label);
            const gboolean is_cut = g_str_has_suffix (label, "…");
            const gsize length = strlen (label) - (is_cut ? strlen ("…") : 0);
            for (gsize i = 0; i < n && !known; i++)
              {
                g_autofree char *shown = hl_token_text_show (hl_attention_get_texts (attention, HL_KEYS)[i]);
                gsize n_cuts;
                g_autofree gsize *cuts = hl_text_cuts_find (shown, &n_cuts);

                known = g_str_equal (label, shown);
                for (gsize j = 0; is_cut && j < n_cuts && !known; j++)
                  known = cuts[j] == length && strncmp (shown, label, length) == 0;
              }
            if (!known)
              {
                /* Head numbers, titles and the caption. */
                g_test_message ("no token: %s", label);
                g_assert_false (is_cut && length > 0 && !g_str_has_prefix (label, "attention weight"));
                continue;
              }
            n_labels++;
            const char *direction = strstr (element, " direction=\"rtl\"");
            const gboolean from_right = direction != NULL && direction < p;
            g_autofree char *isolated = hl_bidi_isolate (label);
            if (hl_bidi_is_right_to_left (g_utf8_get_char (label)))
              g_assert_true (from_right);
            else if (g_str_equal (isolated, label))
              g_assert_false (from_right);
          }
        /* Tokens that run across may not all be in view. */
        g_assert_cmpuint (n_labels, >=, orientation == HL_ORIENTATION_VERTICAL ? 2 * n : 4);
      }
}

typedef struct
{
  const char *example;
  const char *words[3];
} Words;

/* A program that reads a figure finds the words in it, letter by letter in the order in which they are read. Chinese is not
 * among them: cairo 1.16 leaks where it takes letters from so large a font, which LeakSanitizer would lay to our charge. */
static void
test_pdf (gconstpointer data)
{
  const Words *wanted = data;
  const HlExportOptions options = { HL_EXPORT_PDF, 1 };
  g_autofree char *program = g_find_program_in_path ("pdftotext");
  const char *const command[] = { program, "-", "-", NULL };
  g_autoptr (HlViewState) state = load (wanted->example);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 600, 500, 1);
  g_autoptr (GBytes) text = NULL;
  g_autoptr (GError) error = NULL;

  if (program == NULL)
    {
      g_test_skip ("pdftotext is not installed");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (wanted->words); i++)
    if (skip_without_font (wanted->words[i]))
      return;
  g_autoptr (GBytes) pdf = hl_export_scene_to_bytes (scene, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GSubprocess)
    process = g_subprocess_newv (command, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate (process, pdf, NULL, &text, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *content = g_strndup (g_bytes_get_data (text, NULL), g_bytes_get_size (text));
  for (guint i = 0; i < G_N_ELEMENTS (wanted->words); i++)
    {
      g_test_message ("%s", wanted->words[i]);
      g_assert_nonnull (strstr (content, wanted->words[i]));
    }
}

/* Emoji in colours have no outlines: what was made of them were black attentions. */
static void
test_outlines (void)
{
  const HlExportOptions options = { HL_EXPORT_SVG, 1, .text_mode = HL_TEXT_OUTLINES };
  const char *const names[] = { "hebrew", "emoji" };
  g_autoptr (PangoLayout) layout = make_layout ("👩");
  PangoGlyphItem *run = pango_layout_get_line_readonly (layout, 0)->runs->data;
  PangoFontDescription *font = pango_font_describe (run->item->analysis.font);
  const gboolean has_colours = strstr (pango_font_description_get_family (font), "Color") != NULL;

  pango_font_description_free (font);
  if (!has_colours)
    {
      g_test_skip ("no font here has emoji in colours");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (HlViewState) state = load (names[i]);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 600, 500, 1);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) svg = hl_export_scene_to_bytes (scene, &options, NULL, NULL, &error);

      g_assert_no_error (error);
      g_autofree char *figure = g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));
      g_assert_true ((strstr (figure, "<image ") != NULL) == (i == 1));
      g_assert_null (strstr (figure, "<text"));
    }
}

static gboolean
has_ink (cairo_surface_t *picture,
         double           x,
         double           y,
         double           width,
         double           height)
{
  for (double j = y; j < y + height; j++)
    for (double i = x; i < x + width; i++)
      for (guint shift = 0; shift < 24; shift += 8)
        if (((test_get_pixel (picture, i, j) >> shift) & 0xFF) < 0xA0)
          return TRUE;
  return FALSE;
}

/* Labels are next to the lines on either side: those on the left end there, those on the right begin there. */
static void
test_sides (gconstpointer data)
{
  g_autoptr (HlViewState) state = load (data);
  HlAttention *attention = hl_view_state_get_attention (state);
  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 640, 1000, 1);

  test_prepare (scene);
  g_autoptr (cairo_surface_t) backdrop = test_draw_part (scene, HL_SCENE_BACKDROP);
  const gboolean from_right = hl_view_state_reads_right_to_left (state);
  g_assert_true (from_right == (g_str_equal (data, "hebrew") || g_str_equal (data, "arabic")));
  for (guint side = 0; side < 2; side++)
    for (gsize i = 0; i < n; i++)
      {
        const gboolean on_left = (side == 0) != from_right;
        const HlPick pick = side == 0 ? (HlPick){ HL_PICK_QUERY, .query = i } : (HlPick){ HL_PICK_KEY, .key = i };
        g_autofree char *shown = hl_token_text_show (hl_attention_get_texts (attention, HL_KEYS)[i]);
        double x, y, width, height;

        /* Boxes with numbers in place of letters may stand out of their room. */
        if (!has_font (shown))
          continue;
        g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
        g_assert_true ((x < 320) == on_left);
        g_test_message ("%s %" G_GSIZE_FORMAT, (const char *) data, i);
        g_assert_false (has_ink (backdrop, on_left ? x + width - 1 : x, y, 1, height));
        g_assert_true (has_ink (backdrop, on_left ? x + width - 16 : x, y, 16, height));
      }
}

int
main (int   argc,
      char *argv[])
{
  static const Words figures[] = {
    { "hebrew", { "עולם", "ירושלים", "[SEP]" } },
    { "arabic", { "كتاب", "علي", "100%" } },
    { "devanagari", { "हि", "दी", "[CLS]" } },
  };
  static const char *const words[] = { "السلام", "عليكم", "क्षत्रिय" };
  static const char *const pairs[][2] = {
    { "e\u0301", "e" },
    { "ש\u05b8", "ש" },
    { "ب\u064e", "ب" },
    { "ที\u0e48", "ท" },
    { "か\u3099", "が" },
    { "\u1112\u1161\u11ab", "한" },
    { "👩🏽\u200d💻", "👩" },
    { "👨\u200d👩\u200d👧\u200d👦", "👩" },
    { "👍🏿", "👍" },
    { "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "👩" },
  };

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scripts/sentence", test_sentence);
  g_test_add_func ("/scripts/baseline", test_baseline);
  g_test_add_func ("/scripts/others", test_others);
  g_test_add_func ("/scripts/outlines", test_outlines);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      g_autofree char *path = g_strdup_printf ("/scripts/pdf/%s", figures[i].example);
      g_test_add_data_func (path, &figures[i], test_pdf);
    }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *path = g_strdup_printf ("/scripts/joined/%u", i);
      g_test_add_data_func (path, words[i], test_joined);
    }
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/scripts/as-wide/%u", i);
      g_test_add_data_func (path, pairs[i], test_as_wide);
    }
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *svg = g_strdup_printf ("/scripts/svg/%s", examples[i]);
      g_autofree char *sides = g_strdup_printf ("/scripts/sides/%s", examples[i]);
      g_test_add_data_func (svg, examples[i], test_svg);
      g_test_add_data_func (sides, examples[i], test_sides);
    }
  return g_test_run ();
}
