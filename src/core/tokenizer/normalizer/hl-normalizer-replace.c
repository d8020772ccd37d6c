/* SPDX-License-Identifier: MIT */
/* Writes something else in place of each match of a pattern. */
#include "core/tokenizer/normalizer/hl-normalizer.h"

#include "core/tokenizer/text/hl-pattern.h"

#include <string.h>

typedef struct
{
  HlNormalizer parent;
  HlPattern   *pattern;
  char        *content;
} Replace;

static HlNormalizer *
replace_load (HlJsonValue   config,
              guint         depth,
              GError      **error)
{
  const HlJsonValue content = hl_json_get_member (config, "content", HL_JSON_STRING, error);

  if (hl_json_value_get_kind (content) == HL_JSON_MISSING)
    return NULL;
  HlPattern *pattern = hl_pattern_new (hl_json_value_get (config, "pattern"), error);
  if (pattern == NULL)
    return NULL;
  Replace *self = g_new0 (Replace, 1);
  self->pattern = pattern;
  self->content = g_strdup (hl_json_value_as_string (content));
  return &self->parent;
}

static gboolean
replace_apply (const HlNormalizer  *self,
               HlAligned           *text,
               GError             **error)
{
  const Replace *replace = (const Replace *) self;
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (HlMatch));
  const gsize length = strlen (replace->content);

  if (text->length == 0)
    return TRUE;
  if (!hl_pattern_find (replace->pattern, text->bytes, text->length, FALSE, matches, error))
    return FALSE;
  if (matches->len == 1 && !g_array_index (matches, HlMatch, 0).match)
    return TRUE;

  HlAligned result = { .origin = text->origin, .overflow = text->overflow };
  hl_aligned_reserve (&result, text->length + 16);
  for (guint i = 0; i < matches->len; i++)
    {
      const HlMatch *match = &g_array_index (matches, HlMatch, i);
      const HlOffsets first = { text->origin, text->origin };
      if (match->match)
        hl_aligned_append (&result, replace->content, length,
                           match->end > 0 ? text->spans[match->end - 1] : first);
      else
        hl_aligned_append_part (&result, text, match->start, match->end);
    }
  hl_aligned_clear (text);
  *text = result;
  return TRUE;
}

static void
replace_free (HlNormalizer *self)
{
  Replace *replace = (Replace *) self;

  hl_pattern_free (replace->pattern);
  g_free (replace->content);
  g_free (self);
}

const HlNormalizerClass hl_replace_normalizer = { "Replace", replace_load, replace_apply, replace_free };
