/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/panels/hl-measure-choice.h"

#include "app/widgets/hl-late-list.h"
#include "app/widgets/hl-short-item.h"

#include <glib/gi18n.h>

/* A heading is no choice. */
#define HEADING HL_N_HEAD_MEASURES

static void
append (GListStore *list,
        const char *text,
        guint       measure)
{
  g_autoptr (GtkStringObject) item = gtk_string_object_new (text);

  g_object_set_data (G_OBJECT (item), "measure", GUINT_TO_POINTER (measure));
  g_list_store_append (list, item);
}

static guint
get_measure (gpointer item)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (item), "measure"));
}

static void
on_setup (GtkSignalListItemFactory *factory,
          GtkListItem              *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory,
         GtkListItem              *item)
{
  GtkWidget *label = gtk_list_item_get_child (item);
  GtkStringObject *string = gtk_list_item_get_item (item);
  const gboolean is_heading = get_measure (string) == HEADING;

  gtk_label_set_label (GTK_LABEL (label), gtk_string_object_get_string (string));
  gtk_list_item_set_selectable (item, !is_heading);
  gtk_list_item_set_activatable (item, !is_heading);
  gtk_widget_set_margin_top (label, is_heading ? 6 : 0);
  if (is_heading)
    gtk_widget_add_css_class (label, "caption-heading");
  else
    gtk_widget_remove_css_class (label, "caption-heading");
}

static void
append_groups (GListStore *list)
{
  const HlHeadNumberSet computable = hl_head_number_get_computable ();

  for (HlHeadNumberGroup group = 0; group < HL_N_HEAD_NUMBER_GROUPS; group++)
    {
      gboolean is_empty = TRUE;

      for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
        {
          const HlHeadNumber *number = hl_head_number_get (stat);

          if (number->group != group || !(computable & HL_HEAD_NUMBER_BIT (stat)))
            continue;
          if (is_empty && group != HL_HEAD_NUMBER_GROUP_USUAL)
            append (list, hl_head_number_group_get_label (group), HEADING);
          is_empty = FALSE;
          append (list, _ (number->choice), HL_HEAD_MEASURE_STATS + stat);
        }
    }
}

/* @none is what it means not to choose any; the last one is only there while there is something to compare. */
void
hl_measure_choice_fill (GtkDropDown *choice,
                        const char  *none,
                        gboolean     compares)
{
  g_autoptr (GListStore) list = g_list_store_new (GTK_TYPE_STRING_OBJECT);
  g_autoptr (GtkListItemFactory) rows = gtk_signal_list_item_factory_new ();

  append (list, none, HL_HEAD_MEASURE_NONE);
  append (list, _ ("Pair of Words"), HL_HEAD_MEASURE_PAIR);
  if (compares)
    append (list, _ ("Change from A to B"), HL_HEAD_MEASURE_CHANGE);
  append_groups (list);
  g_signal_connect (rows, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (rows, "bind", G_CALLBACK (on_bind), NULL);
  hl_late_list_hold (choice, rows);
  /* Whatever is chosen, the button is as wide as its neighbours. */
  hl_short_item_set_up (choice, 10, 10);
  gtk_drop_down_set_model (choice, G_LIST_MODEL (list));
}

/* What is not among them is none. */
void
hl_measure_choice_select (GtkDropDown  *choice,
                          HlHeadMeasure measure)
{
  GListModel *list = gtk_drop_down_get_model (choice);
  guint found = 0;

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (list, i);

      if (get_measure (item) == measure)
        found = i;
    }
  gtk_drop_down_set_selected (choice, found);
}

HlHeadMeasure
hl_measure_choice_get (GtkDropDown *choice)
{
  gpointer item = gtk_drop_down_get_selected_item (choice);
  const guint measure = item != NULL ? get_measure (item) : HL_HEAD_MEASURE_NONE;

  return measure == HEADING ? HL_HEAD_MEASURE_NONE : measure;
}
