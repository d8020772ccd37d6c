/* SPDX-License-Identifier: MIT */
/* How somebody says in a window how a file is to be read. */
#include "config.h"

#include "app/hl-window-private.h"

#include "app/hl-axes-dialog.h"

void
hl_window_choose_axes (HlWindow *self)
{
  HlDocument *document = hl_session_get_document (self->session);
  GtkWidget *dialog = hl_axes_dialog_new (hl_document_page_get_file (self->page), document);

  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (self));
  g_signal_connect_object (dialog, "applied", G_CALLBACK (hl_document_page_show), self->page, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

typedef struct
{
  HlWindow *window;
  HlDocumentPage *page;
  HlSession *session; /* what is to be replaced, if it is still there */
} Reading;

static void
on_read (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autofree Reading *reading = data;
  g_autoptr (HlWindow) window = reading->window;
  g_autoptr (HlDocumentPage) page = reading->page;
  g_autoptr (HlSession) session = reading->session;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load_finish (result, &error);

  if (hl_document_page_get_session (page) != session)
    return;
  if (document != NULL)
    hl_document_page_show (page, document);
  else
    hl_window_say (window, error->message, NULL, HL_SENTENCE_SECONDS);
}

/* As it is read, but as scores. */
void
hl_window_show_softmax (HlWindow *self)
{
  HlDocument *document = hl_session_get_document (self->session);
  const HlOpenOptions *before = hl_document_get_options (document);
  const HlOpenOptions none = { 0 };
  g_autoptr (HlOpenOptions) options = hl_open_options_copy (before != NULL ? before : &none);
  Reading *reading = g_new0 (Reading, 1);

  options->softmax = TRUE;
  *reading = (Reading){ g_object_ref (self), g_object_ref (self->page), g_object_ref (self->session) };
  hl_document_read_again_async (document, options, NULL, on_read, reading);
}
