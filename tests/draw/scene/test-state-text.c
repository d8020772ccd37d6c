/* SPDX-License-Identifier: MIT */
/* Everything that makes a picture has a text, and the text makes the same picture. */
#include "view/spelling/hl-state-text.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/test-attentions.h"
#include "test-heads.h"

#include <string.h>

#define N_LAYERS 3
#define N_HEADS 5
#define N_TOKENS 10

static const char *const tokens[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", NULL };

static HlExample *
make_example (void)
{
  g_autofree float *weights = test_make_weights (1, N_LAYERS * N_HEADS, N_TOKENS, N_TOKENS);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions, test_make_attention_full (N_LAYERS, N_HEADS, N_TOKENS, N_TOKENS, weights, tokens, tokens,
                                                         8, 3, (HlMask){ FALSE, 0 }));
  return hl_example_new ("example", NULL, NULL, attentions, checks);
}

/* What one state is spelt as makes another one that is spelt the same. */
static void
check_round_trip (HlViewState *state)
{
  g_autoptr (HlViewState) again = hl_view_state_new (hl_view_state_get_example (state));
  g_auto (HlStateTexts) texts = { 0 };
  g_auto (HlStateTexts) texts_again = { 0 };
  g_autoptr (GError) error = NULL;

  hl_state_texts_take (&texts, state);
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    g_assert_true (texts.texts[i] == NULL || hl_state_text_check (i, texts.texts[i]));
  g_assert_true (hl_state_texts_apply (&texts, again, &error));
  g_assert_no_error (error);
  hl_state_texts_take (&texts_again, again);
  for (guint i = 0; i < HL_MAX_STATE_TEXTS; i++)
    g_assert_cmpstr (texts.texts[i], ==, texts_again.texts[i]);

  g_autofree char *description = hl_view_state_describe (state);
  g_autofree char *description_again = hl_view_state_describe (again);
  g_assert_cmpstr (description, ==, description_again);
  g_assert_true (hl_head_set_equal (hl_view_state_get_heads (state), hl_view_state_get_heads (again)));
  g_assert_true (hl_layer_set_equal (hl_view_state_get_layers (state), hl_view_state_get_layers (again)));
  g_assert_true (
    hl_head_selection_same_heads (hl_view_state_get_selection (state), hl_view_state_get_selection (again)));
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, hl_view_state_get_layer (again));
  g_assert_cmpuint (hl_view_state_get_head (state), ==, hl_view_state_get_head (again));
  g_assert_true (hl_focus_equal (hl_view_state_get_pin (state), hl_view_state_get_pin (again)));
}

static void
check_spelled (HlViewState *state,
               const char  *property,
               const char  *text)
{
  g_auto (HlStateTexts) texts = { 0 };

  hl_state_texts_take (&texts, state);
  g_assert_cmpstr (hl_state_texts_get (&texts, property), ==, text);
  check_round_trip (state);
}

/* What can be set makes the picture, but for what the document and the pointer do. */
static void
test_complete (void)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (HL_TYPE_VIEW_STATE);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_properties;
  g_autofree GParamSpec **properties = g_object_class_list_properties (G_OBJECT_CLASS (klass), &n_properties);

  for (guint i = 0; i < hl_state_text_get_n (); i++)
    {
      const char *property = hl_state_text_get_property (i);
      g_assert_true (g_hash_table_add (names, (char *) property));
      g_assert_nonnull (g_object_class_find_property (G_OBJECT_CLASS (klass), property));
    }
  for (guint i = 0; i < n_properties; i++)
    {
      const gboolean passes = g_str_equal (properties[i]->name, "example") ||
                              g_str_equal (properties[i]->name, "hovered");
      if ((properties[i]->flags & G_PARAM_WRITABLE) && !passes && !g_hash_table_contains (names, properties[i]->name))
        g_error ("HlViewState:%s can be set and is not spelt", properties[i]->name);
    }
}

