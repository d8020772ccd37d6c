/* SPDX-License-Identifier: MIT */
/*
 * What is open in all windows is taken down on the main thread, a while after something changed, and written by a worker.
 * What was lost is removed when what became of it is kept, or when nobody wants it. Tabs whose file cannot be read when they are opened again
 * stay kept beyond the end of the program: the disk with it may be there another time, or the file be whole.
 */
#include "config.h"

#include "app/window/hl-autosave.h"

#include "app/base/hl-toast.h"
#include "app/session/hl-lost.h"
#include "app/window/hl-window-open.h"
#include "core/base/hl-worker.h"
#include "view/session/hl-image-store.h"
#include "view/session/hl-session-store.h"

/* As much may be lost. */
#define SAVE_AFTER_MS 1000

/* What changes without anybody choosing something. */
#define NOT_CHOSEN ((HlChanges) (HL_CHANGED_HOVER | HL_CHANGED_NUMBERS))

static struct
{
  HlSessionStore *store;   /* NULL before it is found, and where nothing can be kept */
  GPtrArray *windows;      /* those that are open, without references */
  GArray *closed;          /* numbers of windows that are to be forgotten */
  GPtrArray *obsolete;     /* stores of what is open again */
  GPtrArray *missing;      /* of each window that was opened again a HlSavedWindow of tabs whose file cannot be read */
  GArray *missing_numbers; /* as many, under which they are kept */
  guint n_windows;         /* ever */
  guint timeout;
  gboolean is_saving;
  gboolean has_failed;
} autosave;

#define KEY "hl-autosave"

static void queue_save (void);

typedef struct
{
  HlSessionStore *store;
  GArray *numbers;
  GPtrArray *windows; /* as many */
  GArray *closed;
  GPtrArray *obsolete;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  hl_session_store_unref (saving->store);
  g_array_unref (saving->numbers);
  g_ptr_array_unref (saving->windows);
  g_array_unref (saving->closed);
  g_clear_pointer (&saving->obsolete, g_ptr_array_unref);
  g_free (saving);
}

static void
remove_stores (GPtrArray *stores)
{
  for (guint i = 0; i < stores->len; i++)
    hl_session_store_remove (stores->pdata[i]);
}

static void
run_save (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  const Saving *saving = data;
  GError *error = NULL;

  for (guint i = 0; i < saving->closed->len; i++)
    hl_session_store_forget (saving->store, g_array_index (saving->closed, guint, i));
  for (guint i = 0; i < saving->windows->len; i++)
    {
      const HlSavedWindow *window = saving->windows->pdata[i];
      const guint number = g_array_index (saving->numbers, guint, i);
      if (window->tabs->len == 0)
        {
          hl_session_store_forget (saving->store, number);
        }
      else if (!hl_session_store_save (saving->store, number, window, &error))
        {
          g_task_return_error (task, error);
          return;
        }
    }
  if (saving->obsolete != NULL)
    remove_stores (saving->obsolete);
  g_task_return_boolean (task, TRUE);
}

/* Said once: whoever goes on knows. */
static void
on_saved (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Saving *saving = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  autosave.is_saving = FALSE;
  const gboolean is_saved = g_task_propagate_boolean (G_TASK (result), &error);
  /* It may have ended before. */
  if (autosave.windows == NULL)
    return;
  if (!is_saved)
    {
      if (autosave.obsolete == NULL)
        autosave.obsolete = g_steal_pointer (&saving->obsolete);
      if (!autosave.has_failed && autosave.windows->len > 0)
        hl_toast_say_error (hl_window_get_toasts (autosave.windows->pdata[0]), error);
    }
  autosave.has_failed = error != NULL;
}

