/* SPDX-License-Identifier: MIT */
/* The words over a picture: all of them are there however narrow it is, over the picture and not on it. */
#include "test-scenes.h"

#include "core/test-attentions.h"
#include "draw/export/hl-export.h"
#include "draw/scene/hl-scene-write.h"

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

static char *
dup_svg (HlScene *scene)
{
  const HlExportOptions options = { HL_EXPORT_SVG, 1, .text_mode = HL_TEXT_GLYPHS };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hl_export_scene_to_bytes (scene, &options, NULL, NULL, &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* Lines are broken between parts; each part is whole. */
static void
assert_all_said (HlScene *scene)
{
  g_autofree char *caption = hl_view_state_describe (hl_scene_get_state (scene));
  g_auto (GStrv) parts = g_strsplit (caption, " · ", -1);
  g_autofree char *svg = dup_svg (scene);

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

/* The first place from above where there is something to point at, the swatches of heads aside; what is centred in the room that is left
 * may lie as much higher as there is above and below it. */
static double
get_place (HlScene *scene)
{
  double width, height, first = G_MAXDOUBLE, last = 0;

  hl_scene_get_viewport (scene, &width, &height, NULL);
  for (double y = 0; y < height; y++)
    for (double x = 0; x < width; x += 4)
      {
        HlPick pick;
        hl_scene_pick (scene, x, y, &pick);
        if (pick.kind == HL_PICK_NONE || pick.kind == HL_PICK_HEAD)
          continue;
        first = MIN (first, y);
        last = y;
      }
  g_assert_cmpfloat (first, <, last);
  return first - (height - last);
}

/* What is said changes, and with it how much room that takes: two lines, one; a pixel less for what is rounded. Of a heatmap that cannot
 * be seen by where its cells are: the colour bar is beside or below them, as they become larger. */
static void
test_room (void)
{
  static const HlViewKind kinds[] = { HL_VIEW_HEAD_VIEW, HL_VIEW_MODEL, HL_VIEW_LAYERS };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (HlViewState) state = make_state ();
      hl_view_state_set_option (state, view, kinds[i]);
      g_autoptr (HlScene) scene = test_make_scene (kinds[i], state, 340, 480, 1);
      const double narrow = get_place (scene);

      hl_scene_set_viewport (scene, 1600, 480, 1);
      g_assert_cmpfloat (narrow, >=, get_place (scene) + 29);
      hl_scene_set_viewport (scene, 340, 480, 1);
      g_assert_cmpfloat (narrow, ==, get_place (scene));
      hl_view_state_set_option (state, threshold, 0);
      hl_view_state_set_option (state, top_mass, 1);
      g_assert_cmpfloat (narrow, >=, get_place (scene) + 14);
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
measure_bubble (HlScene           *scene,
                cairo_rectangle_t *ink)
{
  const cairo_rectangle_t box = { 10, 10, 20, 20 };
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cr = cairo_create (surface);

  hl_scene_draw_bubble (scene, hl_scene_get_frame (scene), cr,
                        "layer 3 · head 5: weight on the first token 0.44, of layers 0 to 5 the strongest of its head",
                        &box, &(HlBubblePlace){ .gap = 8, .flips = TRUE });
  cairo_destroy (cr);
  cairo_recording_surface_ink_extents (surface, &ink->x, &ink->y, &ink->width, &ink->height);
  cairo_surface_destroy (surface);
}

/* Nor is what is said of a token or a head cut: where one line is too wide, there are more. */
static void
test_bubble (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 240, 480, 1);
  cairo_rectangle_t narrow, wide;

  measure_bubble (scene, &narrow);
  hl_scene_set_viewport (scene, 800, 480, 1);
  measure_bubble (scene, &wide);
  g_assert_cmpfloat (narrow.x, >=, 0);
  g_assert_cmpfloat (narrow.x + narrow.width, <=, 240);
  g_assert_cmpfloat (narrow.height, >, wide.height + 20);
  /* All of it has as much room. */
  g_assert_cmpfloat (wide.width, >, 400);
  g_assert_cmpfloat (narrow.width * narrow.height, >, wide.width * wide.height);
}

static void
assert_said (HlViewState *state,
             const char  *wanted)
{
  g_autofree char *text = hl_view_state_describe (state);

  if (strstr (text, wanted) == NULL)
    g_error ("“%s” is not said in “%s”", wanted, text);
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

/* Rows are renormalised where keys are left out: not where queries are, nor where there are none of those that would be. */
static void
test_ranked_whole (void)
{
  static const char *const pieces[] = { "the", "time", "fl", "##ies", "like", "an", NULL };
  g_autofree float *weights = test_make_weights (4, 2 * 2, 6, 6);
  g_autoptr (HlViewState) state = test_make_state (2, 2, 6, 6, weights, pieces, 0, (HlMask){ 0 });
  g_autoptr (HlViewState) other = test_make_state (2, 2, 6, 6, weights, pieces, 0, (HlMask){ 0 });
  g_autoptr (GError) error = NULL;

  hl_view_state_set_option (state, renormalise, TRUE);
  hl_view_state_set_option (state, colour_by, HL_HEAD_MEASURE_PAIR);
  hl_view_state_set_pairs (state, "time → like");
  hl_view_state_set_hidden (state, "q0");
  g_assert_true (hl_view_state_complete_numbers (state, NULL, &error));
  g_assert_no_error (error);
  assert_said (state, "attention weight · layer 0 · head 0 · weight time → like ");
  hl_view_state_set_difference (state, hl_view_state_get_attention (other), NULL);
  assert_said (state, " · weight time → like ");
  hl_view_state_set_difference (state, NULL, NULL);

  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  assert_said (state, " · frames: weight time → like · ");
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 900, 900, 1);
  test_prepare (scene);
  g_autofree char *svg = dup_svg (scene);
  g_assert_nonnull (strstr (svg, ">weight of the pair<"));
  hl_view_state_set_hidden (state, NULL);
  hl_view_state_set_option (state, hide_special, TRUE);
  hl_view_state_set_option (state, words, TRUE);
  assert_said (state, " · frames: weight time → like · ");

  hl_view_state_set_hidden (state, "k0");
  assert_said (state, " · frames: unaltered weight time → like · ");
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  assert_said (state, " · frames: unaltered weight time → like · ");
}

/* What colours stand for is a share of what rows hold, and these are of keys where rows and columns changed places. */
static void
test_cumulative (void)
{
  for (HlDirection direction = HL_DIRECTION_AS_IS; direction <= HL_DIRECTION_TRANSPOSED; direction++)
    {
      g_autoptr (HlViewState) state = make_state ();
      hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_CUMULATIVE);
      hl_view_state_set_option (state, direction, direction);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 900, 900, 1);
      test_prepare (scene);
      g_autofree char *svg = dup_svg (scene);
      g_assert_nonnull (strstr (svg, direction == HL_DIRECTION_TRANSPOSED
                                       ? "share of the row held by queries no stronger"
                                       : "share of the row held by keys no stronger"));
    }
}

/* Order and frames of heads are by numbers of the attention, whatever is made of it for the picture; of a difference, by those
 * of the first side. */
static void
test_ordered (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlViewState) other = make_state ();

  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  hl_view_state_set_option (state, sort, HL_HEAD_MEASURE_ENTROPY);
  hl_view_state_set_option (state, colour_by, HL_HEAD_MEASURE_PAIR);
  hl_view_state_set_pairs (state, "her → Sarah");
  g_assert_true (hl_view_state_complete_numbers (state, NULL, NULL));
  assert_said (state, "sorted by entropy of unaltered maps · frames: unaltered weight her → Sarah · ");
  hl_view_state_set_option (state, colour_by, HL_HEAD_MEASURE_ENTROPY);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 900, 900, 1);
  test_prepare (scene);
  g_autofree char *svg = dup_svg (scene);
  g_assert_nonnull (strstr (svg, ">entropy of unaltered maps<"));
  hl_view_state_set_option (state, colour_by, HL_HEAD_MEASURE_PAIR);
  test_prepare (scene);
  g_autofree char *of_pair = dup_svg (scene);
  g_assert_nonnull (strstr (of_pair, ">unaltered weight of the pair<"));
  hl_view_state_set_difference (state, hl_view_state_get_attention (other), NULL);
  assert_said (state, "sorted by entropy of unaltered maps in A · frames: unaltered weight her → Sarah in A · ");
  hl_view_state_set_option (state, hide_special, FALSE);
  assert_said (state, "sorted by entropy in A · frames: weight her → Sarah in A · ");
  hl_view_state_set_difference (state, NULL, NULL);
  assert_said (state, "sorted by entropy · frames: weight her → Sarah · ");
  /* Numbers are of the maps of the quantity, and so is the picture, whatever is chosen that changes none. */
  hl_view_state_set_option (state, quantity, HL_QUANTITY_RESIDUAL);
  assert_said (state, "sorted by entropy · ");
  /* What the model is run for again, and what keys are like, is of no map. */
  hl_view_state_set_option (state, hide_special, TRUE);
  hl_view_state_set_option (state, sort, HL_HEAD_MEASURE_INDUCTION);
  assert_said (state, "sorted by induction: weight on what came next the first time · ");
  hl_view_state_set_option (state, sort, HL_HEAD_MEASURE_LENGTH_SPECIAL);
  assert_said (state, "sorted by ‖f(x)‖ of special tokens · ");
  /* What is counted in annotated texts is: these have been read off maps. */
  hl_view_state_set_option (state, sort, HL_HEAD_MEASURE_DEPENDENCY);
  hl_view_state_set_option (state, colour_by, HL_HEAD_MEASURE_COREFERENCE);
  assert_said (state, "sorted by words whose head is found of unaltered maps · "
                      "frames: mentions whose antecedent is found of unaltered maps · ");
}

