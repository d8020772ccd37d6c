/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/spelling/hl-state-text.h"

G_BEGIN_DECLS

/**
 * CliViewOptions:
 * @written: what the user wrote after each option
 * @hints: what can be written, for --help
 * @is_given: which were written by who runs the program, and not by a session
 *
 * The properties of the view state as options.
 */
typedef struct
{
  HlStateTexts written;
  char        *hints[HL_MAX_STATE_TEXTS];
  gboolean     is_given[HL_MAX_STATE_TEXTS];
} CliViewOptions;

void     cli_view_options_add_entries (CliViewOptions *self,
                                       GOptionContext *context);
void     cli_view_options_add_derivations (CliViewOptions *self,
                                           GOptionContext *context);
void     cli_view_options_add_quantity (CliViewOptions *self,
                                        GOptionContext *context);
HlLens   cli_view_options_get_lens    (const CliViewOptions *self);
gboolean cli_view_options_derive      (const CliViewOptions *self,
                                       HlAttention          *attention,
                                       HlAttention         **derived,
                                       HlAttentionSource   **source,
                                       GError              **error);
gboolean cli_view_options_measure     (HlViewState          *state,
                                       HlAttention         **attention,
                                       HlAttentionSource   **source,
                                       GError              **error);
gboolean cli_view_options_check_tokens (const CliViewOptions *self,
                                        HlViewState          *state,
                                        GError              **error);
int      cli_view_options_read        (CliViewOptions *self);
int      cli_view_options_check       (const CliViewOptions *self);
int      cli_view_options_parse       (CliViewOptions *self);
void     cli_view_options_clear       (CliViewOptions *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliViewOptions, cli_view_options_clear)

G_END_DECLS
