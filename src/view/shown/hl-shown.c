/* SPDX-License-Identifier: MIT */
#include "view/shown/hl-shown.h"

#include "core/base/text/hl-bidi.h"
#include "core/base/hl-error.h"
#include "core/compare/hl-difference-source.h"
#include "core/document/attention/hl-attention-text.h"
#include "core/document/tokens/hl-token-text.h"
#include "core/source/derive/hl-cumulative-source.h"
#include "core/source/derive/hl-filter-source.h"
#include "core/source/derive/hl-sink-source.h"
#include "core/source/make/hl-qk-source.h"
#include "core/source/make/hl-source-factory.h"
#include "core/source/quantity/hl-residual-source.h"
#include "core/source/steps/hl-head-steps.h"
#include "view/shown/hl-shown-pair.h"
#include "view/shown/hl-shown-texts.h"

#include <glib/gi18n-lib.h>

/* Of the 1 that weights of a row are parts of. */
#define LEAST_WHOLE 0.01

/* Scale and mask that were changed by hand count where they can be seen. */
static gboolean
is_altered (const HlShown *self)
{
  return self->shows_steps && hl_head_steps_are_known (self->original) &&
         (self->options.score_scale != 1 || !self->options.mask);
}

static gboolean
shows_all_layers (const HlShown *self)
{
  return hl_view_kind_get_traits (self->options.view)->shows_all_layers;
}

/* Whether a chart is of the weights whatever the quantity is, by what its number or it itself is. */
gboolean
hl_shown_charts_weights (const HlShown *self)
{
  const HlHeadMeasure number = self->options.number;

  if (self->options.chart == HL_CHART_SCATTER)
    return FALSE;
  if (self->options.chart == HL_CHART_SHARES)
    return number != HL_HEAD_MEASURE_PATTERN;
  return self->options.chart == HL_CHART_PLANE || !hl_head_measure_is_stat (number) ||
         hl_head_number_get (number - HL_HEAD_MEASURE_STATS)->of_weights;
}

/* What is to be derived. Views that show how weights are made show those, charts are of all tokens and heads. The sets belong
 * to the lens. */
static void
make_lens (HlShown              *self,
           const HlHiddenTokens *hidden)
{
  if (hl_view_kind_get_traits (self->options.view)->shows_charts && !hl_shown_charts_weights (self))
    self->lens.quantity = self->options.quantity;
  if (self->is_plain)
    return;
  self->lens = (HlLens){
    .quantity = self->options.quantity,
    .first_layer = hl_shown_get_first_layer (self),
    /* Of the view of all layers only the keys have room for one. */
    .sinks = !shows_all_layers (self) || self->options.direction != HL_DIRECTION_TRANSPOSED,
    .combine = self->options.combine,
    .combine_over = self->options.combine_over,
    .heads = *hl_head_selection_get_combined (&self->selection),
    .layers = self->selection.layers,
    .words = self->options.words,
    .hide_special = self->options.hide_special,
    .hide_first = self->options.hide_first,
    .hidden = { hl_token_set_ref (hidden->sets[HL_QUERIES]), hl_token_set_ref (hidden->sets[HL_KEYS]) },
    .renormalise = self->options.renormalise,
    .direction = self->options.direction,
  };
  if (hl_head_set_count (&self->lens.heads) == 0)
    hl_head_set_add (&self->lens.heads, self->selection.head);
  /* Where lines lead from layer to layer, these are what rollout is the product of; whoever follows a token makes it. */
  if (shows_all_layers (self) && hl_quantity_get (self->lens.quantity)->heads == HL_QUANTITY_OF_LAYER)
    {
      self->lens.quantity = HL_QUANTITY_RESIDUAL;
      /* As in other views it is of the mean of heads, however these were combined before. */
      if (self->lens.combine == HL_COMBINE_NONE || self->lens.combine_over == HL_COMBINE_OVER_HEADS)
        self->lens.combine = HL_COMBINE_MEAN;
    }
}

static gboolean
subtracts (const HlShown *self)
{
  return self->other != NULL && !self->is_plain;
}

