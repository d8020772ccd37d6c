/* SPDX-License-Identifier: MIT */
/* One text or two, or an image, and at the end of the bar how long they are in tokens; while a run takes its time, how far it is. */
#include "config.h"

#include "app/live/hl-text-bar.h"

#include "app/base/hl-settings.h"
#include "app/base/hl-tooltip.h"
#include "app/live/hl-text-field.h"
#include "core/base/file/hl-file-name.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/tokenizer/text/hl-letters.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>
#include <string.h>

/* A run that is done sooner shows no sign of waiting. */
#define SHOW_AFTER_MS 500

struct _HlTextBar
{
  AdwBin parent_instance;

  GtkOrientable *fields;
  HlTextField *text;
  HlTextField *second_text;
  GtkEventControllerFocus *second_focus;
  GtkWidget *letter;
  GtkWidget *pixels;
  GtkImage *thumbnail;
  GtkActionable *open_image;
  GtkLabel *pixels_name;
  GtkStack *status;
  GtkLabel *n_tokens;
  gboolean is_stacked;
  gboolean is_aside;
  GtkAdjustment *last_layer;
  GtkLabel *layer;
  GtkProgressBar *progress;
  GtkWidget *error_box;
  GtkImage *error_icon;
  GtkLabel *error_label;
  GtkToggleButton *adapter;
  AdwSplitButton *generate;
  GtkAdjustment *n_generated;
  GtkAdjustment *temperature;
  GtkAdjustment *seed;

  GSettings *settings;
  HlLiveModel *live;
  gboolean filling;
  guint timeout;
};

enum
{
  LEFT,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlTextBar, hl_text_bar, ADW_TYPE_BIN)

static void
update_progress (HlTextBar *self)
{
  guint n_done, n_layers;

  hl_live_model_get_layers (self->live, &n_done, &n_layers);
  if (n_layers == 0)
    return;
  /* Translators: which layer of how many is being computed */
  g_autofree char *label = g_strdup_printf (_ ("layer %u/%u"), MIN (n_done + 1, n_layers), n_layers);
  gtk_label_set_label (self->layer, label);
  gtk_progress_bar_set_fraction (self->progress, (double) n_done / n_layers);
}

static gboolean
on_timeout (gpointer data)
{
  HlTextBar *self = data;

  self->timeout = 0;
  gtk_stack_set_visible_child_name (self->status, "busy");
  return G_SOURCE_REMOVE;
}

static void
update_busy (HlTextBar *self)
{
  const gboolean is_busy = hl_live_model_get_busy (self->live);

  if (is_busy && self->timeout == 0 && g_str_equal (gtk_stack_get_visible_child_name (self->status), "idle"))
    {
      gtk_label_set_label (self->layer, "");
      gtk_progress_bar_set_fraction (self->progress, 0);
      self->timeout = g_timeout_add (SHOW_AFTER_MS, on_timeout, self);
    }
  else if (!is_busy)
    {
      g_clear_handle_id (&self->timeout, g_source_remove);
      gtk_stack_set_visible_child_name (self->status, "idle");
    }
}

/* The tokens of both sides: those of the decoder count where there is one. */
static void
update_n_tokens (HlTextBar *self)
{
  g_autoptr (HlExample) example = hl_document_get_example (hl_live_model_get_document (self->live), 0, NULL, NULL);
  guint n = 0;

  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    if (hl_attention_get_kind (hl_example_get_attention (example, i)) != HL_ATTENTION_CROSS)
      n += (guint) hl_attention_get_n (hl_example_get_attention (example, i), HL_QUERIES);
  g_autofree char *tokens = g_strdup_printf (ngettext ("%u token", "%u tokens", n), n);
  guint n_all;
  const guint n_layers = hl_live_model_get_n_layers (self->live, &n_all);
  /* Translators: “15 tokens · to layer 5”: the layers after it are not computed */
  g_autofree char *stopped = n_layers > 0 ? g_strdup_printf (_ ("%s · to layer %u"), tokens, n_layers - 1) : NULL;
  const char *full = hl_live_model_is_empty (self->live) ? _ ("no text") : stopped != NULL ? stopped : tokens;
  g_autofree char *brief = g_strdup_printf ("%u", n);
  const gboolean is_brief = self->is_stacked && full == tokens;

  /* Where there is little room, it is the texts'. */
  gtk_label_set_label (self->n_tokens, is_brief ? brief : full);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->n_tokens), is_brief ? full : NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->n_tokens), GTK_ACCESSIBLE_PROPERTY_LABEL, full, -1);
}

