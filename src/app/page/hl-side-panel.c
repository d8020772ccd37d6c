/* SPDX-License-Identifier: MIT */
/* What stands beside the scene: the token in focus, or the table of all heads, or what the model that computed them is asked. */
#include "config.h"

#include "app/page/hl-side-panel.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-settings.h"
#include "app/experiment/hl-experiment-panel.h"
#include "app/tokens/hl-prediction-panel.h"
#include "app/tokens/hl-token-panel.h"

#include <adwaita.h>

#define WIDTH 260
/* At most, where it has a page to itself. */
#define SHEET_WIDTH 560

struct _HlSidePanel
{
  GtkWidget parent_instance;

  GSettings *settings;
  gboolean shows_heads;
  gboolean narrow;

  GtkWidget *clamp;
  GtkStack *stack;
  GtkWidget *empty_note;
  HlTokenPanel *token_panel;
  HlPredictionPanel *prediction_panel;
  HlHeadWork *work; /* what pictures and charts tell of heads comes from it, also while nobody sees the table */
  AdwBin *heads_place;
  HlHeadsPanel *heads_panel; /* NULL before it is wanted */
  GtkStackPage *model_page;
  AdwBin *experiment_place;
  HlExperimentPanel *experiment_panel; /* NULL before it is wanted */
  HlViewState *state;
  gulong changed_id;
};

enum
{
  PROP_SHOWS_HEADS = 1,
  PROP_SHOWS_DETAILS,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlSidePanel, hl_side_panel, GTK_TYPE_WIDGET)

/* Always as wide as this, whatever is told: the scene must move neither with the pointer nor when heads are looked for. */
static void
update_width (HlSidePanel *self)
{
  const int width = self->narrow ? SHEET_WIDTH : WIDTH;

  g_object_set (self->clamp, "maximum-size", width, "tightening-threshold", width, "width-request",
                self->narrow ? -1 : width, NULL);
}

/* Stands behind another page, and is made when it is first wanted: most sessions never see it. */
static HlHeadsPanel *
ensure_heads (HlSidePanel *self)
{
  if (self->heads_panel == NULL)
    {
      self->heads_panel = hl_heads_panel_new (self->work);
      adw_bin_set_child (self->heads_place, GTK_WIDGET (self->heads_panel));
      hl_accessible_name_buttons (GTK_WIDGET (self->heads_panel));
      hl_heads_panel_set_view_state (self->heads_panel, self->state);
    }
  return self->heads_panel;
}

/* As that does. */
static HlExperimentPanel *
ensure_experiment (HlSidePanel *self)
{
  if (self->experiment_panel == NULL)
    {
      self->experiment_panel = g_object_new (HL_TYPE_EXPERIMENT_PANEL, NULL);
      adw_bin_set_child (self->experiment_place, GTK_WIDGET (self->experiment_panel));
      hl_accessible_name_buttons (GTK_WIDGET (self->experiment_panel));
      hl_state_panel_set_view_state (HL_STATE_PANEL (self->experiment_panel), self->state);
    }
  return self->experiment_panel;
}

static void
on_page_changed (HlSidePanel *self)
{
  const char *page = gtk_stack_get_visible_child_name (self->stack);
  const gboolean shows_heads = g_strcmp0 (page, "heads") == 0;

  if (g_strcmp0 (page, "model") == 0)
    ensure_experiment (self);
  if (shows_heads)
    ensure_heads (self);
  hl_side_panel_set_shows_heads (self, shows_heads);
}

static void
on_details_mapped (HlSidePanel *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOWS_DETAILS]);
}