static gboolean
check_quantity (const HlShown *self,
                GError       **error)
{
  const gboolean charts = hl_view_kind_get_traits (self->options.view)->shows_charts;

  if (!hl_lens_check (&self->lens, self->original, error))
    return FALSE;
  if (self->other != NULL && (charts || !self->is_plain) && !hl_lens_check (&self->lens, self->other, error))
    {
      /* Translators: what the second side of a comparison lacks: “of B needs values, which this attention does not have” */
      g_prefix_error (error, "%s ", _ ("of B"));
      return FALSE;
    }
  if (!charts || hl_quantity_get (self->lens.quantity)->heads != HL_QUANTITY_OF_LAYER)
    return TRUE;
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MISSING,
                       /* Translators: follows the name of a quantity, such as “Rollout” */
                       _ ("has one map a layer, and charts are of numbers of heads"));
  return FALSE;
}

/* What cannot be made of the attention, or of one side of a difference, is not: then weights are shown, and it is said why. */
static void
settle_quantity (HlShown *self)
{
  g_autoptr (GError) error = NULL;

  if (check_quantity (self, &error))
    return;
  self->lacking = g_strdup_printf ("%s %s", _ (hl_quantity_get (self->lens.quantity)->label), error->message);
  self->lens.quantity = HL_QUANTITY_WEIGHT;
}

static HlQuantity
find_numbered (const HlShown *self)
{
  const HlQuantity quantity = self->options.quantity;

  return self->shows_steps || hl_quantity_get (quantity)->heads == HL_QUANTITY_OF_LAYER ||
             !hl_quantity_check (quantity, self->original, NULL) ||
             (self->other != NULL && !hl_quantity_check (quantity, self->other, NULL))
           ? HL_QUANTITY_WEIGHT
           : quantity;
}

/* The maps of an attention that numbers of its heads are of, made of its weights. */
HlAttentionSource *
hl_shown_number (const HlShown     *self,
                 HlAttention       *attention,
                 HlAttentionSource *weights)
{
  const HlLens lens = { .quantity = self->numbered };
  g_autoptr (HlAttention) derived = NULL;
  HlAttentionSource *source;

  hl_lens_apply (&lens, attention, weights, &derived, &source);
  return source;
}

static void
make_numbered (HlShown       *self,
               const HlShown *before)
{
  self->numbered = find_numbered (self);
  if (before != NULL && before->original_source == self->original_source && before->numbered == self->numbered)
    self->numbered_source = g_object_ref (before->numbered_source);
  else
    self->numbered_source = hl_shown_number (self, self->original, self->original_source);
}

/* Whether the maps are those that were shown before. */
static gboolean
has_same_maps (const HlShown *self,
               const HlShown *before)
{
  if (before == NULL || before->original_source != self->original_source ||
      !hl_lens_equal (&self->lens, &before->lens) || is_altered (self) != is_altered (before) ||
      subtracts (self) != subtracts (before))
    return FALSE;
  if (is_altered (self))
    return before->options.score_scale == self->options.score_scale && before->options.mask == self->options.mask;
  return !subtracts (self) ||
         (before->other == self->other && hl_head_pairing_equal (&before->pairing, &self->pairing));
}

/* Takes what is derived of the first side, and leaves B − A in its place, unless tokens are still being aligned. */
static void
subtract (HlShown              *self,
          HlAttentionSource    *made,
          const HlHiddenTokens *hidden,
          HlAligner            *aligner)
{
  g_autoptr (HlAttention) other = NULL;
  g_autoptr (HlAttentionSource) other_source = NULL;
  g_auto (HlHiddenTokens) other_hidden = { { NULL } };

  if (!subtracts (self))
    return;
  self->awaits_alignment = TRUE;
  if (!hl_hidden_tokens_translate (hidden, self->original, self->other, aligner, &other_hidden))
    return;
  g_autoptr (HlAttentionSource) other_made = hl_attention_make_source (self->other);
  HlLens other_lens = self->lens;
  memcpy (other_lens.hidden, other_hidden.sets, sizeof other_lens.hidden);
  other_lens.layers = hl_shown_pair_find_layers (&self->lens.layers, self->original, self->other);
  hl_lens_apply (&other_lens, self->other, other_made, &other, &other_source);
  /* Asymmetry that one side alone has is shown of neither. */
  if (other_lens.direction == HL_DIRECTION_ASYMMETRY &&
      hl_lens_has_asymmetry (self->attention) != hl_lens_has_asymmetry (other))
    {
      HlLens lens = self->lens;

      lens.direction = other_lens.direction = HL_DIRECTION_AS_IS;
      g_clear_object (&self->attention);
      g_clear_object (&self->source);
      g_clear_object (&other);
      g_clear_object (&other_source);
      hl_lens_apply (&lens, self->original, made, &self->attention, &self->source);
      hl_lens_apply (&other_lens, self->other, other_made, &other, &other_source);
    }

  /* What of the second side corresponds to what is derived of the first. */
  const HlHeadPairing pairing = { self->merges_layers ? -1 : self->pairing.layer,
                                  self->merges_heads ? -1 : self->pairing.head };
  self->comparison = hl_comparison_new (self->attention, self->source, other, other_source, &pairing, aligner);
  if (self->comparison == NULL)
    return;
  self->awaits_alignment = FALSE;
  g_object_unref (self->attention);
  g_object_unref (self->source);
  self->attention = g_object_ref (hl_comparison_get_attention (self->comparison));
  self->source = hl_difference_source_new (self->comparison);
}

