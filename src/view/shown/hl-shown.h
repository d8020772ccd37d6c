/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compare/hl-comparison.h"
#include "view/shown/hl-head-selection.h"
#include "view/shown/hl-hidden-tokens.h"
#include "view/pick/hl-pick.h"
#include "view/shown/hl-view-options.h"

G_BEGIN_DECLS

/**
 * HlRange:
 * @first: the first index
 * @n: how many
 */
typedef struct
{
  gsize first;
  gsize n;
} HlRange;

static inline gboolean
hl_range_equal (HlRange a,
                HlRange b)
{
  return a.first == b.first && a.n == b.n;
}

/**
 * HlCounterpart:
 * @attention: (nullable): what the attention is subtracted from; %NULL where it is shown itself
 * @pairing: which heads of it belong to those of the attention
 * @aligner: (nullable): what aligns long texts in a worker; %NULL for waiting as long as it takes
 * @name: (nullable): what pictures call the attention: "A: bert.h5" beside another picture, "bert.h5" in a difference
 * @other_name: (nullable): in a difference, what they call the counterpart
 *
 * What an attention is compared with, and how they belong together.
 */
typedef struct
{
  HlAttention  *attention;
  HlHeadPairing pairing;
  HlAligner    *aligner;
  char         *name;
  char         *other_name;
} HlCounterpart;

/**
 * HlShownParts:
 * @original: the attention that is looked at
 * @original_source: its weights
 * @options: how it is shown
 * @selection: which heads of it
 * @hidden: which tokens of it are left out
 * @counterpart: what it is compared with
 *
 * What is shown follows from these. They are not kept.
 */
typedef struct
{
  HlAttention           *original;
  HlAttentionSource     *original_source;
  const HlViewOptions   *options;
  const HlHeadSelection *selection;
  const HlHiddenTokens  *hidden;
  const HlCounterpart   *counterpart;
} HlShownParts;

/**
 * HlShown:
 * @original: the attention that is looked at
 * @original_source: its weights as they are
 * @options: how it is shown
 * @selection: which heads of it
 * @lens: what is derived of it
 * @lacking: (nullable): where weights are shown in place of the quantity that was chosen, why: "Norm-Weighted needs values…", translated
 * @numbered: the quantity that numbers of its heads are of: the one that is chosen, where that has a map for each head and the
 *   view follows it; otherwise weights
 * @numbered_source: these maps, of @original
 * @other: (nullable): what it is to be subtracted from
 * @pairing: which heads of that belong to those of the attention
 * @attention: what attends to what in the maps that pictures show: the attention itself, or what is derived of it
 * @source: the weights of @attention; in views that show how they are made, with the scale and the mask of the view
 * @filtered: these with those at 0 that threshold and top mass hide; what pictures show
 * @comparison: (nullable): the two sides of the difference that is shown
 * @awaits_alignment: whether a difference is to be shown once its texts are aligned
 * @merges_heads: whether each layer that is shown has one map, made of the heads that are chosen
 * @merges_layers: whether one layer is shown, made of those that are chosen
 * @shows_one_head: whether the view shows only the head in the foreground, whatever others are chosen
 * @shows_steps: whether the view shows how weights follow from queries and keys; filters are not in force then, scale
 *   and mask of the view are
 * @is_plain: whether the view shows all tokens and heads of the attention: nothing but, in charts, the quantity is derived,
 *   nothing is subtracted, and filters are not in force
 * @has_cells: whether the view has matrices whose colours tell numbers
 * @is_cumulative: whether the numbers of @filtered are not weights but their cumulative mass, of the row as filters
 *   leave it: with %HL_VALUE_SCALE_CUMULATIVE, unless numbers have a sign
 * @value_scale: the scale of colours: the one that was chosen, or that of the quantity with %HL_VALUE_SCALE_AUTO; linear in
 *   place of %HL_VALUE_SCALE_OFF_DIAGONAL where @attention has no diagonal, its queries and keys being different tokens
 * @layer: the layer of @attention
 * @head: the head of @attention that is in the foreground
 * @n_heads: how many heads the layer has
 * @heads: the heads of @attention that the head view shows; may be none
 * @others: those of other layers that a head view shows after the heads of the layer, and are not among these
 * @n_others: how many
 * @queries: those that are shown, after padding and sentences; at least one unless a sentence is all padding
 * @keys: likewise
 * @ranges: both, by side
 *
 * What is shown, made in one place of a document, options, selection and counterpart. It does not change: whoever looks
 * at it in a worker needs no lock.
 */
