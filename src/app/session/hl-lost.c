/* SPDX-License-Identifier: MIT */
/* What was open in programs that did not end by themselves. */
#include "config.h"

#include "app/session/hl-lost.h"

#include "core/base/hl-owner.h"

struct _HlLost
{
  GObject parent_instance;

  GThread *owner;
  GPtrArray *stores;
  GPtrArray *windows;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlLost, hl_lost, G_TYPE_OBJECT)

static void
hl_lost_finalize (GObject *object)
{
  HlLost *self = HL_LOST (object);

  g_ptr_array_unref (self->stores);
  g_ptr_array_unref (self->windows);
  G_OBJECT_CLASS (hl_lost_parent_class)->finalize (object);
}

static void
hl_lost_class_init (HlLostClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_lost_finalize;

  signals[CHANGED] = g_signal_new ("changed", HL_TYPE_LOST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_lost_init (HlLost *self)
{
  self->owner = g_thread_self ();
  self->stores = g_ptr_array_new ();
  self->windows = g_ptr_array_new ();
}

HlLost *
hl_lost_get (void)
{
  static HlLost *lost;

  if (lost == NULL)
    lost = g_object_new (HL_TYPE_LOST, NULL);
  return lost;
}

/* Stores that are held, and the windows (HlSavedWindow) that were in them; none of either once somebody has decided. */
void
hl_lost_set (HlLost    *self,
             GPtrArray *stores,
             GPtrArray *windows)
{
  g_return_if_fail (HL_IS_LOST (self));
  g_return_if_fail (stores != NULL && windows != NULL);
  HL_ASSERT_OWNER (self);

  g_ptr_array_ref (stores);
  g_ptr_array_ref (windows);
  g_ptr_array_unref (self->stores);
  g_ptr_array_unref (self->windows);
  self->stores = stores;
  self->windows = windows;
  g_signal_emit (self, signals[CHANGED], 0);
}

guint
hl_lost_get_n_tabs (HlLost *self)
{
  guint n = 0;

  g_return_val_if_fail (HL_IS_LOST (self), 0);

  for (guint i = 0; i < self->windows->len; i++)
    n += ((const HlSavedWindow *) self->windows->pdata[i])->tabs->len;
  return n;
}

GPtrArray *
hl_lost_get_windows (HlLost *self)
{
  g_return_val_if_fail (HL_IS_LOST (self), NULL);
  return self->windows;
}

GPtrArray *
hl_lost_dup_stores (HlLost *self)
{
  g_return_val_if_fail (HL_IS_LOST (self), NULL);
  return g_ptr_array_ref (self->stores);
}
