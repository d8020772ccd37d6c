/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/window/hl-reading-question.h"

#include "view/hl-sentence.h"

#include <glib/gi18n.h>

typedef struct
{
  HlReadingAllowed on_allowed;
  gpointer data;
  GDestroyNotify free_data;
} Question;

static void
question_free (Question *self,
               GClosure *closure)
{
  self->free_data (self->data);
  g_free (self);
}

static void
on_response (AdwMessageDialog *dialog,
             const char       *response,
             Question         *self)
{
  if (g_str_equal (response, "read"))
    self->on_allowed (self->data);
}

/* @refusal is what hl_view_state_check_reading() says. @data is freed once there is an answer. */
void
hl_reading_question_ask (GtkWindow       *window,
                         const GError    *refusal,
                         HlReadingAllowed on_allowed,
                         gpointer         data,
                         GDestroyNotify   free_data)
{
  g_return_if_fail (GTK_IS_WINDOW (window));
  g_return_if_fail (refusal != NULL && on_allowed != NULL && free_data != NULL);

  g_autofree char *sentence = hl_sentence_of_error (refusal);
  GtkWidget *dialog = adw_message_dialog_new (window, _ ("Read Nevertheless?"), sentence);
  Question *self = g_new (Question, 1);

  *self = (Question){ on_allowed, data, free_data };
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "read",
                                    _ ("_Read Nevertheless"), NULL);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  gtk_window_set_title (GTK_WINDOW (dialog), _ ("Read Nevertheless?"));
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), self, (GClosureNotify) question_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
