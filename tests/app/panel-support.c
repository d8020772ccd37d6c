/* SPDX-License-Identifier: MIT */
/* What the tests of panels share: small attentions with known numbers, waiting, pressing keys, seeing pixels. */
#include "panel-support.h"

#include "core/base/hl-error.h"

#include <math.h>

#define PANEL_TYPE_TENSOR (panel_tensor_get_type ())
G_DECLARE_FINAL_TYPE (PanelTensor, panel_tensor, PANEL, TENSOR, HlTensor)

/* The maps of one layer, made up when they are read, as slowly as is asked for. */
struct _PanelTensor
{
  HlTensor parent_instance;

  PanelAttention attention;
  guint layer;
};

G_DEFINE_FINAL_TYPE (PanelTensor, panel_tensor, HL_TYPE_TENSOR)

static gboolean
panel_tensor_read_f32 (HlTensor      *tensor,
                       const guint64 *start,
                       const guint64 *count,
                       float         *target,
                       GCancellable  *cancellable,
                       GError       **error)
{
  PanelTensor *self = PANEL_TENSOR (tensor);

  for (gulong slept = 0; slept < self->attention.delay; slept += 1000)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      g_usleep (1000);
    }
  if (self->attention.fails != NULL && g_atomic_int_get (self->attention.fails))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_IO, "it cannot be read");
      return FALSE;
    }
  for (guint64 head = start[0]; head < start[0] + count[0]; head++)
    for (guint64 query = start[1]; query < start[1] + count[1]; query++)
      for (guint64 key = start[2]; key < start[2] + count[2]; key++)
        *target++ = panel_weight (&self->attention, self->layer, (guint) head, (guint) query, (guint) key);
  return TRUE;
}

static void
panel_tensor_class_init (PanelTensorClass *klass)
{
  HL_TENSOR_CLASS (klass)->read_f32 = panel_tensor_read_f32;
}

static void
panel_tensor_init (PanelTensor *self)
{
}

/* A text of a unit over and over. */
char *
panel_make_run (const char *unit,
                gsize       n)
{
  GString *run = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    g_string_append (run, unit);
  return g_string_free (run, FALSE);
}

/* Distinct for all that differ, in no order that a mix-up of axes would keep. */
float
panel_weight (const PanelAttention *attention,
              guint                 layer,
              guint                 head,
              guint                 query,
              guint                 key)
{
  const guint mixed = (key * 7 + query * 5 + head * 3 + layer * 11) % (attention->n + 1);

  if (attention->causal && key > query)
    return 0;
  if (attention->nan_key > 0 && key == attention->nan_key)
    return NAN;
  const float weight = (float) (1 + mixed) / (float) ((attention->n + 1) * (attention->n + 1)) +
                       (float) (layer + head) / 1e4f;
  return attention->factor != 0 ? weight * attention->factor : weight;
}

static HlAttention *
create_attention (const PanelAttention *attention)
{
  static const char *const words[] = { "time", "flies", "like", "an", "arrow", "##s", "" };
  g_autofree HlLayerTensor *layers = g_new0 (HlLayerTensor, attention->n_layers);
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree const char **tokens = g_new0 (const char *, attention->n + 1);
  const guint n_used = attention->n_used > 0 ? attention->n_used : attention->n;

  for (guint i = 0; i < attention->n; i++)
    tokens[i] = attention->tokens != NULL ? attention->tokens[i] : words[i % G_N_ELEMENTS (words)];
  for (guint layer = 0; layer < attention->n_layers; layer++)
    {
      PanelTensor *tensor = g_object_new (PANEL_TYPE_TENSOR, NULL);
      const HlShape shape = {
        .rank = 3,
        .dims = { layer == 1 && attention->few_heads > 0 ? attention->few_heads : attention->n_heads, attention->n,
                  attention->n },
      };
      tensor->attention = *attention;
      tensor->layer = layer;
      hl_tensor_set_layout (HL_TENSOR (tensor), HL_DTYPE_F32, &shape);
      g_ptr_array_add (tensors, tensor);
      layers[layer] = (HlLayerTensor){
        .tensor = HL_TENSOR (tensor),
        .layer_axis = -1,
        .batch_axis = -1,
        .head_axis = 0,
        .row_axis = 1,
        .column_axis = 2,
      };
    }
  g_autoptr (HlPicture) picture = hl_picture_new_for_names (tokens, attention->n, NULL, attention->n);
  return hl_attention_new (&(HlAttentionInit){
    .kind = attention->kind,
    .pictures = { picture, picture },
    .weights = layers,
    .n_layers = attention->n_layers,
    .tokens = { tokens, tokens },
    .n_used = { n_used, n_used },
    .sentence_b_start = attention->sentence_b_start,
    .rule = { .scale = 1, .mask = { .causal = attention->causal } },
  });
}

