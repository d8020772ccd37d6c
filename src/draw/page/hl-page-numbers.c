/* SPDX-License-Identifier: MIT */
#include "draw/page/hl-page-numbers.h"

#include "config.h"
#include "core/analysis/hl-head-name.h"
#include "core/analysis/hl-head-stats.h"
#include "core/analysis/number/hl-head-used.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Marks what a mask hides, in maps that hold numbers. */
#define MASKED -INFINITY

static void
clear_layer (gpointer data)
{
  HlPageLayer *layer = data;

  g_free (layer->heads);
  g_free (layer->maps);
  g_strfreev (layer->names);
}

/* Frees it. */
void
hl_page_numbers_free (HlPageNumbers *self)
{
  g_array_unref (self->layers);
  g_free (self);
}

static int
compare_layers (gconstpointer a,
                gconstpointer b)
{
  const HlPageLayer *left = a, *right = b;

  return left->layer < right->layer ? -1 : left->layer > right->layer;
}

static void
add_all_heads (HlPageNumbers *self,
               guint          layer,
               guint          n_heads)
{
  HlPageLayer added = { layer, n_heads, g_new (guint, n_heads), NULL, NULL };

  for (guint head = 0; head < n_heads; head++)
    added.heads[head] = head;
  g_array_append_val (self->layers, added);
}

static gboolean
is_seen (const HlShownHead *seen,
         guint              n_seen,
         guint              layer,
         guint              head)
{
  for (guint i = 0; i < n_seen; i++)
    if (seen[i].layer == layer && seen[i].head == head)
      return TRUE;
  return FALSE;
}

/* Of a layer that does not fit whole: the head that leads, those that are seen, then the others. */
static void
add_some_heads (HlPageNumbers *self,
                const HlShown *shown,
                guint          n_heads,
                guint          n_fitting)
{
  guint n_seen, n = 0;
  g_autofree HlShownHead *seen = hl_shown_list_heads (shown, &n_seen);
  g_autofree gboolean *takes = g_new0 (gboolean, n_heads);
  HlPageLayer added = { shown->layer, n_fitting, g_new (guint, n_fitting), NULL, NULL };

  takes[MIN (shown->head, n_heads - 1)] = TRUE;
  guint n_taken = 1;
  for (guint pass = 0; pass < 2; pass++)
    for (guint head = 0; head < n_heads && n_taken < n_fitting; head++)
      if (!takes[head] && (pass > 0 || is_seen (seen, n_seen, shown->layer, head)))
        {
          takes[head] = TRUE;
          n_taken++;
        }
  for (guint head = 0; head < n_heads; head++)
    if (takes[head])
      added.heads[n++] = head;
  g_array_append_val (self->layers, added);
}

/* The layer that is seen, then those nearest to it, as long as they fit whole. */
static gboolean
choose_heads (HlPageNumbers *self,
              const HlShown *shown,
              GError       **error)
{
  const guint n_layers = hl_attention_source_get_n_layers (shown->source);
  gsize n_fitting = HL_LIMIT_PAGE_NUMBERS / self->n_map;
  gboolean fits = TRUE;

  if (n_fitting == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ (
                     "a page holds at most %d million numbers, and one head has %.0f million; hide tokens, or export a "
                     "figure"),
                   (int) (HL_LIMIT_PAGE_NUMBERS / 1000000), (double) self->n_map / 1e6);
      return FALSE;
    }
  for (guint i = 0; i < 2 * n_layers; i++)
    {
      const gint64 layer = (gint64) shown->layer + (i % 2 ? -(gint64) (i + 1) / 2 : (gint64) i / 2);
      if (layer < 0 || layer >= n_layers)
        continue;
      const guint n_heads = hl_attention_source_get_n_heads (shown->source, (guint) layer);
      if (n_heads == 0)
        continue;
      if (fits && n_heads <= n_fitting)
        add_all_heads (self, (guint) layer, n_heads);
      else if (fits && layer == shown->layer)
        {
          add_some_heads (self, shown, n_heads, (guint) n_fitting);
          self->n_left += n_heads - (guint) n_fitting;
        }
      else
        self->n_left += n_heads;
      fits = fits && n_heads <= n_fitting;
      n_fitting -= fits ? n_heads : 0;
    }
  g_array_sort (self->layers, compare_layers);
  if (self->layers->len > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no attention in it"));
  return FALSE;
}

static void
mark_masked (const HlShown *shown,
             guint          layer,
             float         *map)
{
  const HlMask *mask = hl_attention_source_get_mask (shown->source, layer);
  const gsize n_queries = hl_attention_source_get_n (shown->source, HL_QUERIES);
  const gsize n_keys = hl_attention_source_get_n (shown->source, HL_KEYS);

  for (gsize i = 0; i < shown->queries.n; i++)
    {
      float *row = map + i * shown->keys.n;
      gsize first, end;

      hl_mask_get_visible (mask, n_queries, n_keys, shown->queries.first + i, &first, &end);
      for (gsize j = 0; j < shown->keys.n; j++)
        {
          const gsize key = shown->keys.first + j;
          if ((key < first || key >= end || hl_weight_is_masked (mask, row[j])) && row[j] == 0)
            row[j] = MASKED;
        }
    }
}

