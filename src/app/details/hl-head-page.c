/* SPDX-License-Identifier: MIT */
/*
 * The head in the foreground, or the one that the pointer is over. What is told is read by a worker: all of it changes at
 * once when it has come, and rows keep their room, so that nothing jumps while the pointer moves over heads.
 */
#include "config.h"

#include "app/details/hl-head-page.h"

#include "app/base/hl-tooltip.h"
#include "app/details/hl-fact-row.h"
#include "app/details/hl-facts-work.h"
#include "app/details/hl-number-grid.h"
#include "app/details/hl-pair-row.h"
#include "core/base/hl-error.h"
#include "draw/paint/hl-palette.h"
#include "view/hl-gap-text.h"
#include "view/hl-sentence.h"
#include "view/hl-weight-text.h"

#include <glib/gi18n.h>

/* So long the pointer rests before the head under it is read. */
#define REST_MILLISECONDS 40

/* So long what is told of the head before stays while the next is read; then it goes, for it misleads. */
#define PATIENCE_MILLISECONDS 200

/* Of very many heads that are shown together, so many are listed. */
#define MAX_CHIPS 32

/* That a line of the title has room for, and how many lines there are at most. */
#define TITLE_LETTERS 26
#define MAX_TITLE_LINES 3

struct _HlHeadPage
{
  HlStatePanel parent_instance;

  HlHeadFacts *facts; /* what is told */
  HlFactsWork *work;
  gboolean knows_alike; /* of what is told */
  guint rest_id;
  guint patience_id;
  HlPick pointed; /* what a row of it has the picture point at */
  /* Of several heads the one that somebody wants to know more of. */
  gboolean has_chosen;
  HlHeadPlace chosen;
  HlShownHead *listed;
  guint n_listed;

  GtkWidget *scroller;
  GtkInscription *title;
  GtkInscription *subtitle;
  GtkLabel *found;
  GtkFlowBox *chips;
  GtkWidget *content;
  GtkLabel *hint;
  HlHeadPicture *picture;
  HlHeadPicture *twin; /* where a token is told of in place of the head */
  GtkWidget *numbers_note;
  HlNumberGrid *numbers;
  GtkWidget *pair_box;
  GtkListBox *pairs;
  GtkWidget *alike_box;
  GtkLabel *alike_note;
  GtkListBox *alike;
};

G_DEFINE_FINAL_TYPE (HlHeadPage, hl_head_page, HL_TYPE_STATE_PANEL)

static HlViewState *
get_state (HlHeadPage *self)
{
  return hl_state_panel_get_view_state (HL_STATE_PANEL (self));
}

static char *
name_map (const HlShown *shown,
          guint          layer,
          guint          head)
{
  g_autofree char *name = NULL;

  if (!shown->merges_heads && !shown->merges_layers)
    return g_strdup_printf (_ ("Layer %u · Head %u"), layer, head);
  name = hl_shown_dup_map_name (shown, layer, head);
  return hl_sentence_new (name);
}

/* Its room only changes where a long title comes after a short one, not from head to head. */
static void
write_title (HlHeadPage *self,
             const char *title)
{
  const guint n_lines = 1 + (guint) g_utf8_strlen (title, -1) / TITLE_LETTERS;

  gtk_inscription_set_text (self->title, title);
  gtk_inscription_set_min_lines (self->title, MIN (n_lines, MAX_TITLE_LINES));
}

/* What is told waits for what is shown, and may still be of heads that are not there any more: of those nothing is known now. */
static gboolean
is_of_now (HlHeadPage    *self,
           const HlShown *shown)
{
  return shown->original == hl_view_state_get_attention (get_state (self));
}

/* Of a difference, what is told of heads as they are is of the first side. */
static char *
tell_side (const HlShown *shown,
           const char    *text)
{
  return shown->other != NULL ? g_strdup_printf (_ ("%s in A"), text) : g_strdup (text);
}

