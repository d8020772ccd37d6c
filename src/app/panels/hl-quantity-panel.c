/* SPDX-License-Identifier: MIT */
/* What is made of the weights before they are shown: one map of several heads or layers, and which way round it is
 * read. Not there in views that show how weights are made; charts follow the quantity alone. */
#include "app/panels/hl-panels.h"

#include "app/widgets/hl-late-list.h"
#include "core/base/hl-error.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>

struct _HlQuantityPanel
{
  HlStatePanel parent_instance;

  GtkWidget *content;
  GtkDropDown *quantity;
  GtkLabel *about; /* what the quantity tells, or is lacking */
  GtkWidget *from_row;
  GtkSpinButton *from;
  GtkAdjustment *from_adjustment;
  guint available; /* a bit for each quantity */
  GtkWidget *combine_row;
  GtkDropDown *combine;
  GtkWidget *over_row;
  GtkDropDown *over;
  GtkWidget *layers_row;
  GtkLabel *layers;
  GtkWidget *all_layers;
  GtkWidget *direction_row;
  GtkDropDown *direction;
};

G_DEFINE_FINAL_TYPE (HlQuantityPanel, hl_quantity_panel, HL_TYPE_STATE_PANEL)

static void
select_item (GtkDropDown *drop_down,
             guint        item)
{
  if (gtk_drop_down_get_selected (drop_down) != item)
    gtk_drop_down_set_selected (drop_down, item);
}

/* The list again, for what can be chosen in it has changed. */
static void
fill_quantities (HlQuantityPanel *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (HlQuantity i = 0; i < HL_N_QUANTITIES; i++)
    gtk_string_list_append (list, _ (hl_quantity_get (i)->label));
  gtk_drop_down_set_model (self->quantity, G_LIST_MODEL (list));
}

/* What it tells; or, where it cannot be had, what it needs. */
static void
follow_quantity (HlQuantityPanel *self,
                 HlViewState     *state)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  const HlQuantity quantity = shown->options.quantity;
  HlAttention *attention = hl_view_state_get_attention (state);
  guint available = 0;

  for (HlQuantity i = 0; i < HL_N_QUANTITIES; i++)
    if (hl_quantity_check (i, attention, NULL))
      available |= 1u << i;
  if (available != self->available)
    {
      self->available = available;
      fill_quantities (self);
    }
  select_item (self->quantity, quantity);
  if (shown->lacking != NULL)
    {
      /* Translators: “Norm-Weighted needs values…, which this attention does not have; weights are shown” */
      g_autofree char *text = g_strdup_printf (_ ("%s; weights are shown"), shown->lacking);
      gtk_label_set_label (self->about, text);
    }
  else if (hl_shown_replaces_quantity (shown) && hl_shown_follows_tokens (shown))
    gtk_label_set_label (self->about,
                         _ ("Lines lead through all layers, and a token is followed, by rollout; flow is in "
                            "the other views"));
  else if (hl_shown_replaces_quantity (shown))
    {
      g_autofree char *text = g_strdup_printf (_ ("“%s” only in other views"), _ (hl_quantity_get (quantity)->label));
      gtk_label_set_label (self->about, text);
    }
  else
    gtk_label_set_label (self->about, _ (hl_quantity_get (quantity)->sentence));

  gtk_widget_set_visible (self->from_row, hl_quantity_get (quantity)->heads == HL_QUANTITY_OF_LAYER);
  gtk_adjustment_set_upper (self->from_adjustment, hl_attention_get_n_layers (attention) - 1);
  gtk_adjustment_set_value (self->from_adjustment, hl_shown_get_first_layer (shown));
}

/* What is made of the mean of heads has it without being asked, and nothing else of them; on top of it layers can become one. */
static void
follow_combine (HlQuantityPanel *self,
                HlViewState     *state)
{
  const HlViewOptions *options = hl_view_state_get_options (state);
  const gboolean is_of_mean = hl_shown_has_mean_heads (hl_view_state_get_shown (state));
  const char *none = is_of_mean ? _ ("Mean of Heads") : _ ("No");
  const guint combine = is_of_mean && options->combine_over == HL_COMBINE_OVER_HEADS ? HL_COMBINE_NONE
                                                                                     : options->combine;
  GtkStringList *names = GTK_STRING_LIST (gtk_drop_down_get_model (self->combine));

  if (!g_str_equal (gtk_string_list_get_string (names, HL_COMBINE_NONE), none))
    gtk_string_list_splice (names, HL_COMBINE_NONE, 1, (const char *[]){ none, NULL });
  select_item (self->combine, combine);
  gtk_widget_set_visible (self->over_row, combine != HL_COMBINE_NONE);
  select_item (self->over, options->combine_over);
}

