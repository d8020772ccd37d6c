/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model.h"

G_BEGIN_DECLS

/* Where @first is said. */
#define HL_GENERATION_FIRST "forced_bos_token_id"

/**
 * HlGenerationRules:
 * @tokens: (array length=n_tokens): what is said of each
 * @n_tokens: how many the model predicts
 * @has_first: whether a text of one token goes on with @first
 * @first: the token that it goes on with; perhaps none of the model's
 * @min_length: no end before there are so many tokens, those that the text begins with included
 * @min_new_tokens: no end before there are so many, those not included
 *
 * What the files of a model say about how it writes.
 */
typedef struct
{
  guint8  *tokens;
  gsize    n_tokens;
  gboolean has_first;
  guint32  first;
  guint32  min_length;
  guint32  min_new_tokens;
} HlGenerationRules;

gboolean hl_generation_rules_load  (HlGenerationRules       *self,
                                    HlModel                 *model,
                                    gsize                    n_tokens,
                                    GError                 **error);
void     hl_generation_rules_clear (HlGenerationRules       *self);
gboolean hl_generation_rules_ends  (const HlGenerationRules *self,
                                    guint32                  id);
void     hl_generation_rules_apply (const HlGenerationRules *self,
                                    gsize                    n_prompt,
                                    gsize                    n_ids,
                                    float                   *logits);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlGenerationRules, hl_generation_rules_clear)

G_END_DECLS
