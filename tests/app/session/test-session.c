/* SPDX-License-Identifier: MIT */
/* Sessions: other examples come from a worker and the newest wish wins, oddities are found, names fit, nothing stays behind. */
#include "model-support.h"
#include "panel-support.h"

#include "app/session/hl-first-choice.h"
#include "app/session/hl-session-name.h"
#include "app/session/hl-session-open.h"
#include "core/base/file/hl-file-name.h"
#include "core/base/hl-error.h"
#include "core/model/local/hl-file-stamp.h"

#include <glib/gstdio.h>

/* Somewhere among the numbers of stored.npz. */
#define NUMBERS_OFFSET 600

static HlSession *
open_session (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);

  g_assert_no_error (error);
  HlSession *session = hl_session_new (document, &error);
  g_assert_no_error (error);
  return session;
}

static void
count (guint *n)
{
  (*n)++;
}

static const char *
get_shown (HlSession *session)
{
  return hl_example_get_name (hl_view_state_get_example (hl_session_get_view_state (session)));
}

static void
test_examples (void)
{
  HlSession *session = open_session ("examples.h5");
  HlDocument *document = hl_session_get_document (session);
  HlViewState *state = hl_session_get_view_state (session);
  guint n_changes = 0;

  g_assert_cmpuint (hl_document_get_n_examples (document), ==, 3);
  g_assert_cmpuint (hl_session_get_example_index (session), ==, 0);
  g_assert_cmpstr (get_shown (session), ==, hl_document_get_example_name (document, 0));
  g_signal_connect_swapped (state, "notify::example", G_CALLBACK (count), &n_changes);

  /* Whoever scrubs over the list sees where he stops. */
  hl_session_set_example_index (session, 1);
  g_assert_true (hl_session_get_busy (session));
  hl_session_set_example_index (session, 2);
  g_assert_cmpuint (hl_session_get_example_index (session), ==, 2);
  g_assert_cmpstr (get_shown (session), ==, hl_document_get_example_name (document, 0));
  PANEL_WAIT_UNTIL (!hl_session_get_busy (session));
  panel_wait (50);
  g_assert_cmpstr (get_shown (session), ==, hl_document_get_example_name (document, 2));
  g_assert_cmpuint (n_changes, ==, 1);
  g_assert_true (hl_session_get_view_state (session) == state);

  /* Back to what is shown: nothing to read. */
  hl_session_set_example_index (session, 0);
  hl_session_set_example_index (session, 2);
  g_assert_false (hl_session_get_busy (session));
  panel_wait (50);
  g_assert_cmpuint (n_changes, ==, 1);
  g_assert_finalize_object (session);
}

static gboolean
has_warning (GListModel *checks)
{
  for (guint i = 0; i < g_list_model_get_n_items (checks); i++)
    {
      g_autoptr (HlCheck) check = g_list_model_get_item (checks, i);
      if (hl_check_get_severity (check) == HL_SEVERITY_WARNING)
        return TRUE;
    }
  return FALSE;
}

static void
test_examining (void)
{
  HlSession *session = open_session ("raw-logits.h5");
  GListModel *checks = hl_session_get_checks (session);

  g_assert_false (has_warning (checks));
  hl_session_examine (session);
  g_assert_true (hl_session_get_examining (session));
  PANEL_WAIT_UNTIL (!hl_session_get_examining (session));
  g_assert_true (has_warning (checks));

  const guint n = g_list_model_get_n_items (checks);
  hl_session_examine (session);
  g_assert_false (hl_session_get_examining (session));
  g_assert_cmpuint (g_list_model_get_n_items (checks), ==, n);
  g_assert_finalize_object (session);
}

static guint
count_damages (GListModel *checks)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (checks); i++)
    {
      g_autoptr (HlCheck) check = g_list_model_get_item (checks, i);
      n += g_str_has_prefix (hl_check_get_message (check), "The file is damaged: “attentions.npy”");
    }
  return n;
}

