/* SPDX-License-Identifier: MIT */
/* How somebody says in a window how a file is to be read. */
#include "config.h"

#include "app/window/hl-window-private.h"

#include "app/reading/hl-axes-dialog.h"
#include "app/reading/hl-axes-survey.h"

#include <glib/gi18n.h>

static void
choose_axes (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  HlWindow *self = data;
  HlDocument *document = hl_session_get_document (self->session);
  GtkWidget *dialog = hl_axes_dialog_new (hl_document_page_get_file (self->page), document);

  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (self));
  g_signal_connect_object (dialog, "applied", G_CALLBACK (hl_document_page_show), self->page, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Of a file that could not be opened. */
static void
choose_axes_of (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  GtkWidget *dialog = hl_axes_dialog_new (file, NULL);

  gtk_window_set_transient_for (GTK_WINDOW (dialog), data);
  g_signal_connect_object (dialog, "applied", G_CALLBACK (hl_window_open_document), data, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

typedef struct
{
  HlWindow *window;
  GFile *file;
  char *text;
} Offer;

static void
on_survey (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autofree Offer *offer = data;
  g_autoptr (HlWindow) window = offer->window;
  g_autoptr (GFile) file = offer->file;
  g_autofree char *text = offer->text;
  g_autofree char *uri = g_file_get_uri (file);
  /* What cannot be opened at all has no choice. */
  g_autoptr (HlAxesSurvey) survey = hl_axes_survey_make_finish (result, NULL);

  if (survey == NULL || survey->items->len == 0 || !gtk_widget_get_mapped (GTK_WIDGET (window)))
    return;
  if (hl_window_says (window, text))
    hl_window_offer (window, text, _ ("_Choose…"), "win.axes-of", uri, HL_SENTENCE_SECONDS);
  hl_welcome_page_offer_axes (window->welcome_page, text, uri);
}

/* If there is something to choose from in a file in which no attention was found, that is offered beside what was
 * said. */
void
hl_window_offer_axes (HlWindow   *self,
                      GFile      *file,
                      const char *text)
{
  Offer *offer = g_new0 (Offer, 1);

  *offer = (Offer){ g_object_ref (self), g_object_ref (file), g_strdup (text) };
  hl_axes_survey_make_async (file, NULL, NULL, on_survey, offer);
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
static void
show_softmax (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  HlWindow *self = data;
  HlDocument *document = hl_session_get_document (self->session);
  const HlOpenOptions *before = hl_document_get_options (document);
  const HlOpenOptions none = { 0 };
  g_autoptr (HlOpenOptions) options = hl_open_options_copy (before != NULL ? before : &none);
  Reading *reading = g_new0 (Reading, 1);

  options->softmax = TRUE;
  *reading = (Reading){ g_object_ref (self), g_object_ref (self->page), g_object_ref (self->session) };
  hl_document_read_again_async (document, options, NULL, on_read, reading);
}

static const GActionEntry entries[] = {
  { "axes", choose_axes },
  { "axes-of", choose_axes_of, "s" },
  { "softmax", show_softmax },
};

void
hl_window_install_axes_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

/* Whether a softmax could be made of what a file has stored. */
static gboolean
can_be_scores (HlDocument *document)
{
  g_autoptr (HlExample) example = document != NULL && hl_document_get_archive (document) != NULL
                                    ? hl_document_get_example (document, 0, NULL, NULL)
                                    : NULL;
  HlAttention *attention = example != NULL ? hl_example_get_attention (example, 0) : NULL;

  return attention != NULL && hl_attention_get_weights (attention, 0) != NULL && !hl_attention_has_scores (attention);
}

void
hl_window_update_axes_actions (HlWindow *self)
{
  HlDocument *document = self->session != NULL ? hl_session_get_document (self->session) : NULL;

  hl_window_enable_action (self, "axes", document != NULL && hl_document_get_archive (document) != NULL);
  hl_window_enable_action (self, "softmax", can_be_scores (document));
}
