/* SPDX-License-Identifier: MIT */
/* Which weights of an attention are drawn. Not there in views that show how weights are made. */
#include "app/panels/hl-panels.h"

#include <glib/gi18n.h>
#include <math.h>

/* The threshold's slider spans these decades below 1; at its very start there is no threshold. */
#define THRESHOLD_DECADES 3

struct _HlFilterPanel
{
  HlStatePanel parent_instance;

  GtkWidget *content;
  GtkRange *threshold;
  GtkLabel *threshold_value;
  GtkWidget *threshold_reset;
  GtkLabel *top_mass_title;
  GtkRange *top_mass;
  GtkLabel *top_mass_value;
  GtkWidget *top_mass_reset;
};

G_DEFINE_FINAL_TYPE (HlFilterPanel, hl_filter_panel, HL_TYPE_STATE_PANEL)

static double
threshold_from_position (double position)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (position <= 0)
    return 0;
  /* Two digits: a number one can write into a caption. */
  g_ascii_formatd (number, sizeof number, "%.2g", pow (10, THRESHOLD_DECADES * (position - 1)));
  return g_ascii_strtod (number, NULL);
}

static double
position_from_threshold (double threshold)
{
  if (threshold <= 0)
    return 0;
  return CLAMP (1 + log10 (threshold) / THRESHOLD_DECADES, 0, 1);
}

/* A number beside its slider, and the button that takes the filter away. The room of the button stays. */
static void
set_value (GtkRange   *range,
           GtkLabel   *label,
           GtkWidget  *reset,
           const char *value,
           gboolean    is_on)
{
  gtk_label_set_label (label, value);
  gtk_widget_set_opacity (reset, is_on ? 1 : 0);
  gtk_widget_set_sensitive (reset, is_on);
  gtk_accessible_update_property (GTK_ACCESSIBLE (range), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  gtk_label_get_label (label), -1);
}

static void
follow_threshold (HlFilterPanel *self,
                  HlViewState   *state)
{
  const double threshold = hl_view_state_get_options (state)->threshold;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (threshold_from_position (gtk_range_get_value (self->threshold)) != threshold)
    gtk_range_set_value (self->threshold, position_from_threshold (threshold));
  g_ascii_formatd (number, sizeof number, "%.3g", threshold);
  /* Translators: of “Hide Weights Below”: none are */
  set_value (self->threshold, self->threshold_value, self->threshold_reset, threshold > 0 ? number : _ ("off"),
             threshold > 0);
}

static void
follow_top_mass (HlFilterPanel *self,
                 HlViewState   *state)
{
  const double top_mass = hl_view_state_get_options (state)->top_mass;
  const int percent = (int) lround (top_mass * 100);
  /* Translators: a percentage. */
  g_autofree char *text = g_strdup_printf (_ ("%d %%"), percent);

  if (lround (gtk_range_get_value (self->top_mass)) != percent)
    gtk_range_set_value (self->top_mass, percent);
  /* Translators: of “Strongest Keys Up To”: all are drawn */
  set_value (self->top_mass, self->top_mass_value, self->top_mass_reset, top_mass < 1 ? text : _ ("all"), top_mass < 1);
}

static void
hl_filter_panel_follow (HlStatePanel *panel,
                        HlViewState  *state,
                        HlChanges     changes)
{
  HlFilterPanel *self = HL_FILTER_PANEL (panel);

  gtk_widget_set_sensitive (self->content, state != NULL);
  if (state == NULL)
    return;

  if (changes & HL_CHANGED_FILTERS)
    {
      follow_threshold (self, state);
      follow_top_mass (self, state);
    }
  if (changes & HL_CHANGED_SHOWN_ATTENTION)
    gtk_label_set_label (self->top_mass_title, hl_attention_is_transposed (hl_view_state_get_shown (state)->attention)
                                                 ? _ ("Strongest Queries Up _To")
                                                 : _ ("Strongest Keys Up _To"));
  gtk_widget_set_visible (GTK_WIDGET (self), !hl_view_state_get_shown (state)->is_plain);
}

static void
on_threshold_changed (HlFilterPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL)
    hl_view_state_set_option (state, threshold, threshold_from_position (gtk_range_get_value (self->threshold)));
}

static void
on_threshold_reset (HlFilterPanel *self)
{
  hl_view_state_set_option (hl_state_panel_get_view_state (HL_STATE_PANEL (self)), threshold, 0);
  gtk_widget_grab_focus (GTK_WIDGET (self->threshold));
}

static void
on_top_mass_changed (HlFilterPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL)
    hl_view_state_set_option (state, top_mass, round (gtk_range_get_value (self->top_mass)) / 100);
}

static void
on_top_mass_reset (HlFilterPanel *self)
{
  hl_view_state_set_option (hl_state_panel_get_view_state (HL_STATE_PANEL (self)), top_mass, 1);
  gtk_widget_grab_focus (GTK_WIDGET (self->top_mass));
}

static void
hl_filter_panel_class_init (HlFilterPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_FILTERS | HL_CHANGED_VIEW | HL_CHANGED_SHOWN_ATTENTION;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_filter_panel_follow;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/filter-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, threshold);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, threshold_value);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, threshold_reset);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, top_mass_title);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, top_mass);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, top_mass_value);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, top_mass_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_threshold_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_threshold_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_top_mass_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_top_mass_reset);
  gtk_widget_class_set_css_name (widget_class, "filterpanel");
}

static void
hl_filter_panel_init (HlFilterPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_state_panel_explain (GTK_WIDGET (self->threshold), "threshold");
  hl_state_panel_explain (GTK_WIDGET (self->top_mass), "top-mass");
  gtk_widget_set_sensitive (self->content, FALSE);
}
