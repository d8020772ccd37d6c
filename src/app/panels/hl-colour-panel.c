/* SPDX-License-Identifier: MIT */
/* How weights look: what thumbnails show, the colours of heatmaps, and which weight has which of them. Only there in
 * views that have a use for it. */
#include "app/panels/hl-panels.h"

#include "app/widgets/hl-late-list.h"
#include "draw/paint/hl-colour-map.h"

#include <glib/gi18n.h>

#define SWATCH_WIDTH 48
#define SWATCH_HEIGHT 12

/* Characters: a longer name does not push the picture, and has the whole row. */
#define NAME_WIDTH 14

struct _HlColourPanel
{
  HlStatePanel parent_instance;

  GtkWidget *content;
  GtkWidget *thumbnails_row;
  GtkDropDown *thumbnails;
  GtkWidget *heatmap_rows;
  GtkDropDown *colour_map;
  GtkWidget *value_scale_row;
  GtkDropDown *value_scale;
  gboolean is_choosing_scale; /* its list must stay while it says which was chosen */
  GtkWidget *picture_rows;
  GtkDropDown *heat;
  GtkWidget *smooth_heat;
  GtkWidget *opacity;
  GtkWidget *relative_lines_row;
  GtkWidget *relative_lines;
  GtkWidget *curved_lines_row;
  GtkWidget *curved_lines;
  GtkWidget *square_cells_row;
  GtkWidget *square_cells;
  GtkWidget *whole_bars_row;
  GtkWidget *whole_bars;
};

G_DEFINE_FINAL_TYPE (HlColourPanel, hl_colour_panel, HL_TYPE_STATE_PANEL)

/* The whole map from left to right, pixel by pixel. */
static void
draw_swatch (GtkDrawingArea *area,
             cairo_t        *cr,
             int             width,
             int             height,
             gpointer        user_data)
{
  const HlColourMap map = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (area), "map"));
  const gboolean dark = GPOINTER_TO_INT (user_data);

  for (int x = 0; x < width; x++)
    {
      const guint32 pixel = hl_colour_map_lookup (map, dark, (x + 0.5) / width);
      cairo_set_source_rgb (cr, (pixel >> 16 & 0xff) / 255.0, (pixel >> 8 & 0xff) / 255.0, (pixel & 0xff) / 255.0);
      cairo_rectangle (cr, x, 0, 1, height);
      cairo_fill (cr);
    }
}

static void
on_setup_map (GtkSignalListItemFactory *factory,
              GtkListItem              *item,
              gpointer                  user_data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *swatch = gtk_drawing_area_new ();
  GtkWidget *name = gtk_label_new (NULL);

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), SWATCH_WIDTH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), SWATCH_HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch, user_data, NULL);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_widget_set_overflow (swatch, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (swatch, "hl-swatch");
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), name);
  gtk_list_item_set_child (item, box);
}

static void
on_bind_map (GtkSignalListItemFactory *factory,
             GtkListItem              *item)
{
  GtkWidget *swatch = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkStringObject *name = gtk_list_item_get_item (item);

  g_object_set_data (G_OBJECT (swatch), "map", GUINT_TO_POINTER (gtk_list_item_get_position (item)));
  gtk_widget_queue_draw (swatch);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_next_sibling (swatch)), gtk_string_object_get_string (name));
}

/* Rows of a list of colour maps: a swatch and the name. */
static GtkListItemFactory *
create_map_factory (gboolean dark)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup_map), GINT_TO_POINTER (!!dark));
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind_map), NULL);
  return factory;
}

static void
on_setup_scale (GtkSignalListItemFactory *factory,
                GtkListItem              *item)
{
  GtkWidget *name = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (name), NAME_WIDTH);
  gtk_label_set_max_width_chars (GTK_LABEL (name), NAME_WIDTH);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_list_item_set_child (item, name);
}

static void
on_bind_scale (GtkSignalListItemFactory *factory,
               GtkListItem              *item,
               HlColourPanel            *self)
{
  HlViewState *state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  const HlValueScaleKind kind = gtk_list_item_get_position (item);

  if (state == NULL)
    return;
  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)),
                       hl_value_scale_kind_get_display_name (
                         kind == HL_VALUE_SCALE_AUTO
                           ? kind
                           : hl_shown_find_value_scale (hl_view_state_get_shown (state), kind)));
}