/* What cannot be had says what it needs, and cannot be chosen. */
static void
on_setup (GtkSignalListItemFactory *factory,
          GtkListItem              *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *mark = gtk_image_new_from_icon_name ("object-select-symbolic");

  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *label = gtk_label_new (NULL);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      /* Wider than the button, or what is needed would take many lines. */
      gtk_widget_set_size_request (label, 200, -1);
      gtk_label_set_max_width_chars (GTK_LABEL (label), 28);
      if (i > 0)
        gtk_widget_add_css_class (label, "caption");
      gtk_box_append (GTK_BOX (texts), label);
    }
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (box), texts);
  gtk_box_append (GTK_BOX (box), mark);
  g_object_bind_property (item, "selected", mark, "visible", G_BINDING_SYNC_CREATE);
  gtk_list_item_set_child (item, box);
}

static void
on_bind (HlQuantityPanel          *self,
         GtkListItem              *item,
         GtkSignalListItemFactory *factory)
{
  const HlQuantity quantity = gtk_list_item_get_position (item);
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *title = gtk_widget_get_first_child (gtk_widget_get_first_child (box));
  GtkWidget *need = gtk_widget_get_next_sibling (title);
  g_autoptr (GError) error = NULL;
  const gboolean is_available = state == NULL ||
                                hl_quantity_check (quantity, hl_view_state_get_attention (state), &error);

  gtk_label_set_label (GTK_LABEL (title), _ (hl_quantity_get (quantity)->label));
  /* Of which attention it is spoken need not be said here. */
  const char *needs = hl_quantity_get (quantity)->needs;
  g_autofree char *text = g_error_matches (error, HL_ERROR, HL_ERROR_MISSING) && needs != NULL &&
                              hl_attention_get_quantity (hl_view_state_get_attention (state)) == NULL
                            ? g_strdup_printf (_ ("needs %s"), _ (needs))
                            : g_strdup (error != NULL ? error->message : "");
  g_autofree char *sentence = hl_sentence_new (text);
  gtk_label_set_label (GTK_LABEL (need), sentence);
  gtk_widget_set_visible (need, error != NULL);
  gtk_widget_set_sensitive (box, is_available);
  gtk_list_item_set_activatable (item, is_available);
}

/* Which layers are combined, in the row's words. */
static void
follow_layers (HlQuantityPanel *self,
               HlViewState     *state)
{
  const HlLayerSet *layers = hl_view_state_get_layers (state);
  const HlLayerSet with_heads =
    hl_head_selection_get_layers_with_heads (hl_view_state_get_selection (state), hl_view_state_get_attention (state));
  const guint n_listed = hl_layer_set_count (&with_heads);
  const guint n_layers = hl_attention_get_n_layers (hl_view_state_get_attention (state));
  const guint n_chosen = hl_layer_set_count (layers);
  g_autofree char *list = hl_bits_format (with_heads.bits, n_layers);
  g_autofree char *text = n_listed == n_layers && n_layers > 1
                            ? g_strdup_printf (ngettext ("All %u Layer", "All %u Layers", n_layers), n_layers)
                            : g_strdup_printf (ngettext ("Layer %s", "Layers %s", n_listed), list);

  gtk_widget_set_visible (self->layers_row, hl_view_state_get_shown (state)->merges_layers);
  gtk_label_set_label (self->layers, text);
  gtk_widget_set_opacity (self->all_layers, n_chosen < n_layers ? 1 : 0);
  gtk_widget_set_sensitive (self->all_layers, n_chosen < n_layers);
}

/* Only where queries and keys are the same tokens is there an asymmetry; it is subtracted only where both sides have it. */
static gboolean
has_asymmetry (HlViewState *state)
{
  HlAttention *other = hl_view_state_get_shown (state)->other;

  return hl_lens_has_asymmetry (hl_view_state_get_attention (state)) &&
         (other == NULL || hl_lens_has_asymmetry (other));
}

static void
follow_direction (HlQuantityPanel *self,
                  HlViewState     *state)
{
  static const char *const names[] = { N_ ("As It Is"), N_ ("Transposed"), N_ ("A − Aᵀ") };
  const guint n = has_asymmetry (state) ? 3 : 2;
  const guint direction = hl_view_state_get_options (state)->direction;
  GListModel *model = gtk_drop_down_get_model (self->direction);

  if (model == NULL || g_list_model_get_n_items (model) != n)
    {
      g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
      for (guint i = 0; i < n; i++)
        gtk_string_list_append (list, _ (names[i]));
      gtk_drop_down_set_model (self->direction, G_LIST_MODEL (list));
    }
  select_item (self->direction, direction < n ? direction : HL_DIRECTION_AS_IS);
}

