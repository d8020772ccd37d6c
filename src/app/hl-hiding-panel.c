/* SPDX-License-Identifier: MIT */
/* Whether pieces are shown as words, and which tokens are left out. Not there in views that show how weights are made. */
#include "app/hl-hiding-panel.h"

#include "draw/hl-weight-text.h"

#include <glib/gi18n.h>

/* So many hidden tokens have a row of their own; the others come back with all. */
#define MAX_ROWS 40

struct _HlHidingPanel
{
  GtkWidget parent_instance;

  HlViewState *state;
  gulong state_notify_id;
  /* Set while controls follow the state, so that they do not answer back. */
  gboolean is_following;

  GtkWidget *content;
  GtkSwitch *words;
  GtkSwitch *special;
  GtkSwitch *first;
  GtkWidget *renormalise_row;
  GtkSwitch *renormalise;
  GtkWidget *hidden_box;
  GtkWidget *hidden_list;
};

enum
{
  PROP_VIEW_STATE = 1,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlHidingPanel, hl_hiding_panel, GTK_TYPE_WIDGET)

typedef struct
{
  HlHidingPanel *panel;
  gboolean is_query;
  gsize token;
} Hidden;

static void
on_unhide (GtkButton *button,
           Hidden    *hidden)
{
  HlHidingPanel *self = hidden->panel;
  HlViewState *state = g_object_ref (self->state);
  const gboolean is_query = hidden->is_query;
  const gsize token = hidden->token;

  /* The button is about to go, and what it points to with it. */
  gtk_widget_grab_focus (GTK_WIDGET (self->words));
  hl_view_state_unhide (state, is_query, token);
  g_object_unref (state);
}

static void
append_row (HlHidingPanel *self,
            const char    *text,
            gboolean       is_query,
            gsize          token)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *tooltip = g_strdup_printf (_ ("Show %s Again"), text);
  Hidden *hidden = g_new (Hidden, 1);

  *hidden = (Hidden){ self, is_query, token };
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "circular");
  gtk_widget_add_css_class (button, "hl-small");
  g_signal_connect_data (button, "clicked", G_CALLBACK (on_unhide), hidden,
                         (GClosureNotify) (void (*) (void)) g_free, 0);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), button);
  gtk_box_append (GTK_BOX (self->hidden_list), row);
}

/* One side of the block; of keys, those that have a row as queries are left out. Returns how many there are. */
static gsize
append_side (HlHidingPanel     *self,
             const HlTokenSet  *set,
             const char *const *texts,
             gsize              n_tokens,
             gboolean           is_query,
             gsize              n_rows)
{
  HlBlock *block = hl_view_state_get_block (self->state);
  const HlTokenSet *keys = hl_view_state_get_hidden_keys (self->state);
  const gsize n_before = hl_block_get_n_keys (block) -
                         MIN (hl_block_get_n_queries (block), hl_block_get_n_keys (block));
  gsize n_spans, query;
  const HlTokenSpan *spans = hl_token_set_get_spans (set, &n_spans);

  for (gsize i = 0; i < n_spans; i++)
    for (gsize token = spans[i].first; token < MIN (spans[i].first + spans[i].n, n_tokens); token++)
      {
        const gboolean is_key_too = is_query &&
                                    hl_block_find_query_of_key (block, token + n_before, &query) &&
                                    query == token &&
                                    hl_token_set_contains (keys, token + n_before);
        if (is_key_too)
          continue;
        if (n_rows++ >= MAX_ROWS)
          continue;
        g_autofree char *text = hl_token_text_show (texts[token]);
        /* Translators: a token and its position in the text */
        g_autofree char *label = g_strdup_printf (_ ("%s (%zu)"), text, token);
        append_row (self, label, is_query, token);
      }
  return n_rows;
}

static void
follow_hidden (HlHidingPanel *self)
{
  HlBlock *block = hl_view_state_get_block (self->state);
  gsize n;

  for (GtkWidget *row; (row = gtk_widget_get_first_child (self->hidden_list)) != NULL;)
    gtk_box_remove (GTK_BOX (self->hidden_list), row);
  n = append_side (self, hl_view_state_get_hidden_keys (self->state),
                   hl_block_get_key_texts (block), hl_block_get_n_keys (block), FALSE, 0);
  n = append_side (self, hl_view_state_get_hidden_queries (self->state),
                   hl_block_get_query_texts (block), hl_block_get_n_queries (block), TRUE, n);
  if (n > MAX_ROWS)
    {
      g_autofree char *text =
        g_strdup_printf (ngettext ("and %zu more", "and %zu more", n - MAX_ROWS), n - MAX_ROWS);
      GtkWidget *label = gtk_label_new (text);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (GTK_BOX (self->hidden_list), label);
    }
  gtk_widget_set_visible (self->hidden_box, n > 0);
}

