/* SPDX-License-Identifier: MIT */
/* A text view that looks and behaves like an entry: Enter and Escape are commands, Tab goes on, Shift+Enter breaks the
 * line. */
#include "config.h"

#include "app/live/hl-text-field.h"

#include "app/base/hl-tooltip.h"
#include "app/widgets/hl-text-follow.h"
#include "app/widgets/hl-text-guard.h"
#include "core/base/hl-limits.h"

#include <string.h>

/* Without room a view lays its text out in lines of one pixel, as soon as it is shown: a text of more letters waits for its room. */
#define MAX_UNPLACED 2000

/* GtkTextView sets its adjustment from the height that it had before: where it grew, it would stay scrolled past its
 * first lines. */
#define HL_TYPE_TEXT_AREA (hl_text_area_get_type ())
G_DECLARE_FINAL_TYPE (HlTextArea, hl_text_area, HL, TEXT_AREA, GtkTextView)

struct _HlTextArea
{
  GtkTextView parent_instance;
};

enum
{
  AREA_REFUSED,
  N_AREA_SIGNALS,
};

static guint area_signals[N_AREA_SIGNALS];

G_DEFINE_FINAL_TYPE (HlTextArea, hl_text_area, GTK_TYPE_TEXT_VIEW)

static void
on_read (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (HlTextArea) self = data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);

  g_autofree char *refusal = text != NULL ? hl_text_guard_dup_refusal (text) : NULL;
  if (refusal != NULL)
    g_signal_emit (self, area_signals[AREA_REFUSED], 0, refusal);
  else
    GTK_TEXT_VIEW_CLASS (hl_text_area_parent_class)->paste_clipboard (GTK_TEXT_VIEW (self));
}

/* What it would replace is still there when that is too long. */
static void
hl_text_area_paste_clipboard (GtkTextView *view)
{
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (view)), NULL, on_read, g_object_ref (view));
}

static void
hl_text_area_size_allocate (GtkWidget *widget,
                            int        width,
                            int        height,
                            int        baseline)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (widget));

  GTK_WIDGET_CLASS (hl_text_area_parent_class)->size_allocate (widget, width, height, baseline);
  if (adjustment == NULL || gtk_adjustment_get_page_size (adjustment) == height)
    return;
  const double upper = MAX (gtk_adjustment_get_upper (adjustment), height);
  gtk_adjustment_configure (adjustment, CLAMP (gtk_adjustment_get_value (adjustment), 0, upper - height), 0, upper,
                            gtk_adjustment_get_step_increment (adjustment), height * 0.9, height);
}

