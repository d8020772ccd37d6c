/* SPDX-License-Identifier: MIT */
/* Widgets that have gone are called by nobody, and keep nothing. */
#include "panel-support.h"

#include "app/base/hl-leftovers.h"
#include "app/details/hl-fact-row.h"

#include <adwaita.h>

static guint
count_calls (GtkWidget *widget)
{
  GtkSettings *settings = gtk_settings_get_default ();
  const guint n = g_signal_handlers_block_matched (settings, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, widget);

  g_signal_handlers_unblock_matched (settings, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, widget);
  return n;
}

static void
test_scrolled_window (void)
{
  GtkWidget *scrolled = g_object_ref_sink (gtk_scrolled_window_new ());
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (box), scrolled);
  GtkWidget *window = panel_show (box, 200, 200);
  const guint n_calls = count_calls (scrolled);

  gtk_box_remove (GTK_BOX (box), scrolled);
  g_assert_false (gtk_widget_get_realized (scrolled));
  g_assert_cmpuint (count_calls (scrolled), ==, 0);

  /* One that comes back is called again. */
  gtk_box_append (GTK_BOX (box), scrolled);
  g_assert_true (gtk_widget_get_realized (scrolled));
  g_assert_cmpuint (count_calls (scrolled), ==, n_calls);
  g_object_unref (scrolled);
  gtk_window_destroy (GTK_WINDOW (window));
}

static guint n_kept;

static PangoAttribute *
copy (const PangoAttribute *attribute)
{
  PangoAttribute *new = g_new (PangoAttribute, 1);

  *new = *attribute;
  n_kept++;
  return new;
}

static void
destroy (PangoAttribute *attribute)
{
  n_kept--;
  g_free (attribute);
}

static gboolean
equal (const PangoAttribute *a,
       const PangoAttribute *b)
{
  return a == b;
}

static GtkInscription *
find_inscription (GtkWidget *widget)
{
  if (GTK_IS_INSCRIPTION (widget))
    return GTK_INSCRIPTION (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkInscription *found = find_inscription (child);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
test_fact_row (void)
{
  static PangoAttrClass class = { .copy = copy, .destroy = destroy, .equal = equal };
  GtkWidget *row = g_object_ref_sink (hl_fact_row_new ());
  PangoAttribute *attribute = g_new (PangoAttribute, 1);

  class.type = pango_attr_type_register ("headlight-test");
  pango_attribute_init (attribute, &class);
  n_kept = 1;
  hl_fact_row_set (HL_FACT_ROW (row), "a <b>b</b>", "1", "a b 1");
  pango_attr_list_insert (gtk_inscription_get_attributes (find_inscription (row)), attribute);
  g_object_unref (row);
  g_assert_cmpuint (n_kept, ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  hl_leftovers_watch ();
  g_test_add_func ("/leftovers/scrolled-window", test_scrolled_window);
  g_test_add_func ("/leftovers/fact-row", test_fact_row);
  return g_test_run ();
}
