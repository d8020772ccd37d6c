/* SPDX-License-Identifier: MIT */
/* Numbers over several texts: relations as a file names them, however long, many or strange. */
#include "model-support.h"
#include "panel-support.h"

#include "app/page/hl-document-page.h"
#include "app/page/hl-texts-dialog.h"
#include "core/test-dumps.h"

#include <string.h>

#define N_WORDS 150
#define MAX_ROWS 101 /* and one that says how many more there are */
#define MAX_LETTERS 80

/* Sets marks, ends the terminal's line, and is no markup. */
static const char *const strange[] = { "a\\u202ebc", "a\\u001b[2Jb", "<b>&amp;" };

static char *
name_relation (guint word)
{
  if (word == 0)
    return g_strdup ("root");
  if (word == 1)
    return g_strnfill (900000, 'x');
  return word - 2 < G_N_ELEMENTS (strange) ? g_strdup (strange[word - 2]) : g_strdup_printf ("r%u", word);
}

/* A sentence of which each word depends on the one before, each in a relation of its own. */
static char *
write_sentence (const char *folder)
{
  g_autoptr (GString) tokens = g_string_new (NULL), heads = g_string_new (NULL), relations = g_string_new (NULL),
                      rows = g_string_new (NULL);
  g_autofree char *path = g_build_filename (folder, "sentence.json", NULL);

  for (guint i = 0; i < N_WORDS; i++)
    {
      const char *comma = i > 0 ? "," : "";
      g_autofree char *name = name_relation (i);

      g_string_append_printf (tokens, "%s\"w%u\"", comma, i);
      g_string_append_printf (heads, "%s%u", comma, i);
      g_string_append_printf (relations, "%s\"%s\"", comma, name);
      g_string_append_printf (rows, "%s[", comma);
      for (guint j = 0; j < N_WORDS; j++)
        g_string_append_printf (rows, "%s%d", j > 0 ? "," : "", j == MAX (i, 1) - 1);
      g_string_append_c (rows, ']');
    }
  g_autofree char *text =
    g_strdup_printf ("{\"tokens\":[%s],\"words\":[%s],\"heads\":[%s],\"relns\":[%s],\"attention\":[[[%s]]]}",
                     tokens->str, tokens->str, heads->str, relations->str, rows->str);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return g_steal_pointer (&path);
}

static GtkWidget *
find_named (GtkWidget  *window,
            const char *type,
            const char *label)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  panel_find_all (window, type, found);
  for (guint i = 0; i < found->len; i++)
    if (g_strcmp0 (gtk_button_get_label (found->pdata[i]), label) == 0)
      return found->pdata[i];
  return NULL;
}

static gboolean
has_relations (GtkWidget *dialog)
{
  return gtk_widget_get_first_child (panel_get_child (dialog, "relations")) != NULL;
}

static HlSession *
open_session (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  HlSession *session = hl_session_new (document, &error);
  g_assert_no_error (error);
  return session;
}

static void
compute (GtkWidget *dialog)
{
  gtk_window_present (GTK_WINDOW (dialog));
  PANEL_WAIT_UNTIL (find_named (dialog, "GtkButton", "_Compute") != NULL);
  g_signal_emit_by_name (find_named (dialog, "GtkButton", "_Compute"), "clicked");
  PANEL_WAIT_UNTIL (has_relations (dialog) && find_named (dialog, "GtkButton", "_Compute") != NULL);
}

