/* SPDX-License-Identifier: MIT */
#include "app/details/hl-head-picture.h"

#include "app/base/hl-high-contrast.h"
#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-colour-map.h"
#include "view/hl-weight-text.h"

/* Of the scale: from the picture, its width, and from it to its numbers. */
#define GAP 12
#define BAR_WIDTH 8
#define NUMBER_GAP 6

/* A cell that is marked has room for its frame. */
#define MIN_MARK 7

struct _HlHeadPicture
{
  GtkWidget parent_instance;

  HlHeadFacts *facts;
  HlPick mark;
};

G_DEFINE_FINAL_TYPE (HlHeadPicture, hl_head_picture, GTK_TYPE_WIDGET)

static void
hl_head_picture_measure (GtkWidget     *widget,
                         GtkOrientation orientation,
                         int            for_size,
                         int           *minimum,
                         int           *natural,
                         int           *minimum_baseline,
                         int           *natural_baseline)
{
  *minimum = *natural = HL_HEAD_PICTURE_SIDE;
}

static void
draw_number (HlHeadPicture *self,
             cairo_t       *cr,
             const HlTheme *theme,
             const char    *text,
             double         x,
             double         y,
             gboolean       above)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  int height;

  pango_attr_list_insert (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL));
  /* Not as bold as the button that it is in. */
  pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_NORMAL));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_get_pixel_size (layout, NULL, &height);
  hl_cairo_set_colour (cr, &theme->muted, 1);
  cairo_move_to (cr, x, above ? y - height : y);
  pango_cairo_show_layout (cr, layout);
}

/* Each picture goes from 0 to its own strongest weight. */
static void
draw_scale (HlHeadPicture *self,
            cairo_t       *cr,
            const HlTheme *theme)
{
  const HlShown *shown = hl_head_facts_get_shown (self->facts);
  const double x = HL_HEAD_PICTURE_SIDE + GAP, right = x + BAR_WIDTH + NUMBER_GAP;
  char number[HL_WEIGHT_TEXT_SIZE];

  if (shown->value_scale != HL_VALUE_SCALE_LINEAR || hl_attention_source_is_signed (shown->source))
    return;
  for (int i = 0; i < HL_HEAD_PICTURE_SIDE; i++)
    {
      const double t = 1 - (i + 0.5) / HL_HEAD_PICTURE_SIDE;
      const guint32 pixel = hl_colour_map_lookup (shown->options.colour_map, theme->dark, t);

      cairo_set_source_rgb (cr, (pixel >> 16 & 0xff) / 255.0, (pixel >> 8 & 0xff) / 255.0, (pixel & 0xff) / 255.0);
      cairo_rectangle (cr, x, i, BAR_WIDTH, 1);
      cairo_fill (cr);
    }
  draw_number (self, cr, theme, hl_weight_text_format ((double) hl_head_facts_get_max (self->facts), number), right, 0,
               FALSE);
  draw_number (self, cr, theme, "0", right, HL_HEAD_PICTURE_SIDE, TRUE);
}

/* Where a token is, along a side. */
static void
find_extent (HlRange  range,
             gsize    token,
             gboolean mirrored,
             double  *start,
             double  *length)
{
  const gsize index = mirrored ? range.n - 1 - (token - range.first) : token - range.first;
  const double cell = (double) HL_HEAD_PICTURE_SIDE / (double) range.n;

  *length = MAX (cell, MIN_MARK);
  *start = CLAMP ((double) index * cell - (*length - cell) / 2, 0, HL_HEAD_PICTURE_SIDE - *length);
}

/* A cell, the row of a query, or the column of a key. */
static void
draw_mark (HlHeadPicture *self,
           cairo_t       *cr,
           const HlTheme *theme)
{
  const HlShown *shown = hl_head_facts_get_shown (self->facts);
  double x = 0, y = 0, width = HL_HEAD_PICTURE_SIDE, height = HL_HEAD_PICTURE_SIDE;
  const gboolean has_query = hl_pick_has (&self->mark, HL_QUERIES), has_key = hl_pick_has (&self->mark, HL_KEYS);

  if ((!has_query && !has_key) || (has_query && self->mark.query - shown->queries.first >= shown->queries.n) ||
      (has_key && self->mark.key - shown->keys.first >= shown->keys.n))
    return;
  if (has_key)
    find_extent (shown->keys, self->mark.key, shown->reads_right_to_left, &x, &width);
  if (has_query)
    find_extent (shown->queries, self->mark.query, FALSE, &y, &height);
  cairo_rectangle (cr, x, y, width, height);
  hl_cairo_set_colour (cr, &theme->background, 1);
  cairo_set_line_width (cr, 4);
  cairo_stroke_preserve (cr);
  hl_cairo_set_colour (cr, &theme->accent, 1);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
}

