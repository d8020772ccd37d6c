/* SPDX-License-Identifier: MIT */
/* What files beside a tokenizer say of it, as transformers reads them: tokens that were added to it later, and options of some classes that go
 * before what its own file has. */
#include "core/tokenizer/hl-tokenizer-beside.h"

#include "core/base/hl-error.h"
#include "core/base/text/hl-text-hash.h"
#include "core/tokenizer/hl-tokenizer-class.h"
#include "core/tokenizer/hl-folder-files.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LISTED "added_tokens_decoder"

/* A file of the folder, which stays until this is cleared; nothing if there is none. */
static gboolean
open_config (HlTokenizerBeside *self,
             GFile             *folder,
             const char        *name,
             HlJsonValue       *root,
             GError           **error)
{
  GError *local_error = NULL;
  HlJsonTree *tree = hl_folder_files_read_json (folder, name, &local_error);

  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (tree == NULL)
    tree = hl_json_tree_new ("{}", 2, NULL);
  if (self->trees == NULL)
    self->trees = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_json_tree_free);
  g_ptr_array_add (self->trees, tree);
  *root = hl_json_tree_get_root (tree);
  return TRUE;
}

static gboolean
read_marks (HlJsonValue   value,
            HlAddedToken *token,
            GError      **error)
{
  return hl_json_get_boolean (value, "single_word", &token->single_word, error) &&
         hl_json_get_boolean (value, "lstrip", &token->lstrip, error) &&
         hl_json_get_boolean (value, "rstrip", &token->rstrip, error) &&
         hl_json_get_boolean (value, "normalized", &token->normalized, error);
}

static int
compare_ids (gconstpointer a,
             gconstpointer b)
{
  const HlAddedToken *first = a, *second = b;

  return first->id < second->id ? -1 : first->id > second->id;
}

static gboolean
refuse_ids (const char *name,
            GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the ids of “%s” make no sense"), name);
  return FALSE;
}

/* Tokens by their ids, which go before what the tokenizer says of the same. */
static gboolean
read_listed (HlTokenizerBeside *self,
             HlJsonValue        list,
             GError           **error)
{
  HlJsonIter iter;

  hl_json_iter_init (&iter, list);
  while (hl_json_iter_next (&iter))
    {
      const HlJsonValue content = hl_json_get_member (iter.value, "content", HL_JSON_STRING, error);
      gboolean special = FALSE;
      HlAddedToken token = { .content = hl_json_value_as_string (content) };
      guint64 id;

      if (token.content == NULL || !hl_json_get_boolean (iter.value, "special", &special, error))
        return FALSE;
      token.normalized = !special;
      if (!read_marks (iter.value, &token, error))
        return FALSE;
      if (iter.key == NULL || !g_ascii_string_to_unsigned (iter.key, 10, 0, HL_NO_TOKEN - 1, &id, NULL))
        return refuse_ids (LISTED, error);
      token.id = (guint32) id;
      g_array_append_val (self->tokens.listed, token);
    }
  g_array_sort (self->tokens.listed, compare_ids);
  return TRUE;
}

/* A special token, which may be a string or an object. */
static gboolean
add_named (HlTokenizerBeside *self,
           HlJsonValue        value,
           GError           **error)
{
  HlAddedToken token = { .content = hl_json_value_as_string (value) };

  if (token.content == NULL)
    token.content = hl_json_value_as_string (hl_json_value_get (value, "content"));
  if (token.content == NULL)
    return TRUE;
  if (!read_marks (value, &token, error))
    return FALSE;
  g_array_append_val (self->tokens.named, token);
  return TRUE;
}

/* Special tokens in the order in which transformers counts their ids: by their roles, those that only this model has, and others. */
static gboolean
read_named (HlTokenizerBeside *self,
            HlJsonValue        map,
            HlJsonValue        config,
            GError           **error)
{
  static const char *const roles[] = { "bos_token", "eos_token", "unk_token",  "sep_token",
                                       "pad_token", "cls_token", "mask_token", NULL };
  static const char *const others[] = { "additional_special_tokens", "extra_special_tokens" };
  const HlJsonValue files[] = { map, config };
  HlJsonIter iter;

  for (guint i = 0; roles[i] != NULL; i++)
    {
      const HlJsonValue value = hl_json_value_get (map, roles[i]);
      if (!add_named (self,
                      hl_json_value_get_kind (value) > HL_JSON_NULL ? value : hl_json_value_get (config, roles[i]),
                      error))
        return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      hl_json_iter_init (&iter, files[i]);
      while (hl_json_iter_next (&iter))
        if (iter.key != NULL && g_str_has_suffix (iter.key, "_token") && !g_strv_contains (roles, iter.key) &&
            !add_named (self, iter.value, error))
          return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (files) * G_N_ELEMENTS (others); i++)
    {
      hl_json_iter_init (&iter,
                         hl_json_value_get (files[i / G_N_ELEMENTS (others)], others[i % G_N_ELEMENTS (others)]));
      while (hl_json_iter_next (&iter))
        if (!add_named (self, iter.value, error))
          return FALSE;
    }
  return TRUE;
}

