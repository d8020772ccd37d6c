/* SPDX-License-Identifier: MIT */
/* Tiny models with heads, and what transformers predicts with them; tests/model/make-prediction-references.py. */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/predict/hl-unembedding.h"

G_BEGIN_DECLS

/* What a reference holds of the input. */
typedef struct
{
  guint32     *ids;
  guint32     *segments;
  guint32     *decoder_ids;
  guint32     *prompt;
  guint32     *generated;
  gsize        n_prompt;
  gsize        n_generated;
  HlModelInput input;
} TestText;

GFile         *test_predictions_get_folder (const char *name);
HlModel       *test_predictions_load       (const char *name);
HlArchive     *test_predictions_open       (const char *name);
double        *test_predictions_read       (HlArchive  *archive,
                                            const char *dataset,
                                            HlShape    *shape);
void           test_text_read              (TestText   *self,
                                            HlArchive  *archive);
void           test_text_clear             (TestText   *self);
void           test_predictions_add        (const char *prefix,
                                            GTestDataFunc func);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TestText, test_text_clear)

G_END_DECLS
