/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/document/attention/hl-check.h"
#include "core/document/guess/hl-layout.h"
#include "core/document/guess/hl-open-options.h"
#include "core/document/read/base/hl-dump-maps.h"

G_BEGIN_DECLS

/**
 * HL_N_ATTENTION_KINDS:
 *
 * How many kinds of attention an example can have.
 */
#define HL_N_ATTENTION_KINDS 4

/**
 * HlDumpContext:
 * @archive: (unowned): where an example is read from
 * @group: (unowned): the group that holds it; empty for the root
 * @checks: (unowned) (element-type HlCheck): what was odd so far
 * @cancellable: (unowned) (nullable): stops it
 * @layout: (unowned) (nullable): where things are, when not where data/dump-format.md says
 * @batch: which example of a batch it is
 * @step: which step of a generation, or example of a list, it is; %HL_DUMP_ALL_STEPS for all of them together
 * @options: (unowned) (nullable): what somebody chose
 * @prefix: (unowned) (nullable): what names begin with, of members and attributes alike, that are of one kind of attention: `decoder_`
 *
 * What the functions that read one example share.
 */
typedef struct
{
  HlArchive           *archive;
  const char          *group;
  GPtrArray           *checks;
  GCancellable        *cancellable;
  const HlLayout      *layout;
  guint64              batch;
  gint64               step;
  const HlOpenOptions *options;
  const char          *prefix;
} HlDumpContext;

const char  *hl_dump_context_get_name  (const HlDumpContext *self,
                                        const char          *name);
char        *hl_dump_context_get_path  (const HlDumpContext *self,
                                        const char          *name);
HlMemberKind hl_dump_context_get_kind  (const HlDumpContext *self,
                                        const char          *name);
void         hl_dump_context_add_check (const HlDumpContext *self,
                                        HlSeverity           severity,
                                        const char          *format,
                                        ...) G_GNUC_PRINTF (3, 4);

HlDumpContext hl_dump_context_of_kind   (const HlDumpContext *self,
                                         HlAttentionKind      kind);
HlDumpContext hl_dump_context_of_model  (const HlDumpContext *self,
                                         const char          *name);
gboolean      hl_dump_context_leave_out (const HlDumpContext *self,
                                         GError              *reason,
                                         GError             **error);

gboolean    hl_dump_open_maps         (const HlDumpContext *context,
                                       const char          *name,
                                       HlDumpMapsKind       kind,
                                       HlDumpMaps          *maps,
                                       GError             **error);
gboolean    hl_dump_open_weights      (const HlDumpContext *context,
                                       HlAttentionKind      kind,
                                       HlDumpMaps          *weights,
                                       GError             **error);
const char *hl_dump_find_weights      (const HlDumpContext *context,
                                       HlAttentionKind      kind);
void        hl_dump_set_nothing_found (const HlDumpContext *context,
                                       GError             **error);
gboolean    hl_dump_has_weights       (char               **members);
gboolean    hl_dump_has_projections   (char               **members);
const char *hl_dump_get_weights_name  (HlAttentionKind      kind);
const char *hl_dump_get_prefix        (HlAttentionKind      kind);

G_END_DECLS