static void
test_names (void)
{
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    {
      g_autofree char *hint = hl_state_text_dup_hint (i);
      g_autofree char *rule = hl_state_text_dup_rule (i);
      g_assert_cmpint (hl_state_text_find (hl_state_text_get_name (i)), ==, i);
      g_assert_nonnull (hint);
      g_assert_cmpuint (strlen (rule), >, 0);
    }
  g_assert_cmpint (hl_state_text_find ("source"), ==, -1);
  g_assert_cmpint (hl_state_text_find (""), ==, -1);
}

static void
set_and_check (HlExample  *example,
               GParamSpec *pspec,
               GValue     *value)
{
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  g_object_set_property (G_OBJECT (state), pspec->name, value);
  check_round_trip (state);
  g_value_unset (value);
}

/* Every value that every property of a simple type can have, one at a time. */
static void
test_values (void)
{
  const double parts[] = { 0.1, 1 / 3.0, 0.5, 0.15000000000000002, 1e-9 };
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (GTypeClass) klass = g_type_class_ref (HL_TYPE_VIEW_STATE);
  guint n_enums = 0, n_doubles = 0, n_booleans = 0;

  for (guint i = 0; i < hl_state_text_get_n (); i++)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_CLASS (klass), hl_state_text_get_property (i));
      GValue value = G_VALUE_INIT;

      if (!(pspec->flags & G_PARAM_WRITABLE))
        continue;
      if (G_IS_PARAM_SPEC_ENUM (pspec))
        {
          const GEnumClass *values = G_PARAM_SPEC_ENUM (pspec)->enum_class;
          for (guint j = 0; j < values->n_values; j++, n_enums++)
            {
              /* What needs more than these weights cannot be shown of them. */
              if (pspec->value_type == HL_TYPE_QUANTITY &&
                  !hl_quantity_check (values->values[j].value, hl_example_get_attention (example, 0), NULL))
                continue;
              g_value_init (&value, pspec->value_type);
              g_value_set_enum (&value, values->values[j].value);
              set_and_check (example, pspec, &value);
            }
        }
      else if (G_IS_PARAM_SPEC_DOUBLE (pspec))
        {
          const double minimum = G_PARAM_SPEC_DOUBLE (pspec)->minimum, maximum = G_PARAM_SPEC_DOUBLE (pspec)->maximum;
          for (guint j = 0; j < G_N_ELEMENTS (parts); j++, n_doubles++)
            {
              g_value_init (&value, G_TYPE_DOUBLE);
              g_value_set_double (&value, minimum + (maximum - minimum) * parts[j]);
              set_and_check (example, pspec, &value);
            }
        }
      else if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
        for (gboolean on = FALSE; on <= TRUE; on++, n_booleans++)
          {
            g_value_init (&value, G_TYPE_BOOLEAN);
            g_value_set_boolean (&value, on);
            set_and_check (example, pspec, &value);
          }
    }
  g_assert_cmpuint (n_enums, >, 20);
  g_assert_cmpuint (n_doubles, >, 10);
  g_assert_cmpuint (n_booleans, >, 4);
}

static void
test_heads (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  HlHeadSet heads = { { 0 } };

  check_spelled (state, "heads", NULL);
  hl_view_state_go_to (state, 2, 3);
  check_spelled (state, "heads", "3");
  check_spelled (state, "layer", "2");
  check_spelled (state, "head", NULL);
  /* The head in front is not the first. */
  for (guint head = 0; head < 4; head++)
    hl_head_set_add (&heads, head);
  hl_view_state_set_heads (state, &heads);
  check_spelled (state, "heads", "0-3");
  check_spelled (state, "head", "3");
  hl_view_state_select_all_heads (state);
  check_spelled (state, "heads", "all");
  hl_view_state_select_no_heads (state);
  check_spelled (state, "heads", "none");
  check_spelled (state, "head", "3");
  hl_view_state_go_to (state, hl_view_state_get_layer (state), 0);
  hl_view_state_select_all_heads (state);
  check_spelled (state, "heads", "all");
  /* Where heads become one, all do unless something else is said. */
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  check_spelled (state, "heads", NULL);
  hl_view_state_go_to (state, hl_view_state_get_layer (state), 0);
  check_spelled (state, "heads", "0");
}

