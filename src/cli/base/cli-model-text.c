/* SPDX-License-Identifier: MIT */
/* The options that say what a model is run on, the same for all subcommands. */
#include "cli/base/cli-model-text.h"

#include "core/base/file/hl-file-argument.h"
#include "core/base/hl-limits.h"
#include "cli/base/cli-text.h"
#include "core/tokenizer/text/hl-letters.h"

#include <glib/gi18n-lib.h>

static void
add_entries (CliModelText   *self,
             GOptionContext *context,
             GOptionFlags    of_images)
{
  const GOptionEntry entries[] = {
    { "text", 0, 0, G_OPTION_ARG_FILENAME, &self->text, N_ ("What a model is run on"), N_ ("TEXT") },
    { "text-pair", 0, 0, G_OPTION_ARG_FILENAME, &self->text_pair, N_ ("A second text behind it"), N_ ("TEXT") },
    { "target-text", 0, 0, G_OPTION_ARG_FILENAME, &self->target_text,
      N_ ("What the decoder of an encoder–decoder model is to write"), N_ ("TEXT") },
    { "letters", 0, 0, G_OPTION_ARG_NONE, &self->letters, N_ ("Put a space between any two letters of the texts"),
      NULL },
    { "ids", 0, 0, G_OPTION_ARG_STRING, &self->ids_list, N_ ("Token numbers in place of a text"), "N,N…" },
    { "decoder-ids", 0, 0, G_OPTION_ARG_STRING, &self->decoder_ids_list, N_ ("Those of the decoder, used as they are"),
      "N,N…" },
    { "pixels", 0, (int) of_images, G_OPTION_ARG_FILENAME, &self->pixels_file,
      N_ (
        "What a vision model is run on: an array of NumPy, channels × height × width, as its image processor gives it"),
      "F.npy" },
    { "image", 0, (int) of_images, G_OPTION_ARG_FILENAME, &self->image_file,
      N_ ("An image that a vision model is run on: PNG, JPEG or WebP; its image processor makes pixels of it"),
      N_ ("FILE") },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  cli_model_part_add_entries (&self->part, context);
}

void
cli_model_text_add_entries (CliModelText   *self,
                            GOptionContext *context)
{
  add_entries (self, context, G_OPTION_FLAG_NONE);
}

/* Of a subcommand that takes no images: those options are not offered, and read only so that it can say why it does not take them. */
void
cli_model_text_add_unseen_entries (CliModelText   *self,
                                   GOptionContext *context)
{
  add_entries (self, context, G_OPTION_FLAG_HIDDEN);
}

/* Texts come in the encoding of the terminal, which is not said to be UTF-8 where no locale is set. */
static gboolean
make_utf8 (char **text)
{
  if (*text == NULL || g_utf8_validate (*text, -1, NULL))
    return TRUE;

  char *converted = g_locale_to_utf8 (*text, -1, NULL, NULL, NULL);
  if (converted == NULL)
    return FALSE;
  g_free (*text);
  *text = converted;
  return TRUE;
}

static void
space_out (char **text)
{
  char *spaced = *text != NULL ? hl_letters_space_out (*text) : NULL;

  g_free (*text);
  *text = spaced;
}

static guint32 *
parse_ids (const char *list,
           gsize      *n)
{
  g_auto (GStrv) parts = g_strsplit (list, ",", HL_LIMIT_TOKEN_IDS + 1);
  g_autofree guint32 *ids = g_new (guint32, g_strv_length (parts) + 1);

  for (*n = 0; parts[*n] != NULL; (*n)++)
    {
      guint64 id;
      if (!g_ascii_string_to_unsigned (g_strstrip (parts[*n]), 10, 0, G_MAXUINT32, &id, NULL))
        return NULL;
      ids[*n] = (guint32) id;
    }
  return *n > 0 && *n <= HL_LIMIT_TOKEN_IDS ? g_steal_pointer (&ids) : NULL;
}

/* Makes @value of them. What is wrong with them is said on standard error. Returns 0, or the exit status for wrong
 * usage. */
int
cli_model_text_parse (CliModelText *self)
{
  HlModelText *value = &self->value;

  if (!make_utf8 (&self->text) || !make_utf8 (&self->text_pair) || !make_utf8 (&self->target_text))
    return cli_print_misuse (_ ("a text is not valid UTF-8"));
  if (self->text != NULL && self->ids_list != NULL)
    return cli_print_misuse (_ ("--text and --ids exclude one another"));
  if (self->target_text != NULL && self->decoder_ids_list != NULL)
    return cli_print_misuse (_ ("--target-text and --decoder-ids exclude one another"));
  if (self->pixels_file != NULL && (self->text != NULL || self->ids_list != NULL))
    return cli_print_misuse (_ ("--pixels excludes --text and --ids"));
  if (self->image_file != NULL && (self->text != NULL || self->ids_list != NULL || self->pixels_file != NULL))
    return cli_print_misuse (_ ("--image excludes --text, --ids and --pixels"));
  if (self->text_pair != NULL && self->text == NULL)
    return cli_print_misuse (_ ("--text-pair needs --text"));
  if ((self->target_text != NULL || self->decoder_ids_list != NULL) && self->text == NULL && self->ids_list == NULL)
    return cli_print_misuse (_ ("--target-text and --decoder-ids need --text or --ids"));
  if (self->letters && self->text == NULL && self->target_text == NULL && !self->has_other_text)
    return cli_print_misuse (_ ("--letters needs --text or --target-text"));
  if (self->letters)
    {
      space_out (&self->text);
      space_out (&self->text_pair);
      space_out (&self->target_text);
    }
  if (self->ids_list != NULL)
    self->ids = parse_ids (self->ids_list, &value->n_ids);
  if (self->decoder_ids_list != NULL)
    self->decoder_ids = parse_ids (self->decoder_ids_list, &value->n_decoder_ids);
  if ((self->ids_list != NULL && self->ids == NULL) || (self->decoder_ids_list != NULL && self->decoder_ids == NULL))
    return cli_print_misuse (_ ("--ids and --decoder-ids are numbers with commas between them"));
  const int status = cli_model_part_parse (&self->part, "stop-after-layer");
  if (status != 0)
    return status;
  value->text = self->text;
  value->text_pair = self->text_pair;
  value->target_text = self->target_text;
  value->ids = self->ids;
  value->decoder_ids = self->decoder_ids;
  return 0;
}

/* Returns whether there is none of them. */
gboolean
cli_model_text_is_empty (CliModelText *self)
{
  return self->text == NULL && self->ids_list == NULL && !cli_model_text_is_seen (self);
}

/* Returns whether it is for models that see. */
gboolean
cli_model_text_is_seen (const CliModelText *self)
{
  return self->pixels_file != NULL || self->image_file != NULL;
}

/* Reads what is in files, of which @job then says what is wrong with them. */
gboolean
cli_model_text_load (CliModelText *self,
                     CliJob       *job,
                     GError      **error)
{
  const char *name = self->image_file != NULL ? self->image_file : self->pixels_file;

  if (name == NULL || self->image != NULL || self->pixels != NULL)
    return TRUE;
  g_autoptr (GFile) file = hl_file_new_for_argument (name);
  if (self->image_file != NULL)
    self->value.image = self->image = hl_image_load (file, NULL, error);
  else
    self->value.pixels = self->pixels = hl_pixels_load (file, error);
  if (self->image != NULL || self->pixels != NULL)
    return TRUE;
  job->file = name;
  return FALSE;
}

void
cli_model_text_clear (CliModelText *self)
{
  g_free (self->text);
  g_free (self->text_pair);
  g_free (self->target_text);
  g_free (self->ids_list);
  g_free (self->decoder_ids_list);
  g_free (self->pixels_file);
  g_free (self->image_file);
  cli_model_part_clear (&self->part);
  g_clear_pointer (&self->pixels, hl_pixels_unref);
  g_clear_pointer (&self->image, hl_image_unref);
  g_free (self->ids);
  g_free (self->decoder_ids);
}
