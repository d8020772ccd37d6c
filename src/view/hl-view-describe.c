/* SPDX-License-Identifier: MIT */
/* The words that say what is shown. */
#include "view/hl-view-state.h"

#include "config.h"
#include "core/source/derive/hl-sink-source.h"
#include "view/hl-gap-text.h"
#include "view/hl-number-text.h"
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

/* "whole words · special tokens hidden", NULL where everything is shown as it is. */
static char *
dup_hiding (HlViewState *self)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  const HlShown *shown = hl_view_state_get_shown (self);
  const HlLens *lens = &shown->lens;
  const gboolean keeps_queries = hl_lens_hides_all (lens, shown->original, HL_QUERIES);
  const gboolean keeps_keys = hl_lens_hides_all (lens, shown->original, HL_KEYS);
  const gboolean hides = !keeps_queries || !keeps_keys;

  if (lens->words)
    g_ptr_array_add (parts, g_strdup (_ ("whole words")));
  if (hides && lens->hide_special)
    g_ptr_array_add (parts, g_strdup (_ ("special tokens hidden")));
  if (hides && lens->hide_first)
    g_ptr_array_add (parts, g_strdup (_ ("first token hidden")));

  const HlHiddenTokens hidden = { { keeps_queries ? NULL : lens->hidden[HL_QUERIES],
                                    keeps_keys ? NULL : lens->hidden[HL_KEYS] } };
  const gsize n = hl_hidden_tokens_count (&hidden, shown->original);
  if (n > 0)
    g_ptr_array_add (parts,
                     g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%zu token hidden", "%zu tokens hidden", n), n));
  if (keeps_queries || keeps_keys)
    g_ptr_array_add (parts, g_strdup (!hides          ? _ ("no token hidden: none would be left")
                                      : keeps_queries ? _ ("no query hidden: none would be left")
                                                      : _ ("no key hidden: none would be left")));
  if (parts->len == 0)
    return NULL;
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (char **) parts->pdata);
}

/* Whether what is one layer is subtracted from one that has no attention. */
static gboolean
lacks_partner (const HlShown *shown,
               guint          layer)
{
  const HlViewTraits *view = hl_view_kind_get_traits (shown->options.view);

  return !view->shows_all_heads && !view->shows_all_layers && !shown->merges_layers &&
         layer < hl_attention_get_n_layers (shown->other) && hl_attention_get_n_heads (shown->other, layer) == 0;
}

/* "no layer 3", "no heads 4, 5": what is seen of the first side that the second does not have; NULL where it has all. Combined heads and layers
 * are named with what they become. */
static char *
dup_absent (const HlShown *shown)
{
  const HlViewTraits *view = hl_view_kind_get_traits (shown->options.view);
  const guint n_layers = hl_attention_get_n_layers (shown->other);
  const guint max_heads = hl_attention_get_max_heads (shown->other);
  const guint first = view->shows_all_layers ? 0 : shown->selection.layer;
  const guint end = view->shows_all_layers ? hl_attention_get_n_layers (shown->original) : first + 1;
  HlLayerSet layers = { { 0 } };
  HlHeadSet heads = { { 0 } };

  if (view->shows_all_heads || shown->merges_layers)
    return NULL;
  for (guint layer = first; layer < end; layer++)
    {
      const guint other = shown->pairing.layer >= 0 ? (guint) shown->pairing.layer : layer;
      if (other >= n_layers)
        {
          hl_layer_set_add (&layers, layer);
          continue;
        }
      const guint n_heads = view->shows_all_layers ? max_heads : hl_attention_get_n_heads (shown->other, other);
      for (guint head = n_heads; n_heads > 0 && head < hl_attention_get_n_heads (shown->original, layer); head++)
        if (shown->shows_one_head ? head == shown->head : hl_head_set_contains (&shown->heads, head))
          hl_head_set_add (&heads, head);
    }
  if (hl_layer_set_count (&layers) > 0)
    {
      g_autofree char *list = hl_bits_format (layers.bits, HL_LIMIT_LAYERS);
      /* Translators: layers that the second side of a comparison does not have */
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "no layer %s", "no layers %s",
                                           hl_layer_set_count (&layers)),
                              list);
    }
  if (hl_head_set_count (&heads) == 0 || shown->merges_heads || shown->pairing.head >= 0)
    return NULL;
  g_autofree char *list = hl_bits_format (heads.bits, HL_LIMIT_HEADS);
  /* Translators: heads that the second side of a comparison does not have */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "no head %s", "no heads %s", hl_head_set_count (&heads)), list);
}

