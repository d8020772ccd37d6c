/* SPDX-License-Identifier: MIT */
/* The adapter_config.json of a folder of PEFT: which model it changes, and by how much. What would change the model in a way that is not
 * known is named and refused. */
#include "core/model/adapter/hl-adapter-config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/file/hl-file-read.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/json/hl-json-tree.h"

/* Steps of one match of a regular expression, which anybody can make endless. */
#define MATCH_LIMIT "(*LIMIT_MATCH=5000)"

#define MAX_SHOWN 60

/* What changes a model otherwise than by adding products to its matrices. */
static const char *const refused[] = {
  "alora_invocation_tokens",
  "arrow_config",
  "kasa_config",
  "layer_replication",
  "megatron_config",
  "monteclora_config",
  "target_parameters",
  "trainable_token_indices",
  "use_bdlora",
  "use_qalora",
  "velora_config",
};

/* How products may begin that leave the model as it is; others take from it what they begin with. */
static const char *const plain_starts[] = { "gaussian", "eva", "orthogonal", "mica", NULL };

/* Whether a member is there and says more than that something is not so. */
static gboolean
is_set (HlJsonValue root,
        const char *key)
{
  const HlJsonValue value = hl_json_value_get (root, key);
  gboolean flag = FALSE;

  switch (hl_json_value_get_kind (value))
    {
    case HL_JSON_MISSING:
    case HL_JSON_NULL:
      return FALSE;
    case HL_JSON_BOOLEAN:
      return hl_json_get_boolean (root, key, &flag, NULL) && flag;
    case HL_JSON_ARRAY:
    case HL_JSON_OBJECT:
      return hl_json_value_get_length (value) > 0;
    default:
      return TRUE;
    }
}

/* Whether the model is changed in none of the ways that are not known. */
static gboolean
check_kind (HlJsonValue root,
            GError    **error)
{
  const char *kind = hl_json_value_as_string (hl_json_value_get (root, "peft_type"));
  const HlJsonValue start = hl_json_value_get (root, "init_lora_weights");
  const char *start_name = hl_json_value_as_string (start);

  if (g_strcmp0 (kind, "LORA") != 0)
    {
      g_autofree char *shown = hl_utf8_quote (kind != NULL ? kind : "", kind != NULL ? strlen (kind) : 0, MAX_SHOWN);
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("adapters of the kind “%s” are not supported; those of LoRA are"), shown);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    if (is_set (root, refused[i]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("adapters with “%s” are not supported"), refused[i]);
        return FALSE;
      }
  if (start_name != NULL && !g_strv_contains (plain_starts, start_name))
    {
      g_autofree char *shown = hl_utf8_quote (start_name, strlen (start_name), MAX_SHOWN);
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("the adapter is for a model that “%s” has changed beforehand; PEFT can convert it"), shown);
      return FALSE;
    }
  return TRUE;
}

static void
clear_alpha (gpointer data)
{
  HlAdapterAlpha *alpha = data;

  g_free (alpha->name);
  g_clear_pointer (&alpha->expression, g_regex_unref);
}

static gboolean
refuse_pattern (const char *pattern,
                GError    **error)
{
  g_autofree char *shown = hl_utf8_quote (pattern, strlen (pattern), MAX_SHOWN);

  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in “%s” is not understood"), shown, "alpha_pattern");
  return FALSE;
}

/* The expression matches the name of a module from a dot, or the beginning, to the end. */
static gboolean
add_alpha (HlAdapterConfig *self,
           const char      *name,
           double           value,
           GError         **error)
{
  HlAdapterAlpha alpha = { .value = value };

  if (strpbrk (name, "^$*+?()[]{}|\\") != NULL)
    {
      g_autofree char *whole = g_strdup_printf (MATCH_LIMIT "(?:.*\\.)?(?:%s)$", name);

      alpha.expression = g_regex_new (whole, 0, G_REGEX_MATCH_ANCHORED, NULL);
      if (alpha.expression == NULL)
        return refuse_pattern (name, error);
      self->n_expressions++;
    }
  alpha.name = g_strdup (name);
  g_array_append_val (self->alphas, alpha);
  return TRUE;
}

