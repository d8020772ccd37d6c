/* SPDX-License-Identifier: MIT */
/*
 * The dialog that makes a file of what is seen. The preview is made by the same code as the file, only smaller; it
 * always is that of the newest settings.
 */
#include "config.h"

#include "app/page/hl-export-dialog.h"

#include "app/widgets/hl-fold-box.h"
#include "app/base/hl-accessible.h"
#include "app/base/hl-file-choice.h"
#include "app/canvas/hl-figure.h"
#include "app/widgets/hl-text-guard.h"
#include "core/base/file/hl-file-name.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>
#include <math.h>

/* The preview is drawn again when the settings have rested for a moment. */
#define PREVIEW_AFTER_MS 80
/* Work that is done sooner shows no sign of waiting. */
#define PROGRESS_AFTER_MS 500
#define PREVIEW_PIXELS 420.0
/* A pixel is 1/96 inch, a point 1/72. */
#define POINTS_PER_PIXEL 0.75

struct _HlExportDialog
{
  AdwWindow parent_instance;

  GtkButton *export_button;
  GtkWidget *form;
  GtkPicture *preview;
  GtkSpinner *spinner;
  AdwComboRow *format_row;
  GtkToggleButton *whole;
  GtkToggleButton *as_seen;
  GtkAdjustment *width;
  GtkAdjustment *height;
  GtkWidget *size_group;
  GtkWidget *scale_row;
  GtkAdjustment *scale;
  GtkWidget *look_group;
  AdwComboRow *background_row;
  GtkWidget *text_row;
  GtkEditable *title_row;
  GtkLabel *result;
  GtkWidget *error_bar;
  GtkLabel *error_label;

  HlScene *scene;
  GFile *beside;
  char *name;
  HlSession *session; /* whose figure it is */

  guint preview_timeout;
  GCancellable *preview_cancellable;
  guint progress_timeout;
  GCancellable *cancellable;
  GFile *target;
};

enum
{
  EXPORTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* In the order of the list in the .ui file, which is that of HlExportFormat. */
static const char *const endings[] = { "png", "svg", "pdf", "html" };

G_DEFINE_FINAL_TYPE (HlExportDialog, hl_export_dialog, ADW_TYPE_WINDOW)

static HlExportOptions
get_options (HlExportDialog *self)
{
  const char *title = gtk_editable_get_text (self->title_row);

  return (HlExportOptions){
    .format = (HlExportFormat) adw_combo_row_get_selected (self->format_row),
    .scale = gtk_adjustment_get_value (self->scale),
    .background = (HlExportBackground) adw_combo_row_get_selected (self->background_row),
    .title = *title != '\0' ? title : NULL,
    /* Of what is shown now: an adapter may have been switched since this was opened. */
    .model = hl_document_get_model (hl_session_get_document (self->session)),
    .text_mode = (HlTextMode) adw_combo_row_get_selected (ADW_COMBO_ROW (self->text_row)),
  };
}

static HlFigure *
create_figure (HlExportDialog        *self,
               const HlExportOptions *options)
{
  /* What is light on dark could not be read on white. */
  const gboolean dark = options->background != HL_EXPORT_BACKGROUND_WHITE &&
                        hl_view_state_get_options (hl_scene_get_state (self->scene))->dark;

  return hl_figure_new (self->scene, gtk_adjustment_get_value (self->width), gtk_adjustment_get_value (self->height),
                        dark, gtk_toggle_button_get_active (self->whole));
}

static void
set_error (HlExportDialog *self,
           const char     *error)
{
  gtk_label_set_label (self->error_label, error != NULL ? error : "");
  gtk_widget_set_visible (self->error_bar, error != NULL);
}

static void
stop_preview (HlExportDialog *self)
{
  g_clear_handle_id (&self->preview_timeout, g_source_remove);
  g_cancellable_cancel (self->preview_cancellable);
  g_clear_object (&self->preview_cancellable);
}

static void
on_preview (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  g_autoptr (HlExportDialog) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hl_figure_make_finish (HL_FIGURE (source), result, NULL, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->preview_cancellable)
    return;
  g_clear_object (&self->preview_cancellable);
  if (bytes != NULL)
    {
      g_autoptr (GdkTexture) texture = gdk_texture_new_from_bytes (bytes, &error);
      gtk_picture_set_paintable (self->preview, GDK_PAINTABLE (texture));
    }
  g_autofree char *sentence = error != NULL ? hl_sentence_of_error (error) : NULL;
  set_error (self, sentence);
}

static gboolean
start_preview (gpointer data)
{
  HlExportDialog *self = data;
  HlExportOptions options = get_options (self);
  const double longest = MAX (gtk_adjustment_get_value (self->width), gtk_adjustment_get_value (self->height));
  const double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self)) * PREVIEW_PIXELS / longest;
  g_autoptr (HlFigure) figure = create_figure (self, &options);

  self->preview_timeout = 0;
  options.format = HL_EXPORT_PNG;
  options.scale = CLAMP (scale, 0.1, 4);
  self->preview_cancellable = g_cancellable_new ();
  hl_figure_make_async (figure, &options, NULL, self->preview_cancellable, on_preview, g_object_ref (self));
  return G_SOURCE_REMOVE;
}