/*
 * "A: bert.h5 · B: tuned.h5" of a difference, "A: bert.h5" of one side: what is written on the picture. Where one goes from
 * head to head, as on a page, it is not said what of the present one the second side has not.
 */
static void
append_sides (GString     *text,
              HlViewState *self,
              gboolean     of_all_heads)
{
  const HlShown *shown = hl_view_state_get_shown (self);
  const HlCounterpart *counterpart = hl_view_state_get_counterpart (self);
  if (shown->comparison == NULL)
    {
      /* Steps to the weights are those of one side, whatever is subtracted from what is made of them. */
      if (counterpart->name != NULL && counterpart->attention == NULL)
        g_string_append_printf (text, " · %s", counterpart->name);
      return;
    }
  if (counterpart->name == NULL || g_strcmp0 (counterpart->name, counterpart->other_name) != 0)
    /* Translators: the first and the second side of a comparison, each by the name of a file or by its text */
    g_string_append_printf (text, _ (" · A: %s · B: %s"), counterpart->name != NULL ? counterpart->name : "?",
                            counterpart->other_name != NULL ? counterpart->other_name : "?");
  const guint layer = shown->pairing.layer >= 0 ? (guint) shown->pairing.layer : shown->selection.layer;
  g_autofree char *absent = of_all_heads ? NULL : dup_absent (shown);
  if (!of_all_heads && lacks_partner (shown, layer))
    g_string_append_printf (text, ", %s", hl_gap_text_get (shown->other, layer));
  else if (absent != NULL)
    g_string_append_printf (text, ", %s", absent);
  if (!hl_token_alignment_is_searched (hl_comparison_get_alignment (shown->comparison, HL_QUERIES)) ||
      !hl_token_alignment_is_searched (hl_comparison_get_alignment (shown->comparison, HL_KEYS)))
    append_part (text, _ ("texts too different to be aligned: their beginnings and ends are compared"));
}

static void
append_alterations (GString     *text,
                    HlViewState *self)
{
  const HlShown *shown = hl_view_state_get_shown (self);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!hl_head_steps_are_known (shown->original))
    {
      append_part (text, _ ("no queries and keys"));
      return;
    }
  if (shown->options.score_scale != 1)
    {
      g_ascii_formatd (number, sizeof number, "%.3g", shown->options.score_scale);
      /* Translators: a number, by which scores are multiplied */
      g_autofree char *part = g_strdup_printf (_ ("scores × %s"), number);
      append_part (text, part);
    }
  if (!shown->options.mask && hl_shown_has_mask (hl_view_state_get_shown (self)))
    append_part (text, _ ("mask off"));
}

/* Whether what is shown may be next to nothing: what is left of rows, or a difference. */
static gboolean
may_be_weak (const HlShown *shown)
{
  const HlLens *lens = &shown->lens;

  return lens->hide_special || lens->hide_first || lens->hidden[HL_QUERIES] != NULL || lens->hidden[HL_KEYS] != NULL ||
         shown->filtered != shown->source || shown->comparison != NULL;
}

