/* SPDX-License-Identifier: MIT */
/* Names of models of the hub, and of the files in them. */
#include "core/model/hub/hl-hub-name.h"

#include "core/base/file/hl-relative-path.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define GGUF ".gguf"

/* As the hub has it. */
#define MAX_PIECE 96

/**
 * hl_hub_is_hash:
 * @text: (nullable): what may be a hash
 * @n_digits: how many digits it has
 *
 * Returns: whether it is that many hexadecimal digits, letters in lower case
 */
gboolean
hl_hub_is_hash (const char *text,
                gsize       n_digits)
{
  return text != NULL && strlen (text) == n_digits && strspn (text, "0123456789abcdef") == n_digits;
}

/**
 * hl_hub_get_shard:
 * @name: the name of a file
 * @suffix: what files of its kind end in
 * @stem: (out): how many bytes the names of all shards begin with; all of a file that is whole
 *
 * Returns: the place among its shards of NAME-00002-of-00003SUFFIX, from 1; 0 of a file that is whole
 */
guint
hl_hub_get_shard (const char *name,
                  const char *suffix,
                  gsize      *stem)
{
  static const char pattern[] = "-00000-of-00000";
  const gsize tail = strlen (pattern) + strlen (suffix);

  *stem = strlen (name);
  if (*stem < tail || !g_str_has_suffix (name, suffix))
    return 0;
  const char *at = name + *stem - tail;
  for (guint i = 0; pattern[i] != '\0'; i++)
    if (pattern[i] == '0' ? !g_ascii_isdigit (at[i]) : pattern[i] != at[i])
      return 0;
  *stem -= tail;
  return (guint) g_ascii_strtoull (at + 1, NULL, 10);
}

/* Whether a word is what a way to quantise is called: a prefix, a digit, then letters, digits and underscores. */
static gboolean
is_quantisation (const char *word)
{
  static const char *const prefixes[] = { "IQ", "Q", "TQ", "MXFP", "BF", "FP", "F" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      const gsize n = strlen (prefixes[i]);
      if (g_ascii_strncasecmp (word, prefixes[i], n) != 0 || !g_ascii_isdigit (word[n]))
        continue;
      const char *at = word + n;
      while (g_ascii_isalnum (*at) || *at == '_')
        at++;
      return *at == '\0';
    }
  return FALSE;
}

/**
 * hl_hub_make_quantisation:
 * @path: the path of a GGUF file, or of the first of several that belong together
 *
 * Returns: (transfer full) (nullable): what its name ends in that says how it is quantised, in capitals: Q4_K_M
 */
char *
hl_hub_make_quantisation (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  gsize stem;

  if (hl_hub_get_shard (name, GGUF, &stem) > 0)
    name[stem] = '\0';
  else if (g_str_has_suffix (name, GGUF))
    name[strlen (name) - strlen (GGUF)] = '\0';
  for (const char *at = name; *at != '\0'; at++)
    if ((at == name || strchr ("-._", at[-1]) != NULL) && is_quantisation (at))
      return g_ascii_strup (at, -1);
  return NULL;
}

static gboolean
is_piece (const char *piece)
{
  const gsize length = strlen (piece);

  if (length == 0 || length > MAX_PIECE || strchr ("-.", piece[0]) != NULL ||
      strchr ("-.", piece[length - 1]) != NULL || strstr (piece, "--") != NULL || strstr (piece, "..") != NULL)
    return FALSE;
  for (const char *at = piece; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && strchr ("-._", *at) == NULL)
      return FALSE;
  return TRUE;
}

/* Of the folders and the file before “@” and “:”, the first two are the repository. */
static gboolean
take_path (HlHubName  *self,
           const char *path)
{
  g_auto (GStrv) pieces = g_strsplit (path, "/", 3);
  const guint n = g_strv_length (pieces);

  if (n == 0 || !is_piece (pieces[0]) || (n > 1 && !is_piece (pieces[1])))
    return FALSE;
  self->repository = n > 1 ? g_strjoin ("/", pieces[0], pieces[1], NULL) : g_strdup (pieces[0]);
  if (n < 3)
    return TRUE;
  if (self->part != NULL || !hl_relative_path_is_safe (pieces[2]) || !g_str_has_suffix (pieces[2], GGUF))
    return FALSE;
  self->part = g_strdup (pieces[2]);
  return TRUE;
}

static gboolean
take_all (HlHubName  *self,
          const char *text)
{
  const char *colon = strchr (text, ':');
  g_autofree char *head = colon != NULL ? g_strndup (text, (gsize) (colon - text)) : g_strdup (text);
  char *at = strchr (head, '@');

  if (colon != NULL && !hl_relative_path_is_safe (colon + 1))
    return FALSE;
  self->part = colon != NULL ? g_strdup (colon + 1) : NULL;
  if (at != NULL && !hl_relative_path_is_safe (at + 1))
    return FALSE;
  self->revision = g_strdup (at != NULL ? at + 1 : HL_HUB_MAIN);
  if (at != NULL)
    *at = '\0';
  return take_path (self, head);
}

/**
 * hl_hub_name_parse:
 * @text: what somebody has written, any bytes
 * @error: %HL_ERROR_VALUE
 *
 * Returns: (transfer full): the name; %NULL when it can be none
 */
HlHubName *
hl_hub_name_parse (const char *text,
                   GError    **error)
{
  g_return_val_if_fail (text != NULL, NULL);

  g_autoptr (HlHubName) self = g_new0 (HlHubName, 1);

  if (take_all (self, text))
    return g_steal_pointer (&self);
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
               _ ("models of the hub are called “org/name”, “org/name@revision” or, for one of several GGUF files, "
                  "“org/name:Q4_K_M”"));
  return NULL;
}

void
hl_hub_name_free (HlHubName *self)
{
  g_free (self->repository);
  g_free (self->revision);
  g_free (self->part);
  g_free (self);
}
