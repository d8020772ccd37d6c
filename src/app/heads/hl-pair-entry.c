/* SPDX-License-Identifier: MIT */
/* Where a pair of words is typed, with the words of the text to choose from, or a list of pairs is pasted or read from
 * a file. */
#include "config.h"

#include "app/heads/hl-pair-entry.h"

#include "app/base/hl-file-choice.h"
#include "app/heads/hl-word-list.h"
#include "app/widgets/hl-text-follow.h"
#include "app/widgets/hl-text-guard.h"
#include "core/analysis/hl-token-pairs.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/hl-limits.h"
#include "core/base/text/hl-bidi.h"
#include "core/base/text/hl-text-hash.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>
#include <string.h>

/* Nobody looks through more. */
#define MAX_WORDS 4096

struct _HlPairEntry
{
  GtkWidget parent_instance;

  HlAttention *attention;
  gboolean has_words;
  char *pairs; /* as they were set */
  gboolean is_following;
  GCancellable *cancellable;

  GtkWidget *content;
  GtkEntry *entry;
  HlWordList *words;
  GtkMenuButton *list_button;
  GtkTextView *list;
  GtkLabel *list_error;
};

enum
{
  FIND,
  EDITED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlPairEntry, hl_pair_entry, GTK_TYPE_WIDGET)

static const char *const separators[] = { "→", "->", ":" };

/* What is being typed: all behind the separator, or the query. */
static const char *
find_word (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (separators); i++)
    {
      const char *at = *text != '\0' ? strstr (text + 1, separators[i]) : NULL;
      if (at == NULL)
        continue;
      at += strlen (separators[i]);
      return at + strspn (at, " ");
    }
  return text + strspn (text, " ");
}

/* Behind the query, the key is next. */
static void
on_word_chosen (HlPairEntry *self,
                const char  *word)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autofree char *before = g_strndup (text, (gsize) (find_word (text) - text));
  g_autofree char *trimmed = g_strstrip (g_strdup (before));
  g_autofree char *isolated = hl_bidi_isolate (word);
  g_autofree char *whole = g_strconcat (before, isolated, *trimmed == '\0' ? " → " : "", NULL);

  gtk_editable_set_text (GTK_EDITABLE (self->entry), whole);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}

/* When somebody types for the first time. */
static void
list_words (HlPairEntry *self)
{
  if (self->has_words || self->attention == NULL)
    return;
  self->has_words = TRUE;
  g_autoptr (HlTokenMatcher) queries = hl_token_matcher_new (hl_attention_get_tokens (self->attention, HL_QUERIES),
                                                             hl_attention_get_n_used (self->attention, HL_QUERIES));
  g_autoptr (HlTokenMatcher) keys = hl_token_matcher_new (hl_attention_get_tokens (self->attention, HL_KEYS),
                                                          hl_attention_get_n_used (self->attention, HL_KEYS));
  g_autoptr (GPtrArray) words = hl_token_matcher_list (queries, MAX_WORDS);
  g_autoptr (GPtrArray) others = hl_token_matcher_list (keys, MAX_WORDS);
  g_autoptr (GHashTable) listed = g_hash_table_new (hl_text_hash, g_str_equal);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_ptr_array_extend_and_steal (words, g_steal_pointer (&others));
  for (guint i = 0; i < words->len; i++)
    if (g_hash_table_add (listed, g_ptr_array_index (words, i)))
      g_ptr_array_add (all, g_ptr_array_index (words, i));
  hl_word_list_set_words (self->words, all);
}

static void
on_focus_left (HlPairEntry *self)
{
  hl_word_list_show_for (self->words, NULL);
}

static gboolean
on_key (HlPairEntry    *self,
        guint           key,
        guint           code,
        GdkModifierType modifiers)
{
  return (modifiers & gtk_accelerator_get_default_mod_mask ()) == 0 && hl_word_list_handle_key (self->words, key);
}

static void
on_activate (HlPairEntry *self)
{
  g_autofree char *text = hl_bidi_strip (gtk_editable_get_text (GTK_EDITABLE (self->entry)));

  hl_word_list_show_for (self->words, NULL);
  /* What is written for a list is no pair. */
  if (gtk_editable_get_editable (GTK_EDITABLE (self->entry)))
    g_signal_emit (self, signals[FIND], 0, text);
  else
    g_signal_emit (self, signals[FIND], 0, self->pairs);
}

