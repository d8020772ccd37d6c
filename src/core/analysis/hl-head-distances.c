/* SPDX-License-Identifier: MIT */
/* How far apart all heads are: rows of all of them are read in bands, and each pair of heads is held against one another. */
#include "core/analysis/hl-head-distances.h"

#include "core/analysis/hl-head-index.h"
#include "core/analysis/hl-scaling.h"
#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-worker.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Weights of all heads that are held at a time: 64 MiB. */
#define BAND_SIZE ((gsize) 16 * 1024 * 1024)

/* Heads that are held against another while its row is at hand. */
#define TILE 8

/* Terms of a sum in single precision. */
#define TERMS 256

struct _HlHeadDistances
{
  gatomicrefcount n_refs;
  guint n;
  gsize n_texts;
  double *sums;   /* [pair], over texts */
  guint *n_known; /* [pair]: texts in which both heads have rows */
};

/* Of each head with itself and with those behind it. */
static gsize
count_pairs (gsize n_heads)
{
  return n_heads * (n_heads + 1) / 2;
}

/* @b: @a or a head behind it */
static gsize
get_pair (gsize n_heads,
          gsize a,
          gsize b)
{
  return a * (2 * n_heads - a + 1) / 2 + b - a;
}

/* x log2 x, to about 1e-7; 0 of 0. Without branches or calls, so that loops over it become vector code. */
static inline float
get_term (float x)
{
  /* The bits of the root of ½: mantissas are between it and its double. */
  const guint32 root = 0x3f3504f3;
  guint32 bits, exponent;
  float mantissa;

  memcpy (&bits, &x, sizeof bits);
  exponent = bits + (0x3f800000 - root);
  bits = (exponent & 0x007fffff) + root;
  memcpy (&mantissa, &bits, sizeof mantissa);
  const float s = (mantissa - 1) / (mantissa + 1);
  const float z = s * s;
  const float log2_mantissa =
    s * (2.8853900818f + z * (0.9617966939f + z * (0.5770780164f + z * (0.4121985831f + z * 0.32059890f))));
  return x * ((float) ((gint32) (exponent >> 23) - 127) + log2_mantissa);
}

/* The entropy of the mean of two rows, −Σ m log2 m; that of a row itself is the one with itself. Terms are added in single precision where they
 * are few, which is twice as fast. */
HL_KERNEL static double
get_mixed_entropy (const float *p,
                   const float *q,
                   gsize        n)
{
  double sum = 0;

  for (gsize first = 0; first < n; first += TERMS)
    {
      const gsize end = MIN (first + TERMS, n);
      float part = 0;

#pragma omp simd reduction(+ : part)
      for (gsize i = first; i < end; i++)
        part += get_term ((p[i] + q[i]) * 0.5f);
      sum -= (double) part;
    }
  return sum;
}

typedef struct
{
  HlAttentionSource *source;
  HlHeadIndex index;
  gsize n_keys;
  gsize n_band;      /* queries at a time */
  float *rows;       /* [head, n_band, n_keys]: each sums to 1 */
  double *entropies; /* [head, n_band]: NaN of a row that does not count */
  gsize *ends;       /* [head, n_band]: behind these keys a row is zeros, as where later keys are masked */
  double *sums;      /* [pair], or of one head with each: over queries */
  guint64 *n_queries;
  GCancellable *cancellable;
} Work;

static void
work_clear (Work *self)
{
  hl_head_index_clear (&self->index);
  g_free (self->rows);
  g_free (self->entropies);
  g_free (self->ends);
  g_free (self->sums);
  g_free (self->n_queries);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
work_init (Work              *self,
           HlAttentionSource *source,
           gsize              n_queries,
           gboolean           all_pairs,
           GError           **error)
{
  hl_head_index_init (&self->index, source);
  const gsize n = hl_head_index_get_n (&self->index);
  const gsize n_sums = all_pairs ? count_pairs (n) : n;

  if (n > HL_LIMIT_DISTANT_HEADS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("it has %zu heads, and distances are of at most %d"), n,
                   HL_LIMIT_DISTANT_HEADS);
      return FALSE;
    }
  self->source = source;
  self->n_keys = hl_attention_source_get_n (source, HL_KEYS);
  if (n * self->n_keys > HL_LIMIT_HEAD_MAP / sizeof (float))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("%zu heads with a row of %zu weights each are too much to be held at once"), n, self->n_keys);
      return FALSE;
    }
  self->n_band = CLAMP (BAND_SIZE / MAX (n * self->n_keys, 1), 1, MAX (n_queries, 1));
  self->rows = g_try_malloc_n (n * self->n_band * MAX (self->n_keys, 1), sizeof (float));
  self->entropies = g_try_new (double, n * self->n_band);
  self->ends = g_try_new (gsize, n * self->n_band);
  self->sums = g_try_new0 (double, n_sums);
  self->n_queries = g_try_new0 (guint64, n_sums);
  if (self->rows == NULL || self->entropies == NULL || self->ends == NULL || self->sums == NULL ||
      self->n_queries == NULL)
    return hl_error_set_no_memory (error);
  return TRUE;
}