/* Layers of 1 and 3 heads. */
static HlViewState *
make_ragged_state (void)
{
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree float *weights = test_make_weights (1, 3, 4, 4);
  g_autoptr (HlTensor) one = test_make_tensor (&(HlShape){ 3, { 1, 4, 4 } }, weights);
  g_autoptr (HlTensor) three = test_make_tensor (&(HlShape){ 3, { 3, 4, 4 } }, weights);
  const HlLayerTensor layers[] = { { one, -1, 0, -1, 0, 0, 1, 2 }, { three, -1, 0, -1, 0, 0, 1, 2 } };

  g_ptr_array_add (attentions,
                   hl_attention_new (&(HlAttentionInit){ .weights = layers, .n_layers = 2, .n_used = { 4, 4 } }));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

static void
apply (HlViewState *state,
       const char  *property,
       const char  *text)
{
  g_auto (HlStateTexts) texts = { 0 };
  g_autoptr (GError) error = NULL;

  hl_state_texts_set (&texts, property, text);
  hl_state_texts_apply (&texts, state, &error);
  g_assert_no_error (error);
}

static void
check_applied (HlViewState *state,
               const char  *heads,
               const char  *says)
{
  g_auto (HlStateTexts) texts = { 0 };
  g_autoptr (GError) error = NULL;

  hl_state_texts_set (&texts, "heads", heads);
  g_assert_cmpint (hl_state_texts_apply (&texts, state, &error), ==, says == NULL);
  if (says != NULL)
    g_assert_cmpstr (error->message, ==, says);
}

/* All are all of every layer, whichever is looked at, and one that is named is that one. */
static void
test_heads_differ (void)
{
  g_autoptr (HlViewState) state = make_ragged_state ();
  const HlShown *shown;

  hl_view_state_select_all_heads (state);
  check_spelled (state, "heads", "all");
  hl_view_state_set_layer (state, 1);
  check_spelled (state, "heads", "all");
  hl_view_state_set_layer (state, 0);
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  check_spelled (state, "heads", NULL);
  g_autofree char *all = hl_shown_dup_head_name (hl_view_state_get_shown (state), 0);
  g_assert_cmpstr (all, ==, "mean of all 3 heads");
  hl_view_state_go_to (state, 0, 0);
  check_spelled (state, "heads", "0");
  g_autofree char *first = hl_shown_dup_head_name (hl_view_state_get_shown (state), 0);
  g_assert_cmpstr (first, ==, "mean of head 0");

  check_applied (state, "0,2", NULL);
  check_spelled (state, "heads", "0,2");
  shown = hl_view_state_get_shown (state);
  g_assert_true (hl_head_set_equal (&shown->lens.heads, &(HlHeadSet){ { 1 | 1 << 2 } }));
  check_applied (state, "0,3", "there is no head 3 in layer 0; the last one is 0");
  check_applied (state, "2", "there is no head 2 in layer 0; the last one is 0");
  hl_view_state_set_option (state, combine, HL_COMBINE_NONE);
  check_applied (state, "0,2", "there is no head 2 in layer 0; the last one is 0");
}

static void
check_described (HlViewState *state,
                 const char  *text)
{
  g_autofree char *description = hl_view_state_describe (state);

  g_assert_cmpstr (description, ==, text);
}

/* Where layers become one, heads are those of all of them, whichever is looked at. */
static void
test_heads_of_layers (void)
{
  g_autoptr (HlViewState) state = make_ragged_state ();
  const HlLayerSet first = { { 1 } };
  g_autoptr (GError) error = NULL;

  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_LAYERS);
  for (guint layer = 0; layer < 2; layer++)
    {
      hl_view_state_select_all_heads (state);
      hl_view_state_set_layer (state, layer);
      check_described (state, "mean of all 2 layers · attention weight · heads 0–2 · each pair in the colour of its "
                              "strongest head");
      check_spelled (state, "heads", "all");
      check_round_trip (state);
    }

  hl_view_state_go_to (state, 0, 0);
  check_applied (state, "0,2", NULL);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 0);
  check_described (state, "mean of all 2 layers · attention weight · heads 0, 2 · each pair in the colour of its "
                          "strongest head");
  check_spelled (state, "heads", "0,2");
  check_round_trip (state);

  /* The layer that is looked at need not have it. */
  check_applied (state, "2", NULL);
  check_described (state, "mean of all 2 layers · attention weight · head 2");
  check_round_trip (state);
  hl_view_state_go_to (state, 0, 0);
  apply (state, "head", "1");
  check_described (state, "mean of all 2 layers · attention weight · head 1");
  check_applied (state, "3", "there is no head 3 in layer 1; the last one is 2");

  /* Of those that no chosen layer has there is nothing. */
  for (HlCombineOver over = HL_COMBINE_OVER_LAYERS; over <= HL_COMBINE_OVER_ALL; over++)
    {
      hl_view_state_set_option (state, combine_over, over);
      check_applied (state, "2", NULL);
      g_assert_true (hl_state_check_quantity (state, NULL));
      hl_view_state_set_layers (state, &first);
      check_round_trip (state);
      g_clear_error (&error);
      g_assert_false (hl_state_check_quantity (state, &error));
      g_assert_cmpstr (error->message, ==, "there is no head 2 in layer 0; the last one is 0");
      hl_view_state_set_layers (state, &(HlLayerSet){ { 3 } });
    }
}

