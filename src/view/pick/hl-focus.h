/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/document/tokens/hl-token-set.h"
#include "view/pick/hl-pick.h"

G_BEGIN_DECLS

/**
 * HlFocus:
 * @pick: what it is; of several tokens the one that was gathered last, which leads: from it keys move on
 * @gathered: (nullable): several tokens of the side of @pick, which is one of them; %NULL where it stands alone
 *
 * What rules a picture: a pick, or several tokens of one side at once. Of queries it is what they attend to on average,
 * of keys what they get together, as whole words have it of their pieces. Zeros for nothing.
 */
typedef struct
{
  HlPick      pick;
  HlTokenSet *gathered;
} HlFocus;

/**
 * HlFocusMap:
 * @pick: a pick
 * @data: what was given with the function
 *
 * Returns: where it is elsewhere; nothing where it is not there
 */
typedef HlPick (*HlFocusMap) (const HlPick *pick,
                              gconstpointer data);

/**
 * HlFocusRead:
 * @token: a token of the side of a focus
 * @row: (out): its weights over the other side
 * @data: what was given with the function
 *
 * Returns: whether they could be read
 */
typedef gboolean (*HlFocusRead) (gsize    token,
                                 float   *row,
                                 gpointer data);

HlFocus  hl_focus_copy        (const HlFocus *self);
void     hl_focus_clear       (HlFocus       *self);
gboolean hl_focus_equal       (const HlFocus *a,
                               const HlFocus *b);
gsize   *hl_focus_list_tokens (const HlFocus *self,
                               HlSide         side,
                               gsize         *n);
gboolean hl_focus_covers      (const HlFocus *self,
                               const HlPick  *pick);
HlFocus  hl_focus_toggle      (const HlFocus *self,
                               const HlPick  *token);
HlFocus  hl_focus_join        (const HlFocus *self,
                               const HlFocus *more);
HlFocus  hl_focus_map         (const HlFocus *self,
                               HlFocusMap     map,
                               gconstpointer  data);
double   hl_focus_get_part    (const HlFocus *self,
                               HlAttention   *attention);
gboolean hl_focus_combine     (const HlFocus *self,
                               HlAttention   *attention,
                               gsize          n,
                               HlFocusRead    read,
                               gpointer       data,
                               float         *target);
gboolean hl_focus_mark_left   (const HlFocus *self,
                               gsize          n,
                               HlFocusRead    read,
                               gpointer       data,
                               gboolean      *is_left);
char    *hl_focus_describe    (const HlFocus *self,
                               HlAttention   *attention);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlFocus, hl_focus_clear)

G_END_DECLS
