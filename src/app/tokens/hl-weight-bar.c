/* SPDX-License-Identifier: MIT */
/* A token, a bar and a number: how a row of the token panel looks. Drawn by itself rather than put together of labels,
 * because GtkListView keeps two hundred of them, all of which change whenever the pointer moves: here a change is a
 * redraw, and only what is in sight is drawn. */
#include "app/tokens/hl-weight-bar.h"

#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"
#include "draw/scene/hl-patch-swatch.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#define SPACING 8
#define SWATCH 16
#define PADDING 4
#define BAR_HEIGHT 10
#define TOKEN_SHARE 0.4
/* How much smaller numbers are where there are two of them, and where tokens stand. */
#define SIDE_SCALE 0.85
#define SIDE_BAR_HEIGHT 6
#define PLACE_OPACITY 0.6f
#define OTHER_SIDE_OPACITY 0.5f
/* Of heads other than the one that is pointed at, as in the picture. */
#define DIMMED 0.15f

struct _HlWeightBar
{
  GtkWidget parent_instance;

  HlTokenRow *row;
  gulong refreshed_id;
  gulong settled_id;
  PangoLayout *place;
  PangoLayout *token;
  PangoLayout *number;
  /* Of two sides, in smaller letters. */
  PangoLayout *side_numbers[2];
  int number_width;
  int digit_width;     /* of a place */
  gboolean is_written; /* whether the layouts say what the row does */
  gboolean was_tall;
  gboolean is_marked;
};

G_DEFINE_FINAL_TYPE (HlWeightBar, hl_weight_bar, GTK_TYPE_WIDGET)

static void
drop_layouts (HlWeightBar *self)
{
  g_clear_object (&self->place);
  g_clear_object (&self->token);
  g_clear_object (&self->number);
  g_clear_object (&self->side_numbers[0]);
  g_clear_object (&self->side_numbers[1]);
  self->is_written = FALSE;
}

/* Two sides take two lines. */
static gboolean
has_sides (HlWeightBar *self)
{
  HlTokenWeights *weights = self->row != NULL ? hl_token_list_get_weights (hl_token_row_get_list (self->row)) : NULL;

  return weights != NULL && hl_token_weights_has_sides (weights);
}

static PangoLayout *
make_small_layout (HlWeightBar *self,
                   const char  *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (SIDE_SCALE));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  return layout;
}

/* As wide as the widest number, or the word that stands for one. */
static void
measure_number (HlWeightBar *self,
                int         *height)
{
  const char *const texts[] = { ">−0.001", _ ("masked") };

  self->number_width = 0;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), texts[i]);
      int width;
      pango_layout_get_pixel_size (layout, &width, height);
      self->number_width = MAX (self->number_width, width);
    }
  g_autoptr (PangoLayout) digit = make_small_layout (self, "0");
  pango_layout_get_pixel_size (digit, &self->digit_width, NULL);
}

static void
hl_weight_bar_measure (GtkWidget     *widget,
                       GtkOrientation orientation,
                       int            for_size,
                       int           *minimum,
                       int           *natural,
                       int           *minimum_baseline,
                       int           *natural_baseline)
{
  HlWeightBar *self = HL_WEIGHT_BAR (widget);
  int height;

  measure_number (self, &height);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      /* Where letters are large, bars are what has the least room. */
      *minimum = 2 * self->number_width + 2 * SPACING;
      *natural = 4 * self->number_width + 2 * SPACING;
    }
  else
    *minimum = *natural = (self->was_tall ? 2 * (int) ceil (SIDE_SCALE * height) : height) + 2 * PADDING;
}

/* In the middle between two heights. */
static void
append_layout_between (GtkSnapshot   *snapshot,
                       PangoLayout   *layout,
                       float          x,
                       int            top,
                       int            bottom,
                       const GdkRGBA *colour)
{
  int text_height;

  pango_layout_get_pixel_size (layout, NULL, &text_height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, (float) ((top + bottom - text_height) / 2)));
  gtk_snapshot_append_layout (snapshot, layout, colour);
  gtk_snapshot_restore (snapshot);
}

static void
append_layout (GtkSnapshot   *snapshot,
               PangoLayout   *layout,
               float          x,
               int            height,
               const GdkRGBA *colour)
{
  append_layout_between (snapshot, layout, x, 0, height, colour);
}

