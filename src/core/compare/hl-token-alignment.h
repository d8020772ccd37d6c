/* SPDX-License-Identifier: MIT */
/* Which tokens of two texts are the same ones: one list of positions that holds both texts. Immutable. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HL_TOKEN_NONE:
 *
 * In place of an index: this text has no such token.
 */
#define HL_TOKEN_NONE G_MAXSIZE

/**
 * HlAlignedToken:
 * @a: index of the token in the first text, or %HL_TOKEN_NONE
 * @b: index of the token in the second text, or %HL_TOKEN_NONE; never both
 *
 * A position of the common list.
 */
typedef struct
{
  gsize a;
  gsize b;
} HlAlignedToken;

typedef struct _HlTokenAlignment HlTokenAlignment;

#define HL_TYPE_TOKEN_ALIGNMENT (hl_token_alignment_get_type ())
GType                 hl_token_alignment_get_type      (void);

HlTokenAlignment     *hl_token_alignment_new           (const char *const      *a,
                                                        gsize                   n_a,
                                                        const char *const      *b,
                                                        gsize                   n_b,
                                                        GCancellable           *cancellable);
HlTokenAlignment     *hl_token_alignment_new_by_index  (gsize                   n_a,
                                                        gsize                   n_b);
HlTokenAlignment     *hl_token_alignment_new_joined    (HlTokenAlignment *const *parts,
                                                        guint                    n_parts);
HlTokenAlignment     *hl_token_alignment_ref           (HlTokenAlignment       *self);
void                  hl_token_alignment_unref         (HlTokenAlignment       *self);

gsize                 hl_token_alignment_get_n         (const HlTokenAlignment *self);
const HlAlignedToken *hl_token_alignment_get_positions (const HlTokenAlignment *self);
gsize                 hl_token_alignment_get_n_common  (const HlTokenAlignment *self);
gboolean              hl_token_alignment_is_searched   (const HlTokenAlignment *self);
gboolean              hl_token_alignment_is_identity   (const HlTokenAlignment *self);
gsize                 hl_token_alignment_find_a        (const HlTokenAlignment *self,
                                                        gsize                   a);
gsize                 hl_token_alignment_find_b        (const HlTokenAlignment *self,
                                                        gsize                   b);
gsize                 hl_token_alignment_a_to_b        (const HlTokenAlignment *self,
                                                        gsize                   a);
gsize                 hl_token_alignment_b_to_a        (const HlTokenAlignment *self,
                                                        gsize                   b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTokenAlignment, hl_token_alignment_unref)

G_END_DECLS
