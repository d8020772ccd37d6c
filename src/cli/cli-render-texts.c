/* SPDX-License-Identifier: MIT */
/* A figure of means over texts: the numbers of heads that it draws are not of the text that it would show. */
#include "cli/cli-render-texts.h"

#include "cli/base/cli-text.h"
#include "core/analysis/corpus/hl-corpus-numbers.h"

#include <glib/gi18n-lib.h>

/* What can be wrong with the arguments. Returns 0, or the exit status for wrong usage. */
int
cli_render_texts_check (const char           *source,
                        const CliViewOptions *view)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (source);
  const HlViewOptions options = hl_state_texts_get_options (&view->written);
  const HlViewTraits *traits = hl_view_kind_get_traits (options.view);
  const gboolean draws_numbers = hl_chart_kind_draws_number (options.chart) || options.chart == HL_CHART_SHARES;

  if (!(traits->shows_charts && draws_numbers) && !traits->shows_all_heads)
    return cli_print_misuse (_ ("--texts is for the charts layers, shares and grid, and for model-view"));
  if (!hl_model_is_model (file))
    return cli_print_misuse (_ ("“%s” is no model folder: --texts is for models"), source);
  return 0;
}

/* The texts, which the model of the job's file reads. */
HlCorpus *
cli_render_texts_open (CliJob     *job,
                       const char *texts,
                       GError    **error)
{
  const char *source = job->file;
  g_autoptr (GFile) folder = g_file_new_for_commandline_arg (source);
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (texts);
  g_autoptr (HlModel) model = hl_model_load (folder, error);

  if (model == NULL)
    return NULL;
  /* What goes wrong in there is of a line. */
  job->file = texts;
  g_autoptr (HlTextList) list = hl_text_list_load (file, error);
  if (list == NULL)
    return NULL;
  job->file = source;
  return hl_corpus_new_for_texts (model, list, error);
}

/* Gives the state means over the texts for the numbers that its picture draws. */
gboolean
cli_render_texts_measure (HlCorpus    *corpus,
                          CliJob      *job,
                          HlViewState *state,
                          GError     **error)
{
  const HlCorpusRequest request = { .wanted = hl_view_state_get_wanted_numbers (state) };
  const HlRange queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (state));
  g_autoptr (HlCorpusNumbers) numbers = hl_corpus_measure (corpus, &request, job->progress, job->cancellable, error);

  if (numbers == NULL)
    return FALSE;
  g_autoptr (HlHeadNumbers) means =
    hl_corpus_numbers_make_numbers (numbers, hl_view_state_get_attention (state), queries.first, queries.n, error);
  if (means == NULL)
    return FALSE;
  hl_view_state_set_numbers (state, means);
  return TRUE;
}