/* Heads of other layers are named with their layers. */
static void
test_guests (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_auto (HlStateTexts) texts = { 0 };

  hl_view_state_go_to (state, 1, 0);
  hl_view_state_toggle_head_of (state, 2, 4);
  check_spelled (state, "heads", "0,2.4");
  hl_view_state_toggle_head_of (state, 0, 3);
  hl_view_state_toggle_head (state, 1);
  hl_view_state_toggle_head (state, 2);
  check_spelled (state, "heads", "0-2,2.4,0.3");
  hl_view_state_set_layer (state, 2);
  check_spelled (state, "heads", "0-2,2.4,0.3");
  for (guint head = 0; head < 3; head++)
    hl_view_state_toggle_head (state, head);
  check_spelled (state, "heads", "none,2.4,0.3");

  /* As a person writes it: the layer is that of the first. */
  hl_state_texts_set (&texts, "heads", "1.3, 2.0, 1.2");
  g_assert_true (hl_state_texts_apply (&texts, state, NULL));
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 1);
  check_spelled (state, "heads", "2,3,2.0");

  /* Beside heads or layers that become one, none are shown, and none can be named. */
  for (HlCombineOver over = HL_COMBINE_OVER_HEADS; over <= HL_COMBINE_OVER_ALL; over++)
    {
      g_auto (HlStateTexts) combined = { 0 };
      g_autoptr (HlViewState) again = hl_view_state_new (example);
      g_autoptr (GError) error = NULL;

      hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
      hl_view_state_set_option (state, combine_over, over);
      hl_state_texts_take (&combined, state);
      g_assert_cmpstr (hl_state_texts_get (&combined, "heads"), ==, "2,3");
      hl_state_texts_apply (&combined, again, &error);
      g_assert_no_error (error);
    }
}

static void
test_layers (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  hl_view_state_set_option (state, combine, HL_COMBINE_MAX);
  hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_LAYERS);
  check_spelled (state, "layers", NULL);
  hl_view_state_toggle_layer (state, 1);
  check_spelled (state, "layers", "0,2");
}

static void
test_picks (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  const HlPick query = { HL_PICK_QUERY, .query = 7 };
  const HlPick key = { HL_PICK_KEY, .key = 2 };
  const HlPick cell = { HL_PICK_CELL, .query = 1, .key = 6 };

  check_spelled (state, "pinned", NULL);
  hl_view_state_set_pinned (state, &query);
  check_spelled (state, "pinned", "7");
  hl_view_state_set_pinned (state, &key);
  check_spelled (state, "pinned", ":2");
  hl_view_state_set_pinned (state, &cell);
  check_spelled (state, "pinned", "1:6");
  /* Rows come first, also where they are keys. */
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  check_spelled (state, "pinned", "6:1");
  hl_view_state_set_option (state, direction, HL_DIRECTION_AS_IS);
  /* Where the second text begins, and without padding. */
  hl_view_state_set_option (state, sentences, HL_SENTENCES_A_TO_B);
  check_spelled (state, "pinned", "1:6");
}

