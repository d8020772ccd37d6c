/* SPDX-License-Identifier: MIT */
/* A model on this computer. */
#include "core/model/local/hl-local-model.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/model/local/hl-model-cache.h"

struct _HlLocalModel
{
  GObject parent_instance;

  const HlModelCache *cache;
  char *name;
  char *title;
  char *spec;
  GFile *file; /* nullable */
  guint64 size;
  const HlFamily *family; /* nullable */
  char *problem;          /* nullable */
  char *searched;         /* all that it is found by, folded */
};

G_DEFINE_FINAL_TYPE (HlLocalModel, hl_local_model, G_TYPE_OBJECT)

static void
hl_local_model_finalize (GObject *object)
{
  HlLocalModel *self = HL_LOCAL_MODEL (object);

  g_free (self->name);
  g_free (self->title);
  g_free (self->spec);
  g_clear_object (&self->file);
  g_free (self->problem);
  g_free (self->searched);
  G_OBJECT_CLASS (hl_local_model_parent_class)->finalize (object);
}

static void
hl_local_model_class_init (HlLocalModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_local_model_finalize;
}

static void
hl_local_model_init (HlLocalModel *self)
{
}

/**
 * hl_local_model_new:
 * @cache: where it lies
 * @name: what it is called there, valid UTF-8
 * @title: (nullable): what it calls itself, valid UTF-8; %NULL for the name
 * @file: (nullable): its folder or file; %NULL when there is none that could be opened
 * @size: bytes of its weights
 * @family: (nullable): its family, if it is known
 * @problem: (nullable): a sentence that says why it cannot be opened, when it cannot
 *
 * Returns: (transfer full): the model
 */
HlLocalModel *
hl_local_model_new (const HlModelCache *cache,
                    const char         *name,
                    const char         *title,
                    GFile              *file,
                    guint64             size,
                    const HlFamily     *family,
                    const char         *problem)
{
  g_return_val_if_fail (cache != NULL && name != NULL, NULL);
  g_return_val_if_fail ((file != NULL && family != NULL) || problem != NULL, NULL);

  HlLocalModel *self = g_object_new (HL_TYPE_LOCAL_MODEL, NULL);
  self->cache = cache;
  self->name = g_strdup (name);
  self->title = g_strdup (title != NULL ? title : name);
  self->spec = g_strconcat (cache->prefix, name, NULL);
  self->file = file != NULL ? g_object_ref (file) : NULL;
  self->size = size;
  self->family = family;
  self->problem = g_strdup (problem);
  g_autofree char *all =
    g_strjoin (" ", self->spec, self->title, _ (cache->label), cache->nick, family != NULL ? family->label : "", NULL);
  self->searched = g_utf8_casefold (all, -1);
  return self;
}

/**
 * hl_local_model_get_cache:
 * @self: a model
 *
 * Returns: where it lies
 */
const HlModelCache *
hl_local_model_get_cache (HlLocalModel *self)
{
  g_return_val_if_fail (HL_IS_LOCAL_MODEL (self), NULL);

  return self->cache;
}

/**
 * hl_local_model_get_name:
 * @self: a model
 *
 * Returns: what it is called where it lies: `org/name`, `llama3.2:latest`; of a GGUF file beside others, with the name of the file
 */
const char *
hl_local_model_get_name (HlLocalModel *self)
{
  g_return_val_if_fail (HL_IS_LOCAL_MODEL (self), NULL);

  return self->name;
}

/**
 * hl_local_model_get_title:
 * @self: a model
 *
 * Returns: what it calls itself, as the `general.name` of a GGUF file; its name where it does not say
 */
const char *
hl_local_model_get_title (HlLocalModel *self)
{
  g_return_val_if_fail (HL_IS_LOCAL_MODEL (self), NULL);

  return self->title;
}

/**
 * hl_local_model_get_spec:
 * @self: a model
 *
 * Returns: by what hl_model_locate() finds it: its name with the prefix of the cache, `ollama:llama3.2:latest`
 */
const char *
hl_local_model_get_spec (HlLocalModel *self)
{
  g_return_val_if_fail (HL_IS_LOCAL_MODEL (self), NULL);

  return self->spec;
}

/**
 * hl_local_model_get_file:
 * @self: a model
 *
 * Returns: (nullable): its folder or GGUF file; %NULL when there is none that could be opened
 */
GFile *
hl_local_model_get_file (HlLocalModel *self)
{
  g_return_val_if_fail (HL_IS_LOCAL_MODEL (self), NULL);

  return self->file;
}

/**
 * hl_local_model_get_size:
 * @self: a model
 *
 * Returns: bytes of its weights
 */
guint64
hl_local_model_get_size (HlLocalModel *self)
{
  g_return_val_if_fail (HL_IS_LOCAL_MODEL (self), 0);

  return self->size;
}

/**
 * hl_local_model_get_family:
 * @self: a model
 *
 * Returns: (nullable): its family, if it is known
 */
const HlFamily *
hl_local_model_get_family (HlLocalModel *self)
{
  g_return_val_if_fail (HL_IS_LOCAL_MODEL (self), NULL);

  return self->family;
}

/**
 * hl_local_model_get_problem:
 * @self: a model
 *
 * Returns: (nullable): a sentence that says why it cannot be opened, when it cannot
 */
const char *
hl_local_model_get_problem (HlLocalModel *self)
{
  g_return_val_if_fail (HL_IS_LOCAL_MODEL (self), NULL);

  return self->problem;
}

/**
 * hl_local_model_matches:
 * @self: a model
 * @search: words apart by spaces
 *
 * Returns: whether each of the words is in its name, its title, its family's or its cache's, whatever their case
 */
gboolean
hl_local_model_matches (HlLocalModel *self,
                        const char   *search)
{
  g_return_val_if_fail (HL_IS_LOCAL_MODEL (self) && search != NULL, FALSE);

  g_autofree char *folded = g_utf8_casefold (search, -1);
  g_auto (GStrv) words = g_strsplit (folded, " ", -1);
  for (char **word = words; *word != NULL; word++)
    if (strstr (self->searched, *word) == NULL)
      return FALSE;
  return TRUE;
}
