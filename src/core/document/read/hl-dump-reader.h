/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"
#include "core/document/attention/hl-example.h"
#include "core/document/guess/hl-layout.h"
#include "core/document/guess/hl-open-options.h"

G_BEGIN_DECLS

/**
 * HlDumpEntry:
 * @name: (nullable): what the example is called; %NULL for the only one
 * @group: the group that holds it; empty for the root
 * @batch: the index on the batch axis
 * @n_batch: how many items the batch has
 * @step: which step of a generation, or example of a list; %HL_DUMP_ALL_STEPS for all steps together
 * @is_part: whether the example is but a step of another
 * @is_layer: whether it is called a layer
 * @layout: (nullable): how it is to be read, when not as data/dump-format.md says; shared by the items of a batch
 *
 * Where one example of a dump is.
 */
typedef struct
{
  char     *name;
  char     *group;
  guint64   batch;
  guint64   n_batch;
  gint64    step;
  gboolean  is_part;
  gboolean  is_layer;
  HlLayout *layout;
} HlDumpEntry;

GPtrArray *hl_dump_reader_list         (HlArchive            *archive,
                                        const HlOpenOptions  *options,
                                        HlProgress           *progress,
                                        GCancellable         *cancellable,
                                        GError              **error);
char      *hl_dump_reader_find_dataset (HlArchive            *archive,
                                        GPtrArray            *entries);
HlExample *hl_dump_reader_load         (HlArchive            *archive,
                                        const HlDumpEntry    *entry,
                                        const HlOpenOptions  *options,
                                        GCancellable         *cancellable,
                                        GError              **error);

G_END_DECLS
