/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TestCorpus:
 * @words: what lines are made of
 *
 * The lines that tokenizers are compared on.
 */
typedef struct
{
  GPtrArray *words;
} TestCorpus;

#define TEST_CORPUS_BLOCK 100

void     test_corpus_init        (TestCorpus        *self);
void     test_corpus_clear       (TestCorpus        *self);
guint    test_corpus_get_n_cases (void);
gboolean test_corpus_is_telling  (guint              first);
void     test_corpus_get_case    (const TestCorpus  *self,
                                  guint              index,
                                  char             **text,
                                  char             **pair,
                                  guint             *max_length);

G_END_DECLS
