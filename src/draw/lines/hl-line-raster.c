/* SPDX-License-Identifier: MIT */
/*
 * Draws the lines of a head view into pixels: cuts the surface into tiles of a few columns, works
 * out what shows through each layer there, lays the layers over one another in floats and the
 * result over the surface. Tiles are independent, so all cores share them.
 */
#include "draw/lines/hl-line-raster.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-kernel.h"
#include "draw/lines/hl-line-column.h"

/* Columns of a tile: a tile's row of pixels is one cache line. */
#define TILE_WIDTH 16

/*
 * Rows of pixels that are worked out together. The more the better, as the lines of a diagonal are
 * then added in long runs; this bounds a thread's memory, to about 2 MiB.
 */
#define MAX_BAND_HEIGHT 16384

/* Rows between what is laid over the surface and what is fetched for it: they are pages apart, too
 * far for the machine to guess the next. */
#define PREFETCH_ROWS 12

/* Curves are drawn in straight pieces, of no fewer columns than this and no more of them, that lie less than so many pixels beside them. */
#define MIN_PIECE 4
#define MAX_PIECES 64
#define MAX_CHORD 0.15

/* Strokes between two looks at the cancellable: about 10 ms of them. */
#define BATCH 256

/* cairo takes what is fainter for nothing at all, whatever it draws to. */
#define LEAST_ALPHA (256.0 / 65535.0)

/* Four floats a pixel, premultiplied. */
typedef struct
{
  float *red, *green, *blue, *alpha;
} Paint;

/* The memory of one thread. */
typedef struct
{
  HlLineColumn *column;
  float *floats;
  Paint paint;
  guint32 *pixels; /* column after column */
  gsize stride;
} Room;

typedef struct
{
  unsigned char *data;
  int stride;
  int first_x;
  int end_x;
  int step;
  int tile_width;
  const HlLineGrid *grid;
  HlLineBand **bands;
  guint n_bands;
  HlLineLoad **loads;
  const HlLineLayer *layers;
  gsize n_layers;
} Job;

static void
room_init (Room *room,
           guint height)
{
  /* The columns of a tile lie apart by no power of two, which would have them compete for the same
   * cache lines. */
  room->stride = height + (height % 32 == 0 ? 16 : 0);
  room->column = hl_line_column_new ();
  room->floats = g_new (float, 4 * (gsize) height);
  room->paint.red = room->floats;
  room->paint.green = room->floats + height;
  room->paint.blue = room->floats + 2 * (gsize) height;
  room->paint.alpha = room->floats + 3 * (gsize) height;
  room->pixels = g_new (guint32, TILE_WIDTH * room->stride);
}

static void
room_clear (Room *room)
{
  hl_line_column_free (room->column);
  g_free (room->floats);
  g_free (room->pixels);
}

/* Lays a layer over what is there. */
HL_KERNEL static void
lay_over (float *restrict       red,
          float *restrict       green,
          float *restrict       blue,
          float *restrict       alpha,
          const float *restrict through,
          HlColour              colour,
          guint                 n)
{
#pragma omp simd
  for (guint k = 0; k < n; k++)
    {
      float opacity = 1.0f - through[k];

      red[k] = red[k] * through[k] + colour.r * opacity;
      green[k] = green[k] * through[k] + colour.g * opacity;
      blue[k] = blue[k] * through[k] + colour.b * opacity;
      alpha[k] = alpha[k] * through[k] + opacity;
    }
}

HL_KERNEL static void
pack (const float *restrict red,
      const float *restrict green,
      const float *restrict blue,
      const float *restrict alpha,
      guint32 *restrict     pixels,
      guint                 n)
{
#pragma omp simd
  for (guint k = 0; k < n; k++)
    {
      guint32 a = (guint32) (gint32) (alpha[k] * 255.0f + 0.5f);
      guint32 r = (guint32) (gint32) (red[k] * 255.0f + 0.5f);
      guint32 g = (guint32) (gint32) (green[k] * 255.0f + 0.5f);
      guint32 b = (guint32) (gint32) (blue[k] * 255.0f + 0.5f);

      pixels[k] = a << 24 | MIN (r, a) << 16 | MIN (g, a) << 8 | MIN (b, a);
    }
}

