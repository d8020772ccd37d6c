/* SPDX-License-Identifier: MIT */
/* Which heads are chosen: those that go along with the layer, and those that have a layer of their own. */
#include "core/base/hl-limits.h"
#include "view/shown/hl-head-selection.h"

#include <string.h>

#include "core/test-attentions.h"

static HlAttention *
make_attention (guint n_layers,
                guint n_heads)
{
  g_autofree float *weights = test_make_weights (1, n_layers * n_heads, 2, 2);

  return test_make_attention (n_layers, n_heads, 2, 2, weights);
}

static void
check (const HlHeadSelection *self,
       guint                  layer,
       guint                  head,
       const char            *heads,
       const char            *others)
{
  guint n;
  const HlHeadPlace *places = hl_head_selection_get_others (self, &n);
  g_autofree char *own = hl_bits_format (hl_head_selection_get_heads (self)->bits, HL_LIMIT_HEADS);
  g_autofree char *found = hl_head_places_format (places, n);

  g_assert_cmpuint (hl_head_selection_get_n (self), ==, n + hl_head_set_count (hl_head_selection_get_heads (self)));
  g_assert_cmpuint (self->layer, ==, layer);
  g_assert_cmpuint (self->head, ==, head);
  g_assert_cmpstr (own, ==, heads);
  g_assert_cmpstr (found, ==, others);
}

/* Layers without attention are passed over, on the way there. */
static void
test_layers_without (void)
{
  g_autoptr (HlAttention) whole = make_attention (6, 4);
  g_auto (HlDerivedAttention) init = { 0 };
  g_auto (HlHeadSelection) selection = { 0 };

  hl_derived_attention_init (&init, whole);
  init.n_heads[0] = init.n_heads[2] = init.n_heads[3] = init.n_heads[5] = 0;
  g_autoptr (HlAttention) attention = hl_attention_new_derived (&init);
  hl_head_selection_init (&selection, attention);
  check (&selection, 1, 0, "0", "");
  hl_head_selection_set_layer (&selection, attention, 2);
  check (&selection, 4, 0, "0", "");
  hl_head_selection_set_layer (&selection, attention, 5);
  check (&selection, 4, 0, "0", "");
  hl_head_selection_set_layer (&selection, attention, 3);
  check (&selection, 1, 0, "0", "");
  hl_head_selection_go_to (&selection, attention, 9, 3);
  check (&selection, 4, 3, "3", "");
  /* Of these there is nothing to combine. */
  selection.layers = (HlLayerSet){ { 1 << 0 | 1 << 3 } };
  hl_head_selection_fit (&selection, attention);
  g_assert_cmpuint (hl_layer_set_count (&selection.layers), ==, 6);
  selection.layers = (HlLayerSet){ { 1 << 0 | 1 << 4 } };
  hl_head_selection_fit (&selection, attention);
  g_assert_cmpuint (hl_layer_set_count (&selection.layers), ==, 2);
}

/* Of layers with 1, 2 and 4 heads: what is chosen goes along as far as a layer has it, all stay all, and what is combined
 * does not depend on the layer. */
static void
test_heads_differ (void)
{
  g_autoptr (HlAttention) whole = make_attention (3, 4);
  g_auto (HlDerivedAttention) init = { 0 };
  g_auto (HlHeadSelection) selection = { 0 };
  HlHeadSet all;

  hl_derived_attention_init (&init, whole);
  init.n_heads[0] = 1;
  init.n_heads[1] = 2;
  g_autoptr (HlAttention) attention = hl_attention_new_derived (&init);
  hl_head_selection_init (&selection, attention);
  g_auto (HlHeadSelection) first = hl_head_selection_copy (&selection);
  g_assert_false (hl_head_selection_has_all (&first, attention));
  memset (&all, 0xff, sizeof all);
  hl_head_selection_set_heads (&selection, attention, &all);
  check (&selection, 0, 0, "0", "");
  g_assert_false (hl_head_selection_equal (&selection, &first));
  hl_head_selection_set_layer (&selection, attention, 2);
  check (&selection, 2, 0, "0–3", "");
  hl_head_selection_set_layer (&selection, attention, 1);
  check (&selection, 1, 0, "0, 1", "");
  g_assert_true (hl_head_selection_has_all (&selection, attention));
  g_autoptr (HlAttention) wide = make_attention (1, 6);
  hl_head_selection_fit (&selection, wide);
  check (&selection, 0, 0, "0–5", "");
  hl_head_selection_set_layer (&first, attention, 2);
  check (&first, 2, 0, "0", "");

  hl_head_selection_set_heads (&first, attention, &(HlHeadSet){ { 1 << 1 | 1 << 3 } });
  hl_head_selection_set_layer (&first, attention, 1);
  check (&first, 1, 1, "1", "");
  g_assert_true (hl_head_set_equal (hl_head_selection_get_combined (&first), &(HlHeadSet){ { 1 << 1 | 1 << 3 } }));
  hl_head_selection_set_layer (&first, attention, 2);
  check (&first, 2, 1, "1, 3", "");
  /* Of these the first layer has none. */
  hl_head_selection_set_layer (&first, attention, 0);
  check (&first, 0, 0, "0", "");
  g_assert_true (hl_head_set_equal (hl_head_selection_get_combined (&first), &(HlHeadSet){ { 1 } }));
}

static void
test_start (void)
{
  g_autoptr (HlAttention) attention = make_attention (3, 4);
  g_auto (HlHeadSelection) selection = { 0 };

  hl_head_selection_init (&selection, attention);
  check (&selection, 0, 0, "0", "");
  g_assert_cmpuint (hl_layer_set_count (&selection.layers), ==, 3);
}

