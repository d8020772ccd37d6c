/* SPDX-License-Identifier: MIT */
/* Session files: small JSON that says everything that makes a picture. Nothing in them is believed. */
#include "draw/hl-saved-session.h"

#include "core/base/hl-error.h"
#include "core/tokenizer/hl-json-tree.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define FORMAT "headlight-session"
#define VERSION 1

/* Room for the tokens of a long text; all else is far smaller. */
#define MAX_BYTES (16u << 20)
#define MAX_TOKENS (1u << 20)

/* What names the format stands at the beginning of what Headlight writes. */
#define HEAD_BYTES 512

static gboolean
fail_value (const char *key,
            const char *what,
            GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not %s"), key, what);
  return FALSE;
}

static gboolean
take_string (HlJsonValue value,
             const char *key,
             char      **slot,
             GError    **error)
{
  const char *text = hl_json_value_as_string (value);

  if (text == NULL)
    return fail_value (key, _ ("a string"), error);
  g_free (*slot);
  *slot = g_strdup (text);
  return TRUE;
}

static gboolean
take_axes (HlJsonValue     value,
           HlSavedSession *self,
           GError        **error)
{
  g_autoptr (GError) own_error = NULL;
  const char *text = hl_json_value_as_string (value);

  if (text == NULL)
    return fail_value ("axes", _ ("a string"), error);
  if (hl_layout_axes_parse (&self->options.axes, text, &own_error))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, "“axes”: %s", own_error->message);
  return FALSE;
}

static gboolean
take_tokens (HlJsonValue     value,
             HlSavedSession *self,
             GError        **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const guint n = hl_json_value_get_length (value);
  HlJsonIter iter;

  if (hl_json_value_get_kind (value) != HL_JSON_ARRAY || n == 0 || n > MAX_TOKENS)
    return fail_value ("tokens", _ ("a list of strings"), error);
  hl_json_iter_init (&iter, value);
  while (hl_json_iter_next (&iter))
    {
      const char *token = hl_json_value_as_string (iter.value);
      if (token == NULL)
        return fail_value ("tokens", _ ("a list of strings"), error);
      g_strv_builder_add (builder, token);
    }
  g_strfreev (self->options.tokens);
  self->options.tokens = g_strv_builder_end (builder);
  return TRUE;
}

/* Each as the option of the same name has it. */
static gboolean
take_state (HlJsonValue     value,
            HlSavedSession *self,
            GError        **error)
{
  HlJsonIter iter;

  if (hl_json_value_get_kind (value) != HL_JSON_OBJECT)
    return fail_value ("state", _ ("an object"), error);
  hl_json_iter_init (&iter, value);
  while (hl_json_iter_next (&iter))
    {
      const int index = hl_state_text_find (iter.key);
      const char *text = hl_json_value_as_string (iter.value);
      if (index < 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                       _ ("this version of Headlight does not know “%s”"), iter.key);
          return FALSE;
        }
      if (text == NULL)
        return fail_value (iter.key, _ ("a string"), error);
      if (!hl_state_text_check ((guint) index, text))
        {
          g_autofree char *rule = hl_state_text_dup_rule ((guint) index);
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” cannot be “%s”; it is %s"),
                       iter.key, text, rule);
          return FALSE;
        }
      g_free (self->state.texts[index]);
      self->state.texts[index] = g_strdup (text);
    }
  return TRUE;
}

static gboolean
take_number (HlJsonValue value,
             const char *key,
             double     *slot,
             GError    **error)
{
  if (!hl_json_value_as_double (value, slot) || !isfinite (*slot) || *slot < 0 ||
      *slot > G_MAXINT32)
    return fail_value (key, _ ("a number that is not negative"), error);
  return TRUE;
}

static gboolean
take_scroll (HlJsonValue     value,
             HlSavedSession *self,
             GError        **error)
{
  double *const slots[] = { &self->scroll_x, &self->scroll_y };
  HlJsonIter iter;

  if (hl_json_value_get_kind (value) != HL_JSON_ARRAY ||
      hl_json_value_get_length (value) != G_N_ELEMENTS (slots))
    return fail_value ("scroll", _ ("a list of two numbers"), error);
  hl_json_iter_init (&iter, value);
  for (guint i = 0; hl_json_iter_next (&iter); i++)
    if (!take_number (iter.value, "scroll", slots[i], error))
      return FALSE;
  return TRUE;
}

/* A file of this computer, or one where the session itself is: opening a session reaches nowhere else. */
static gboolean
take_uri (HlJsonValue value,
          GFile      *folder,
          GFile     **slot,
          GError    **error)
{
  const char *uri = hl_json_value_as_string (value);
  g_autofree char *scheme = uri != NULL ? g_uri_parse_scheme (uri) : NULL;

  if (scheme == NULL ||
      (g_strcmp0 (scheme, "file") != 0 && !g_file_has_uri_scheme (folder, scheme)))
    return fail_value ("uri", _ ("the address of a file"), error);
  g_clear_object (slot);
  *slot = g_file_new_for_uri (uri);
  return TRUE;
}