static inline guint32
scale_channel (guint32 channel,
               guint32 through)
{
  guint32 product = channel * through + 128;

  return (product + (product >> 8)) >> 8;
}

/* Lays one premultiplied pixel over another. */
static inline guint32
blend (guint32 over,
       guint32 under)
{
  guint32 through = 255 - (over >> 24);

  return over + (scale_channel (under >> 24, through) << 24 | scale_channel (under >> 16 & 0xff, through) << 16 |
                 scale_channel (under >> 8 & 0xff, through) << 8 | scale_channel (under & 0xff, through));
}

/* Lays a row of a tile over the surface. */
HL_KERNEL static void
blend_row (guint32 *restrict       target,
           const guint32 *restrict row,
           int                     width)
{
#pragma omp simd
  for (int k = 0; k < width; k++)
    target[k] = blend (row[k], target[k]);
}

static void
put_tile (const Job        *job,
          const HlLineBand *band,
          const Room       *room,
          int               x,
          int               width)
{
  for (guint k = 0; k < band->height; k++)
    {
      guint32 *target = (guint32 *) (job->data + (gsize) (band->y + k) * job->stride) + x;
      guint32 row[TILE_WIDTH];
      guint32 any = 0;

      if (k + PREFETCH_ROWS < band->height)
        __builtin_prefetch ((char *) target + (gsize) PREFETCH_ROWS * job->stride, 1);

      for (int column = 0; column < width; column++)
        any |= row[column] = room->pixels[column * room->stride + k];
      if (any != 0)
        blend_row (target, row, width);
    }
}

/* The column of pixels that one of the surface stands for. */
static int
get_column (const Job *job,
            int        x)
{
  const HlLineSpan *span = &job->grid->span;

  return CLAMP (x * job->step + job->step / 2, (int) floor (span->left), (int) ceil (span->right) - 1);
}

static void
draw_tile (const Job        *job,
           Room             *room,
           const HlLineBand *band,
           int               x,
           int               width,
           GCancellable     *cancellable)
{
  const Paint *paint = &room->paint;

  for (int column = 0; column < width; column++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return;

      memset (paint->red, 0, band->height * sizeof (float));
      memset (paint->green, 0, band->height * sizeof (float));
      memset (paint->blue, 0, band->height * sizeof (float));
      memset (paint->alpha, 0, band->height * sizeof (float));
      for (gsize i = 0; i < job->n_layers; i++)
        {
          const float *through =
            hl_line_column_run (room->column, job->grid, band, job->loads[i], get_column (job, x + column));

          lay_over (paint->red, paint->green, paint->blue, paint->alpha, through, job->layers[i].colour, band->height);
        }
      pack (paint->red, paint->green, paint->blue, paint->alpha, room->pixels + column * room->stride, band->height);
    }
  put_tile (job, band, room, x, width);
}

static void
draw_tiles (const Job    *job,
            GCancellable *cancellable)
{
  int n_across = (job->end_x - job->first_x + job->tile_width - 1) / job->tile_width;
  int n_tiles = n_across * (int) job->n_bands;

#pragma omp parallel
  {
    Room room;

    room_init (&room, job->bands[0]->height);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n_tiles; i++)
      {
        int x = job->first_x + i % n_across * job->tile_width;

        draw_tile (job, &room, job->bands[i / n_across], x, MIN (job->tile_width, job->end_x - x), cancellable);
      }
    room_clear (&room);
  }
}

static gboolean
is_drawable (cairo_surface_t *surface)
{
  double x_scale, y_scale;

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS ||
      cairo_surface_get_type (surface) != CAIRO_SURFACE_TYPE_IMAGE ||
      cairo_image_surface_get_format (surface) != CAIRO_FORMAT_ARGB32)
    return FALSE;

  cairo_surface_get_device_scale (surface, &x_scale, &y_scale);

  return x_scale > 0.0 && x_scale == y_scale;
}