static void
hl_text_area_class_init (HlTextAreaClass *klass)
{
  GTK_WIDGET_CLASS (klass)->size_allocate = hl_text_area_size_allocate;
  GTK_TEXT_VIEW_CLASS (klass)->paste_clipboard = hl_text_area_paste_clipboard;

  /* What was to be pasted is none that can be written on, with a sentence why. */
  area_signals[AREA_REFUSED] =
    g_signal_new ("refused", HL_TYPE_TEXT_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
hl_text_area_init (HlTextArea *self)
{
}

struct _HlTextField
{
  AdwBin parent_instance;

  GtkOverlay *overlay;
  GtkScrolledWindow *scroll;
  GtkTextView *view;
  GtkTextBuffer *buffer;
  /* No hyphen stands where a word goes on in the next line, since it would look like a part of the text. */
  GtkTextTag *plain;
  GtkWidget *placeholder;
  guint max_lines;
  char *waiting; /* the text, while the view has no room for it yet */
  guint waiting_id;
  gboolean arriving; /* while that is written, or room is made for it: it is told of once, when it comes */
};

enum
{
  CHANGED,
  ACTIVATED,
  LEFT,
  REFUSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlTextField, hl_text_field, ADW_TYPE_BIN)

static void
update_placeholder (HlTextField *self,
                    const char  *preedit)
{
  gtk_widget_set_visible (self->placeholder, self->waiting == NULL &&
                                               gtk_text_buffer_get_char_count (self->buffer) == 0 &&
                                               (preedit == NULL || *preedit == '\0'));
}

static char *
dup_written (HlTextField *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  return gtk_text_buffer_get_text (self->buffer, &start, &end, TRUE);
}

static void
stop_waiting (HlTextField *self)
{
  if (self->waiting_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self->view), self->waiting_id);
  self->waiting_id = 0;
  g_clear_pointer (&self->waiting, g_free);
}

/* No line is cut in half where there are more than it shows. Lines of one paragraph are not whole pixels high, and where a
 * paragraph begins is not known before all above it were laid out. */
static void
update_height (HlTextField *self)
{
  GtkTextIter iter;
  GdkRectangle line, next;
  int height = 0;

  gtk_text_buffer_get_start_iter (self->buffer, &iter);
  gtk_text_view_get_iter_location (self->view, &iter, &line);
  for (guint i = 0; i < self->max_lines; i++)
    {
      const int paragraph = gtk_text_iter_get_line (&iter);
      const gboolean goes_on = gtk_text_view_forward_display_line (self->view, &iter);

      gtk_text_view_get_iter_location (self->view, &iter, &next);
      height += goes_on && gtk_text_iter_get_line (&iter) == paragraph ? next.y - line.y : line.height;
      line = next;
    }
  gtk_scrolled_window_set_max_content_height (self->scroll, height);
}

static void
on_changed (HlTextField *self)
{
  g_autofree char *text = dup_written (self);
  GtkTextIter start, end;

  stop_waiting (self);
  gtk_text_view_set_wrap_mode (self->view, hl_text_guard_get_wrap_mode (text));
  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_text_buffer_apply_tag (self->buffer, self->plain, &start, &end);
  update_height (self);
  update_placeholder (self, NULL);
  if (!self->arriving)
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
fill (HlTextField *self,
      const char  *text)
{
  gtk_text_buffer_begin_irreversible_action (self->buffer);
  gtk_text_buffer_set_text (self->buffer, text, -1);
  gtk_text_buffer_end_irreversible_action (self->buffer);
}

static void
fill_quietly (HlTextField *self,
              const char  *text)
{
  self->arriving = TRUE;
  fill (self, text);
  self->arriving = FALSE;
}

static gboolean
on_frame (GtkWidget     *view,
          GdkFrameClock *clock,
          gpointer       data)
{
  HlTextField *self = data;

  if (gtk_widget_get_width (view) == 0)
    return G_SOURCE_CONTINUE;
  g_autofree char *text = g_steal_pointer (&self->waiting);
  self->waiting_id = 0;
  fill_quietly (self, text);
  return G_SOURCE_REMOVE;
}

/* Until the first frame with room. */
static void
wait_for_room (HlTextField *self,
               const char  *text)
{
  fill_quietly (self, "");
  stop_waiting (self);
  self->waiting = g_strdup (text);
  self->waiting_id = gtk_widget_add_tick_callback (GTK_WIDGET (self->view), on_frame, self, NULL);
  update_placeholder (self, NULL);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_refused (HlTextField *self,
            const char  *refusal)
{
  g_signal_emit (self, signals[REFUSED], 0, refusal);
}

/* Whatever it comes from: a selection, another program, a method of writing. */
static void
on_insert_text (HlTextField   *self,
                GtkTextIter   *place,
                const char    *text,
                int            length,
                GtkTextBuffer *buffer)
{
  g_autofree char *before = dup_written (self);
  /* Of what is far too long, no more than shows it. */
  length = MIN (length, HL_LIMIT_FIELD_TEXT + 1);
  g_autoptr (GString) after = g_string_new (before);
  g_string_insert_len (after, g_utf8_offset_to_pointer (before, gtk_text_iter_get_offset (place)) - before, text,
                       length);
  g_autofree char *refusal = hl_text_guard_dup_refusal (after->str);
  if (refusal == NULL)
    return;
  g_signal_stop_emission_by_name (buffer, "insert-text");
  on_refused (self, refusal);
}

static gboolean
on_key (HlTextField           *self,
        guint                  key,
        guint                  code,
        GdkModifierType        modifiers,
        GtkEventControllerKey *controller)
{
  const gboolean is_enter = key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_ISO_Enter;
  /* With Ctrl, Enter is no other command. */
  const gboolean is_plain = (modifiers & (GDK_SHIFT_MASK | GDK_ALT_MASK)) == 0 &&
                            (is_enter || (modifiers & GDK_CONTROL_MASK) == 0);
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (controller));

  if (!is_plain || !(is_enter || key == GDK_KEY_Escape))
    return GDK_EVENT_PROPAGATE;
  /* Whoever composes a character ends that first. */
  if (!gtk_text_view_im_context_filter_keypress (self->view, event))
    g_signal_emit (self, signals[is_enter ? ACTIVATED : LEFT], 0);
  return GDK_EVENT_STOP;
}

/* Of a text that is no longer written, the beginning is seen, and nothing that a key would replace. */
static void
on_left (HlTextField *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkTextIter start;

  if (root == NULL || gtk_root_get_focus (root) == GTK_WIDGET (self->view))
    return;
  gtk_text_buffer_get_start_iter (self->buffer, &start);
  gtk_text_buffer_place_cursor (self->buffer, &start);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroll), 0);
}

static void
hl_text_field_css_changed (GtkWidget         *widget,
                           GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (hl_text_field_parent_class)->css_changed (widget, change);
  update_height (HL_TEXT_FIELD (widget));
}

/* As in entries, what Tab leads to is selected. */
static gboolean
hl_text_field_move_focus (GtkWidget       *widget,
                          GtkDirectionType direction)
{
  if (gtk_widget_get_focus_child (widget) != NULL ||
      (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD))
    return GTK_WIDGET_CLASS (hl_text_field_parent_class)->focus (widget, direction);
  hl_text_field_focus (HL_TEXT_FIELD (widget));
  return TRUE;
}

static void
hl_text_field_finalize (GObject *object)
{
  g_free (HL_TEXT_FIELD (object)->waiting);
  G_OBJECT_CLASS (hl_text_field_parent_class)->finalize (object);
}

