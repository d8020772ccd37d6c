/* SPDX-License-Identifier: MIT */
/* A picture that would read far more than the file holds is asked about in its place, and so are numbers of all heads. */
#include "panel-support.h"

#include "app/canvas/hl-reading-note.h"
#include "app/heads/hl-head-work.h"
#include "core/base/hl-error.h"
#include "core/test-attentions.h"

#include <string.h>

typedef struct
{
  HlViewState *state;
  GtkWidget *window;
  HlSceneView *view;
  GtkWidget *note;
} Fixture;

static void
set_up (Fixture      *self,
        gconstpointer data)
{
  g_autoptr (HlExample) example = test_make_hollow_example (9, 4096);
  GtkWidget *overlay = gtk_overlay_new ();

  self->state = hl_view_state_new (example);
  /* Of which no picture reads all. */
  hl_view_state_set_option (self->state, view, HL_VIEW_HEAD_VIEW);
  self->view = g_object_new (HL_TYPE_SCENE_VIEW, NULL);
  self->note = g_object_new (HL_TYPE_READING_NOTE, "scene-view", self->view, NULL);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), GTK_WIDGET (self->view));
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->note);
  self->window = panel_show (overlay, 400, 300);
  hl_scene_view_set_view_state (self->view, self->state);
}

static void
tear_down (Fixture      *self,
           gconstpointer data)
{
  hl_scene_view_set_view_state (self->view, NULL);
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_clear_object (&self->state);
}

static GtkWidget *
get_focus (Fixture *self)
{
  return gtk_root_get_focus (GTK_ROOT (self->window));
}

static void
test_note (Fixture      *self,
           gconstpointer data)
{
  GtkWidget *label = panel_get_child (self->note, "label");
  GtkWidget *button = panel_get_child (self->note, "button");

  g_assert_false (gtk_widget_get_visible (self->note));
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (self->view)));

  /* The keyboard goes along, and so does who asks for the picture. */
  hl_view_state_set_option (self->state, view, HL_VIEW_MODEL);
  g_assert_true (gtk_widget_get_visible (self->note));
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (label)), ==,
                   "This would read 1.1\302\240GiB of numbers, of which the file holds 4 bytes");
  g_assert_true (get_focus (self) == button);
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (self->view)));
  g_assert_true (get_focus (self) == button);
  panel_wait (50);
  g_assert_false (hl_scene_view_get_busy (self->view));

  hl_view_state_set_option (self->state, view, HL_VIEW_HEAD_VIEW);
  g_assert_false (gtk_widget_get_visible (self->note));
  g_assert_true (get_focus (self) == GTK_WIDGET (self->view));

  hl_view_state_set_option (self->state, view, HL_VIEW_MODEL);
  g_assert_true (get_focus (self) == button);
  gtk_widget_activate_action (button, "reading.allow", NULL);
  g_assert_false (gtk_widget_get_visible (self->note));
  g_assert_true (get_focus (self) == GTK_WIDGET (self->view));
  PANEL_WAIT_UNTIL (hl_scene_view_get_busy (self->view));

  /* It is not asked again, and what nobody waits for any more is given up. */
  hl_view_state_set_option (self->state, view, HL_VIEW_HEAD_VIEW);
  hl_view_state_set_option (self->state, view, HL_VIEW_MODEL);
  g_assert_false (gtk_widget_get_visible (self->note));
}

/* Those of the table of heads. */
static void
test_numbers (Fixture      *self,
              gconstpointer data)
{
  g_autoptr (HlHeadWork) work = hl_head_work_new ();

  hl_head_work_set_view_state (work, self->state);
  hl_head_work_set_wanted (work, TRUE);
  PANEL_WAIT_UNTIL (hl_head_work_get_error (work) != NULL);
  g_assert_true (g_error_matches (hl_head_work_get_error (work), HL_ERROR, HL_ERROR_TOO_LARGE));
  g_assert_nonnull (strstr (hl_head_work_get_error (work)->message, "1.1"));
  g_assert_cmpfloat (hl_head_work_get_fraction (work), <, 1);

  /* Going on is to allow it. */
  hl_head_work_resume (work);
  PANEL_WAIT_UNTIL (hl_head_work_get_error (work) == NULL);
  g_assert_true (hl_head_work_get_busy (work));
  g_assert_true (hl_view_state_get_allows_expansion (self->state));
  hl_head_work_stop (work);
  hl_head_work_set_view_state (work, NULL);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add ("/reading-note/note", Fixture, NULL, set_up, test_note, tear_down);
  g_test_add ("/reading-note/numbers", Fixture, NULL, set_up, test_numbers, tear_down);
  return g_test_run ();
}
