/* SPDX-License-Identifier: MIT */
/* Whether pieces are shown as words, and which tokens are left out. What the view or the attention has no use for is not
 * there. */
#include "app/panels/hl-panels.h"

#include "app/widgets/hl-late-list.h"
#include "core/base/hl-side.h"
#include "draw/text/hl-token-label.h"
#include "view/shown/hl-shown-texts.h"

#include <glib/gi18n.h>

/* So many hidden tokens have a row of their own; the others come back with all. */
#define MAX_ROWS 40

struct _HlHidingPanel
{
  HlStatePanel parent_instance;

  GtkWidget *content;
  GtkWidget *words_row;
  GtkWidget *words;
  GtkWidget *special_row;
  GtkWidget *special;
  GtkWidget *first_row;
  GtkWidget *first;
  GtkWidget *padding_row;
  GtkWidget *crop_padding;
  GtkWidget *sentences_row;
  GtkDropDown *sentences;
  GtkWidget *renormalise_row;
  GtkWidget *renormalise;
  GtkWidget *hidden_box;
  GtkWidget *hidden_list;
};

G_DEFINE_FINAL_TYPE (HlHidingPanel, hl_hiding_panel, HL_TYPE_STATE_PANEL)

typedef struct
{
  HlHidingPanel *panel;
  HlSide side;
  gsize token;
} Hidden;

static void
on_unhide (GtkButton *button,
           Hidden    *hidden)
{
  HlHidingPanel *self = hidden->panel;
  HlViewState *state = g_object_ref (hl_state_panel_get_view_state (HL_STATE_PANEL (self)));
  const HlSide side = hidden->side;
  const gsize token = hidden->token;

  /* The button is about to go, and what it points to with it. */
  gtk_widget_grab_focus (self->words);
  hl_view_state_unhide (state, side, token);
  g_object_unref (state);
}

static void
append_row (HlHidingPanel *self,
            const char    *text,
            HlSide         side,
            gsize          token)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *tooltip = g_strdup_printf (_ ("Show %s Again"), text);
  Hidden *hidden = g_new (Hidden, 1);

  *hidden = (Hidden){ self, side, token };
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "circular");
  gtk_widget_add_css_class (button, "hl-small");
  g_signal_connect_data (button, "clicked", G_CALLBACK (on_unhide), hidden, (GClosureNotify) (void (*) (void)) g_free,
                         0);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), button);
  gtk_box_append (GTK_BOX (self->hidden_list), row);
}

/* Of queries, those that have a row as keys are left out. Returns how many there are. */
static gsize
append_side (HlHidingPanel *self,
             HlViewState   *state,
             HlSide         side,
             gsize          n_rows)
{
  HlAttention *attention = hl_view_state_get_attention (state);
  HlTokenSet *const *hidden = hl_view_state_get_hidden (state)->sets;
  const char *const *texts = hl_attention_get_texts (attention, side);
  const gsize n_tokens = hl_attention_get_n (attention, side);
  const gsize n_before = hl_attention_get_n (attention, HL_KEYS) -
                         MIN (hl_attention_get_n (attention, HL_QUERIES), hl_attention_get_n (attention, HL_KEYS));
  gsize n_spans, query;
  const HlTokenSpan *spans = hl_token_set_get_spans (hidden[side], &n_spans);

  for (gsize i = 0; i < n_spans; i++)
    for (gsize token = spans[i].first; token < MIN (spans[i].first + spans[i].n, n_tokens); token++)
      {
        const gboolean is_key_too = side == HL_QUERIES &&
                                    hl_attention_find_query_of_key (attention, token + n_before, &query) &&
                                    query == token && hl_token_set_contains (hidden[HL_KEYS], token + n_before);
        if (is_key_too)
          continue;
        if (n_rows++ >= MAX_ROWS)
          continue;
        g_autofree char *text = hl_token_text_quote (texts[token]);
        /* Translators: a token and its position in the text */
        g_autofree char *label = g_strdup_printf (_ ("%s (%zu)"), text, token);
        append_row (self, label, side, token);
      }
  return n_rows;
}

static void
follow_hidden (HlHidingPanel *self,
               HlViewState   *state)
{
  gsize n;

  for (GtkWidget *row; (row = gtk_widget_get_first_child (self->hidden_list)) != NULL;)
    gtk_box_remove (GTK_BOX (self->hidden_list), row);
  n = append_side (self, state, HL_KEYS, 0);
  n = append_side (self, state, HL_QUERIES, n);
  if (n > MAX_ROWS)
    {
      g_autofree char *text = g_strdup_printf (ngettext ("and %zu more", "and %zu more", n - MAX_ROWS), n - MAX_ROWS);
      GtkWidget *label = gtk_label_new (text);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (GTK_BOX (self->hidden_list), label);
    }
  gtk_widget_set_visible (self->hidden_box, n > 0);
}

