/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlPageTool:
 * @HL_PAGE_TOOL_NONE: none that is known
 * @HL_PAGE_TOOL_BERTVIZ: BertViz, or what was made from it
 * @HL_PAGE_TOOL_INSPECTUS: inspectus
 * @HL_PAGE_TOOL_CIRCUITSVIS: CircuitsVis
 *
 * Who wrote an object of attention into a page.
 */
typedef enum {
  HL_PAGE_TOOL_NONE,
  HL_PAGE_TOOL_BERTVIZ,
  HL_PAGE_TOOL_INSPECTUS,
  HL_PAGE_TOOL_CIRCUITSVIS,
} HlPageTool;

HlPageTool hl_page_scan (const char  *start,
                         const char **at,
                         const char  *end);
G_END_DECLS