/* A flipped bit among the numbers of a zip file shows in a checksum alone. */
static void
test_verifying (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", "foreign", "stored.npz", NULL);
  g_autoptr (GFileIOStream) stream = NULL;
  g_autoptr (GFile) file = g_file_new_tmp ("headlight-XXXXXX.npz", &stream, NULL);
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  for (guint damaged = 0; damaged < 2; damaged++)
    {
      g_autoptr (GError) error = NULL;

      bytes[NUMBERS_OFFSET] ^= (char) damaged;
      g_assert_true (g_file_replace_contents (file, bytes, size, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, NULL));
      g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
      g_assert_no_error (error);
      HlSession *session = hl_session_new (document, &error);
      g_assert_no_error (error);
      GListModel *checks = hl_session_get_checks (session);
      hl_session_examine (session);
      g_assert_cmpuint (count_damages (checks), ==, 0);
      PANEL_WAIT_UNTIL (!hl_session_get_examining (session) && count_damages (checks) == damaged);
      panel_wait (50);
      g_assert_cmpuint (count_damages (checks), ==, damaged);
      /* It is of the file, whichever example is shown. */
      hl_session_examine (session);
      panel_wait (50);
      g_assert_cmpuint (count_damages (checks), ==, damaged);
      g_assert_finalize_object (session);
    }
  g_file_delete (file, NULL, NULL);
}

static void
test_close (void)
{
  HlSession *session = open_session ("examples.h5");
  const guint n = g_list_model_get_n_items (hl_session_get_checks (session));

  hl_session_examine (session);
  hl_session_set_example_index (session, 1);
  hl_session_close (session);
  g_assert_false (hl_session_get_busy (session));
  g_assert_false (hl_session_get_examining (session));
  panel_wait (100);
  g_assert_cmpuint (g_list_model_get_n_items (hl_session_get_checks (session)), ==, n);
  g_assert_finalize_object (session);
}

static void
assert_name (HlSession  *session,
             const char *expected)
{
  g_autofree char *name = hl_session_dup_figure_name (session);

  g_assert_cmpstr (name, ==, expected);
}

static void
test_names (void)
{
  HlSession *session = open_session ("encoder-decoder.h5");
  HlViewState *state = hl_session_get_view_state (session);
  HlExample *example = hl_view_state_get_example (state);

  g_assert_cmpstr (hl_session_get_title (session), ==, "encoder-decoder.h5");
  hl_view_state_go_to (state, 1, 2);
  assert_name (session, "encoder-decoder-head-view-encoder-layer1-head2");
  hl_view_state_toggle_head (state, 0);
  assert_name (session, "encoder-decoder-head-view-encoder-layer1-heads0-2");
  hl_view_state_toggle_head_of (state, 0, 2);
  hl_view_state_toggle_head_of (state, 0, 0);
  assert_name (session, "encoder-decoder-head-view-encoder-layer1-heads0-2-layer0-heads2-0");
  hl_view_state_toggle_head_of (state, 0, 2);
  hl_view_state_toggle_head_of (state, 0, 0);
  hl_view_state_set_attention (state, hl_example_find_attention (example, HL_ATTENTION_CROSS));
  hl_view_state_select_all_heads (state);
  assert_name (session, "encoder-decoder-head-view-cross-layer1-all-heads");
  hl_view_state_go_to (state, 0, 1);
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  assert_name (session, "encoder-decoder-heatmap-cross-layer0-head1");
  g_autofree char *head = hl_session_dup_head_name (session);
  g_assert_cmpstr (head, ==, "encoder-decoder-cross-layer0-head1");
  g_assert_finalize_object (session);
}

/* Where layers are combined, heads are those of all layers, whichever is looked at. */
static void
test_names_of_combined (void)
{
  HlSession *session = open_session ("heads-differ.json");
  HlViewState *state = hl_session_get_view_state (session);
  HlHeadSet heads = { { 0 } };

  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_LAYERS);
  hl_view_state_go_to (state, 1, 0);
  hl_view_state_select_all_heads (state);
  assert_name (session, "heads-differ-head-view-mean-all-layers-all-heads");
  hl_view_state_go_to (state, 0, 0);
  for (guint head = 0; head < 3; head++)
    hl_head_set_add (&heads, head);
  hl_view_state_set_heads (state, &heads);
  assert_name (session, "heads-differ-head-view-mean-all-layers-heads0-1-2");
  g_assert_finalize_object (session);
}

