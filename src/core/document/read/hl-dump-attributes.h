/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/document/read/hl-dump-context.h"

G_BEGIN_DECLS

/**
 * HlDumpNumbers:
 * @n: how many; 0 for none, 1 for the same in all layers, or one for each layer
 * @numbers: [@n]
 *
 * A number that layers may differ in.
 */
typedef struct
{
  guint   n;
  double *numbers;
} HlDumpNumbers;

/**
 * HlDumpRule:
 * @causal: whether attention is said to be causal
 * @has_causal: whether the file says so or otherwise
 * @windows: the sliding windows; 0 for none
 * @scales: what q·k is multiplied by; without them 1/√d
 * @softcaps: 0 for none
 *
 * How the file says that weights came about.
 */
typedef struct
{
  gboolean      causal;
  gboolean      has_causal;
  HlDumpNumbers windows;
  HlDumpNumbers scales;
  HlDumpNumbers softcaps;
} HlDumpRule;

void     hl_dump_rule_clear   (HlDumpRule          *rule);
double   hl_dump_numbers_get  (const HlDumpNumbers *numbers,
                               guint                layer,
                               double               otherwise);
double   hl_dump_numbers_max  (const HlDumpNumbers *numbers);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlDumpRule, hl_dump_rule_clear)


char    *hl_dump_read_text    (const HlDumpContext *context,
                               const char          *name);
gsize    hl_dump_read_split   (const HlDumpContext *context,
                               gsize                n_positions);
void     hl_dump_check_layers (const HlDumpContext *context,
                               guint                n_layers);
gboolean hl_dump_read_rule    (const HlDumpContext *context,
                               guint                n_layers,
                               gboolean             strict,
                               HlDumpRule          *rule,
                               GError             **error);
void     hl_dump_check_format (const HlDumpContext *context);

G_END_DECLS
