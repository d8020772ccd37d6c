/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/document/read/hl-dump-context.h"

G_BEGIN_DECLS

/**
 * HlDumpRule:
 * @causal: whether attention is said to be causal
 * @has_causal: whether the file says so or otherwise
 * @window: the sliding window; 0 for none
 * @scale: what q·k is multiplied by; 0 for 1/√d
 * @softcap: 0 for none
 *
 * How the file says that weights came about.
 */
typedef struct
{
  gboolean causal;
  gboolean has_causal;
  guint64  window;
  double   scale;
  double   softcap;
} HlDumpRule;

char    *hl_dump_read_text    (const HlDumpContext *context,
                               const char          *name);
gsize    hl_dump_read_split   (const HlDumpContext *context,
                               gsize                n_positions);
gboolean hl_dump_read_rule    (const HlDumpContext *context,
                               gboolean             strict,
                               HlDumpRule          *rule,
                               GError             **error);
void     hl_dump_check_format (const HlDumpContext *context);

G_END_DECLS
