/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/commands/hl-command-subject.h"

void
hl_command_present (const HlCommandSubject *on,
                    GtkWidget              *dialog)
{
  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (on->window));
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Whether the table is there to be seen. */
gboolean
hl_command_shows_head_table (const HlCommandSubject *on)
{
  gboolean shows;

  g_object_get (on->window, "panel-visible", &shows, NULL);
  return on->session != NULL && shows && hl_side_panel_get_shows_heads (hl_document_page_get_side_panel (on->page));
}

gboolean
hl_command_has_session (const HlCommandSubject *on)
{
  return on->session != NULL;
}

gboolean
hl_command_is_live (const HlCommandSubject *on)
{
  return on->session != NULL && hl_session_get_live (on->session) != NULL;
}
