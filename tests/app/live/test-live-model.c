/* SPDX-License-Identifier: MIT */
/* Models that follow typing: the newest text wins and is all that is ever shown, what fails leaves the last picture, numbers are right. */
#include "model-support.h"
#include "panel-support.h"

#include "app/compare/hl-saved-comparison.h"
#include "app/live/hl-live-layers.h"
#include "app/live/hl-live-model.h"
#include "app/live/hl-text-field.h"
#include "app/session/hl-session-name.h"
#include "app/session/hl-session-open.h"

#include "core/base/hl-error.h"
#include "core/model/local/hl-model-place.h"
#include "core/source/make/hl-source-factory.h"

#include <glib/gstdio.h>
#include <string.h>

static void
on_opened (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static HlSession *
open_request (const HlOpenRequest *request,
              HlSession           *like,
              GError             **error)
{
  g_autoptr (HlProgress) progress = hl_progress_new ();
  g_autoptr (GAsyncResult) result = NULL;

  hl_session_open_async (request, like, progress, NULL, on_opened, &result);
  PANEL_WAIT_UNTIL (result != NULL);
  return hl_session_open_finish (result, error);
}

static HlSession *
open_file (GFile     *file,
           HlSession *like,
           GError   **error)
{
  g_autoptr (HlOpenRequest) request = hl_open_request_new (file);

  return open_request (request, like, error);
}

static HlSession *
open_model (GFile *folder)
{
  g_autoptr (GError) error = NULL;
  HlSession *session = open_file (folder, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (hl_session_get_live (session));
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (session)));
  return session;
}

static const char *
get_text (HlSession *session)
{
  return hl_example_get_text (hl_view_state_get_example (hl_session_get_view_state (session)));
}

static void
type (HlSession  *session,
      const char *text,
      const char *second_text)
{
  HlLiveModel *live = hl_session_get_live (session);

  hl_live_model_set_texts (live, text, second_text);
  hl_live_model_run (live);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
}

static void
close_session (HlSession *session)
{
  HlLiveModel *live = g_object_ref (hl_session_get_live (session));

  hl_session_close (session);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_finalize_object (session);
  /* What was opening it lets it go from the main loop. */
  panel_wait (20);
  g_assert_finalize_object (live);
}

static guint
count_tokens (HlSession *session)
{
  return (guint) hl_attention_get_n (hl_view_state_get_attention (hl_session_get_view_state (session)), HL_QUERIES);
}

static void
count_change (HlSession  *session,
              GParamSpec *pspec,
              guint      *n)
{
  (*n)++;
}

/* New tokens appear in the text and in the document; what is shown in the end is what a run on all of them gives. */
static void
test_write (void)
{
  GFile *folder = model_folder_new ("mistral");
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);
  const HlGenerationOptions options = { .max_tokens = 12 };
  const char *text, *second_text;
  guint n_documents = 0;

  type (session, "w5 w6 w7", NULL);
  g_signal_connect (session, "notify::document", G_CALLBACK (count_change), &n_documents);
  g_assert_true (hl_live_model_can_write (live));
  hl_live_model_write (live, &options);
  g_assert_true (hl_live_model_get_writing (live));
  PANEL_WAIT_UNTIL (!hl_live_model_get_writing (live));
  g_assert_null (hl_live_model_get_error (live));
  hl_live_model_get_texts (live, &text, &second_text);
  g_assert_true (g_str_has_prefix (text, "w5 w6 w7 w"));
  g_assert_cmpuint (count_tokens (session), ==, 15);
  g_assert_cmpstr (get_text (session), ==, text);
  g_assert_cmpuint (n_documents, >=, 1);

  /* The same text typed is the same tokens. */
  g_autofree char *written = g_strdup (text);
  type (session, "w1", NULL);
  type (session, written, NULL);
  g_assert_cmpuint (count_tokens (session), ==, 15);

  /* It can go on from there. */
  hl_live_model_write (live, &options);
  PANEL_WAIT_UNTIL (!hl_live_model_get_writing (live));
  g_assert_cmpuint (count_tokens (session), ==, 27);
  close_session (session);
  model_folder_remove (folder);
}

/* Stopped, what was written stays; typed over, the new text is what is shown. */
static void
test_write_stopped (void)
{
  GFile *folder = model_folder_new ("gemma3");
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);
  const HlGenerationOptions options = { .max_tokens = 4096, .temperature = 3, .seed = 5 };

  type (session, "w5 w6 w7", NULL);
  hl_live_model_write (live, &options);
  PANEL_WAIT_UNTIL (count_tokens (session) > 3);
  hl_live_model_stop (live);
  PANEL_WAIT_UNTIL (!hl_live_model_get_writing (live));
  g_assert_cmpuint (count_tokens (session), >, 3);
  g_assert_null (hl_live_model_get_error (live));

  type (session, "w5 w6", NULL);
  hl_live_model_write (live, &options);
  type (session, "w8 w9", NULL);
  g_assert_false (hl_live_model_get_writing (live));
  panel_wait (50);
  g_assert_cmpstr (get_text (session), ==, "w8 w9");
  g_assert_cmpuint (count_tokens (session), ==, 2);
  close_session (session);
  model_folder_remove (folder);
}

/* What was typed last is what it goes on with: where that was refused it is refused again, and where it was stopped it is
 * computed first. */