/* Draws columns @first_x to @end_x − 1 of the surface, tile by tile. */
static void
draw_columns (cairo_surface_t      *surface,
              const HlLineGeometry *geometry,
              const HlLineLayer    *layers,
              gsize                 n_layers,
              int                   first_x,
              int                   end_x,
              int                   tile_width,
              GCancellable         *cancellable)
{
  const int step = (int) MAX (geometry->column_step, 1);
  const HlLineSpan span = { (double) first_x * step, (double) end_x * step };
  const int height = cairo_image_surface_get_height (surface);
  Job job = { .layers = layers, .n_layers = n_layers, .step = step, .tile_width = tile_width };
  double scale, x_offset, y_offset;

  cairo_surface_get_device_scale (surface, &scale, &scale);
  cairo_surface_get_device_offset (surface, &x_offset, &y_offset);
  g_autoptr (HlLineGrid) grid = hl_line_grid_new (geometry, scale, x_offset, y_offset, &span);
  g_autoptr (GPtrArray) bands = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_line_band_free);
  for (int y = 0; y < height; y += MAX_BAND_HEIGHT)
    g_ptr_array_add (bands, hl_line_band_new (grid, y, MIN (MAX_BAND_HEIGHT, height - y)));

  g_autoptr (GPtrArray) loads = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_line_load_free);
  for (gsize i = 0; i < n_layers && !g_cancellable_is_cancelled (cancellable); i++)
    g_ptr_array_add (loads, hl_line_load_new (grid, &layers[i]));

  job.first_x = first_x;
  job.end_x = end_x;
  job.data = cairo_image_surface_get_data (surface);
  job.stride = cairo_image_surface_get_stride (surface);
  job.grid = grid;
  job.bands = (HlLineBand **) bands->pdata;
  job.n_bands = bands->len;
  job.loads = (HlLineLoad **) loads->pdata;
  draw_tiles (&job, cancellable);
}

/* How many straight pieces a curve needs to be off by less than can be seen, of so many columns. */
static int
count_pieces (const HlLineGeometry *geometry,
              double                scale,
              int                   n_columns)
{
  double low = G_MAXDOUBLE, high = -G_MAXDOUBLE;

  if (!geometry->curved)
    return 1;
  for (gsize i = 0; i < geometry->n_queries; i++)
    {
      low = MIN (low, geometry->y_query[i]);
      high = MAX (high, geometry->y_query[i]);
    }
  for (gsize j = 0; j < geometry->n_keys; j++)
    {
      low = MIN (low, geometry->y_key[j]);
      high = MAX (high, geometry->y_key[j]);
    }
  /* A chord of n pieces lies at most 6 / (8 n²) of the rise beside the curve. */
  return (int) CLAMP (ceil (sqrt (0.75 * (high - low) * scale / MAX_CHORD)), 1,
                      CLAMP (n_columns / MIN_PIECE, 1, MAX_PIECES));
}

/*
 * Draws the lines of all layers over what the surface holds. The picture is the same, to what 8 bits can tell, as if
 * each line were stroked by cairo, those of the first layer first, then those of the second over them, and so on. No
 * line is left out. Lines are antialiased by area; they end at the abscissae of the geometry. Uses all cores, and as
 * much memory again as the layers' weights, or HL_LINE_RASTER_UNEVEN_BYTES a line. May be called from any thread.
 * Columns that are less than a pixel apart have no room for lines: nothing is drawn.
 */