static void
on_clear (HlPairEntry *self)
{
  gtk_editable_set_editable (GTK_EDITABLE (self->entry), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  g_signal_emit (self, signals[FIND], 0, "");
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

static void
on_text_changed (HlPairEntry *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  const gboolean is_empty = *text == '\0';

  gtk_entry_set_icon_from_icon_name (self->entry, GTK_ENTRY_ICON_SECONDARY, is_empty ? NULL : "edit-clear-symbolic");
  gtk_entry_set_icon_tooltip_text (self->entry, GTK_ENTRY_ICON_SECONDARY, is_empty ? NULL : _ ("Clear"));
  /* Only who types has a use for words: a pair that was found is there as a whole. */
  if (!self->is_following)
    list_words (self);
  hl_word_list_show_for (self->words, self->is_following ? NULL : find_word (text));
  if (!self->is_following)
    g_signal_emit (self, signals[EDITED], 0);
}

static void
say_in_list (HlPairEntry *self,
             const char  *text)
{
  gtk_label_set_label (self->list_error, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->list_error), text != NULL);
}

static void
say_error_in_list (HlPairEntry  *self,
                   const GError *error)
{
  g_autofree char *sentence = error != NULL ? hl_sentence_of_error (error) : NULL;

  say_in_list (self, sentence);
}

static void
on_list_shown (HlPairEntry *self)
{
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->list), self->pairs != NULL ? self->pairs : "", -1);
  say_in_list (self, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

static void
on_list_find (HlPairEntry *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->list);
  GtkTextIter start, end;
  g_autoptr (GError) error = NULL;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  g_autoptr (HlTokenPairs) pairs = self->attention != NULL ? hl_token_pairs_parse (self->attention, text, &error)
                                                           : NULL;
  /* What is wrong is said where it can be put right. */
  if (pairs == NULL)
    {
      say_error_in_list (self, error);
      return;
    }
  gtk_menu_button_popdown (self->list_button);
  g_signal_emit (self, signals[FIND], 0, g_strstrip (text));
}

static void
on_list_read (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (HlPairEntry) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_task_propagate_pointer (G_TASK (result), &error);
  gsize length = 0;

  if (bytes == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        say_error_in_list (self, error);
      return;
    }
  const char *text = g_bytes_get_data (bytes, &length);
  if (length > HL_LIMIT_PAIR_LIST || (length > 0 && !g_utf8_validate (text, (gssize) length, NULL)))
    {
      say_in_list (self, length > HL_LIMIT_PAIR_LIST ? _ ("The list is larger than 1 MiB")
                                                     : _ ("The list is not valid UTF-8"));
      return;
    }
  g_autofree char *list = g_strndup (length > 0 ? text : "", length);
  g_autofree char *refusal = hl_text_guard_find_marks (list);
  g_autofree char *sentence = refusal != NULL ? hl_sentence_new (refusal) : NULL;
  if (refusal == NULL)
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->list), list, -1);
  say_in_list (self, sentence);
}

/* No more than a list may have: the file may be any, also one without an end. */
static void
read_list (GTask        *task,
           gpointer      source,
           gpointer      data,
           GCancellable *cancellable)
{
  GError *error = NULL;
  GBytes *bytes = hl_file_read_head (source, HL_LIMIT_PAIR_LIST + 1, cancellable, &error);

  if (bytes != NULL)
    g_task_return_pointer (task, bytes, (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, error);
}

static void
on_list_chosen (GtkFileChooserNative *chooser,
                int                   response,
                HlPairEntry          *self)
{
  g_autoptr (GFile) file = hl_file_choice_get_file (chooser, response);

  if (file == NULL)
    return;
  hl_pair_entry_read_list (self, file);
  gtk_menu_button_popup (self->list_button);
}

static void
on_list_open (HlPairEntry *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_ ("Open a List of Pairs"),
                                                               GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                                               GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL);

  g_signal_connect_object (chooser, "response", G_CALLBACK (on_list_chosen), self, 0);
  hl_file_choice_show (chooser, NULL);
}

static void
hl_pair_entry_dispose (GObject *object)
{
  HlPairEntry *self = HL_PAIR_ENTRY (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->attention);
  gtk_widget_dispose_template (GTK_WIDGET (self), HL_TYPE_PAIR_ENTRY);
  G_OBJECT_CLASS (hl_pair_entry_parent_class)->dispose (object);
}

