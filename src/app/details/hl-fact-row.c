/* SPDX-License-Identifier: MIT */
/* Numbers and names change with all that the pointer passes: as labels they had the whole window laid out anew. */
#include "config.h"

#include "app/details/hl-fact-row.h"

#include "app/base/hl-tooltip.h"

/* Room for “−0.0012”. */
#define NUMBER_CHARS 7

typedef struct
{
  GtkInscription *name;
  GtkInscription *number;
} HlFactRowPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (HlFactRow, hl_fact_row, GTK_TYPE_LIST_BOX_ROW)

static HlFactRowPrivate *
get_private (HlFactRow *self)
{
  return hl_fact_row_get_instance_private (self);
}

/* A number that stands at the end of a line. */
GtkWidget *
hl_fact_number_new (void)
{
  GtkWidget *number = gtk_inscription_new (NULL);

  gtk_inscription_set_min_chars (GTK_INSCRIPTION (number), NUMBER_CHARS);
  gtk_inscription_set_xalign (GTK_INSCRIPTION (number), 1);
  gtk_widget_add_css_class (number, "numeric");
  return number;
}

static void
hl_fact_row_dispose (GObject *object)
{
  HlFactRowPrivate *private = get_private (HL_FACT_ROW (object));

  /* GTK 4.8 does not let go of what the markup made. */
  if (private->name != NULL)
    gtk_inscription_set_attributes (private->name, NULL);
  private->name = NULL;
  G_OBJECT_CLASS (hl_fact_row_parent_class)->dispose (object);
}

static void
hl_fact_row_class_init (HlFactRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_fact_row_dispose;
}

static void
hl_fact_row_init (HlFactRow *self)
{
  HlFactRowPrivate *private = get_private (self);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *name = gtk_inscription_new (NULL);
  GtkWidget *number = hl_fact_number_new ();

  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (name), GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_MIDDLE);
  gtk_inscription_set_min_chars (GTK_INSCRIPTION (name), 10);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), number);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  private->name = GTK_INSCRIPTION (name);
  private->number = GTK_INSCRIPTION (number);
}

GtkWidget *
hl_fact_row_new (void)
{
  return g_object_new (HL_TYPE_FACT_ROW, NULL);
}

/* @spoken is what a screen reader says of it; with NULL the row is empty and keeps its room. */
void
hl_fact_row_set (HlFactRow  *self,
                 const char *markup,
                 const char *number,
                 const char *spoken)
{
  g_return_if_fail (HL_IS_FACT_ROW (self));

  HlFactRowPrivate *private = get_private (self);

  gtk_inscription_set_markup (private->name, markup);
  gtk_inscription_set_text (private->number, number);
  gtk_widget_set_sensitive (GTK_WIDGET (self), spoken != NULL);
  hl_tooltip_set_passing (GTK_WIDGET (self), spoken);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken != NULL ? spoken : "",
                                  -1);
}

void
hl_fact_row_set_n_lines (HlFactRow *self,
                         guint      n_lines)
{
  g_return_if_fail (HL_IS_FACT_ROW (self));

  gtk_inscription_set_min_lines (get_private (self)->name, n_lines);
}

/* Once: what stands before the name. */
void
hl_fact_row_set_before (HlFactRow *self,
                        GtkWidget *before)
{
  g_return_if_fail (HL_IS_FACT_ROW (self));
  g_return_if_fail (GTK_IS_WIDGET (before));

  gtk_box_prepend (GTK_BOX (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self))), before);
}
