/* SPDX-License-Identifier: MIT */
/*
 * Lines are followed from column to column, a strip of columns at a time: what of a strip is worked on stays in the
 * processor's cache, and pixels above one another, which a line covers together, lie side by side in memory.
 */
#include "draw/lines/hl-line-bundle.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-kernel.h"
#include "draw/lines/hl-line-raster.h"
#include "draw/paint/hl-cairo.h"

/* Straight pieces of a curve: a rise of 700 pixels is off by a quarter of a pixel. */
#define N_PIECES 48

/* Columns of a strip of straight lines: as many pixels as a line of the cache holds. */
#define STRIP 16

/* Pixels of a column are worked out so many at a time; a line in a column rarely covers more. */
#define STEP 8

/* In pixels from the corner of the picture. */
typedef struct
{
  double y_query, y_key;
  double width;
  HlColour colour;
} Line;

struct _HlLineBundle
{
  double left, top, scale; /* of the picture, in user units */
  double x_query, x_key;   /* in pixels */
  int n_columns, n_rows;
  gboolean curved;
  gboolean many_colours;
  GArray *lines;
};

/* What is between two abscissas, in planes of one column behind the other; of one colour there is only the first. */
typedef struct
{
  double left, right;
  int first, end;  /* columns */
  int top, bottom; /* rows that may hold something, the last of them included */
  gsize stride;
  float *opacity;
  float *colours[3]; /* multiplied by the opacity */
  guint32 *pixels;
} Strip;

HlLineBundle *
hl_line_bundle_new (double   x_query,
                    double   x_key,
                    double   top,
                    double   height,
                    double   scale,
                    gboolean curved)
{
  HlLineBundle *self = g_new0 (HlLineBundle, 1);

  /* Between two device pixels, so that the picture is not blurred. */
  self->left = floor (x_query * scale) / scale;
  self->top = top;
  self->scale = scale;
  self->x_query = (x_query - self->left) * scale;
  self->x_key = (x_key - self->left) * scale;
  self->n_columns = (int) ceil (self->x_key);
  self->n_rows = (int) ceil (height * scale);
  self->curved = curved;
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  return self;
}

void
hl_line_bundle_free (HlLineBundle *self)
{
  g_array_unref (self->lines);
  g_free (self);
}

static gboolean
is_same_hue (const HlColour *a,
             const HlColour *b)
{
  return a->r == b->r && a->g == b->g && a->b == b->b;
}

void
hl_line_bundle_add (HlLineBundle   *self,
                    double          y_query,
                    double          y_key,
                    double          width,
                    const HlColour *colour)
{
  const Line line = { (y_query - self->top) * self->scale, (y_key - self->top) * self->scale, width * self->scale,
                      *colour };

  self->many_colours |= self->lines->len > 0 && !is_same_hue (colour, &g_array_index (self->lines, Line, 0).colour);
  g_array_append_val (self->lines, line);
}

static double
get_y (const HlLineBundle *self,
       const Line         *line,
       double              x)
{
  const double t = (x - self->x_query) / (self->x_key - self->x_query);

  return line->y_query + (line->y_key - line->y_query) * (self->curved ? hl_line_ease (t) : t);
}

/*
 * How much of what begins at 0 lies before @t, when over the width of a column its beginning moves by @rise around 0.
 * Written as processors have it: without branches, which nobody could predict.
 */
static inline float
get_ramp (float t,
          float rise,
          float per_2_rise)
{
  const float from_begin = t + rise / 2, from_end = t - rise / 2;
  const float above = from_begin > 0 ? from_begin : 0;
  const float inside = above < rise ? above : rise;
  const float beyond = from_end > 0 ? from_end : 0;

  return inside * inside * per_2_rise + beyond;
}

/* Over what is there, as much of a colour as of each pixel is covered. */
static inline void
blend (float *restrict       plane,
       const float *restrict covered,
       float                 colour)
{
#pragma omp simd
  for (int k = 0; k < STEP; k++)
    plane[k] += covered[k] * (colour - plane[k]);
}

