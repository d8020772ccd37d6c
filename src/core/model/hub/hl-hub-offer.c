/* SPDX-License-Identifier: MIT */
/* What the hub has of a model. */
#include "core/model/hub/hl-hub-offer.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/model/hub/hl-hub-client.h"
#include "core/model/hub/hl-hub-name.h"
#include "core/model/hub/hl-hub-store.h"

#include <glib/gi18n-lib.h>

static void
clear (gpointer data)
{
  HlHubOffer *self = data;

  g_free (self->repository);
  g_free (self->revision);
  g_free (self->commit);
  g_clear_pointer (&self->choices, g_ptr_array_unref);
  g_clear_pointer (&self->files, g_ptr_array_unref);
}

HlHubOffer *
hl_hub_offer_ref (HlHubOffer *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
hl_hub_offer_unref (HlHubOffer *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/* The hash of a commit is what it is; anything else is asked for. */
static char *
find_commit (HlHubClient     *client,
             const HlHubName *name,
             GCancellable    *cancellable,
             GError         **error)
{
  g_autofree char *address = g_strdup_printf ("/api/models/%s/refs", name->repository);
  gsize size;

  if (hl_hub_is_hash (name->revision, HL_HUB_SHA1_DIGITS))
    return g_strdup (name->revision);
  g_autofree char *text = hl_hub_client_get (client, address, &size, NULL, cancellable, error);
  return text != NULL ? hl_hub_refs_find (text, size, name->revision, error) : NULL;
}

static gboolean
list_files (HlHubClient  *client,
            HlHubOffer   *self,
            GCancellable *cancellable,
            GError      **error)
{
  g_autofree char *address = g_strdup_printf ("/api/models/%s/tree/%s?recursive=true", self->repository, self->commit);

  for (guint i = 0; address != NULL; i++)
    {
      g_autofree char *link = NULL;
      gsize size;
      g_autofree char *text = hl_hub_client_get (client, address, &size, &link, cancellable, error);
      if (text == NULL || !hl_hub_tree_add (self->files, text, size, error))
        return FALSE;
      g_free (address);
      address = link != NULL ? hl_hub_link_find_next (link) : NULL;
      if (address != NULL && i == HL_LIMIT_HUB_PAGES)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the list of its files has no end"));
          return FALSE;
        }
    }
  return TRUE;
}

/* Which files have the weights, where an index says so. */
static gboolean
read_indices (HlHubClient  *client,
              HlHubOffer   *self,
              GCancellable *cancellable,
              GError      **error)
{
  for (guint i = 0; i < self->choices->len; i++)
    {
      HlHubChoice *choice = self->choices->pdata[i];
      gsize size;

      if (choice->index == NULL)
        continue;
      g_autofree char *escaped = g_uri_escape_string (choice->index->path, "/", FALSE);
      g_autofree char *address = g_strdup_printf ("/%s/resolve/%s/%s", self->repository, self->commit, escaped);
      g_autofree char *text = hl_hub_client_get (client, address, &size, NULL, cancellable, error);
      if (text == NULL || !hl_hub_choice_add_indexed (choice, self->files, text, size, error))
        return FALSE;
    }
  return TRUE;
}

/* What is not on this computer. */
static void
measure (HlHubOffer *self)
{
  g_autofree char *model = hl_hub_store_get_model (self->repository);

  for (guint i = 0; i < self->choices->len; i++)
    {
      HlHubChoice *choice = self->choices->pdata[i];
      for (guint k = 0; k < choice->files->len; k++)
        {
          const HlHubFile *file = choice->files->pdata[k];
          choice->missing += file->size - hl_hub_store_measure (model, self->commit, file);
        }
    }
}

/**
 * hl_hub_offer_new:
 * @name: what hl_hub_name_parse() takes
 * @cancellable: (nullable): to stop it
 * @error: %HL_ERROR_VALUE when it is no name, %HL_ERROR_MISSING when there is no such model or nothing to be had of it, %HL_ERROR_CORRUPT,
 *   %HL_ERROR_TOO_LARGE, %HL_ERROR_IO; %HL_ERROR_UNSUPPORTED when nothing is to be downloaded
 *
 * Asks the hub what there is; of what is there, only an index is read. Blocks.
 *
 * Returns: (transfer full): what it has
 */
HlHubOffer *
hl_hub_offer_new (const char   *name,
                  GCancellable *cancellable,
                  GError      **error)
{
  g_autoptr (HlHubName) parsed = hl_hub_name_parse (name, error);
  g_autoptr (HlHubClient) client = parsed != NULL ? hl_hub_client_new (NULL, error) : NULL;
  g_autoptr (HlHubOffer) self = g_atomic_rc_box_new0 (HlHubOffer);

  if (client == NULL)
    return NULL;
  self->repository = g_strdup (parsed->repository);
  self->revision = g_strdup (parsed->revision);
  self->files = hl_hub_tree_new ();
  self->commit = find_commit (client, parsed, cancellable, error);
  if (self->commit == NULL || !list_files (client, self, cancellable, error))
    return NULL;
  self->choices = hl_hub_choices_new (self->files, parsed->part, error);
  if (self->choices == NULL || !read_indices (client, self, cancellable, error))
    return NULL;
  self->preferred = hl_hub_choices_get_default (self->choices);
  measure (self);
  return g_steal_pointer (&self);
}

static void
ask_in_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  GError *error = NULL;
  HlHubOffer *offer = hl_hub_offer_new (data, cancellable, &error);

  if (offer != NULL)
    g_task_return_pointer (task, offer, (GDestroyNotify) hl_hub_offer_unref);
  else
    g_task_return_error (task, error);
}

/**
 * hl_hub_offer_new_async:
 * @name: what hl_hub_name_parse() takes
 * @cancellable: (nullable): to stop it
 * @callback: (scope async): called when it is done
 * @data: for @callback
 *
 * hl_hub_offer_new() in a thread of its own.
 */
void
hl_hub_offer_new_async (const char         *name,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_source_tag (task, hl_hub_offer_new_async);
  g_task_set_task_data (task, g_strdup (name), g_free);
  g_task_run_in_thread (task, ask_in_thread);
}

/**
 * hl_hub_offer_new_finish:
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full): what the hub has
 */
HlHubOffer *
hl_hub_offer_new_finish (GAsyncResult *result,
                         GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * hl_hub_offer_get_choice:
 * @self: what the hub has
 * @choice: the place of one of its choices
 *
 * Returns: the choice
 */
const HlHubChoice *
hl_hub_offer_get_choice (HlHubOffer *self,
                         guint       choice)
{
  g_return_val_if_fail (self != NULL && choice < self->choices->len, NULL);

  return self->choices->pdata[choice];
}
