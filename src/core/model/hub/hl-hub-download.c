/* SPDX-License-Identifier: MIT */
/* Downloads a model into the cache of the hub's own tools. All of its files come first; only then is it a snapshot, and a revision: who
 * looks for models meanwhile finds it whole or not at all. */
#include "core/model/hub/hl-hub-download.h"

#include "core/base/hl-error.h"
#include "core/model/hub/hl-hub-blob.h"
#include "core/model/hub/hl-hub-client.h"
#include "core/model/hub/hl-hub-store.h"

#include <glib/gi18n-lib.h>

#define READ_BYTES (1 << 18)

typedef struct
{
  HlHubOffer *offer;
  HlHubClient *client;
  char *model;
  HlHubMeter meter;
  GCancellable *cancellable;
  guchar *bytes;
} Download;

static gboolean
fail_file (GError         **error,
           const HlHubFile *file,
           const char      *sentence)
{
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, "%s: %s", file->path, sentence);
  return FALSE;
}

/* Whether the hub says of a file what it has said in its list. */
static gboolean
check_answer (const HlHubAnswer *answer,
              const HlHubFile   *file,
              GError           **error)
{
  const gboolean is_hash = hl_hub_is_hash (answer->hash, HL_HUB_SHA1_DIGITS) ||
                           hl_hub_is_hash (answer->hash, HL_HUB_SHA256_DIGITS);

  if (answer->has_size && answer->size != file->size)
    return fail_file (error, file, _ ("it is of another size than the hub’s list says"));
  if (is_hash && !g_str_equal (answer->hash, file->hash))
    return fail_file (error, file, _ ("it has another hash than the hub’s list says"));
  return TRUE;
}

/* Reads on until all is there, or the connection is lost: then @lost is why. */
static gboolean
receive (Download        *self,
         HlHubBlob       *blob,
         const HlHubFile *file,
         GInputStream    *stream,
         GError         **lost,
         GError         **error)
{
  for (;;)
    {
      const gssize n = g_input_stream_read (stream, self->bytes, READ_BYTES, self->cancellable, lost);
      if (n > 0 && !hl_hub_blob_append (blob, self->bytes, (gsize) n, error))
        return FALSE;
      if (n > 0)
        continue;
      if (n < 0 && g_error_matches (*lost, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (lost));
          return FALSE;
        }
      if (n == 0 && hl_hub_blob_get_length (blob) < file->size)
        g_set_error (lost, HL_ERROR, HL_ERROR_TRUNCATED, _ ("%s: the connection was lost"), file->path);
      return TRUE;
    }
}

/* Asks for what is not there yet, and takes it in. */
static gboolean
go_on (Download        *self,
       HlHubBlob       *blob,
       const HlHubFile *file,
       GError         **lost,
       GError         **error)
{
  g_autofree char *escaped = g_uri_escape_string (file->path, "/", FALSE);
  g_autofree char *address =
    g_strdup_printf ("/%s/resolve/%s/%s", self->offer->repository, self->offer->commit, escaped);
  g_auto (HlHubAnswer) answer = { 0 };
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GInputStream) stream =
    hl_hub_client_open (self->client, address, hl_hub_blob_get_length (blob), &answer, self->cancellable, &local_error);

  if (stream == NULL && local_error->domain == HL_ERROR)
    g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", file->path);
  else if (stream == NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  if (stream == NULL || !check_answer (&answer, file, error))
    return FALSE;
  /* Who cannot send the rest sends all of it. */
  if (answer.from != hl_hub_blob_get_length (blob) && !hl_hub_blob_restart (blob, error))
    return FALSE;
  return receive (self, blob, file, stream, lost, error);
}

/* Until all of it is there. A connection that is lost is made again, as often as something comes by it. */
static gboolean
fill (Download        *self,
      HlHubBlob       *blob,
      const HlHubFile *file,
      GError         **error)
{
  for (guint n_failures = 0; hl_hub_blob_get_length (blob) < file->size;)
    {
      const guint64 before = hl_hub_blob_get_length (blob);
      GError *lost = NULL;

      if (!go_on (self, blob, file, &lost, error))
        {
          g_clear_error (&lost);
          return FALSE;
        }
      if (lost == NULL || hl_hub_blob_get_length (blob) == file->size)
        {
          g_clear_error (&lost);
          continue;
        }
      n_failures = hl_hub_blob_get_length (blob) > before ? 1 : n_failures + 1;
      if (!hl_hub_client_wait (self->client, n_failures, self->cancellable, &lost))
        {
          if (g_error_matches (lost, G_IO_ERROR, G_IO_ERROR_CANCELLED))
            g_propagate_error (error, lost);
          else
            {
              g_set_error (error, HL_ERROR, HL_ERROR_IO,
                           hl_hub_blob_is_kept (blob) ? _ ("%s: the connection was lost; what has come is kept")
                                                      : _ ("%s: the connection was lost"),
                           file->path);
              g_error_free (lost);
            }
          return FALSE;
        }
    }
  return TRUE;
}

