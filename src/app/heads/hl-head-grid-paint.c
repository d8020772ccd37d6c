/* SPDX-License-Identifier: MIT */
/* How the cells of the picker look: a picture of the head, or the colour of a number; the colour of the head where it is shown or has a
 * part in what is shown, a ring around the one in the foreground. Of what is not known yet there is a dot. Only cells in sight are
 * painted. */
#include "app/heads/hl-head-grid-paint.h"

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-palette.h"

#include <math.h>

#define GAP 1
#define RING 2
#define RADIUS 3
#define FOCUS_RING 3
#define DOT 3
#define FRAME 2

void
hl_head_grid_layout_get_cell (const HlHeadGridLayout *layout,
                              guint                   layer,
                              guint                   head,
                              graphene_rect_t        *area)
{
  graphene_rect_init (area, (float) layout->label_width + (float) head * layout->cell - layout->scroll_x,
                      (float) layout->header_height + (float) layer * layout->cell - layout->scroll_y,
                      (float) layout->cell, (float) layout->cell);
}

/* Its number, or the room beside it. */
gboolean
hl_head_grid_layout_find_layer (const HlHeadGridLayout *layout,
                                double                  x,
                                double                  y,
                                guint                   n_layers,
                                guint                  *layer)
{
  if (layout->cell == 0 || x < 0 || x >= layout->label_width || y < layout->header_height)
    return FALSE;
  *layer = (guint) ((y - layout->header_height + layout->scroll_y) / layout->cell);
  return *layer < n_layers;
}

gboolean
hl_head_grid_layout_find_cell (const HlHeadGridLayout *layout,
                               HlAttention            *attention,
                               double                  x,
                               double                  y,
                               guint                  *layer,
                               guint                  *head)
{
  if (layout->cell == 0 || x < layout->label_width || y < layout->header_height)
    return FALSE;
  *head = (guint) ((x - layout->label_width + layout->scroll_x) / layout->cell);
  *layer = (guint) ((y - layout->header_height + layout->scroll_y) / layout->cell);
  return *layer < hl_attention_get_n_layers (attention) && *head < hl_attention_get_n_heads (attention, *layer);
}

typedef struct
{
  GtkWidget *widget;
  GtkSnapshot *snapshot;
  HlViewState *state;
  const HlHeadGridLayout *layout;
  const HlHeadGridLook *look;
  GdkRGBA ink;
  guint first_row;
  guint end_row;
  guint first_column;
  guint end_column;
  cairo_t *ground; /* what lies below pictures and rings of a row */
} Painter;

static GdkRGBA
with_alpha (const GdkRGBA *colour,
            double         alpha)
{
  return (GdkRGBA){ colour->red, colour->green, colour->blue, (float) (colour->alpha * alpha) };
}

/* Rows or columns in sight: from *first up to *end. */
static void
find_visible (int    size,
              int    header,
              int    scroll,
              int    cell,
              guint  n,
              guint *first,
              guint *end)
{
  const int room = MAX (size - header, 0);

  *first = (guint) MIN (scroll / cell, (int) n);
  *end = (guint) MIN ((scroll + room + cell - 1) / cell, (int) n);
}

static PangoLayout *
create_number (Painter *painter,
               guint    number,
               gboolean bold)
{
  char text[12];

  g_snprintf (text, sizeof text, "%u", number);
  PangoLayout *layout = gtk_widget_create_pango_layout (painter->widget, text);
  if (bold)
    {
      g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
      pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
      pango_layout_set_attributes (layout, attributes);
    }
  return layout;
}

/* Every which number to write so that they do not touch: 1, 2, 5, 10, 20 … */
static guint
get_step (int cell,
          int needed)
{
  static const guint steps[] = { 1, 2, 5 };

  for (guint decade = 1;; decade *= 10)
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      if ((int) (steps[i] * decade) * cell >= needed)
        return steps[i] * decade;
}

static void
paint_number (Painter *painter,
              guint    number,
              gboolean is_current,
              float    right,
              float    centre,
              float    y,
              float    height)
{
  const GdkRGBA colour = is_current ? painter->ink : with_alpha (&painter->ink, 0.7);
  g_autoptr (PangoLayout) layout = create_number (painter, number, is_current);
  int text_width, text_height;

  pango_layout_get_pixel_size (layout, &text_width, &text_height);
  const float x = right > 0 ? right - (float) text_width : centre - (float) text_width / 2;
  gtk_snapshot_save (painter->snapshot);
  gtk_snapshot_translate (painter->snapshot,
                          &GRAPHENE_POINT_INIT ((float) (int) x,
                                                (float) (int) (y + (height - (float) text_height) / 2)));
  gtk_snapshot_append_layout (painter->snapshot, layout, &colour);
  gtk_snapshot_restore (painter->snapshot);
}

