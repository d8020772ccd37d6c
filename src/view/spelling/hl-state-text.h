/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

/**
 * HL_MAX_STATE_TEXTS:
 *
 * More than a view state has properties.
 */
#define HL_MAX_STATE_TEXTS 64

/**
 * HlStateTexts:
 * @texts: what is written for each property, by its index; %NULL where nothing is. Zeros for nothing at all
 *
 * How a document is looked at, as text: the same on a command line and in a session file.
 */
typedef struct
{
  char *texts[HL_MAX_STATE_TEXTS];
} HlStateTexts;

guint       hl_state_text_get_n           (void);
int         hl_state_text_find            (const char          *name);
const char *hl_state_text_get_property    (guint                index);
const char *hl_state_text_get_name        (guint                index);
const char *hl_state_text_get_description (guint                index);
HlChanges   hl_state_text_get_changes     (guint                index);
gboolean    hl_state_text_is_place        (guint                index);
char       *hl_state_text_dup_hint        (guint                index);
char       *hl_state_text_dup_rule        (guint                index);
gboolean    hl_state_text_check           (guint                index,
                                           const char          *text);

void        hl_state_texts_take           (HlStateTexts        *self,
                                           HlViewState         *state);
const char *hl_state_texts_get            (const HlStateTexts  *self,
                                           const char          *property);
void        hl_state_texts_set            (HlStateTexts        *self,
                                           const char          *property,
                                           const char          *text);
HlViewOptions hl_state_texts_get_options  (const HlStateTexts  *self);
guint       hl_state_texts_count_heads    (const HlStateTexts  *self,
                                           guint               *n_others);
char       *hl_state_heads_dup_own        (const char          *heads);
gboolean    hl_state_texts_apply          (const HlStateTexts  *self,
                                           HlViewState         *state,
                                           GError             **error);
gboolean    hl_state_check_quantity       (HlViewState         *state,
                                           GError             **error);
gboolean    hl_state_check_view           (HlViewState         *state,
                                           GError             **error);
void        hl_state_texts_apply_values   (const HlStateTexts  *self,
                                           HlViewState         *state);
void        hl_state_copy                 (HlViewState         *to,
                                           HlViewState         *from);
void        hl_state_texts_clear          (HlStateTexts        *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlStateTexts, hl_state_texts_clear)

G_END_DECLS
