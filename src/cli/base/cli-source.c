/* SPDX-License-Identifier: MIT */
/* What all subcommands do with their arguments: options, the one SOURCE, and which example of it.
 * */
#include "cli/base/cli-source.h"

#include "cli/base/cli-locate.h"
#include "cli/base/cli-text.h"
#include "core/archive/format/hl-format.h"
#include "core/base/file/hl-file-argument.h"
#include "core/base/file/hl-temp-file.h"
#include "core/base/hl-error.h"
#include "core/model/hl-model-run.h"
#include "core/model/local/hl-file-stamp.h"

#include <glib/gi18n-lib.h>
#include <locale.h>

/* What is no UTF-8 and has a meaning in the encoding of the locale. */
static gboolean
is_foreign (const char *argument)
{
  g_autofree char *converted = g_utf8_validate (argument, -1, NULL) ? NULL
                                                                    : g_locale_to_utf8 (argument, -1, NULL, NULL, NULL);

  return converted != NULL;
}

/* GLib takes texts for what the locale says, which scripts and containers often have none of: where no argument is in its
 * encoding, they are UTF-8. The locale of the process stays, that of terminals and of how lines of words are broken. */
static gboolean
parse (GOptionContext *context,
       char         ***arguments,
       GError        **error)
{
  guint n_read = 0;

  while ((*arguments)[n_read] != NULL && !is_foreign ((*arguments)[n_read]))
    n_read++;
  if ((*arguments)[n_read] != NULL)
    return g_option_context_parse_strv (context, arguments, error);

  const locale_t copy = duplocale (LC_GLOBAL_LOCALE), utf8 = newlocale (LC_CTYPE_MASK, "C.UTF-8", copy);
  const locale_t before = uselocale (utf8);
  const gboolean is_parsed = g_option_context_parse_strv (context, arguments, error);
  uselocale (before);
  freelocale (utf8 != (locale_t) 0 ? utf8 : copy);
  return is_parsed;
}

/* What is wrong with arguments; of a text GLib does not tell which it is. */
static int
print_unread (char  **arguments,
              GError *error)
{
  while (*arguments != NULL && g_utf8_validate (*arguments, -1, NULL))
    arguments++;
  if (error->domain == G_CONVERT_ERROR && *arguments != NULL)
    return cli_print_misuse (_ ("“%s” is not valid UTF-8"), *arguments);
  return cli_print_misuse ("%s", error->message);
}

/* Reads the arguments of a subcommand that has up to @max_files SOURCEs; of one that has none, @files can be %NULL.
 * @parts are what is wanted of each, if it is a model, and get to know whether that is without its adapter. What is wrong with the
 * arguments is said on standard error. Returns 0, or the exit status for wrong usage. */
int
cli_parse_sources (GOptionContext      *context,
                   const GOptionEntry  *entries,
                   char               **arguments,
                   guint                max_files,
                   CliModelPart *const *parts,
                   char              ***files)
{
  g_autoptr (GOptionContext) owned = context;
  g_auto (GStrv) sources = NULL;
  g_auto (GStrv) copy = g_strdupv (arguments);
  g_autoptr (GError) error = NULL;
  const GOptionEntry rest[] = {
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &sources, NULL,
      max_files > 1 ? N_ ("SOURCE [SOURCE]") : N_ ("SOURCE") },
    G_OPTION_ENTRY_NULL,
  };

  g_autofree char *program = g_strconcat ("headlight-cli ", arguments[0], NULL);
  g_set_prgname (program); /* for the first line of --help */
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (max_files > 0)
    g_option_context_add_main_entries (context, rest, GETTEXT_PACKAGE);
  if (!parse (context, &copy, &error))
    return print_unread (arguments, error);
  if (max_files == 0)
    return copy[1] == NULL ? 0 : cli_print_misuse (_ ("%s takes no file, but there is “%s”"), arguments[0], copy[1]);
  if (sources == NULL)
    return cli_print_misuse (_ ("%s needs a file"), arguments[0]);
  if (max_files == 1 && sources[1] != NULL)
    return cli_print_misuse (_ ("%s takes one file, but “%s” is a second"), arguments[0], sources[1]);
  if (sources[1] != NULL && sources[2] != NULL)
    return cli_print_misuse (_ ("%s takes two files, but “%s” is a third"), arguments[0], sources[2]);
  for (char **source = sources; *source != NULL; source++)
    {
      if (**source == '\0')
        return cli_print_misuse (_ ("the name of the file is empty"));
      if (cli_locate (source, parts[source - sources]) != 0)
        return 1;
    }
  *files = g_steal_pointer (&sources);
  return 0;
}