typedef struct
{
  HlAttention       *original;
  HlAttentionSource *original_source;
  HlViewOptions      options;
  HlHeadSelection    selection;
  HlLens             lens;
  char              *lacking;
  HlQuantity         numbered;
  HlAttentionSource *numbered_source;
  HlAttention       *other;
  HlHeadPairing      pairing;
  HlAttention       *attention;
  HlAttentionSource *source;
  HlAttentionSource *filtered;
  HlComparison      *comparison;
  gboolean           awaits_alignment;
  gboolean           merges_heads;
  gboolean           merges_layers;
  gboolean           shows_one_head;
  gboolean           shows_steps;
  gboolean           is_plain;
  gboolean           has_cells;
  gboolean           is_cumulative;
  HlValueScaleKind   value_scale;
  gboolean           reads_right_to_left;
  guint              layer;
  guint              head;
  guint              n_heads;
  HlHeadSet          heads;
  HlHeadPlace       *others;
  guint              n_others;
  union
  {
    struct
    {
      HlRange queries;
      HlRange keys;
    };
    HlRange ranges[2];
  };
} HlShown;

HlShown     *hl_shown_new                 (const HlShownParts *parts,
                                           const HlShown      *before);
HlShown     *hl_shown_ref                 (const HlShown      *self);
void         hl_shown_unref               (HlShown            *self);
HlRange      hl_shown_get_numbered_queries (const HlShown     *self);
HlAttentionSource *hl_shown_number         (const HlShown     *self,
                                           HlAttention        *attention,
                                           HlAttentionSource  *weights);
gboolean     hl_shown_charts_weights      (const HlShown      *self);
gboolean     hl_shown_has_relative_lines  (const HlShown      *self);
gboolean     hl_shown_follows_tokens      (const HlShown      *self);
double       hl_shown_get_least_whole     (const HlShown      *self);
gsize        hl_shown_get_sentence_b      (const HlShown      *self,
                                           HlSide              side);
gsize        hl_shown_get_lead            (const HlShown      *self,
                                           HlSide              side);
gboolean     hl_shown_find_token          (const HlShown      *self,
                                           const HlPick       *pick,
                                           HlSide              side,
                                           gsize              *token);
guint        hl_shown_get_first_layer     (const HlShown      *self);
HlRange      hl_shown_get_numbered_queries_of (const HlShown  *self,
                                           HlAttention        *attention);
gboolean     hl_shown_takes_heads         (const HlShown      *self);
guint        hl_shown_count_maps_read     (const HlShown      *self);
guint        hl_shown_count_maps_of_one   (const HlShown      *self);
gboolean     hl_shown_has_mask            (const HlShown      *self);
HlValueScaleKind hl_shown_find_value_scale (const HlShown      *self,
                                            HlValueScaleKind    chosen);
gboolean     hl_shown_has_mean_heads      (const HlShown      *self);
gboolean     hl_shown_replaces_quantity      (const HlShown      *self);
gboolean     hl_shown_has_lines           (const HlShown      *self);
gboolean     hl_shown_has_lone_tokens     (const HlShown      *self);
gboolean     hl_shown_has_pick            (const HlShown      *self,
                                           const HlPick       *pick);
HlPick       hl_shown_keep_pick           (const HlPick       *pick,
                                           gconstpointer       self);
gboolean     hl_shown_is_on_both_sides    (const HlShown      *self,
                                           const HlPick       *pick);
HlShownHead *hl_shown_list_heads_of_layer (const HlShown      *self,
                                           guint               layer,
                                           guint              *n);
HlShownHead *hl_shown_list_heads          (const HlShown      *self,
                                           guint              *n);
char        *hl_shown_dup_head_name       (const HlShown      *self,
                                           guint               head);
char        *hl_shown_dup_map_name        (const HlShown      *self,
                                           guint               layer,
                                           guint               head);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlShown, hl_shown_unref)

G_END_DECLS
