/* SPDX-License-Identifier: MIT */
/* A line over a window that offers what was open when the program ended unexpectedly. */
#include "config.h"

#include "app/window/hl-lost-bar.h"

#include "app/base/hl-accessible.h"
#include "app/session/hl-lost.h"

#include <glib/gi18n.h>

struct _HlLostBar
{
  AdwBin parent_instance;

  GtkLabel *label;
};

G_DEFINE_FINAL_TYPE (HlLostBar, hl_lost_bar, ADW_TYPE_BIN)

static void
update (HlLostBar *self)
{
  const guint n = hl_lost_get_n_tabs (hl_lost_get ());
  g_autofree char *text = g_strdup_printf (ngettext ("Headlight ended unexpectedly; %u document was open",
                                                     "Headlight ended unexpectedly; %u documents were open", n),
                                           n);

  gtk_label_set_label (self->label, text);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
}

static void
hl_lost_bar_class_init (HlLostBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/lost-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, HlLostBar, label);
}

static void
hl_lost_bar_init (HlLostBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
  g_signal_connect_object (hl_lost_get (), "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}
