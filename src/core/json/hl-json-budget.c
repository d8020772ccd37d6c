/* SPDX-License-Identifier: MIT */
/* What reading one file of JSON may still cost in memory. */
#include "core/json/hl-json-budget.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

/**
 * hl_json_budget_spend:
 * @budget: what is left
 * @bytes: what names, strings or structure are about to take
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Returns: whether that was left
 */
gboolean
hl_json_budget_spend (HlJsonBudget *budget,
                      gsize         bytes,
                      GError      **error)
{
  if (bytes > budget->other_bytes)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("its names and strings need more than the 256 MiB of memory that Headlight "
                      "spends on them"));
      return FALSE;
    }
  budget->other_bytes -= bytes;
  return TRUE;
}
