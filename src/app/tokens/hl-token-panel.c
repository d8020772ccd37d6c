/* SPDX-License-Identifier: MIT */
/* The panel that tells about the token in focus: what it attends to or what attends to it, strongest first, in numbers;
 * of a pair, how strongly each head links it. Without a token, it tells about the head.
 * The numbers are read by a worker. Title and rows change together when they have come, so that no row ever stands
 * under a title that it does not belong to. */
#include "app/tokens/hl-token-panel.h"

#include "app/base/hl-settings.h"
#include "app/base/hl-tooltip.h"
#include "app/details/hl-head-page.h"
#include "app/details/hl-pair-section.h"
#include "app/tokens/hl-token-list.h"
#include "app/tokens/hl-token-weights-text.h"
#include "app/tokens/hl-weight-bar.h"
#include "app/widgets/hl-steady-label.h"
#include "core/base/hl-worker.h"
#include "core/source/derive/hl-sink-source.h"
#include "draw/text/hl-token-label.h"
#include "view/hl-gap-text.h"
#include "view/hl-sentence.h"
#include "view/hl-weight-text.h"

#include <glib/gi18n.h>
#include <string.h>

/* So long the rows of the token before stay while those of the next are read; then they go, for they mislead. */
#define PATIENCE_MILLISECONDS 150

/* Between two tokens the pointer is over none: so long the first stays. */
#define LEAVE_MILLISECONDS 300

struct _HlTokenPanel
{
  HlStatePanel parent_instance;

  HlViewState *beside;
  gulong beside_id;
  GSettings *settings;
  HlTokenList *list;
  HlTokenWeights *running;
  HlTokenWeights *wanted;
  GCancellable *cancellable;
  guint patience_id;
  guint leave_id;

  GtkWidget *stack;
  HlHeadPage *head_page;
  HlPairSection *pair_section;
  GtkLabel *hint;
  HlSteadyLabel *title;
  HlSteadyLabel *subtitle;
  HlSteadyLabel *detail;
  GtkWidget *in_text_order;
  GtkWidget *pin;
  GtkWidget *scroller;
  GtkWidget *view;
  GtkWidget *picture_room;
  HlHeadPicture *picture;
};

G_DEFINE_FINAL_TYPE (HlTokenPanel, hl_token_panel, HL_TYPE_STATE_PANEL)

#define MAX_TITLE_LINES 4

/* From this height on there is room for rows and a picture. */
#define HEIGHT_WITH_PICTURE 600

/* Of each word. */
#define MAX_TITLE_LETTERS 24

/* Under the rows, where there is room for both, the head with the token marked in it. */
static void
show_token_page (HlTokenPanel *self)
{
  const gboolean was_shown = g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->stack)), "token") == 0;

  gtk_widget_set_visible (self->picture_room, gtk_widget_get_height (GTK_WIDGET (self)) >= HEIGHT_WITH_PICTURE);
  if (!was_shown)
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "token");
}

/* Nothing is told of a token. */
static void
leave_token (HlTokenPanel *self,
             const char   *page)
{
  g_clear_handle_id (&self->leave_id, g_source_remove);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), page);
  hl_token_list_set_weights (self->list, NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "panel.copy", FALSE);
}

static void
show_hint (HlTokenPanel *self,
           const char   *hint)
{
  gtk_label_set_label (self->hint, hint);
  leave_token (self, "hint");
}

static gboolean
on_left (gpointer data)
{
  HlTokenPanel *self = data;

  self->leave_id = 0;
  leave_token (self, "head");
  return G_SOURCE_REMOVE;
}

/* At once, unless something is told of a token. */
static void
show_head (HlTokenPanel *self)
{
  const char *page = gtk_stack_get_visible_child_name (GTK_STACK (self->stack));

  if (g_strcmp0 (page, "token") != 0)
    leave_token (self, "head");
  else if (self->leave_id == 0)
    self->leave_id = g_timeout_add (LEAVE_MILLISECONDS, on_left, self);
}

