/* SPDX-License-Identifier: MIT */
/* The panel of predictions: what it says is what the model says, of the token in focus; a click goes to the layer. */
#include "model-support.h"
#include "panel-support.h"

#include "app/tokens/hl-prediction-panel.h"
#include "app/tokens/hl-prediction-work.h"
#include "core/model/hl-model-run.h"

#include <adwaita.h>
#include <string.h>

static HlViewState *
make_state (HlModel    *model,
            const char *words)
{
  g_autoptr (GError) error = NULL;
  const HlModelText text = { .text = words, .target_text = hl_model_has_decoder (model) ? words : NULL };
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);

  g_assert_no_error (error);
  g_assert_true (hl_model_run_execute (run, NULL, NULL, &error));
  g_autoptr (HlExample) example = hl_document_get_example (hl_model_run_get_document (run), 0, NULL, NULL);
  HlViewState *state = hl_view_state_new (example);
  hl_view_state_set_call (state, hl_model_run_get_call (run));
  return state;
}

static const char *
get_title (GtkWidget *panel)
{
  return gtk_label_get_label (GTK_LABEL (panel_get_child (panel, "title")));
}

static void
count (guint *n)
{
  (*n)++;
}

static void
test_answers (void)
{
  GFile *folder = model_folder_new ("mistral");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_autoptr (HlViewState) state = make_state (model, "w5 w6 w7 w8");
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  const HlPredictionRequest request = { .n_candidates = HL_PREDICTION_TOP, .all_layers = TRUE, .position = -1 };
  HlModelCall *call = hl_view_state_get_call (state);
  g_autoptr (HlPrediction)
    expected = hl_prediction_new (head, hl_model_call_get_input (call), &request, NULL, NULL, &error);
  g_autoptr (HlPredictionWork) work = hl_prediction_work_new ();
  guint n_answers = 0;

  g_assert_no_error (error);
  g_signal_connect_swapped (work, "answered", G_CALLBACK (count), &n_answers);
  hl_prediction_work_ask (work, call, -1);
  PANEL_WAIT_UNTIL (n_answers == 1);
  g_assert_cmpuint (hl_prediction_work_get_position (work), ==, 3);
  g_assert_cmpstr (hl_prediction_work_get_subject (work), ==, "w8");
  /* Of many questions the last is answered. */
  for (guint position = 0; position < 3; position++)
    hl_prediction_work_ask (work, call, position);
  PANEL_WAIT_UNTIL (hl_prediction_work_get_position (work) == 2);
  g_assert_false (hl_prediction_work_is_masked (work));
  g_assert_cmpuint (hl_prediction_work_get_n_rows (work), ==, 4);
  for (guint row = 0; row < 4; row++)
    {
      const HlCandidate *ours = hl_prediction_work_get_row (work, row);
      const HlCandidate *theirs = hl_prediction_get_candidates (expected, row, 2);

      g_assert_cmpuint (ours[0].id, ==, theirs[0].id);
      g_assert_cmpfloat_with_epsilon (ours[0].probability, theirs[0].probability, 1e-5);
    }
  hl_prediction_work_ask (work, NULL, -1);
  model_folder_remove (folder);
}

static void
test_panel (void)
{
  GFile *folder = model_folder_new ("mistral");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_autoptr (HlViewState) state = make_state (model, "w5 w6 w7 w8");
  GtkWidget *panel = g_object_new (HL_TYPE_PREDICTION_PANEL, NULL);
  GtkWidget *window = panel_show (panel, 260, 400);
  GtkListBox *layers = GTK_LIST_BOX (panel_get_child (panel, "layers"));
  const HlPick query = { .kind = HL_PICK_QUERY, .query = 1 };

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  PANEL_WAIT_UNTIL (strstr (get_title (panel), "“w8” (3)") != NULL);
  hl_view_state_set_hovered (state, &query);
  PANEL_WAIT_UNTIL (strstr (get_title (panel), "“w6” (1)") != NULL);
  /* The embeddings and three layers. */
  g_assert_nonnull (gtk_list_box_get_row_at_index (layers, 3));
  g_assert_null (gtk_list_box_get_row_at_index (layers, 4));
  g_signal_emit_by_name (layers, "row-activated", gtk_list_box_get_row_at_index (layers, 3));
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);
  g_signal_emit_by_name (layers, "row-activated", gtk_list_box_get_row_at_index (layers, 0));
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), NULL);
  g_assert_false (gtk_widget_get_visible (panel_get_child (panel, "content")));
  gtk_window_destroy (GTK_WINDOW (window));
  model_folder_remove (folder);
}

/* Rows are layers of what predicts, also while the other part of the model is looked at. */
static void
test_encoder (void)
{
  GFile *folder = model_folder_new ("t5");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_autoptr (HlViewState) state = make_state (model, "w5 w6 w7 w8");
  HlExample *example = hl_view_state_get_example (state);
  GtkWidget *panel = g_object_new (HL_TYPE_PREDICTION_PANEL, NULL);
  GtkWidget *window = panel_show (panel, 260, 400);
  GtkListBox *layers = GTK_LIST_BOX (panel_get_child (panel, "layers"));

  hl_view_state_set_attention (state, hl_example_find_attention (example, HL_ATTENTION_ENCODER));
  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  PANEL_WAIT_UNTIL (gtk_list_box_get_row_at_index (layers, 2) != NULL);
  g_signal_emit_by_name (layers, "row-activated", gtk_list_box_get_row_at_index (layers, 2));
  g_assert_cmpint (hl_attention_get_kind (hl_view_state_get_attention (state)), ==, HL_ATTENTION_DECODER);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 1);

  /* Both attentions of the decoder are of its layers. */
  hl_view_state_set_attention (state, hl_example_find_attention (example, HL_ATTENTION_CROSS));
  g_signal_emit_by_name (layers, "row-activated", gtk_list_box_get_row_at_index (layers, 1));
  g_assert_cmpint (hl_attention_get_kind (hl_view_state_get_attention (state)), ==, HL_ATTENTION_CROSS);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 0);

  gtk_window_destroy (GTK_WINDOW (window));
  model_folder_remove (folder);
}

/* Weights that hold no head have their sentence. */
static void
test_no_head (void)
{
  GFile *folder = model_folder_new ("bert");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_autoptr (HlViewState) state = make_state (model, "w5 w6");
  GtkWidget *panel = g_object_new (HL_TYPE_PREDICTION_PANEL, NULL);
  GtkWidget *window = panel_show (panel, 260, 400);
  GtkWidget *reason = panel_get_child (panel, "reason");

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  PANEL_WAIT_UNTIL (gtk_widget_get_visible (reason) &&
                    strstr (gtk_label_get_label (GTK_LABEL (reason)), "no head") != NULL);
  g_assert_false (gtk_widget_get_visible (panel_get_child (panel, "answer")));
  gtk_window_destroy (GTK_WINDOW (window));
  model_folder_remove (folder);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/prediction-panel/answers", test_answers);
  g_test_add_func ("/prediction-panel/panel", test_panel);
  g_test_add_func ("/prediction-panel/encoder", test_encoder);
  g_test_add_func ("/prediction-panel/no-head", test_no_head);
  return g_test_run ();
}
