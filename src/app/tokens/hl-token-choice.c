/* SPDX-License-Identifier: MIT */
/* Where the tokens of a file of attention come from: the file, what somebody wrote, or a tokenizer. */
#include "config.h"

#include "app/tokens/hl-token-choice.h"

#include "core/base/hl-error.h"
#include "core/model/local/hl-model-tokenizer.h"
#include "core/tokenizer/hl-token-file.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <string.h>

void
hl_token_choice_copy (HlTokenChoice       *self,
                      const HlTokenChoice *from)
{
  *self = (HlTokenChoice){ from->origin, g_strdup (from->text), g_strdup (from->second_text) };
  g_set_object (&self->folder, from->folder);
  g_set_object (&self->tokenizer, from->tokenizer);
}

void
hl_token_choice_clear (HlTokenChoice *self)
{
  g_free (self->text);
  g_free (self->second_text);
  g_clear_object (&self->folder);
  g_clear_object (&self->tokenizer);
  *self = (HlTokenChoice){ 0 };
}

static char **
encode (HlTokenChoice *self,
        GError       **error)
{
  const char *second = self->second_text != NULL && *self->second_text != '\0' ? self->second_text : NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (self->folder == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("choose the folder or the file of a tokenizer"));
      return NULL;
    }
  if (self->text == NULL || *self->text == '\0')
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no text to make tokens of"));
      return NULL;
    }
  if (self->tokenizer == NULL)
    self->tokenizer = hl_model_open_tokenizer (self->folder, error);
  g_autoptr (HlEncoding)
    encoding = self->tokenizer != NULL ? hl_tokenizer_encode (self->tokenizer, self->text, second, 0, error) : NULL;
  for (guint i = 0; encoding != NULL && i < encoding->n_tokens; i++)
    g_strv_builder_add (builder, encoding->tokens[i]);
  return encoding != NULL ? g_strv_builder_end (builder) : NULL;
}

/* Gives NULL for the tokens of the file. A tokenizer that is read stays in the choice. Blocks: call it from a
 * worker. */
gboolean
hl_token_choice_make (HlTokenChoice *self,
                      char        ***tokens,
                      GError       **error)
{
  *tokens = NULL;
  switch (self->origin)
    {
    case HL_TOKEN_ORIGIN_LINES:
      *tokens =
        hl_token_file_parse (self->text != NULL ? self->text : "", self->text != NULL ? strlen (self->text) : 0, error);
      return *tokens != NULL;
    case HL_TOKEN_ORIGIN_TOKENIZER:
      *tokens = encode (self, error);
      return *tokens != NULL;
    default:
      return TRUE;
    }
}

/* A token with a line break in it, or a first one that looks like the beginning of a list. */
static gboolean
needs_list (char **tokens)
{
  for (guint i = 0; tokens[i] != NULL; i++)
    if (strpbrk (tokens[i], "\r\n") != NULL)
      return TRUE;
  return tokens[0] != NULL && *tokens[0] == '[' && tokens[0][1] == '"';
}

/* A text of which hl_token_file_parse() makes the same tokens, lines if that is possible. */
char *
hl_token_choice_write (char **tokens)
{
  if (!needs_list (tokens))
    {
      g_autofree char *lines = g_strjoinv ("\n", tokens);
      /* Behind an empty last line there must be another break. */
      const guint n = g_strv_length (tokens);
      return g_strconcat (lines, n > 0 && *tokens[n - 1] == '\0' ? "\n" : "", NULL);
    }
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_array (builder);
  for (guint i = 0; tokens[i] != NULL; i++)
    json_builder_add_string_value (builder, tokens[i]);
  json_builder_end_array (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}
