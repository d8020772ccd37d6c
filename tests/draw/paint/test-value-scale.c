/* SPDX-License-Identifier: MIT */
/*
 * Value scales: there and back, degenerate ranges, ticks.
 */
#include "draw/paint/hl-value-scale.h"

#include <math.h>
#include <string.h>

static void
test_linear (void)
{
  HlValueScale scale;

  hl_value_scale_init (&scale, HL_VALUE_SCALE_LINEAR, -2.0, 6.0);
  g_assert_false (scale.degenerate);
  g_assert_cmpfloat (hl_value_scale_map (&scale, -2.0, 0.0), ==, 0.0);
  g_assert_cmpfloat (hl_value_scale_map (&scale, 0.0, 0.0), ==, 0.25);
  g_assert_cmpfloat (hl_value_scale_map (&scale, 6.0, 0.0), ==, 1.0);
  g_assert_cmpfloat (hl_value_scale_map (&scale, 60.0, 0.0), ==, 1.0);
  g_assert_cmpfloat (hl_value_scale_map (&scale, -60.0, 0.0), ==, 0.0);
  g_assert_true (isnan (hl_value_scale_map (&scale, NAN, 0.0)));
}

static void
test_log (void)
{
  HlValueScale scale;

  hl_value_scale_init (&scale, HL_VALUE_SCALE_LOG, 0.001, 1.0);
  g_assert_cmpfloat_with_epsilon (hl_value_scale_map (&scale, 0.01, 0.0), 1.0 / 3.0, 1e-12);
  g_assert_cmpfloat (hl_value_scale_map (&scale, 0.0, 0.0), ==, 0.0);
  g_assert_cmpfloat (hl_value_scale_map (&scale, -1.0, 0.0), ==, 0.0);
  g_assert_true (isnan (hl_value_scale_map (&scale, NAN, 0.0)));

  /* Masked zeros and 1e-30 do not stretch the scale. */
  hl_value_scale_init (&scale, HL_VALUE_SCALE_LOG, 0.0, 0.5);
  g_assert_cmpfloat_with_epsilon (scale.min, 0.5e-6, 1e-15);
  hl_value_scale_init (&scale, HL_VALUE_SCALE_LOG, 1e-30, 0.5);
  g_assert_cmpfloat_with_epsilon (scale.min, 0.5e-6, 1e-15);
}

static void
test_row (void)
{
  HlValueScale scale;
  float values[] = { 0.0f, 0.1f, 0.2f, NAN, -1.0f };

  hl_value_scale_init (&scale, HL_VALUE_SCALE_ROW, 0.0, 0.9);
  hl_value_scale_map_row (&scale, values, 5, 0.2, values);
  g_assert_cmpfloat (values[0], ==, 0.0f);
  g_assert_cmpfloat_with_epsilon (values[1], 0.5f, 1e-6);
  g_assert_cmpfloat_with_epsilon (values[2], 1.0f, 1e-6);
  g_assert_true (isnan (values[3]));
  g_assert_cmpfloat (values[4], ==, 0.0f);
  g_assert_cmpfloat (hl_value_scale_map (&scale, 0.0, 0.0), ==, 0.0);
  g_assert_cmpfloat (hl_value_scale_map (&scale, -3.0, -1.0), ==, 0.0);
  g_assert_true (isnan (hl_value_scale_map (&scale, NAN, 0.0)));
}

/* The number at a position. */
static double
unmap (const HlValueScale *scale,
       double              position)
{
  if (scale->kind == HL_VALUE_SCALE_LOG)
    return scale->min * pow (scale->max / scale->min, position);
  return scale->min + position * (scale->max - scale->min);
}

static void
test_round_trip (void)
{
  const double ends[][2] = { { 0, 1 }, { 0.2, 0.3 }, { -5, 3 }, { 1e-8, 2e-3 }, { 100, 1e7 } };

  for (int kind = HL_VALUE_SCALE_LINEAR; kind <= HL_VALUE_SCALE_ROW; kind++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
        {
          HlValueScale scale;

          hl_value_scale_init (&scale, kind, ends[i][0], ends[i][1]);
          for (double t = 0.0; t <= 1.0; t += 0.125)
            g_assert_cmpfloat_with_epsilon (hl_value_scale_map (&scale, unmap (&scale, t), 1.0), t, 1e-9);
        }
    }
}

