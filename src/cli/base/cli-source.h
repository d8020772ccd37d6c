/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/base/cli-job.h"
#include "cli/base/cli-model-text.h"
#include "cli/base/cli-open-options.h"
#include "core/document/hl-document.h"

G_BEGIN_DECLS

int         cli_parse_options (GOptionContext     *context,
                               const GOptionEntry *entries,
                               char              **arguments,
                               CliModelPart       *part,
                               char             ***files);
int         cli_parse_sources (GOptionContext     *context,
                               const GOptionEntry *entries,
                               char              **arguments,
                               guint               max_files,
                               CliModelPart *const *parts,
                               char             ***files);
gboolean    cli_is_meant_as_model
                              (GFile              *file);
int         cli_check_model   (const char         *file);
int         cli_check_source  (const char         *file,
                               CliModelText       *text,
                               CliOpenOptions     *open);
int         cli_check_output  (const char         *output);
gboolean    cli_check_target  (CliJob             *job,
                               const char         *output,
                               GError            **error);
void        cli_note_document (HlDocument         *document);
HlDocument *cli_open_document (CliJob             *job,
                               CliModelText       *text,
                               CliOpenOptions     *open,
                               GError            **error);
HlDocument *cli_load_document (CliJob             *job,
                               CliModelText       *text,
                               CliOpenOptions     *open,
                               GError            **error);
gboolean    cli_find_example  (HlDocument         *document,
                               const char         *wanted,
                               guint              *index,
                               GError            **error);
HlExample  *cli_load_example  (CliJob             *job,
                               HlDocument         *document,
                               const char         *wanted,
                               GError            **error);

G_END_DECLS