/* Whether nothing was made of the maps of the quantity, perhaps because options found nothing to do; none of them is a source of that type. */
static gboolean
is_quantity_alone (const HlShown *self)
{
  return self->lens.quantity == self->numbered && self->lens.combine == HL_COMBINE_NONE && !is_altered (self) &&
         G_OBJECT_TYPE (self->source) == G_OBJECT_TYPE (self->numbered_source);
}

static void
make_maps (HlShown            *self,
           const HlShownParts *parts,
           const HlShown      *before)
{
  if (has_same_maps (self, before))
    {
      self->attention = g_object_ref (before->attention);
      self->source = g_object_ref (before->source);
      g_set_object (&self->comparison, before->comparison);
      self->awaits_alignment = before->awaits_alignment;
      return;
    }
  g_autoptr (HlAttentionSource)
    made = is_altered (self) ? hl_qk_source_new_altered (self->original, self->options.score_scale, self->options.mask)
                             : g_object_ref (self->original_source);
  hl_lens_apply (&self->lens, self->original, made, &self->attention, &self->source);
  /* What is kept of a map is kept once. No map is made of weights. */
  if (self->numbered != HL_QUANTITY_WEIGHT && is_quantity_alone (self))
    g_set_object (&self->source, self->numbered_source);
  subtract (self, made, parts->hidden, parts->counterpart->aligner);
}

/* Views that show how weights are made show all of them. */
static void
filter (HlShown       *self,
        const HlShown *before)
{
  const gboolean filters = !self->is_plain && (self->options.threshold > 0 || self->options.top_mass < 1);

  self->value_scale = hl_shown_find_value_scale (self, self->options.value_scale);
  self->is_cumulative = self->has_cells && self->options.value_scale == HL_VALUE_SCALE_CUMULATIVE &&
                        !hl_attention_source_is_signed (self->source);
  if (before != NULL && before->source == self->source && before->is_plain == self->is_plain &&
      before->options.threshold == self->options.threshold && before->options.top_mass == self->options.top_mass &&
      before->is_cumulative == self->is_cumulative)
    {
      self->filtered = g_object_ref (before->filtered);
      return;
    }
  self->filtered = filters ? hl_filter_source_new (self->source, self->options.threshold, self->options.top_mass)
                           : g_object_ref (self->source);
  if (self->is_cumulative)
    {
      g_autoptr (HlAttentionSource) whole = self->filtered;
      self->filtered = hl_cumulative_source_new (whole);
    }
}

static void
choose_heads (HlShown *self)
{
  const HlHeadSelection *chosen = &self->selection;
  /* Of layers that become one, none is looked at. */
  const HlHeadSet *heads = self->merges_layers ? hl_head_selection_get_combined (chosen)
                                               : hl_head_selection_get_heads (chosen);
  guint n;
  const HlHeadPlace *others = hl_head_selection_get_others (chosen, &n);

  self->layer = self->merges_layers ? 0 : chosen->layer;
  self->n_heads = hl_attention_get_n_heads (self->attention, self->layer);
  self->head = self->merges_heads ? 0 : MIN (chosen->head, self->n_heads - 1);
  self->heads = self->merges_heads && hl_head_set_count (heads) > 0 ? (HlHeadSet){ { 1 } } : *heads;
  if (self->merges_layers)
    hl_head_set_truncate (&self->heads, self->n_heads);

  /*
   * Not where layers or heads are made of several, the heads of two sides subtracted, or all layers shown. Of the layer
   * that is looked at, none is shown twice.
   */
  if (self->merges_heads || self->merges_layers || self->comparison != NULL || shows_all_layers (self))
    return;
  self->others = g_new (HlHeadPlace, n);
  for (guint i = 0; i < n; i++)
    if (others[i].layer != chosen->layer || !hl_head_set_contains (&self->heads, others[i].head))
      self->others[self->n_others++] = others[i];
}

