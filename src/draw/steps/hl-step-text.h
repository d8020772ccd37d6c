/* SPDX-License-Identifier: MIT */
/* The steps of a head in words: titles, formulas, and what is said about a pick. */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

/* Bytes that a number in writing takes, the final zero included. */
#define HL_SCORE_TEXT_SIZE 24

const char *hl_score_text_format          (double              value,
                                           char                buffer[HL_SCORE_TEXT_SIZE]);
const char *hl_score_text_format_short    (double              value,
                                           char                buffer[HL_SCORE_TEXT_SIZE]);
const char *hl_step_text_get_title        (const HlHeadSteps  *steps,
                                           HlStep              step);
char       *hl_step_text_make_formula     (const HlHeadSteps  *steps,
                                           HlStep              step);
char       *hl_step_text_describe_cell    (const HlHeadSteps  *steps,
                                           gsize               query,
                                           gsize               key);
char       *hl_step_text_describe_feature (const HlHeadSteps  *steps,
                                           HlStep              step,
                                           gsize               row,
                                           gsize               feature);
char       *hl_step_text_describe_weight  (const HlHeadSteps  *steps,
                                           HlStep              step,
                                           gsize               row,
                                           gsize               column);
char       *hl_step_text_describe_projection (const HlHeadSteps *steps,
                                              HlStep             step,
                                              gsize              key,
                                              gsize              token);
const char *hl_step_text_get_lack         (void);

G_END_DECLS
