/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/family/hl-family.h"

G_BEGIN_DECLS

/* How a row is written. */
#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define ALWAYS                                                                                                         \
  {                                                                                                                    \
    NULL, TRUE                                                                                                         \
  }
#define NEVER                                                                                                          \
  {                                                                                                                    \
    NULL, FALSE                                                                                                        \
  }

/* The rows of its own that a head has, or those of the words. */
#define OWN_OR_TIED(fallback, ...) .rows = LIST (__VA_ARGS__), .tied = { "tie_word_embeddings", fallback }

/**
 * HlFamilyRows:
 * @rows: (array length=n_rows): families that are alike
 * @n_rows: how many
 *
 * A part of the table of families.
 */
typedef struct
{
  const HlFamily *rows;
  guint           n_rows;
} HlFamilyRows;

extern const HlFamilyRows hl_encoder_families;
extern const HlFamilyRows hl_decoder_families;
extern const HlFamilyRows hl_expert_families;
extern const HlFamilyRows hl_gpt_families;
extern const HlFamilyRows hl_llama_families;
extern const HlFamilyRows hl_two_stack_families;
extern const HlFamilyRows hl_vision_families;

G_END_DECLS