/* A straight piece of a line over what is there. */
HL_KERNEL static void
add_piece (Strip      *strip,
           const Line *line,
           int         n_rows,
           double      y,
           double      end_y)
{
  const double slope = (end_y - y) / (strip->right - strip->left);
  const float rise = (float) MAX (fabs (slope), 1e-3);
  const float half = (float) (line->width / 2 * sqrt (1 + slope * slope));
  const float reach = half + rise / 2;
  const float per_2_rise = 1 / (2 * rise);
  const HlColour colour = line->colour;
  const double left = strip->left, right = strip->right;
  int highest = strip->top, lowest = strip->bottom;

  if (MAX (y, end_y) + reach + rise < 0 || MIN (y, end_y) - reach - rise > n_rows)
    return;
  for (int x = strip->first; x < strip->end; x++)
    {
      const float middle = (float) (y + (x + 0.5 - left) * slope);
      const int top = (int) MAX (0, middle - reach);
      const int bottom = (int) MIN ((float) n_rows - 1, middle + reach);
      /* The first and the last column may be covered in part. */
      const float part = colour.a * (float) (MIN (right, x + 1) - MAX (left, x));
      if (bottom < top)
        continue;
      highest = MIN (highest, top);
      lowest = MAX (lowest, bottom);
      for (int first = top; first <= bottom; first += STEP)
        {
          const gsize at = (gsize) (x - strip->first) * strip->stride + (gsize) first;
          const float before = (float) first - middle;
          float covered[STEP];

#pragma omp simd
          for (int k = 0; k < STEP; k++)
            {
              const float t = before + (float) k;
              covered[k] = part *
                           (get_ramp (t + 1 + half, rise, per_2_rise) - get_ramp (t + 1 - half, rise, per_2_rise) -
                            get_ramp (t + half, rise, per_2_rise) + get_ramp (t - half, rise, per_2_rise));
            }
          blend (strip->opacity + at, covered, 1);
          if (strip->colours[0] == NULL)
            continue;
          blend (strip->colours[0] + at, covered, colour.r);
          blend (strip->colours[1] + at, covered, colour.g);
          blend (strip->colours[2] + at, covered, colour.b);
        }
    }
  strip->top = highest;
  strip->bottom = lowest;
}

/* As cairo has pixels. Parts of what rounding made too large or too small are not. */
static inline guint32
pack (float opacity,
      float r,
      float g,
      float b)
{
  const int alpha = (int) (CLAMP (opacity, 0, 1) * 255 + 0.5f);
  const int red = (int) (CLAMP (r, 0, opacity) * 255 + 0.5f);
  const int green = (int) (CLAMP (g, 0, opacity) * 255 + 0.5f);
  const int blue = (int) (CLAMP (b, 0, opacity) * 255 + 0.5f);

  return (guint32) alpha << 24 | (guint32) red << 16 | (guint32) green << 8 | (guint32) blue;
}

HL_KERNEL static void
pack_strip (const Strip    *strip,
            const HlColour *hue)
{
  const int n = strip->bottom - strip->top + 1;

  for (int x = strip->first; x < strip->end; x++)
    {
      const gsize at = (gsize) (x - strip->first) * strip->stride + (gsize) strip->top;
      const float *opacity = strip->opacity + at;
      guint32 *pixels = strip->pixels + at;

      if (strip->colours[0] == NULL)
        {
#pragma omp simd
          for (int k = 0; k < n; k++)
            pixels[k] = pack (opacity[k], hue->r * opacity[k], hue->g * opacity[k], hue->b * opacity[k]);
          continue;
        }
      const float *r = strip->colours[0] + at, *g = strip->colours[1] + at, *b = strip->colours[2] + at;
#pragma omp simd
      for (int k = 0; k < n; k++)
        pixels[k] = pack (opacity[k], r[k], g[k], b[k]);
    }
}