static void
hl_pair_entry_finalize (GObject *object)
{
  HlPairEntry *self = HL_PAIR_ENTRY (object);

  g_free (self->pairs);
  g_object_unref (self->cancellable);
  G_OBJECT_CLASS (hl_pair_entry_parent_class)->finalize (object);
}

static void
hl_pair_entry_class_init (HlPairEntryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hl_pair_entry_dispose;
  object_class->finalize = hl_pair_entry_finalize;

  /* With pairs as hl_token_pairs_parse() takes them, not necessarily right; empty for none. */
  signals[FIND] =
    g_signal_new ("find", HL_TYPE_PAIR_ENTRY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  /* What was said of the pairs that were set is no longer of what is there. */
  signals[EDITED] = g_signal_new ("edited", HL_TYPE_PAIR_ENTRY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/pair-entry.ui");
  gtk_widget_class_bind_template_child (widget_class, HlPairEntry, content);
  gtk_widget_class_bind_template_child (widget_class, HlPairEntry, entry);
  gtk_widget_class_bind_template_child (widget_class, HlPairEntry, words);
  gtk_widget_class_bind_template_child (widget_class, HlPairEntry, list_button);
  gtk_widget_class_bind_template_child (widget_class, HlPairEntry, list);
  gtk_widget_class_bind_template_child (widget_class, HlPairEntry, list_error);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_clear);
  gtk_widget_class_bind_template_callback (widget_class, on_focus_left);
  gtk_widget_class_bind_template_callback (widget_class, on_key);
  gtk_widget_class_bind_template_callback (widget_class, on_list_find);
  gtk_widget_class_bind_template_callback (widget_class, on_list_open);
  gtk_widget_class_bind_template_callback (widget_class, on_list_shown);
  gtk_widget_class_bind_template_callback (widget_class, on_text_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_word_chosen);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "pairentry");
}

static void
hl_pair_entry_init (HlPairEntry *self)
{
  self->cancellable = g_cancellable_new ();
  g_type_ensure (HL_TYPE_WORD_LIST);
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_guard_entry (GTK_WIDGET (self->entry));
  hl_text_guard_view (GTK_TEXT_VIEW (self->list));
  hl_text_follow_view (GTK_TEXT_VIEW (self->list));
}

/* Puts what is in a file where a list is written, or says what is wrong with it. */
void
hl_pair_entry_read_list (HlPairEntry *self,
                         GFile       *file)
{
  g_return_if_fail (HL_IS_PAIR_ENTRY (self) && G_IS_FILE (file));

  g_autoptr (GTask) task = g_task_new (file, self->cancellable, on_list_read, g_object_ref (self));
  g_task_set_source_tag (task, hl_pair_entry_read_list);
  g_task_run_in_thread (task, read_list);
}

void
hl_pair_entry_set_attention (HlPairEntry *self,
                             HlAttention *attention)
{
  g_return_if_fail (HL_IS_PAIR_ENTRY (self));

  if (g_set_object (&self->attention, attention))
    self->has_words = FALSE;
}

/* Shows a pair, or how many there are. */
void
hl_pair_entry_set_pairs (HlPairEntry *self,
                         const char  *pairs)
{
  guint n_lines = 0;

  g_return_if_fail (HL_IS_PAIR_ENTRY (self));

  if (g_strcmp0 (self->pairs, pairs) == 0)
    return;
  g_free (self->pairs);
  self->pairs = g_strdup (pairs);
  g_auto (GStrv) lines = g_strsplit (pairs != NULL ? pairs : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    n_lines += *g_strstrip (lines[i]) != '\0';
  g_autofree char *count = g_strdup_printf (ngettext ("%u pair", "%u pairs", n_lines), n_lines);
  g_autofree char *shown = hl_token_pairs_isolate (n_lines > 1 ? count : pairs != NULL ? pairs : "");
  self->is_following = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), shown);
  /* Who is there goes on at the end. */
  if (gtk_widget_get_state_flags (GTK_WIDGET (self->entry)) & GTK_STATE_FLAG_FOCUS_WITHIN)
    gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
  self->is_following = FALSE;
  gtk_editable_set_editable (GTK_EDITABLE (self->entry), n_lines <= 1);
}

void
hl_pair_entry_set_wrong (HlPairEntry *self,
                         gboolean     is_wrong)
{
  g_return_if_fail (HL_IS_PAIR_ENTRY (self));

  if (is_wrong)
    gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID,
                               is_wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

void
hl_pair_entry_focus (HlPairEntry *self)
{
  g_return_if_fail (HL_IS_PAIR_ENTRY (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}