/* What it is called, where that is clear, or what its numbers are. */
static void
set_subtitle (HlHeadPage    *self,
              const HlShown *shown,
              guint          layer,
              guint          head)
{
  g_autofree char *name = shown->merges_heads || shown->merges_layers || !is_of_now (self, shown)
                            ? NULL
                            : hl_view_state_dup_head_name (get_state (self), layer, head);
  const char *quantity = hl_attention_source_get_quantity (shown->source);
  /* What was subtracted says so itself. */
  g_autofree char *subtitle = name != NULL                ? tell_side (shown, name)
                              : shown->comparison != NULL ? g_strdup (quantity)
                                                          : tell_side (shown, quantity);

  gtk_inscription_set_text (self->subtitle, subtitle);
}

/* How it links the words that heads were looked for with. */
static void
set_found (HlHeadPage    *self,
           const HlShown *shown,
           guint          layer,
           guint          head)
{
  HlHeadNumbers *numbers = is_of_now (self, shown) ? hl_view_state_get_numbers (get_state (self)) : NULL;
  HlPairRanking *ranking = numbers != NULL ? hl_head_numbers_get_ranking (numbers) : NULL;
  char number[HL_WEIGHT_TEXT_SIZE];

  gtk_widget_set_visible (GTK_WIDGET (self->found), ranking != NULL && !shown->merges_heads && !shown->merges_layers);
  if (!gtk_widget_get_visible (GTK_WIDGET (self->found)))
    return;
  const double weight =
    hl_head_numbers_get (numbers, HL_HEAD_MEASURE_PAIR, hl_head_numbers_get_index (numbers, layer, head));
  g_autofree char *pairs = hl_token_pairs_describe (hl_pair_ranking_get_pairs (ranking));
  g_autofree char *text = g_strdup_printf ("%s: %s", pairs, hl_weight_text_format (weight, number));
  g_autofree char *told = tell_side (shown, text);
  gtk_label_set_label (self->found, told);
}

static void
set_title (HlHeadPage    *self,
           const HlShown *shown,
           guint          layer,
           guint          head)
{
  g_autofree char *title = name_map (shown, layer, head);

  write_title (self, title);
  hl_tooltip_set_passing (GTK_WIDGET (self->title), title);
  set_subtitle (self, shown, layer, head);
  set_found (self, shown, layer, head);
}

static void
show_pairs (HlHeadPage  *self,
            HlHeadFacts *facts)
{
  guint n = 0;
  const HlStrongPair *pairs = facts != NULL ? hl_head_facts_get_pairs (facts, &n) : NULL;
  const HlShown *shown = facts != NULL ? hl_head_facts_get_shown (facts) : NULL;
  const gboolean two_lines = shown != NULL && hl_pair_row_need_two_lines (shown, pairs, n);

  for (guint i = 0; i < HL_HEAD_FACTS_PAIRS; i++)
    hl_pair_row_set_pair (HL_PAIR_ROW (gtk_list_box_get_row_at_index (self->pairs, (int) i)), shown,
                          i < n ? &pairs[i] : NULL, two_lines);
}

/* Which it is, as short as in any list, and what it is called. */
static void
append_head (HlHeadPage    *self,
             GString       *markup,
             GString       *spoken,
             const HlShown *shown,
             guint          layer,
             guint          head)
{
  g_autofree char *name = is_of_now (self, shown) ? hl_view_state_dup_head_name (get_state (self), layer, head) : NULL;
  g_autofree char *escaped = name != NULL ? g_markup_escape_text (name, -1) : NULL;

  g_string_append_printf (spoken, _ ("Layer %u · Head %u"), layer, head);
  g_string_append_printf (markup, "%u·%u", layer, head);
  if (name == NULL)
    return;
  g_string_append_printf (markup, "  <span size=\"smaller\" alpha=\"75%%\">%s</span>", escaped);
  g_string_append_printf (spoken, ", %s", name);
}

