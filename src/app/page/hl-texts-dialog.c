/* SPDX-License-Identifier: MIT */
/* Which texts, which numbers, and what came of them. What is known so far is given to the view state, as if it were of the text that is shown, so
 * that tables and pictures of heads follow while texts are still read. */
#include "config.h"

#include "app/page/hl-texts-dialog.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-file-choice.h"
#include "app/live/hl-texts-work.h"
#include "app/widgets/hl-text-follow.h"
#include "app/widgets/hl-text-guard.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/model/hl-model-call.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>
#include <math.h>

/* Of the name of a relation, which a file may give any. */
#define MAX_RELATION_LETTERS 40
/* A treebank has some forty relations, and a row each is laid out whether it is seen or not. */
#define MAX_RELATION_ROWS 100

/* In the order of the list in the .ui file. */
typedef enum
{
  SOURCE_TYPED,
  SOURCE_FILE,
  SOURCE_ANNOTATIONS,
} Source;

struct _HlTextsDialog
{
  AdwWindow parent_instance;

  GtkButton *run_button;
  AdwComboRow *source_row;
  AdwActionRow *examples_row;
  AdwActionRow *file_row;
  AdwActionRow *annotations_row;
  GtkWidget *clear_button;
  GtkWidget *typed_box;
  GtkTextView *text_view;
  AdwPreferencesGroup *numbers_group;
  GtkCheckButton *groups[HL_N_HEAD_NUMBER_GROUPS];
  GtkScrolledWindow *scroller;
  AdwPreferencesGroup *result_group;
  AdwActionRow *result_row;
  GtkSwitch *show_switch;
  GtkProgressBar *progress;
  GtkLabel *error_label;
  AdwPreferencesGroup *relations_group;
  GtkListBox *relations;

  HlSession *session;
  GFile *beside; /* nullable */
  GFile *file;
  GFile *annotations;
  HlTextsWork *work;
  guint scrolls; /* to what comes of a run, once that is there */
};

G_DEFINE_FINAL_TYPE (HlTextsDialog, hl_texts_dialog, ADW_TYPE_WINDOW)

static HlViewState *
get_state (HlTextsDialog *self)
{
  return hl_session_get_view_state (self->session);
}

/* What is shown now may be of another model than before, with its adapter or without. Returns NULL of a file. */
static HlModel *
get_model (HlTextsDialog *self)
{
  HlDocument *document = self->session != NULL ? hl_session_get_document (self->session) : NULL;
  HlModelCall *call = document != NULL ? hl_model_call_of (document) : NULL;

  return call != NULL ? hl_model_call_get_model (call) : NULL;
}

/* Whether what was found out is of the model that is shown. */
static gboolean
is_of_model (HlTextsDialog *self)
{
  return hl_texts_work_get_model (self->work) == get_model (self);
}

static Source
get_source (HlTextsDialog *self)
{
  return (Source) adw_combo_row_get_selected (self->source_row);
}

static guint
count_examples (HlDocument *document)
{
  guint n = 0;

  for (guint i = 0; i < hl_document_get_n_examples (document); i++)
    n += !hl_document_is_part (document, i);
  return n;
}

static void
show_file (AdwActionRow *row,
           GFile        *file,
           const char   *without)
{
  g_autofree char *name = file != NULL ? g_file_get_basename (file) : NULL;
  g_autofree char *shown = name != NULL ? g_filename_display_name (name) : NULL;
  g_autofree char *escaped = g_markup_escape_text (shown != NULL ? shown : without, -1);

  adw_action_row_set_subtitle (row, escaped);
}

static void
update (HlTextsDialog *self)
{
  const gboolean reads = get_model (self) != NULL;
  const Source source = get_source (self);

  gtk_widget_set_visible (GTK_WIDGET (self->source_row), reads);
  gtk_widget_set_visible (GTK_WIDGET (self->examples_row), !reads);
  gtk_widget_set_visible (GTK_WIDGET (self->file_row), reads && source == SOURCE_FILE);
  gtk_widget_set_visible (self->typed_box, reads && source == SOURCE_TYPED);
  gtk_widget_set_visible (GTK_WIDGET (self->annotations_row), !reads || source == SOURCE_ANNOTATIONS);
  gtk_widget_set_visible (self->clear_button, self->annotations != NULL && !reads);
  show_file (self->file_row, self->file, _ ("A text a line, or two with a tab between them"));
  show_file (self->annotations_row, self->annotations, _ ("CoNLL-U: what words depend on, and mentions"));
  gtk_widget_set_sensitive (GTK_WIDGET (self->run_button),
                            hl_texts_work_get_busy (self->work) || !reads ||
                              (source == SOURCE_TYPED
                                 ? gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (self->text_view)) > 0
                               : source == SOURCE_FILE ? self->file != NULL
                                                       : self->annotations != NULL));
}

