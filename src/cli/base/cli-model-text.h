/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/base/cli-job.h"
#include "cli/base/cli-model-part.h"
#include "core/model/hl-model-run.h"

G_BEGIN_DECLS

/**
 * CliModelText:
 * @text: as the option of that name has it; members are %NULL for options that are not there
 * @text_pair: likewise
 * @target_text: likewise
 * @ids_list: likewise
 * @decoder_ids_list: likewise
 * @pixels_file: likewise
 * @image_file: likewise, of --image
 * @part: how much of the model is run
 * @letters: whether each letter of the texts is a word
 * @has_other_text: whether a second side has a text of its own, which that is said of as well
 * @ids: the numbers in @ids_list
 * @decoder_ids: the numbers in @decoder_ids_list
 * @pixels: those in @pixels_file, once cli_model_text_load() has read them
 * @image: that in @image_file, likewise
 * @value: all of them, for the model
 *
 * The options that say what a model is run on.
 */
typedef struct
{
  char       *text;
  char       *text_pair;
  char       *target_text;
  char       *ids_list;
  char       *decoder_ids_list;
  char       *pixels_file;
  char       *image_file;
  CliModelPart part;
  gboolean    letters;
  gboolean    has_other_text;
  guint32    *ids;
  guint32    *decoder_ids;
  HlPixels   *pixels;
  HlImage    *image;
  HlModelText value;
} CliModelText;

void     cli_model_text_add_entries (CliModelText   *self,
                                     GOptionContext *context);
void     cli_model_text_add_unseen_entries (CliModelText   *self,
                                            GOptionContext *context);
int      cli_model_text_parse       (CliModelText   *self);
gboolean cli_model_text_is_empty    (CliModelText   *self);
gboolean cli_model_text_is_seen    (const CliModelText *self);
gboolean cli_model_text_load        (CliModelText   *self,
                                     CliJob         *job,
                                     GError        **error);
void     cli_model_text_clear       (CliModelText   *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliModelText, cli_model_text_clear)

G_END_DECLS
