/* SPDX-License-Identifier: MIT */
/*
 * An open document, how it is looked at, and the work that runs for it. Reading an example and examining numbers happen
 * in workers; what comes back is dropped when it is no longer asked for.
 */
#include "config.h"

#include "app/session/hl-session-private.h"

#include "core/base/hl-file-name.h"

#include <glib/gi18n.h>

enum
{
  PROP_DOCUMENT = 1,
  PROP_VIEW_STATE,
  PROP_TITLE,
  PROP_SUBTITLE,
  PROP_EXAMPLE_INDEX,
  PROP_BUSY,
  PROP_CHECKS,
  PROP_EXAMINING,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlSession, hl_session, G_TYPE_OBJECT)

static void
hl_session_get_property (GObject    *object,
                         guint       id,
                         GValue     *value,
                         GParamSpec *pspec)
{
  HlSession *self = HL_SESSION (object);

  switch (id)
    {
    case PROP_DOCUMENT:
      g_value_set_object (value, self->document);
      break;
    case PROP_VIEW_STATE:
      g_value_set_object (value, self->view_state);
      break;
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_SUBTITLE:
      g_value_set_string (value, self->subtitle);
      break;
    case PROP_EXAMPLE_INDEX:
      g_value_set_uint (value, self->example_index);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, hl_session_get_busy (self));
      break;
    case PROP_CHECKS:
      g_value_set_object (value, self->checks);
      break;
    case PROP_EXAMINING:
      g_value_set_boolean (value, hl_session_get_examining (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_session_set_property (GObject      *object,
                         guint         id,
                         const GValue *value,
                         GParamSpec   *pspec)
{
  HlSession *self = HL_SESSION (object);

  switch (id)
    {
    case PROP_EXAMPLE_INDEX:
      hl_session_set_example_index (self, g_value_get_uint (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_session_dispose (GObject *object)
{
  HlSession *self = HL_SESSION (object);

  hl_session_close (self);
  g_clear_object (&self->view_state);
  g_clear_object (&self->document);
  g_clear_object (&self->live);
  g_clear_object (&self->checks);
  G_OBJECT_CLASS (hl_session_parent_class)->dispose (object);
}

static void
hl_session_finalize (GObject *object)
{
  HlSession *self = HL_SESSION (object);

  g_free (self->title);
  g_free (self->subtitle);
  G_OBJECT_CLASS (hl_session_parent_class)->finalize (object);
}

static void
hl_session_class_init (HlSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hl_session_get_property;
  object_class->set_property = hl_session_set_property;
  object_class->dispose = hl_session_dispose;
  object_class->finalize = hl_session_finalize;

  properties[PROP_DOCUMENT] = g_param_spec_object ("document", NULL, NULL, HL_TYPE_DOCUMENT, readable);
  properties[PROP_VIEW_STATE]
      = g_param_spec_object ("view-state", NULL, NULL, HL_TYPE_VIEW_STATE, readable);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, readable);
  properties[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, readable);
  properties[PROP_EXAMPLE_INDEX]
      = g_param_spec_uint ("example-index", NULL, NULL, 0, G_MAXUINT, 0,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, readable);
  properties[PROP_CHECKS] = g_param_spec_object ("checks", NULL, NULL, G_TYPE_LIST_MODEL, readable);
  properties[PROP_EXAMINING] = g_param_spec_boolean ("examining", NULL, NULL, FALSE, readable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /**
   * HlSession::failed:
   * @self: a session
   * @error: what went wrong
   *
   * Another example could not be read; the one that was shown stays.
   */
  g_signal_new ("failed", HL_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
hl_session_init (HlSession *self)
{
  self->checks = g_list_store_new (HL_TYPE_CHECK);
}

/* One line of text whatever the file says: titles have no room for more. */
static char *
flatten (const char *text)
{
  g_autofree char *copy = g_utf8_make_valid (text, -1);

  g_strdelimit (copy, "\n\r\t\v\f", ' ');
  return g_strdup (g_strstrip (copy));
}

static void
update_subtitle (HlSession *self)
{
  HlExample *example = hl_view_state_get_example (self->view_state);
  const char *model = hl_document_get_model (self->document);
  const char *text = hl_example_get_text (example);
  const char *pair = hl_example_get_text_pair (example);
  g_autofree char *flat_model = model != NULL ? flatten (model) : NULL;
  g_autofree char *flat_text = text != NULL ? flatten (text) : NULL;
  g_autofree char *flat_pair = pair != NULL ? flatten (pair) : NULL;
  g_autofree char *subtitle = NULL;

  /* The folder of a model often has the model's name, which the title says already. */
  const gboolean is_titled = g_strcmp0 (flat_model, self->title) == 0;

  if (is_titled && flat_text != NULL && flat_pair != NULL)
    /* Translators: two texts that a model reads */
    subtitle = g_strdup_printf (_ ("“%s” · “%s”"), flat_text, flat_pair);
  else if (!is_titled && flat_model != NULL && flat_text != NULL)
    /* Translators: the name of a model and the text it read */
    subtitle = g_strdup_printf (_ ("%s — “%s”"), flat_model, flat_text);
  else if (flat_text != NULL)
    subtitle = g_strdup_printf (_ ("“%s”"), flat_text);
  else
    subtitle = g_steal_pointer (&flat_model);

  if (g_strcmp0 (subtitle, self->subtitle) == 0)
    return;
  g_free (self->subtitle);
  self->subtitle = g_steal_pointer (&subtitle);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUBTITLE]);
}

void
hl_session_show_example (HlSession *self,
                         HlExample *example)
{
  GPtrArray *checks = hl_example_get_checks (example);

  hl_session_stop_examining (self);
  self->examined = FALSE;
  g_list_store_splice (self->checks, 0, g_list_model_get_n_items (G_LIST_MODEL (self->checks)),
                       checks->pdata, checks->len);
  if (self->view_state == NULL)
    self->view_state = hl_view_state_new (example);
  else
    hl_view_state_set_example (self->view_state, example);
  update_subtitle (self);
}

/**
 * hl_session_new:
 * @document: a document
 * @error: return location for an error
 *
 * Shows the first example of a document.
 *
 * Returns: (transfer full): a session, or %NULL with an error of the domain %HL_ERROR
 */
HlSession *
hl_session_new (HlDocument *document,
                GError    **error)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (document), NULL);

  /* The first example was read when the document was: this does not block. */
  HlExample *example = hl_document_get_example (document, 0, NULL, error);
  if (example == NULL)
    return NULL;

  HlSession *self = g_object_new (HL_TYPE_SESSION, NULL);
  self->document = g_object_ref (document);
  self->title = hl_file_dup_display_name (hl_document_get_file (document));
  hl_session_show_example (self, example);
  g_object_unref (example);
  return self;
}

/**
 * hl_session_get_document:
 * @self: a session
 *
 * Returns: (transfer none): the document; another one after a newer text was typed
 */
HlDocument *
hl_session_get_document (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return self->document;
}

/**
 * hl_session_get_view_state:
 * @self: a session
 *
 * Returns: (transfer none): how the document is looked at; the same object as long as the session lives
 */
HlViewState *
hl_session_get_view_state (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return self->view_state;
}

/**
 * hl_session_get_title:
 * @self: a session
 *
 * Returns: the file's name, for people
 */
const char *
hl_session_get_title (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return self->title;
}

/**
 * hl_session_get_subtitle:
 * @self: a session
 *
 * Returns: (nullable): model and text of what is shown, in one line, as far as the file says
 */
const char *
hl_session_get_subtitle (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return self->subtitle;
}

/**
 * hl_session_close:
 * @self: a session
 *
 * Stops all work. What was being read is dropped; the session stays usable.
 */
void
hl_session_close (HlSession *self)
{
  g_return_if_fail (HL_IS_SESSION (self));

  hl_session_stop_reading (self);
  hl_session_stop_examining (self);
  if (self->live != NULL)
    hl_live_model_stop (self->live);
}
