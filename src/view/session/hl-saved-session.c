/* SPDX-License-Identifier: MIT */
/* Session files: small JSON that says everything that makes a picture. Nothing in them is believed. */
#include "view/session/hl-saved-session.h"

#include "core/base/hl-error.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/file/hl-temp-file.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/json/hl-json-tree.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#define FORMAT "headlight-session"
#define VERSION 1

/* What names the format stands at the beginning of what Headlight writes. */
#define HEAD_BYTES 512

/* Of what a file says, in a sentence about it, and of where another is. */
#define MAX_SHOWN 80
#define MAX_PATH_LETTERS 4096
#define MAX_SHOWN_PATH 300
#define SHOWN_PATH_END 150

/* More than a long text has. */
#define MAX_TOKENS (1u << 20)

/* Of which of the two sides that are compared something is said. */
typedef enum
{
  FIRST_SIDE,
  SECOND_SIDE,
} Side;

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
            Side            side,
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
      if (index < 0 || (side == SECOND_SIDE && !hl_saved_session_is_of_side ((guint) index)))
        {
          g_autofree char *shown = hl_utf8_quote (iter.key, strlen (iter.key), MAX_SHOWN);
          g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("this version of Headlight does not know “%s”"),
                       shown);
          return FALSE;
        }
      if (text == NULL)
        return fail_value (iter.key, _ ("a string"), error);
      if (!hl_state_text_check ((guint) index, text))
        {
          g_autofree char *rule = hl_state_text_dup_rule ((guint) index);
          g_autofree char *shown = hl_utf8_quote (text, strlen (text), MAX_SHOWN);
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” cannot be “%s”; it is %s"), iter.key, shown, rule);
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
  if (!hl_json_value_as_double (value, slot) || !isfinite (*slot) || *slot < 0 || *slot > G_MAXINT32)
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

  if (hl_json_value_get_kind (value) != HL_JSON_ARRAY || hl_json_value_get_length (value) != G_N_ELEMENTS (slots))
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
  const gboolean is_here = g_strcmp0 (scheme, "file") == 0;

  if (scheme == NULL || (!is_here && !g_file_has_uri_scheme (folder, scheme)))
    return fail_value ("uri", _ ("the address of a file"), error);
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autofree char *name = g_file_get_basename (file);
  /* One with a stray per cent sign is of nothing that has a name, and one with other signs behind its scheme of no file. */
  if (name == NULL || (is_here && !hl_file_is_local (file)))
    return fail_value ("uri", _ ("the address of a file"), error);
  g_set_object (slot, file);
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

/* Beside the session, or an address. */
static gboolean
take_pixels (HlJsonValue value,
             GFile      *folder,
             GFile     **slot,
             GError    **error)
{
  const char *path = hl_json_value_as_string (value);
  g_autofree char *scheme = path != NULL ? g_uri_parse_scheme (path) : NULL;

  return scheme != NULL ? take_uri (value, folder, slot, error) : take_file (value, folder, slot, error);
}

/* What it is, the object is asked for when all members were seen. */
static gboolean
check_flag (HlJsonValue value,
            const char *key,
            GError    **error)
{
  return hl_json_value_get_kind (value) == HL_JSON_BOOLEAN || fail_value (key, _ ("true or false"), error);
}

static gboolean
take_example (HlJsonValue     value,
              HlSavedSession *self,
              GError        **error)
{
  guint32 number;

  if (!hl_json_value_as_uint (value, &number))
    return fail_value ("example", _ ("a whole number that is not negative"), error);
  self->example = number;
  return TRUE;
}

static gboolean take_side (HlSavedSession *self, HlJsonValue object, GFile *folder, Side side, GError **error);

static gboolean
take_other (HlJsonValue     value,
            HlSavedSession *self,
            GFile          *folder,
            GError        **error)
{
  if (hl_json_value_get_kind (value) != HL_JSON_OBJECT)
    return fail_value ("other", _ ("an object"), error);
  g_clear_pointer (&self->other, hl_saved_session_free);
  self->other = g_new0 (HlSavedSession, 1);
  if (take_side (self->other, value, folder, SECOND_SIDE, error))
    return TRUE;
  g_prefix_error (error, "“other”: ");
  return FALSE;
}

static gboolean
take_last_layer (HlJsonValue     value,
                 HlSavedSession *self,
                 GError        **error)
{
  double number;

  if (!take_number (value, "stop-after-layer", &number, error))
    return FALSE;
  self->n_layers = (guint) MIN (number, G_MAXINT32 - 1) + 1;
  return number == floor (number) || fail_value ("stop-after-layer", _ ("a whole number that is not negative"), error);
}

static gboolean
take_member (HlSavedSession *self,
             const char     *key,
             HlJsonValue     value,
             GFile          *folder,
             Side            side,
             GFile         **uri,
             GError        **error)
{
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
  if (g_str_equal (key, "softmax") || g_str_equal (key, "adapter"))
    return check_flag (value, key, error);
  if (g_str_equal (key, "example"))
    return take_example (value, self, error);
  if (g_str_equal (key, "pixels") || g_str_equal (key, "image"))
    {
      self->is_image = g_str_equal (key, "image");
      return take_pixels (value, folder, &self->pixels, error);
    }
  if (g_str_equal (key, "text"))
    return take_string (value, key, &self->text, error);
  if (g_str_equal (key, "text-pair"))
    return take_string (value, key, &self->text_pair, error);
  if (g_str_equal (key, "target-text"))
    return take_string (value, key, &self->target_text, error);
  if (g_str_equal (key, "stop-after-layer"))
    return take_last_layer (value, self, error);
  if (g_str_equal (key, "state"))
    return take_state (value, self, side, error);
  if (g_str_equal (key, "scroll"))
    return take_scroll (value, self, error);
  if (side == FIRST_SIDE && g_str_equal (key, "zoom"))
    return take_number (value, key, &self->zoom, error);
  if (side == FIRST_SIDE && g_str_equal (key, "other"))
    return take_other (value, self, folder, error);
  if (side == SECOND_SIDE && g_str_equal (key, "difference"))
    return check_flag (value, key, error);
  g_autofree char *shown = hl_utf8_quote (key, strlen (key), MAX_SHOWN);
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("this version of Headlight does not know “%s”"), shown);
  return FALSE;
}

