/* SPDX-License-Identifier: MIT */
/*
 * The system says when something may have happened to a file, a worker looks whether it did. While somebody is still
 * writing, nothing is said: what is half written need not be read.
 */
#include "config.h"

#include "app/session/hl-file-watch.h"

#include "core/base/hl-owner.h"
#include "core/model/local/hl-file-stamp.h"

/* After a sign of change, and again for as long as there is another stamp each time. */
#define LOOK_AFTER_MS 400
/* Whoever writes all the time is not waited for any longer. */
#define MAX_LOOKS 25

struct _HlFileWatch
{
  GObject parent_instance;

  GThread *owner;
  GFile *file;
  GPtrArray *places;   /* in which something may happen to it */
  GPtrArray *monitors; /* of these; none where the system has none to give */
  char *stamp;         /* of what was read */
  char *seen;          /* at the last look */
  char *said;          /* when the state was told last: it may be gone at a look that is not yet the last of a change */
  gboolean is_known;   /* whether there was a look, or a stamp to begin with */
  HlFileState state;

  guint timeout;
  guint n_looks;
  gboolean again; /* something happened during the look */
  gboolean is_looking;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlFileWatch, hl_file_watch, G_TYPE_OBJECT)

static void queue_look (HlFileWatch *self);

static void
say (HlFileWatch *self)
{
  self->n_looks = 0;
  self->state = self->seen == NULL                      ? HL_FILE_GONE
                : g_str_equal (self->seen, self->stamp) ? HL_FILE_AS_READ
                                                        : HL_FILE_CHANGED;
  g_free (self->said);
  self->said = g_strdup (self->seen);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
unwatch (GFileMonitor *monitor)
{
  g_file_monitor_cancel (monitor);
  g_object_unref (monitor);
}

/* A training that goes on saves in another folder, and an adapter may be written anew for another model. Between the look
 * and the monitor something may have happened. */
static void
watch (HlFileWatch *self,
       GPtrArray   *places)
{
  gboolean same = self->places != NULL && self->places->len == places->len;

  for (guint i = 0; same && i < places->len; i++)
    same = g_file_equal (self->places->pdata[i], places->pdata[i]);
  if (same)
    return;
  g_clear_pointer (&self->places, g_ptr_array_unref);
  self->places = g_ptr_array_ref (places);
  g_ptr_array_set_size (self->monitors, 0);
  for (guint i = 0; i < places->len; i++)
    {
      GFileMonitor *monitor = g_file_monitor (places->pdata[i], G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
      if (monitor == NULL)
        continue;
      g_signal_connect_object (monitor, "changed", G_CALLBACK (queue_look), self, G_CONNECT_SWAPPED);
      g_ptr_array_add (self->monitors, monitor);
    }
  queue_look (self);
}

typedef struct
{
  char *stamp;
  GPtrArray *places;
} Look;

static void
look_free (gpointer data)
{
  Look *self = data;

  g_free (self->stamp);
  g_ptr_array_unref (self->places);
  g_free (self);
}

static void
looked (GObject      *source,
        GAsyncResult *result,
        gpointer      data)
{
  g_autoptr (HlFileWatch) self = data;
  Look *look = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autofree char *stamp = g_steal_pointer (&look->stamp);

  self->is_looking = FALSE;
  if (self->file != NULL)
    watch (self, look->places);
  look_free (look);
  if (!self->is_known && stamp == NULL)
    return;
  if (!self->is_known)
    {
      self->is_known = TRUE;
      self->stamp = g_strdup (stamp);
      self->seen = g_steal_pointer (&stamp);
      return;
    }
  const gboolean is_news = g_strcmp0 (stamp, self->seen) != 0;

  g_free (self->seen);
  self->seen = g_steal_pointer (&stamp);
  if ((is_news || self->again) && self->n_looks++ < MAX_LOOKS)
    queue_look (self);
  else if (is_news || self->n_looks > 0)
    say (self);
  self->again = FALSE;
}

static void
look (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  Look *look = g_new0 (Look, 1);

  look->stamp = hl_file_stamp_take (data, &look->places, NULL);
  g_task_return_pointer (task, look, look_free);
}

/* The task does not own the watch: tasks may be finalized in the worker. */
void
hl_file_watch_check (HlFileWatch *self)
{
  g_return_if_fail (HL_IS_FILE_WATCH (self));
  HL_ASSERT_OWNER (self);

  if (self->is_looking)
    {
      self->again = TRUE;
      return;
    }
  self->is_looking = TRUE;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, looked, g_object_ref (self));
  g_task_set_source_tag (task, hl_file_watch_check);
  g_task_set_task_data (task, g_object_ref (self->file), g_object_unref);
  g_task_run_in_thread (task, look);
}

static gboolean
on_timeout (gpointer data)
{
  HlFileWatch *self = data;

  self->timeout = 0;
  hl_file_watch_check (self);
  return G_SOURCE_REMOVE;
}

static void
queue_look (HlFileWatch *self)
{
  if (self->timeout == 0)
    self->timeout = g_timeout_add (LOOK_AFTER_MS, on_timeout, self);
}

static void
hl_file_watch_dispose (GObject *object)
{
  HlFileWatch *self = HL_FILE_WATCH (object);

  HL_ASSERT_OWNER (self);
  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_pointer (&self->monitors, g_ptr_array_unref);
  g_clear_pointer (&self->places, g_ptr_array_unref);
  g_clear_object (&self->file);
  G_OBJECT_CLASS (hl_file_watch_parent_class)->dispose (object);
}

static void
hl_file_watch_finalize (GObject *object)
{
  HlFileWatch *self = HL_FILE_WATCH (object);

  g_free (self->stamp);
  g_free (self->seen);
  g_free (self->said);
  G_OBJECT_CLASS (hl_file_watch_parent_class)->finalize (object);
}

static void
hl_file_watch_class_init (HlFileWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_file_watch_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_file_watch_finalize;

  /* The file is another one than at the last time, or as it was again: see hl_file_watch_get_state(). */
  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_FILE_WATCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_file_watch_init (HlFileWatch *self)
{
  self->owner = g_thread_self ();
  self->monitors = g_ptr_array_new_with_free_func ((GDestroyNotify) unwatch);
}

/* @stamp is of the file before it was read; NULL for what it is now. */
HlFileWatch *
hl_file_watch_new (GFile      *file,
                   const char *stamp)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  HlFileWatch *self = g_object_new (HL_TYPE_FILE_WATCH, NULL);
  self->file = g_object_ref (file);
  self->is_known = stamp != NULL;
  self->stamp = g_strdup (stamp);
  self->seen = g_strdup (stamp);
  /* It may have changed while it was read. The look says what there is to watch. */
  hl_file_watch_check (self);
  return self;
}

HlFileState
hl_file_watch_get_state (HlFileWatch *self)
{
  g_return_val_if_fail (HL_IS_FILE_WATCH (self), HL_FILE_AS_READ);
  return self->state;
}

/* What it was when its state was told, to tell one change from the next; NULL for nothing, but never of a file that changed. */
const char *
hl_file_watch_get_said (HlFileWatch *self)
{
  g_return_val_if_fail (HL_IS_FILE_WATCH (self), NULL);
  return self->said;
}

/* What the file was when it was read; NULL while nobody looked. */
const char *
hl_file_watch_get_stamp (HlFileWatch *self)
{
  g_return_val_if_fail (HL_IS_FILE_WATCH (self), NULL);
  return self->stamp;
}
