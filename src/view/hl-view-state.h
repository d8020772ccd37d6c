/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compare/hl-comparison.h"
#include "core/document/attention/hl-head-set.h"
#include "core/document/hl-document.h"
#include "core/source/hl-attention-source.h"
#include "core/source/steps/hl-head-steps.h"
#include "view/hl-guests.h"
#include "view/hl-pick.h"
#include "view/hl-view-options.h"

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

#define HL_TYPE_VIEW_STATE (hl_view_state_get_type ())
G_DECLARE_FINAL_TYPE (HlViewState, hl_view_state, HL, VIEW_STATE, GObject)

guint              hl_view_state_get_serial        (HlViewState      *self);
HlViewState       *hl_view_state_new               (HlExample        *example);

HlExample   *hl_view_state_get_example   (HlViewState *self);
void         hl_view_state_set_example   (HlViewState *self,
                                          HlExample   *example);
HlAttention *hl_view_state_get_attention (HlViewState *self);
void         hl_view_state_set_attention (HlViewState *self,
                                          HlAttention *attention);

const HlViewOptions *hl_view_state_get_options (HlViewState         *self);
void                 hl_view_state_set_options (HlViewState         *self,
                                                const HlViewOptions *options);

/* Sets one field of the options: hl_view_state_set_option (state, threshold, 0.1). */
#define hl_view_state_set_option(state, field, value)                   \
  G_STMT_START                                                          \
  {                                                                     \
    HlViewOptions options_ = *hl_view_state_get_options (state);        \
    options_.field = (value);                                           \
    hl_view_state_set_options ((state), &options_);                     \
  }                                                                     \
  G_STMT_END

HlAttention       *hl_view_state_get_shown_attention (HlViewState *self);
guint              hl_view_state_get_shown_layer     (HlViewState *self);
guint              hl_view_state_get_shown_head      (HlViewState *self);
const HlHeadSet   *hl_view_state_get_shown_heads     (HlViewState *self);
guint              hl_view_state_get_n_shown_heads   (HlViewState *self);
gboolean           hl_view_state_merges_heads        (HlViewState *self);
gboolean           hl_view_state_merges_layers       (HlViewState *self);
gboolean           hl_view_state_takes_heads         (HlViewState *self);
char              *hl_view_state_dup_head_name       (HlViewState *self,
                                                      guint        shown_head);
char              *hl_view_state_dup_map_name        (HlViewState *self,
                                                      guint        shown_layer,
                                                      guint        shown_head);
void               hl_view_state_go_to_shown         (HlViewState *self,
                                                      guint        shown_layer,
                                                      guint        shown_head);
HlAttentionSource *hl_view_state_get_source          (HlViewState *self);
HlAttentionSource *hl_view_state_get_shown_source    (HlViewState *self);

const HlLayerSet  *hl_view_state_get_layers        (HlViewState      *self);
void               hl_view_state_set_layers        (HlViewState      *self,
                                                    const HlLayerSet *layers);
void               hl_view_state_toggle_layer      (HlViewState      *self,
                                                    guint             layer);

HlAligner           *hl_view_state_get_aligner          (HlViewState         *self);
void                 hl_view_state_set_aligner          (HlViewState         *self,
                                                         HlAligner           *aligner);
void                 hl_view_state_set_difference       (HlViewState         *self,
                                                         HlAttention         *other,
                                                         const HlHeadPairing *pairing);
HlAttention         *hl_view_state_get_other_attention  (HlViewState         *self);
const HlHeadPairing *hl_view_state_get_pairing          (HlViewState         *self);
HlComparison        *hl_view_state_get_comparison       (HlViewState         *self);
void                 hl_view_state_go_along             (HlViewState         *self,
                                                         HlViewState         *other,
                                                         const HlHeadPairing *pairing);
void                 hl_view_state_hide_like            (HlViewState         *self,
                                                         HlViewState         *other);
gboolean             hl_view_state_is_on_both_sides     (HlViewState         *self,
                                                         const HlPick        *pick);
const char          *hl_view_state_get_name             (HlViewState         *self);
const char          *hl_view_state_get_other_name       (HlViewState         *self);
void                 hl_view_state_set_names            (HlViewState         *self,
                                                         const char          *name,
                                                         const char          *other_name);
void                 hl_view_state_set_side_name        (HlViewState         *self,
                                                         const char          *side,
                                                         const char          *name);
void                 hl_view_state_set_beside           (HlViewState         *self,
                                                         HlViewState         *beside);
HlViewState         *hl_view_state_get_beside           (HlViewState         *self);
HlComparison        *hl_view_state_get_shown_comparison (HlViewState         *self);
HlAttention         *hl_view_state_get_common_attention (HlViewState         *self);
void                 hl_view_state_set_compared         (HlViewState         *self,
                                                         HlComparison        *compared);
