/* SPDX-License-Identifier: MIT */
/* Which example of a document is shown, and which attention of it. Not there where there is one of each. */
#include "app/panels/hl-panels.h"

#include "app/session/hl-example-names.h"

struct _HlExamplePanel
{
  HlStatePanel parent_instance;

  HlSession *session;
  gulong session_notify_id;
  /* Set while the list of examples follows the session, so that it does not answer back. */
  gboolean is_following;

  GtkWidget *content;
  GtkWidget *attention_row;
  GtkWidget *example_row;
  GtkDropDown *example;
};

G_DEFINE_FINAL_TYPE (HlExamplePanel, hl_example_panel, HL_TYPE_STATE_PANEL)

static void
update_visible (HlExamplePanel *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self),
                          gtk_widget_get_visible (self->attention_row) || gtk_widget_get_visible (self->example_row));
}

static void
on_attention_toggled (GtkToggleButton *button,
                      HlExamplePanel  *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL && gtk_toggle_button_get_active (button))
    hl_view_state_set_attention (state, g_object_get_data (G_OBJECT (button), "attention"));
}

static GtkWidget *
create_attention_button (HlExamplePanel *self,
                         HlViewState    *state,
                         HlAttention    *attention,
                         GtkWidget      *group)
{
  GtkWidget *button =
    gtk_toggle_button_new_with_label (hl_attention_kind_get_label (hl_attention_get_kind (attention)));

  if (group != NULL)
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (group));
  g_object_set_data_full (G_OBJECT (button), "attention", g_object_ref (attention), g_object_unref);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), attention == hl_view_state_get_attention (state));
  g_signal_connect (button, "toggled", G_CALLBACK (on_attention_toggled), self);
  return button;
}

static void
follow_attentions (HlExamplePanel *self,
                   HlViewState    *state)
{
  HlExample *example = hl_view_state_get_example (state);
  const guint n_attentions = hl_example_get_n_attentions (example);
  GtkWidget *first = NULL;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->attention_row)) != NULL)
    gtk_box_remove (GTK_BOX (self->attention_row), child);
  for (guint i = 0; i < n_attentions; i++)
    {
      GtkWidget *button = create_attention_button (self, state, hl_example_get_attention (example, i), first);
      gtk_box_append (GTK_BOX (self->attention_row), button);
      if (first == NULL)
        first = button;
    }
  gtk_widget_set_visible (self->attention_row, n_attentions > 1);
  update_visible (self);
}

static void
follow_attention (HlExamplePanel *self,
                  HlViewState    *state)
{
  HlAttention *attention = hl_view_state_get_attention (state);

  for (GtkWidget *child = gtk_widget_get_first_child (self->attention_row); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (g_object_get_data (G_OBJECT (child), "attention") == attention)
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (child), TRUE);
}

static void
hl_example_panel_follow (HlStatePanel *panel,
                         HlViewState  *state,
                         HlChanges     changes)
{
  HlExamplePanel *self = HL_EXAMPLE_PANEL (panel);

  gtk_widget_set_sensitive (self->content, state != NULL);
  if (state == NULL)
    return;

  if (changes & HL_CHANGED_EXAMPLE)
    follow_attentions (self, state);
  else
    follow_attention (self, state);
}

/* The names of the examples are read once: a document does not change. */
static void
fill_examples (HlExamplePanel *self)
{
  HlDocument *document = self->session != NULL ? hl_session_get_document (self->session) : NULL;
  const gboolean has_some = document != NULL && hl_document_get_n_examples (document) > 1;
  g_autoptr (GtkStringList) names = has_some ? hl_example_names_new (document) : gtk_string_list_new (NULL);

  self->is_following = TRUE;
  gtk_drop_down_set_model (self->example, G_LIST_MODEL (names));
  gtk_widget_set_visible (self->example_row, has_some);
  update_visible (self);
  self->is_following = FALSE;
}

static void
follow_example_index (HlExamplePanel *self)
{
  self->is_following = TRUE;
  gtk_drop_down_set_selected (self->example, hl_session_get_example_index (self->session));
  self->is_following = FALSE;
}

static void
on_example_selected (HlExamplePanel *self)
{
  const guint selected = gtk_drop_down_get_selected (self->example);

  if (!self->is_following && selected != GTK_INVALID_LIST_POSITION)
    hl_session_set_example_index (self->session, selected);
}

static void
hl_example_panel_dispose (GObject *object)
{
  HlExamplePanel *self = HL_EXAMPLE_PANEL (object);

  if (self->session != NULL)
    g_clear_signal_handler (&self->session_notify_id, self->session);
  g_clear_object (&self->session);
  /* The dying list still reports changes. */
  self->is_following = TRUE;
  G_OBJECT_CLASS (hl_example_panel_parent_class)->dispose (object);
}

static void
hl_example_panel_class_init (HlExamplePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_example_panel_dispose;
  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_example_panel_follow;

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/example-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlExamplePanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlExamplePanel, attention_row);
  gtk_widget_class_bind_template_child (widget_class, HlExamplePanel, example_row);
  gtk_widget_class_bind_template_child (widget_class, HlExamplePanel, example);
  gtk_widget_class_bind_template_callback (widget_class, on_example_selected);
  gtk_widget_class_set_css_name (widget_class, "examplepanel");
}

static void
hl_example_panel_init (HlExamplePanel *self)
{
  self->is_following = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_sensitive (self->content, FALSE);
  self->is_following = FALSE;
}

void
hl_example_panel_set_session (HlExamplePanel *self,
                              HlSession      *session)
{
  g_return_if_fail (HL_IS_EXAMPLE_PANEL (self));
  g_return_if_fail (session == NULL || HL_IS_SESSION (session));

  if (self->session == session)
    return;
  if (self->session != NULL)
    g_clear_signal_handler (&self->session_notify_id, self->session);
  g_set_object (&self->session, session);
  fill_examples (self);
  if (session != NULL)
    {
      self->session_notify_id =
        g_signal_connect_swapped (session, "notify::example-index", G_CALLBACK (follow_example_index), self);
      follow_example_index (self);
    }
}
