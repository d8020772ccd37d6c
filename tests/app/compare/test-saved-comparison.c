/* SPDX-License-Identifier: MIT */
/* A comparison that is saved can be read again, however many tokens are hidden. */
#include "panel-support.h"

#include "app/compare/hl-saved-comparison.h"
#include "core/base/hl-limits.h"
#include "core/test-attentions.h"

#include <string.h>

/* All but the first are more than a list may have items. */
#define N (HL_LIMIT_SET_ITEMS + 2)
#define HIDDEN "k1-4097"

/* A query and keys "t0", "t1"…, with as many others behind each. */
static HlSession *
make_session (const char *path,
              guint       n_between)
{
  static const char *const query[] = { "query", NULL };
  const gsize n = N * (1 + n_between);
  g_autofree float *weights = test_make_weights (1, 1, 1, n);
  g_auto (GStrv) keys = g_new0 (char *, n + 1);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < n; i++)
    keys[i] = g_strdup_printf ("%c%zu", i % (1 + n_between) == 0 ? 't' : 'x', i / (1 + n_between));
  g_ptr_array_add (attentions, test_make_attention_full (1, 1, 1, n, weights, query, (const char *const *) keys,
                                                         G_MAXSIZE, 0, (HlMask){ FALSE, 0 }));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  g_autoptr (HlDocument) document = hl_document_new (file, "container", NULL, example, NULL);
  HlSession *session = hl_session_new (document, &error);
  g_assert_no_error (error);
  return session;
}

static HlSavedSession *
save_and_open (HlSession *first,
               HlSession *second,
               HlSides   *sides)
{
  HlViewState *state = hl_session_get_view_state (first);
  g_autoptr (HlScene) scene = hl_scene_new (hl_view_state_get_options (state)->view, state);
  g_autoptr (HlSavedSession) saved = hl_session_save (first, scene);
  g_autoptr (GFile) folder = g_file_new_for_path ("/");
  g_autoptr (GError) error = NULL;

  hl_saved_comparison_take (saved, first, second, sides, scene);
  g_autofree char *json = hl_saved_session_to_json (saved, folder);
  HlSavedSession *again = hl_saved_session_parse (json, strlen (json), folder, &error);
  g_assert_no_error (error);
  return again;
}

static void
assert_hidden (HlSavedSession *saved,
               const char     *first,
               const char     *second)
{
  g_assert_cmpstr (hl_state_texts_get (&saved->state, "hidden"), ==, first);
  g_assert_cmpstr (hl_state_texts_get (&saved->other->state, "hidden"), ==, second);
  hl_saved_session_free (saved);
}

/* What is one range on one side is not on the other: it is not said where both are alike, nor where it could not be read. */
static void
test_hidden (void)
{
  g_autoptr (HlSession) dense = make_session ("/dense.h5", 0);
  g_autoptr (HlSession) spread = make_session ("/spread.h5", 1);
  HlViewState *a = hl_session_get_view_state (dense), *b = hl_session_get_view_state (spread);
  const HlHeadPairing pairing = { -1, -1 };
  const HlPick other = { HL_PICK_KEY, .key = 1 };
  gsize n;

  g_autoptr (HlSides) sides = hl_sides_new (a, b, &pairing, NULL);
  hl_view_state_set_hidden (a, HIDDEN);
  hl_token_set_get_spans (hl_view_state_get_hidden (b)->sets[HL_KEYS], &n);
  g_assert_cmpuint (n, >, HL_LIMIT_SET_ITEMS);
  assert_hidden (save_and_open (dense, spread, sides), HIDDEN, NULL);
  hl_view_state_hide (b, &other);
  assert_hidden (save_and_open (dense, spread, sides), HIDDEN, NULL);
  hl_sides_hold (sides);
  hl_view_state_set_hidden (b, "k3");
  hl_sides_release (sides);
  assert_hidden (save_and_open (dense, spread, sides), HIDDEN, "k3");
  hl_sides_hold (sides);
  hl_view_state_set_hidden (b, "");
  hl_sides_release (sides);
  assert_hidden (save_and_open (dense, spread, sides), HIDDEN, "");

  /* What the first side cannot say is said of the second. */
  hl_sides_close (sides);
  g_autoptr (HlSides) turned = hl_sides_new (b, a, &pairing, NULL);
  hl_view_state_set_hidden (a, HIDDEN);
  assert_hidden (save_and_open (spread, dense, turned), NULL, HIDDEN);
  hl_view_state_set_hidden (a, "");
  assert_hidden (save_and_open (spread, dense, turned), NULL, NULL);
  hl_sides_close (turned);
}

static HlSession *
make_session_of_layers (const char *path)
{
  const PanelAttention attention = { HL_ATTENTION_SELF, .n_layers = 3, .n_heads = 2, .n = 4 };
  g_autoptr (HlExample) example = panel_example_new (&attention, 1);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (HlDocument) document = hl_document_new (file, "container", NULL, example, NULL);
  g_autoptr (GError) error = NULL;
  HlSession *session = hl_session_new (document, &error);

  g_assert_no_error (error);
  return session;
}

/* Beside one another and subtracted, what is pinned in the view of all layers is of its layer, whichever is looked at. */
static void
test_layer_of_pin (void)
{
  g_autoptr (HlSession) first = make_session_of_layers ("/first.h5");
  g_autoptr (HlSession) second = make_session_of_layers ("/second.h5");
  HlViewState *a = hl_session_get_view_state (first), *b = hl_session_get_view_state (second);
  const HlHeadPairing pairing = { -1, -1 };
  g_autoptr (HlSides) sides = hl_sides_new (a, b, &pairing, NULL);

  hl_view_state_set_option (a, view, HL_VIEW_LAYERS);
  for (guint difference = 0; difference < 2; difference++)
    {
      hl_sides_set_difference (sides, difference);
      hl_view_state_set_pinned (a, &(HlPick){ HL_PICK_QUERY, .query = 3, .layer = 2 });
      hl_view_state_set_layer (a, 1);
      HlSavedSession *saved = save_and_open (first, second, sides);
      g_assert_cmpstr (hl_state_texts_get (&saved->state, "layer"), ==, "1");
      g_assert_cmpstr (hl_state_texts_get (&saved->state, "pinned"), ==, "3@layer.2");
      g_assert_null (hl_state_texts_get (&saved->other->state, "pinned"));
      hl_saved_session_free (saved);
    }
  hl_sides_close (sides);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/saved-comparison/hidden", test_hidden);
  g_test_add_func ("/saved-comparison/layer-of-pin", test_layer_of_pin);
  return g_test_run ();
}
