/* SPDX-License-Identifier: MIT */
/* When tokens of sound and film are, and how that is written where they have no spelling. */
#include "core/document/tokens/hl-token-times.h"

#include <math.h>
#include <string.h>

#include "core/document/tokens/hl-token-time.h"

static void
clear (gpointer data)
{
  HlTokenTimes *self = data;

  g_free (self->starts);
  g_free (self->ends);
}

/**
 * hl_token_times_new:
 * @n: how many tokens, at least 1
 * @starts: (transfer full) (array length=n): seconds, all finite
 * @ends: (transfer full) (nullable) (array length=n): likewise
 *
 * Returns: (transfer full): the times
 */
HlTokenTimes *
hl_token_times_new (gsize  n,
                    float *starts,
                    float *ends)
{
  g_return_val_if_fail (n > 0 && starts != NULL, NULL);

  HlTokenTimes *self = g_atomic_rc_box_new0 (HlTokenTimes);
  self->n = n;
  self->starts = starts;
  self->ends = ends;
  return self;
}

HlTokenTimes *
hl_token_times_ref (HlTokenTimes *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
hl_token_times_unref (HlTokenTimes *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/**
 * hl_token_times_cut:
 * @self: times
 * @n: at least 1, and at most as many as there are
 *
 * Returns: (transfer full): the times of the first tokens
 */
HlTokenTimes *
hl_token_times_cut (HlTokenTimes *self,
                    gsize         n)
{
  g_return_val_if_fail (n > 0 && n <= self->n, NULL);

  return n == self->n ? hl_token_times_ref (self)
                      : hl_token_times_new (n, g_memdup2 (self->starts, n * sizeof (float)),
                                            g_memdup2 (self->ends, n * sizeof (float)));
}

/* As many as tell one token from the next, from two on. */
static int
count_decimals (const HlTokenTimes *self)
{
  double least = INFINITY;

  for (gsize i = 1; i < self->n; i++)
    if (self->starts[i] != self->starts[i - 1])
      least = MIN (least, fabs ((double) self->starts[i] - self->starts[i - 1]));
  return least < 0.0095 ? 3 : 2;
}

static char *
format (const HlTokenTimes *self,
        gsize               first,
        gsize               n,
        int                 n_decimals)
{
  return hl_token_time_format ((double) self->starts[first],
                               self->ends != NULL ? (double) self->ends[first + n - 1] : NAN, n_decimals);
}

/**
 * hl_token_times_format:
 * @self: times
 * @first: a token
 * @n: how many there are from it on that are one, at least 1
 *
 * Returns: (transfer full): when they are, such as "0.42 s" or "0.42–0.44 s"
 */
char *
hl_token_times_format (const HlTokenTimes *self,
                       gsize               first,
                       gsize               n)
{
  g_return_val_if_fail (n > 0 && first < self->n && n <= self->n - first, NULL);

  return format (self, first, n, count_decimals (self));
}

/**
 * hl_token_times_make_labels:
 * @self: times
 *
 * Returns: (transfer full) (array zero-terminated=1): n strings such as "0.42 s" or "0.42–0.44 s"
 */
char **
hl_token_times_make_labels (const HlTokenTimes *self)
{
  const int n_decimals = count_decimals (self);
  char **labels = g_new0 (char *, self->n + 1);

  for (gsize i = 0; i < self->n; i++)
    labels[i] = format (self, i, 1, n_decimals);
  return labels;
}

/**
 * hl_token_times_equal:
 * @a: (nullable): times
 * @b: (nullable): others
 *
 * Returns: whether both say the same
 */
gboolean
hl_token_times_equal (const HlTokenTimes *a,
                      const HlTokenTimes *b)
{
  if (a == b)
    return TRUE;
  if (a == NULL || b == NULL || a->n != b->n || (a->ends == NULL) != (b->ends == NULL))
    return FALSE;
  return memcmp (a->starts, b->starts, a->n * sizeof (float)) == 0 &&
         (a->ends == NULL || memcmp (a->ends, b->ends, a->n * sizeof (float)) == 0);
}
