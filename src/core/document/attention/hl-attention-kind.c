/* SPDX-License-Identifier: MIT */
#include "core/document/attention/hl-attention-kind.h"

#include <glib/gi18n-lib.h>

static const struct
{
  const char *name;
  const char *label;
} kinds[] = {
  [HL_ATTENTION_SELF] = { "attention", N_ ("Attention") },
  [HL_ATTENTION_ENCODER] = { "encoder", N_ ("Encoder") },
  [HL_ATTENTION_DECODER] = { "decoder", N_ ("Decoder") },
  [HL_ATTENTION_CROSS] = { "cross", N_ ("Cross") },
};

/**
 * hl_attention_kind_get_name:
 * @kind: a kind of attention
 *
 * Returns: `attention`, `encoder`, `decoder` or `cross`, not translated
 */
const char *
hl_attention_kind_get_name (HlAttentionKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);

  return kinds[kind].name;
}

/**
 * hl_attention_kind_get_label:
 * @kind: a kind of attention
 *
 * Returns: its name for people, translated
 */
const char *
hl_attention_kind_get_label (HlAttentionKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);

  return _ (kinds[kind].label);
}

/**
 * hl_attention_kind_from_name:
 * @name: as hl_attention_kind_get_name() gives it
 * @kind: (out): the kind
 *
 * Returns: whether there is such a kind
 */
gboolean
hl_attention_kind_from_name (const char      *name,
                             HlAttentionKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (name, kinds[i].name) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}
