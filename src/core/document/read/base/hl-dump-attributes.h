/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/document/read/base/hl-dump-context.h"

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
 * HlDumpRuleNumber:
 * @HL_DUMP_RULE_CAUSAL: whether attention is said to be causal, 0 or 1
 * @HL_DUMP_RULE_WINDOW: the sliding window; 0 for none
 * @HL_DUMP_RULE_CHUNK: keys of a chunk; 0 for none
 * @HL_DUMP_RULE_OFFSET: the position of the first query
 * @HL_DUMP_RULE_SCALE: what q·k is multiplied by; without it 1/√d
 * @HL_DUMP_RULE_SOFTCAP: 0 for none
 * @HL_DUMP_RULE_CAPTURED: 0 for a layer that was left out when the file was written
 *
 * What a file says of each layer in numbers.
 */
typedef enum {
  HL_DUMP_RULE_CAUSAL,
  HL_DUMP_RULE_WINDOW,
  HL_DUMP_RULE_CHUNK,
  HL_DUMP_RULE_OFFSET,
  HL_DUMP_RULE_SCALE,
  HL_DUMP_RULE_SOFTCAP,
  HL_DUMP_RULE_CAPTURED,
  HL_DUMP_N_RULES,
} HlDumpRuleNumber;

/**
 * HlDumpRule:
 * @numbers: by #HlDumpRuleNumber
 *
 * How the file says that weights came about.
 */
typedef struct
{
  HlDumpNumbers numbers[HL_DUMP_N_RULES];
} HlDumpRule;

const char *hl_dump_rule_get_name (HlDumpRuleNumber   which);
void     hl_dump_rule_clear   (HlDumpRule          *rule);
gboolean hl_dump_rule_has     (const HlDumpRule    *rule,
                               HlDumpRuleNumber     which);
double   hl_dump_rule_get     (const HlDumpRule    *rule,
                               HlDumpRuleNumber     which,
                               guint                layer,
                               double               otherwise);
double   hl_dump_rule_get_max (const HlDumpRule    *rule,
                               HlDumpRuleNumber     which);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlDumpRule, hl_dump_rule_clear)


char    *hl_dump_read_text    (const HlDumpContext *context,
                               const char          *name);
char   **hl_dump_read_texts   (const HlDumpContext *context,
                               const char          *name);
guint    hl_dump_read_version (const HlDumpContext *context);
gsize    hl_dump_read_split   (const HlDumpContext *context,
                               gsize                n_positions);
gboolean hl_dump_read_signed  (const HlDumpContext *context);
void     hl_dump_check_layers (const HlDumpContext *context,
                               guint                n_layers);
gboolean hl_dump_read_rule    (const HlDumpContext *context,
                               guint                n_layers,
                               gboolean             strict,
                               HlDumpRule          *rule,
                               GError             **error);
void     hl_dump_check_format (const HlDumpContext *context);

G_END_DECLS
