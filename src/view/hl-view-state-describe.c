/* SPDX-License-Identifier: MIT */
/* HlViewState: the words that say what is shown. */
#include "view/hl-view-state-private.h"

#include "view/hl-weight-text.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static void
append_part (GString    *text,
             const char *part)
{
  if (text->len > 0)
    g_string_append (text, " · ");
  g_string_append (text, part);
}

static void
append_alterations (GString     *text,
                    HlViewState *self)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!hl_head_steps_are_known (self->attention))
    {
      append_part (text, _ ("no queries and keys"));
      return;
    }
  if (self->options.score_scale != 1)
    {
      g_ascii_formatd (number, sizeof number, "%.3g", self->options.score_scale);
      /* Translators: a number, by which scores are multiplied */
      g_autofree char *part = g_strdup_printf (_ ("scores × %s"), number);
      append_part (text, part);
    }
  if (!self->options.mask && hl_view_state_has_mask (self))
    append_part (text, _ ("mask off"));
}

/* Heads of several layers. */
static void
append_heads_of_layers (GString     *text,
                        HlViewState *self)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n;
  g_autofree HlShownHead *heads = hl_view_state_list_shown_heads (self, &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "%s%u.%u", i > 0 ? ", " : "", heads[i].layer, heads[i].head);
  /* Translators: “5.1, 7.3”: head 1 of layer 5, head 3 of layer 7 */
  g_autofree char *part = g_strdup_printf (_ ("heads %s (layer.head)"), list->str);
  append_part (text, part);
}

/* Heads and layers that are combined stand with the quantity. */
static void
append_heads (GString     *text,
              HlViewState *self)
{
  const HlHeadSet *heads = hl_view_state_get_shown_heads (self);
  const guint n_shown = hl_head_set_count (heads);
  const guint n_layers = hl_attention_get_n_layers (self->shown_attention);
  g_autofree char *layer =
    hl_view_kind_get_traits (self->options.view)->shows_all_layers
      ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u layer", "%u layers", n_layers), n_layers)
      : g_strdup_printf (_ ("layer %u"), self->layer);
  g_autofree char *head = NULL;
  HlGuests guests;

  hl_view_state_get_shown_guests (self, &guests);
  if (hl_view_kind_get_traits (self->options.view)->mixes_layers && guests.n > 0)
    {
      append_heads_of_layers (text, self);
      return;
    }
  if (!hl_view_state_merges_layers (self))
    append_part (text, layer);
  if (hl_view_state_merges_heads (self))
    return;
  if (hl_view_state_shows_one_head (self) || n_shown == 1)
    head = g_strdup_printf (_ ("head %u"), hl_view_state_get_shown_head (self));
  else if (n_shown == 0)
    head = g_strdup (_ ("no heads"));
  else
    {
      g_autofree char *list = hl_bits_format (heads->bits, hl_view_state_get_n_shown_heads (self));
      head = g_strdup_printf (_ ("heads %s"), list);
    }
  append_part (text, head);
}

/* "weight her → Sarah"; of several pairs, what a head is ranked by is a mean. */
static char *
dup_pair_label (HlViewState *self)
{
  g_autofree char *pairs = hl_token_pairs_describe (self->found_pairs);

  /* Translators: the weight of one pair of words, “her → Sarah”; then the mean weight of “3 pairs” */
  return g_strdup_printf (hl_token_pairs_get_n (self->found_pairs) == 1 ? _ ("weight %s") : _ ("mean weight of %s"),
                          pairs);
}

static void
append_measure (GString       *text,
                HlViewState   *self,
                const char    *format,
                HlHeadMeasure  measure)
{
  if (measure == HL_HEAD_MEASURE_NONE)
    return;
  g_autofree char *pairs = measure == HL_HEAD_MEASURE_PAIR ? dup_pair_label (self) : NULL;
  g_autofree char *part = g_strdup_printf (format, pairs != NULL ? pairs : hl_head_measure_get_label (measure));
  append_part (text, part);
}

/* A map of every head has colours of its own, which nobody could guess. */
static void
append_all_heads (GString     *text,
                  HlViewState *self)
{
  const guint n_layers = hl_attention_get_n_layers (self->shown_attention);
  const guint n_heads = hl_attention_get_max_heads (self->shown_attention);
  g_autofree char *layers =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u layer", "%u layers", n_layers), n_layers);
  g_autofree char *heads = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u head", "%u heads", n_heads), n_heads);
  g_autofree char *both = g_strdup_printf ("%s × %s", layers, heads);

  if (!hl_view_state_merges_heads (self))
    append_part (text, hl_view_state_merges_layers (self) ? heads : both);
  else if (!hl_view_state_merges_layers (self))
    append_part (text, layers);
  /*
   * Translators: by which number heads are sorted, and which one their frames tell: “sorted by entropy”, “frames:
   * entropy”
   */
  append_measure (text, self, _ ("sorted by %s"), hl_view_state_get_applied_sort (self));
  append_measure (text, self, _ ("frames: %s"), hl_view_state_get_applied_colour_by (self));
  if (self->options.thumbnails == HL_THUMBNAIL_HEATMAP)
    append_part (text, hl_attention_source_is_signed (self->source) ? _ ("each head up to its own greatest magnitude")
                                                                    : _ ("each head up to its own maximum"));
  if (self->options.thumbnails == HL_THUMBNAIL_HEATMAP && hl_view_state_has_lone_tokens (self))
    append_part (text, _ ("grey: not in both"));
}

