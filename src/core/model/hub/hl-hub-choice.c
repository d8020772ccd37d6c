/* SPDX-License-Identifier: MIT */
/* Which files of a repository a model needs. Many hold the same weights in several formats, and pictures, code and notes beside them. */
#include "core/model/hub/hl-hub-choice.h"

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "core/base/text/hl-text-hash.h"
#include "core/model/checkpoint/hl-weights-index.h"
#include "core/model/hub/hl-hub-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define GGUF ".gguf"
/* What llama.cpp takes of several, where none is named. */
#define PREFERRED "Q4_K_M"
#define MAX_NAMED 30
#define MAX_SHOWN 80

/* Weights, in the order in which they are taken: one file, or what an index names. */
static const struct
{
  const char *single;
  const char *index;
} formats[] = {
  { "model.safetensors", "model.safetensors.index.json" },
  { "pytorch_model.bin", "pytorch_model.bin.index.json" },
  { "adapter_model.safetensors", NULL },
  { "adapter_model.bin", NULL },
};

/* What lies beside them. */
static const char *const companions[] = {
  "config.json",
  "adapter_config.json",
  "generation_config.json",
  "preprocessor_config.json",
  "processor_config.json",
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "added_tokens.json",
  "vocab.txt",
  "vocab.json",
  "merges.txt",
  "tokenizer.model",
  "spiece.model",
  "spm.model",
  "sentencepiece.bpe.model",
  "source.spm",
  "target.spm",
};

/* Where weights are looked for: sentence-transformers put them into a folder for a while. Its own files say what is done with their output. */
static const char *const folders[] = { "", "0_Transformer/" };
static const char *const own_files[] = {
  "modules.json",
  "config_sentence_transformers.json",
  "sentence_bert_config.json",
  "1_Pooling/config.json",
};

static void
free_choice (gpointer data)
{
  HlHubChoice *choice = data;

  g_free (choice->label);
  g_free (choice->file);
  g_ptr_array_unref (choice->files);
  g_free (choice);
}

static HlHubChoice *
new_choice (void)
{
  HlHubChoice *choice = g_new0 (HlHubChoice, 1);

  choice->files = g_ptr_array_new ();
  return choice;
}

static void
take (HlHubChoice *choice,
      HlHubFile   *file)
{
  g_ptr_array_add (choice->files, file);
  choice->size += file->size;
}

static HlHubFile *
find (GPtrArray  *files,
      const char *folder,
      const char *name)
{
  const gsize n = strlen (folder);

  for (guint i = 0; i < files->len; i++)
    {
      const char *path = ((HlHubFile *) files->pdata[i])->path;
      if (strncmp (path, folder, n) == 0 && g_str_equal (path + n, name))
        return files->pdata[i];
    }
  return NULL;
}

static void
take_named (HlHubChoice       *choice,
            GPtrArray         *files,
            const char        *folder,
            const char *const *names,
            guint              n)
{
  for (guint i = 0; i < n; i++)
    {
      HlHubFile *file = find (files, folder, names[i]);
      if (file != NULL)
        take (choice, file);
    }
}