static HlSavedWindow *
take_window (HlWindow *window)
{
  HlSavedWindow *saved = hl_saved_window_new ();
  g_autoptr (GListModel) pages = hl_window_create_pages (window);

  for (guint i = 0; i < g_list_model_get_n_items (pages); i++)
    {
      g_autoptr (HlDocumentPage) page = g_list_model_get_item (pages, i);
      if (page == hl_window_get_page (window))
        saved->selected = i;
      hl_saved_window_add (saved, hl_document_page_save (page), hl_document_page_get_session_file (page));
    }
  return saved;
}

/* Somebody opened it by himself since. What it was compared with may be missing still. */
static gboolean
is_open (const HlSavedTab *tab)
{
  for (guint i = 0; tab->session->other == NULL && i < autosave.windows->len; i++)
    {
      HlDocumentPage *page = hl_window_find_page (autosave.windows->pdata[i], tab->session->file);
      if (page != NULL && hl_document_page_get_session (page) != NULL)
        return TRUE;
    }
  return FALSE;
}

static HlSavedWindow *
take_missing (HlSavedWindow *missing)
{
  HlSavedWindow *saved = hl_saved_window_new ();

  for (guint i = missing->tabs->len; i > 0; i--)
    if (is_open (missing->tabs->pdata[i - 1]))
      g_ptr_array_remove_index (missing->tabs, i - 1);
  for (guint i = 0; i < missing->tabs->len; i++)
    {
      const HlSavedTab *tab = missing->tabs->pdata[i];
      hl_saved_window_add (saved, hl_saved_session_copy (tab->session), tab->session_file);
    }
  return saved;
}

static guint
get_number (HlWindow *window)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (window), KEY));
}

static gboolean
save (gpointer data)
{
  autosave.timeout = 0;
  if (autosave.is_saving)
    {
      queue_save ();
      return G_SOURCE_REMOVE;
    }
  Saving *saving = g_new0 (Saving, 1);
  saving->store = hl_session_store_ref (autosave.store);
  saving->numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  saving->windows = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_saved_window_free);
  for (guint i = 0; i < autosave.windows->len; i++)
    {
      const guint number = get_number (autosave.windows->pdata[i]);
      g_array_append_val (saving->numbers, number);
      g_ptr_array_add (saving->windows, take_window (autosave.windows->pdata[i]));
    }
  g_array_append_vals (saving->numbers, autosave.missing_numbers->data, autosave.missing_numbers->len);
  for (guint i = 0; i < autosave.missing->len; i++)
    g_ptr_array_add (saving->windows, take_missing (autosave.missing->pdata[i]));
  saving->closed = autosave.closed;
  autosave.closed = g_array_new (FALSE, FALSE, sizeof (guint));
  saving->obsolete = g_steal_pointer (&autosave.obsolete);
  autosave.is_saving = TRUE;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_saved, NULL);
  g_task_set_source_tag (task, save);
  g_task_set_task_data (task, saving, saving_free);
  g_task_set_priority (task, G_PRIORITY_LOW);
  g_task_run_in_thread (task, run_save);
  return G_SOURCE_REMOVE;
}

static void
queue_save (void)
{
  if (autosave.timeout == 0 && autosave.store != NULL)
    autosave.timeout = g_timeout_add (SAVE_AFTER_MS, save, NULL);
}

/* What is typed is there before its picture. */
static void
follow_text (HlWindow *window)
{
  HlDocumentPage *page = hl_window_get_page (window);
  HlSession *session = page != NULL ? hl_document_page_get_session (page) : NULL;
  HlLiveModel *live = session != NULL ? hl_session_get_live (session) : NULL;

  if (live == NULL || g_object_get_data (G_OBJECT (live), KEY) != NULL)
    return;
  g_object_set_data (G_OBJECT (live), KEY, live);
  g_signal_connect (live, "notify::busy", G_CALLBACK (queue_save), NULL);
}

