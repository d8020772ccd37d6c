/* SPDX-License-Identifier: MIT */
/* Numbers as coloured cells. Where several share a pixel, the one farthest from zero is seen. */
#include "draw/paint/hl-value-cells.h"

#include "core/source/hl-pool.h"
#include "draw/paint/hl-diverging-map.h"

/* On paper up to so many cells are shapes of their own; more are an image. */
#define MAX_SHAPES 8192

/* Logical pixels from one stripe of masked cells to the next. */
#define HATCH 7

guint32
hl_value_paint_get_pixel (const HlValuePaint *self,
                          float               value)
{
  const double t = self->limit > 0 ? value / self->limit : value != value ? value : 0;

  return self->diverging ? hl_diverging_map_lookup (self->theme->dark, t)
                         : hl_colour_map_lookup (self->map, self->theme->dark, t);
}

HlBlankCells
hl_blank_cells_of (const HlTheme *theme,
                   guint          period)
{
  return (HlBlankCells){
    .masked = hl_colour_to_pixel (&theme->masked),
    .hatch = hl_colour_to_pixel (&theme->hatch),
    .ground = hl_colour_to_pixel (&theme->background),
    .ink = hl_colour_to_pixel (&theme->muted),
    .period = period,
  };
}

/* In the colours of a map, or of numbers that have a sign in the diverging ones. */
void
hl_value_cells_colour_row (HlColourMap         map,
                           const HlTheme      *theme,
                           const HlValueScale *scale,
                           const float        *values,
                           gsize               n,
                           double              row_max,
                           guint32            *colours)
{
  g_autofree float *positions = g_new (float, n);

  hl_value_scale_map_row (scale, values, n, row_max, positions);
  if (scale->is_signed)
    hl_diverging_map_fill_row (theme->dark, positions, n, colours);
  else
    hl_colour_map_fill_row (map, theme->dark, positions, n, colours);
}

static void
pool_line (const HlValueCells *self,
           int                 y,
           int                 width,
           int                 height,
           float              *line)
{
  const gsize row = hl_pool_get_bin_start ((gsize) y, (gsize) height, self->n_rows);
  const gsize end = hl_pool_get_bin_start ((gsize) y + 1, (gsize) height, self->n_rows);

  for (int x = 0; x < width; x++)
    line[x] = -INFINITY;
  for (gsize i = row; i < MAX (end, row + 1); i++)
    hl_pool_fold_row (self->values + i * self->n_columns, self->n_columns, line, (gsize) width);
}

/* Without a scale, 0, masked cells have no stripes. */
cairo_surface_t *
hl_value_cells_make_image (const HlValueCells *self,
                           const HlValuePaint *paint,
                           int                 width,
                           int                 height,
                           double              scale)
{
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  guint8 *target = cairo_image_surface_get_data (image);
  const int stride = cairo_image_surface_get_stride (image);
  const HlBlankCells blank = hl_blank_cells_of (paint->theme, scale > 0 ? MAX (6, (guint) lround (HATCH * scale)) : 0);
  g_autofree float *line = g_new (float, MAX (width, 1));

  g_return_val_if_fail (target != NULL, image);

  for (int y = 0; y < height; y++)
    {
      guint32 *pixels = (guint32 *) (target + (gsize) y * stride);

      pool_line (self, y, width, height, line);
      for (int x = 0; x < width; x++)
        if (line[x] == -INFINITY)
          pixels[x] = hl_blank_cells_get_masked (&blank, x, y);
        else if (line[x] != line[x])
          pixels[x] = hl_blank_cells_get_nan (&blank, x, y);
        else
          pixels[x] = hl_value_paint_get_pixel (paint, line[x]);
    }
  cairo_surface_mark_dirty (image);
  return image;
}

static void
draw_shapes (const HlValueCells      *self,
             const HlValuePaint      *paint,
             const cairo_rectangle_t *box,
             cairo_t                 *cr)
{
  const double width = box->width / self->n_columns;
  const double height = box->height / self->n_rows;

  for (gsize i = 0; i < self->n_rows; i++)
    for (gsize j = 0; j < self->n_columns; j++)
      {
        const float value = self->values[i * self->n_columns + j];
        const guint32 pixel = value == -INFINITY ? hl_colour_to_pixel (&paint->theme->masked)
                              : value != value   ? hl_colour_to_pixel (&paint->theme->muted)
                                                 : hl_value_paint_get_pixel (paint, value);

        cairo_set_source_rgb (cr, (pixel >> 16 & 0xFF) / 255.0, (pixel >> 8 & 0xFF) / 255.0, (pixel & 0xFF) / 255.0);
        /* Under the neighbours that follow, so that no paper shines through the seams. */
        cairo_rectangle (cr, box->x + j * width, box->y + i * height, width + (j + 1 < self->n_columns ? width / 4 : 0),
                         height + (i + 1 < self->n_rows ? height / 4 : 0));
        cairo_fill (cr);
      }
}

/* Stripes over what is masked, as lines: the pixels of an image on paper are cells. */
static void
draw_hatch (const HlValueCells      *self,
            const HlValuePaint      *paint,
            const cairo_rectangle_t *box,
            cairo_t                 *cr)
{
  const double width = box->width / self->n_columns;
  const double height = box->height / self->n_rows;
  gboolean any = FALSE;

  cairo_save (cr);
  cairo_new_path (cr);
  for (gsize i = 0; i < self->n_rows; i++)
    for (gsize j = 0, end; j < self->n_columns; j = end + 1)
      {
        for (end = j; end < self->n_columns && self->values[i * self->n_columns + end] == -INFINITY; end++)
          any = TRUE;
        if (end > j)
          cairo_rectangle (cr, box->x + j * width, box->y + i * height, (end - j) * width, height);
      }
  if (any)
    {
      cairo_clip (cr);
      hl_cairo_set_colour (cr, &paint->theme->hatch, 1);
      cairo_set_line_width (cr, 0.8);
      for (double offset = -box->height; offset < box->width; offset += HATCH)
        {
          cairo_move_to (cr, box->x + offset, box->y + box->height);
          cairo_line_to (cr, box->x + offset + box->height, box->y);
        }
      cairo_stroke (cr);
    }
  cairo_restore (cr);
}

/* Draws the cells onto paper: as shapes if they are few enough, else as an image whose pixels are cells. */
void
hl_value_cells_draw (const HlValueCells      *self,
                     const HlValuePaint      *paint,
                     const cairo_rectangle_t *box,
                     cairo_t                 *cr)
{
  if (self->n_rows == 0 || self->n_columns == 0)
    return;
  if (self->n_rows * self->n_columns <= MAX_SHAPES)
    draw_shapes (self, paint, box, cr);
  else
    {
      g_autoptr (cairo_surface_t)
        image = hl_value_cells_make_image (self, paint, (int) self->n_columns, (int) self->n_rows, 0);

      cairo_save (cr);
      cairo_translate (cr, box->x, box->y);
      cairo_scale (cr, box->width / self->n_columns, box->height / self->n_rows);
      cairo_set_source_surface (cr, image, 0, 0);
      cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
      cairo_rectangle (cr, 0, 0, self->n_columns, self->n_rows);
      cairo_fill (cr);
      cairo_restore (cr);
    }
  draw_hatch (self, paint, box, cr);
}
