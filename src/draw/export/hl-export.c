/* SPDX-License-Identifier: MIT */
/*
 * Figures: the scene of the screen, drawn to a file. The window and the command line share this.
 */
#include "draw/export/hl-export.h"

#include "config.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/file/hl-temp-file.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "draw/export/hl-pair-scene.h"
#include "draw/page/hl-page.h"
#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-whole.h"
#include "draw/text/hl-export-context.h"
#include "draw/text/hl-scene-text.h"

/* Pixels a metre at scale 1: 96 an inch. */
#define PIXELS_PER_METRE (96 / 0.0254)

/* The signature, and the IHDR chunk with its length, name and checksum. */
#define HEADER_SIZE (8 + 4 + 4 + 13 + 4)

/* A caption needs as much to be read. */
#define MIN_WHOLE_WIDTH 360.0

#define TITLE_SIZE 15
#define TITLE_HEIGHT 40

/* A CSS pixel is 1/96 of an inch, a PDF unit 1/72. */
#define POINTS_PER_PIXEL 0.75

static const struct
{
  const char *suffix;
  HlExportFormat format;
} suffixes[] = { { ".png", HL_EXPORT_PNG },
                 { ".svg", HL_EXPORT_SVG },
                 { ".pdf", HL_EXPORT_PDF },
                 { ".html", HL_EXPORT_HTML } };

/* How many maps of the attention are read for a file of such a format, at the most. */
guint
hl_export_count_maps_read (HlViewState   *state,
                           HlExportFormat format)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), 0);

  const HlShown *shown = hl_view_state_get_shown (state);
  /* A page has maps of all layers, as far as they fit, and each of these is made of several. */
  return format == HL_EXPORT_HTML && (shown->merges_heads || shown->merges_layers)
           ? hl_view_state_count_maps (state)
           : hl_view_state_count_maps_read (state);
}

/* Whether these may be read; the error is a sentence for who can allow it. Who asks is in the thread of the state. */
gboolean
hl_export_check_reading (HlViewState   *state,
                         HlExportFormat format,
                         GError       **error)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), FALSE);

  return hl_view_state_check_reading (state, hl_export_count_maps_read (state, format),
                                      hl_view_state_reads_both (state), error);
}

/* A figure on its way to bytes. */
typedef struct
{
  HlScene *scene;
  const HlExportOptions *options;
  HlExportContext context;
  double width;
  double height;
} Figure;

/* ISO 3309, as the PNG specification says in annex D. */
static guint32
get_checksum (const guint8 *data,
              gsize         length)
{
  guint32 sum = 0xFFFFFFFFu;

  for (gsize i = 0; i < length; i++)
    {
      sum ^= data[i];
      for (guint bit = 0; bit < 8; bit++)
        sum = sum & 1 ? sum >> 1 ^ 0xEDB88320u : sum >> 1;
    }
  return ~sum;
}

static void
append_u32 (GByteArray *bytes,
            guint32     number)
{
  const guint32 big_endian = GUINT32_TO_BE (number);

  g_byte_array_append (bytes, (const guint8 *) &big_endian, 4);
}

static void
append_chunk (GByteArray   *chunks,
              const char   *name,
              const guint8 *data,
              gsize         length)
{
  append_u32 (chunks, (guint32) length);
  const gsize begin = chunks->len;
  g_byte_array_append (chunks, (const guint8 *) name, 4);
  g_byte_array_append (chunks, data, (guint) length);
  append_u32 (chunks, get_checksum (chunks->data + begin, chunks->len - begin));
}

/* An iTXt chunk: UTF-8, not compressed, no language. */
static void
append_text (GByteArray *chunks,
             const char *keyword,
             const char *text)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();
  static const guint8 zeros[5] = { 0 };

  g_byte_array_append (data, (const guint8 *) keyword, (guint) strlen (keyword));
  g_byte_array_append (data, zeros, 5);
  g_byte_array_append (data, (const guint8 *) text, (guint) strlen (text));
  append_chunk (chunks, "iTXt", data->data, data->len);
}

