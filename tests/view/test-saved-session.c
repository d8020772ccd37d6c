/* SPDX-License-Identifier: MIT */
/* Sessions of one document and of two that are compared: what is read is what was written, and what is wrong is said in one sentence. */
#include "view/session/hl-saved-session.h"

#include "core/base/hl-error.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define BEGINNING "{\"format\": \"headlight-session\", \"version\": 1, \"file\": \"a.h5\""

static HlSavedSession *
parse (const char *text,
       GError    **error)
{
  g_autoptr (GFile) folder = g_file_new_for_path ("/sessions");

  return hl_saved_session_parse (text, strlen (text), folder, error);
}

static void
assert_fails (const char *members,
              const char *sentence)
{
  g_autofree char *text = g_strconcat (BEGINNING, members, "}", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession) session = parse (text, &error);

  g_assert_null (session);
  g_assert_cmpstr (error->message, ==, sentence);
}

/* Written and read again it is the same, as is its copy. */
static void
assert_round_trip (const HlSavedSession *session)
{
  g_autoptr (GFile) folder = g_file_new_for_path ("/sessions");
  g_autoptr (GError) error = NULL;
  g_autofree char *json = hl_saved_session_to_json (session, folder);
  g_autoptr (HlSavedSession) again = parse (json, &error);
  g_assert_no_error (error);
  g_autoptr (HlSavedSession) copy = hl_saved_session_copy (again);
  g_autofree char *json_again = hl_saved_session_to_json (copy, folder);
  g_assert_cmpstr (json, ==, json_again);
}

static void
assert_command (const HlSavedSession *session,
                const char           *command)
{
  g_autofree char *made = hl_saved_session_to_command (session, "a.png", 800, 600, 2);

  g_assert_cmpstr (made, ==, command);
}

static void
test_alone (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession) session = parse (
    BEGINNING
    ", \"example\": 2, \"state\": {\"view\": \"heatmap\", \"token\": \"3\"}, \"scroll\": [0, 7.5], \"zoom\": 20}",
    &error);

  g_assert_no_error (error);
  g_assert_null (session->other);
  assert_round_trip (session);
  assert_command (
    session,
    "headlight-cli render /sessions/a.h5 --example='#2' --view=heatmap --token=3 --width=800 --height=600 --scale=2 "
    "--zoom=20 --scroll=0,7.5 --as-seen --output=a.png");
}

static void
assert_heads (const char *state,
              const char *heads)
{
  g_autofree char *text = g_strdup_printf (BEGINNING ", \"state\": {%s}}", state);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession) session = parse (text, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (hl_state_texts_get (&session->state, "heads"), ==, heads);
}

/* Where heads or layers become one, those of other layers, which versions before named there, are no part of it. */
static void
test_other_heads (void)
{
  assert_heads ("\"heads\": \"0,3-4,2.1,0.1\"", "0,3-4,2.1,0.1");
  assert_heads ("\"heads\": \"0,3-4,2.1,0.1\", \"combine\": \"mean\"", "0,3-4");
  assert_heads ("\"combine\": \"max\", \"combine-over\": \"layers\", \"heads\": \"none,2.1\"", "none");
  assert_heads ("\"quantity\": \"rollout\", \"heads\": \"2.1\"", NULL);
  assert_heads ("\"combine\": \"mean\", \"view\": \"chart\", \"heads\": \"0,2.1\"", "0,2.1");
}

/* The same document once more: nothing of it is said but which heads of it. */
static void
test_same_document (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession) session =
    parse (BEGINNING
           ", \"example\": 1, \"scroll\": [4, 0], \"other\": {\"state\": {\"layer\": \"3\", \"hidden\": \"2\"}}}",
           &error);

  g_assert_no_error (error);
  g_assert_null (session->other->file);
  g_assert_false (session->other->difference);
  const HlHeadPairing pairing = hl_saved_session_get_pairing (session->other);
  g_assert_cmpint (pairing.layer, ==, 3);
  g_assert_cmpint (pairing.head, ==, -1);
  assert_round_trip (session);
  assert_command (
    session,
    "headlight-cli render /sessions/a.h5 --example='#1' --compare=/sessions/a.h5 --other-example='#0' --other-hidden=2 "
    "--other-layer=3 --width=800 --height=600 --scale=2 --scroll=4,0 --other-scroll=0,0 --as-seen --output=a.png");
}