/* In the view of all layers what is pinned stays in its layer, whichever is looked at. */
static void
test_layer_of_pick (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (GError) error = NULL;
  g_auto (HlStateTexts) texts = { 0 };

  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  hl_view_state_set_pinned (state, &(HlPick){ HL_PICK_QUERY, .query = 7, .layer = 2 });
  check_spelled (state, "pinned", "7");
  hl_view_state_set_layer (state, 0);
  check_spelled (state, "pinned", "7@layer.2");
  hl_view_state_set_pinned (state, &(HlPick){ HL_PICK_CELL, .query = 1, .key = 6 });
  hl_view_state_set_layer (state, 1);
  check_spelled (state, "pinned", "1:6@layer.0");
  hl_view_state_set_pinned (state, &(HlPick){ HL_PICK_KEY, .key = 2 });
  hl_view_state_set_layer (state, 2);
  check_spelled (state, "pinned", ":2");

  apply (state, "pinned", "5@layer.1");
  g_assert_cmpuint (hl_view_state_get_pinned (state)->layer, ==, 1);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);
  hl_state_texts_set (&texts, "pinned", "5@layer.3");
  g_assert_false (hl_state_texts_apply (&texts, state, &error));
  g_assert_cmpstr (error->message, ==, "there is no layer 3; the last one is 2");
  g_autoptr (HlViewState) again = hl_view_state_new (example);
  hl_state_copy (again, state);
  g_assert_cmpuint (hl_view_state_get_pinned (again)->layer, ==, 1);
  g_assert_cmpuint (hl_view_state_get_layer (again), ==, 2);

  /* Elsewhere the layer is that of the picture. */
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_LAYERS);
  apply (state, "pinned", "5@layer.1");
  check_spelled (state, "pinned", "5");
  hl_view_state_set_option (state, combine, HL_COMBINE_NONE);
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  apply (state, "pinned", "5@layer.1");
  check_spelled (state, "pinned", "5");
}

static void
gather (HlViewState *state,
        HlSide       side,
        gsize        token)
{
  const HlPick pick = hl_pick_of (side, token);

  hl_view_state_gather (state, &pick);
}

/* Several tokens in rising order, the one that leads last. */
static void
test_several (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  gather (state, HL_QUERIES, 3);
  gather (state, HL_QUERIES, 4);
  gather (state, HL_QUERIES, 5);
  check_spelled (state, "pinned", "3-5");
  gather (state, HL_QUERIES, 7);
  check_spelled (state, "pinned", "3-5,7");
  gather (state, HL_QUERIES, 1);
  check_spelled (state, "pinned", "3-5,7,1");
  hl_view_state_set_hidden (state, "4");
  check_spelled (state, "pinned", "3,5,7,1");
  hl_view_state_set_pinned (state, NULL);
  hl_view_state_set_hidden (state, "");
  gather (state, HL_KEYS, 6);
  gather (state, HL_KEYS, 2);
  check_spelled (state, "pinned", ":6,2");
  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  check_spelled (state, "pinned", ":6,2");
}

/* A query, and as many keys as there are, each the piece of a word of two. */
static HlViewState *
make_long_state (gsize n_keys)
{
  static const char *const query[] = { "a", NULL };
  g_autofree float *weights = test_make_weights (1, 1, 1, n_keys);
  g_autofree const char **keys = g_new0 (const char *, n_keys + 1);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  for (gsize i = 0; i < n_keys; i++)
    keys[i] = i % 2 == 0 ? "a" : "##b";
  g_ptr_array_add (attentions, test_make_attention_full (1, 1, 1, n_keys, weights, query, keys, G_MAXSIZE, 0,
                                                         (HlMask){ FALSE, 0 }));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

/* "1,3,5…" */
static char *
list_odd (guint n)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "%s%u", i > 0 ? "," : "", 2 * i + 1);
  return g_string_free (list, FALSE);
}