/* The token of the listed side that stands out: that of a cell in focus, else the one under the pointer. */
static gsize
find_marked (HlTokenPanel   *self,
             HlTokenWeights *weights)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  const HlPick *picks[] = { hl_view_state_get_focus (state), hl_view_state_get_hovered (state) };
  gsize marked;

  for (guint i = 0; i < G_N_ELEMENTS (picks); i++)
    if (hl_token_weights_find_marked (weights, picks[i], &marked))
      return marked;
  return HL_TOKEN_LIST_NOTHING;
}

static void
set_line (HlSteadyLabel *label,
          const char    *text)
{
  hl_steady_label_set_text (label, text != NULL ? text : "");
  hl_tooltip_set_passing (GTK_WIDGET (label), text);
}

/* The token that attends first. Long words are shortened, the places that tell them from their like are not. */
static void
show_pair_title (HlTokenPanel   *self,
                 HlTokenWeights *weights,
                 gsize           listed)
{
  static const char format[] = "%s <span size=\"smaller\" weight=\"normal\">%zu</span> → "
                               "%s <span size=\"smaller\" weight=\"normal\">%zu</span>";
  const char *texts[] = { hl_token_weights_get_subject_text (weights), hl_token_weights_get_text (weights, listed) };
  const gsize places[] = { hl_token_weights_get_subject_position (weights),
                           hl_token_weights_get_position (weights, listed) };
  const guint from = hl_token_weights_lists_keys (weights) ? 0 : 1, to = 1 - from;
  g_autofree char *query = hl_token_text_shorten (texts[from], MAX_TITLE_LETTERS);
  g_autofree char *target = hl_token_text_shorten (texts[to], MAX_TITLE_LETTERS);
  g_autofree char *markup = g_markup_printf_escaped (format, query, places[from], target, places[to]);
  g_autofree char *whole_query = hl_token_text_quote (texts[from]);
  g_autofree char *whole_target = hl_token_text_quote (texts[to]);
  g_autofree char *whole = g_strdup_printf ("%s %zu → %s %zu", whole_query, places[from], whole_target, places[to]);

  hl_steady_label_set_markup (self->title, markup);
  hl_tooltip_set_passing (GTK_WIDGET (self->title), whole);
}

/* What stands behind the token goes to the next line as a whole. */
static char *
name_subject (HlTokenWeights *weights,
              const char     *token)
{
  const guint position = (guint) hl_token_weights_get_subject_position (weights);

  if (hl_token_weights_is_of_sink (weights))
    return g_strdup (token);
  g_autofree char *name =
    g_strdup_printf (hl_token_weights_lists_keys (weights) ? _ ("%s (query %u)") : _ ("%s (key %u)"), token, position);
  const gsize n_kept = g_str_has_prefix (name, token) ? MIN (strlen (token) + 1, strlen (name)) : strlen (name);
  g_auto (GStrv) parts = g_strsplit (name + n_kept, " ", -1);
  g_autofree char *joined = g_strjoinv ("\u00a0", parts);
  name[n_kept] = '\0';
  return g_strconcat (name, joined, NULL);
}

static void
update_title (HlTokenPanel   *self,
              HlTokenWeights *weights)
{
  const HlPick *focus = hl_view_state_get_focus (hl_state_panel_get_view_state (HL_STATE_PANEL (self)));
  g_autofree char *gathered = hl_token_weights_describe_gathered (weights);
  gsize key;

  /* Names wrap; of very many, the first. */
  hl_steady_label_set_max_lines (self->title, gathered != NULL ? MAX_TITLE_LINES : 0);
  if (gathered != NULL)
    {
      set_line (self->title, gathered);
      return;
    }
  if (focus->kind == HL_PICK_CELL && hl_token_weights_to_common (weights, HL_KEYS, focus->key, &key))
    {
      show_pair_title (self, weights, key);
      return;
    }
  g_autofree char *shortened = hl_token_text_shorten (hl_token_weights_get_subject_text (weights), MAX_TITLE_LETTERS);
  g_autofree char *token = hl_token_text_quote (hl_token_weights_get_subject_text (weights));
  g_autofree char *title = name_subject (weights, shortened);
  g_autofree char *whole = name_subject (weights, token);
  g_autofree char *spelling = hl_token_weights_dup_subject_spelling (weights);
  hl_steady_label_set_text (self->title, title);
  hl_tooltip_set_passing (GTK_WIDGET (self->title), spelling != NULL ? spelling : whole);
}

