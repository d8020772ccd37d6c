/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/json/hl-json-array.h"
#include "core/archive/web/hl-page-scanner.h"
#include "core/json/hl-json-lexer.h"

G_BEGIN_DECLS

/**
 * HlPageReader:
 * @budget: what may still be spent
 * @examples: (element-type HlPageExample): what has been found
 * @place: (nullable): where in the file the text is that is read, such as `cell 3, output 1`
 * @tool: who wrote the first of what has been found
 * @n_views: how many objects had attention
 * @several: whether others wrote some of it
 * @problem: (nullable): why something that looked like attention was none
 * @problem_matters: whether that looked like JSON, too, and so is no script of something else
 *
 * Collects what the pages, or the scripts, of one file hold.
 */
typedef struct
{
  HlJsonBudget  budget;
  GPtrArray    *examples;
  const char   *place;
  HlPageTool    tool;
  guint         n_views;
  gboolean      several;
  GError       *problem;
  gboolean      problem_matters;
} HlPageReader;

void       hl_page_reader_init   (HlPageReader  *self);
void       hl_page_reader_clear  (HlPageReader  *self);
gboolean   hl_page_reader_read   (HlPageReader  *self,
                                  HlJsonLexer   *lexer,
                                  GError       **error);
HlArchive *hl_page_reader_finish (HlPageReader  *self,
                                  const char    *container,
                                  GError       **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlPageReader, hl_page_reader_clear)

G_END_DECLS