/* Of a difference nothing is hidden in the second side alone. */
static void
test_difference_hides (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession) session =
    parse (BEGINNING
           ", \"state\": {\"hidden\": \"1\"}, \"other\": {\"difference\": true, \"state\": {\"layer\": \"3\", "
           "\"hidden\": \"2\", \"token\": \"4\"}}}",
           &error);

  g_assert_no_error (error);
  assert_command (session, "headlight-cli render /sessions/a.h5 --hidden=1 --difference=/sessions/a.h5 --other-layer=3 "
                           "--other-token=4 --width=800 --height=600 --scale=2 --as-seen --output=a.png");
}

/* Another file is read in its own way, also where the first is read in a way of its own. */
static void
test_other_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession)
    session = parse (BEGINNING ", \"dataset\": \"x\", \"softmax\": true, \"tokens\": [\"a\"], \"other\": {\"file\": "
                               "\"b c.h5\", \"axes\": \"head,query,key\", "
                               "\"tokens\": [\"b\"], \"difference\": true}}",
                     &error);

  g_assert_no_error (error);
  g_autofree char *path = g_file_get_path (session->other->file);
  g_assert_cmpstr (path, ==, "/sessions/b c.h5");
  g_assert_true (session->other->difference);
  g_assert_null (session->other->options.dataset);
  assert_round_trip (session);
  assert_command (
    session,
    "headlight-cli render /sessions/a.h5 --dataset=x --tokens='[\"a\"]' --softmax --difference='/sessions/b c.h5'"
    " --other-dataset='' --other-axes=head,query,key --other-tokens='[\"b\"]' --other-softmax=no --width=800 "
    "--height=600 --scale=2 --as-seen --output=a.png");
}

/* A model on two texts; its decoder is to write something of only one. */
static void
test_texts (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession) session =
    parse (BEGINNING ", \"text\": \"one\", \"target-text\": \"eins\", \"other\": {\"text\": \"two\"}}", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (session->other->text, ==, "two");
  assert_round_trip (session);
  assert_command (
    session,
    "headlight-cli render /sessions/a.h5 --text=one --target-text=eins --compare=/sessions/a.h5 --other-text=two "
    "--other-target-text='' --width=800 --height=600 --scale=2 --as-seen --output=a.png");
}

/* Whether an adapter is off is said of each side, and where nothing is said it is on; the same document once more is as the first. */
static void
test_adapter (void)
{
  static const struct
  {
    const char *members;
    gboolean is_bare, is_other_bare;
    const char *command;
  } cases[] = {
    { ", \"other\": {\"text\": \"two\"}", FALSE, FALSE, "a.h5 --text=one --compare=/sessions/a.h5 --other-text=two" },
    { ", \"adapter\": true, \"other\": {\"text\": \"two\", \"adapter\": false}", FALSE, TRUE,
      "a.h5 --text=one --compare=/sessions/a.h5:base --other-text=two" },
    { ", \"adapter\": false, \"other\": {\"file\": \"a.h5\", \"text\": \"two\"}", TRUE, FALSE,
      "a.h5:base --text=one --compare=/sessions/a.h5 --other-text=two" },
    { ", \"other\": {\"state\": {\"head\": \"2\"}}, \"adapter\": false", TRUE, TRUE,
      "a.h5:base --text=one --compare=/sessions/a.h5:base --other-head=2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat (BEGINNING ", \"text\": \"one\"", cases[i].members, "}", NULL);
      g_autofree char *beginning = g_strconcat ("headlight-cli render /sessions/", cases[i].command, " ", NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (HlSavedSession) session = parse (text, &error);
      g_assert_no_error (error);
      g_assert_true (session->is_bare == cases[i].is_bare);
      g_assert_true (session->other->is_bare == cases[i].is_other_bare);
      assert_round_trip (session);
      g_autofree char *command = hl_saved_session_to_command (session, "a.png", 800, 600, 2);
      g_assert_true (g_str_has_prefix (command, beginning));
    }
}

/* What a terminal would act on is in digits, lines are lines, and a quote ends nothing. */
static void
test_hostile (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession)
    session = parse (BEGINNING ", \"text\": \"\\u202eit's\\u001b\\\\x\", \"text-pair\": \"a\\nb\"}", &error);

  g_assert_no_error (error);
  assert_command (session, "headlight-cli render /sessions/a.h5 --text=$'\\342\\200\\256it\\'s\\033\\\\x' "
                           "--text-pair='a\nb' --width=800 --height=600 --scale=2 --as-seen --output=a.png");
}

