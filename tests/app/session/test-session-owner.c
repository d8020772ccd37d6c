/* SPDX-License-Identifier: MIT */
/* Sessions, models that follow typing and what runs for them are changed in the thread that they belong to; who does it in another is stopped. */
#include "model-support.h"

#include "app/live/hl-live-writer.h"
#include "app/live/hl-texts-work.h"
#include "app/session/hl-lost.h"
#include "app/session/hl-session.h"

/* One of each, in the order in which they are made. */
typedef struct
{
  HlDocument *document;
  HlSession *session;
  HlSession *other;
  HlLiveModel *live;
  HlTextsWork *work;
  HlFileWatch *watch;
} Things;

static GFile *
get_fixture (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", "examples.h5", NULL);

  return g_file_new_for_path (path);
}

static void
things_init (Things *things)
{
  g_autoptr (GFile) file = get_fixture ();
  g_autoptr (HlProgress) progress = hl_progress_new ();
  g_autoptr (GError) error = NULL;

  things->document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  things->session = hl_session_new (things->document, &error);
  g_assert_no_error (error);
  things->other = hl_session_new (things->document, &error);
  g_assert_no_error (error);
  /* It reads nothing, so that it does not matter that this is no model. */
  things->live = hl_live_model_new (file, progress);
  things->work = hl_texts_work_new ();
  things->watch = hl_file_watch_new (file, "as it was");
}

static void
things_clear (Things *things)
{
  g_clear_object (&things->session);
  g_clear_object (&things->other);
  g_clear_object (&things->live);
  g_clear_object (&things->work);
  g_clear_object (&things->watch);
  g_clear_object (&things->document);
}

static gpointer
turn_page (gpointer data)
{
  hl_session_set_example_index (((Things *) data)->session, 1);
  return NULL;
}

static gpointer
examine (gpointer data)
{
  hl_session_examine (((Things *) data)->session);
  return NULL;
}

static gpointer
watch (gpointer data)
{
  hl_session_watch (((Things *) data)->session, NULL);
  return NULL;
}

static gpointer
compare (gpointer data)
{
  Things *things = data;
  HlSavedSession other = { 0 };
  const HlSavedSession saved = { .other = &other };

  hl_session_set_other (things->session, g_object_ref (things->other), &saved);
  return NULL;
}

static gpointer
steal (gpointer data)
{
  g_autoptr (HlSession) other = hl_session_steal_other (((Things *) data)->session);

  return NULL;
}

static gpointer
close_session (gpointer data)
{
  hl_session_close (((Things *) data)->session);
  return NULL;
}

static gpointer
type (gpointer data)
{
  hl_live_model_set_texts (((Things *) data)->live, "w1 w2", "");
  return NULL;
}

static gpointer
want (gpointer data)
{
  hl_live_model_set_wanted (((Things *) data)->live, HL_ATTENTION_SELF, 1);
  return NULL;
}

static gpointer
limit (gpointer data)
{
  hl_live_model_set_n_layers (((Things *) data)->live, 1);
  return NULL;
}

static gpointer
stop_model (gpointer data)
{
  hl_live_model_stop (((Things *) data)->live);
  return NULL;
}

static gpointer
measure (gpointer data)
{
  Things *things = data;
  const HlTextsJob job = { .document = things->document };

  hl_texts_work_start (things->work, &job);
  return NULL;
}

static gpointer
stop_work (gpointer data)
{
  hl_texts_work_stop (((Things *) data)->work);
  return NULL;
}

static gpointer
look (gpointer data)
{
  hl_file_watch_check (((Things *) data)->watch);
  return NULL;
}

static gpointer
lose (gpointer data)
{
  g_autoptr (GPtrArray) nothing = g_ptr_array_new ();

  hl_lost_set (hl_lost_get (), nothing, nothing);
  return NULL;
}

/* Its last reference is that of another thread. */
static gpointer
let_go (gpointer data)
{
  g_clear_object (&((Things *) data)->session);
  return NULL;
}

typedef struct
{
  const char *path;
  GThreadFunc function;
} Change;

static const Change changes[] = {
  { "example", turn_page },   { "examine", examine },     { "watch", watch },   { "compare", compare },
  { "steal", steal },         { "close", close_session }, { "type", type },     { "want", want },
  { "limit", limit },         { "stop", stop_model },     { "look", look },     { "measure", measure },
  { "stop-work", stop_work }, { "lose", lose },           { "let-go", let_go },
};

static gpointer
make_and_change (gpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  Things things;

  g_main_context_push_thread_default (context);
  things_init (&things);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    if (changes[i].function != lose)
      changes[i].function (&things);
  things_clear (&things);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_main_context_pop_thread_default (context);
  return NULL;
}

/* In the thread that made them all of it can be done, whichever that is. */
static void
test_own (void)
{
  Things things;

  things_init (&things);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    changes[i].function (&things);
  g_assert_null (things.session);
  things_clear (&things);
  g_thread_join (g_thread_new ("maker", make_and_change, NULL));
}

#ifdef HL_CHECK_OWNERS

static void
test_foreign (gconstpointer data)
{
  const Change *change = data;
  Things things;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_failed ();
      g_test_trap_assert_stderr ("*called from a thread that does not own what it changes*");
      return;
    }
  things_init (&things);
  hl_lost_get ();
  g_thread_join (g_thread_new ("other", change->function, &things));
}

#endif

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-owner/own", test_own);
#ifdef HL_CHECK_OWNERS
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *path = g_strconcat ("/session-owner/", changes[i].path, NULL);
      g_test_add_data_func (path, &changes[i], test_foreign);
    }
#endif
  return g_test_run ();
}
