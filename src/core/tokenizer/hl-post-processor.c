/* SPDX-License-Identifier: MIT */
/* Where special tokens go. All kinds of post-processor come down to two templates and how offsets are
 * trimmed. */
#include "core/tokenizer/hl-post-processor.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/tokenizer/normalizer/hl-normalizer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
add (GArray *items,
     int     sequence,
     guint32 id,
     guint32 segment)
{
  const HlTemplateItem item = { sequence, id, segment };

  g_array_append_val (items, item);
}

static gboolean
fail_length (const char *key,
             GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has more than %d entries"), key, HL_LIMIT_SPECIAL_TOKENS);
  return FALSE;
}

/* Each entry of one is looked for among those of the other. */
static gboolean
check_length (HlJsonValue container,
              const char *key,
              GError    **error)
{
  return hl_json_value_get_length (container) <= HL_LIMIT_SPECIAL_TOKENS || fail_length (key, error);
}

static gboolean
load_special (GArray     *items,
              HlJsonValue piece,
              guint32     segment,
              HlJsonValue special_tokens,
              GError    **error)
{
  const char *name = hl_json_value_as_string (hl_json_value_get (piece, "id"));
  HlJsonIter iter;

  if (name == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("a “SpecialToken” has no “id”"));
      return FALSE;
    }
  g_autofree char *start = hl_utf8_quote (name, strlen (name), 80);
  const HlJsonValue ids = hl_json_value_get (hl_json_value_get (special_tokens, name), "ids");
  if (hl_json_value_get_kind (ids) != HL_JSON_ARRAY)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“special_tokens” has no ids for “%s”"), start);
      return FALSE;
    }
  hl_json_iter_init (&iter, ids);
  while (hl_json_iter_next (&iter))
    {
      guint32 id;
      if (items->len >= HL_LIMIT_SPECIAL_TOKENS)
        return fail_length ("special_tokens", error);
      if (!hl_json_value_as_uint (iter.value, &id))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the ids of “%s” make no sense"), start);
          return FALSE;
        }
      add (items, -1, id, segment);
    }
  return TRUE;
}

static gboolean
load_template (GArray     *items,
               HlJsonValue config,
               const char *key,
               GError    **error)
{
  const HlJsonValue list = hl_json_get_member (config, key, HL_JSON_ARRAY, error);
  const HlJsonValue special_tokens = hl_json_value_get (config, "special_tokens");
  gboolean seen[2] = { FALSE, FALSE };
  HlJsonIter iter;

  if (hl_json_value_get_kind (list) == HL_JSON_MISSING || !check_length (list, key, error) ||
      !check_length (special_tokens, "special_tokens", error))
    return FALSE;
  hl_json_iter_init (&iter, list);
  while (hl_json_iter_next (&iter))
    {
      const HlJsonValue special = hl_json_value_get (iter.value, "SpecialToken");
      const HlJsonValue sequence = hl_json_value_get (iter.value, "Sequence");
      const gboolean is_special = hl_json_value_get_kind (special) == HL_JSON_OBJECT;
      const HlJsonValue piece = is_special ? special : sequence;
      const char *name = hl_json_value_as_string (hl_json_value_get (piece, "id"));
      guint32 segment = 0;
      if (!hl_json_get_uint (piece, "type_id", &segment, error))
        return FALSE;
      if (is_special)
        {
          if (!load_special (items, piece, segment, special_tokens, error))
            return FALSE;
          continue;
        }
      const int which = name != NULL && strcmp (name, "B") == 0;
      if (name == NULL || (!which && strcmp (name, "A") != 0) || seen[which])
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("“%s” has something that is neither a special token nor a text, or a text twice"), key);
          return FALSE;
        }
      seen[which] = TRUE;
      add (items, which, 0, segment);
    }
  if (!seen[0] || seen[1] != (strcmp (key, "pair") == 0))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” does not have the texts it should"), key);
      return FALSE;
    }
  return TRUE;
}

/* A special token of the older kinds: its spelling and its id. */
static gboolean
load_named_id (HlJsonValue config,
               const char *key,
               guint32    *id,
               GError    **error)
{
  const HlJsonValue list = hl_json_get_member (config, key, HL_JSON_ARRAY, error);
  HlJsonIter iter;

  if (hl_json_value_get_kind (list) == HL_JSON_MISSING)
    return FALSE;
  hl_json_iter_init (&iter, list);
  if (hl_json_iter_next (&iter) && hl_json_iter_next (&iter) && hl_json_value_as_uint (iter.value, id))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a list of a token and its id"), key);
  return FALSE;
}

