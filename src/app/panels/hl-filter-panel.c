/* SPDX-License-Identifier: MIT */
/* Which weights of an attention are drawn. Filters that the attention has no use for are not there. */
#include "app/panels/hl-panels.h"

#include <glib/gi18n.h>
#include <math.h>

/* The threshold's slider spans these decades below 1; at its very start there is no threshold. */
#define THRESHOLD_DECADES 3

struct _HlFilterPanel
{
  HlStatePanel parent_instance;

  GtkWidget *content;
  GtkWidget *sentences_row;
  GtkDropDown *sentences;
  GtkWidget *threshold_row;
  GtkRange *threshold;
  GtkLabel *threshold_value;
  GtkWidget *threshold_reset;
  GtkWidget *top_mass_row;
  GtkRange *top_mass;
  GtkLabel *top_mass_value;
  GtkWidget *top_mass_reset;
  GtkWidget *padding_row;
  GtkWidget *crop_padding;
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
  gtk_label_set_label (label, is_on ? value : _ ("off"));
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
  set_value (self->threshold, self->threshold_value, self->threshold_reset, number, threshold > 0);
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
  set_value (self->top_mass, self->top_mass_value, self->top_mass_reset, text, top_mass < 1);
}

static void
follow_attention (HlFilterPanel *self,
                  HlViewState   *state)
{
  HlAttention *attention = hl_view_state_get_attention (state);

  gtk_widget_set_visible (self->sentences_row, hl_attention_get_sentence_b_start (attention) > 0);
  gtk_widget_set_visible (self->padding_row,
                          hl_attention_get_n_used (attention, HL_QUERIES) <
                              hl_attention_get_n (attention, HL_QUERIES) ||
                            hl_attention_get_n_used (attention, HL_KEYS) < hl_attention_get_n (attention, HL_KEYS));
}

static void
follow_view (HlFilterPanel *self,
             HlViewState   *state)
{
  const gboolean filters = !hl_view_state_get_shown (state)->is_plain;

  gtk_widget_set_visible (self->threshold_row, filters);
  gtk_widget_set_visible (self->top_mass_row, filters);
}

/* Where there is nothing to choose, what stands below moves up. */
static void
update_visible (HlFilterPanel *self)
{
  gboolean is_visible = FALSE;

  for (GtkWidget *row = gtk_widget_get_first_child (self->content); row != NULL && !is_visible;
       row = gtk_widget_get_next_sibling (row))
    is_visible = gtk_widget_get_visible (row);
  gtk_widget_set_visible (GTK_WIDGET (self), is_visible);
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

  if (changes & (HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION))
    follow_attention (self, state);
  if (changes & HL_CHANGED_FILTERS)
    {
      follow_threshold (self, state);
      follow_top_mass (self, state);
    }
  if (changes & HL_CHANGED_VIEW)
    follow_view (self, state);
  update_visible (self);
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

  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION | HL_CHANGED_FILTERS |
                                          HL_CHANGED_VIEW;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_filter_panel_follow;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/filter-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, sentences_row);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, sentences);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, threshold_row);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, threshold);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, threshold_value);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, threshold_reset);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, top_mass_row);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, top_mass);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, top_mass_value);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, top_mass_reset);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, padding_row);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, crop_padding);
  gtk_widget_class_bind_template_callback (widget_class, on_threshold_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_threshold_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_top_mass_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_top_mass_reset);
  gtk_widget_class_set_css_name (widget_class, "filterpanel");
}

/* In the order of their enumeration, so that a position is a value. */
static void
fill_sentences (HlFilterPanel *self)
{
  const char *const sentences[] = {
    [HL_SENTENCES_ALL] = _ ("All"),  [HL_SENTENCES_A_TO_A] = "A → A", [HL_SENTENCES_B_TO_B] = "B → B",
    [HL_SENTENCES_A_TO_B] = "A → B", [HL_SENTENCES_B_TO_A] = "B → A", NULL
  };
  g_autoptr (GtkStringList) names = gtk_string_list_new (sentences);

  gtk_drop_down_set_model (self->sentences, G_LIST_MODEL (names));
}

static void
hl_filter_panel_init (HlFilterPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_sentences (self);
  hl_state_panel_bind (HL_STATE_PANEL (self), "sentences", GTK_WIDGET (self->sentences));
  hl_state_panel_bind (HL_STATE_PANEL (self), "crop-padding", self->crop_padding);
  gtk_widget_set_sensitive (self->content, FALSE);
}