/* The tokens of one text of a pair, or all. */
static HlRange
get_range (const HlShown *self,
           HlSide         side,
           gboolean       of_first,
           gsize          n)
{
  const gsize b = MIN (hl_shown_get_sentence_b (self, side), n);

  if (self->options.sentences == HL_SENTENCES_ALL)
    return (HlRange){ 0, n };
  return of_first ? (HlRange){ 0, b } : (HlRange){ b, n - b };
}

static void
choose_tokens (HlShown *self)
{
  /* Texts that cannot be told apart on both sides of a difference are shown as one, and said to be. */
  if (!hl_shown_tells_texts_apart (self))
    self->options.sentences = HL_SENTENCES_ALL;
  const HlSentences sentences = self->options.sentences;

  for (HlSide at = HL_QUERIES; at <= HL_KEYS; at++)
    {
      /* Rows of a map that is turned are keys. */
      const HlSide side = hl_attention_is_transposed (self->attention) ? hl_side_get_other (at) : at;
      const gboolean of_first = sentences == HL_SENTENCES_A_TO_A ||
                                sentences == (side == HL_QUERIES ? HL_SENTENCES_A_TO_B : HL_SENTENCES_B_TO_A);
      self->ranges[at] = get_range (self, at, of_first,
                                    self->options.crop_padding ? hl_attention_get_n_used (self->attention, at)
                                                               : hl_attention_get_n (self->attention, at));
    }
}

/* How many more letters run from right to left than the other way, of texts as people read them. */
static gssize
weigh (const char *const *texts,
       gsize              n)
{
  gssize weight = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (hl_special_token_is (texts[i]))
        continue;
      for (const char *p = texts[i]; *p != '\0'; p = g_utf8_next_char (p))
        {
          const gunichar c = g_utf8_get_char (p);

          if (c < 0x80)
            weight -= g_ascii_isalpha (c);
          else if (g_unichar_isalpha (c))
            weight += hl_bidi_is_right_to_left (c) ? 1 : -1;
        }
    }
  return weight;
}

/* As it is set, or as most letters of its tokens run. */
static gboolean
find_direction (const HlShown *self,
                const HlShown *before)
{
  HlAttention *attention = self->attention;
  const char *const *queries = hl_attention_get_texts (attention, HL_QUERIES);
  const char *const *keys = hl_attention_get_texts (attention, HL_KEYS);

  if (self->options.reading != HL_READING_AUTO)
    return self->options.reading == HL_READING_RIGHT_TO_LEFT;
  if (before != NULL && before->attention == attention && before->options.reading == HL_READING_AUTO)
    return before->reads_right_to_left;
  return weigh (queries, hl_attention_get_n (attention, HL_QUERIES)) +
           (keys != queries ? weigh (keys, hl_attention_get_n (attention, HL_KEYS)) : 0) >
         0;
}

HlShown *
hl_shown_new (const HlShownParts *parts,
              const HlShown      *before)
{
  HlShown *self = g_atomic_rc_box_new0 (HlShown);
  const HlViewTraits *view = hl_view_kind_get_traits (parts->options->view);

  self->original = g_object_ref (parts->original);
  self->original_source = g_object_ref (parts->original_source);
  self->options = *parts->options;
  self->selection = hl_head_selection_copy (parts->selection);
  g_set_object (&self->other, parts->counterpart->attention);
  self->pairing = parts->counterpart->pairing;

  self->shows_one_head = view->shows_one_head || (view->shows_charts && self->options.chart == HL_CHART_PLANE);
  self->shows_steps = view->shows_steps;
  self->is_plain = view->shows_steps || view->shows_charts;
  self->has_cells = view->has_value_scale ||
                    (view->shows_all_heads && self->options.thumbnails == HL_THUMBNAIL_HEATMAP);
  make_lens (self, parts->hidden);
  settle_quantity (self);
  self->merges_heads = hl_lens_merges_heads (&self->lens);
  self->merges_layers = hl_lens_merges_layers (&self->lens);
  make_numbered (self, before);
  make_maps (self, parts, before);
  filter (self, before);
  self->reads_right_to_left = find_direction (self, before);
  choose_heads (self);
  choose_tokens (self);
  return self;
}

