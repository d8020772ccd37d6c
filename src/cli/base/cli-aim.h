/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/base/cli-source.h"
#include "core/experiment/hl-ablation.h"

G_BEGIN_DECLS

/**
 * CliAim:
 * @position: (nullable): as written: where the prediction stands
 * @token: (nullable): as written: whose probability or logit
 * @document: what the model was run on
 * @call: the model and its tokens
 * @unembedding: (nullable): what it predicts with
 * @has_value: whether there is a prediction to look at
 * @value: which
 * @note: (nullable): why there is none
 *
 * The options that say which prediction an experiment is about, and the model that it is of.
 */
typedef struct
{
  char          *position;
  char          *token;
  HlDocument    *document;
  HlModelCall   *call;
  HlUnembedding *unembedding;
  gboolean       has_value;
  HlAblationAim  value;
  char          *note;
} CliAim;

void     cli_aim_add_entries (CliAim         *self,
                              GOptionContext *context);
int      cli_aim_check_model (const char     *command,
                              const char     *file);
gboolean cli_aim_load        (CliAim         *self,
                              CliJob         *job,
                              CliModelText   *text,
                              gboolean        needed,
                              GError        **error);
void     cli_aim_clear       (CliAim         *self);

G_END_DECLS