/* The first side above, the second below, fainter, each in the colour of its head. */
static void
append_side_bar (HlWeightBar *self,
                 GtkSnapshot *snapshot,
                 guint        which,
                 float        weight,
                 float        x,
                 float        width,
                 int          height)
{
  HlTokenWeights *weights = hl_token_list_get_weights (hl_token_row_get_list (self->row));
  HlTokenWeights *answer = hl_token_weights_get_answer (weights, which);
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const double whole = hl_token_weights_get_side_whole (weights);
  HlColour fill;

  if (answer == NULL || whole <= 0 || !(fabsf (weight) > 0))
    return;
  if (hl_token_weights_is_signed (answer))
    fill = hl_diverging_map_get_end (dark, weight < 0);
  else
    fill = hl_palette_get_head_colour (hl_token_weights_get_head (answer, 0)->colour, dark);
  const float length = (float) MAX (width * fabsf (weight) / whole, 1);
  const float middle = (float) height / 4 + (float) (which * height) / 2;
  /* The two of a token stand closer to one another than to those of its neighbours. */
  const float y = middle + (which == 0 ? 2 : -2) - SIDE_BAR_HEIGHT / 2;
  const GdkRGBA colour = { fill.r, fill.g, fill.b, which == 0 ? fill.a : fill.a * OTHER_SIDE_OPACITY };
  gtk_snapshot_append_color (snapshot, &colour, &GRAPHENE_RECT_INIT (x, y, length, SIDE_BAR_HEIGHT));
}

/* Stands back, and ends where all of them do. Digits do not overlap, so the ink is enough: an opacity of its own is painted aside first. */
static void
append_place (HlWeightBar   *self,
              GtkSnapshot   *snapshot,
              int            right,
              int            height,
              const GdkRGBA *ink)
{
  const GdkRGBA faint = { ink->red, ink->green, ink->blue, ink->alpha * PLACE_OPACITY };
  int width;

  pango_layout_get_pixel_size (self->place, &width, NULL);
  append_layout (snapshot, self->place, (float) MAX (right - width, 0), height, &faint);
}

/* Two bars with their numbers; the difference, where that is what is shown, below the token. */
static void
append_sides (HlWeightBar         *self,
              GtkSnapshot         *snapshot,
              const HlTokenWeight *weight,
              int                  token_x,
              int                  token_width,
              int                  number_x,
              int                  height,
              const GdkRGBA       *ink)
{
  HlTokenWeights *weights = hl_token_list_get_weights (hl_token_row_get_list (self->row));
  const gboolean is_difference = hl_token_weights_is_difference (weights);

  append_layout_between (snapshot, self->token, (float) token_x, 0, is_difference ? height / 2 + PADDING : height, ink);
  if (is_difference)
    {
      gtk_snapshot_push_opacity (snapshot, 0.7);
      append_layout_between (snapshot, self->number, (float) token_x, height / 2 - PADDING, height, ink);
      gtk_snapshot_pop (snapshot);
    }
  for (guint i = 0; i < G_N_ELEMENTS (self->side_numbers); i++)
    {
      append_side_bar (self, snapshot, i, weight->sides[i], (float) (token_x + token_width + SPACING),
                       (float) MAX (number_x - token_x - token_width - 2 * SPACING, 0), height);
      append_layout_between (snapshot, self->side_numbers[i], (float) number_x, i == 0 ? PADDING / 2 : height / 2,
                             i == 0 ? height / 2 : height - PADDING / 2, ink);
    }
}

/* A bar end to end of the heads' shares, each in its colour; of one colour when there are too many. */
static void
append_bar (HlWeightBar         *self,
            GtkSnapshot         *snapshot,
            const HlTokenWeight *weight,
            float                x,
            float                width,
            int                  height)
{
  HlTokenWeights *weights = hl_token_list_get_weights (hl_token_row_get_list (self->row));
  const float *parts = hl_token_row_get_parts (self->row);
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const guint n_heads = hl_token_weights_get_n_heads (weights);
  const double whole = hl_token_weights_get_whole (weights);

  const gboolean is_signed = hl_token_weights_is_signed (weights);

  if (whole <= 0 || !(is_signed ? fabsf (weight->mean) > 0 : weight->mean > 0) || weight->is_masked)
    return;

  const float length = (float) MAX (width * fabsf (weight->mean) / whole, 1);
  const float y = (float) ((height - BAR_HEIGHT) / 2);
  if (is_signed)
    {
      /* Parts of either sign do not add up to a length. */
      const HlColour fill = hl_diverging_map_get_end (dark, weight->mean < 0);
      const GdkRGBA colour = { fill.r, fill.g, fill.b, fill.a };
      gtk_snapshot_append_color (snapshot, &colour, &GRAPHENE_RECT_INIT (x, y, length, BAR_HEIGHT));
    }
  else if (parts == NULL)
    {
      GdkRGBA colour;
      gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &colour);
      gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)), "accent_color", &colour);
      gtk_snapshot_append_color (snapshot, &colour, &GRAPHENE_RECT_INIT (x, y, length, BAR_HEIGHT));
    }
  else
    for (guint i = 0; i < n_heads; i++)
      {
        const guint chip = hl_token_weights_get_head (weights, i)->colour;
        const HlColour fill = hl_palette_get_head_colour (chip, dark);
        const gboolean is_dimmed = hl_token_list_dims_head (hl_token_row_get_list (self->row), chip);
        const GdkRGBA colour = { fill.r, fill.g, fill.b, is_dimmed ? fill.a * DIMMED : fill.a };
        const float part = isfinite (parts[i]) && parts[i] > 0 ? length * parts[i] / (weight->mean * (float) n_heads)
                                                               : 0;
        gtk_snapshot_append_color (snapshot, &colour, &GRAPHENE_RECT_INIT (x, y, part, BAR_HEIGHT));
        x += part;
      }
}

