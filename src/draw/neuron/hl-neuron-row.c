/* SPDX-License-Identifier: MIT */
/*
 * One query of the neuron view: its features, those of the keys in view, their products, and the numbers that follow
 * from them.
 */
#include "draw/neuron/hl-neuron-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-value-cells.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/steps/hl-step-text.h"
#include "view/hl-weight-text.h"

/* On paper up to so many features are shapes of their own; more are an image a row. */
#define MAX_SHAPES 8192

static const HlTextStyle title_style = { .size = 11 };
static const HlTextStyle number_style = { .size = 11 };

/* The rows of @cells, one under the other as tokens are, the first with its middle at @y. */
static void
draw_strips (HlNeuronScene        *self,
             const HlNeuronLayout *layout,
             const HlValueCells   *cells,
             double                limit,
             double                x,
             double                y,
             cairo_t              *cr)
{
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (hl_scene_get_state (HL_SCENE (self)))->dark);
  const HlValuePaint paint = { .theme = theme, .diverging = TRUE, .limit = limit };
  const gboolean as_shapes = hl_scene_get_vector (HL_SCENE (self)) && cells->n_rows * cells->n_columns <= MAX_SHAPES;
  const int width = hl_scene_get_vector (HL_SCENE (self)) ? (int) cells->n_columns
                                                          : MAX (1, (int) lround (layout->strip_width * layout->scale));
  g_autoptr (cairo_surface_t) image =
    as_shapes ? NULL : hl_value_cells_make_image (cells, &paint, width, (int) cells->n_rows, 0);

  for (gsize row = 0; row < cells->n_rows; row++)
    {
      const double top = hl_cairo_snap (y + row * layout->base.row_height - layout->strip_height / 2, layout->scale);
      const cairo_rectangle_t box = { hl_cairo_snap (x, layout->scale), top, layout->strip_width,
                                      layout->strip_height };

      if (as_shapes)
        {
          const HlValueCells one = { cells->values + row * cells->n_columns, 1, cells->n_columns };
          hl_value_cells_draw (&one, &paint, &box, cr);
          continue;
        }
      cairo_save (cr);
      cairo_rectangle (cr, box.x, box.y, box.width, box.height);
      cairo_clip (cr);
      cairo_translate (cr, box.x, box.y - row * box.height);
      cairo_scale (cr, box.width / width, box.height);
      cairo_set_source_surface (cr, image, 0, 0);
      cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
      cairo_paint (cr);
      cairo_restore (cr);
    }
}

static float *
make_terms (const HlHeadSteps *steps,
            gsize              query,
            gsize              first_key,
            gsize              n_keys)
{
  const float *q = hl_head_steps_get_query (steps, query);
  float *terms = g_new (float, MAX (n_keys * steps->n_features, 1));

  for (gsize i = 0; i < n_keys; i++)
    {
      const float *k = hl_head_steps_get_key (steps, first_key + i);
      for (gsize j = 0; j < steps->n_features; j++)
        terms[i * steps->n_features + j] = q[j] * k[j];
    }
  return terms;
}

static void
draw_weight (HlNeuronScene        *self,
             const HlNeuronLayout *layout,
             const HlTheme        *theme,
             double                y,
             float                 weight,
             cairo_t              *cr)
{
  const HlColour colour =
    hl_palette_get_head_colour (hl_view_state_get_head (hl_scene_get_state (HL_SCENE (self))), theme->dark);
  const double height = MIN (layout->strip_height, 12);
  const double share = self->row.greatest > 0 && weight > 0 ? weight / self->row.greatest : 0;
  char number[HL_WEIGHT_TEXT_SIZE];

  hl_cairo_set_colour (cr, &colour, 1);
  cairo_rectangle (cr, layout->weight_x, y - height / 2, share * layout->weight_width, height);
  cairo_fill (cr);
  if (layout->base.row_height >= 12)
    hl_scene_write (HL_SCENE (self), cr, hl_weight_text_format (weight, number), &number_style, &theme->foreground,
                    layout->weight_x + layout->weight_width + 6, y, 0);
}

