/* SPDX-License-Identifier: MIT */
/* The panel of experiments: without head 5·2 “Paris” falls from 0.61 to 0.12. It follows the heads that are chosen and the token that is pinned;
 * what is computed of what was chosen before is cancelled and dropped. All heads are switched off one by one when somebody asks for it: then
 * their numbers are those of the table. */
#include "app/experiment/hl-experiment-panel.h"

#include "app/experiment/hl-experiment-job.h"
#include "app/widgets/hl-text-guard.h"
#include "core/analysis/hl-experiment-text.h"
#include "core/base/hl-utf8.h"
#include "core/base/text/hl-bidi.h"
#include "view/hl-sentence.h"
#include "view/pick/hl-pick-sides.h"

#include <glib/gi18n.h>
#include <math.h>

/* Heads that are listed of all. */
#define MAX_HEADS 8

/* So often the progress of all heads is shown, in milliseconds. */
#define PROGRESS_INTERVAL 100

struct _HlExperimentPanel
{
  HlStatePanel parent_instance;

  HlExperiment *wanted;
  HlExperiment *shown;
  GCancellable *cancellable;
  guint idle;
  HlExperiment *all;    /* every head by itself, while it is computed */
  HlExperiment *listed; /* that which is listed */
  GCancellable *all_cancellable;
  HlProgress *progress;
  guint progress_id;

  GtkWidget *content;
  GtkLabel *position;
  GtkEditable *token;
  GtkDropDown *method;
  GtkDropDown *heads;
  GtkLabel *intact;
  GtkLabel *sentence;
  GtkLabel *note;
  GtkWidget *run_all;
  GtkWidget *stop;
  GtkWidget *progress_row;
  GtkProgressBar *progress_bar;
  GtkWidget *effects_part;
  GtkListBox *effects;
  GtkWidget *items_part;
  GtkLabel *logit;
  GtkListBox *items;
  GtkLabel *explanation;
};

G_DEFINE_FINAL_TYPE (HlExperimentPanel, hl_experiment_panel, HL_TYPE_STATE_PANEL)

static HlViewState *
get_state (HlExperimentPanel *self)
{
  return hl_state_panel_get_view_state (HL_STATE_PANEL (self));
}

static HlHeadEditKind
get_kind (HlExperimentPanel *self)
{
  return gtk_drop_down_get_selected (self->method) == 1 ? HL_HEAD_UNIFORM : HL_HEAD_ZERO;
}

/* A label that is there only when it says something. */
static void
say (GtkLabel   *label,
     const char *text)
{
  gtk_label_set_label (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL);
}

static void
say_error (GtkLabel     *label,
           const GError *error)
{
  g_autofree char *sentence = hl_sentence_of_error (error);

  say (label, sentence);
}

/* The token that is pinned, if it is of the text whose next or masked token is predicted. */
static gint64
get_position (HlViewState *state)
{
  const HlPick *pinned = hl_view_state_get_pinned (state);
  const HlAttentionKind kind = hl_attention_get_kind (hl_view_state_get_attention (state));
  const HlShown *shown = hl_view_state_get_shown (state);
  gsize token;

  if (kind == HL_ATTENTION_ENCODER)
    return -1;
  if (hl_shown_find_token (shown, pinned, HL_QUERIES, &token) ||
      (kind != HL_ATTENTION_CROSS && hl_shown_find_token (shown, pinned, HL_KEYS, &token)))
    return (gint64) token;
  return -1;
}

static void
add_edit (GArray        *edits,
          HlViewState   *state,
          guint          layer,
          guint          head,
          HlHeadEditKind kind)
{
  const HlHeadEdit edit = { hl_attention_get_kind (hl_view_state_get_attention (state)), layer, head, kind };

  g_array_append_val (edits, edit);
}

/* The head that leads, or all that are chosen. */
static GArray *
list_edits (HlExperimentPanel *self,
            HlViewState       *state)
{
  GArray *edits = g_array_new (FALSE, FALSE, sizeof (HlHeadEdit));
  const HlHeadSet *heads = hl_view_state_get_heads (state);
  const HlHeadEditKind kind = get_kind (self);
  const guint layer = hl_view_state_get_layer (state);
  guint n_others;
  const HlHeadPlace *others = hl_head_selection_get_others (hl_view_state_get_selection (state), &n_others);

  if (gtk_drop_down_get_selected (self->heads) == 0)
    {
      add_edit (edits, state, layer, hl_view_state_get_head (state), kind);
      return edits;
    }
  for (guint head = 0; head < hl_view_state_get_n_heads (state); head++)
    if (hl_head_set_contains (heads, head))
      add_edit (edits, state, layer, head, kind);
  for (guint i = 0; i < n_others; i++)
    add_edit (edits, state, others[i].layer, others[i].head, kind);
  return edits;
}

