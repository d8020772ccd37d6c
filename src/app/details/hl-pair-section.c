/* SPDX-License-Identifier: MIT */
/* The weights are read by a worker; of those that the pointer only passed the newest is read. */
#include "config.h"

#include "app/details/hl-pair-section.h"

#include "app/details/hl-pair-grid.h"
#include "core/base/hl-worker.h"
#include "view/hl-sentence.h"
#include "view/hl-weight-text.h"

#include <glib/gi18n.h>

/* So long the weights of the pair before stay while those of the next are read. */
#define PATIENCE_MILLISECONDS 200

struct _HlPairSection
{
  HlStatePanel parent_instance;

  HlPairWeights *weights; /* what is shown */
  HlPairWeights *running;
  HlPairWeights *wanted;
  GCancellable *cancellable;
  guint patience_id;

  GtkWidget *content;
  HlPairGrid *grid;
  GtkLabel *legend;
};

G_DEFINE_FINAL_TYPE (HlPairSection, hl_pair_section, HL_TYPE_STATE_PANEL)

static HlViewState *
get_state (HlPairSection *self)
{
  return hl_state_panel_get_view_state (HL_STATE_PANEL (self));
}

static void
show (HlPairSection *self,
      HlPairWeights *weights)
{
  char number[HL_WEIGHT_TEXT_SIZE];
  guint layer, head;

  g_set_object (&self->weights, weights);
  hl_pair_grid_set_weights (self->grid, weights);
  if (weights == NULL)
    return;
  if (!hl_pair_weights_find_strongest (weights, &layer, &head))
    {
      gtk_label_set_label (self->legend, "");
      return;
    }
  /* Translators: which head links two words most, and its weight */
  g_autofree char *text =
    g_strdup_printf (_ ("Strongest: layer %u · head %u, %s"), layer, head,
                     hl_weight_text_format ((double) hl_pair_weights_get (weights, layer, head), number));
  gtk_label_set_label (self->legend, text);
}

static void start (HlPairSection *self, HlPairWeights *weights);

static void
run (GTask        *task,
     gpointer      source_object,
     gpointer      task_data,
     GCancellable *cancellable)
{
  GError *error = NULL;

  hl_worker_give_way ();
  if (hl_pair_weights_read (task_data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_run (GObject      *source_object,
        GAsyncResult *result,
        gpointer      data)
{
  g_autoptr (HlPairSection) self = data;
  g_autoptr (HlPairWeights) weights = g_steal_pointer (&self->running);
  g_autoptr (GError) error = NULL;
  const gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  g_clear_object (&self->cancellable);
  if (self->wanted != NULL)
    {
      g_autoptr (HlPairWeights) wanted = g_steal_pointer (&self->wanted);
      start (self, wanted);
      return;
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_handle_id (&self->patience_id, g_source_remove);
  /* Of a pair that cannot be read the cells tell nothing. */
  show (self, weights);
  if (done)
    return;
  g_autofree char *sentence = hl_sentence_of_error (error);
  gtk_label_set_label (self->legend, sentence);
}

static void
start (HlPairSection *self,
       HlPairWeights *weights)
{
  g_assert (self->running == NULL);

  self->running = g_object_ref (weights);
  self->cancellable = g_cancellable_new ();
  /* The task does not own the section: tasks may be finalized in the worker, widgets may not. */
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_run, g_object_ref (self));
  g_task_set_name (task, "[headlight] pair section");
  g_task_set_task_data (task, g_object_ref (weights), g_object_unref);
  g_task_run_in_thread (task, run);
}

static void
stop (HlPairSection *self)
{
  g_clear_handle_id (&self->patience_id, g_source_remove);
  g_clear_object (&self->wanted);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

/* A new one of these is of the pair that is waited for; its cells tell nothing yet. */
static gboolean
on_patience_ended (gpointer data)
{
  HlPairSection *self = data;

  self->patience_id = 0;
  g_autoptr (HlPairWeights) empty = hl_pair_weights_new (get_state (self));
  show (self, empty);
  return G_SOURCE_REMOVE;
}

static void
update (HlPairSection *self)
{
  HlViewState *state = get_state (self);
  g_autoptr (HlPairWeights) question = state != NULL ? hl_pair_weights_new (state) : NULL;

  if (question != NULL && !hl_view_state_check_reading (state, hl_view_state_count_maps (state),
                                                        hl_view_state_get_shown (state)->comparison != NULL, NULL))
    g_clear_object (&question);
  gtk_widget_set_visible (self->content, question != NULL);
  if (question == NULL)
    {
      stop (self);
      show (self, NULL);
      return;
    }
  const HlShown *shown = hl_view_state_get_shown (state);
  hl_pair_grid_set_looks (self->grid, shown->options.colour_map, shown->options.dark);
  hl_pair_grid_set_current (self->grid, shown->layer, shown->head);
  g_clear_object (&self->wanted);
  if (self->running != NULL && !g_cancellable_is_cancelled (self->cancellable) &&
      hl_pair_weights_is_same_question (self->running, question))
    return;
  if (self->weights != NULL && hl_pair_weights_is_same_question (self->weights, question) && self->running == NULL)
    return;
  if (self->weights == NULL)
    show (self, question);
  if (self->patience_id == 0)
    self->patience_id = g_timeout_add (PATIENCE_MILLISECONDS, on_patience_ended, self);
  g_autoptr (HlPairWeights) wanted = hl_pair_weights_new (state);
  if (self->running == NULL)
    {
      start (self, wanted);
      return;
    }
  self->wanted = g_steal_pointer (&wanted);
  g_cancellable_cancel (self->cancellable);
}

static void
on_chosen (HlPairSection *self,
           guint          layer,
           guint          head)
{
  hl_view_state_go_to (get_state (self), layer, head);
}

static void
hl_pair_section_follow (HlStatePanel *panel,
                        HlViewState  *state,
                        HlChanges     changes)
{
  update (HL_PAIR_SECTION (panel));
}

static void
hl_pair_section_dispose (GObject *object)
{
  HlPairSection *self = HL_PAIR_SECTION (object);

  stop (self);
  G_OBJECT_CLASS (hl_pair_section_parent_class)->dispose (object);
  g_clear_object (&self->weights);
}

static void
hl_pair_section_class_init (HlPairSectionClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  HlStatePanelClass *panel_class = HL_STATE_PANEL_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_pair_section_dispose;
  panel_class->changes = HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION | HL_CHANGED_LAYER | HL_CHANGED_HEAD |
                         HL_CHANGED_HEADS | HL_CHANGED_VIEW | HL_CHANGED_COLOURS | HL_CHANGED_THEME |
                         HL_CHANGED_SHOWN_ATTENTION | HL_CHANGED_SOURCE | HL_CHANGED_HOVER | HL_CHANGED_PIN;
  panel_class->follow = hl_pair_section_follow;

  g_type_ensure (HL_TYPE_PAIR_GRID);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/pair-section.ui");
  gtk_widget_class_bind_template_child (widget_class, HlPairSection, content);
  gtk_widget_class_bind_template_child (widget_class, HlPairSection, grid);
  gtk_widget_class_bind_template_child (widget_class, HlPairSection, legend);
  gtk_widget_class_bind_template_callback (widget_class, on_chosen);
  gtk_widget_class_set_css_name (widget_class, "pairsection");
}

static void
hl_pair_section_init (HlPairSection *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
