/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/json/hl-json-tree.h"
#include "core/tokenizer/text/hl-pieces.h"

G_BEGIN_DECLS

typedef struct _HlPreTokenizer HlPreTokenizer;

/**
 * HlPreTokenizerClass:
 * @type: its name in tokenizer files
 * @load: reads its settings; @depth is how many sequences it is in
 * @apply: cuts the pieces, and may rewrite their text
 * @free: frees it
 *
 * A kind of pre-tokenizer.
 */
typedef struct
{
  const char *type;
  HlPreTokenizer *(*load) (HlJsonValue   config,
                           guint         depth,
                           GError      **error);
  gboolean (*apply) (const HlPreTokenizer  *self,
                     HlPieces              *pieces,
                     GError               **error);
  void (*free) (HlPreTokenizer *self);
} HlPreTokenizerClass;

/**
 * HlPreTokenizer:
 * @klass: what it is
 * @n_steps: how many it is with those in it, as a file has them
 *
 * Cuts text into pieces that no token crosses. Immutable. What each one needs follows in its own
 * structure.
 */
struct _HlPreTokenizer
{
  const HlPreTokenizerClass *klass;
  guint n_steps;
};

HlPreTokenizer *hl_pre_tokenizer_load           (HlJsonValue            config,
                                                 guint                  depth,
                                                 GError               **error);
HlPreTokenizer *hl_pre_tokenizer_new_byte_level (const char *const     *patterns,
                                                 guint                  n_patterns,
                                                 gboolean               add_prefix_space,
                                                 GError               **error);
gboolean        hl_pre_tokenizer_apply          (const HlPreTokenizer  *self,
                                                 HlPieces              *pieces,
                                                 GError               **error);
void            hl_pre_tokenizer_free           (HlPreTokenizer        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPreTokenizer, hl_pre_tokenizer_free)

G_END_DECLS
