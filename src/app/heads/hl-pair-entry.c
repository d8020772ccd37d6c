/* SPDX-License-Identifier: MIT */
/* Where a pair of words is typed, with the words of the text to choose from, or a list of pairs is pasted or read from
 * a file. */
#include "config.h"

#include "app/heads/hl-pair-entry.h"

#include "app/base/hl-file-choice.h"
#include "core/analysis/hl-token-pairs.h"
#include "core/base/hl-bidi.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>
#include <string.h>

/* Nobody looks through more. */
#define MAX_WORDS 4096
#define MAX_LIST ((gsize) 1024 * 1024)

struct _HlPairEntry
{
  GtkWidget parent_instance;

  HlAttention *attention;
  gboolean has_words;
  char *pairs; /* as they were set */
  GCancellable *cancellable;

  GtkWidget *content;
  GtkEntry *entry;
  GtkMenuButton *list_button;
  GtkTextView *list;
  GtkLabel *list_error;
};

enum
{
  FIND,
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

static gboolean
match_word (GtkEntryCompletion *completion,
            const char         *key,
            GtkTreeIter        *iter,
            gpointer            data)
{
  /* The key is folded and may be normalized: a separator stays what it is. */
  const char *typed = find_word (key);
  g_autofree char *word = NULL;

  gtk_tree_model_get (gtk_entry_completion_get_model (completion), iter, 0, &word, -1);
  if (*typed == '\0' || word == NULL)
    return FALSE;
  g_autofree char *normal = g_utf8_normalize (word, -1, G_NORMALIZE_ALL);
  g_autofree char *folded = g_utf8_casefold (normal != NULL ? normal : word, -1);
  return g_str_has_prefix (folded, typed) && !g_str_equal (folded, typed);
}

static gboolean
on_match_selected (HlPairEntry        *self,
                   GtkTreeModel       *model,
                   GtkTreeIter        *iter,
                   GtkEntryCompletion *completion)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  const char *typed = find_word (text);
  g_autofree char *word = NULL;

  gtk_tree_model_get (model, iter, 0, &word, -1);
  g_autofree char *before = g_strndup (text, (gsize) (typed - text));
  /* Behind the query, the key is next. */
  const gboolean is_query = *g_strchug (g_strdup (before)) == '\0';
  g_autofree char *isolated = hl_bidi_isolate (word);
  g_autofree char *whole = g_strconcat (before, isolated, is_query ? " → " : "", NULL);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), whole);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
  return TRUE;
}

/* The words are listed when somebody is about to type. */
static void
on_focus_entered (HlPairEntry *self)
{
  GtkListStore *store = GTK_LIST_STORE (gtk_entry_completion_get_model (gtk_entry_get_completion (self->entry)));

  if (self->has_words || self->attention == NULL)
    return;
  self->has_words = TRUE;
  gtk_list_store_clear (store);
  g_autoptr (HlTokenMatcher) queries = hl_token_matcher_new (hl_attention_get_tokens (self->attention, HL_QUERIES),
                                                             hl_attention_get_n_used (self->attention, HL_QUERIES));
  g_autoptr (HlTokenMatcher) keys = hl_token_matcher_new (hl_attention_get_tokens (self->attention, HL_KEYS),
                                                          hl_attention_get_n_used (self->attention, HL_KEYS));
  g_autoptr (GPtrArray) words = hl_token_matcher_list (queries, MAX_WORDS);
  g_autoptr (GPtrArray) others = hl_token_matcher_list (keys, MAX_WORDS);
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  g_ptr_array_extend_and_steal (words, g_steal_pointer (&others));
  for (guint i = 0; i < words->len; i++)
    if (g_hash_table_add (listed, g_ptr_array_index (words, i)))
      gtk_list_store_insert_with_values (store, NULL, -1, 0, g_ptr_array_index (words, i), -1);
}

static void
on_activate (HlPairEntry *self)
{
  g_autofree char *text = hl_bidi_strip (gtk_editable_get_text (GTK_EDITABLE (self->entry)));

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
  const gboolean is_empty = *gtk_editable_get_text (GTK_EDITABLE (self->entry)) == '\0';

  gtk_entry_set_icon_from_icon_name (self->entry, GTK_ENTRY_ICON_SECONDARY, is_empty ? NULL : "edit-clear-symbolic");
  gtk_entry_set_icon_tooltip_text (self->entry, GTK_ENTRY_ICON_SECONDARY, is_empty ? NULL : _ ("Clear"));
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
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_load_contents_finish (G_FILE (source), result, &text, &length, NULL, &error))
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        say_error_in_list (self, error);
      return;
    }
  if (length > MAX_LIST || !g_utf8_validate_len (text, length, NULL))
    {
      say_in_list (self, length > MAX_LIST ? _ ("The list is larger than 1 MiB") : _ ("The list is not valid UTF-8"));
      return;
    }
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->list), text, (int) length);
  say_in_list (self, NULL);
}

static void
on_list_chosen (GtkFileChooserNative *chooser,
                int                   response,
                HlPairEntry          *self)
{
  g_autoptr (GFile) file = hl_file_choice_get_file (chooser, response);

  if (file == NULL)
    return;
  g_file_load_contents_async (file, self->cancellable, on_list_read, g_object_ref (self));
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

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/pair-entry.ui");
  gtk_widget_class_bind_template_child (widget_class, HlPairEntry, content);
  gtk_widget_class_bind_template_child (widget_class, HlPairEntry, entry);
  gtk_widget_class_bind_template_child (widget_class, HlPairEntry, list_button);
  gtk_widget_class_bind_template_child (widget_class, HlPairEntry, list);
  gtk_widget_class_bind_template_child (widget_class, HlPairEntry, list_error);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_clear);
  gtk_widget_class_bind_template_callback (widget_class, on_focus_entered);
  gtk_widget_class_bind_template_callback (widget_class, on_list_find);
  gtk_widget_class_bind_template_callback (widget_class, on_list_open);
  gtk_widget_class_bind_template_callback (widget_class, on_list_shown);
  gtk_widget_class_bind_template_callback (widget_class, on_text_changed);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "pairentry");
}

static void
hl_pair_entry_init (HlPairEntry *self)
{
  g_autoptr (GtkListStore) store = gtk_list_store_new (1, G_TYPE_STRING);
  g_autoptr (GtkEntryCompletion) completion = gtk_entry_completion_new ();

  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_entry_completion_set_model (completion, GTK_TREE_MODEL (store));
  gtk_entry_completion_set_text_column (completion, 0);
  gtk_entry_completion_set_match_func (completion, match_word, NULL, NULL);
  gtk_entry_completion_set_popup_single_match (completion, TRUE);
  g_signal_connect_swapped (completion, "match-selected", G_CALLBACK (on_match_selected), self);
  gtk_entry_set_completion (self->entry, completion);
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
  gtk_editable_set_text (GTK_EDITABLE (self->entry), shown);
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
