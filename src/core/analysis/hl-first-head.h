/* SPDX-License-Identifier: MIT */
/* Which head is worth seeing first. */
#pragma once

#include "core/analysis/hl-head-name.h"

G_BEGIN_DECLS

/**
 * HL_FIRST_HEAD_LEAST_KEYS:
 *
 * Of how many keys a map must be at least for a head to be chosen: of fewer all look alike.
 */
#define HL_FIRST_HEAD_LEAST_KEYS 4

/**
 * HlFirstHead:
 * @is_chosen: whether one was; otherwise the rest means nothing
 * @layer: of which layer
 * @head: which of its heads
 * @worth: how much it is worth, as hl_first_head_get_worth() has it
 * @name: (nullable): what it is called
 * @value: the number that tells the name; NaN without one
 * @first_query: the first of the queries that @value is of
 * @n_queries: how many these are
 * @n_measured: among how many heads it was chosen
 * @n_heads: how many there are
 *
 * A head that was chosen to be seen first.
 */
typedef struct
{
  gboolean          is_chosen;
  guint             layer;
  guint             head;
  double            worth;
  const HlHeadName *name;
  double            value;
  gsize             first_query;
  gsize             n_queries;
  guint             n_measured;
  guint             n_heads;
} HlFirstHead;

double   hl_first_head_get_cost     (HlAttention       *attention);
double   hl_first_head_get_worth    (const HlHeadStats *stats);
gboolean hl_first_head_choose       (HlAttention       *attention,
                                     HlAttentionSource *source,
                                     HlModelCall       *call,
                                     HlFirstHead       *choice,
                                     GCancellable      *cancellable,
                                     GError           **error);
char    *hl_first_head_dup_sentence (const HlFirstHead *self);

G_END_DECLS