static void
test_write_another (void)
{
  GFile *folder = model_folder_new ("mistral");
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);
  const HlGenerationOptions options = { .max_tokens = 4 };
  const char *text, *second_text;

  type (session, "w5 w6 w7", NULL);
  /* A token that the weights do not have. */
  type (session, "w8 w99", NULL);
  g_assert_nonnull (hl_live_model_get_error (live));
  hl_live_model_write (live, &options);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live) && !hl_live_model_get_writing (live));
  hl_live_model_get_texts (live, &text, &second_text);
  g_assert_cmpstr (text, ==, "w8 w99");
  g_assert_cmpstr (get_text (session), ==, "w5 w6 w7");
  g_assert_nonnull (hl_live_model_get_error (live));
  g_assert_nonnull (strstr (hl_live_model_get_error (live)->message, "99"));

  hl_live_model_set_texts (live, "w8 w9", NULL);
  hl_live_model_run (live);
  hl_live_model_stop (live);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_error (hl_live_model_get_error (live), G_IO_ERROR, G_IO_ERROR_CANCELLED);
  hl_live_model_write (live, &options);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live) && !hl_live_model_get_writing (live));
  g_assert_no_error (hl_live_model_get_error (live));
  hl_live_model_get_texts (live, &text, &second_text);
  g_assert_true (g_str_has_prefix (text, "w8 w9 w"));
  g_assert_cmpstr (get_text (session), ==, text);
  g_assert_cmpuint (count_tokens (session), ==, 6);

  /* In the pause after a key, too. */
  hl_live_model_set_texts (live, "w10", NULL);
  hl_live_model_stop (live);
  hl_live_model_write (live, &options);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live) && !hl_live_model_get_writing (live));
  hl_live_model_get_texts (live, &text, &second_text);
  g_assert_true (g_str_has_prefix (text, "w10 w"));
  g_assert_cmpstr (get_text (session), ==, text);
  g_assert_cmpuint (count_tokens (session), ==, 5);
  close_session (session);
  model_folder_remove (folder);
}

/* A mask stands in the place of the token, in the text that it is of. */
static void
test_mask (void)
{
  GFile *folder = model_folder_new ("bert-prefixed");
  g_autofree char *map = g_build_filename (g_file_peek_path (folder), "special_tokens_map.json", NULL);
  g_autoptr (GError) error = NULL;
  const char *text, *second_text;

  g_file_set_contents (map, "{\"mask_token\": \"w59\"}", -1, &error);
  g_assert_no_error (error);
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);
  type (session, "w5 w6 w7", "w8 w9");
  g_assert_true (hl_live_model_can_mask (live));
  hl_live_model_mask (live, 1);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  hl_live_model_get_texts (live, &text, &second_text);
  g_assert_cmpstr (text, ==, "w5 w59 w7");
  g_assert_cmpstr (second_text, ==, "w8 w9");
  g_assert_cmpstr (get_text (session), ==, "w5 w59 w7");
  hl_live_model_mask (live, 4);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  hl_live_model_mask (live, 99);
  hl_live_model_get_texts (live, &text, &second_text);
  g_assert_cmpstr (text, ==, "w5 w59 w7");
  g_assert_cmpstr (second_text, ==, "w8 w59");

  /* A token of the picture is none of a text that was typed since, or that was refused. */
  hl_live_model_set_texts (live, "w1 w2 w3", "");
  hl_live_model_mask (live, 1);
  hl_live_model_get_texts (live, &text, &second_text);
  g_assert_cmpstr (text, ==, "w1 w2 w3");
  type (session, "w1 w2 w99", "");
  g_assert_nonnull (hl_live_model_get_error (live));
  hl_live_model_mask (live, 1);
  hl_live_model_get_texts (live, &text, &second_text);
  g_assert_cmpstr (text, ==, "w1 w2 w99");
  close_session (session);
  g_remove (map);
  model_folder_remove (folder);
}

/* Of texts that were cut, the token is the one that is shown; what is beyond the cut stays. */
static void
test_mask_in_cut_text (void)
{
  GFile *folder = model_folder_new ("bert-prefixed");
  g_autofree char *map = g_build_filename (g_file_peek_path (folder), "special_tokens_map.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) first = g_string_new ("w1 w2");
  const char *text, *second_text;

  for (guint i = 3; i <= 40; i++)
    g_string_append_printf (first, " w%u", i);
  g_file_set_contents (map, "{\"mask_token\": \"w59\"}", -1, &error);
  g_assert_no_error (error);
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);
  type (session, first->str, "w51 w52");
  const guint n = count_tokens (session);
  HlAttention *attention = hl_view_state_get_attention (hl_session_get_view_state (session));
  g_assert_cmpuint (n, <, 42);
  g_assert_cmpstr (hl_attention_get_tokens (attention, HL_QUERIES)[n - 1], ==, "w52");
  hl_live_model_mask (live, n - 1);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  hl_live_model_get_texts (live, &text, &second_text);
  g_assert_cmpstr (text, ==, first->str);
  g_assert_cmpstr (second_text, ==, "w51 w59");

  g_assert_cmpuint (count_tokens (session), ==, n);
  hl_live_model_mask (live, 1);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  hl_live_model_get_texts (live, &text, &second_text);
  g_assert_true (g_str_has_prefix (text, "w1 w59 w3"));
  g_assert_true (g_str_has_suffix (text, " w40"));
  g_assert_cmpstr (second_text, ==, "w51 w59");
  close_session (session);
  g_remove (map);
  model_folder_remove (folder);
}

static void
mask_twice (HlLiveModel *live)
{
  g_signal_handlers_disconnect_by_func (live, mask_twice, NULL);
  g_assert_true (hl_live_model_get_busy (live));
  hl_live_model_mask (live, 1);
  hl_live_model_mask (live, 2);
}

/* The picture comes before the last layer is done. From the first mask on it is of another text. */
static void
test_mask_twice (void)
{
  GFile *folder = model_folder_new ("bert-prefixed");
  g_autofree char *map = g_build_filename (g_file_peek_path (folder), "special_tokens_map.json", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (map, "{\"mask_token\": \"w59\"}", -1, &error);
  g_assert_no_error (error);
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);
  g_signal_connect (live, "notify::document", G_CALLBACK (mask_twice), NULL);
  type (session, "w5 w6 w7", "");
  g_assert_cmpstr (get_text (session), ==, "w5 w59 w7");
  close_session (session);
  g_remove (map);
  model_folder_remove (folder);
}

/* It writes as long as what is written fits into the model, so that the picture shows all of it, and then says why not. */
static void
test_write_full (void)
{
  GFile *folder = model_folder_new ("gpt2");
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);
  const HlGenerationOptions options = { .max_tokens = 50 };
  const char *text, *second_text;

  type (session, "w5 w6 w7", NULL);
  hl_live_model_write (live, &options);
  PANEL_WAIT_UNTIL (!hl_live_model_get_writing (live));
  g_assert_null (hl_live_model_get_error (live));
  g_assert_cmpuint (count_tokens (session), ==, 32);
  hl_live_model_get_texts (live, &text, &second_text);
  g_assert_cmpstr (get_text (session), ==, text);

  hl_live_model_write (live, &options);
  PANEL_WAIT_UNTIL (!hl_live_model_get_writing (live));
  g_assert_cmpstr (hl_live_model_get_error (live)->message, ==, "the model takes no longer texts");
  g_assert_cmpuint (count_tokens (session), ==, 32);
  close_session (session);
  model_folder_remove (folder);
}

