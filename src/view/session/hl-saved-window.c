/* SPDX-License-Identifier: MIT */
/* What is open in a window, as bytes. Nothing in them is believed. */
#include "view/session/hl-saved-window.h"

#include "core/base/file/hl-file-read.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/json/hl-json-tree.h"
#include "view/session/hl-kept-file.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define FORMAT "headlight-window"
#define VERSION 1

/* Before each JSON text; none holds it. */
#define SEPARATOR '\x1e'

/* As much as one session may be; what is beyond that is left out. */
#define MAX_BYTES (16u << 20)
#define MAX_TABS 200

static void
tab_free (gpointer data)
{
  HlSavedTab *tab = data;

  hl_saved_session_free (tab->session);
  g_clear_object (&tab->session_file);
  g_free (tab);
}

HlSavedWindow *
hl_saved_window_new (void)
{
  HlSavedWindow *self = g_new0 (HlSavedWindow, 1);

  self->tabs = g_ptr_array_new_with_free_func (tab_free);
  return self;
}

void
hl_saved_window_free (HlSavedWindow *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->tabs);
  g_clear_pointer (&self->rest, g_bytes_unref);
  g_free (self);
}

/**
 * hl_saved_window_add:
 * @self: a window
 * @session: (transfer full): what another tab shows
 * @session_file: (nullable): the session file that it was opened from
 */
void
hl_saved_window_add (HlSavedWindow  *self,
                     HlSavedSession *session,
                     GFile          *session_file)
{
  HlSavedTab *tab = g_new0 (HlSavedTab, 1);

  g_return_if_fail (self != NULL && session != NULL);

  tab->session = session;
  g_set_object (&tab->session_file, session_file);
  g_ptr_array_add (self->tabs, tab);
}

/**
 * hl_saved_window_take_tabs:
 * @self: a window
 * @other: another, which has those tabs no more
 *
 * As many as there may be in one window.
 */
void
hl_saved_window_take_tabs (HlSavedWindow *self,
                           HlSavedWindow *other)
{
  g_return_if_fail (self != NULL && other != NULL && self != other);

  while (self->tabs->len < MAX_TABS && other->tabs->len > 0)
    g_ptr_array_add (self->tabs, g_ptr_array_steal_index (other->tabs, 0));
}

/* No fewer than the values of lists and members of objects; those within strings count, too. */
static guint
count_commas (const char *text,
              gsize       size)
{
  const char *end = text + size;
  guint n = 0;

  for (const char *at = text; size > 0 && (at = memchr (at, ',', (gsize) (end - at))) != NULL; at++)
    n++;
  return n;
}

static char *
make_header (GPtrArray *tabs,
             guint      selected)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  json_builder_begin_object (json);
  json_builder_set_member_name (json, "format");
  json_builder_add_string_value (json, FORMAT);
  json_builder_set_member_name (json, "version");
  json_builder_add_int_value (json, VERSION);
  json_builder_set_member_name (json, "selected");
  json_builder_add_int_value (json, selected);
  json_builder_set_member_name (json, "session-files");
  json_builder_begin_array (json);
  for (guint i = 0; i < tabs->len; i++)
    {
      const HlSavedTab *tab = tabs->pdata[i];
      g_autofree char *uri = tab->session_file != NULL ? g_file_get_uri (tab->session_file) : NULL;
      json_builder_add_string_value (json, uri != NULL ? uri : "");
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  g_autoptr (JsonNode) root = json_builder_get_root (json);
  return json_to_string (root, FALSE);
}

/* What is no file of this computer could not be opened, cannot be again, and is refused where sessions are read. */
static gboolean
is_local (const HlSavedSession *session)
{
  for (; session != NULL; session = session->other)
    {
      GFile *const files[] = { session->file, session->fallback, session->pixels };

      for (guint i = 0; i < G_N_ELEMENTS (files); i++)
        if (files[i] != NULL && !hl_file_is_local (files[i]))
          return FALSE;
    }
  return TRUE;
}

/**
 * hl_saved_window_to_bytes:
 * @self: a window
 *
 * Tabs that are too many or too large are not in it, nor are those of what is not on this computer.
 *
 * Returns: (transfer full): what hl_saved_window_parse() reads as the same
 */
GBytes *
hl_saved_window_to_bytes (const HlSavedWindow *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_autoptr (GString) sessions = g_string_new (NULL);
  g_autoptr (GPtrArray) tabs = g_ptr_array_new ();
  guint selected = 0, n_values = 0;

  for (guint i = 0; i < self->tabs->len && tabs->len < MAX_TABS; i++)
    {
      HlSavedTab *tab = self->tabs->pdata[i];
      if (!is_local (tab->session))
        continue;
      g_autofree char *json = hl_saved_session_to_json (tab->session, NULL);
      const guint n = count_commas (json, strlen (json));
      if (sessions->len + strlen (json) > MAX_BYTES / 2 || n_values + n > HL_LIMIT_KEPT_VALUES / 2)
        continue;
      n_values += n;
      if (i == self->selected)
        selected = tabs->len;
      g_ptr_array_add (tabs, tab);
      g_string_append_printf (sessions, "%c%s", SEPARATOR, json);
    }
  g_autofree char *header = make_header (tabs, selected);
  g_string_prepend (sessions, "\n");
  g_string_prepend (sessions, header);
  g_string_prepend_c (sessions, SEPARATOR);
  return g_string_free_to_bytes (g_steal_pointer (&sessions));
}

static gboolean
check_header (HlJsonValue root,
              GError    **error)
{
  guint32 version;

  if (g_strcmp0 (hl_json_value_as_string (hl_json_value_get (root, "format")), FORMAT) != 0 ||
      !hl_json_value_as_uint (hl_json_value_get (root, "version"), &version) || version != VERSION)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT, _ ("it does not say what was open in a window"));
      return FALSE;
    }
  return TRUE;
}