/* A learned sink is seen as a key, and numbers count what it takes: they are those of the maps that are seen. */
static void
test_ordered_sinks (void)
{
  static const float sinks[] = { 0, 0 };
  const HlShape shape = { 3, { 2, 6, 6 } };
  const HlAttentionRule rule = { .scale = 1, .sinks = sinks };
  g_autofree float *weights = test_make_weights (4, 2, 6, 6);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  for (gsize i = 0; i < 2 * 6 * 6; i++)
    weights[i] /= 2;
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, weights);
  const HlLayerTensor layer = {
    .tensor = tensor, .layer_axis = -1, .batch_axis = -1, .head_axis = 0, .row_axis = 1, .column_axis = 2
  };
  g_ptr_array_add (
    attentions,
    hl_attention_new (&(HlAttentionInit){
      .weights = &layer, .n_layers = 1, .tokens = { tokens, tokens }, .n_used = { 6, 6 }, .rules = &rule }));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  hl_view_state_set_option (state, sort, HL_HEAD_MEASURE_ENTROPY);
  assert_said (state, "sorted by entropy · ");
  assert_said (state, "[sink]: what a learned sink takes");
  hl_view_state_set_option (state, hide_first, TRUE);
  assert_said (state, "sorted by entropy of unaltered maps · ");
}