/* Models that fill masks write nothing; weights without a head say so, and the picture stays. */
static void
test_write_refused (void)
{
  GFile *folder = model_folder_new ("llama-bias");
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);
  const HlGenerationOptions options = { .max_tokens = 4 };

  hl_live_model_write (live, &options);
  PANEL_WAIT_UNTIL (!hl_live_model_get_writing (live));
  g_assert_nonnull (hl_live_model_get_error (live));
  g_assert_nonnull (strstr (hl_live_model_get_error (live)->message, "no head"));
  g_assert_cmpstr (get_text (session), ==, "The cat sat on the mat");
  close_session (session);
  model_folder_remove (folder);

  folder = model_folder_new ("bert");
  session = open_model (folder);
  g_assert_false (hl_live_model_can_write (hl_session_get_live (session)));
  close_session (session);
  model_folder_remove (folder);
}

/* A label is laid out as a whole each time it changes: of a long text a title has the beginning. */
static void
test_long_title (void)
{
  GFile *folder = model_folder_new ("llama");
  HlSession *session = open_model (folder);
  g_autofree char *space = g_strnfill (5000, ' ');
  g_autofree char *text = g_strconcat ("wö5", space, "w6", NULL);

  type (session, text, NULL);
  g_assert_cmpstr (get_text (session), ==, text);
  g_assert_true (g_str_has_prefix (hl_session_get_subtitle (session), "“wö5"));
  g_assert_true (g_str_has_suffix (hl_session_get_subtitle (session), "…”"));
  g_assert_cmpint (g_utf8_strlen (hl_session_get_subtitle (session), -1), <=, 502);
  close_session (session);
  model_folder_remove (folder);
}

/* Text that grows stays where it is, and so does the cursor in it. */
static void
test_field_grows (void)
{
  HlTextField *field = g_object_new (HL_TYPE_TEXT_FIELD, NULL);
  GtkWidget *window = panel_show (GTK_WIDGET (field), 300, 60);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (panel_get_child (GTK_WIDGET (field), "view")));
  GtkTextIter place;

  hl_text_field_set_text (field, "one two");
  gtk_text_buffer_get_iter_at_offset (buffer, &place, 3);
  gtk_text_buffer_place_cursor (buffer, &place);
  hl_text_field_set_text (field, "one two three");
  g_autofree char *grown = hl_text_field_dup_text (field);
  g_assert_cmpstr (grown, ==, "one two three");
  gtk_text_buffer_get_iter_at_mark (buffer, &place, gtk_text_buffer_get_insert (buffer));
  g_assert_cmpint (gtk_text_iter_get_offset (&place), ==, 3);
  hl_text_field_set_text (field, "another");
  g_autofree char *other = hl_text_field_dup_text (field);
  g_assert_cmpstr (other, ==, "another");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The numbers are those of PyTorch. */
static void
test_numbers (void)
{
  GFile *folder = model_folder_new ("bert");
  HlSession *session = open_model (folder);
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", "bert", "reference.h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) reference = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (reference, 0, NULL, &error);
  g_autoptr (HlAttentionSource) expected = hl_attention_make_source (hl_example_get_attention (example, 0));

  type (session, "w30 w10 w26 w35 w22 w25 w7 w36 w24 w35 w44 w24 w3 w44 w7 w46 w23 w47 w40 w34 w5 w37 w36", "");
  HlAttentionSource *source = hl_view_state_get_shown (hl_session_get_view_state (session))->source;
  for (guint layer = 0; layer < 2; layer++)
    for (guint head = 0; head < 3; head++)
      {
        const HlAttentionRequest request = { .layer = layer,
                                             .head = head,
                                             .n_queries = 23,
                                             .n_keys = 23,
                                             .n_rows = 23,
                                             .n_columns = 23,
                                             .pooling = HL_POOLING_MAX };
        float ours[23 * 23], theirs[23 * 23];
        g_assert_true (hl_attention_source_read (source, &request, ours, NULL, &error));
        g_assert_true (hl_attention_source_read (expected, &request, theirs, NULL, &error));
        for (guint i = 0; i < 23 * 23; i++)
          g_assert_cmpfloat_with_epsilon (ours[i], theirs[i], 1e-5);
      }
  close_session (session);
  model_folder_remove (folder);
}

static void
keep_text (HlSession  *session,
           GParamSpec *pspec,
           GPtrArray  *texts)
{
  g_ptr_array_add (texts, g_strdup (get_text (session)));
}

static void
test_newest_wins (void)
{
  GFile *folder = model_folder_new ("bert");
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);
  HlViewState *state = hl_session_get_view_state (session);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  g_assert_cmpstr (get_text (session), ==, "The cat sat on the mat");
  g_signal_connect (session, "notify::document", G_CALLBACK (keep_text), texts);
  /* Runs that are overtaken before they could be prepared. */
  for (guint i = 1; i < 30; i++)
    {
      g_autofree char *text = g_strdup_printf ("w1 w%u", i);
      hl_live_model_set_texts (live, text, "");
      hl_live_model_run (live);
    }
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_cmpuint (texts->len, ==, 1);
  g_assert_cmpstr (texts->pdata[0], ==, "w1 w29");
  g_assert_cmpstr (get_text (session), ==, "w1 w29");
  g_assert_true (hl_session_get_view_state (session) == state);
  g_assert_true (hl_session_get_document (session) == hl_live_model_get_document (live));

  /* Runs that are overtaken while they run: nothing older follows what is newer, and the last is there. */
  g_ptr_array_set_size (texts, 0);
  for (guint i = 1; i < 30; i++)
    {
      g_autofree char *text = g_strdup_printf ("w%u", i);
      hl_live_model_set_texts (live, text, "");
      hl_live_model_run (live);
      panel_wait (i % 3);
    }
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  guint64 last = 0;
  for (guint i = 0; i < texts->len; i++)
    {
      const guint64 n = g_ascii_strtoull ((char *) texts->pdata[i] + 1, NULL, 10);
      g_assert_cmpuint (n, >, last);
      last = n;
    }
  g_assert_cmpuint (last, ==, 29);

  /* Typing alone is enough. */
  hl_live_model_set_texts (live, "w5 w6 w7", "");
  PANEL_WAIT_UNTIL (g_str_equal (get_text (session), "w5 w6 w7"));
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  close_session (session);
  model_folder_remove (folder);
}