/* The address of a file of this computer. */
static GFile *
take_session_file (const char *uri)
{
  g_autofree char *scheme = uri != NULL ? g_uri_parse_scheme (uri) : NULL;

  return g_strcmp0 (scheme, "file") == 0 ? g_file_new_for_uri (uri) : NULL;
}

/**
 * hl_saved_window_is_damaged:
 * @error: of hl_saved_window_parse()
 *
 * Returns: whether no program can read it, as it is no JSON
 */
gboolean
hl_saved_window_is_damaged (const GError *error)
{
  return g_error_matches (error, HL_ERROR, HL_ERROR_CORRUPT) || g_error_matches (error, HL_ERROR, HL_ERROR_TRUNCATED) ||
         g_error_matches (error, HL_ERROR, HL_ERROR_ENCODING);
}

/*
 * One that cannot be read costs the others nothing. @rest begins with the header; in the place of what is not in it stands
 * nothing.
 */
static gboolean
take_tabs (HlSavedWindow *self,
           HlJsonValue    root,
           const char    *text,
           gsize          size,
           GString       *rest,
           GError       **error)
{
  g_autoptr (GFile) folder = g_file_new_for_path ("/");
  g_autoptr (GError) problem = NULL;
  const guint selected = self->selected;
  const char *end = text + size;
  gboolean has_rest = FALSE;
  HlJsonIter iter;

  self->selected = 0;
  hl_json_iter_init (&iter, hl_json_value_get (root, "session-files"));
  for (guint i = 0; text < end && i < MAX_TABS; i++)
    {
      const char *next = memchr (text, SEPARATOR, (gsize) (end - text));
      const char *stop = next != NULL ? next : end;
      const char *uri = hl_json_iter_next (&iter) ? hl_json_value_as_string (iter.value) : NULL;
      g_autoptr (GFile) session_file = take_session_file (uri);
      g_autoptr (GError) own_problem = NULL;
      HlSavedSession *session = stop > text ? hl_saved_session_parse (text, (gsize) (stop - text), folder, &own_problem)
                                            : NULL;
      g_string_append_c (rest, SEPARATOR);
      if (session != NULL && i == selected)
        self->selected = self->tabs->len;
      if (session != NULL)
        hl_saved_window_add (self, session, session_file);
      if (own_problem != NULL)
        self->n_unread++;
      if (own_problem != NULL && !hl_saved_window_is_damaged (own_problem))
        {
          g_string_append_len (rest, text, stop - text);
          has_rest = TRUE;
          g_clear_error (&problem);
        }
      if (problem == NULL)
        problem = g_steal_pointer (&own_problem);
      text = next != NULL ? next + 1 : end;
    }
  if (has_rest)
    self->rest = g_bytes_new (rest->str, rest->len);
  if (self->tabs->len > 0 || problem == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

static void
fail_values (GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("it lists more than %u values, which no session does"),
               HL_LIMIT_KEPT_VALUES);
}

/**
 * hl_saved_window_parse:
 * @text: any bytes
 * @size: how many
 * @error: an error
 *
 * Returns: (transfer full) (nullable): what they say was open
 */
HlSavedWindow *
hl_saved_window_parse (const char *text,
                       gsize       size,
                       GError    **error)
{
  g_autoptr (HlSavedWindow) self = hl_saved_window_new ();

  g_return_val_if_fail (text != NULL || size == 0, NULL);

  if (size > MAX_BYTES)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("it is larger than %u MiB, which no session is"),
                   MAX_BYTES >> 20);
      return NULL;
    }
  if (count_commas (text, size) > HL_LIMIT_KEPT_VALUES)
    {
      fail_values (error);
      return NULL;
    }
  const gsize first = size > 0 && *text == SEPARATOR ? 1 : 0;
  const char *next = size > first ? memchr (text + first, SEPARATOR, size - first) : NULL;
  const gsize header_end = next != NULL ? (gsize) (next - text) : size;
  g_autoptr (HlJsonTree) header = hl_json_tree_new (text != NULL ? text + first : "", header_end - first, error);

  if (header == NULL || !check_header (hl_json_tree_get_root (header), error))
    return NULL;
  hl_json_value_as_uint (hl_json_value_get (hl_json_tree_get_root (header), "selected"), &self->selected);
  g_autoptr (GString) rest = g_string_new_len (text, (gssize) header_end);
  if (next != NULL && !take_tabs (self, hl_json_tree_get_root (header), next + 1, size - header_end - 1, rest, error))
    return NULL;
  if (self->selected >= self->tabs->len)
    self->selected = 0;
  return g_steal_pointer (&self);
}

/**
 * hl_saved_window_load:
 * @file: a file
 * @budget: (inout): as hl_kept_file_read() has it
 * @n_values: (inout): a value more than all files may still have; 0 once they have more
 * @error: an error
 *
 * Blocks.
 *
 * Returns: (transfer full) (nullable): what it says was open
 */
HlSavedWindow *
hl_saved_window_load (GFile   *file,
                      gsize   *budget,
                      guint   *n_values,
                      GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file) && budget != NULL && n_values != NULL, NULL);

  g_autoptr (GBytes) bytes = hl_kept_file_read (file, MAX_BYTES, budget, error);
  if (bytes == NULL)
    return NULL;
  const guint n = count_commas (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  if (n <= HL_LIMIT_KEPT_VALUES)
    *n_values -= MIN (n, *n_values);
  if (*n_values == 0)
    {
      fail_values (error);
      return NULL;
    }
  return hl_saved_window_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error);
}