static void
on_file_chosen (HlTextsDialog        *self,
                int                   response,
                GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = hl_file_choice_get_file (chooser, response);
  const gboolean is_annotations = g_object_get_data (G_OBJECT (chooser), "annotations") != NULL;

  if (file == NULL)
    return;
  g_set_object (is_annotations ? &self->annotations : &self->file, file);
  update (self);
}

static void
choose (HlTextsDialog *self,
        const char    *title,
        gboolean       is_annotations)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new (title, GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL);

  g_object_set_data (G_OBJECT (chooser), "annotations", GINT_TO_POINTER (is_annotations));
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_file_chosen), self, G_CONNECT_SWAPPED);
  hl_file_choice_show (chooser, self->beside);
}

static void
on_choose_file (HlTextsDialog *self)
{
  choose (self, _ ("Open Texts"), FALSE);
}

static void
on_choose_annotations (HlTextsDialog *self)
{
  choose (self, _ ("Open Annotated Sentences"), TRUE);
}

static void
on_clear_annotations (HlTextsDialog *self)
{
  g_clear_object (&self->annotations);
  update (self);
}

/* Whether distances between heads are found out as well, so that whichever chart is chosen later is over the texts: it makes a run longer by a half.
 * Of very many heads there are none. */
static gboolean
wants_distances (HlTextsDialog *self)
{
  HlExample *example = hl_view_state_get_example (get_state (self));
  gboolean wants = TRUE;

  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      guint n_heads = 0;

      for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
        n_heads += hl_attention_get_n_heads (attention, layer);
      wants = wants && n_heads <= HL_LIMIT_DISTANT_HEADS;
    }
  return wants;
}

static HlHeadNumberSet
get_wanted (HlTextsDialog *self,
            gboolean       has_annotations)
{
  HlHeadNumberSet wanted = has_annotations ? HL_PROBE_NUMBERS : 0;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      GtkCheckButton *button = self->groups[hl_head_number_get (stat)->group];
      if (button != NULL && gtk_check_button_get_active (button))
        wanted |= HL_HEAD_NUMBER_BIT (stat);
    }
  return wanted;
}

/* Examples of Clark et al. bring their own. */
static gboolean
has_own_annotations (HlTextsDialog *self)
{
  HlExample *example = hl_view_state_get_example (get_state (self));

  return get_model (self) == NULL && example != NULL && hl_example_get_annotation (example) != NULL;
}

/* What came of a run stands below all that can be chosen; where there is little room, out of sight. */
static gboolean
scroll_to_result (GtkWidget     *widget,
                  GdkFrameClock *clock,
                  gpointer       data)
{
  HlTextsDialog *self = HL_TEXTS_DIALOG (widget);
  GtkWidget *group =
    GTK_WIDGET (gtk_widget_get_visible (GTK_WIDGET (self->result_group)) ? self->result_group : self->relations_group);
  GtkWidget *content = gtk_widget_get_parent (group);
  double y;

  if (!gtk_widget_get_visible (group) || gtk_widget_get_height (group) == 0)
    return G_SOURCE_CONTINUE;
  self->scrolls = 0;
  if (gtk_widget_translate_coordinates (group, content, 0, 0, NULL, &y))
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), y);
  return G_SOURCE_REMOVE;
}

static void
on_run (HlTextsDialog *self)
{
  if (hl_texts_work_get_busy (self->work))
    {
      hl_texts_work_stop (self->work);
      return;
    }
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  const Source source = get_source (self);
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  const gboolean reads = get_model (self) != NULL;
  GFile *annotations = !reads || source == SOURCE_ANNOTATIONS ? self->annotations : NULL;
  const HlTextsJob job = {
    .model = get_model (self),
    .document = reads ? NULL : hl_session_get_document (self->session),
    .text = reads && source == SOURCE_TYPED ? text : NULL,
    .file = reads && source == SOURCE_FILE ? self->file : NULL,
    .annotations = annotations,
    .wanted = get_wanted (self, annotations != NULL || has_own_annotations (self)),
    .distances = wants_distances (self),
    .quantity = hl_view_state_get_shown (get_state (self))->numbered,
  };
  hl_texts_work_start (self->work, &job);
  if (self->scrolls == 0)
    self->scrolls = gtk_widget_add_tick_callback (GTK_WIDGET (self), scroll_to_result, NULL, NULL);
}

