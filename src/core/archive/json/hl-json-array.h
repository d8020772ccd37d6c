/* SPDX-License-Identifier: MIT */
/* An array of JSON: a tensor, a tensor for each layer, or a list of strings. */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/archive/json/hl-json-sizes.h"
#include "core/json/hl-json-budget.h"
#include "core/json/hl-json-lexer.h"

G_BEGIN_DECLS

/**
 * HL_JSON_MAX_DEPTH:
 *
 * The most lists and objects inside one another.
 */
#define HL_JSON_MAX_DEPTH 64

/**
 * HlJsonArray:
 * @kind: tensor, strings, group (a tensor for each element of the first axis, see @sizes) or other
 * @shape: the sizes of a tensor; of a group, those of its first element with the group's own axis
 *   in front
 * @numbers: (nullable): the numbers, last axis fastest
 * @n_numbers: how many
 * @sizes: how elements of the first axis differ, if they do
 * @strings: (nullable): the strings, %NULL-terminated
 * @problem: (nullable): why it cannot be read; tells the member and the place
 *
 * What an array of JSON turned out to be.
 */
typedef struct
{
  HlMemberKind  kind;
  HlShape       shape;
  float        *numbers;
  gsize         n_numbers;
  HlJsonSizes   sizes;
  GPtrArray    *strings;
  GError       *problem;
} HlJsonArray;

gboolean hl_json_array_read  (HlJsonArray   *self,
                              HlJsonLexer   *lexer,
                              HlJsonBudget  *budget,
                              const char    *path,
                              guint          depth,
                              GError       **error);
void     hl_json_array_clear (HlJsonArray   *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlJsonArray, hl_json_array_clear)

G_END_DECLS
