/* SPDX-License-Identifier: MIT */
/* What the files of HlViewState share. */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

/* Tokens of an attention that were chosen to be hidden. */
typedef struct
{
  HlTokenSet *queries;
  HlTokenSet *keys;
} HlHiddenTokens;

/* What is left out of the weights. */
typedef struct
{
  HlAttentionSource *source;
  double threshold;
  double top_mass;
  gboolean is_cumulative;
} HlFilters;

struct _HlViewState
{
  GObject parent_instance;

  guint serial;

  HlExample *example;
  HlAttention *attention;
  HlAttentionSource *attention_source;
  HlLens applied_lens;
  HlHiddenTokens hidden[HL_ATTENTION_CROSS + 1];
  HlAttentionSource *applied_to;
  gboolean was_altered;
  /* What the attention is subtracted from. */
  HlAttention *other_attention;
  HlHeadPairing pairing;
  gboolean difference_changed;
  gboolean awaits_alignment;
  HlAligner *aligner;
  HlComparison *comparison;
  char *name;
  char *other_name;
  HlViewState *beside; /* a weak pointer */
  /* Made when first asked for. */
  HlComparison *beside_comparison;
  HlAttention *common_attention;
  HlComparison *compared;
  HlAttention *shown_attention;
  HlAttentionSource *source;
  HlAttentionSource *shown_source;
  /* What shown_source was made with. */
  HlFilters applied_filters;
  HlViewOptions options;
  guint layer;
  guint head;
  HlLayerSet layers;
  HlHeadSet heads;
  HlGuests guests;
  HlPick hovered;
  HlPick pinned;
  char *pairs;
  HlTokenPairs *found_pairs;
  HlHeadNumbers *numbers;
  HlAttention *weighed_attention;
  gboolean is_right_to_left;
};

enum
{
  PROP_EXAMPLE = 1,
  PROP_ATTENTION,
  PROP_SHOWN_ATTENTION,
  PROP_SOURCE,
  PROP_SHOWN_SOURCE,
  PROP_LAYER,
  PROP_HEAD,
  PROP_HEADS,
  PROP_LAYERS,
  PROP_OTHER_ATTENTION,
  PROP_NAME,
  PROP_BESIDE,
  PROP_COMPARED,
  PROP_HIDDEN,
  PROP_HOVERED,
  PROP_PINNED,
  PROP_PAIRS,
  PROP_NUMBERS,
  PROP_OPTIONS, /* the first of them */
  N_PROPERTIES = 64,
};

void      hl_view_state_notify                (HlViewState        *self,
                                               guint               property);
void      hl_view_state_update_source         (HlViewState        *self);
void      hl_view_state_update_shown_source   (HlViewState        *self);
void      hl_view_state_clamp_heads           (HlViewState        *self);
void      hl_view_state_clamp_layers          (HlViewState        *self,
                                               guint               n_layers_before);
void      hl_view_state_get_lens              (HlViewState        *self,
                                               HlLens             *lens);
void      hl_view_state_apply_difference      (HlViewState        *self,
                                               const HlLens       *lens,
                                               HlAttention       **attention,
                                               HlAttentionSource **source);
gboolean  hl_view_state_difference_is_applied (HlViewState        *self);
void      hl_view_state_leave_beside          (HlViewState        *self);
gboolean  hl_view_state_has_lone_tokens       (HlViewState        *self);
void      hl_view_state_describe_sides        (HlViewState        *self,
                                               GString            *text);
void      hl_view_state_keep_lens             (HlViewState        *self,
                                               const HlLens       *lens);
void      hl_view_state_carry_picks           (HlViewState        *self,
                                               HlAttention        *before);
void      hl_view_state_forget_hidden         (HlViewState        *self,
                                               HlExample          *before,
                                               HlExample          *after);
void      hl_view_state_set_pick              (HlViewState        *self,
                                               HlPick             *slot,
                                               const HlPick       *pick,
                                               guint               property);
void      hl_view_state_leave_matrix          (HlViewState        *self,
                                               HlPick             *slot,
                                               guint               property);
void      hl_view_state_drop_invisible_picks  (HlViewState        *self);
void      hl_view_state_drop_numbers          (HlViewState        *self,
                                               gboolean            other_attention);
char     *hl_view_state_describe_hiding       (HlViewState        *self);
gboolean  hl_view_state_translate_hidden      (HlViewState        *self,
                                               const HlTokenSet   *hidden,
                                               HlTokenStrings     *tokens,
                                               HlTokenStrings     *other_tokens,
                                               HlTokenSet        **other);

G_END_DECLS
