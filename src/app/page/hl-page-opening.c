/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/page/hl-page-opening.h"

#include "app/session/hl-session-open.h"

struct _HlPageOpening
{
  GObject parent_instance;

  GCancellable *cancellable; /* of what is under way */
  HlProgress *progress;      /* of a file that is read */
};

enum
{
  OPENED,
  FAILED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlPageOpening, hl_page_opening, G_TYPE_OBJECT)

typedef struct
{
  HlPageOpening *opening;
  GCancellable *cancellable;
  gboolean is_first; /* there is no session before */
} Step;

static void
step_free (Step *step)
{
  g_object_unref (step->opening);
  g_object_unref (step->cancellable);
  g_free (step);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Step, step_free)

static Step *
step_new (HlPageOpening *self,
          gboolean       is_first)
{
  Step *step = g_new0 (Step, 1);

  if (self->cancellable == NULL)
    self->cancellable = g_cancellable_new ();
  step->opening = g_object_ref (self);
  step->cancellable = g_object_ref (self->cancellable);
  step->is_first = is_first;
  return step;
}

static void
hl_page_opening_dispose (GObject *object)
{
  hl_page_opening_stop (HL_PAGE_OPENING (object));
  G_OBJECT_CLASS (hl_page_opening_parent_class)->dispose (object);
}

static void
hl_page_opening_class_init (HlPageOpeningClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_page_opening_dispose;

  /* There is a session; with it an HlFirstHead if a head was chosen, else NULL. */
  signals[OPENED] = g_signal_new ("opened", HL_TYPE_PAGE_OPENING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  2, HL_TYPE_SESSION, G_TYPE_POINTER);
  /* There is none; with what pixels the model wants, if that is why, else NULL. */
  signals[FAILED] = g_signal_new ("failed", HL_TYPE_PAGE_OPENING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  2, G_TYPE_ERROR, G_TYPE_STRING);
}

static void
hl_page_opening_init (HlPageOpening *self)
{
}

HlPageOpening *
hl_page_opening_new (void)
{
  return g_object_new (HL_TYPE_PAGE_OPENING, NULL);
}

static void
on_chosen (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (Step) step = data;
  HlPageOpening *self = step->opening;
  HlFirstHead choice;
  const gboolean is_chosen = hl_first_choice_make_finish (HL_SESSION (source), result, &choice);

  if (step->cancellable != self->cancellable)
    return;
  g_clear_object (&self->cancellable);
  g_clear_object (&self->progress);
  g_signal_emit (self, signals[OPENED], 0, source, is_chosen ? &choice : NULL);
}

static void
on_loaded (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (Step) step = data;
  HlPageOpening *self = step->opening;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSession) session = hl_session_open_finish (result, &error);

  /* Closed, cancelled, or opened once more in the meantime. */
  if (step->cancellable != self->cancellable)
    return;

  /* What is opened once more, or was saved, stays with the head that it has. */
  if (session != NULL && step->is_first && hl_session_get_saved (session) == NULL)
    {
      hl_page_opening_choose (self, session);
      return;
    }
  g_clear_object (&self->cancellable);
  g_clear_object (&self->progress);
  if (session != NULL)
    {
      g_signal_emit (self, signals[OPENED], 0, session, NULL);
      return;
    }
  g_autofree char *wanted = hl_session_open_dup_wanted_pixels (result);
  g_signal_emit (self, signals[FAILED], 0, error, wanted);
}

/* Opens a file. @before: (nullable): a session whose place that takes. Ends with one of the signals. */
void
hl_page_opening_start (HlPageOpening       *self,
                       const HlOpenRequest *request,
                       HlSession           *before,
                       HlProgress          *progress)
{
  g_return_if_fail (HL_IS_PAGE_OPENING (self));
  g_return_if_fail (request != NULL);

  hl_page_opening_stop (self);
  self->progress = g_object_ref (progress);
  Step *step = step_new (self, before == NULL);
  hl_session_open_async (request, before, progress, self->cancellable, on_loaded, step);
}

/* A session is there, and it is to begin with the head that is worth seeing first. */
void
hl_page_opening_choose (HlPageOpening *self,
                        HlSession     *session)
{
  g_return_if_fail (HL_IS_PAGE_OPENING (self));
  g_return_if_fail (HL_IS_SESSION (session));

  Step *step = step_new (self, TRUE);
  hl_first_choice_make_async (session, self->cancellable, on_chosen, step);
}

static void
on_resumed (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  g_autoptr (Step) step = data;
  HlPageOpening *self = step->opening;
  g_autoptr (GError) error = NULL;
  const gboolean is_resumed = hl_session_resume_finish (HL_SESSION (source), result, &error);

  if (step->cancellable != self->cancellable)
    return;
  g_clear_object (&self->cancellable);
  if (is_resumed)
    g_signal_emit (self, signals[OPENED], 0, source, NULL);
  else
    g_signal_emit (self, signals[FAILED], 0, error, NULL);
}

/* A session is there that takes the place of another of the file, and is to go on with the example that is looked at there. */
void
hl_page_opening_resume (HlPageOpening *self,
                        HlSession     *session,
                        HlSession     *before)
{
  g_return_if_fail (HL_IS_PAGE_OPENING (self));
  g_return_if_fail (HL_IS_SESSION (session));
  g_return_if_fail (HL_IS_SESSION (before));

  hl_session_resume_async (session, before, on_resumed, step_new (self, FALSE));
}

/* No signal follows. */
void
hl_page_opening_stop (HlPageOpening *self)
{
  g_return_if_fail (HL_IS_PAGE_OPENING (self));

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->progress);
}

gboolean
hl_page_opening_get_busy (HlPageOpening *self)
{
  g_return_val_if_fail (HL_IS_PAGE_OPENING (self), FALSE);

  return self->cancellable != NULL;
}

/* How far a file is that is being opened; %NULL if none is. */
HlProgress *
hl_page_opening_get_progress (HlPageOpening *self)
{
  g_return_val_if_fail (HL_IS_PAGE_OPENING (self), NULL);

  return self->progress;
}