static HlExperiment *
new_experiment (HlExperimentPanel *self,
                HlViewState       *state,
                const HlHeadEdit  *edits,
                gsize              n_edits)
{
  return hl_experiment_new (hl_view_state_get_call (state), hl_view_state_get_example (state), get_position (state),
                            gtk_editable_get_text (self->token), edits, n_edits);
}

static void
cut_list (GtkListBox *list,
          int         n_rows)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (list, n_rows)) != NULL)
    gtk_list_box_remove (list, GTK_WIDGET (row));
}

static GtkListBoxRow *
new_row (void)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *left = gtk_label_new (NULL), *right = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (left), 0);
  gtk_label_set_ellipsize (GTK_LABEL (left), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (left, TRUE);
  gtk_widget_add_css_class (right, "numeric");
  gtk_box_append (GTK_BOX (box), left);
  gtk_box_append (GTK_BOX (box), right);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
  return GTK_LIST_BOX_ROW (row);
}

/* A name, and a number at the end of the line; of a head, it leads there. A row that is there keeps the keyboard. */
static void
set_row (GtkListBox              *list,
         int                      index,
         const char              *name,
         const char              *number,
         const HlAttributionItem *item)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (list, index);
  g_autofree char *label = g_strdup_printf ("%s: %s", name, number);

  if (row == NULL)
    {
      row = new_row ();
      gtk_list_box_append (list, GTK_WIDGET (row));
    }
  GtkWidget *box = gtk_list_box_row_get_child (row);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_first_child (box)), name);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (box)), number);
  gtk_list_box_row_set_activatable (row, item != NULL && item->part == HL_ATTRIBUTION_HEAD);
  gtk_widget_remove_css_class (GTK_WIDGET (row), "hl-sum");
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_object_set_data_full (G_OBJECT (row), "place", item != NULL ? g_memdup2 (item, sizeof *item) : NULL, g_free);
}

static void
set_term (HlExperimentPanel       *self,
          int                      index,
          const char              *name,
          double                   value,
          const HlAttributionItem *item)
{
  char size[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *number =
    g_strconcat (value < 0 ? "−" : "+", g_ascii_formatd (size, sizeof size, "%.3f", fabs (value)), NULL);

  set_row (self->items, index, name, number, item);
}

static void
show_items (HlExperimentPanel        *self,
            const HlExperimentResult *result)
{
  const gsize n = result != NULL ? result->n_items : 0;
  int row = 0;

  gtk_widget_set_visible (self->items_part, n > 0);
  if (n == 0)
    {
      cut_list (self->items, 0);
      return;
    }
  say (self->logit, result->logit);
  say (self->explanation, result->explanation);
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *name = hl_attribution_name_item (&result->items[i]);
      set_term (self, row++, name, result->items[i].value, &result->items[i]);
    }
  if (result->n_others > 0)
    {
      const gulong n_others = (gulong) result->n_others;
      /* Translators: terms of a sum that are not listed one by one */
      g_autofree char *name =
        g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%lu other", "%lu others", n_others), n_others);
      set_term (self, row++, name, result->others, NULL);
    }
  set_term (self, row, _ ("sum of all"), result->sum, NULL);
  gtk_widget_add_css_class (GTK_WIDGET (gtk_list_box_get_row_at_index (self->items, row)), "hl-sum");
  cut_list (self->items, row + 1);
}

static void
show_result (HlExperimentPanel        *self,
             const HlExperimentResult *result)
{
  say (self->intact, result != NULL ? result->intact : NULL);
  say (self->sentence, result != NULL ? result->sentence : NULL);
  say (self->note, result != NULL ? result->note : NULL);
  show_items (self, result);
}

static void start (HlExperimentPanel *self);

static void
on_done (GObject      *source,
         GAsyncResult *task,
         gpointer      data)
{
  g_autoptr (HlExperimentPanel) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlExperimentResult) result = hl_experiment_run_finish (task, &error);

  g_clear_object (&self->cancellable);
  if (get_state (self) == NULL)
    return;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_pointer (&self->shown, hl_experiment_free);
      start (self);
      return;
    }
  show_result (self, result);
  if (error != NULL)
    say_error (self->note, error);
  start (self);
}