/* Columns become columns of a picture, or rows of one that is turned. */
static void
copy_strip (const Strip     *strip,
            gboolean         turned,
            cairo_surface_t *target)
{
  guint8 *data = cairo_image_surface_get_data (target);
  const gsize row = (gsize) cairo_image_surface_get_stride (target);
  const int n_columns = strip->end - strip->first;

  if (turned)
    {
      for (int x = 0; x < n_columns; x++)
        memcpy (data + (gsize) (strip->first + x) * row + (gsize) strip->top * sizeof (guint32),
                strip->pixels + (gsize) x * strip->stride + strip->top,
                (gsize) (strip->bottom - strip->top + 1) * sizeof (guint32));
      return;
    }
  for (int y = strip->top; y <= strip->bottom; y++)
    {
      guint32 *pixels = (guint32 *) (gpointer) (data + (gsize) y * row) + strip->first;
      for (int x = 0; x < n_columns; x++)
        pixels[x] = strip->pixels[(gsize) x * strip->stride + (gsize) y];
    }
}

static void
draw_strip (const HlLineBundle *self,
            Strip              *strip,
            gboolean            turned,
            cairo_surface_t    *target)
{
  const Line *lines = (const Line *) (gpointer) self->lines->data;
  const gsize n = (gsize) (strip->end - strip->first) * strip->stride;

  strip->top = self->n_rows;
  strip->bottom = -1;
  memset (strip->opacity, 0, (self->many_colours ? 4 : 1) * n * sizeof (float));
  for (guint i = 0; self->many_colours && i < 3; i++)
    strip->colours[i] = strip->opacity + (i + 1) * n;
  for (guint i = 0; i < self->lines->len; i++)
    add_piece (strip, &lines[i], self->n_rows, get_y (self, &lines[i], strip->left),
               get_y (self, &lines[i], strip->right));
  if (strip->bottom < strip->top)
    return;
  pack_strip (strip, &lines[0].colour);
  copy_strip (strip, turned, target);
}

void
hl_line_bundle_paint (const HlLineBundle *self,
                      cairo_t            *cr)
{
  const int n_strips = self->curved ? N_PIECES : (self->n_columns + STRIP - 1) / STRIP;
  const double gap = self->x_key - self->x_query;
  cairo_matrix_t matrix;

  if (self->n_columns < 1 || self->n_rows < 1 || self->lines->len == 0)
    return;
  cairo_get_matrix (cr, &matrix);
  const gboolean turned = fabs (matrix.xy) > fabs (matrix.xx);
  g_autoptr (cairo_surface_t)
    target = turned ? cairo_image_surface_create (CAIRO_FORMAT_ARGB32, self->n_rows, self->n_columns)
                    : cairo_image_surface_create (CAIRO_FORMAT_ARGB32, self->n_columns, self->n_rows);
  /* Strips end between two columns; behind each column there is room for what a step does beyond it. */
  const gsize stride = (gsize) self->n_rows + STEP;
  const gsize n_columns = (gsize) ceil (gap / n_strips) + 2;
  g_autofree float *planes = g_new (float, (self->many_colours ? 4 : 1) * n_columns * stride);
  g_autofree guint32 *pixels = g_new (guint32, n_columns * stride);
  Strip strip = { .stride = stride, .opacity = planes, .pixels = pixels, .right = self->x_query };

  for (int i = 1; i <= n_strips; i++)
    {
      strip.left = strip.right;
      strip.right = i < n_strips ? MAX (strip.left, round (self->x_query + gap * i / n_strips)) : self->x_key;
      strip.first = (int) floor (strip.left);
      strip.end = (int) ceil (strip.right);
      if (strip.right > strip.left)
        draw_strip (self, &strip, turned, target);
    }
  cairo_surface_mark_dirty (target);
  cairo_surface_set_device_scale (target, self->scale, self->scale);
  cairo_save (cr);
  if (turned)
    cairo_transform (cr, &(cairo_matrix_t){ 0, 1, 1, 0, 0, 0 });
  cairo_set_source_surface (cr, target, turned ? self->top : self->left, turned ? self->left : self->top);
  cairo_paint (cr);
  cairo_restore (cr);
}