static void
update (HlExportDialog *self)
{
  /* A row that goes with the dialog says that it has changed. */
  if (self->session == NULL)
    return;

  const HlExportOptions options = get_options (self);
  const double width = gtk_adjustment_get_value (self->width);
  const double height = gtk_adjustment_get_value (self->height);
  const gboolean is_png = options.format == HL_EXPORT_PNG;
  const gboolean is_page = options.format == HL_EXPORT_HTML;
  g_autofree char *result = NULL;
  gboolean fits = TRUE;

  gtk_widget_set_visible (self->scale_row, is_png);
  gtk_widget_set_visible (self->text_row, !is_png);
  gtk_widget_set_visible (self->size_group, !is_page);
  gtk_widget_set_visible (self->look_group, !is_page);
  if (is_page)
    result = g_strdup (_ ("All layers and heads, for any browser"));
  else if (is_png)
    {
      fits = MAX (width, height) * options.scale <= HL_LIMIT_FIGURE_SIDE;
      result =
        g_strdup_printf (_ ("%.0f × %.0f pixels"), round (width * options.scale), round (height * options.scale));
    }
  else if (options.format == HL_EXPORT_PDF)
    result = g_strdup_printf (_ ("%.0f × %.0f points"), width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL);
  else
    result = g_strdup_printf (_ ("%.0f × %.0f, scalable"), width, height);
  gtk_label_set_label (self->result, result);
  gtk_widget_set_sensitive (GTK_WIDGET (self->export_button), fits && self->cancellable == NULL);

  stop_preview (self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->preview_timeout = g_timeout_add (PREVIEW_AFTER_MS, start_preview, self);
}

/* All of the content, at the zoom of the screen; or what the window shows of it, as large as there. */
static void
on_extent (HlExportDialog *self)
{
  double width, height;

  if (gtk_toggle_button_get_active (self->whole))
    hl_export_get_whole_size (self->scene, &width, &height);
  else
    hl_scene_get_viewport (self->scene, &width, &height, NULL);
  gtk_adjustment_set_value (self->width, width);
  gtk_adjustment_set_value (self->height, height);
  update (self);
}

static gboolean
on_progress_timeout (gpointer data)
{
  HlExportDialog *self = data;

  self->progress_timeout = 0;
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), TRUE);
  gtk_spinner_start (self->spinner);
  return G_SOURCE_REMOVE;
}

static void
set_running (HlExportDialog *self,
             GCancellable   *cancellable)
{
  g_clear_handle_id (&self->progress_timeout, g_source_remove);
  g_set_object (&self->cancellable, cancellable);
  gtk_widget_set_sensitive (self->form, cancellable == NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->export_button), cancellable == NULL);
  gtk_spinner_stop (self->spinner);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), FALSE);
  if (cancellable != NULL)
    self->progress_timeout = g_timeout_add (PROGRESS_AFTER_MS, on_progress_timeout, self);
}

static void
on_made (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (HlExportDialog) self = data;
  g_autoptr (GError) error = NULL;
  gsize n_left_out;
  g_autoptr (GBytes) bytes = hl_figure_make_finish (HL_FIGURE (source), result, &n_left_out, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  set_running (self, NULL);
  if (bytes != NULL)
    {
      g_signal_emit (self, signals[EXPORTED], 0, self->target, (guint) MIN (n_left_out, G_MAXUINT));
      gtk_window_destroy (GTK_WINDOW (self));
    }
  else
    {
      g_autofree char *name = hl_file_dup_display_name (self->target);
      g_autofree char *whole = g_strdup_printf ("%s: %s", name, error->message), *text = hl_utf8_bound (whole);
      set_error (self, text);
    }
}

/* The ending of its name says what it is to be, whatever the list says; a name without one of ours gets that of the list. */
static GFile *
find_target (HlExportDialog *self,
             GFile          *chosen,
             GError        **error)
{
  g_autofree char *name = g_file_get_basename (chosen);
  g_autofree char *ending = g_strconcat (".", endings[adw_combo_row_get_selected (self->format_row)], NULL);
  HlExportFormat format;

  if (!hl_export_format_from_path (name, &format))
    return hl_file_choice_add_ending (chosen, ending, error);
  adw_combo_row_set_selected (self->format_row, format);
  return g_object_ref (chosen);
}

static void
on_target_chosen (HlExportDialog       *self,
                  int                   response,
                  GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) chosen = hl_file_choice_get_file (chooser, response);
  g_autoptr (GError) error = NULL;

  if (chosen == NULL)
    return;
  g_autoptr (GFile) target = find_target (self, chosen, &error);
  if (target == NULL)
    {
      set_error (self, error->message);
      return;
    }
  const HlExportOptions options = get_options (self);
  g_autoptr (HlFigure) figure = create_figure (self, &options);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_set_object (&self->target, target);
  stop_preview (self);
  set_error (self, NULL);
  set_running (self, cancellable);
  hl_figure_make_async (figure, &options, self->target, cancellable, on_made, g_object_ref (self));
}

