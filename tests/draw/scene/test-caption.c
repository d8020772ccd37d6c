/* SPDX-License-Identifier: MIT */
/* The words over a picture: all of them are there however narrow it is, over the picture and not on it. */
#include "test-scenes.h"

#include "core/test-attentions.h"
#include "draw/export/hl-export.h"

#include <string.h>

static const char *const tokens[] = { "[CLS]", "Sarah", "told", "her", "story", "[SEP]", NULL };

static HlViewState *
make_state (void)
{
  g_autofree float *weights = test_make_weights (4, 2 * 2, 6, 6);
  HlViewState *state = test_make_state (2, 2, 6, 6, weights, tokens, 0, (HlMask){ 0 });

  hl_view_state_set_option (state, hide_special, TRUE);
  hl_view_state_set_option (state, renormalise, TRUE);
  hl_view_state_set_option (state, threshold, 0.05);
  hl_view_state_set_option (state, top_mass, 0.9);
  return state;
}

/* Lines are broken between parts; each part is whole. */
static void
assert_all_said (HlScene *scene)
{
  const HlExportOptions options = { HL_EXPORT_SVG, 1, .text_mode = HL_TEXT_GLYPHS };
  g_autofree char *caption = hl_view_state_describe (hl_scene_get_state (scene));
  g_auto (GStrv) parts = g_strsplit (caption, " · ", -1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hl_export_scene_to_bytes (scene, &options, NULL, NULL, &error);

  g_assert_no_error (error);
  g_autofree char *svg = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_cmpuint (g_strv_length (parts), >=, 5);
  for (guint i = 0; parts[i] != NULL; i++)
    if (strstr (svg, parts[i]) == NULL)
      g_error ("“%s” of “%s” is not written", parts[i], caption);
}

static void
test_narrow (void)
{
  static const HlViewKind kinds[] = { HL_VIEW_HEAD_VIEW, HL_VIEW_HEATMAP, HL_VIEW_MODEL, HL_VIEW_LAYERS };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (HlOrientation way = HL_ORIENTATION_VERTICAL; way <= HL_ORIENTATION_HORIZONTAL; way++)
      {
        g_autoptr (HlViewState) state = make_state ();
        hl_view_state_set_option (state, view, kinds[i]);
        hl_view_state_set_option (state, orientation, way);
        g_autoptr (HlScene) scene = test_make_scene (kinds[i], state, 340, 480, 1);
        test_prepare (scene);
        assert_all_said (scene);
      }
}

/* The first place from above where there is something to point at, the swatches of heads aside. */
static double
get_place (HlScene *scene)
{
  double width, height;

  hl_scene_get_viewport (scene, &width, &height, NULL);
  for (double y = 0; y < height; y++)
    for (double x = 0; x < width; x += 4)
      {
        HlPick pick;
        hl_scene_pick (scene, x, y, &pick);
        if (pick.kind != HL_PICK_NONE && pick.kind != HL_PICK_HEAD)
          return y;
      }
  return G_MAXDOUBLE;
}

/* What is said changes, and with it how much room that takes. */
static void
test_room (void)
{
  static const HlViewKind kinds[] = { HL_VIEW_HEAD_VIEW, HL_VIEW_HEATMAP, HL_VIEW_MODEL, HL_VIEW_LAYERS };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (HlViewState) state = make_state ();
      hl_view_state_set_option (state, view, kinds[i]);
      g_autoptr (HlScene) scene = test_make_scene (kinds[i], state, 340, 480, 1);
      const double narrow = get_place (scene);

      hl_scene_set_viewport (scene, 1600, 480, 1);
      g_assert_cmpfloat (narrow, >=, get_place (scene) + 30);
      hl_scene_set_viewport (scene, 340, 480, 1);
      g_assert_cmpfloat (narrow, ==, get_place (scene));
      hl_view_state_set_option (state, threshold, 0);
      hl_view_state_set_option (state, top_mass, 1);
      g_assert_cmpfloat (narrow, >=, get_place (scene) + 15);
    }
}

/* As low as a window can be, the picture has most of it. */
static void
test_low (void)
{
  g_autoptr (HlViewState) state = make_state ();
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 200, 120, 1);
  cairo_rectangle_t window;

  test_prepare (scene);
  hl_scene_get_window (scene, &window);
  g_assert_cmpfloat (window.y, <, 120);
  hl_scene_set_viewport (scene, 0, 0, 1);
  hl_scene_get_window (scene, &window);
}

static void
assert_said (HlViewState *state,
             const char  *wanted)
{
  g_autofree char *text = hl_view_state_describe (state);

  g_assert_nonnull (strstr (text, wanted));
}

/* Heads are ranked by what is in the file, whatever is made of it for the picture. */
static void
test_ranked (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlViewState) other = make_state ();
  g_autoptr (GError) error = NULL;

  hl_view_state_set_pairs (state, "her → Sarah");
  g_assert_true (hl_view_state_complete_numbers (state, NULL, &error));
  g_assert_no_error (error);
  assert_said (state, "attention weight, rows renormalised · layer 0 · head 0 · unaltered weight her → Sarah 0.");
  hl_view_state_set_option (state, renormalise, FALSE);
  assert_said (state, "attention weight · layer 0 · head 0 · weight her → Sarah 0.");
  hl_view_state_set_difference (state, hl_view_state_get_attention (other), NULL);
  assert_said (state, " in A · rank ");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/caption/narrow", test_narrow);
  g_test_add_func ("/caption/room", test_room);
  g_test_add_func ("/caption/low", test_low);
  g_test_add_func ("/caption/ranked", test_ranked);
  return g_test_run ();
}