gboolean
hl_line_raster_draw (cairo_surface_t      *surface,
                     const HlLineGeometry *geometry,
                     const HlLineLayer    *layers,
                     gsize                 n_layers,
                     GCancellable         *cancellable,
                     GError              **error)
{
  double scale, x_offset, y_offset;

  g_return_val_if_fail (surface != NULL && is_drawable (surface), FALSE);
  g_return_val_if_fail (geometry != NULL && geometry->line_width > 0.0, FALSE);
  g_return_val_if_fail (n_layers == 0 || layers != NULL, FALSE);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;

  cairo_surface_get_device_scale (surface, &scale, &scale);
  cairo_surface_get_device_offset (surface, &x_offset, &y_offset);
  if (geometry->n_queries == 0 || geometry->n_keys == 0 || (geometry->x_key - geometry->x_query) * scale < 1.0)
    return TRUE;

  const int width = cairo_image_surface_get_width (surface);
  const int step = (int) MAX (geometry->column_step, 1);
  const int first_x = (int) CLAMP (floor ((geometry->x_query * scale + x_offset) / step), 0.0, width);
  const int end_x = (int) CLAMP (ceil ((geometry->x_key * scale + x_offset) / step), 0.0, width);
  const int n_pieces = count_pieces (geometry, scale, end_x - first_x);
  cairo_surface_flush (surface);
  for (int piece = 0; piece < n_pieces && !g_cancellable_is_cancelled (cancellable); piece++)
    {
      const int from = first_x + (int) ((gint64) (end_x - first_x) * piece / n_pieces);
      const int to = first_x + (int) ((gint64) (end_x - first_x) * (piece + 1) / n_pieces);
      if (from < to)
        draw_columns (surface, geometry, layers, n_layers, from, to, n_pieces > 1 ? MIN_PIECE : TILE_WIDTH,
                      cancellable);
    }
  cairo_surface_mark_dirty (surface);

  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/* Adds a line to the path. */
void
hl_line_geometry_trace (const HlLineGeometry *self,
                        cairo_t              *cr,
                        gsize                 query,
                        gsize                 key)
{
  const double third = (self->x_key - self->x_query) / 3;
  const double y_query = self->y_query[query], y_key = self->y_key[key];

  cairo_move_to (cr, self->x_query, y_query);
  if (self->curved)
    cairo_curve_to (cr, self->x_query + third, y_query, self->x_key - third, y_key, self->x_key, y_key);
  else
    cairo_line_to (cr, self->x_key, y_key);
}

static void
stroke_line (cairo_t              *cr,
             const HlLineGeometry *geometry,
             gsize                 query,
             gsize                 key,
             HlColour              colour,
             double                opacity)
{
  cairo_set_source_rgba (cr, colour.r, colour.g, colour.b, opacity);
  hl_line_geometry_trace (geometry, cr, query, key);
  cairo_stroke (cr);
}

static inline double
get_opacity (const HlLineLayer *layer,
             gsize              query,
             gsize              key)
{
  return (double) layer->weights[query * layer->row_stride + key] * layer->colour.a;
}

/* How many lines hl_line_raster_stroke() draws. */
gsize
hl_line_raster_count (const HlLineGeometry *geometry,
                      const HlLineLayer    *layers,
                      gsize                 n_layers,
                      double                min_alpha)
{
  const double least = MAX (min_alpha, LEAST_ALPHA);
  gsize n = 0;

  for (gsize layer = 0; layer < n_layers; layer++)
    for (gsize i = 0; i < geometry->n_queries; i++)
      for (gsize j = 0; j < geometry->n_keys; j++)
        n += get_opacity (&layers[layer], i, j) >= least;
  return n;
}

/* Strokes the lines of all layers, each by itself: in the order of layers, within a layer by query, then key, which
 * does not matter to the picture. Line (i, j) ends in a butt at either side. */
gboolean
hl_line_raster_stroke (cairo_t              *cr,
                       const HlLineGeometry *geometry,
                       const HlLineLayer    *layers,
                       gsize                 n_layers,
                       double                min_alpha,
                       gsize                *n_left_out,
                       GCancellable         *cancellable,
                       GError              **error)
{
  gsize left_out = 0, drawn = 0;
  gboolean cancelled = FALSE;

  g_return_val_if_fail (cr != NULL, FALSE);
  g_return_val_if_fail (geometry != NULL && geometry->line_width > 0.0, FALSE);
  g_return_val_if_fail (n_layers == 0 || layers != NULL, FALSE);

  cairo_save (cr);
  cairo_set_operator (cr, CAIRO_OPERATOR_OVER);
  cairo_set_line_width (cr, geometry->line_width);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_dash (cr, NULL, 0, 0.0);
  cairo_new_path (cr);

  for (gsize layer = 0; layer < n_layers && !cancelled; layer++)
    {
      HlColour colour = layers[layer].colour;

      for (gsize i = 0; i < geometry->n_queries && !cancelled; i++)
        {
          for (gsize j = 0; j < geometry->n_keys && !cancelled; j++)
            {
              const double opacity = get_opacity (&layers[layer], i, j);

              if (!(opacity > 0.0)) /* NaN too */
                continue;
              if (opacity < MAX (min_alpha, LEAST_ALPHA))
                {
                  left_out++;
                  continue;
                }
              stroke_line (cr, geometry, i, j, colour, MIN (opacity, 1.0));
              if (++drawn % BATCH == 0)
                cancelled = g_cancellable_is_cancelled (cancellable);
            }
        }
    }
  cairo_restore (cr);

  if (n_left_out != NULL)
    *n_left_out = left_out;

  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}
