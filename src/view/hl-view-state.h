/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/hl-document.h"
#include "core/source/hl-attention-source.h"
#include "core/source/steps/hl-head-steps.h"
#include "view/shown/hl-known-heads.h"
#include "view/shown/hl-shown.h"
#include "view/pick/hl-focus.h"

G_BEGIN_DECLS

#define HL_TYPE_VIEW_STATE (hl_view_state_get_type ())
G_DECLARE_FINAL_TYPE (HlViewState, hl_view_state, HL, VIEW_STATE, GObject)

guint              hl_view_state_get_serial        (HlViewState      *self);
HlViewState       *hl_view_state_new               (HlExample        *example);
HlViewState       *hl_view_state_new_showing       (HlExample        *example,
                                                    const HlShown    *shown,
                                                    const HlHiddenTokens *hidden,
                                                    const HlFocus    *pin);

HlExample   *hl_view_state_get_example   (HlViewState *self);
void         hl_view_state_set_example   (HlViewState *self,
                                          HlExample   *example);
HlModelCall *hl_view_state_get_call      (HlViewState *self);
void         hl_view_state_set_call      (HlViewState *self,
                                          HlModelCall *call);
HlModelCall *hl_view_state_get_other_call (HlViewState *self);
void         hl_view_state_set_other_call (HlViewState *self,
                                          HlModelCall *call);
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

const HlShown         *hl_view_state_get_shown            (HlViewState           *self);
HlAttentionSource     *hl_view_state_get_attention_source (HlViewState           *self);

const HlHeadSelection *hl_view_state_get_selection        (HlViewState           *self);
void                   hl_view_state_set_selection        (HlViewState           *self,
                                                           const HlHeadSelection *selection);
const HlHiddenTokens  *hl_view_state_get_hidden           (HlViewState           *self);
void                   hl_view_state_take_hidden          (HlViewState           *self,
                                                           HlHiddenTokens         hidden);
const HlPick          *hl_view_state_get_hovered          (HlViewState           *self);
void                   hl_view_state_set_hovered          (HlViewState           *self,
                                                           const HlPick          *pick);
const HlPick          *hl_view_state_get_pinned           (HlViewState           *self);
void                   hl_view_state_set_pinned           (HlViewState           *self,
                                                           const HlPick          *pick);
const HlPick          *hl_view_state_get_focus            (HlViewState           *self);
const HlFocus         *hl_view_state_get_pin              (HlViewState           *self);
void                   hl_view_state_set_pin              (HlViewState           *self,
                                                           const HlFocus         *pin);
void                   hl_view_state_keep_pin             (HlViewState           *self,
                                                           const HlFocus         *pin);
const HlFocus         *hl_view_state_get_in_focus         (HlViewState           *self);

const HlCounterpart   *hl_view_state_get_counterpart      (HlViewState           *self);
void                   hl_view_state_set_aligner          (HlViewState           *self,
                                                           HlAligner             *aligner);
void                   hl_view_state_set_difference       (HlViewState           *self,
                                                           HlAttention           *other,
                                                           const HlHeadPairing   *pairing);
void                   hl_view_state_set_names            (HlViewState           *self,
                                                           const char            *name,
                                                           const char            *other_name);
void                   hl_view_state_set_beside           (HlViewState           *self,
                                                           HlViewState           *beside);
HlViewState           *hl_view_state_get_beside           (HlViewState           *self);
void                   hl_view_state_set_partner          (HlViewState           *self,
                                                           HlViewState           *partner);
HlViewState           *hl_view_state_get_partner          (HlViewState           *self);
gboolean               hl_view_state_get_allows_expansion (HlViewState           *self);
void                   hl_view_state_allow_expansion      (HlViewState           *self,
                                                           gboolean               of_both);
HlComparison          *hl_view_state_get_shown_comparison (HlViewState           *self);
void                   hl_view_state_set_compared         (HlViewState           *self,
                                                           HlComparison          *compared);
HlComparison          *hl_view_state_get_compared         (HlViewState           *self);

const char            *hl_view_state_get_pairs            (HlViewState           *self);
void                   hl_view_state_set_pairs            (HlViewState           *self,
                                                           const char            *pairs);
HlTokenPairs          *hl_view_state_get_found_pairs      (HlViewState           *self);
HlHeadNumbers         *hl_view_state_get_numbers          (HlViewState           *self);
void                   hl_view_state_set_numbers          (HlViewState           *self,
                                                           HlHeadNumbers         *numbers);

/* In hl-view-moves.c: what follows from the above. */
guint                  hl_view_state_get_layer            (HlViewState           *self);
void                   hl_view_state_set_layer            (HlViewState           *self,
                                                           guint                  layer);
guint                  hl_view_state_get_head             (HlViewState           *self);
void                   hl_view_state_go_to                (HlViewState           *self,
                                                           guint                  layer,
                                                           guint                  head);