static void
test_looked_at (void)
{
  GFile *folder = model_folder_new ("bert");
  HlSession *session = open_model (folder);
  HlViewState *state = hl_session_get_view_state (session);
  const HlPick pin = { HL_PICK_QUERY, .query = 1 };

  type (session, "w1 w2 w3", "w4 w5");
  hl_view_state_go_to (state, 1, 2);
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  hl_view_state_set_option (state, threshold, 0.25);
  hl_view_state_set_option (state, sentences, HL_SENTENCES_A_TO_B);
  g_assert_cmpuint (hl_view_state_get_shown (state)->queries.n, ==, 3);
  g_assert_cmpuint (hl_view_state_get_shown (state)->keys.n, ==, 2);
  hl_view_state_set_pinned (state, &pin);

  /* The same tokens, otherwise spaced. */
  type (session, "w1  w2 w3", "w4 w5");
  g_assert_cmpstr (get_text (session), ==, "w1  w2 w3");
  g_assert_true (hl_pick_equal (hl_view_state_get_pinned (state), &pin));
  /* In the view of all layers, of its layer, whichever is chosen. */
  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  hl_view_state_set_pinned (state, &(HlPick){ HL_PICK_QUERY, .query = 1, .layer = 1 });
  hl_view_state_set_layer (state, 0);
  type (session, "w1 w2  w3", "w4 w5");
  g_assert_cmpuint (hl_view_state_get_pinned (state)->layer, ==, 1);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 0);
  hl_view_state_go_to (state, 1, 2);
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  /* Others. */
  type (session, "w1 w7 w3", "w4 w5");
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_NONE);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 1);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 2);
  g_assert_cmpint (hl_view_state_get_options (state)->view, ==, HL_VIEW_HEATMAP);
  g_assert_cmpfloat (hl_view_state_get_options (state)->threshold, ==, 0.25);
  g_assert_cmpint (hl_view_state_get_options (state)->sentences, ==, HL_SENTENCES_A_TO_B);
  /* Without a second text there is nothing to choose from. */
  type (session, "w1 w7 w3", "");
  g_assert_cmpuint (hl_view_state_get_shown (state)->keys.n, ==, 3);

  g_autofree char *name = hl_session_dup_figure_name (session);
  g_assert_true (g_str_has_suffix (name, "-w1-w7-w3-heatmap-layer1-head2"));
  g_assert_cmpstr (hl_session_get_subtitle (session), !=, NULL);
  g_assert_nonnull (strstr (hl_session_get_subtitle (session), "w1 w7 w3"));
  close_session (session);
  model_folder_remove (folder);
}

static void
test_stop (void)
{
  GFile *folder = model_folder_new ("bert");
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);
  HlDocument *before = hl_session_get_document (session);

  hl_live_model_set_texts (live, "w1 w2", "");
  hl_live_model_run (live);
  g_assert_true (hl_live_model_get_busy (live));
  hl_live_model_stop (live);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_true (hl_session_get_document (session) == before);
  g_assert_true (g_error_matches (hl_live_model_get_error (live), G_IO_ERROR, G_IO_ERROR_CANCELLED));
  /* In the pause after a key, too. */
  hl_live_model_set_texts (live, "w1 w2 w3", "");
  hl_live_model_stop (live);
  panel_wait (250);
  g_assert_true (hl_session_get_document (session) == before);
  /* And then it goes on. */
  hl_live_model_run (live);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_cmpstr (get_text (session), ==, "w1 w2 w3");
  g_assert_no_error (hl_live_model_get_error (live));
  /* Nothing is no text. */
  hl_live_model_set_texts (live, "", "");
  hl_live_model_run (live);
  g_assert_false (hl_live_model_get_busy (live));
  close_session (session);
  model_folder_remove (folder);
}

static void
test_errors (void)
{
  GFile *folder = model_folder_new ("bert");
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);

  type (session, "w1 w2", "");
  /* A token that the weights do not have. */
  type (session, "w1 w99", "");
  g_assert_nonnull (hl_live_model_get_error (live));
  g_assert_nonnull (strstr (hl_live_model_get_error (live)->message, "99"));
  g_assert_cmpstr (get_text (session), ==, "w1 w2");
  g_assert_true (hl_live_layers_has (hl_session_get_document (session), HL_ATTENTION_SELF, 1));
  type (session, "w1 w9", "");
  g_assert_no_error (hl_live_model_get_error (live));
  g_assert_cmpstr (get_text (session), ==, "w1 w9");
  /* A text that is too long is cut, which is said. */
  g_autoptr (GString) long_text = g_string_new ("w1");
  for (guint i = 1; i < 40; i++)
    g_string_append (long_text, " w1");
  g_assert_cmpuint (g_list_model_get_n_items (hl_session_get_checks (session)), ==, 0);
  type (session, long_text->str, "");
  g_assert_no_error (hl_live_model_get_error (live));
  g_assert_cmpuint (g_list_model_get_n_items (hl_session_get_checks (session)), ==, 1);
  close_session (session);
  model_folder_remove (folder);
}

static void
assert_does_not_open (GFile      *file,
                      const char *word)
{
  g_autoptr (GError) error = NULL;
  HlSession *session = open_file (file, NULL, &error);

  g_assert_null (session);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, word));
}