/* A row counts whose weights are none below zero, and are a number and more than nothing together. */
static double
normalise (float *row,
           gsize  n)
{
  gboolean is_negative = FALSE;
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    {
      sum += row[i];
      is_negative |= row[i] < 0;
    }
  if (!(sum > 0) || !isfinite (sum) || is_negative)
    return NAN;
  /* Of a small sum it may be too large for a float. */
  const double factor = 1 / sum;
  for (gsize i = 0; i < n; i++)
    row[i] = (float) (row[i] * factor);
  return get_mixed_entropy (row, row, n);
}

static gboolean
read_head (const Work *self,
           guint       head,
           gsize       first,
           gsize       n,
           GError    **error)
{
  const guint layer = hl_head_index_get_layer (&self->index, head);
  float *rows = self->rows + head * self->n_band * self->n_keys;
  const HlAttentionRequest request = {
    .layer = layer,
    .head = head - self->index.starts[layer],
    .first_query = first,
    .n_queries = n,
    .n_keys = self->n_keys,
    .n_rows = n,
    .n_columns = self->n_keys,
  };

  if (!hl_attention_source_read (self->source, &request, rows, self->cancellable, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      const gsize row = head * self->n_band + i;
      const float *weights = rows + i * self->n_keys;

      self->entropies[row] = normalise (rows + i * self->n_keys, self->n_keys);
      self->ends[row] = self->n_keys;
      while (self->ends[row] > 0 && weights[self->ends[row] - 1] == 0)
        self->ends[row]--;
    }
  return TRUE;
}

static gboolean
read_all (const Work *self,
          gsize       first,
          gsize       n,
          GError    **error)
{
  HlSharedError first_error = { NULL };

#pragma omp parallel for schedule(dynamic, 1)
  for (guint head = 0; head < hl_head_index_get_n (&self->index); head++)
    {
      GError *own_error = NULL;

      if (!hl_shared_error_is_set (&first_error) && !read_head (self, head, first, n, &own_error))
        hl_shared_error_take (&first_error, own_error);
    }
  return hl_shared_error_propagate (&first_error, error);
}

/* A row of one head against that of another; what it adds to is @pair. */
static void
compare_rows (const Work *self,
              guint       a,
              guint       b,
              gsize       i,
              gsize       pair)
{
  const gsize row_a = a * self->n_band + i, row_b = b * self->n_band + i;
  const double mean = (self->entropies[row_a] + self->entropies[row_b]) / 2;

  if (isnan (mean))
    return;
  self->n_queries[pair]++;
  /* Equal rows may come out a rounding below zero. */
  if (a != b)
    self->sums[pair] += CLAMP (get_mixed_entropy (self->rows + row_a * self->n_keys, self->rows + row_b * self->n_keys,
                                                  MAX (self->ends[row_a], self->ends[row_b])) -
                                 mean,
                               0, 1);
}

/* Some heads against those behind them. */
static void
compare_tile (const Work *self,
              guint       first,
              gsize       n)
{
  const guint n_heads = hl_head_index_get_n (&self->index);

  for (gsize i = 0; i < n && !g_cancellable_is_cancelled (self->cancellable); i++)
    for (guint b = first; b < n_heads; b++)
      for (guint a = first; a <= MIN (b, first + TILE - 1); a++)
        compare_rows (self, a, b, i, get_pair (n_heads, a, b));
}

static gboolean
compare_all (const Work *self,
             gsize       n,
             HlProgress *progress,
             double      begin,
             double      end,
             GError    **error)
{
  const guint n_tiles = (hl_head_index_get_n (&self->index) + TILE - 1) / TILE;
  guint n_done = 0;

#pragma omp parallel for schedule(dynamic, 1)
  for (guint tile = 0; tile < n_tiles; tile++)
    {
      compare_tile (self, tile * TILE, n);
#pragma omp critical(hl_head_distances_progress)
      {
        /* The first heads have more to be held against than the last. */
        const double left = 1 - (double) ++n_done / n_tiles;
        if (progress != NULL)
          hl_progress_set (progress, begin + (end - begin) * (1 - left * left), NULL);
      }
    }
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

/**
 * hl_head_distances_new:
 *
 * Returns: (transfer full): the distances of no text yet
 */
HlHeadDistances *
hl_head_distances_new (void)
{
  HlHeadDistances *self = g_new0 (HlHeadDistances, 1);

  g_atomic_ref_count_init (&self->n_refs);
  return self;
}

/**
 * hl_head_distances_ref:
 * @self: distances, to which nothing is added any more
 *
 * Returns: (transfer full): the same
 */
HlHeadDistances *
hl_head_distances_ref (HlHeadDistances *self)
{
  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

/**
 * hl_head_distances_unref:
 * @self: (transfer full): distances
 */
void
hl_head_distances_unref (HlHeadDistances *self)
{
  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  g_free (self->sums);
  g_free (self->n_known);
  g_free (self);
}

/**
 * hl_head_distances_copy:
 * @self: distances
 *
 * Returns: (transfer full): others over the same texts
 */
HlHeadDistances *
hl_head_distances_copy (const HlHeadDistances *self)
{
  const gsize n_pairs = count_pairs (self->n);
  HlHeadDistances *other = hl_head_distances_new ();

  other->n = self->n;
  other->n_texts = self->n_texts;
  other->sums = g_memdup2 (self->sums, n_pairs * sizeof *self->sums);
  other->n_known = g_memdup2 (self->n_known, n_pairs * sizeof *self->n_known);
  return other;
}

/* Room for those of so many heads, the first time; FALSE where there were others before. */
static gboolean
accept (HlHeadDistances *self,
        gsize            n,
        GError         **error)
{
  if (self->n_texts > 0 && self->n != n)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("it has %zu heads, and the texts before it have %u"), n,
                   self->n);
      return FALSE;
    }
  if (self->n_texts == 0)
    {
      self->n = (guint) n;
      self->sums = g_new0 (double, count_pairs (n));
      self->n_known = g_new0 (guint, count_pairs (n));
    }
  return TRUE;
}

static gboolean
take (HlHeadDistances *self,
      const Work      *work,
      GError         **error)
{
  const gsize n = hl_head_index_get_n (&work->index);

  if (!accept (self, n, error))
    return FALSE;
  self->n_texts++;
  for (gsize i = 0; i < count_pairs (n); i++)
    if (work->n_queries[i] > 0)
      {
        self->sums[i] += work->sums[i] / (double) work->n_queries[i];
        self->n_known[i]++;
      }
  return TRUE;
}

/**
 * hl_head_distances_merge:
 * @self: distances
 * @other: those over other texts, of as many heads
 * @error: %HL_ERROR_SHAPE with another number of heads than before
 *
 * Adds these texts.
 *
 * Returns: whether they were added; if not, @self is as before
 */
gboolean
hl_head_distances_merge (HlHeadDistances       *self,
                         const HlHeadDistances *other,
                         GError               **error)
{
  if (other->n_texts == 0)
    return TRUE;
  if (!accept (self, other->n, error))
    return FALSE;
  self->n_texts += other->n_texts;
  for (gsize i = 0; i < count_pairs (self->n); i++)
    {
      self->sums[i] += other->sums[i];
      self->n_known[i] += other->n_known[i];
    }
  return TRUE;
}

/**
 * hl_head_distances_add:
 * @self: distances
 * @source: weights of a text, not filtered, of as many heads as those before
 * @first_query: the first query that counts
 * @n_queries: how many
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_TOO_LARGE with more heads than %HL_LIMIT_DISTANT_HEADS, or where a row of each is more than %HL_LIMIT_HEAD_MAP,
 *   %HL_ERROR_SHAPE with another number of heads than before, what reading says, or %G_IO_ERROR_CANCELLED
 *
 * Adds a text: the distance of two heads is the mean over texts of the mean over queries of the Jensen–Shannon divergence of their rows, in
 * bits, 0 to 1. Rows are divided by their sum; a query counts when the rows of both heads are more than zeros and hold nothing below zero and
 * nothing that is no number. In threads; about n² keys × queries / 2 logarithms for n heads.
 *
 * Returns: whether it was added; if not, @self is as before
 */
gboolean
hl_head_distances_add (HlHeadDistances   *self,
                       HlAttentionSource *source,
                       gsize              first_query,
                       gsize              n_queries,
                       HlProgress        *progress,
                       GCancellable      *cancellable,
                       GError           **error)
{
  g_auto (Work) work = { .cancellable = cancellable };

  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), FALSE);

  if (!work_init (&work, source, n_queries, TRUE, error))
    return FALSE;
  for (gsize done = 0; work.n_keys > 0 && done < n_queries; done += work.n_band)
    {
      const gsize n = MIN (work.n_band, n_queries - done);
      const double begin = (double) done / (double) n_queries, end = (double) (done + n) / (double) n_queries;

      if (!read_all (&work, first_query + done, n, error) || !compare_all (&work, n, progress, begin, end, error))
        return FALSE;
    }
  return take (self, &work, error);
}

