/* SPDX-License-Identifier: MIT */
/*
 * What can be read, and seen, as the Web Content Accessibility Guidelines 2.1 measure it (AA): text on every colour that
 * is put behind it, lines and shapes on the ground, in the light and in the dark.
 */
#include "draw/head-view/hl-head-view-chips.h"
#include "draw/heatmap/hl-heatmap-region.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-contrast.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-theme.h"

#define N_STEPS 1000

static HlColour
get_colour (guint32 pixel)
{
  return (HlColour){ (pixel >> 16 & 0xFF) / 255.0f, (pixel >> 8 & 0xFF) / 255.0f, (pixel & 0xFF) / 255.0f, 1 };
}

static void
assert_contrast (const char     *what,
                 const HlColour *a,
                 const HlColour *b,
                 double          least)
{
  const double contrast = hl_contrast_get (a, b);

  if (contrast < least)
    g_error ("%s: %.2f : 1, less than %.1f", what, contrast, least);
}

/* What contrast is, by the examples everybody has: black and white, and the grey that is just readable on white. */
static void
test_measure (void)
{
  const HlColour black = { 0, 0, 0, 1 }, white = { 1, 1, 1, 1 };
  const HlColour grey = get_colour (0x767676), fainter = get_colour (0x777777);

  g_assert_cmpfloat_with_epsilon (hl_contrast_get (&black, &white), 21, 1e-6);
  g_assert_cmpfloat_with_epsilon (hl_contrast_get (&white, &white), 1, 1e-6);
  g_assert_cmpfloat_with_epsilon (hl_contrast_get (&white, &grey), 4.54, 0.005);
  g_assert_cmpfloat (hl_contrast_get (&white, &fainter), <, 4.5);
}

/* Numbers in cells: of all colour maps, over all that they show. */
static void
test_cells (void)
{
  g_autoptr (GEnumClass) maps = g_type_class_ref (hl_colour_map_get_type ());

  for (guint dark = 0; dark < 2; dark++)
    for (guint map = 0; map <= maps->n_values; map++)
      for (guint step = 0; step <= N_STEPS; step++)
        {
          const double position = step / (double) N_STEPS;
          /* The last is of numbers with a sign. */
          const HlHeatmapPaint paint = { .map = (HlColourMap) (map < maps->n_values ? maps->values[map].value : 0),
                                         .theme = hl_theme_get (dark),
                                         .scale = { .is_signed = map == maps->n_values } };
          const HlColour ground = get_colour (hl_heatmap_paint_lookup (&paint, position));
          const HlColour ink = hl_heatmap_paint_get_ink (&paint, position);
          g_autofree char *what = g_strdup_printf ("a number at %g of map %u, dark %u", position, map, dark);
          assert_contrast (what, &ground, &ink, HL_CONTRAST_OF_TEXT);
        }
}

/* Heads: the number on the chip, the chip on the ground, and lines at full strength. */
static void
test_heads (void)
{
  for (guint dark = 0; dark < 2; dark++)
    for (guint head = 0; head < HL_PALETTE_SIZE; head++)
      {
        const HlTheme *theme = hl_theme_get (dark);
        const HlColour colour = hl_palette_get_head_colour (head, dark);
        g_autofree char *what = g_strdup_printf ("head %u, dark %u", head, dark);

        for (guint active = 0; active < 2; active++)
          {
            const HlHeadViewChip chip = hl_head_view_chip_of (theme, &colour, active);
            assert_contrast (what, &chip.ground, &chip.ink, HL_CONTRAST_OF_TEXT);
            assert_contrast (what, &theme->background, &chip.border, HL_CONTRAST_OF_SHAPES);
          }
        assert_contrast (what, &theme->background, &colour, HL_CONTRAST_OF_SHAPES);
      }
}

/* Labels, captions and titles; the box of a token; lines of differences. */
static void
test_words (void)
{
  for (guint dark = 0; dark < 2; dark++)
    {
      const HlTheme *theme = hl_theme_get (dark);
      const HlColour box = hl_contrast_mix (&theme->background, &theme->accent, 0.16);

      assert_contrast ("labels", &theme->background, &theme->foreground, HL_CONTRAST_OF_TEXT);
      assert_contrast ("captions", &theme->background, &theme->muted, HL_CONTRAST_OF_TEXT);
      assert_contrast ("the label in focus", &box, &theme->foreground, HL_CONTRAST_OF_TEXT);
      assert_contrast ("the box around it", &theme->background, &theme->accent, HL_CONTRAST_OF_SHAPES);
      for (guint negative = 0; negative < 2; negative++)
        {
          const HlColour line = hl_diverging_map_get_end (dark, negative);
          assert_contrast ("lines of a difference", &theme->background, &line, HL_CONTRAST_OF_SHAPES);
        }
    }
}

/* Who asks for high contrast gets what WCAG calls AAA of text, and sees hairlines as shapes. */
static void
test_high_contrast (void)
{
  for (int dark = FALSE; dark <= TRUE; dark++)
    {
      const HlTheme *theme = hl_theme_get_high_contrast (dark);

      g_assert_cmpint (theme->dark, ==, dark);
      assert_contrast ("labels", &theme->background, &theme->foreground, 7);
      assert_contrast ("captions", &theme->background, &theme->muted, 7);
      assert_contrast ("what is selected", &theme->background, &theme->accent, HL_CONTRAST_OF_TEXT);
      assert_contrast ("hairlines", &theme->background, &theme->grid, HL_CONTRAST_OF_SHAPES);
      assert_contrast ("stripes of what is masked", &theme->masked, &theme->hatch, HL_CONTRAST_OF_SHAPES);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/contrast/measure", test_measure);
  g_test_add_func ("/contrast/cells", test_cells);
  g_test_add_func ("/contrast/heads", test_heads);
  g_test_add_func ("/contrast/words", test_words);
  g_test_add_func ("/contrast/high-contrast", test_high_contrast);
  return g_test_run ();
}
