/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-attend-step.h"
#include "core/model/hl-stack.h"

G_BEGIN_DECLS

/**
 * HlPast:
 *
 * Keys and values of the tokens that a causal stack was run on, so that what comes behind them need not be run from the beginning. A
 * decoder also keeps those of the encoder's tokens. Used by one thread at a time.
 */
typedef struct _HlPast HlPast;

HlPast    *hl_past_new         (const HlStack *stack);
void       hl_past_free        (HlPast        *self);
gsize      hl_past_get_n       (const HlPast  *self);
gboolean   hl_past_reserve     (HlPast        *self,
                                gsize          n,
                                GError       **error);
void       hl_past_append      (HlPast        *self,
                                guint          layer,
                                gsize          n,
                                const float   *keys,
                                const float   *values);
void       hl_past_finish      (HlPast        *self,
                                gsize          n);
HlKeptKeys hl_past_get_kept    (const HlPast  *self,
                                guint          layer,
                                gsize          n_new);
gboolean   hl_past_has_memory  (const HlPast  *self,
                                guint          layer);
void       hl_past_take_memory (HlPast        *self,
                                guint          layer,
                                gsize          n,
                                const float   *keys,
                                const float   *values);
HlDeltaState *
           hl_past_begin_state (HlPast        *self,
                                guint          layer);
HlKeptKeys hl_past_get_memory  (const HlPast  *self,
                                guint          layer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPast, hl_past_free)

G_END_DECLS