HlShown *
hl_shown_ref (const HlShown *self)
{
  return g_atomic_rc_box_acquire ((HlShown *) self);
}

static void
clear (HlShown *self)
{
  hl_head_selection_clear (&self->selection);
  g_free (self->lacking);
  g_free (self->others);
  g_object_unref (self->original);
  g_object_unref (self->original_source);
  g_clear_object (&self->other);
  g_object_unref (self->attention);
  g_object_unref (self->source);
  g_object_unref (self->filtered);
  g_object_unref (self->numbered_source);
  g_clear_object (&self->comparison);
  hl_token_set_unref (self->lens.hidden[HL_QUERIES]);
  hl_token_set_unref (self->lens.hidden[HL_KEYS]);
}

void
hl_shown_unref (HlShown *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) clear);
}

/* The queries of the attention that is looked at that the numbers of its heads are of: those that filters of tokens leave. */
HlRange
hl_shown_get_numbered_queries (const HlShown *self)
{
  return hl_shown_get_numbered_queries_of (self, self->original);
}

/* Likewise of what it is compared with. */
HlRange
hl_shown_get_numbered_queries_of (const HlShown *self,
                                  HlAttention   *attention)
{
  const HlViewOptions *options = &self->options;
  const gsize n = options->crop_padding ? hl_attention_get_n_used (attention, HL_QUERIES)
                                        : hl_attention_get_n (attention, HL_QUERIES);
  const gsize b = MIN (hl_attention_find_second_text (attention, HL_QUERIES), n);

  if (options->sentences == HL_SENTENCES_ALL || hl_attention_get_sentence_b_start (attention) == 0)
    return (HlRange){ 0, n };
  return options->sentences == HL_SENTENCES_A_TO_A || options->sentences == HL_SENTENCES_A_TO_B ? (HlRange){ 0, b }
                                                                                                : (HlRange){ b, n - b };
}

/* How many rows a side begins later than the other where both stand side by side: those of a sink, so that tokens stand beside themselves. */
gsize
hl_shown_get_lead (const HlShown *self,
                   HlSide         side)
{
  const HlSide other = hl_side_get_other (side);

  return self->ranges[other].n > 0 && hl_sink_is_at (self->attention, other, self->ranges[other].first) &&
         !(self->ranges[side].n > 0 && hl_sink_is_at (self->attention, side, self->ranges[side].first));
}

/*
 * Which of the queries, or of the keys, of the attention that is looked at a pick has, wherever the picture has turned them to: of a word, its first
 * piece. FALSE if it has none, or what is no token of that attention: a sink, or what only the other side of a difference has.
 */
gboolean
hl_shown_find_token (const HlShown *self,
                     const HlPick  *pick,
                     HlSide         side,
                     gsize         *token)
{
  HlAttention *attention = self->attention;
  const HlSide at = hl_attention_is_transposed (attention) ? hl_side_get_other (side) : side;
  const gsize index = pick->tokens[at];
  HlTokenMap *map = hl_attention_get_map (attention, at);

  if (!hl_pick_has (pick, at) || index >= hl_attention_get_n (attention, at) ||
      (map != NULL && hl_token_map_get_spans (map)[index].n == 0))
    return FALSE;
  *token = hl_attention_get_position (attention, at, index);
  return TRUE;
}

/* Whether there is a 1 that numbers are parts of, as there is where weights are made of queries and keys, whatever a file has. */
static gboolean
has_whole (const HlShown *self)
{
  return is_altered (self) ||
         (!hl_quantity_get (self->lens.quantity)->is_length && self->lens.combine != HL_COMBINE_SUM &&
          hl_attention_get_quantity (self->original) == NULL);
}

/* Whether lines are as strong as their part of the strongest: as is chosen, or as there is no 1 that numbers are parts of. */
gboolean
hl_shown_has_relative_lines (const HlShown *self)
{
  return self->options.relative_lines || !has_whole (self);
}

