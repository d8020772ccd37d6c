/* SPDX-License-Identifier: MIT */
/* The table of all heads: their statistics, and how they link words that somebody asks for. */
#include "config.h"

#include "app/heads/hl-heads-panel.h"

#include "core/base/hl-limits.h"
#include "app/base/hl-tooltip.h"
#include "app/heads/hl-head-table.h"
#include "app/heads/hl-number-chooser.h"
#include "app/heads/hl-pair-entry.h"
#include "view/hl-sentence.h"
#include "view/hl-weight-text.h"

#include <glib/gi18n.h>
#include <math.h>

struct _HlHeadsPanel
{
  GtkWidget parent_instance;

  HlViewState *state;
  gulong changed_id;
  HlHeadWork *work;
  GListStore *rows;
  HlAttention *rows_of; /* whose heads the rows are */
  GtkSelectionModel *selection;
  /* Set while the selection follows the view, so that it does not answer back. */
  gboolean is_following;
  /* Somebody asked just now: as soon as the answer is there, it is shown. */
  gboolean shows_best;
  gboolean sorts_by_pair;
  GError *pairs_error; /* why the pairs were not found in the attention, if they were not */

  GtkWidget *content;
  HlPairEntry *pairs;
  HlNumberChooser *numbers;
  GtkLabel *message;
  GtkColumnView *view;
  GtkWidget *progress_row;
  GtkProgressBar *progress;
  GtkButton *stop;
};

G_DEFINE_FINAL_TYPE (HlHeadsPanel, hl_heads_panel, GTK_TYPE_WIDGET)

static HlHeadRow *
get_row (HlHeadsPanel *self,
         guint         position)
{
  return g_list_model_get_item (G_LIST_MODEL (self->selection), position);
}

static guint
get_n_rows (HlHeadsPanel *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->selection));
}

/* The selected heads: of the layer that is shown, or without any of it, of that of the first that is selected; and
 * those of other layers, HlHeadPlace. */
static gboolean
get_selected (HlHeadsPanel *self,
              guint        *layer,
              HlHeadSet    *heads,
              GArray       *guests)
{
  *layer = hl_view_state_get_layer (self->state);
  *heads = (HlHeadSet){ { 0 } };
  for (guint pass = 0; pass < 2; pass++)
    {
      for (guint i = 0; i < get_n_rows (self); i++)
        {
          if (!gtk_selection_model_is_selected (self->selection, i))
            continue;
          g_autoptr (HlHeadRow) row = get_row (self, i);
          if (hl_head_row_get_layer (row) == *layer)
            hl_head_set_add (heads, hl_head_row_get_head (row));
          else
            {
              const HlHeadPlace place = { hl_head_row_get_layer (row), hl_head_row_get_head (row) };
              g_array_append_val (guests, place);
            }
        }
      if (hl_head_set_count (heads) > 0 || guests->len == 0)
        break;
      *layer = g_array_index (guests, HlHeadPlace, 0).layer;
      g_array_set_size (guests, 0);
    }
  return hl_head_set_count (heads) > 0;
}

