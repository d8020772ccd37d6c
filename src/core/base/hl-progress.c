/* SPDX-License-Identifier: MIT */
#include "core/base/hl-progress.h"

#include "core/base/hl-pace.h"

/* Microseconds: of what is over sooner nobody asks how fast it is. */
#define PACE_AFTER 500000

/**
 * HlProgress:
 *
 * How far a piece of work is. The worker sets it from its thread; whoever made the object is notified in the main context it was made in, at
 * most once an iteration.
 */
struct _HlProgress
{
  GObject parent_instance;

  GMainContext *context;
  GMutex lock;
  double fraction;
  char *message;
  gboolean notify_queued;

  /* Of a run that is timed. */
  gint64 begin; /* 0 for none */
  double begin_fraction;
  gint64 set; /* when the fraction was */
  gsize n_tokens;
};

enum
{
  PROP_FRACTION = 1,
  PROP_MESSAGE,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlProgress, hl_progress, G_TYPE_OBJECT)

static void
hl_progress_get_property (GObject    *object,
                          guint       id,
                          GValue     *value,
                          GParamSpec *pspec)
{
  HlProgress *self = HL_PROGRESS (object);

  switch (id)
    {
    case PROP_FRACTION:
      g_value_set_double (value, hl_progress_get_fraction (self));
      break;
    case PROP_MESSAGE:
      g_value_take_string (value, hl_progress_dup_message (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_progress_finalize (GObject *object)
{
  HlProgress *self = HL_PROGRESS (object);

  g_main_context_unref (self->context);
  g_mutex_clear (&self->lock);
  g_free (self->message);
  G_OBJECT_CLASS (hl_progress_parent_class)->finalize (object);
}

static void
hl_progress_class_init (HlProgressClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = hl_progress_get_property;
  object_class->finalize = hl_progress_finalize;

  properties[PROP_FRACTION] =
    g_param_spec_double ("fraction", NULL, NULL, 0, 1, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_MESSAGE] =
    g_param_spec_string ("message", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
hl_progress_init (HlProgress *self)
{
  self->context = g_main_context_ref_thread_default ();
  g_mutex_init (&self->lock);
}

/**
 * hl_progress_new:
 *
 * Returns: (transfer full): progress at 0, that notifies in the thread-default main context of the caller
 */
HlProgress *
hl_progress_new (void)
{
  return g_object_new (HL_TYPE_PROGRESS, NULL);
}

static gboolean
notify (gpointer data)
{
  HlProgress *self = data;

  g_mutex_lock (&self->lock);
  self->notify_queued = FALSE;
  g_mutex_unlock (&self->lock);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FRACTION]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MESSAGE]);
  return G_SOURCE_REMOVE;
}

/**
 * hl_progress_set:
 * @self: (nullable): progress; %NULL does nothing, so that workers need not ask
 * @fraction: 0 to 1
 * @message: (nullable): what is being done, translated; %NULL keeps the message
 *
 * Says how far the work is. From any thread.
 */
void
hl_progress_set (HlProgress *self,
                 double      fraction,
                 const char *message)
{
  if (self == NULL)
    return;
  g_return_if_fail (HL_IS_PROGRESS (self));

  g_mutex_lock (&self->lock);
  /* What begins again is something else. */
  if (fraction < self->fraction)
    self->begin = 0;
  self->fraction = CLAMP (fraction, 0, 1);
  self->set = g_get_monotonic_time ();
  if (message != NULL && g_strcmp0 (message, self->message) != 0)
    {
      g_free (self->message);
      self->message = g_strdup (message);
    }
  const gboolean queue = !self->notify_queued;
  self->notify_queued = TRUE;
  g_mutex_unlock (&self->lock);

  if (queue)
    {
      g_autoptr (GSource) source = g_idle_source_new ();
      g_source_set_priority (source, G_PRIORITY_DEFAULT);
      g_source_set_callback (source, notify, g_object_ref (self), g_object_unref);
      g_source_attach (source, self->context);
    }
}

/**
 * hl_progress_begin:
 * @self: (nullable): progress; %NULL does nothing
 * @n_tokens: how many tokens the model computes until the work is done; 0 where that is not what it does
 *
 * Has the rest of the work timed, for hl_progress_dup_pace(). From any thread.
 */
void
hl_progress_begin (HlProgress *self,
                   gsize       n_tokens)
{
  if (self == NULL)
    return;
  g_return_if_fail (HL_IS_PROGRESS (self));

  g_mutex_lock (&self->lock);
  self->begin = self->set = g_get_monotonic_time ();
  self->begin_fraction = self->fraction;
  self->n_tokens = n_tokens;
  g_mutex_unlock (&self->lock);
}

/**
 * hl_progress_dup_pace:
 * @self: progress
 *
 * Returns: (transfer full) (nullable): as hl_pace_describe(), once the work that hl_progress_begin() began takes more than half a second; %NULL before,
 *   while nothing of it is done, and once it is done
 */
char *
hl_progress_dup_pace (HlProgress *self)
{
  g_return_val_if_fail (HL_IS_PROGRESS (self), NULL);

  const gint64 now = g_get_monotonic_time ();

  g_mutex_lock (&self->lock);
  HlPace pace = { .n_tokens = self->n_tokens,
                  .share = (self->fraction - self->begin_fraction) / (1 - self->begin_fraction),
                  .seconds = (double) (self->set - self->begin) / G_USEC_PER_SEC };
  const gboolean is_known = self->begin > 0 && now - self->begin >= PACE_AFTER && pace.share > 0 &&
                            self->fraction < 1 && pace.seconds > 0;
  pace.left = is_known ? MAX (pace.seconds / pace.share - (double) (now - self->begin) / G_USEC_PER_SEC, 0) : 0;
  g_mutex_unlock (&self->lock);
  return is_known ? hl_pace_describe (&pace) : NULL;
}

/**
 * hl_progress_get_fraction:
 * @self: progress
 *
 * Returns: 0 to 1
 */
double
hl_progress_get_fraction (HlProgress *self)
{
  g_return_val_if_fail (HL_IS_PROGRESS (self), 0);

  g_mutex_lock (&self->lock);
  const double fraction = self->fraction;
  g_mutex_unlock (&self->lock);
  return fraction;
}

/**
 * hl_progress_dup_message:
 * @self: progress
 *
 * Returns: (transfer full) (nullable): what is being done
 */
char *
hl_progress_dup_message (HlProgress *self)
{
  g_return_val_if_fail (HL_IS_PROGRESS (self), NULL);

  g_mutex_lock (&self->lock);
  char *message = g_strdup (self->message);
  g_mutex_unlock (&self->lock);
  return message;
}
