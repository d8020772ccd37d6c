/* SPDX-License-Identifier: MIT */
/* What was typed for a model on the second side: who compares with another text once more finds it as it was. */
#pragma once

#include "app/session/hl-session.h"

G_BEGIN_DECLS

typedef struct
{
  GFile *file; /* of the model; NULL while nothing is kept */
  char *texts[2];
} HlKeptTexts;

void hl_kept_texts_clear      (HlKeptTexts       *self);
void hl_kept_texts_keep       (HlKeptTexts       *self,
                               HlSession         *second);
void hl_kept_texts_bring_back (const HlKeptTexts *self,
                               HlSession         *second,
                               HlSession         *first);

G_END_DECLS