static void
hl_text_field_class_init (HlTextFieldClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_text_field_finalize;
  widget_class->focus = hl_text_field_move_focus;
  widget_class->css_changed = hl_text_field_css_changed;

  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_TEXT_FIELD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* Enter was pressed. */
  signals[ACTIVATED] =
    g_signal_new ("activated", HL_TYPE_TEXT_FIELD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* Escape was pressed. */
  signals[LEFT] = g_signal_new ("left", HL_TYPE_TEXT_FIELD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* What was to be written is none that it takes, with a sentence why; the text is as it was. */
  signals[REFUSED] =
    g_signal_new ("refused", HL_TYPE_TEXT_FIELD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (HL_TYPE_TEXT_AREA);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/text-field.ui");
  gtk_widget_class_bind_template_child (widget_class, HlTextField, overlay);
  gtk_widget_class_bind_template_child (widget_class, HlTextField, scroll);
  gtk_widget_class_bind_template_child (widget_class, HlTextField, view);
  gtk_widget_class_bind_template_child (widget_class, HlTextField, buffer);
  gtk_widget_class_bind_template_child (widget_class, HlTextField, placeholder);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_insert_text);
  gtk_widget_class_bind_template_callback (widget_class, on_key);
  gtk_widget_class_bind_template_callback (widget_class, on_left);
  gtk_widget_class_bind_template_callback (widget_class, on_refused);
  gtk_widget_class_bind_template_callback (widget_class, update_placeholder);
  /* The style of entries. */
  gtk_widget_class_set_css_name (widget_class, "entry");
}

static void
hl_text_field_init (HlTextField *self)
{
  self->max_lines = 5;
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_guard_buffer (self->buffer);
  hl_text_follow_view (self->view);
  self->plain = gtk_text_buffer_create_tag (self->buffer, NULL, "insert-hyphens", FALSE, NULL);
  /* While it is empty, it is as wide as its name. */
  gtk_overlay_set_measure_overlay (self->overlay, self->placeholder, TRUE);
}

char *
hl_text_field_dup_text (HlTextField *self)
{
  g_return_val_if_fail (HL_IS_TEXT_FIELD (self), NULL);

  return self->waiting != NULL ? g_strdup (self->waiting) : dup_written (self);
}

static gboolean
can_take (HlTextField *self,
          const char  *text)
{
  g_autofree char *refusal = hl_text_guard_dup_refusal (text);

  if (refusal != NULL)
    on_refused (self, refusal);
  return refusal == NULL;
}

/* This cannot be undone. A text that goes on keeps what is there, and with it the cursor. */
gboolean
hl_text_field_set_text (HlTextField *self,
                        const char  *text)
{
  GtkTextIter end;

  g_return_val_if_fail (HL_IS_TEXT_FIELD (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  g_autofree char *before = hl_text_field_dup_text (self);
  if (g_str_equal (before, text))
    return TRUE;
  if (!can_take (self, text))
    return FALSE;
  if (gtk_widget_get_width (GTK_WIDGET (self->view)) == 0 && strlen (text) > MAX_UNPLACED)
    wait_for_room (self, text);
  else if (self->waiting == NULL && g_str_has_prefix (text, before))
    {
      gtk_text_buffer_begin_irreversible_action (self->buffer);
      gtk_text_buffer_get_end_iter (self->buffer, &end);
      gtk_text_buffer_insert (self->buffer, &end, text + strlen (before), -1);
      gtk_text_buffer_end_irreversible_action (self->buffer);
    }
  else
    fill (self, text);
  return TRUE;
}

/* As if somebody had selected all and pasted it: one step that can be undone. */
gboolean
hl_text_field_replace_text (HlTextField *self,
                            const char  *text)
{
  GtkTextIter start, end;

  g_return_val_if_fail (HL_IS_TEXT_FIELD (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  if (!can_take (self, text))
    return FALSE;
  gtk_text_buffer_begin_user_action (self->buffer);
  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_text_buffer_delete (self->buffer, &start, &end);
  gtk_text_buffer_insert (self->buffer, &start, text, -1);
  gtk_text_buffer_end_user_action (self->buffer);
  return TRUE;
}

/* As many lines as are seen of a text that has more. */
void
hl_text_field_set_max_lines (HlTextField *self,
                             guint        max_lines)
{
  g_return_if_fail (HL_IS_TEXT_FIELD (self));

  self->max_lines = max_lines;
  update_height (self);
}

/* For all who see it while it is empty, and for those who hear it; and what is told beside it. */
void
hl_text_field_set_name (HlTextField *self,
                        const char  *name,
                        const char  *hint)
{
  g_return_if_fail (HL_IS_TEXT_FIELD (self));

  gtk_label_set_label (GTK_LABEL (self->placeholder), name);
  hl_tooltip_set (GTK_WIDGET (self), hint);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* What is typed replaces the text, whose beginning is seen. */
void
hl_text_field_focus (HlTextField *self)
{
  GtkTextIter start, end;

  g_return_if_fail (HL_IS_TEXT_FIELD (self));

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_text_buffer_select_range (self->buffer, &start, &end);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}
