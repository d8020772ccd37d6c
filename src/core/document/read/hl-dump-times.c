/* SPDX-License-Identifier: MIT */
/* Tokens of sound and film, which have times in place of a spelling: `token_starts`, `token_ends`. */
#include "core/document/read/hl-dump-times.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/document/tokens/hl-token-time.h"

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

/* As many as tell one token from the next, from two on. */
static int
count_decimals (const float *starts,
                gsize        n)
{
  double least = INFINITY;

  for (gsize i = 1; i < n; i++)
    if (starts[i] != starts[i - 1])
      least = MIN (least, fabs ((double) starts[i] - starts[i - 1]));
  return least < 0.0095 ? 3 : 2;
}

/* Returns "0.42 s" or "0.42–0.44 s" for each token of the list of that name; NULL if the file has no times of it. What is wrong with them is noted:
 * positions can take their place. */
char **
hl_dump_read_times (const HlDumpContext *context,
                    const char          *tokens_name)
{
  g_autoptr (GError) error = NULL;
  gsize n = 0, n_ends = 0;
  g_autofree float *starts = read_seconds (context, tokens_name, "_starts", &n, &error);
  g_autofree float *ends = starts != NULL ? read_seconds (context, tokens_name, "_ends", &n_ends, &error) : NULL;

  if (error == NULL && ends != NULL && n_ends != n)
    error = g_error_new (HL_ERROR, HL_ERROR_SHAPE, _ ("tokens have %zu starts and %zu ends"), n, n_ends);
  if (error != NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; positions take the place of tokens"),
                               error->message);
  if (error != NULL || starts == NULL)
    return NULL;
  const int n_decimals = count_decimals (starts, n);
  char **labels = g_new0 (char *, n + 1);
  for (gsize i = 0; i < n; i++)
    labels[i] = hl_token_time_format ((double) starts[i], ends != NULL ? (double) ends[i] : NAN, n_decimals);
  return labels;
}