static gboolean
load_two_tokens (HlPostProcessor *self,
                 HlJsonValue      config,
                 gboolean         roberta,
                 GError         **error)
{
  guint32 cls, sep;

  if (!load_named_id (config, "cls", &cls, error) || !load_named_id (config, "sep", &sep, error))
    return FALSE;
  add (self->single, -1, cls, 0);
  add (self->single, 0, 0, 0);
  add (self->single, -1, sep, 0);
  g_array_append_vals (self->pair, self->single->data, self->single->len);
  if (roberta)
    add (self->pair, -1, sep, 0);
  add (self->pair, 1, 0, roberta ? 0 : 1);
  add (self->pair, -1, sep, roberta ? 0 : 1);
  return TRUE;
}

static gboolean
load_trim (HlPostProcessor *self,
           HlJsonValue      config,
           GError         **error)
{
  gboolean trim = TRUE, prefix = TRUE;

  if (!hl_json_get_boolean (config, "trim_offsets", &trim, error) ||
      !hl_json_get_boolean (config, "add_prefix_space", &prefix, error))
    return FALSE;
  if (trim)
    {
      self->trim_offsets = TRUE;
      self->add_prefix_space = prefix;
    }
  return TRUE;
}

static gboolean
load_into (HlPostProcessor *self,
           HlJsonValue      config,
           guint            depth,
           GError         **error)
{
  const char *type = hl_json_value_as_string (hl_json_value_get (config, "type"));

  if (type == NULL || depth > HL_LIMIT_COMPONENT_DEPTH)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("“post_processor” has no “type”, or too many sequences inside one another"));
      return FALSE;
    }
  if (strcmp (type, "Sequence") == 0)
    {
      const HlJsonValue list = hl_json_get_member (config, "processors", HL_JSON_ARRAY, error);
      HlJsonIter iter;
      if (hl_json_value_get_kind (list) == HL_JSON_MISSING)
        return FALSE;
      hl_json_iter_init (&iter, list);
      while (hl_json_iter_next (&iter))
        if (!load_into (self, iter.value, depth + 1, error))
          return FALSE;
      return TRUE;
    }
  if (strcmp (type, "ByteLevel") == 0)
    return load_trim (self, config, error);
  if (strcmp (type, "TemplateProcessing") != 0 && strcmp (type, "BertProcessing") != 0 &&
      strcmp (type, "RobertaProcessing") != 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the post-processor “%s” is not supported"), type);
      return FALSE;
    }
  if (self->has_template)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("“post_processor” adds special tokens twice, which is not supported"));
      return FALSE;
    }
  self->has_template = TRUE;
  if (*type == 'T')
    return load_template (self->single, config, "single", error) && load_template (self->pair, config, "pair", error);
  return load_two_tokens (self, config, *type == 'R', error) && (*type == 'B' || load_trim (self, config, error));
}

static HlPostProcessor *
start (void)
{
  HlPostProcessor *self = g_new0 (HlPostProcessor, 1);

  self->single = g_array_new (FALSE, FALSE, sizeof (HlTemplateItem));
  self->pair = g_array_new (FALSE, FALSE, sizeof (HlTemplateItem));
  return self;
}

/* Returns one that puts texts together so. */
HlPostProcessor *
hl_post_processor_new (const HlTemplateItem *single,
                       guint                 n_single,
                       const HlTemplateItem *pair,
                       guint                 n_pair)
{
  HlPostProcessor *self = start ();

  self->has_template = TRUE;
  g_array_append_vals (self->single, single, n_single);
  g_array_append_vals (self->pair, pair, n_pair);
  return self;
}

/* Returns what to do; without a file's template, the texts one after the other, the second as segment 1. */
HlPostProcessor *
hl_post_processor_load (HlJsonValue config,
                        GError    **error)
{
  g_autoptr (HlPostProcessor) self = start ();

  if (hl_json_value_get_kind (config) > HL_JSON_NULL && !load_into (self, config, 0, error))
    return NULL;
  if (!self->has_template)
    {
      add (self->single, 0, 0, 0);
      add (self->pair, 0, 0, 0);
      add (self->pair, 1, 0, 1);
    }
  return g_steal_pointer (&self);
}

void
hl_post_processor_free (HlPostProcessor *self)
{
  g_array_unref (self->single);
  g_array_unref (self->pair);
  g_free (self);
}

guint
hl_post_processor_get_n_special (const HlPostProcessor *self,
                                 gboolean               pair)
{
  const GArray *items = pair ? self->pair : self->single;

  return items->len - (pair ? 2 : 1);
}
