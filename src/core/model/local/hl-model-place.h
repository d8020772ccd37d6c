/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/family/hl-family.h"
#include "core/tokenizer/hl-tokenizer.h"

G_BEGIN_DECLS

/**
 * HL_MODEL_PLACE_BASE:
 *
 * Behind the name of an adapter, it makes that of the model that it changes, as it is with the adapter off.
 */
#define HL_MODEL_PLACE_BASE ":base"

/**
 * HlModelPlace:
 * @file: what somebody opens
 * @checkpoint: the folder with the config.json and the weights, or a GGUF file
 * @adapter: (nullable): the folder of an adapter, which changes the model in @checkpoint
 *
 * Where the parts of a model are, which need not all be in the folder that is opened.
 */
typedef struct
{
  GFile *file;
  GFile *checkpoint;
  GFile *adapter;
} HlModelPlace;

gboolean     hl_model_place_find           (HlModelPlace  *self,
                                            GFile         *file,
                                            GError       **error);
void         hl_model_place_clear          (HlModelPlace  *self);
char        *hl_model_place_dup_name       (HlModelPlace  *self);
HlTokenizer *hl_model_place_load_tokenizer (HlModelPlace  *self,
                                            GError       **error);
gboolean     hl_model_place_fail_for_kind  (GFile         *file,
                                            GError       **error);
void         hl_model_place_fail_for_text  (const HlFamily *family,
                                            GError       **error);

GFile       *hl_model_place_locate         (const char    *name,
                                            gboolean      *is_bare,
                                            GCancellable  *cancellable,
                                            GError       **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlModelPlace, hl_model_place_clear)

G_END_DECLS