static void
test_broken (void)
{
  gboolean is_bare;
  GFile *folder = model_folder_new ("bert");
  g_autoptr (GFile) config = g_file_get_child (folder, "config.json");
  g_autoptr (GFile) weights = g_file_get_child (folder, "model.safetensors");
  g_autoptr (GFile) tokenizer = g_file_get_child (folder, "tokenizer.json");
  g_autoptr (GFile) resolved = hl_session_resolve_file (weights, &is_bare);
  g_autoptr (GFile) other = g_file_get_child (folder, "attention.safetensors");
  g_autoptr (GFile) kept = hl_session_resolve_file (other, &is_bare);

  static const char *const parts[] = { "pytorch_model.bin",   "pytorch_model-00001-of-00002.bin",
                                       "adapter_config.json", "adapter_model.safetensors",
                                       "modules.json",        "spiece.model" };

  /* What is part of a model stands for it. */
  g_assert_true (g_file_equal (resolved, folder));
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GFile) part = g_file_get_child (folder, parts[i]);
      g_autoptr (GFile) found = hl_session_resolve_file (part, &is_bare);
      g_assert_true (g_file_equal (found, folder));
    }
  g_assert_true (g_file_equal (kept, other));

  g_assert_true (g_file_set_contents (g_file_peek_path (weights), "12345678", 8, NULL));
  assert_does_not_open (folder, "safetensors");
  g_assert_true (g_file_delete (tokenizer, NULL, NULL));
  assert_does_not_open (folder, "");
  g_assert_true (g_file_delete (config, NULL, NULL));
  assert_does_not_open (folder, "config.json");
  g_autoptr (GFile) not_resolved = hl_session_resolve_file (weights, &is_bare);
  g_assert_true (g_file_equal (not_resolved, weights));
  model_folder_remove (folder);
}

/* A model without tokenizer has nothing to read texts with. */
static void
test_no_tokenizer (void)
{
  GFile *folder = model_folder_new ("bert");
  g_autoptr (GFile) tokenizer = g_file_get_child (folder, "tokenizer.json");

  g_assert_true (g_file_delete (tokenizer, NULL, NULL));
  assert_does_not_open (folder, "tokenizer");
  model_folder_remove (folder);
}

static void
test_second_texts (void)
{
  GFile *folder = model_folder_new ("gpt2");
  HlSession *session = open_model (folder);

  g_assert_cmpint (hl_live_model_get_second_kind (hl_session_get_live (session)), ==, HL_SECOND_TEXT_NONE);
  type (session, "w1 w2 w3", "w4");
  g_assert_cmpuint (hl_attention_get_n (hl_view_state_get_attention (hl_session_get_view_state (session)), HL_QUERIES),
                    ==, 3);
  close_session (session);
  model_folder_remove (folder);

  folder = model_folder_new ("marian");
  session = open_model (folder);
  HlViewState *state = hl_session_get_view_state (session);
  g_assert_cmpint (hl_live_model_get_second_kind (hl_session_get_live (session)), ==, HL_SECOND_TEXT_TARGET);
  type (session, "w1 w2 w3", "w4 w5");
  HlAttention *cross = hl_example_find_attention (hl_view_state_get_example (state), HL_ATTENTION_CROSS);
  g_assert_cmpuint (hl_attention_get_n (cross, HL_QUERIES), ==, 2);
  g_assert_cmpuint (hl_attention_get_n (cross, HL_KEYS), ==, 3);
  hl_view_state_set_attention (state, cross);
  type (session, "w1 w2 w3 w6", "w4 w5");
  g_assert_cmpint (hl_attention_get_kind (hl_view_state_get_attention (state)), ==, HL_ATTENTION_CROSS);
  /* Without a target only the encoder is left. */
  type (session, "w1 w2 w3 w6", "");
  g_assert_cmpint (hl_attention_get_kind (hl_view_state_get_attention (state)), ==, HL_ATTENTION_ENCODER);
  g_assert_cmpuint (hl_example_get_n_attentions (hl_view_state_get_example (state)), ==, 1);
  close_session (session);
  model_folder_remove (folder);
}

static void
test_reload (void)
{
  GFile *folder = model_folder_new ("bert");
  HlSession *session = open_model (folder);
  g_autoptr (GError) error = NULL;

  type (session, "w1 w2 w3", "w8");
  HlSession *again = open_file (folder, session, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (get_text (again), ==, "w1 w2 w3");
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (again)));
  close_session (session);
  close_session (again);
  model_folder_remove (folder);
}

static guint
count_layers (HlSession *session)
{
  return hl_attention_get_n_layers (hl_view_state_get_attention (hl_session_get_view_state (session)));
}

/* The last layers are left out, and come back; what is opened again, or beside it, is as it is. */
static void
test_first_layers (void)
{
  GFile *folder = model_folder_new ("mistral");
  HlSession *session = open_model (folder);
  HlLiveModel *live = hl_session_get_live (session);
  const HlGenerationOptions options = { .max_tokens = 2 };
  g_autoptr (GError) error = NULL;
  guint n_all;

  type (session, "w5 w6 w7", NULL);
  g_assert_cmpuint (hl_live_model_get_n_layers (live, &n_all), ==, 0);
  g_assert_cmpuint (n_all, ==, 3);
  g_assert_cmpuint (count_layers (session), ==, 3);
  hl_view_state_go_to (hl_session_get_view_state (session), 1, 0);
  hl_live_model_set_n_layers (live, 1);
  PANEL_WAIT_UNTIL (count_layers (session) == 1);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_cmpuint (hl_view_state_get_layer (hl_session_get_view_state (session)), ==, 0);
  g_assert_cmpuint (hl_live_model_get_n_layers (live, &n_all), ==, 1);
  g_assert_cmpuint (n_all, ==, 3);
  g_assert_cmpstr (get_text (session), ==, "w5 w6 w7");
  /* What comes behind all layers is not there. */
  hl_live_model_write (live, &options);
  PANEL_WAIT_UNTIL (!hl_live_model_get_writing (live));
  g_assert_error (hl_live_model_get_error (live), HL_ERROR, HL_ERROR_VALUE);
  HlSession *again = open_file (folder, session, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_layers (again), ==, 1);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (again)));
  close_session (again);
  /* Another model has other layers. */
  GFile *other_folder = model_folder_new ("bert");
  HlSession *other = open_file (other_folder, session, &error);
  g_assert_no_error (error);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (other)));
  g_assert_cmpuint (count_layers (other), ==, 2);
  close_session (other);
  model_folder_remove (other_folder);

  hl_live_model_set_n_layers (live, 4);
  PANEL_WAIT_UNTIL (g_error_matches (hl_live_model_get_error (live), HL_ERROR, HL_ERROR_VALUE) &&
                    g_str_has_prefix (hl_live_model_get_error (live)->message, "there is no layer 3"));
  g_assert_cmpuint (count_layers (session), ==, 1);
  hl_live_model_set_n_layers (live, 0);
  PANEL_WAIT_UNTIL (count_layers (session) == 3);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_null (hl_live_model_get_error (live));
  g_assert_null (hl_live_model_dup_pace (live));
  close_session (session);
  model_folder_remove (folder);
}

