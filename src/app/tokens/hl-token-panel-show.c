/* SPDX-License-Identifier: MIT */
/* HlTokenPanel: what stands in it: a hint, the title of what is being read, or a title and its rows. */
#include "app/tokens/hl-token-panel-private.h"

#include "draw/text/hl-token-label.h"
#include "view/hl-weight-text.h"

#include <glib/gi18n.h>

#define NO_BREAK_SPACE "\u00a0"

void
hl_token_panel_show_hint (HlTokenPanel *self,
                          const char   *hint)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  g_autofree char *shown = state != NULL ? hl_view_state_describe (state) : g_strdup ("");
  /* Lines break behind dots and commas only. */
  g_autoptr (GString) wrappable = g_string_new (shown);

  g_string_replace (wrappable, " ", NO_BREAK_SPACE, 0);
  g_string_replace (wrappable, NO_BREAK_SPACE "·" NO_BREAK_SPACE, NO_BREAK_SPACE "· ", 0);
  g_string_replace (wrappable, "," NO_BREAK_SPACE, ", ", 0);
  gtk_label_set_label (self->hint, hint);
  gtk_label_set_label (self->shown, wrappable->str);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "hint");
  hl_token_list_set_weights (self->list, NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "panel.copy", FALSE);
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
set_line (GtkLabel   *label,
          const char *text)
{
  gtk_label_set_label (label, text != NULL ? text : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), text);
}

static void
update_title (HlTokenPanel   *self,
              HlTokenWeights *weights)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  const HlPick *focus = hl_view_state_get_focus (state);
  const guint subject = (guint) hl_token_weights_get_subject_position (weights);
  g_autofree char *token = hl_token_text_quote (hl_token_weights_get_subject_text (weights));
  g_autofree char *spelling = hl_token_weights_dup_subject_spelling (weights);
  g_autofree char *title = NULL;
  gsize key_index;

  if (focus->kind == HL_PICK_CELL && hl_token_weights_to_common (weights, focus->key, TRUE, &key_index))
    {
      g_autofree char *key = hl_token_text_quote (hl_token_weights_get_text (weights, key_index));
      title = g_strdup_printf ("%s → %s", token, key);
    }
  else
    title = g_strdup_printf (hl_token_weights_lists_keys (weights) ? _ ("%s (query %u)") : _ ("%s (key %u)"),
                             token, subject);
  set_line (self->title, title);
  if (spelling != NULL)
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), spelling);
}

/* "Keys it attends to, mean of 3 heads" and "row sum 1.000". */
static void
update_token_lines (HlTokenPanel   *self,
                    HlTokenWeights *weights)
{
  const gboolean is_row = hl_token_weights_get_side (weights) == HL_TOKEN_SIDE_KEYS;
  const gboolean lists_keys = hl_token_weights_lists_keys (weights);
  g_autofree char *heads = hl_token_weights_describe_heads (weights);
  /* Translators: %s is “head 5” or “mean of 3 heads”. */
  g_autofree char *subtitle = g_strdup_printf (lists_keys ? _ ("Keys it attends to, %s")
                                                          : _ ("Queries that attend to it, %s"),
                                               heads);
  g_autofree char *sum = hl_token_weights_describe_sum (weights);
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
  g_autofree char *sum = hl_token_weights_describe_sum (weights);

  /* Translators: a weight, or “masked”, and “head 5” or “mean of 3 heads”. */
  subtitle = g_strdup_printf (_ ("%s, %s"), number, heads);
  if (row->is_masked || hl_token_weights_has_sides (weights))
    detail = g_strdup_printf (_ ("row sum %s"), sum);
  else
    detail = g_strdup_printf (_ ("rank %u of %u · row sum %s"), position + 1,
                              hl_token_weights_get_n_rows (weights), sum);
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

  if (focus->kind == HL_PICK_CELL && hl_token_weights_to_common (weights, focus->key, TRUE, &key) &&
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
void
hl_token_panel_update_marks (HlTokenPanel *self)
{
  HlTokenWeights *weights = hl_token_list_get_weights (self->list);

  update_pin (self);
  if (weights == NULL)
    return;
  hl_token_list_set_marked (self->list, find_marked (self, weights));
  update_title (self, weights);
  update_lines (self, weights);
}

void
hl_token_panel_show_weights (HlTokenPanel   *self,
                             HlTokenWeights *weights)
{
  HlTokenWeights *before = hl_token_list_get_weights (self->list);
  const gboolean is_other =
    before == NULL ||
    hl_token_weights_get_subject (before) != hl_token_weights_get_subject (weights) ||
    hl_token_weights_get_side (before) != hl_token_weights_get_side (weights);

  if (is_other)
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (
                                GTK_SCROLLED_WINDOW (self->scroller)),
                              0);
  hl_token_list_set_weights (self->list, weights);
  hl_token_panel_update_marks (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "token");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "panel.copy", TRUE);
}

void
hl_token_panel_show_wait (HlTokenPanel   *self,
                          HlTokenWeights *awaited)
{
  hl_token_list_set_weights (self->list, NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "panel.copy", FALSE);
  update_title (self, awaited);
  update_pin (self);
  set_line (self->subtitle, _ ("Reading…"));
  set_line (self->detail, NULL);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "token");
}