/* What is wanted, if that is not there yet. One runs at a time. */
static void
start (HlExperimentPanel *self)
{
  if (self->cancellable != NULL || self->wanted == NULL || hl_experiment_equal (self->wanted, self->shown))
    return;
  g_clear_pointer (&self->shown, hl_experiment_free);
  self->shown = hl_experiment_new (self->wanted->call, self->wanted->example, self->wanted->position,
                                   self->wanted->token, self->wanted->edits, self->wanted->n_edits);
  self->cancellable = g_cancellable_new ();
  hl_experiment_run_async (self->wanted, FALSE, NULL, self->cancellable, on_done, g_object_ref (self));
}

/* Where the prediction stands, in words. */
static void
show_position (HlExperimentPanel *self,
               HlViewState       *state)
{
  const gint64 position = get_position (state);
  const char *const *tokens = hl_attention_get_tokens (hl_view_state_get_attention (state), HL_QUERIES);

  if (position < 0 || tokens == NULL)
    {
      gtk_label_set_label (self->position, _ ("The last or masked token; pin another"));
      return;
    }
  g_autofree char *start = hl_utf8_quote (tokens[position], strlen (tokens[position]), HL_EXPERIMENT_MAX_LETTERS);
  g_autofree char *token = hl_bidi_isolate (start);
  g_autofree char *text = g_strdup_printf (_ ("“%s”, token %u, is pinned"), token, (guint) position);
  gtk_label_set_label (self->position, text);
}

static gboolean update (gpointer data);

static void
queue (HlExperimentPanel *self)
{
  if (self->idle == 0)
    self->idle = g_idle_add (update, self);
}

/* Every head by itself. */

static void
show_busy (HlExperimentPanel *self)
{
  const gboolean busy = self->all_cancellable != NULL;
  const gboolean stop_has_focus = gtk_widget_is_focus (self->stop);

  gtk_widget_set_visible (self->progress_row, busy);
  gtk_widget_set_visible (self->run_all, !busy);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "experiment.all", !busy);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "experiment.stop", busy);
  /* Whoever is elsewhere by now stays there. */
  if (!busy && stop_has_focus)
    gtk_widget_grab_focus (self->run_all);
}

static gboolean
show_progress (gpointer data)
{
  HlExperimentPanel *self = data;

  gtk_progress_bar_set_fraction (self->progress_bar, hl_progress_get_fraction (self->progress));
  return G_SOURCE_CONTINUE;
}

static double
get_strength (const HlExperimentResult *result,
              gsize                     i)
{
  return result->has_aim ? fabs (result->effects[i].log_change) : result->effects[i].state_change;
}

/* The next strongest below one that was shown. */
static gsize
find_strongest (const HlExperimentResult *result,
                gboolean                 *used)
{
  gsize best = G_MAXSIZE;

  for (gsize i = 0; i < result->n_effects; i++)
    if (!used[i] && (best == G_MAXSIZE || get_strength (result, i) > get_strength (result, best)))
      best = i;
  used[best] = TRUE;
  return best;
}

static void
show_effects (HlExperimentPanel        *self,
              const HlExperiment       *experiment,
              const HlExperimentResult *result)
{
  g_autofree gboolean *used = result != NULL ? g_new0 (gboolean, result->n_effects) : NULL;

  cut_list (self->effects, result != NULL ? (int) MIN (result->n_effects, MAX_HEADS) : 0);
  g_clear_pointer (&self->listed, hl_experiment_free);
  if (result != NULL)
    self->listed = hl_experiment_new (experiment->call, experiment->example, experiment->position, experiment->token,
                                      experiment->edits, experiment->n_edits);
  gtk_widget_set_visible (self->effects_part, result != NULL);
  for (gsize n = 0; result != NULL && n < MIN (result->n_effects, MAX_HEADS); n++)
    {
      const gsize i = find_strongest (result, used);
      const HlHeadEdit *edit = &experiment->edits[i];
      const HlAttributionItem head = { HL_ATTRIBUTION_HEAD, edit->attention, edit->layer, edit->head, 0 };
      g_autofree char *name = hl_attribution_name_item (&head);
      g_autofree char *before = hl_probability_format (result->probability);
      g_autofree char *after = hl_probability_format (result->effects[i].probability);
      char change[G_ASCII_DTOSTR_BUF_SIZE];
      g_ascii_formatd (change, sizeof change, "%.4f", result->effects[i].state_change);
      g_autofree char *number = result->has_aim ? g_strdup_printf ("%s → %s", before, after) : g_strdup (change);

      set_row (self->effects, (int) n, name, number, &head);
    }
}

