/* SPDX-License-Identifier: MIT */
/* What of a document is shown: a control per property of the view state. Those that the block has no use for are not
 * there. */
#include "app/hl-filter-panel.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

/* The threshold's slider spans these decades below 1; at its very start there is no threshold. */
#define THRESHOLD_DECADES 3

struct _HlFilterPanel
{
  HlStatePanel parent_instance;

  HlSession *session;
  gulong session_notify_id;
  /* Set while the list of examples follows the session, so that it does not answer back. */
  gboolean is_following;

  GtkWidget *content;
  GtkWidget *block_row;
  GtkWidget *example_row;
  GtkDropDown *example;
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
  GtkSwitch *crop_padding;
  GtkSizeGroup *choices;
};

enum
{
  PROP_SESSION = 1,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

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
  const double threshold = hl_view_state_get_threshold (state);
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
  const double top_mass = hl_view_state_get_top_mass (state);
  const int percent = (int) lround (top_mass * 100);
  /* Translators: a percentage. */
  g_autofree char *text = g_strdup_printf (_ ("%d %%"), percent);

  if (lround (gtk_range_get_value (self->top_mass)) != percent)
    gtk_range_set_value (self->top_mass, percent);
  set_value (self->top_mass, self->top_mass_value, self->top_mass_reset, text, top_mass < 1);
}

static void
on_block_toggled (GtkToggleButton *button,
                  HlFilterPanel   *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL && gtk_toggle_button_get_active (button))
    hl_view_state_set_block (state, g_object_get_data (G_OBJECT (button), "block"));
}

static GtkWidget *
create_block_button (HlFilterPanel *self,
                     HlViewState   *state,
                     HlBlock       *block,
                     GtkWidget     *group)
{
  GtkWidget *button =
    gtk_toggle_button_new_with_label (hl_block_kind_get_label (hl_block_get_kind (block)));

  if (group != NULL)
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (group));
  g_object_set_data_full (G_OBJECT (button), "block", g_object_ref (block), g_object_unref);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button),
                                block == hl_view_state_get_block (state));
  g_signal_connect (button, "toggled", G_CALLBACK (on_block_toggled), self);
  return button;
}

static void
follow_example (HlFilterPanel *self,
                HlViewState   *state)
{
  HlExample *example = hl_view_state_get_example (state);
  const guint n_blocks = hl_example_get_n_blocks (example);
  GtkWidget *first = NULL;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->block_row)) != NULL)
    gtk_box_remove (GTK_BOX (self->block_row), child);
  for (guint i = 0; i < n_blocks; i++)
    {
      GtkWidget *button = create_block_button (self, state, hl_example_get_block (example, i), first);
      gtk_box_append (GTK_BOX (self->block_row), button);
      if (first == NULL)
        first = button;
    }
  gtk_widget_set_visible (self->block_row, n_blocks > 1);
}

static void
follow_block (HlFilterPanel *self,
              HlViewState   *state)
{
  HlBlock *block = hl_view_state_get_block (state);

  for (GtkWidget *child = gtk_widget_get_first_child (self->block_row); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (g_object_get_data (G_OBJECT (child), "block") == block)
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (child), TRUE);
  gtk_widget_set_visible (self->sentences_row, hl_block_get_sentence_b_start (block) > 0);
  gtk_widget_set_visible (self->padding_row,
                          hl_block_get_n_used_queries (block) < hl_block_get_n_queries (block) ||
                            hl_block_get_n_used_keys (block) < hl_block_get_n_keys (block));
}

static void
follow_view (HlFilterPanel *self,
             HlViewState   *state)
{
  const gboolean filters = !hl_view_state_shows_steps (state);

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
                        const char   *property)
{
  HlFilterPanel *self = HL_FILTER_PANEL (panel);

  gtk_widget_set_sensitive (self->content, state != NULL);
  if (state == NULL)
    return;

  if (property == NULL || g_str_equal (property, "example"))
    follow_example (self, state);
  if (property == NULL || g_str_equal (property, "example") || g_str_equal (property, "block"))
    follow_block (self, state);
  if (property == NULL || g_str_equal (property, "sentences"))
    gtk_drop_down_set_selected (self->sentences, hl_view_state_get_sentences (state));
  if (property == NULL || g_str_equal (property, "threshold"))
    follow_threshold (self, state);
  if (property == NULL || g_str_equal (property, "top-mass"))
    follow_top_mass (self, state);
  if (property == NULL || g_str_equal (property, "crop-padding"))
    gtk_switch_set_active (self->crop_padding, hl_view_state_get_crop_padding (state));
  if (property == NULL || g_str_equal (property, "view"))
    follow_view (self, state);
  update_visible (self);
}

/* The names of the examples are read once: a document does not change. */
static void
fill_examples (HlFilterPanel *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  HlDocument *document = self->session != NULL ? hl_session_get_document (self->session) : NULL;
  const guint n = document != NULL ? hl_document_get_n_examples (document) : 0;

  self->is_following = TRUE;
  for (guint i = 0; n > 1 && i < n; i++)
    gtk_string_list_append (names, hl_document_get_example_name (document, i));
  gtk_drop_down_set_model (self->example, G_LIST_MODEL (names));
  gtk_widget_set_visible (self->example_row, n > 1);
  update_visible (self);
  self->is_following = FALSE;
}

static void
follow_example_index (HlFilterPanel *self)
{
  self->is_following = TRUE;
  gtk_drop_down_set_selected (self->example, hl_session_get_example_index (self->session));
  self->is_following = FALSE;
}