/* The numbers of what is shown become the means, or those of its own text again. */
static void
show_numbers (HlTextsDialog *self,
              GError       **error)
{
  HlCorpusNumbers *numbers = hl_texts_work_get_numbers (self->work);
  HlProbe *probe = hl_texts_work_get_probe (self->work);
  HlViewState *state = get_state (self);
  HlAttention *attention = hl_view_state_get_attention (state);
  HlHeadNumbers *shown = hl_view_state_get_numbers (state);
  const HlRange queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (state));
  const gboolean shows_means = shown != NULL && hl_head_numbers_get_n_texts (shown) > 0;

  if (!gtk_switch_get_active (self->show_switch))
    {
      if (shows_means)
        hl_view_state_set_numbers (state, NULL);
      return;
    }
  if (numbers == NULL || hl_corpus_numbers_get_n_texts (numbers) == 0)
    return;
  if (!is_of_model (self))
    {
      if (shows_means)
        hl_view_state_set_numbers (state, NULL);
      g_set_error_literal (error, HL_ERROR, HL_ERROR_VALUE,
                           _ ("These are of the model as it was before; compute them anew"));
      return;
    }
  const HlQuantity quantity = hl_texts_work_get_quantity (self->work);
  if (quantity != hl_view_state_get_shown (state)->numbered)
    {
      /* Translators: a quantity, such as “Norm-Weighted” */
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("These are of the quantity “%s”, and another is shown"),
                   _ (hl_quantity_get (quantity)->label));
      return;
    }
  g_autoptr (HlHeadNumbers)
    means = hl_corpus_numbers_make_numbers (numbers, attention, queries.first, queries.n, error);
  g_autoptr (HlHeadNumbers)
    more = means != NULL && probe != NULL ? hl_probe_give (probe, HL_PROBE_ALL, attention, means) : NULL;
  /* Those over the texts before may be of what is left out since. */
  if (means != NULL || shows_means)
    hl_view_state_set_numbers (state, more != NULL ? more : means);
}

static void
on_show_changed (HlTextsDialog *self)
{
  show_numbers (self, NULL);
}

static void
get_place (const HlProbe *probe,
           guint          index,
           guint         *layer,
           guint         *head)
{
  for (*layer = 0, *head = index; *head >= hl_probe_get_n_heads (probe, *layer); (*layer)++)
    *head -= hl_probe_get_n_heads (probe, *layer);
}

/* A row goes to its head. */
static void
add_row (HlTextsDialog *self,
         const char    *title,
         guint          index,
         double         accuracy,
         const char    *rule,
         double         baseline)
{
  GtkWidget *row = adw_action_row_new ();
  guint layer, head;

  get_place (hl_texts_work_get_probe (self->work), index, &layer, &head);
  /* Translators: “layer 2 · head 8: 95 %; offset +1: 73 %” */
  g_autofree char *subtitle =
    g_strdup_printf (_ ("layer %u · head %u: %.0f %%; %s: %.0f %%"), layer, head, 100 * accuracy, rule, 100 * baseline);
  g_autofree char *escaped = g_markup_escape_text (title, -1);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), escaped);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data (G_OBJECT (row), "layer", GUINT_TO_POINTER (layer));
  g_object_set_data (G_OBJECT (row), "head", GUINT_TO_POINTER (head));
  gtk_list_box_append (self->relations, row);
}

static int
compare_relations (gconstpointer a,
                   gconstpointer b,
                   gpointer      data)
{
  const guint first = *(const guint *) a, second = *(const guint *) b;
  const guint64 n_first = hl_probe_get_n (data, first), n_second = hl_probe_get_n (data, second);

  if (n_first != n_second)
    return n_first > n_second ? -1 : 1;
  return first < second ? -1 : 1;
}

