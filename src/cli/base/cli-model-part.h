/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model.h"

G_BEGIN_DECLS

/**
 * CliModelPart:
 * @stop_after_layer: (nullable): as the option has it
 * @n_layers: how many layers are computed; 0 for all
 * @is_bare: whether it is without its adapter
 *
 * How much of a model is wanted.
 */
typedef struct
{
  char *stop_after_layer;
  guint n_layers;
  gboolean is_bare;
} CliModelPart;

void     cli_model_part_add_entries (CliModelPart       *self,
                                     GOptionContext     *context);
int      cli_model_part_parse       (CliModelPart       *self,
                                     const char         *option);
HlModel *cli_model_part_load        (const CliModelPart *self,
                                     GFile              *file,
                                     GError            **error);
void     cli_model_part_clear       (CliModelPart       *self);

G_END_DECLS
