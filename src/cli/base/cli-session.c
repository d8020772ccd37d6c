/* SPDX-License-Identifier: MIT */
/* A session file as a source: it stands for its file and for options, of which those that are written count more. */
#include "cli/base/cli-session.h"

#include "cli/base/cli-text.h"
#include "core/base/file/hl-file-argument.h"
#include "view/session/hl-saved-session.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* What the window can be zoomed and scrolled to stays far below. */
#define MAX_ZOOM 1e6
#define MAX_SCROLL 1e9

/* Adds the options. */
void
cli_place_add_entries (CliPlace       *self,
                       GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "zoom", 0, 0, G_OPTION_ARG_DOUBLE, &self->zoom,
      N_ ("How large the content is, as the window counts it; to fit otherwise"), "Z" },
    { "scroll", 0, 0, G_OPTION_ARG_STRING, &self->scroll, N_ ("How far it is scrolled, in pixels"), "X,Y" },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* Finds out what was meant. What cannot be is said on standard error. Returns 0, or the exit status for wrong usage. */
int
cli_scroll_parse (const char *option,
                  const char *text,
                  double     *x,
                  double     *y)
{
  double *const slots[] = { x, y };

  if (text == NULL)
    return 0;
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  gboolean right = g_strv_length (parts) == G_N_ELEMENTS (slots);
  for (guint i = 0; right && i < G_N_ELEMENTS (slots); i++)
    {
      char *end;
      *slots[i] = g_ascii_strtod (parts[i], &end);
      right = end != parts[i] && *end == '\0' && *slots[i] >= 0 && *slots[i] <= MAX_SCROLL;
    }
  return right
           ? 0
           : cli_print_misuse (_ ("--%s cannot be “%s”; it is two numbers with a comma between them"), option, text);
}

/* Finds out what was meant. What cannot be is said on standard error. Returns 0, or the exit status for wrong usage. */
int
cli_place_parse (CliPlace *self)
{
  if (!(self->zoom >= 0 && self->zoom <= MAX_ZOOM))
    return cli_print_misuse (_ ("--zoom is a number that is not negative"));
  return cli_scroll_parse ("scroll", self->scroll, &self->scroll_x, &self->scroll_y);
}

static char *
dup_name (GFile *file)
{
  return g_file_peek_path (file) != NULL ? g_file_get_path (file) : g_file_get_uri (file);
}

static void
take_state (HlSavedSession *saved,
            CliViewOptions *view)
{
  /* Which head is in front of others says nothing of other others. */
  if (hl_state_texts_get (&view->written, "heads") != NULL || hl_state_texts_get (&view->written, "head") != NULL)
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
  if (text->part.stop_after_layer == NULL)
    text->part.stop_after_layer = hl_saved_session_dup_last_layer (saved);
  text->part.is_bare = saved->is_bare;
  if (!cli_model_text_is_empty (text))
    return;
  if (saved->pixels != NULL)
    *(saved->is_image ? &text->image_file : &text->pixels_file) = dup_name (saved->pixels);
  text->text = g_steal_pointer (&saved->text);
  if (text->text_pair == NULL)
    text->text_pair = g_steal_pointer (&saved->text_pair);
  if (text->target_text == NULL && text->decoder_ids_list == NULL)
    text->target_text = g_steal_pointer (&saved->target_text);
}

/* Does nothing with a source that is no session. What is wrong with one is said on standard error. */
int
cli_session_take (char           **file,
                  CliViewOptions  *view,
                  CliOpenOptions  *open,
                  CliModelText    *text,
                  CliPlace        *place,
                  char           **example,
                  HlSavedSession **other)
{
  g_autoptr (GFile) source = hl_file_new_for_argument (*file);
  g_autoptr (GError) error = NULL;

  *other = NULL;
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
    *example = g_strdup_printf ("#%u", saved->example);
  if (place->zoom == 0 && place->scroll == NULL)
    {
      place->zoom = saved->zoom;
      place->scroll_x = saved->scroll_x;
      place->scroll_y = saved->scroll_y;
    }
  *other = g_steal_pointer (&saved->other);
  g_free (*file);
  *file = dup_name (saved->file);
  return 0;
}

static void
take_text_option (char      **slot,
                  const char *text)
{
  if (*slot == NULL)
    *slot = g_strdup (text);
}

/* Has the second side of a figure be that of a session. */
void
cli_session_take_other (const HlSavedSession *saved,
                        const char           *file,
                        CliOtherSide         *side,
                        CliOtherView         *view)
{
  g_autofree char *example = g_strdup_printf ("#%u", saved->example);
  const HlHeadPairing pairing = hl_saved_session_get_pairing (saved);

  side->file = saved->file != NULL ? dup_name (saved->file) : g_strdup (file);
  side->model_text.part.is_bare = saved->is_bare;
  take_text_option (&side->example, example);
  if (side->text == NULL && side->pixels == NULL && side->image == NULL && saved->pixels != NULL)
    *(saved->is_image ? &side->image : &side->pixels) = dup_name (saved->pixels);
  else if (side->text == NULL && side->text_pair == NULL)
    {
      side->text = g_strdup (saved->text);
      side->text_pair = g_strdup (saved->text_pair);
    }
  g_autofree char *last_layer = hl_saved_session_dup_last_layer (saved);
  if (saved->text != NULL || saved->pixels != NULL)
    take_text_option (&side->stop_after_layer, last_layer != NULL ? last_layer : "");
  /* A text of its own is all that its model reads. */
  if (saved->text != NULL)
    take_text_option (&side->target_text, saved->target_text != NULL ? saved->target_text : "");
  if (saved->file != NULL)
    {
      g_autofree char *axes = hl_layout_axes_to_string (&saved->options.axes);
      take_text_option (&side->dataset, saved->options.dataset != NULL ? saved->options.dataset : "");
      take_text_option (&side->axes, axes);
      if (side->tokens == NULL && saved->options.tokens != NULL)
        side->open.value.tokens = g_strdupv (saved->options.tokens);
      else
        take_text_option (&side->tokens, "");
      take_text_option (&side->softmax, saved->options.softmax ? "yes" : "no");
    }
  side->layer = side->layer != -1 ? side->layer : pairing.layer;
  side->head = side->head != -1 ? side->head : pairing.head;
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    if (hl_saved_session_is_of_side (i))
      take_text_option (&view->written.texts[i], saved->state.texts[i]);
  if (!view->scroll_known)
    {
      view->scroll_known = TRUE;
      view->scroll_x = saved->scroll_x;
      view->scroll_y = saved->scroll_y;
    }
}
