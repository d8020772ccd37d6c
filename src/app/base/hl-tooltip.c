/* SPDX-License-Identifier: MIT */
#include "app/base/hl-tooltip.h"

/*
 * Sets a widget's tooltip, if that is new. Whenever one is set on a widget that is visible, GTK asks the display three
 * times where the pointer is, and waits for the answers.
 */
void
hl_tooltip_set (GtkWidget  *widget,
                const char *text)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  if (g_strcmp0 (gtk_widget_get_tooltip_text (widget), text) != 0)
    gtk_widget_set_tooltip_text (widget, text);
}

#define PASSING "hl-passing-tooltip"

static gboolean
on_query (GtkWidget  *widget,
          int         x,
          int         y,
          gboolean    by_keyboard,
          GtkTooltip *tooltip)
{
  const char *text = g_object_get_data (G_OBJECT (widget), PASSING);

  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

/* Of what changes with all that the pointer passes elsewhere: the display is asked nothing, and the text is looked for
 * when the pointer rests here. */
void
hl_tooltip_set_passing (GtkWidget  *widget,
                        const char *text)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  if (!gtk_widget_get_has_tooltip (widget))
    {
      gtk_widget_set_has_tooltip (widget, TRUE);
      g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_query), NULL);
    }
  g_object_set_data_full (G_OBJECT (widget), PASSING, g_strdup (text), g_free);
}