static void
paint_row_numbers (Painter *painter)
{
  const HlHeadGridLayout *layout = painter->layout;
  const guint current = hl_view_state_get_layer (painter->state);
  const gboolean merges = hl_view_state_get_shown (painter->state)->merges_layers;
  const HlLayerSet *chosen = hl_view_state_get_layers (painter->state);
  const guint step = get_step (layout->cell, layout->header_height - 4);

  gtk_snapshot_push_clip (painter->snapshot,
                          &GRAPHENE_RECT_INIT (0, (float) layout->header_height, (float) layout->label_width,
                                               (float) gtk_widget_get_height (painter->widget)));
  for (guint layer = painter->first_row; layer < painter->end_row; layer++)
    {
      graphene_rect_t cell;
      const gboolean is_chosen = merges ? hl_layer_set_contains (chosen, layer) : layer == current;
      if (layer != current &&
          (layer % step != 0 || (step > 1 && layer + 1 == current) || (step > 1 && layer == current + 1)))
        continue;
      hl_head_grid_layout_get_cell (layout, layer, 0, &cell);
      paint_number (painter, layer, is_chosen, (float) layout->label_width - 6, 0, cell.origin.y, cell.size.height);
    }
  gtk_snapshot_pop (painter->snapshot);
}

static void
paint_column_numbers (Painter *painter)
{
  const HlHeadGridLayout *layout = painter->layout;
  const guint current = hl_view_state_get_head (painter->state);
  g_autoptr (PangoLayout) widest = create_number (painter, MAX (painter->end_column, 1) - 1, FALSE);
  int text_width;

  pango_layout_get_pixel_size (widest, &text_width, NULL);
  const guint step = get_step (layout->cell, text_width + 5);
  gtk_snapshot_push_clip (painter->snapshot, &GRAPHENE_RECT_INIT ((float) layout->label_width, 0,
                                                                  (float) gtk_widget_get_width (painter->widget),
                                                                  (float) layout->header_height));
  for (guint head = painter->first_column; head < painter->end_column; head++)
    {
      graphene_rect_t cell;
      /* The current one is always written; a neighbour that would touch it gives way. */
      const guint distance = head > current ? head - current : current - head;
      if (head != current && (head % step != 0 || distance < step))
        continue;
      hl_head_grid_layout_get_cell (layout, 0, head, &cell);
      paint_number (painter, head, head == current, 0, cell.origin.x + cell.size.width / 2, 0,
                    (float) layout->header_height);
    }
  gtk_snapshot_pop (painter->snapshot);
}

/* A row's are one node: a renderer that paints with the processor goes through each node of the window at each frame, and would make
 * a clip of each of hundreds of cells. */
static void
paint_round (Painter               *painter,
             const graphene_rect_t *area,
             const GdkRGBA         *colour)
{
  gdk_cairo_set_source_rgba (painter->ground, colour);
  hl_cairo_rounded_rectangle (painter->ground, area->origin.x, area->origin.y, area->size.width, area->size.height,
                              RADIUS);
  cairo_fill (painter->ground);
}

/* Around a cell, within it, one pixel wide. */
static void
paint_edge (Painter               *painter,
            const graphene_rect_t *area,
            const GdkRGBA         *colour)
{
  gdk_cairo_set_source_rgba (painter->ground, colour);
  hl_cairo_rounded_rectangle (painter->ground, area->origin.x + 0.5, area->origin.y + 0.5, area->size.width - 1,
                              area->size.height - 1, RADIUS + GAP - 0.5);
  cairo_set_line_width (painter->ground, 1);
  cairo_stroke (painter->ground);
}

static void
paint_ring (Painter               *painter,
            const graphene_rect_t *area,
            float                  width,
            const GdkRGBA         *colour)
{
  const float widths[] = { width, width, width, width };
  const GdkRGBA colours[] = { *colour, *colour, *colour, *colour };
  GskRoundedRect shape;

  gsk_rounded_rect_init_from_rect (&shape, area, RADIUS + GAP);
  gtk_snapshot_append_border (painter->snapshot, &shape, widths, colours);
}

/* A layer without attention: a line in place of cells. */
static void
paint_gap (Painter *painter,
           guint    layer)
{
  const GdkRGBA colour = with_alpha (&painter->ink, 0.25);
  graphene_rect_t first, last;

  if (painter->end_column <= painter->first_column)
    return;
  hl_head_grid_layout_get_cell (painter->layout, layer, painter->first_column, &first);
  hl_head_grid_layout_get_cell (painter->layout, layer, painter->end_column - 1, &last);
  gtk_snapshot_append_color (painter->snapshot, &colour,
                             &GRAPHENE_RECT_INIT (first.origin.x + GAP,
                                                  (float) (int) (first.origin.y + first.size.height / 2),
                                                  last.origin.x + last.size.width - first.origin.x - 2 * GAP, 1));
}

