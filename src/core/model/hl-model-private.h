/* SPDX-License-Identifier: MIT */
/* What the files of HlModel share. */
#pragma once

#include "core/model/hl-model.h"

G_BEGIN_DECLS

struct _HlModel
{
  GObject parent_instance;

  GFile *folder;
  char *name;
  const HlFamily *family;
  HlWeights *weights;
  HlStack *stack;
  HlStack *decoder;
  gboolean has_decoder_start;
  guint32 decoder_start;
  HlTokenizer *tokenizer;
  GError *tokenizer_error; /* why there is none */
};

HlStack *hl_model_get_stack (HlModel        *self,
                             HlAttentionKind attention);

G_END_DECLS