/* Names of files are bytes: one that is no text is written so that a shell gets it, and a terminal nothing to act on. */
static void
test_hostile_name (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession) session = parse (BEGINNING "}", &error);

  g_assert_no_error (error);
  g_object_unref (session->file);
  session->file = g_file_new_for_path ("/tmp/\xff\x1b[201~\x03id\né\xe2\x80'\xc2");
  assert_command (
    session, "headlight-cli render $'/tmp/\\377\\033[201~\\003id\\012é\\342\\200\\'\\302' --width=800 --height=600 "
             "--scale=2 --as-seen --output=a.png");
  g_object_unref (session->file);
  session->file = g_file_new_for_path ("/tmp/\xff");
  assert_command (session,
                  "headlight-cli render $'/tmp/\\377' --width=800 --height=600 --scale=2 --as-seen --output=a.png");
}

/* Of the mean of heads there is nothing to combine, and render refuses to; layers are still combined. */
static void
test_of_mean (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession)
    heads = parse (BEGINNING ", \"state\": {\"quantity\": \"rollout\", \"combine\": \"max\"}}", &error);
  g_assert_no_error (error);
  assert_round_trip (heads);
  assert_command (heads, "headlight-cli render /sessions/a.h5 --quantity=rollout --width=800 --height=600 --scale=2 "
                         "--as-seen --output=a.png");

  g_autoptr (HlSavedSession) layers =
    parse (BEGINNING ", \"state\": {\"quantity\": \"rollout\", \"combine\": \"max\", \"combine-over\": \"layers\"}}",
           &error);
  g_assert_no_error (error);
  assert_command (layers, "headlight-cli render /sessions/a.h5 --quantity=rollout --combine=max --combine-over=layers "
                          "--width=800 --height=600 --scale=2 --as-seen --output=a.png");
}

/* Heads of other layers stay chosen, and are written only where they are part of the picture. */
static void
test_heads_of_picture (void)
{
  static const char *const views[] = { "head-view", "0,2,1.1", "picture", "0,2,1.1", "model-view",
                                       "0,2,1.1",   "layers",  "0,2",     "chart",   "0,2" };

  for (guint i = 0; i < G_N_ELEMENTS (views); i += 2)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text =
        g_strdup_printf (BEGINNING ", \"state\": {\"view\": \"%s\", \"heads\": \"0,2,1.1\"}}", views[i]);
      g_autofree char *wanted = g_strdup_printf (" --heads=%s ", views[i + 1]);
      g_autoptr (HlSavedSession) session = parse (text, &error);
      g_assert_no_error (error);
      g_autofree char *command = hl_saved_session_to_command (session, "a.png", 800, 600, 2);
      g_assert_nonnull (strstr (command, wanted));
      assert_round_trip (session);
    }
}

/* Nothing is subtracted from the steps to weights: the window shows those of the first side, and so does the command. */
static void
test_steps (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSavedSession)
    session = parse (BEGINNING ", \"state\": {\"view\": \"steps\"}, \"other\": {\"difference\": true}}", &error);

  g_assert_no_error (error);
  assert_round_trip (session);
  assert_command (
    session,
    "headlight-cli render /sessions/a.h5 --view=steps --width=800 --height=600 --scale=2 --as-seen --output=a.png");
}