/* What examples are called can be longer than names of files, and turn them round. */
static void
test_odd_names (void)
{
  g_autoptr (GFileIOStream) stream = NULL;
  g_autoptr (GFile) file = g_file_new_tmp ("headlight-XXXXXX.json", &stream, NULL);
  g_autofree char *longest = g_strnfill (4000, 'b');
  g_autofree char *json = g_strdup_printf ("{\"examples\":{\"a\u202Egvs/..\":{\"attention\":[[[[1.0]]]]},"
                                           "\"b\u00E4%s\":{\"attention\":[[[[1.0]]]]}}}",
                                           longest);
  g_autoptr (GError) error = NULL;

  g_assert_true (
    g_file_replace_contents (file, json, strlen (json), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &error));
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  HlSession *session = hl_session_new (document, &error);
  g_assert_no_error (error);
  g_autofree char *first = hl_session_dup_head_name (session);
  g_assert_true (g_str_has_suffix (first, "-a\uFFFDgvs-..-layer0-head0"));
  hl_session_set_example_index (session, 1);
  PANEL_WAIT_UNTIL (!hl_session_get_busy (session));
  g_autofree char *second = hl_session_dup_head_name (session);
  g_assert_true (g_utf8_validate (second, -1, NULL));
  g_assert_cmpuint (strlen (second), <=, 200);
  g_assert_nonnull (strstr (second, "b…b"));
  g_assert_true (g_str_has_suffix (second, "b-layer0-head0"));
  g_file_delete (file, NULL, NULL);
  g_assert_finalize_object (session);
}

static void
copy (const char *name,
      const char *folder,
      const char *target)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "python", "captured", name, NULL);
  g_autofree char *to = g_build_filename (folder, target, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) place = g_file_new_for_path (to);
  g_autoptr (GError) error = NULL;

  g_file_copy (file, place, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
rename_in (const char *folder,
           const char *from,
           const char *to)
{
  g_autofree char *old_path = g_build_filename (folder, from, NULL);
  g_autofree char *path = g_build_filename (folder, to, NULL);

  g_assert_cmpint (g_rename (old_path, path), ==, 0);
}

/* Of a dump in several files any is watched, whichever was opened; and nothing else that lies there. */
static void
test_ranks (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-ranks-XXXXXX", &error);
  guint n_said = 0;

  g_assert_no_error (error);
  copy ("examples.rank0.h5", folder, "run.rank0.h5");
  copy ("examples.rank1.h5", folder, "run.rank1.h5");
  for (guint opened = 0; opened < 2; opened++)
    {
      g_autofree char *path = g_strdup_printf ("%s/run.rank%u.h5", folder, opened);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autofree char *stamp = hl_file_stamp_take (file, NULL, NULL);
      g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (strstr (stamp, "run.rank0.h5"));
      g_assert_nonnull (strstr (stamp, "run.rank1.h5"));
      HlSession *session = hl_session_new (document, &error);
      g_assert_no_error (error);
      hl_session_watch (session, stamp);
      HlFileWatch *watch = hl_session_get_watch (session);
      const gulong handler = g_signal_connect_swapped (watch, "changed", G_CALLBACK (count), &n_said);

      n_said = 0;
      copy ("bert.h5", folder, "run.h5");
      copy ("bert.h5", folder, "other.rank1.h5");
      panel_wait (1000);
      g_assert_cmpuint (n_said, ==, 0);

      /* The other one; the dump goes by the name of the first. */
      g_autofree char *name = g_strdup_printf ("run.rank%u.h5", 1 - opened);
      rename_in (folder, name, "away");
      PANEL_WAIT_UNTIL (n_said > 0);
      g_assert_cmpint (hl_file_watch_get_state (watch), ==, opened == 0 ? HL_FILE_CHANGED : HL_FILE_GONE);
      n_said = 0;
      rename_in (folder, "away", name);
      PANEL_WAIT_UNTIL (n_said > 0);
      g_assert_cmpint (hl_file_watch_get_state (watch), ==, HL_FILE_AS_READ);
      n_said = 0;
      copy (opened == 0 ? "examples.rank1.h5" : "examples.rank0.h5", folder, "beside");
      rename_in (folder, "beside", name);
      PANEL_WAIT_UNTIL (n_said > 0);
      g_assert_cmpint (hl_file_watch_get_state (watch), ==, HL_FILE_CHANGED);
      g_signal_handler_disconnect (watch, handler);
      g_assert_finalize_object (session);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/run.rank%u.h5", folder, i);
      g_unlink (path);
    }
  g_autofree char *whole = g_build_filename (folder, "run.h5", NULL);
  g_autofree char *other = g_build_filename (folder, "other.rank1.h5", NULL);
  g_unlink (whole);
  g_unlink (other);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A file of another host, which notes when it is looked for. */

#define TEST_TYPE_REMOTE (test_remote_get_type ())
G_DECLARE_FINAL_TYPE (TestRemote, test_remote, TEST, REMOTE, GObject)

struct _TestRemote
{
  GObject parent_instance;
};

static void test_remote_iface_init (GFileIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestRemote,
                               test_remote,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_FILE, test_remote_iface_init))

static guint n_asked;

static void
test_remote_class_init (TestRemoteClass *klass)
{
}

static void
test_remote_init (TestRemote *self)
{
}

static gboolean
is_native (GFile *file)
{
  return FALSE;
}

static char *
dup_no_path (GFile *file)
{
  return NULL;
}

static char *
dup_name (GFile *file)
{
  return g_strdup ("config.json");
}

static char *
dup_uri (GFile *file)
{
  return g_strdup ("http://localhost/model/config.json");
}

static GFile *
dup_file (GFile *file)
{
  return g_object_new (TEST_TYPE_REMOTE, NULL);
}

static GFile *
get_child (GFile      *file,
           const char *path)
{
  return g_object_new (TEST_TYPE_REMOTE, NULL);
}

static GFileInfo *
look (GFile              *file,
      const char         *attributes,
      GFileQueryInfoFlags flags,
      GCancellable       *cancellable,
      GError            **error)
{
  n_asked++;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "nothing is there");
  return NULL;
}

