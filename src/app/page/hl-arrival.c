/* SPDX-License-Identifier: MIT */
/* Files that came together: dropped, chosen or given on the command line. Whichever is read first, the first of them
 * that can be read is on top. */
#include "config.h"

#include "app/page/hl-arrival.h"

struct _HlArrival
{
  GPtrArray *pages; /* weak, in the order of the files */
};

#define KEY "hl-arrival"

static void
free_weak (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

static void
clear (gpointer data)
{
  g_ptr_array_unref (((HlArrival *) data)->pages);
}

HlArrival *
hl_arrival_new (void)
{
  HlArrival *self = g_rc_box_new (HlArrival);

  self->pages = g_ptr_array_new_with_free_func (free_weak);
  return self;
}

/* Lets go of it. Its pages hold it, too. */
void
hl_arrival_unref (HlArrival *self)
{
  g_rc_box_release_full (self, clear);
}

/* Makes a page one of those that came together; it belongs to no other arrival any more. */
void
hl_arrival_add (HlArrival      *self,
                HlDocumentPage *page)
{
  GWeakRef *weak = g_new0 (GWeakRef, 1);

  g_return_if_fail (HL_IS_DOCUMENT_PAGE (page));

  g_weak_ref_init (weak, page);
  g_ptr_array_add (self->pages, weak);
  g_object_set_data_full (G_OBJECT (page), KEY, g_rc_box_acquire (self), (GDestroyNotify) hl_arrival_unref);
}

/* The first page that is still in a window, apart from one. */
static HlDocumentPage *
find_first (const HlArrival      *self,
            const HlDocumentPage *but)
{
  for (guint i = 0; i < self->pages->len; i++)
    {
      g_autoptr (HlDocumentPage) page = g_weak_ref_get (self->pages->pdata[i]);

      if (page != NULL && page != but && gtk_widget_get_root (GTK_WIDGET (page)) != NULL)
        return page;
    }
  return NULL;
}

gboolean
hl_arrival_is_first (HlDocumentPage *page)
{
  const HlArrival *self = g_object_get_data (G_OBJECT (page), KEY);

  return self == NULL || find_first (self, NULL) == page;
}

/* From now on it is as if it had come alone: what is read again does not ask who came first. */
gboolean
hl_arrival_settle (HlDocumentPage *page)
{
  const gboolean is_first = hl_arrival_is_first (page);

  g_object_set_data (G_OBJECT (page), KEY, NULL);
  return is_first;
}

/* Takes it from those that it came with. */
HlDocumentPage *
hl_arrival_leave (HlDocumentPage *page)
{
  const HlArrival *self = g_object_get_data (G_OBJECT (page), KEY);
  HlDocumentPage *next = self != NULL && find_first (self, NULL) == page ? find_first (self, page) : NULL;

  g_object_set_data (G_OBJECT (page), KEY, NULL);
  return next;
}
