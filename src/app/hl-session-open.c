/* SPDX-License-Identifier: MIT */
/*
 * What opening means: a file is a dump, a folder a model. A dump is there when it is read; a model when the first layer of the first text
 * is computed, so that weights that cannot be used are known by then.
 */
#include "config.h"

#include "app/hl-session-open.h"


typedef struct
{
  HlSession *like;
  HlOpenOptions *options;
  HlProgress *progress;
  HlLiveModel *live;
} Opening;

static void
opening_free (gpointer data)
{
  Opening *self = data;

  g_clear_object (&self->like);
  hl_open_options_free (self->options);
  g_clear_object (&self->progress);
  g_clear_object (&self->live);
  g_free (self);
}

/**
 * hl_session_resolve_file:
 * @file: what somebody asked for
 *
 * Takes a file that is part of a model, as `config.json`, for the model's folder.
 *
 * Returns: (transfer full): the folder, or @file
 */
GFile *
hl_session_resolve_file (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  static const char *const parts[] = { "config.json",    "model.safetensors",           "model.safetensors.index.json",
                                       "tokenizer.json", "tokenizer_config.json",       "vocab.txt",
                                       "merges.txt",     "special_tokens_map.json",     "generation_config.json" };
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  const gboolean is_shard = g_str_has_prefix (name, "model-") && g_str_has_suffix (name, ".safetensors");
  gboolean is_part = is_shard;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    is_part = is_part || g_str_equal (name, parts[i]);
  if (is_part && folder != NULL && hl_model_is_folder (folder))
    return g_steal_pointer (&folder);
  return g_object_ref (file);
}

static void
on_document (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (HlDocument) document = hl_document_load_finish (result, &error);
  HlSession *session = document != NULL ? hl_session_new (document, &error) : NULL;

  if (session != NULL)
    g_task_return_pointer (task, session, g_object_unref);
  else
    g_task_return_error (task, error);
}

/* The task is over when there is a document, an error, or nothing more to come. */
static void
on_live_changed (GTask *task)
{
  Opening *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (g_task_get_completed (task))
    return;
  if (hl_live_model_get_document (self->live) != NULL)
    {
      HlSession *session = hl_session_new_live (self->live, &error);
      g_signal_handlers_disconnect_by_data (self->live, task);
      if (session != NULL)
        g_task_return_pointer (task, session, g_object_unref);
      else
        g_task_return_error (task, error);
    }
  else if (hl_live_model_get_error (self->live) != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->live, task);
      g_task_return_error (task, g_error_copy (hl_live_model_get_error (self->live)));
    }
  else
    return;
  g_object_unref (task);
}

static void
start_model (GTask *task,
             GFile *folder)
{
  Opening *self = g_task_get_task_data (task);
  HlLiveModel *before = self->like != NULL ? hl_session_get_live (self->like) : NULL;
  GCancellable *cancellable = g_task_get_cancellable (task);

  self->live = hl_live_model_new (folder, self->progress);
  g_signal_connect_swapped (self->live, "notify::document", G_CALLBACK (on_live_changed), task);
  g_signal_connect_swapped (self->live, "notify::error", G_CALLBACK (on_live_changed), task);
  if (cancellable != NULL)
    g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (hl_live_model_stop), self->live, G_CONNECT_SWAPPED);
  if (before != NULL)
    {
      const char *text, *second_text;
      hl_live_model_get_texts (before, &text, &second_text);
      if (*text != '\0')
        hl_live_model_set_texts (self->live, text, second_text);
    }
  hl_live_model_run (self->live);
}

static void
on_type (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (GTask) task = data;
  Opening *self = g_task_get_task_data (task);
  GFile *file = G_FILE (source);
  /* What cannot be asked for its type is read, which says what is wrong. */
  g_autoptr (GFileInfo) info = g_file_query_info_finish (file, result, NULL);

  if (info != NULL && g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY)
    start_model (g_steal_pointer (&task), file);
  else
    hl_document_load_async (file, self->options, self->progress, g_task_get_cancellable (task), on_document,
                            g_object_ref (task));
}

/**
 * hl_session_open_async:
 * @file: a file, or the folder of a model
 * @like: (nullable): a session of the same file; it is read as that was, and what was typed there is computed
 * @progress: told how far it is
 * @cancellable: (nullable): stops it
 * @callback: called when there is a session, or will not be
 * @user_data: for @callback
 *
 * Opens a file or a model. From the main thread.
 */
void
hl_session_open_async (GFile               *file,
                       HlSession           *like,
                       HlProgress          *progress,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (like == NULL || HL_IS_SESSION (like));
  g_return_if_fail (HL_IS_PROGRESS (progress));

  Opening *self = g_new0 (Opening, 1);
  self->like = like != NULL ? g_object_ref (like) : NULL;
  if (like != NULL)
    self->options = hl_open_options_copy (hl_document_get_options (hl_session_get_document (like)));
  self->progress = g_object_ref (progress);
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, hl_session_open_async);
  g_task_set_task_data (task, self, opening_free);
  g_file_query_info_async (file, G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT, cancellable,
                           on_type, task);
}

/**
 * hl_session_open_finish:
 * @result: what the callback got
 * @error: any of #HlError, or of #GIOErrorEnum
 *
 * Returns: (transfer full): a session, or %NULL
 */
HlSession *
hl_session_open_finish (GAsyncResult  *result,
                        GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
