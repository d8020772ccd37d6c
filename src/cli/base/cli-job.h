/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _CliJob CliJob;

/**
 * CliJob:
 * @work: what is done, in a thread of its own
 * @show_so_far: (nullable): prints what is known when the work was interrupted, and ended
 * @file: the name of the file that an error would be about; @work may change it as it goes on
 * @stamp: (nullable): what the first file that was opened was like before, with all that belongs to it, see hl_file_stamp_take()
 * @data: for @work
 * @progress: how far the work is
 * @cancellable: cancelled when the user interrupts
 *
 * What a subcommand does.
 */
struct _CliJob
{
  gboolean (*work) (CliJob  *job,
                    GError **error);
  void     (*show_so_far) (CliJob *job);
  const char   *file;
  char         *stamp;
  gpointer      data;
  HlProgress   *progress;
  GCancellable *cancellable;
};

int cli_job_run (CliJob *job);

G_END_DECLS