/* @facts is NULL while that is not known. */
static void
show_alike (HlHeadPage  *self,
            HlHeadFacts *facts)
{
  guint n = 0;
  gsize n_compared = 0;
  const HlAlikeHead *alike = facts != NULL ? hl_head_facts_get_alike (facts, &n, &n_compared) : NULL;
  const HlShown *shown = facts != NULL ? hl_head_facts_get_shown (facts) : NULL;

  for (guint i = 0; i < HL_HEAD_FACTS_ALIKE; i++)
    {
      g_autoptr (GString) markup = g_string_new (NULL);
      g_autoptr (GString) spoken = g_string_new (NULL);
      char number[HL_WEIGHT_TEXT_SIZE] = "";
      if (i < n)
        {
          append_head (self, markup, spoken, shown, alike[i].layer, alike[i].head);
          g_ascii_formatd (number, sizeof number, "%.2f", alike[i].likeness);
          g_string_append_printf (spoken, ", %s", number);
        }
      hl_fact_row_set (HL_FACT_ROW (gtk_list_box_get_row_at_index (self->alike, (int) i)), markup->str, number,
                       i < n ? spoken->str : NULL);
    }
  const gboolean is_part = shown != NULL && n > 0 && n_compared < shown->queries.n;
  /* Translators: over how many queries of a long text heads were compared */
  g_autofree char *part = is_part ? g_strdup_printf (_ ("over %zu queries"), n_compared) : NULL;
  g_autofree char *note = part != NULL ? tell_side (shown, part)
                          /* Translators: of the first side of a comparison */
                          : shown != NULL && shown->other != NULL ? g_strdup (_ ("in A"))
                                                                  : g_strdup ("");
  gtk_label_set_label (self->alike_note, note);
}

static void
show_picture (HlHeadPage  *self,
              HlHeadFacts *facts)
{
  hl_head_picture_set_facts (self->picture, facts);
  if (self->twin != NULL)
    hl_head_picture_set_facts (self->twin, facts);
}

/* The token or pair in focus where a layer stands beside the other, and it is of one of them. */
static const HlPick *
find_in_layer (HlHeadPage *self)
{
  HlViewState *state = get_state (self);
  const HlPick *focus = state != NULL ? hl_view_state_get_focus (state) : NULL;

  return focus != NULL && (hl_pick_is_token (focus) || focus->kind == HL_PICK_CELL) &&
             hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->shows_all_layers
           ? focus
           : NULL;
}

/* What is pointed at or pinned is framed in the small picture: a cell, or the row or the column of a token. */
static void
update_mark (HlHeadPage *self)
{
  const HlPick *in_layer = find_in_layer (self);
  HlViewState *state = get_state (self);
  const HlPick *focus = state != NULL ? hl_view_state_get_focus (state) : NULL;

  hl_head_picture_set_mark (self->picture, focus);
  if (self->twin != NULL)
    {
      const gboolean is_elsewhere = in_layer != NULL && self->facts != NULL &&
                                    hl_head_facts_get_layer (self->facts) != in_layer->layer;
      hl_head_picture_set_mark (self->twin, is_elsewhere ? NULL : focus);
    }
}

static void
show_facts (HlHeadPage  *self,
            HlHeadFacts *facts)
{
  const HlShown *shown = hl_head_facts_get_shown (facts);
  guint n;

  g_set_object (&self->facts, facts);
  self->knows_alike = FALSE;
  set_title (self, shown, hl_head_facts_get_layer (facts), hl_head_facts_get_head (facts));
  show_picture (self, facts);
  hl_number_grid_set_facts (self->numbers, facts);
  gtk_widget_set_visible (self->numbers_note, shown->other != NULL && hl_head_facts_get_told (facts) != 0);
  show_pairs (self, facts);
  show_alike (self, NULL);
  hl_head_facts_get_pairs (facts, &n);
  gtk_widget_set_visible (self->pair_box, n > 0);
  gtk_widget_set_visible (self->alike_box, hl_head_facts_is_of_model (facts));
  gtk_widget_set_visible (GTK_WIDGET (self->hint), FALSE);
  gtk_widget_set_visible (self->content, TRUE);
  update_mark (self);
}

