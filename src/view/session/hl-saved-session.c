/* SPDX-License-Identifier: MIT */
/* Session files: small JSON that says everything that makes a picture. Nothing in them is believed. */
#include "view/session/hl-saved-session-private.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define FORMAT "headlight-session"
#define VERSION 1

/* Room for the tokens of a long text; all else is far smaller. */
#define MAX_BYTES (16u << 20)

/* What names the format stands at the beginning of what Headlight writes. */
#define HEAD_BYTES 512

static gboolean
check_header (HlJsonValue root,
              GError    **error)
{
  const char *format = hl_json_value_as_string (hl_json_value_get (root, "format"));
  guint32 version;

  if (g_strcmp0 (format, FORMAT) != 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT,
                   _ ("it is no session of Headlight: “format” is not “%s”"), FORMAT);
      return FALSE;
    }
  if (!hl_json_value_as_uint (hl_json_value_get (root, "version"), &version) || version == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not %s"), "version",
                   _ ("the number of a version"));
      return FALSE;
    }
  if (version <= VERSION)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("it was saved by a newer version of Headlight, in version %u of the format"),
               version);
  return FALSE;
}

/**
 * hl_saved_session_parse:
 * @text: what a session file holds; bytes
 * @size: how many
 * @folder: where the session file is
 * @error: any of #HlError: a sentence that names the member that is wrong
 *
 * Returns: (transfer full) (nullable): the session
 */
HlSavedSession *
hl_saved_session_parse (const char *text,
                        gsize       size,
                        GFile      *folder,
                        GError    **error)
{
  g_autoptr (HlSavedSession) self = g_new0 (HlSavedSession, 1);

  g_return_val_if_fail (text != NULL || size == 0, NULL);
  g_return_val_if_fail (G_IS_FILE (folder), NULL);

  if (size > MAX_BYTES)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("it is larger than %u MiB, which no session is"), MAX_BYTES >> 20);
      return NULL;
    }
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (text, size, error);
  if (tree == NULL || !check_header (hl_json_tree_get_root (tree), error) ||
      !hl_saved_session_take_members (self, hl_json_tree_get_root (tree), folder, error))
    return NULL;
  return g_steal_pointer (&self);
}

static GBytes *
read_head (GFile        *file,
           gsize         max,
           GCancellable *cancellable,
           GError      **error)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  while (stream != NULL && bytes->len < max)
    {
      g_autoptr (GBytes)
        part = g_input_stream_read_bytes (G_INPUT_STREAM (stream), MIN (max - bytes->len, 1u << 16),
                                          cancellable, error);
      if (part == NULL)
        return NULL;
      if (g_bytes_get_size (part) == 0)
        break;
      g_byte_array_append (bytes, g_bytes_get_data (part, NULL), (guint) g_bytes_get_size (part));
    }
  return stream != NULL ? g_byte_array_free_to_bytes (g_steal_pointer (&bytes)) : NULL;
}

/**
 * hl_saved_session_is_file:
 * @file: any file
 * @cancellable: (nullable): stops it
 *
 * Tells session files from files of attention, by name or by how they begin.
 *
 * Returns: whether it is to be read as a session
 */
gboolean
hl_saved_session_is_file (GFile        *file,
                          GCancellable *cancellable)
{
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  g_autofree char *name = g_file_get_basename (file);
  if (name != NULL && g_str_has_suffix (name, HL_SAVED_SESSION_SUFFIX))
    return g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) !=
           G_FILE_TYPE_DIRECTORY;
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) != G_FILE_TYPE_REGULAR)
    return FALSE;
  g_autoptr (GBytes) bytes = read_head (file, HEAD_BYTES, cancellable, NULL);
  /* The data of no bytes is NULL. */
  if (bytes == NULL || g_bytes_get_size (bytes) == 0)
    return FALSE;
  g_autofree char *head = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return head[strspn (head, " \t\r\n")] == '{' && strstr (head, "\"" FORMAT "\"") != NULL;
}

/**
 * hl_saved_session_load:
 * @file: a session file
 * @cancellable: (nullable): stops it
 * @error: as hl_saved_session_parse(), or that it cannot be read
 *
 * Reads a session file; blocks.
 *
 * Returns: (transfer full) (nullable): the session
 */
