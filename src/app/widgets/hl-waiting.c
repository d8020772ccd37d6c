/* SPDX-License-Identifier: MIT */
/* Signs of waiting. What is done sooner shows none; on a page there is nothing for a moment, then how far it is, and a
 * way out. */
#include "config.h"

#include "app/widgets/hl-waiting.h"

#include "app/base/hl-accessible.h"

#include <glib/gi18n.h>
#include <math.h>

/* The icon of a spinner is the only one in SVG. What draws that is loaded in the background when first needed, or the
 * main thread would stand still for it. */
#define SPINNER_ICON "process-working-symbolic"
#define SPINNER_SIZE 16
#define PREPARE_AFTER_MS 300
#define SPIN_AFTER_MS 500

/* A file that opens sooner shows no sign of waiting. */
#define SHOW_AFTER_MS 300

struct _HlLateSpinner
{
  AdwBin parent_instance;

  GtkSpinner *spinner;
  GtkLabel *label;
  HlProgress *progress;
  guint timeout;
};

G_DEFINE_FINAL_TYPE (HlLateSpinner, hl_late_spinner, ADW_TYPE_BIN)

static gboolean
spin (gpointer data)
{
  HlLateSpinner *self = data;

  self->timeout = 0;
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_spinner_start (self->spinner);
  return G_SOURCE_REMOVE;
}

static gboolean
prepare (gpointer data)
{
  HlLateSpinner *self = data;
  GtkWidget *widget = GTK_WIDGET (self);

  g_object_unref (gtk_icon_theme_lookup_icon (gtk_icon_theme_get_for_display (gtk_widget_get_display (widget)),
                                              SPINNER_ICON, NULL, SPINNER_SIZE, gtk_widget_get_scale_factor (widget),
                                              gtk_widget_get_direction (widget), GTK_ICON_LOOKUP_PRELOAD));
  self->timeout = g_timeout_add (SPIN_AFTER_MS - PREPARE_AFTER_MS, spin, self);
  return G_SOURCE_REMOVE;
}

/* Work that does not tell is at 0 all the time. */
static void
update_label (HlLateSpinner *self)
{
  const double fraction = self->progress != NULL ? hl_progress_get_fraction (self->progress) : 0;
  /* Translators: how much of some work is done */
  g_autofree char *label = g_strdup_printf (_ ("%.0f %%"), floor (fraction * 100));

  gtk_label_set_label (self->label, label);
  gtk_widget_set_visible (GTK_WIDGET (self->label), fraction > 0);
}

static void
hl_late_spinner_dispose (GObject *object)
{
  hl_late_spinner_set_progress (HL_LATE_SPINNER (object), NULL);
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
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "dim-label");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->label));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->spinner));
  gtk_widget_set_hexpand (GTK_WIDGET (self->spinner), TRUE);
  adw_bin_set_child (ADW_BIN (self), box);
  update_label (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

void
hl_late_spinner_set_busy (HlLateSpinner *self,
                          gboolean       busy)
{
  g_return_if_fail (HL_IS_LATE_SPINNER (self));

  if (busy && self->timeout == 0 && !gtk_spinner_get_spinning (self->spinner))
    self->timeout = g_timeout_add (PREPARE_AFTER_MS, prepare, self);
  if (busy)
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  gtk_spinner_stop (self->spinner);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/* Says how far the work is of those who tell. */
void
hl_late_spinner_set_progress (HlLateSpinner *self,
                              HlProgress    *progress)
{
  g_return_if_fail (HL_IS_LATE_SPINNER (self));
  g_return_if_fail (progress == NULL || HL_IS_PROGRESS (progress));

  if (self->progress == progress)
    return;
  if (self->progress != NULL)
    g_signal_handlers_disconnect_by_data (self->progress, self);
  g_set_object (&self->progress, progress);
  if (progress != NULL)
    g_signal_connect_swapped (progress, "notify::fraction", G_CALLBACK (update_label), self);
  update_label (self);
}

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
  g_autofree char *pace = hl_progress_dup_pace (self->progress);
  g_autofree char *both = message != NULL && pace != NULL ? g_strconcat (message, " · ", pace, NULL) : NULL;

  gtk_label_set_label (self->message, both != NULL ? both : message != NULL ? message : "");
}

static gboolean
reveal (gpointer data)
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

/* The keyboard comes here by itself when a page begins to load. It goes to the page, and to its button when somebody moves it there:
 * the space of a text that is typed meanwhile would cancel. */
static gboolean
hl_loading_page_focus (GtkWidget       *widget,
                       GtkDirectionType direction)
{
  if (direction == GTK_DIR_TAB_FORWARD && !gtk_widget_has_focus (widget) && gtk_widget_get_focus_child (widget) == NULL)
    return gtk_widget_grab_focus (widget);
  return GTK_WIDGET_CLASS (hl_loading_page_parent_class)->focus (widget, direction);
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
  widget_class->focus = hl_loading_page_focus;

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
  self->timeout = g_timeout_add (SHOW_AFTER_MS, reveal, self);
}

/* Shows at once what is waited for, if something is: it has taken long already. */
void
hl_loading_page_reveal (HlLoadingPage *self)
{
  g_return_if_fail (HL_IS_LOADING_PAGE (self));

  if (self->timeout == 0)
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  reveal (self);
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