static gboolean
read_alphas (HlAdapterConfig *self,
             HlJsonValue      list,
             GError         **error)
{
  HlJsonIter iter;

  if (hl_json_value_get_kind (list) != HL_JSON_OBJECT)
    return TRUE;
  if (hl_json_value_get_length (list) > HL_LIMIT_ADAPTER_ALPHAS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has more than %d entries"), "alpha_pattern",
                   HL_LIMIT_ADAPTER_ALPHAS);
      return FALSE;
    }
  hl_json_iter_init (&iter, list);
  while (hl_json_iter_next (&iter))
    {
      double alpha;

      if (strlen (iter.key) > HL_LIMIT_ADAPTER_PATTERN)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("a name in “%s” is longer than %d bytes"),
                       "alpha_pattern", HL_LIMIT_ADAPTER_PATTERN);
          return FALSE;
        }
      if (!hl_json_value_as_double (iter.value, &alpha) || !isfinite (alpha))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a list of numbers by names"), "alpha_pattern");
          return FALSE;
        }
      if (!add_alpha (self, iter.key, alpha, error))
        return FALSE;
    }
  return TRUE;
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Backwards and in order; of those that end alike, the shortest says all. */
static char **
sort_backwards (GPtrArray *names)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const char *last = NULL;

  for (guint i = 0; i < names->len; i++)
    g_strreverse (names->pdata[i]);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    if (last == NULL || !g_str_has_prefix (names->pdata[i], last))
      {
        last = names->pdata[i];
        g_strv_builder_add (builder, last);
      }
  return g_strv_builder_end (builder);
}

static gboolean
read_saved (HlAdapterConfig *self,
            HlJsonValue      list,
            GError         **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  HlJsonIter iter;

  if (hl_json_value_get_kind (list) == HL_JSON_ARRAY)
    {
      if (hl_json_value_get_length (list) > HL_LIMIT_ADAPTER_ALPHAS)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has more than %d entries"), "modules_to_save",
                       HL_LIMIT_ADAPTER_ALPHAS);
          return FALSE;
        }
      hl_json_iter_init (&iter, list);
      while (hl_json_iter_next (&iter))
        {
          const char *name = hl_json_value_as_string (iter.value);
          if (name != NULL && *name != '\0')
            g_ptr_array_add (names, g_strdup (name));
        }
    }
  self->saved = sort_backwards (names);
  self->n_saved = g_strv_length (self->saved);
  return TRUE;
}

static gboolean
read_all (HlAdapterConfig *self,
          HlJsonValue      root,
          GError         **error)
{
  const char *base;
  const HlJsonValue alpha = hl_json_value_get (root, "lora_alpha");

  if (hl_json_value_get_kind (root) != HL_JSON_OBJECT)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("it is no object"));
      return FALSE;
    }
  if (!check_kind (root, error) || !hl_json_get_boolean (root, "use_rslora", &self->root, error) ||
      !hl_json_get_boolean (root, "use_dora", &self->dora, error))
    return FALSE;
  base = hl_json_value_as_string (hl_json_value_get (root, "base_model_name_or_path"));
  if (base == NULL || *base == '\0')
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("it does not say which model it changes"));
      return FALSE;
    }
  self->base = g_strdup (base);
  self->alpha = 8;
  if (hl_json_value_get_kind (alpha) != HL_JSON_MISSING &&
      (!hl_json_value_as_double (alpha, &self->alpha) || !isfinite (self->alpha)))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a number"), "lora_alpha");
      return FALSE;
    }
  return read_alphas (self, hl_json_value_get (root, "alpha_pattern"), error) &&
         read_saved (self, hl_json_value_get (root, "modules_to_save"), error);
}

/**
 * hl_adapter_config_parse:
 * @text: (array length=size): the contents of a file
 * @size: bytes of it
 * @error: %HL_ERROR_UNSUPPORTED naming what is not known, or what is wrong
 *
 * Returns: (transfer full): what it says
 */
HlAdapterConfig *
hl_adapter_config_parse (const char *text,
                         gsize       size,
                         GError    **error)
{
  GError *local_error = NULL;
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (text, size, &local_error);
  g_autoptr (HlAdapterConfig) self = g_new0 (HlAdapterConfig, 1);

  self->alphas = g_array_new (FALSE, FALSE, sizeof (HlAdapterAlpha));
  g_array_set_clear_func (self->alphas, clear_alpha);
  if (tree != NULL && read_all (self, hl_json_tree_get_root (tree), &local_error))
    return g_steal_pointer (&self);
  g_propagate_prefixed_error (error, local_error, HL_ADAPTER_CONFIG ": ");
  return NULL;
}

/**
 * hl_adapter_config_load:
 * @folder: the folder of an adapter
 * @error: as hl_adapter_config_parse() and hl_file_load_regular()
 *
 * Returns: (transfer full): what its file says
 */