/* What was told is of another head. */
static void
blank (HlHeadPage *self)
{
  g_clear_object (&self->facts);
  show_picture (self, NULL);
  hl_number_grid_set_facts (self->numbers, NULL);
  show_pairs (self, NULL);
  show_alike (self, NULL);
}

static void
show_hint (HlHeadPage *self,
           const char *hint)
{
  blank (self);
  gtk_label_set_label (self->hint, hint);
  gtk_widget_set_visible (GTK_WIDGET (self->hint), TRUE);
  gtk_widget_set_visible (self->content, FALSE);
}

static gboolean
on_patience_ended (gpointer data)
{
  HlHeadPage *self = data;
  HlHeadFacts *awaited = hl_facts_work_get_awaited (self->work);

  self->patience_id = 0;
  blank (self);
  gtk_label_set_label (self->hint, "");
  set_title (self, hl_head_facts_get_shown (awaited), hl_head_facts_get_layer (awaited),
             hl_head_facts_get_head (awaited));
  return G_SOURCE_REMOVE;
}

static void
on_read (HlHeadPage   *self,
         HlHeadFacts  *facts,
         const GError *error)
{
  g_clear_handle_id (&self->patience_id, g_source_remove);
  if (error != NULL)
    {
      g_autofree char *hint = hl_sentence_of_error (error);
      set_title (self, hl_head_facts_get_shown (facts), hl_head_facts_get_layer (facts),
                 hl_head_facts_get_head (facts));
      show_hint (self, hint);
    }
  else
    {
      show_facts (self, facts);
      hl_facts_work_ask (self->work, facts);
    }
}

static void
on_alike_read (HlHeadPage   *self,
               HlHeadFacts  *facts,
               const GError *error)
{
  g_clear_handle_id (&self->patience_id, g_source_remove);
  /* What is told already stays. */
  if (g_error_matches (error, HL_ERROR, HL_ERROR_NOT_COMPUTED))
    return;
  if (error != NULL)
    {
      g_autofree char *hint = hl_sentence_of_error (error);
      show_hint (self, hint);
      return;
    }
  self->knows_alike = TRUE;
  show_alike (self, facts);
}

static void
stop (HlHeadPage *self)
{
  g_clear_handle_id (&self->rest_id, g_source_remove);
  g_clear_handle_id (&self->patience_id, g_source_remove);
  hl_facts_work_stop (self->work);
}

static gboolean
is_twin_seen (HlHeadPage *self)
{
  return self->twin != NULL && gtk_widget_get_mapped (GTK_WIDGET (self->twin));
}

/* It, or the picture of it that stands elsewhere. */
static gboolean
is_seen (HlHeadPage *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self)) || is_twin_seen (self);
}

/* The map that is pointed at, else the one that was chosen of several, else the one in the foreground; beside what is
 * told of a token, in the layer of that. */
static gboolean
find_head (HlHeadPage *self,
           guint      *layer,
           guint      *head)
{
  const HlShown *shown = hl_view_state_get_shown (get_state (self));
  const HlPick *hovered = hl_view_state_get_hovered (get_state (self));

  *layer = shown->layer;
  *head = shown->head;
  if (hovered->kind == HL_PICK_MAP)
    {
      *layer = hovered->layer;
      *head = hovered->head;
    }
  else if (hovered->kind == HL_PICK_HEAD && hovered->head < shown->n_heads)
    {
      *head = hovered->head;
    }
  else if (hovered->kind == HL_PICK_HEAD && hovered->head - shown->n_heads < shown->n_others)
    {
      *layer = shown->others[hovered->head - shown->n_heads].layer;
      *head = shown->others[hovered->head - shown->n_heads].head;
    }
  else if (is_twin_seen (self) && find_in_layer (self) != NULL)
    {
      *layer = find_in_layer (self)->layer;
    }
  else if (self->has_chosen)
    {
      *layer = self->chosen.layer;
      *head = self->chosen.head;
    }
  return *layer < hl_attention_source_get_n_layers (shown->source) &&
         *head < hl_attention_source_get_n_heads (shown->source, *layer);
}

