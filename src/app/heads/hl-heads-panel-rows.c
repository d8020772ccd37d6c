/* SPDX-License-Identifier: MIT */
/* HlHeadsPanel: its rows, a head each. What is selected of them and what the view shows follow one another. */
#include "app/heads/hl-heads-panel-private.h"

#include "app/heads/hl-head-columns.h"
#include "app/heads/hl-head-row.h"

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
 * those of other layers. */
static gboolean
get_selected (HlHeadsPanel *self,
              guint        *layer,
              HlHeadSet    *heads,
              HlGuests     *guests)
{
  *layer = hl_view_state_get_layer (self->state);
  *heads = (HlHeadSet){ { 0 } };
  *guests = (HlGuests){ 0 };
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
            hl_guests_add (guests, hl_head_row_get_layer (row), hl_head_row_get_head (row));
        }
      if (hl_head_set_count (heads) > 0 || guests->n == 0)
        break;
      *layer = guests->heads[0].layer;
      *guests = (HlGuests){ 0 };
    }
  return hl_head_set_count (heads) > 0;
}

/* Selects the heads that the view has chosen. */
void
hl_heads_panel_follow_heads (HlHeadsPanel *self)
{
  const guint layer = hl_view_state_get_layer (self->state);
  const HlHeadSet *heads = hl_view_state_get_heads (self->state);
  const gboolean combines = hl_view_state_merges_heads (self->state) || hl_view_state_merges_layers (self->state);
  const HlGuests *guests = hl_view_state_get_guests (self->state);
  HlHeadSet selected_heads;
  HlGuests selected_guests;
  guint selected_layer, foreground = GTK_INVALID_LIST_POSITION;

  if (self->is_following || get_n_rows (self) == 0)
    return;
  g_autoptr (GtkBitset) before = gtk_selection_model_get_selection (self->selection);
  if (gtk_bitset_get_size (before) == hl_head_set_count (heads) + (combines ? 0 : guests->n) &&
      get_selected (self, &selected_layer, &selected_heads, &selected_guests) && selected_layer == layer &&
      hl_head_set_equal (&selected_heads, heads) && hl_guests_equal (&selected_guests, guests))
    return;
  g_autoptr (GtkBitset) selected = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, get_n_rows (self));
  for (guint i = 0; i < get_n_rows (self); i++)
    {
      g_autoptr (HlHeadRow) row = get_row (self, i);
      const gboolean is_own =
        hl_head_row_get_layer (row) == layer && hl_head_set_contains (heads, hl_head_row_get_head (row));
      const gboolean is_guest =
        !combines && hl_guests_contain (guests, hl_head_row_get_layer (row), hl_head_row_get_head (row));
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
  HlHeadSet heads;
  HlGuests guests;
  guint layer, head = 0;

  if (self->is_following || self->state == NULL)
    return;
  if (!get_selected (self, &layer, &heads, &guests))
    {
      hl_heads_panel_follow_heads (self);
      return;
    }
  while (!hl_head_set_contains (&heads, head))
    head++;
  /* The heads that are shown stay in the foreground where they can. */
  if (layer == hl_view_state_get_layer (self->state) &&
      hl_head_set_contains (&heads, hl_view_state_get_head (self->state)))
    head = hl_view_state_get_head (self->state);
  self->is_following = TRUE;
  g_object_freeze_notify (G_OBJECT (self->state));
  hl_view_state_go_to (self->state, layer, head);
  hl_view_state_set_heads (self->state, &heads);
  if (!hl_view_state_merges_heads (self->state) && !hl_view_state_merges_layers (self->state))
    hl_view_state_set_guests (self->state, &guests);
  g_object_thaw_notify (G_OBJECT (self->state));
  self->is_following = FALSE;
  /* Of very many, and where heads or layers are combined, not all can be shown: what is selected is what is. */
  hl_heads_panel_follow_heads (self);
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
  hl_view_state_set_view (self->state, HL_VIEW_HEAD_VIEW);
  g_object_thaw_notify (G_OBJECT (self->state));
}

void
hl_heads_panel_init_rows (HlHeadsPanel *self)
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
