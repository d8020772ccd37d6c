/* SPDX-License-Identifier: MIT */
/* The models that programs have put on this computer: all of them, or one by its name. */
#include "core/model/local/hl-local-models.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/file/hl-file-argument.h"
#include "core/base/hl-error.h"
#include "core/model/hub/hl-hub-store.h"

/* Names in a sentence. */
#define MAX_NAMED 5

/* A folder for people, “~” for home. */
static char *
spell_place (GFile *folder)
{
  g_autofree char *name = g_file_get_parse_name (folder);
  const char *home = g_get_home_dir ();
  const gsize length = strlen (home);

  return length > 1 && g_str_has_prefix (name, home) && name[length] == '/' ? g_strconcat ("~", name + length, NULL)
                                                                            : g_steal_pointer (&name);
}

static void
look_in (HlModelListing     *listing,
         const HlModelCache *cache,
         GPtrArray          *places)
{
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_object_unref);

  hl_model_listing_begin (listing, cache);
  cache->add_folders (folders);
  for (guint i = 0; i < folders->len; i++)
    {
      char *place = spell_place (folders->pdata[i]);
      if (g_ptr_array_find_with_equal_func (places, place, g_str_equal, NULL))
        g_free (place);
      else
        g_ptr_array_add (places, place);
      cache->list (listing, folders->pdata[i]);
    }
}

static int
compare_models (gconstpointer a,
                gconstpointer b)
{
  HlLocalModel *first = *(HlLocalModel *const *) a, *second = *(HlLocalModel *const *) b;
  const gboolean bad_first = hl_local_model_get_problem (first) != NULL;
  const gboolean bad_second = hl_local_model_get_problem (second) != NULL;

  if (bad_first != bad_second)
    return bad_first - bad_second;
  const int order = g_ascii_strcasecmp (hl_local_model_get_name (first), hl_local_model_get_name (second));
  return order != 0 ? order : strcmp (hl_local_model_get_spec (first), hl_local_model_get_spec (second));
}

void
hl_local_models_free (HlLocalModels *self)
{
  g_ptr_array_unref (self->models);
  g_ptr_array_unref (self->places);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

/**
 * hl_local_models_list:
 * @cancellable: (nullable): to stop it
 * @error: return location
 *
 * Lists what lies in the caches of hl_model_cache_get(). Of a folder no more is read than its config.json, of a GGUF file the beginning of
 * its header. Blocks.
 *
 * Returns: (transfer full): the models; %NULL only when it was cancelled
 */
HlLocalModels *
hl_local_models_list (GCancellable *cancellable,
                      GError      **error)
{
  g_auto (HlModelListing) listing = { 0 };
  const HlModelCache *cache;
  g_autoptr (HlLocalModels) self = g_new0 (HlLocalModels, 1);

  hl_model_listing_init (&listing, NULL, cancellable);
  self->models = g_ptr_array_ref (listing.models);
  self->notes = g_ptr_array_ref (listing.notes);
  self->places = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; (cache = hl_model_cache_get (i)) != NULL; i++)
    look_in (&listing, cache, self->places);
  hl_model_listing_end (&listing);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  g_ptr_array_sort (self->models, compare_models);
  return g_steal_pointer (&self);
}

static void
list_in_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  GError *error = NULL;
  HlLocalModels *models = hl_local_models_list (cancellable, &error);

  if (models != NULL)
    g_task_return_pointer (task, models, (GDestroyNotify) hl_local_models_free);
  else
    g_task_return_error (task, error);
}

/**
 * hl_local_models_list_async:
 * @cancellable: (nullable): to stop it
 * @callback: (scope async): called when it is done
 * @data: for @callback
 *
 * hl_local_models_list() in a thread of its own.
 */
void
hl_local_models_list_async (GCancellable       *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer            data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_source_tag (task, hl_local_models_list_async);
  g_task_run_in_thread (task, list_in_thread);
}

/**
 * hl_local_models_list_finish:
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full): the models; %NULL when it was cancelled
 */
