/* SPDX-License-Identifier: MIT */
/* The bar below a model's picture: the texts, and how far what is computed of them is. */
#pragma once

#include "app/live/hl-live-model.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_TEXT_BAR (hl_text_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlTextBar, hl_text_bar, HL, TEXT_BAR, AdwBin)

void hl_text_bar_set_live (HlTextBar *self, HlLiveModel *live);
void hl_text_bar_set_texts (HlTextBar *self, const char *text, const char *second_text);
gboolean hl_text_bar_takes_text (HlTextBar *self);
void hl_text_bar_take_text (HlTextBar *self, const char *text);
void hl_text_bar_set_stacked (HlTextBar *self, gboolean stacked);
void hl_text_bar_set_letter (HlTextBar *self, const char *letter);
void hl_text_bar_set_open_action (HlTextBar *self, const char *action);
void hl_text_bar_set_aside (HlTextBar *self, gboolean aside);
void hl_text_bar_generate (HlTextBar *self);
void hl_text_bar_focus (HlTextBar *self);
void hl_text_bar_space_letters (HlTextBar *self);

G_END_DECLS
