/* SPDX-License-Identifier: MIT */
/* The weights that a heatmap knows: all of a head that is kept; of larger ones those in view and in focus. */
#include "draw/heatmap/hl-heatmap-private.h"

/* Pixels of a side of the image of cells on paper. */
#define MAX_IMAGE 4096

/**
 * hl_heatmap_scene_get_line_pick: (skip)
 * @self: a heatmap
 *
 * Returns: the query whose row, or the key whose column, is to be known; nothing if none is
 */
HlPick
hl_heatmap_scene_get_line_pick (HlHeatmapScene *self)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const HlPick *hovered = hl_view_state_get_hovered (state);
  const HlPick *focus = hl_view_state_get_focus (state);
  const HlPick *pick = hovered->kind == HL_PICK_CELL ? hovered : focus;

  if (pick->kind == HL_PICK_KEY)
    return *pick;
  if (pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_CELL)
    return (HlPick){ HL_PICK_QUERY, .query = pick->query };
  return (HlPick){ HL_PICK_NONE };
}

/**
 * hl_heatmap_scene_get_weight: (skip)
 * @self: a heatmap
 * @data: the head that is shown
 * @row: counted from the first query that is shown
 * @column: counted from the first key that is shown
 * @weight: (out): the weight
 *
 * Returns: whether it is known; of large heads only what is in view or in focus is
 */
gboolean
hl_heatmap_scene_get_weight (HlHeatmapScene      *self,
                             const HlHeatmapData *data,
                             gsize                row,
                             gsize                column,
                             float               *weight)
{
  const HlHeatmapRegion *region = self->region;

  if (data->weights != NULL)
    {
      *weight = data->weights[row * data->keys.n + column];
      return TRUE;
    }
  if (self->line.pick.kind == HL_PICK_QUERY && self->line.pick.query == data->queries.first + row)
    {
      *weight = self->line.values[column];
      return TRUE;
    }
  if (self->line.pick.kind == HL_PICK_KEY && self->line.pick.key == data->keys.first + column)
    {
      *weight = self->line.values[row];
      return TRUE;
    }
  if (region != NULL && region->data == data && region->cell >= 1 && row - region->rows.first < region->rows.n &&
      column - region->columns.first < region->columns.n)
    {
      *weight = region->values[(row - region->rows.first) * region->n_columns + column - region->columns.first];
      return TRUE;
    }
  return FALSE;
}

/**
 * hl_heatmap_scene_make_row: (skip)
 * @self: a heatmap
 * @data: the head that is shown
 * @pick: a query or a key that is shown
 *
 * Returns: (transfer full) (nullable): its weights, %NULL if they are not known yet
 */
float *
hl_heatmap_scene_make_row (HlHeatmapScene      *self,
                           const HlHeatmapData *data,
                           const HlPick        *pick)
{
  const gboolean is_row = pick->kind == HL_PICK_QUERY;
  const gsize n = is_row ? data->keys.n : data->queries.n;
  float *values;

  if (data->weights == NULL && !hl_pick_equal (&self->line.pick, pick))
    return NULL;
  if (data->weights == NULL)
    return g_memdup2 (self->line.values, n * sizeof (float));

  values = g_new (float, MAX (n, 1));
  for (gsize i = 0; i < n; i++)
    values[i] = is_row ? data->weights[(pick->query - data->queries.first) * data->keys.n + i]
                       : data->weights[i * data->keys.n + pick->key - data->keys.first];
  return values;
}

/**
 * hl_heatmap_scene_get_region_wanted: (skip)
 * @self: a heatmap
 * @layout: where everything is
 * @data: (nullable): the head that is shown
 * @cell: (out): pixels a cell is to take
 * @pixels: (out): which pixels
 *
 * Which weights must be at hand besides the tiles: for shapes on paper, or for numbers in cells.
 *
 * Returns: whether any must be
 */
gboolean
hl_heatmap_scene_get_region_wanted (HlHeatmapScene        *self,
                                    const HlHeatmapLayout *layout,
                                    const HlHeatmapData   *data,
                                    double                *cell,
                                    HlHeatmapPixels       *pixels)
{
  const gboolean for_numbers = layout->cell >= HL_HEATMAP_MIN_NUMBER_CELL && data != NULL && data->weights == NULL;
  HlRange rows, columns;

  if (!hl_scene_get_vector (HL_SCENE (self)) && !for_numbers)
    return FALSE;
  hl_heatmap_layout_get_cells (layout, &rows, &columns);
  if (rows.n == 0 || columns.n == 0)
    return FALSE;
  *cell = MIN (1, MAX_IMAGE / (double) MAX (rows.n, columns.n));
  pixels->x = (gint64) floor (columns.first * *cell);
  pixels->y = (gint64) floor (rows.first * *cell);
  pixels->width = (gint64) ceil ((columns.first + columns.n) * *cell) - pixels->x;
  pixels->height = (gint64) ceil ((rows.first + rows.n) * *cell) - pixels->y;
  return TRUE;
}
