/* SPDX-License-Identifier: MIT */
/* How a session is written as a command that draws the same picture. */
#include "view/session/hl-saved-session.h"

#include "core/base/hl-utf8.h"
#include "core/model/local/hl-model-place.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* The next character of a text, which may be the bytes of a name: (gunichar) -1 where none begins. */
static gunichar
get_character (const char *text)
{
  const gunichar c = g_utf8_get_char_validated (text, -1);

  return c == (gunichar) -2 ? (gunichar) -1 : c;
}

/* Whether a terminal would act on what is in it; lines are as good in a command. What is no text cannot be pasted as such. */
static gboolean
needs_escapes (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      const gunichar c = get_character (text);

      if (c == (gunichar) -1 || (c != '\n' && c != '\t' && hl_utf8_is_control (c)))
        return TRUE;
    }
  return FALSE;
}

/* As bash, zsh and ksh read it: what a terminal would act on is written in digits. */
static void
append_escaped (GString    *command,
                const char *text)
{
  g_string_append (command, "$'");
  for (const char *next; *text != '\0'; text = next)
    {
      const gunichar c = get_character (text);

      next = c != (gunichar) -1 ? g_utf8_next_char (text) : text + 1;
      if (*text == '\'' || *text == '\\')
        g_string_append_printf (command, "\\%c", *text);
      else if (c != (gunichar) -1 && !hl_utf8_is_control (c))
        g_string_append_len (command, text, next - text);
      else
        for (const char *at = text; at < next; at++)
          g_string_append_printf (command, "\\%03o", (guint) (guint8) *at);
    }
  g_string_append_c (command, '\'');
}

/* Quotes only where a shell would take something for its own. */
static void
append_word (GString    *command,
             const char *text)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,@%+-";

  if (*text != '\0' && text[strspn (text, plain)] == '\0')
    {
      g_string_append (command, text);
      return;
    }
  if (needs_escapes (text))
    {
      append_escaped (command, text);
      return;
    }
  g_autofree char *quoted = g_shell_quote (text);
  g_string_append (command, quoted);
}

static void
append_number (GString *text,
               double   number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (digits, sizeof digits, "%.10g", number));
}

static char *
make_list (char **tokens)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  json_builder_begin_array (json);
  for (guint i = 0; tokens[i] != NULL; i++)
    json_builder_add_string_value (json, tokens[i]);
  json_builder_end_array (json);
  g_autoptr (JsonNode) root = json_builder_get_root (json);
  return json_to_string (root, FALSE);
}

static void
append_option (GString    *command,
               const char *name,
               const char *text)
{
  if (text == NULL)
    return;
  g_string_append_printf (command, " --%s=", name);
  append_word (command, text);
}

static void
append_number_option (GString    *command,
                      const char *name,
                      double      number)
{
  if (number <= 0)
    return;
  g_string_append_printf (command, " --%s=", name);
  append_number (command, number);
}

/* A folder or a file of this computer is named as people do. */
static char *
dup_file_name (GFile *file)
{
  return g_file_peek_path (file) != NULL ? g_file_get_path (file) : g_file_get_uri (file);
}

static char *
dup_source_name (GFile   *file,
                 gboolean is_bare)
{
  g_autofree char *name = dup_file_name (file);

  return g_strconcat (name, is_bare ? HL_MODEL_PLACE_BASE : NULL, NULL);
}

static char *
dup_scroll (const HlSavedSession *self)
{
  GString *text = g_string_new (NULL);

  append_number (text, self->scroll_x);
  g_string_append_c (text, ',');
  append_number (text, self->scroll_y);
  return g_string_free (text, FALSE);
}

static void
append_source (GString              *command,
               const HlSavedSession *self)
{
  g_autofree char *name = dup_source_name (self->file, self->is_bare);
  g_autofree char *axes = hl_layout_axes_to_string (&self->options.axes);
  g_autofree char *tokens = self->options.tokens != NULL ? make_list (self->options.tokens) : NULL;
  g_autofree char *example = self->example > 0 ? g_strdup_printf ("#%u", self->example) : NULL;

  append_word (command, name);
  append_option (command, "dataset", self->options.dataset);
  append_option (command, "axes", *axes != '\0' ? axes : NULL);
  append_option (command, "tokens", tokens);
  if (self->options.softmax)
    g_string_append (command, " --softmax");
  append_option (command, "example", example);
  g_autofree char *pixels = self->pixels != NULL ? dup_file_name (self->pixels) : NULL;

  append_option (command, self->is_image ? "image" : "pixels", pixels);
  append_option (command, "text", self->text);
  append_option (command, "text-pair", self->text_pair);
  append_option (command, "target-text", self->target_text);
  g_autofree char *last_layer = hl_saved_session_dup_last_layer (self);
  append_option (command, "stop-after-layer", last_layer);
}

/* Steps to the weights are those of one side: nothing is subtracted from them, and the second side is not seen. */
static gboolean
shows_other (const HlSavedSession *self)
{
  const HlViewTraits *view = hl_view_kind_get_traits (hl_state_texts_get_options (&self->state).view);

  return self->other != NULL && !(self->other->difference && view->shows_steps);
}

