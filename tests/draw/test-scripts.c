/* SPDX-License-Identifier: MIT */
/* Tokens of every script: what is shown of them, how it is shaped and cut, and that it is what figures hold. */
#include "draw/hl-scene-text.h"
#include "draw/hl-text-cuts.h"
#include "draw/hl-token-index.h"
#include "draw/hl-token-label.h"

#include <pango/pangocairo.h>
#include <string.h>

#include "core/base/hl-bidi.h"
#include "core/document/hl-document.h"
#include "core/test-blocks.h"
#include "draw/hl-export.h"
#include "test-scenes.h"

#define SIZE 20.0
/* U+200E U+2068 and U+2069. */
#define ISOLATE "\xE2\x80\x8E\xE2\x81\xA8"
#define END "\xE2\x81\xA9"

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

static void
test_show (void)
{
  static const char *const cases[][2] = {
    { "flies", "flies" },
    { "", "∅" },
    { " a\u00a0b", "␣a␣b" },
    { "\n", "↵" },
    { "\t", "⇥" },
    { "\r\n", "⟨000D⟩↵" },
    { "\x1b[0m", "⟨001B⟩[0m" },
    { "\u3000", "⟨3000⟩" },
    /* What turns text over, or cannot be seen, alone or inside. */
    { "\u202eabc", "⟨202E⟩abc" },
    { "a\u2066b", "a⟨2066⟩b" },
    { "\u200b", "⟨200B⟩" },
    { "co\u00adop", "co⟨00AD⟩op" },
    { "\ufeff", "⟨FEFF⟩" },
    { "\u3164", "⟨3164⟩" },
    { "\u115f", "⟨115F⟩" },
    { "\u2800", "⟨2800⟩" },
    { "a\u034f", "a⟨034F⟩" },
    { "\u061c", "⟨061C⟩" },
    /* Joiners between letters join; at an end, or beside each other, they would be lost. */
    { "نمی\u200cخواهم", "نمی\u200cخواهم" },
    { "می\u200c", "می⟨200C⟩" },
    { "\u200d", "⟨200D⟩" },
    { "a\u200d\u200db", "a⟨200D⟩⟨200D⟩b" },
    { "👩🏽\u200d💻", "👩🏽\u200d💻" },
    { "❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥" },
    { "\ufe0f", "⟨FE0F⟩" },
    { "1\ufe0f\u20e3", "1\ufe0f\u20e3" },
    { "🏴\U000e0067\U000e0062\U000e007f", "🏴\U000e0067\U000e0062\U000e007f" },
    { "🏴\U000e0067", "🏴⟨E0067⟩" },
    { "\U000e0067", "⟨E0067⟩" },
    /* Marks without a letter stand on a circle; where shaping puts one, or the mark is one, there is no second. */
    { "\u0301", "◌\u0301" },
    { "e\u0301", "e\u0301" },
    { "##\u05b8", "##◌\u05b8" },
    { "\u064e", "\u061c◌\u064e" },
    { "ـ\u064e", "ـ\u064e" },
    { "\u0e35", "◌\u0e35" },
    { "\u0e33", "◌\u0e33" },
    { "น้ำ", "น้ำ" },
    { "\u093f", "\u093f" },
    { "##\u094d", "##\u094d" },
    { "\u20dd", "\u20dd" },
    { "\n\u0301", "↵◌\u0301" },
    { "か\u3099", "か\u3099" },
    { "a\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308b\u0301", "a\u0300\u0301\u0302\u0303\u0304\u0306b\u0301" },
    /* Signs of the category of formats that are seen. */
    { "\u0600\u0661", "\u0600\u0661" },
    { "\u06dd", "\u06dd" },
    { "\ufffd", "\ufffd" },
    { "\u115f\u1161", "⟨115F⟩\u1161" },
    { "한국어", "한국어" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = hl_token_text_show (cases[i][0]);

      g_test_message ("%s", cases[i][0]);
      g_assert_cmpstr (shown, ==, cases[i][1]);
    }
}

static void
test_cuts (void)
{
  static const struct
  {
    const char *text;
    gsize cuts[8];
    gsize n;
  } cases[] = {
    { "", { 0 }, 1 },
    { "abc", { 0, 1, 2 }, 3 },
    { "e\u0301e", { 0, 3 }, 2 },
    { "👩🏽\u200d💻x", { 0, 15 }, 2 },
    { "🇩🇪🇫🇷", { 0, 8 }, 2 },
    { "1\ufe0f\u20e3.", { 0, 7 }, 2 },
    { "क्षत्रि", { 0, 9 }, 2 },
    { "\r\na", { 0, 2 }, 2 },
    { "\u1112\u1161\u11ab.", { 0, 9 }, 2 },
    { "น้ำ", { 0 }, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize n;
      g_autofree gsize *cuts = hl_text_cuts_find (cases[i].text, &n);

      g_test_message ("%s", cases[i].text);
      g_assert_cmpmem (cuts, n * sizeof *cuts, cases[i].cuts, cases[i].n * sizeof *cuts);
    }
}

/* Of a very long token whole characters are shown. */
static void
test_long (void)
{
  static const char *const units[] = { "x", "e\u0301", "👩🏽\u200d💻", "🇩🇪", "क्ष" };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autoptr (GString) token = g_string_new (NULL);

      for (guint j = 0; j < 1000; j++)
        g_string_append (token, units[i]);
      g_autofree char *shown = hl_token_text_show (token->str);
      const gsize length = strlen (shown) - strlen ("…");
      g_assert_cmpstr (shown + length, ==, "…");
      g_assert_cmpuint (length % strlen (units[i]), ==, 0);
      g_assert_cmpuint (length / strlen (units[i]), ==, 200 / g_utf8_strlen (units[i], -1));
      g_assert_true (g_str_has_prefix (token->str, (shown[length] = '\0', shown)));
    }
  /* Marks without end, on one letter. */
  g_autoptr (GString) pile = g_string_new ("Z");
  for (guint i = 0; i < 1000; i++)
    g_string_append (pile, "\u0301");
  g_autofree char *shown = hl_token_text_show (pile->str);
  g_assert_cmpstr (shown, ==, "Z\u0301\u0301\u0301\u0301\u0301\u0301…");
}

static void
test_isolate (void)
{
  static const char *const cases[][2] = {
    { "time", "time" },
    { "时间", "时间" },
    { "שלום", ISOLATE "שלום" END },
    { "C++ و", ISOLATE "C++␣و" END },
    { "\u202eשלום", ISOLATE "⟨202E⟩שלום" END },
    { "(", "(" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *quoted = hl_token_text_quote (cases[i][0]);
      g_assert_cmpstr (quoted, ==, cases[i][1]);
    }
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
    { "time", "flies" },
    { "שלום", "עולם" },
    { "السلام", "عليكم" },
    { "time", "עולם" },
    { "שלום", "3" },
    { "(", "שלום" },
    { "؟", "x" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const tokens[] = { cases[i][0], cases[i][1], NULL };
      g_autofree float *weights = test_make_attention (1, 1, 2, 2);
      g_autoptr (HlViewState) state = test_make_state (1, 1, 2, 2, weights, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 300, 300, 1);
      const HlPick cell = { HL_PICK_CELL, 0, 1, 0 };

      test_prepare (scene);
      g_autofree char *text = hl_scene_describe (scene, &cell);
      g_autoptr (PangoLayout) layout = make_layout (text);
      g_test_message ("%s", text);
      g_assert_cmpint (get_x (layout, cases[i][0]), <, get_x (layout, "→"));
      g_assert_cmpint (get_x (layout, "→"), <, get_x (layout, cases[i][1]));
      g_assert_cmpint (get_x (layout, cases[i][1]), <, get_x (layout, "0."));
    }
}

/* Marks are found as they are typed and as they are shown. */
static void
test_search (void)
{
  const char *const tokens[] = { "[CLS]", "שלום", "##\u05b8", "##ים", NULL };
  static const char *const needles[] = { "##\u05b8", "##◌\u05b8", "שלו\u05dd\u05b8" };
  static const gsize first[] = { 2, 2, 1 };
  HlTokenIndex *index = hl_token_index_new (tokens, 4);

  for (guint i = 0; i < G_N_ELEMENTS (needles); i++)
    {
      g_autoptr (GArray) hits = hl_token_index_find (index, needles[i]);

      g_assert_cmpuint (hits->len, ==, 1);
      g_assert_cmpuint (g_array_index (hits, HlRange, 0).first, ==, first[i]);
    }
  hl_token_index_free (index);
}

/* Whether no font here has all letters of a text; then the test says so and is skipped. */
static gboolean
skip_without_font (const char *text)
{
  g_autoptr (PangoLayout) layout = make_layout (text);

  if (pango_layout_get_unknown_glyphs_count (layout) == 0)
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
  g_autofree float *weights = test_make_attention (1, 1, 4, 4);
  HlScene *scenes[2];
  cairo_surface_t *pictures[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (HlViewState) state = test_make_state (1, 1, 4, 4, weights, i == 0 ? tokens : plain, 0, (HlMask){ 0 });

      hl_view_state_set_orientation (state, HL_ORIENTATION_VERTICAL);
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
  HlBlock *block = hl_view_state_get_block (state);
  const gsize n = hl_block_get_n_keys (block);
  const HlExportOptions options = { HL_EXPORT_SVG, 1 };

  for (HlOrientation orientation = HL_ORIENTATION_VERTICAL; orientation <= HL_ORIENTATION_HORIZONTAL; orientation++)
    for (double width = 240; width < 2400; width *= 1.9)
      {
        g_autoptr (GError) error = NULL;
        guint n_labels = 0;

        hl_view_state_set_orientation (state, orientation);
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
                g_autofree char *shown = hl_token_text_show (hl_block_get_key_texts (block)[i]);
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

static void
test_pdf (void)
{
  static const struct
  {
    const char *example;
    const char *words[3];
  } cases[] = {
    { "hebrew", { "עולם", "ירושלים", "[SEP]" } },
    { "arabic", { "كتاب", "علي", "100%" } },
    { "cjk", { "时", "東京", "한국어" } },
    { "devanagari", { "हि", "[CLS]", NULL } },
  };
  g_autofree char *program = g_find_program_in_path ("pdftotext");

  if (program == NULL)
    {
      g_test_skip ("pdftotext is not installed");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlViewState) state = load (cases[i].example);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 600, 500, 1);
      const HlExportOptions options = { HL_EXPORT_PDF, 1 };
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) pdf = hl_export_scene_to_bytes (scene, &options, NULL, NULL, &error);
      const char *const command[] = { program, "-", "-", NULL };
      g_autoptr (GSubprocess) process =
        g_subprocess_newv (command, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
      g_autoptr (GBytes) text = NULL;

      g_assert_no_error (error);
      g_subprocess_communicate (process, pdf, NULL, &text, NULL, &error);
      g_assert_no_error (error);
      g_autofree char *content = g_strndup (g_bytes_get_data (text, NULL), g_bytes_get_size (text));
      for (guint j = 0; j < G_N_ELEMENTS (cases[i].words) && cases[i].words[j] != NULL; j++)
        {
          g_test_message ("%s", cases[i].words[j]);
          g_assert_nonnull (strstr (content, cases[i].words[j]));
        }
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
  const gsize n = hl_block_get_n_keys (hl_view_state_get_block (state));
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
        double x, y, width, height;

        g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
        g_assert_true ((x < 320) == on_left);
        g_test_message ("%s %" G_GSIZE_FORMAT, (const char *) data, i);
        g_assert_false (has_ink (backdrop, on_left ? x + width - 3 : x, y, 3, height));
        g_assert_true (has_ink (backdrop, on_left ? x + width - 16 : x, y, 16, height));
      }
}

int
main (int   argc,
      char *argv[])
{
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

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scripts/show", test_show);
  g_test_add_func ("/scripts/cuts", test_cuts);
  g_test_add_func ("/scripts/long", test_long);
  g_test_add_func ("/scripts/isolate", test_isolate);
  g_test_add_func ("/scripts/sentence", test_sentence);
  g_test_add_func ("/scripts/search", test_search);
  g_test_add_func ("/scripts/baseline", test_baseline);
  g_test_add_func ("/scripts/others", test_others);
  g_test_add_func ("/scripts/pdf", test_pdf);
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
