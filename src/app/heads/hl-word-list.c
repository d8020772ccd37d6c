/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/heads/hl-word-list.h"

#include <string.h>

/* Nobody looks through more; who types on has fewer. */
#define MAX_ROWS 8

/* Bytes of a word that is offered: four for each of 64 letters. Nobody types the beginning of what is longer. */
#define MAX_BYTES 256

/* Of a row; what does not fit loses its middle, for a number may stand at the end. */
#define MAX_LETTERS 40

struct _HlWordList
{
  GtkPopover parent_instance;

  GPtrArray *words;  /* char* */
  GPtrArray *folded; /* likewise, each as what is typed is compared with it */
  GtkListBox *rows;
  GtkEventController *clicks; /* of the window, while the list is open */
  gboolean is_needed;         /* what is typed is the beginning of words and none itself */
};

enum
{
  CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlWordList, hl_word_list, GTK_TYPE_POPOVER)

static char *
fold (const char *text)
{
  g_autofree char *normal = g_utf8_normalize (text, -1, G_NORMALIZE_ALL);

  return g_utf8_casefold (normal != NULL ? normal : text, -1);
}

static void
on_row_activated (HlWordList    *self,
                  GtkListBoxRow *row)
{
  g_autofree char *word = g_strdup (gtk_label_get_label (GTK_LABEL (gtk_list_box_row_get_child (row))));

  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit (self, signals[CHOSEN], 0, word);
}

/* The window sees clicks in the list, too, which are for its rows. */
static void
on_click (HlWordList *self)
{
  GdkEvent *event = gtk_event_controller_get_current_event (self->clicks);

  if (event == NULL || gdk_event_get_surface (event) != gtk_native_get_surface (GTK_NATIVE (self)))
    gtk_popover_popdown (GTK_POPOVER (self));
}

static void
hl_word_list_show (GtkWidget *widget)
{
  HlWordList *self = HL_WORD_LIST (widget);
  GtkRoot *root = gtk_widget_get_root (widget);

  if (self->clicks == NULL && root != NULL)
    {
      GtkGesture *click = gtk_gesture_click_new ();

      gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
      self->clicks = GTK_EVENT_CONTROLLER (click);
      gtk_event_controller_set_propagation_phase (self->clicks, GTK_PHASE_CAPTURE);
      g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_click), self);
      gtk_widget_add_controller (GTK_WIDGET (root), self->clicks);
    }
  GTK_WIDGET_CLASS (hl_word_list_parent_class)->show (widget);
}

static void
stop_listening (HlWordList *self)
{
  GtkEventController *clicks = g_steal_pointer (&self->clicks);

  if (clicks != NULL)
    gtk_widget_remove_controller (gtk_event_controller_get_widget (clicks), clicks);
}

static void
hl_word_list_hide (GtkWidget *widget)
{
  stop_listening (HL_WORD_LIST (widget));
  GTK_WIDGET_CLASS (hl_word_list_parent_class)->hide (widget);
}

static void
hl_word_list_unroot (GtkWidget *widget)
{
  stop_listening (HL_WORD_LIST (widget));
  GTK_WIDGET_CLASS (hl_word_list_parent_class)->unroot (widget);
}

static void
hl_word_list_finalize (GObject *object)
{
  HlWordList *self = HL_WORD_LIST (object);

  g_ptr_array_unref (self->words);
  g_ptr_array_unref (self->folded);
  G_OBJECT_CLASS (hl_word_list_parent_class)->finalize (object);
}

