/* SPDX-License-Identifier: MIT */
/* The error domain of everything below the window. */
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

G_DEFINE_QUARK (hl-error-quark, hl_error)

/**
 * hl_error_set_no_memory: (skip)
 * @error: set to %HL_ERROR_TOO_LARGE
 *
 * Says that there is no room for numbers, of which there may be many.
 *
 * Returns: %FALSE, for a caller that fails with it
 */
gboolean
hl_error_set_no_memory (GError **error)
{
  g_set_error_literal (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory"));
  return FALSE;
}

/**
 * hl_error_set_unread: (skip)
 * @error: set to %HL_ERROR_IO
 * @code: `errno` after a call that failed
 *
 * Says why the system could not read a file. GLib's own sentence names the file, which is up to who shows it.
 *
 * Returns: %FALSE, for a caller that fails with it
 */
gboolean
hl_error_set_unread (GError **error,
                     int      code)
{
  g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("it cannot be read: %s"), g_strerror (code));
  return FALSE;
}

/**
 * hl_error_set_shorter: (skip)
 * @error: set to %HL_ERROR_TRUNCATED
 *
 * Says that a file is being written anew by somebody else.
 *
 * Returns: %FALSE, for a caller that fails with it
 */
gboolean
hl_error_set_shorter (GError **error)
{
  g_set_error_literal (error, HL_ERROR, HL_ERROR_TRUNCATED,
                       _ ("it has become shorter than it was when it was opened; open it again"));
  return FALSE;
}