/* What lines are parts of, where the picture does not say it with its number. */
static void
append_lines (GString       *text,
              const HlShown *shown)
{
  const HlViewTraits *view = hl_view_kind_get_traits (shown->options.view);
  const double least = hl_shown_get_least_whole (shown);

  if (hl_shown_has_lines (shown) && !hl_shown_has_relative_lines (shown))
    append_part (text, _ ("lines as strong as their weights"));
  else if (hl_shown_has_lines (shown) && !view->mixes_layers)
    append_part (text, view->shows_all_layers  ? _ ("lines to the strongest of each layer")
                       : view->shows_all_heads ? _ ("lines to the strongest of each map")
                                               : _ ("lines to the strongest"));
  if (hl_shown_has_lines (shown) && hl_shown_has_relative_lines (shown) && !view->mixes_layers && least > 0 &&
      may_be_weak (shown))
    {
      char number[HL_WEIGHT_TEXT_SIZE];
      /* Translators: a number, which a line of full strength stands for where the strongest that is shown is less */
      g_autofree char *part = g_strdup_printf (_ ("lines at least to %s"), hl_weight_text_format (least, number));
      append_part (text, part);
    }
  if (view->joins_tokens && !view->shows_one_head && !hl_attention_source_is_signed (shown->source) &&
      !shown->merges_heads && hl_head_set_count (&shown->heads) + shown->n_others > 1)
    append_part (text, _ ("each pair in the colour of its strongest head"));
  if (shown->options.whole_bars && view->has_bars)
    append_part (text, _ ("bars of 1"));
}

/* "mean of 3 queries: time, flies, like", where lines or a strip of cells tell it. */
static void
append_gathered (GString     *text,
                 HlViewState *self)
{
  const HlShown *shown = hl_view_state_get_shown (self);
  const HlViewTraits *view = hl_view_kind_get_traits (shown->options.view);
  const HlFocus *pin = hl_view_state_get_pin (self);
  g_autofree char *gathered = hl_focus_describe (pin, shown->attention);

  /* The features of a query are those of one. */
  if (gathered != NULL && (view->joins_tokens || view->crosses_sides || view->shows_pictures) &&
      !(view->shows_steps && pin->pick.kind == HL_PICK_QUERY))
    append_part (text, gathered);
}

/* A quantity that was chosen, and that this view does not show. */
static void
append_absent (GString       *text,
               const HlShown *shown)
{
  if (!hl_shown_replaces_quantity (shown))
    return;
  g_autofree char *part =
    /* Translators: %s is a quantity, as “Norm-Weighted”, that was chosen but that the view does not show */
    g_strdup_printf (_ ("“%s” only in other views"), _ (hl_quantity_get (shown->options.quantity)->label));
  append_part (text, part);
}

/* A sink is a part of each row of weights, and brings nothing to the token. */
static void
append_sink (GString       *text,
             const HlShown *shown)
{
  HlAttention *attention = shown->attention;

  if (!hl_sink_is_in (shown->original) || shown->comparison != NULL)
    return;
  if (hl_sink_is_at (attention, HL_KEYS, 0) || hl_sink_is_at (attention, HL_QUERIES, 0))
    /* Translators: [sink] stands where else the token of a key does */
    append_part (text, _ ("[sink]: what a learned sink takes of each row, in place of a key"));
  else if (shown->is_plain || shown->lens.quantity == HL_QUANTITY_WEIGHT)
    append_part (text, _ ("rows sum below 1: the rest goes to a learned sink"));
  else if (hl_quantity_get (shown->lens.quantity)->keeps_itself)
    append_part (text, _ ("what learned sinks take is left out"));
}

/* How a token is followed through the layers, which is more than the lines that are seen. */
static void
append_rollout (GString       *text,
                const HlShown *shown)
{
  const guint first = hl_shown_get_first_layer (shown);

  if (!hl_view_kind_get_traits (shown->options.view)->shows_all_layers || !hl_shown_follows_tokens (shown))
    return;
  g_autofree char *from =
    g_strdup_printf (_ ("a token: its rollout from layer %u on, with residual connections"), first);
  for (guint layer = 0; layer < hl_attention_get_n_layers (shown->attention); layer++)
    if (hl_attention_get_n_heads (shown->attention, layer) == 0)
      {
        append_part (text, _ ("a token: its rollout, with residual connections, as far as there is attention"));
        return;
      }
  /* Translators: what is seen of a token in the view of all layers */
  append_part (text, first == 0 ? _ ("a token: its rollout, with residual connections") : from);
}