/* "0.690, to the sink 0.310" where the rest of a row goes to a sink that is not among the keys. */
static char *
describe_row_sum (HlTokenPanel   *self,
                  HlTokenWeights *weights)
{
  const HlShown *shown = hl_view_state_get_shown (hl_state_panel_get_view_state (HL_STATE_PANEL (self)));
  g_autofree char *sum = hl_token_weights_describe_sum (weights);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!shown->is_plain || !hl_sink_is_in (shown->original) || hl_token_weights_has_sides (weights))
    return g_steal_pointer (&sum);
  g_ascii_formatd (number, sizeof number, "%.3f", MAX (1 - hl_token_weights_get_sum (weights), 0));
  /* Translators: the sum of a row of weights, and the rest of it */
  return g_strdup_printf (_ ("%s, to the sink %s"), sum, number);
}

/* "Keys it attends to, mean of 3 heads" and "row sum 1.000". */
static void
update_token_lines (HlTokenPanel   *self,
                    HlTokenWeights *weights)
{
  const gboolean is_row = hl_token_weights_get_side (weights) == HL_KEYS;
  const gboolean lists_keys = hl_token_weights_lists_keys (weights);
  g_autofree char *heads = hl_token_weights_describe_heads (weights);
  /* Translators: %s is “head 5” or “mean of 3 heads”. */
  g_autofree char *gathered = hl_token_weights_describe_gathered (weights);
  g_autofree char *subtitle =
    gathered != NULL
      ? g_strdup_printf (lists_keys ? _ ("Keys they attend to, %s") : _ ("Queries that attend to them, %s"), heads)
      : g_strdup_printf (lists_keys ? _ ("Keys it attends to, %s") : _ ("Queries that attend to it, %s"), heads);
  g_autofree char *sum = is_row ? describe_row_sum (self, weights) : hl_token_weights_describe_sum (weights);
  g_autofree char *detail = g_strdup_printf (is_row ? _ ("row sum %s") : _ ("column sum %s"), sum);

  set_line (self->subtitle, subtitle);
  set_line (self->detail, detail);
}

/* "0.31, mean of 3 heads" and "rank 2 of 16 · row sum 1.000"; of two sides, each would have a rank of its own. */
static void
update_cell_lines (HlTokenPanel   *self,
                   HlTokenWeights *weights,
                   guint           position)
{
  const HlTokenWeight *row = hl_token_weights_get_row (weights, position);
  g_autofree char *heads = hl_token_weights_describe_heads (weights);
  g_autofree char *subtitle = NULL;
  g_autofree char *detail = NULL;
  g_autofree char *number = hl_token_weights_describe_row (weights, row);
  g_autofree char *sum = describe_row_sum (self, weights);

  /* Translators: a weight, or “masked”, and “head 5” or “mean of 3 heads”. */
  subtitle = g_strdup_printf (_ ("%s, %s"), number, heads);
  if (row->is_masked || hl_token_weights_has_sides (weights))
    detail = g_strdup_printf (_ ("row sum %s"), sum);
  else
    detail =
      g_strdup_printf (_ ("rank %u of %u · row sum %s"), position + 1, hl_token_weights_get_n_rows (weights), sum);
  set_line (self->subtitle, subtitle);
  set_line (self->detail, detail);
}

static void
update_lines (HlTokenPanel   *self,
              HlTokenWeights *weights)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  const HlPick *focus = hl_view_state_get_focus (state);
  guint position;
  gsize key;

  if (focus->kind == HL_PICK_CELL && hl_token_weights_to_common (weights, HL_KEYS, focus->key, &key) &&
      hl_token_weights_find (weights, key, &position))
    update_cell_lines (self, weights, position);
  else
    update_token_lines (self, weights);
}

