/* SPDX-License-Identifier: MIT */
/* A file that is being written while the window can be used. */
#pragma once

#include "app/window/hl-window.h"
#include "core/base/hl-progress.h"

G_BEGIN_DECLS

/* In a worker: writes the file, which appears whole or not at all, and says how far it is. */
typedef gboolean (*HlSavingRun) (gpointer      data,
                                 GFile        *target,
                                 HlProgress   *progress,
                                 GCancellable *cancellable,
                                 GError      **error);

void hl_saving_start (HlWindow      *window,
                      GFile         *target,
                      HlSavingRun    run,
                      gpointer       data,
                      GDestroyNotify free_data);

G_END_DECLS
