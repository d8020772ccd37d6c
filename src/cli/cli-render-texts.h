/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/base/cli-job.h"
#include "cli/base/cli-view-options.h"
#include "core/analysis/corpus/hl-corpus.h"

G_BEGIN_DECLS

int         cli_render_texts_check (const char            *source,
                                    const CliViewOptions  *view);
HlCorpus   *cli_render_texts_open  (CliJob                *job,
                                    const char            *texts,
                                    GError               **error);
gboolean    cli_render_texts_measure (HlCorpus            *corpus,
                                      CliJob              *job,
                                      HlViewState         *state,
                                      GError             **error);

G_END_DECLS