static void
update (HlHeadPage *self)
{
  HlViewState *state = get_state (self);
  guint layer, head;

  g_clear_handle_id (&self->rest_id, g_source_remove);
  if (state == NULL || !is_seen (self))
    {
      stop (self);
      return;
    }
  if (!find_head (self, &layer, &head))
    {
      stop (self);
      g_autofree char *title = g_strdup_printf (_ ("Layer %u"), layer);
      write_title (self, title);
      gtk_inscription_set_text (self->subtitle, "");
      show_hint (self, hl_gap_text_get_hint (hl_view_state_get_shown (state)->attention, layer));
      return;
    }
  const HlShown *shown = hl_view_state_get_shown (state);
  g_autoptr (GError) refusal = NULL;
  if (!hl_view_state_check_reading (state, hl_shown_count_maps_of_one (shown), shown->comparison != NULL, &refusal))
    {
      stop (self);
      set_title (self, shown, layer, head);
      g_autofree char *hint = hl_sentence_of_error (refusal);
      show_hint (self, hint);
      return;
    }
  const HlThumbnailStyle style = hl_head_picture_get_style (self->picture, shown);
  g_autoptr (HlHeadFacts) question = hl_head_facts_new (state, layer, head, &style);
  if (hl_facts_work_goes_on (self->work, question))
    return;
  if (self->facts != NULL && hl_head_facts_is_same_question (self->facts, question))
    {
      g_clear_handle_id (&self->patience_id, g_source_remove);
      /* What was begun and given up is begun once more. */
      if (self->knows_alike)
        hl_facts_work_stop (self->work);
      else
        hl_facts_work_ask (self->work, self->facts);
      return;
    }
  if (self->patience_id == 0)
    self->patience_id = g_timeout_add (PATIENCE_MILLISECONDS, on_patience_ended, self);
  hl_facts_work_ask (self->work, question);
}

static gboolean
is_between_tokens (HlHeadPage *self)
{
  HlViewState *state = get_state (self);

  return state != NULL && is_twin_seen (self) && hl_view_state_get_hovered (state)->kind == HL_PICK_NONE &&
         hl_view_state_get_focus (state)->kind == HL_PICK_NONE &&
         hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->shows_all_layers;
}

static gboolean
on_rest (gpointer data)
{
  HlHeadPage *self = data;

  self->rest_id = 0;
  /* Between two tokens the last one is told of for a moment, and the picture stays that of its layer. */
  if (!is_between_tokens (self))
    update (self);
  return G_SOURCE_REMOVE;
}