/* What is seen of a picture is no change of it. */
static void
follow_place (HlWindow *window)
{
  HlDocumentPage *page = hl_window_get_page (window);
  HlSceneView *view = page != NULL ? hl_document_page_get_scene_view (page) : NULL;

  if (view == NULL || g_object_get_data (G_OBJECT (view), KEY) != NULL)
    return;
  g_object_set_data (G_OBJECT (view), KEY, view);
  g_signal_connect (view, "moved", G_CALLBACK (queue_save), NULL);
}

static void
on_changed (HlWindow *window,
            HlChanges changes)
{
  if (!(changes & ~NOT_CHOSEN))
    return;
  follow_text (window);
  follow_place (window);
  queue_save ();
}

static void
on_destroyed (HlWindow *window)
{
  const guint number = get_number (window);

  if (autosave.windows == NULL)
    return;
  g_ptr_array_remove (autosave.windows, window);
  g_array_append_val (autosave.closed, number);
  queue_save ();
}

/* Keeps what is open in it from now on. */
void
hl_autosave_follow (HlWindow *window)
{
  g_return_if_fail (HL_IS_WINDOW (window));

  if (autosave.windows == NULL)
    return;
  g_object_set_data (G_OBJECT (window), KEY, GUINT_TO_POINTER (++autosave.n_windows));
  g_ptr_array_add (autosave.windows, window);
  g_signal_connect (window, "changed", G_CALLBACK (on_changed), NULL);
  g_signal_connect (window, "destroy", G_CALLBACK (on_destroyed), NULL);
}

typedef struct
{
  HlSessionStore *store;
  GPtrArray *lost;
  GPtrArray *windows;
} Found;

static void
found_free (gpointer data)
{
  Found *found = data;

  g_clear_pointer (&found->store, hl_session_store_unref);
  g_ptr_array_unref (found->lost);
  g_ptr_array_unref (found->windows);
  g_free (found);
}

static void
run_find (GTask        *task,
          gpointer      source,
          gpointer      parent,
          GCancellable *cancellable)
{
  Found *found = g_new0 (Found, 1);
  g_autoptr (GError) error = NULL;

  found->store = hl_session_store_new (parent, &error);
  if (found->store == NULL)
    g_message ("%s: %s", (const char *) parent, error->message);
  found->lost = hl_session_store_find_lost (parent);
  found->windows = hl_session_store_load (found->lost);
  g_task_return_pointer (task, found, found_free);
  /* Behind what somebody waits for. */
  g_autofree char *images = hl_image_store_dup_path ();
  g_autofree char *recent = g_build_filename (g_get_user_data_dir (), "recently-used.xbel", NULL);
  hl_worker_give_way ();
  hl_image_store_prune (images, parent, recent, g_get_real_time () / G_TIME_SPAN_SECOND);
}

static void
on_found (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Found *found = g_task_propagate_pointer (G_TASK (result), NULL);

  /* It may have ended before. */
  if (autosave.windows == NULL)
    {
      if (found->store != NULL)
        hl_session_store_remove (found->store);
      found_free (found);
      return;
    }
  autosave.store = g_steal_pointer (&found->store);
  hl_lost_set (hl_lost_get (), found->lost, found->windows);
  queue_save ();
  found_free (found);
}

/* Before there is a window. */
void
hl_autosave_start (void)
{
  if (autosave.windows != NULL)
    return;
  autosave.windows = g_ptr_array_new ();
  autosave.closed = g_array_new (FALSE, FALSE, sizeof (guint));
  autosave.missing = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_saved_window_free);
  autosave.missing_numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_found, NULL);
  g_task_set_source_tag (task, hl_autosave_start);
  g_task_set_task_data (task, g_build_filename (g_get_user_state_dir (), "headlight", "windows", NULL), g_free);
  g_task_set_priority (task, G_PRIORITY_LOW);
  g_task_run_in_thread (task, run_find);
}

static void
forget_lost (void)
{
  g_autoptr (GPtrArray) nothing = g_ptr_array_new ();

  hl_lost_set (hl_lost_get (), nothing, nothing);
}