/* The scale that is chosen, in a word or two: what is in effect with it stands in the list, where there is more room. */
static GtkListItemFactory *
create_scale_factory (HlColourPanel *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup_scale), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind_scale), self, 0);
  return factory;
}

static void
follow_view (HlColourPanel *self,
             HlViewState   *state)
{
  const HlViewTraits *view = hl_view_kind_get_traits (hl_view_state_get_options (state)->view);
  const gboolean are_heatmaps = view->shows_all_heads &&
                                hl_view_state_get_options (state)->thumbnails == HL_THUMBNAIL_HEATMAP;
  const gboolean has_colours = view->walk == HL_WALK_CELLS || are_heatmaps || view->shows_pictures;

  const gboolean has_lines = hl_shown_has_lines (hl_view_state_get_shown (state));

  gtk_widget_set_visible (GTK_WIDGET (self), view->shows_all_heads || has_colours || has_lines);
  gtk_widget_set_visible (self->thumbnails_row, view->shows_all_heads);
  gtk_widget_set_visible (self->heatmap_rows, has_colours);
  gtk_widget_set_visible (self->picture_rows, view->shows_pictures);
  gtk_widget_set_visible (self->value_scale_row, view->has_value_scale || are_heatmaps);
  gtk_widget_set_visible (self->relative_lines_row, has_lines);
  gtk_widget_set_visible (self->curved_lines_row, has_lines && !view->shows_all_heads && !view->has_bars);
  gtk_widget_set_visible (self->square_cells_row, view->shows_all_heads);
  gtk_widget_set_visible (self->whole_bars_row, view->has_bars);
}

/* The swatch of a map may depend on the theme: rows are made anew when that changes. */
static void
follow_dark (HlColourPanel *self,
             HlViewState   *state)
{
  g_autoptr (GtkListItemFactory) factory = create_map_factory (hl_view_state_get_options (state)->dark);

  gtk_drop_down_set_factory (self->colour_map, factory);
}

/* What an item says: of what is not chosen by hand, and of what cannot be had, what is in effect. */
static char *
dup_scale_name (HlValueScaleKind kind,
                const HlShown   *shown)
{
  if (kind == HL_VALUE_SCALE_AUTO)
    /* Translators: the scale of colours that a quantity has if none is chosen: “Automatic: Linear” */
    return g_strdup_printf (_ ("Automatic: %s"),
                            hl_value_scale_kind_get_display_name (hl_shown_find_value_scale (shown, kind)));
  if (hl_shown_find_value_scale (shown, kind) != kind)
    return g_strdup (_ ("Linear, as there is no diagonal"));
  return g_strdup (hl_value_scale_kind_get_display_name (kind));
}

/* Where there is no diagonal nobody is offered to leave it out; the last of all, so that a position is a value whether it is there or not. */
static void
follow_scale (HlColourPanel *self,
              HlViewState   *state)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  const HlValueScaleKind chosen = shown->options.value_scale;
  const gboolean has_last = hl_shown_find_value_scale (shown, HL_VALUE_SCALE_OFF_DIAGONAL) ==
                              HL_VALUE_SCALE_OFF_DIAGONAL ||
                            chosen == HL_VALUE_SCALE_OFF_DIAGONAL;
  const guint n = HL_VALUE_SCALE_OFF_DIAGONAL + has_last;
  GListModel *model = gtk_drop_down_get_model (self->value_scale);
  gboolean is_same = model != NULL && g_list_model_get_n_items (model) == n;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (self->is_choosing_scale)
    return;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = dup_scale_name (i, shown);

      is_same = is_same && g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (model), i), name);
      gtk_string_list_append (names, name);
    }
  if (!is_same)
    gtk_drop_down_set_model (self->value_scale, G_LIST_MODEL (names));
  if (gtk_drop_down_get_selected (self->value_scale) != chosen)
    gtk_drop_down_set_selected (self->value_scale, chosen);
}

static void
on_value_scale_selected (HlColourPanel *self)
{
  HlViewState *state = hl_state_panel_get_changed (HL_STATE_PANEL (self));
  const guint selected = gtk_drop_down_get_selected (self->value_scale);

  if (state == NULL || selected == GTK_INVALID_LIST_POSITION)
    return;
  self->is_choosing_scale = TRUE;
  hl_view_state_set_option (state, value_scale, selected);
  self->is_choosing_scale = FALSE;
}