/* The last layer that is computed, of those that there are. */
static void
update_layers (HlTextBar *self)
{
  guint n_all;
  const guint n_layers = hl_live_model_get_n_layers (self->live, &n_all);

  self->filling = TRUE;
  gtk_adjustment_set_upper (self->last_layer, n_all > 0 ? n_all - 1 : 0);
  gtk_adjustment_set_value (self->last_layer, (n_layers > 0 ? n_layers : MAX (n_all, 1)) - 1);
  self->filling = FALSE;
}

static void
on_last_layer_changed (HlTextBar *self)
{
  guint n_all;

  if (self->live == NULL || self->filling)
    return;
  hl_live_model_get_n_layers (self->live, &n_all);
  const guint n_layers = (guint) gtk_adjustment_get_value (self->last_layer) + 1;
  hl_live_model_set_n_layers (self->live, n_layers < n_all ? n_layers : 0);
}

/* By which side it is for, and not by the label that both have, which GTK puts behind it once it is there. */
static void
name_open_image (HlTextBar *self)
{
  const gboolean is_side = gtk_widget_get_visible (self->letter);
  const char *letter = gtk_label_get_label (GTK_LABEL (self->letter));
  /* Translators: A or B, a side of a comparison */
  g_autofree char *name = is_side ? g_strdup_printf (_ ("Open Image for %s"), letter) : g_strdup (_ ("Open Image"));

  gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->open_image), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->open_image), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
update_thumbnail (HlTextBar *self)
{
  HlImage *image = hl_live_model_get_thumbnail (self->live);
  g_autoptr (GdkTexture) texture = NULL;

  if (image != NULL)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_with_free_func (image->pixels, image->height * image->width * 3,
                                                             (GDestroyNotify) hl_image_unref, hl_image_ref (image));
      texture =
        gdk_memory_texture_new ((int) image->width, (int) image->height, GDK_MEMORY_R8G8B8, bytes, image->width * 3);
    }
  gtk_image_set_from_paintable (self->thumbnail, GDK_PAINTABLE (texture));
  gtk_widget_set_visible (GTK_WIDGET (self->thumbnail), image != NULL);
}

/* Of a model that takes both, the name is there while texts do not count. */
static void
update_pixels (HlTextBar *self)
{
  GFile *file = hl_live_model_get_pixels (self->live);
  const gboolean takes_texts = hl_live_model_takes_texts (self->live);
  g_autofree char *name = file != NULL ? hl_file_dup_display_name (file) : NULL;

  gtk_widget_set_visible (self->pixels, hl_live_model_takes_pixels (self->live));
  gtk_widget_set_visible (GTK_WIDGET (self->fields), takes_texts);
  gtk_widget_set_hexpand (self->pixels, !takes_texts);
  gtk_label_set_label (self->pixels_name, name != NULL ? name : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->pixels_name), name);
  name_open_image (self);
  update_thumbnail (self);
  gtk_widget_set_visible (GTK_WIDGET (self->pixels_name), name != NULL);
}

static void
show_error (HlTextBar    *self,
            const GError *error)
{
  const gboolean is_stopped = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autofree char *sentence = error != NULL ? hl_sentence_of_error (error) : NULL;

  gtk_label_set_label (self->error_label, sentence != NULL ? sentence : "");
  gtk_image_set_from_icon_name (self->error_icon,
                                is_stopped ? "media-playback-stop-symbolic" : "dialog-error-symbolic");
  if (is_stopped)
    gtk_widget_remove_css_class (self->error_box, "error");
  else
    gtk_widget_add_css_class (self->error_box, "error");
  gtk_widget_set_visible (self->error_box, error != NULL);
}

static void
update_error (HlTextBar *self)
{
  show_error (self, hl_live_model_get_error (self->live));
}

