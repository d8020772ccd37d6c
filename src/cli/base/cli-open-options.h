/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/base/cli-job.h"
#include "cli/base/cli-model-text.h"
#include "core/document/guess/hl-open-options.h"

G_BEGIN_DECLS

/**
 * CliOpenOptions:
 * @axes: as the option of that name has it; %NULL for one that is not there
 * @tokens: likewise
 * @tokenizer: likewise
 * @allows_expansion: whether all numbers of a file are read that announces far more than it holds
 * @value: all of them, for the document
 *
 * The options that say how a file of attention is to be read.
 */
typedef struct
{
  char         *axes;
  char         *tokens;
  char         *tokenizer;
  gboolean      allows_expansion;
  HlOpenOptions value;
} CliOpenOptions;

void     cli_open_options_add_entries (CliOpenOptions     *self,
                                       GOptionContext     *context);
void     cli_open_options_add_tokenizer (CliOpenOptions *self,
                                         GOptionContext *context);
void     cli_open_options_add_expansion (CliOpenOptions *self,
                                         GOptionContext *context);
gboolean cli_open_options_is_empty    (CliOpenOptions     *self);
int      cli_open_options_parse       (CliOpenOptions     *self,
                                       const CliModelText *text);
gboolean cli_open_options_load        (CliOpenOptions     *self,
                                       const CliModelText *text,
                                       CliJob             *job,
                                       GError            **error);
void     cli_open_options_clear       (CliOpenOptions     *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliOpenOptions, cli_open_options_clear)

G_END_DECLS
