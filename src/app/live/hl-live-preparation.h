/* SPDX-License-Identifier: MIT */
/* From texts to a run of a model, in a worker. */
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
 * @folder: the folder of the model
 * @model: (nullable): the model, loaded if it was not there
 * @text: (nullable): the text, an example if there was none
 * @second_text: (nullable): likewise
 * @run: (nullable): what came of it
 *
 * What is asked of a worker, and then its answer.
 */
typedef struct
{
  GFile      *folder;
  HlModel    *model;
  char       *text;
  char       *second_text;
  HlModelRun *run;
} HlLivePreparation;

HlLivePreparation *hl_live_preparation_new             (GFile             *folder,
                                                        HlModel           *model,
                                                        const char        *text,
                                                        const char        *second_text);
void               hl_live_preparation_free            (HlLivePreparation *self);
void               hl_live_preparation_run             (GTask             *task,
                                                        gpointer           source,
                                                        gpointer           data,
                                                        GCancellable      *cancellable);
void               hl_live_preparation_execute         (GTask             *task,
                                                        gpointer           source,
                                                        gpointer           progress,
                                                        GCancellable      *cancellable);
HlSecondText       hl_live_preparation_get_second_kind (HlModel           *model);

G_END_DECLS