static void
update_pin (HlTokenPanel *self)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  const gboolean is_pinned = hl_view_state_get_pinned (state)->kind != HL_PICK_NONE;

  /* Its room stays, or the title would jump. */
  gtk_widget_set_opacity (self->pin, is_pinned ? 1 : 0);
  gtk_widget_set_sensitive (self->pin, is_pinned);
}

/* What depends on the focus but not on what was read. */
static void
update_marks (HlTokenPanel *self)
{
  HlTokenWeights *weights = hl_token_list_get_weights (self->list);

  update_pin (self);
  if (weights == NULL)
    return;
  hl_token_list_set_marked (self->list, find_marked (self, weights));
  hl_token_list_set_pointed (self->list,
                             hl_view_state_get_hovered (hl_state_panel_get_view_state (HL_STATE_PANEL (self))));
  update_title (self, weights);
  update_lines (self, weights);
}

static void
show_weights (HlTokenPanel   *self,
              HlTokenWeights *weights)
{
  HlTokenWeights *before = hl_token_list_get_weights (self->list);
  const gboolean is_other = before == NULL ||
                            hl_token_weights_get_subject (before) != hl_token_weights_get_subject (weights) ||
                            hl_token_weights_get_side (before) != hl_token_weights_get_side (weights);

  /* In the order of the text a row stays what it is, and who scrolled to it is still there. */
  if (is_other && !gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->in_text_order)))
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), 0);
  hl_token_list_set_weights (self->list, weights);
  update_marks (self);
  show_token_page (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "panel.copy", TRUE);
}

static void
show_wait (HlTokenPanel   *self,
           HlTokenWeights *awaited)
{
  hl_token_list_set_weights (self->list, NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "panel.copy", FALSE);
  update_title (self, awaited);
  update_pin (self);
  set_line (self->subtitle, _ ("Reading…"));
  set_line (self->detail, NULL);
  show_token_page (self);
}

static void
copy (GtkWidget  *widget,
      const char *action,
      GVariant   *parameter)
{
  HlTokenPanel *self = HL_TOKEN_PANEL (widget);
  HlTokenWeights *weights = hl_token_list_get_weights (self->list);

  if (weights == NULL)
    return;
  g_autofree char *text = hl_token_weights_to_text (weights);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
on_pin_clicked (HlTokenPanel *self)
{
  hl_view_state_set_pinned (hl_state_panel_get_view_state (HL_STATE_PANEL (self)), NULL);
}

static void
on_order_changed (HlTokenPanel *self)
{
  hl_token_list_set_in_text_order (self->list, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->in_text_order)));
}

/* The pair that a row stands for. */
static gboolean
get_pair (HlTokenPanel *self,
          HlTokenRow   *row,
          HlPick       *pair)
{
  const HlTokenWeight *weight = row != NULL ? hl_token_row_get_weight (row) : NULL;

  return weight != NULL && hl_token_weights_get_pair (hl_token_list_get_weights (self->list), weight, pair);
}

static void
on_activate (HlTokenPanel *self,
             guint         position)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  g_autoptr (HlTokenRow) row = g_list_model_get_item (G_LIST_MODEL (self->list), position);
  HlPick pair;

  if (get_pair (self, row, &pair))
    hl_view_state_set_pinned (state, &pair);
}

static void
on_motion (HlTokenPanel *self,
           double        x,
           double        y)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  GtkWidget *child = gtk_widget_pick (self->view, x, y, GTK_PICK_DEFAULT);
  HlPick pair;

  /* The list's row is a little larger than what is in it. */
  if (child != NULL && !HL_IS_WEIGHT_BAR (child))
    child = gtk_widget_get_first_child (child);
  /* Without a pin the rows are those of what the pointer is over: to point elsewhere would take them away. */
  if (state == NULL || hl_view_state_get_pinned (state)->kind == HL_PICK_NONE)
    return;
  if (child != NULL && HL_IS_WEIGHT_BAR (child) &&
      get_pair (self, hl_weight_bar_get_row (HL_WEIGHT_BAR (child)), &pair))
    hl_view_state_set_hovered (state, &pair);
}

