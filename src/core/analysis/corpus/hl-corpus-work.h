/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HlCorpusWork:
 * @n: how many texts
 * @is_long: (nullable): whether a text is so long that it is read alone, by all threads together, and not beside others
 * @measure: what is done with a text, in any thread; %NULL with an error stops it all
 * @take: looks at what came of a text: in the order of the texts, one at a time
 * @free_result: frees what @measure gave
 * @show: (nullable): called now and then, and never while something is taken: how many texts are done
 * @data: for all of them
 *
 * What is done with many texts.
 */
typedef struct
{
  guint    n;
  gboolean (*is_long) (gpointer       data,
                       guint          index);
  gpointer (*measure) (gpointer       data,
                       guint          index,
                       GCancellable  *cancellable,
                       GError       **error);
  gboolean (*take)    (gpointer       data,
                       guint          index,
                       gpointer       result,
                       GError       **error);
  GDestroyNotify free_result;
  void     (*show)    (gpointer       data,
                       guint          n_done);
  gpointer data;
} HlCorpusWork;

gboolean hl_corpus_work_run (const HlCorpusWork  *self,
                             HlProgress          *progress,
                             GCancellable        *cancellable,
                             GError             **error);

G_END_DECLS
