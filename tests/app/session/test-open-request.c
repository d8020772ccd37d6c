/* SPDX-License-Identifier: MIT */
/* What is asked for is what is kept of it, and what is opened again. */
#include "panel-support.h"

#include "app/session/hl-open-request.h"

static HlSavedSession *
create_saved (const char *path,
              const char *text)
{
  HlSavedSession *saved = g_new0 (HlSavedSession, 1);

  saved->file = g_file_new_for_path (path);
  saved->text = g_strdup (text);
  return saved;
}

static void
assert_file (GFile      *file,
             const char *path)
{
  g_assert_cmpstr (file != NULL ? g_file_peek_path (file) : NULL, ==, path);
}

/* The copy has nothing of the original in it. */
static void
test_copy (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/a/dump.h5");
  g_autoptr (GFile) pixels = g_file_new_for_path ("/a/photo.png");
  HlOpenRequest *request = hl_open_request_new (file);

  g_set_object (&request->pixels, pixels);
  hl_open_request_set_texts (request, "the cat", "the dog");
  g_autoptr (HlOpenRequest) copy = hl_open_request_copy (request);
  hl_open_request_free (request);
  assert_file (copy->file, "/a/dump.h5");
  assert_file (copy->pixels, "/a/photo.png");
  g_assert_cmpstr (copy->texts[0], ==, "the cat");
  g_assert_cmpstr (copy->texts[1], ==, "the dog");
  g_assert_null (copy->saved);
  g_assert_null (copy->session_file);

  /* Of themselves, too. */
  hl_open_request_set_texts (copy, copy->texts[1], NULL);
  g_assert_cmpstr (copy->texts[0], ==, "the dog");
  g_assert_null (copy->texts[1]);
}

static void
test_save (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/a/model");
  g_autoptr (GFile) pixels = g_file_new_for_path ("/a/photo.png");
  g_autoptr (HlOpenRequest) request = hl_open_request_new (file);

  g_set_object (&request->pixels, pixels);
  hl_open_request_set_texts (request, "", NULL);
  g_autoptr (HlSavedSession) empty = hl_open_request_save (request);
  assert_file (empty->file, "/a/model");
  assert_file (empty->pixels, "/a/photo.png");
  g_assert_null (empty->text);

  hl_open_request_set_texts (request, "the cat", NULL);
  g_autoptr (HlSavedSession) typed = hl_open_request_save (request);
  g_assert_cmpstr (typed->text, ==, "the cat");
  g_assert_null (typed->text_pair);

  hl_open_request_set_texts (request, "the cat", "the dog");
  g_autoptr (HlSavedSession) both = hl_open_request_save (request);
  g_assert_cmpstr (both->text_pair, ==, "the dog");
}

/* Of what stands in a session file, the file that it names is opened. */
static void
test_saved (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/a/mine.headlight");
  g_autoptr (HlOpenRequest) request = hl_open_request_new (file);
  g_autoptr (HlSavedSession) first = create_saved ("/a/dump.h5", "one");
  g_autoptr (HlSavedSession) second = create_saved ("/a/dump.h5", "two");

  hl_open_request_set_saved (request, first);
  assert_file (request->file, "/a/dump.h5");
  assert_file (request->session_file, "/a/mine.headlight");
  hl_open_request_set_saved (request, second);
  assert_file (request->session_file, "/a/mine.headlight");
  g_autoptr (HlSavedSession) kept = hl_open_request_save (request);
  g_assert_cmpstr (kept->text, ==, "two");
}

/* Beside what was saved, each of a text, an image and an adapter that is off counts. Tokens that are hidden or pinned, and pairs of words,
 * are of the text that they were chosen in. */
static void
test_given (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/a/model");
  g_autoptr (GFile) pixels = g_file_new_for_path ("/a/photo.png");
  g_autoptr (HlOpenRequest) request = hl_open_request_new (file);
  g_autoptr (HlSavedSession) saved = create_saved ("/a/model", "one");

  saved->target_text = g_strdup ("un");
  hl_state_texts_set (&saved->state, "layer", "2");
  hl_state_texts_set (&saved->state, "hidden", "1");
  hl_state_texts_set (&saved->state, "pinned", "3");
  hl_state_texts_set (&saved->state, "pairs", "her→Sarah");
  saved->other = g_new0 (HlSavedSession, 1);
  hl_state_texts_set (&saved->other->state, "pinned", "4");
  hl_open_request_set_saved (request, saved);

  request->adapter = HL_OPEN_ADAPTER_OFF;
  hl_open_request_set_texts (request, "one", "un");
  g_autoptr (HlSavedSession) bare = hl_open_request_save (request);
  g_assert_true (bare->is_bare && bare->other->is_bare);
  g_assert_cmpstr (hl_state_texts_get (&bare->state, "pinned"), ==, "3");
  g_assert_cmpstr (hl_state_texts_get (&bare->state, "pairs"), ==, "her→Sarah");

  hl_open_request_set_texts (request, "two", "deux");
  g_autoptr (HlSavedSession) typed = hl_open_request_save (request);
  g_assert_cmpstr (typed->text, ==, "two");
  g_assert_cmpstr (typed->target_text, ==, "deux");
  g_assert_null (typed->text_pair);
  g_assert_cmpstr (hl_state_texts_get (&typed->state, "layer"), ==, "2");
  g_assert_null (hl_state_texts_get (&typed->state, "hidden"));
  g_assert_null (hl_state_texts_get (&typed->state, "pinned"));
  g_assert_null (hl_state_texts_get (&typed->state, "pairs"));
  g_assert_null (hl_state_texts_get (&typed->other->state, "pinned"));

  hl_open_request_set_texts (request, NULL, NULL);
  g_set_object (&request->pixels, pixels);
  g_autoptr (HlSavedSession) seen = hl_open_request_save (request);
  assert_file (seen->pixels, "/a/photo.png");
  g_assert_true (seen->is_image);
  g_assert_null (hl_state_texts_get (&seen->state, "pinned"));
  g_assert_null (hl_state_texts_get (&seen->state, "pairs"));
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/open-request/copy", test_copy);
  g_test_add_func ("/open-request/save", test_save);
  g_test_add_func ("/open-request/saved", test_saved);
  g_test_add_func ("/open-request/given", test_given);
  return g_test_run ();
}