/* More words than a list may have items are ranges of them. */
static void
test_words (void)
{
  const gsize n_words = HL_LIMIT_SET_ITEMS + 4;
  g_autoptr (HlViewState) state = make_long_state (2 * n_words);
  const HlPick lead = { HL_PICK_KEY, .key = 3 };

  hl_view_state_set_option (state, words, TRUE);
  apply (state, "pinned", ":0-8199");
  check_spelled (state, "pinned", ":0-8198");
  hl_view_state_gather (state, &lead);
  check_spelled (state, "pinned", ":0-4,8-8198");
  hl_view_state_gather (state, &lead);
  check_spelled (state, "pinned", ":0-4,8-8198,6");
  hl_view_state_set_hidden (state, "20");
  check_spelled (state, "pinned", ":0-4,8-18,22-8198,6");
}

/* What would have more items than are read again is not spelt. */
static void
test_too_many (void)
{
  g_autoptr (HlViewState) state = make_long_state (2 * HL_LIMIT_SET_ITEMS + 1);
  g_autofree char *odd = list_odd (HL_LIMIT_SET_ITEMS);
  g_autofree char *mixed = g_strconcat (odd + strlen ("1,"), ",k0", NULL);
  g_auto (HlStateTexts) texts = { 0 };
  g_auto (HlStateTexts) mixed_texts = { 0 };

  apply (state, "pinned", ":0-8192");
  hl_view_state_set_hidden (state, odd);
  hl_state_texts_take (&texts, state);
  g_assert_null (hl_state_texts_get (&texts, "pinned"));
  g_assert_cmpstr (hl_state_texts_get (&texts, "hidden"), ==, odd);
  hl_view_state_set_hidden (state, mixed);
  g_assert_nonnull (hl_view_state_get_hidden (state)->sets[HL_KEYS]);
  hl_state_texts_take (&mixed_texts, state);
  g_assert_null (hl_state_texts_get (&mixed_texts, "hidden"));
}

static void
test_hidden (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  const HlPick pick = { HL_PICK_CELL, .query = 3, .key = 2 };

  check_spelled (state, "hidden", NULL);
  hl_view_state_set_hidden (state, "1,4-5,k0");
  hl_view_state_set_pinned (state, &pick);
  g_auto (HlStateTexts) texts = { 0 };
  hl_state_texts_take (&texts, state);
  g_assert_nonnull (hl_state_texts_get (&texts, "hidden"));
  /* 0, 2, 3, 6 and 2, 3, 6: tokens are counted as in the file. */
  check_spelled (state, "pinned", "6:6");
}

static void
test_steps (void)
{
  const TestHeads heads = {
    .n_heads = 2, .n_key_heads = 2, .n_queries = 6, .n_keys = 6, .n_features = 4, .rule = { .scale = 0.5 }
  };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);
  const HlPick feature = { HL_PICK_QUERY, .query = 2, .step = HL_STEP_QUERIES, .feature = 1 };
  const HlPick cell = { HL_PICK_CELL, .query = 2, .key = 1, .step = HL_STEP_SCALED };

  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  hl_view_state_set_pinned (state, &feature);
  check_spelled (state, "pinned", "2@queries.1");
  hl_view_state_set_pinned (state, &cell);
  check_spelled (state, "pinned", "2:1@scaled");
}

static void
test_pairs (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  hl_view_state_set_pairs (state, "a:b\nc:d");
  hl_view_state_set_option (state, sort, HL_HEAD_MEASURE_PAIR);
  check_spelled (state, "pairs", "a:b\nc:d");

  /* Kept for when the words come back, but part of no picture. */
  hl_view_state_set_pairs (state, "a:nowhere");
  g_auto (HlStateTexts) texts = { 0 };
  hl_state_texts_take (&texts, state);
  g_assert_null (hl_state_texts_get (&texts, "pairs"));
}

