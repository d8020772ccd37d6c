/* SPDX-License-Identifier: MIT */
/* A line over a document that says what is odd about it. Dismissed, it stays away until there is something else to say. */
#include "config.h"

#include "app/hl-banner.h"

#include "app/hl-accessible.h"

struct _HlBanner
{
  AdwBin parent_instance;

  GtkWidget *bar;
  GtkImage *icon;
  GtkLabel *label;
  char *dismissed;
};

G_DEFINE_FINAL_TYPE (HlBanner, hl_banner, ADW_TYPE_BIN)

static void
on_dismiss (HlBanner *self)
{
  g_free (self->dismissed);
  self->dismissed = g_strdup (gtk_label_get_label (self->label));
  hl_banner_hide (self);
}

static void
hl_banner_finalize (GObject *object)
{
  g_free (HL_BANNER (object)->dismissed);
  G_OBJECT_CLASS (hl_banner_parent_class)->finalize (object);
}

static void
hl_banner_class_init (HlBannerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->finalize = hl_banner_finalize;

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/banner.ui");
  gtk_widget_class_bind_template_child (widget_class, HlBanner, bar);
  gtk_widget_class_bind_template_child (widget_class, HlBanner, icon);
  gtk_widget_class_bind_template_child (widget_class, HlBanner, label);
  gtk_widget_class_bind_template_callback (widget_class, on_dismiss);
}

static void
hl_banner_init (HlBanner *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
}

/**
 * hl_banner_show:
 * @self: a banner
 * @text: what to say, translated
 * @is_error: whether something failed, rather than looks odd
 *
 * Says something, unless it is what was dismissed last.
 */
void
hl_banner_show (HlBanner   *self,
                const char *text,
                gboolean    is_error)
{
  g_return_if_fail (HL_IS_BANNER (self));
  g_return_if_fail (text != NULL);

  if (g_strcmp0 (text, self->dismissed) == 0)
    return;
  gtk_label_set_label (self->label, text);
  gtk_image_set_from_icon_name (self->icon,
                                is_error ? "dialog-error-symbolic" : "dialog-warning-symbolic");
  if (is_error)
    gtk_widget_add_css_class (self->bar, "error");
  else
    gtk_widget_remove_css_class (self->bar, "error");
  gtk_widget_set_visible (self->bar, TRUE);
}

/**
 * hl_banner_hide:
 * @self: a banner
 *
 * Says nothing.
 */
void
hl_banner_hide (HlBanner *self)
{
  g_return_if_fail (HL_IS_BANNER (self));

  gtk_widget_set_visible (self->bar, FALSE);
}