static void
draw_masked (HlNeuronScene        *self,
             const HlNeuronLayout *layout,
             const HlTheme        *theme,
             double                y,
             cairo_t              *cr)
{
  const double height = MIN (layout->strip_height, 12);
  const double x = layout->weight_x;

  cairo_save (cr);
  hl_cairo_set_colour (cr, &theme->masked, 1);
  cairo_rectangle (cr, x, y - height / 2, layout->weight_width, height);
  cairo_fill (cr);
  cairo_rectangle (cr, x, y - height / 2, layout->weight_width, height);
  cairo_clip (cr);
  hl_cairo_set_colour (cr, &theme->hatch, 1);
  cairo_set_line_width (cr, 0.8);
  for (double offset = -height; offset < layout->weight_width; offset += 6)
    {
      cairo_move_to (cr, x + offset, y + height / 2);
      cairo_line_to (cr, x + offset + height, y - height / 2);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
  if (layout->base.row_height >= 12)
    hl_scene_write (HL_SCENE (self), cr, _ ("masked"), &number_style, &theme->muted, x + layout->weight_width + 6, y,
                    0);
}

static void
draw_numbers (HlNeuronScene        *self,
              const HlNeuronLayout *layout,
              const HlTheme        *theme,
              gsize                 row,
              cairo_t              *cr)
{
  const HlHeadSteps *steps = self->row.data->steps;
  const gsize key = layout->base.keys.first + row;
  const double y = hl_head_view_layout_get_row_y (&layout->base, row);
  const gboolean visible =
    hl_mask_is_visible (&steps->rule.mask, steps->n_queries, steps->n_keys, self->row.query, key);
  const HlColour *ink = visible ? &theme->foreground : &theme->muted;
  char number[HL_SCORE_TEXT_SIZE];

  if (layout->base.row_height >= 12)
    {
      hl_scene_write (HL_SCENE (self), cr, hl_score_text_format_short (self->row.products[key], number), &number_style,
                      ink, layout->product_x, y, 1);
      hl_scene_write (HL_SCENE (self), cr, hl_score_text_format_short (self->row.scores[key], number), &number_style,
                      ink, layout->score_x, y, 1);
    }
  if (visible)
    draw_weight (self, layout, theme, y, self->row.weights[key], cr);
  else
    draw_masked (self, layout, theme, y, cr);
}

/* A title, and how large the numbers are that the strongest colours stand for. */
static void
draw_strip_title (HlNeuronScene        *self,
                  const HlNeuronLayout *layout,
                  const HlTheme        *theme,
                  const char           *name,
                  double                limit,
                  double                x,
                  cairo_t              *cr)
{
  char number[HL_SCORE_TEXT_SIZE];
  g_autofree char *title = g_strdup_printf ("%s  ±%s", name, hl_score_text_format (limit, number));
  const gboolean fits = hl_scene_measure_text (HL_SCENE (self), title, &title_style) <= layout->strip_width + 12;

  hl_scene_write (HL_SCENE (self), cr, fits ? title : name, &title_style, &theme->muted, x, layout->base.titles_y, 0);
}

static void
draw_titles (HlNeuronScene        *self,
             const HlNeuronLayout *layout,
             const HlTheme        *theme,
             cairo_t              *cr)
{
  const double y = layout->base.titles_y;

  draw_strip_title (self, layout, theme, "q", self->row.query_limit, layout->query_x, cr);
  draw_strip_title (self, layout, theme, "k", self->row.data->key_limit, layout->key_x, cr);
  draw_strip_title (self, layout, theme, "q × k", self->row.term_limit, layout->term_x, cr);
  hl_scene_write (HL_SCENE (self), cr, "q · k", &title_style, &theme->muted, layout->product_x, y, 1);
  /* Translators: title of a column of numbers that the softmax is made of */
  hl_scene_write (HL_SCENE (self), cr, _ ("score"), &title_style, &theme->muted, layout->score_x, y, 1);
  hl_scene_write (HL_SCENE (self), cr, _ ("softmax"), &title_style, &theme->muted, layout->weight_x, y, 0);
}

/**
 * hl_neuron_scene_draw_row: (skip)
 * @self: a neuron view whose row is that of the query to show
 * @layout: where everything is
 * @cr: where to
 */
void
hl_neuron_scene_draw_row (HlNeuronScene        *self,
                          const HlNeuronLayout *layout,
                          cairo_t              *cr)
{
  const HlHeadViewLayout *base = &layout->base;
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (hl_scene_get_state (HL_SCENE (self)))->dark);
  const HlHeadSteps *steps = self->row.data->steps;
  gsize first, end;

  draw_titles (self, layout, theme, cr);
  hl_head_view_layout_get_rows_seen (base, base->keys.n, &first, &end);
  if (first >= end)
    return;

  const gsize key = base->keys.first + first;
  const double y = hl_head_view_layout_get_row_y (base, first);
  g_autofree float *terms = make_terms (steps, self->row.query, key, end - first);
  const HlValueCells query_cells = { hl_head_steps_get_query (steps, self->row.query), 1, steps->n_features };
  const HlValueCells key_cells = { hl_head_steps_get_key (steps, key), end - first, steps->n_features };
  const HlValueCells term_cells = { terms, end - first, steps->n_features };

  cairo_save (cr);
  cairo_rectangle (cr, 0, base->header_height, base->width, MAX (0, base->height - base->header_height));
  cairo_clip (cr);
  draw_strips (self, layout, &key_cells, self->row.data->key_limit, layout->key_x, y, cr);
  draw_strips (self, layout, &term_cells, self->row.term_limit, layout->term_x, y, cr);
  draw_strips (self, layout, &query_cells, self->row.query_limit, layout->query_x,
               hl_neuron_layout_get_query_y (layout, self->row.query - base->queries.first), cr);
  for (gsize row = first; row < end; row++)
    draw_numbers (self, layout, theme, row, cr);
  cairo_restore (cr);
}
