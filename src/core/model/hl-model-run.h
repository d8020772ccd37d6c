/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/picture/hl-image.h"
#include "core/model/hl-model-call.h"

G_BEGIN_DECLS

/**
 * HlModelText:
 * @text: (nullable): the text, or the encoder's
 * @text_pair: (nullable): a second text, which stands behind the first
 * @target_text: (nullable): the decoder's text
 * @ids: (nullable) (array length=n_ids): token numbers, in place of @text and @text_pair
 * @n_ids: how many
 * @pixels: (nullable): what takes the place of all of these where the model, or a part of it, takes pixels
 * @image: (nullable): what these are made of by the model's image processor, in their place
 * @decoder_ids: (nullable) (array length=n_decoder_ids): the decoder's token numbers, in place of @target_text; used as they are
 * @n_decoder_ids: how many
 *
 * What attention is computed of. Either @text or @ids or @pixels or @image is needed. @target_text is what the decoder is to write: as in training, it sees the
 * tokens of that behind the one that its texts begin with, and without the last.
 */
typedef struct
{
  const char    *text;
  const char    *text_pair;
  const char    *target_text;
  const guint32 *ids;
  gsize          n_ids;
  HlPixels      *pixels;
  HlImage       *image;
  const guint32 *decoder_ids;
  gsize          n_decoder_ids;
} HlModelText;

#define HL_TYPE_MODEL_RUN (hl_model_run_get_type ())
/**
 * HlModelRun:
 *
 * A model run on a text, as a document that is there before its numbers are: layers can be looked at as they are done.
 */
G_DECLARE_FINAL_TYPE (HlModelRun, hl_model_run, HL, MODEL_RUN, GObject)

HlModelRun *hl_model_run_new          (HlModel            *model,
                                       const HlModelText  *text,
                                       GError            **error);
HlDocument *hl_model_run_get_document (HlModelRun         *self);
HlModelCall *hl_model_run_get_call    (HlModelRun         *self);
gboolean    hl_model_run_take_layer   (HlModelRun               *self,
                                       const HlLayerProjections *projections,
                                       GError                  **error);
gboolean    hl_model_run_execute      (HlModelRun         *self,
                                       HlProgress         *progress,
                                       GCancellable       *cancellable,
                                       GError            **error);
gboolean    hl_model_run_execute_together (HlModelRun *const *runs,
                                           guint              n,
                                           GCancellable      *cancellable,
                                           GError           **error);

G_END_DECLS