/* A file that was begun by somebody else may be another one: then it is taken once more, from its beginning. */
static gboolean
fetch_file (Download        *self,
            const HlHubFile *file,
            GError         **error)
{
  if (hl_hub_store_has_file (self->model, self->offer->commit, file))
    {
      hl_hub_meter_add (&self->meter, file->size, FALSE);
      return TRUE;
    }
  g_autoptr (HlHubBlob) blob = hl_hub_blob_open (self->model, file, &self->meter, self->cancellable, error);

  if (blob == NULL)
    return FALSE;
  if (hl_hub_blob_is_complete (blob))
    return TRUE;
  const gboolean was_begun = hl_hub_blob_get_length (blob) > 0;
  if (!fill (self, blob, file, error))
    return FALSE;
  if (was_begun && !hl_hub_blob_is_right (blob) &&
      (!hl_hub_blob_restart (blob, error) || !fill (self, blob, file, error)))
    return FALSE;
  if (hl_hub_blob_is_right (blob))
    return hl_hub_blob_commit (blob, self->cancellable, error);
  return hl_hub_blob_restart (blob, error) &&
         fail_file (error, file, _ ("what has come does not have the hash it should have, and was thrown away"));
}

/* Whether a later file of the choice is of the same bytes. */
static gboolean
is_shared (const HlHubChoice *choice,
           guint              index)
{
  const HlHubFile *file = choice->files->pdata[index];

  for (guint i = index + 1; i < choice->files->len; i++)
    if (g_str_equal (((const HlHubFile *) choice->files->pdata[i])->hash, file->hash))
      return TRUE;
  return FALSE;
}

static gboolean
fetch (Download          *self,
       const HlHubChoice *choice,
       GError           **error)
{
  hl_hub_blob_sweep (self->model);
  if (!hl_hub_store_check_space (choice->missing, error))
    return FALSE;
  for (guint i = 0; i < choice->files->len; i++)
    if (!fetch_file (self, choice->files->pdata[i], error))
      return FALSE;
  for (guint i = 0; i < choice->files->len; i++)
    if (!hl_hub_store_link (self->model, self->offer->commit, choice->files->pdata[i], is_shared (choice, i), error))
      return FALSE;
  return hl_hub_store_note (self->model, self->offer->revision, self->offer->commit, error);
}

/**
 * hl_hub_download:
 * @offer: what the hub has of a model
 * @choice: the place of what is wanted of it
 * @progress: (nullable): how far it is: bytes, bytes a second, and the rest of the time
 * @cancellable: (nullable): to stop it
 * @error: %HL_ERROR_CORRUPT when a file is not what the hub says it is, %HL_ERROR_TOO_LARGE when there is no room, %HL_ERROR_MISSING when
 *   the hub refuses it, %HL_ERROR_IO
 *
 * Downloads what is not on this computer of a model. When it fails or is stopped, what has come is kept, and the next download goes on from
 * there. Blocks.
 *
 * Returns: (transfer full): the folder or file of the model, for hl_model_load()
 */
GFile *
hl_hub_download (HlHubOffer   *offer,
                 guint         choice,
                 HlProgress   *progress,
                 GCancellable *cancellable,
                 GError      **error)
{
  g_return_val_if_fail (offer != NULL && choice < offer->choices->len, NULL);

  const HlHubChoice *wanted = hl_hub_offer_get_choice (offer, choice);
  g_autoptr (HlHubClient) client = hl_hub_client_new (progress, error);

  if (client == NULL)
    return NULL;
  g_autofree char *model = hl_hub_store_get_model (offer->repository);
  g_autofree guchar *bytes = g_malloc (READ_BYTES);
  Download self = { .offer = offer, .client = client, .model = model, .cancellable = cancellable, .bytes = bytes };
  hl_hub_meter_init (&self.meter, progress, wanted->size);
  return fetch (&self, wanted, error) ? hl_hub_store_get_file (model, offer->commit, wanted->file) : NULL;
}

typedef struct
{
  HlHubOffer *offer;
  guint choice;
  HlProgress *progress;
} Request;

static void
free_request (gpointer data)
{
  Request *request = data;

  hl_hub_offer_unref (request->offer);
  g_clear_object (&request->progress);
  g_free (request);
}

static void
download_in_thread (GTask        *task,
                    gpointer      source,
                    gpointer      data,
                    GCancellable *cancellable)
{
  const Request *request = data;
  GError *error = NULL;
  GFile *file = hl_hub_download (request->offer, request->choice, request->progress, cancellable, &error);

  if (file != NULL)
    g_task_return_pointer (task, file, g_object_unref);
  else
    g_task_return_error (task, error);
}

/**
 * hl_hub_download_async:
 * @offer: what the hub has of a model
 * @choice: the place of what is wanted of it
 * @progress: (nullable): how far it is
 * @cancellable: (nullable): to stop it
 * @callback: (scope async): called when it is done
 * @data: for @callback
 *
 * hl_hub_download() in a thread of its own.
 */
void
hl_hub_download_async (HlHubOffer         *offer,
                       guint               choice,
                       HlProgress         *progress,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Request *request = g_new (Request, 1);

  *request = (Request){ hl_hub_offer_ref (offer), choice, progress != NULL ? g_object_ref (progress) : NULL };
  g_task_set_source_tag (task, hl_hub_download_async);
  g_task_set_task_data (task, request, free_request);
  g_task_run_in_thread (task, download_in_thread);
}

/**
 * hl_hub_download_finish:
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full): the folder or file of the model
 */
GFile *
hl_hub_download_finish (GAsyncResult *result,
                        GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
