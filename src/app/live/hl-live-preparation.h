/* SPDX-License-Identifier: MIT */
/* What is to be computed of a model that follows typing. */
#pragma once

#include "core/model/hl-model-run.h"

G_BEGIN_DECLS

/**
 * HlSecondText:
 * @HL_SECOND_TEXT_NONE: the model reads one text
 * @HL_SECOND_TEXT_PAIR: another text behind the first
 * @HL_SECOND_TEXT_TARGET: what the decoder is to write
 *
 * What a second text is to a model.
 */
typedef enum
{
  HL_SECOND_TEXT_NONE,
  HL_SECOND_TEXT_PAIR,
  HL_SECOND_TEXT_TARGET,
} HlSecondText;

/**
 * HlLivePreparation:
 * @folder: where the model is
 * @is_bare: whether it is wanted without its adapter
 * @n_layers: how many layers are computed; 0 for all
 * @model: (nullable): the model, loaded if it was not there
 * @text: (nullable): what was typed; an example if nothing was
 * @second_text: (nullable): likewise
 * @pixels: (nullable): a file of pixels, or an image, in place of texts
 * @thumbnail: (nullable): what comes of it: the image, small
 * @run: (nullable): likewise
 *
 * What is asked of a worker, and then its answer.
 */
typedef struct
{
  GFile      *folder;
  gboolean    is_bare;
  guint       n_layers;
  HlModel    *model;
  char       *text;
  char       *second_text;
  GFile      *pixels;
  HlImage    *thumbnail;
  HlModelRun *run;
} HlLivePreparation;

HlSecondText       hl_second_text_of        (HlModel                 *model);
HlLivePreparation *hl_live_preparation_copy (const HlLivePreparation *self);
void               hl_live_preparation_free (HlLivePreparation       *self);
gboolean           hl_live_preparation_run  (HlLivePreparation       *self,
                                             GError                 **error);

G_END_DECLS