/* What the strongest line and the longest bar stand for at least, however weak what is shown: next to nothing must not look like much. 0 where nothing says what is little. */
double
hl_shown_get_least_whole (const HlShown *self)
{
  return has_whole (self) ? LEAST_WHOLE : 0;
}

/*
 * Whether a token can be followed through the layers by rollout: these are layers, not several of them as one, rows are parts
 * of what it is made of, and its row in a layer is its column in the next.
 */
gboolean
hl_shown_follows_tokens (const HlShown *self)
{
  const HlQuantity quantity = self->lens.quantity;

  return (quantity == HL_QUANTITY_WEIGHT || quantity == HL_QUANTITY_RESIDUAL) &&
         self->lens.combine <= HL_COMBINE_MEAN && !self->merges_layers &&
         self->lens.direction != HL_DIRECTION_TRANSPOSED && has_whole (self) &&
         !hl_attention_source_is_signed (self->source);
}

/* The layer that rollout and flow begin with, if they are asked for; otherwise the lowest. */
guint
hl_shown_get_first_layer (const HlShown *self)
{
  if (hl_quantity_get (self->options.quantity)->heads != HL_QUANTITY_OF_LAYER)
    return 0;
  return MIN (self->options.rollout_from, hl_attention_get_n_layers (self->original) - 1);
}

/* Whether there is one map a layer, made of the mean of heads, because the quantity is. */
gboolean
hl_shown_has_mean_heads (const HlShown *self)
{
  return self->lacking == NULL && hl_quantity_get (self->options.quantity)->heads == HL_QUANTITY_OF_LAYER;
}

/*
 * Whether the view shows something else than the quantity that was chosen, as it would of any file: weights being made; of flow,
 * which has no parts that lead from layer to layer, rollout; of rollout, where no token is followed, what it is the product of.
 */
gboolean
hl_shown_replaces_quantity (const HlShown *self)
{
  const HlQuantity quantity = self->options.quantity;

  if (self->shows_steps)
    return quantity != HL_QUANTITY_WEIGHT;
  return shows_all_layers (self) && hl_shown_has_mean_heads (self) &&
         (quantity != HL_QUANTITY_ROLLOUT || !hl_shown_follows_tokens (self));
}

/* What a choice of a scale comes to: that of the quantity if it is left to that; where there is no diagonal to leave out, and where numbers on
 * both sides of zero were subtracted from one another, linear. */
HlValueScaleKind
hl_shown_find_value_scale (const HlShown   *self,
                           HlValueScaleKind chosen)
{
  const gboolean keeps_itself = hl_quantity_get (self->lens.quantity)->keeps_itself &&
                                !hl_attention_source_is_signed (self->source);

  if (chosen != HL_VALUE_SCALE_AUTO && chosen != HL_VALUE_SCALE_OFF_DIAGONAL)
    return chosen;
  /* One token is seen at a time. */
  if (chosen == HL_VALUE_SCALE_AUTO && hl_view_kind_get_traits (self->options.view)->shows_pictures)
    return HL_VALUE_SCALE_ROW;
  return hl_residual_source_can (self->attention) && (chosen == HL_VALUE_SCALE_OFF_DIAGONAL || keeps_itself)
           ? HL_VALUE_SCALE_OFF_DIAGONAL
           : HL_VALUE_SCALE_LINEAR;
}

/* Whether all heads that are chosen have a part in the picture, beside one another or combined; else, the one that leads. */
gboolean
hl_shown_takes_heads (const HlShown *self)
{
  return self->merges_heads || !self->shows_one_head;
}

/* Whether weights that are one number all over are drawn as that number, however many there are. */
static gboolean
draws_one_number (const HlShown *self)
{
  /* Without the diagonal the numbers of each row are looked at. */
  if (!self->has_cells || self->filtered != self->original_source || self->value_scale == HL_VALUE_SCALE_OFF_DIAGONAL)
    return FALSE;
  for (guint layer = 0; layer < hl_attention_get_n_layers (self->original); layer++)
    {
      const HlLayerTensor *weights = hl_attention_get_weights (self->original, layer);
      if (weights == NULL || hl_tensor_get_stored (weights->tensor) > 0)
        return FALSE;
    }
  return TRUE;
}