HlSavedSession *
hl_saved_session_load (GFile        *file,
                       GCancellable *cancellable,
                       GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (GBytes) bytes = read_head (file, MAX_BYTES + 1, cancellable, error);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  if (bytes == NULL)
    return NULL;
  return hl_saved_session_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                 folder != NULL ? folder : file, error);
}

/* Beside the session, or where it was when that was saved. */
static gboolean
settle_file (HlSavedSession *self,
             GCancellable   *cancellable)
{
  if (self->file == NULL || g_file_query_exists (self->file, cancellable))
    return TRUE;
  if (self->fallback == NULL || !g_file_query_exists (self->fallback, cancellable))
    return FALSE;
  g_set_object (&self->file, self->fallback);
  return TRUE;
}

/**
 * hl_saved_session_get_missing:
 * @self: a session
 * @cancellable: (nullable): stops it
 *
 * Settles where its files are, and finds what is nowhere. Blocks.
 *
 * Returns: (transfer none) (nullable): @self or what it is compared with, whichever of them first has no file any more;
 *   %NULL if all are there
 */
HlSavedSession *
hl_saved_session_get_missing (HlSavedSession *self,
                              GCancellable   *cancellable)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (!settle_file (self, cancellable))
    return self;
  return self->other != NULL && !settle_file (self->other, cancellable) ? self->other : NULL;
}

/**
 * hl_saved_session_find_file:
 * @self: a session
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_EXTERNAL if one is gone
 *
 * Settles where its files are: beside the session, or where they were when that was saved. Blocks.
 *
 * Returns: whether there are such files
 */
gboolean
hl_saved_session_find_file (HlSavedSession *self,
                            GCancellable   *cancellable,
                            GError        **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  const HlSavedSession *missing = hl_saved_session_get_missing (self, cancellable);
  if (missing == NULL)
    return TRUE;
  g_autofree char *name = g_file_get_parse_name (missing->file);
  g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL, _ ("“%s”, which it shows, is not there"), name);
  return FALSE;
}

static int
get_index (const HlSavedSession *self,
           const char           *property)
{
  const char *text = hl_state_texts_get (&self->state, property);

  return text != NULL ? (int) MIN (g_ascii_strtoull (text, NULL, 10), (guint64) G_MAXINT) : -1;
}

/**
 * hl_saved_session_get_pairing:
 * @self: what a session says of a second side
 *
 * Returns: which heads of it belong to those of the first; perhaps some that it does not have
 */
HlHeadPairing
hl_saved_session_get_pairing (const HlSavedSession *self)
{
  g_return_val_if_fail (self != NULL, ((HlHeadPairing){ -1, -1 }));

  return (HlHeadPairing){ get_index (self, "layer"), get_index (self, "head") };
}

/**
 * hl_saved_session_copy:
 * @self: a session
 *
 * Returns: (transfer full): the same
 */
HlSavedSession *
hl_saved_session_copy (const HlSavedSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  HlSavedSession *copy = g_memdup2 (self, sizeof *self);
  copy->file = self->file != NULL ? g_object_ref (self->file) : NULL;
  copy->fallback = self->fallback != NULL ? g_object_ref (self->fallback) : NULL;
  copy->options.dataset = g_strdup (self->options.dataset);
  copy->options.tokens = g_strdupv (self->options.tokens);
  copy->text = g_strdup (self->text);
  copy->text_pair = g_strdup (self->text_pair);
  copy->target_text = g_strdup (self->target_text);
  for (guint i = 0; i < HL_MAX_STATE_TEXTS; i++)
    copy->state.texts[i] = g_strdup (self->state.texts[i]);
  copy->other = self->other != NULL ? hl_saved_session_copy (self->other) : NULL;
  return copy;
}

/**
 * hl_saved_session_free:
 * @self: a session
 *
 * Frees it.
 */
void
hl_saved_session_free (HlSavedSession *self)
{
  g_clear_object (&self->file);
  g_clear_object (&self->fallback);
  hl_open_options_clear (&self->options);
  g_free (self->text);
  g_free (self->text_pair);
  g_free (self->target_text);
  hl_state_texts_clear (&self->state);
  g_clear_pointer (&self->other, hl_saved_session_free);
  g_free (self);
}