/* Selects the heads that the view has chosen. */
static void
follow_heads (HlHeadsPanel *self)
{
  const guint layer = hl_view_state_get_layer (self->state);
  const HlHeadSet *heads = hl_view_state_get_heads (self->state);
  const gboolean combines = hl_view_state_get_shown (self->state)->merges_heads ||
                            hl_view_state_get_shown (self->state)->merges_layers;
  guint n_guests;
  const HlHeadPlace *guests = hl_head_selection_get_others (hl_view_state_get_selection (self->state), &n_guests);
  g_autoptr (GArray) selected_guests = g_array_new (FALSE, FALSE, sizeof *guests);
  HlHeadSet selected_heads;
  guint selected_layer, foreground = GTK_INVALID_LIST_POSITION;

  if (self->is_following || get_n_rows (self) == 0)
    return;
  g_autoptr (GtkBitset) before = gtk_selection_model_get_selection (self->selection);
  if (gtk_bitset_get_size (before) == hl_head_set_count (heads) + (combines ? 0 : n_guests) &&
      get_selected (self, &selected_layer, &selected_heads, selected_guests) && selected_layer == layer &&
      hl_head_set_equal (&selected_heads, heads) && selected_guests->len == n_guests &&
      (n_guests == 0 || memcmp (selected_guests->data, guests, n_guests * sizeof *guests) == 0))
    return;
  g_autoptr (GtkBitset) selected = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, get_n_rows (self));
  g_autoptr (GtkBitset) places = gtk_bitset_new_empty ();
  for (guint i = 0; i < n_guests && !combines; i++)
    gtk_bitset_add (places, guests[i].layer * HL_LIMIT_HEADS + guests[i].head);
  for (guint i = 0; i < get_n_rows (self); i++)
    {
      g_autoptr (HlHeadRow) row = get_row (self, i);
      const gboolean is_own = hl_head_row_get_layer (row) == layer &&
                              hl_head_set_contains (heads, hl_head_row_get_head (row));
      const gboolean is_guest =
        gtk_bitset_contains (places, hl_head_row_get_layer (row) * HL_LIMIT_HEADS + hl_head_row_get_head (row));
      if (!is_own && !is_guest)
        continue;
      gtk_bitset_add (selected, i);
      if (is_own && hl_head_row_get_head (row) == hl_view_state_get_head (self->state))
        foreground = i;
    }
  self->is_following = TRUE;
  gtk_selection_model_set_selection (self->selection, selected, all);
  self->is_following = FALSE;
  if (foreground != GTK_INVALID_LIST_POSITION && gtk_widget_get_mapped (GTK_WIDGET (self)))
    hl_head_columns_scroll_to (self->view, foreground);
}

static void
on_selection_changed (HlHeadsPanel *self)
{
  g_autoptr (GArray) guests = g_array_new (FALSE, FALSE, sizeof (HlHeadPlace));
  HlHeadSet heads;
  guint layer, head = 0;

  if (self->is_following || self->state == NULL)
    return;
  if (!get_selected (self, &layer, &heads, guests))
    {
      follow_heads (self);
      return;
    }
  while (!hl_head_set_contains (&heads, head))
    head++;
  /* The heads that are shown stay in the foreground where they can. */
  if (layer == hl_view_state_get_layer (self->state) &&
      hl_head_set_contains (&heads, hl_view_state_get_head (self->state)))
    head = hl_view_state_get_head (self->state);
  self->is_following = TRUE;
  g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (self->state));
  const HlShown *shown = hl_view_state_get_shown (self->state);
  hl_head_selection_go_to (&selection, shown->original, layer, head);
  hl_head_selection_set_heads (&selection, shown->original, &heads);
  if (!shown->merges_heads && !shown->merges_layers)
    hl_head_selection_set_others (&selection, &g_array_index (guests, HlHeadPlace, 0), guests->len);
  hl_view_state_set_selection (self->state, &selection);
  self->is_following = FALSE;
  /* Of very many, and where heads or layers are combined, not all can be shown: what is selected is what is. */
  follow_heads (self);
}

static void
on_row_activated (HlHeadsPanel *self,
                  guint         position)
{
  g_autoptr (HlHeadRow) row = get_row (self, position);

  if (row == NULL || self->state == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (self->state));
  hl_view_state_go_to (self->state, hl_head_row_get_layer (row), hl_head_row_get_head (row));
  hl_view_state_set_option (self->state, view, HL_VIEW_DEFAULT);
  g_object_thaw_notify (G_OBJECT (self->state));
}

