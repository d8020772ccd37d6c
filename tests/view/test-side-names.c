/* SPDX-License-Identifier: MIT */
/* Two sides are called by what differs: words of texts, files, examples, heads. */
#include "view/hl-side-names.h"

#include "core/test-attentions.h"

static void
assert_texts (const char *a,
              const char *b,
              const char *expected_a,
              const char *expected_b)
{
  g_autofree char *name_a = NULL;
  g_autofree char *name_b = NULL;

  hl_side_names_differ_texts (a, b, &name_a, &name_b);
  g_assert_cmpstr (name_a, ==, expected_a);
  g_assert_cmpstr (name_b, ==, expected_b);
}

static void
test_texts (void)
{
  assert_texts ("it was too tired", "it was too wide", "… tired", "… wide");
  assert_texts ("he ran home", "she ran home", "he …", "she …");
  assert_texts ("the red car stops", "the  blue\tcar stops", "… red …", "… blue …");
  /* A word more: the other is told by the word before it, or behind. */
  assert_texts ("a very old house", "a old house", "a very …", "a …");
  assert_texts ("old house", "very old house", "old …", "very old …");
  assert_texts ("one two", "one two three", "… two", "… two three");
  /* A word that stands twice belongs to one end alone. */
  assert_texts ("a a b", "a b", "a a …", "a …");
  assert_texts ("", "word", "", "word");
  /* As much as there is room for. */
  assert_texts ("x aaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbb cccccccccccc dddd", "x y",
                "… aaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbb cc …", "… y");
}

static HlDocument *
make_document (const char *path,
               const char *name,
               const char *text)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree float *weights = test_make_weights (1, 6, 3, 3);

  g_ptr_array_add (attentions, test_make_attention (2, 3, 3, 3, weights));
  g_autoptr (HlExample) example = hl_example_new (name, text, NULL, attentions, checks);
  return hl_document_new (file, "container", NULL, example, NULL);
}

static void
assert_names (HlDocument          *a,
              HlDocument          *b,
              const HlHeadPairing *pairing,
              const char          *expected_a,
              const char          *expected_b)
{
  g_autoptr (HlExample) example_a = hl_document_get_example (a, 0, NULL, NULL);
  g_autoptr (HlExample) example_b = hl_document_get_example (b, 0, NULL, NULL);
  g_autoptr (HlViewState) state_a = hl_view_state_new (example_a);
  g_autoptr (HlViewState) state_b = hl_view_state_new (example_b);
  g_autofree char *name_a = NULL;
  g_autofree char *name_b = NULL;

  hl_view_state_go_to (state_a, 1, 2);
  g_autoptr (HlSides) sides = hl_sides_new (state_a, state_b, pairing, NULL);
  hl_side_names_make (sides, a, b, &name_a, &name_b);
  g_assert_cmpstr (name_a, ==, expected_a);
  g_assert_cmpstr (name_b, ==, expected_b);
  hl_sides_close (sides);
}

static void
test_sides (void)
{
  const HlHeadPairing same = { -1, -1 }, head = { -1, 0 }, layer = { 0, -1 };
  g_autoptr (HlDocument) one = make_document ("/tmp/x/one.h5", "first", "it is red");
  g_autoptr (HlDocument) other_text = make_document ("/tmp/x/one.h5", "first", "it is blue");
  g_autoptr (HlDocument) other_name = make_document ("/tmp/x/one.h5", "second", "it is red");
  g_autoptr (HlDocument) two = make_document ("/tmp/x/two.h5", "second", "it is blue");
  g_autoptr (HlDocument) namesake = make_document ("/tmp/y/one.h5", "first", "it is red");

  assert_names (one, one, &same, "one.h5", "one.h5");
  assert_names (one, one, &head, "1·2", "1·0");
  assert_names (one, one, &layer, "1·2", "0·2");
  assert_names (one, other_text, &same, "… red", "… blue");
  assert_names (one, other_name, &same, "first", "second");
  assert_names (one, two, &same, "one.h5", "two.h5");
  assert_names (one, namesake, &same, "x/one.h5", "y/one.h5");
  assert_names (one, other_text, &head, "… red, 1·2", "… blue, 1·0");
}

