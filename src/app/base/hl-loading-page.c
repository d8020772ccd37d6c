/* SPDX-License-Identifier: MIT */
/* What a tab shows while its file is being opened: nothing for a moment, then how far it is, and a way out. */
#include "config.h"

#include "app/base/hl-loading-page.h"

#include "app/base/hl-accessible.h"

#include <glib/gi18n.h>

/* A file that opens sooner shows no sign of waiting. */
#define SHOW_AFTER_MS 300

struct _HlLoadingPage
{
  AdwBin parent_instance;

  GtkRevealer *revealer;
  GtkLabel *title;
  GtkLabel *message;
  GtkProgressBar *bar;

  HlProgress *progress;
  guint timeout;
};

enum
{
  CANCELLED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlLoadingPage, hl_loading_page, ADW_TYPE_BIN)

static void
on_progress (HlLoadingPage *self)
{
  g_autofree char *message = hl_progress_dup_message (self->progress);

  gtk_progress_bar_set_fraction (self->bar, hl_progress_get_fraction (self->progress));
  gtk_label_set_label (self->message, message != NULL ? message : "");
}

static gboolean
on_timeout (gpointer data)
{
  HlLoadingPage *self = data;

  self->timeout = 0;
  gtk_revealer_set_reveal_child (self->revealer, TRUE);
  return G_SOURCE_REMOVE;
}

static void
on_cancel (HlLoadingPage *self)
{
  g_signal_emit (self, signals[CANCELLED], 0);
}

static void
hl_loading_page_dispose (GObject *object)
{
  hl_loading_page_stop (HL_LOADING_PAGE (object));
  G_OBJECT_CLASS (hl_loading_page_parent_class)->dispose (object);
}

static void
hl_loading_page_class_init (HlLoadingPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hl_loading_page_dispose;

  signals[CANCELLED] =
    g_signal_new ("cancelled", HL_TYPE_LOADING_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/loading-page.ui");
  gtk_widget_class_bind_template_child (widget_class, HlLoadingPage, revealer);
  gtk_widget_class_bind_template_child (widget_class, HlLoadingPage, title);
  gtk_widget_class_bind_template_child (widget_class, HlLoadingPage, message);
  gtk_widget_class_bind_template_child (widget_class, HlLoadingPage, bar);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
}

static void
hl_loading_page_init (HlLoadingPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
}

void
hl_loading_page_start (HlLoadingPage *self,
                       const char    *name,
                       HlProgress    *progress)
{
  g_return_if_fail (HL_IS_LOADING_PAGE (self));
  g_return_if_fail (HL_IS_PROGRESS (progress));

  hl_loading_page_stop (self);
  /* Translators: %s is a file's name */
  g_autofree char *title = g_strdup_printf (_ ("Opening “%s”"), name);
  gtk_label_set_label (self->title, title);
  self->progress = g_object_ref (progress);
  g_signal_connect_swapped (progress, "notify", G_CALLBACK (on_progress), self);
  on_progress (self);
  self->timeout = g_timeout_add (SHOW_AFTER_MS, on_timeout, self);
}

void
hl_loading_page_stop (HlLoadingPage *self)
{
  g_return_if_fail (HL_IS_LOADING_PAGE (self));

  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->progress == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->progress, self);
  g_clear_object (&self->progress);
  gtk_revealer_set_reveal_child (self->revealer, FALSE);
}