static void
init_rows (HlHeadsPanel *self)
{
  GtkSorter *sorter;
  GtkSortListModel *sorted;

  hl_head_columns_add (self->view);
  self->rows = g_list_store_new (HL_TYPE_HEAD_ROW);
  sorter = gtk_column_view_get_sorter (self->view);
  sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->rows)), g_object_ref (sorter));
  self->selection = GTK_SELECTION_MODEL (gtk_multi_selection_new (G_LIST_MODEL (sorted)));
  gtk_column_view_set_model (self->view, self->selection);
  g_signal_connect_swapped (self->selection, "selection-changed", G_CALLBACK (on_selection_changed), self);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (on_row_activated), self);
}

static void
say (HlHeadsPanel *self,
     const char   *text,
     gboolean      is_error)
{
  gtk_label_set_label (self->message, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message), text != NULL);
  if (is_error)
    gtk_widget_add_css_class (GTK_WIDGET (self->message), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->message), "error");
}

static void
say_error (HlHeadsPanel *self,
           const GError *error)
{
  g_autofree char *sentence = error != NULL ? hl_sentence_of_error (error) : NULL;

  say (self, sentence, TRUE);
}

/* While a difference is shown, numbers are still those of the first side. */
static void
say_of_side (HlHeadsPanel *self,
             const char   *text)
{
  g_autofree char *told = hl_view_state_get_shown (self->state)->other != NULL ? g_strdup_printf (_ ("%s in A"), text)
                                                                               : g_strdup (text);

  say (self, told, FALSE);
}

/* The head with the greatest weight; of several, the first. */
static gboolean
find_best (HlHeadsPanel *self,
           guint        *index)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self->state);
  HlPairRanking *ranking = numbers != NULL ? hl_head_numbers_get_ranking (numbers) : NULL;

  for (*index = 0; ranking != NULL && *index < hl_pair_ranking_get_n (ranking); (*index)++)
    if (hl_pair_ranking_get_rank (ranking, *index) == 1)
      return TRUE;
  return FALSE;
}

static void
update_message (HlHeadsPanel *self)
{
  const char *pairs = hl_view_state_get_pairs (self->state);
  const GError *work_error = hl_head_work_get_error (self->work);
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self->state);
  char number[HL_WEIGHT_TEXT_SIZE];
  guint best;

  if (self->pairs_error != NULL)
    say_error (self, self->pairs_error);
  else if (work_error != NULL)
    say_error (self, work_error);
  else if (pairs != NULL && find_best (self, &best))
    {
      const double weight = hl_head_numbers_get (numbers, HL_HEAD_MEASURE_PAIR, best);
      const guint layer = hl_head_numbers_get_layer (numbers, best);
      const guint head = hl_head_numbers_get_head (numbers, best);
      /* Translators: which head links two words most, and its weight */
      g_autofree char *text =
        g_strdup_printf (_ ("Strongest: layer %u · head %u, %s"), layer, head, hl_weight_text_format (weight, number));
      say_of_side (self, text);
    }
  else if (numbers != NULL && hl_head_numbers_get_n_texts (numbers) > 0)
    {
      const guint n = hl_head_numbers_get_n_texts (numbers);
      g_autofree char *text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Mean over %u text",
                                                            "Means ± standard deviation over %u texts", n),
                                               n);
      say_of_side (self, text);
    }
  else
    {
      const gboolean subtracts = hl_view_state_get_shown (self->state)->other != NULL;
      /* Translators: of the first side of a comparison */
      say (self, subtracts ? _ ("Numbers in A") : NULL, FALSE);
    }
  hl_pair_entry_set_wrong (self->pairs, self->pairs_error != NULL);
}