/* Whether two are about the same prediction and do the same to heads, whichever these are. */
static gboolean
is_same_question (const HlExperiment *a,
                  const HlExperiment *b)
{
  return a->call == b->call && a->position == b->position && g_str_equal (a->token, b->token) && a->n_edits > 0 &&
         b->n_edits > 0 && a->edits[0].kind == b->edits[0].kind && a->edits[0].attention == b->edits[0].attention;
}

static gboolean
update (gpointer data)
{
  HlExperimentPanel *self = data;
  HlViewState *state = get_state (self);

  self->idle = 0;
  g_clear_pointer (&self->wanted, hl_experiment_free);
  if (state == NULL || hl_view_state_get_call (state) == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return G_SOURCE_REMOVE;
  show_position (self, state);
  g_autoptr (GArray) edits = list_edits (self, state);
  self->wanted = new_experiment (self, state, (const HlHeadEdit *) (gconstpointer) edits->data, edits->len);
  if (self->listed != NULL && !is_same_question (self->listed, self->wanted))
    show_effects (self, NULL, NULL);
  if (self->cancellable != NULL && !hl_experiment_equal (self->wanted, self->shown))
    g_cancellable_cancel (self->cancellable);
  start (self);
  return G_SOURCE_REMOVE;
}

/* The table of heads, and whoever sorts or frames by it, has the number now, unless what it has are means over texts. */
static void
give_numbers (HlViewState              *state,
              const HlExperiment       *experiment,
              const HlExperimentResult *result)
{
  g_autofree double *values = g_new (double, result->n_effects);
  g_autoptr (HlHeadNumbers) numbers = hl_view_state_ref_numbers (state);
  const HlHeadStat stat = experiment->edits[0].kind == HL_HEAD_ZERO ? HL_HEAD_STAT_ABLATION_ZERO
                                                                    : HL_HEAD_STAT_ABLATION_UNIFORM;

  if (hl_head_numbers_get_n_texts (numbers) > 0)
    return;
  for (gsize i = 0; i < result->n_effects; i++)
    values[i] = result->effects[i].state_change;
  g_autoptr (HlHeadNumbers) more = hl_head_numbers_give (numbers, stat, values);
  hl_view_state_set_numbers (state, more);
}

static void
on_all_done (GObject      *source,
             GAsyncResult *task,
             gpointer      data)
{
  g_autoptr (HlExperimentPanel) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlExperimentResult) result = hl_experiment_run_finish (task, &error);
  g_autoptr (HlExperiment) experiment = g_steal_pointer (&self->all);
  HlViewState *state = get_state (self);

  g_clear_object (&self->all_cancellable);
  g_clear_handle_id (&self->progress_id, g_source_remove);
  if (state == NULL)
    return;
  /* The button that is pressed next stands where the other was; who has gone elsewhere stays there. */
  const gboolean has_focus = gtk_widget_has_focus (self->stop);
  show_busy (self);
  if (has_focus)
    gtk_widget_grab_focus (self->run_all);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    say_error (self->note, error);
  if (result == NULL || experiment->call != hl_view_state_get_call (state) ||
      experiment->edits[0].attention != hl_attention_get_kind (hl_view_state_get_attention (state)))
    return;
  /* Another token may be asked about by now. */
  if (self->wanted == NULL || is_same_question (experiment, self->wanted))
    show_effects (self, experiment, result);
  give_numbers (state, experiment, result);
}

static void
run_all (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  HlExperimentPanel *self = HL_EXPERIMENT_PANEL (widget);
  HlViewState *state = get_state (self);
  gsize n_edits;

  if (state == NULL || hl_view_state_get_call (state) == NULL || self->all_cancellable != NULL)
    return;
  g_autofree HlHeadEdit *edits = hl_ablation_list_heads (hl_view_state_get_call (state),
                                                         hl_attention_get_kind (hl_view_state_get_attention (state)),
                                                         get_kind (self), &n_edits);
  self->all = new_experiment (self, state, edits, n_edits);
  self->all_cancellable = g_cancellable_new ();
  g_clear_object (&self->progress);
  self->progress = hl_progress_new ();
  gtk_progress_bar_set_fraction (self->progress_bar, 0);
  self->progress_id = g_timeout_add (PROGRESS_INTERVAL, show_progress, self);
  show_busy (self);
  gtk_widget_grab_focus (self->stop);
  hl_experiment_run_async (self->all, TRUE, self->progress, self->all_cancellable, on_all_done, g_object_ref (self));
}