static void
hl_side_panel_get_property (GObject    *object,
                            guint       id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  switch (id)
    {
    case PROP_SHOWS_HEADS:
      g_value_set_boolean (value, HL_SIDE_PANEL (object)->shows_heads);
      break;
    case PROP_SHOWS_DETAILS:
      g_value_set_boolean (value, hl_side_panel_get_shows_details (HL_SIDE_PANEL (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_side_panel_set_property (GObject      *object,
                            guint         id,
                            const GValue *value,
                            GParamSpec   *pspec)
{
  switch (id)
    {
    case PROP_SHOWS_HEADS:
      hl_side_panel_set_shows_heads (HL_SIDE_PANEL (object), g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_side_panel_dispose (GObject *object)
{
  HlSidePanel *self = HL_SIDE_PANEL (object);

  if (self->settings != NULL)
    g_settings_unbind (self, "shows-heads");
  g_clear_object (&self->settings);
  if (self->state != NULL)
    g_clear_signal_handler (&self->changed_id, self->state);
  g_clear_object (&self->state);
  gtk_widget_dispose_template (GTK_WIDGET (self), HL_TYPE_SIDE_PANEL);
  if (self->work != NULL)
    hl_head_work_set_view_state (self->work, NULL);
  g_clear_object (&self->work);
  G_OBJECT_CLASS (hl_side_panel_parent_class)->dispose (object);
}

static void
hl_side_panel_class_init (HlSidePanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hl_side_panel_get_property;
  object_class->set_property = hl_side_panel_set_property;
  object_class->dispose = hl_side_panel_dispose;

  /* Whether the table of heads is shown in place of the token in focus; the same for all documents, and remembered. */
  properties[PROP_SHOWS_HEADS] =
    g_param_spec_boolean ("shows-heads", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /* Whether what is pointed at is told of in it, and seen. */
  properties[PROP_SHOWS_DETAILS] =
    g_param_spec_boolean ("shows-details", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  g_type_ensure (HL_TYPE_PREDICTION_PANEL);
  g_type_ensure (HL_TYPE_TOKEN_PANEL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/side-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlSidePanel, clamp);
  gtk_widget_class_bind_template_child (widget_class, HlSidePanel, stack);
  gtk_widget_class_bind_template_child (widget_class, HlSidePanel, empty_note);
  gtk_widget_class_bind_template_child (widget_class, HlSidePanel, token_panel);
  gtk_widget_class_bind_template_child (widget_class, HlSidePanel, prediction_panel);
  gtk_widget_class_bind_template_child (widget_class, HlSidePanel, heads_place);
  gtk_widget_class_bind_template_child (widget_class, HlSidePanel, model_page);
  gtk_widget_class_bind_template_child (widget_class, HlSidePanel, experiment_place);
  gtk_widget_class_bind_template_callback (widget_class, on_page_changed);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "sidepanel");
}

static void
hl_side_panel_init (HlSidePanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->work = hl_head_work_new ();
  update_width (self);
  g_signal_connect_object (self->token_panel, "map", G_CALLBACK (on_details_mapped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->token_panel, "unmap", G_CALLBACK (on_details_mapped), self, G_CONNECT_SWAPPED);
  self->settings = hl_settings_new ();
  g_settings_bind (self->settings, "shows-heads", self, "shows-heads", G_SETTINGS_BIND_DEFAULT);
}

/* A file of attention has no model that could be asked. */
static void
show_model_page (HlSidePanel *self)
{
  const gboolean has_model = self->state != NULL && hl_view_state_get_call (self->state) != NULL;

  if (!has_model && g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "model") == 0)
    gtk_stack_set_visible_child_name (self->stack, "token");
  gtk_stack_page_set_visible (self->model_page, has_model);
}

static void
on_state_changed (HlSidePanel *self,
                  HlChanges    changes)
{
  if (changes & HL_CHANGED_EXAMPLE)
    show_model_page (self);
}

void
hl_side_panel_set_view_state (HlSidePanel *self,
                              HlViewState *state)
{
  g_return_if_fail (HL_IS_SIDE_PANEL (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  hl_state_panel_set_view_state (HL_STATE_PANEL (self->token_panel), state);
  hl_state_panel_set_view_state (HL_STATE_PANEL (self->prediction_panel), state);
  hl_head_work_set_view_state (self->work, state);
  if (self->heads_panel != NULL)
    hl_heads_panel_set_view_state (self->heads_panel, state);
  if (self->experiment_panel != NULL)
    hl_state_panel_set_view_state (HL_STATE_PANEL (self->experiment_panel), state);
  if (self->state != NULL)
    g_clear_signal_handler (&self->changed_id, self->state);
  g_set_object (&self->state, state);
  if (state != NULL)
    self->changed_id = g_signal_connect_swapped (state, "changed", G_CALLBACK (on_state_changed), self);
  show_model_page (self);
}

/* Shows what the model is asked; nothing where there is none. */
void
hl_side_panel_show_model (HlSidePanel *self)
{
  g_return_if_fail (HL_IS_SIDE_PANEL (self));

  if (!gtk_stack_page_get_visible (self->model_page))
    return;
  gtk_stack_set_visible_child_name (self->stack, "model");
  gtk_widget_child_focus (GTK_WIDGET (ensure_experiment (self)), GTK_DIR_TAB_FORWARD);
}

/* Whether there is nothing to be told of. */
void
hl_side_panel_set_empty (HlSidePanel *self,
                         gboolean     empty)
{
  g_return_if_fail (HL_IS_SIDE_PANEL (self));

  gtk_widget_set_opacity (GTK_WIDGET (self->stack), empty ? 0 : 1);
  gtk_widget_set_sensitive (GTK_WIDGET (self->stack), !empty);
  gtk_widget_set_visible (self->empty_note, empty);
}

HlHeadsPanel *
hl_side_panel_get_heads (HlSidePanel *self)
{
  g_return_val_if_fail (HL_IS_SIDE_PANEL (self), NULL);

  return ensure_heads (self);
}

gboolean
hl_side_panel_get_shows_heads (HlSidePanel *self)
{
  g_return_val_if_fail (HL_IS_SIDE_PANEL (self), FALSE);

  return self->shows_heads;
}

void
hl_side_panel_set_shows_heads (HlSidePanel *self,
                               gboolean     shows_heads)
{
  g_return_if_fail (HL_IS_SIDE_PANEL (self));

  if (self->shows_heads == !!shows_heads)
    return;
  self->shows_heads = !!shows_heads;
  if (shows_heads)
    gtk_stack_set_visible_child_name (self->stack, "heads");
  else if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "heads") == 0)
    gtk_stack_set_visible_child_name (self->stack, "token");
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOWS_HEADS]);
}

/* Whether it stands over a narrow page, as wide as that, rather than beside a scene. */
void
hl_side_panel_set_narrow (HlSidePanel *self,
                          gboolean     narrow)
{
  g_return_if_fail (HL_IS_SIDE_PANEL (self));

  self->narrow = narrow;
  update_width (self);
}

gboolean
hl_side_panel_get_shows_details (HlSidePanel *self)
{
  g_return_val_if_fail (HL_IS_SIDE_PANEL (self), FALSE);

  return gtk_widget_get_mapped (GTK_WIDGET (self->token_panel));
}
