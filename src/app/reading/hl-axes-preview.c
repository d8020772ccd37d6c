/* SPDX-License-Identifier: MIT */
/* How a file looks under a choice. It is always as high, whatever it tells: what is chosen below must not move. */
#include "config.h"

#include "app/reading/hl-axes-preview.h"

#include "app/widgets/hl-fold-box.h"
#include "app/base/hl-settings.h"
#include "app/reading/hl-attention-text.h"
#include "view/hl-weight-text.h"

#include <glib/gi18n.h>
#include <math.h>

struct _HlAxesPreview
{
  AdwBin parent_instance;

  GtkDrawingArea *picture;
  GtkLabel *sizes;
  GtkLabel *head;
  GtkLabel *note;
  GtkWidget *problem_box;
  GtkLabel *problem;

  GSettings *settings;
  HlAxesReading *reading;
};

G_DEFINE_FINAL_TYPE (HlAxesPreview, hl_axes_preview, ADW_TYPE_BIN)

static void
draw (GtkDrawingArea *area,
      cairo_t        *cr,
      int             width,
      int             height,
      gpointer        data)
{
  HlAxesPreview *self = data;
  GdkRGBA colour;

  if (self->reading == NULL)
    return;
  const HlThumbnail *thumbnail = hl_axes_reading_get_thumbnail (self->reading);
  const double scale = thumbnail->style.scale;
  const double w = thumbnail->style.width / scale, h = thumbnail->style.height / scale;
  const cairo_rectangle_t box = { floor ((width - w) / 2), floor ((height - h) / 2), w, h };

  hl_thumbnail_paint (thumbnail, &box, cr);
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &colour);
  colour.alpha *= 0.3f;
  gdk_cairo_set_source_rgba (cr, &colour);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
  cairo_stroke (cr);
}

/* The strongest weight, and where it is, if the picture has a pixel for each. */
static char *
describe_head (HlAxesReading *reading)
{
  const HlThumbnail *thumbnail = hl_axes_reading_get_thumbnail (reading);
  const gsize n = thumbnail->n_rows * thumbnail->n_columns;
  char text[HL_WEIGHT_TEXT_SIZE];
  gsize best = n;

  for (gsize i = 0; i < n; i++)
    if (isfinite (thumbnail->values[i]) && (best == n || thumbnail->values[i] > thumbnail->values[best]))
      best = i;
  if (best == n)
    return g_strdup (_ ("The first head has no numbers"));
  hl_weight_text_format (thumbnail->values[best], text);
  if (thumbnail->n_rows < thumbnail->queries.n || thumbnail->n_columns < thumbnail->keys.n)
    return g_strdup_printf (_ ("In the first head, the strongest weight is %s"), text);
  return g_strdup_printf (_ ("In the first head, the strongest weight is %s: query %zu, key %zu"), text,
                          best / thumbnail->n_columns, best % thumbnail->n_columns);
}

static char *
describe_sizes (HlAxesReading *reading)
{
  HlDocument *document = hl_axes_reading_get_document (reading);
  const guint n_all = hl_document_get_n_examples (document);
  g_autofree char *sizes = hl_attention_text_sizes (hl_axes_reading_get_attention (reading));
  guint n_examples = 0;
  HlLayoutAxes axes;

  for (guint i = 0; i < n_all; i++)
    n_examples += !hl_document_is_part (document, i);
  if (n_all == 1)
    return g_steal_pointer (&sizes);
  if (n_examples == 1)
    return g_strdup_printf (ngettext ("%u step, together %s", "%u steps, together %s", n_all - 1), n_all - 1, sizes);
  if (n_examples < n_all)
    return g_strdup_printf (ngettext ("%u example of %s", "%u examples of %s", n_examples), n_examples, sizes);
  hl_document_get_axes (document, 0, &axes);
  const char *format = strchr (axes.letters, 's') != NULL
                         ? ngettext ("%u step of %s", "%u steps of %s", n_examples)
                         : ngettext ("%u example of %s", "%u examples of %s", n_examples);
  return g_strdup_printf (format, n_examples, sizes);
}