void                   hl_view_state_go_to_shown          (HlViewState           *self,
                                                           guint                  shown_layer,
                                                           guint                  shown_head);
void                   hl_view_state_go_to_first          (HlViewState           *self);
guint                  hl_view_state_get_first_layer      (HlViewState           *self);
guint                  hl_view_state_get_n_heads          (HlViewState           *self);
const HlHeadSet       *hl_view_state_get_heads            (HlViewState           *self);
const HlHeadSet       *hl_view_state_get_chosen_heads     (HlViewState           *self);
void                   hl_view_state_set_heads            (HlViewState           *self,
                                                           const HlHeadSet       *heads);
void                   hl_view_state_toggle_head          (HlViewState           *self,
                                                           guint                  head);
void                   hl_view_state_toggle_head_of       (HlViewState           *self,
                                                           guint                  layer,
                                                           guint                  head);
void                   hl_view_state_select_all_heads     (HlViewState           *self);
void                   hl_view_state_select_no_heads      (HlViewState           *self);
const HlLayerSet      *hl_view_state_get_layers           (HlViewState           *self);
void                   hl_view_state_set_layers           (HlViewState           *self,
                                                           const HlLayerSet      *layers);
void                   hl_view_state_toggle_layer         (HlViewState           *self,
                                                           guint                  layer);
char                  *hl_view_state_dup_hidden           (HlViewState           *self);
void                   hl_view_state_set_hidden           (HlViewState           *self,
                                                           const char            *text);
gboolean               hl_view_state_hides                (HlViewState           *self);
gboolean               hl_view_state_can_hide             (HlViewState           *self,
                                                           const HlPick          *pick);
void                   hl_view_state_hide                 (HlViewState           *self,
                                                           const HlPick          *pick);
void                   hl_view_state_unhide               (HlViewState           *self,
                                                           HlSide                 side,
                                                           gsize                  token);
void                   hl_view_state_show_all_tokens      (HlViewState           *self);
void                   hl_view_state_hide_like            (HlViewState           *self,
                                                           HlViewState           *other);
void                   hl_view_state_gather               (HlViewState           *self,
                                                           const HlPick          *pick);
void                   hl_view_state_extend_pin           (HlViewState           *self,
                                                           const HlPick          *pick);
void                   hl_view_state_pin_pair             (HlViewState           *self,
                                                           const HlTokenPair     *pair);
gboolean               hl_view_state_reads_right_to_left  (HlViewState           *self);

/* In hl-view-numbers.c: what pictures need to know of heads. */
HlHeadMeasure          hl_view_state_get_applied_sort      (HlViewState          *self);
HlHeadMeasure          hl_view_state_get_applied_colour_by (HlViewState          *self);
HlHeadMeasure          hl_view_state_get_charted           (HlViewState          *self);
gboolean               hl_view_state_draws_distances       (HlViewState          *self);
HlHeadNumberSet        hl_view_state_get_charted_numbers   (HlViewState          *self);
HlHeadNumberSet        hl_view_state_get_wanted_numbers    (HlViewState          *self);
HlHeadNumberRequest    hl_view_state_get_number_request    (HlViewState          *self);
HlHeadNumbers         *hl_view_state_ref_numbers           (HlViewState          *self);
gboolean               hl_view_state_names_heads           (HlViewState          *self);
void                   hl_view_state_tell_head_name        (HlViewState          *self,
                                                            const HlToldName     *name);
const HlToldName      *hl_view_state_get_told_name         (HlViewState          *self);
const HlHeadName      *hl_view_state_find_head_name        (HlViewState          *self,
                                                            guint                 layer,
                                                            guint                 head,
                                                            double               *value);
char                  *hl_view_state_dup_head_name         (HlViewState          *self,
                                                            guint                 layer,
                                                            guint                 head);
gboolean               hl_view_state_wants_ranking         (HlViewState          *self);
gboolean               hl_view_state_wants_changes         (HlViewState          *self);
gboolean               hl_view_state_knows_changes         (HlViewState          *self);
guint                  hl_view_state_count_maps_read       (HlViewState          *self);
guint                  hl_view_state_count_maps            (HlViewState          *self);
gboolean               hl_view_state_reads_both            (HlViewState          *self);
gboolean               hl_view_state_check_reading         (HlViewState          *self,
                                                            guint64               n_maps,
                                                            gboolean              of_both,
                                                            GError              **error);
gboolean               hl_view_state_check_picture         (HlViewState          *self,
                                                            GError              **error);
gboolean               hl_view_state_complete_numbers      (HlViewState          *self,
                                                            GCancellable         *cancellable,
                                                            GError              **error);

/* In hl-view-describe.c. */
char                  *hl_view_state_describe             (HlViewState           *self);
char                  *hl_view_state_describe_named        (HlViewState          *self);
char                  *hl_view_state_describe_choice      (HlViewState           *self);
char                  *hl_view_state_describe_maps        (HlViewState           *self);

G_END_DECLS
