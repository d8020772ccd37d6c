/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/gguf/hl-gguf-archive.h"
#include "core/model/checkpoint/hl-model-config.h"
#include "core/model/checkpoint/hl-weights.h"
#include "core/model/family/hl-family.h"

G_BEGIN_DECLS

/**
 * HlGgufCheckpoint:
 * @archive: the file, the first of several
 * @name: (nullable): what it calls itself
 * @family: the row of its family, with the names of its tensors
 * @config: what config.json would say
 * @weights: its tensors
 *
 * A model in a GGUF file.
 */
typedef struct
{
  HlGgufArchive *archive;
  char          *name;
  HlFamily      *family;
  HlModelConfig *config;
  HlWeights     *weights;
} HlGgufCheckpoint;

gboolean hl_gguf_checkpoint_open  (HlGgufCheckpoint  *self,
                                   GFile             *file,
                                   GError           **error);
void     hl_gguf_checkpoint_clear (HlGgufCheckpoint  *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlGgufCheckpoint, hl_gguf_checkpoint_clear)

G_END_DECLS