/* The older file of the same, in which only names say which of them are special; those that a tokenizer has are as it says. */
static gboolean
read_older (HlTokenizerBeside *self,
            HlJsonValue        list,
            GError           **error)
{
  g_autoptr (GHashTable) special = g_hash_table_new (hl_text_hash, g_str_equal);
  g_autoptr (GArray) older = g_array_new (FALSE, FALSE, sizeof (HlAddedToken));
  HlJsonIter iter;

  for (guint i = 0; i < self->tokens.named->len; i++)
    g_hash_table_add (special, (gpointer) g_array_index (self->tokens.named, HlAddedToken, i).content);
  hl_json_iter_init (&iter, list);
  while (hl_json_iter_next (&iter))
    {
      HlAddedToken token = { .content = iter.key };

      if (token.content == NULL || !hl_json_value_as_uint (iter.value, &token.id))
        return refuse_ids ("added_tokens.json", error);
      token.normalized = !g_hash_table_contains (special, token.content);
      g_array_append_val (older, token);
    }
  g_array_sort (older, compare_ids);
  g_array_prepend_vals (self->tokens.named, older->data, older->len);
  return TRUE;
}

/* Reads which tokens there are besides those of a tokenizer. */
gboolean
hl_tokenizer_beside_read_tokens (HlTokenizerBeside *self,
                                 GFile             *folder,
                                 GError           **error)
{
  HlJsonValue config, map, older;

  self->tokens.listed = g_array_new (FALSE, FALSE, sizeof (HlAddedToken));
  self->tokens.named = g_array_new (FALSE, FALSE, sizeof (HlAddedToken));
  if (!open_config (self, folder, "tokenizer_config.json", &config, error))
    return FALSE;
  /* Where this list is, it is in place of both older files. */
  if (hl_json_value_get_kind (hl_json_value_get (config, LISTED)) == HL_JSON_OBJECT)
    return read_listed (self, hl_json_value_get (config, LISTED), error) && read_named (self, config, config, error);
  return open_config (self, folder, "special_tokens_map.json", &map, error) &&
         open_config (self, folder, "added_tokens.json", &older, error) && read_named (self, map, config, error) &&
         read_older (self, older, error);
}

static HlJsonTree *
print_tree (const char *format,
            ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *json = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return hl_json_tree_new (json, strlen (json), NULL);
}

static const char *
spell (gboolean value)
{
  return value ? "true" : "false";
}

static gboolean
is_of_type (HlJsonValue component,
            const char *type)
{
  return g_strcmp0 (hl_json_value_as_string (hl_json_value_get (component, "type")), type) == 0;
}

/* Reads what goes before parts of a tokenizer.json. Some classes set these when they load one, also when the files say nothing of it; where it
 * has another kind of part, that is kept. */
gboolean
hl_tokenizer_beside_read_options (HlTokenizerBeside *self,
                                  GFile             *folder,
                                  HlJsonValue        tokenizer,
                                  GError           **error)
{
  const HlJsonValue normalizer = hl_json_value_get (tokenizer, "normalizer");
  const HlJsonValue pre_tokenizer = hl_json_value_get (tokenizer, "pre_tokenizer");
  g_autofree char *name = NULL;
  HlTokenizerClass class;
  HlJsonValue config;

  if (!hl_tokenizer_class_read (folder, &class, &name, error) ||
      !open_config (self, folder, "tokenizer_config.json", &config, error))
    return FALSE;
  if ((class == HL_TOKENIZER_CLASS_BERT || class == HL_TOKENIZER_CLASS_MPNET) &&
      is_of_type (normalizer, "BertNormalizer"))
    {
      gboolean lower = TRUE, chinese = TRUE, strip;

      if (!hl_json_get_boolean (config, "do_lower_case", &lower, error) ||
          !hl_json_get_boolean (config, "tokenize_chinese_chars", &chinese, error))
        return FALSE;
      strip = lower;
      if (!hl_json_get_boolean (config, "strip_accents", &strip, error))
        return FALSE;
      self->normalizer = print_tree ("{\"type\":\"BertNormalizer\",\"clean_text\":true,\"lowercase\":%s,"
                                     "\"strip_accents\":%s,\"handle_chinese_chars\":%s}",
                                     spell (lower), spell (strip), spell (chinese));
    }
  if ((class == HL_TOKENIZER_CLASS_GPT2 || class == HL_TOKENIZER_CLASS_ROBERTA) &&
      is_of_type (pre_tokenizer, "ByteLevel"))
    {
      gboolean prefix_space = FALSE, regex = TRUE;

      if (!hl_json_get_boolean (config, "add_prefix_space", &prefix_space, error) ||
          !hl_json_get_boolean (pre_tokenizer, "use_regex", &regex, error))
        return FALSE;
      self->pre_tokenizer = print_tree ("{\"type\":\"ByteLevel\",\"add_prefix_space\":%s,\"use_regex\":%s}",
                                        spell (prefix_space), spell (regex));
    }
  return TRUE;
}

void
hl_tokenizer_beside_clear (HlTokenizerBeside *self)
{
  g_clear_pointer (&self->tokens.listed, g_array_unref);
  g_clear_pointer (&self->tokens.named, g_array_unref);
  g_clear_pointer (&self->trees, g_ptr_array_unref);
  g_clear_pointer (&self->normalizer, hl_json_tree_free);
  g_clear_pointer (&self->pre_tokenizer, hl_json_tree_free);
}