/* Where all layers are seen, how many are empty. */
static void
append_gaps (GString       *text,
             const HlShown *shown)
{
  const HlViewTraits *view = hl_view_kind_get_traits (shown->options.view);
  g_autofree char *gaps = view->shows_all_heads || view->shows_all_layers ? hl_gap_text_new (shown->attention) : NULL;

  if (gaps != NULL)
    append_part (text, gaps);
}

/* Heads of several layers. */
static void
append_heads_of_layers (GString     *text,
                        HlViewState *self)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n;
  g_autofree HlShownHead *heads = hl_shown_list_heads (hl_view_state_get_shown (self), &n);

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
  const HlShown *shown = hl_view_state_get_shown (self);
  const HlHeadSet *heads = &shown->heads;
  const guint n_shown = hl_head_set_count (heads);
  const guint n_layers = hl_attention_get_n_layers (shown->attention);
  g_autofree char *layer =
    hl_view_kind_get_traits (shown->options.view)->shows_all_layers
      ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u layer", "%u layers", n_layers), n_layers)
      : g_strdup_printf (_ ("layer %u"), shown->selection.layer);
  g_autofree char *head = NULL;

  if (hl_view_kind_get_traits (shown->options.view)->mixes_layers && shown->n_others > 0)
    {
      append_heads_of_layers (text, self);
      return;
    }
  if (!shown->merges_layers)
    append_part (text, layer);
  if (shown->merges_heads)
    return;
  if (shown->shows_one_head || n_shown == 1)
    head = g_strdup_printf (_ ("head %u"), shown->head);
  else if (n_shown == 0)
    head = g_strdup (_ ("no heads"));
  else
    {
      g_autofree char *list = hl_bits_format (heads->bits, shown->n_heads);
      head = g_strdup_printf (_ ("heads %s"), list);
    }
  append_part (text, head);
}

/* A picture has one colour for several heads; beside the lines of several, a token has one number. */
static void
append_mean (GString     *text,
             HlViewState *self)
{
  const HlShown *shown = hl_view_state_get_shown (self);
  const HlViewTraits *view = hl_view_kind_get_traits (shown->options.view);
  guint n = 0;

  if (!view->shows_pictures &&
      !(view->mixes_layers && view->joins_tokens && hl_pick_is_token (hl_view_state_get_pinned (self))))
    return;
  g_autofree HlShownHead *heads = hl_shown_list_heads (shown, &n);
  if (n < 2)
    return;
  g_autofree char *part =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "numbers: mean of %u head", "numbers: mean of %u heads", n), n);
  append_part (text, part);
}

/* "weight her → Sarah"; of several pairs, what a head is ranked by is a mean. */
static char *
dup_pair_label (HlViewState *self)
{
  g_autofree char *pairs = hl_token_pairs_describe (hl_view_state_get_found_pairs (self));

  /* Translators: the weight of one pair of words, “her → Sarah”; then the mean weight of “3 pairs” */
  return g_strdup_printf (hl_token_pairs_get_n (hl_view_state_get_found_pairs (self)) == 1 ? _ ("weight %s")
                                                                                           : _ ("mean weight of %s"),
                          pairs);
}

static char *
dup_label (HlViewState  *self,
           HlHeadMeasure measure)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self);

  if (measure == HL_HEAD_MEASURE_PAIR)
    return dup_pair_label (self);
  return numbers != NULL ? hl_head_numbers_dup_label (numbers, measure)
                         : g_strdup (hl_head_measure_get_label (measure));
}

