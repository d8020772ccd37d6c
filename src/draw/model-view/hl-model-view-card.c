/* SPDX-License-Identifier: MIT */
/* The card beside the thumbnail in focus. */
#include "draw/model-view/hl-model-view-card.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/model-view/hl-model-view-order.h"
#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-write.h"

#define PAD 12
#define TITLE_SIZE 12.5
#define TITLE_ROOM 24
#define NUMBER_SIZE 11.5
#define LINE 17
/* From thumbnail to card. */
#define GAP 10
/* From the picture to the first line. */
#define PICTURE_GAP 8
/* Between the parts of a title. */
#define DOT " · "
#define WIDTH (HL_MODEL_VIEW_CARD_PICTURE + 2 * PAD)

/* What is to be told has a line, unless it is known not to be defined. */
static gboolean
has_line (const HlModelViewCard *self,
          HlHeadStat             stat)
{
  return (self->told & HL_HEAD_NUMBER_BIT (stat)) != 0 &&
         (!(self->known & HL_HEAD_NUMBER_BIT (stat)) || !isnan (self->stats.values[stat]));
}

/* What a title that is too long has behind its first part, "layer 2", stands below that. */
static const char *
find_second_line (const HlModelViewCard *self,
                  HlScene               *scene)
{
  const char *dot = strstr (self->title, DOT);

  return dot != NULL && hl_scene_measure_text (scene, self->title, &(HlTextStyle){ .size = TITLE_SIZE, .bold = TRUE }) >
                          HL_MODEL_VIEW_CARD_PICTURE
           ? dot + strlen (DOT)
           : NULL;
}

static double
get_height (const HlModelViewCard *self,
            gboolean               has_second_line)
{
  guint n_lines = (self->pairs != NULL ? 1 : 0) + has_second_line;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    n_lines += has_line (self, stat);
  return PAD + TITLE_ROOM + (self->enlarges ? self->picture_height + PICTURE_GAP : 0) + n_lines * LINE + PAD - 4;
}

static void
draw_picture (const HlModelViewCard *self,
              const HlSceneFrame    *frame,
              cairo_t               *cr,
              double                 x,
              double                 y)
{
  const cairo_rectangle_t at = { hl_cairo_snap (x + (WIDTH - self->picture_width) / 2, frame->scale), y,
                                 self->picture_width, self->picture_height };

  if (self->picture != NULL)
    hl_thumbnail_paint (self->picture, &at, cr);
  hl_cairo_set_colour (cr, &frame->theme->grid, 1);
  cairo_rectangle (cr, at.x - 0.5, at.y - 0.5, at.width + 1, at.height + 1);
  cairo_stroke (cr);
}

/* A label, shortened where the number beside it leaves too little room. */
static void
draw_line (HlScene       *scene,
           const HlTheme *theme,
           cairo_t       *cr,
           const char    *label,
           const char    *number,
           gboolean       shortens,
           double         x,
           double         y)
{
  const double width = WIDTH - 2 * PAD;
  const HlTextStyle style = { .size = NUMBER_SIZE };
  const double room = width - hl_scene_measure_text (scene, number, &style) - 8;
  const HlTextStyle short_style = { .size = NUMBER_SIZE, .max_width = MAX (room, 24) };

  hl_scene_write (scene, cr, label, shortens ? &short_style : &style, &theme->muted, x + PAD, y + LINE / 2.0, 0);
  hl_scene_write (scene, cr, number, &style, &theme->foreground, x + PAD + width, y + LINE / 2.0, 1);
}

/* Draws it to the right of the thumbnail @of, to the left of it where there is no room. */
void
hl_model_view_card_draw (const HlModelViewCard   *self,
                         HlScene                 *scene,
                         const HlSceneFrame      *frame,
                         cairo_t                 *cr,
                         const cairo_rectangle_t *of)
{
  const HlTheme *theme = frame->theme;
  const HlTextStyle bold = { .size = TITLE_SIZE, .bold = TRUE, .max_width = HL_MODEL_VIEW_CARD_PICTURE };
  const HlTextStyle plain = { .size = NUMBER_SIZE, .max_width = HL_MODEL_VIEW_CARD_PICTURE };
  const char *second = find_second_line (self, scene);
  g_autofree char *first = second != NULL ? g_strndup (self->title, (gsize) (second - self->title) - strlen (DOT))
                                          : g_strdup (self->title);
  const double height = get_height (self, second != NULL);
  double x = of->x + of->width + GAP;

  if (x + WIDTH > frame->width - 4)
    x = of->x - GAP - WIDTH;
  x = hl_cairo_snap (CLAMP (x, 4, MAX (4, frame->width - WIDTH - 4)), frame->scale);
  const double y =
    hl_cairo_snap (CLAMP (of->y + of->height / 2 - height / 2, 4, MAX (4, frame->height - height - 4)), frame->scale);
  hl_callout_panel (cr, theme, &(cairo_rectangle_t){ x, y, WIDTH, height }, 9);
  hl_scene_write (scene, cr, first, &bold, &theme->foreground, x + PAD, y + PAD + TITLE_SIZE * 0.6, 0);

  double below = y + PAD + TITLE_ROOM;
  if (second != NULL)
    {
      hl_scene_write (scene, cr, second, &plain, &theme->muted, x + PAD, below + LINE / 2.0 - 4, 0);
      below += LINE;
    }
  if (self->enlarges)
    {
      draw_picture (self, frame, cr, x, below);
      below += self->picture_height + PICTURE_GAP;
    }
  /* What was asked for stands first. */
  if (self->pairs != NULL)
    {
      draw_line (scene, theme, cr, self->pairs, self->weight, TRUE, x, below);
      below += LINE;
    }
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      if (!has_line (self, stat))
        continue;
      g_autofree char *number =
        self->known & HL_HEAD_NUMBER_BIT (stat)
          ? hl_model_view_format_measure (frame->shown, HL_HEAD_MEASURE_STATS + stat, self->stats.values[stat])
          : g_strdup ("…");
      draw_line (scene, theme, cr, _ (hl_head_number_get (stat)->label), number, FALSE, x, below);
      below += LINE;
    }
}