static GFileInputStream *
read_it (GFile        *file,
         GCancellable *cancellable,
         GError      **error)
{
  n_asked++;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "nothing is there");
  return NULL;
}

static void
test_remote_iface_init (GFileIface *iface)
{
  iface->is_native = is_native;
  iface->get_path = dup_no_path;
  iface->get_basename = dup_name;
  iface->get_uri = dup_uri;
  iface->get_parse_name = dup_uri;
  iface->dup = dup_file;
  iface->get_parent = dup_file;
  iface->resolve_relative_path = get_child;
  iface->query_info = look;
  iface->read_fn = read_it;
}

static void
on_opened (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_session_open_finish (result, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
  g_assert_cmpstr (error->message, ==, "only local files can be opened");
  (*(guint *) data)++;
}

/* No host is asked for what somebody drops from a page of the web. */
static void
test_remote (void)
{
  gboolean is_bare;
  g_autoptr (GFile) file = g_object_new (TEST_TYPE_REMOTE, NULL);
  g_autoptr (GFile) resolved = hl_session_resolve_file (file, &is_bare);
  g_autoptr (HlOpenRequest) request = hl_open_request_new (resolved);
  g_autoptr (HlProgress) progress = hl_progress_new ();
  guint n = 0;

  hl_session_open_async (request, NULL, progress, NULL, on_opened, &n);
  PANEL_WAIT_UNTIL (n > 0);
  g_assert_cmpuint (n_asked, ==, 0);

  /* Of an address that is none there is no name either. */
  g_autoptr (GFile) odd = g_file_new_for_uri ("x:%zz");
  g_autoptr (GFile) odd_resolved = hl_session_resolve_file (odd, &is_bare);
  g_autoptr (HlOpenRequest) odd_request = hl_open_request_new (odd_resolved);
  g_autofree char *name = hl_file_dup_display_name (odd);
  g_assert_cmpstr (name, ==, "x:%zz");
  hl_session_open_async (odd_request, NULL, progress, NULL, on_opened, &n);
  PANEL_WAIT_UNTIL (n > 1);
}

static void
keep_session (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (GError) error = NULL;

  *(HlSession **) data = hl_session_open_finish (result, &error);
  g_assert_no_error (error);
}

/* Of no text nothing is computed: a model that is opened with none has its own. */
static void
test_no_text (void)
{
  GFile *folder = model_folder_new ("bert");
  g_autoptr (HlOpenRequest) request = hl_open_request_new (folder);
  g_autoptr (HlProgress) progress = hl_progress_new ();
  HlSession *session = NULL;

  hl_open_request_set_texts (request, "", NULL);
  hl_session_open_async (request, NULL, progress, NULL, keep_session, &session);
  PANEL_WAIT_UNTIL (session != NULL);
  g_assert_false (hl_session_is_empty (session));
  hl_session_close (session);
  g_object_unref (session);
  model_folder_remove (folder);
}

/* Of an address without end, its beginning and its end. */
static void
test_long_names (void)
{
  g_autofree char *letters = g_strnfill (10000, 'a');
  g_autofree char *uri = g_strconcat ("https://example.org/folder/", letters, ".h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autofree char *name = hl_file_dup_display_name (file), *path = hl_file_dup_display_path (file);

  g_assert_cmpint (g_utf8_strlen (name, -1), <=, 256);
  g_assert_true (g_str_has_prefix (name, "aaa"));
  g_assert_true (g_str_has_suffix (name, "aaa.h5"));
  g_assert_cmpint (g_utf8_strlen (path, -1), <=, 1001);
  g_assert_true (g_str_has_prefix (path, "https://example.org/folder/aaa"));
  g_assert_true (g_str_has_suffix (path, "aaa.h5"));

  /* As long as a file system has them. */
  g_autofree char *longest = g_strconcat ("/", letters + 10000 - 252, ".h5", NULL);
  g_autoptr (GFile) real = g_file_new_for_path (longest);
  g_autofree char *whole = hl_file_dup_display_name (real);
  g_assert_cmpstr (whole, ==, longest + 1);
}

/* Three layers of a head. */
#define PAGE_LAYER(layer) "{\"layer\": " layer ", \"heads\": [0], \"numbers\": \"/P8AAAAA/P8=\"}"
#define PAGE_LAYERS PAGE_LAYER ("0") ", " PAGE_LAYER ("1") ", " PAGE_LAYER ("2")
#define PAGE_NAMING(selected)                                                                                          \
  "<script type=\"application/json\" class=\"headlight-attention\">\n{\"range\": [0, 1], \"steps\": 65532, "           \
  "\"tokens\": [\"a\", \"b\"], \"layers\": [" PAGE_LAYERS "], \"selected\": " selected "}</script>"

static void
on_first_chosen (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  HlFirstHead choice;

  hl_first_choice_make_finish (HL_SESSION (source), result, &choice);
  *(gboolean *) data = TRUE;
}

/* A page that names heads more than once shows each of them once. */
static void
test_named_twice (void)
{
  static const char text[] = PAGE_NAMING ("[[0, 0], [2, 0], [0, 0], [1, 0], [2, 0], [2, 0]]");
  const HlHeadPlace expected[] = { { 2, 0 }, { 1, 0 } };
  g_autoptr (GFileIOStream) stream = NULL;
  g_autoptr (GFile) file = g_file_new_tmp ("page-XXXXXX.html", &stream, NULL);
  g_autoptr (GError) error = NULL;
  gboolean is_chosen = FALSE;
  guint n;

  g_assert_true (g_file_set_contents (g_file_peek_path (file), text, -1, &error));
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlSession) session = hl_session_new (document, &error);
  g_assert_no_error (error);
  hl_first_choice_make_async (session, NULL, on_first_chosen, &is_chosen);
  PANEL_WAIT_UNTIL (is_chosen);
  const HlHeadSelection *selection = hl_view_state_get_selection (hl_session_get_view_state (session));
  const HlHeadPlace *others = hl_head_selection_get_others (selection, &n);
  g_assert_cmpuint (hl_head_set_count (hl_head_selection_get_heads (selection)), ==, 1);
  g_assert_cmpmem (others, n * sizeof *others, expected, sizeof expected);
  g_assert_true (g_file_delete (file, NULL, &error));
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/session/examples", test_examples);
  g_test_add_func ("/session/examining", test_examining);
  g_test_add_func ("/session/verifying", test_verifying);
  g_test_add_func ("/session/close", test_close);
  g_test_add_func ("/session/names", test_names);
  g_test_add_func ("/session/names-of-combined", test_names_of_combined);
  g_test_add_func ("/session/odd-names", test_odd_names);
  g_test_add_func ("/session/long-names", test_long_names);
  g_test_add_func ("/session/ranks", test_ranks);
  g_test_add_func ("/session/remote", test_remote);
  g_test_add_func ("/session/no-text", test_no_text);
  g_test_add_func ("/session/named-twice", test_named_twice);
  return g_test_run ();
}