/* Says how many pixels make a metre (pHYs), and adds text: Software, Title, Description. */
static void
hl_png_chunks_add (GByteArray *png,
                   double      scale,
                   const char *title,
                   const char *description)
{
  g_autoptr (GByteArray) chunks = g_byte_array_new ();
  g_autoptr (GByteArray) size = g_byte_array_new ();
  const guint32 density = (guint32) lround (PIXELS_PER_METRE * scale);
  const guint8 metre = 1;

  g_return_if_fail (png->len > HEADER_SIZE);

  append_u32 (size, density);
  append_u32 (size, density);
  g_byte_array_append (size, &metre, 1);
  append_chunk (chunks, "pHYs", size->data, size->len);
  append_text (chunks, "Software", "Headlight");
  if (title != NULL && *title != '\0')
    append_text (chunks, "Title", title);
  append_text (chunks, "Description", description);

  const guint rest = png->len - HEADER_SIZE;
  g_byte_array_set_size (png, png->len + chunks->len);
  memmove (png->data + HEADER_SIZE + chunks->len, png->data + HEADER_SIZE, rest);
  memcpy (png->data + HEADER_SIZE, chunks->data, chunks->len);
}

gboolean
hl_export_format_from_path (const char     *path,
                            HlExportFormat *format)
{
  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (format != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      const gsize length = strlen (path);
      const gsize suffix_length = strlen (suffixes[i].suffix);
      if (length > suffix_length && g_ascii_strcasecmp (path + length - suffix_length, suffixes[i].suffix) == 0)
        {
          *format = suffixes[i].format;
          return TRUE;
        }
    }
  return FALSE;
}

static double
get_title_height (const Figure *figure)
{
  return figure->options->title != NULL && *figure->options->title != '\0' ? TITLE_HEIGHT : 0;
}

static gboolean
check_status (cairo_status_t status,
              GError       **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("the figure could not be drawn: %s"), cairo_status_to_string (status));
  return FALSE;
}

static void
draw_title (const Figure *figure,
            cairo_t      *cr)
{
  g_autoptr (HlSceneText) text = hl_scene_text_new ();
  const HlTextStyle style = { .size = TITLE_SIZE, .bold = TRUE, .max_width = MAX (figure->width - 24, 24) };
  const HlTheme *theme = hl_scene_get_frame (figure->scene)->theme;

  hl_scene_text_draw (text, cr, figure->options->text_mode, figure->options->title, &style, &theme->foreground,
                      figure->width / 2, TITLE_HEIGHT / 2.0 + 4, 0.5);
}

static gboolean
draw (Figure          *figure,
      cairo_surface_t *surface,
      GError         **error)
{
  g_autoptr (cairo_t) cr = NULL;
  const double title_height = get_title_height (figure);
  const HlTheme *theme = hl_scene_get_frame (figure->scene)->theme;

  hl_export_context_attach (&figure->context, surface);
  cr = cairo_create (surface);
  if (figure->options->background != HL_EXPORT_BACKGROUND_NONE)
    {
      if (figure->options->background == HL_EXPORT_BACKGROUND_WHITE)
        cairo_set_source_rgb (cr, 1, 1, 1);
      else
        hl_cairo_set_colour (cr, &theme->background, 1);
      cairo_rectangle (cr, 0, 0, figure->width, figure->height + title_height);
      cairo_fill (cr);
    }
  if (title_height > 0)
    draw_title (figure, cr);
  cairo_translate (cr, 0, title_height);
  cairo_rectangle (cr, 0, 0, figure->width, figure->height);
  cairo_clip (cr);
  hl_scene_draw (figure->scene, cr);
  if (figure->context.error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&figure->context.error));
      return FALSE;
    }
  return check_status (cairo_status (cr), error);
}