static void
hl_word_list_class_init (HlWordListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_word_list_finalize;
  widget_class->show = hl_word_list_show;
  widget_class->hide = hl_word_list_hide;
  widget_class->unroot = hl_word_list_unroot;

  signals[CHOSEN] =
    g_signal_new ("chosen", HL_TYPE_WORD_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
hl_word_list_init (HlWordList *self)
{
  GtkWidget *rows = gtk_list_box_new ();

  self->words = g_ptr_array_new_with_free_func (g_free);
  self->folded = g_ptr_array_new_with_free_func (g_free);
  self->rows = GTK_LIST_BOX (rows);
  gtk_list_box_set_selection_mode (self->rows, GTK_SELECTION_BROWSE);
  gtk_widget_add_css_class (rows, "hl-words");
  gtk_widget_set_can_focus (rows, FALSE);
  g_signal_connect_swapped (rows, "row-activated", G_CALLBACK (on_row_activated), self);
  gtk_popover_set_child (GTK_POPOVER (self), rows);
  gtk_popover_set_autohide (GTK_POPOVER (self), FALSE);
  gtk_popover_set_has_arrow (GTK_POPOVER (self), FALSE);
  gtk_popover_set_position (GTK_POPOVER (self), GTK_POS_BOTTOM);
  gtk_widget_set_can_focus (GTK_WIDGET (self), FALSE);
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_START);
}

GtkWidget *
hl_word_list_new (void)
{
  return g_object_new (HL_TYPE_WORD_LIST, NULL);
}

/* @words: char*, copied; very long ones are not offered. */
void
hl_word_list_set_words (HlWordList *self,
                        GPtrArray  *words)
{
  g_return_if_fail (HL_IS_WORD_LIST (self));

  g_ptr_array_set_size (self->words, 0);
  g_ptr_array_set_size (self->folded, 0);
  for (guint i = 0; i < words->len; i++)
    {
      const char *word = g_ptr_array_index (words, i);

      if (strnlen (word, MAX_BYTES + 1) > MAX_BYTES)
        continue;
      g_ptr_array_add (self->words, g_strdup (word));
      g_ptr_array_add (self->folded, fold (word));
    }
}

static void
add_row (HlWordList *self,
         const char *word)
{
  GtkWidget *label = gtk_label_new (word);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MAX_LETTERS);
  gtk_list_box_append (self->rows, label);
}

/* Opens where there is a word that goes on from what is typed; %NULL, and what is no beginning, closes it. */
void
hl_word_list_show_for (HlWordList *self,
                       const char *typed)
{
  guint n = 0;

  g_return_if_fail (HL_IS_WORD_LIST (self));

  for (GtkWidget *row; (row = gtk_widget_get_first_child (GTK_WIDGET (self->rows))) != NULL;)
    gtk_list_box_remove (self->rows, row);
  g_autofree char *beginning = typed != NULL && *typed != '\0' ? fold (typed) : NULL;
  self->is_needed = TRUE;
  for (guint i = 0; beginning != NULL && i < self->words->len; i++)
    {
      const char *folded = g_ptr_array_index (self->folded, i);

      self->is_needed &= !g_str_equal (folded, beginning);
      if (!g_str_has_prefix (folded, beginning) || g_str_equal (folded, beginning) || n == MAX_ROWS)
        continue;
      add_row (self, g_ptr_array_index (self->words, i));
      n++;
    }
  /* Whoever goes on without choosing means what is typed, if it is a word, else the first one that goes on from it. */
  gtk_list_box_unselect_all (self->rows);
  if (n > 0)
    gtk_popover_popup (GTK_POPOVER (self));
  else
    gtk_popover_popdown (GTK_POPOVER (self));
}

/* Whether it was for the list: the arrows go through it, Enter takes what is chosen in it, or completes what is no word,
 * Escape closes it. */
gboolean
hl_word_list_handle_key (HlWordList *self,
                         guint       key)
{
  g_return_val_if_fail (HL_IS_WORD_LIST (self), FALSE);

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return FALSE;
  GtkListBoxRow *chosen = gtk_list_box_get_selected_row (self->rows);
  const int index = chosen != NULL ? gtk_list_box_row_get_index (chosen) : -1;
  GtkListBoxRow *next = NULL;
  switch (key)
    {
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      next = gtk_list_box_get_row_at_index (self->rows, index + 1);
      break;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      next = index > 0 ? gtk_list_box_get_row_at_index (self->rows, index - 1) : NULL;
      break;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
    case GDK_KEY_Tab:
      if (chosen == NULL && self->is_needed && key != GDK_KEY_Tab)
        chosen = gtk_list_box_get_row_at_index (self->rows, 0);
      if (chosen != NULL)
        on_row_activated (self, chosen);
      else
        gtk_popover_popdown (GTK_POPOVER (self));
      return chosen != NULL;
    case GDK_KEY_Escape:
      gtk_popover_popdown (GTK_POPOVER (self));
      return TRUE;
    default:
      return FALSE;
    }
  if (next != NULL)
    gtk_list_box_select_row (self->rows, next);
  return TRUE;
}
