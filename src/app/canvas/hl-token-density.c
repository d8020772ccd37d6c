/* SPDX-License-Identifier: MIT */
/* The numbers of a minimap. Sources pool by themselves, so that no map is ever in memory as a whole. */
#include "app/canvas/hl-token-density.h"

#include <math.h>

/* More than any screen has pixels along a strip that is worth its while. */
#define MAX_BINS 2048

/* Of a head, those of the others are left out: what would take longer than the picture itself is no help. */
#define MAX_CELLS (64.0 * 1024 * 1024)

HlTokenDensity *
hl_token_density_new (HlViewState *state,
                      gboolean     of_queries)
{
  HlTokenDensity *self = g_new0 (HlTokenDensity, 1);

  g_return_val_if_fail (HL_IS_VIEW_STATE (state), self);

  self->source = g_object_ref (hl_view_state_get_shown_source (state));
  self->queries = hl_view_state_get_shown_queries (state);
  self->keys = hl_view_state_get_shown_keys (state);
  self->of_queries = of_queries;
  self->n_bins = MIN (of_queries ? self->queries.n : self->keys.n, MAX_BINS);
  self->heads = hl_view_state_list_shown_heads (state, &self->n_heads);
  if (hl_view_state_shows_one_head (state) ||
      (double) self->queries.n * self->keys.n * self->n_heads > MAX_CELLS)
    {
      const guint head = hl_view_state_get_shown_head (state);
      self->heads[0] = (HlShownHead){ hl_view_state_get_shown_layer (state), head, head };
      self->n_heads = 1;
    }
  return self;
}

void
hl_token_density_free (HlTokenDensity *self)
{
  g_clear_object (&self->source);
  g_free (self->heads);
  g_free (self->bins);
  g_free (self);
}

gboolean
hl_token_density_equal (const HlTokenDensity *self,
                        const HlTokenDensity *other)
{
  return self->source == other->source && self->of_queries == other->of_queries && self->n_heads == other->n_heads &&
         memcmp (self->heads, other->heads, self->n_heads * sizeof *self->heads) == 0 &&
         self->queries.first == other->queries.first &&
         self->queries.n == other->queries.n && self->keys.first == other->keys.first && self->keys.n == other->keys.n;
}

/* Reads the weights, on whatever thread. The sum over several heads is kept. */
gboolean
hl_token_density_read (HlTokenDensity  *self,
                       GCancellable    *cancellable,
                       GError         **error)
{
  g_autofree float *values = g_new (float, MAX (self->n_bins, 1));
  g_autofree float *sums = g_new0 (float, MAX (self->n_bins, 1));

  for (guint head = 0; head < self->n_heads && self->queries.n > 0 && self->keys.n > 0; head++)
    {
      const HlAttentionRequest request = {
        .layer = self->heads[head].layer,
        .head = self->heads[head].head,
        .first_query = self->queries.first,
        .n_queries = self->queries.n,
        .first_key = self->keys.first,
        .n_keys = self->keys.n,
        .n_rows = self->of_queries ? self->n_bins : 1,
        .n_columns = self->of_queries ? 1 : self->n_bins,
        .pooling = self->of_queries ? HL_POOLING_MAX : HL_POOLING_MEAN,
      };

      if (!hl_attention_source_read (self->source, &request, values, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < self->n_bins; i++)
        if (!isnan (values[i]))
          sums[i] += fabsf (values[i]);
    }
  self->bins = g_steal_pointer (&sums);
  return TRUE;
}