static void
on_export (HlExportDialog *self)
{
  const char *ending = endings[adw_combo_row_get_selected (self->format_row)];
  g_autofree char *name = g_strdup_printf ("%s.%s", self->name, ending);
  g_autofree char *pattern = g_strdup_printf ("*.%s", ending);
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_ ("Export Figure"), GTK_WINDOW (self),
                                                               GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), NULL);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, pattern);
  gtk_file_filter_add_suffix (filter, ending);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_target_chosen), self, G_CONNECT_SWAPPED);
  hl_file_choice_show_to_save (chooser, self->beside, G_USER_DIRECTORY_PICTURES);
}

static void
stop (HlExportDialog *self)
{
  g_cancellable_cancel (self->cancellable);
  set_running (self, NULL);
}

/* While a file is being made, this stops it; otherwise it closes. */
static void
on_cancel (HlExportDialog *self)
{
  if (self->cancellable != NULL)
    stop (self);
  else
    gtk_window_close (GTK_WINDOW (self));
}

/* Not only once it is disposed of: what is being made holds it. */
static gboolean
hl_export_dialog_close_request (GtkWindow *window)
{
  HlExportDialog *self = HL_EXPORT_DIALOG (window);

  stop_preview (self);
  stop (self);
  return GTK_WINDOW_CLASS (hl_export_dialog_parent_class)->close_request (window);
}

static void
hl_export_dialog_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (hl_export_dialog_parent_class)->map (widget);
  gtk_widget_grab_focus (GTK_WIDGET (HL_EXPORT_DIALOG (widget)->export_button));
  update (HL_EXPORT_DIALOG (widget));
}

static void
hl_export_dialog_dispose (GObject *object)
{
  HlExportDialog *self = HL_EXPORT_DIALOG (object);

  stop_preview (self);
  g_clear_handle_id (&self->progress_timeout, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->scene);
  g_clear_object (&self->session);
  g_clear_object (&self->beside);
  g_clear_object (&self->target);
  G_OBJECT_CLASS (hl_export_dialog_parent_class)->dispose (object);
}

static void
hl_export_dialog_finalize (GObject *object)
{
  g_free (HL_EXPORT_DIALOG (object)->name);
  G_OBJECT_CLASS (hl_export_dialog_parent_class)->finalize (object);
}

static void
hl_export_dialog_class_init (HlExportDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hl_export_dialog_dispose;
  object_class->finalize = hl_export_dialog_finalize;
  widget_class->map = hl_export_dialog_map;
  GTK_WINDOW_CLASS (klass)->close_request = hl_export_dialog_close_request;

  signals[EXPORTED] = g_signal_new ("exported", HL_TYPE_EXPORT_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 2, G_TYPE_FILE, G_TYPE_UINT);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/export-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, export_button);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, form);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, preview);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, format_row);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, whole);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, as_seen);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, width);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, height);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, size_group);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, scale_row);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, scale);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, look_group);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, background_row);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, text_row);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, title_row);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, result);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, error_bar);
  gtk_widget_class_bind_template_child (widget_class, HlExportDialog, error_label);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, on_extent);
  gtk_widget_class_bind_template_callback (widget_class, on_export);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
hl_export_dialog_init (HlExportDialog *self)
{
  g_type_ensure (HL_TYPE_FOLD_BOX);
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_guard_entry (GTK_WIDGET (self->title_row));
  hl_accessible_name_buttons (GTK_WIDGET (self));
}

GtkWidget *
hl_export_dialog_new (HlScene    *scene,
                      GFile      *beside,
                      const char *name,
                      HlSession  *session)
{
  g_return_val_if_fail (HL_IS_SCENE (scene), NULL);
  g_return_val_if_fail (beside == NULL || G_IS_FILE (beside), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (HL_IS_SESSION (session), NULL);

  HlExportDialog *self = g_object_new (HL_TYPE_EXPORT_DIALOG, NULL);
  self->scene = g_object_ref (scene);
  self->beside = beside != NULL ? g_object_ref (beside) : NULL;
  self->name = g_strdup (name);
  self->session = g_object_ref (session);
  /* Of cells that somebody zoomed in on, a part is meant. */
  const HlViewKind view = hl_view_state_get_options (hl_scene_get_state (scene))->view;
  gtk_toggle_button_set_active (hl_view_kind_get_traits (view)->keeps_proportions && hl_scene_get_zoom (scene) > 0
                                  ? self->as_seen
                                  : self->whole,
                                TRUE);
  on_extent (self);
  return GTK_WIDGET (self);
}