/* Of how many layers maps are read. */
static guint
count_layers_read (const HlShown *self)
{
  const HlViewTraits *view = hl_view_kind_get_traits (self->options.view);
  const guint n_layers = hl_attention_get_n_layers (self->original);

  if (hl_quantity_get (self->lens.quantity)->heads == HL_QUANTITY_OF_LAYER)
    return n_layers;
  if (self->merges_layers)
    return MIN (hl_layer_set_count (&self->lens.layers), n_layers);
  return view->shows_all_heads || view->shows_charts || view->shows_all_layers ? n_layers : 1;
}

/* Of how many heads of each of these. */
static guint
count_heads_read (const HlShown *self)
{
  const HlViewTraits *view = hl_view_kind_get_traits (self->options.view);
  const guint max_heads = hl_attention_get_max_heads (self->original);

  if (self->merges_heads)
    return MIN (hl_head_set_count (&self->lens.heads), max_heads);
  if (view->shows_all_heads || view->shows_charts)
    return max_heads;
  return self->shows_one_head ? 1 : MIN (hl_head_set_count (&self->heads), max_heads);
}

/* How many maps of the attention are read for the picture, at the most. */
guint
hl_shown_count_maps_read (const HlShown *self)
{
  const HlViewTraits *view = hl_view_kind_get_traits (self->options.view);

  if (hl_view_kind_get_lack (self->options.view, self->original) != NULL || draws_one_number (self))
    return 0;
  return count_layers_read (self) * count_heads_read (self) + (view->mixes_layers ? self->n_others : 0);
}

/* How many are read for one of the maps that are shown, at the most. */
guint
hl_shown_count_maps_of_one (const HlShown *self)
{
  const gboolean is_of_layer = hl_quantity_get (self->lens.quantity)->heads == HL_QUANTITY_OF_LAYER;

  return (is_of_layer || self->merges_layers ? count_layers_read (self) : 1) *
         (self->merges_heads ? count_heads_read (self)
          : is_of_layer      ? MIN (hl_head_set_count (&self->heads), hl_attention_get_max_heads (self->original))
                             : 1);
}

/* Whether the model hides keys from queries in this layer. */
gboolean
hl_shown_has_mask (const HlShown *self)
{
  return hl_mask_hides (&hl_attention_get_rule (self->original, self->selection.layer)->mask) ||
         hl_attention_get_cells (self->original) != NULL;
}

/* Whether lines between tokens tell weights. */
gboolean
hl_shown_has_lines (const HlShown *self)
{
  const HlViewTraits *view = hl_view_kind_get_traits (self->options.view);

  return view->joins_tokens || (view->shows_all_heads && self->options.thumbnails == HL_THUMBNAIL_LINES);
}

static gboolean
has_lone (const HlTokenAlignment *alignment)
{
  return hl_token_alignment_get_n_common (alignment) < hl_token_alignment_get_n (alignment);
}

/* Whether the difference that is shown has tokens of one side only. */
gboolean
hl_shown_has_lone_tokens (const HlShown *self)
{
  return self->comparison != NULL && (has_lone (hl_comparison_get_alignment (self->comparison, HL_QUERIES)) ||
                                      has_lone (hl_comparison_get_alignment (self->comparison, HL_KEYS)));
}

/* Whether it is nothing, or something that is shown. */
gboolean
hl_shown_has_pick (const HlShown *self,
                   const HlPick  *pick)
{
  if (pick->kind == HL_PICK_HEAD)
    return pick->head < (self->merges_layers && !self->merges_heads
                           ? self->n_heads
                           : hl_attention_get_n_heads (self->original, self->selection.layer) + self->n_others);
  if (pick->kind == HL_PICK_MAP)
    return pick->layer < hl_attention_get_n_layers (self->attention) &&
           pick->head < hl_attention_get_n_heads (self->attention, pick->layer);
  if (pick->kind == HL_PICK_LAYER)
    return pick->layer < hl_attention_get_n_layers (self->attention);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (hl_pick_has (pick, side) && pick->tokens[side] - self->ranges[side].first >= self->ranges[side].n)
      return FALSE;
  return !hl_pick_has (pick, HL_QUERIES) || pick->layer < hl_attention_get_n_layers (self->attention);
}

/* The same, or nothing where that is not shown: an HlFocusMap. */
HlPick
hl_shown_keep_pick (const HlPick *pick,
                    gconstpointer self)
{
  return hl_shown_has_pick (self, pick) ? *pick : (HlPick){ HL_PICK_NONE };
}