static void
append_measure (GString      *text,
                HlViewState  *self,
                const char   *format,
                HlHeadMeasure measure)
{
  if (measure == HL_HEAD_MEASURE_NONE)
    return;
  g_autofree char *label = dup_label (self, measure);
  g_autofree char *part = g_strdup_printf (format, label);
  append_part (text, part);
}

/* Not of a class, nor of what has no queries. */
static gboolean
is_mean_over_queries (HlHeadMeasure measure)
{
  const HlHeadNumber *number = hl_head_measure_is_stat (measure) ? hl_head_number_get (measure - HL_HEAD_MEASURE_STATS)
                                                                 : NULL;

  return number != NULL && number->words == NULL && !number->is_of_keys &&
         (number->measure != NULL || number->measure_map != NULL);
}

static gboolean
is_of_layer (HlHeadMeasure measure)
{
  return hl_head_measure_is_stat (measure) && hl_head_number_get (measure - HL_HEAD_MEASURE_STATS)->is_of_layer;
}

/* How far texts differ. */
static void
append_deviation (GString      *text,
                  HlViewState  *self,
                  HlHeadMeasure measure)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self);
  const guint n = numbers != NULL && measure != HL_HEAD_MEASURE_NONE ? hl_head_numbers_get_n (numbers) : 0;
  char number[MAX (HL_WEIGHT_TEXT_SIZE, G_ASCII_DTOSTR_BUF_SIZE)];
  double sum = 0;
  guint n_found = 0;

  for (guint i = 0; i < n; i++)
    {
      const HlHeadSpread *spread = hl_head_numbers_get_spread (numbers, measure, i);
      const double deviation = spread != NULL ? hl_head_spread_get_deviation (spread) : NAN;
      if (isfinite (deviation))
        {
          sum += deviation;
          n_found++;
        }
    }
  if (n_found == 0)
    return;
  const gboolean is_share = hl_number_text_is_share (hl_view_state_get_shown (self), measure);
  g_autofree char *share =
    g_strdup_printf ("%s %%", g_ascii_formatd (number, sizeof number, "%.1f", 100 * sum / n_found));
  /* Translators: a number, how far a number of a head, or of a layer, differs from text to text */
  g_autofree char *part = g_strdup_printf (is_of_layer (measure)
                                             ? _ ("standard deviation over texts %s, mean over layers")
                                             : _ ("standard deviation over texts %s, mean over heads"),
                                           is_share ? share : hl_weight_text_format (sum / n_found, number));
  append_part (text, part);
}

/* What a chart is of: “mean over queries of entropy · by layer”. */
static void
append_chart (GString     *text,
              HlViewState *self)
{
  const HlShown *shown = hl_view_state_get_shown (self);
  const HlCounterpart *counterpart = hl_view_state_get_counterpart (self);
  const HlHeadMeasure number = hl_view_state_get_charted (self);
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self);

  if (shown->options.chart == HL_CHART_PLANE)
    append_heads (text, self);
  else if (is_mean_over_queries (number))
    /* Translators: a number of heads, such as “entropy”, that a chart draws */
    append_measure (text, self, _ ("mean over queries of %s"), number);
  else
    append_measure (text, self, "%s", number);
  append_part (text, hl_chart_kind_get_caption (shown->options.chart == HL_CHART_GRID && is_of_layer (number)
                                                  ? HL_CHART_LAYERS
                                                  : shown->options.chart));
  if (shown->options.quantity != HL_QUANTITY_WEIGHT && hl_shown_charts_weights (shown))
    append_part (text, _ ("of the weights, whatever the quantity"));
  /* By layer a band tells it. */
  if (shown->options.chart == HL_CHART_GRID)
    append_deviation (text, self, number);
  const guint n_texts = numbers != NULL ? hl_head_numbers_get_n_texts (numbers) : 0;
  /* The label of a number says it itself. */
  if (n_texts > 0 && !hl_head_measure_is_stat (number) && shown->options.chart != HL_CHART_PLANE &&
      (shown->options.chart != HL_CHART_SCATTER || hl_head_numbers_get_distances (numbers) != NULL))
    {
      g_autofree char *part =
        g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "over %u text", "over %u texts", n_texts), n_texts);
      append_part (text, part);
    }
  if (counterpart->attention != NULL && (hl_head_measure_is_stat (number) || number == HL_HEAD_MEASURE_PAIR))
    /* Translators: the first and the second side of a comparison, each by the name of a file or by its text; the chart has
     * the numbers of the second minus those of the first */
    g_string_append_printf (text, _ (" · B − A · A: %s · B: %s"), counterpart->name != NULL ? counterpart->name : "?",
                            counterpart->other_name != NULL ? counterpart->other_name : "?");
}

