/* SPDX-License-Identifier: MIT */
/* The small heatmap beside the lines of a head. */
#include "draw/head-view/hl-head-view-map.h"

#include <math.h>

#include "draw/head-view/hl-head-view-layout.h"
#include "draw/lines/hl-line-strength.h"
#include "draw/paint/hl-value-cells.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-write.h"

#define TITLE_SIZE 11
/* From the cells to the middle of what is written beside them. */
#define TITLE_DISTANCE 10

/* Which of the heads leads; G_MAXUINT if it is not among them. */
static guint
find_head (const HlHeadViewData *data,
           const HlShown        *shown)
{
  for (guint i = 0; data != NULL && i < data->n_heads; i++)
    if (data->heads[i].layer == shown->layer && data->heads[i].head == shown->head)
      return i;
  return G_MAXUINT;
}

/* As heatmaps have them: −∞ where a cell is masked. */
static float *
make_values (const HlHeadViewData *data,
             guint                 head)
{
  const float *weights = hl_head_view_data_get_map (data, head);
  const HlMask *mask = hl_attention_source_get_mask (data->source, data->heads[head].layer);
  const gsize n_queries = hl_attention_source_get_n (data->source, HL_QUERIES);
  const gsize n_keys = hl_attention_source_get_n (data->source, HL_KEYS);
  float *values = g_new (float, data->queries.n * data->keys.n);

  for (gsize i = 0; i < data->queries.n; i++)
    for (gsize j = 0; j < data->keys.n; j++)
      {
        const float weight = weights[i * data->keys.n + j];
        const gboolean masked =
          !hl_mask_is_visible (mask, n_queries, n_keys, data->queries.first + i, data->keys.first + j) ||
          hl_weight_is_masked (mask, weight) ||
          /* In a difference, of tokens that only one text has: they must not drown the rest. */
          (data->negated != NULL && isnan (weight));
        values[i * data->keys.n + j] = masked ? -INFINITY : weight;
      }
  return values;
}

static HlValuePaint
get_paint (const HlHeadViewData *data,
           guint                 head,
           const HlSceneFrame   *frame)
{
  return (HlValuePaint){
    .theme = frame->theme,
    .diverging = data->negated != NULL,
    .map = frame->shown->options.colour_map,
    .limit = hl_line_strength_find_greatest (hl_head_view_data_get_map (data, head), data->queries.n * data->keys.n),
  };
}

void
hl_head_view_map_clear (HlHeadViewMap *self)
{
  g_clear_pointer (&self->data, hl_scene_data_unref);
  g_clear_pointer (&self->image, cairo_surface_destroy);
}

static void
update (HlHeadViewMap      *self,
        const HlSceneFrame *frame,
        guint               head)
{
  HlHeadViewData *data = frame->data;
  const HlColourMap colours = frame->shown->options.colour_map;

  if (self->data == data && self->head == head && self->colours == colours && self->dark == frame->theme->dark)
    return;
  hl_head_view_map_clear (self);
  g_autofree float *values = make_values (data, head);
  const HlValueCells cells = { values, data->queries.n, data->keys.n };
  const HlValuePaint paint = get_paint (data, head, frame);
  self->data = hl_scene_data_ref (data);
  self->head = head;
  self->colours = colours;
  self->dark = frame->theme->dark;
  self->image = hl_value_cells_make_image (&cells, &paint, (int) data->keys.n, (int) data->queries.n, 0);
}

