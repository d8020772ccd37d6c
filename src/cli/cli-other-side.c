/* SPDX-License-Identifier: MIT */
/* The options that say what a source is compared with: another file, example, text, layer or head. */
#include "cli/cli-other-side.h"

#include "cli/cli-text.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

/**
 * cli_other_side_add_entries:
 * @self: options, none of them read yet
 * @context: a subcommand's options
 *
 * Adds the options to those of a subcommand.
 */
void
cli_other_side_add_entries (CliOtherSide   *self,
                            GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "other-example", 0, 0, G_OPTION_ARG_STRING, &self->example, N_ ("Which example of the second side; the same otherwise"),
      N_ ("NAME|N") },
    { "other-text", 0, 0, G_OPTION_ARG_FILENAME, &self->text, N_ ("What its model is run on; the same otherwise"), N_ ("TEXT") },
    { "other-text-pair", 0, 0, G_OPTION_ARG_FILENAME, &self->text_pair, N_ ("A second text behind that"), N_ ("TEXT") },
    { "other-layer", 0, 0, G_OPTION_ARG_INT, &self->layer, N_ ("Its layer; the same otherwise"), "L" },
    { "other-head", 0, 0, G_OPTION_ARG_INT, &self->head, N_ ("Its head; the same otherwise"), "H" },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/**
 * cli_other_side_is_empty:
 * @self: options
 *
 * Returns: whether there is none of them, so that the second side would be the first
 */
gboolean
cli_other_side_is_empty (const CliOtherSide *self)
{
  return self->file == NULL && self->example == NULL && self->text == NULL && self->text_pair == NULL && self->layer == -1 &&
         self->head == -1;
}

static gboolean
is_folder (const char *name)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (name);

  return g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY;
}

/**
 * cli_other_side_parse:
 * @self: options as they were read
 * @file: the first source
 * @text: what its model is run on
 *
 * Settles what the second side is. What cannot be is said on standard error.
 *
 * Returns: 0, or the exit status for wrong usage
 */
int
cli_other_side_parse (CliOtherSide       *self,
                      const char         *file,
                      const CliModelText *text)
{
  if (self->file == NULL)
    self->file = g_strdup (file);
  if (self->layer < -1 || self->head < -1)
    return cli_print_misuse (_ ("--other-layer and --other-head cannot be negative"));
  if (self->text_pair != NULL && self->text == NULL)
    return cli_print_misuse (_ ("--other-text-pair needs --other-text"));
  if (!is_folder (self->file))
    return self->text == NULL ? 0 : cli_print_misuse (_ ("“%s” is no model folder: --other-text is for models"), self->file);

  if (self->text != NULL)
    {
      self->model_text.text = g_strdup (self->text);
      self->model_text.text_pair = g_strdup (self->text_pair);
    }
  else
    {
      self->model_text.text = g_strdup (text->text);
      self->model_text.text_pair = g_strdup (text->text_pair);
      self->model_text.ids_list = g_strdup (text->ids_list);
    }
  self->model_text.target_text = g_strdup (text->target_text);
  self->model_text.decoder_ids_list = g_strdup (text->decoder_ids_list);
  if (cli_model_text_is_empty (&self->model_text))
    return cli_print_misuse (_ ("“%s” is a model, which needs --other-text"), self->file);
  return cli_model_text_parse (&self->model_text);
}

/**
 * cli_other_side_load:
 * @self: options that were parsed
 * @job: the work
 * @open: how files are to be read, those of both sides
 * @example: (nullable): which example the first side is
 * @document: (out) (optional) (transfer full): what the example is of
 * @error: any of #HlError
 *
 * Opens the second side. While it does so, the job's file is the second one.
 *
 * Returns: (transfer full) (nullable): what the first side is compared with
 */
HlExample *
cli_other_side_load (CliOtherSide   *self,
                     CliJob         *job,
                     CliOpenOptions *open,
                     const char     *example,
                     HlDocument    **document,
                     GError        **error)
{
  const char *before = job->file;

  job->file = self->file;
  g_autoptr (HlDocument) loaded = cli_load_document (job, &self->model_text, open, error);
  if (loaded == NULL)
    return NULL;
  /* The example of the same name, in a file that has several. */
  const char *wanted = self->example != NULL || hl_document_get_n_examples (loaded) == 1 ? self->example : example;
  HlExample *other = cli_load_example (job, loaded, wanted, error);
  if (other == NULL)
    return NULL;
  job->file = before;
  if (document != NULL)
    *document = g_steal_pointer (&loaded);
  return other;
}

/**
 * cli_other_side_find_block:
 * @example: the first side
 * @other: the second side
 * @block: a block of the first side
 *
 * Returns: (transfer none) (nullable): the block of the second side that is of the same kind; where each side has but one, that
 */
HlBlock *
cli_other_side_find_block (HlExample *example,
                           HlExample *other,
                           HlBlock   *block)
{
  if (hl_example_get_n_blocks (example) == 1 && hl_example_get_n_blocks (other) == 1)
    return hl_example_get_block (other, 0);
  return hl_example_find_block (other, hl_block_get_kind (block));
}

/**
 * cli_other_side_check_heads:
 * @self: options that were parsed
 * @block: the block of the second side
 * @error: %HL_ERROR_MISSING
 *
 * Returns: whether the block has the layer and the head
 */
gboolean
cli_other_side_check_heads (const CliOtherSide *self,
                            HlBlock            *block,
                            GError            **error)
{
  const HlHeadPairing pairing = { self->layer, self->head };
  const guint n_layers = hl_block_get_n_layers (block);

  if (hl_head_pairing_fits (&pairing, block))
    return TRUE;
  if (self->layer >= 0 && (guint) self->layer >= n_layers)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no layer %d in “%s”; the last one is %u"), self->layer, self->file,
                 n_layers - 1);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no head %d in “%s”"), self->head, self->file);
  return FALSE;
}

/**
 * cli_other_side_clear:
 * @self: options
 *
 * Frees what is in them.
 */
void
cli_other_side_clear (CliOtherSide *self)
{
  g_free (self->file);
  g_free (self->example);
  g_free (self->text);
  g_free (self->text_pair);
  cli_model_text_clear (&self->model_text);
}
