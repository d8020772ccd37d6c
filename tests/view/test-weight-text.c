/* SPDX-License-Identifier: MIT */
/* Weights as people read them. */
#include "view/hl-weight-text.h"

#include <math.h>

static void
test_format (void)
{
  static const struct
  {
    double weight;
    const char *text;
  } cases[] = {
    { 0, "0" },          { -0.0, "0" },       { 1e-9, "<0.001" },       { -1e-9, ">−0.001" }, { 0.0031, "0.0031" },
    { 0.042, "0.042" },  { 0.0994, "0.099" }, { 0.0996, "0.10" },       { 0.314, "0.31" },    { -0.314, "−0.31" },
    { 9.99, "9.99" },    { 9.996, "10" },     { -1234.5, "−1.23e+03" }, { NAN, "NaN" },       { INFINITY, "∞" },
    { -INFINITY, "−∞" },
  };
  char buffer[HL_WEIGHT_TEXT_SIZE];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (hl_weight_text_format (cases[i].weight, buffer), ==, cases[i].text);
}

static void
test_format_as (void)
{
  char buffer[HL_WEIGHT_TEXT_SIZE];

  g_assert_cmpstr (hl_weight_text_format_as (-0.068, "%.3f", buffer), ==, "−0.068");
  g_assert_cmpstr (hl_weight_text_format_as (0.31, "%.2f", buffer), ==, "0.31");
  g_assert_cmpstr (hl_weight_text_format_as (-0.0, "%.0f", buffer), ==, "0");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/weight-text/format", test_format);
  g_test_add_func ("/weight-text/format-as", test_format_as);
  return g_test_run ();
}
