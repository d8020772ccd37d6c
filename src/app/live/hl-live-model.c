/* SPDX-License-Identifier: MIT */
/* A model that follows typing: what was typed last is computed after a pause, and becomes the document that is
 * shown. */
#include "app/live/hl-live-model-private.h"

/* A pause in typing. */
#define PAUSE_MS 150

enum
{
  PROP_DOCUMENT = 1,
  PROP_BUSY,
  PROP_N_DONE,
  PROP_ERROR,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlLiveModel, hl_live_model, G_TYPE_OBJECT)

static gboolean
on_pause (gpointer data)
{
  HlLiveModel *self = data;

  self->pause = 0;
  hl_live_model_run (self);
  return G_SOURCE_REMOVE;
}

static void
hl_live_model_get_property (GObject    *object,
                            guint       id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  HlLiveModel *self = HL_LIVE_MODEL (object);
  guint n_done;

  switch (id)
    {
    case PROP_DOCUMENT:
      g_value_set_object (value, self->document);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, hl_live_model_get_busy (self));
      break;
    case PROP_N_DONE:
      hl_live_model_get_layers (self, &n_done, NULL);
      g_value_set_uint (value, n_done);
      break;
    case PROP_ERROR:
      g_value_set_boxed (value, self->error);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_live_model_dispose (GObject *object)
{
  HlLiveModel *self = HL_LIVE_MODEL (object);

  hl_live_model_stop (self);
  g_clear_handle_id (&self->patience, g_source_remove);
  if (self->progress != NULL)
    g_signal_handlers_disconnect_by_data (self->progress, self);
  g_clear_object (&self->progress);
  g_clear_object (&self->document);
  g_clear_object (&self->model);
  g_clear_object (&self->folder);
  G_OBJECT_CLASS (hl_live_model_parent_class)->dispose (object);
}

static void
hl_live_model_finalize (GObject *object)
{
  HlLiveModel *self = HL_LIVE_MODEL (object);

  g_clear_error (&self->error);
  g_free (self->text);
  g_free (self->second_text);
  G_OBJECT_CLASS (hl_live_model_parent_class)->finalize (object);
}

static void
hl_live_model_class_init (HlLiveModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hl_live_model_get_property;
  object_class->dispose = hl_live_model_dispose;
  object_class->finalize = hl_live_model_finalize;

  properties[PROP_DOCUMENT] = g_param_spec_object ("document", NULL, NULL, HL_TYPE_DOCUMENT, readable);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, readable);
  properties[PROP_N_DONE] = g_param_spec_uint ("n-done", NULL, NULL, 0, G_MAXUINT, 0, readable);
  properties[PROP_ERROR] = g_param_spec_boxed ("error", NULL, NULL, G_TYPE_ERROR, readable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
hl_live_model_init (HlLiveModel *self)
{
}

/**
 * hl_live_model_new:
 * @folder: the folder of a model
 * @progress: told how far loading and every run is
 *
 * Reads nothing before hl_live_model_run() or hl_live_model_set_texts().
 *
 * Returns: (transfer full): a model that waits for a text
 */
HlLiveModel *
hl_live_model_new (GFile      *folder,
                   HlProgress *progress)
{
  g_return_val_if_fail (G_IS_FILE (folder), NULL);
  g_return_val_if_fail (HL_IS_PROGRESS (progress), NULL);

  HlLiveModel *self = g_object_new (HL_TYPE_LIVE_MODEL, NULL);

  self->folder = g_object_ref (folder);
  self->progress = g_object_ref (progress);
  hl_live_model_watch_progress (self);
  return self;
}

/**
 * hl_live_model_get_model:
 * @self: a live model
 *
 * Returns: (transfer none) (nullable): the model; %NULL before it is loaded
 */
HlModel *
hl_live_model_get_model (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), NULL);

  return self->model;
}

/**
 * hl_live_model_get_texts:
 * @self: a live model
 * @text: (out) (nullable): the text that was typed last, which need not be the one that is shown; %NULL before the
 *   model is loaded
 * @second_text: (out) (nullable): the second text
 */
void
hl_live_model_get_texts (HlLiveModel *self,
                         const char **text,
                         const char **second_text)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));

  *text = self->text;
  *second_text = self->second_text;
}

/**
 * hl_live_model_set_texts:
 * @self: a live model
 * @text: a text
 * @second_text: (nullable): a second one, which counts if the model has a use for it
 *
 * Has the texts computed when there was a pause in typing. Without a first text nothing is computed.
 */
void
hl_live_model_set_texts (HlLiveModel *self,
                         const char  *text,
                         const char  *second_text)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));
  g_return_if_fail (text != NULL);

  if (g_strcmp0 (text, self->text) == 0 && g_strcmp0 (second_text, self->second_text) == 0)
    return;
  g_free (self->text);
  g_free (self->second_text);
  self->text = g_strdup (text);
  self->second_text = g_strdup (second_text);
  g_clear_handle_id (&self->pause, g_source_remove);
  if (*text != '\0')
    self->pause = g_timeout_add (PAUSE_MS, on_pause, self);
}
