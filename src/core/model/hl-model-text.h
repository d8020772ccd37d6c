/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlModelText:
 * @text: (nullable): the text, or the encoder's
 * @text_pair: (nullable): a second text, which stands behind the first
 * @target_text: (nullable): the decoder's text
 * @ids: (nullable) (array length=n_ids): token numbers, in place of @text and @text_pair
 * @n_ids: how many
 * @decoder_ids: (nullable) (array length=n_decoder_ids): the decoder's token numbers, in place of @target_text; used as they are
 * @n_decoder_ids: how many
 *
 * What attention is computed of. Either @text or @ids is needed. @target_text is what the decoder is to write: as in training, it sees the
 * tokens of that behind the one that its texts begin with, and without the last.
 */
typedef struct
{
  const char    *text;
  const char    *text_pair;
  const char    *target_text;
  const guint32 *ids;
  gsize          n_ids;
  const guint32 *decoder_ids;
  gsize          n_decoder_ids;
} HlModelText;

G_END_DECLS