static void
hl_head_picture_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  HlHeadPicture *self = HL_HEAD_PICTURE (widget);
  const HlThumbnail *picture = self->facts != NULL ? hl_head_facts_get_picture (self->facts) : NULL;
  const cairo_rectangle_t box = { 0, 0, HL_HEAD_PICTURE_SIDE, HL_HEAD_PICTURE_SIDE };

  if (picture == NULL)
    return;
  const HlTheme *theme = hl_high_contrast_get_theme (picture->style.dark);
  cairo_t *cr =
    gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (-2, -2, (float) gtk_widget_get_width (widget) + 4,
                                                              HL_HEAD_PICTURE_SIDE + 4));
  hl_thumbnail_paint (picture, &box, cr);
  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, 0.5, 0.5, HL_HEAD_PICTURE_SIDE - 1, HL_HEAD_PICTURE_SIDE - 1);
  cairo_stroke (cr);
  draw_scale (self, cr, theme);
  draw_mark (self, cr, theme);
  cairo_destroy (cr);
}

static void
hl_head_picture_dispose (GObject *object)
{
  g_clear_object (&HL_HEAD_PICTURE (object)->facts);
  G_OBJECT_CLASS (hl_head_picture_parent_class)->dispose (object);
}

static void
hl_head_picture_class_init (HlHeadPictureClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_head_picture_dispose;
  widget_class->measure = hl_head_picture_measure;
  widget_class->snapshot = hl_head_picture_snapshot;
  gtk_widget_class_set_css_name (widget_class, "headpicture");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
hl_head_picture_init (HlHeadPicture *self)
{
  hl_high_contrast_follow (GTK_WIDGET (self));
}

/* How a map looks here: a heatmap, whatever the view. */
HlThumbnailStyle
hl_head_picture_get_style (HlHeadPicture *self,
                           const HlShown *shown)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  return (HlThumbnailStyle){
    .kind = HL_THUMBNAIL_HEATMAP,
    .map = shown->options.colour_map,
    .value_scale = shown->value_scale,
    .dark = shown->options.dark,
    .mirrored = shown->reads_right_to_left,
    .width = (guint) (HL_HEAD_PICTURE_SIDE * scale),
    .height = (guint) (HL_HEAD_PICTURE_SIDE * scale),
    .scale = scale,
  };
}

/* Those that were read; NULL for no picture. */
void
hl_head_picture_set_facts (HlHeadPicture *self,
                           HlHeadFacts   *facts)
{
  g_return_if_fail (HL_IS_HEAD_PICTURE (self));

  if (g_set_object (&self->facts, facts))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Frames a cell, or a token's row or column; NULL for nothing. */
void
hl_head_picture_set_mark (HlHeadPicture *self,
                          const HlPick  *pick)
{
  const HlPick mark = pick != NULL ? *pick : (HlPick){ HL_PICK_NONE };

  g_return_if_fail (HL_IS_HEAD_PICTURE (self));

  if (hl_pick_equal (&mark, &self->mark))
    return;
  self->mark = mark;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The cell at a point of the widget. */
gboolean
hl_head_picture_find_cell (HlHeadPicture *self,
                           double         x,
                           double         y,
                           HlPick        *cell)
{
  g_return_val_if_fail (HL_IS_HEAD_PICTURE (self), FALSE);

  const HlShown *shown = self->facts != NULL ? hl_head_facts_get_shown (self->facts) : NULL;
  if (shown == NULL || !(x >= 0 && x < HL_HEAD_PICTURE_SIDE && y >= 0 && y < HL_HEAD_PICTURE_SIDE) ||
      shown->queries.n == 0 || shown->keys.n == 0)
    return FALSE;
  const gsize column = MIN ((gsize) (x / HL_HEAD_PICTURE_SIDE * (double) shown->keys.n), shown->keys.n - 1);
  const gsize row = MIN ((gsize) (y / HL_HEAD_PICTURE_SIDE * (double) shown->queries.n), shown->queries.n - 1);
  *cell = (HlPick){
    .kind = HL_PICK_CELL,
    .query = shown->queries.first + row,
    .key = shown->keys.first + (shown->reads_right_to_left ? shown->keys.n - 1 - column : column),
  };
  return TRUE;
}