static void
update_progress (HlHeadsPanel *self)
{
  const gboolean busy = hl_head_work_get_busy (self->work);
  const gboolean resumable = hl_head_work_get_stopped (self->work) || hl_head_work_get_error (self->work) != NULL;
  const double fraction = hl_head_work_get_fraction (self->work);

  gtk_widget_set_visible (self->progress_row, (busy || resumable) && fraction < 1);
  gtk_progress_bar_set_fraction (self->progress, fraction);
  gtk_button_set_icon_name (self->stop, resumable ? "view-refresh-symbolic" : "process-stop-symbolic");
  hl_tooltip_set (GTK_WIDGET (self->stop), resumable ? _ ("Go On") : _ ("Stop"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->stop), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  resumable ? _ ("Go On") : _ ("Stop"), -1);
}

static void
on_work_changed (HlHeadsPanel *self)
{
  if (self->state == NULL)
    return;
  update_progress (self);
  update_message (self);
}

static void
on_stop (HlHeadsPanel *self)
{
  if (hl_head_work_get_stopped (self->work) || hl_head_work_get_error (self->work) != NULL)
    hl_head_work_resume (self->work);
  else
    hl_head_work_stop (self->work);
}

/* Answers who asked: the greatest first, and its head shown. */
static void
show_answer (HlHeadsPanel *self)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self->state);
  guint best;

  if (numbers == NULL || hl_head_numbers_get_ranking (numbers) == NULL)
    return;
  if (self->sorts_by_pair)
    hl_head_columns_sort_by_pair (self->view);
  self->sorts_by_pair = FALSE;
  if (self->shows_best && find_best (self, &best))
    {
      hl_view_state_go_to (self->state, hl_head_numbers_get_layer (numbers, best),
                           hl_head_numbers_get_head (numbers, best));
      hl_view_state_pin_pair (self->state, hl_token_pairs_get (hl_view_state_get_found_pairs (self->state), 0));
      hl_head_columns_scroll_to (self->view, 0);
    }
  self->shows_best = FALSE;
}

/* Those that somebody chose, and what was taken over texts. */
static void
show_columns (HlHeadsPanel *self)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self->state);
  HlHeadNumberSet set = hl_number_chooser_get_chosen ();

  if (numbers != NULL && hl_head_numbers_get_n_texts (numbers) > 0)
    for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
      for (guint i = 0; i < hl_head_numbers_get_n (numbers); i++)
        if (!isnan (hl_head_numbers_get (numbers, HL_HEAD_MEASURE_STATS + stat, i)))
          {
            set |= HL_HEAD_NUMBER_BIT (stat);
            break;
          }
  hl_head_columns_show_numbers (self->view, set);
}

static void
follow_numbers (HlHeadsPanel *self)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self->state);
  /* Rows that nobody sees may still be those of the attention before. */
  HlHeadNumbers *of_rows = self->rows_of == hl_view_state_get_attention (self->state) ? numbers : NULL;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->rows)); i++)
    {
      g_autoptr (HlHeadRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);
      hl_head_row_set_numbers (row, of_rows, hl_view_state_names_heads (self->state));
    }
  hl_head_columns_show_names (self->view, hl_view_state_names_heads (self->state));
  show_columns (self);
  hl_head_columns_make_room (self->view, numbers != NULL && hl_head_numbers_get_n_texts (numbers) > 0);
  self->is_following = TRUE;
  hl_head_columns_sort_again (self->view);
  self->is_following = FALSE;
  show_answer (self);
  update_progress (self);
  update_message (self);
}

static void
follow_attention (HlHeadsPanel *self)
{
  HlAttention *attention = hl_view_state_get_attention (self->state);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  guint index = 0;

  hl_pair_entry_set_attention (self->pairs, attention);
  /* Rows that nobody sees can wait. */
  if (self->rows_of == attention || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  g_set_object (&self->rows_of, attention);
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++)
      g_ptr_array_add (rows, hl_head_row_new (layer, head, index++));
  self->is_following = TRUE;
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), rows->pdata, rows->len);
  self->is_following = FALSE;
  follow_numbers (self);
  follow_heads (self);
}