static gboolean
is_of (HlSession *session,
       GFile     *model)
{
  return g_file_equal (hl_document_get_file (hl_session_get_document (session)), model);
}

/* Of a name with “:base” behind it, the adapter of that name is meant without its change; of anything else, a file of that name. */
static void
assert_resolves (GFile   *folder,
                 GFile   *meant,
                 gboolean is_off)
{
  g_autofree char *path = g_strconcat (g_file_peek_path (folder), HL_MODEL_PLACE_BASE, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  gboolean is_bare;
  g_autoptr (GFile) resolved = hl_session_resolve_file (file, &is_bare);

  g_assert_true (g_file_equal (resolved, meant != NULL ? meant : file));
  g_assert_cmpint (is_bare, ==, is_off);
}

/* An adapter that is off is off when it is opened again, with the layers that were computed, and can be switched on. */
static void
test_reload_bare (void)
{
  GFile *base = model_folder_new ("llama");
  GFile *adapter = adapter_folder_new (base);
  HlSession *session = open_model (adapter);
  HlLiveModel *live = hl_session_get_live (session);
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_live_model_get_adapter (live) && is_of (session, adapter));
  assert_resolves (adapter, adapter, TRUE);
  assert_resolves (base, NULL, FALSE);
  hl_live_model_set_adapter (live, FALSE);
  hl_live_model_set_n_layers (live, 1);
  PANEL_WAIT_UNTIL (is_of (session, base) && count_layers (session) == 1 && !hl_live_model_get_busy (live));
  HlSession *again = open_file (adapter, session, &error);
  g_assert_no_error (error);
  HlLiveModel *live_again = hl_session_get_live (again);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live_again));
  g_assert_true (is_of (again, base));
  g_assert_cmpuint (count_layers (again), ==, 1);
  g_assert_false (hl_live_model_get_adapter (live_again));
  g_assert_true (hl_live_model_has_adapter (live_again));
  hl_live_model_set_adapter (live_again, TRUE);
  PANEL_WAIT_UNTIL (is_of (again, adapter) && !hl_live_model_get_busy (live_again));
  g_assert_true (hl_live_model_has_adapter (live_again));
  close_session (again);

  /* What it is compared with, the model that it changes, has no adapter to be switched off. */
  HlSession *other = open_file (base, session, &error);
  g_assert_no_error (error);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (other)));
  g_assert_false (hl_live_model_has_adapter (hl_session_get_live (other)));
  close_session (other);
  close_session (session);
  adapter_folder_remove (adapter);
  model_folder_remove (base);
}

static HlModel *
get_model (HlSession *session)
{
  return hl_model_call_get_model (hl_model_call_of (hl_session_get_document (session)));
}

static HlSession *
reopen (GFile     *file,
        HlSession *before)
{
  g_autoptr (GError) error = NULL;
  HlSession *session = open_file (file, before, &error);

  g_assert_no_error (error);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (session)));
  close_session (before);
  return session;
}

/* Opened again, an adapter is of the base that its files name now; where there is a model in its place, that is read once, and has no adapter,
 * whether the one before was on or off. */
static void
test_reload_other_base (void)
{
  for (guint bare = 0; bare < 2; bare++)
    {
      GFile *base = model_folder_new ("llama"), *other_base = model_folder_new ("llama");
      GFile *folder = model_folder_new ("llama");
      const char *path = g_file_peek_path (folder);
      adapter_write (path, base);
      HlSession *session = open_model (folder);
      HlLiveModel *live = hl_session_get_live (session);
      g_assert_true (hl_live_model_has_adapter (live));
      type (session, "w5 w6 w7", NULL);
      hl_live_model_set_adapter (live, !bare);
      PANEL_WAIT_UNTIL (is_of (session, bare ? base : folder) && !hl_live_model_get_busy (live));

      adapter_write (path, other_base);
      session = reopen (folder, session);
      live = hl_session_get_live (session);
      g_assert_true (is_of (session, bare ? other_base : folder));
      g_assert_cmpint (hl_live_model_get_adapter (live), ==, !bare);
      g_assert_true (hl_live_model_has_adapter (live));
      g_assert_true (g_file_equal (hl_model_get_checkpoint (get_model (session)), other_base));

      adapter_remove (folder);
      session = reopen (folder, session);
      live = hl_session_get_live (session);
      g_assert_true (is_of (session, folder));
      g_assert_false (hl_live_model_get_adapter (live));
      g_assert_false (hl_live_model_has_adapter (live));
      HlModel *model = get_model (session);
      type (session, "w5 w6 w7 w8", NULL);
      g_assert_cmpuint (count_tokens (session), ==, 4);
      g_assert_true (get_model (session) == model);
      close_session (session);
      model_folder_remove (folder);
      model_folder_remove (other_base);
      model_folder_remove (base);
    }
}

static HlSavedSession *
save (HlSession *session)
{
  HlViewState *state = hl_session_get_view_state (session);
  g_autoptr (HlScene) scene = hl_scene_new (HL_VIEW_HEATMAP, state);

  return hl_session_save (session, scene);
}

static HlSavedSession *
save_both (HlSession *first,
           HlSession *second)
{
  HlViewState *b = hl_session_get_view_state (second);
  HlSavedSession *saved = save (first);
  g_autoptr (HlScene) scene = hl_scene_new (HL_VIEW_HEATMAP, b);
  g_autoptr (HlAligner) aligner = hl_aligner_new ();
  g_autoptr (HlSides) sides = hl_sides_new (hl_session_get_view_state (first), b, &(HlHeadPairing){ -1, -1 }, aligner);

  hl_saved_comparison_take (saved, first, second, sides, scene);
  hl_sides_close (sides);
  return saved;
}

