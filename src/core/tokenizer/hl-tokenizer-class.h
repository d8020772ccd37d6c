/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HlTokenizerClass:
 * @HL_TOKENIZER_CLASS_UNSAID: no file says what it is
 * @HL_TOKENIZER_CLASS_OTHER: one that is only known from its own tokenizer.json
 * @HL_TOKENIZER_CLASS_BERT: words and parts of words between `[CLS]` and `[SEP]`
 * @HL_TOKENIZER_CLASS_MPNET: likewise, between `<s>` and `</s>`
 * @HL_TOKENIZER_CLASS_RESIDUES: residues of proteins, between `<cls>` and `<eos>`
 * @HL_TOKENIZER_CLASS_GPT2: merges of bytes, with nothing around them
 * @HL_TOKENIZER_CLASS_ROBERTA: likewise, between `<s>` and `</s>`
 * @HL_TOKENIZER_CLASS_BLENDERBOT: likewise, with `</s>` behind them
 *
 * What files beside a tokenizer say that it is.
 */
typedef enum {
  HL_TOKENIZER_CLASS_UNSAID,
  HL_TOKENIZER_CLASS_OTHER,
  HL_TOKENIZER_CLASS_BERT,
  HL_TOKENIZER_CLASS_MPNET,
  HL_TOKENIZER_CLASS_RESIDUES,
  HL_TOKENIZER_CLASS_GPT2,
  HL_TOKENIZER_CLASS_ROBERTA,
  HL_TOKENIZER_CLASS_BLENDERBOT,
} HlTokenizerClass;

gboolean hl_tokenizer_class_read (GFile             *folder,
                                  HlTokenizerClass  *class,
                                  char             **name,
                                  GError           **error);

G_END_DECLS
