/* SPDX-License-Identifier: MIT */
#include "app/base/hl-leftovers.h"

/* A scrolled window of GTK 4.8 asks the settings to call it when it is realized, and takes that back nowhere: after hours there are tens of
 * thousands of calls to widgets that have gone, which a change of the setting would make. */
static gboolean
on_unrealize (GSignalInvocationHint *hint,
              guint                  n_values,
              const GValue          *values,
              gpointer               data)
{
  GtkWidget *widget = g_value_get_object (&values[0]);

  if (GTK_IS_SCROLLED_WINDOW (widget))
    g_signal_handlers_disconnect_by_data (gtk_widget_get_settings (widget), widget);
  return TRUE;
}

/* From now on, in all windows. */
void
hl_leftovers_watch (void)
{
  static gsize is_watched = 0;

  if (!g_once_init_enter (&is_watched))
    return;
  g_type_class_unref (g_type_class_ref (GTK_TYPE_SCROLLED_WINDOW));
  g_signal_add_emission_hook (g_signal_lookup ("unrealize", GTK_TYPE_WIDGET), 0, on_unrealize, NULL, NULL);
  g_once_init_leave (&is_watched, 1);
}
