/* SPDX-License-Identifier: MIT */
/* What scenes write alike: lines of text on a ground. */
#include "draw/scene/hl-scene-write.h"

#include "draw/scene/hl-patch-swatch.h"

#include <math.h>

#define BUBBLE_SIZE 12
#define BUBBLE_HEIGHT 26
#define BUBBLE_LINE 15
#define MAX_BUBBLE_LINES 4
#define BUBBLE_PAD 9
#define BUBBLE_SWATCH 16
#define BUBBLE_RADIUS 7
/* From what it is about to the bubble beside it. */
#define BUBBLE_DISTANCE 12
/* From the viewport's edges, at least. */
#define EDGE 4
#define MIN_TITLE_SIZE 9.0

double
hl_scene_measure_text (HlScene           *self,
                       const char        *text,
                       const HlTextStyle *style)
{
  return hl_scene_text_get_width (hl_scene_get_text (self), text, style);
}

/* A title that does not fit its room is written smaller, to a point: only what is still too long is cut. */
HlTextStyle
hl_scene_fit_text (HlScene           *self,
                   const char        *text,
                   const HlTextStyle *style)
{
  HlTextStyle fitted = *style, whole = *style;

  whole.max_width = 0;
  const double width = hl_scene_measure_text (self, text, &whole);
  if (style->max_width > 0 && width > style->max_width)
    fitted.size = MAX (floor (style->size * style->max_width / width * 4) / 4, MIN (style->size, MIN_TITLE_SIZE));
  return fitted;
}

/* x is the left edge (align 0), the middle (0.5) or the right edge (1), y the middle of the line. */
void
hl_scene_write (HlScene           *self,
                cairo_t           *cr,
                const char        *text,
                const HlTextStyle *style,
                const HlColour    *colour,
                double             x,
                double             y,
                double             align)
{
  hl_scene_text_draw (hl_scene_get_text (self), cr, hl_scene_get_text_mode (self), text, style, colour, x, y, align);
}

/* x is the middle of the line, y its lower end (align 0), middle (0.5) or upper end (1). */
void
hl_scene_write_upwards (HlScene           *self,
                        cairo_t           *cr,
                        const char        *text,
                        const HlTextStyle *style,
                        const HlColour    *colour,
                        double             x,
                        double             y,
                        double             align)
{
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_rotate (cr, -G_PI_2);
  hl_scene_write (self, cr, text, style, colour, 0, 0, align);
  cairo_restore (cr);
}

/* Covers the viewport with the theme's colour, unless the scene is seen through. */
void
hl_scene_paint_background (const HlSceneFrame *frame,
                           cairo_t            *cr)
{
  if (!frame->paints_background)
    return;
  hl_cairo_set_colour (cr, &frame->theme->background, 1);
  cairo_rectangle (cr, 0, 0, frame->width, frame->height);
  cairo_fill (cr);
}

/* In as many lines as it takes: words that are cut off would say less than the picture. */
void
hl_scene_draw_caption (HlScene            *self,
                       const HlSceneFrame *frame,
                       cairo_t            *cr,
                       double              y)
{
  const HlTextStyle style = hl_caption_get_style (frame->width);

  for (guint i = 0; frame->caption[i] != NULL; i++)
    hl_scene_write (self, cr, frame->caption[i], &style, &frame->theme->muted, frame->width / 2,
                    y + i * HL_CAPTION_LINE, 0.5);
}

/* Why there is nothing to show, in the middle of the room below the caption. */
void
hl_scene_draw_lack (HlScene            *self,
                    const HlSceneFrame *frame,
                    cairo_t            *cr,
                    const char         *text)
{
  const HlTextStyle style = hl_caption_get_style (frame->width);
  g_auto (GStrv) lines = hl_caption_break (hl_scene_get_text (self), text, frame->width, frame->height);
  const guint n_lines = g_strv_length (lines);
  const double top = HL_LACK_HEIGHT / 2.0 + frame->caption_room;
  const double first = (frame->height + frame->caption_room - (n_lines - 1.0) * HL_CAPTION_LINE) / 2;

  for (guint i = 0; i < n_lines; i++)
    hl_scene_write (self, cr, lines[i], &style, &frame->theme->muted, frame->width / 2,
                    round (MAX (first, top)) + i * HL_CAPTION_LINE, 0.5);
}

/* Draws what is readable on every colour of every map: a dark line with a light one beside it. */
void
hl_callout_outline (cairo_t                 *cr,
                    const cairo_rectangle_t *box,
                    double                   strength)
{
  cairo_set_line_width (cr, 1);
  cairo_set_source_rgba (cr, 1, 1, 1, 0.85 * strength);
  cairo_rectangle (cr, box->x - 0.5, box->y - 0.5, box->width + 1, box->height + 1);
  cairo_stroke (cr);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.75 * strength);
  cairo_rectangle (cr, box->x - 1.5, box->y - 1.5, box->width + 3, box->height + 3);
  cairo_stroke (cr);
}

