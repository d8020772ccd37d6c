/* SPDX-License-Identifier: MIT */
/* The heads of the layer, and guests of other layers, as a strip of chips over a head view. */
#include "draw/head-view/hl-head-view-chips.h"

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-contrast.h"
#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-write.h"

/* How much of its colour a chip has whose head is not shown. */
#define TINT 0.16

/* The colours of a chip on the ground of a theme: that of its head, or if that is not shown a tint of it on which the number can be read. */
HlHeadViewChip
hl_head_view_chip_of (const HlTheme  *theme,
                      const HlColour *colour,
                      gboolean        active)
{
  if (active)
    return (HlHeadViewChip){ *colour, *colour, hl_contrast_choose_ink (colour) };

  const double tint = MIN (TINT, hl_contrast_find_shade (&theme->background, colour, &theme->muted));
  return (HlHeadViewChip){ hl_contrast_mix (&theme->background, colour, tint), *colour, theme->muted };
}

static void
draw_chip (HlScene            *scene,
           const HlSceneFrame *frame,
           cairo_t            *cr,
           guint               head)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlTheme *theme = frame->theme;
  /* Heads that make one map have one colour, that of its lines; colours that tell signs tell no heads. */
  const gboolean is_signed = hl_attention_source_is_signed (frame->shown->source);
  const HlColour colour = is_signed ? theme->muted
                                    : hl_palette_get_head_colour (frame->shown->merges_heads ? 0 : head, theme->dark);
  const gboolean is_guest = head >= layout->n_own;
  const gboolean active = is_guest || hl_head_set_contains (&layout->chosen, head);
  double x, y;

  hl_head_view_layout_get_swatch (layout, head, &x, &y);
  const HlHeadViewChip chip = hl_head_view_chip_of (theme, &colour, active);
  hl_cairo_set_colour (cr, &chip.ground, 1);
  hl_cairo_rounded_rectangle (cr, x, y, layout->swatch_width, layout->swatch_height, 4);
  cairo_fill (cr);
  if (!active)
    {
      hl_cairo_set_colour (cr, &chip.border, 1);
      cairo_set_line_width (cr, 1);
      hl_cairo_rounded_rectangle (cr, x + 0.5, y + 0.5, layout->swatch_width - 1, layout->swatch_height - 1, 3.5);
      cairo_stroke (cr);
    }
  if (layout->swatch_height >= 16)
    {
      const HlTextStyle style = { .size = layout->swatch_height >= 20 ? 11 : 9, .bold = active };
      char number[32];

      if (is_guest)
        g_snprintf (number, sizeof number, "%u.%u", frame->shown->others[head - layout->n_own].layer,
                    frame->shown->others[head - layout->n_own].head);
      else
        g_snprintf (number, sizeof number, "%u", head);
      hl_scene_write (scene, cr, number, &style, &chip.ink, x + layout->swatch_width / 2, y + layout->swatch_height / 2,
                      0.5);
    }
}

void
hl_head_view_draw_hovered_chip (const HlSceneFrame *frame,
                                cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;
  double x, y;

  if (frame->hovered->kind != HL_PICK_HEAD || !hl_head_view_layout_has_swatch (layout, frame->hovered->head))
    return;
  hl_head_view_layout_get_swatch (layout, frame->hovered->head, &x, &y);
  hl_cairo_set_colour (cr, &frame->theme->foreground, 0.8);
  cairo_set_line_width (cr, 1.5);
  hl_cairo_rounded_rectangle (cr, x - 1.25, y - 1.25, layout->swatch_width + 2.5, layout->swatch_height + 2.5, 5);
  cairo_stroke (cr);
}

void
hl_head_view_draw_chips (HlScene            *scene,
                         const HlSceneFrame *frame,
                         cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;

  for (guint head = 0; head < layout->n_heads; head++)
    if (hl_head_view_layout_has_swatch (layout, head))
      draw_chip (scene, frame, cr, head);
}
