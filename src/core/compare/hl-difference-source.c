/* SPDX-License-Identifier: MIT */
/* B − A of two sides: how much more weight a query gives to a key now than before. From −1 to 1. What only one side has, a token, a head or a
 * layer, keeps its place, and is not a number. */
#include "core/compare/hl-difference-source.h"

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"
#include "core/document/attention/hl-attention.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Numbers that are held of each side, besides the answer. */
#define BAND_NUMBERS ((gsize) 1024 * 1024)

struct _HlDifferenceSource
{
  HlDerivedSource parent_instance;

  HlComparison *comparison;
};

static void hl_difference_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlDifferenceSource,
                               hl_difference_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_difference_source_iface_init))

static gsize
get_n (HlAttentionSource *source,
       HlSide             side)
{
  return hl_token_alignment_get_n (hl_comparison_get_alignment (HL_DIFFERENCE_SOURCE (source)->comparison, side));
}

static gboolean
is_signed (HlAttentionSource *source)
{
  return TRUE;
}

/* Where the tokens of one side lie that some positions stand for. */
typedef struct
{
  gsize first;
  gsize n;
} Span;

static Span
find_span (const HlAlignedToken *positions,
           gsize                 n,
           gboolean              of_b)
{
  Span span = { 0, 0 };

  for (gsize i = 0; i < n; i++)
    {
      const gsize index = of_b ? positions[i].b : positions[i].a;
      if (index == HL_TOKEN_NONE)
        continue;
      if (span.n == 0)
        span.first = index;
      span.n = index - span.first + 1;
    }
  return span;
}

/* One side of a band. */
typedef struct
{
  HlAttentionSource *source;
  guint layer;
  guint head;
  Span rows;
  Span columns;
  float *numbers;
} Side;

static gboolean
read_side (Side         *side,
           GCancellable *cancellable,
           GError      **error)
{
  const HlAttentionRequest request = {
    .layer = side->layer,
    .head = side->head,
    .first_query = side->rows.first,
    .n_queries = side->rows.n,
    .first_key = side->columns.first,
    .n_keys = side->columns.n,
    .n_rows = side->rows.n,
    .n_columns = side->columns.n,
  };

  return hl_attention_source_read (side->source, &request, side->numbers, cancellable, error);
}

HL_KERNEL static void
subtract (float       *target,
          const float *b,
          const float *a,
          gsize        n)
{
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    target[i] = b[i] - a[i];
}

static void
subtract_aligned (const Side           *a,
                  const Side           *b,
                  const HlAlignedToken *queries,
                  gsize                 n_queries,
                  const HlAlignedToken *keys,
                  gsize                 n_keys,
                  float                *target)
{
  for (gsize i = 0; i < n_queries; i++)
    for (gsize j = 0; j < n_keys; j++)
      {
        const gboolean in_both = queries[i].a != HL_TOKEN_NONE && queries[i].b != HL_TOKEN_NONE &&
                                 keys[j].a != HL_TOKEN_NONE && keys[j].b != HL_TOKEN_NONE;
        target[i * n_keys + j] =
          in_both ? b->numbers[(queries[i].b - b->rows.first) * b->columns.n + keys[j].b - b->columns.first] -
                      a->numbers[(queries[i].a - a->rows.first) * a->columns.n + keys[j].a - a->columns.first]
                  : NAN;
      }
}

