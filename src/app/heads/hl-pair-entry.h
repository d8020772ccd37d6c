/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

#define HL_TYPE_PAIR_ENTRY (hl_pair_entry_get_type ())
G_DECLARE_FINAL_TYPE (HlPairEntry, hl_pair_entry, HL, PAIR_ENTRY, GtkWidget)

void hl_pair_entry_read_list     (HlPairEntry *self,
                                  GFile       *file);
void hl_pair_entry_set_attention (HlPairEntry *self,
                                  HlAttention *attention);
void hl_pair_entry_set_pairs     (HlPairEntry *self,
                                  const char  *pairs);
void hl_pair_entry_set_wrong     (HlPairEntry *self,
                                  gboolean     is_wrong);
void hl_pair_entry_focus         (HlPairEntry *self);

G_END_DECLS