static void
draw_image (const HlHeadViewMap    *self,
            const HlHeadViewLayout *layout,
            cairo_t                *cr)
{
  cairo_save (cr);
  cairo_translate (cr, layout->map.x, layout->map.y);
  cairo_scale (cr, layout->map_cell, layout->map_cell);
  cairo_set_source_surface (cr, self->image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, 0, 0, cairo_image_surface_get_width (self->image), cairo_image_surface_get_height (self->image));
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
draw_shapes (const HlSceneFrame *frame,
             guint               head,
             cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlHeadViewData *data = frame->data;
  g_autofree float *values = make_values (data, head);
  const HlValueCells cells = { values, data->queries.n, data->keys.n };
  const HlValuePaint paint = get_paint (data, head, frame);

  hl_value_cells_draw (&cells, &paint, &layout->map, cr);
}

/* What its sides are, and of several heads which it shows. */
static void
draw_titles (HlScene            *scene,
             const HlSceneFrame *frame,
             guint               head,
             cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlHeadViewData *wanted = frame->wanted;
  const HlColour *colour = &frame->theme->muted;
  const HlTextStyle style = { .size = TITLE_SIZE };
  const double middle = layout->map.x + layout->map.width / 2;
  const double before = layout->map.x - TITLE_DISTANCE;
  const double bottom = layout->map.y + layout->map.height;

  hl_scene_write (scene, cr, hl_scene_get_column_title (frame->shown), &style, colour,
                  layout->mirrored ? layout->width - middle : middle, layout->titles_y, 0.5);
  hl_scene_write_upwards (scene, cr, hl_scene_get_row_title (frame->shown), &style, colour,
                          layout->mirrored ? layout->width - before : before, layout->map.y + layout->map.height / 2,
                          0.5);
  if (wanted->n_heads < 2)
    return;
  g_autofree char *name = hl_scene_describe_head (frame->shown, wanted->heads[head].colour);
  hl_scene_write (scene, cr, name, &style, colour, layout->mirrored ? layout->width - middle : middle,
                  bottom + TITLE_DISTANCE + 2, 0.5);
}

/* Where the layout has room for it, and a head leads. */
void
hl_head_view_map_draw (HlHeadViewMap      *self,
                       HlScene            *scene,
                       const HlSceneFrame *frame,
                       cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;
  const guint head = find_head (frame->wanted, frame->shown);

  if (layout->map_cell == 0 || head == G_MAXUINT)
    return;
  draw_titles (scene, frame, head, cr);
  cairo_save (cr);
  cairo_transform (cr, &layout->matrix);
  if (frame->vector || hl_cairo_is_vector (cr))
    {
      if (frame->data != NULL)
        draw_shapes (frame, head, cr);
    }
  else
    {
      if (frame->data != NULL)
        update (self, frame, head);
      /* While a model writes, that of the text so far stays, as its lines do. */
      if (self->image != NULL &&
          (frame->data != NULL || (self->head == head && hl_head_view_data_goes_on (frame->wanted, self->data))))
        draw_image (self, layout, cr);
    }
  hl_cairo_set_colour (cr, &frame->theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, layout->map.x - 0.5, layout->map.y - 0.5, layout->map.width + 1, layout->map.height + 1);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* Around the cell of a pair, the row of a query or the column of a key. */
static void
outline (const HlHeadViewLayout *layout,
         const HlPick           *pick,
         double                  strength,
         cairo_t                *cr)
{
  cairo_rectangle_t box = layout->map;

  if (hl_pick_has (pick, HL_QUERIES))
    {
      box.y += (double) (pick->query - layout->queries.first) * layout->map_cell;
      box.height = layout->map_cell;
    }
  if (hl_pick_has (pick, HL_KEYS))
    {
      box.x += (double) (pick->key - layout->keys.first) * layout->map_cell;
      box.width = layout->map_cell;
    }
  hl_callout_outline (cr, &box, strength);
}

/* Marks what is in focus; its tokens are shown. */
void
hl_head_view_map_draw_marks (const HlSceneFrame *frame,
                             const HlFocus      *focus,
                             double              strength,
                             cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;
  HlPick pick = focus->pick;

  if (layout->map_cell == 0 || find_head (frame->data, frame->shown) == G_MAXUINT)
    return;
  cairo_save (cr);
  cairo_transform (cr, &layout->matrix);
  if (pick.kind == HL_PICK_CELL)
    outline (layout, &pick, strength, cr);
  else
    {
      const HlSide side = hl_pick_get_side (&pick);
      gsize n;
      g_autofree gsize *tokens = hl_focus_list_tokens (focus, side, &n);
      for (gsize i = 0; i < n; i++)
        {
          pick.tokens[side] = tokens[i];
          outline (layout, &pick, strength, cr);
        }
    }
  cairo_restore (cr);
}

/* The pair whose cell is there, if one is. */
void
hl_head_view_map_pick (const HlSceneFrame *frame,
                       double              x,
                       double              y,
                       HlPick             *pick)
{
  const HlHeadViewLayout *layout = frame->layout;
  cairo_matrix_t inverse = layout->matrix;

  if (layout->map_cell == 0 || find_head (frame->data, frame->shown) == G_MAXUINT)
    return;
  cairo_matrix_invert (&inverse);
  cairo_matrix_transform_point (&inverse, &x, &y);
  x -= layout->map.x;
  y -= layout->map.y;
  if (x >= 0 && y >= 0 && x < layout->map.width && y < layout->map.height)
    *pick = (HlPick){ HL_PICK_CELL,
                      .query = layout->queries.first + MIN ((gsize) (y / layout->map_cell), layout->queries.n - 1),
                      .key = layout->keys.first + MIN ((gsize) (x / layout->map_cell), layout->keys.n - 1) };
}