static gboolean
take_file (HlJsonValue value,
           GFile      *folder,
           GFile     **slot,
           GError    **error)
{
  const char *path = hl_json_value_as_string (value);

  if (path == NULL || *path == '\0')
    return fail_value ("file", _ ("the name of a file"), error);
  g_clear_object (slot);
  *slot = g_file_resolve_relative_path (folder, path);
  return TRUE;
}

static gboolean
take_member (HlSavedSession *self,
             const char     *key,
             HlJsonValue     value,
             GFile          *folder,
             GFile         **uri,
             GError        **error)
{
  guint32 number;

  if (g_str_equal (key, "file"))
    return take_file (value, folder, &self->file, error);
  if (g_str_equal (key, "uri"))
    return take_uri (value, folder, uri, error);
  if (g_str_equal (key, "dataset"))
    return take_string (value, key, &self->options.dataset, error);
  if (g_str_equal (key, "axes"))
    return take_axes (value, self, error);
  if (g_str_equal (key, "tokens"))
    return take_tokens (value, self, error);
  if (g_str_equal (key, "text"))
    return take_string (value, key, &self->text, error);
  if (g_str_equal (key, "text-pair"))
    return take_string (value, key, &self->text_pair, error);
  if (g_str_equal (key, "target-text"))
    return take_string (value, key, &self->target_text, error);
  if (g_str_equal (key, "state"))
    return take_state (value, self, error);
  if (g_str_equal (key, "zoom"))
    return take_number (value, key, &self->zoom, error);
  if (g_str_equal (key, "scroll"))
    return take_scroll (value, self, error);
  if (g_str_equal (key, "softmax"))
    {
      if (hl_json_value_get_kind (value) != HL_JSON_BOOLEAN)
        return fail_value (key, _ ("true or false"), error);
      return TRUE;
    }
  if (g_str_equal (key, "example"))
    {
      if (!hl_json_value_as_uint (value, &number))
        return fail_value (key, _ ("a whole number that is not negative"), error);
      self->example = number;
      return TRUE;
    }
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("this version of Headlight does not know “%s”"), key);
  return FALSE;
}

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
    return fail_value ("version", _ ("the number of a version"), error);
  if (version <= VERSION)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("it was saved by a newer version of Headlight, in version %u of the format"),
               version);
  return FALSE;
}

static gboolean
check_texts (const HlSavedSession *self,
             GError              **error)
{
  const gboolean second = self->text_pair != NULL || self->target_text != NULL;

  if (second && self->text == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” is missing"), "text");
  else if (self->text != NULL && *self->text == '\0')
    return fail_value ("text", _ ("a text"), error);
  else
    return TRUE;
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
  g_autoptr (GFile) uri = NULL;
  HlJsonIter iter;

  g_return_val_if_fail (text != NULL || size == 0, NULL);
  g_return_val_if_fail (G_IS_FILE (folder), NULL);

  if (size > MAX_BYTES)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("it is larger than %u MiB, which no session is"), MAX_BYTES >> 20);
      return NULL;
    }
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (text, size, error);
  if (tree == NULL || !check_header (hl_json_tree_get_root (tree), error))
    return NULL;
  hl_json_iter_init (&iter, hl_json_tree_get_root (tree));
  while (hl_json_iter_next (&iter))
    if (!g_str_equal (iter.key, "format") && !g_str_equal (iter.key, "version") &&
        !take_member (self, iter.key, iter.value, folder, &uri, error))
      return NULL;
  if (!hl_json_get_boolean (hl_json_tree_get_root (tree), "softmax", &self->options.softmax,
                            error) ||
      !check_texts (self, error))
    return NULL;
  if (self->file == NULL)
    self->file = g_steal_pointer (&uri);
  else
    self->fallback = g_steal_pointer (&uri);
  if (self->file == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” is missing"), "file");
      return NULL;
    }
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
  if (bytes == NULL)
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

/**
 * hl_saved_session_find_file:
 * @self: a session
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_EXTERNAL if it is gone
 *
 * Settles where the file is: beside the session, or where it was when that was saved. Blocks.
 *
 * Returns: whether there is such a file
 */
gboolean
hl_saved_session_find_file (HlSavedSession *self,
                            GCancellable   *cancellable,
                            GError        **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (g_file_query_exists (self->file, cancellable))
    return TRUE;
  if (self->fallback != NULL && g_file_query_exists (self->fallback, cancellable))
    {
      g_set_object (&self->file, self->fallback);
      return TRUE;
    }
  g_autofree char *name = g_file_get_parse_name (self->file);
  g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL, _ ("“%s”, which it shows, is not there"), name);
  return FALSE;
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
  copy->file = g_object_ref (self->file);
  copy->fallback = self->fallback != NULL ? g_object_ref (self->fallback) : NULL;
  copy->options.dataset = g_strdup (self->options.dataset);
  copy->options.tokens = g_strdupv (self->options.tokens);
  copy->text = g_strdup (self->text);
  copy->text_pair = g_strdup (self->text_pair);
  copy->target_text = g_strdup (self->target_text);
  for (guint i = 0; i < HL_MAX_STATE_TEXTS; i++)
    copy->state.texts[i] = g_strdup (self->state.texts[i]);
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
  g_free (self);
}