static void
test_go (void)
{
  g_autoptr (HlAttention) attention = make_attention (3, 4);
  g_auto (HlHeadSelection) selection = { 0 };

  hl_head_selection_init (&selection, attention);
  hl_head_selection_go_to (&selection, attention, 1, 2);
  check (&selection, 1, 2, "2", "");
  hl_head_selection_go_to (&selection, attention, 9, 9);
  check (&selection, 2, 3, "3", "");
  g_auto (HlHeadSelection) copy = hl_head_selection_copy (&selection);
  g_assert_true (hl_head_selection_equal (&copy, &selection));
  hl_head_selection_toggle (&copy, attention, 0, 1);
  g_assert_false (hl_head_selection_equal (&copy, &selection));
  check (&copy, 2, 3, "3", "0.1");
  /* Those of the layer go along with it, the others stay. */
  hl_head_selection_set_layer (&copy, attention, 1);
  check (&copy, 1, 3, "3", "0.1");
}

static void
test_toggle (void)
{
  g_autoptr (HlAttention) attention = make_attention (3, 4);
  g_auto (HlHeadSelection) selection = { 0 };

  hl_head_selection_init (&selection, attention);
  hl_head_selection_toggle (&selection, attention, 2, 1);
  hl_head_selection_toggle (&selection, attention, 1, 3);
  hl_head_selection_toggle (&selection, attention, 2, 3);
  check (&selection, 0, 0, "0", "2.1,1.3,2.3");
  hl_head_selection_toggle (&selection, attention, 1, 3);
  check (&selection, 0, 0, "0", "2.1,2.3");
  /* Without any of the layer, the first of the others leads. */
  hl_head_selection_toggle (&selection, attention, 0, 0);
  check (&selection, 2, 1, "1, 3", "");
  hl_head_selection_toggle (&selection, attention, 2, 1);
  check (&selection, 2, 3, "3", "");
  hl_head_selection_toggle (&selection, attention, 2, 3);
  check (&selection, 2, 3, "", "");
  hl_head_selection_toggle (&selection, attention, 1, 2);
  check (&selection, 1, 2, "2", "");
}

/* What another attention does not have goes, and one head stays. */
static void
test_fit (void)
{
  g_autoptr (HlAttention) wide = make_attention (3, 8);
  g_autoptr (HlAttention) narrow = make_attention (2, 4);
  g_auto (HlHeadSelection) selection = { 0 };

  hl_head_selection_init (&selection, wide);
  hl_head_selection_go_to (&selection, wide, 2, 6);
  hl_head_selection_toggle (&selection, wide, 0, 7);
  hl_head_selection_toggle (&selection, wide, 1, 3);
  hl_head_selection_fit (&selection, narrow);
  check (&selection, 1, 3, "3", "1.3");
  g_assert_cmpuint (hl_layer_set_count (&selection.layers), ==, 2);

  hl_head_selection_set_heads (&selection, narrow, &(HlHeadSet){ { 0 } });
  hl_head_selection_fit (&selection, narrow);
  check (&selection, 1, 3, "", "1.3");
}

static void
test_texts (void)
{
  static const char *const wrong[] = { "", ".", "1", "1.", ".1", "1.x", "-1.2", "1.2.3", "99999.1", "1.99999" };
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (HlHeadPlace));
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (hl_head_places_parse (places, known, wrong[i]));
  g_assert_true (hl_head_places_parse (places, known, "7.3"));
  g_assert_true (hl_head_places_parse (places, known, " 0.11"));
  g_assert_true (hl_head_places_parse (places, known, "0.0"));
  g_assert_true (hl_head_places_parse (places, known, "7.3"));
  g_assert_true (hl_head_places_parse (places, known, "0.0"));
  g_autofree char *text = hl_head_places_format (&g_array_index (places, HlHeadPlace, 0), places->len);
  g_assert_cmpstr (text, ==, "7.3,0.11,0.0");
}

/* There are as many as there are heads, and a copy stays as it was. */
static void
test_many (void)
{
  g_autoptr (HlAttention) attention = make_attention (60, 20);
  g_auto (HlHeadSelection) selection = { 0 };
  guint n, index;

  hl_head_selection_init (&selection, attention);
  for (guint layer = 1; layer < 60; layer++)
    for (guint head = 0; head < 20; head++)
      hl_head_selection_toggle (&selection, attention, layer, head);
  g_assert_cmpuint (hl_head_selection_get_n (&selection), ==, 1 + 59 * 20);
  g_auto (HlHeadSelection) copy = hl_head_selection_copy (&selection);
  hl_head_selection_toggle (&selection, attention, 2, 0);
  g_assert_false (hl_head_selection_same_heads (&copy, &selection));
  const HlHeadPlace *others = hl_head_selection_get_others (&copy, &n);
  g_assert_true (hl_head_places_find (others, n, 2, 0, &index));
  g_assert_cmpuint (index, ==, 20);
  others = hl_head_selection_get_others (&selection, &n);
  g_assert_false (hl_head_places_find (others, n, 2, 0, &index));
  g_assert_cmpuint (n, ==, 59 * 20 - 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/head-selection/start", test_start);
  g_test_add_func ("/head-selection/go", test_go);
  g_test_add_func ("/head-selection/layers-without", test_layers_without);
  g_test_add_func ("/head-selection/heads-differ", test_heads_differ);
  g_test_add_func ("/head-selection/toggle", test_toggle);
  g_test_add_func ("/head-selection/fit", test_fit);
  g_test_add_func ("/head-selection/texts", test_texts);
  g_test_add_func ("/head-selection/many", test_many);
  return g_test_run ();
}