static gboolean
check_texts (const HlSavedSession *self,
             GError              **error)
{
  const gboolean second = self->text_pair != NULL || self->target_text != NULL;
  const gboolean is_of_model = self->text != NULL || self->pixels != NULL;

  if ((second && self->text == NULL) || (self->n_layers > 0 && !is_of_model))
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” is missing"), "text");
  else if (self->text != NULL && *self->text == '\0')
    return fail_value ("text", _ ("a text"), error);
  else
    return TRUE;
  return FALSE;
}

/* Versions before also named heads of other layers where heads or layers become one, of which they are no part. */
static void
drop_other_heads (HlStateTexts *state)
{
  const HlViewOptions options = hl_state_texts_get_options (state);
  const HlViewTraits *view = hl_view_kind_get_traits (options.view);
  const HlLens lens = { .quantity = options.quantity,
                        .combine = options.combine,
                        .combine_over = options.combine_over };
  const char *text = hl_state_texts_get (state, "heads");

  if (text == NULL || view->shows_steps || view->shows_charts ||
      !(hl_lens_merges_heads (&lens) || hl_lens_merges_layers (&lens)))
    return;
  g_autofree char *own = hl_state_heads_dup_own (text);
  hl_state_texts_set (state, "heads", own);
}

/* A second side that is read in a way of its own is a file of its own. */
static gboolean
has_options (const HlOpenOptions *options)
{
  return options->dataset != NULL || options->tokens != NULL || options->softmax || *options->axes.letters != '\0';
}

static gboolean
take_side (HlSavedSession *self,
           HlJsonValue     object,
           GFile          *folder,
           Side            side,
           GError        **error)
{
  g_autoptr (GFile) uri = NULL;
  gboolean adapter = TRUE;
  HlJsonIter iter;

  hl_json_iter_init (&iter, object);
  while (hl_json_iter_next (&iter))
    {
      const gboolean is_header = side == FIRST_SIDE &&
                                 (g_str_equal (iter.key, "format") || g_str_equal (iter.key, "version"));
      if (!is_header && !take_member (self, iter.key, iter.value, folder, side, &uri, error))
        return FALSE;
    }
  drop_other_heads (&self->state);
  if (!hl_json_get_boolean (object, "softmax", &self->options.softmax, error) ||
      !hl_json_get_boolean (object, "adapter", &adapter, error) ||
      !hl_json_get_boolean (object, "difference", &self->difference, error) || !check_texts (self, error))
    return FALSE;
  self->is_bare = !adapter;
  if (self->file == NULL)
    self->file = g_steal_pointer (&uri);
  else
    self->fallback = g_steal_pointer (&uri);
  if (self->file != NULL || (side == SECOND_SIDE && !has_options (&self->options)))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” is missing"), "file");
  return FALSE;
}

