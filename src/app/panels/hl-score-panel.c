/* SPDX-License-Identifier: MIT */
/* How weights follow from scores, to be changed by hand: another scale, and the mask on or off. Only there in views
 * that show it. */
#include "app/panels/hl-panels.h"

#include <glib/gi18n.h>
#include <math.h>

struct _HlScorePanel
{
  HlStatePanel parent_instance;

  GtkWidget *content;
  GtkRange *scale;
  GtkLabel *scale_value;
  GtkWidget *scale_reset;
  GtkWidget *mask_row;
  GtkWidget *mask;
};

G_DEFINE_FINAL_TYPE (HlScorePanel, hl_score_panel, HL_TYPE_STATE_PANEL)

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
follow_scale (HlScorePanel *self,
              HlViewState  *state)
{
  const double scale = hl_view_state_get_options (state)->score_scale;
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

static gboolean
hl_score_panel_is_shown (HlViewState *state)
{
  return hl_view_state_get_shown (state)->shows_steps && hl_head_steps_are_known (hl_view_state_get_attention (state));
}

static void
hl_score_panel_follow (HlStatePanel *panel,
                       HlViewState  *state,
                       HlChanges     changes)
{
  HlScorePanel *self = HL_SCORE_PANEL (panel);

  follow_scale (self, state);
  gtk_widget_set_visible (self->mask_row, hl_shown_has_mask (hl_view_state_get_shown (state)));
}

static void
on_scale_changed (HlScorePanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL)
    hl_view_state_set_option (state, score_scale, scale_from_position (gtk_range_get_value (self->scale)));
}

static void
on_scale_reset (HlScorePanel *self)
{
  hl_view_state_set_option (hl_state_panel_get_view_state (HL_STATE_PANEL (self)), score_scale, 1);
  gtk_widget_grab_focus (GTK_WIDGET (self->scale));
}

static void
hl_score_panel_class_init (HlScorePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_VIEW | HL_CHANGED_ATTENTION | HL_CHANGED_LAYER | HL_CHANGED_SCORES;
  HL_STATE_PANEL_CLASS (klass)->is_shown = hl_score_panel_is_shown;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_score_panel_follow;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/score-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, scale);
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, scale_value);
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, scale_reset);
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, mask_row);
  gtk_widget_class_bind_template_child (widget_class, HlScorePanel, mask);
  gtk_widget_class_bind_template_callback (widget_class, on_scale_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_scale_reset);
  gtk_widget_class_set_css_name (widget_class, "scorepanel");
}

static void
hl_score_panel_init (HlScorePanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_state_panel_bind (HL_STATE_PANEL (self), "mask", self->mask);
  gtk_scale_add_mark (GTK_SCALE (self->scale), 0, GTK_POS_BOTTOM, NULL);
  hl_state_panel_explain (GTK_WIDGET (self->scale), "score-scale");
}