/* What the colours of the map of a head reach to, which nobody could guess; NULL where the scale itself says it. */
static const char *
get_reach (const HlShown *shown)
{
  if (shown->value_scale == HL_VALUE_SCALE_ROW || shown->is_cumulative)
    return NULL;
  if (shown->value_scale == HL_VALUE_SCALE_OFF_DIAGONAL)
    return _ ("each head by itself");
  return hl_attention_source_is_signed (shown->source) ? _ ("each head up to its own greatest magnitude")
                                                       : _ ("each head up to its own maximum");
}

/* By which number heads are sorted or framed. */
static void
append_order (GString      *text,
              HlViewState  *self,
              const char   *format,
              HlHeadMeasure measure)
{
  if (measure == HL_HEAD_MEASURE_NONE)
    return;
  g_autofree char *label = dup_label (self, measure);
  g_autofree char *whole = hl_number_text_new (hl_view_state_get_shown (self), measure, label);
  g_autofree char *part = g_strdup_printf (format, whole);
  append_part (text, part);
  if (hl_number_text_is_of_weights (hl_view_state_get_shown (self), measure))
    append_part (text, _ ("of the weights, whatever the quantity"));
}

static void
append_all_heads (GString     *text,
                  HlViewState *self)
{
  const HlShown *shown = hl_view_state_get_shown (self);
  const guint n_layers = hl_attention_get_n_layers (shown->attention);
  const guint n_heads = hl_attention_get_max_heads (shown->attention);
  g_autofree char *layers =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u layer", "%u layers", n_layers), n_layers);
  g_autofree char *heads = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u head", "%u heads", n_heads), n_heads);
  g_autofree char *both = g_strdup_printf ("%s × %s", layers, heads);

  if (!shown->merges_heads)
    append_part (text, shown->merges_layers ? heads : both);
  else if (!shown->merges_layers)
    append_part (text, layers);
  /*
   * Translators: by which number heads are sorted, and which one their frames tell: “sorted by entropy”, “frames:
   * entropy”
   */
  append_order (text, self, _ ("sorted by %s"), hl_view_state_get_applied_sort (self));
  append_order (text, self, _ ("frames: %s"), hl_view_state_get_applied_colour_by (self));
  if (shown->options.thumbnails == HL_THUMBNAIL_HEATMAP && get_reach (shown) != NULL)
    append_part (text, get_reach (shown));
  if (shown->options.thumbnails == HL_THUMBNAIL_HEATMAP && hl_shown_has_lone_tokens (shown))
    append_part (text, _ ("grey: not in both"));
}

static gboolean
shows_one_map (const HlShown *shown)
{
  const gboolean one =
    shown->shows_one_head ||
    (hl_head_set_count (hl_head_selection_get_heads (&shown->selection)) == 1 && shown->n_others == 0);

  return one && !shown->merges_heads && !shown->merges_layers;
}

