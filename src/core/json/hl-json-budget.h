/* SPDX-License-Identifier: MIT */
/* What reading one file of JSON may still cost in memory. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlJsonBudget:
 * @number_bytes: what may still be spent on decoded numbers
 * @other_bytes: what may still be spent on names, strings and structure
 *
 * What reading one file may still cost in memory.
 */
typedef struct
{
  gsize number_bytes;
  gsize other_bytes;
} HlJsonBudget;

/**
 * HL_JSON_BUDGET:
 *
 * What reading a file may cost: 1 GiB of numbers, 256 MiB of names, strings and structure.
 */
#define HL_JSON_BUDGET { (gsize) 1 << 30, (gsize) 256 << 20 }

gboolean hl_json_budget_spend (HlJsonBudget  *budget,
                               gsize          bytes,
                               GError       **error);

G_END_DECLS