/* Something that is no colour of a number: there is none yet, or none for this head. */
static void
paint_dot (Painter               *painter,
           const graphene_rect_t *area)
{
  const GdkRGBA colour = with_alpha (&painter->ink, 0.45);

  paint_round (painter,
               &GRAPHENE_RECT_INIT (floorf (area->origin.x + (area->size.width - DOT) / 2),
                                    floorf (area->origin.y + (area->size.height - DOT) / 2), DOT, DOT),
               &colour);
}

static gboolean
find_tint (Painter *painter,
           guint    layer,
           guint    head,
           GdkRGBA *colour)
{
  const HlHeadGridLook *look = painter->look;
  HlHeadNumbers *numbers = hl_view_state_get_numbers (painter->state);

  if (!look->is_known || numbers == NULL)
    return FALSE;
  const double value = hl_head_numbers_get (numbers, look->measure, hl_head_numbers_get_index (numbers, layer, head));
  if (!isfinite (value))
    return FALSE;
  const double t = look->max > look->min ? (value - look->min) / (look->max - look->min) : 1;
  const guint32 pixel =
    hl_colour_map_lookup (HL_COLOUR_MAP_PAPER, hl_view_state_get_options (painter->state)->dark, CLAMP (t, 0, 1));
  *colour =
    (GdkRGBA){ (float) (pixel >> 16 & 0xFF) / 255, (float) (pixel >> 8 & 0xFF) / 255, (float) (pixel & 0xFF) / 255, 1 };
  return TRUE;
}

/* The number of the head, and around it the head's own colour if it is shown. */
static void
paint_tint (Painter               *painter,
            const graphene_rect_t *inner,
            guint                  layer,
            guint                  head,
            const GdkRGBA         *fill,
            gboolean               is_shown)
{
  const GdkRGBA edge = with_alpha (&painter->ink, 0.25);
  GdkRGBA colour;

  if (find_tint (painter, layer, head, &colour))
    {
      paint_round (painter, inner, &colour);
      paint_edge (painter, inner, &edge);
    }
  else
    paint_dot (painter, inner);
  if (is_shown)
    paint_ring (painter, inner, FOCUS_RING, fill);
}

/* What the head looks like: ink on a faint square, and paper on the colour of a head that is shown, which is a frame around it. */
static void
paint_picture (Painter               *painter,
               const graphene_rect_t *inner,
               guint                  layer,
               guint                  head,
               const GdkRGBA         *fill,
               gboolean               is_shown)
{
  const GdkRGBA paper = { 1, 1, 1, 1 };
  const GdkRGBA *ink = is_shown ? &paper : &painter->ink;
  GdkTexture *texture = hl_head_pictures_get (painter->look->pictures, layer, head, ink);
  graphene_rect_t within;

  paint_round (painter, inner, fill);
  graphene_rect_inset_r (inner, is_shown ? FRAME : 0, is_shown ? FRAME : 0, &within);
  if (texture != NULL)
    gtk_snapshot_append_texture (painter->snapshot, texture, &within);
  else
    paint_dot (painter, inner);
}

