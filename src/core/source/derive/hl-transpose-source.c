/* SPDX-License-Identifier: MIT */
/* Another source with rows and columns changed over: what each key receives, query by query. Rows no longer sum to 1. */
#include "core/source/derive/hl-transpose-source.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Numbers that are held besides the answer. */
#define BAND_NUMBERS ((gsize) 4 * 1024 * 1024)

/* A square of floats that fits into the nearest cache twice. */
#define TILE ((gsize) 32)

struct _HlTransposeSource
{
  HlDerivedSource parent_instance;
};

static void hl_transpose_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlTransposeSource,
                               hl_transpose_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_transpose_source_iface_init))

static gsize
get_n (HlAttentionSource *source,
       HlSide             side)
{
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));

  return hl_attention_source_get_n (origin, hl_side_get_other (side));
}

/* @band: [n_columns, n_rows]; @target: n_rows rows of which so many columns are filled */
static void
turn (const float *band,
      gsize        n_rows,
      gsize        n_columns,
      float       *target,
      gsize        target_stride)
{
  for (gsize row = 0; row < n_rows; row += TILE)
    for (gsize column = 0; column < n_columns; column += TILE)
      for (gsize i = row; i < MIN (row + TILE, n_rows); i++)
        for (gsize j = column; j < MIN (column + TILE, n_columns); j++)
          target[i * target_stride + j] = band[j * n_rows + i];
}

static gboolean
read_turned (HlAttentionSource        *source,
             const HlAttentionRequest *request,
             float                    *target,
             GCancellable             *cancellable,
             GError                  **error)
{
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));
  const gsize n_band = CLAMP (BAND_NUMBERS / request->n_rows, 1, request->n_columns);
  g_autofree float *band = g_try_malloc_n (n_band * request->n_rows, sizeof (float));

  if (band == NULL)
    return hl_error_set_no_memory (error);
  for (gsize column = 0; column < request->n_columns; column += n_band)
    {
      const gsize n = MIN (n_band, request->n_columns - column);
      /* Where bins begin is the same on both sides of the request. */
      const gsize first = (gsize) ((unsigned __int128) column * request->n_keys / request->n_columns);
      const gsize end = (gsize) ((unsigned __int128) (column + n) * request->n_keys / request->n_columns);
      HlAttentionRequest turned = {
        .layer = request->layer,
        .head = request->head,
        .first_query = request->first_key + first,
        .n_queries = end - first,
        .first_key = request->first_query,
        .n_keys = request->n_queries,
        .n_rows = n,
        .n_columns = request->n_rows,
        .pooling = request->pooling,
        .marks_masked = request->marks_masked,
      };

      if (!hl_attention_source_read (origin, &turned, band, cancellable, error))
        return FALSE;
      turn (band, request->n_rows, n, target + column, request->n_columns);
    }
  return TRUE;
}

static void
take_extremes (HlRowExtremes *extremes,
               const float   *row,
               gsize          n)
{
  for (gsize i = 0; i < n; i++)
    {
      const float value = row[i];

      extremes[i].n_nan += isnan (value);
      if (!isfinite (value))
        continue;
      extremes[i].min = MIN (extremes[i].min, value);
      extremes[i].max = MAX (extremes[i].max, value);
      if (value > 0)
        extremes[i].min_positive = MIN (extremes[i].min_positive, value);
    }
}

/* The extremes of columns, taken row by row: a column by itself costs some sources as much as all of them. */
static gboolean
find_extremes (HlAttentionSource        *source,
               const HlAttentionRequest *request,
               HlRowExtremes            *extremes,
               GCancellable             *cancellable,
               GError                  **error)
{
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));
  const gsize n_band = CLAMP (BAND_NUMBERS / request->n_queries, 1, request->n_keys);
  g_autofree float *band = g_try_malloc_n (n_band * request->n_queries, sizeof (float));

  if (band == NULL)
    return hl_error_set_no_memory (error);
  for (gsize i = 0; i < request->n_queries; i++)
    extremes[i] = (HlRowExtremes){ INFINITY, INFINITY, -INFINITY, 0 };
  for (gsize key = 0; key < request->n_keys; key += n_band)
    {
      const gsize n = MIN (n_band, request->n_keys - key);
      const HlAttentionRequest turned = {
        .layer = request->layer,
        .head = request->head,
        .first_query = request->first_key + key,
        .n_queries = n,
        .first_key = request->first_query,
        .n_keys = request->n_queries,
        .n_rows = n,
        .n_columns = request->n_queries,
      };

      if (!hl_attention_source_read (origin, &turned, band, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        take_extremes (extremes, band + i * request->n_queries, request->n_queries);
    }
  return TRUE;
}

static gboolean
read_pooled (HlAttentionSource        *source,
             const HlAttentionRequest *request,
             float                    *target,
             HlRowExtremes            *extremes,
             GCancellable             *cancellable,
             GError                  **error)
{
  return (extremes == NULL || find_extremes (source, request, extremes, cancellable, error)) &&
         (target == NULL || read_turned (source, request, target, cancellable, error));
}

static char *
make_quantity (HlDerivedSource   *self,
               HlAttentionSource *origin)
{
  /* Translators: what the numbers of a map are, such as “attention weight”, whose rows and columns changed places */
  return g_strdup_printf (_ ("%s, transposed: rows are keys"), hl_attention_source_get_quantity (origin));
}

static HlMask
make_mask (HlDerivedSource   *self,
           HlAttentionSource *origin,
           guint              layer)
{
  HlMask mask = *hl_attention_source_get_mask (origin, layer);

  mask.transposed = !mask.transposed;
  return mask;
}

static void
hl_transpose_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n = get_n;
  iface->read_rows = read_turned;
  iface->read = read_pooled;
}

static void
hl_transpose_source_class_init (HlTransposeSourceClass *klass)
{
  HlDerivedSourceClass *source_class = HL_DERIVED_SOURCE_CLASS (klass);

  source_class->make_quantity = make_quantity;
  source_class->make_mask = make_mask;
}

static void
hl_transpose_source_init (HlTransposeSource *self)
{
}

/* Returns the source whose map of a head is Aᵀ where that of @source is A: its rows are keys, its columns the queries.
 * The sum of a row is what the key receives of all queries, not 1. */
HlAttentionSource *
hl_transpose_source_new (HlAttentionSource *source)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);

  return hl_derived_source_derive (g_object_new (HL_TYPE_TRANSPOSE_SOURCE, NULL), source);
}