static void
add_relation (HlTextsDialog *self,
              guint          relation)
{
  const HlProbe *probe = hl_texts_work_get_probe (self->work);
  const char *relation_name = hl_probe_get_relation (probe, relation);
  const gulong n = (gulong) hl_probe_get_n (probe, relation);
  HlProbeSide side;
  guint head;
  int offset;

  if (!hl_probe_find_best (probe, relation, &side, &head))
    return;
  const double baseline = hl_probe_get_baseline (probe, relation, &offset);
  g_autofree char *name = relation_name != NULL
                            ? hl_utf8_quote (relation_name, strlen (relation_name), MAX_RELATION_LETTERS)
                            : g_strdup (_ ("All relations"));
  /* Translators: a relation of words, such as nsubj, and how many words have it */
  g_autofree char *title =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s · %lu word", "%s · %lu words", n), name, n);
  g_autofree char *rule = g_strdup_printf (offset < 0 ? _ ("offset −%d") : _ ("offset +%d"), ABS (offset));
  add_row (self, title, head, hl_probe_get_accuracy (probe, relation, side, head), rule, baseline);
}

/* Those that have the fewest words. */
static void
add_rest (HlTextsDialog *self,
          gsize          n)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "and %zu more", "and %zu more", n), n);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_list_box_append (self->relations, row);
}

/* What they are of, and what they are not of. */
static void
describe_relations (HlTextsDialog *self,
                    const HlProbe *probe)
{
  const guint n_documents = hl_probe_get_n_texts_of (probe, HL_PROBE_COREFERENCE);
  const guint n_sentences = hl_probe_get_n_texts_of (probe, HL_PROBE_DEPENDENCIES);
  const guint n_texts = n_sentences > 0 ? n_sentences : n_documents;
  const gulong n_left_out = (gulong) hl_probe_get_n_left_out (probe);
  g_autoptr (GString)
    text = g_string_new (_ ("The head that is right most often, beside what the best simple rule finds"));

  g_string_append (text, "; ");
  g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "over %u text", "over %u texts", n_texts), n_texts);
  if (hl_probe_get_n_mentions (probe) > 0 && n_documents != n_texts)
    {
      g_string_append (text, "; ");
      g_string_append_printf (text,
                              g_dngettext (GETTEXT_PACKAGE, "coreference over %u text", "coreference over %u texts",
                                           n_documents),
                              n_documents);
    }
  if (n_left_out > 0)
    {
      g_string_append (text, ". ");
      g_string_append_printf (text,
                              g_dngettext (GETTEXT_PACKAGE,
                                           "%lu word without tokens of its own, or of its head, is left out",
                                           "%lu words without tokens of their own, or of their heads, are left out",
                                           n_left_out),
                              n_left_out);
    }
  adw_preferences_group_set_description (self->relations_group, text->str);
}

static void
show_relations (HlTextsDialog *self)
{
  HlProbe *probe = is_of_model (self) ? hl_texts_work_get_probe (self->work) : NULL;
  const guint n = probe != NULL ? hl_probe_get_n_relations (probe) : 0;
  g_autofree guint *order = g_new (guint, MAX (n, 1));
  GtkWidget *child;
  guint head;

  gtk_widget_set_visible (GTK_WIDGET (self->relations_group), probe != NULL);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->relations))) != NULL)
    gtk_list_box_remove (self->relations, child);
  if (probe == NULL)
    return;
  describe_relations (self, probe);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  /* All together come first. */
  if (n > 1)
    g_qsort_with_data (order + 1, (int) n - 1, sizeof *order, compare_relations, probe);
  for (guint i = 0; i < MIN (n, MAX_RELATION_ROWS); i++)
    add_relation (self, order[i]);
  if (n > MAX_RELATION_ROWS)
    add_rest (self, n - MAX_RELATION_ROWS);
  if (hl_probe_find_best_coreference (probe, &head))
    {
      const gulong n_mentions = (gulong) hl_probe_get_n_mentions (probe);
      const double nearest = hl_probe_get_nearest (probe), same = hl_probe_get_same_word (probe);
      g_autofree char *title = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Coreference · %lu mention",
                                                             "Coreference · %lu mentions", n_mentions),
                                                n_mentions);
      add_row (self, title, head, hl_probe_get_coreference (probe, head),
               nearest >= same ? _ ("nearest mention") : _ ("nearest with the same word"), MAX (nearest, same));
    }
}

/* Returns the attention that the relations were looked for in, of the example that is shown; NULL where that has none like it. */
static HlAttention *
find_probed (HlTextsDialog *self)
{
  const HlProbe *probe = hl_texts_work_get_probe (self->work);
  HlExample *example = hl_view_state_get_example (get_state (self));

  for (guint i = 0; probe != NULL && i < hl_example_get_n_attentions (example); i++)
    if (hl_probe_is_of (probe, hl_example_get_attention (example, i)))
      return hl_example_get_attention (example, i);
  return NULL;
}

