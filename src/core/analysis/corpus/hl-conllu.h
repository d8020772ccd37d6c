/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/document/tokens/hl-annotation.h"

G_BEGIN_DECLS

/**
 * HlConllu:
 *
 * Annotated sentences in CoNLL-U: words with their heads and relations, and mentions as CorefUD writes them, `Entity=` in the column MISC. The
 * file stays where it is, and a sentence is read when it is asked for. Immutable, counted references, any thread.
 */
typedef struct _HlConllu HlConllu;

HlConllu     *hl_conllu_load             (GFile           *file,
                                          GCancellable    *cancellable,
                                          GError         **error);
HlConllu     *hl_conllu_parse            (const char      *text,
                                          gsize            size,
                                          GError         **error);
HlConllu     *hl_conllu_ref              (HlConllu        *self);
void          hl_conllu_unref            (HlConllu        *self);
guint         hl_conllu_get_n            (const HlConllu  *self);
guint         hl_conllu_get_line         (const HlConllu  *self,
                                          guint            sentence);
gsize         hl_conllu_get_size         (const HlConllu  *self,
                                          guint            sentence);
gboolean      hl_conllu_begins_document  (const HlConllu  *self,
                                          guint            sentence);
gboolean      hl_conllu_has_dependencies (const HlConllu  *self);
gboolean      hl_conllu_has_mentions     (const HlConllu  *self);
HlAnnotation *hl_conllu_read             (const HlConllu  *self,
                                          guint            sentence,
                                          GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlConllu, hl_conllu_unref)

G_END_DECLS