/* Charts have numbers of queries, over all keys; the plane has tokens, and a pair is a pair. What is of other tokens, of keys or of final
 * states is of no part of the queries. */
static void
test_sentences (void)
{
  const HlHeadMeasure others[] = { HL_HEAD_MEASURE_PAIR, HL_HEAD_MEASURE_PREVIOUS_TOKEN, HL_HEAD_MEASURE_ABLATION_ZERO,
                                   HL_HEAD_MEASURE_LENGTH_FIRST, HL_HEAD_MEASURE_DEPENDENCY };
  g_autofree float *weights = test_make_weights (4, 2 * 2, 6, 6);
  g_autoptr (HlViewState) state = test_make_state (2, 2, 6, 6, weights, tokens, 3, (HlMask){ 0 });

  hl_view_state_set_option (state, view, HL_VIEW_CHART);
  hl_view_state_set_option (state, number, HL_HEAD_MEASURE_ENTROPY);
  hl_view_state_set_option (state, sentences, HL_SENTENCES_A_TO_B);
  assert_said (state, " · by layer · queries of sentence A");
  hl_view_state_set_option (state, sentences, HL_SENTENCES_B_TO_B);
  assert_said (state, " · by layer · queries of sentence B");
  hl_view_state_set_option (state, chart, HL_CHART_SCATTER);
  assert_said (state, " · queries of sentence B");
  hl_view_state_set_option (state, chart, HL_CHART_PLANE);
  assert_said (state, " · B → B");
  hl_view_state_set_option (state, chart, HL_CHART_GRID);
  hl_view_state_set_pairs (state, "her → Sarah");
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      hl_view_state_set_option (state, number, others[i]);
      g_autofree char *other = hl_view_state_describe (state);
      g_test_message ("%s", other);
      g_assert_null (strstr (other, "sentence"));
      g_assert_null (strstr (other, "B → B"));
    }
  hl_view_state_set_option (state, number, HL_HEAD_MEASURE_MIXING);
  assert_said (state, "mixing ratio of the layer · by layer · queries of sentence B");
  g_autofree char *maps = hl_view_state_describe_maps (state);
  g_assert_nonnull (strstr (maps, " · B → B"));
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  assert_said (state, " · B → B");
}

