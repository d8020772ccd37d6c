/* SPDX-License-Identifier: MIT */
/* A token, a bar and a number: how a row of the token panel looks. */
#pragma once

#include "app/tokens/hl-token-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_WEIGHT_BAR (hl_weight_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlWeightBar, hl_weight_bar, HL, WEIGHT_BAR, GtkWidget)

GtkWidget  *hl_weight_bar_new     (void);
HlTokenRow *hl_weight_bar_get_row (HlWeightBar *self);
void        hl_weight_bar_set_row (HlWeightBar *self,
                                   HlTokenRow  *row);

G_END_DECLS
