/* SPDX-License-Identifier: MIT */
/* Numbers of heads over many texts, found out by a worker. What is known so far can be looked at meanwhile. Lives on the main thread. */
#pragma once

#include "core/analysis/corpus/hl-corpus-numbers.h"
#include "core/analysis/corpus/hl-probe-run.h"
#include "core/source/quantity/hl-quantity.h"

G_BEGIN_DECLS

/**
 * HlTextsJob:
 * @model: (nullable): what reads texts
 * @document: (nullable): the file whose examples are meant, without a model
 * @text: (nullable): lines that somebody wrote
 * @file: (nullable): a file of lines, in place of these
 * @annotations: (nullable): a file of annotated sentences; with a model, it reads these if there are no other texts
 * @wanted: which numbers
 * @distances: whether also how far apart heads are
 * @quantity: of which maps they are
 *
 * What is found out.
 */
typedef struct
{
  HlModel        *model;
  HlDocument     *document;
  const char     *text;
  GFile          *file;
  GFile          *annotations;
  HlHeadNumberSet wanted;
  gboolean        distances;
  HlQuantity      quantity;
} HlTextsJob;

#define HL_TYPE_TEXTS_WORK (hl_texts_work_get_type ())
G_DECLARE_FINAL_TYPE (HlTextsWork, hl_texts_work, HL, TEXTS_WORK, GObject)

HlTextsWork     *hl_texts_work_new          (void);
void             hl_texts_work_start        (HlTextsWork      *self,
                                             const HlTextsJob *job);
void             hl_texts_work_stop         (HlTextsWork      *self);
void             hl_texts_work_forget       (HlTextsWork      *self);
gboolean         hl_texts_work_get_busy     (HlTextsWork      *self);
HlProgress      *hl_texts_work_get_progress (HlTextsWork      *self);
HlCorpusNumbers *hl_texts_work_get_numbers  (HlTextsWork      *self);
HlQuantity       hl_texts_work_get_quantity (HlTextsWork      *self);
HlModel         *hl_texts_work_get_model    (HlTextsWork      *self);
HlProbe         *hl_texts_work_get_probe    (HlTextsWork      *self);
const GError    *hl_texts_work_get_error    (HlTextsWork      *self);

G_END_DECLS
