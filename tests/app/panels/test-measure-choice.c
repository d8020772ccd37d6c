/* SPDX-License-Identifier: MIT */
/* A choice among numbers of heads: each can be chosen, headings cannot. */
#include "app/panels/hl-measure-choice.h"

#include <adwaita.h>

static GtkDropDown *
create_choice (gboolean compares)
{
  GtkDropDown *choice = g_object_ref_sink (GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL)));

  hl_measure_choice_fill (choice, "Nothing", compares);
  return choice;
}

static void
test_choices (void)
{
  g_autoptr (GtkDropDown) choice = create_choice (TRUE);
  const HlHeadNumberSet computable = hl_head_number_get_computable ();

  g_assert_cmpint (hl_measure_choice_get (choice), ==, HL_HEAD_MEASURE_NONE);
  for (HlHeadMeasure measure = 0; measure < HL_N_HEAD_MEASURES; measure++)
    {
      const HlHeadNumberSet set = hl_head_measure_get_set (measure);

      hl_measure_choice_select (choice, measure);
      /* What somebody else has to tell cannot be asked for. */
      g_assert_cmpint (hl_measure_choice_get (choice), ==, (set & ~computable) ? HL_HEAD_MEASURE_NONE : measure);
    }
}

static void
test_headings (void)
{
  g_autoptr (GtkDropDown) choice = create_choice (FALSE);
  GListModel *list = gtk_drop_down_get_model (choice);
  guint n_headings = 0;

  for (guint i = 1; i < g_list_model_get_n_items (list); i++)
    {
      gtk_drop_down_set_selected (choice, i);
      n_headings += hl_measure_choice_get (choice) == HL_HEAD_MEASURE_NONE;
      g_assert_cmpint (hl_measure_choice_get (choice), !=, HL_HEAD_MEASURE_CHANGE);
    }
  g_assert_cmpuint (n_headings, >=, 3);
  g_assert_cmpuint (n_headings, <, HL_N_HEAD_NUMBER_GROUPS);
}

/* The button is not wider for what is chosen, nor than choices of few words are made. */
static void
test_width (void)
{
  g_autoptr (GtkDropDown) choice = create_choice (TRUE);
  GListModel *list = gtk_drop_down_get_model (choice);

  gtk_widget_set_size_request (GTK_WIDGET (choice), 148, -1);
  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      int natural;
      gtk_drop_down_set_selected (choice, i);
      gtk_widget_measure (GTK_WIDGET (choice), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
      g_assert_cmpint (natural, ==, 148);
    }
}

/* Without a comparison there is no change, and what is not there is nothing. */
static void
test_change (void)
{
  g_autoptr (GtkDropDown) choice = create_choice (FALSE);

  hl_measure_choice_select (choice, HL_HEAD_MEASURE_SINK);
  hl_measure_choice_select (choice, HL_HEAD_MEASURE_CHANGE);
  g_assert_cmpint (hl_measure_choice_get (choice), ==, HL_HEAD_MEASURE_NONE);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/measure-choice/choices", test_choices);
  g_test_add_func ("/measure-choice/headings", test_headings);
  g_test_add_func ("/measure-choice/change", test_change);
  g_test_add_func ("/measure-choice/width", test_width);
  return g_test_run ();
}