static cairo_status_t
append (void                *closure,
        const unsigned char *data,
        unsigned int         length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* What is shown; of two sides, what is shown of each. */
static char *
describe (HlScene *scene)
{
  if (!HL_IS_PAIR_SCENE (scene))
    return hl_view_state_describe (hl_scene_get_state (scene));
  g_autofree char *a = describe (hl_pair_scene_get_side (HL_PAIR_SCENE (scene), 0));
  g_autofree char *b = describe (hl_pair_scene_get_side (HL_PAIR_SCENE (scene), 1));
  return g_strdup_printf ("%s; %s", a, b);
}

static GBytes *
make_png (Figure  *figure,
          GError **error)
{
  const double scale = figure->options->scale;
  const double width = ceil (figure->width * scale);
  const double height = ceil ((figure->height + get_title_height (figure)) * scale);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (cairo_surface_t) surface = NULL;
  g_autofree char *description = NULL;

  if (width < 1 || height < 1 || width > HL_LIMIT_FIGURE_SIDE || height > HL_LIMIT_FIGURE_SIDE ||
      width * height > HL_LIMIT_FIGURE_PIXELS)
    {
      g_set_error (
        error, HL_ERROR, HL_ERROR_TOO_LARGE,
        _ ("a picture of %.0f × %.0f pixels cannot be made; a side has 1 to %d pixels, and all are at most %d million"),
        width, height, HL_LIMIT_FIGURE_SIDE, (int) (HL_LIMIT_FIGURE_PIXELS / 1000000));
      return NULL;
    }
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) width, (int) height);
  cairo_surface_set_device_scale (surface, scale, scale);
  if (!draw (figure, surface, error) || !check_status (cairo_surface_status (surface), error))
    return NULL;
  if (g_cancellable_set_error_if_cancelled (figure->context.cancellable, error))
    return NULL;
  if (!check_status (cairo_surface_write_to_png_stream (surface, append, bytes), error))
    return NULL;

  description = describe (figure->scene);
  hl_png_chunks_add (bytes, scale, figure->options->title, description);
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static GBytes *
make_svg (Figure  *figure,
          GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (cairo_surface_t) surface =
    cairo_svg_surface_create_for_stream (append, bytes, figure->width, figure->height + get_title_height (figure));
  g_autoptr (HlSvgText) text = hl_svg_text_new ();
  GString *svg;

  cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  figure->context.svg_text = text;
  if (!draw (figure, surface, error))
    return NULL;
  cairo_surface_finish (surface);
  if (!check_status (cairo_surface_status (surface), error))
    return NULL;
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  svg = hl_svg_text_insert (text, (const char *) bytes->data, bytes->len - 1);
  return g_string_free_to_bytes (svg);
}

/*
 * A date would make the same figure another file each time; reproducible builds of documents may ask for a fixed one.
 */
static void
set_pdf_date (cairo_surface_t *surface)
{
  const char *epoch = g_getenv ("SOURCE_DATE_EPOCH");
  g_autoptr (GDateTime) date = NULL;
  g_autofree char *text = NULL;

  date = g_date_time_new_from_unix_utc (epoch != NULL ? g_ascii_strtoll (epoch, NULL, 10) : 0);
  if (date == NULL)
    return;
  text = g_date_time_format (date, "%Y-%m-%dT%H:%M:%SZ");
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, text);
}

static void
set_pdf_text (cairo_surface_t     *surface,
              cairo_pdf_metadata_t member,
              const char          *text)
{
  g_autofree char *characters = hl_utf8_replace_noncharacters (text);

  cairo_pdf_surface_set_metadata (surface, member, characters);
}

static GBytes *
make_pdf (Figure  *figure,
          GError **error)
{
  const double height = figure->height + get_title_height (figure);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (cairo_surface_t) surface =
    cairo_pdf_surface_create_for_stream (append, bytes, figure->width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL);
  g_autofree char *description = describe (figure->scene);

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Headlight");
  set_pdf_text (surface, CAIRO_PDF_METADATA_SUBJECT, description);
  if (get_title_height (figure) > 0)
    set_pdf_text (surface, CAIRO_PDF_METADATA_TITLE, figure->options->title);
  set_pdf_date (surface);
  cairo_surface_set_device_scale (surface, POINTS_PER_PIXEL, POINTS_PER_PIXEL);
  if (!draw (figure, surface, error))
    return NULL;
  cairo_surface_finish (surface);
  if (!check_status (cairo_surface_status (surface), error))
    return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

/* A page has room for one picture, and draws it itself. */
static GBytes *
make_page (HlScene               *scene,
           const HlExportOptions *options,
           GCancellable          *cancellable,
           GError               **error)
{
  if (HL_IS_PAIR_SCENE (scene))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("a page shows one picture, not two side by side; show one, or the difference of both"));
      return NULL;
    }
  return hl_page_make (hl_scene_get_state (scene), options->title, options->model, cancellable, error);
}