/* Until there is something else to say, or the next text. */
static void
on_refused (HlTextBar  *self,
            const char *refusal)
{
  g_autoptr (GError) error = NULL;

  if (self->live == NULL)
    return;
  g_set_error_literal (&error, HL_ERROR, HL_ERROR_TOO_LARGE, refusal);
  show_error (self, error);
}

static void
on_texts_changed (HlTextBar *self)
{
  if (self->live == NULL || self->filling)
    return;
  g_autofree char *text = hl_text_field_dup_text (self->text);
  g_autofree char *second_text = hl_text_field_dup_text (self->second_text);
  update_error (self);
  hl_live_model_set_texts (self->live, text, second_text);
}

static void
run (HlTextBar *self)
{
  /* Pixels may have come since: a text that is as it was counts again. */
  on_texts_changed (self);
  hl_live_model_run (self->live);
}

/* What is pressed next is about the picture. */
static void
on_activated (HlTextBar *self)
{
  if (self->live == NULL)
    return;
  run (self);
  g_signal_emit (self, signals[LEFT], 0);
}

/* Goes on with the text, or stops that. */
void
hl_text_bar_generate (HlTextBar *self)
{
  g_return_if_fail (HL_IS_TEXT_BAR (self));

  if (self->live == NULL)
    return;
  const HlGenerationOptions options = {
    .max_tokens = (guint) gtk_adjustment_get_value (self->n_generated),
    .temperature = gtk_adjustment_get_value (self->temperature),
    .seed = (guint64) gtk_adjustment_get_value (self->seed),
  };
  if (hl_live_model_get_writing (self->live))
    hl_live_model_stop (self->live);
  else
    hl_live_model_write (self->live, &options);
}

static void
update_generate (HlTextBar *self)
{
  const gboolean is_writing = hl_live_model_get_writing (self->live);

  const gboolean can_write = hl_live_model_can_write (self->live);

  /* It stays where it is while there is no text to go on with. */
  gtk_widget_set_visible (GTK_WIDGET (self->generate),
                          can_write || (hl_live_model_is_empty (self->live) &&
                                        gtk_widget_get_visible (GTK_WIDGET (self->generate))));
  gtk_widget_set_sensitive (GTK_WIDGET (self->generate), can_write);
  adw_split_button_set_icon_name (self->generate,
                                  is_writing ? "media-playback-stop-symbolic" : "media-playback-start-symbolic");
  hl_tooltip_set (GTK_WIDGET (self->generate), is_writing ? _ ("Stop Generating") : _ ("Generate"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->generate), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  is_writing ? _ ("Stop Generating") : _ ("Generate"), -1);
}

static void
update_adapter (HlTextBar *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->adapter), hl_live_model_has_adapter (self->live));
  gtk_toggle_button_set_active (self->adapter, hl_live_model_get_adapter (self->live));
}

/* Of the own side, whichever that is. */
static void
on_adapter (HlTextBar *self)
{
  hl_live_model_set_adapter (self->live, gtk_toggle_button_get_active (self->adapter));
}

static void
on_left (HlTextBar *self)
{
  if (self->live != NULL && hl_live_model_get_writing (self->live))
    {
      hl_live_model_stop (self->live);
      return;
    }
  g_signal_emit (self, signals[LEFT], 0);
}

static void
on_stop (HlTextBar *self)
{
  if (self->live != NULL)
    hl_live_model_stop (self->live);
}