static gboolean
read_layer (HlPageNumbers *self,
            HlPageLayer   *layer,
            const HlShown *shown,
            GCancellable  *cancellable,
            GError       **error)
{
  layer->maps = g_try_new (float, layer->n_heads * self->n_map);
  if (layer->maps == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory for the numbers of the page"));
      return FALSE;
    }
  for (guint i = 0; i < layer->n_heads; i++)
    {
      float *map = layer->maps + i * self->n_map;
      const HlAttentionRequest request = {
        .layer = layer->layer,
        .head = layer->heads[i],
        .first_query = shown->queries.first,
        .n_queries = shown->queries.n,
        .first_key = shown->keys.first,
        .n_keys = shown->keys.n,
        .n_rows = shown->queries.n,
        .n_columns = shown->keys.n,
        .marks_masked = TRUE,
      };
      if (!hl_attention_source_read (shown->source, &request, map, cancellable, error))
        return FALSE;
      for (gsize j = 0; j < self->n_map; j++)
        {
          if (!isfinite (map[j]))
            map[j] = NAN;
          self->min = fmin (self->min, map[j]);
          self->max = fmax (self->max, map[j]);
        }
      mark_masked (shown, layer->layer, map);
    }
  return TRUE;
}

/* By the weights themselves, whatever of them is hidden. */
static gboolean
name_heads (HlPageLayer  *layer,
            HlViewState  *state,
            GCancellable *cancellable,
            GError      **error)
{
  HlAttention *attention = hl_view_state_get_attention (state);
  const HlRange queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (state));
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < layer->n_heads; i++)
    {
      HlHeadStats stats;
      double value;
      if (!hl_head_stats_compute (attention, hl_view_state_get_attention_source (state), layer->layer, layer->heads[i],
                                  queries.first, queries.n, hl_head_name_get_numbers (), &stats, cancellable, error))
        return FALSE;
      const HlHeadName *name = hl_head_name_find_by_stats (&stats, hl_head_used_count_keys (attention), &value);
      g_autofree char *text = name != NULL ? hl_head_name_dup_text (name, value) : g_strdup ("");
      g_strv_builder_add (names, text);
    }
  layer->names = g_strv_builder_end (names);
  return TRUE;
}

/* Reads what is shown: every layer and head, or as much of it as a page holds. */
HlPageNumbers *
hl_page_numbers_new (HlViewState  *state,
                     GCancellable *cancellable,
                     GError      **error)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  const gboolean has_names = hl_view_state_names_heads (state) && shown->comparison == NULL && !shown->merges_heads &&
                             !shown->merges_layers;
  g_autoptr (HlPageNumbers) self = g_new0 (HlPageNumbers, 1);

  self->layers = g_array_new (FALSE, FALSE, sizeof (HlPageLayer));
  g_array_set_clear_func (self->layers, clear_layer);
  self->n_map = shown->queries.n * shown->keys.n;
  if (self->n_map == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("no token is shown"));
      return NULL;
    }
  if (!choose_heads (self, shown, error))
    return NULL;
  for (guint i = 0; i < self->layers->len; i++)
    {
      HlPageLayer *layer = &g_array_index (self->layers, HlPageLayer, i);
      if (!read_layer (self, layer, shown, cancellable, error) ||
          (has_names && !name_heads (layer, state, cancellable, error)))
        return NULL;
    }
  if (hl_attention_source_is_signed (shown->source))
    {
      self->max = fmax (self->max, -self->min);
      self->min = -self->max;
    }
  return g_steal_pointer (&self);
}

/* Whether that head is in it. */
gboolean
hl_page_numbers_have (const HlPageNumbers *self,
                      guint                layer,
                      guint                head)
{
  for (guint i = 0; i < self->layers->len; i++)
    {
      const HlPageLayer *one = &g_array_index (self->layers, HlPageLayer, i);
      for (guint j = 0; one->layer == layer && j < one->n_heads; j++)
        if (one->heads[j] == head)
          return TRUE;
    }
  return FALSE;
}

/* The maps of a layer in base64, little-endian. */
char *
hl_page_numbers_encode (const HlPageNumbers *self,
                        guint                index)
{
  const HlPageLayer *layer = &g_array_index (self->layers, HlPageLayer, index);
  const gsize n = layer->n_heads * self->n_map;
  const double scale = self->max > self->min ? HL_PAGE_STEPS / (self->max - self->min) : 0;
  g_autofree guint16 *steps = g_new (guint16, n);

  for (gsize i = 0; i < n; i++)
    {
      const float number = layer->maps[i];
      const guint16 step = isfinite (number)  ? (guint16) lround ((number - self->min) * scale)
                           : number == MASKED ? HL_PAGE_MASKED
                                              : HL_PAGE_NOT_FINITE;
      steps[i] = GUINT16_TO_LE (step);
    }
  return g_base64_encode ((const guchar *) steps, n * sizeof (guint16));
}