static gboolean
read_band (Side                 *a,
           Side                 *b,
           const HlAlignedToken *queries,
           gsize                 n_queries,
           const HlAlignedToken *keys,
           gsize                 n_keys,
           float                *target,
           GCancellable         *cancellable,
           GError              **error)
{
  a->rows = find_span (queries, n_queries, FALSE);
  b->rows = find_span (queries, n_queries, TRUE);
  if (a->rows.n == 0 || b->rows.n == 0 || a->columns.n == 0 || b->columns.n == 0)
    {
      for (gsize i = 0; i < n_queries * n_keys; i++)
        target[i] = NAN;
      return TRUE;
    }
  if (!read_side (a, cancellable, error) || !read_side (b, cancellable, error))
    return FALSE;
  /* As many tokens of both as positions: every position is of both. */
  if (a->rows.n == n_queries && b->rows.n == n_queries && a->columns.n == n_keys && b->columns.n == n_keys)
    subtract (target, b->numbers, a->numbers, n_queries * n_keys);
  else
    subtract_aligned (a, b, queries, n_queries, keys, n_keys, target);
  return TRUE;
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlComparison *comparison = HL_DIFFERENCE_SOURCE (source)->comparison;
  const guint layer = request->layer, head = request->head;
  const gsize n_queries = request->n_queries, n_keys = request->n_keys;
  const HlAlignedToken *queries =
    hl_token_alignment_get_positions (hl_comparison_get_alignment (comparison, HL_QUERIES)) + request->first_query;
  const HlAlignedToken *keys = hl_token_alignment_get_positions (hl_comparison_get_alignment (comparison, HL_KEYS)) +
                               request->first_key;
  const gsize n_band = CLAMP (BAND_NUMBERS / n_keys, 1, n_queries);

  if (!hl_comparison_has_partner (comparison, layer, head))
    {
      for (gsize i = 0; i < n_queries * n_keys; i++)
        target[i] = NAN;
      return TRUE;
    }

  g_autofree float *numbers_a = g_try_malloc_n (n_band * n_keys, sizeof (float));
  g_autofree float *numbers_b = g_try_malloc_n (n_band * n_keys, sizeof (float));
  Side a = { .source = hl_comparison_get_source_a (comparison), .layer = layer, .head = head, .numbers = numbers_a };
  Side b = { .source = hl_comparison_get_source_b (comparison), .numbers = numbers_b };
  if (numbers_a == NULL || numbers_b == NULL)
    return hl_error_set_no_memory (error);
  hl_comparison_get_partner (comparison, layer, head, &b.layer, &b.head);
  a.columns = find_span (keys, n_keys, FALSE);
  b.columns = find_span (keys, n_keys, TRUE);
  for (gsize query = 0; query < n_queries; query += n_band)
    if (!read_band (&a, &b, queries + query, MIN (n_band, n_queries - query), keys, n_keys, target + query * n_keys,
                    cancellable, error))
      return FALSE;
  return TRUE;
}

/* What the numbers of b less those of a are called. */
char *
hl_difference_source_name_quantity (HlAttentionSource *a,
                                    HlAttentionSource *b)
{
  if (g_str_equal (hl_attention_source_get_quantity (a), hl_attention_source_get_quantity (b)))
    /* Translators: the numbers of one side of a comparison are subtracted from those of the other; then what they are, “attention weight” */
    return g_strdup_printf (_ ("difference B − A of %s"), hl_attention_source_get_quantity (a));
  /* Translators: the same, where each side has its own quantity */
  return g_strdup_printf (_ ("difference B − A, A: %s, B: %s"), hl_attention_source_get_quantity (a),
                          hl_attention_source_get_quantity (b));
}

static char *
make_quantity (HlDerivedSource   *self,
               HlAttentionSource *a)
{
  return hl_difference_source_name_quantity (a, hl_comparison_get_source_b (HL_DIFFERENCE_SOURCE (self)->comparison));
}

static HlMask
make_mask (HlDerivedSource   *self,
           HlAttentionSource *a,
           guint              layer)
{
  return hl_comparison_get_mask (HL_DIFFERENCE_SOURCE (self)->comparison, layer);
}

static void
hl_difference_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n = get_n;
  iface->is_signed = is_signed;
  iface->read_rows = read_rows;
}

static void
hl_difference_source_finalize (GObject *object)
{
  g_clear_object (&HL_DIFFERENCE_SOURCE (object)->comparison);
  G_OBJECT_CLASS (hl_difference_source_parent_class)->finalize (object);
}

static void
hl_difference_source_class_init (HlDifferenceSourceClass *klass)
{
  HlDerivedSourceClass *source_class = HL_DERIVED_SOURCE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_difference_source_finalize;
  source_class->make_quantity = make_quantity;
  source_class->make_mask = make_mask;
}

static void
hl_difference_source_init (HlDifferenceSource *self)
{
}

/**
 * hl_difference_source_new:
 * @comparison: two sides
 *
 * The layers, heads and masks are those of the first side, queries and keys the common lists.
 *
 * Returns: (transfer full): the source whose map of a head is B − A where A is that of the first side and B that of its partner
 */
HlAttentionSource *
hl_difference_source_new (HlComparison *comparison)
{
  g_return_val_if_fail (HL_IS_COMPARISON (comparison), NULL);

  HlDifferenceSource *self = g_object_new (HL_TYPE_DIFFERENCE_SOURCE, NULL);
  self->comparison = g_object_ref (comparison);
  return hl_derived_source_derive (self, hl_comparison_get_source_a (comparison));
}
