/* SPDX-License-Identifier: MIT */
/* Which chart the chart view draws, and of which number of heads. Only there in the chart view. */
#include "config.h"

#include "app/panels/hl-panels.h"

#include "app/widgets/hl-late-list.h"
#include "app/widgets/hl-short-item.h"

#include <glib/gi18n.h>

struct _HlChartPanel
{
  HlStatePanel parent_instance;

  GtkWidget *content;
  GtkDropDown *chart;
  GtkWidget *shares_row;
  GtkDropDown *shares;
  GtkWidget *number_row;
  GtkDropDown *number;
  /* Whether the list has an item for what only a comparison tells. */
  gboolean compares;
};

G_DEFINE_FINAL_TYPE (HlChartPanel, hl_chart_panel, HL_TYPE_STATE_PANEL)

static void
fill_charts (HlChartPanel *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (HlChartKind kind = 0; kind < HL_N_CHART_KINDS; kind++)
    gtk_string_list_append (list, hl_chart_kind_get_display_name (kind));
  gtk_drop_down_set_model (self->chart, G_LIST_MODEL (list));
}

/* As HlHeadMeasure counts them, without none. The last one is only there while there is something to compare. */
static void
fill_numbers (HlChartPanel *self,
              gboolean      compares)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    gtk_string_list_append (list, _ (hl_head_number_get (stat)->choice));
  gtk_string_list_append (list, _ ("Pair of Words"));
  if (compares)
    gtk_string_list_append (list, _ ("Change from A to B"));
  gtk_drop_down_set_model (self->number, G_LIST_MODEL (list));
  self->compares = compares;
}

static guint
get_item (HlChartPanel *self,
          HlHeadMeasure measure)
{
  return measure == HL_HEAD_MEASURE_NONE || (measure == HL_HEAD_MEASURE_CHANGE && !self->compares)
           ? GTK_INVALID_LIST_POSITION
           : measure - HL_HEAD_MEASURE_STATS;
}

static gboolean
hl_chart_panel_is_shown (HlViewState *state)
{
  return hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->shows_charts;
}

static void
hl_chart_panel_follow (HlStatePanel *panel,
                       HlViewState  *state,
                       HlChanges     changes)
{
  HlChartPanel *self = HL_CHART_PANEL (panel);
  const HlViewOptions *options = hl_view_state_get_options (state);

  if (self->compares != (hl_view_state_get_compared (state) != NULL))
    fill_numbers (self, !self->compares);
  gtk_drop_down_set_selected (self->chart, options->chart);
  gtk_widget_set_visible (self->shares_row, options->chart == HL_CHART_SHARES);
  gtk_drop_down_set_selected (self->shares, options->number == HL_HEAD_MEASURE_PATTERN ? 1 : 0);
  gtk_widget_set_visible (self->number_row, hl_chart_kind_draws_number (options->chart));
  gtk_drop_down_set_selected (self->number, get_item (self, options->number));
}

static void
on_chart_selected (HlChartPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL)
    hl_view_state_set_option (state, chart, gtk_drop_down_get_selected (self->chart));
}

/* Classes of heads are a number; of any other, the masses of keys are shared out. */
static void
on_shares_selected (HlChartPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state == NULL || hl_view_state_get_options (state)->chart != HL_CHART_SHARES)
    return;
  const gboolean by_pattern = gtk_drop_down_get_selected (self->shares) == 1;
  if (by_pattern != (hl_view_state_get_options (state)->number == HL_HEAD_MEASURE_PATTERN))
    hl_view_state_set_option (state, number, by_pattern ? HL_HEAD_MEASURE_PATTERN : HL_HEAD_MEASURE_STATS);
}

static void
on_number_selected (HlChartPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));
  const guint selected = gtk_drop_down_get_selected (self->number);

  if (state != NULL && selected != GTK_INVALID_LIST_POSITION)
    hl_view_state_set_option (state, number, HL_HEAD_MEASURE_STATS + selected);
}

static void
hl_chart_panel_class_init (HlChartPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_VIEW | HL_CHANGED_CHART | HL_CHANGED_COMPARED;
  HL_STATE_PANEL_CLASS (klass)->is_shown = hl_chart_panel_is_shown;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_chart_panel_follow;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/chart-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlChartPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlChartPanel, chart);
  gtk_widget_class_bind_template_child (widget_class, HlChartPanel, shares_row);
  gtk_widget_class_bind_template_child (widget_class, HlChartPanel, shares);
  gtk_widget_class_bind_template_child (widget_class, HlChartPanel, number_row);
  gtk_widget_class_bind_template_child (widget_class, HlChartPanel, number);
  gtk_widget_class_bind_template_callback (widget_class, on_chart_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_shares_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_number_selected);
  gtk_widget_class_set_css_name (widget_class, "chartpanel");
}

static void
hl_chart_panel_init (HlChartPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  GtkDropDown *lists[] = { self->chart, self->shares, self->number };
  /* What is chosen is cut before the sidebar becomes wider than in other views. */
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      hl_late_list_hold (lists[i], gtk_drop_down_get_factory (lists[i]));
      hl_short_item_set_up (lists[i], 10, 18);
    }
  fill_charts (self);
  fill_numbers (self, FALSE);
  hl_state_panel_explain (GTK_WIDGET (self->chart), "chart");
  hl_state_panel_explain (GTK_WIDGET (self->number), "number");
}