/* The window keeps what heads are sorted by while there is no number of it, and so does a command that draws what it shows. */
static void
test_no_measure (void)
{
  static const char *const states[] = {
    "\"sort\": \"pair\", \"colour-by\": \"change\"",   " --sort=pair --colour-by=change",
    "\"sort\": \"pair\", \"pairs\": \"a:b\"",          " --sort=pair --pair=a:b",
    "\"view\": \"chart\", \"number\": \"dependency\"", " --view=chart --number=dependency",
  };

  for (guint i = 0; i < G_N_ELEMENTS (states); i += 2)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *rest = g_strdup_printf (", \"state\": {%s}}", states[i]);
      g_autofree char *whole = g_strconcat (BEGINNING, rest, NULL);
      g_autoptr (HlSavedSession) session = parse (whole, &error);
      g_assert_no_error (error);
      g_autofree char *command = g_strdup_printf (
        "headlight-cli render /sessions/a.h5%s --width=800 --height=600 --scale=2 --as-seen --output=a.png",
        states[i + 1]);
      assert_round_trip (session);
      assert_command (session, command);
    }
}

static void
test_wrong (void)
{
  assert_fails (", \"other\": 1", "“other” is not an object");
  assert_fails (", \"other\": {\"new\": 1}", "“other”: this version of Headlight does not know “new”");
  assert_fails (", \"other\": {\"other\": {}}", "“other”: this version of Headlight does not know “other”");
  assert_fails (", \"other\": {\"zoom\": 1}", "“other”: this version of Headlight does not know “zoom”");
  assert_fails (", \"other\": {\"format\": \"x\"}", "“other”: this version of Headlight does not know “format”");
  assert_fails (", \"difference\": true", "this version of Headlight does not know “difference”");
  assert_fails (", \"other\": {\"difference\": \"yes\"}", "“other”: “difference” is not true or false");
  assert_fails (", \"other\": {\"state\": {\"view\": \"heatmap\"}}",
                "“other”: this version of Headlight does not know “view”");
  assert_fails (", \"other\": {\"state\": {\"layer\": \"-1\"}}",
                "“other”: “layer” cannot be “-1”; it is a whole number in 0…4294967294");
  assert_fails (", \"other\": {\"dataset\": \"x\"}", "“other”: “file” is missing");
  assert_fails (", \"other\": {\"text-pair\": \"x\"}", "“other”: “text” is missing");
  assert_fails (", \"uri\": \"file:///100%.h5\"", "“uri” is not the address of a file");
  assert_fails (", \"uri\": \"file:'//model.h5\"", "“uri” is not the address of a file");
  assert_fails (", \"other\": {\"uri\": \"http://example.org/a.h5\"}", "“other”: “uri” is not the address of a file");
  assert_fails (", \"adapter\": \"off\"", "“adapter” is not true or false");
  assert_fails (", \"other\": {\"adapter\": 0}", "“other”: “adapter” is not true or false");
  assert_fails (", \"other\": {\"scroll\": [-1, 0]}", "“other”: “scroll” is not a number that is not negative");
}

