/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlTokenRun:
 * @first: index of the first token
 * @n: how many, at least 1
 *
 * Tokens that stand together: the pieces of a word.
 */
typedef struct
{
  gsize first;
  gsize n;
} HlTokenRun;

/**
 * HlTokenMatcher:
 *
 * Finds words among tokens, whose pieces they are made of.
 */
typedef struct _HlTokenMatcher HlTokenMatcher;

HlTokenMatcher *hl_token_matcher_new      (const char *const    *tokens,
                                           gsize                 n);
void            hl_token_matcher_free     (HlTokenMatcher       *self);
guint           hl_token_matcher_find     (HlTokenMatcher       *self,
                                           const char           *text,
                                           guint                 nth,
                                           HlTokenRun           *run);
gboolean        hl_token_matcher_gave_up  (const HlTokenMatcher *self);
GPtrArray      *hl_token_matcher_list     (HlTokenMatcher       *self,
                                           guint                 max);
char           *hl_token_matcher_spell    (HlTokenMatcher       *self,
                                           HlTokenRun            run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTokenMatcher, hl_token_matcher_free)

G_END_DECLS