static void
hl_colour_panel_follow (HlStatePanel *panel,
                        HlViewState  *state,
                        HlChanges     changes)
{
  HlColourPanel *self = HL_COLOUR_PANEL (panel);

  gtk_widget_set_sensitive (self->content, state != NULL);
  if (state == NULL)
    return;

  if (changes & (HL_CHANGED_VIEW | HL_CHANGED_THUMBNAILS))
    follow_view (self, state);
  if (changes & ~HL_CHANGED_THEME)
    follow_scale (self, state);
  if (changes & HL_CHANGED_THEME)
    follow_dark (self, state);
}

static void
hl_colour_panel_class_init (HlColourPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  HL_STATE_PANEL_CLASS (klass)->changes = HL_CHANGED_VIEW | HL_CHANGED_THUMBNAILS | HL_CHANGED_THEME |
                                          HL_CHANGED_COLOURS | HL_CHANGED_SHOWN_ATTENTION | HL_CHANGED_SOURCE;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_colour_panel_follow;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/colour-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, content);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, thumbnails_row);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, thumbnails);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, heatmap_rows);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, colour_map);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, value_scale_row);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, value_scale);
  gtk_widget_class_bind_template_callback (widget_class, on_value_scale_selected);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, picture_rows);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, heat);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, smooth_heat);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, opacity);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, relative_lines_row);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, relative_lines);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, curved_lines_row);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, curved_lines);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, square_cells_row);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, square_cells);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, whole_bars_row);
  gtk_widget_class_bind_template_child (widget_class, HlColourPanel, whole_bars);
  gtk_widget_class_set_css_name (widget_class, "colourpanel");
}

/* Choices in the order of their enumeration, so that a position is a value. */
static void
fill_choices (HlColourPanel *self)
{
  const char *const thumbnails[] = {
    [HL_THUMBNAIL_HEATMAP] = _ ("Heatmaps"), [HL_THUMBNAIL_LINES] = _ ("Lines"), NULL
  };
  const char *const heats[] = { [HL_HEAT_COLOURS] = _ ("Colours"), [HL_HEAT_MASK] = _ ("Darkening"), NULL };
  g_autoptr (GtkStringList) heat_names = gtk_string_list_new (heats);
  g_autoptr (GtkStringList) thumbnail_names = gtk_string_list_new (thumbnails);
  g_autoptr (GtkStringList) map_names = gtk_string_list_new (NULL);

  for (guint i = 0; i < HL_N_COLOUR_MAPS; i++)
    gtk_string_list_append (map_names, hl_colour_map_get_display_name (i));
  gtk_drop_down_set_model (self->thumbnails, G_LIST_MODEL (thumbnail_names));
  gtk_drop_down_set_model (self->colour_map, G_LIST_MODEL (map_names));
  gtk_drop_down_set_model (self->heat, G_LIST_MODEL (heat_names));
}

static void
hl_colour_panel_init (HlColourPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_late_list_hold (self->thumbnails, NULL);
  hl_late_list_hold (self->colour_map, NULL);
  hl_late_list_hold (self->heat, NULL);
  hl_late_list_hold (self->value_scale, gtk_drop_down_get_list_factory (self->value_scale));
  fill_choices (self);
  g_autoptr (GtkListItemFactory) factory = create_scale_factory (self);
  gtk_drop_down_set_factory (self->value_scale, factory);
  hl_state_panel_bind (HL_STATE_PANEL (self), "thumbnails", GTK_WIDGET (self->thumbnails));
  hl_state_panel_bind (HL_STATE_PANEL (self), "colour-map", GTK_WIDGET (self->colour_map));
  hl_state_panel_bind (HL_STATE_PANEL (self), "heat", GTK_WIDGET (self->heat));
  hl_state_panel_bind (HL_STATE_PANEL (self), "smooth-heat", self->smooth_heat);
  hl_state_panel_bind (HL_STATE_PANEL (self), "opacity", self->opacity);
  hl_state_panel_bind (HL_STATE_PANEL (self), "relative-lines", self->relative_lines);
  hl_state_panel_bind (HL_STATE_PANEL (self), "curved-lines", self->curved_lines);
  hl_state_panel_bind (HL_STATE_PANEL (self), "square-cells", self->square_cells);
  hl_state_panel_bind (HL_STATE_PANEL (self), "whole-bars", self->whole_bars);
  gtk_widget_set_sensitive (self->content, FALSE);
  hl_state_panel_explain (GTK_WIDGET (self->value_scale), "value-scale");
}