/* What was saved, written and read. */
static HlSession *
open_saved (HlSavedSession *saved)
{
  g_autoptr (GFile) folder = g_file_new_for_path ("/");
  g_autofree char *json = hl_saved_session_to_json (saved, folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession) again = hl_saved_session_parse (json, strlen (json), folder, &error);
  g_assert_no_error (error);
  g_autoptr (HlOpenRequest) request = hl_open_request_new (again->file);

  hl_open_request_set_saved (request, again);
  HlSession *session = open_request (request, NULL, &error);
  g_assert_no_error (error);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (session)));
  hl_saved_session_free (saved);
  return session;
}

static void
assert_adapter (HlSession *session,
                GFile     *adapter,
                GFile     *base,
                gboolean   is_on)
{
  HlLiveModel *live = hl_session_get_live (session);

  g_assert_true (is_of (session, is_on ? adapter : base));
  g_assert_true (g_file_equal (hl_session_get_file (session), adapter));
  g_assert_cmpint (hl_live_model_get_adapter (live), ==, is_on);
  g_assert_true (hl_live_model_has_adapter (live));
}

/* The file that was opened is what is looked at for changes. */
static void
assert_watched (HlSession *session,
                GFile     *file)
{
  HlFileWatch *watch = hl_session_get_watch (session);
  const char *path = g_file_peek_path (file);
  g_autofree char *away = g_strconcat (path, "-away", NULL);

  g_assert_cmpint (g_rename (path, away), ==, 0);
  hl_file_watch_check (watch);
  PANEL_WAIT_UNTIL (hl_file_watch_get_state (watch) == HL_FILE_GONE);
  g_assert_cmpint (g_rename (away, path), ==, 0);
  hl_file_watch_check (watch);
  PANEL_WAIT_UNTIL (hl_file_watch_get_state (watch) == HL_FILE_AS_READ);
}

/* An adapter that was off when it was saved is off when that is opened, and can be switched on. */
static void
test_saved_bare (void)
{
  GFile *base = model_folder_new ("llama");
  GFile *adapter = adapter_folder_new (base);
  HlSession *session = open_model (adapter);
  HlLiveModel *live = hl_session_get_live (session);

  type (session, "w5 w6 w7", NULL);
  hl_live_model_set_adapter (live, FALSE);
  /* Before that is computed, too. */
  for (guint done = 0; done < 2; done++)
    {
      HlSavedSession *saved = save (session);
      g_assert_true (g_file_equal (saved->file, adapter));
      g_assert_true (saved->is_bare);
      hl_saved_session_free (saved);
      PANEL_WAIT_UNTIL (is_of (session, base) && !hl_live_model_get_busy (live));
    }
  HlSession *again = open_saved (save (session));
  assert_adapter (again, adapter, base, FALSE);
  g_assert_cmpstr (get_text (again), ==, "w5 w6 w7");
  g_assert_cmpstr (hl_session_get_title (again), ==, hl_session_get_title (session));
  assert_watched (again, adapter);
  close_session (again);

  hl_live_model_set_adapter (live, TRUE);
  HlSavedSession *saved = save (session);
  g_assert_true (g_file_equal (saved->file, adapter));
  g_assert_false (saved->is_bare);
  PANEL_WAIT_UNTIL (is_of (session, adapter) && !hl_live_model_get_busy (live));
  again = open_saved (saved);
  assert_adapter (again, adapter, base, TRUE);
  close_session (again);
  close_session (session);
  adapter_folder_remove (adapter);
  model_folder_remove (base);
}

static void
assert_saved_bare (HlSession *session,
                   gboolean   is_bare)
{
  g_autoptr (HlSavedSession) saved = save (session);

  g_assert_cmpint (saved->is_bare, ==, is_bare);
  g_assert_cmpint (hl_live_model_get_adapter (hl_session_get_live (session)), ==, !is_bare);
}

/* An adapter whose change was stopped, or failed, is as it is seen, at once, and can be switched again. Where there is no text, the change is for
 * the next one. */
static void
test_adapter_stopped (void)
{
  GFile *base = model_folder_new ("llama");
  GFile *adapter = adapter_folder_new (base);
  HlSession *session = open_model (adapter);
  HlLiveModel *live = hl_session_get_live (session);
  g_autofree char *away = g_strconcat (g_file_peek_path (base), "-away", NULL);

  g_assert_cmpint (g_rename (g_file_peek_path (base), away), ==, 0);
  hl_live_model_set_adapter (live, FALSE);
  assert_saved_bare (session, TRUE);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  g_assert_nonnull (hl_live_model_get_error (live));
  assert_saved_bare (session, FALSE);
  g_assert_cmpint (g_rename (away, g_file_peek_path (base)), ==, 0);

  for (guint is_ended = 0; is_ended < 2; is_ended++)
    {
      hl_live_model_set_adapter (live, FALSE);
      hl_live_model_stop (live);
      assert_saved_bare (session, FALSE);
      PANEL_WAIT_UNTIL (!is_ended || !hl_live_model_get_busy (live));
      assert_saved_bare (session, FALSE);
      g_assert_true (is_of (session, adapter));
    }
  hl_live_model_set_adapter (live, FALSE);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (live));
  assert_adapter (session, adapter, base, FALSE);

  hl_live_model_set_texts (live, "", "");
  hl_live_model_set_adapter (live, TRUE);
  hl_live_model_stop (live);
  assert_saved_bare (session, FALSE);
  type (session, "w5 w6 w7", NULL);
  assert_adapter (session, adapter, base, TRUE);
  close_session (session);
  adapter_folder_remove (adapter);
  model_folder_remove (base);
}