/* Shapes a text anew only where it is another: the pointer changes all rows, and many say the same again. */
static void
write_layout (HlWeightBar  *self,
              PangoLayout **layout,
              const char   *text,
              gboolean      is_small)
{
  if (*layout == NULL)
    *layout = is_small ? make_small_layout (self, text) : gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  else if (g_strcmp0 (pango_layout_get_text (*layout), text) != 0)
    pango_layout_set_text (*layout, text, -1);
}

static void
write_layouts (HlWeightBar *self,
               int          token_width)
{
  const gboolean with_sides = has_sides (self);

  if (!self->is_written)
    {
      g_autofree char *token = hl_token_row_dup_token (self->row);
      g_autofree char *number = hl_token_row_dup_number (self->row);
      g_autofree char *place = hl_token_row_dup_place (self->row);
      write_layout (self, &self->place, place, TRUE);
      write_layout (self, &self->token, token, FALSE);
      pango_layout_set_single_paragraph_mode (self->token, TRUE);
      pango_layout_set_ellipsize (self->token,
                                  hl_token_row_is_patch (self->row) ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END);
      write_layout (self, &self->number, number, with_sides);
      for (guint i = 0; with_sides && i < G_N_ELEMENTS (self->side_numbers); i++)
        {
          g_autofree char *side_number = hl_token_row_dup_side_number (self->row, i);
          write_layout (self, &self->side_numbers[i], side_number, TRUE);
        }
      self->is_written = TRUE;
    }
  pango_layout_set_width (self->token, token_width * PANGO_SCALE);
}

/* Of a token that stands for a part of an image, that part; returns what it takes. */
static int
append_swatch (HlWeightBar *self,
               GtkSnapshot *snapshot,
               int          x,
               int          height)
{
  HlTokenWeights *weights = hl_token_list_get_weights (hl_token_row_get_list (self->row));
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) x, (float) ((height - SWATCH) / 2), SWATCH, SWATCH);

  if (hl_patch_swatch_get_room (hl_token_weights_get_attention (weights), hl_token_weights_get_side (weights),
                                SWATCH) == 0)
    return 0;
  GdkTexture *swatch = hl_token_row_get_swatch (self->row, SWATCH, gtk_widget_get_scale_factor (GTK_WIDGET (self)));
  if (swatch != NULL)
    gtk_snapshot_append_texture (snapshot, swatch, &bounds);
  /* Words begin where names of patches do. */
  return SWATCH + HL_PATCH_SWATCH_GAP;
}

static void
hl_weight_bar_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  HlWeightBar *self = HL_WEIGHT_BAR (widget);
  const HlTokenWeight *weight = self->row != NULL ? hl_token_row_get_weight (self->row) : NULL;
  const int width = gtk_widget_get_width (widget);
  const int height = gtk_widget_get_height (widget);
  GdkRGBA ink;

  if (weight == NULL)
    return;

  const int place_width = (int) hl_token_list_get_place_length (hl_token_row_get_list (self->row)) * self->digit_width;
  const int swatch_width = append_swatch (self, snapshot, place_width + SPACING, height);
  const int token_x = place_width + SPACING + swatch_width;
  const int token_width = (int) (TOKEN_SHARE * (width - place_width - SPACING)) -
                          (swatch_width > 0 ? HL_PATCH_SWATCH_GAP : 0);
  const int number_x = width - self->number_width;
  const gboolean is_dimmed = weight->is_masked || weight->is_filtered;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &ink);
  write_layouts (self, token_width);
  if (is_dimmed)
    gtk_snapshot_push_opacity (snapshot, 0.5);
  append_place (self, snapshot, place_width, height, &ink);
  if (has_sides (self))
    append_sides (self, snapshot, weight, token_x, token_width, number_x, height, &ink);
  else
    {
      append_layout (snapshot, self->token, (float) token_x, height, &ink);
      append_bar (self, snapshot, weight, (float) (token_x + token_width + SPACING),
                  (float) MAX (number_x - token_x - token_width - 2 * SPACING, 0), height);
      append_layout (snapshot, self->number, (float) number_x, height, &ink);
    }
  if (is_dimmed)
    gtk_snapshot_pop (snapshot);
}