static gboolean
take_weights (HlHubChoice *choice,
              GPtrArray   *files,
              const char  *folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      HlHubFile *single = find (files, folder, formats[i].single);
      HlHubFile *index = formats[i].index != NULL ? find (files, folder, formats[i].index) : NULL;
      if (single != NULL)
        {
          take (choice, single);
          return TRUE;
        }
      if (index != NULL)
        {
          take (choice, index);
          choice->index = index;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
is_configured (GPtrArray  *files,
               const char *folder)
{
  return find (files, folder, "config.json") != NULL || find (files, folder, "adapter_config.json") != NULL;
}

/* The folder that transformers would load; %NULL when there is none. What is small goes first, so that it is there when weights are. */
static HlHubChoice *
make_folder (GPtrArray *files)
{
  HlHubChoice *choice = new_choice ();

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      take_named (choice, files, folders[i], companions, G_N_ELEMENTS (companions));
      if (is_configured (files, folders[i]) && take_weights (choice, files, folders[i]))
        {
          take_named (choice, files, "", own_files, G_N_ELEMENTS (own_files));
          return choice;
        }
      g_ptr_array_set_size (choice->files, 0);
      choice->size = 0;
    }
  free_choice (choice);
  return NULL;
}

/* What sees for a language model, or is what a file was quantised by, is no model. */
static gboolean
is_model (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *small = g_ascii_strdown (name, -1);

  return g_str_has_suffix (small, GGUF) && !g_str_has_prefix (small, "mmproj") && strstr (small, "imatrix") == NULL;
}

static int
compare_choices (gconstpointer a,
                 gconstpointer b)
{
  const HlHubChoice *one = *(const HlHubChoice *const *) a, *other = *(const HlHubChoice *const *) b;

  return one->size != other->size ? (one->size > other->size ? 1 : -1) : strcmp (one->file, other->file);
}

/* What all parts of a file are called alike. */
static char *
make_whole_name (const char *path,
                 gsize       stem)
{
  return g_strdup_printf ("%.*s%s", (int) stem, path, path + stem + strlen ("-00001"));
}

static GPtrArray *
list_ggufs (GPtrArray *files)
{
  GPtrArray *choices = g_ptr_array_new_with_free_func (free_choice);
  g_autoptr (GHashTable) wholes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gsize stem;

  for (guint i = 0; i < files->len; i++)
    {
      HlHubFile *file = files->pdata[i];
      const guint shard = hl_hub_get_shard (file->path, GGUF, &stem);
      if (!is_model (file->path) || shard > 1)
        continue;
      HlHubChoice *choice = new_choice ();
      choice->file = g_strdup (file->path);
      choice->label = hl_hub_make_quantisation (file->path);
      take (choice, file);
      g_ptr_array_add (choices, choice);
      if (shard == 1)
        g_hash_table_insert (wholes, make_whole_name (file->path, stem), choice);
    }
  for (guint i = 0; i < files->len; i++)
    {
      HlHubFile *file = files->pdata[i];
      if (hl_hub_get_shard (file->path, GGUF, &stem) <= 1)
        continue;
      g_autofree char *whole = make_whole_name (file->path, stem);
      HlHubChoice *choice = g_hash_table_lookup (wholes, whole);
      if (choice != NULL)
        take (choice, file);
    }
  g_ptr_array_sort (choices, compare_choices);
  return choices;
}

/* A quantisation that several files have tells none of them from the others. */
static void
label_choices (GPtrArray *choices)
{
  g_autoptr (GHashTable) first = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) twice = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < choices->len; i++)
    {
      HlHubChoice *choice = choices->pdata[i];
      gpointer other = choice->label != NULL ? g_hash_table_lookup (first, choice->label) : NULL;
      if (choice->label == NULL || other != NULL)
        g_hash_table_add (twice, choice);
      if (other != NULL)
        g_hash_table_add (twice, other);
      if (choice->label != NULL)
        g_hash_table_insert (first, choice->label, choice);
    }
  for (guint i = 0; i < choices->len; i++)
    {
      HlHubChoice *choice = choices->pdata[i];
      if (!g_hash_table_contains (twice, choice))
        continue;
      g_free (choice->label);
      choice->label = g_strdup (choice->file);
    }
}

static gboolean
is_called (const HlHubChoice *choice,
           const char        *part)
{
  g_autofree char *name = g_path_get_basename (choice->file);

  return g_ascii_strcasecmp (choice->label, part) == 0 || g_str_equal (choice->file, part) || g_str_equal (name, part);
}

/* Keeps the one that is asked for. */
static gboolean
keep_only (GPtrArray  *choices,
           const char *part,
           GError    **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < choices->len; i++)
    if (is_called (choices->pdata[i], part))
      {
        g_ptr_array_remove_range (choices, i + 1, choices->len - i - 1);
        if (i > 0)
          g_ptr_array_remove_range (choices, 0, i);
        return TRUE;
      }
  for (guint i = 0; i < MIN (choices->len, MAX_NAMED); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", ((HlHubChoice *) choices->pdata[i])->label);
  if (choices->len > MAX_NAMED)
    g_string_append (names, ", …");
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               choices->len > 0 ? _ ("there is no GGUF file “%s”; there are: %s") : _ ("there is no GGUF file “%s”"),
               part, names->str);
  return FALSE;
}

