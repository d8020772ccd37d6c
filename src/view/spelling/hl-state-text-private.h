/* SPDX-License-Identifier: MIT */
/* How properties of a view state that are more than a value are spelt. */
#pragma once

#include "view/spelling/hl-state-text.h"

G_BEGIN_DECLS

/**
 * HlStateSpelling:
 * @hint: what can be written, for --help
 * @rule: the same as the end of a sentence that begins with "it is"; translatable
 * @check: whether a text can be meant, whatever the document
 * @dup: the text for what a state has; %NULL for what it has from the start
 * @apply: has a state be as a text says that was checked
 *
 * How one property is spelt.
 */
typedef struct
{
  const char *hint;
  const char *rule;
  gboolean  (*check) (const char   *text);
  char     *(*dup)   (HlViewState  *state);
  gboolean  (*apply) (HlViewState  *state,
                      const char   *text,
                      GError      **error);
} HlStateSpelling;

extern const HlStateSpelling hl_state_attention_spelling;
extern const HlStateSpelling hl_state_layer_spelling;
extern const HlStateSpelling hl_state_layers_spelling;
extern const HlStateSpelling hl_state_head_spelling;
extern const HlStateSpelling hl_state_heads_spelling;
extern const HlStateSpelling hl_state_hidden_spelling;
extern const HlStateSpelling hl_state_pairs_spelling;
extern const HlStateSpelling hl_state_pin_spelling;

gboolean hl_state_heads_parse (const char *text,
                               HlHeadSet  *heads,
                               GArray     *others);

G_END_DECLS
