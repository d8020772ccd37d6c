/* SPDX-License-Identifier: MIT */
/* The options that say how the second side of a figure is looked at, where it is not looked at as the first. */
#include "cli/base/cli-other-view.h"

#include "cli/base/cli-session.h"
#include "cli/base/cli-text.h"

#include <glib/gi18n-lib.h>

static const struct
{
  const char *option;
  const char *name; /* of what of both it is in session files */
  const char *hint;
  const char *description;
} table[] = {
  { "other-block", "block", "attention|encoder|decoder|cross",
    N_ ("Which attention of the second side; that of the same kind otherwise") },
  { "other-hidden", "hidden", "I,I-J,qI,kI…",
    N_ ("Which of its tokens are left out; those that are in the first otherwise") },
  { "other-token", "token", "I|:J|I:J", N_ ("Which of its tokens is pinned; the one that is in the first otherwise") },
};

/* Adds the options. */
void
cli_other_view_add_entries (CliOtherView   *self,
                            GOptionContext *context)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      const int index = hl_state_text_find (table[i].name);
      const GOptionEntry entries[] = {
        { table[i].option, 0, 0, G_OPTION_ARG_STRING, &self->written.texts[index], table[i].description,
          table[i].hint },
        G_OPTION_ENTRY_NULL,
      };
      g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
    }
  const GOptionEntry entries[] = {
    { "other-scroll", 0, 0, G_OPTION_ARG_STRING, &self->scroll,
      N_ ("How far it is scrolled, in pixels; as the first otherwise"), "X,Y" },
    G_OPTION_ENTRY_NULL,
  };
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* Returns whether there is none of them. */
gboolean
cli_other_view_is_empty (const CliOtherView *self)
{
  for (guint i = 0; i < HL_MAX_STATE_TEXTS; i++)
    if (self->written.texts[i] != NULL)
      return FALSE;
  return self->scroll == NULL;
}

/* Finds out what was meant. What cannot be is said on standard error. Returns 0, or the exit status for wrong usage. */
int
cli_other_view_parse (CliOtherView *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      const int index = hl_state_text_find (table[i].name);
      const char *text = self->written.texts[index];
      if (text == NULL || hl_state_text_check ((guint) index, text))
        continue;
      g_autofree char *rule = hl_state_text_dup_rule ((guint) index);
      return cli_print_misuse (_ ("--%s cannot be “%s”; it is %s"), table[i].option, text, rule);
    }
  self->scroll_known = self->scroll != NULL;
  return cli_scroll_parse ("other-scroll", self->scroll, &self->scroll_x, &self->scroll_y);
}

void
cli_other_view_clear (CliOtherView *self)
{
  hl_state_texts_clear (&self->written);
  g_free (self->scroll);
}