/**
 * hl_head_distances_from:
 * @source: weights of a text, not filtered
 * @head: a head, those of layer 0 counted first, then those of layer 1 …
 * @first_query: the first query that counts
 * @n_queries: among how many
 * @step: every so many of these counts, from 1 on: distances over some queries of a long text are soon known
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_TOO_LARGE as hl_head_distances_add(), what reading says, or %G_IO_ERROR_CANCELLED
 *
 * How far one head is from all, as hl_head_distances_add() has it. In threads; about keys × queries logarithms a head.
 *
 * Returns: (transfer full) (nullable): of each head its distance, 0 to 1, NaN where no query counts; free with g_free()
 */
double *
hl_head_distances_from (HlAttentionSource *source,
                        guint              head,
                        gsize              first_query,
                        gsize              n_queries,
                        gsize              step,
                        GCancellable      *cancellable,
                        GError           **error)
{
  g_auto (Work) work = { .cancellable = cancellable };

  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);
  g_return_val_if_fail (step > 0, NULL);

  if (!work_init (&work, source, step == 1 ? n_queries : 1, FALSE, error))
    return NULL;
  const guint n_heads = hl_head_index_get_n (&work.index);
  g_return_val_if_fail (head < n_heads, NULL);
  const gsize n_band = step == 1 ? work.n_band : 1;
  for (gsize done = 0; work.n_keys > 0 && done < n_queries; done += n_band * step)
    {
      const gsize n = MIN (n_band, n_queries - done);

      if (!read_all (&work, first_query + done, n, error))
        return NULL;
#pragma omp parallel for schedule(dynamic, 1)
      for (guint other = 0; other < n_heads; other++)
        for (gsize i = 0; i < n; i++)
          compare_rows (&work, head, other, i, other);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
    }
  double *distances = g_new (double, MAX (n_heads, 1));
  for (guint other = 0; other < n_heads; other++)
    distances[other] = work.n_queries[other] > 0 ? work.sums[other] / (double) work.n_queries[other] : NAN;
  return distances;
}