/* A chip for each of several heads, in its colour. */
static void
list_heads (HlHeadPage *self)
{
  HlViewState *state = get_state (self);
  const HlShown *shown = hl_view_state_get_shown (state);
  const gboolean mixes = hl_view_kind_get_traits (shown->options.view)->mixes_layers;
  guint n = 0;
  g_autofree HlShownHead *heads = mixes ? hl_shown_list_heads (shown, &n)
                                        : hl_shown_list_heads_of_layer (shown, shown->layer, &n);
  const gboolean dark = shown->options.dark;

  if (shown->merges_heads || shown->merges_layers || shown->shows_one_head)
    n = 0;
  n = MIN (n, MAX_CHIPS);
  gtk_widget_set_visible (GTK_WIDGET (self->chips), n > 1);
  g_free (self->listed);
  self->listed = g_memdup2 (heads, n * sizeof *heads);
  self->n_listed = n;
  self->has_chosen = FALSE;
  while (gtk_flow_box_get_child_at_index (self->chips, 0) != NULL)
    gtk_flow_box_remove (self->chips, GTK_WIDGET (gtk_flow_box_get_child_at_index (self->chips, 0)));
  for (guint i = 0; i < n && n > 1; i++)
    {
      const HlColour colour = hl_palette_get_head_colour (heads[i].colour, dark);
      g_autofree char *name = g_strdup_printf (_ ("Layer %u · Head %u"), heads[i].layer, heads[i].head);
      g_autofree char *markup = g_strdup_printf ("<span foreground=\"#%06x\">■</span> %u·%u",
                                                 hl_colour_to_pixel (&colour) & 0xffffff, heads[i].layer,
                                                 heads[i].head);
      GtkWidget *label = gtk_label_new (NULL);
      gtk_label_set_markup (GTK_LABEL (label), markup);
      gtk_widget_add_css_class (label, "numeric");
      hl_tooltip_set (label, name);
      gtk_flow_box_append (self->chips, label);
      gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (label)), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      name, -1);
    }
}

static void
on_chip_activated (HlHeadPage      *self,
                   GtkFlowBoxChild *child)
{
  const guint index = (guint) gtk_flow_box_child_get_index (child);

  g_return_if_fail (index < self->n_listed);

  self->has_chosen = TRUE;
  self->chosen = (HlHeadPlace){ self->listed[index].layer, self->listed[index].head };
  update (self);
}

/* What is told is of one map; the heatmap shows it in full. */
static void
on_picture_clicked (HlHeadPage *self)
{
  HlViewState *state = get_state (self);

  if (self->facts == NULL || state == NULL)
    return;
  const guint layer = hl_head_facts_get_layer (self->facts), head = hl_head_facts_get_head (self->facts);
  g_object_freeze_notify (G_OBJECT (state));
  hl_view_state_go_to_shown (state, layer, head);
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  g_object_thaw_notify (G_OBJECT (state));
}

/* What is told is of one layer; with all of them in the picture a pair says of which. */
static void
put_in_layer (HlHeadPage *self,
              HlPick     *pair)
{
  hl_view_kind_put_in_layer (hl_view_state_get_options (get_state (self))->view, pair,
                             hl_head_facts_get_layer (self->facts));
}

static gboolean
get_pair (HlHeadPage    *self,
          GtkListBoxRow *row,
          HlPick        *pair)
{
  guint n = 0;
  const HlStrongPair *pairs = self->facts != NULL ? hl_head_facts_get_pairs (self->facts, &n) : NULL;
  const int index = row != NULL ? gtk_list_box_row_get_index (row) : -1;

  if (index < 0 || (guint) index >= n)
    return FALSE;
  *pair = (HlPick){ .kind = HL_PICK_CELL, .query = pairs[index].query, .key = pairs[index].key };
  put_in_layer (self, pair);
  return TRUE;
}

static void
on_pair_activated (HlHeadPage    *self,
                   GtkListBoxRow *row)
{
  HlPick pair;

  if (!get_pair (self, row, &pair))
    return;
  self->pointed = (HlPick){ HL_PICK_NONE };
  hl_view_state_set_pinned (get_state (self), &pair);
}

static void
on_pairs_motion (HlHeadPage *self,
                 double      x,
                 double      y)
{
  HlPick pair;

  if (!get_pair (self, gtk_list_box_get_row_at_y (self->pairs, (int) y), &pair) ||
      hl_pick_equal (&pair, &self->pointed))
    return;
  self->pointed = pair;
  hl_view_state_set_hovered (get_state (self), &pair);
}

static void
on_left (HlHeadPage *self)
{
  HlViewState *state = get_state (self);

  if (state != NULL && hl_head_page_points_at (self, hl_view_state_get_hovered (state)))
    {
      hl_view_state_set_hovered (state, NULL);
      self->pointed = (HlPick){ HL_PICK_NONE };
    }
}

