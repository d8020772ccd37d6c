/* SPDX-License-Identifier: MIT */
/* How the cells of the picker scroll, one axis at a time. */
#include "app/heads/hl-head-grid-scroll.h"

/**
 * hl_head_grid_scroll_configure:
 * @adjustment: (nullable): of an axis; %NULL where nothing scrolls
 * @content: pixels of what there is, with the numbers
 * @page: pixels of what can be seen
 * @step: pixels of a cell
 *
 * Fits an axis to another size, and stays where it is as far as that is possible.
 */
void
hl_head_grid_scroll_configure (GtkAdjustment *adjustment,
                               double         content,
                               double         page,
                               double         step)
{
  if (adjustment == NULL)
    return;

  const double upper = MAX (content, page);
  const double value = CLAMP (gtk_adjustment_get_value (adjustment), 0, upper - page);
  gtk_adjustment_configure (adjustment, value, 0, upper, step, MAX (page - step, step), page);
}

/**
 * hl_head_grid_scroll_reveal:
 * @adjustment: (nullable): of an axis
 * @header: pixels of the numbers, under which cells scroll
 * @start: where a cell begins, from the first
 * @size: pixels of a cell
 *
 * Scrolls as little as it takes to have a cell in sight, not hidden by the numbers.
 */
void
hl_head_grid_scroll_reveal (GtkAdjustment *adjustment,
                            double         header,
                            double         start,
                            double         size)
{
  if (adjustment == NULL)
    return;

  const double value = gtk_adjustment_get_value (adjustment);
  const double page = gtk_adjustment_get_page_size (adjustment) - header;
  if (start < value)
    gtk_adjustment_set_value (adjustment, start);
  else if (start + size > value + page)
    gtk_adjustment_set_value (adjustment, start + size - page);
}
