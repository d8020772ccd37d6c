/* SPDX-License-Identifier: MIT */
/* Which numbers the table of heads has columns for: a button with a list of all, kept in the settings. */
#include "config.h"

#include "app/heads/hl-number-chooser.h"

#include "app/base/hl-settings.h"
#include "app/base/hl-tooltip.h"
#include "core/analysis/number/hl-repeated-text.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>

#define MAX_HEIGHT 480

struct _HlNumberChooser
{
  GtkWidget parent_instance;

  GtkWidget *button;
  GSettings *settings;
  HlViewState *state; /* a weak pointer */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlNumberChooser, hl_number_chooser, GTK_TYPE_WIDGET)

static HlHeadNumberSet
load (GSettings *settings)
{
  g_auto (GStrv) nicks = g_settings_get_strv (settings, "head-numbers");
  HlHeadNumberSet set = 0;

  for (guint i = 0; nicks[i] != NULL; i++)
    {
      HlHeadStat stat;

      if (hl_head_number_find (nicks[i], &stat))
        set |= HL_HEAD_NUMBER_BIT (stat);
    }
  return set;
}

static void
save (GSettings      *settings,
      HlHeadNumberSet set)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (set & HL_HEAD_NUMBER_BIT (stat))
      g_strv_builder_add (builder, hl_head_number_get (stat)->nick);
  g_auto (GStrv) nicks = g_strv_builder_end (builder);
  g_settings_set_strv (settings, "head-numbers", (const char *const *) nicks);
}

/* What somebody chose for the table, now or in a window before. */
HlHeadNumberSet
hl_number_chooser_get_chosen (void)
{
  g_autoptr (GSettings) settings = hl_settings_new ();

  return load (settings);
}

static void
on_toggled (GtkCheckButton  *button,
            HlNumberChooser *self)
{
  const HlHeadStat stat = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "stat"));
  const HlHeadNumberSet set = load (self->settings);
  const HlHeadNumberSet bit = HL_HEAD_NUMBER_BIT (stat);

  save (self->settings, gtk_check_button_get_active (button) ? set | bit : set & ~bit);
}

static GtkWidget *
new_text (const char *text,
          const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 36);
  gtk_widget_add_css_class (label, class);
  return label;
}

/* What the model is run on, of numbers that are of a text of its own. */
static char *
describe_random_text (HlViewState *state)
{
  HlModelCall *call = hl_view_state_get_call (state);
  const HlHeadNumberRequest request = hl_view_state_get_number_request (state);

  if (call == NULL)
    return NULL;
  return g_strdup_printf (_ ("Random text: 2 × %zu tokens, seed %u"),
                          hl_repeated_text_get_period (hl_model_call_get_model (call), request.period),
                          (guint) request.seed);
}

/* What can be chosen is at the top of what cannot, and why it cannot below: once for all that lack the same. */
static void
add_number (HlNumberChooser *self,
            GtkBox          *box,
            HlHeadStat       stat,
            GHashTable      *lacks)
{
  const HlHeadNumber *number = hl_head_number_get (stat);
  GtkWidget *button = gtk_check_button_new_with_label (_ (number->choice));
  const HlHeadNumberRequest request = hl_view_state_get_number_request (self->state);
  g_autoptr (GError) error = NULL;
  const gboolean is_defined = hl_head_number_check (stat, &request, &error);
  g_autofree char *reason = is_defined ? NULL : hl_sentence_of_error (error);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (button), (load (self->settings) & HL_HEAD_NUMBER_BIT (stat)) != 0);
  hl_tooltip_set (button, is_defined ? _ (number->sentence) : reason);
  gtk_widget_set_sensitive (button, is_defined);
  if (!is_defined)
    g_hash_table_add (lacks, g_steal_pointer (&reason));
  g_object_set_data (G_OBJECT (button), "stat", GUINT_TO_POINTER (stat));
  g_signal_connect (button, "toggled", G_CALLBACK (on_toggled), self);
  gtk_box_append (box, button);
}

static void
add_group (HlNumberChooser  *self,
           GtkBox           *box,
           HlHeadNumberGroup group)
{
  g_autoptr (GHashTable) lacks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const HlHeadNumberSet computable = hl_head_number_get_computable ();
  GtkWidget *heading = new_text (hl_head_number_group_get_label (group), "heading");
  gboolean is_empty = TRUE;
  GHashTableIter iter;
  gpointer sentence;

  gtk_widget_set_margin_top (heading, group == 0 ? 0 : 12);
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      if (hl_head_number_get (stat)->group != group || !(computable & HL_HEAD_NUMBER_BIT (stat)))
        continue;
      if (is_empty)
        gtk_box_append (box, heading);
      is_empty = FALSE;
      add_number (self, box, stat, lacks);
    }
  if (is_empty)
    {
      g_object_ref_sink (heading);
      g_object_unref (heading);
    }
  g_autofree char *random = group == HL_HEAD_NUMBER_GROUP_MODEL ? describe_random_text (self->state) : NULL;
  if (random != NULL)
    gtk_box_append (box, new_text (random, "caption"));
  g_hash_table_iter_init (&iter, lacks);
  while (g_hash_table_iter_next (&iter, &sentence, NULL))
    gtk_box_append (box, new_text (sentence, "caption"));
}

/* Made anew each time it opens: what can be told depends on what is open. */
static void
create_popover (GtkMenuButton *button,
                gpointer       data)
{
  HlNumberChooser *self = data;
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), MAX_HEIGHT);
  gtk_widget_set_margin_start (box, 6);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  for (HlHeadNumberGroup group = 0; self->state != NULL && group < HL_N_HEAD_NUMBER_GROUPS; group++)
    add_group (self, GTK_BOX (box), group);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_popover_set_child (GTK_POPOVER (popover), scroller);
  gtk_menu_button_set_popover (button, popover);
}

static void
on_settings_changed (HlNumberChooser *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
hl_number_chooser_dispose (GObject *object)
{
  HlNumberChooser *self = HL_NUMBER_CHOOSER (object);

  g_clear_weak_pointer (&self->state);
  if (self->settings != NULL)
    g_signal_handlers_disconnect_by_data (self->settings, self);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->button, gtk_widget_unparent);
  G_OBJECT_CLASS (hl_number_chooser_parent_class)->dispose (object);
}

static void
hl_number_chooser_class_init (HlNumberChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_number_chooser_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "numberchooser");

  /* Others were chosen. */
  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_NUMBER_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_number_chooser_init (HlNumberChooser *self)
{
  self->settings = hl_settings_new ();
  g_signal_connect_swapped (self->settings, "changed::head-numbers", G_CALLBACK (on_settings_changed), self);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->button), "view-more-symbolic");
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->button), create_popover, self, NULL);
  hl_tooltip_set (self->button, _ ("Numbers in the Table"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Numbers in the Table"), -1);
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
}

void
hl_number_chooser_set_view_state (HlNumberChooser *self,
                                  HlViewState     *state)
{
  g_return_if_fail (HL_IS_NUMBER_CHOOSER (self));

  g_set_weak_pointer (&self->state, state);
}