/* What is odd about the document, in the first place that its tokens do not fit. */
static char *
find_warning (HlAxesReading *reading)
{
  g_autoptr (HlExample) example = hl_document_get_example (hl_axes_reading_get_document (reading), 0, NULL, NULL);
  GPtrArray *checks = hl_example_get_checks (example);

  for (guint i = 0; i < checks->len; i++)
    if (hl_check_get_severity (checks->pdata[i]) == HL_SEVERITY_WARNING)
      return g_strdup (hl_check_get_message (checks->pdata[i]));
  return NULL;
}

static void
hl_axes_preview_dispose (GObject *object)
{
  HlAxesPreview *self = HL_AXES_PREVIEW (object);

  g_clear_object (&self->reading);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (hl_axes_preview_parent_class)->dispose (object);
}

static void
hl_axes_preview_class_init (HlAxesPreviewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_axes_preview_dispose;

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/axes-preview.ui");
  gtk_widget_class_bind_template_child (widget_class, HlAxesPreview, picture);
  gtk_widget_class_bind_template_child (widget_class, HlAxesPreview, sizes);
  gtk_widget_class_bind_template_child (widget_class, HlAxesPreview, head);
  gtk_widget_class_bind_template_child (widget_class, HlAxesPreview, note);
  gtk_widget_class_bind_template_child (widget_class, HlAxesPreview, problem_box);
  gtk_widget_class_bind_template_child (widget_class, HlAxesPreview, problem);
}

static void
hl_axes_preview_init (HlAxesPreview *self)
{
  self->settings = hl_settings_new ();
  g_type_ensure (HL_TYPE_FOLD_BOX);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_drawing_area_set_draw_func (self->picture, draw, self, NULL);
}

/* How a picture is to look that is shown here. */
void
hl_axes_preview_get_style (HlAxesPreview    *self,
                           HlThumbnailStyle *style)
{
  g_return_if_fail (HL_IS_AXES_PREVIEW (self));

  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_autofree char *map = g_settings_get_string (self->settings, "colour-map");

  *style = (HlThumbnailStyle){
    .value_scale = HL_VALUE_SCALE_LINEAR,
    .kind = HL_THUMBNAIL_HEATMAP,
    .dark = adw_style_manager_get_dark (adw_style_manager_get_default ()),
    .width = (guint) (gtk_drawing_area_get_content_width (self->picture) * scale),
    .height = (guint) (gtk_drawing_area_get_content_height (self->picture) * scale),
    .scale = scale,
  };
  hl_colour_map_from_id (map, &style->map);
}

void
hl_axes_preview_show (HlAxesPreview *self,
                      HlAxesReading *reading)
{
  g_return_if_fail (HL_IS_AXES_PREVIEW (self));

  g_autofree char *sizes = reading != NULL ? describe_sizes (reading) : NULL;
  g_autofree char *head = reading != NULL ? describe_head (reading) : NULL;
  g_autofree char *note = reading != NULL ? find_warning (reading) : NULL;

  g_set_object (&self->reading, reading);
  gtk_widget_set_visible (self->problem_box, FALSE);
  gtk_label_set_label (self->sizes, sizes != NULL ? sizes : "");
  gtk_label_set_label (self->head, head != NULL ? head : "");
  gtk_label_set_label (self->note, note != NULL ? note : "");
  gtk_widget_set_visible (GTK_WIDGET (self->sizes), reading != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->head), reading != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->note), note != NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self->picture));
}

void
hl_axes_preview_show_problem (HlAxesPreview *self,
                              const char    *problem)
{
  g_return_if_fail (HL_IS_AXES_PREVIEW (self));
  g_return_if_fail (problem != NULL);

  /* Sentences on what is wrong begin small, because elsewhere a file's name stands before them. */
  const char *rest = *problem != '\0' ? g_utf8_next_char (problem) : problem;
  g_autofree char *first = g_utf8_strup (problem, rest - problem);
  g_autofree char *text = g_strconcat (first, rest, NULL);

  hl_axes_preview_show (self, NULL);
  gtk_label_set_label (self->problem, text);
  gtk_widget_set_visible (self->problem_box, TRUE);
}
