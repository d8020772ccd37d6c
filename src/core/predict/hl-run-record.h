/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model-run.h"

G_BEGIN_DECLS

/**
 * HlRunRecord:
 *
 * Queries, keys, values and inputs of a text that grows: what a document of it is made of at any time.
 */
typedef struct _HlRunRecord HlRunRecord;

HlRunRecord *hl_run_record_new   (HlModel                  *model);
void         hl_run_record_free  (HlRunRecord              *self);
void         hl_run_record_add   (HlRunRecord              *self,
                                  const HlLayerProjections *projections);
void         hl_run_record_cut   (HlRunRecord              *self,
                                  gsize                     n);
gboolean     hl_run_record_check (HlRunRecord              *self,
                                  GError                  **error);
gboolean     hl_run_record_fill  (HlRunRecord              *self,
                                  gsize                     n_tokens,
                                  HlModelRun               *run,
                                  GError                  **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRunRecord, hl_run_record_free)

G_END_DECLS