static void
on_relation_activated (HlTextsDialog *self,
                       GtkListBoxRow *row)
{
  HlViewState *state = get_state (self);
  const guint layer = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "layer"));
  const guint head = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "head"));
  HlAttention *attention = find_probed (self);

  if (attention == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (state));
  hl_view_state_set_attention (state, attention);
  hl_view_state_go_to (state, layer, head);
  g_object_thaw_notify (G_OBJECT (state));
}

static void
show_result (HlTextsDialog *self)
{
  HlCorpusNumbers *numbers = hl_texts_work_get_numbers (self->work);
  const guint n = numbers != NULL ? hl_corpus_numbers_get_n_texts (numbers) : 0;

  gtk_widget_set_visible (GTK_WIDGET (self->result_group), n > 0);
  if (n == 0)
    return;
  const guint n_all = hl_corpus_numbers_get_n_all (numbers), n_cut = hl_corpus_numbers_get_n_cut (numbers);
  g_autofree char *title =
    n == n_all ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Mean over %u text", "Means over %u texts", n), n)
               : g_strdup_printf (_ ("Means over %u of %u texts"), n, n_all);
  g_autofree char *cut =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u text is longer than the model takes, and was cut",
                                  "%u texts are longer than the model takes, and were cut", n_cut),
                     n_cut);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->result_row), title);
  adw_action_row_set_subtitle (self->result_row, n_cut > 0 ? cut : "");
}

static void
on_progress (HlTextsDialog *self)
{
  g_autofree char *message = hl_progress_dup_message (hl_texts_work_get_progress (self->work));

  gtk_progress_bar_set_fraction (self->progress, hl_progress_get_fraction (hl_texts_work_get_progress (self->work)));
  gtk_progress_bar_set_text (self->progress, message);
}

/* The numbers, or why there are none. */
static void
update_numbers (HlTextsDialog *self)
{
  g_autoptr (GError) error = NULL;

  show_numbers (self, &error);
  const GError *problem = hl_texts_work_get_error (self->work) != NULL ? hl_texts_work_get_error (self->work) : error;
  g_autofree char *sentence = problem != NULL ? hl_sentence_of_error (problem) : NULL;
  gtk_label_set_label (self->error_label, sentence != NULL ? sentence : "");
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), problem != NULL);
}

static void
on_work_changed (HlTextsDialog *self)
{
  const gboolean busy = hl_texts_work_get_busy (self->work);

  if (self->session == NULL)
    return;
  update_numbers (self);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), busy);
  gtk_button_set_label (self->run_button, busy ? _ ("_Stop") : _ ("_Compute"));
  if (busy)
    gtk_widget_remove_css_class (GTK_WIDGET (self->run_button), "suggested-action");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->run_button), "suggested-action");
  show_result (self);
  show_relations (self);
  update (self);
}

/* Means of another quantity than is shown are not shown, and those of another attention are others. */
static void
on_state_changed (HlTextsDialog *self,
                  HlChanges      changes)
{
  if (changes & (HL_CHANGED_DERIVATION | HL_CHANGED_VIEW))
    on_work_changed (self);
  else if ((changes & HL_CHANGED_ATTENTION) && self->session != NULL)
    {
      const gboolean has_relations = is_of_model (self) && hl_texts_work_get_probe (self->work) != NULL;

      update_numbers (self);
      if (gtk_widget_get_visible (GTK_WIDGET (self->relations_group)) != has_relations)
        show_relations (self);
    }
}

/* A row for each group of numbers, with the names of those in it. */
static void
add_groups (HlTextsDialog *self)
{
  for (HlHeadNumberGroup group = 0; group < HL_HEAD_NUMBER_GROUP_GIVEN; group++)
    {
      GtkWidget *row = adw_action_row_new (), *button = gtk_check_button_new ();
      g_autoptr (GString) names = g_string_new (NULL);

      for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
        if (hl_head_number_get (stat)->group == group)
          g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", _ (hl_head_number_get (stat)->choice));
      if (names->len == 0)
        continue;
      g_autofree char *escaped = g_markup_escape_text (names->str, -1);
      self->groups[group] = GTK_CHECK_BUTTON (button);
      gtk_check_button_set_active (self->groups[group], group == HL_HEAD_NUMBER_GROUP_USUAL);
      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), hl_head_number_group_get_label (group));
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), escaped);
      adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), button);
      adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
      adw_preferences_group_add (self->numbers_group, row);
    }
}

