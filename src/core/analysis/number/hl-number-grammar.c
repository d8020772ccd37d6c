/* SPDX-License-Identifier: MIT */
/* How well a head follows what sentences are annotated with: told by #HlProbe, which goes over them; Clark et al. 2019, sections 4.2 and 4.3. */
#include "core/analysis/number/hl-head-number.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

static gboolean
check (const HlHeadNumberRequest *request,
       GError                   **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("needs annotated sentences"));
  return FALSE;
}

const HlHeadNumber hl_head_number_dependency = {
  .nick = "dependency",
  .label = N_ ("words whose head is found"),
  .caption = N_ ("words whose head is found"),
  .choice = N_ ("Dependency"),
  .title = NC_ ("table of heads", "Dependency"),
  .sentence = N_ ("Of annotated words, those where most attention goes from word to head, or back if that finds more"),
  .column_width = 110,
  .is_share = TRUE,
  .group = HL_HEAD_NUMBER_GROUP_GIVEN,
  .check = check,
};

const HlHeadNumber hl_head_number_coreference = {
  .nick = "coreference",
  .label = N_ ("mentions whose antecedent is found"),
  .caption = N_ ("mentions whose antecedent is found"),
  .choice = N_ ("Coreference"),
  .title = NC_ ("table of heads", "Coreference"),
  .sentence = N_ ("Of annotated mentions, those that attend most to an antecedent"),
  .column_width = 116,
  .is_share = TRUE,
  .group = HL_HEAD_NUMBER_GROUP_GIVEN,
  .check = check,
};
