/* SPDX-License-Identifier: MIT */
/* How weights follow from scores, to be changed by hand: another scale, and the mask on or off. Only there in views that show it. */
#include "app/hl-score-panel.h"

#include <glib/gi18n.h>
#include <math.h>

struct _HlScorePanel
{
  GtkWidget parent_instance;

  HlViewState *state;
  gulong state_notify_id;
  /* Set while controls follow the state, so that they do not answer back. */
  gboolean is_following;

  GtkWidget *content;
  GtkRange *scale;
  GtkLabel *scale_value;
  GtkWidget *scale_reset;
  GtkWidget *mask_row;
  GtkSwitch *mask;
};

G_DEFINE_FINAL_TYPE (HlScorePanel, hl_score_panel, GTK_TYPE_WIDGET)

/* The slider counts decades. */
static double
scale_from_position (double position)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  /* Two digits: a number one can write into a caption. */
  g_ascii_formatd (number, sizeof number, "%.2g", pow (10, position));
  return CLAMP (g_ascii_strtod (number, NULL), HL_MIN_SCORE_SCALE, HL_MAX_SCORE_SCALE);
}

static void
follow_scale (HlScorePanel *self)
{
  const double scale = hl_view_state_get_score_scale (self->state);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (scale_from_position (gtk_range_get_value (self->scale)) != scale)
    gtk_range_set_value (self->scale, log10 (scale));
  g_ascii_formatd (number, sizeof number, "%.3g", scale);
  g_autofree char *text = g_strdup_printf ("× %s", number);
  gtk_label_set_label (self->scale_value, text);
  gtk_widget_set_opacity (self->scale_reset, scale != 1 ? 1 : 0);
  gtk_widget_set_sensitive (self->scale_reset, scale != 1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void
follow (HlScorePanel *self)
{
  const gboolean is_shown = self->state != NULL && hl_view_state_shows_steps (self->state) &&
                            hl_head_steps_are_known (hl_view_state_get_block (self->state));

  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  if (!is_shown)
    return;
  self->is_following = TRUE;
  follow_scale (self);
  gtk_widget_set_visible (self->mask_row, hl_view_state_has_mask (self->state));
  gtk_switch_set_active (self->mask, hl_view_state_get_mask (self->state));
  self->is_following = FALSE;
}

static void
on_scale_changed (HlScorePanel *self)
{
  if (!self->is_following && self->state != NULL)
    hl_view_state_set_score_scale (self->state, scale_from_position (gtk_range_get_value (self->scale)));
}

static void
on_scale_reset (HlScorePanel *self)
{
  hl_view_state_set_score_scale (self->state, 1);
  gtk_widget_grab_focus (GTK_WIDGET (self->scale));
}

static void
on_mask_changed (HlScorePanel *self)
{
  if (!self->is_following && self->state != NULL)
    hl_view_state_set_mask (self->state, gtk_switch_get_active (self->mask));
}

static void
on_state_notify (HlScorePanel *self,
                 GParamSpec   *pspec)
{
  static const char *const of_interest[] = { "view", "block", "layer", "score-scale", "mask", NULL };

  if (g_strv_contains (of_interest, pspec->name))
    follow (self);
}

static void
hl_score_panel_dispose (GObject *object)
{
  HlScorePanel *self = HL_SCORE_PANEL (object);

  hl_score_panel_set_view_state (self, NULL);
  /* Dying controls still report changes. */
  self->is_following = TRUE;
  gtk_widget_dispose_template (GTK_WIDGET (self), HL_TYPE_SCORE_PANEL);
  G_OBJECT_CLASS (hl_score_panel_parent_class)->dispose (object);
}

static void
hl_score_panel_class_init (HlScorePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_score_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/score-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, scale);
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, scale_value);
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, scale_reset);
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, mask_row);
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, mask);
  gtk_widget_class_bind_template_callback (widget_class, on_scale_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_scale_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_mask_changed);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "scorepanel");
}

static void
hl_score_panel_init (HlScorePanel *self)
{
  self->is_following = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_scale_add_mark (GTK_SCALE (self->scale), 0, GTK_POS_BOTTOM, NULL);
  self->is_following = FALSE;
}

/**
 * hl_score_panel_set_view_state:
 * @self: a panel
 * @state: (nullable): whose scale and mask to show and change
 */
void
hl_score_panel_set_view_state (HlScorePanel *self,
                               HlViewState  *state)
{
  g_return_if_fail (HL_IS_SCORE_PANEL (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  if (self->state == state)
    return;
  if (self->state != NULL)
    g_clear_signal_handler (&self->state_notify_id, self->state);
  g_set_object (&self->state, state);
  if (state == NULL)
    return;
  self->state_notify_id = g_signal_connect_swapped (state, "notify", G_CALLBACK (on_state_notify), self);
  follow (self);
}
