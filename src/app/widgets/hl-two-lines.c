/* SPDX-License-Identifier: MIT */
/* Lists make hundreds of rows that nobody sees yet: made of a .ui file, or of labels, they took 200 ms. */
#include "config.h"

#include "app/widgets/hl-two-lines.h"

#include "app/base/hl-tooltip.h"

static GtkWidget *
add_line (GtkWidget             *box,
          GtkInscriptionOverflow overflow)
{
  GtkWidget *line = gtk_inscription_new (NULL);

  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (line), overflow);
  gtk_inscription_set_min_chars (GTK_INSCRIPTION (line), 8);
  gtk_box_append (GTK_BOX (box), line);
  return line;
}

/* The margin is above and below. The line below the title is dimmed. */
GtkWidget *
hl_two_lines_new (int margin)
{
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *title = add_line (lines, GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_MIDDLE);
  GtkWidget *subtitle = add_line (lines, GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);

  gtk_widget_set_hexpand (lines, TRUE);
  gtk_widget_set_margin_top (title, margin);
  gtk_widget_set_margin_bottom (subtitle, margin);
  gtk_widget_add_css_class (subtitle, "caption");
  hl_two_lines_set_dim (lines, TRUE);
  return lines;
}

void
hl_two_lines_set (GtkWidget  *lines,
                  const char *title,
                  const char *subtitle)
{
  g_return_if_fail (GTK_IS_BOX (lines));

  GtkWidget *first = gtk_widget_get_first_child (lines);

  gtk_inscription_set_text (GTK_INSCRIPTION (first), title);
  hl_tooltip_set (first, title);
  gtk_inscription_set_text (GTK_INSCRIPTION (gtk_widget_get_last_child (lines)), subtitle);
}

/* Whether the line below the title is dimmed: what is so twice cannot be read. */
void
hl_two_lines_set_dim (GtkWidget *lines,
                      gboolean   is_dim)
{
  g_return_if_fail (GTK_IS_BOX (lines));

  GtkWidget *subtitle = gtk_widget_get_last_child (lines);

  if (is_dim)
    gtk_widget_add_css_class (subtitle, "dim-label");
  else
    gtk_widget_remove_css_class (subtitle, "dim-label");
}