/* What is behind a label that stands out; leaves the accent as the colour of the context. */
void
hl_callout_emphasis (cairo_t                 *cr,
                     const HlTheme           *theme,
                     const cairo_rectangle_t *box)
{
  hl_cairo_set_colour (cr, &theme->background, 1);
  hl_cairo_rounded_rectangle (cr, box->x, box->y, box->width, box->height, 4);
  cairo_fill (cr);
  hl_cairo_set_colour (cr, &theme->accent, 0.18);
  hl_cairo_rounded_rectangle (cr, box->x, box->y, box->width, box->height, 4);
  cairo_fill (cr);
  hl_cairo_set_colour (cr, &theme->accent, 1);
  cairo_set_line_width (cr, 1.5);
  hl_cairo_rounded_rectangle (cr, box->x + 0.75, box->y + 0.75, box->width - 1.5, box->height - 1.5, 3.5);
  cairo_stroke (cr);
}

void
hl_callout_panel (cairo_t                 *cr,
                  const HlTheme           *theme,
                  const cairo_rectangle_t *box,
                  double                   radius)
{
  hl_cairo_set_colour (cr, &theme->background, 1);
  hl_cairo_rounded_rectangle (cr, box->x, box->y, box->width, box->height, radius);
  cairo_fill (cr);
  hl_cairo_set_colour (cr, &theme->muted, 0.6);
  cairo_set_line_width (cr, 1);
  hl_cairo_rounded_rectangle (cr, box->x + 0.5, box->y + 0.5, box->width - 1, box->height - 1, radius - 0.5);
  cairo_stroke (cr);
}

/* A line of text about a box of the viewport, more where it is narrow, beside it and inside the viewport; before it, the patches that tokens of @pick stand for. */
void
hl_scene_draw_bubble_of (HlScene                 *self,
                         const HlSceneFrame      *frame,
                         cairo_t                 *cr,
                         const char              *text,
                         const HlPick            *pick,
                         const cairo_rectangle_t *box,
                         const HlBubblePlace     *place)
{
  HlAttention *attention = place->attention != NULL ? place->attention : frame->shown->attention;
  HlPicturePatch patch;
  double room[2] = { 0, 0 };
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (pick != NULL && hl_pick_has (pick, side) &&
        hl_attention_find_patch (attention, side, pick->tokens[side], &patch))
      room[side] = hl_patch_swatch_get_room (attention, side, BUBBLE_SWATCH);
  const double swatches = room[HL_QUERIES] + room[HL_KEYS] + (room[HL_QUERIES] + room[HL_KEYS] > 0 ? 2 : 0);
  const HlTextStyle style = { .size = BUBBLE_SIZE, .max_width = MAX (frame->width - 32 - swatches, 24) };
  g_auto (GStrv) lines = hl_scene_text_break (hl_scene_get_text (self), text, &style, MAX_BUBBLE_LINES);
  const guint n_lines = g_strv_length (lines);
  const double height = BUBBLE_HEIGHT + (n_lines - 1.0) * BUBBLE_LINE;
  double widest = 0;
  for (guint i = 0; i < n_lines; i++)
    widest = MAX (widest, hl_scene_measure_text (self, lines[i], &style));
  const double width = ceil (widest + swatches) + 2 * BUBBLE_PAD;
  double x = box->x + box->width + BUBBLE_DISTANCE;
  double y = box->y + box->height + place->gap;
  if (place->flips && x + width > frame->width - EDGE)
    x = box->x - BUBBLE_DISTANCE - width;
  if (y + height > frame->height - EDGE)
    y = box->y - place->gap - height;
  x = hl_cairo_snap (CLAMP (x, EDGE, MAX (EDGE, frame->width - width - EDGE)), frame->scale);
  y = hl_cairo_snap (MAX (y, EDGE), frame->scale);

  hl_callout_panel (cr, frame->theme, &(cairo_rectangle_t){ x, y, width, height }, BUBBLE_RADIUS);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (room[side] > 0)
      hl_patch_swatch_draw (attention, side, pick->tokens[side],
                            x + BUBBLE_PAD + (side == HL_KEYS ? room[HL_QUERIES] : 0),
                            y + (BUBBLE_HEIGHT - BUBBLE_SWATCH) / 2.0, BUBBLE_SWATCH, frame->scale, cr);
  for (guint i = 0; i < n_lines; i++)
    hl_scene_write (self, cr, lines[i], &style, &frame->theme->foreground, x + BUBBLE_PAD + swatches,
                    y + BUBBLE_HEIGHT / 2.0 + i * BUBBLE_LINE, 0);
}

/* Likewise, text alone. */
void
hl_scene_draw_bubble (HlScene                 *self,
                      const HlSceneFrame      *frame,
                      cairo_t                 *cr,
                      const char              *text,
                      const cairo_rectangle_t *box,
                      const HlBubblePlace     *place)
{
  hl_scene_draw_bubble_of (self, frame, cr, text, NULL, box, place);
}
