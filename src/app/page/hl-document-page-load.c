/* SPDX-License-Identifier: MIT */
/* HlDocumentPage: a worker opens the file, and what comes of it is shown. */
#include "app/page/hl-document-page-private.h"

#include "app/session/hl-session-open.h"
#include "app/session/hl-session-saved.h"

static void
stop_loading (HlDocumentPage *self)
{
  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  hl_loading_page_stop (self->loading_page);
  hl_document_page_update_spinner (self);
  g_object_notify (G_OBJECT (self), "loading");
}

typedef struct
{
  HlDocumentPage *page;
  GCancellable *cancellable;
} Loading;

static void
loading_free (Loading *loading)
{
  g_object_unref (loading->page);
  g_object_unref (loading->cancellable);
  g_free (loading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Loading, loading_free)

/* There is a session or not, because of an error. */
static void
take_session (HlDocumentPage *self,
              HlSession      *session,
              const GError   *error)
{
  if (session != NULL)
    {
      if (hl_session_get_saved (session) != NULL)
        {
          g_set_object (&self->session_file, self->file);
          g_set_object (&self->file, hl_document_get_file (hl_session_get_document (session)));
        }
      hl_document_page_set_session (self, session);
      gtk_stack_set_visible_child_name (self->stack, "document");
    }
  hl_document_page_update_spinner (self);
  if (session != NULL)
    g_signal_emit_by_name (self, "ready");
  else
    g_signal_emit_by_name (self, "failed", error);
}

static void
on_loaded (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (Loading) loading = data;
  HlDocumentPage *self = loading->page;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSession) session = hl_session_open_finish (result, &error);

  /* Closed, cancelled, or opened once more in the meantime. */
  if (loading->cancellable != self->cancellable)
    return;

  g_clear_object (&self->cancellable);
  hl_loading_page_stop (self->loading_page);
  g_object_notify (G_OBJECT (self), "loading");
  take_session (self, session, error);
}

void
hl_document_page_cancel (HlDocumentPage *self)
{
  stop_loading (self);
  g_signal_emit_by_name (self, "cancelled");
}

/**
 * hl_document_page_load:
 * @self: a page
 *
 * Opens the file, or opens it again, and then as somebody chose before. Ends with one of the signals.
 */
void
hl_document_page_load (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  stop_loading (self);
  g_autoptr (HlProgress) progress = hl_progress_new ();
  Loading *loading = g_new0 (Loading, 1);
  self->cancellable = g_cancellable_new ();
  loading->page = g_object_ref (self);
  loading->cancellable = g_object_ref (self->cancellable);
  if (self->session == NULL)
    hl_loading_page_start (self->loading_page, self->name, progress);
  hl_document_page_update_spinner (self);
  g_object_notify (G_OBJECT (self), "loading");
  hl_session_open_async (self->file, self->located, self->session, progress, self->cancellable, on_loaded, loading);
}

/**
 * hl_document_page_show:
 * @self: a page
 * @document: a document that was read from its file
 *
 * Shows a document in place of the one that is shown, if there is one. Ends with #HlDocumentPage::ready or
 * #HlDocumentPage::failed.
 */
void
hl_document_page_show (HlDocumentPage *self,
                       HlDocument     *document)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));
  g_return_if_fail (HL_IS_DOCUMENT (document));

  stop_loading (self);
  g_autoptr (HlSession) session = hl_session_new (document, &error);
  take_session (self, session, error);
}

/**
 * hl_document_page_get_loading:
 * @self: a page
 *
 * Returns: whether the file is being opened
 */
gboolean
hl_document_page_get_loading (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), FALSE);
  return self->cancellable != NULL;
}

/**
 * hl_document_page_close:
 * @self: a page
 *
 * Stops all work and lets the document go. No signal follows.
 */
void
hl_document_page_close (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  stop_loading (self);
  if (self->session != NULL)
    hl_document_page_set_session (self, NULL);
  hl_late_spinner_set_busy (self->spinner, FALSE);
}