/* Whichever file is gone is told, the first one first; what was beside the session and is not may be where it was. */
static void
test_missing (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-session-XXXXXX", NULL);
  g_autofree char *there = g_build_filename (folder, "there.h5", NULL);
  g_autofree char *gone = g_build_filename (folder, "gone.h5", NULL);
  g_autofree char *uri = g_filename_to_uri (there, NULL, NULL);
  g_autofree char *text = g_strdup_printf ("{\"format\": \"headlight-session\", \"version\": 1, \"file\": "
                                           "\"moved.h5\", \"uri\": \"%s\", \"other\": {\"file\": \"%s\"}}",
                                           uri, gone);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (there, "x", 1, NULL));
  g_autoptr (HlSavedSession) session = parse (text, &error);
  g_assert_no_error (error);
  g_assert_true (hl_saved_session_get_missing (session, NULL) == session->other);
  g_autofree char *path = g_file_get_path (session->file);
  g_assert_cmpstr (path, ==, there);
  g_assert_false (hl_saved_session_find_file (session, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_EXTERNAL);
  g_assert_nonnull (strstr (error->message, gone));

  /* Of what is missing the first, or else the file of the first side: that is there, and may lead to what is not. */
  g_autofree char *found = g_build_filename (folder, "found.h5", NULL);
  g_autoptr (GPtrArray) located = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (located, g_file_new_for_path (found));
  g_autoptr (HlSavedSession) again = hl_saved_session_copy (session);
  g_assert_true (g_file_set_contents (found, "x", 1, NULL));
  hl_saved_session_use_located (again, located, NULL);
  g_assert_true (g_file_equal (again->file, session->file) && g_file_equal (again->other->file, located->pdata[0]));
  hl_saved_session_use_located (again, located, NULL);
  g_assert_true (g_file_equal (again->file, located->pdata[0]));
  g_assert_cmpint (g_remove (found), ==, 0);

  g_assert_cmpint (g_remove (there), ==, 0);
  g_assert_true (hl_saved_session_get_missing (session, NULL) == session);
  g_assert_cmpint (g_remove (folder), ==, 0);
}

/* A file of no bytes is no session by how it begins; one that has its name is one that breaks off. */
static void
test_empty (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-session-XXXXXX", NULL);
  g_autofree char *dump_path = g_build_filename (folder, "empty.h5", NULL);
  g_autofree char *session_path = g_build_filename (folder, "empty.headlight", NULL);
  g_autoptr (GFile) dump = g_file_new_for_path (dump_path);
  g_autoptr (GFile) session_file = g_file_new_for_path (session_path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (dump_path, "", 0, NULL));
  g_assert_true (g_file_set_contents (session_path, "", 0, NULL));
  g_assert_false (hl_saved_session_is_file (dump, NULL));
  g_assert_true (hl_saved_session_is_file (session_file, NULL));
  g_autoptr (HlSavedSession) session = hl_saved_session_load (session_file, NULL, &error);
  g_assert_null (session);
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  g_assert_cmpstr (error->message, ==, "the JSON breaks off at line 1, column 1, where a value should follow");

  g_assert_cmpint (g_remove (dump_path), ==, 0);
  g_assert_cmpint (g_remove (session_path), ==, 0);
  g_assert_cmpint (g_remove (folder), ==, 0);
}

/* Nobody waits for a pipe that has the name of a session. */
static void
test_pipe (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-session-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "pipe.headlight", NULL);
  g_autoptr (GFile) pipe = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_true (hl_saved_session_is_file (pipe, NULL));
  g_autoptr (HlSavedSession) session = hl_saved_session_load (pipe, NULL, &error);
  g_assert_null (session);
  g_assert_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE);

  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_remove (folder), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/saved-session/alone", test_alone);
  g_test_add_func ("/saved-session/other-heads", test_other_heads);
  g_test_add_func ("/saved-session/same-document", test_same_document);
  g_test_add_func ("/saved-session/difference-hides", test_difference_hides);
  g_test_add_func ("/saved-session/other-file", test_other_file);
  g_test_add_func ("/saved-session/texts", test_texts);
  g_test_add_func ("/saved-session/adapter", test_adapter);
  g_test_add_func ("/saved-session/hostile", test_hostile);
  g_test_add_func ("/saved-session/hostile-name", test_hostile_name);
  g_test_add_func ("/saved-session/heads-of-picture", test_heads_of_picture);
  g_test_add_func ("/saved-session/steps", test_steps);
  g_test_add_func ("/saved-session/of-mean", test_of_mean);
  g_test_add_func ("/saved-session/no-measure", test_no_measure);
  g_test_add_func ("/saved-session/wrong", test_wrong);
  g_test_add_func ("/saved-session/missing", test_missing);
  g_test_add_func ("/saved-session/empty", test_empty);
  g_test_add_func ("/saved-session/pipe", test_pipe);
  return g_test_run ();
}
