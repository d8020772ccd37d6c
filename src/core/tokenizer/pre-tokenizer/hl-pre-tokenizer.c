/* SPDX-License-Identifier: MIT */
/* Which pre-tokenizers there are, and one after the other. */
#include "core/tokenizer/pre-tokenizer/hl-pre-tokenizer.h"

#include "core/base/hl-error.h"
#include "core/tokenizer/normalizer/hl-normalizer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  HlPreTokenizer parent;
  GPtrArray     *steps;
} Sequence;

static void
sequence_free (HlPreTokenizer *self)
{
  g_ptr_array_unref (((Sequence *) self)->steps);
  g_free (self);
}

static HlPreTokenizer *
sequence_load (HlJsonValue   config,
               guint         depth,
               GError      **error)
{
  const HlJsonValue list = hl_json_get_member (config, "pretokenizers", HL_JSON_ARRAY, error);
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_pre_tokenizer_free);
  HlJsonIter iter;

  if (hl_json_value_get_kind (list) == HL_JSON_MISSING)
    return NULL;
  hl_json_iter_init (&iter, list);
  while (hl_json_iter_next (&iter))
    {
      HlPreTokenizer *step = hl_pre_tokenizer_load (iter.value, depth + 1, error);
      if (step == NULL)
        return NULL;
      g_ptr_array_add (steps, step);
    }
  Sequence *self = g_new0 (Sequence, 1);
  self->steps = g_steal_pointer (&steps);
  return &self->parent;
}

static gboolean
sequence_apply (const HlPreTokenizer  *self,
                HlPieces              *pieces,
                GError               **error)
{
  const GPtrArray *steps = ((const Sequence *) self)->steps;

  for (guint i = 0; i < steps->len; i++)
    if (!hl_pre_tokenizer_apply (steps->pdata[i], pieces, error))
      return FALSE;
  return TRUE;
}

static const HlPreTokenizerClass sequence = { "Sequence", sequence_load, sequence_apply, sequence_free };

static const HlPreTokenizerClass *const classes[] = {
  &hl_bert_pre_tokenizer,
  &hl_byte_level_pre_tokenizer,
  &hl_char_delimiter_split_pre_tokenizer,
  &hl_digits_pre_tokenizer,
  &hl_fixed_length_pre_tokenizer,
  &hl_metaspace_pre_tokenizer,
  &hl_punctuation_pre_tokenizer,
  &hl_split_pre_tokenizer,
  &hl_unicode_scripts_pre_tokenizer,
  &hl_whitespace_pre_tokenizer,
  &hl_whitespace_split_pre_tokenizer,
  &sequence,
};

/**
 * hl_pre_tokenizer_load:
 * @config: its object in the tokenizer file
 * @depth: how many sequences it is in
 * @error: %HL_ERROR_UNSUPPORTED naming an unknown type, or what is wrong with its members
 *
 * Returns: (transfer full): the pre-tokenizer
 */
HlPreTokenizer *
hl_pre_tokenizer_load (HlJsonValue   config,
                       guint         depth,
                       GError      **error)
{
  const char *type = hl_json_value_as_string (hl_json_value_get (config, "type"));

  if (depth > HL_COMPONENT_MAX_DEPTH)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“pre_tokenizer” has more than %d sequences inside one another"),
                   HL_COMPONENT_MAX_DEPTH);
      return NULL;
    }
  if (type == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“pre_tokenizer” has no “type”"));
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (strcmp (type, classes[i]->type) == 0)
      {
        HlPreTokenizer *self = classes[i]->load (config, depth, error);
        if (self == NULL)
          g_prefix_error (error, _ ("pre-tokenizer “%s”: "), type);
        else
          self->klass = classes[i];
        return self;
      }
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the pre-tokenizer “%s” is not supported"), type);
  return NULL;
}

/**
 * hl_pre_tokenizer_apply:
 * @self: a pre-tokenizer
 * @pieces: cut in place
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Returns: whether it could
 */
gboolean
hl_pre_tokenizer_apply (const HlPreTokenizer  *self,
                        HlPieces              *pieces,
                        GError               **error)
{
  return self->klass->apply (self, pieces, error);
}

/**
 * hl_pre_tokenizer_free:
 * @self: (transfer full): a pre-tokenizer
 */
void
hl_pre_tokenizer_free (HlPreTokenizer *self)
{
  self->klass->free (self);
}

/**
 * hl_split_behavior_load:
 * @config: the object of a pre-tokenizer
 * @behavior: (inout): what its member `behavior` says; stays as it is if there is none
 * @error: %HL_ERROR_VALUE
 *
 * Returns: whether it is known
 */
gboolean
hl_split_behavior_load (HlJsonValue       config,
                        HlSplitBehavior  *behavior,
                        GError          **error)
{
  static const char *const names[] = {
    [HL_SPLIT_REMOVED] = "Removed",
    [HL_SPLIT_ISOLATED] = "Isolated",
    [HL_SPLIT_MERGED_WITH_PREVIOUS] = "MergedWithPrevious",
    [HL_SPLIT_MERGED_WITH_NEXT] = "MergedWithNext",
    [HL_SPLIT_CONTIGUOUS] = "Contiguous",
  };
  const char *name = NULL;

  if (!hl_json_get_string (config, "behavior", &name, error))
    return FALSE;
  if (name == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      {
        *behavior = (HlSplitBehavior) i;
        return TRUE;
      }
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a known “behavior”"), name);
  return FALSE;
}