/* A text and an adapter that are asked for after all, before it is opened: they count, and what was pinned and looked for is not there any more. */
static void
test_saved_given (void)
{
  GFile *base = model_folder_new ("llama");
  GFile *adapter = adapter_folder_new (base);
  HlSession *session = open_model (adapter);
  HlViewState *state = hl_session_get_view_state (session);
  const HlPick pin = { HL_PICK_QUERY, .query = 3 };
  g_autoptr (GError) error = NULL;

  type (session, "w5 w6 w7 w8", NULL);
  hl_view_state_go_to (state, 1, 0);
  hl_view_state_set_hidden (state, "2");
  hl_view_state_set_pinned (state, &pin);
  hl_view_state_set_pairs (state, "w8→w5");
  g_autoptr (HlSavedSession) saved = save (session);
  g_assert_cmpstr (hl_state_texts_get (&saved->state, "pairs"), ==, "w8→w5");
  close_session (session);
  g_autoptr (HlOpenRequest) request = hl_open_request_new (adapter);
  hl_open_request_set_saved (request, saved);
  hl_open_request_set_texts (request, "w9 w6", NULL);
  request->adapter = HL_OPEN_ADAPTER_OFF;
  session = open_request (request, NULL, &error);
  g_assert_no_error (error);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (session)));
  assert_adapter (session, adapter, base, FALSE);
  g_assert_cmpstr (get_text (session), ==, "w9 w6");
  g_assert_cmpuint (hl_view_state_get_layer (hl_session_get_view_state (session)), ==, 1);
  close_session (session);
  adapter_folder_remove (adapter);
  model_folder_remove (base);
}

/* Each side of a comparison has its own. */
static void
test_saved_beside (void)
{
  GFile *base = model_folder_new ("llama");
  GFile *adapter = adapter_folder_new (base);
  HlSession *on = open_model (adapter), *off = open_model (adapter);

  hl_live_model_set_adapter (hl_session_get_live (off), FALSE);
  PANEL_WAIT_UNTIL (is_of (off, base) && !hl_live_model_get_busy (hl_session_get_live (off)));
  for (guint is_first_on = 0; is_first_on < 2; is_first_on++)
    {
      HlSession *first = open_saved (is_first_on ? save_both (on, off) : save_both (off, on));
      HlSession *second = hl_session_steal_other (first);
      PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (second)));
      assert_adapter (first, adapter, base, is_first_on);
      assert_adapter (second, adapter, base, !is_first_on);
      close_session (second);
      close_session (first);
    }
  close_session (off);
  close_session (on);
  adapter_folder_remove (adapter);
  model_folder_remove (base);
}

/* What the second side alone has pinned in the view of all layers is of the layer that is chosen, which the first side says. */
static void
test_saved_pin_beside (void)
{
  GFile *folder = model_folder_new ("bert");
  HlSession *first = open_model (folder), *second = open_model (folder);
  HlViewState *a = hl_session_get_view_state (first), *b = hl_session_get_view_state (second);

  hl_view_state_set_option (a, view, HL_VIEW_LAYERS);
  hl_view_state_set_layer (a, 1);
  g_autoptr (HlScene) scene = hl_scene_new (HL_VIEW_LAYERS, b);
  g_autoptr (HlSides) sides = hl_sides_new (a, b, &(HlHeadPairing){ -1, -1 }, NULL);
  hl_sides_hold (sides);
  hl_view_state_set_pinned (b, &(HlPick){ HL_PICK_QUERY, .query = 2, .layer = 1 });
  hl_sides_release (sides);
  HlSavedSession *saved = save (first);
  hl_saved_comparison_take (saved, first, second, sides, scene);
  hl_sides_close (sides);
  g_clear_object (&scene);
  close_session (second);
  close_session (first);

  first = open_saved (saved);
  second = hl_session_steal_other (first);
  PANEL_WAIT_UNTIL (!hl_live_model_get_busy (hl_session_get_live (second)));
  b = hl_session_get_view_state (second);
  g_assert_cmpuint (hl_view_state_get_pinned (b)->query, ==, 2);
  g_assert_cmpuint (hl_view_state_get_pinned (b)->layer, ==, 1);
  g_assert_cmpuint (hl_view_state_get_layer (b), ==, 1);
  close_session (second);
  close_session (first);
  model_folder_remove (folder);
}

/* Whoever does not want to wait gets nothing, and nothing goes on. */
static void
test_cancelled_opening (void)
{
  GFile *folder = model_folder_new ("bert");
  g_autoptr (HlOpenRequest) request = hl_open_request_new (folder);

  for (guint delay = 0; delay < 6; delay++)
    {
      g_autoptr (HlProgress) progress = hl_progress_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;
      hl_session_open_async (request, NULL, progress, cancellable, on_opened, &result);
      panel_wait (delay);
      g_cancellable_cancel (cancellable);
      PANEL_WAIT_UNTIL (result != NULL);
      g_assert_null (hl_session_open_finish (result, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  model_folder_remove (folder);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/live-model/write", test_write);
  g_test_add_func ("/live-model/write-stopped", test_write_stopped);
  g_test_add_func ("/live-model/write-full", test_write_full);
  g_test_add_func ("/live-model/write-refused", test_write_refused);
  g_test_add_func ("/live-model/write-another", test_write_another);
  g_test_add_func ("/live-model/long-title", test_long_title);
  g_test_add_func ("/live-model/field-grows", test_field_grows);
  g_test_add_func ("/live-model/mask", test_mask);
  g_test_add_func ("/live-model/mask-in-cut-text", test_mask_in_cut_text);
  g_test_add_func ("/live-model/mask-twice", test_mask_twice);
  g_test_add_func ("/live-model/numbers", test_numbers);
  g_test_add_func ("/live-model/newest-wins", test_newest_wins);
  g_test_add_func ("/live-model/looked-at", test_looked_at);
  g_test_add_func ("/live-model/stop", test_stop);
  g_test_add_func ("/live-model/errors", test_errors);
  g_test_add_func ("/live-model/broken", test_broken);
  g_test_add_func ("/live-model/no-tokenizer", test_no_tokenizer);
  g_test_add_func ("/live-model/second-texts", test_second_texts);
  g_test_add_func ("/live-model/reload", test_reload);
  g_test_add_func ("/live-model/reload-bare", test_reload_bare);
  g_test_add_func ("/live-model/reload-other-base", test_reload_other_base);
  g_test_add_func ("/live-model/saved-bare", test_saved_bare);
  g_test_add_func ("/live-model/adapter-stopped", test_adapter_stopped);
  g_test_add_func ("/live-model/saved-given", test_saved_given);
  g_test_add_func ("/live-model/saved-beside", test_saved_beside);
  g_test_add_func ("/live-model/saved-pin-beside", test_saved_pin_beside);
  g_test_add_func ("/live-model/first-layers", test_first_layers);
  g_test_add_func ("/live-model/cancelled-opening", test_cancelled_opening);
  return g_test_run ();
}
