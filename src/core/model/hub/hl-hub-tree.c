/* SPDX-License-Identifier: MIT */
/* What the hub answers: the branches and tags of a repository, and its files, page by page. Nothing in it is trusted. */
#include "core/model/hub/hl-hub-tree.h"

#include "core/base/file/hl-relative-path.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/json/hl-json-tree.h"
#include "core/model/hub/hl-hub-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The largest repositories of models have some thousands of files, the largest files some hundreds of gigabytes. */
#define MAX_LINK 4096
#define MAX_NAMED 8

static void
free_file (gpointer data)
{
  HlHubFile *file = data;

  g_free (file->path);
  g_free (file->hash);
  g_free (file);
}

/**
 * hl_hub_tree_new:
 *
 * Returns: (transfer full) (element-type HlHubFile): a list for hl_hub_tree_add()
 */
GPtrArray *
hl_hub_tree_new (void)
{
  return g_ptr_array_new_with_free_func (free_file);
}

static gboolean
fail (GError    **error,
      const char *what)
{
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the hub’s answer is not what it should be: %s"), what);
  return FALSE;
}

static HlJsonTree *
parse (const char *text,
       gsize       size,
       GError    **error)
{
  g_autoptr (GError) local_error = NULL;
  HlJsonTree *tree = hl_json_tree_new (text, size, &local_error);

  if (tree == NULL)
    fail (error, local_error->message);
  return tree;
}

static const char *
get_string (HlJsonValue value,
            const char *key)
{
  return hl_json_value_as_string (hl_json_value_get (value, key));
}

static gboolean
get_size (HlJsonValue value,
          guint64    *size)
{
  double number;

  if (!hl_json_value_as_double (hl_json_value_get (value, "size"), &number) ||
      !(number >= 0 && number <= (double) HL_LIMIT_HUB_BYTES))
    return FALSE;
  *size = (guint64) number;
  return (double) *size == number;
}

/* Large files have a hash of their own; the other one is of a note about them. */
static gboolean
add_file (GPtrArray  *files,
          HlJsonValue value,
          GError    **error)
{
  const char *path = get_string (value, "path");
  const HlJsonValue large = hl_json_value_get (value, "lfs");
  const gboolean is_large = hl_json_value_get_kind (large) == HL_JSON_OBJECT;
  const char *hash = is_large ? get_string (large, "oid") : get_string (value, "oid");
  guint64 size;

  if (path == NULL)
    return fail (error, _ ("the name of a file is none"));
  /* One that cannot be written here is not written; a picture is no reason to do without a model. */
  if (!hl_relative_path_is_safe (path))
    return TRUE;
  if (!get_size (is_large ? large : value, &size))
    return fail (error, _ ("the size of a file is none"));
  if (!hl_hub_is_hash (hash, is_large ? HL_HUB_SHA256_DIGITS : HL_HUB_SHA1_DIGITS))
    return fail (error, _ ("the hash of a file is none"));
  if (files->len == HL_LIMIT_HUB_FILES)
    return fail (error, _ ("there are too many files"));
  HlHubFile *file = g_new (HlHubFile, 1);
  *file = (HlHubFile){ g_strdup (path), size, g_strdup (hash) };
  g_ptr_array_add (files, file);
  return TRUE;
}

/**
 * hl_hub_tree_add:
 * @files: (element-type HlHubFile): what to add to
 * @text: a page of `/api/models/ID/tree/REVISION?recursive=true`, any bytes
 * @size: how many bytes
 * @error: %HL_ERROR_CORRUPT
 *
 * What is called so that it might lead out of a folder is left out.
 *
 * Returns: whether all of its other files could be added
 */
gboolean
hl_hub_tree_add (GPtrArray  *files,
                 const char *text,
                 gsize       size,
                 GError    **error)
{
  g_autoptr (HlJsonTree) tree = parse (text, size, error);
  HlJsonIter entry;

  if (tree == NULL)
    return FALSE;
  if (hl_json_value_get_kind (hl_json_tree_get_root (tree)) != HL_JSON_ARRAY)
    return fail (error, _ ("a list of files is expected"));
  hl_json_iter_init (&entry, hl_json_tree_get_root (tree));
  while (hl_json_iter_next (&entry))
    if (g_strcmp0 (get_string (entry.value, "type"), "directory") != 0 && !add_file (files, entry.value, error))
      return FALSE;
  return TRUE;
}

/* The commit of what is called so in a list; the names of what is there go to @names. */
static const char *
find_in_list (HlJsonValue list,
              const char *revision,
              GPtrArray  *names)
{
  HlJsonIter entry;

  hl_json_iter_init (&entry, list);
  while (hl_json_iter_next (&entry))
    {
      const char *name = get_string (entry.value, "name"), *ref = get_string (entry.value, "ref");
      if (g_strcmp0 (name, revision) == 0 || g_strcmp0 (ref, revision) == 0)
        return get_string (entry.value, "targetCommit");
      if (name != NULL && names->len <= MAX_NAMED && hl_relative_path_is_safe (name))
        g_ptr_array_add (names, (gpointer) (names->len < MAX_NAMED ? name : "…"));
    }
  return NULL;
}

/**
 * hl_hub_refs_find:
 * @text: `/api/models/ID/refs`, any bytes
 * @size: how many bytes
 * @revision: a branch or a tag
 * @error: %HL_ERROR_CORRUPT, or %HL_ERROR_MISSING when there is no such revision
 *
 * Returns: (transfer full): the hash of the commit that it is
 */
char *
hl_hub_refs_find (const char *text,
                  gsize       size,
                  const char *revision,
                  GError    **error)
{
  static const char *const lists[] = { "branches", "tags", "converts" };
  g_autoptr (HlJsonTree) tree = parse (text, size, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const char *commit = NULL;

  if (tree == NULL)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (lists) && commit == NULL; i++)
    commit = find_in_list (hl_json_value_get (hl_json_tree_get_root (tree), lists[i]), revision, names);
  if (hl_hub_is_hash (commit, HL_HUB_SHA1_DIGITS))
    return g_strdup (commit);
  if (commit != NULL)
    {
      fail (error, _ ("a commit is none"));
      return NULL;
    }
  g_ptr_array_add (names, NULL);
  g_autofree char *there = g_strjoinv (", ", (char **) names->pdata);
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               *there != '\0' ? _ ("there is no revision “%s”; there are: %s") : _ ("there is no revision “%s”"),
               revision, there);
  return NULL;
}

/**
 * hl_hub_link_find_next:
 * @header: what a header `Link` says, any bytes
 *
 * Returns: (transfer full) (nullable): the address of the next page; %NULL after the last
 */
char *
hl_hub_link_find_next (const char *header)
{
  g_return_val_if_fail (header != NULL, NULL);

  for (const char *at = header; (at = strchr (at, '<')) != NULL;)
    {
      const char *end = strchr (at, '>');
      if (end == NULL)
        return NULL;
      const char *rest = strchr (end, '<');
      g_autofree char *terms = rest != NULL ? g_strndup (end, (gsize) (rest - end)) : g_strdup (end);
      if ((strstr (terms, "rel=\"next\"") != NULL || strstr (terms, "rel=next") != NULL) && end - at <= MAX_LINK)
        return g_strndup (at + 1, (gsize) (end - at - 1));
      at = end;
    }
  return NULL;
}
