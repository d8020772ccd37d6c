/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/hl-view-state.h"

G_BEGIN_DECLS

/**
 * CLI_N_VIEW_OPTIONS:
 *
 * How many options say what the view shows.
 */
#define CLI_N_VIEW_OPTIONS 22

/**
 * CliViewOptions:
 * @texts: what the user wrote after each option; %NULL where nothing
 * @hints: what can be written, for --help
 * @values: what that means; unset where nothing was written
 *
 * The properties of the view state that have an option of the same name.
 */
typedef struct
{
  char   *texts[CLI_N_VIEW_OPTIONS];
  char   *hints[CLI_N_VIEW_OPTIONS];
  GValue  values[CLI_N_VIEW_OPTIONS];
} CliViewOptions;

void     cli_view_options_add_entries (CliViewOptions *self,
                                       GOptionContext *context);
int      cli_view_options_parse       (CliViewOptions *self);
const char *cli_view_options_get_name (guint i);
int      cli_view_options_get_enum    (CliViewOptions *self,
                                       const char     *property);
void     cli_view_options_apply       (CliViewOptions *self,
                                       HlViewState    *state);
void     cli_view_options_clear       (CliViewOptions *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliViewOptions, cli_view_options_clear)

G_END_DECLS