/*
 * Makes a figure of what the viewport of a scene shows: filters, scroll, zoom, theme, and what is pinned; what is
 * hovered is not in it. The scene is set up for the format and need not be prepared. So it must be the export's own,
 * with a view state of its own (hl_scene_get_zoom() and hl_scene_get_scroll() say what another shows); then all of
 * this may run on any thread, as long as no other uses the two. The same scene and options make the same bytes each
 * time.
 */
GBytes *
hl_export_scene_to_bytes (HlScene               *scene,
                          const HlExportOptions *options,
                          gsize                 *n_left_out,
                          GCancellable          *cancellable,
                          GError               **error)
{
  Figure figure = { .scene = scene, .options = options, .context = { .cancellable = cancellable } };
  GBytes *bytes = NULL;

  g_return_val_if_fail (HL_IS_SCENE (scene), NULL);
  g_return_val_if_fail (options != NULL, NULL);
  g_return_val_if_fail (options->format != HL_EXPORT_PNG || (options->scale >= 0.1 && options->scale <= 16), NULL);

  if (n_left_out != NULL)
    *n_left_out = 0;
  if (options->format == HL_EXPORT_HTML)
    return make_page (scene, options, cancellable, error);

  hl_view_state_set_hovered (hl_scene_get_state (scene), NULL);
  hl_scene_get_viewport (scene, &figure.width, &figure.height, NULL);
  hl_scene_set_viewport (scene, figure.width, figure.height, options->format == HL_EXPORT_PNG ? options->scale : 1);
  hl_scene_set_text_mode (scene, options->text_mode);
  /* The scene covers with its background what it paints anew, so it should know where that is what is below. */
  const gboolean dark = hl_scene_get_frame (scene)->theme->dark;
  const gboolean has_background = options->background == HL_EXPORT_BACKGROUND_THEME ||
                                  (options->background == HL_EXPORT_BACKGROUND_WHITE && !dark);
  g_object_set (scene, "paints-background", has_background, "vector", options->format != HL_EXPORT_PNG, NULL);
  if (!hl_scene_prepare (scene, cancellable, error))
    return NULL;

  switch (options->format)
    {
    case HL_EXPORT_PNG:
      bytes = make_png (&figure, error);
      break;
    case HL_EXPORT_SVG:
      bytes = make_svg (&figure, error);
      break;
    case HL_EXPORT_PDF:
      bytes = make_pdf (&figure, error);
      break;
    case HL_EXPORT_HTML:
      break;
    }
  if (bytes != NULL && n_left_out != NULL)
    *n_left_out = options->format != HL_EXPORT_PNG ? figure.context.n_left_out : 0;
  g_clear_error (&figure.context.error);
  return bytes;
}

/* The size of a figure that has all of what the scene shows at its zoom, cut to that ("is-cut"). */
void
hl_export_get_whole_size (HlScene *scene,
                          double  *width,
                          double  *height)
{
  g_return_if_fail (HL_IS_SCENE (scene));

  hl_scene_measure_cut (scene, MIN_WHOLE_WIDTH, width, height);
}

/* Writes a figure. It appears whole or not at all; what was there before stays until then. */
gboolean
hl_export_save (GBytes  *figure,
                GFile   *target,
                GError **error)
{
  g_return_val_if_fail (figure != NULL, FALSE);
  g_return_val_if_fail (G_IS_FILE (target), FALSE);

  g_autoptr (HlTempFile) file = hl_temp_file_new (target, error);
  return file != NULL && hl_temp_file_write (file, g_bytes_get_data (figure, NULL), g_bytes_get_size (figure), error) &&
         hl_temp_file_commit (file, error);
}

/* Makes a figure as a file. */
gboolean
hl_export_scene (HlScene               *scene,
                 const HlExportOptions *options,
                 GFile                 *target,
                 gsize                 *n_left_out,
                 GCancellable          *cancellable,
                 GError               **error)
{
  g_autoptr (GBytes) bytes = NULL;

  g_return_val_if_fail (G_IS_FILE (target), FALSE);

  bytes = hl_export_scene_to_bytes (scene, options, n_left_out, cancellable, error);
  /* To compress what was drawn takes long, and nobody may want it any more. */
  return bytes != NULL && !g_cancellable_set_error_if_cancelled (cancellable, error) &&
         hl_export_save (bytes, target, error);
}
