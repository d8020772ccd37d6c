/* SPDX-License-Identifier: MIT */
/*
 * The extremes of a head that stands beside another. Both pictures ask for both heads; what one has found the other
 * need not find again, so that a source remembers the last ones.
 */
#include "draw/heatmap/hl-heatmap-extremes.h"

#include <math.h>

/* Heads whose extremes a source remembers. */
#define N_REMEMBERED 8

typedef struct
{
  HlHeatmapPart part; /* the source itself is not kept: this belongs to it */
  HlHeatmapExtremes extremes;
} Entry;

typedef struct
{
  Entry entries[N_REMEMBERED];
  guint n;
  guint next;
} Memory;

static GMutex mutex;
static G_DEFINE_QUARK (hl-heatmap-extremes, memory)

/**
 * hl_heatmap_part_of:
 * @state: what is shown
 *
 * Returns: the part of a head that a heatmap of it shows
 */
HlHeatmapPart
hl_heatmap_part_of (HlViewState *state)
{
  return (HlHeatmapPart){
    .source = hl_view_state_get_shown_source (state),
    .layer = hl_view_state_get_shown_layer (state),
    .head = hl_view_state_get_shown_head (state),
    .queries = hl_view_state_get_shown_queries (state),
    .keys = hl_view_state_get_shown_keys (state),
  };
}

/**
 * hl_heatmap_part_equal:
 * @a: a part
 * @b: another
 *
 * Returns: whether both are of the same weights
 */
gboolean
hl_heatmap_part_equal (const HlHeatmapPart *a,
                       const HlHeatmapPart *b)
{
  if (a->source == NULL || b->source == NULL)
    return a->source == b->source;
  return a->source == b->source && a->layer == b->layer && a->head == b->head &&
         hl_range_equal (a->queries, b->queries) && hl_range_equal (a->keys, b->keys);
}

/**
 * hl_heatmap_extremes_join:
 * @self: extremes
 * @other: others
 *
 * Widens them by the others.
 */
void
hl_heatmap_extremes_join (HlHeatmapExtremes       *self,
                          const HlHeatmapExtremes *other)
{
  self->min = MIN (self->min, other->min);
  self->min_positive = MIN (self->min_positive, other->min_positive);
  self->max = MAX (self->max, other->max);
}

/* With the mutex held. */
static const Entry *
recall (const HlHeatmapPart *part)
{
  const Memory *memory = g_object_get_qdata (G_OBJECT (part->source), memory_quark ());

  for (guint i = 0; memory != NULL && i < memory->n; i++)
    if (hl_heatmap_part_equal (&memory->entries[i].part, part))
      return &memory->entries[i];
  return NULL;
}

/**
 * hl_heatmap_extremes_remember:
 * @part: a part of a head
 * @extremes: its extremes, from whoever read it
 *
 * Spares hl_heatmap_extremes_find() the reading. From any thread.
 */
void
hl_heatmap_extremes_remember (const HlHeatmapPart     *part,
                              const HlHeatmapExtremes *extremes)
{
  g_return_if_fail (HL_IS_ATTENTION_SOURCE (part->source));

  g_mutex_lock (&mutex);
  if (recall (part) == NULL)
    {
      Memory *memory = g_object_get_qdata (G_OBJECT (part->source), memory_quark ());
      if (memory == NULL)
        {
          memory = g_new0 (Memory, 1);
          g_object_set_qdata_full (G_OBJECT (part->source), memory_quark (), memory, g_free);
        }
      memory->entries[memory->next] = (Entry){ *part, *extremes };
      memory->next = (memory->next + 1) % N_REMEMBERED;
      memory->n = MIN (memory->n + 1, N_REMEMBERED);
    }
  g_mutex_unlock (&mutex);
}

/**
 * hl_heatmap_extremes_find:
 * @part: a part of a head
 * @extremes: (out): its extremes
 * @cancellable: (nullable): stops it
 * @error: as hl_attention_source_examine()
 *
 * Recalls the extremes, or reads the part for them. From any thread.
 *
 * Returns: whether @extremes was filled
 */
gboolean
hl_heatmap_extremes_find (const HlHeatmapPart  *part,
                          HlHeatmapExtremes    *extremes,
                          GCancellable         *cancellable,
                          GError              **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (part->source), FALSE);

  g_mutex_lock (&mutex);
  const Entry *entry = recall (part);
  const gboolean recalled = entry != NULL;
  if (recalled)
    *extremes = entry->extremes;
  g_mutex_unlock (&mutex);
  if (recalled)
    return TRUE;

  *extremes = (HlHeatmapExtremes) HL_HEATMAP_EXTREMES_INIT;
  if (part->queries.n > 0 && part->keys.n > 0)
    {
      const HlAttentionRequest request = {
        .layer = part->layer,
        .head = part->head,
        .first_query = part->queries.first,
        .n_queries = part->queries.n,
        .first_key = part->keys.first,
        .n_keys = part->keys.n,
        .n_rows = 1,
        .n_columns = 1,
      };
      g_autofree HlRowExtremes *rows = g_new (HlRowExtremes, part->queries.n);
      if (!hl_attention_source_examine (part->source, &request, NULL, rows, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < part->queries.n; i++)
        {
          const HlHeatmapExtremes row = { rows[i].min, rows[i].min_positive, rows[i].max };
          hl_heatmap_extremes_join (extremes, &row);
        }
    }
  hl_heatmap_extremes_remember (part, extremes);
  return TRUE;
}