/* How the one head that is shown links the words that heads were looked for with. */
static void
append_rank (GString     *text,
             HlViewState *self)
{
  const HlShown *shown = hl_view_state_get_shown (self);
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self);
  HlPairRanking *ranking = numbers != NULL ? hl_head_numbers_get_ranking (numbers) : NULL;
  char number[HL_WEIGHT_TEXT_SIZE];

  if (ranking == NULL || !shows_one_map (shown))
    return;
  const guint index = hl_head_numbers_get_index (numbers, shown->selection.layer, shown->selection.head);
  const guint rank = hl_pair_ranking_get_rank (ranking, index);
  g_autofree char *label = dup_pair_label (self);
  g_autofree char *weight =
    g_strdup_printf ("%s %s", label, hl_weight_text_format (hl_pair_ranking_get_weight (ranking, index), number));
  g_autofree char *part = hl_number_text_new (shown, HL_HEAD_MEASURE_PAIR, weight);
  append_part (text, part);
  if (rank == 0)
    return;
  /* Translators: a head's place among all heads */
  g_autofree char *place = g_strdup_printf (_ ("rank %u of %u"), rank, hl_pair_ranking_get_n (ranking));
  append_part (text, place);
}

/* Whether what a chart draws is of the queries of this text, rather than of others, of none, or of pairs of words. */
static gboolean
charts_queries (HlViewState *self)
{
  const HlChartKind chart = hl_view_state_get_options (self)->chart;
  const HlHeadMeasure number = hl_view_state_get_charted (self);
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self);

  if (chart == HL_CHART_SCATTER)
    return numbers == NULL || hl_head_numbers_get_distances (numbers) == NULL;
  if (hl_chart_kind_draws_number (chart) && !hl_number_text_is_of_maps (number))
    return FALSE;
  return numbers == NULL || hl_head_numbers_get_n_texts (numbers) == 0;
}

/* Of charts, which of two texts counts; its queries do, over all keys. */
static void
append_charted_sentence (GString     *text,
                         HlViewState *self)
{
  const HlSentences sentences = hl_view_state_get_shown (self)->options.sentences;

  if (sentences != HL_SENTENCES_ALL && charts_queries (self))
    append_part (text, sentences == HL_SENTENCES_A_TO_A || sentences == HL_SENTENCES_A_TO_B
                         ? _ ("queries of sentence A")
                         : _ ("queries of sentence B"));
}

/* Which of two texts attends to which. */
static void
append_sentences (GString       *text,
                  const HlShown *shown)
{
  static const char *const sentences[] = { NULL, "A → A", "B → B", "A → B", "B → A" };

  if (shown->options.sentences != HL_SENTENCES_ALL)
    append_part (text, sentences[shown->options.sentences]);
}

/* What the one head is called whose map is seen; a difference is of two. */
static void
append_name (GString     *text,
             HlViewState *self)
{
  const HlShown *shown = hl_view_state_get_shown (self);

  if (shown->comparison != NULL || !shows_one_map (shown) ||
      hl_view_kind_get_traits (shown->options.view)->shows_all_layers)
    return;
  g_autofree char *name = hl_view_state_dup_head_name (self, shown->layer, shown->head);
  if (name != NULL)
    append_part (text, name);
}

