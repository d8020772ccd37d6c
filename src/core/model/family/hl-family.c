/* SPDX-License-Identifier: MIT */
/* The families of models, one table entry each. No code is of a family: what is peculiar about one is said there. */
#include "core/model/family/hl-family.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "core/model/family/hl-family-rows.h"

/* Of a name, in a sentence about it. */
#define MAX_SHOWN 60

static const HlFamilyRows *const parts[] = { &hl_encoder_families, &hl_decoder_families, &hl_gpt_families,
                                             &hl_llama_families,   &hl_expert_families,  &hl_two_stack_families,
                                             &hl_vision_families };

/* Returns a family by its place in the table; %NULL behind the last. */
const HlFamily *
hl_family_get (guint index)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (index < parts[i]->n_rows)
        return &parts[i]->rows[index];
      index -= parts[i]->n_rows;
    }
  return NULL;
}

/* What a property is for a model: the family's word, or that of its configuration. */
gboolean
hl_switch_read (const HlSwitch *self,
                HlModelConfig  *config,
                gboolean       *value,
                GError        **error)
{
  *value = self->fallback;
  return self->key == NULL || hl_model_config_read_boolean (config, self->key, self->fallback, value, error);
}

/* Returns the family that config.json calls so. */
const HlFamily *
hl_family_find (const char *type,
                GError    **error)
{
  const HlFamily *family;

  for (guint i = 0; (family = hl_family_get (i)) != NULL; i++)
    if (g_strv_contains (family->types, type))
      return family;
  g_autofree char *shown = hl_utf8_quote (type, strlen (type), MAX_SHOWN);
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("models of type “%s” are not known; known are BERT, GPT-2, LLaMA, Qwen, Gemma and others, which "
                  "“headlight-cli families” lists"),
               shown);
  return NULL;
}