static void
follow_attention (HlHidingPanel *self,
                  HlViewState   *state)
{
  HlAttention *attention = hl_view_state_get_attention (state);

  gtk_widget_set_visible (self->sentences_row, hl_attention_get_sentence_b_start (attention) > 0);
  gtk_widget_set_visible (self->padding_row,
                          hl_attention_get_n_used (attention, HL_QUERIES) <
                              hl_attention_get_n (attention, HL_QUERIES) ||
                            hl_attention_get_n_used (attention, HL_KEYS) < hl_attention_get_n (attention, HL_KEYS));
}

/* A choice that the difference cannot follow stays for later; what it says is what is shown. */
static void
follow_sentences (HlHidingPanel *self,
                  HlViewState   *state)
{
  const gboolean can_choose = hl_shown_tells_texts_apart (hl_view_state_get_shown (state));
  const HlSentences sentences = can_choose ? hl_view_state_get_options (state)->sentences : HL_SENTENCES_ALL;

  if (gtk_drop_down_get_selected (self->sentences) != sentences)
    gtk_drop_down_set_selected (self->sentences, sentences);
  gtk_widget_set_sensitive (self->sentences_row, can_choose);
  if (can_choose)
    hl_state_panel_explain (GTK_WIDGET (self->sentences), "sentences");
  else
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->sentences),
                                 _ ("In the difference, the two texts cannot be told apart: all is shown"));
}

static void
hl_hiding_panel_follow (HlStatePanel *panel,
                        HlViewState  *state,
                        HlChanges     changes)
{
  HlHidingPanel *self = HL_HIDING_PANEL (panel);

  gtk_widget_set_sensitive (self->content, state != NULL);
  if (state == NULL)
    return;

  const HlShown *shown = hl_view_state_get_shown (state);
  const gboolean derives = !shown->is_plain;
  gtk_widget_set_visible (self->words_row, derives);
  gtk_widget_set_visible (self->special_row, derives);
  gtk_widget_set_visible (self->first_row, derives);
  gtk_widget_set_visible (self->renormalise_row, derives);
  follow_attention (self, state);
  if (gtk_widget_get_visible (self->sentences_row))
    follow_sentences (self, state);
  if (derives)
    {
      gtk_widget_set_sensitive (self->renormalise_row,
                                hl_view_state_hides (state) && !hl_attention_source_is_signed (shown->original_source));
      follow_hidden (self, state);
    }
  else
    gtk_widget_set_visible (self->hidden_box, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), derives || gtk_widget_get_visible (self->padding_row) ||
                                               gtk_widget_get_visible (self->sentences_row));
}

static void
hl_hiding_panel_class_init (HlHidingPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_VIEW | HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION |
                                          HL_CHANGED_DERIVATION | HL_CHANGED_HIDDEN | HL_CHANGED_TOKENS |
                                          HL_CHANGED_SHOWN_ATTENTION | HL_CHANGED_SIDES;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_hiding_panel_follow;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/hiding-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, words_row);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, words);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, special_row);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, special);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, first_row);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, first);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, padding_row);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, crop_padding);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, sentences_row);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, sentences);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, renormalise_row);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, renormalise);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, hidden_box);
  gtk_widget_class_bind_template_child (widget_class, HlHidingPanel, hidden_list);
  gtk_widget_class_set_css_name (widget_class, "hidingpanel");
}

/* In the order of their enumeration, so that a position is a value. */
static void
fill_sentences (HlHidingPanel *self)
{
  const char *const sentences[] = {
    [HL_SENTENCES_ALL] = _ ("All"),  [HL_SENTENCES_A_TO_A] = "A → A", [HL_SENTENCES_B_TO_B] = "B → B",
    [HL_SENTENCES_A_TO_B] = "A → B", [HL_SENTENCES_B_TO_A] = "B → A", NULL
  };
  g_autoptr (GtkStringList) names = gtk_string_list_new (sentences);

  gtk_drop_down_set_model (self->sentences, G_LIST_MODEL (names));
}

static void
hl_hiding_panel_init (HlHidingPanel *self)
{
  HlStatePanel *panel = HL_STATE_PANEL (self);

  gtk_widget_init_template (GTK_WIDGET (self));
  hl_late_list_hold (self->sentences, NULL);
  fill_sentences (self);
  hl_state_panel_bind (panel, "crop-padding", self->crop_padding);
  hl_state_panel_bind (panel, "sentences", GTK_WIDGET (self->sentences));
  gtk_widget_set_sensitive (self->content, FALSE);
  hl_state_panel_bind (panel, "words", self->words);
  hl_state_panel_bind (panel, "hide-special", self->special);
  hl_state_panel_bind (panel, "hide-first", self->first);
  hl_state_panel_bind (panel, "renormalise", self->renormalise);
}