static void
hl_quantity_panel_follow (HlStatePanel *panel,
                          HlViewState  *state,
                          HlChanges     changes)
{
  HlQuantityPanel *self = HL_QUANTITY_PANEL (panel);
  const gboolean charts = state != NULL &&
                          hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->shows_charts;
  const gboolean is_shown = state != NULL && (charts || !hl_view_state_get_shown (state)->is_plain);

  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  if (!is_shown)
    return;
  follow_quantity (self, state);
  follow_combine (self, state);
  /* Charts are of each head's numbers. */
  gtk_widget_set_visible (self->combine_row, !charts);
  gtk_widget_set_visible (self->direction_row, !charts);
  if (charts)
    gtk_widget_set_visible (self->over_row, FALSE);
  follow_layers (self, state);
  follow_direction (self, state);
}

/* Who asks for the mean of heads with one head chosen does not mean that one. */
static void
choose_enough_heads (HlViewState *state)
{
  const HlHeadSet *heads = hl_head_selection_get_combined (hl_view_state_get_selection (state));

  if (hl_view_state_get_shown (state)->merges_heads && hl_head_set_count (heads) <= 1)
    hl_view_state_select_all_heads (state);
}

static void
on_quantity_selected (HlQuantityPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));
  const guint selected = gtk_drop_down_get_selected (self->quantity);

  if (state == NULL || selected == GTK_INVALID_LIST_POSITION)
    return;
  /* A key may have gone on to one that cannot be had. */
  if (!(self->available & (1u << selected)))
    {
      select_item (self->quantity, hl_view_state_get_options (state)->quantity);
      return;
    }
  g_object_freeze_notify (G_OBJECT (state));
  hl_view_state_set_option (state, quantity, selected);
  choose_enough_heads (state);
  g_object_thaw_notify (G_OBJECT (state));
}

static void
on_from_changed (HlQuantityPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state != NULL)
    hl_view_state_set_option (state, rollout_from, (guint) gtk_spin_button_get_value_as_int (self->from));
}

static void
on_combine_selected (HlQuantityPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (state));
  /* Of heads there is nothing left to be combined. */
  if (hl_shown_has_mean_heads (hl_view_state_get_shown (state)) &&
      hl_view_state_get_options (state)->combine_over == HL_COMBINE_OVER_HEADS)
    hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_LAYERS);
  hl_view_state_set_option (state, combine, gtk_drop_down_get_selected (self->combine));
  choose_enough_heads (state);
  g_object_thaw_notify (G_OBJECT (state));
}

static void
on_over_selected (HlQuantityPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));

  if (state == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (state));
  hl_view_state_set_option (state, combine_over, gtk_drop_down_get_selected (self->over));
  choose_enough_heads (state);
  g_object_thaw_notify (G_OBJECT (state));
}

static void
on_all_layers (HlQuantityPanel *self)
{
  const HlLayerSet all = { { 0 } };

  hl_view_state_set_layers (hl_state_panel_get_view_state (HL_STATE_PANEL (self)), &all);
  /* The button is about to go. */
  gtk_widget_grab_focus (GTK_WIDGET (self->over));
}

static void
on_direction_selected (HlQuantityPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));
  const guint selected = gtk_drop_down_get_selected (self->direction);

  if (state != NULL && selected != GTK_INVALID_LIST_POSITION)
    hl_view_state_set_option (state, direction, selected);
}

static void
hl_quantity_panel_class_init (HlQuantityPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_VIEW | HL_CHANGED_ATTENTION | HL_CHANGED_DERIVATION |
                                          HL_CHANGED_LAYERS | HL_CHANGED_CHART | HL_CHANGED_SIDES;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_quantity_panel_follow;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/quantity-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, quantity);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, about);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, from_row);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, from);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, from_adjustment);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, combine_row);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, combine);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, over_row);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, over);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, layers_row);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, layers);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, all_layers);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, direction_row);
  gtk_widget_class_bind_template_child (widget_class, HlQuantityPanel, direction);
  gtk_widget_class_bind_template_callback (widget_class, on_quantity_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_from_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_combine_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_over_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_all_layers);
  gtk_widget_class_bind_template_callback (widget_class, on_direction_selected);
  gtk_widget_class_set_css_name (widget_class, "quantitypanel");
}

static void
hl_quantity_panel_init (HlQuantityPanel *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  G_STATIC_ASSERT (HL_N_QUANTITIES < 32);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, G_CONNECT_SWAPPED);
  hl_late_list_hold (self->quantity, factory);
  hl_late_list_hold (self->combine, NULL);
  hl_late_list_hold (self->over, NULL);
  hl_late_list_hold (self->direction, NULL);
  g_object_unref (factory);
  fill_quantities (self);
  hl_state_panel_explain (GTK_WIDGET (self->quantity), "quantity");
  hl_state_panel_explain (GTK_WIDGET (self->from), "rollout-from");
  hl_state_panel_explain (GTK_WIDGET (self->combine), "combine");
  hl_state_panel_explain (GTK_WIDGET (self->over), "combine-over");
  hl_state_panel_explain (GTK_WIDGET (self->direction), "direction");
}