/**
 * hl_head_distances_get_size:
 * @self: distances
 *
 * Returns: about how many bytes they take
 */
gsize
hl_head_distances_get_size (const HlHeadDistances *self)
{
  return count_pairs (self->n) * (sizeof *self->sums + sizeof *self->n_known);
}

/**
 * hl_head_distances_get_n:
 * @self: distances
 *
 * Returns: of how many heads: those of layer 0 come first, then those of layer 1 …
 */
guint
hl_head_distances_get_n (const HlHeadDistances *self)
{
  return self->n;
}

/**
 * hl_head_distances_get:
 * @self: distances
 * @a: a head of all
 * @b: another
 *
 * Returns: how far apart they are, 0 to 1; NaN where no query counts
 */
double
hl_head_distances_get (const HlHeadDistances *self,
                       guint                  a,
                       guint                  b)
{
  g_return_val_if_fail (a < self->n && b < self->n, NAN);

  const gsize i = get_pair (self->n, MIN (a, b), MAX (a, b));
  return self->n_known[i] > 0 ? self->sums[i] / self->n_known[i] : NAN;
}

/* Heads that have a distance to all others that are listed. */
static guint *
list_known (const HlHeadDistances *self,
            guint                 *n)
{
  guint *heads = g_new (guint, MAX (self->n, 1));

  *n = 0;
  for (guint head = 0; head < self->n; head++)
    {
      gboolean is_known = !isnan (hl_head_distances_get (self, head, head));

      for (guint i = 0; is_known && i < *n; i++)
        is_known = !isnan (hl_head_distances_get (self, head, heads[i]));
      if (is_known)
        heads[(*n)++] = head;
    }
  return heads;
}

/**
 * hl_head_distances_arrange:
 * @self: distances
 * @cancellable: (nullable): stops it
 * @error: too little memory, or %G_IO_ERROR_CANCELLED
 *
 * Places heads in a plane, so that those that are near one another look at the same: hl_scaling_compute() of their distances.
 *
 * Returns: (transfer full) (nullable): [n, 2] of each head x and y; NaN of one that has no distances; free with g_free()
 */
double *
hl_head_distances_arrange (const HlHeadDistances *self,
                           GCancellable          *cancellable,
                           GError               **error)
{
  guint n;
  g_autofree guint *heads = list_known (self, &n);
  g_autofree double *distances = g_try_malloc_n ((gsize) n * n + 1, sizeof (double));

  if (distances == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      distances[(gsize) i * n + j] = hl_head_distances_get (self, heads[i], heads[j]);
  g_autofree double *points = n > 0 ? hl_scaling_compute (distances, n, 2, cancellable, error) : NULL;
  if (n > 0 && points == NULL)
    return NULL;

  double *all = g_new (double, MAX (self->n, 1) * 2);
  for (guint i = 0; i < self->n * 2; i++)
    all[i] = NAN;
  for (guint i = 0; i < n; i++)
    memcpy (all + heads[i] * 2, points + i * 2, 2 * sizeof (double));
  return all;
}