static void
on_example_selected (HlFilterPanel *self)
{
  const guint selected = gtk_drop_down_get_selected (self->example);

  if (!self->is_following && selected != GTK_INVALID_LIST_POSITION)
    hl_session_set_example_index (self->session, selected);
}

static void
on_sentences_selected (HlFilterPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL)
    hl_view_state_set_sentences (state, gtk_drop_down_get_selected (self->sentences));
}

static void
on_threshold_changed (HlFilterPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL)
    hl_view_state_set_threshold (state,
                                 threshold_from_position (gtk_range_get_value (self->threshold)));
}

static void
on_threshold_reset (HlFilterPanel *self)
{
  hl_view_state_set_threshold (hl_state_panel_get_view_state (HL_STATE_PANEL (self)), 0);
  gtk_widget_grab_focus (GTK_WIDGET (self->threshold));
}

static void
on_top_mass_changed (HlFilterPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL)
    hl_view_state_set_top_mass (state, round (gtk_range_get_value (self->top_mass)) / 100);
}

static void
on_top_mass_reset (HlFilterPanel *self)
{
  hl_view_state_set_top_mass (hl_state_panel_get_view_state (HL_STATE_PANEL (self)), 1);
  gtk_widget_grab_focus (GTK_WIDGET (self->top_mass));
}

static void
on_crop_padding_changed (HlFilterPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL)
    hl_view_state_set_crop_padding (state, gtk_switch_get_active (self->crop_padding));
}

static void
hl_filter_panel_get_property (GObject    *object,
                              guint       id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  HlFilterPanel *self = HL_FILTER_PANEL (object);

  switch (id)
    {
    case PROP_SESSION:
      g_value_set_object (value, self->session);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_filter_panel_set_property (GObject      *object,
                              guint         id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  HlFilterPanel *self = HL_FILTER_PANEL (object);

  switch (id)
    {
    case PROP_SESSION:
      hl_filter_panel_set_session (self, g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_filter_panel_dispose (GObject *object)
{
  HlFilterPanel *self = HL_FILTER_PANEL (object);

  if (self->session != NULL)
    g_clear_signal_handler (&self->session_notify_id, self->session);
  g_clear_object (&self->session);
  /* The dying list still reports changes. */
  self->is_following = TRUE;
  G_OBJECT_CLASS (hl_filter_panel_parent_class)->dispose (object);
}

static void
hl_filter_panel_class_init (HlFilterPanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hl_filter_panel_get_property;
  object_class->set_property = hl_filter_panel_set_property;
  object_class->dispose = hl_filter_panel_dispose;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_filter_panel_follow;

  /**
   * HlFilterPanel:session: (nullable)
   *
   * Whose examples can be chosen.
   */
  properties[PROP_SESSION] = g_param_spec_object ("session", NULL, NULL, HL_TYPE_SESSION, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/filter-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, block_row);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, example_row);
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, example);
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
  /* Widgets do not keep their group. */
  gtk_widget_class_bind_template_child (widget_class, HlFilterPanel, choices);
  gtk_widget_class_bind_template_callback (widget_class, on_example_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_sentences_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_threshold_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_threshold_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_top_mass_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_top_mass_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_crop_padding_changed);
  gtk_widget_class_set_css_name (widget_class, "filterpanel");
}

/* In the order of their enumeration, so that a position is a value. */
static void
fill_sentences (HlFilterPanel *self)
{
  const char *const sentences[] = {
    [HL_SENTENCES_ALL] = _ ("All"),  [HL_SENTENCES_A_TO_A] = "A → A",
    [HL_SENTENCES_B_TO_B] = "B → B", [HL_SENTENCES_A_TO_B] = "A → B",
    [HL_SENTENCES_B_TO_A] = "B → A", NULL
  };
  g_autoptr (GtkStringList) names = gtk_string_list_new (sentences);

  gtk_drop_down_set_model (self->sentences, G_LIST_MODEL (names));
}

static void
hl_filter_panel_init (HlFilterPanel *self)
{
  self->is_following = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_sentences (self);
  gtk_widget_set_sensitive (self->content, FALSE);
  self->is_following = FALSE;
}

/**
 * hl_filter_panel_new:
 *
 * Returns: (transfer floating): a panel with nothing to filter yet
 */
GtkWidget *
hl_filter_panel_new (void)
{
  return g_object_new (HL_TYPE_FILTER_PANEL, NULL);
}

/**
 * hl_filter_panel_get_session:
 * @self: a panel
 *
 * Returns: (transfer none) (nullable): whose examples can be chosen
 */
HlSession *
hl_filter_panel_get_session (HlFilterPanel *self)
{
  g_return_val_if_fail (HL_IS_FILTER_PANEL (self), NULL);

  return self->session;
}

/**
 * hl_filter_panel_set_session:
 * @self: a panel
 * @session: (nullable): whose examples can be chosen
 */
void
hl_filter_panel_set_session (HlFilterPanel *self,
                             HlSession     *session)
{
  g_return_if_fail (HL_IS_FILTER_PANEL (self));
  g_return_if_fail (session == NULL || HL_IS_SESSION (session));

  if (self->session == session)
    return;
  if (self->session != NULL)
    g_clear_signal_handler (&self->session_notify_id, self->session);
  g_set_object (&self->session, session);
  fill_examples (self);
  if (session != NULL)
    {
      self->session_notify_id = g_signal_connect_swapped (session, "notify::example-index",
                                                          G_CALLBACK (follow_example_index), self);
      follow_example_index (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SESSION]);
}