/* Whether both sides of the difference have the tokens of a query, a key or a cell; TRUE while none is shown. */
gboolean
hl_shown_is_on_both_sides (const HlShown *self,
                           const HlPick  *pick)
{
  if (self->comparison == NULL)
    return TRUE;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      const HlAlignedToken *tokens =
        hl_token_alignment_get_positions (hl_comparison_get_alignment (self->comparison, side));
      const gsize token = pick->tokens[side];
      if (hl_pick_has (pick, side) && (tokens[token].a == HL_TOKEN_NONE || tokens[token].b == HL_TOKEN_NONE))
        return FALSE;
    }
  return TRUE;
}

/* With room for @n_more. */
static HlShownHead *
list_heads (const HlShown *self,
            guint          layer,
            guint          n_more,
            guint         *n)
{
  const guint n_heads = hl_attention_get_n_heads (self->attention, layer);
  HlShownHead *shown = g_new (HlShownHead, n_heads + n_more);

  *n = 0;
  for (guint head = 0; head < n_heads; head++)
    if (hl_head_set_contains (&self->heads, head))
      shown[(*n)++] = (HlShownHead){ layer, head, head };
  return shown;
}

/* The heads that are chosen, as far as a layer of the shown attention has them, or what was made of those that it has; free with g_free(). */
HlShownHead *
hl_shown_list_heads_of_layer (const HlShown *self,
                              guint          layer,
                              guint         *n)
{
  HlShownHead *heads = list_heads (self, layer, 0, n);

  if (self->merges_heads && !self->merges_layers &&
      !hl_head_set_has_below (&self->lens.heads, hl_attention_get_n_heads (self->original, layer)))
    *n = 0;
  return heads;
}

/* What a head view shows, the heads of the layer first; free with g_free(). */
HlShownHead *
hl_shown_list_heads (const HlShown *self,
                     guint         *n)
{
  HlShownHead *shown = list_heads (self, self->layer, self->n_others, n);

  for (guint i = 0; i < self->n_others; i++)
    shown[(*n)++] = (HlShownHead){ self->others[i].layer, self->others[i].head, self->n_heads + i };
  return shown;
}

static char *
describe_combination (const HlShown *self)
{
  const gboolean is_of_layer = hl_quantity_get (self->lens.quantity)->heads == HL_QUANTITY_OF_LAYER;
  HlCombine combine = self->lens.combine;
  HlCombineOver over = self->lens.combine_over;
  const guint n_layers = hl_attention_get_n_layers (self->original);
  g_autofree guint *n_heads = g_new (guint, n_layers);

  for (guint layer = 0; layer < n_layers; layer++)
    n_heads[layer] = hl_attention_get_n_heads (self->original, layer);

  /* What is of a layer is made of the mean of its heads, and then perhaps combined over layers. */
  if (is_of_layer)
    {
      combine = self->merges_layers ? combine : HL_COMBINE_MEAN;
      over = self->merges_layers ? HL_COMBINE_OVER_LAYERS : HL_COMBINE_OVER_HEADS;
    }
  return hl_combine_describe (&self->lens.heads, &self->lens.layers, n_heads, n_layers, combine, over);
}

/* "head 5", or of what it is made: "mean of heads 0, 2", translated. */
char *
hl_shown_dup_head_name (const HlShown *self,
                        guint          head)
{
  return self->merges_heads ? describe_combination (self) : g_strdup_printf (_ ("head %u"), head);
}

/* "layer 3 · head 5", with of what it is made in place of what is not a layer or a head of the model, translated. */
char *
hl_shown_dup_map_name (const HlShown *self,
                       guint          shown_layer,
                       guint          shown_head)
{
  if (!self->merges_heads && !self->merges_layers)
    return g_strdup_printf (_ ("layer %u · head %u"), shown_layer, shown_head);

  g_autofree char *made = describe_combination (self);
  g_autofree char *layer = g_strdup_printf (_ ("layer %u"), shown_layer);
  g_autofree char *head = g_strdup_printf (_ ("head %u"), shown_head);
  if (self->merges_heads && self->merges_layers)
    return g_steal_pointer (&made);
  return self->merges_heads ? g_strdup_printf ("%s · %s", layer, made) : g_strdup_printf ("%s · %s", made, head);
}