static void
test_many (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  const HlPick pick = { HL_PICK_QUERY, .query = 4 };
  g_auto (HlStateTexts) texts = { 0 };

  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  hl_view_state_go_to (state, 1, 4);
  hl_view_state_set_option (state, threshold, 0.05);
  hl_view_state_set_option (state, crop_padding, FALSE);
  hl_view_state_set_option (state, dark, TRUE);
  hl_view_state_set_pinned (state, &pick);
  check_round_trip (state);
  hl_state_texts_take (&texts, state);
  g_assert_cmpstr (hl_state_texts_get (&texts, "view"), ==, "heatmap");
  g_assert_cmpstr (hl_state_texts_get (&texts, "threshold"), ==, "0.05");
  g_assert_cmpstr (hl_state_texts_get (&texts, "crop-padding"), ==, "no");
  g_assert_cmpstr (hl_state_texts_get (&texts, "dark"), ==, "dark");
  g_assert_cmpstr (hl_state_texts_get (&texts, "sort"), ==, NULL);
}

static void
test_misspelt (void)
{
  static const struct
  {
    const char *name;
    const char *texts[10];
  } cases[] = {
    { "layer", { "", "-1", "x", "1.5", "0x1", "99999999999" } },
    { "heads", { "", ",", "1,,2", "3-1", "-1", "1,x", "99999", "All", "1." } },
    { "heads", { "1.x", ".1", "1,2.3.4", "-1.2", "1.99999", "99999.1", "1.2-1.4", "all,1.2", "1,none" } },
    { "heads", { "none,1", "nonesuch", "none,", "none,all" } },
    { "layers", { "", "none", "1-" } },
    { "head", { "", "-1", "all" } },
    { "token", { "", ":", "a", "1:", "-1", "1:2:3", "1@", "1@nothing", "1:2@queries" } },
    { "token", { "1@keys", ":1@queries", "1:2@weights.3", "99999999999999999999" } },
    { "token", { "1@layer", "1@layer.", "1@layer.x", "1@layer.-1", ":1@layer.1", "1@layer.1.2" } },
    { "token", { "3,", ",3", "3-", "5-3", "1,2:3", "1:2,3", "q3", ":k3", "1,,2", "1-2-3" } },
    { "threshold", { "", "2", "-0.1", "nan", "inf", "0.5x", "0,5" } },
    { "crop-padding", { "", "true", "Yes" } },
    { "view", { "", "map", "Heatmap" } },
    { "theme", { "", "blue" } },
    { "block", { "", "middle" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint j = 0; j < G_N_ELEMENTS (cases[i].texts) && cases[i].texts[j] != NULL; j++)
      if (hl_state_text_check ((guint) hl_state_text_find (cases[i].name), cases[i].texts[j]))
        g_error ("%s can be “%s”", cases[i].name, cases[i].texts[j]);
}

/* As many times the same as there may be heads, or layers, and no more. */
static char *
repeat (const char *item,
        guint       n)
{
  GString *list = g_string_new (item);

  for (guint i = 1; i < n; i++)
    g_string_append_printf (list, ",%s", item);
  return g_string_free (list, FALSE);
}

static void
test_bounded (void)
{
  static const struct
  {
    const char *name;
    const char *item;
    guint limit;
  } cases[] = {
    { "heads", "4.2", HL_LIMIT_ALL_HEADS + HL_LIMIT_HEADS },
    { "heads", "0-1023", HL_LIMIT_HEADS },
    { "layers", "0-4095", HL_LIMIT_LAYERS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint index = (guint) hl_state_text_find (cases[i].name);
      g_autofree char *most = repeat (cases[i].item, cases[i].limit);
      g_autofree char *more = g_strdup_printf ("%s,%s", most, cases[i].item);

      g_assert_true (hl_state_text_check (index, most));
      g_assert_false (hl_state_text_check (index, more));
    }
}

/* All heads of the largest file, each named with its layer. */
static void
test_all_places (void)
{
  g_autoptr (GString) text = g_string_new ("none");
  g_auto (HlStateTexts) texts = { 0 };
  guint n_others;

  for (guint i = 0; i < HL_LIMIT_ALL_HEADS; i++)
    g_string_append_printf (text, ",%u.%u", i / HL_LIMIT_HEADS, i % HL_LIMIT_HEADS);
  hl_state_texts_set (&texts, "heads", text->str);
  g_assert_cmpuint (hl_state_texts_count_heads (&texts, &n_others), ==, HL_LIMIT_ALL_HEADS);
  g_assert_cmpuint (n_others, ==, HL_LIMIT_ALL_HEADS);
}

static void
test_not_there (void)
{
  static const struct
  {
    const char *property;
    const char *text;
    const char *says;
  } cases[] = {
    { "layer", "3", "there is no layer 3; the last one is 2" },
    { "layers", "1,7", "there is no layer 7; the last one is 2" },
    { "head", "5", "there is no head 5 in layer 0; the last one is 4" },
    { "heads", "1,6", "there is no head 6 in layer 0; the last one is 4" },
    { "heads", "1,2.6", "there is no head 6 in layer 2; the last one is 4" },
    { "heads", "1,3.0", "there is no layer 3; the last one is 2" },
    { "attention", "cross", "there is no block “cross” in it" },
    { "pinned", "8", "there is no token 8 among those shown, which are 0 to 7" },
    { "pinned", ":9", "there is no token 9 among those shown, which are 0 to 7" },
    { "pinned", "1,3-8", "there is no token 8 among those shown, which are 0 to 7" },
    { "pinned", ":0-2147483647", "there is no token 2147483647 among those shown" },
    { "pairs", "a:nowhere", "nowhere" },
  };
  g_autoptr (HlExample) example = make_example ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlViewState) state = hl_view_state_new (example);
      g_auto (HlStateTexts) texts = { 0 };
      g_autoptr (GError) error = NULL;

      hl_state_texts_set (&texts, cases[i].property, cases[i].text);
      g_assert_false (hl_state_texts_apply (&texts, state, &error));
      g_assert_nonnull (error);
      g_assert_cmpint (error->domain, ==, HL_ERROR);
      if (strstr (error->message, cases[i].says) == NULL)
        g_error ("“%s” does not say “%s”", error->message, cases[i].says);
    }
}

/* Where words or hidden tokens are counted otherwise than in the file, no run of numbers is said to be shown; nor where nothing is. */
static void
test_none_shown (void)
{
  static const char *const hidden[] = { "0", "0-2" };
  g_autoptr (HlExample) example = make_example ();

  for (guint i = 0; i < G_N_ELEMENTS (hidden); i++)
    {
      g_autoptr (HlViewState) state = hl_view_state_new (example);
      g_auto (HlStateTexts) texts = { 0 };
      g_autoptr (GError) error = NULL;

      hl_view_state_set_hidden (state, hidden[i]);
      hl_view_state_set_option (state, sentences, HL_SENTENCES_A_TO_A);
      hl_state_texts_set (&texts, "pinned", "6");
      g_assert_false (hl_state_texts_apply (&texts, state, &error));
      g_assert_nonnull (error);
      g_assert_cmpstr (error->message, ==, "there is no token 6 among those shown");
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/state-text/complete", test_complete);
  g_test_add_func ("/state-text/none-shown", test_none_shown);
  g_test_add_func ("/state-text/names", test_names);
  g_test_add_func ("/state-text/values", test_values);
  g_test_add_func ("/state-text/heads", test_heads);
  g_test_add_func ("/state-text/heads-differ", test_heads_differ);
  g_test_add_func ("/state-text/heads-of-layers", test_heads_of_layers);
  g_test_add_func ("/state-text/guests", test_guests);
  g_test_add_func ("/state-text/layers", test_layers);
  g_test_add_func ("/state-text/picks", test_picks);
  g_test_add_func ("/state-text/layer-of-pick", test_layer_of_pick);
  g_test_add_func ("/state-text/several", test_several);
  g_test_add_func ("/state-text/words", test_words);
  g_test_add_func ("/state-text/too-many", test_too_many);
  g_test_add_func ("/state-text/hidden", test_hidden);
  g_test_add_func ("/state-text/steps", test_steps);
  g_test_add_func ("/state-text/pairs", test_pairs);
  g_test_add_func ("/state-text/many", test_many);
  g_test_add_func ("/state-text/misspelt", test_misspelt);
  g_test_add_func ("/state-text/bounded", test_bounded);
  g_test_add_func ("/state-text/all-places", test_all_places);
  g_test_add_func ("/state-text/not-there", test_not_there);
  return g_test_run ();
}