static void
count (guint *n)
{
  ++*n;
}

/* Who follows another head is named by it. */
static void
test_changed (void)
{
  g_autoptr (HlDocument) one = make_document ("/tmp/x/one.h5", "first", NULL);
  g_autoptr (HlExample) example = hl_document_get_example (one, 0, NULL, NULL);
  g_autoptr (HlViewState) a = hl_view_state_new (example);
  g_autoptr (HlViewState) b = hl_view_state_new (example);
  const HlHeadPairing layer = { 1, -1 };
  g_autoptr (HlSides) sides = hl_sides_new (a, b, &layer, NULL);
  g_autofree char *name_a = NULL;
  g_autofree char *name_b = NULL;
  guint n = 0;

  g_signal_connect_swapped (sides, "changed", G_CALLBACK (count), &n);
  hl_view_state_go_to (a, 0, 1);
  g_assert_cmpuint (n, >, 0);
  hl_side_names_make (sides, one, one, &name_a, &name_b);
  g_assert_cmpstr (name_a, ==, "0·1");
  g_assert_cmpstr (name_b, ==, "1·1");
  hl_sides_close (sides);
}

/* Where all heads are seen, none of the first side is the one that is compared. */
static void
test_all_heads (void)
{
  static const struct
  {
    HlViewKind view;
    HlHeadPairing pairing;
    const char *a, *b, *of_one_a, *of_one_b;
  } cases[] = {
    { HL_VIEW_MODEL, { 0, 1 }, "one.h5", "two.h5, 0·1", "one.h5", "one.h5, 0·1" },
    { HL_VIEW_LAYERS, { 0, -1 }, "one.h5", "two.h5, layer 0", "one.h5", "one.h5, layer 0" },
    { HL_VIEW_CHART, { -1, 1 }, "one.h5", "two.h5, head 1", "one.h5", "one.h5, head 1" },
    { HL_VIEW_MODEL, { -1, -1 }, "one.h5", "two.h5", "one.h5", "one.h5" },
    { HL_VIEW_HEATMAP, { 0, 1 }, "one.h5, 1·2", "two.h5, 0·1", "1·2", "0·1" },
  };
  g_autoptr (HlDocument) one = make_document ("/tmp/x/one.h5", "first", NULL);
  g_autoptr (HlDocument) two = make_document ("/tmp/x/two.h5", "first", NULL);
  g_autoptr (HlExample) example = hl_document_get_example (one, 0, NULL, NULL);
  g_autoptr (HlExample) other = hl_document_get_example (two, 0, NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint is_one = 0; is_one < 2; is_one++)
      {
        g_autoptr (HlViewState) a = hl_view_state_new (example);
        g_autoptr (HlViewState) b = hl_view_state_new (is_one ? example : other);
        g_autoptr (HlSides) sides = hl_sides_new (a, b, &cases[i].pairing, NULL);
        g_autofree char *name_a = NULL;
        g_autofree char *name_b = NULL;
        guint n = 0;

        hl_view_state_go_to (a, 1, 2);
        g_signal_connect_swapped (sides, "changed", G_CALLBACK (count), &n);
        hl_view_state_set_option (a, view, cases[i].view);
        if (cases[i].pairing.layer >= 0 || cases[i].pairing.head >= 0)
          g_assert_cmpuint (n, >, 0);
        hl_side_names_make (sides, one, is_one ? one : two, &name_a, &name_b);
        g_assert_cmpstr (name_a, ==, is_one ? cases[i].of_one_a : cases[i].a);
        g_assert_cmpstr (name_b, ==, is_one ? cases[i].of_one_b : cases[i].b);
        hl_sides_close (sides);
      }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/side-names/texts", test_texts);
  g_test_add_func ("/side-names/sides", test_sides);
  g_test_add_func ("/side-names/changed", test_changed);
  g_test_add_func ("/side-names/all-heads", test_all_heads);
  return g_test_run ();
}
