/* SPDX-License-Identifier: MIT */
/* The options that say over which texts numbers are taken. */
#pragma once

#include "cli/base/cli-job.h"
#include "cli/base/cli-numbers.h"
#include "cli/base/cli-open-options.h"
#include "cli/base/cli-table.h"
#include "cli/base/cli-view-options.h"
#include "core/analysis/corpus/hl-corpus-numbers.h"
#include "core/analysis/corpus/hl-probe-run.h"

G_BEGIN_DECLS

/**
 * CliCorpus:
 * @texts: as the option of that name has it; members are %NULL for options that are not there
 * @examples: likewise
 * @annotations: likewise
 * @relation: likewise
 * @part: how much of a model is run
 * @model: (nullable): what reads the texts, once they are opened
 * @document: (nullable): the file whose examples they are, without a model
 * @chosen: (nullable) (element-type guint): which examples, each once; %NULL for all
 * @sentences: (nullable): what is in the file of annotations
 * @corpus: the texts
 * @numbers: what was taken over the texts, as far as it is known
 * @probe: (nullable): what the texts were held against
 * @row: the row of the relation in that
 */
typedef struct
{
  char            *texts;
  char            *examples;
  char            *annotations;
  char            *relation;
  const CliModelPart *part;
  HlModel         *model;
  HlDocument      *document;
  GArray          *chosen;
  HlConllu        *sentences;
  HlCorpus        *corpus;
  HlCorpusNumbers *numbers;
  HlProbe         *probe;
  guint            row;
} CliCorpus;

void      cli_corpus_add_entries (CliCorpus            *self,
                                  GOptionContext       *context);
gboolean  cli_corpus_is_empty    (const CliCorpus      *self);
int       cli_corpus_check       (CliCorpus            *self,
                                  const char           *file,
                                  CliOpenOptions       *open,
                                  HlHeadNumberSet       wanted,
                                  const char           *option);
gboolean  cli_corpus_open        (CliCorpus            *self,
                                  CliJob               *job,
                                  CliOpenOptions       *open,
                                  GError              **error);
gboolean  cli_corpus_measure     (CliCorpus            *self,
                                  CliJob               *job,
                                  CliViewOptions       *view,
                                  HlHeadNumberSet       wanted,
                                  gboolean              distances,
                                  GError              **error);
gboolean  cli_corpus_give        (const CliCorpus      *self,
                                  HlViewState          *state,
                                  GError              **error);
void      cli_corpus_note        (const CliCorpus      *self);
void      cli_corpus_print       (const CliCorpus      *self,
                                  const CliNumbers     *numbers,
                                  CliFormat             format);
void      cli_corpus_clear       (CliCorpus            *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliCorpus, cli_corpus_clear)

G_END_DECLS
