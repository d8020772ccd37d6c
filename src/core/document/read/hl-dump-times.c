/* SPDX-License-Identifier: MIT */
/* Tokens of sound and film, which have times in place of a spelling: `token_starts`, `token_ends`. */
#include "core/document/read/hl-dump-times.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

/* Seconds; NULL without an error if there are none of that name. */
static float *
read_seconds (const HlDumpContext *context,
              const char          *tokens_name,
              const char          *what,
              gsize               *n,
              GError             **error)
{
  g_autofree char *stem = g_strndup (tokens_name, strlen (tokens_name) - strlen ("s"));
  g_autofree char *name = g_strconcat (stem, what, NULL);
  g_autofree char *path = hl_dump_context_get_path (context, name);
  const guint64 start[1] = { 0 };

  if (hl_archive_get_kind (context->archive, path) == HL_MEMBER_NONE)
    return NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, error);
  if (tensor == NULL)
    return NULL;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  if (shape->rank != 1 || shape->dims[0] == 0 || shape->dims[0] > HL_LIMIT_POSITIONS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is not a list of seconds"), path);
      return NULL;
    }
  g_autofree float *seconds = g_new (float, shape->dims[0]);
  if (!hl_tensor_read_f32 (tensor, start, shape->dims, seconds, context->cancellable, error))
    return NULL;
  for (guint64 i = 0; i < shape->dims[0]; i++)
    if (!isfinite (seconds[i]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” has a number that is NaN or infinite"), path);
        return NULL;
      }
  *n = shape->dims[0];
  return g_steal_pointer (&seconds);
}

/* When the tokens of the list of that name are; NULL without an error if the file does not say it. */
HlTokenTimes *
hl_dump_read_times (const HlDumpContext *context,
                    const char          *tokens_name,
                    GError             **error)
{
  gsize n = 0, n_ends = 0;
  GError *reason = NULL;
  g_autofree float *starts = read_seconds (context, tokens_name, "_starts", &n, &reason);
  g_autofree float *ends = starts != NULL ? read_seconds (context, tokens_name, "_ends", &n_ends, &reason) : NULL;

  if (reason == NULL && ends != NULL && n_ends != n)
    reason = g_error_new (HL_ERROR, HL_ERROR_SHAPE, _ ("tokens have %zu starts and %zu ends"), n, n_ends);
  if (reason != NULL)
    {
      g_propagate_error (error, reason);
      return NULL;
    }
  return starts != NULL ? hl_token_times_new (n, g_steal_pointer (&starts), g_steal_pointer (&ends)) : NULL;
}