static void
test_relations (void)
{
  g_autofree char *folder = test_make_folder (), *path = write_sentence (folder);
  g_autoptr (GError) error = NULL;
  HlSession *session = open_session (path);
  GtkWidget *dialog = hl_texts_dialog_new (session, NULL);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  gboolean seen[G_N_ELEMENTS (strange)] = { FALSE };

  compute (dialog);
  panel_find_all (panel_get_child (dialog, "relations"), "AdwActionRow", rows);
  g_assert_cmpuint (rows->len, ==, MAX_ROWS);
  for (guint i = 0; i < rows->len; i++)
    {
      const char *title = adw_preferences_row_get_title (rows->pdata[i]);
      g_autofree char *text = NULL;

      g_assert_true (pango_parse_markup (title, -1, 0, NULL, &text, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpint (g_utf8_strlen (text, -1), <=, MAX_LETTERS);
      for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
        g_assert_true (g_unichar_isprint (g_utf8_get_char (at)));
      seen[0] |= g_str_has_prefix (text, "a\357\277\275bc · ");
      seen[1] |= g_str_has_prefix (text, "a [2Jb · ");
      seen[2] |= g_str_has_prefix (text, "<b>&amp; · ");
      g_test_message ("%s", text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (strange); i++)
    g_assert_true (seen[i]);
  g_assert_cmpstr (adw_preferences_row_get_title (rows->pdata[0]), ==, "All relations · 149 words");
  g_autofree char *rest = g_strdup_printf ("and %u more", N_WORDS - (MAX_ROWS - 1));
  g_assert_cmpstr (adw_preferences_row_get_title (rows->pdata[rows->len - 1]), ==, rest);

  gtk_window_destroy (GTK_WINDOW (dialog));
  panel_wait (100);
  hl_session_close (session);
  g_object_unref (session);
  test_remove_folder (folder);
}

/* Head 1 of the encoder goes from each word to the one before. */
static const char translation[] = "{\"encoder_tokens\":[\"a\",\"b\",\"c\"],\"decoder_tokens\":[\"x\",\"y\"],"
                                  "\"words\":[\"a\",\"b\",\"c\"],\"heads\":[0,1,2],\"relns\":[\"root\",\"r\",\"r\"],"
                                  "\"encoder_attention\":[[[[1,0,0],[0,1,0],[0,0,1]],[[1,0,0],[1,0,0],[0,1,0]]]],"
                                  "\"cross_attention\":[[[[1,0,0],[0,1,0]],[[0,1,0],[0,1,0]]]]}";

/* A row leads to the head that it names, whatever attention is seen. */
static void
test_other_attention (void)
{
  g_autofree char *folder = test_make_folder (), *path = g_build_filename (folder, "translation.json", NULL);
  g_assert_true (g_file_set_contents (path, translation, -1, NULL));
  HlSession *session = open_session (path);
  HlViewState *state = hl_session_get_view_state (session);
  HlAttention *cross = hl_example_find_attention (hl_view_state_get_example (state), HL_ATTENTION_CROSS);
  GtkWidget *dialog = hl_texts_dialog_new (session, NULL);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  compute (dialog);
  panel_find_all (panel_get_child (dialog, "relations"), "AdwActionRow", rows);
  g_assert_true (g_str_has_prefix (adw_action_row_get_subtitle (rows->pdata[0]), "layer 0 · head 1: 100 %"));
  hl_view_state_set_attention (state, cross);
  hl_view_state_go_to (state, 0, 0);
  g_signal_emit_by_name (panel_get_child (dialog, "relations"), "row-activated", rows->pdata[0]);
  g_assert_cmpint (hl_attention_get_kind (hl_view_state_get_attention (state)), ==, HL_ATTENTION_ENCODER);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 1);

  gtk_window_destroy (GTK_WINDOW (dialog));
  panel_wait (100);
  hl_session_close (session);
  g_object_unref (session);
  test_remove_folder (folder);
}

#define LACKING(more)                                                                                                  \
  "{\"encoder_tokens\":[\"a\",\"b\"],\"decoder_tokens\":[\"x\",\"y\"],\"encoder_value_norms\":[[[1,2]]]," more         \
  "\"encoder_attention\":[[[[1,0],[0,1]]]],\"decoder_attention\":[[[[1,0],[0,1]]]]}"

/* The second has no norms of the decoder. */
static const char norms[] = "{\"format\":\"headlight-attention\",\"version\":2,\"examples\":{"
                            "\"one\":" LACKING ("\"decoder_value_norms\":[[[1,2]]],") ",\"two\":" LACKING ("") "}}";

/* What one of the texts lacks is left out of all, and what was known before of it goes; why is said where it is looked at. */
static void
test_left_out (void)
{
  g_autofree char *folder = test_make_folder (), *path = g_build_filename (folder, "norms.json", NULL);
  g_assert_true (g_file_set_contents (path, norms, -1, NULL));
  HlSession *session = open_session (path);
  HlViewState *state = hl_session_get_view_state (session);
  HlExample *example = hl_view_state_get_example (state);
  HlAttention *decoder = hl_example_find_attention (example, HL_ATTENTION_DECODER);
  const HlHeadSpread spreads[HL_N_HEAD_STATS] = { { 0 } };
  const HlHeadStats values = { { 0 } };
  g_autoptr (HlHeadNumbers) none = hl_head_numbers_new (decoder, 0, 2);
  g_autoptr (HlHeadNumbers) before = hl_head_numbers_set_texts (none, 1, spreads, &values);
  GtkWidget *dialog = hl_texts_dialog_new (session, NULL);
  GtkLabel *error = GTK_LABEL (panel_get_child (dialog, "error_label"));

  hl_view_state_set_option (state, quantity, HL_QUANTITY_NORM);
  hl_view_state_set_attention (state, decoder);
  hl_view_state_set_numbers (state, before);
  gtk_window_present (GTK_WINDOW (dialog));
  PANEL_WAIT_UNTIL (find_named (dialog, "GtkButton", "_Compute") != NULL);
  g_signal_emit_by_name (find_named (dialog, "GtkButton", "_Compute"), "clicked");
  PANEL_WAIT_UNTIL (*gtk_label_get_label (error) != '\0' && find_named (dialog, "GtkButton", "_Compute") != NULL);
  g_assert_cmpstr (
    gtk_label_get_label (error), ==,
    "Example “two”: the quantity needs values and the output projection, which this attention does not have");
  g_assert_true (hl_view_state_get_numbers (state) == NULL ||
                 hl_head_numbers_get_n_texts (hl_view_state_get_numbers (state)) == 0);

  hl_view_state_set_attention (state, hl_example_find_attention (example, HL_ATTENTION_ENCODER));
  g_assert_cmpstr (gtk_label_get_label (error), ==, "");
  g_assert_cmpuint (hl_head_numbers_get_n_texts (hl_view_state_get_numbers (state)), ==, 2);

  gtk_window_destroy (GTK_WINDOW (dialog));
  panel_wait (100);
  hl_session_close (session);
  g_object_unref (session);
  test_remove_folder (folder);
}

static gboolean
has_means (HlViewState *state)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);

  return numbers != NULL && hl_head_numbers_get_n_texts (numbers) > 0;
}

