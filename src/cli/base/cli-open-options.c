/* SPDX-License-Identifier: MIT */
/* The options that say how a file of attention is to be read, the same for all subcommands. */
#include "cli/base/cli-open-options.h"

#include "cli/base/cli-locate.h"
#include "cli/base/cli-text.h"
#include "core/base/file/hl-file-argument.h"
#include "core/model/local/hl-model-tokenizer.h"
#include "core/tokenizer/hl-token-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
cli_open_options_add_entries (CliOpenOptions *self,
                              GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "dataset", 0, 0, G_OPTION_ARG_STRING, &self->value.dataset,
      N_ ("Which tensor of a file is the attention, or which group with one for each layer"), N_ ("NAME") },
    { "axes", 0, 0, G_OPTION_ARG_STRING, &self->axes,
      N_ ("What its axes are, in its order: some of layer, example, head, query, key, step"), N_ ("AXIS,AXIS…") },
    { "tokens", 0, 0, G_OPTION_ARG_FILENAME, &self->tokens,
      N_ ("Tokens, one a line or as a JSON list, or such a list itself"), N_ ("FILE|LIST") },
    { "softmax", 0, 0, G_OPTION_ARG_NONE, &self->value.softmax, N_ ("The file has scores: make weights of them"),
      NULL },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* Of subcommands that take a text. */
void
cli_open_options_add_tokenizer (CliOpenOptions *self,
                                GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "tokenizer", 0, 0, G_OPTION_ARG_FILENAME, &self->tokenizer,
      N_ ("Tokens as the tokenizer of this model makes them of --text"), N_ ("MODEL") },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* Of subcommands that read all numbers. */
void
cli_open_options_add_expansion (CliOpenOptions *self,
                                GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "allow-expansion", 0, 0, G_OPTION_ARG_NONE, &self->allows_expansion,
      N_ ("Read all of a file that announces far more numbers than it holds"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  self->value.expansion = HL_EXPANSION_REFUSED;
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* Returns whether there is none of them. */
gboolean
cli_open_options_is_empty (CliOpenOptions *self)
{
  return self->value.dataset == NULL && self->axes == NULL && self->tokens == NULL && self->tokenizer == NULL &&
         !self->value.softmax;
}

/* Finds out what was meant. What is wrong is said on standard error. Returns 0, or the exit status for wrong usage. */
int
cli_open_options_parse (CliOpenOptions     *self,
                        const CliModelText *text)
{
  g_autoptr (GError) error = NULL;

  if (self->allows_expansion)
    self->value.expansion = HL_EXPANSION_ALLOWED;
  if (self->axes != NULL && !hl_layout_axes_parse (&self->value.axes, self->axes, &error))
    return cli_print_misuse ("--axes: %s", error->message);
  if (self->tokens != NULL && self->tokenizer != NULL)
    return cli_print_misuse (_ ("--tokens and --tokenizer exclude one another"));
  if (self->tokens != NULL && *self->tokens == '\0')
    return cli_print_misuse (_ ("--tokens is empty"));
  if (self->tokenizer != NULL && text->text == NULL)
    return cli_print_misuse (_ ("--tokenizer needs --text"));
  /* That of an adapter is the same while it is off. */
  if (self->tokenizer != NULL && cli_locate (&self->tokenizer, &(CliModelPart){ 0 }) != 0)
    return 1;
  /* As HDF5's own tools write a path. */
  char *dataset = self->value.dataset;
  if (dataset != NULL)
    memmove (dataset, dataset + strspn (dataset, "/"), strlen (dataset) + 1 - strspn (dataset, "/"));
  if (dataset != NULL && *dataset == '\0')
    return cli_print_misuse (_ ("--dataset is empty"));
  return 0;
}

/* A JSON list in place of the name of a file, as the window copies it. */
static gboolean
is_list (const char *tokens)
{
  return *tokens == '[' && tokens[1 + strspn (tokens + 1, " ")] == '"';
}

static char **
encode (const char         *folder,
        const CliModelText *text,
        GError            **error)
{
  g_autoptr (GFile) file = hl_file_new_for_argument (folder);
  g_autoptr (HlTokenizer) tokenizer = hl_model_open_tokenizer (file, error);
  g_autoptr (HlEncoding)
    encoding = tokenizer != NULL ? hl_tokenizer_encode (tokenizer, text->text, text->text_pair, 0, error) : NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; encoding != NULL && i < encoding->n_tokens; i++)
    g_strv_builder_add (builder, encoding->tokens[i]);
  return encoding != NULL ? g_strv_builder_end (builder) : NULL;
}

/* Gets the tokens that are asked for. */
gboolean
cli_open_options_load (CliOpenOptions     *self,
                       const CliModelText *text,
                       CliJob             *job,
                       GError            **error)
{
  const char *source = job->file;

  if (self->tokens == NULL && self->tokenizer == NULL)
    return TRUE;
  job->file = self->tokens != NULL ? self->tokens : self->tokenizer;
  if (self->tokens != NULL)
    {
      g_autoptr (GFile) file = hl_file_new_for_argument (self->tokens);
      self->value.tokens = is_list (self->tokens) ? hl_token_file_parse (self->tokens, strlen (self->tokens), error)
                                                  : hl_token_file_load (file, job->cancellable, error);
    }
  else
    {
      self->value.tokens = encode (self->tokenizer, text, error);
    }
  if (self->value.tokens == NULL)
    return FALSE;
  job->file = source;
  return TRUE;
}

void
cli_open_options_clear (CliOpenOptions *self)
{
  g_free (self->axes);
  g_free (self->tokens);
  g_free (self->tokenizer);
  hl_open_options_clear (&self->value);
}