HlComparison        *hl_view_state_get_compared         (HlViewState         *self);
gboolean             hl_view_state_knows_changes        (HlViewState         *self);
gboolean             hl_view_state_wants_changes        (HlViewState         *self);
char                *hl_view_state_dup_hidden           (HlViewState         *self);
void                 hl_view_state_set_hidden           (HlViewState         *self,
                                                         const char          *hidden);
HlTokenSet          *hl_view_state_get_hidden_queries   (HlViewState         *self);
HlTokenSet          *hl_view_state_get_hidden_keys      (HlViewState         *self);
gboolean             hl_view_state_hides                (HlViewState         *self);
gboolean             hl_view_state_can_hide             (HlViewState         *self,
                                                         const HlPick        *pick);
void                 hl_view_state_hide                 (HlViewState         *self,
                                                         const HlPick        *pick);
void                 hl_view_state_unhide               (HlViewState         *self,
                                                         gboolean             is_query,
                                                         gsize                token);
void                 hl_view_state_show_all_tokens      (HlViewState         *self);

gboolean           hl_view_state_shows_one_head    (HlViewState      *self);
gboolean           hl_view_state_shows_steps       (HlViewState      *self);
guint              hl_view_state_get_layer         (HlViewState      *self);
void               hl_view_state_set_layer         (HlViewState      *self,
                                                    guint             layer);
guint              hl_view_state_get_head          (HlViewState      *self);
void               hl_view_state_go_to             (HlViewState      *self,
                                                    guint             layer,
                                                    guint             head);
guint              hl_view_state_get_n_heads       (HlViewState      *self);
const HlGuests    *hl_view_state_get_guests        (HlViewState      *self);
void               hl_view_state_set_guests        (HlViewState      *self,
                                                    const HlGuests   *guests);
void               hl_view_state_lead_by_guest     (HlViewState      *self);
gboolean           hl_view_state_toggle_head_of    (HlViewState      *self,
                                                    guint             layer,
                                                    guint             head);
void               hl_view_state_get_shown_guests  (HlViewState      *self,
                                                    HlGuests         *guests);
HlShownHead       *hl_view_state_list_heads_of_layer (HlViewState   *self,
                                                    guint             layer,
                                                    guint            *n);
HlShownHead       *hl_view_state_list_shown_heads  (HlViewState      *self,
                                                    guint            *n);
const HlHeadSet   *hl_view_state_get_heads         (HlViewState      *self);
void               hl_view_state_set_heads         (HlViewState      *self,
                                                    const HlHeadSet  *heads);
void               hl_view_state_toggle_head       (HlViewState      *self,
                                                    guint             head);
void               hl_view_state_isolate_head      (HlViewState      *self,
                                                    guint             head);
void               hl_view_state_select_all_heads  (HlViewState      *self);
void               hl_view_state_select_no_heads   (HlViewState      *self);

const HlPick      *hl_view_state_get_hovered       (HlViewState      *self);
void               hl_view_state_set_hovered       (HlViewState      *self,
                                                    const HlPick     *pick);
const HlPick      *hl_view_state_get_pinned        (HlViewState      *self);
void               hl_view_state_set_pinned        (HlViewState      *self,
                                                    const HlPick     *pick);
const HlPick      *hl_view_state_get_focus         (HlViewState      *self);

gboolean           hl_view_state_is_cumulative         (HlViewState     *self);
HlHeadMeasure      hl_view_state_get_applied_sort      (HlViewState     *self);
HlHeadMeasure      hl_view_state_get_applied_colour_by (HlViewState     *self);
const char        *hl_view_state_get_pairs             (HlViewState     *self);
void               hl_view_state_set_pairs             (HlViewState     *self,
                                                        const char      *pairs);
HlTokenPairs      *hl_view_state_get_found_pairs       (HlViewState     *self);
HlAttentionSource *hl_view_state_get_attention_source  (HlViewState     *self);
HlRange            hl_view_state_get_numbered_queries  (HlViewState     *self);
HlHeadNumbers     *hl_view_state_get_numbers           (HlViewState     *self);
void               hl_view_state_set_numbers           (HlViewState     *self,
                                                        HlHeadNumbers   *numbers);
gboolean           hl_view_state_wants_stats           (HlViewState     *self);
gboolean           hl_view_state_wants_ranking         (HlViewState     *self);
gboolean           hl_view_state_complete_numbers      (HlViewState     *self,
                                                        GCancellable    *cancellable,
                                                        GError         **error);
gboolean           hl_view_state_has_mask              (HlViewState     *self);
gboolean           hl_view_state_reads_right_to_left   (HlViewState     *self);

HlRange            hl_view_state_get_shown_queries (HlViewState      *self);
HlRange            hl_view_state_get_shown_keys    (HlViewState      *self);
char              *hl_view_state_describe          (HlViewState      *self);

G_END_DECLS