/**
 * hl_hub_choices_new:
 * @files: (element-type HlHubFile): all files of a repository, which have to live as long
 * @part: (nullable): which of its GGUF files is asked for: its label, its path or its name
 * @error: %HL_ERROR_MISSING
 *
 * Returns: (transfer full) (element-type HlHubChoice): what can be had: the folder, where there is one, else the GGUF files, the smallest
 *   first; %NULL when there is nothing
 */
GPtrArray *
hl_hub_choices_new (GPtrArray  *files,
                    const char *part,
                    GError    **error)
{
  g_return_val_if_fail (files != NULL, NULL);

  HlHubChoice *folder = part == NULL ? make_folder (files) : NULL;

  if (folder != NULL)
    {
      GPtrArray *choices = g_ptr_array_new_with_free_func (free_choice);
      g_ptr_array_add (choices, folder);
      return choices;
    }
  g_autoptr (GPtrArray) choices = list_ggufs (files);
  label_choices (choices);
  if (part != NULL && !keep_only (choices, part, error))
    return NULL;
  if (choices->len > 0)
    return g_steal_pointer (&choices);
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               _ ("there is neither a config.json with model.safetensors or pytorch_model.bin, nor a GGUF file"));
  return NULL;
}

/* Whether a file is one of names in a folder. */
static gboolean
remove_name (GHashTable      *names,
             const HlHubFile *file,
             const char      *folder,
             gsize            n_folder)
{
  return strncmp (file->path, folder, n_folder) == 0 && g_hash_table_remove (names, file->path + n_folder);
}

/**
 * hl_hub_choice_add_indexed:
 * @self: a choice that has an index
 * @files: (element-type HlHubFile): all files of the repository
 * @text: what is in the index, any bytes
 * @size: how many bytes
 * @error: as hl_weights_index_parse(), or %HL_ERROR_MISSING when the repository does not have what it names
 *
 * Adds the files that the index names: they are called as whoever made it liked.
 *
 * Returns: whether all are there
 */
gboolean
hl_hub_choice_add_indexed (HlHubChoice *self,
                           GPtrArray   *files,
                           const char  *text,
                           gsize        size,
                           GError     **error)
{
  g_return_val_if_fail (self != NULL && self->index != NULL, FALSE);

  const char *end = strrchr (self->index->path, '/');
  const gsize n_folder = end != NULL ? (gsize) (end + 1 - self->index->path) : 0;
  g_autoptr (GHashTable) names = hl_weights_index_parse (text, size, self->index->path, error);
  GHashTableIter iter;
  gpointer name;

  if (names == NULL)
    return FALSE;
  /* It may name what is taken anyway. */
  for (guint i = 0; i < self->files->len; i++)
    remove_name (names, self->files->pdata[i], self->index->path, n_folder);
  for (guint i = 0; i < files->len; i++)
    if (remove_name (names, files->pdata[i], self->index->path, n_folder))
      take (self, files->pdata[i]);
  g_hash_table_iter_init (&iter, names);
  if (!g_hash_table_iter_next (&iter, &name, NULL))
    return TRUE;
  g_autofree char *shown = hl_utf8_quote (name, strlen (name), MAX_SHOWN);
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the hub has no “%s”, which “%s” names"), shown,
               self->index->path);
  return FALSE;
}

/**
 * hl_hub_choices_get_default:
 * @choices: (element-type HlHubChoice): at least one
 *
 * Returns: the place of the one to propose: Q4_K_M, as other programs do, or else the first
 */
guint
hl_hub_choices_get_default (GPtrArray *choices)
{
  g_return_val_if_fail (choices != NULL && choices->len > 0, 0);

  for (guint i = 0; i < choices->len; i++)
    if (g_strcmp0 (((HlHubChoice *) choices->pdata[i])->label, PREFERRED) == 0)
      return i;
  return 0;
}
