/* SPDX-License-Identifier: MIT */
/* A line over a document that says what is odd about it, with what to do about it. What was dismissed is not said
 * again. */
#include "config.h"

#include "app/base/hl-banner.h"

#include "app/base/hl-accessible.h"

struct _HlBanner
{
  AdwBin parent_instance;

  GtkWidget *bar;
  GtkImage *icon;
  GtkLabel *label;
  GtkButton *action_button;
  GHashTable *dismissed;
};

enum
{
  DISMISSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlBanner, hl_banner, ADW_TYPE_BIN)

static void
on_dismiss (HlBanner *self)
{
  g_hash_table_add (self->dismissed, g_strdup (gtk_label_get_label (self->label)));
  hl_banner_hide (self);
  g_signal_emit (self, signals[DISMISSED], 0);
}

static void
hl_banner_finalize (GObject *object)
{
  g_hash_table_unref (HL_BANNER (object)->dismissed);
  G_OBJECT_CLASS (hl_banner_parent_class)->finalize (object);
}

static void
hl_banner_class_init (HlBannerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->finalize = hl_banner_finalize;

  /**
   * HlBanner::dismissed:
   * @self: a banner
   *
   * Somebody has seen it: there may be something else to say.
   */
  signals[DISMISSED] =
    g_signal_new ("dismissed", HL_TYPE_BANNER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/banner.ui");
  gtk_widget_class_bind_template_child (widget_class, HlBanner, bar);
  gtk_widget_class_bind_template_child (widget_class, HlBanner, icon);
  gtk_widget_class_bind_template_child (widget_class, HlBanner, label);
  gtk_widget_class_bind_template_child (widget_class, HlBanner, action_button);
  gtk_widget_class_bind_template_callback (widget_class, on_dismiss);
}

static void
hl_banner_init (HlBanner *self)
{
  self->dismissed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
}

/**
 * hl_banner_show:
 * @self: a banner
 * @kind: how serious it is
 * @text: what to say, translated
 * @label: (nullable): what to do about it, translated, with a mnemonic
 * @action: (nullable): the action that does it, without parameter
 *
 * Says something, unless it was dismissed before.
 *
 * Returns: whether it is said
 */
gboolean
hl_banner_show (HlBanner    *self,
                HlBannerKind kind,
                const char  *text,
                const char  *label,
                const char  *action)
{
  static const char *const icons[] = { "dialog-information-symbolic", "dialog-warning-symbolic",
                                       "dialog-error-symbolic" };
  static const char *const classes[] = { "info", NULL, "error" };

  g_return_val_if_fail (HL_IS_BANNER (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail ((label == NULL) == (action == NULL), FALSE);

  if (g_hash_table_contains (self->dismissed, text))
    return FALSE;
  gtk_label_set_label (self->label, text);
  gtk_image_set_from_icon_name (self->icon, icons[kind]);
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (classes[i] != NULL && i == kind)
      gtk_widget_add_css_class (self->bar, classes[i]);
    else if (classes[i] != NULL)
      gtk_widget_remove_css_class (self->bar, classes[i]);
  gtk_widget_set_visible (GTK_WIDGET (self->action_button), label != NULL);
  if (label != NULL)
    {
      gtk_button_set_label (self->action_button, label);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->action_button), action);
      hl_accessible_name_buttons (GTK_WIDGET (self->action_button));
    }
  gtk_widget_set_visible (self->bar, TRUE);
  return TRUE;
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