static void
test_degenerate (void)
{
  const double odd[] = { 0.0, 0.3, -0.3, NAN, INFINITY, -INFINITY, 5e-324, 1e300, -1e300, 1e-300 };

  /* Whatever the ends: a scale that is finite, rises, and has ticks in rising order that lie on it.
   * */
  for (int kind = HL_VALUE_SCALE_LINEAR; kind <= HL_VALUE_SCALE_ROW; kind++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
        {
          for (guint j = 0; j < G_N_ELEMENTS (odd); j++)
            {
              g_autoptr (GArray) ticks = NULL;
              HlValueScale scale;

              hl_value_scale_init (&scale, kind, odd[i], odd[j]);
              g_assert_true (isfinite (scale.min) && isfinite (scale.max));
              g_assert_cmpfloat (scale.max, >, scale.min);
              ticks = hl_value_scale_make_ticks (&scale, 6);
              g_assert_cmpuint (ticks->len, <=, 6);
              for (guint k = 0; k < ticks->len; k++)
                {
                  const HlValueTick *tick = &g_array_index (ticks, HlValueTick, k);

                  g_assert_cmpfloat (tick->position, >=, k == 0 ? 0.0 : tick[-1].position);
                  g_assert_cmpfloat (tick->position, <=, 1.0);
                  g_assert_cmpuint (strlen (tick->label), >, 0);
                }
            }
        }
    }

  HlValueScale scale;

  hl_value_scale_init (&scale, HL_VALUE_SCALE_LINEAR, 0.0, 0.0);
  g_assert_true (scale.degenerate);
  g_assert_cmpfloat (hl_value_scale_map (&scale, 0.0, 0.0), ==, 0.0);
  hl_value_scale_init (&scale, HL_VALUE_SCALE_LINEAR, 0.125, 0.125);
  g_assert_false (scale.degenerate);
  g_assert_cmpfloat (hl_value_scale_map (&scale, 0.125, 0.0), ==, 1.0);
  hl_value_scale_init (&scale, HL_VALUE_SCALE_LINEAR, -3.0, -3.0);
  g_assert_cmpfloat (hl_value_scale_map (&scale, -3.0, 0.0), ==, 0.0);
  hl_value_scale_init (&scale, HL_VALUE_SCALE_LOG, 0.25, 0.25);
  g_assert_cmpfloat (hl_value_scale_map (&scale, 0.25, 0.0), ==, 1.0);
  hl_value_scale_init (&scale, HL_VALUE_SCALE_LOG, -4.0, -1.0);
  g_assert_true (scale.degenerate);
  g_assert_cmpfloat (hl_value_scale_map (&scale, -1.0, 0.0), ==, 0.0);
  hl_value_scale_init (&scale, HL_VALUE_SCALE_LINEAR, 1.0, 0.0);
  g_assert_cmpfloat (scale.max, ==, 1.0);
}

typedef struct
{
  HlValueScaleKind kind;
  double min, max;
  guint max_ticks;
  const char *labels;
} TickCase;

static void
test_ticks (void)
{
  const TickCase cases[] = {
    { HL_VALUE_SCALE_LINEAR, 0, 1, 6, "0 0.2 0.4 0.6 0.8 1.0" },
    { HL_VALUE_SCALE_LINEAR, 0, 1, 5, "0 0.5 1.0" },
    { HL_VALUE_SCALE_LINEAR, 0, 1, 2, "0 1" },
    { HL_VALUE_SCALE_LINEAR, 0, 0.83, 6, "0 0.2 0.4 0.6 0.8" },
    { HL_VALUE_SCALE_LINEAR, -8, 3, 6, "−8 −6 −4 −2 0 2" },
    { HL_VALUE_SCALE_LINEAR, 0.3, 0.7, 6, "0.3 0.4 0.5 0.6 0.7" },
    { HL_VALUE_SCALE_LINEAR, 0, 0.0021, 6, "0 0.0005 0.0010 0.0015 0.0020" },
    { HL_VALUE_SCALE_LINEAR, 0, 3e-7, 4, "0 1e−7 2e−7 3e−7" },
    { HL_VALUE_SCALE_LINEAR, 0, 2e7, 3, "0 1e7 2e7" },
    { HL_VALUE_SCALE_LINEAR, 0, 1200, 4, "0 500 1000" },
    { HL_VALUE_SCALE_LOG, 0.0001, 1, 6, "0.0001 0.001 0.01 0.1 1" },
    { HL_VALUE_SCALE_LOG, 0, 1, 4, "1e−6 0.0001 0.01 1" },
    { HL_VALUE_SCALE_LOG, 0.01, 0.6, 8, "0.01 0.02 0.05 0.1 0.2 0.5" },
    { HL_VALUE_SCALE_LOG, 0.3, 0.4, 6, "0.05 0.1 0.2" },
    { HL_VALUE_SCALE_ROW, 0, 0.4, 6, "0 0.2 0.4 0.6 0.8 1.0" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GArray) ticks = NULL;
      g_autoptr (GString) labels = g_string_new (NULL);
      HlValueScale scale;

      hl_value_scale_init (&scale, cases[i].kind, cases[i].min, cases[i].max);
      ticks = hl_value_scale_make_ticks (&scale, cases[i].max_ticks);
      for (guint k = 0; k < ticks->len; k++)
        {
          const HlValueTick *tick = &g_array_index (ticks, HlValueTick, k);

          g_string_append_printf (labels, k == 0 ? "%s" : " %s", tick->label);
          g_assert_cmpfloat (tick->position, ==, hl_value_scale_map (&scale, tick->value, 1.0));
        }
      g_assert_cmpstr (labels->str, ==, cases[i].labels);
    }
}

