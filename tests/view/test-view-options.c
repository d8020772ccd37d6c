/* SPDX-License-Identifier: MIT */
/* The table of options: each row is a field, a property and a text. */
#include "view/hl-view-state.h"

#include <math.h>
#include <string.h>

#include "core/test-attentions.h"

static const HlViewOption *
get_rows (guint *n)
{
  const HlViewOption *rows = hl_view_options_get_table (n);

  g_assert_cmpuint (*n, >, 0);
  return rows;
}

/* Every value that the row can have, or some of its numbers. */
static GArray *
list_values (const HlViewOption *row)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));
  const double parts[] = { 0, 0.1, 1 / 3.0, 0.15000000000000002, 1e-9, 1 };

  if (row->type == HL_OPTION_FLAG)
    {
      const double both[] = { 0, 1 };
      g_array_append_vals (values, both, 2);
    }
  else if (row->type == HL_OPTION_NUMBER)
    for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
      {
        const double number = row->minimum + (row->maximum - row->minimum) * parts[i];
        g_array_append_val (values, number);
      }
  else if (row->type == HL_OPTION_COUNT)
    {
      const double ends[] = { row->minimum, row->minimum + 1, row->maximum };
      g_array_append_vals (values, ends, 3);
    }
  else
    {
      g_autoptr (GEnumClass) klass = g_type_class_ref (row->get_type ());
      for (guint i = 0; i < klass->n_values; i++)
        {
          const double number = klass->values[i].value;
          g_array_append_val (values, number);
        }
    }
  return values;
}

static void
set_value (const HlViewOption *row,
           HlViewOptions      *options,
           double              number)
{
  g_auto (GValue) value = G_VALUE_INIT;

  if (row->type == HL_OPTION_FLAG)
    g_value_set_boolean (g_value_init (&value, G_TYPE_BOOLEAN), number != 0);
  else if (row->type == HL_OPTION_NUMBER)
    g_value_set_double (g_value_init (&value, G_TYPE_DOUBLE), number);
  else if (row->type == HL_OPTION_COUNT)
    g_value_set_uint (g_value_init (&value, G_TYPE_UINT), (guint) number);
  else
    g_value_set_enum (g_value_init (&value, row->get_type ()), (int) number);
  hl_view_option_set_value (row, options, &value);
}

/* Two rows of one field, or a field without a row, would be found here. */
static void
test_fields (void)
{
  guint n;
  const HlViewOption *rows = get_rows (&n);
  guint8 covered[sizeof (HlViewOptions)] = { 0 };

  for (guint i = 0; i < n; i++)
    {
      const gsize size = rows[i].type == HL_OPTION_NUMBER ? sizeof (double) : sizeof (int);
      g_assert_cmpuint (rows[i].offset + size, <=, sizeof (HlViewOptions));
      for (gsize j = 0; j < size; j++)
        g_assert_cmpuint (covered[rows[i].offset + j]++, ==, 0);
      g_assert_true (rows[i].changes != 0);
      g_assert_cmpuint (strlen (rows[i].description), >, 0);
    }
  /* Only padding before a double, or at the end, is nobody's. */
  for (gsize i = 0; i < sizeof covered; i += sizeof (int))
    g_assert_true (covered[i] || i % sizeof (double) != 0);
}

static void
test_defaults (void)
{
  guint n;
  const HlViewOption *rows = get_rows (&n);
  HlViewOptions options;

  hl_view_options_init (&options);
  g_assert_true (hl_view_options_are_valid (&options));
  g_assert_cmpfloat (options.top_mass, ==, 1);
  g_assert_cmpfloat (options.score_scale, ==, 1);
  g_assert_cmpint (options.colour_map, ==, HL_COLOUR_MAP_VIRIDIS);
  g_assert_true (options.crop_padding && options.mask && !options.dark);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = hl_view_option_dup_text (&rows[i], &options);
      g_auto (GValue) value = G_VALUE_INIT;
      GParamSpec *pspec = g_param_spec_ref_sink (hl_view_option_make_pspec (&rows[i]));
      g_assert_null (text);
      g_value_init (&value, pspec->value_type);
      hl_view_option_get_value (&rows[i], &options, &value);
      g_assert_true (g_param_value_defaults (pspec, &value));
      g_param_spec_unref (pspec);
    }
}