/* What is told of a tab once more is of one that has been read. */
static void
on_failed (HlDocumentPage *page,
           const GError   *error,
           HlSavedWindow  *missing)
{
  if (autosave.windows == NULL || hl_document_page_get_session (page) != NULL)
    return;
  hl_saved_window_add (missing, hl_document_page_save (page), hl_document_page_get_session_file (page));
  queue_save ();
}

static void
follow_missing (HlWindow *window,
                guint     n_before)
{
  const guint number = ++autosave.n_windows;
  HlSavedWindow *missing = hl_saved_window_new ();
  g_autoptr (GListModel) pages = hl_window_create_pages (window);

  g_array_append_val (autosave.missing_numbers, number);
  g_ptr_array_add (autosave.missing, missing);
  for (guint i = n_before; i < g_list_model_get_n_items (pages); i++)
    {
      g_autoptr (HlDocumentPage) page = g_list_model_get_item (pages, i);
      g_signal_connect (page, "failed", G_CALLBACK (on_failed), missing);
    }
}

/* Opens what was lost, in this window and in as many more as there were. */
void
hl_autosave_restore (HlWindow *window)
{
  g_return_if_fail (HL_IS_WINDOW (window));

  HlLost *lost = hl_lost_get ();
  g_autoptr (GPtrArray) windows = g_ptr_array_ref (hl_lost_get_windows (lost));

  g_clear_pointer (&autosave.obsolete, g_ptr_array_unref);
  autosave.obsolete = hl_lost_dup_stores (lost);
  forget_lost ();
  for (guint i = 0; i < windows->len; i++)
    {
      HlWindow *target = i == 0 ? window : hl_window_new (gtk_window_get_application (GTK_WINDOW (window)));
      g_autoptr (GListModel) before = hl_window_create_pages (target);
      hl_window_open_saved (target, windows->pdata[i]);
      follow_missing (target, g_list_model_get_n_items (before));
      gtk_window_present (GTK_WINDOW (target));
    }
  queue_save ();
}

static void
run_drop (GTask        *task,
          gpointer      source,
          gpointer      stores,
          GCancellable *cancellable)
{
  remove_stores (stores);
  g_task_return_boolean (task, TRUE);
}

/* Nobody wants what was lost. */
void
hl_autosave_drop (void)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  g_task_set_source_tag (task, hl_autosave_drop);
  g_task_set_task_data (task, hl_lost_dup_stores (hl_lost_get ()), (GDestroyNotify) g_ptr_array_unref);
  forget_lost ();
  g_task_run_in_thread (task, run_drop);
}

static void
end_store (void)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < autosave.missing->len; i++)
    {
      const guint number = g_array_index (autosave.missing_numbers, guint, i);
      const HlSavedWindow *missing = autosave.missing->pdata[i];
      if (missing->tabs->len > 0 && hl_session_store_save (autosave.store, number, missing, NULL))
        g_array_append_val (numbers, number);
    }
  if (numbers->len > 0)
    hl_session_store_leave (autosave.store, (const guint *) numbers->data, numbers->len);
  else
    hl_session_store_remove (autosave.store);
}

/* The program ends by itself: nothing is kept but tabs whose file could not be read. What was lost before and not decided about is offered once
 * more. */
void
hl_autosave_end (void)
{
  g_clear_handle_id (&autosave.timeout, g_source_remove);
  g_clear_pointer (&autosave.windows, g_ptr_array_unref);
  g_clear_pointer (&autosave.closed, g_array_unref);
  g_clear_pointer (&autosave.obsolete, g_ptr_array_unref);
  if (autosave.store != NULL)
    end_store ();
  g_clear_pointer (&autosave.missing, g_ptr_array_unref);
  g_clear_pointer (&autosave.missing_numbers, g_array_unref);
  g_clear_pointer (&autosave.store, hl_session_store_unref);
}
