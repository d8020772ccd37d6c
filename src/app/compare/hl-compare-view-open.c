/* SPDX-License-Identifier: MIT */
/* HlCompareView: the second side is opened in a worker, as tabs are. */
#include "config.h"

#include "app/compare/hl-compare-view-private.h"

#include "app/session/hl-session-open.h"
#include "core/base/hl-file-name.h"

#include <glib/gi18n.h>

void
hl_compare_view_stop_opening (HlCompareView *self)
{
  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  hl_loading_page_stop (self->loading_page);
}

typedef struct
{
  HlCompareView *view;
  GCancellable *cancellable;
  char *name;
  gboolean wants_text;
} Opening;

static void
on_opened (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autofree Opening *opening = data;
  g_autoptr (HlCompareView) self = opening->view;
  g_autoptr (GCancellable) cancellable = opening->cancellable;
  g_autofree char *name = opening->name;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSession) session = hl_session_open_finish (result, &error);

  if (cancellable != self->cancellable)
    {
      if (session != NULL)
        hl_session_close (session);
      return;
    }
  /* Not cancelled: a model that has its first layer still computes the others. */
  g_clear_object (&self->cancellable);
  hl_loading_page_stop (self->loading_page);
  if (session != NULL)
    {
      hl_compare_view_start (self, session, &(HlHeadPairing){ -1, -1 });
      if (opening->wants_text && hl_session_get_live (session) != NULL)
        hl_text_bar_focus (self->other_text_bar);
      return;
    }
  hl_compare_view_update (self);
  g_object_notify (G_OBJECT (self), "active");
  /* Translators: stands after a file's name and a colon, and before the reason */
  g_prefix_error (&error, _ ("it cannot be compared with “%s”: "), name);
  g_signal_emit_by_name (self, "failed", error);
}

/**
 * hl_compare_view_open:
 * @self: a compare view with a session
 * @file: a file, or the folder of a model
 * @like: (nullable): a session of the same model; what was typed there is computed, and can be changed
 *
 * Opens a file and shows both side by side, or #HlCompareView::failed tells why not.
 */
void
hl_compare_view_open (HlCompareView *self,
                      GFile         *file,
                      HlSession     *like)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));
  g_return_if_fail (G_IS_FILE (file));

  g_autoptr (HlProgress) progress = hl_progress_new ();
  Opening *opening = g_new0 (Opening, 1);

  hl_compare_view_stop_opening (self);
  self->cancellable = g_cancellable_new ();
  opening->view = g_object_ref (self);
  opening->cancellable = g_object_ref (self->cancellable);
  opening->name = hl_file_dup_display_name (file);
  opening->wants_text = like == self->session;
  hl_loading_page_start (self->loading_page, opening->name, progress);
  hl_compare_view_update (self);
  g_object_notify (G_OBJECT (self), "active");
  hl_session_open_async (file, NULL, like, progress, self->cancellable, on_opened, opening);
}