/* What is of the mean of heads combines them no other way: how they were combined before stays chosen, and shows in nothing. */
static gboolean
combines_nothing (const HlSavedSession *self,
                  guint                 index)
{
  const char *property = hl_state_text_get_property (index);
  const HlViewOptions options = hl_state_texts_get_options (&self->state);

  return (g_str_equal (property, "combine") || g_str_equal (property, "combine-over")) &&
         hl_quantity_get (options.quantity)->heads == HL_QUANTITY_OF_LAYER &&
         options.combine_over == HL_COMBINE_OVER_HEADS;
}

/* Heads of other layers stay chosen where they are no part of the picture, and render refuses to. */
static char *
dup_heads (const HlSavedSession *self)
{
  const HlViewTraits *view = hl_view_kind_get_traits (hl_state_texts_get_options (&self->state).view);
  const char *heads = hl_state_texts_get (&self->state, "heads");

  return heads == NULL || view->mixes_layers || view->shows_all_heads ? g_strdup (heads)
                                                                      : hl_state_heads_dup_own (heads);
}

static void
append_state_options (GString              *command,
                      const HlSavedSession *self)
{
  const HlStateTexts *state = &self->state;
  g_autofree char *heads = dup_heads (self);

  for (guint i = 0; i < hl_state_text_get_n (); i++)
    {
      const char *property = hl_state_text_get_property (i);
      if (state->texts[i] == NULL || combines_nothing (self, i))
        continue;
      if (!g_str_equal (property, "pairs"))
        {
          append_option (command, hl_state_text_get_name (i),
                         g_str_equal (property, "heads") ? heads : state->texts[i]);
          continue;
        }
      g_auto (GStrv) pairs = g_strsplit (state->texts[i], "\n", -1);
      for (guint j = 0; pairs[j] != NULL; j++)
        append_option (command, "pair", *pairs[j] != '\0' ? pairs[j] : NULL);
    }
}

/* Of the second side, what is not as in the first; nothing is written as an empty text. */
static void
append_other_option (GString    *command,
                     const char *name,
                     const char *text,
                     const char *of_first)
{
  if (g_strcmp0 (text, of_first) != 0)
    append_option (command, name, text != NULL ? text : "");
}

static void
append_other_options (GString             *command,
                      const HlOpenOptions *options,
                      const HlOpenOptions *of_first)
{
  g_autofree char *axes = hl_layout_axes_to_string (&options->axes);
  g_autofree char *first_axes = hl_layout_axes_to_string (&of_first->axes);
  g_autofree char *tokens = options->tokens != NULL ? make_list (options->tokens) : NULL;
  g_autofree char *first_tokens = of_first->tokens != NULL ? make_list (of_first->tokens) : NULL;

  append_other_option (command, "other-dataset", options->dataset, of_first->dataset);
  append_other_option (command, "other-axes", axes, first_axes);
  append_other_option (command, "other-tokens", tokens, first_tokens);
  if (options->softmax != of_first->softmax)
    append_option (command, "other-softmax", options->softmax ? "yes" : "no");
}

static void
append_other (GString              *command,
              const HlSavedSession *self)
{
  const HlSavedSession *other = self->other;
  g_autofree char *name = dup_source_name (other->file != NULL ? other->file : self->file, other->is_bare);
  g_autofree char *example = g_strdup_printf ("#%u", other->example);
  g_autofree char *first_example = g_strdup_printf ("#%u", self->example);

  append_option (command, other->difference ? "difference" : "compare", name);
  if (other->file != NULL)
    append_other_options (command, &other->options, &self->options);
  append_other_option (command, "other-example", example, first_example);
  g_autofree char *pixels = other->pixels != NULL ? dup_file_name (other->pixels) : NULL;
  append_option (command, other->is_image ? "other-image" : "other-pixels", pixels);
  append_option (command, "other-text", other->text);
  append_option (command, "other-text-pair", other->text_pair);
  if (other->text != NULL)
    append_other_option (command, "other-target-text", other->target_text, self->target_text);
  g_autofree char *last_layer = hl_saved_session_dup_last_layer (other);
  g_autofree char *first_last_layer = hl_saved_session_dup_last_layer (self);
  if (other->text != NULL || other->pixels != NULL)
    append_other_option (command, "other-stop-after-layer", last_layer, first_last_layer);
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    {
      g_autofree char *option = g_strconcat ("other-", hl_state_text_get_name (i), NULL);

      /* Of a difference what is hidden in the first side is hidden in both. */
      if (!(other->difference && g_str_equal (hl_state_text_get_property (i), "hidden")))
        append_option (command, option, other->state.texts[i]);
    }
}

char *
hl_saved_session_to_command (const HlSavedSession *self,
                             const char           *output,
                             double                width,
                             double                height,
                             double                scale)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (output != NULL, NULL);

  GString *command = g_string_new ("headlight-cli render ");
  g_autofree char *scroll = dup_scroll (self);
  g_autofree char *other_scroll = shows_other (self) && !self->other->difference ? dup_scroll (self->other) : NULL;

  append_source (command, self);
  append_state_options (command, self);
  if (shows_other (self))
    append_other (command, self);
  append_number_option (command, "width", width);
  append_number_option (command, "height", height);
  append_number_option (command, "scale", scale);
  append_number_option (command, "zoom", self->zoom);
  append_option (command, "scroll", self->scroll_x > 0 || self->scroll_y > 0 ? scroll : NULL);
  if (other_scroll != NULL)
    append_other_option (command, "other-scroll", other_scroll, scroll);
  /* The window shows all of its picture; figures by themselves are cut to their content. */
  g_string_append (command, " --as-seen");
  append_option (command, "output", output);
  return g_string_free (command, FALSE);
}
