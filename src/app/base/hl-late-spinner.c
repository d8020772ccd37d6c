/* SPDX-License-Identifier: MIT */
/* A spinner for work that takes longer than a moment: what is done sooner shows no sign of waiting. */
#include "config.h"

#include "app/base/hl-late-spinner.h"

#include <glib/gi18n.h>

#define SPIN_AFTER_MS 500

struct _HlLateSpinner
{
  AdwBin parent_instance;

  GtkSpinner *spinner;
  guint timeout;
};

G_DEFINE_FINAL_TYPE (HlLateSpinner, hl_late_spinner, ADW_TYPE_BIN)

static gboolean
on_timeout (gpointer data)
{
  HlLateSpinner *self = data;

  self->timeout = 0;
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_spinner_start (self->spinner);
  return G_SOURCE_REMOVE;
}

static void
hl_late_spinner_dispose (GObject *object)
{
  g_clear_handle_id (&HL_LATE_SPINNER (object)->timeout, g_source_remove);
  G_OBJECT_CLASS (hl_late_spinner_parent_class)->dispose (object);
}

static void
hl_late_spinner_class_init (HlLateSpinnerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_late_spinner_dispose;
}

static void
hl_late_spinner_init (HlLateSpinner *self)
{
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->spinner), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Working"), -1);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->spinner));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

void
hl_late_spinner_set_busy (HlLateSpinner *self,
                          gboolean       busy)
{
  g_return_if_fail (HL_IS_LATE_SPINNER (self));

  if (busy && self->timeout == 0 && !gtk_spinner_get_spinning (self->spinner))
    self->timeout = g_timeout_add (SPIN_AFTER_MS, on_timeout, self);
  if (busy)
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  gtk_spinner_stop (self->spinner);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