/* Whether a second side is the document of the first once more. */
gboolean
hl_saved_session_is_again (const HlSavedSession *other)
{
  g_return_val_if_fail (other != NULL, FALSE);

  return other->file == NULL && other->text == NULL && other->pixels == NULL;
}

gboolean
hl_saved_session_is_of_side (guint index)
{
  static const char *const own[] = { "attention", "hidden", "layer", "head", "pinned", NULL };

  return g_strv_contains (own, hl_state_text_get_property (index));
}

static gboolean
check_header (HlJsonValue root,
              GError    **error)
{
  const char *format = hl_json_value_as_string (hl_json_value_get (root, "format"));
  guint32 version;

  if (g_strcmp0 (format, FORMAT) != 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT, _ ("it is no session of Headlight: “format” is not “%s”"),
                   FORMAT);
      return FALSE;
    }
  if (!hl_json_value_as_uint (hl_json_value_get (root, "version"), &version) || version == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not %s"), "version", _ ("the number of a version"));
      return FALSE;
    }
  if (version <= VERSION)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("it was saved by a newer version of Headlight, in version %u of the format"), version);
  return FALSE;
}

HlSavedSession *
hl_saved_session_parse (const char *text,
                        gsize       size,
                        GFile      *folder,
                        GError    **error)
{
  g_autoptr (HlSavedSession) self = g_new0 (HlSavedSession, 1);

  g_return_val_if_fail (text != NULL || size == 0, NULL);
  g_return_val_if_fail (G_IS_FILE (folder), NULL);

  if (size > HL_LIMIT_SESSION)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("it is larger than %u MiB, which no session is"),
                   HL_LIMIT_SESSION >> 20);
      return NULL;
    }
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (text, size, error);
  if (tree == NULL || !check_header (hl_json_tree_get_root (tree), error) ||
      !take_side (self, hl_json_tree_get_root (tree), folder, FIRST_SIDE, error))
    return NULL;
  if (self->other != NULL && hl_saved_session_is_again (self->other))
    self->other->is_bare = self->is_bare;
  return g_steal_pointer (&self);
}

/* Tells session files from files of attention, by name or by how they begin. */
gboolean
hl_saved_session_is_file (GFile        *file,
                          GCancellable *cancellable)
{
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  g_autofree char *name = g_file_get_basename (file);
  if (name != NULL && g_str_has_suffix (name, HL_SAVED_SESSION_SUFFIX))
    return g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) != G_FILE_TYPE_DIRECTORY;
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) != G_FILE_TYPE_REGULAR)
    return FALSE;
  g_autoptr (GBytes) bytes = hl_file_read_head (file, HEAD_BYTES, cancellable, NULL);
  /* The data of no bytes is NULL. */
  if (bytes == NULL || g_bytes_get_size (bytes) == 0)
    return FALSE;
  g_autofree char *head = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return head[strspn (head, " \t\r\n")] == '{' && strstr (head, "\"" FORMAT "\"") != NULL;
}

/* Reads a session file; blocks. */
HlSavedSession *
hl_saved_session_load (GFile        *file,
                       GCancellable *cancellable,
                       GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  /* A pipe would be waited for without end. */
  g_autoptr (GBytes) bytes = hl_file_is_local (file)
                               ? hl_file_read_regular (file, HL_LIMIT_SESSION + 1, cancellable, error)
                               : hl_file_read_head (file, HL_LIMIT_SESSION + 1, cancellable, error);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  if (bytes == NULL)
    return NULL;
  return hl_saved_session_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                 folder != NULL ? folder : file, error);
}

static void
add_member (JsonBuilder *json,
            const char  *name,
            const char  *text)
{
  if (text == NULL)
    return;
  json_builder_set_member_name (json, name);
  json_builder_add_string_value (json, text);
}

static void
add_flag (JsonBuilder *json,
          const char  *name,
          gboolean     flag)
{
  if (!flag)
    return;
  json_builder_set_member_name (json, name);
  json_builder_add_boolean_value (json, TRUE);
}

static void
add_state (JsonBuilder        *json,
           const HlStateTexts *state)
{
  gboolean any = FALSE;

  for (guint i = 0; i < hl_state_text_get_n (); i++)
    any = any || state->texts[i] != NULL;
  if (!any)
    return;
  json_builder_set_member_name (json, "state");
  json_builder_begin_object (json);
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    add_member (json, hl_state_text_get_name (i), state->texts[i]);
  json_builder_end_object (json);
}