/* As long as nobody writes a second text, the first has nearly all the room, and while texts are compared, all. */
static void
place_second (HlTextBar *self)
{
  const gboolean is_compared = gtk_widget_get_visible (self->letter);
  g_autofree char *second_text = hl_text_field_dup_text (self->second_text);
  const gboolean is_used = *second_text != '\0' || gtk_event_controller_focus_contains_focus (self->second_focus);

  gtk_orientable_set_orientation (self->fields,
                                  self->is_stacked && is_used ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_box_set_homogeneous (GTK_BOX (self->fields), !self->is_stacked && is_used);
  gtk_widget_set_hexpand (GTK_WIDGET (self->second_text), is_used);
  gtk_widget_set_visible (GTK_WIDGET (self->second_text),
                          self->live != NULL && hl_live_model_get_second_kind (self->live) != HL_SECOND_TEXT_NONE &&
                            (!is_compared || *second_text != '\0'));
}

static void
leave_live (HlTextBar *self)
{
  if (self->live != NULL)
    g_signal_handlers_disconnect_by_data (self->live, self);
  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_object (&self->live);
}

static void
hl_text_bar_dispose (GObject *object)
{
  leave_live (HL_TEXT_BAR (object));
  g_clear_object (&HL_TEXT_BAR (object)->settings);
  G_OBJECT_CLASS (hl_text_bar_parent_class)->dispose (object);
}

static void
hl_text_bar_class_init (HlTextBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_text_bar_dispose;

  /* Somebody is done typing and wants to go back to the picture. */
  signals[LEFT] = g_signal_new ("left", HL_TYPE_TEXT_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (HL_TYPE_TEXT_FIELD);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/text-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, fields);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, text);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, second_text);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, second_focus);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, letter);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, pixels);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, thumbnail);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, open_image);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, pixels_name);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, status);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, n_tokens);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, last_layer);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, layer);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, progress);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, error_box);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, error_icon);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, error_label);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, adapter);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, generate);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, n_generated);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, temperature);
  gtk_widget_class_bind_template_child (widget_class, HlTextBar, seed);
  gtk_widget_class_bind_template_callback (widget_class, on_adapter);
  gtk_widget_class_bind_template_callback (widget_class, hl_text_bar_generate);
  gtk_widget_class_bind_template_callback (widget_class, on_texts_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_last_layer_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_left);
  gtk_widget_class_bind_template_callback (widget_class, on_refused);
  gtk_widget_class_bind_template_callback (widget_class, on_stop);
  gtk_widget_class_bind_template_callback (widget_class, place_second);
}

static void
hl_text_bar_init (HlTextBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_bar_set_letter (self, NULL);
  hl_text_field_set_name (self->text, _ ("Text"), _ ("Ctrl+L to type, Enter to go to the picture"));
  self->settings = hl_settings_new ();
  g_settings_bind (self->settings, "generate-tokens", self->n_generated, "value", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "generate-temperature", self->temperature, "value", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "generate-seed", self->seed, "value", G_SETTINGS_BIND_DEFAULT);
}

static void
fill (HlTextBar *self)
{
  const HlSecondText kind = hl_live_model_get_second_kind (self->live);
  const char *second_name = kind == HL_SECOND_TEXT_TARGET ? _ ("Target Text") : _ ("Second Text");
  const char *text, *second_text;

  hl_live_model_get_texts (self->live, &text, &second_text);
  self->filling = TRUE;
  hl_text_field_set_name (self->second_text, second_name, second_name);
  hl_text_field_set_text (self->text, text != NULL ? text : "");
  hl_text_field_set_text (self->second_text, second_text != NULL ? second_text : "");
  self->filling = FALSE;
  place_second (self);
}

void
hl_text_bar_set_live (HlTextBar   *self,
                      HlLiveModel *live)
{
  g_return_if_fail (HL_IS_TEXT_BAR (self));
  g_return_if_fail (live == NULL || HL_IS_LIVE_MODEL (live));

  leave_live (self);
  gtk_widget_set_visible (GTK_WIDGET (self), live != NULL && !self->is_aside);
  if (live == NULL)
    return;
  self->live = g_object_ref (live);
  g_signal_connect_swapped (live, "notify::busy", G_CALLBACK (update_busy), self);
  g_signal_connect_swapped (live, "notify::n-done", G_CALLBACK (update_progress), self);
  g_signal_connect_swapped (live, "notify::document", G_CALLBACK (update_n_tokens), self);
  g_signal_connect_swapped (live, "notify::empty", G_CALLBACK (update_n_tokens), self);
  g_signal_connect_swapped (live, "notify::empty", G_CALLBACK (update_generate), self);
  g_signal_connect_swapped (live, "notify::error", G_CALLBACK (update_error), self);
  g_signal_connect_swapped (live, "notify::writing", G_CALLBACK (update_generate), self);
  g_signal_connect_swapped (live, "notify::adapter", G_CALLBACK (update_adapter), self);
  g_signal_connect_swapped (live, "notify::pixels", G_CALLBACK (update_pixels), self);
  g_signal_connect_swapped (live, "notify::pixels", G_CALLBACK (update_generate), self);
  g_signal_connect_swapped (live, "written", G_CALLBACK (fill), self);
  fill (self);
  update_pixels (self);
  update_generate (self);
  update_adapter (self);
  update_busy (self);
  update_layers (self);
  update_n_tokens (self);
  update_error (self);
}

