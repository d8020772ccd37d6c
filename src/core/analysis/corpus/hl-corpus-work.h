/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HL_CORPUS_WORK_MAX_GROUP:
 *
 * Texts that are measured together at most.
 */
#define HL_CORPUS_WORK_MAX_GROUP 16

/**
 * HL_CORPUS_WORK_GROUP_SIZE:
 *
 * Bytes of the texts of a group. A token is some of them: products are as fast as they become, and what is kept of a group stays small.
 */
#define HL_CORPUS_WORK_GROUP_SIZE 1024

/**
 * HL_CORPUS_WORK_ALONE:
 *
 * The size of a text that is measured alone, however short it is, when all before it are taken.
 */
#define HL_CORPUS_WORK_ALONE (G_MAXSIZE / 2)

/**
 * HL_CORPUS_WORK_ROOM:
 *
 * Bytes of results that may wait for those before them: with so many, no thread begins with another group.
 */
#define HL_CORPUS_WORK_ROOM ((gsize) 64 << 20)

/**
 * HlCorpusWork:
 * @n: how many texts
 * @get_size: (nullable): about how many bytes a text has; %NULL where nothing is won by measuring some together
 * @measure: what is done with some texts that follow one another, in any thread: fills @results (array length=n); or fills none of them and says
 *   what is wrong, which stops it all
 * @get_room: (nullable): how many bytes a result takes; %NULL where that is next to nothing
 * @take: looks at what came of a text: in the order of the texts, one at a time
 * @free_result: frees what @measure gave
 * @show: (nullable): called now and then on the thread that waits, and never while something is taken: how many texts are done
 * @data: for all of them
 *
 * What is done with many texts. Short ones are measured in groups, which are the same however many threads there are; one that is so long that it
 * is better read by all threads together is measured alone.
 */
typedef struct
{
  guint    n;
  gsize    (*get_size) (gpointer       data,
                        guint          index);
  gboolean (*measure)  (gpointer       data,
                        guint          first,
                        guint          n,
                        gpointer      *results,
                        GCancellable  *cancellable,
                        GError       **error);
  gsize    (*get_room) (gpointer       data,
                        gpointer       result);
  gboolean (*take)     (gpointer       data,
                        guint          index,
                        gpointer       result,
                        GError       **error);
  GDestroyNotify free_result;
  void     (*show)     (gpointer       data,
                        guint          n_done);
  gpointer data;
} HlCorpusWork;

gboolean hl_corpus_work_run (const HlCorpusWork  *self,
                             HlProgress          *progress,
                             GCancellable        *cancellable,
                             GError             **error);

G_END_DECLS