static void
add_file (JsonBuilder *json,
          GFile       *file,
          GFile       *folder)
{
  if (file == NULL)
    return;
  g_autofree char *relative = folder != NULL ? g_file_get_relative_path (folder, file) : NULL;
  g_autofree char *uri = g_file_get_uri (file);
  if (relative != NULL && g_utf8_validate (relative, -1, NULL))
    add_member (json, "file", relative);
  add_member (json, "uri", uri);
}

/* Beside the session by its path from there, otherwise by its address. */
static void
add_pixels (JsonBuilder *json,
            const char  *key,
            GFile       *pixels,
            GFile       *folder)
{
  if (pixels == NULL)
    return;
  g_autofree char *relative = folder != NULL ? g_file_get_relative_path (folder, pixels) : NULL;
  g_autofree char *uri = g_file_get_uri (pixels);
  g_autofree char *scheme = relative != NULL ? g_uri_parse_scheme (relative) : NULL;
  const gboolean is_plain = relative != NULL && scheme == NULL && g_utf8_validate (relative, -1, NULL);
  add_member (json, key, is_plain ? relative : uri);
}

/* What both sides of a comparison have. */
static void
add_side (JsonBuilder          *json,
          const HlSavedSession *self,
          GFile                *folder)
{
  g_autofree char *axes = hl_layout_axes_to_string (&self->options.axes);

  add_file (json, self->file, folder);
  add_member (json, "dataset", self->options.dataset);
  add_member (json, "axes", *axes != '\0' ? axes : NULL);
  if (self->options.tokens != NULL)
    {
      json_builder_set_member_name (json, "tokens");
      json_builder_begin_array (json);
      for (guint i = 0; self->options.tokens[i] != NULL; i++)
        json_builder_add_string_value (json, self->options.tokens[i]);
      json_builder_end_array (json);
    }
  add_flag (json, "softmax", self->options.softmax);
  if (self->example > 0)
    {
      json_builder_set_member_name (json, "example");
      json_builder_add_int_value (json, self->example);
    }
  add_pixels (json, self->is_image ? "image" : "pixels", self->pixels, folder);
  add_member (json, "text", self->text);
  add_member (json, "text-pair", self->text_pair);
  add_member (json, "target-text", self->target_text);
  if (self->n_layers > 0)
    {
      json_builder_set_member_name (json, "stop-after-layer");
      json_builder_add_int_value (json, self->n_layers - 1);
    }
  if (self->is_bare)
    {
      json_builder_set_member_name (json, "adapter");
      json_builder_add_boolean_value (json, FALSE);
    }
  add_state (json, &self->state);
  if (self->zoom > 0)
    {
      json_builder_set_member_name (json, "zoom");
      json_builder_add_double_value (json, self->zoom);
    }
  if (self->scroll_x > 0 || self->scroll_y > 0)
    {
      json_builder_set_member_name (json, "scroll");
      json_builder_begin_array (json);
      json_builder_add_double_value (json, self->scroll_x);
      json_builder_add_double_value (json, self->scroll_y);
      json_builder_end_array (json);
    }
}

/* What hl_saved_session_parse() reads as the same, where the file is in that folder. */
char *
hl_saved_session_to_json (const HlSavedSession *self,
                          GFile                *folder)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_autoptr (JsonBuilder) json = json_builder_new ();
  json_builder_begin_object (json);
  add_member (json, "format", FORMAT);
  json_builder_set_member_name (json, "version");
  json_builder_add_int_value (json, VERSION);
  add_side (json, self, folder);
  if (self->other != NULL)
    {
      json_builder_set_member_name (json, "other");
      json_builder_begin_object (json);
      add_side (json, self->other, folder);
      add_flag (json, "difference", self->other->difference);
      json_builder_end_object (json);
    }
  json_builder_end_object (json);
  g_autoptr (JsonNode) root = json_builder_get_root (json);
  g_autofree char *text = json_to_string (root, TRUE);
  return g_strconcat (text, "\n", NULL);
}