static void
test_texts (void)
{
  guint n;
  const HlViewOption *rows = get_rows (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) values = list_values (&rows[i]);
      for (guint j = 0; j < values->len; j++)
        {
          HlViewOptions options, again;
          hl_view_options_init (&options);
          hl_view_options_init (&again);
          set_value (&rows[i], &options, g_array_index (values, double, j));
          g_assert_true (hl_view_options_are_valid (&options));
          g_autofree char *text = hl_view_option_dup_text (&rows[i], &options);
          g_assert_cmpint (text == NULL, ==, hl_view_options_compare (&options, &again) == 0);
          if (text != NULL)
            g_assert_true (hl_view_option_parse (&rows[i], &again, text));
          g_assert_cmpint (hl_view_options_compare (&options, &again), ==, 0);
        }
    }
}

static void
test_nonsense (void)
{
  static const char *const texts[] = { "", " ", "-1", "nan", "2 ", "1e9", "Yes", "true", "linear|log" };
  guint n;
  const HlViewOption *rows = get_rows (&n);

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < G_N_ELEMENTS (texts); j++)
      {
        HlViewOptions options, before;
        hl_view_options_init (&options);
        before = options;
        g_assert_false (hl_view_option_parse (&rows[i], &options, texts[j]));
        g_assert_cmpint (hl_view_options_compare (&options, &before), ==, 0);
      }
}

static void
test_invalid (void)
{
  HlViewOptions options;

  hl_view_options_init (&options);
  options.threshold = NAN;
  g_assert_false (hl_view_options_are_valid (&options));
  options.threshold = 1.5;
  g_assert_false (hl_view_options_are_valid (&options));
  options.threshold = 1;
  g_assert_true (hl_view_options_are_valid (&options));
  options.view = (HlViewKind) 1000;
  g_assert_false (hl_view_options_are_valid (&options));
}

static void
on_changed (HlViewState *state,
            HlChanges    changes,
            HlChanges   *all)
{
  g_assert_cmpuint (changes, !=, 0);
  *all |= changes;
}

static HlViewState *
make_state (void)
{
  g_autofree float *weights = test_make_weights (1, 2, 6, 6);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions, test_make_attention_full (1, 2, 6, 6, weights, NULL, NULL, 6, 3, (HlMask){ FALSE, 0 }));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

/* The property of a row is its field, and a change of it is told as the row says. */
static void
test_properties (void)
{
  guint n;
  const HlViewOption *rows = get_rows (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (HlViewState) state = make_state ();
      g_autoptr (GArray) values = list_values (&rows[i]);
      HlChanges changes = 0;
      g_signal_connect (state, "changed", G_CALLBACK (on_changed), &changes);
      for (guint j = 0; j < values->len; j++)
        {
          HlViewOptions wanted = *hl_view_state_get_options (state);
          g_auto (GValue) value = G_VALUE_INIT;
          set_value (&rows[i], &wanted, g_array_index (values, double, j));
          const HlChanges expected = hl_view_options_compare (hl_view_state_get_options (state), &wanted);
          g_assert_true (expected == 0 || expected == rows[i].changes);
          g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (
                                  g_object_class_find_property (G_OBJECT_GET_CLASS (state), rows[i].name)));
          hl_view_option_get_value (&rows[i], &wanted, &value);
          changes = 0;
          g_object_set_property (G_OBJECT (state), rows[i].name, &value);
          g_assert_cmpuint (changes & rows[i].changes, ==, expected);
          g_assert_true (hl_view_option_is_same (&rows[i], hl_view_state_get_options (state), &wanted));
          g_value_reset (&value);
          g_object_get_property (G_OBJECT (state), rows[i].name, &value);
          hl_view_option_set_value (&rows[i], &wanted, &value);
          g_assert_cmpuint (hl_view_options_compare (hl_view_state_get_options (state), &wanted), ==, 0);
        }
    }
}

/* Whoever points at something changes nothing else. */
static void
test_hover (void)
{
  g_autoptr (HlViewState) state = make_state ();
  const HlPick pick = { HL_PICK_QUERY, .query = 1 };
  HlChanges changes = 0;

  g_signal_connect (state, "changed", G_CALLBACK (on_changed), &changes);
  hl_view_state_set_hovered (state, &pick);
  g_assert_cmpuint (changes, ==, HL_CHANGED_HOVER);
  changes = 0;
  hl_view_state_set_hovered (state, &pick);
  g_assert_cmpuint (changes, ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view-options/fields", test_fields);
  g_test_add_func ("/view-options/defaults", test_defaults);
  g_test_add_func ("/view-options/texts", test_texts);
  g_test_add_func ("/view-options/nonsense", test_nonsense);
  g_test_add_func ("/view-options/invalid", test_invalid);
  g_test_add_func ("/view-options/properties", test_properties);
  g_test_add_func ("/view-options/hover", test_hover);
  return g_test_run ();
}
