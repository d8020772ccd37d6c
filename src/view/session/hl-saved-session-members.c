/* SPDX-License-Identifier: MIT */
/* What a session file may say, member by member. Nothing in it is believed. */
#include "view/session/hl-saved-session-private.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>

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

/* What it is, the object is asked for when all members were seen. */
static gboolean
check_flag (HlJsonValue value,
            const char *key,
            GError    **error)
{
  return hl_json_value_get_kind (value) == HL_JSON_BOOLEAN ||
         fail_value (key, _ ("true or false"), error);
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

static gboolean take_side (HlSavedSession *self,
                           HlJsonValue     object,
                           GFile          *folder,
                           Side            side,
                           GError        **error);

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
  if (g_str_equal (key, "softmax"))
    return check_flag (value, key, error);
  if (g_str_equal (key, "example"))
    return take_example (value, self, error);
  if (g_str_equal (key, "text"))
    return take_string (value, key, &self->text, error);
  if (g_str_equal (key, "text-pair"))
    return take_string (value, key, &self->text_pair, error);
  if (g_str_equal (key, "target-text"))
    return take_string (value, key, &self->target_text, error);
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
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("this version of Headlight does not know “%s”"), key);
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

/* A second side that is read in a way of its own is a file of its own. */
static gboolean
has_options (const HlOpenOptions *options)
{
  return options->dataset != NULL || options->tokens != NULL || options->softmax ||
         *options->axes.letters != '\0';
}

static gboolean
take_side (HlSavedSession *self,
           HlJsonValue     object,
           GFile          *folder,
           Side            side,
           GError        **error)
{
  g_autoptr (GFile) uri = NULL;
  HlJsonIter iter;

  hl_json_iter_init (&iter, object);
  while (hl_json_iter_next (&iter))
    {
      const gboolean is_header = side == FIRST_SIDE && (g_str_equal (iter.key, "format") ||
                                                        g_str_equal (iter.key, "version"));
      if (!is_header && !take_member (self, iter.key, iter.value, folder, side, &uri, error))
        return FALSE;
    }
  if (!hl_json_get_boolean (object, "softmax", &self->options.softmax, error) ||
      !hl_json_get_boolean (object, "difference", &self->difference, error) ||
      !check_texts (self, error))
    return FALSE;
  if (self->file == NULL)
    self->file = g_steal_pointer (&uri);
  else
    self->fallback = g_steal_pointer (&uri);
  if (self->file != NULL || (side == SECOND_SIDE && !has_options (&self->options)))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” is missing"), "file");
  return FALSE;
}

/**
 * hl_saved_session_is_of_side:
 * @index: a property that is spelt
 *
 * Returns: whether a second side can have it otherwise than the first
 */
gboolean
hl_saved_session_is_of_side (guint index)
{
  static const char *const own[] = { "attention", "hidden", "layer", "head", "pinned", NULL };

  return g_strv_contains (own, hl_state_text_get_property (index));
}

/* Takes what an object says into a session that says nothing yet. */
gboolean
hl_saved_session_take_members (HlSavedSession *self,
                               HlJsonValue     object,
                               GFile          *folder,
                               GError        **error)
{
  return take_side (self, object, folder, FIRST_SIDE, error);
}
