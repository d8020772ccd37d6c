/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/corpus/hl-corpus.h"
#include "core/analysis/hl-head-numbers.h"

G_BEGIN_DECLS

/**
 * HlCorpusColumn:
 * @stat: a number
 * @word: which of its values, if it is a class: what is taken over texts is the share that has it; -1 of other numbers
 *
 * What is taken over texts.
 */
typedef struct
{
  HlHeadStat stat;
  int        word;
} HlCorpusColumn;

char *hl_corpus_column_get_nick (const HlCorpusColumn *self);

/**
 * HlCorpusNumbers:
 *
 * Numbers of heads over texts, perhaps not yet of all texts: of each attention the mean, spread and so on of each number of each head. Immutable,
 * counted references.
 */
typedef struct _HlCorpusNumbers HlCorpusNumbers;

HlCorpusNumbers      *hl_corpus_numbers_ref              (HlCorpusNumbers       *self);
void                  hl_corpus_numbers_unref            (HlCorpusNumbers       *self);
guint                 hl_corpus_numbers_get_n_texts      (const HlCorpusNumbers *self);
guint                 hl_corpus_numbers_get_n_all        (const HlCorpusNumbers *self);
guint                 hl_corpus_numbers_get_n_cut        (const HlCorpusNumbers *self);
guint                 hl_corpus_numbers_get_n_columns    (const HlCorpusNumbers *self);
const HlCorpusColumn *hl_corpus_numbers_get_column       (const HlCorpusNumbers *self,
                                                          guint                  column);
guint                 hl_corpus_numbers_get_n_attentions (const HlCorpusNumbers *self);
HlAttention          *hl_corpus_numbers_get_attention    (const HlCorpusNumbers *self,
                                                          guint                  index);
const GError         *hl_corpus_numbers_get_lacking      (const HlCorpusNumbers *self,
                                                          HlAttentionKind        kind);
const char           *hl_corpus_numbers_get_need         (const HlCorpusNumbers *self,
                                                          guint                  attention,
                                                          HlHeadStat             stat);
const HlHeadSpread   *hl_corpus_numbers_get_spread       (const HlCorpusNumbers *self,
                                                          guint                  attention,
                                                          guint                  head,
                                                          guint                  column);
HlHeadNumbers        *hl_corpus_numbers_make_numbers     (const HlCorpusNumbers *self,
                                                          HlAttention           *attention,
                                                          gsize                  first_query,
                                                          gsize                  n_queries,
                                                          GError               **error);

/**
 * HlCorpusDerive:
 * @example: a text
 * @index: which of its attentions
 * @attention: (out) (transfer full): the attention that is meant
 * @source: (out) (transfer full): its numbers
 * @data: what was given along
 * @error: why there is none; %HL_ERROR_MISSING where another of the text may have what this one lacks
 *
 * Makes of an attention the one that numbers are taken of: another quantity, or heads as one. Called from several threads at once.
 *
 * Returns: whether there is one
 */
typedef gboolean (*HlCorpusDerive) (HlExample          *example,
                                    guint               index,
                                    HlAttention       **attention,
                                    HlAttentionSource **source,
                                    gpointer            data,
                                    GError            **error);

/**
 * HlCorpusFunc:
 * @so_far: the numbers over the texts that are done
 * @data: what was given along
 *
 * Told now and then, on the thread that waits for the result.
 */
typedef void (*HlCorpusFunc) (HlCorpusNumbers *so_far,
                              gpointer         data);

/**
 * HlCorpusRequest:
 * @wanted: which numbers
 * @distances: whether it is also found out how far apart heads are
 * @derive: (nullable): makes the attentions they are of; %NULL for those of the text
 * @func: (nullable): told what is known so far
 * @data: for both
 *
 * What is taken over texts, and how.
 */
typedef struct
{
  HlHeadNumberSet wanted;
  gboolean        distances;
  HlCorpusDerive  derive;
  HlCorpusFunc    func;
  gpointer        data;
} HlCorpusRequest;

HlCorpusNumbers *hl_corpus_measure (HlCorpus               *corpus,
                                    const HlCorpusRequest  *request,
                                    HlProgress             *progress,
                                    GCancellable           *cancellable,
                                    GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCorpusNumbers, hl_corpus_numbers_unref)

G_END_DECLS
