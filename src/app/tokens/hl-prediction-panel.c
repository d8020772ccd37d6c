/* SPDX-License-Identifier: MIT */
/* The likeliest tokens as bars, and below them, one row a layer, what the stream would say if the model ended there. */
#include "config.h"

#include "app/tokens/hl-prediction-panel.h"

#include "app/tokens/hl-chance-bar.h"
#include "app/tokens/hl-prediction-work.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>

struct _HlPredictionPanel
{
  HlStatePanel parent_instance;

  HlPredictionWork *work;
  HlModelCall *call; /* that was asked about; only compared */

  GtkWidget *content;
  GtkLabel *title;
  GtkLabel *reason;
  GtkWidget *answer;
  GtkBox *bars;
  GtkListBox *layers;
  guint n_rows; /* of layers */
};

G_DEFINE_FINAL_TYPE (HlPredictionPanel, hl_prediction_panel, HL_TYPE_STATE_PANEL)

/* The position that is looked at; negative for none. Keys of the encoder are not what a decoder predicts. */
static gint64
get_position (HlViewState *state)
{
  const HlPick *focus = hl_view_state_get_focus (state);
  const HlAttentionKind kind = hl_attention_get_kind (hl_view_state_get_attention (state));
  const HlShown *shown = hl_view_state_get_shown (state);
  gsize token;

  if (kind == HL_ATTENTION_ENCODER)
    return -1;
  if (hl_shown_find_token (shown, focus, HL_QUERIES, &token) ||
      (kind != HL_ATTENTION_CROSS && hl_shown_find_token (shown, focus, HL_KEYS, &token)))
    return (gint64) token;
  return -1;
}

/* A row for the embeddings and one for each layer, made anew only for another model. */
static void
make_rows (HlPredictionPanel *self,
           guint              n_rows)
{
  if (self->n_rows == n_rows)
    return;
  self->n_rows = n_rows;
  while (gtk_list_box_get_row_at_index (self->layers, 0) != NULL)
    gtk_list_box_remove (self->layers, GTK_WIDGET (gtk_list_box_get_row_at_index (self->layers, 0)));
  for (guint row = 0; row < n_rows; row++)
    {
      /* Translators: before the first layer; a short word that stands where the others have a number */
      g_autofree char *lead = row == 0 ? g_strdup (_ ("in")) : g_strdup_printf ("%u", row - 1);
      gtk_list_box_append (self->layers, hl_chance_bar_new (lead));
    }
}

static void
show_answer (HlPredictionPanel *self)
{
  const guint n_rows = hl_prediction_work_get_n_rows (self->work), n_top = hl_prediction_work_get_n_top (self->work);
  const HlCandidate *last = hl_prediction_work_get_row (self->work, n_rows - 1);
  const char *subject = hl_prediction_work_get_subject (self->work);
  /* Translators: %s is a token of the text, %zu its position */
  const char *format = hl_prediction_work_is_masked (self->work) ? _ ("In place of “%s” (%zu)")
                                                                 : _ ("Next after “%s” (%zu)");
  if (hl_prediction_work_tells_classes (self->work))
    /* Translators: what a model says is seen in an image, by its token %s at position %zu */
    format = _ ("Class by “%s” (%zu)");
  g_autofree char *title = g_strdup_printf (format, subject, hl_prediction_work_get_position (self->work));
  GtkWidget *bar = gtk_widget_get_first_child (GTK_WIDGET (self->bars));

  gtk_label_set_label (self->title, title);
  for (guint rank = 0; bar != NULL; rank++, bar = gtk_widget_get_next_sibling (bar))
    {
      gtk_widget_set_visible (bar, rank < n_top);
      if (rank < n_top)
        hl_chance_bar_set (HL_CHANCE_BAR (bar), hl_prediction_work_get_label (self->work, n_rows - 1, rank),
                           last[rank].probability);
    }
  make_rows (self, n_rows);
  for (guint row = 0; row < n_rows; row++)
    hl_chance_bar_set (HL_CHANCE_BAR (
                         gtk_list_box_row_get_child (gtk_list_box_get_row_at_index (self->layers, (int) row))),
                       hl_prediction_work_get_label (self->work, row, 0),
                       hl_prediction_work_get_row (self->work, row)[0].probability);
}