static void
hl_weight_bar_css_changed (GtkWidget         *widget,
                           GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (hl_weight_bar_parent_class)->css_changed (widget, change);
  drop_layouts (HL_WEIGHT_BAR (widget));
  gtk_widget_queue_draw (widget);
}

static gboolean
hl_weight_bar_query_tooltip (GtkWidget  *widget,
                             int         x,
                             int         y,
                             gboolean    keyboard,
                             GtkTooltip *tooltip)
{
  HlWeightBar *self = HL_WEIGHT_BAR (widget);
  g_autofree char *spelling = self->row != NULL ? hl_token_row_dup_spelling (self->row) : NULL;

  /* Only for what is cut off, or is not as it is read. */
  if (!self->is_written || (spelling == NULL && !pango_layout_is_ellipsized (self->token)))
    return FALSE;
  gtk_tooltip_set_text (tooltip, spelling != NULL ? spelling : pango_layout_get_text (self->token));
  return TRUE;
}

/* All rows hear of every change, and two of them are others than before. */
static void
show_mark (HlWeightBar *self,
           gboolean     is_marked)
{
  if (self->is_marked == is_marked)
    return;
  self->is_marked = is_marked;
  if (is_marked)
    gtk_widget_add_css_class (GTK_WIDGET (self), "marked");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "marked");
}

static void
on_refreshed (HlWeightBar *self)
{
  HlTokenWeights *weights = hl_token_list_get_weights (hl_token_row_get_list (self->row));

  self->is_written = FALSE;
  /* Between two answers there is none for a moment; rows keep their height. */
  if (weights != NULL && self->was_tall != has_sides (self))
    {
      self->was_tall = has_sides (self);
      drop_layouts (self);
      gtk_widget_queue_resize (GTK_WIDGET (self));
    }
  show_mark (self, hl_token_row_is_marked (self->row));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The list's own row is what a screen reader stops at; GTK 4.8 has no other way to name it. */
static void
on_settled (HlWeightBar *self)
{
  g_autofree char *label = hl_token_row_dup_label (self->row);
  GtkWidget *list_row = gtk_widget_get_parent (GTK_WIDGET (self));

  if (label == NULL)
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  if (list_row != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (list_row), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static void
hl_weight_bar_dispose (GObject *object)
{
  HlWeightBar *self = HL_WEIGHT_BAR (object);

  hl_weight_bar_set_row (self, NULL);
  drop_layouts (self);
  G_OBJECT_CLASS (hl_weight_bar_parent_class)->dispose (object);
}

static void
hl_weight_bar_class_init (HlWeightBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_weight_bar_dispose;
  widget_class->measure = hl_weight_bar_measure;
  widget_class->snapshot = hl_weight_bar_snapshot;
  widget_class->css_changed = hl_weight_bar_css_changed;
  widget_class->query_tooltip = hl_weight_bar_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "weightbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
hl_weight_bar_init (HlWeightBar *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "numeric");
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

GtkWidget *
hl_weight_bar_new (void)
{
  return g_object_new (HL_TYPE_WEIGHT_BAR, NULL);
}

HlTokenRow *
hl_weight_bar_get_row (HlWeightBar *self)
{
  g_return_val_if_fail (HL_IS_WEIGHT_BAR (self), NULL);

  return self->row;
}

void
hl_weight_bar_set_row (HlWeightBar *self,
                       HlTokenRow  *row)
{
  g_return_if_fail (HL_IS_WEIGHT_BAR (self));
  g_return_if_fail (row == NULL || HL_IS_TOKEN_ROW (row));

  if (self->row == row)
    return;
  if (self->row != NULL)
    {
      g_clear_signal_handler (&self->refreshed_id, hl_token_row_get_list (self->row));
      g_clear_signal_handler (&self->settled_id, hl_token_row_get_list (self->row));
    }
  g_set_object (&self->row, row);
  self->is_written = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (row == NULL)
    return;
  self->refreshed_id =
    g_signal_connect_swapped (hl_token_row_get_list (row), "refreshed", G_CALLBACK (on_refreshed), self);
  self->settled_id = g_signal_connect_swapped (hl_token_row_get_list (row), "settled", G_CALLBACK (on_settled), self);
  on_refreshed (self);
}
