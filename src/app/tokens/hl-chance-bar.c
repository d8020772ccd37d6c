/* SPDX-License-Identifier: MIT */
/* Drawn by itself rather than put together of labels: all rows change whenever the pointer moves, and a change is a redraw. */
#include "config.h"

#include "app/tokens/hl-chance-bar.h"

#include "app/base/hl-tooltip.h"

#include <glib/gi18n.h>

#define SPACING 8
#define PADDING 4
#define BAR_HEIGHT 10
#define NAME_SHARE 0.45

struct _HlChanceBar
{
  GtkWidget parent_instance;

  PangoLayout *lead; /* nullable */
  PangoLayout *name;
  PangoLayout *number;
  int lead_width;
  double chance;
};

G_DEFINE_FINAL_TYPE (HlChanceBar, hl_chance_bar, GTK_TYPE_WIDGET)

static int
get_width (PangoLayout *layout)
{
  int width = 0;

  if (layout != NULL)
    pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static void
hl_chance_bar_measure (GtkWidget     *widget,
                       GtkOrientation orientation,
                       int            for_size,
                       int           *minimum,
                       int           *natural,
                       int           *minimum_baseline,
                       int           *natural_baseline)
{
  HlChanceBar *self = HL_CHANCE_BAR (widget);
  int height;

  pango_layout_get_pixel_size (self->number, NULL, &height);
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : height + 2 * PADDING;
}

static void
append (GtkSnapshot   *snapshot,
        PangoLayout   *layout,
        int            x,
        const GdkRGBA *colour)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, PADDING));
  gtk_snapshot_append_layout (snapshot, layout, colour);
  gtk_snapshot_restore (snapshot);
}

static void
hl_chance_bar_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  HlChanceBar *self = HL_CHANCE_BAR (widget);
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  const int lead = self->lead != NULL ? self->lead_width + SPACING : 0;
  const int number = get_width (self->number);
  const int name = (int) (NAME_SHARE * (width - lead));
  const int room = MAX (width - lead - name - number - 2 * SPACING, 0);
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  GdkRGBA text, accent;

  gtk_style_context_get_color (style, &text);
  accent = text;
  gtk_style_context_lookup_color (style, "accent_color", &accent);
  GdkRGBA dim = text;
  dim.alpha *= 0.55f;
  if (self->lead != NULL)
    append (snapshot, self->lead, 0, &dim);
  pango_layout_set_width (self->name, name * PANGO_SCALE);
  append (snapshot, self->name, lead, &text);
  gtk_snapshot_append_color (snapshot, &accent,
                             &GRAPHENE_RECT_INIT ((float) (lead + name + SPACING), (float) (height - BAR_HEIGHT) / 2,
                                                  (float) (self->chance * room), BAR_HEIGHT));
  append (snapshot, self->number, width - number, &text);
}

static void
hl_chance_bar_dispose (GObject *object)
{
  HlChanceBar *self = HL_CHANCE_BAR (object);

  g_clear_object (&self->lead);
  g_clear_object (&self->name);
  g_clear_object (&self->number);
  G_OBJECT_CLASS (hl_chance_bar_parent_class)->dispose (object);
}

static void
hl_chance_bar_class_init (HlChanceBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_chance_bar_dispose;
  widget_class->measure = hl_chance_bar_measure;
  widget_class->snapshot = hl_chance_bar_snapshot;
  gtk_widget_class_set_css_name (widget_class, "chancebar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
hl_chance_bar_init (HlChanceBar *self)
{
  self->name = gtk_widget_create_pango_layout (GTK_WIDGET (self), "");
  pango_layout_set_ellipsize (self->name, PANGO_ELLIPSIZE_END);
  self->number = gtk_widget_create_pango_layout (GTK_WIDGET (self), "0.000");
}

/* @lead (nullable) stands before all else, fainter. */
GtkWidget *
hl_chance_bar_new (const char *lead)
{
  HlChanceBar *self = g_object_new (HL_TYPE_CHANCE_BAR, NULL);

  if (lead != NULL)
    {
      /* What stands behind is to stand in a column. */
      g_autoptr (PangoLayout) widest = gtk_widget_create_pango_layout (GTK_WIDGET (self), "000");
      self->lead = gtk_widget_create_pango_layout (GTK_WIDGET (self), lead);
      self->lead_width = MAX (get_width (self->lead), get_width (widest));
    }
  return GTK_WIDGET (self);
}

void
hl_chance_bar_set (HlChanceBar *self,
                   const char  *name,
                   double       chance)
{
  g_return_if_fail (HL_IS_CHANCE_BAR (self));

  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (chance > 0 && chance < 0.0005)
    g_strlcpy (number, "<0.001", sizeof number);
  else
    g_ascii_formatd (number, sizeof number, "%.3f", chance);
  /* Translators: a token and how likely it is */
  g_autofree char *label = g_strdup_printf (_ ("%s, %s"), name, number);
  self->chance = CLAMP (chance, 0, 1);
  pango_layout_set_text (self->name, name, -1);
  pango_layout_set_text (self->number, number, -1);
  hl_tooltip_set_passing (GTK_WIDGET (self), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