static char *
describe (HlViewState *self,
          gboolean     with_reason,
          gboolean     with_name)
{
  const HlShown *shown = hl_view_state_get_shown (self);
  const HlViewTraits *view = hl_view_kind_get_traits (shown->options.view);
  GString *text = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  append_part (text, hl_attention_source_get_quantity (shown->source));
  if (with_reason && shown->lacking != NULL)
    append_part (text, shown->lacking);
  append_absent (text, shown);
  if (hl_attention_get_kind (shown->original) != HL_ATTENTION_SELF)
    append_part (text, hl_attention_kind_get_label (hl_attention_get_kind (shown->original)));

  if (view->shows_charts)
    append_chart (text, self);
  else if (view->shows_all_heads)
    append_all_heads (text, self);
  else
    append_heads (text, self);
  if (with_name && !view->shows_charts && !view->shows_all_heads)
    append_name (text, self);

  if (!view->shows_all_heads && !shown->is_plain)
    append_rank (text, self);

  append_sides (text, self, FALSE);
  append_gathered (text, self);
  append_mean (text, self);
  if (view->shows_charts && shown->options.chart != HL_CHART_PLANE)
    append_charted_sentence (text, self);
  else
    append_sentences (text, shown);
  if (view->shows_charts)
    return g_string_free (text, FALSE);
  append_sink (text, shown);
  if (shown->shows_steps)
    {
      append_alterations (text, self);
      append_lines (text, shown);
      return g_string_free (text, FALSE);
    }
  g_autofree char *hiding = dup_hiding (self);
  if (hiding != NULL)
    append_part (text, hiding);
  if (shown->options.threshold > 0)
    {
      g_autofree char *part = g_strdup_printf (_ ("weights from %s"), g_ascii_formatd (number, sizeof number, "%.3g",
                                                                                       shown->options.threshold));
      append_part (text, part);
    }
  if (shown->options.top_mass < 1)
    {
      /* Not 100 where keys are left out. */
      g_autofree char *part =
        g_strdup_printf (hl_attention_is_transposed (shown->attention) ? _ ("top queries holding %s %%")
                                                                       : _ ("top keys holding %s %%"),
                         g_ascii_formatd (number, sizeof number, "%.6g", shown->options.top_mass * 100));
      append_part (text, part);
    }
  append_lines (text, shown);
  append_rollout (text, shown);
  append_gaps (text, shown);
  const gboolean is_signed = hl_attention_source_is_signed (shown->source);
  /* A heatmap has a bar that tells; there is no logarithm of what is below zero. */
  if (!shown->has_cells && is_signed)
    append_part (text, _ ("blue above zero, orange below"));
  if (shown->has_cells && shown->options.value_scale == HL_VALUE_SCALE_OFF_DIAGONAL &&
      shown->value_scale == HL_VALUE_SCALE_LINEAR)
    append_part (text, _ ("linear colours, as there is no diagonal"));
  else if (shown->has_cells && is_signed &&
           (shown->value_scale == HL_VALUE_SCALE_LOG || shown->value_scale == HL_VALUE_SCALE_CUMULATIVE))
    append_part (text, _ ("linear colours, as there are numbers below zero"));
  else if (shown->has_cells && shown->value_scale != HL_VALUE_SCALE_LINEAR &&
           !(view->shows_pictures && shown->options.value_scale == HL_VALUE_SCALE_AUTO))
    append_part (text, hl_value_scale_kind_get_display_name (shown->value_scale));
  return g_string_free (text, FALSE);
}

/*
 * "attention weight · layer 3 · head 5 · weights from 0.05", translated: the quantity, where it is from, and what was left
 * out. Every view and every export carries it.
 */
char *
hl_view_state_describe (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return describe (self, FALSE, FALSE);
}

/* Likewise, and what the head is called. That is only known once other numbers are: what is made for good goes without. */
char *
hl_view_state_describe_named (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return describe (self, FALSE, TRUE);
}

/* Likewise, and why weights are shown where another quantity is chosen: for who can choose again. A figure says what it is of, not what it might
 * have been. */
char *
hl_view_state_describe_choice (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return describe (self, TRUE, FALSE);
}

/* "attention weight · whole words": what maps are of, whichever heads and view are seen. */
char *
hl_view_state_describe_maps (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  const HlShown *shown = hl_view_state_get_shown (self);
  GString *text = g_string_new (hl_attention_source_get_quantity (shown->source));
  g_autofree char *hiding = dup_hiding (self);

  if (hl_attention_get_kind (shown->original) != HL_ATTENTION_SELF)
    append_part (text, hl_attention_kind_get_label (hl_attention_get_kind (shown->original)));
  append_sides (text, self, TRUE);
  append_sentences (text, shown);
  append_sink (text, shown);
  if (hiding != NULL && !shown->is_plain)
    append_part (text, hiding);
  return g_string_free (text, FALSE);
}