HlAdapterConfig *
hl_adapter_config_load (GFile   *folder,
                        GError **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, HL_ADAPTER_CONFIG);
  g_autoptr (GError) local_error = NULL;
  gsize size;
  g_autofree char *text = hl_file_load_regular (file, &size, HL_LIMIT_ADAPTER_CONFIG, &local_error);

  if (text != NULL)
    return hl_adapter_config_parse (text, size, error);
  if (g_error_matches (local_error, HL_ERROR, HL_ERROR_TOO_LARGE))
    g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” is no file of at most %d bytes"), HL_ADAPTER_CONFIG,
                 HL_LIMIT_ADAPTER_CONFIG);
  else
    g_propagate_prefixed_error (error, g_steal_pointer (&local_error), HL_ADAPTER_CONFIG ": ");
  return NULL;
}

void
hl_adapter_config_free (HlAdapterConfig *self)
{
  g_free (self->base);
  g_array_unref (self->alphas);
  g_strfreev (self->saved);
  g_free (self);
}

/* Returns whether a tensor that the adapter has is of a module of its own, which takes the place of that of the base, and not
 * of the base itself. */
gboolean
hl_adapter_config_is_saved (const HlAdapterConfig *self,
                            const char            *tensor)
{
  g_autofree char *backwards = g_strreverse (g_strdup (tensor));

  for (const char *dot = strchr (backwards, '.'); dot != NULL; dot = strchr (dot + 1, '.'))
    {
      /* The last that is not behind what stands before the dot is the only one that it can end with. */
      guint low = 0;
      for (guint high = self->n_saved; low < high;)
        {
          const guint middle = low + (high - low) / 2;
          if (strcmp (self->saved[middle], dot + 1) <= 0)
            low = middle + 1;
          else
            high = middle;
        }
      if (low > 0 && g_str_has_prefix (dot + 1, self->saved[low - 1]))
        return TRUE;
    }
  return FALSE;
}

/**
 * hl_adapter_config_check_modules:
 * @self: what an adapter says
 * @n_modules: how many modules it changes
 * @error: %HL_ERROR_TOO_LARGE when it would take long to find out what each is multiplied by
 *
 * Returns: whether these are few enough
 */
gboolean
hl_adapter_config_check_modules (const HlAdapterConfig *self,
                                 guint                  n_modules,
                                 GError               **error)
{
  if ((guint64) self->n_expressions * n_modules <= HL_LIMIT_ADAPTER_TRIES)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("the %u regular expressions of “%s” cannot be tried on %u modules; they can be on %u"),
               self->n_expressions, "alpha_pattern", n_modules, HL_LIMIT_ADAPTER_TRIES / self->n_expressions);
  return FALSE;
}

static gboolean
is_meant (const HlAdapterAlpha *alpha,
          const char           *module,
          gboolean             *meant,
          GError              **error)
{
  const gsize length = strlen (alpha->name), module_length = strlen (module);
  g_autoptr (GError) local_error = NULL;

  *meant = length <= module_length && g_str_has_suffix (module, alpha->name) &&
           (length == module_length || module[module_length - length - 1] == '.');
  if (*meant || alpha->expression == NULL)
    return TRUE;
  if (module_length > HL_LIMIT_ADAPTER_MODULE)
    {
      g_autofree char *shown = hl_utf8_quote (module, module_length, MAX_SHOWN);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the name of the module “%s” is longer than %d bytes, so that “%s” cannot be tried on it"), shown,
                   HL_LIMIT_ADAPTER_MODULE, "alpha_pattern");
      return FALSE;
    }
  *meant = g_regex_match_full (alpha->expression, module, -1, 0, 0, NULL, &local_error);
  return local_error == NULL || refuse_pattern (alpha->name, error);
}

/**
 * hl_adapter_config_get_scale:
 * @self: what an adapter says
 * @module: the name of what is changed, without that of the model around it
 * @rank: rows of its A
 * @scale: (out): what the product is to be multiplied by
 * @error: %HL_ERROR_VALUE when a regular expression takes too many steps, %HL_ERROR_TOO_LARGE when it would on such a name
 *
 * Returns: whether that is known
 */
gboolean
hl_adapter_config_get_scale (const HlAdapterConfig *self,
                             const char            *module,
                             guint64                rank,
                             float                 *scale,
                             GError               **error)
{
  double alpha = self->alpha;
  gboolean meant = FALSE;

  for (guint i = 0; i < self->alphas->len && !meant; i++)
    {
      const HlAdapterAlpha *own = &g_array_index (self->alphas, HlAdapterAlpha, i);

      if (!is_meant (own, module, &meant, error))
        return FALSE;
      if (meant)
        alpha = own->value;
    }
  *scale = (float) (alpha / (self->root ? sqrt ((double) rank) : (double) rank));
  return TRUE;
}