/* Writes a session file, whole or not at all; blocks. */
gboolean
hl_saved_session_save (const HlSavedSession *self,
                       GFile                *target,
                       GError              **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (G_IS_FILE (target), FALSE);

  g_autoptr (GFile) folder = g_file_get_parent (target);
  g_autofree char *json = hl_saved_session_to_json (self, folder);
  g_autoptr (HlTempFile) file = hl_temp_file_new (target, error);
  return file != NULL && hl_temp_file_write (file, json, strlen (json), error) && hl_temp_file_commit (file, error);
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

/* Settles where its files are, and finds what is nowhere. Blocks. */
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
 * hl_saved_session_use_located:
 * @self: a session
 * @located: (element-type GFile): where files are now, the first for the first that is missing
 * @cancellable: (nullable): a cancellable
 *
 * Takes them in place of those that are missing; if none is, the last in place of the first side's, which leads to what is. What lies beside one
 * may have come along.
 */
void
hl_saved_session_use_located (HlSavedSession *self,
                              GPtrArray      *located,
                              GCancellable   *cancellable)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (located != NULL);

  HlSavedSession *missing = hl_saved_session_get_missing (self, cancellable);

  if (missing == NULL && located->len > 0)
    g_set_object (&self->file, located->pdata[located->len - 1]);
  for (guint i = 0; i < located->len && missing != NULL; i++)
    {
      g_autoptr (GFile) folder = g_file_get_parent (located->pdata[i]);
      g_set_object (&missing->file, located->pdata[i]);
      missing = hl_saved_session_get_missing (self, cancellable);
      if (missing == NULL || folder == NULL)
        continue;
      g_autofree char *name = g_file_get_basename (missing->file);
      g_autoptr (GFile) neighbour = g_file_get_child (folder, name);
      if (!g_file_query_exists (neighbour, cancellable))
        continue;
      g_set_object (&missing->file, neighbour);
      missing = hl_saved_session_get_missing (self, cancellable);
    }
}

/* Settles where its files are: beside the session, or where they were when that was saved. Blocks. */
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
  g_autofree char *flat = hl_utf8_quote (name, strlen (name), MAX_PATH_LETTERS);
  g_autofree char *shown = hl_utf8_shorten_middle (flat, MAX_SHOWN_PATH, SHOWN_PATH_END);
  g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL, _ ("“%s”, which it shows, is not there"), shown);
  return FALSE;
}

static int
get_index (const HlSavedSession *self,
           const char           *property)
{
  const char *text = hl_state_texts_get (&self->state, property);

  return text != NULL ? (int) MIN (g_ascii_strtoull (text, NULL, 10), (guint64) G_MAXINT) : -1;
}

HlHeadPairing
hl_saved_session_get_pairing (const HlSavedSession *self)
{
  g_return_val_if_fail (self != NULL, ((HlHeadPairing){ -1, -1 }));

  return (HlHeadPairing){ get_index (self, "layer"), get_index (self, "head") };
}

/* Returns the last layer that its model computes, as options spell it; %NULL where it computes all. */
char *
hl_saved_session_dup_last_layer (const HlSavedSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->n_layers > 0 ? g_strdup_printf ("%u", self->n_layers - 1) : NULL;
}

HlSavedSession *
hl_saved_session_copy (const HlSavedSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  HlSavedSession *copy = g_memdup2 (self, sizeof *self);
  copy->file = self->file != NULL ? g_object_ref (self->file) : NULL;
  copy->fallback = self->fallback != NULL ? g_object_ref (self->fallback) : NULL;
  copy->options.dataset = g_strdup (self->options.dataset);
  copy->options.tokens = g_strdupv (self->options.tokens);
  copy->pixels = self->pixels != NULL ? g_object_ref (self->pixels) : NULL;
  copy->is_image = self->is_image;
  copy->text = g_strdup (self->text);
  copy->text_pair = g_strdup (self->text_pair);
  copy->target_text = g_strdup (self->target_text);
  for (guint i = 0; i < HL_MAX_STATE_TEXTS; i++)
    copy->state.texts[i] = g_strdup (self->state.texts[i]);
  copy->other = self->other != NULL ? hl_saved_session_copy (self->other) : NULL;
  return copy;
}

/* Frees it. */
void
hl_saved_session_free (HlSavedSession *self)
{
  g_clear_object (&self->file);
  g_clear_object (&self->fallback);
  hl_open_options_clear (&self->options);
  g_clear_object (&self->pixels);
  g_free (self->text);
  g_free (self->text_pair);
  g_free (self->target_text);
  hl_state_texts_clear (&self->state);
  g_clear_pointer (&self->other, hl_saved_session_free);
  g_free (self);
}
