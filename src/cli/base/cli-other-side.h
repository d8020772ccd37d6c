/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/base/cli-source.h"
#include "core/compare/hl-comparison.h"
#include "core/source/derive/hl-lens.h"

G_BEGIN_DECLS

/**
 * CliOtherSide:
 * @file: (nullable): the second source; %NULL for the first once more
 * @example: as the option of that name has it; %NULL for one that is not there
 * @text: likewise
 * @text_pair: likewise
 * @target_text: likewise
 * @pixels: likewise
 * @image: likewise
 * @dataset: likewise
 * @axes: likewise
 * @tokens: likewise
 * @softmax: likewise
 * @stop_after_layer: likewise
 * @layer: likewise; negative for the layer of the same number
 * @head: likewise; negative for the head of the same number
 * @model_text: what a model of the second side is run on
 * @open: how a file of the second side is read
 *
 * What a source is compared with. Begin with %CLI_OTHER_SIDE_INIT.
 */
typedef struct
{
  char        *file;
  char        *example;
  char        *text;
  char        *text_pair;
  char        *target_text;
  char        *pixels;
  char        *image;
  char        *dataset;
  char        *axes;
  char        *tokens;
  char        *softmax;
  char        *stop_after_layer;
  int          layer;
  int          head;
  CliModelText model_text;
  CliOpenOptions open;
} CliOtherSide;

#define CLI_OTHER_SIDE_INIT { .layer = -1, .head = -1 }

void         cli_other_side_add_entries    (CliOtherSide         *self,
                                            GOptionContext       *context);
gboolean     cli_other_side_is_empty       (const CliOtherSide   *self);
gboolean     cli_other_side_has_text       (const CliOtherSide   *self);
int          cli_other_side_parse          (CliOtherSide         *self,
                                            const char           *file,
                                            const CliModelText   *text);
HlExample   *cli_other_side_load           (CliOtherSide         *self,
                                            CliJob               *job,
                                            const CliOpenOptions *open,
                                            const char           *example,
                                            HlDocument          **document,
                                            GError              **error);
int          cli_other_side_check_made     (const CliOtherSide   *self,
                                            const HlLens         *lens);
gboolean     cli_other_side_check_heads    (const CliOtherSide   *self,
                                            CliJob               *job,
                                            HlAttention          *attention,
                                            GError              **error);
void         cli_other_side_clear          (CliOtherSide         *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliOtherSide, cli_other_side_clear)

G_END_DECLS
