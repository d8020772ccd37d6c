/* SPDX-License-Identifier: MIT */
/* The panel that tells about the token in focus: what it attends to or what attends to it, strongest first, in numbers.
 * The numbers are read by a worker. Title and rows change together when they have come, so that no row ever stands
 * under a title that it does not belong to. */
#include "app/tokens/hl-token-panel-private.h"

#include "core/base/hl-worker.h"

#include <glib/gi18n.h>

/* So long the rows of the token before stay while those of the next are read; then they go, for they mislead. */
#define PATIENCE_MILLISECONDS 150

G_DEFINE_FINAL_TYPE (HlTokenPanel, hl_token_panel, HL_TYPE_STATE_PANEL)

static void start_reading (HlTokenPanel *self);

static gboolean
on_patience_ended (gpointer user_data)
{
  HlTokenPanel *self = HL_TOKEN_PANEL (user_data);

  self->patience_id = 0;
  hl_token_panel_show_wait (self, self->wanted != NULL ? self->wanted : self->running);
  return G_SOURCE_REMOVE;
}

static void
read_weights (GTask        *task,
              gpointer      source_object,
              gpointer      task_data,
              GCancellable *cancellable)
{
  GError *error = NULL;

  hl_worker_give_way ();
  if (hl_token_weights_read (HL_TOKEN_WEIGHTS (task_data), cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_read (GObject      *source_object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr (HlTokenPanel) self = user_data;
  g_autoptr (HlTokenWeights) weights = g_steal_pointer (&self->running);
  g_autoptr (GError) error = NULL;
  const gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  g_clear_object (&self->cancellable);
  if (self->wanted != NULL)
    {
      start_reading (self);
      return;
    }
  /* Cancelled, and nothing wanted instead: the focus is gone, or the widget. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_handle_id (&self->patience_id, g_source_remove);
  if (done)
    hl_token_panel_show_weights (self, weights);
  else
    hl_token_panel_show_hint (self, error->message);
}

static void
start_reading (HlTokenPanel *self)
{
  g_assert (self->running == NULL);

  self->running = g_steal_pointer (&self->wanted);
  self->cancellable = g_cancellable_new ();
  /* The task does not own the panel: tasks may be finalized in the worker, widgets may not. */
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_read, g_object_ref (self));
  g_task_set_name (task, "[headlight] token panel");
  g_task_set_task_data (task, g_object_ref (self->running), g_object_unref);
  g_task_run_in_thread (task, read_weights);
}

static void
stop_reading (HlTokenPanel *self)
{
  g_clear_handle_id (&self->patience_id, g_source_remove);
  g_clear_object (&self->wanted);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

/* Here, or in the picture beside, where there may be tokens that this one does not have. */
static gboolean
has_focus (HlTokenPanel *self)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));

  return state != NULL && (hl_view_state_get_focus (state)->kind != HL_PICK_NONE ||
                           (self->beside != NULL && hl_view_state_get_focus (self->beside)->kind != HL_PICK_NONE));
}

/* Asks for what is in focus, unless it is shown or on its way. One question at a time is read and the newest waits:
 * those that the pointer only passed are never read. */
static void
update (HlTokenPanel *self)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  g_autoptr (HlTokenWeights) question = NULL;
  HlTokenWeights *answer = hl_token_list_get_weights (self->list);

  if (!has_focus (self))
    {
      stop_reading (self);
      hl_token_panel_show_hint (self, state != NULL && hl_view_state_get_view (state) == HL_VIEW_MODEL
                                        ? _ ("Point at a head to see it larger")
                                        : _ ("Point at a token to see what it attends to"));
      return;
    }
  question = hl_token_weights_new (state);
  if (question == NULL)
    {
      stop_reading (self);
      hl_token_panel_show_hint (self, _ ("No head is shown"));
      return;
    }
  if (answer != NULL && hl_token_weights_is_same_question (answer, question))
    {
      stop_reading (self);
      hl_token_panel_update_marks (self);
      return;
    }

  g_clear_object (&self->wanted);
  if (self->running != NULL && !g_cancellable_is_cancelled (self->cancellable) &&
      hl_token_weights_is_same_question (self->running, question))
    return;
  self->wanted = g_steal_pointer (&question);
  if (self->patience_id == 0)
    self->patience_id = g_timeout_add (PATIENCE_MILLISECONDS, on_patience_ended, self);
  if (self->running == NULL)
    start_reading (self);
  else
    g_cancellable_cancel (self->cancellable);
}

static void
on_beside_notify (HlTokenPanel *self,
                  GParamSpec   *pspec)
{
  static const char *const of_interest[] = { "hovered", "pinned", "source", "shown-source",
                                             "heads",   "head",   "layer",  NULL };

  if (g_strv_contains (of_interest, pspec->name))
    update (self);
}

static void
follow_beside (HlTokenPanel *self,
               HlViewState  *beside)
{
  if (self->beside == beside)
    return;
  if (self->beside != NULL)
    g_clear_signal_handler (&self->beside_id, self->beside);
  g_set_object (&self->beside, beside);
  if (beside != NULL)
    self->beside_id = g_signal_connect_swapped (beside, "notify", G_CALLBACK (on_beside_notify), self);
}

/* Another state is another document: nothing that was read or is being read says anything about it. */
static void
forget (HlTokenPanel *self,
        HlViewState  *state)
{
  stop_reading (self);
  hl_token_list_set_weights (self->list, NULL);
  if (state != NULL)
    hl_token_list_reserve (self->list, hl_attention_get_n_keys (hl_view_state_get_shown_attention (state)));
}

static void
hl_token_panel_follow (HlStatePanel *panel,
                       HlViewState  *state,
                       const char   *property)
{
  static const char *const idle[] = { "dark", "colour-map", "value-scale", NULL };
  HlTokenPanel *self = HL_TOKEN_PANEL (panel);

  if (property == NULL || g_str_equal (property, "beside"))
    follow_beside (self, state != NULL ? hl_view_state_get_beside (state) : NULL);
  if (property == NULL)
    forget (self, state);
  if (property == NULL || !g_strv_contains (idle, property))
    update (self);
}

static void
hl_token_panel_dispose (GObject *object)
{
  HlTokenPanel *self = HL_TOKEN_PANEL (object);

  stop_reading (self);
  follow_beside (self, NULL);
  G_OBJECT_CLASS (hl_token_panel_parent_class)->dispose (object);
  g_clear_object (&self->list);
}

static void
hl_token_panel_class_init (HlTokenPanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hl_token_panel_dispose;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_token_panel_follow;

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/token-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, hint);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, shown);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, title);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, subtitle);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, detail);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, pin);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, scroller);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, view);
  hl_token_panel_install_rows (widget_class);
  gtk_widget_class_set_css_name (widget_class, "tokenpanel");
}

static void
hl_token_panel_init (HlTokenPanel *self)
{
  g_autoptr (GtkSelectionModel) selection = NULL;

  self->list = hl_token_list_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->list))));
  gtk_list_view_set_model (GTK_LIST_VIEW (self->view), selection);
  update (self);
}

/**
 * hl_token_panel_new:
 *
 * Returns: (transfer floating): a panel with nothing to tell yet
 */
GtkWidget *
hl_token_panel_new (void)
{
  return g_object_new (HL_TYPE_TOKEN_PANEL, NULL);
}