/* Means of a model with its adapter are none of the model without it, and are found out anew of what is shown. */
static void
test_adapter (void)
{
  GFile *base = model_folder_new ("llama");
  GFile *adapter = adapter_folder_new (base);
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (adapter)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);

  hl_document_page_load (page);
  PANEL_WAIT_UNTIL (hl_document_page_get_session (page) != NULL);
  HlSession *session = hl_document_page_get_session (page);
  HlViewState *state = hl_session_get_view_state (session);
  HlLiveModel *live = hl_session_get_live (session);
  GtkWidget *dialog = hl_texts_dialog_new (session, NULL);
  GtkLabel *error = GTK_LABEL (panel_get_child (dialog, "error_label"));
  double first[2];

  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (panel_get_child (dialog, "text_view"))),
                            "w3 w15 w4\nw8 w9", -1);
  gtk_window_present (GTK_WINDOW (dialog));
  for (guint bare = 0; bare < 2; bare++)
    {
      PANEL_WAIT_UNTIL (find_named (dialog, "GtkButton", "_Compute") != NULL);
      g_signal_emit_by_name (find_named (dialog, "GtkButton", "_Compute"), "clicked");
      PANEL_WAIT_UNTIL (has_means (state) && find_named (dialog, "GtkButton", "_Compute") != NULL);
      g_assert_cmpstr (gtk_label_get_label (error), ==, "");
      first[bare] = hl_head_numbers_get (hl_view_state_get_numbers (state), HL_HEAD_MEASURE_STATS, 0);

      hl_live_model_set_adapter (live, bare);
      PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
      g_assert_false (has_means (state));
      g_assert_cmpstr (gtk_label_get_label (error), ==, "These are of the model as it was before; compute them anew");
    }
  g_assert_cmpfloat (first[0], !=, first[1]);

  gtk_window_destroy (GTK_WINDOW (dialog));
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
  adapter_folder_remove (adapter);
  model_folder_remove (base);
}

