/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/details/hl-number-grid.h"

#include "app/base/hl-tooltip.h"
#include "app/details/hl-fact-row.h"
#include "draw/model-view/hl-model-view-order.h"

#include <glib/gi18n.h>

struct _HlNumberGrid
{
  GtkGrid parent_instance;

  HlHeadNumberSet told;
};

G_DEFINE_FINAL_TYPE (HlNumberGrid, hl_number_grid, GTK_TYPE_GRID)

static void
hl_number_grid_class_init (HlNumberGridClass *klass)
{
}

static void
hl_number_grid_init (HlNumberGrid *self)
{
}

/* A row for each number that the attention has; only another kind of it has others. */
static void
make_rows (HlNumberGrid   *self,
           HlHeadNumberSet told)
{
  GtkGrid *grid = GTK_GRID (self);
  int row = 0;

  if (self->told == told)
    return;
  self->told = told;
  while (gtk_widget_get_first_child (GTK_WIDGET (self)) != NULL)
    gtk_grid_remove (grid, gtk_widget_get_first_child (GTK_WIDGET (self)));
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      if (!(told & HL_HEAD_NUMBER_BIT (stat)))
        continue;
      GtkWidget *name = gtk_label_new (_ (hl_head_number_get (stat)->label));
      GtkWidget *number = hl_fact_number_new ();
      gtk_label_set_xalign (GTK_LABEL (name), 0);
      gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
      gtk_widget_set_hexpand (name, TRUE);
      gtk_widget_add_css_class (name, "dim-label");
      hl_tooltip_set (name, _ (hl_head_number_get (stat)->sentence));
      gtk_grid_attach (grid, name, 0, row, 1, 1);
      gtk_grid_attach (grid, number, 1, row++, 1, 1);
    }
}

/* Without facts, rows keep their room. */
void
hl_number_grid_set_facts (HlNumberGrid *self,
                          HlHeadFacts  *facts)
{
  int row = 0;

  g_return_if_fail (HL_IS_NUMBER_GRID (self));
  g_return_if_fail (facts == NULL || HL_IS_HEAD_FACTS (facts));

  if (facts != NULL)
    make_rows (self, hl_head_facts_get_told (facts));
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      if (!(self->told & HL_HEAD_NUMBER_BIT (stat)))
        continue;
      g_autofree char *number = facts != NULL ? hl_model_view_format_measure (hl_head_facts_get_shown (facts),
                                                                              HL_HEAD_MEASURE_STATS + stat,
                                                                              hl_head_facts_get_number (facts, stat))
                                              : g_strdup ("");
      gtk_inscription_set_text (GTK_INSCRIPTION (gtk_grid_get_child_at (GTK_GRID (self), 1, row++)), number);
    }
}
