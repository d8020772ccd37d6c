/* SPDX-License-Identifier: MIT */
/* headlight-cli tokens: what a model's tokenizer makes of a text, for people or as JSON. */
#include "cli/cli-commands.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-table.h"
#include "cli/base/cli-text.h"
#include "core/archive/format/hl-format.h"
#include "core/base/file/hl-file-argument.h"
#include "core/base/hl-utf8.h"
#include "core/model/local/hl-model-tokenizer.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  CliModelText text;
  HlEncoding *encoding;
  guint max_length;
} Tokens;

static void
tokens_clear (Tokens *self)
{
  g_clear_pointer (&self->encoding, hl_encoding_free);
  cli_model_text_clear (&self->text);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tokens, tokens_clear)

static gboolean
encode (CliJob  *job,
        GError **error)
{
  Tokens *self = job->data;
  g_autoptr (GFile) folder = hl_file_new_for_argument (job->file);
  g_autoptr (HlTokenizer) tokenizer = hl_model_open_tokenizer (folder, error);

  if (tokenizer == NULL)
    return FALSE;
  self->max_length = hl_tokenizer_get_max_length (tokenizer);
  self->encoding = hl_tokenizer_encode (tokenizer, self->text.text, self->text.text_pair, 0, error);
  return self->encoding != NULL;
}

static void
print_text (const Tokens *self)
{
  const HlEncoding *encoding = self->encoding;

  for (guint i = 0; i < encoding->n_tokens; i++)
    {
      g_autofree char *start = hl_utf8_shorten (encoding->tokens[i], CLI_MAX_CELL);
      g_autofree char *token = cli_make_printable (start);
      g_print ("%u\t%u\t%u\t%s\n", i, encoding->ids[i], encoding->segments[i], token);
    }
}

static void
add_numbers (JsonBuilder   *builder,
             const char    *name,
             const guint32 *numbers,
             guint          n)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    json_builder_add_int_value (builder, numbers[i]);
  json_builder_end_array (builder);
}

static void
print_json (const Tokens *self)
{
  const HlEncoding *encoding = self->encoding;
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();

  json_builder_begin_object (builder);
  add_numbers (builder, "ids", encoding->ids, encoding->n_tokens);
  json_builder_set_member_name (builder, "tokens");
  json_builder_begin_array (builder);
  for (guint i = 0; i < encoding->n_tokens; i++)
    json_builder_add_string_value (builder, encoding->tokens[i]);
  json_builder_end_array (builder);
  add_numbers (builder, "segments", encoding->segments, encoding->n_tokens);
  if (encoding->sentence_b_start >= 0)
    {
      json_builder_set_member_name (builder, "sentence_b_start");
      json_builder_add_int_value (builder, encoding->sentence_b_start);
    }
  json_builder_end_object (builder);
  cli_print_json (builder);
}

/* Whether it is called like a file of attention; one of JSON may be a tokenizer. */
static gboolean
has_name_of_dump (const char *file)
{
  guint n_formats;
  const HlFormat *formats = hl_format_get_all (&n_formats);

  for (guint i = 0; i < n_formats; i++)
    for (guint k = 0; formats[i].suffixes[k] != NULL; k++)
      {
        g_autofree char *ending = g_strconcat (".", formats[i].suffixes[k], NULL);
        if (g_str_has_suffix (file, ending))
          return !g_str_equal (ending, ".json");
      }
  return FALSE;
}

static int
run_tokens (char **arguments)
{
  gboolean as_json = FALSE;
  g_auto (Tokens) self = { 0 };
  g_auto (GStrv) files = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("One JSON object instead of a line for each token"), NULL },
    { "text", 0, 0, G_OPTION_ARG_FILENAME, &self.text.text, N_ ("The text"), N_ ("TEXT") },
    { "text-pair", 0, 0, G_OPTION_ARG_FILENAME, &self.text.text_pair, N_ ("A second text behind it"), N_ ("TEXT") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (context, _ ("Prints the tokens that the model SOURCE makes of a "
                                            "text: position, number, segment and spelling."));
  int status = cli_parse_options (context, entries, arguments, &self.text.part, &files);
  if (status == 0)
    status = cli_model_text_parse (&self.text);
  if (status != 0)
    return status;
  if (self.text.text == NULL)
    return cli_print_misuse (_ ("%s needs --text"), arguments[0]);
  if (has_name_of_dump (files[0]) && (status = cli_check_model (files[0])) != 0)
    return status;

  CliJob job = { .work = encode, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status != 0)
    return status;
  if (as_json)
    print_json (&self);
  else
    print_text (&self);
  if (self.max_length > 0 && self.encoding->n_tokens > self.max_length)
    g_printerr (_ ("headlight-cli: these are %u tokens; the model takes at most %u\n"), self.encoding->n_tokens,
                self.max_length);
  return 0;
}

const CliCommand cli_tokens = {
  "tokens",
  N_ ("tokens MODEL --text TEXT [--json]"),
  N_ ("the tokens that a model makes of a text"),
  run_tokens,
};