/* Where there is little room, two side by side are columns of single words. */
void
hl_text_bar_set_stacked (HlTextBar *self,
                         gboolean   stacked)
{
  g_return_if_fail (HL_IS_TEXT_BAR (self));

  gtk_stack_set_hhomogeneous (self->status, !stacked);
  hl_text_field_set_max_lines (self->text, stacked ? 2 : 5);
  hl_text_field_set_max_lines (self->second_text, stacked ? 2 : 5);
  self->is_stacked = stacked;
  place_second (self);
  if (self->live != NULL)
    update_n_tokens (self);
}

/* Which side of a comparison these are the texts of, or NULL. */
void
hl_text_bar_set_letter (HlTextBar  *self,
                        const char *letter)
{
  g_return_if_fail (HL_IS_TEXT_BAR (self));

  gtk_label_set_label (GTK_LABEL (self->letter), letter != NULL ? letter : "");
  gtk_widget_set_visible (self->letter, letter != NULL);
  name_open_image (self);
  place_second (self);
}

/* Which action chooses an image for its model. */
void
hl_text_bar_set_open_action (HlTextBar  *self,
                             const char *action)
{
  g_return_if_fail (HL_IS_TEXT_BAR (self));

  gtk_actionable_set_action_name (self->open_image, action);
}

/* Whether it is not seen for now, whatever it is about. */
void
hl_text_bar_set_aside (HlTextBar *self,
                       gboolean   aside)
{
  g_return_if_fail (HL_IS_TEXT_BAR (self));

  self->is_aside = aside;
  gtk_widget_set_visible (GTK_WIDGET (self), self->live != NULL && !aside);
}

void
hl_text_bar_focus (HlTextBar *self)
{
  g_return_if_fail (HL_IS_TEXT_BAR (self));

  hl_text_field_focus (self->text);
}

/* As if somebody had typed them. */
void
hl_text_bar_set_texts (HlTextBar  *self,
                       const char *text,
                       const char *second_text)
{
  g_return_if_fail (HL_IS_TEXT_BAR (self) && self->live != NULL);
  g_return_if_fail (text != NULL);

  self->filling = TRUE;
  const gboolean is_taken = hl_text_field_set_text (self->text, text) &&
                            hl_text_field_set_text (self->second_text, second_text != NULL ? second_text : "");
  self->filling = FALSE;
  place_second (self);
  if (is_taken)
    run (self);
}

/* Whether there is a model that reads texts. */
gboolean
hl_text_bar_takes_text (HlTextBar *self)
{
  g_return_val_if_fail (HL_IS_TEXT_BAR (self), FALSE);

  return self->live != NULL && hl_live_model_takes_texts (self->live);
}

/* In place of the first text, at once; the second stays. */
void
hl_text_bar_take_text (HlTextBar  *self,
                       const char *text)
{
  g_return_if_fail (HL_IS_TEXT_BAR (self) && hl_text_bar_takes_text (self));
  g_return_if_fail (text != NULL);

  self->filling = TRUE;
  const gboolean is_taken = hl_text_field_replace_text (self->text, text);
  self->filling = FALSE;
  if (is_taken)
    run (self);
}

/* As if somebody had typed a space between any two letters. Beside a text without any spaces one that has some is left as it is. */
void
hl_text_bar_space_letters (HlTextBar *self)
{
  g_return_if_fail (HL_IS_TEXT_BAR (self));

  HlTextField *fields[] = { self->text, self->second_text };
  g_autofree char *text = hl_text_field_dup_text (self->text);
  g_autofree char *second_text = hl_text_field_dup_text (self->second_text);
  const char *const texts[] = { text, second_text };
  const gboolean is_word[] = { *texts[0] != '\0' && strpbrk (texts[0], " \t\n") == NULL,
                               *texts[1] != '\0' && strpbrk (texts[1], " \t\n") == NULL };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autofree char *spaced = hl_letters_space_out (texts[i]);
      if (is_word[i] || !is_word[1 - i])
        hl_text_field_set_text (fields[i], spaced);
    }
  run (self);
}