static void
hl_texts_dialog_map (GtkWidget *widget)
{
  HlTextsDialog *self = HL_TEXTS_DIALOG (widget);

  GTK_WIDGET_CLASS (hl_texts_dialog_parent_class)->map (widget);
  if (gtk_widget_get_visible (self->typed_box))
    gtk_widget_grab_focus (GTK_WIDGET (self->text_view));
}

static void
hl_texts_dialog_dispose (GObject *object)
{
  HlTextsDialog *self = HL_TEXTS_DIALOG (object);

  if (self->work != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->work, self);
      g_signal_handlers_disconnect_by_data (hl_texts_work_get_progress (self->work), self);
      hl_texts_work_stop (self->work);
    }
  g_clear_object (&self->work);
  g_clear_object (&self->session);
  g_clear_object (&self->beside);
  g_clear_object (&self->file);
  g_clear_object (&self->annotations);
  G_OBJECT_CLASS (hl_texts_dialog_parent_class)->dispose (object);
}

static void
hl_texts_dialog_class_init (HlTextsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_texts_dialog_dispose;
  widget_class->map = hl_texts_dialog_map;

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/texts-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, run_button);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, source_row);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, examples_row);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, file_row);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, annotations_row);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, clear_button);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, typed_box);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, text_view);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, numbers_group);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, scroller);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, result_group);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, result_row);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, show_switch);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, progress);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, error_label);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, relations_group);
  gtk_widget_class_bind_template_child (widget_class, HlTextsDialog, relations);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, on_run);
  gtk_widget_class_bind_template_callback (widget_class, on_choose_file);
  gtk_widget_class_bind_template_callback (widget_class, on_choose_annotations);
  gtk_widget_class_bind_template_callback (widget_class, on_clear_annotations);
  gtk_widget_class_bind_template_callback (widget_class, on_show_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_relation_activated);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
hl_texts_dialog_init (HlTextsDialog *self)
{
  self->work = hl_texts_work_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_guard_view (GTK_TEXT_VIEW (self->text_view));
  hl_text_follow_view (GTK_TEXT_VIEW (self->text_view));
  gtk_progress_bar_set_show_text (self->progress, TRUE);
  hl_accessible_name_buttons (GTK_WIDGET (self));
  add_groups (self);
  g_signal_connect_swapped (gtk_text_view_get_buffer (self->text_view), "changed", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->work, "changed", G_CALLBACK (on_work_changed), self);
  g_signal_connect_swapped (hl_texts_work_get_progress (self->work), "notify::fraction", G_CALLBACK (on_progress),
                            self);
}

/* What is shown in the session is what the results are given to. */
GtkWidget *
hl_texts_dialog_new (HlSession *session,
                     GFile     *beside)
{
  g_return_val_if_fail (HL_IS_SESSION (session), NULL);
  g_return_val_if_fail (beside == NULL || G_IS_FILE (beside), NULL);

  HlTextsDialog *self = g_object_new (HL_TYPE_TEXTS_DIALOG, NULL);

  g_set_object (&self->beside, beside);
  hl_texts_dialog_set_session (self, session);
  return GTK_WIDGET (self);
}

/* What is typed and chosen stays; results of another session are none of this one. */
void
hl_texts_dialog_set_session (HlTextsDialog *self,
                             HlSession     *session)
{
  g_return_if_fail (HL_IS_TEXTS_DIALOG (self));
  g_return_if_fail (HL_IS_SESSION (session));

  if (session == self->session)
    return;
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (get_state (self), self);
  g_set_object (&self->session, session);
  g_signal_connect_object (get_state (self), "changed", G_CALLBACK (on_state_changed), self, G_CONNECT_SWAPPED);
  if (self->groups[HL_HEAD_NUMBER_GROUP_MODEL] != NULL)
    gtk_widget_set_visible (gtk_widget_get_ancestor (GTK_WIDGET (self->groups[HL_HEAD_NUMBER_GROUP_MODEL]),
                                                     ADW_TYPE_ACTION_ROW),
                            get_model (self) != NULL);
  const guint n = count_examples (hl_session_get_document (session));
  g_autofree char *examples = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u example", "%u examples", n), n);
  adw_action_row_set_subtitle (self->examples_row, examples);
  hl_texts_work_forget (self->work);
}
