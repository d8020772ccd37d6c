/* SPDX-License-Identifier: MIT */
/* Which normalizers there are, and one after the other. */
#include "core/tokenizer/normalizer/hl-normalizer.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  HlNormalizer parent;
  GPtrArray   *steps;
} Sequence;

static void
sequence_free (HlNormalizer *self)
{
  g_ptr_array_unref (((Sequence *) self)->steps);
  g_free (self);
}

static HlNormalizer *
sequence_load (HlJsonValue   config,
               guint         depth,
               GError      **error)
{
  const HlJsonValue list = hl_json_get_member (config, "normalizers", HL_JSON_ARRAY, error);
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_normalizer_free);
  HlJsonIter iter;

  if (hl_json_value_get_kind (list) == HL_JSON_MISSING)
    return NULL;
  hl_json_iter_init (&iter, list);
  while (hl_json_iter_next (&iter))
    {
      HlNormalizer *step = hl_normalizer_load (iter.value, depth + 1, error);
      if (step == NULL)
        return NULL;
      g_ptr_array_add (steps, step);
    }
  Sequence *self = g_new0 (Sequence, 1);
  self->steps = g_steal_pointer (&steps);
  return &self->parent;
}

static gboolean
sequence_apply (const HlNormalizer  *self,
                HlAligned           *text,
                GError             **error)
{
  const GPtrArray *steps = ((const Sequence *) self)->steps;

  for (guint i = 0; i < steps->len; i++)
    if (!hl_normalizer_apply (steps->pdata[i], text, error))
      return FALSE;
  return TRUE;
}

static const HlNormalizerClass sequence = { "Sequence", sequence_load, sequence_apply, sequence_free };

static const HlNormalizerClass *const classes[] = {
  &hl_bert_normalizer,
  &hl_byte_level_normalizer,
  &hl_lowercase_normalizer,
  &hl_nfc_normalizer,
  &hl_nfd_normalizer,
  &hl_nfkc_normalizer,
  &hl_nfkd_normalizer,
  &hl_nmt_normalizer,
  &hl_precompiled_normalizer,
  &hl_prepend_normalizer,
  &hl_replace_normalizer,
  &hl_strip_accents_normalizer,
  &hl_strip_normalizer,
  &sequence,
};

/**
 * hl_normalizer_load:
 * @config: its object in the tokenizer file
 * @depth: how many sequences it is in
 * @error: %HL_ERROR_UNSUPPORTED naming an unknown type, or what is wrong with its members
 *
 * Returns: (transfer full): the normalizer
 */
HlNormalizer *
hl_normalizer_load (HlJsonValue   config,
                    guint         depth,
                    GError      **error)
{
  const char *type = hl_json_value_as_string (hl_json_value_get (config, "type"));

  if (depth > HL_COMPONENT_MAX_DEPTH)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“normalizer” has more than %d sequences inside one another"),
                   HL_COMPONENT_MAX_DEPTH);
      return NULL;
    }
  if (type == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“normalizer” has no “type”"));
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (strcmp (type, classes[i]->type) == 0)
      {
        HlNormalizer *self = classes[i]->load (config, depth, error);
        if (self == NULL)
          g_prefix_error (error, _ ("normalizer “%s”: "), type);
        else
          self->klass = classes[i];
        return self;
      }
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the normalizer “%s” is not supported"), type);
  return NULL;
}

/**
 * hl_normalizer_apply:
 * @self: a normalizer
 * @text: rewritten in place
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Returns: whether it could
 */
gboolean
hl_normalizer_apply (const HlNormalizer  *self,
                     HlAligned           *text,
                     GError             **error)
{
  return self->klass->apply (self, text, error);
}

/**
 * hl_normalizer_free:
 * @self: (transfer full): a normalizer
 */
void
hl_normalizer_free (HlNormalizer *self)
{
  self->klass->free (self);
}
