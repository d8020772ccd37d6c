/* SPDX-License-Identifier: MIT */
/* A text whose computation was stopped after its first layer: whoever asks for another is told so, and waits no longer. */
#include "model-support.h"
#include "panel-support.h"

#include "app/canvas/hl-scene-view.h"
#include "app/details/hl-head-page.h"
#include "app/details/hl-pair-section.h"
#include "app/heads/hl-head-work.h"
#include "app/tokens/hl-token-panel.h"
#include "core/base/hl-error.h"
#include "core/model/hl-model-run.h"

#define SAID "Layer 1 was not computed"

static void
take_first (const HlLayerProjections *projections,
            gpointer                  run)
{
  g_autoptr (GError) error = NULL;

  if (projections->layer == 0)
    hl_model_run_take_layer (run, projections, &error);
  g_assert_no_error (error);
}

static HlViewState *
make_state (void)
{
  GFile *folder = model_folder_new ("mistral");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_assert_no_error (error);
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &(HlModelText){ .text = "w5 w6 w7 w8" }, &error);
  g_assert_no_error (error);
  const HlModelInput *input = hl_model_call_get_input (hl_model_run_get_call (run));
  g_autoptr (HlExample) example = hl_document_get_example (hl_model_run_get_document (run), 0, NULL, NULL);

  g_assert_true (hl_model_forward (model, input, take_first, run, NULL, NULL, &error));
  model_folder_remove (folder);
  return hl_view_state_new (example);
}

static gboolean
says (GtkWidget  *panel,
      const char *label)
{
  return g_str_equal (gtk_label_get_label (GTK_LABEL (panel_get_child (panel, label))), SAID);
}

static void
test_token_panel (void)
{
  g_autoptr (HlViewState) state = make_state ();
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, "view-state", state, NULL);
  GtkWidget *window = panel_show (panel, 260, 700);
  GtkStack *stack = GTK_STACK (panel_get_child (panel, "stack"));

  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_QUERY, .query = 2 });
  PANEL_WAIT_UNTIL (g_str_equal (gtk_stack_get_visible_child_name (stack), "token"));
  hl_view_state_set_layer (state, 1);
  PANEL_WAIT_UNTIL (g_str_equal (gtk_stack_get_visible_child_name (stack), "hint"));
  g_assert_true (says (panel, "hint"));
  hl_view_state_set_layer (state, 0);
  PANEL_WAIT_UNTIL (g_str_equal (gtk_stack_get_visible_child_name (stack), "token"));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What is told of a pair is of all layers. */
static void
test_pair_section (void)
{
  g_autoptr (HlViewState) state = make_state ();
  GtkWidget *section = g_object_new (HL_TYPE_PAIR_SECTION, "view-state", state, NULL);
  GtkWidget *window = panel_show (section, 260, 300);

  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_CELL, .query = 2, .key = 1 });
  PANEL_WAIT_UNTIL (says (section, "legend"));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_head_page (void)
{
  g_autoptr (HlViewState) state = make_state ();
  GtkWidget *page = g_object_new (HL_TYPE_HEAD_PAGE, "view-state", state, NULL);
  GtkWidget *window = panel_show (page, 260, 700);
  GtkWidget *content = panel_get_child (page, "content");

  PANEL_WAIT_UNTIL (gtk_widget_get_visible (content));
  hl_view_state_set_layer (state, 1);
  PANEL_WAIT_UNTIL (!gtk_widget_get_visible (content));
  g_assert_true (says (page, "hint"));
  hl_view_state_set_layer (state, 0);
  PANEL_WAIT_UNTIL (gtk_widget_get_visible (content));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The heads of the first layer have their numbers, however many are read at a time; then it is over. */
static void
test_head_work (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlHeadWork) work = hl_head_work_new ();

  hl_head_work_set_wanted (work, TRUE);
  hl_head_work_set_view_state (work, state);
  PANEL_WAIT_UNTIL (!hl_head_work_get_busy (work));
  g_assert_error (hl_head_work_get_error (work), HL_ERROR, HL_ERROR_NOT_COMPUTED);
  g_assert_cmpuint (hl_head_numbers_get_n_known (hl_view_state_get_numbers (state),
                                                 HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_ENTROPY)),
                    ==, hl_attention_get_n_heads (hl_view_state_get_attention (state), 0));
}

static void
count (guint *n)
{
  (*n)++;
}

/* Over the picture stands a note of it, and it is nothing that went wrong. */
static void
test_picture (void)
{
  g_autoptr (HlViewState) state = make_state ();
  GtkWidget *view = g_object_new (HL_TYPE_SCENE_VIEW, "view-state", state, NULL);
  guint n_finished = 0;

  hl_view_state_set_layer (state, 1);
  g_signal_connect_swapped (view, "finished", G_CALLBACK (count), &n_finished);
  GtkWidget *window = panel_show (view, 300, 300);
  PANEL_WAIT_UNTIL (n_finished > 0 && !hl_scene_view_get_busy (HL_SCENE_VIEW (view)));
  g_assert_null (hl_scene_view_get_error (HL_SCENE_VIEW (view)));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/not-computed/token-panel", test_token_panel);
  g_test_add_func ("/not-computed/pair-section", test_pair_section);
  g_test_add_func ("/not-computed/head-page", test_head_page);
  g_test_add_func ("/not-computed/head-work", test_head_work);
  g_test_add_func ("/not-computed/picture", test_picture);
  return g_test_run ();
}