HlExample *
panel_example_new (const PanelAttention *attentions,
                   guint                 n_attentions)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n_attentions; i++)
    g_ptr_array_add (made, create_attention (&attentions[i]));
  return hl_example_new (NULL, NULL, NULL, made, checks);
}

HlViewState *
panel_state_new (const PanelAttention *attention)
{
  g_autoptr (HlExample) example = panel_example_new (attention, 1);

  return hl_view_state_new (example);
}

/* Puts a widget into a window and waits until it has its place. The window is the caller's to destroy. */
GtkWidget *
panel_show (GtkWidget *child,
            int        width,
            int        height)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_window_present (GTK_WINDOW (window));
  PANEL_WAIT_UNTIL (gtk_widget_get_mapped (child) && gtk_widget_get_width (child) > 0);
  panel_wait (50);
  return window;
}

static gboolean
on_waited (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

void
panel_wait (guint milliseconds)
{
  gboolean done = FALSE;

  g_timeout_add (milliseconds, on_waited, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

/* A child of a widget that is made from a template, by its id there. */
GtkWidget *
panel_get_child (GtkWidget  *widget,
                 const char *name)
{
  GObject *child = gtk_widget_get_template_child (widget, G_OBJECT_TYPE (widget), name);

  g_assert_nonnull (child);
  return GTK_WIDGET (child);
}

/* Adds the widgets of a type, by its name, that are the widget or below it. */
void
panel_find_all (GtkWidget  *widget,
                const char *type,
                GPtrArray  *found)
{
  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), type))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    panel_find_all (child, type, found);
}

/* Does what the key is bound to in the widget's class, or to the first of several that can be done. */
gboolean
panel_press (GtkWidget      *widget,
             guint           key,
             GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  g_autoptr (GtkShortcutTrigger) wanted = gtk_keyval_trigger_new (key, modifiers);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
        continue;
      for (guint j = 0; j < g_list_model_get_n_items (G_LIST_MODEL (controller)); j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
          if (gtk_shortcut_trigger_equal (gtk_shortcut_get_trigger (shortcut), wanted) &&
              gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget,
                                            gtk_shortcut_get_arguments (shortcut)))
            return TRUE;
        }
    }
  return FALSE;
}

typedef struct
{
  char *text;
  gboolean done;
} Reading;

static void
on_clipboard_read (GObject      *source_object,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  Reading *reading = user_data;

  reading->text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source_object), result, NULL);
  reading->done = TRUE;
}

char *
panel_read_clipboard (GtkWidget *widget)
{
  Reading reading = { NULL, FALSE };

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, on_clipboard_read, &reading);
  PANEL_WAIT_UNTIL (reading.done);
  return reading.text;
}

static GskRenderNode *
take_node (GdkPaintable *paintable,
           int           width,
           int           height)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  return gtk_snapshot_to_node (snapshot);
}

/* The colour of a widget at a point, as it would be on the screen without what is behind it; waits until it was drawn once. */
void
panel_get_pixel (GtkWidget *widget,
                 int        x,
                 int        y,
                 GdkRGBA   *colour)
{
  const int width = gtk_widget_get_width (widget);
  const int height = gtk_widget_get_height (widget);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GskRenderNode) node = NULL;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);

  PANEL_WAIT_UNTIL ((node = node != NULL ? node : take_node (paintable, width, height)) != NULL);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);

  const guint32 *row = (const guint32 *) (gconstpointer) (cairo_image_surface_get_data (surface) +
                                                          y * cairo_image_surface_get_stride (surface));
  const guint32 pixel = row[x];
  *colour = (GdkRGBA){ (float) (pixel >> 16 & 0xff) / 255, (float) (pixel >> 8 & 0xff) / 255,
                       (float) (pixel & 0xff) / 255, (float) (pixel >> 24) / 255 };
  cairo_surface_destroy (surface);
}