static void
on_leave (HlTokenPanel *self)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));

  if (state != NULL && hl_view_state_get_pinned (state)->kind != HL_PICK_NONE)
    hl_view_state_set_hovered (state, NULL);
}

static void
on_setup (HlTokenPanel *self,
          GtkListItem  *item)
{
  gtk_list_item_set_child (item, hl_weight_bar_new ());
}

static void
on_bind (HlTokenPanel *self,
         GtkListItem  *item)
{
  hl_weight_bar_set_row (HL_WEIGHT_BAR (gtk_list_item_get_child (item)), gtk_list_item_get_item (item));
}

static void
on_unbind (HlTokenPanel *self,
           GtkListItem  *item)
{
  hl_weight_bar_set_row (HL_WEIGHT_BAR (gtk_list_item_get_child (item)), NULL);
}

/* What the template says of the rows, and how they are copied. */
static void
install_rows (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "panel.copy", NULL, copy);
  gtk_widget_class_bind_template_callback (widget_class, on_order_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_pin_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_motion);
  gtk_widget_class_bind_template_callback (widget_class, on_leave);
  gtk_widget_class_bind_template_callback (widget_class, on_setup);
  gtk_widget_class_bind_template_callback (widget_class, on_bind);
  gtk_widget_class_bind_template_callback (widget_class, on_unbind);
}

static void start_reading (HlTokenPanel *self);

static gboolean
on_patience_ended (gpointer user_data)
{
  HlTokenPanel *self = HL_TOKEN_PANEL (user_data);

  self->patience_id = 0;
  show_wait (self, self->wanted != NULL ? self->wanted : self->running);
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
    {
      show_weights (self, weights);
      return;
    }
  g_autofree char *hint = hl_sentence_of_error (error);
  show_hint (self, hint);
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

  /* A head that is pointed at goes before a token that is pinned. */
  if (state != NULL && hl_view_state_get_hovered (state)->kind == HL_PICK_MAP)
    return FALSE;
  /* Who points at a row of the head's page stays there. */
  if (state != NULL && hl_view_state_get_pinned (state)->kind == HL_PICK_NONE &&
      hl_head_page_points_at (self->head_page, hl_view_state_get_hovered (state)))
    return FALSE;
  return state != NULL && (hl_view_state_get_focus (state)->kind != HL_PICK_NONE ||
                           (self->beside != NULL && hl_view_state_get_focus (self->beside)->kind != HL_PICK_NONE));
}

/* Whether what is in focus is of a layer without attention, in the view of all layers. */
static gboolean
is_in_gap (HlViewState *state)
{
  const HlPick *focus = hl_view_state_get_focus (state);
  HlAttention *attention = hl_view_state_get_shown (state)->attention;

  return hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->shows_all_layers &&
         hl_pick_has (focus, HL_QUERIES) && hl_attention_get_n_heads (attention, focus->layer) == 0;
}