/* Several heads may be chosen, and the plane is of the one that leads. */
static void
test_plane (void)
{
  g_autoptr (HlViewState) state = make_state ();

  hl_view_state_go_to (state, 1, 1);
  hl_view_state_toggle_head (state, 0);
  hl_view_state_set_option (state, view, HL_VIEW_CHART);
  hl_view_state_set_option (state, chart, HL_CHART_PLANE);
  assert_said (state, " · layer 1 · head 1 · ");
  hl_view_state_select_no_heads (state);
  assert_said (state, " · layer 1 · head 1 · ");
}

/* On the screen a head is called by its name as soon as that is known, and the picture stays where it is. Of several heads, and of what was
 * made of weights, none is told. */
static void
test_named (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 900, 480, 1);
  guint n_names;
  const HlHeadName *names = hl_head_name_get_all (&n_names);
  const HlToldName told = {
    .attention = hl_view_state_get_attention (state),
    .queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (state)),
    .layer = 1,
    .head = 0,
    .name = &names[0],
    .value = 0.92,
  };
  const char *text = "head 0 · previous token 0.92";

  hl_view_state_set_option (state, hide_special, FALSE);
  hl_view_state_go_to (state, 1, 0);
  hl_scene_set_names_heads (scene, TRUE);
  test_prepare (scene);
  const double room = hl_scene_get_frame (scene)->caption_room;
  g_autofree char *before = g_strjoinv (" · ", (char **) hl_scene_get_frame (scene)->caption);
  g_assert_null (strstr (before, "previous token"));

  hl_view_state_tell_head_name (state, &told);
  g_autofree char *after = g_strjoinv (" · ", (char **) hl_scene_get_frame (scene)->caption);
  g_autofree char *for_good = hl_view_state_describe (state);
  g_assert_nonnull (strstr (after, text));
  g_assert_cmpfloat (hl_scene_get_frame (scene)->caption_room, ==, room);
  g_assert_null (strstr (for_good, "previous token"));

  /* Where it would need a line of its own, there is none. */
  for (int width = 900; width > 200; width -= 10)
    {
      g_autoptr (HlScene) narrow = test_make_scene (HL_VIEW_HEAD_VIEW, state, width, 480, 1);
      const double plain = hl_scene_get_frame (narrow)->caption_room;
      hl_scene_set_names_heads (narrow, TRUE);
      const char *const *lines = hl_scene_get_frame (narrow)->caption;
      /* What else is said does not give way to it. */
      if (strstr (lines[g_strv_length ((char **) lines) - 1], "previous token") != NULL)
        g_assert_true (hl_caption_fits (hl_scene_get_text (narrow), (GStrv) lines, width));
      g_assert_cmpfloat (hl_scene_get_frame (narrow)->caption_room, ==, plain);
    }

  hl_view_state_go_to (state, 1, 1);
  g_autofree char *other = hl_view_state_describe_named (state);
  g_assert_null (strstr (other, "previous token"));
  hl_view_state_go_to (state, 1, 0);
  hl_view_state_toggle_head (state, 1);
  g_autofree char *several = hl_view_state_describe_named (state);
  g_assert_null (strstr (several, "previous token"));
  hl_view_state_go_to (state, 1, 0);
  hl_view_state_set_option (state, quantity, HL_QUANTITY_ROLLOUT);
  g_autofree char *derived = hl_view_state_describe_named (state);
  g_assert_null (strstr (derived, "previous token"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/caption/narrow", test_narrow);
  g_test_add_func ("/caption/bubble", test_bubble);
  g_test_add_func ("/caption/room", test_room);
  g_test_add_func ("/caption/low", test_low);
  g_test_add_func ("/caption/ranked", test_ranked);
  g_test_add_func ("/caption/ranked-whole", test_ranked_whole);
  g_test_add_func ("/caption/cumulative", test_cumulative);
  g_test_add_func ("/caption/ordered", test_ordered);
  g_test_add_func ("/caption/ordered-sinks", test_ordered_sinks);
  g_test_add_func ("/caption/sentences", test_sentences);
  g_test_add_func ("/caption/plane", test_plane);
  g_test_add_func ("/caption/named", test_named);
  return g_test_run ();
}