static void
on_answered (HlPredictionPanel *self)
{
  const GError *error = hl_prediction_work_get_error (self->work);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  gtk_widget_set_sensitive (self->answer, TRUE);
  gtk_widget_set_visible (self->content, TRUE);
  gtk_widget_set_visible (self->answer, error == NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->reason), error != NULL);
  if (error != NULL)
    {
      gtk_label_set_label (self->title, _ ("Predictions"));
      g_autofree char *reason = hl_sentence_of_error (error);
      gtk_label_set_label (self->reason, reason);
    }
  else
    {
      show_answer (self);
    }
}

/* The layer whose attention makes the row, which the encoder does not. */
static void
on_layer_activated (HlPredictionPanel *self,
                    GtkListBoxRow     *row)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));
  const int index = gtk_list_box_row_get_index (row);

  if (state == NULL || index == 0)
    return;
  HlAttention *decoder = hl_attention_get_kind (hl_view_state_get_attention (state)) == HL_ATTENTION_ENCODER
                           ? hl_example_find_attention (hl_view_state_get_example (state), HL_ATTENTION_DECODER)
                           : NULL;
  g_object_freeze_notify (G_OBJECT (state));
  if (decoder != NULL)
    hl_view_state_set_attention (state, decoder);
  hl_view_state_set_layer (state, (guint) index - 1);
  g_object_thaw_notify (G_OBJECT (state));
}

static void
hl_prediction_panel_follow (HlStatePanel *panel,
                            HlViewState  *state,
                            HlChanges     changes)
{
  HlPredictionPanel *self = HL_PREDICTION_PANEL (panel);
  HlModelCall *call = state != NULL ? hl_view_state_get_call (state) : NULL;

  if (call == NULL)
    gtk_widget_set_visible (self->content, FALSE);
  /* What is there is of another text until the answer comes. */
  if (call != self->call)
    {
      gtk_widget_set_sensitive (self->answer, FALSE);
      gtk_label_set_label (self->title, _ ("Predictions…"));
    }
  self->call = call;
  hl_prediction_work_ask (self->work, call, call != NULL ? get_position (state) : -1);
}

static void
hl_prediction_panel_dispose (GObject *object)
{
  HlPredictionPanel *self = HL_PREDICTION_PANEL (object);

  if (self->work != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->work, self);
      hl_prediction_work_ask (self->work, NULL, -1);
    }
  g_clear_object (&self->work);
  G_OBJECT_CLASS (hl_prediction_panel_parent_class)->dispose (object);
}

static void
hl_prediction_panel_class_init (HlPredictionPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  HlStatePanelClass *panel_class = HL_STATE_PANEL_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_prediction_panel_dispose;
  panel_class->changes = HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION | HL_CHANGED_HOVER | HL_CHANGED_PIN;
  panel_class->follow = hl_prediction_panel_follow;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/prediction-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlPredictionPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlPredictionPanel, title);
  gtk_widget_class_bind_template_child (widget_class, HlPredictionPanel, reason);
  gtk_widget_class_bind_template_child (widget_class, HlPredictionPanel, answer);
  gtk_widget_class_bind_template_child (widget_class, HlPredictionPanel, bars);
  gtk_widget_class_bind_template_child (widget_class, HlPredictionPanel, layers);
  gtk_widget_class_bind_template_callback (widget_class, on_layer_activated);
  gtk_widget_class_set_css_name (widget_class, "predictionpanel");
}

static void
hl_prediction_panel_init (HlPredictionPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < HL_PREDICTION_TOP; i++)
    gtk_box_append (self->bars, hl_chance_bar_new (NULL));
  self->work = hl_prediction_work_new ();
  g_signal_connect_swapped (self->work, "answered", G_CALLBACK (on_answered), self);
}