/* What came of a file as it was before it was read again is gone, and what is found out then is of what is shown. */
static void
test_read_again (void)
{
  g_autofree char *folder = test_make_folder (), *path = write_sentence (folder);
  HlSession *const sessions[] = { open_session (path), open_session (path) };
  GtkWidget *dialog = hl_texts_dialog_new (sessions[0], NULL);
  GtkWidget *result = panel_get_child (dialog, "result_group");

  for (guint i = 0; i < G_N_ELEMENTS (sessions); i++)
    {
      hl_texts_dialog_set_session (HL_TEXTS_DIALOG (dialog), sessions[i]);
      g_assert_false (gtk_widget_get_visible (result) || has_relations (dialog));
      g_assert_false (has_means (hl_session_get_view_state (sessions[i])));
      compute (dialog);
      g_assert_true (gtk_widget_get_visible (result));
      g_assert_true (has_means (hl_session_get_view_state (sessions[i])));
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
  panel_wait (100);
  for (guint i = 0; i < G_N_ELEMENTS (sessions); i++)
    {
      hl_session_close (sessions[i]);
      g_object_unref (sessions[i]);
    }
  test_remove_folder (folder);
}

/* Three sentences of one document, each with a mention of the same. */
static char *
write_document (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "document.conllu", NULL);
  g_autoptr (GString) text = g_string_new ("# newdoc id = d\n# global.Entity = eid-etype-head-other\n");

  for (guint i = 0; i < 3; i++)
    g_string_append (text,
                     "1\tw3\t_\t_\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)\n2\tw15\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  return g_steal_pointer (&path);
}

static GtkFileChooser *
find_chooser (void)
{
  GListModel *toplevels = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (toplevels, i);
      if (GTK_IS_FILE_CHOOSER_DIALOG (window))
        return GTK_FILE_CHOOSER (window);
    }
  return NULL;
}

static gboolean
has_chosen (GtkFileChooser *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);

  return file != NULL;
}

static void
choose_annotations (GtkWidget  *dialog,
                    const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  adw_action_row_activate (ADW_ACTION_ROW (panel_get_child (dialog, "annotations_row")));
  PANEL_WAIT_UNTIL (find_chooser () != NULL);
  g_assert_true (gtk_file_chooser_set_file (find_chooser (), file, NULL));
  PANEL_WAIT_UNTIL (has_chosen (find_chooser ()));
  gtk_dialog_response (GTK_DIALOG (find_chooser ()), GTK_RESPONSE_ACCEPT);
  PANEL_WAIT_UNTIL (gtk_widget_get_sensitive (panel_get_child (dialog, "run_button")));
}

/* Coreference is of documents, and dependencies are of sentences. */
static void
test_documents (void)
{
  GFile *folder = model_folder_new ("gpt2");
  g_autofree char *own = test_make_folder (), *path = write_document (own);
  HlDocumentPage *page = g_object_ref_sink (HL_DOCUMENT_PAGE (hl_document_page_new (folder)));
  GtkWidget *window = panel_show (GTK_WIDGET (page), 900, 600);

  hl_document_page_load (page);
  PANEL_WAIT_UNTIL (hl_document_page_get_session (page) != NULL);
  GtkWidget *dialog = hl_texts_dialog_new (hl_document_page_get_session (page), NULL);
  adw_combo_row_set_selected (ADW_COMBO_ROW (panel_get_child (dialog, "source_row")), 2);
  gtk_window_present (GTK_WINDOW (dialog));
  choose_annotations (dialog, path);
  compute (dialog);
  g_assert_cmpstr (
    adw_preferences_group_get_description (ADW_PREFERENCES_GROUP (panel_get_child (dialog, "relations_group"))), ==,
    "The head that is right most often, beside what the best simple rule finds; over 3 texts; coreference over 1 text");

  gtk_window_destroy (GTK_WINDOW (dialog));
  hl_document_page_close (page);
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (100);
  g_object_unref (page);
  model_folder_remove (folder);
  test_remove_folder (own);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/texts-dialog/relations", test_relations);
  g_test_add_func ("/texts-dialog/other-attention", test_other_attention);
  g_test_add_func ("/texts-dialog/left-out", test_left_out);
  g_test_add_func ("/texts-dialog/adapter", test_adapter);
  g_test_add_func ("/texts-dialog/read-again", test_read_again);
  g_test_add_func ("/texts-dialog/documents", test_documents);
  return g_test_run ();
}