HlLocalModels *
hl_local_models_list_finish (GAsyncResult *result,
                             GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* The cache whose prefix a name has, which is none where any could be meant. */
static const HlModelCache *
find_prefix (const char *name)
{
  const HlModelCache *cache;

  for (guint i = 0; (cache = hl_model_cache_get (i)) != NULL; i++)
    if (*cache->prefix != '\0' && g_str_has_prefix (name, cache->prefix))
      return cache;
  return NULL;
}

/* Whether nothing but a model is called so: a path would be in a folder that is there. */
static gboolean
is_name (const char *name)
{
  const char *slash = strchr (name, '/');

  if (slash == NULL || !g_ascii_isalnum (*name) || memchr (name, ':', (gsize) (slash - name)) != NULL)
    return FALSE;
  g_autofree char *first = g_strndup (name, (gsize) (slash - name));
  return !g_file_test (first, G_FILE_TEST_EXISTS);
}

/* How well a model goes by a name: 2 when it is called so, 1 when what it is called goes on from there. */
static int
match (HlLocalModel *model,
       const char   *name)
{
  const char *own = hl_local_model_get_name (model);
  const char *suffix = hl_local_model_get_cache (model)->suffix;
  const char *rest = g_str_has_prefix (own, name) ? own + strlen (name) : NULL;

  if (rest != NULL && (*rest == '\0' || g_strcmp0 (rest, suffix) == 0))
    return 2;
  return rest != NULL && (*rest == '/' || *rest == ':');
}

/* The one that is meant. A folder that is a model goes before files in it, those of one cache before those of the next. */
static HlLocalModel *
choose (GPtrArray  *models,
        const char *name,
        GError    **error)
{
  g_autoptr (GPtrArray) close = g_ptr_array_new ();
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < models->len; i++)
    {
      const int how = match (models->pdata[i], name);
      if (how == 2)
        return models->pdata[i];
      if (how == 1)
        g_ptr_array_add (close, models->pdata[i]);
    }
  if (close->len == 1)
    return close->pdata[0];
  for (guint i = 0; i < MIN (close->len, MAX_NAMED); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", hl_local_model_get_spec (close->pdata[i]));
  if (close->len > MAX_NAMED)
    g_string_append (names, ", …");
  if (close->len > 0)
    g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there are several models that this can be: %s"), names->str);
  return NULL;
}

/* What the hub's tools have downloaded by a name that says more than the name of a repository. */
static GFile *
find_part (const char *name)
{
  g_autoptr (HlHubName) parsed = strpbrk (name, ":@") != NULL ? hl_hub_name_parse (name, NULL) : NULL;

  return parsed != NULL ? hl_hub_store_find (parsed) : NULL;
}

/* How to come by a model that is not there. */
static char *
make_hint (const char *name)
{
  g_autoptr (HlHubName) parsed = strchr (name, '/') != NULL ? hl_hub_name_parse (name, NULL) : NULL;

  /* Translators: what follows the sentence that there is no such model on this computer; %s is its name */
  return parsed != NULL ? g_strdup_printf (_ ("; if it is on the hub, “headlight-cli download %s” fetches it"), name)
                        : g_strdup ("");
}

static char *
join_places (GPtrArray *places)
{
  g_ptr_array_add (places, NULL);
  return g_strjoinv (", ", (char **) places->pdata);
}

/**
 * hl_model_locate:
 * @name: what somebody calls a file or a model: a path or URI, or a name as hl_local_model_get_spec() or hl_local_model_get_name() spell
 *   it, in which a tag `:latest`, or the name of the only file, can be left out; or as hl_hub_name_parse() takes it
 * @cancellable: (nullable): to stop it
 * @error: return location
 *
 * Finds what is meant by a name: a file that exists goes first, then come the models of this computer. Blocks.
 *
 * Returns: (transfer full): the folder or file, which need not exist when the name can only be a path; %NULL with an error that says where
 *   was looked
 */
GFile *
hl_model_locate (const char   *name,
                 GCancellable *cancellable,
                 GError      **error)
{
  g_return_val_if_fail (name != NULL, NULL);

  g_auto (HlModelListing) listing = { 0 };
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GFile) file = hl_file_new_for_argument (name);
  g_autoptr (GError) local_error = NULL;
  const HlModelCache *only = find_prefix (name), *cache;

  if (*name == '\0' || g_file_test (name, G_FILE_TEST_EXISTS) || *name == '/' || *name == '.' || *name == '~' ||
      (only == NULL && !g_file_is_native (file)) || !g_utf8_validate (name, -1, NULL))
    return g_steal_pointer (&file);
  g_autoptr (GFile) part = only == NULL ? find_part (name) : NULL;
  if (part != NULL)
    return g_steal_pointer (&part);
  const char *wanted = only != NULL ? name + strlen (only->prefix) : name;
  hl_model_listing_init (&listing, wanted, cancellable);
  for (guint i = 0; (cache = hl_model_cache_get (i)) != NULL; i++)
    if (only == NULL || only == cache)
      look_in (&listing, cache, places);
  hl_model_listing_end (&listing);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  HlLocalModel *model = choose (listing.models, wanted, &local_error);
  if (model != NULL && hl_local_model_get_file (model) != NULL)
    return g_object_ref (hl_local_model_get_file (model));
  if (model != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, "%s", hl_local_model_get_problem (model));
  else if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (only == NULL && !is_name (name))
    return g_steal_pointer (&file);
  else
    {
      g_autofree char *list = join_places (places), *hint = only == NULL ? make_hint (name) : g_strdup ("");
      g_autofree char *sentence = g_strdup_printf (only != NULL
                                                     ? _ ("there is no model of this name in %s")
                                                     : _ ("there is no such file, nor a model of this name in %s"),
                                                   list);
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, "%s%s", sentence, hint);
    }
  return NULL;
}
