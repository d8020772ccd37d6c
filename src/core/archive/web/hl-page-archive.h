/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/json/hl-json-reader.h"

G_BEGIN_DECLS

gboolean   hl_page_archive_recognise (GFile         *file,
                                      const guint8  *head,
                                      gsize          size);
HlArchive *hl_page_archive_open      (GFile         *file,
                                      HlProgress    *progress,
                                      GCancellable  *cancellable,
                                      GError       **error);

/* Who wrote an object of attention into a page. */
typedef enum {
  HL_PAGE_TOOL_NONE,
  HL_PAGE_TOOL_BERTVIZ, /* or what was made from it */
  HL_PAGE_TOOL_INSPECTUS,
  HL_PAGE_TOOL_CIRCUITSVIS,
  HL_PAGE_TOOL_HEADLIGHT,
} HlPageTool;

/* Collects what the pages, or the scripts, of one file hold. */
typedef struct
{
  HlJsonBudget  budget;
  GPtrArray    *examples;        /* of HlPageExample: what has been found */
  const char   *place;           /* where in the file the text is that is read, such as `cell 3, output 1`, or NULL */
  HlPageTool    tool;            /* who wrote the first of what has been found */
  guint         n_views;         /* how many objects had attention */
  gboolean      several;         /* whether others wrote some of it */
  GError       *problem;         /* why something that looked like attention was none, or NULL */
  gboolean      problem_matters; /* whether that looked like JSON, too, and so is no script of something else */
} HlPageReader;

void       hl_page_reader_init         (HlPageReader  *self);
void       hl_page_reader_clear        (HlPageReader  *self);
gboolean   hl_page_reader_read         (HlPageReader  *self,
                                        HlJsonReader  *text,
                                        GError       **error);
void       hl_page_reader_take_problem (HlPageReader  *self,
                                        gboolean       matters,
                                        GError        *problem);
HlArchive *hl_page_reader_finish       (HlPageReader  *self,
                                        const char    *container,
                                        GError       **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlPageReader, hl_page_reader_clear)

G_END_DECLS
