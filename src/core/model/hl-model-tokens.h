/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model-text.h"
#include "core/model/hl-model.h"

G_BEGIN_DECLS

/**
 * HlModelTokens:
 * @ids: (array length=n): their numbers
 * @segments: (nullable) (array length=n): 0 for the first text, 1 for the second; %NULL when they are not known
 * @names: (array length=n): as the vocabulary spells them, or their numbers; %NULL-terminated
 * @n: how many; 0 for none at all
 * @sentence_b_start: the first token of the second text; 0 when there is none
 *
 * What one side of a model is run on.
 */
typedef struct
{
  guint32 *ids;
  guint32 *segments;
  char   **names;
  gsize    n;
  gsize    sentence_b_start;
} HlModelTokens;

gboolean hl_model_tokens_read        (HlModelTokens      *self,
                                      HlModel            *model,
                                      const HlModelText  *text,
                                      GPtrArray          *checks,
                                      GError            **error);
gboolean hl_model_tokens_read_target (HlModelTokens      *self,
                                      HlModel            *model,
                                      const HlModelText  *text,
                                      GPtrArray          *checks,
                                      GError            **error);
void     hl_model_tokens_clear       (HlModelTokens      *self);

G_END_DECLS
