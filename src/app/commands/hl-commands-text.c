/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/commands/hl-commands-text.h"

#include "app/page/hl-texts-dialog.h"

void
hl_command_edit_text (const HlCommandSubject *on)
{
  hl_document_page_focus (on->page);
}

void
hl_command_generate (const HlCommandSubject *on)
{
  hl_document_page_generate (on->page);
}

/* The token of the text that is in focus, whichever side it is on. */
static gboolean
find_token (const HlCommandSubject *on,
            gsize                  *token)
{
  const HlPick *focus = hl_view_state_get_focus (on->state);
  const HlShown *shown = hl_view_state_get_shown (on->state);

  return hl_shown_find_token (shown, focus, HL_QUERIES, token) || hl_shown_find_token (shown, focus, HL_KEYS, token);
}

void
hl_command_mask_token (const HlCommandSubject *on)
{
  gsize token;

  if (find_token (on, &token))
    hl_live_model_mask (hl_session_get_live (on->session), token);
}

void
hl_command_space_letters (const HlCommandSubject *on)
{
  hl_document_page_space_letters (on->page);
}

static const char texts_dialog_key[] = "hl-texts-dialog";

/* It goes on with what the tab shows now; of one that is closed nothing is kept. */
static void
on_session_changed (HlDocumentPage *page,
                    GParamSpec     *property,
                    HlTextsDialog  *dialog)
{
  HlSession *session = hl_document_page_get_session (page);

  if (session != NULL)
    {
      hl_texts_dialog_set_session (dialog, session);
      return;
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_object_set_data (G_OBJECT (page), texts_dialog_key, NULL);
}

/* It goes with its tab from window to window: GTK 4.8 does not let go of one that ends while somebody keeps the dialog. */
static void
follow_window (HlDocumentPage *page,
               GParamSpec     *property,
               GtkWindow      *dialog)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (page));

  gtk_window_set_transient_for (dialog, root != NULL ? GTK_WINDOW (root) : NULL);
}

/* Results stay in it while it is hidden. */
void
hl_command_take_several_texts (const HlCommandSubject *on)
{
  GtkWidget *dialog = g_object_get_data (G_OBJECT (on->page), texts_dialog_key);

  if (dialog == NULL)
    {
      dialog = hl_texts_dialog_new (on->session, hl_document_page_get_file (on->page));
      g_object_set_data_full (G_OBJECT (on->page), texts_dialog_key, g_object_ref (dialog), g_object_unref);
      g_signal_connect_object (on->page, "notify::session", G_CALLBACK (on_session_changed), dialog, 0);
      g_signal_connect_object (on->page, "notify::root", G_CALLBACK (follow_window), dialog, 0);
      g_signal_connect_object (on->page, "destroy", G_CALLBACK (gtk_window_destroy), dialog, G_CONNECT_SWAPPED);
    }
  hl_command_present (on, dialog);
}

void
hl_command_change_adapter (const HlCommandSubject *on)
{
  hl_live_model_set_adapter (hl_session_get_live (on->session), g_variant_get_boolean (on->value));
}

gboolean
hl_command_takes_texts (const HlCommandSubject *on)
{
  return hl_command_is_live (on) && hl_live_model_takes_texts (hl_session_get_live (on->session));
}

gboolean
hl_command_can_generate (const HlCommandSubject *on)
{
  return hl_command_is_live (on) && hl_live_model_can_write (hl_session_get_live (on->session));
}

gboolean
hl_command_has_adapter (const HlCommandSubject *on)
{
  return hl_command_is_live (on) && hl_live_model_has_adapter (hl_session_get_live (on->session));
}

/* A token in focus that can be guessed. */
gboolean
hl_command_can_mask (const HlCommandSubject *on)
{
  gsize token;

  return hl_command_is_live (on) && hl_live_model_can_mask (hl_session_get_live (on->session)) &&
         find_token (on, &token);
}

GVariant *
hl_command_get_adapter (const HlCommandSubject *on)
{
  return g_variant_new_boolean (hl_command_has_adapter (on) &&
                                hl_live_model_get_adapter (hl_session_get_live (on->session)));
}
