/* SPDX-License-Identifier: MIT */
/* Opening a file of attention without waiting for it. */
#include "core/document/hl-document.h"

typedef struct
{
  GFile *file;
  HlArchive *archive; /* NULL when the file is not open yet */
  HlOpenOptions *options;
  HlProgress *progress;
} LoadData;

static void
free_load_data (gpointer data)
{
  LoadData *load = data;

  g_object_unref (load->file);
  g_clear_object (&load->archive);
  hl_open_options_free (load->options);
  g_clear_object (&load->progress);
  g_free (load);
}

static void
load_in_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  LoadData *load = data;
  GError *error = NULL;
  HlDocument *document =
    load->archive != NULL ? hl_document_new_for_archive (load->file, load->archive, load->options, load->progress,
                                                         cancellable, &error)
                          : hl_document_load_with (load->file, load->options, load->progress, cancellable, &error);

  if (document != NULL)
    g_task_return_pointer (task, document, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
start (GFile               *file,
       HlArchive           *archive,
       const HlOpenOptions *options,
       HlProgress          *progress,
       GCancellable        *cancellable,
       GAsyncReadyCallback  callback,
       gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  LoadData *load = g_new0 (LoadData, 1);

  load->file = g_object_ref (file);
  load->archive = archive != NULL ? g_object_ref (archive) : NULL;
  load->options = hl_open_options_copy (options);
  load->progress = progress != NULL ? g_object_ref (progress) : NULL;
  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, load, free_load_data);
  g_task_run_in_thread (task, load_in_thread);
}

/**
 * hl_document_load_async:
 * @file: a local file
 * @options: (nullable): what somebody chose about how it is to be read
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @callback: called in the thread-default main context of the caller
 * @user_data: for @callback
 *
 * Opens a file of attention in a worker; see hl_document_load_with().
 */
void
hl_document_load_async (GFile               *file,
                        const HlOpenOptions *options,
                        HlProgress          *progress,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  g_return_if_fail (G_IS_FILE (file));

  start (file, NULL, options, progress, cancellable, callback, user_data);
}

/**
 * hl_document_read_again_async:
 * @self: a document that was read from a file
 * @options: (nullable): what somebody chose about how that is to be read
 * @cancellable: (nullable): stops it
 * @callback: called in the thread-default main context of the caller; hl_document_load_finish() tells
 * @user_data: for @callback
 *
 * Reads the open file in a worker, perhaps otherwise than before; see hl_document_new_for_archive().
 */
void
hl_document_read_again_async (HlDocument          *self,
                              const HlOpenOptions *options,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  g_return_if_fail (HL_IS_DOCUMENT (self));
  g_return_if_fail (hl_document_get_archive (self) != NULL);

  start (hl_document_get_file (self), hl_document_get_archive (self), options, NULL, cancellable, callback, user_data);
}

/**
 * hl_document_load_finish:
 * @result: what the callback was given
 * @error: as hl_document_load()
 *
 * Returns: (transfer full) (nullable): the document
 */
HlDocument *
hl_document_load_finish (GAsyncResult  *result,
                         GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
