/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model.h"

G_BEGIN_DECLS

/**
 * HlGenerationRules:
 * @ends: tokens that end a text
 * @never: tokens that are never chosen
 *
 * What the files of a model say about how it writes. Each is an array of guint32.
 */
typedef struct
{
  GArray *ends;
  GArray *never;
} HlGenerationRules;

gboolean hl_generation_rules_load  (HlGenerationRules *self,
                                    HlModel           *model,
                                    GError           **error);
void     hl_generation_rules_clear (HlGenerationRules *self);
gboolean hl_generation_rules_ends  (const HlGenerationRules *self,
                                    guint32                  id);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlGenerationRules, hl_generation_rules_clear)

G_END_DECLS