static gboolean
find_cell (HlHeadPage    *self,
           HlHeadPicture *picture,
           double         x,
           double         y,
           HlPick        *cell)
{
  if (!hl_head_picture_find_cell (picture, x, y, cell))
    return FALSE;
  put_in_layer (self, cell);
  return TRUE;
}

/* The cell under the pointer is pointed at in the large picture, too. */
static void
on_picture_motion (HlHeadPage *self,
                   double      x,
                   double      y)
{
  HlPick cell;

  if (!find_cell (self, self->picture, x, y, &cell))
    on_left (self);
  else if (!hl_pick_equal (&cell, &self->pointed))
    {
      self->pointed = cell;
      hl_view_state_set_hovered (get_state (self), &cell);
    }
}

/* There what is told is of the cell. */
static void
on_twin_motion (HlHeadPage *self,
                double      x,
                double      y)
{
  HlViewState *state = get_state (self);
  HlPick cell;

  if (state == NULL)
    return;
  if (find_cell (self, self->twin, x, y, &cell))
    hl_view_state_set_hovered (state, &cell);
  else
    hl_view_state_set_hovered (state, NULL);
}

static void
on_twin_left (HlHeadPage *self)
{
  if (get_state (self) != NULL)
    hl_view_state_set_hovered (get_state (self), NULL);
}

static void
on_alike_activated (HlHeadPage    *self,
                    GtkListBoxRow *row)
{
  guint n = 0;
  gsize n_compared;
  const HlAlikeHead *alike =
    self->facts != NULL && self->knows_alike ? hl_head_facts_get_alike (self->facts, &n, &n_compared) : NULL;
  const guint index = (guint) gtk_list_box_row_get_index (row);

  if (index < n)
    hl_view_state_go_to (get_state (self), alike[index].layer, alike[index].head);
}

static void
hl_head_page_follow (HlStatePanel *panel,
                     HlViewState  *state,
                     HlChanges     changes)
{
  HlHeadPage *self = HL_HEAD_PAGE (panel);

  if (state == NULL)
    {
      stop (self);
      blank (self);
      write_title (self, "");
      gtk_inscription_set_text (self->subtitle, "");
      return;
    }
  if ((changes & (HL_CHANGED_NUMBERS | HL_CHANGED_PAIRS)) && self->facts != NULL)
    {
      set_title (self, hl_head_facts_get_shown (self->facts), hl_head_facts_get_layer (self->facts),
                 hl_head_facts_get_head (self->facts));
      show_alike (self, self->knows_alike ? self->facts : NULL);
    }
  if (changes & ~(HL_CHANGED_HOVER | HL_CHANGED_PIN | HL_CHANGED_NUMBERS | HL_CHANGED_PAIRS))
    {
      list_heads (self);
      update (self);
      return;
    }
  if ((changes & (HL_CHANGED_HOVER | HL_CHANGED_PIN)) == 0)
    return;
  update_mark (self);
  if (self->rest_id == 0)
    self->rest_id = g_timeout_add (REST_MILLISECONDS, on_rest, self);
}

static void
hl_head_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (hl_head_page_parent_class)->map (widget);
  update (HL_HEAD_PAGE (widget));
}

static void
hl_head_page_unmap (GtkWidget *widget)
{
  HlHeadPage *self = HL_HEAD_PAGE (widget);

  self->pointed = (HlPick){ HL_PICK_NONE };
  GTK_WIDGET_CLASS (hl_head_page_parent_class)->unmap (widget);
  if (!is_seen (self))
    stop (self);
}

static void
hl_head_page_dispose (GObject *object)
{
  HlHeadPage *self = HL_HEAD_PAGE (object);

  stop (self);
  if (self->twin != NULL)
    g_signal_handlers_disconnect_by_data (self->twin, self);
  g_clear_object (&self->twin);
  G_OBJECT_CLASS (hl_head_page_parent_class)->dispose (object);
  g_clear_object (&self->facts);
  g_clear_pointer (&self->listed, g_free);
}