static void
paint_row (Painter *painter,
           guint    layer,
           int      hovered_head)
{
  const gboolean dark = hl_view_state_get_options (painter->state)->dark;
  const gboolean is_current = hl_view_state_get_shown (painter->state)->merges_layers
                                ? hl_layer_set_contains (hl_view_state_get_layers (painter->state), layer)
                                : layer == hl_view_state_get_layer (painter->state);
  const gboolean merges_heads = hl_view_state_get_shown (painter->state)->merges_heads;
  const gboolean one_head = !hl_shown_takes_heads (hl_view_state_get_shown (painter->state));
  const guint current_head = hl_view_state_get_head (painter->state);
  const HlShown *picture = hl_view_state_get_shown (painter->state);
  const HlHeadSet *shown = picture->merges_layers
                             ? hl_head_selection_get_combined (hl_view_state_get_selection (painter->state))
                             : hl_view_state_get_heads (painter->state);
  const guint n_own = hl_view_state_get_n_heads (painter->state);
  const guint n_heads = hl_attention_get_n_heads (hl_view_state_get_attention (painter->state), layer);
  const guint end_column = MIN (painter->end_column, n_heads);
  graphene_rect_t first;
  /* Which of the heads of other layers each is, counted from 1. */
  g_autofree guint *guests = g_new0 (guint, n_heads);

  if (n_heads == 0)
    paint_gap (painter, layer);
  for (guint i = 0; i < picture->n_others && !one_head; i++)
    if (picture->others[i].layer == layer && picture->others[i].head < n_heads)
      guests[picture->others[i].head] = i + 1;
  if (painter->first_column >= end_column)
    return;
  hl_head_grid_layout_get_cell (painter->layout, layer, painter->first_column, &first);
  first.size.width *= (float) (end_column - painter->first_column);
  painter->ground = gtk_snapshot_append_cairo (painter->snapshot, &first);
  for (guint head = painter->first_column; head < end_column; head++)
    {
      const gboolean has_pictures = painter->look->pictures != NULL;
      const gboolean has_tints = painter->look->measure != HL_HEAD_MEASURE_NONE;
      GdkRGBA colour = with_alpha (&painter->ink, has_pictures ? is_current ? 0.11 : 0.05 : is_current ? 0.18 : 0.08);
      gboolean is_shown = FALSE;
      graphene_rect_t area, inner;

      hl_head_grid_layout_get_cell (painter->layout, layer, head, &area);
      graphene_rect_inset_r (&area, GAP, GAP, &inner);
      if (is_current && (one_head ? head == current_head : hl_head_set_contains (shown, head)))
        {
          /* Heads that make one map have the colour of its lines. */
          const HlColour fill = hl_palette_get_head_colour (merges_heads ? 0 : head, dark);
          colour = (GdkRGBA){ fill.r, fill.g, fill.b, fill.a };
          is_shown = TRUE;
        }
      else if (guests[head] > 0)
        {
          const HlColour fill = hl_palette_get_head_colour (n_own + guests[head] - 1, dark);
          colour = (GdkRGBA){ fill.r, fill.g, fill.b, fill.a };
          is_shown = TRUE;
        }
      else if ((int) head == hovered_head)
        colour = with_alpha (&painter->ink, 0.32);
      if (has_tints)
        paint_tint (painter, &inner, layer, head, &colour, is_shown || (int) head == hovered_head);
      else if (has_pictures)
        paint_picture (painter, &inner, layer, head, &colour, is_shown);
      else
        paint_round (painter, &inner, &colour);
    }
  g_clear_pointer (&painter->ground, cairo_destroy);
}

static void
paint_current (Painter *painter)
{
  const guint layer = hl_view_state_get_layer (painter->state);
  const guint head = hl_view_state_get_head (painter->state);
  GtkStyleContext *style = gtk_widget_get_style_context (painter->widget);
  GdkRGBA colour = painter->ink, paper;
  graphene_rect_t area;

  hl_head_grid_layout_get_cell (painter->layout, layer, head, &area);
  if (!gtk_widget_has_visible_focus (painter->widget))
    {
      graphene_rect_inset (&area, -GAP, -GAP);
      paint_ring (painter, &area, RING, &colour);
      return;
    }
  /* Between the ring and whatever colour is in the cell, paper: the ring is told from both. */
  gtk_style_context_lookup_color (style, "accent_color", &colour);
  if (gtk_style_context_lookup_color (style, "window_bg_color", &paper))
    paint_ring (painter, &area, 1, &paper);
  graphene_rect_inset (&area, -FOCUS_RING, -FOCUS_RING);
  paint_ring (painter, &area, FOCUS_RING, &colour);
}

void
hl_head_grid_paint (GtkWidget              *widget,
                    GtkSnapshot            *snapshot,
                    HlViewState            *state,
                    const HlHeadGridLayout *layout,
                    const HlHeadGridLook   *look,
                    int                     hovered_layer,
                    int                     hovered_head)
{
  HlAttention *attention = hl_view_state_get_attention (state);
  const int width = gtk_widget_get_width (widget);
  const int height = gtk_widget_get_height (widget);
  Painter painter = { .widget = widget, .snapshot = snapshot, .state = state, .layout = layout, .look = look };

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  if (layout->cell == 0)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &painter.ink);
  find_visible (width, layout->label_width, layout->scroll_x, layout->cell, hl_attention_get_max_heads (attention),
                &painter.first_column, &painter.end_column);
  find_visible (height, layout->header_height, layout->scroll_y, layout->cell, hl_attention_get_n_layers (attention),
                &painter.first_row, &painter.end_row);

  paint_row_numbers (&painter);
  paint_column_numbers (&painter);
  /* A ring at the edge reaches over the numbers' side by a hair; nothing else does. */
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT ((float) layout->label_width - FOCUS_RING,
                                                         (float) layout->header_height - FOCUS_RING,
                                                         (float) (width - layout->label_width + FOCUS_RING),
                                                         (float) (height - layout->header_height + FOCUS_RING)));
  for (guint layer = painter.first_row; layer < painter.end_row; layer++)
    paint_row (&painter, layer, (int) layer == hovered_layer ? hovered_head : -1);
  paint_current (&painter);
  gtk_snapshot_pop (snapshot);
}