/* The bar of a scale that numbers lie beyond ends with its end. */
static void
test_open (void)
{
  HlValueScale scale;

  hl_value_scale_init (&scale, HL_VALUE_SCALE_OFF_DIAGONAL, 0, 0.0412);
  g_assert_cmpfloat (hl_value_scale_map (&scale, 0.0206, 0), ==, 0.5);
  g_assert_cmpfloat (hl_value_scale_map (&scale, 0.97, 0), ==, 1);
  g_autoptr (GArray) closed = hl_value_scale_make_ticks (&scale, 6);
  g_assert_cmpstr (g_array_index (closed, HlValueTick, closed->len - 1).label, ==, "0.04");
  scale.is_open = TRUE;
  g_autoptr (GArray) ticks = hl_value_scale_make_ticks (&scale, 6);
  g_assert_cmpuint (ticks->len, ==, closed->len);
  g_assert_cmpstr (g_array_index (ticks, HlValueTick, ticks->len - 1).label, ==, "≥ 0.041");
  g_assert_cmpfloat (g_array_index (ticks, HlValueTick, ticks->len - 1).position, ==, 1);
  g_assert_cmpstr (g_array_index (ticks, HlValueTick, ticks->len - 2).label, ==, "0.03");
}

/* Its number is spelled as those before it are. */
static void
test_open_end (void)
{
  static const struct
  {
    double max;
    const char *label;
  } cases[] = { { 1.4e-7, "≥ 1.4e−7" }, { 1.23e-18, "≥ 1.2e−18" }, { 2e-9, "≥ 2e−9" },
                { 9.96e-8, "≥ 1e−7" },  { 0.5, "≥ 0.5" },          { 0.00012, "≥ 0.00012" },
                { 43.2, "≥ 43" },       { 123456, "≥ 120000" },    { 1.26e8, "≥ 1.3e8" },
                { 1, "≥ 1" },           { 0.019, "≥ 0.019" } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      HlValueScale scale;
      hl_value_scale_init (&scale, HL_VALUE_SCALE_LINEAR, 0, cases[i].max);
      scale.is_open = TRUE;
      g_autoptr (GArray) ticks = hl_value_scale_make_ticks (&scale, 6);
      const HlValueTick *last = &g_array_index (ticks, HlValueTick, ticks->len - 1);
      g_assert_cmpstr (last->label, ==, cases[i].label);
      g_assert_cmpfloat (last->value, ==, cases[i].max);
    }
}

/* What is below zero has as many digits, and an end that is 0 has none. */
static void
test_open_below (void)
{
  static const struct
  {
    double min, max;
    const char *least, *greatest;
  } cases[] = { { -6, -3, "≤ −6", "≥ −3" },
                { -0.0412, 0.5, "≤ −0.041", "≥ 0.5" },
                { 0, 5, "≤ 0", "≥ 5" },
                { -120, 0, "≤ −120", "≥ 0" } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      HlValueScale scale;
      hl_value_scale_init (&scale, HL_VALUE_SCALE_LINEAR, cases[i].min, cases[i].max);
      scale.is_open = scale.is_open_below = TRUE;
      g_autoptr (GArray) ticks = hl_value_scale_make_ticks (&scale, 6);
      const HlValueTick *first = &g_array_index (ticks, HlValueTick, 0);
      const HlValueTick *last = &g_array_index (ticks, HlValueTick, ticks->len - 1);
      g_assert_cmpstr (first->label, ==, cases[i].least);
      g_assert_cmpfloat (first->value, ==, cases[i].min);
      g_assert_cmpfloat (first->position, ==, 0);
      g_assert_cmpstr (last->label, ==, cases[i].greatest);
      g_assert_cmpfloat (last->position, ==, 1);
    }
}

static void
test_names (void)
{
  g_autoptr (GEnumClass) class = g_type_class_ref (HL_TYPE_VALUE_SCALE_KIND);

  g_assert_cmpstr (g_enum_get_value_by_nick (class, "log")->value_name, ==, "HL_VALUE_SCALE_LOG");
  for (guint i = 0; i < class->n_values; i++)
    g_assert_cmpstr (hl_value_scale_kind_get_display_name (class->values[i].value), !=, "");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/value-scale/linear", test_linear);
  g_test_add_func ("/value-scale/log", test_log);
  g_test_add_func ("/value-scale/row", test_row);
  g_test_add_func ("/value-scale/round-trip", test_round_trip);
  g_test_add_func ("/value-scale/degenerate", test_degenerate);
  g_test_add_func ("/value-scale/ticks", test_ticks);
  g_test_add_func ("/value-scale/open", test_open);
  g_test_add_func ("/value-scale/open-end", test_open_end);
  g_test_add_func ("/value-scale/open-below", test_open_below);
  g_test_add_func ("/value-scale/names", test_names);

  return g_test_run ();
}
