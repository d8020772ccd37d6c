/* SPDX-License-Identifier: MIT */
/* From texts, or token numbers, to what the sides of a model are run on. */
#include "core/model/hl-model-tokens.h"

#include "core/base/hl-error.h"
#include "core/document/attention/hl-check.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A token as the vocabulary spells it; its number where there is none of that number. */
static char *
name_token (HlTokenizer *tokenizer,
            guint32      id)
{
  const char *name = tokenizer != NULL && id < hl_tokenizer_get_n_tokens (tokenizer)
                       ? hl_tokenizer_get_token (tokenizer, id)
                       : "";

  return *name != '\0' ? g_strdup (name) : g_strdup_printf ("%u", id);
}

static void
take_ids (HlModelTokens *self,
          HlModel       *model,
          const guint32 *ids,
          gsize          n)
{
  HlTokenizer *tokenizer = hl_model_get_tokenizer (model);

  self->n = n;
  self->ids = g_memdup2 (ids, n * sizeof *ids);
  self->names = g_new0 (char *, n + 1);
  for (gsize i = 0; i < n; i++)
    self->names[i] = name_token (tokenizer, ids[i]);
}

/* Models that tell fewer texts apart than their tokenizer take all tokens for the first text's, as transformers has them. */
static void
fit_segments (HlModelTokens *self,
              HlModel       *model)
{
  const gsize n_segments = hl_model_get_n_segments (model);

  for (gsize i = 0; i < self->n; i++)
    if (self->segments[i] >= n_segments)
      {
        g_clear_pointer (&self->segments, g_free);
        return;
      }
}

static HlEncoding *
encode (HlModel    *model,
        const char *text,
        const char *text_pair,
        gsize       max_length,
        GPtrArray  *checks,
        GError    **error)
{
  HlTokenizer *tokenizer = hl_model_require_tokenizer (model, error);
  g_autoptr (HlEncoding) encoding = NULL;

  if (tokenizer != NULL)
    encoding = hl_tokenizer_encode (tokenizer, text, text_pair,
                                    (guint) MIN (max_length, G_MAXUINT32), error);
  if (encoding == NULL)
    return NULL;
  if (encoding->n_cut > 0)
    g_ptr_array_add (
      checks,
      hl_check_new (
        HL_SEVERITY_WARNING,
        g_dngettext (GETTEXT_PACKAGE,
                     "the model takes at most %zu tokens: %u token of the text is left out",
                     "the model takes at most %zu tokens: %u tokens of the text are left out",
                     encoding->n_cut),
        max_length, encoding->n_cut));
  return g_steal_pointer (&encoding);
}

/**
 * hl_model_tokens_read: (skip)
 * @self: tokens with nothing in them
 * @model: a model
 * @text: what is to be attended over
 * @checks: (element-type HlCheck): takes what is to be said
 * @error: %HL_ERROR_VALUE without text; why there is no tokenizer; or as hl_tokenizer_encode()
 *
 * Makes tokens of the text, or of the encoder's. A text that is too long is cut, which is said; token numbers are not.
 *
 * Returns: whether there are tokens; possibly none
 */
gboolean
hl_model_tokens_read (HlModelTokens     *self,
                      HlModel           *model,
                      const HlModelText *text,
                      GPtrArray         *checks,
                      GError           **error)
{
  if (text->ids != NULL)
    {
      take_ids (self, model, text->ids, text->n_ids);
      return TRUE;
    }
  if (text->text == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no text"));
      return FALSE;
    }
  g_autoptr (HlEncoding) encoding =
    encode (model, text->text, text->text_pair, hl_model_get_max_length (model), checks, error);
  if (encoding == NULL)
    return FALSE;
  self->n = encoding->n_tokens;
  self->ids = g_steal_pointer (&encoding->ids);
  self->names = g_steal_pointer (&encoding->tokens);
  self->segments = g_steal_pointer (&encoding->segments);
  self->sentence_b_start = encoding->sentence_b_start > 0 ? (gsize) encoding->sentence_b_start : 0;
  fit_segments (self, model);
  return TRUE;
}

/**
 * hl_model_tokens_read_target: (skip)
 * @self: tokens with nothing in them
 * @model: a model
 * @text: what is to be attended over
 * @checks: (element-type HlCheck): takes what is to be said
 * @error: %HL_ERROR_VALUE when the model has no decoder but there is a text for one; or as hl_model_tokens_read()
 *
 * Makes tokens of what the decoder is to write; none when there is no such text.
 *
 * Returns: whether nothing was wrong
 */
gboolean
hl_model_tokens_read_target (HlModelTokens     *self,
                             HlModel           *model,
                             const HlModelText *text,
                             GPtrArray         *checks,
                             GError           **error)
{
  guint32 start;

  if (!hl_model_has_decoder (model))
    {
      if (text->target_text == NULL && text->decoder_ids == NULL)
        return TRUE;
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("the model has no decoder for a target text"));
      return FALSE;
    }
  if (text->decoder_ids != NULL)
    {
      take_ids (self, model, text->decoder_ids, text->n_decoder_ids);
      return TRUE;
    }
  if (text->target_text == NULL)
    {
      g_ptr_array_add (
        checks,
        hl_check_new (
          HL_SEVERITY_INFO,
          _ ("there is no text for the decoder: only the encoder’s attention is computed")));
      return TRUE;
    }
  g_autoptr (HlEncoding) encoding =
    encode (model, text->target_text, NULL, hl_model_get_max_length (model), checks, error);
  if (encoding == NULL)
    return FALSE;
  if (!hl_model_get_decoder_start (model, &start) || encoding->n_tokens == 0)
    {
      take_ids (self, model, encoding->ids, encoding->n_tokens);
      return TRUE;
    }
  g_autofree guint32 *ids = g_new (guint32, encoding->n_tokens);
  ids[0] = start;
  memcpy (ids + 1, encoding->ids, (encoding->n_tokens - 1) * sizeof *ids);
  take_ids (self, model, ids, encoding->n_tokens);
  return TRUE;
}

/**
 * hl_model_tokens_clear: (skip)
 * @self: tokens
 *
 * Frees them.
 */
void
hl_model_tokens_clear (HlModelTokens *self)
{
  g_clear_pointer (&self->ids, g_free);
  g_clear_pointer (&self->segments, g_free);
  g_clear_pointer (&self->names, g_strfreev);
}