/* Rows are soon read, but those that are made of all layers. */
static gboolean
check_reading (HlViewState *state,
               GError     **error)
{
  const HlShown *shown = hl_view_state_get_shown (state);

  return hl_quantity_get (shown->lens.quantity)->heads != HL_QUANTITY_OF_LAYER ||
         hl_view_state_check_reading (state, hl_shown_count_maps_of_one (shown), shown->comparison != NULL, error);
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
      if (state != NULL)
        show_head (self);
      else
        show_hint (self, "");
      return;
    }
  g_clear_handle_id (&self->leave_id, g_source_remove);
  g_autoptr (GError) refusal = NULL;
  if (!check_reading (state, &refusal))
    {
      g_autofree char *hint = hl_sentence_of_error (refusal);
      stop_reading (self);
      show_hint (self, hint);
      return;
    }
  question = hl_token_weights_new (state);
  if (question == NULL)
    {
      stop_reading (self);
      show_hint (self, is_in_gap (state) ? hl_gap_text_get_hint (hl_view_state_get_shown (state)->attention,
                                                                 hl_view_state_get_focus (state)->layer)
                                         : _ ("No head is shown"));
      return;
    }
  if (answer != NULL && hl_token_weights_is_same_question (answer, question))
    {
      stop_reading (self);
      update_marks (self);
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
on_beside_changed (HlTokenPanel *self,
                   HlChanges     changes)
{
  if (changes & (HL_CHANGED_HOVER | HL_CHANGED_PIN | HL_CHANGED_SOURCE | HL_CHANGED_SHOWN_SOURCE | HL_CHANGED_HEADS |
                 HL_CHANGED_HEAD | HL_CHANGED_LAYER))
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
    self->beside_id = g_signal_connect_swapped (beside, "changed", G_CALLBACK (on_beside_changed), self);
}

/* Another state is another document: nothing that was read or is being read says anything about it. */
static void
forget (HlTokenPanel *self,
        HlViewState  *state)
{
  stop_reading (self);
  leave_token (self, state != NULL ? "head" : "hint");
  hl_state_panel_set_view_state (HL_STATE_PANEL (self->head_page), state);
  hl_state_panel_set_view_state (HL_STATE_PANEL (self->pair_section), state);
  if (state != NULL)
    hl_token_list_reserve (self->list, hl_attention_get_n (hl_view_state_get_shown (state)->attention, HL_KEYS));
}

static void
hl_token_panel_follow (HlStatePanel *panel,
                       HlViewState  *state,
                       HlChanges     changes)
{
  HlTokenPanel *self = HL_TOKEN_PANEL (panel);

  if (changes & HL_CHANGED_BESIDE)
    follow_beside (self, state != NULL ? hl_view_state_get_beside (state) : NULL);
  if (changes == HL_CHANGED_STATE)
    forget (self, state);
  update (self);
}

static void
hl_token_panel_dispose (GObject *object)
{
  HlTokenPanel *self = HL_TOKEN_PANEL (object);

  stop_reading (self);
  g_clear_handle_id (&self->leave_id, g_source_remove);
  follow_beside (self, NULL);
  if (self->settings != NULL)
    g_settings_unbind (self->in_text_order, "active");
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (hl_token_panel_parent_class)->dispose (object);
  g_clear_object (&self->list);
}

static void
hl_token_panel_class_init (HlTokenPanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hl_token_panel_dispose;
  HL_STATE_PANEL_CLASS (klass)->changes = (HlChanges) ~(HL_CHANGED_THEME | HL_CHANGED_COLOURS);
  HL_STATE_PANEL_CLASS (klass)->follow = hl_token_panel_follow;

  g_type_ensure (HL_TYPE_HEAD_PAGE);
  g_type_ensure (HL_TYPE_HEAD_PICTURE);
  g_type_ensure (HL_TYPE_PAIR_SECTION);
  g_type_ensure (HL_TYPE_STEADY_LABEL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/token-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, hint);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, head_page);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, pair_section);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, title);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, subtitle);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, detail);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, in_text_order);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, pin);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, scroller);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, view);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, picture_room);
  gtk_widget_class_bind_template_child (widget_class, HlTokenPanel, picture);
  install_rows (widget_class);
  gtk_widget_class_set_css_name (widget_class, "tokenpanel");
}

static void
hl_token_panel_init (HlTokenPanel *self)
{
  g_autoptr (GtkSelectionModel) selection = NULL;

  self->list = hl_token_list_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_head_page_set_twin (self->head_page, self->picture);
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->list))));
  gtk_list_view_set_model (GTK_LIST_VIEW (self->view), selection);
  self->settings = hl_settings_new ();
  g_settings_bind (self->settings, "tokens-in-text-order", self->in_text_order, "active", G_SETTINGS_BIND_DEFAULT);
  update (self);
}
