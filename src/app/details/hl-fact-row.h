/* SPDX-License-Identifier: MIT */
/* A line of a list of what is told of a head: a name, and a number. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_FACT_ROW (hl_fact_row_get_type ())
G_DECLARE_DERIVABLE_TYPE (HlFactRow, hl_fact_row, HL, FACT_ROW, GtkListBoxRow)

struct _HlFactRowClass
{
  GtkListBoxRowClass parent_class;
};

GtkWidget *hl_fact_row_new         (void);
void       hl_fact_row_set         (HlFactRow  *self,
                                    const char *markup,
                                    const char *number,
                                    const char *spoken);
void       hl_fact_row_set_n_lines (HlFactRow  *self,
                                    guint       n_lines);
void       hl_fact_row_set_before  (HlFactRow  *self,
                                    GtkWidget  *before);

GtkWidget *hl_fact_number_new      (void);

G_END_DECLS
