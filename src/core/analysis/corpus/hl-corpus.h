/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/corpus/hl-conllu.h"
#include "core/analysis/corpus/hl-text-list.h"
#include "core/document/hl-document.h"
#include "core/model/hl-model.h"

G_BEGIN_DECLS

#define HL_TYPE_CORPUS (hl_corpus_get_type ())
/**
 * HlCorpus:
 *
 * Texts that numbers are taken over: those that a model reads, or examples of a file. Each is there when it is asked for and only as long as
 * somebody holds it. Immutable; usable from any thread, also from several at once.
 */
G_DECLARE_FINAL_TYPE (HlCorpus, hl_corpus, HL, CORPUS, GObject)

HlCorpus   *hl_corpus_new_for_texts     (HlModel       *model,
                                         HlTextList    *texts,
                                         GError       **error);
HlCorpus   *hl_corpus_new_for_sentences (HlModel       *model,
                                         HlConllu      *sentences,
                                         GError       **error);
HlCorpus   *hl_corpus_new_for_examples  (HlDocument    *document,
                                         const guint   *examples,
                                         guint          n);
guint       hl_corpus_get_n             (HlCorpus      *self);
gboolean    hl_corpus_has_model         (HlCorpus      *self);
gsize       hl_corpus_get_size          (HlCorpus      *self,
                                         guint          index);
guint       hl_corpus_get_max_heads     (HlCorpus      *self,
                                         guint          index);
char       *hl_corpus_get_place         (HlCorpus      *self,
                                         guint          index);
HlDocument *hl_corpus_read              (HlCorpus      *self,
                                         guint          index,
                                         HlExample    **example,
                                         GCancellable  *cancellable,
                                         GError       **error);
gboolean    hl_corpus_read_together     (HlCorpus      *self,
                                         guint          first,
                                         guint          n,
                                         HlDocument   **documents,
                                         HlExample    **examples,
                                         GCancellable  *cancellable,
                                         GError       **error);

G_END_DECLS
