/* SPDX-License-Identifier: MIT */
/*
 * A text that changes whenever the pointer moves, and wraps. It is as wide as it is let be, whatever it says, and asks for another height only
 * where another text takes more lines or fewer: a GtkLabel makes GTK measure the whole window for each text, which takes a fifth of a frame.
 */
#include "config.h"

#include "app/widgets/hl-steady-label.h"

/* Letters of its least width. */
#define MIN_LETTERS 10

struct _HlSteadyLabel
{
  GtkWidget parent_instance;

  PangoLayout *layout; /* of the text, and of the width that was asked for last */
  guint max_lines;     /* what is longer ends in …; 0: none */
};

enum
{
  PROP_0,
  PROP_MAX_LINES,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlSteadyLabel, hl_steady_label, GTK_TYPE_WIDGET)

/* In pixels, of the text at that width. */
static int
get_height (HlSteadyLabel *self,
            int            width)
{
  int height;

  pango_layout_set_width (self->layout, MAX (width, 0) * PANGO_SCALE);
  pango_layout_get_pixel_size (self->layout, NULL, &height);
  return height;
}

static void
fit_lines (HlSteadyLabel *self)
{
  pango_layout_set_height (self->layout, self->max_lines > 0 ? -(int) self->max_lines : -1);
  pango_layout_set_ellipsize (self->layout, self->max_lines > 0 ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
}

static GtkSizeRequestMode
hl_steady_label_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static int
get_min_width (GtkWidget *widget)
{
  PangoContext *context = gtk_widget_get_pango_context (widget);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  const int letter = MAX (pango_font_metrics_get_approximate_char_width (metrics),
                          pango_font_metrics_get_approximate_digit_width (metrics));

  pango_font_metrics_unref (metrics);
  return PANGO_PIXELS_CEIL (MIN_LETTERS * letter);
}

static void
hl_steady_label_measure (GtkWidget     *widget,
                         GtkOrientation orientation,
                         int            for_size,
                         int           *minimum,
                         int           *natural,
                         int           *minimum_baseline,
                         int           *natural_baseline)
{
  HlSteadyLabel *self = HL_STEADY_LABEL (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = get_min_width (widget);
  else
    *minimum = *natural = get_height (self, for_size >= 0 ? for_size : get_min_width (widget));
}

static void
hl_steady_label_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  HlSteadyLabel *self = HL_STEADY_LABEL (widget);
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  const gboolean is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  const int height = get_height (self, gtk_widget_get_width (widget));

  pango_layout_set_alignment (self->layout, is_rtl ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
  gtk_snapshot_render_layout (snapshot, style, 0, MAX (gtk_widget_get_height (widget) - height, 0) / 2, self->layout);
}

static void
hl_steady_label_css_changed (GtkWidget         *widget,
                             GtkCssStyleChange *change)
{
  HlSteadyLabel *self = HL_STEADY_LABEL (widget);

  GTK_WIDGET_CLASS (hl_steady_label_parent_class)->css_changed (widget, change);
  pango_layout_context_changed (self->layout);
  gtk_widget_queue_resize (widget);
}

static void
hl_steady_label_system_setting_changed (GtkWidget       *widget,
                                        GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (hl_steady_label_parent_class)->system_setting_changed (widget, setting);
  pango_layout_context_changed (HL_STEADY_LABEL (widget)->layout);
  gtk_widget_queue_resize (widget);
}

static void
hl_steady_label_get_property (GObject    *object,
                              guint       id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  if (id == PROP_MAX_LINES)
    g_value_set_uint (value, HL_STEADY_LABEL (object)->max_lines);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hl_steady_label_set_property (GObject      *object,
                              guint         id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  if (id == PROP_MAX_LINES)
    hl_steady_label_set_max_lines (HL_STEADY_LABEL (object), g_value_get_uint (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hl_steady_label_dispose (GObject *object)
{
  g_clear_object (&HL_STEADY_LABEL (object)->layout);
  G_OBJECT_CLASS (hl_steady_label_parent_class)->dispose (object);
}

static void
hl_steady_label_class_init (HlSteadyLabelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hl_steady_label_get_property;
  object_class->set_property = hl_steady_label_set_property;
  object_class->dispose = hl_steady_label_dispose;
  widget_class->get_request_mode = hl_steady_label_get_request_mode;
  widget_class->measure = hl_steady_label_measure;
  widget_class->snapshot = hl_steady_label_snapshot;
  widget_class->css_changed = hl_steady_label_css_changed;
  widget_class->system_setting_changed = hl_steady_label_system_setting_changed;

  properties[PROP_MAX_LINES] = g_param_spec_uint ("max-lines", NULL, NULL, 0, G_MAXINT, 0,
                                                  G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  gtk_widget_class_set_css_name (widget_class, "label");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
hl_steady_label_init (HlSteadyLabel *self)
{
  self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  pango_layout_set_wrap (self->layout, PANGO_WRAP_WORD_CHAR);
}

/* What it says, and how much of it is seen: the label's own. */
PangoLayout *
hl_steady_label_get_layout (HlSteadyLabel *self)
{
  g_return_val_if_fail (HL_IS_STEADY_LABEL (self), NULL);

  return self->layout;
}

/* What changes lies between these two. */
static int
get_height_now (HlSteadyLabel *self)
{
  return get_height (self, gtk_widget_get_width (GTK_WIDGET (self)));
}

static void
end_change (HlSteadyLabel *self,
            int            height_before)
{
  if (get_height_now (self) != height_before)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  else
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
end_text_change (HlSteadyLabel *self,
                 int            height_before)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  pango_layout_get_text (self->layout), -1);
  end_change (self, height_before);
}

void
hl_steady_label_set_text (HlSteadyLabel *self,
                          const char    *text)
{
  g_return_if_fail (HL_IS_STEADY_LABEL (self));
  g_return_if_fail (text != NULL);

  if (pango_layout_get_attributes (self->layout) == NULL && g_strcmp0 (pango_layout_get_text (self->layout), text) == 0)
    return;
  const int height = get_height_now (self);
  pango_layout_set_attributes (self->layout, NULL);
  pango_layout_set_text (self->layout, text, -1);
  end_text_change (self, height);
}

/* Pango's markup. */
void
hl_steady_label_set_markup (HlSteadyLabel *self,
                            const char    *markup)
{
  g_return_if_fail (HL_IS_STEADY_LABEL (self));
  g_return_if_fail (markup != NULL);

  const int height = get_height_now (self);
  pango_layout_set_markup (self->layout, markup, -1);
  end_text_change (self, height);
}

/* 0 is any number of them. */
void
hl_steady_label_set_max_lines (HlSteadyLabel *self,
                               guint          max_lines)
{
  g_return_if_fail (HL_IS_STEADY_LABEL (self));

  if (self->max_lines == max_lines)
    return;
  const int height = get_height_now (self);
  self->max_lines = max_lines;
  fit_lines (self);
  end_change (self, height);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MAX_LINES]);
}