static void
follow_pairs (HlHeadsPanel *self)
{
  const char *pairs = hl_view_state_get_pairs (self->state);

  g_clear_error (&self->pairs_error);
  if (pairs != NULL && hl_view_state_get_found_pairs (self->state) == NULL)
    {
      g_autoptr (HlTokenPairs)
        none = hl_token_pairs_parse (hl_view_state_get_attention (self->state), pairs, &self->pairs_error);
    }
  hl_pair_entry_set_pairs (self->pairs, pairs);
  hl_head_columns_show_pair (self->view, hl_view_state_get_found_pairs (self->state) != NULL);
  self->sorts_by_pair = hl_view_state_get_found_pairs (self->state) != NULL;
  update_message (self);
}

static void
follow_compared (HlHeadsPanel *self)
{
  hl_head_columns_show_change (self->view, hl_view_state_get_compared (self->state) != NULL);
}

static void
on_state_changed (HlHeadsPanel *self,
                  HlChanges     changes)
{
  if (changes & HL_CHANGED_ATTENTION)
    follow_attention (self);
  if (changes & (HL_CHANGED_ATTENTION | HL_CHANGED_PAIRS))
    follow_pairs (self);
  if (changes & HL_CHANGED_COMPARED)
    follow_compared (self);
  if (changes & HL_CHANGED_SIDES)
    update_message (self);
  if (changes & HL_CHANGED_NUMBERS)
    follow_numbers (self);
  if (changes & (HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_HEADS))
    follow_heads (self);
}

static void
on_numbers_chosen (HlHeadsPanel *self)
{
  const HlHeadNumberSet chosen = hl_number_chooser_get_chosen ();

  if (self->state != NULL)
    show_columns (self);
  hl_head_work_set_numbers (self->work, chosen);
}

static void
on_find (HlHeadsPanel *self,
         const char   *pairs)
{
  if (self->state != NULL)
    hl_heads_panel_find (self, pairs);
}

/* An error is of what was asked for, which is not what is there any more. */
static void
on_edited (HlHeadsPanel *self)
{
  if (self->state == NULL || hl_view_state_get_pairs (self->state) == NULL ||
      hl_view_state_get_found_pairs (self->state) != NULL)
    return;
  say (self, NULL, FALSE);
  hl_pair_entry_set_wrong (self->pairs, FALSE);
}

static void
hl_heads_panel_map (GtkWidget *widget)
{
  HlHeadsPanel *self = HL_HEADS_PANEL (widget);

  GTK_WIDGET_CLASS (hl_heads_panel_parent_class)->map (widget);
  hl_head_work_set_wanted (self->work, TRUE);
  if (self->state == NULL)
    return;
  follow_attention (self);
  follow_heads (self);
}

static void
hl_heads_panel_unmap (GtkWidget *widget)
{
  hl_head_work_set_wanted (HL_HEADS_PANEL (widget)->work, FALSE);
  GTK_WIDGET_CLASS (hl_heads_panel_parent_class)->unmap (widget);
}

static void
hl_heads_panel_dispose (GObject *object)
{
  HlHeadsPanel *self = HL_HEADS_PANEL (object);

  hl_heads_panel_set_view_state (self, NULL);
  self->is_following = TRUE;
  if (self->work != NULL)
    g_signal_handlers_disconnect_by_data (self->work, self);
  g_clear_object (&self->work);
  gtk_widget_dispose_template (GTK_WIDGET (self), HL_TYPE_HEADS_PANEL);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_object (&self->rows_of);
  g_clear_error (&self->pairs_error);
  G_OBJECT_CLASS (hl_heads_panel_parent_class)->dispose (object);
}