/* cli_parse_sources() of a subcommand that has one SOURCE. Returns 0, or the exit status for wrong usage. */
int
cli_parse_options (GOptionContext     *context,
                   const GOptionEntry *entries,
                   char              **arguments,
                   CliModelPart       *part,
                   char             ***files)
{
  return cli_parse_sources (context, entries, arguments, 1, &part, files);
}

/* Returns whether it is a model, or a folder, which can be nothing else: opening it says what it lacks. */
gboolean
cli_is_meant_as_model (GFile *file)
{
  return g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY ||
         hl_model_is_model (file);
}

/* A file that is given a text has to be a model; what is none at all, opening says. What is wrong is said on standard error. Returns 0, or the
 * exit status for wrong usage. */
int
cli_check_model (const char *file)
{
  g_autoptr (GFile) source = hl_file_new_for_argument (file);

  if (g_file_query_file_type (source, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR ||
      hl_model_is_model (source))
    return 0;
  return cli_print_misuse (_ ("“%s” is no model: --text, --ids, --image and --pixels are for models"), file);
}

/* Reads the options and holds them against the source: a model needs a text, a dump has one, unless a tokenizer makes
 * its tokens. What is wrong is said on standard error. Returns 0, or the exit status for wrong usage. */
int
cli_check_source (const char     *file,
                  CliModelText   *text,
                  CliOpenOptions *open)
{
  g_autoptr (GFile) source = hl_file_new_for_argument (file);
  int status = cli_model_text_parse (text);

  if (status == 0)
    status = cli_open_options_parse (open, text);
  if (status != 0)
    return status;
  if (!cli_open_options_is_empty (open) && hl_model_is_model (source))
    return cli_print_misuse (_ (
                               "“%s” is a model: --dataset, --axes, --tokens, --tokenizer and --softmax are for files"),
                             file);
  const gboolean is_tokenized = open->tokenizer != NULL && text->ids_list == NULL && !cli_model_text_is_seen (text);
  if (is_tokenized && (text->target_text != NULL || text->decoder_ids_list != NULL))
    return cli_print_misuse (_ ("“%s” is no model: --target-text and --decoder-ids are for models"), file);
  if (cli_model_text_is_empty (text) && hl_model_is_model (source))
    return cli_print_misuse (_ ("“%s” is a model, which needs --text or --ids, or --image or --pixels"), file);
  if (!is_tokenized && !cli_model_text_is_empty (text) && (status = cli_check_model (file)) != 0)
    return status;
  if (text->part.n_layers > 0 && g_file_query_exists (source, NULL) && !cli_is_meant_as_model (source))
    return cli_print_misuse (_ ("“%s” is no model: --stop-after-layer is for models"), file);
  return 0;
}

/* Holds the name of a dump that is to be written against the containers that can be. What is wrong is said on standard error.
 * Returns 0, or the exit status for wrong usage. */
int
cli_check_output (const char *output)
{
  g_autoptr (GFile) target = hl_file_new_for_argument (output);
  g_autofree char *name = g_file_get_basename (target);
  g_autofree char *endings = hl_format_list_endings ();

  return hl_format_find_writable (name) != NULL ? 0 : cli_print_misuse (_ ("--output must end in %s"), endings);
}

/* Whether a file can be written there, before all that is to be in it is computed. */
gboolean
cli_check_target (CliJob     *job,
                  const char *output,
                  GError    **error)
{
  g_autoptr (GFile) target = hl_file_new_for_argument (output);
  g_autoptr (HlTempFile) file = hl_temp_file_new (target, error);

  if (file == NULL)
    job->file = output;
  return file != NULL;
}

/* What is to be known of a document, whatever follows of it: what became of a text that a model could not read, or not as a whole; and that somebody
 * may write to the file. */
void
cli_note_document (HlDocument *document)
{
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  GPtrArray *checks = hl_example_get_checks (example);

  for (guint i = 0; i < checks->len; i++)
    {
      const char *message = hl_check_get_message (checks->pdata[i]);
      g_autofree char *unknown = g_strdup_printf (_ ("%s, see --letters"), message);
      const HlCheckTopic topic = hl_check_get_topic (checks->pdata[i]);
      if (topic == HL_CHECK_TOPIC_UNKNOWN || topic == HL_CHECK_TOPIC_LENGTH || topic == HL_CHECK_TOPIC_WRITER)
        cli_print_note (topic == HL_CHECK_TOPIC_UNKNOWN ? unknown : message);
    }
}

static HlDocument *
run_model (CliJob       *job,
           GFile        *folder,
           CliModelText *text,
           GError      **error)
{
  g_autoptr (HlModel) model = cli_model_text_load (text, job, error) ? cli_model_part_load (&text->part, folder, error)
                                                                     : NULL;
  g_autoptr (HlModelRun) run = model != NULL ? hl_model_run_new (model, &text->value, error) : NULL;

  if (run == NULL || !hl_model_run_execute (run, job->progress, job->cancellable, error))
    return NULL;
  cli_note_document (hl_model_run_get_document (run));
  return g_object_ref (hl_model_run_get_document (run));
}

/* Opens a dump, or runs a model. Of a dump nothing is said, for who shows its checks. */
HlDocument *
cli_open_document (CliJob         *job,
                   CliModelText   *text,
                   CliOpenOptions *open,
                   GError        **error)
{
  g_autoptr (GFile) file = hl_file_new_for_argument (job->file);

  if (job->stamp == NULL)
    job->stamp = hl_file_stamp_take (file, NULL, job->cancellable);
  if (!cli_model_text_is_empty (text) && cli_is_meant_as_model (file))
    return run_model (job, file, text, error);
  if (!cli_open_options_load (open, text, job, error))
    return NULL;
  return hl_document_load_with (file, &open->value, job->progress, job->cancellable, error);
}

/* As cli_open_document(), and says what is to be known of a dump, too. */
HlDocument *
cli_load_document (CliJob         *job,
                   CliModelText   *text,
                   CliOpenOptions *open,
                   GError        **error)
{
  HlDocument *document = cli_open_document (job, text, open, error);

  if (document != NULL && hl_document_get_archive (document) != NULL)
    cli_note_document (document);
  return document;
}

static gboolean
is_number_below (const char *text,
                 guint       n,
                 guint      *index)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT, &number, NULL) || number >= n)
    return FALSE;
  *index = (guint) number;
  return TRUE;
}

/* Finds an example by its name, or else its number; "#1" is a number though an example be named so. */
gboolean
cli_find_example (HlDocument *document,
                  const char *wanted,
                  guint      *index,
                  GError    **error)
{
  const guint n = hl_document_get_n_examples (document);

  if (*wanted == '#' && is_number_below (wanted + 1, n, index))
    return TRUE;
  for (*index = 0; *index < n; (*index)++)
    if (g_strcmp0 (hl_document_get_example_name (document, *index), wanted) == 0)
      return TRUE;
  if (is_number_below (wanted, n, index))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               g_dngettext (GETTEXT_PACKAGE, "there is no example “%s”; there is %u, counted from 0",
                            "there is no example “%s”; there are %u, counted from 0", n),
               wanted, n);
  return FALSE;
}

HlExample *
cli_load_example (CliJob     *job,
                  HlDocument *document,
                  const char *wanted,
                  GError    **error)
{
  guint index = 0;

  if (wanted != NULL && !cli_find_example (document, wanted, &index, error))
    return NULL;
  return hl_document_get_example (document, index, job->cancellable, error);
}
