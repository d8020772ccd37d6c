/* SPDX-License-Identifier: MIT */
/* The options that name pairs of words whose heads are looked for. */
#include "cli/base/cli-pairs.h"

#include "core/base/file/hl-file-argument.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>

void
cli_pairs_add_entries (CliPairs       *self,
                       GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "pair", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->pairs,
      N_ ("A query and a key, as words of the text; can be given several times"), N_ ("QUERY:KEY") },
    { "pairs", 0, 0, G_OPTION_ARG_FILENAME, &self->file, N_ ("A list of such pairs, one a line"), N_ ("FILE") },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

gboolean
cli_pairs_is_empty (const CliPairs *self)
{
  return self->pairs == NULL && self->file == NULL;
}

/* Reads the list behind the pairs that were written. */
char *
cli_pairs_load (const CliPairs *self,
                CliJob         *job,
                GError        **error)
{
  const char *source = job->file;
  g_autoptr (GString) text = g_string_new (NULL);
  gsize length;

  for (guint i = 0; self->pairs != NULL && self->pairs[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", self->pairs[i]);
  if (self->file == NULL)
    return g_string_free (g_steal_pointer (&text), FALSE);

  job->file = self->file;
  g_autoptr (GFile) file = hl_file_new_for_argument (self->file);
  g_autoptr (GBytes) bytes = hl_file_read_head (file, HL_LIMIT_PAIR_LIST + 1, job->cancellable, error);
  if (bytes == NULL)
    return NULL;
  const char *list = g_bytes_get_data (bytes, &length);
  if (length > HL_LIMIT_PAIR_LIST)
    {
      g_set_error_literal (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the list is larger than 1 MiB"));
      return NULL;
    }
  if (length > 0 && !g_utf8_validate_len (list, length, NULL))
    {
      g_set_error_literal (error, HL_ERROR, HL_ERROR_ENCODING, _ ("the list is not valid UTF-8"));
      return NULL;
    }
  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append_len (text, list, (gssize) length);
  job->file = source;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
cli_pairs_clear (CliPairs *self)
{
  g_strfreev (self->pairs);
  g_free (self->file);
}