static void
hl_heads_panel_class_init (HlHeadsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_heads_panel_dispose;
  widget_class->map = hl_heads_panel_map;
  widget_class->unmap = hl_heads_panel_unmap;

  g_type_ensure (HL_TYPE_PAIR_ENTRY);
  g_type_ensure (HL_TYPE_NUMBER_CHOOSER);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/heads-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlHeadsPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlHeadsPanel, pairs);
  gtk_widget_class_bind_template_child (widget_class, HlHeadsPanel, numbers);
  gtk_widget_class_bind_template_child (widget_class, HlHeadsPanel, message);
  gtk_widget_class_bind_template_child (widget_class, HlHeadsPanel, view);
  gtk_widget_class_bind_template_child (widget_class, HlHeadsPanel, progress_row);
  gtk_widget_class_bind_template_child (widget_class, HlHeadsPanel, progress);
  gtk_widget_class_bind_template_child (widget_class, HlHeadsPanel, stop);
  gtk_widget_class_bind_template_callback (widget_class, on_find);
  gtk_widget_class_bind_template_callback (widget_class, on_edited);
  gtk_widget_class_bind_template_callback (widget_class, on_numbers_chosen);
  gtk_widget_class_bind_template_callback (widget_class, on_stop);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "headspanel");
}

static void
hl_heads_panel_init (HlHeadsPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* From right to left GTK (4.8) shows the last columns, and nothing in the rows. */
  gtk_widget_set_direction (GTK_WIDGET (self->view), GTK_TEXT_DIR_LTR);
  for (GtkWidget *part = gtk_widget_get_first_child (GTK_WIDGET (self->view)); part != NULL;
       part = gtk_widget_get_next_sibling (part))
    gtk_widget_set_direction (part, GTK_TEXT_DIR_LTR);
  init_rows (self);
}

/* Shows what the work finds out, whose view state is to be set where this one's is. */
HlHeadsPanel *
hl_heads_panel_new (HlHeadWork *work)
{
  g_return_val_if_fail (HL_IS_HEAD_WORK (work), NULL);

  HlHeadsPanel *self = g_object_new (HL_TYPE_HEADS_PANEL, NULL);
  self->work = g_object_ref (work);
  g_signal_connect_swapped (self->work, "changed", G_CALLBACK (on_work_changed), self);
  on_numbers_chosen (self);
  return self;
}

void
hl_heads_panel_set_view_state (HlHeadsPanel *self,
                               HlViewState  *state)
{
  g_return_if_fail (HL_IS_HEADS_PANEL (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  if (self->state == state)
    return;
  if (self->state != NULL)
    g_clear_signal_handler (&self->changed_id, self->state);
  g_set_object (&self->state, state);
  self->shows_best = self->sorts_by_pair = FALSE;
  hl_number_chooser_set_view_state (self->numbers, state);
  if (state == NULL)
    return;
  self->changed_id = g_signal_connect_swapped (state, "changed", G_CALLBACK (on_state_changed), self);
  follow_attention (self);
  follow_pairs (self);
  follow_compared (self);
  follow_numbers (self);
  follow_heads (self);
}

/* Ranks the heads by what links the words, and goes to the one that does most. What is wrong with the words is said in
 * the panel. */
void
hl_heads_panel_find (HlHeadsPanel *self,
                     const char   *pairs)
{
  g_return_if_fail (HL_IS_HEADS_PANEL (self));
  g_return_if_fail (self->state != NULL);

  self->shows_best = TRUE;
  hl_view_state_set_pairs (self->state, pairs);
  self->sorts_by_pair = hl_view_state_get_found_pairs (self->state) != NULL;
  /* Asked once more, the answer is there already. */
  show_answer (self);
}

/* Puts the heads first that changed most; once it is known which these are, if it is not yet. */
void
hl_heads_panel_sort_by_change (HlHeadsPanel *self)
{
  g_return_if_fail (HL_IS_HEADS_PANEL (self));

  hl_head_columns_sort_by_change (self->view);
  hl_head_columns_scroll_to (self->view, 0);
}

void
hl_heads_panel_focus_pairs (HlHeadsPanel *self)
{
  g_return_if_fail (HL_IS_HEADS_PANEL (self));

  hl_pair_entry_focus (self->pairs);
}