/*
 * Heads are ranked by the weights of the attention, and of a difference by those of the first side: other numbers are seen.
 */
static char *
dup_ranked_by (HlViewState *self,
               const char  *weight)
{
  g_autofree char *hiding = hl_view_state_describe_hiding (self);

  if (self->comparison != NULL)
    /* Translators: “weight her → Sarah 0.92” of the first side of a comparison, in the title of the difference */
    return g_strdup_printf (_ ("%s in A"), weight);
  if ((self->options.renormalise && hiding != NULL) || hl_attention_source_is_signed (self->source))
    /* Translators: “weight her → Sarah 0.92”, where what is seen was made of the weights and has other numbers */
    return g_strdup_printf (_ ("unaltered %s"), weight);
  return g_strdup (weight);
}

/* How the one head that is shown links the words that heads were looked for with. */
static void
append_rank (GString     *text,
             HlViewState *self)
{
  HlPairRanking *ranking = self->numbers != NULL ? hl_head_numbers_get_ranking (self->numbers) : NULL;
  HlGuests guests;
  char number[HL_WEIGHT_TEXT_SIZE];

  hl_view_state_get_shown_guests (self, &guests);
  const gboolean one =
    hl_view_state_shows_one_head (self) || (hl_head_set_count (&self->heads) == 1 && guests.n == 0);
  if (ranking == NULL || !one || hl_view_state_merges_heads (self) || hl_view_state_merges_layers (self))
    return;
  const guint index = hl_head_numbers_get_index (self->numbers, self->layer, self->head);
  const guint rank = hl_pair_ranking_get_rank (ranking, index);
  g_autofree char *label = dup_pair_label (self);
  g_autofree char *weight =
    g_strdup_printf ("%s %s", label, hl_weight_text_format (hl_pair_ranking_get_weight (ranking, index), number));
  g_autofree char *part = dup_ranked_by (self, weight);
  append_part (text, part);
  if (rank == 0)
    return;
  /* Translators: a head's place among all heads */
  g_autofree char *place = g_strdup_printf (_ ("rank %u of %u"), rank, hl_pair_ranking_get_n (ranking));
  append_part (text, place);
}

/**
 * hl_view_state_describe:
 * @self: a view state
 *
 * Says what is shown: the quantity, where it is from, and what was left out. Every view and every export carries it.
 *
 * Returns: (transfer full): "attention weight · layer 3 · head 5 · weights from 0.05", translated
 */
char *
hl_view_state_describe (HlViewState *self)
{
  static const char *const sentences[] = { NULL, "A → A", "B → B", "A → B", "B → A" };
  GString *text = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  append_part (text, hl_attention_source_get_quantity (self->source));
  if (hl_attention_get_kind (self->attention) != HL_ATTENTION_SELF)
    append_part (text, hl_attention_kind_get_label (hl_attention_get_kind (self->attention)));

  if (hl_view_kind_get_traits (self->options.view)->shows_all_heads)
    append_all_heads (text, self);
  else
    append_heads (text, self);

  if (!hl_view_kind_get_traits (self->options.view)->shows_all_heads && !hl_view_state_shows_steps (self))
    append_rank (text, self);

  hl_view_state_describe_sides (self, text);
  if (self->options.sentences != HL_SENTENCES_ALL)
    append_part (text, sentences[self->options.sentences]);
  if (hl_view_state_shows_steps (self))
    {
      append_alterations (text, self);
      return g_string_free (text, FALSE);
    }
  g_autofree char *hiding = hl_view_state_describe_hiding (self);
  if (hiding != NULL)
    append_part (text, hiding);
  if (self->options.threshold > 0)
    {
      g_autofree char *part =
        g_strdup_printf (_ ("weights from %s"), g_ascii_formatd (number, sizeof number, "%.3g", self->options.threshold));
      append_part (text, part);
    }
  if (self->options.top_mass < 1)
    {
      g_autofree char *part = g_strdup_printf (_ ("top keys holding %d %%"), (int) lround (self->options.top_mass * 100));
      append_part (text, part);
    }
  const gboolean is_signed = hl_attention_source_is_signed (self->source);
  const gboolean has_scale =
    hl_view_kind_get_traits (self->options.view)->has_value_scale || (hl_view_kind_get_traits (self->options.view)->shows_all_heads && self->options.thumbnails == HL_THUMBNAIL_HEATMAP);
  /* A heatmap has a bar that tells; there is no logarithm of what is below zero. */
  if (!has_scale && is_signed)
    append_part (text, _ ("blue above zero, orange below"));
  if (has_scale && self->options.value_scale != HL_VALUE_SCALE_LINEAR &&
      !(is_signed && self->options.value_scale != HL_VALUE_SCALE_ROW))
    append_part (text, hl_value_scale_kind_get_display_name (self->options.value_scale));
  return g_string_free (text, FALSE);
}
