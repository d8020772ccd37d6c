/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlTokenTimes:
 * @n: how many tokens, at least 1
 * @starts: n seconds, when each begins
 * @ends: (nullable): n seconds, when each ends; %NULL where nobody said
 *
 * When tokens of sound or film are. Immutable, counted references.
 */
typedef struct
{
  gsize n;
  float *starts;
  float *ends;
} HlTokenTimes;

HlTokenTimes *hl_token_times_new (gsize n, float *starts, float *ends);
HlTokenTimes *hl_token_times_ref (HlTokenTimes *self);
void hl_token_times_unref (HlTokenTimes *self);
HlTokenTimes *hl_token_times_cut (HlTokenTimes *self, gsize n);
char **hl_token_times_make_labels (const HlTokenTimes *self);
char *hl_token_times_format (const HlTokenTimes *self, gsize first, gsize n);
gboolean hl_token_times_equal (const HlTokenTimes *a, const HlTokenTimes *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTokenTimes, hl_token_times_unref)

G_END_DECLS