static void
stop_all (GtkWidget  *widget,
          const char *name,
          GVariant   *parameter)
{
  HlExperimentPanel *self = HL_EXPERIMENT_PANEL (widget);

  if (self->all_cancellable != NULL)
    g_cancellable_cancel (self->all_cancellable);
}

static void
on_row_activated (HlExperimentPanel *self,
                  GtkListBoxRow     *row)
{
  const HlAttributionItem *place = g_object_get_data (G_OBJECT (row), "place");
  HlViewState *state = get_state (self);
  HlAttention *attention = hl_example_find_attention (hl_view_state_get_example (state), place->attention);
  const gint64 position = get_position (state);

  g_object_freeze_notify (G_OBJECT (state));
  if (attention != NULL)
    hl_view_state_set_attention (state, attention);
  hl_view_state_go_to (state, place->layer, place->head);
  /* The other attention of a decoder is of the same queries: what was said is said of the same token there. */
  if (position >= 0 && get_position (state) != position)
    {
      const HlShown *shown = hl_view_state_get_shown (state);
      const HlPick query = hl_pick_of (HL_QUERIES, (gsize) position);
      HlPick pin = hl_pick_carried (&query, shown->original, shown->attention);

      hl_view_kind_put_in_layer (shown->options.view, &pin, shown->layer);
      hl_view_state_set_pinned (state, &pin);
    }
  g_object_thaw_notify (G_OBJECT (state));
}

static void
hl_experiment_panel_follow (HlStatePanel *panel,
                            HlViewState  *state,
                            HlChanges     changes)
{
  HlExperimentPanel *self = HL_EXPERIMENT_PANEL (panel);

  if (state == NULL || (changes & (HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION)))
    {
      /* What was computed was of something else. */
      if (self->all_cancellable != NULL)
        g_cancellable_cancel (self->all_cancellable);
      if (self->cancellable != NULL)
        g_cancellable_cancel (self->cancellable);
      show_effects (self, NULL, NULL);
      if (state == NULL || (changes & HL_CHANGED_EXAMPLE))
        show_result (self, NULL);
      g_clear_pointer (&self->shown, hl_experiment_free);
      g_clear_pointer (&self->wanted, hl_experiment_free);
    }
  if (state != NULL)
    queue (self);
}

static void
on_changed (HlExperimentPanel *self)
{
  queue (self);
}

static void
hl_experiment_panel_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (hl_experiment_panel_parent_class)->map (widget);
  queue (HL_EXPERIMENT_PANEL (widget));
}

static void
hl_experiment_panel_dispose (GObject *object)
{
  HlExperimentPanel *self = HL_EXPERIMENT_PANEL (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  if (self->all_cancellable != NULL)
    g_cancellable_cancel (self->all_cancellable);
  g_clear_handle_id (&self->idle, g_source_remove);
  g_clear_handle_id (&self->progress_id, g_source_remove);
  g_clear_pointer (&self->wanted, hl_experiment_free);
  g_clear_pointer (&self->shown, hl_experiment_free);
  g_clear_pointer (&self->listed, hl_experiment_free);
  g_clear_object (&self->progress);
  hl_state_panel_set_view_state (HL_STATE_PANEL (self), NULL);
  g_clear_handle_id (&self->idle, g_source_remove);
  G_OBJECT_CLASS (hl_experiment_panel_parent_class)->dispose (object);
}

static void
hl_experiment_panel_class_init (HlExperimentPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_experiment_panel_dispose;
  widget_class->map = hl_experiment_panel_map;
  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION | HL_CHANGED_LAYER |
                                          HL_CHANGED_HEAD | HL_CHANGED_HEADS | HL_CHANGED_PIN;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_experiment_panel_follow;
  gtk_widget_class_install_action (widget_class, "experiment.all", NULL, run_all);
  gtk_widget_class_install_action (widget_class, "experiment.stop", NULL, stop_all);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/experiment-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, position);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, token);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, method);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, heads);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, intact);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, sentence);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, note);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, run_all);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, stop);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, progress_row);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, effects_part);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, effects);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, items_part);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, logit);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, items);
  gtk_widget_class_bind_template_child (widget_class, HlExperimentPanel, explanation);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
  gtk_widget_class_set_css_name (widget_class, "experimentpanel");
}

static void
hl_experiment_panel_init (HlExperimentPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_guard_entry (GTK_WIDGET (self->token));
  show_busy (self);
}
