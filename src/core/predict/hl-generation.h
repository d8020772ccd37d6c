/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model-run.h"
#include "core/predict/hl-unembedding.h"

G_BEGIN_DECLS

/**
 * HlGenerationOptions:
 * @max_tokens: how many tokens at most
 * @temperature: 0 takes the most likely token; else one is drawn from softmax (logits / temperature)
 * @seed: what is drawn depends on this alone
 * @stop: (nullable): a text that ends what is written when it stands in it; it is left in
 * @record: whether hl_generation_new_document() will be asked for
 *
 * How a model is to write.
 */
typedef struct
{
  guint       max_tokens;
  double      temperature;
  guint64     seed;
  const char *stop;
  gboolean    record;
} HlGenerationOptions;

/**
 * HlGenerationEnd:
 * @HL_GENERATION_GOES_ON: it is not at its end
 * @HL_GENERATION_ENDED: the model wrote a token that ends a text; it is the last one
 * @HL_GENERATION_MAX_TOKENS: there are as many as were wanted
 * @HL_GENERATION_STOPPED: the text that was to end it is there
 * @HL_GENERATION_FULL: the model takes no longer texts
 *
 * Why a text ends.
 */
typedef enum {
  HL_GENERATION_GOES_ON,
  HL_GENERATION_ENDED,
  HL_GENERATION_MAX_TOKENS,
  HL_GENERATION_STOPPED,
  HL_GENERATION_FULL,
} HlGenerationEnd;

#define HL_TYPE_GENERATION (hl_generation_get_type ())
/**
 * HlGeneration:
 *
 * A text that a decoder writes, token by token. Keys and values of all tokens are kept, so that a token costs reading the weights once. To
 * be used by one thread at a time.
 */
G_DECLARE_FINAL_TYPE (HlGeneration, hl_generation, HL, GENERATION, GObject)

HlGeneration   *hl_generation_new          (HlUnembedding             *head,
                                            const HlModelInput        *input,
                                            const HlGenerationOptions *options,
                                            GError                   **error);
gboolean        hl_generation_next         (HlGeneration              *self,
                                            guint32                   *id,
                                            GCancellable              *cancellable,
                                            GError                   **error);
HlGenerationEnd hl_generation_get_end      (HlGeneration              *self);
const guint32  *hl_generation_get_ids      (HlGeneration              *self,
                                            gsize                     *n_ids);
gsize           hl_generation_get_n_new    (HlGeneration              *self);
const float    *hl_generation_get_logits   (HlGeneration              *self);
const char     *hl_generation_get_text     (HlGeneration              *self);
HlDocument     *hl_generation_new_document (HlGeneration              *self,
                                            const char                *text,
                                            GError                   **error);

G_END_DECLS