static void
hl_head_page_finalize (GObject *object)
{
  g_clear_object (&HL_HEAD_PAGE (object)->work);
  G_OBJECT_CLASS (hl_head_page_parent_class)->finalize (object);
}

static void
hl_head_page_class_init (HlHeadPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  HlStatePanelClass *panel_class = HL_STATE_PANEL_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_head_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_head_page_finalize;
  widget_class->map = hl_head_page_map;
  widget_class->unmap = hl_head_page_unmap;
  panel_class->changes = HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION | HL_CHANGED_LAYER | HL_CHANGED_HEAD |
                         HL_CHANGED_HEADS | HL_CHANGED_VIEW | HL_CHANGED_CHART | HL_CHANGED_COLOURS | HL_CHANGED_THEME |
                         HL_CHANGED_SHOWN_ATTENTION | HL_CHANGED_SOURCE | HL_CHANGED_SHOWN_SOURCE | HL_CHANGED_TOKENS |
                         HL_CHANGED_READING | HL_CHANGED_ORDER | HL_CHANGED_SIDES | HL_CHANGED_NUMBERS |
                         HL_CHANGED_PAIRS | HL_CHANGED_HOVER | HL_CHANGED_PIN;
  panel_class->follow = hl_head_page_follow;

  g_type_ensure (HL_TYPE_HEAD_PICTURE);
  g_type_ensure (HL_TYPE_NUMBER_GRID);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/head-page.ui");
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, scroller);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, title);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, subtitle);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, found);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, chips);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, content);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, hint);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, picture);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, numbers_note);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, numbers);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, pair_box);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, pairs);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, alike_box);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, alike_note);
  gtk_widget_class_bind_template_child (widget_class, HlHeadPage, alike);
  gtk_widget_class_bind_template_callback (widget_class, on_chip_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_picture_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_pair_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_pairs_motion);
  gtk_widget_class_bind_template_callback (widget_class, on_left);
  gtk_widget_class_bind_template_callback (widget_class, on_picture_motion);
  gtk_widget_class_bind_template_callback (widget_class, on_alike_activated);
  gtk_widget_class_set_css_name (widget_class, "headpage");
}

static void
hl_head_page_init (HlHeadPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < HL_HEAD_FACTS_PAIRS; i++)
    gtk_list_box_append (self->pairs, hl_pair_row_new ());
  for (guint i = 0; i < HL_HEAD_FACTS_ALIKE; i++)
    gtk_list_box_append (self->alike, hl_fact_row_new ());
  self->work = hl_facts_work_new ();
  g_signal_connect_object (self->work, "read", G_CALLBACK (on_read), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->work, "alike-read", G_CALLBACK (on_alike_read), self, G_CONNECT_SWAPPED);
  blank (self);
}

/* A second picture of the head, for where the page is not seen. */
void
hl_head_page_set_twin (HlHeadPage    *self,
                       HlHeadPicture *twin)
{
  g_return_if_fail (HL_IS_HEAD_PAGE (self));
  g_return_if_fail (HL_IS_HEAD_PICTURE (twin));
  g_return_if_fail (self->twin == NULL);

  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect_object (motion, "motion", G_CALLBACK (on_twin_motion), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "leave", G_CALLBACK (on_twin_left), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (twin), motion);
  g_signal_connect_object (twin, "map", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  self->twin = g_object_ref (twin);
  hl_head_picture_set_facts (twin, self->facts);
}

/* Whether it is a row of the page, or its picture, that has this be pointed at: whoever tells what is in focus then tells of the head. */
gboolean
hl_head_page_points_at (HlHeadPage   *self,
                        const HlPick *pick)
{
  g_return_val_if_fail (HL_IS_HEAD_PAGE (self), FALSE);

  return self->pointed.kind != HL_PICK_NONE && hl_pick_equal (&self->pointed, pick);
}