static void
follow (HlHidingPanel *self)
{
  const gboolean is_shown = self->state != NULL && !hl_view_state_shows_steps (self->state);

  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  if (!is_shown)
    return;
  self->is_following = TRUE;
  gtk_switch_set_active (self->words, hl_view_state_get_words (self->state));
  gtk_switch_set_active (self->special, hl_view_state_get_hide_special (self->state));
  gtk_switch_set_active (self->first, hl_view_state_get_hide_first (self->state));
  gtk_switch_set_active (self->renormalise, hl_view_state_get_renormalise (self->state));
  gtk_widget_set_sensitive (self->renormalise_row, hl_view_state_hides (self->state));
  follow_hidden (self);
  self->is_following = FALSE;
}

static void
on_switched (HlHidingPanel *self)
{
  if (self->is_following || self->state == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (self->state));
  hl_view_state_set_words (self->state, gtk_switch_get_active (self->words));
  hl_view_state_set_hide_special (self->state, gtk_switch_get_active (self->special));
  hl_view_state_set_hide_first (self->state, gtk_switch_get_active (self->first));
  hl_view_state_set_renormalise (self->state, gtk_switch_get_active (self->renormalise));
  g_object_thaw_notify (G_OBJECT (self->state));
}

static void
on_state_notify (HlHidingPanel *self,
                 GParamSpec    *pspec)
{
  static const char *const of_interest[] = { "view",       "block",  "words",       "hide-special",
                                             "hide-first", "hidden", "renormalise", NULL };

  if (g_strv_contains (of_interest, pspec->name))
    follow (self);
}

static void
hl_hiding_panel_get_property (GObject    *object,
                              guint       id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  switch (id)
    {
    case PROP_VIEW_STATE:
      g_value_set_object (value, HL_HIDING_PANEL (object)->state);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_hiding_panel_set_property (GObject      *object,
                              guint         id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  switch (id)
    {
    case PROP_VIEW_STATE:
      hl_hiding_panel_set_view_state (HL_HIDING_PANEL (object), g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_hiding_panel_dispose (GObject *object)
{
  HlHidingPanel *self = HL_HIDING_PANEL (object);

  hl_hiding_panel_set_view_state (self, NULL);
  /* Dying controls still report changes. */
  self->is_following = TRUE;
  gtk_widget_dispose_template (GTK_WIDGET (self), HL_TYPE_HIDING_PANEL);
  G_OBJECT_CLASS (hl_hiding_panel_parent_class)->dispose (object);
}

static void
hl_hiding_panel_class_init (HlHidingPanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hl_hiding_panel_get_property;
  object_class->set_property = hl_hiding_panel_set_property;
  object_class->dispose = hl_hiding_panel_dispose;

  /**
   * HlHidingPanel:view-state: (nullable)
   *
   * Whose tokens are shown and hidden.
   */
  properties[PROP_VIEW_STATE] =
    g_param_spec_object ("view-state", NULL, NULL, HL_TYPE_VIEW_STATE,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/headlight/Headlight/ui/hiding-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, words);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, special);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, first);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, renormalise_row);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, renormalise);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, hidden_box);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, hidden_list);
  gtk_widget_class_bind_template_callback (widget_class, on_switched);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "hidingpanel");
}

static void
hl_hiding_panel_init (HlHidingPanel *self)
{
  self->is_following = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->is_following = FALSE;
}

/**
 * hl_hiding_panel_set_view_state:
 * @self: a panel
 * @state: (nullable): whose tokens to show and hide
 */
void
hl_hiding_panel_set_view_state (HlHidingPanel *self,
                                HlViewState   *state)
{
  g_return_if_fail (HL_IS_HIDING_PANEL (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  if (self->state == state)
    return;
  if (self->state != NULL)
    g_clear_signal_handler (&self->state_notify_id, self->state);
  g_set_object (&self->state, state);
  if (state != NULL)
    {
      self->state_notify_id =
        g_signal_connect_swapped (state, "notify", G_CALLBACK (on_state_notify), self);
      follow (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VIEW_STATE]);
}
