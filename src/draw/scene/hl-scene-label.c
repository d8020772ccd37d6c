/* SPDX-License-Identifier: MIT */
#include "draw/scene/hl-scene-label.h"

#include <math.h>

#include "draw/scene/hl-patch-swatch.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-token-label.h"

#define SLANT (-G_PI / 3)
#define SLANT_SINE 0.8660254

/* Letters look best beside the line that leads down to what they name. */
#define SLANT_INDENT 0.12

#define MIN_NAME 8

/* Of a name in focus, in letters: its box, where there is room, and where names are close; and what those beside it take. */
#define BOX_HEIGHT 1.5
#define LEAST_BOX_HEIGHT 1.2
#define LETTER_HEIGHT 0.8

/* From the box of a name to what holds the dot behind it too. */
#define DOT_ROOM 14

/* The upper left corner of a patch of a label at (0, 0) whose name is so wide. */
static void
get_swatch_place (const HlSceneLabel *label,
                  double              size,
                  double              name,
                  double             *x,
                  double             *y)
{
  switch (label->direction)
    {
    case HL_LABEL_LEVEL:
      *x = label->align == 0.5 ? -(size + HL_PATCH_SWATCH_GAP + name) / 2 : -label->align * size;
      *y = -size / 2;
      break;
    case HL_LABEL_UPWARDS:
      *x = -size / 2;
      *y = (label->align - 1) * size;
      break;
    case HL_LABEL_SLANTED:
    default:
      *x = -size / 2;
      *y = -size;
      break;
    }
}

/* To where the name is at (0, 0), and turned as it runs; a patch takes so much. */
static void
enter (const HlSceneLabel *label,
       double              taken,
       double              x,
       double              y,
       cairo_t            *cr)
{
  const double away = label->align == 1 ? -taken : label->align == 0 ? taken : taken / 2;

  if (label->direction == HL_LABEL_LEVEL)
    cairo_translate (cr, x + away, y);
  else if (label->direction == HL_LABEL_UPWARDS)
    {
      cairo_translate (cr, x, y - away);
      cairo_rotate (cr, -G_PI_2);
    }
  else
    {
      cairo_translate (cr, x + label->style.size * SLANT_INDENT, y - taken);
      cairo_rotate (cr, SLANT);
    }
}

/* What patches take of labels of that side in letters of that size, logical pixels; 0 where there is no image. */
double
hl_scene_label_get_room (HlAttention *attention,
                         HlSide       side,
                         double       size)
{
  return hl_patch_swatch_get_room (attention, side, HL_PATCH_SWATCH_SIZE (size));
}

/* Where a patch has no room for its name, its row and column are what tells it from others. */
static void
shorten (HlScene            *scene,
         const HlSceneLabel *label,
         const HlTextStyle  *style,
         char              **name)
{
  HlTextStyle whole = *style;
  HlPicturePatch patch;

  whole.max_width = 0;
  if (style->max_width <= 0 || !hl_attention_find_patch (label->attention, label->side, label->token, &patch) ||
      hl_scene_measure_text (scene, *name, &whole) <= style->max_width)
    return;
  g_free (*name);
  *name = g_strdup_printf ("%zu,%zu", patch.row + 1, patch.column + 1);
}

/* Of the box of one in focus, which covers nothing of those beside it, as far as that can be. */
static double
get_box_height (const HlSceneLabel *label,
                double              size)
{
  const double step = label->pitch * (label->direction == HL_LABEL_SLANTED ? SLANT_SINE : 1);

  /* What stands in the middle has others to its left and right. */
  if (label->direction == HL_LABEL_LEVEL && label->align == 0.5)
    return BOX_HEIGHT * size;
  return CLAMP (2 * step - LETTER_HEIGHT * size, LEAST_BOX_HEIGHT * size, BOX_HEIGHT * size);
}

/* Of the box of a level one in focus; what is pinned has its dot within. */
void
hl_scene_label_get_box (HlScene            *self,
                        const HlSceneLabel *label,
                        double              x,
                        double              y,
                        cairo_rectangle_t  *box)
{
  g_autofree char *name = hl_token_text_show (hl_attention_get_texts (label->attention, label->side)[label->token]);
  const double width = hl_scene_measure_text (self, name, &label->style);
  const double height = get_box_height (label, label->style.size);

  *box = (cairo_rectangle_t){ x - label->align * width - 4, y - height / 2,
                              width + 8 + (label->pinned && label->align == 0.5 ? DOT_ROOM : 0), height };
}

/* Slanted ones begin there. */
void
hl_scene_draw_label (HlScene            *self,
                     const HlSceneFrame *frame,
                     cairo_t            *cr,
                     const HlSceneLabel *label,
                     double              x,
                     double              y)
{
  g_autofree char *name = hl_token_text_show (hl_attention_get_texts (label->attention, label->side)[label->token]);
  const double swatch = MIN (HL_PATCH_SWATCH_SIZE (label->style.size), label->pitch - 1);
  const gboolean has_swatch = hl_patch_swatch_is_there (label->attention, label->side, label->token, swatch);
  const double taken = has_swatch ? swatch + HL_PATCH_SWATCH_GAP : 0;
  HlTextStyle style = label->style;

  if (style.max_width > 0)
    style.max_width =
      MAX (style.max_width - (label->direction == HL_LABEL_SLANTED ? taken / SLANT_SINE : taken), MIN_NAME);
  shorten (self, label, &style, &name);
  const double width = hl_scene_measure_text (self, name, &style);
  const double height = get_box_height (label, style.size);
  if (has_swatch)
    {
      double left, top;
      get_swatch_place (label, swatch, width, &left, &top);
      hl_patch_swatch_draw (label->attention, label->side, label->token, x + left, y + top, swatch, frame->scale, cr);
    }
  cairo_save (cr);
  enter (label, taken, x, y, cr);
  /* What stands in the middle, as a time over its axis, has others on both sides. */
  const gboolean has_dot_within = label->pinned && label->align == 0.5;
  if (label->in_focus)
    hl_callout_emphasis (cr, frame->theme,
                         &(cairo_rectangle_t){ -label->align * width - 4, -height / 2,
                                               width + 8 + (has_dot_within ? DOT_ROOM : 0), height });
  if (label->in_focus && label->pinned)
    {
      cairo_arc (cr, label->align == 1 ? -width - 11 : (1 - label->align) * width + 11, 0, 3.5, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  hl_scene_write (self, cr, name, &style, label->colour, 0, 0, label->align);
  cairo_restore (cr);
}
