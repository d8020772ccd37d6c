/* SPDX-License-Identifier: MIT */
/* What somebody chose about how a file of attention is to be read. */
#include "core/document/guess/hl-open-options.h"

/**
 * hl_open_options_copy:
 * @self: (nullable): options
 *
 * Returns: (transfer full) (nullable): the same
 */
HlOpenOptions *
hl_open_options_copy (const HlOpenOptions *self)
{
  if (self == NULL)
    return NULL;

  HlOpenOptions *copy = g_memdup2 (self, sizeof *self);
  copy->dataset = g_strdup (self->dataset);
  copy->tokens = g_strdupv (self->tokens);
  return copy;
}

/**
 * hl_open_options_clear:
 * @self: options
 *
 * Frees what is in them; nothing is chosen any more.
 */
void
hl_open_options_clear (HlOpenOptions *self)
{
  g_free (self->dataset);
  g_strfreev (self->tokens);
  *self = (HlOpenOptions){ 0 };
}

/**
 * hl_open_options_free:
 * @self: (nullable): options
 *
 * Frees them.
 */
void
hl_open_options_free (HlOpenOptions *self)
{
  if (self != NULL)
    hl_open_options_clear (self);
  g_free (self);
}
