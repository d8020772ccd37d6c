/* SPDX-License-Identifier: MIT */
/* A session file as a source: it stands for its file and for options, of which those that are written count more. */
#include "cli/cli-session.h"

#include "cli/cli-text.h"
#include "draw/hl-saved-session.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* What the window can be zoomed and scrolled to stays far below. */
#define MAX_ZOOM 1e6
#define MAX_SCROLL 1e9

/**
 * cli_place_add_entries:
 * @self: options, none of them written yet
 * @context: what they are added to; it keeps pointing into @self
 *
 * Adds the options.
 */
void
cli_place_add_entries (CliPlace       *self,
                       GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "zoom", 0, 0, G_OPTION_ARG_DOUBLE, &self->zoom,
      N_ ("How large the content is, as the window counts it; to fit otherwise"), "Z" },
    { "scroll", 0, 0, G_OPTION_ARG_STRING, &self->scroll, N_ ("How far it is scrolled, in pixels"),
      "X,Y" },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/**
 * cli_place_parse:
 * @self: options as they were written
 *
 * Finds out what was meant. What cannot be is said on standard error.
 *
 * Returns: 0, or the exit status for wrong usage
 */
int
cli_place_parse (CliPlace *self)
{
  double *const slots[] = { &self->scroll_x, &self->scroll_y };

  if (!(self->zoom >= 0 && self->zoom <= MAX_ZOOM))
    return cli_print_misuse (_ ("--zoom is a number that is not negative"));
  if (self->scroll == NULL)
    return 0;
  g_auto (GStrv) parts = g_strsplit (self->scroll, ",", -1);
  gboolean right = g_strv_length (parts) == G_N_ELEMENTS (slots);
  for (guint i = 0; right && i < G_N_ELEMENTS (slots); i++)
    {
      char *end;
      *slots[i] = g_ascii_strtod (parts[i], &end);
      right = end != parts[i] && *end == '\0' && *slots[i] >= 0 && *slots[i] <= MAX_SCROLL;
    }
  return right ? 0
               : cli_print_misuse (
                   _ ("--scroll cannot be “%s”; it is two numbers with a comma between them"),
                   self->scroll);
}

static void
take_state (HlSavedSession *saved,
            CliViewOptions *view)
{
  /* Which head is in front of others says nothing of other others. */
  if (hl_state_texts_get (&view->written, "heads") != NULL ||
      hl_state_texts_get (&view->written, "head") != NULL)
    {
      hl_state_texts_set (&saved->state, "heads", NULL);
      hl_state_texts_set (&saved->state, "head", NULL);
    }
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    if (view->written.texts[i] == NULL)
      view->written.texts[i] = g_steal_pointer (&saved->state.texts[i]);
}

static void
take_options (HlSavedSession *saved,
              CliOpenOptions *open)
{
  g_autofree char *axes = hl_layout_axes_to_string (&saved->options.axes);

  if (open->value.dataset == NULL)
    open->value.dataset = g_steal_pointer (&saved->options.dataset);
  if (open->axes == NULL && *axes != '\0')
    open->axes = g_steal_pointer (&axes);
  if (open->tokens == NULL && open->tokenizer == NULL)
    open->value.tokens = g_steal_pointer (&saved->options.tokens);
  open->value.softmax = open->value.softmax || saved->options.softmax;
}

static void
take_text (HlSavedSession *saved,
           CliModelText   *text)
{
  if (!cli_model_text_is_empty (text))
    return;
  text->text = g_steal_pointer (&saved->text);
  if (text->text_pair == NULL)
    text->text_pair = g_steal_pointer (&saved->text_pair);
  if (text->target_text == NULL && text->decoder_ids_list == NULL)
    text->target_text = g_steal_pointer (&saved->target_text);
}

/**
 * cli_session_take:
 * @file: (inout): the name of the source; of a session, what that shows takes its place
 * @view: options that were parsed; what the session says is added
 * @open: options that were read; likewise
 * @text: options that were read; likewise
 * @place: options that were parsed; likewise
 * @example: (inout): which example; likewise
 *
 * Does nothing with a source that is no session. What is wrong with one is said on standard error.
 *
 * Returns: 0, or the exit status
 */
int
cli_session_take (char          **file,
                  CliViewOptions *view,
                  CliOpenOptions *open,
                  CliModelText   *text,
                  CliPlace       *place,
                  char          **example)
{
  g_autoptr (GFile) source = g_file_new_for_commandline_arg (*file);
  g_autoptr (GError) error = NULL;

  if (!hl_saved_session_is_file (source, NULL))
    return 0;
  g_autoptr (HlSavedSession) saved = hl_saved_session_load (source, NULL, &error);
  if (saved == NULL || !hl_saved_session_find_file (saved, NULL, &error))
    {
      cli_print_error (*file, error->message);
      return 1;
    }
  take_state (saved, view);
  take_options (saved, open);
  take_text (saved, text);
  if (*example == NULL)
    *example = g_strdup_printf ("%u", saved->example);
  if (place->zoom == 0 && place->scroll == NULL)
    {
      place->zoom = saved->zoom;
      place->scroll_x = saved->scroll_x;
      place->scroll_y = saved->scroll_y;
    }
  g_free (*file);
  *file = g_file_peek_path (saved->file) != NULL ? g_file_get_path (saved->file)
                                                 : g_file_get_uri (saved->file);
  return 0;
}
