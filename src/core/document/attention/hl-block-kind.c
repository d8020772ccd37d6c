/* SPDX-License-Identifier: MIT */
/* How the kinds of attention are called, in files and for people. */
#include "core/document/attention/hl-block-kind.h"

#include <glib/gi18n-lib.h>

static const struct
{
  const char *name;
  const char *label;
} kinds[] = {
  [HL_BLOCK_ATTENTION] = { "attention", N_ ("Attention") },
  [HL_BLOCK_ENCODER] = { "encoder", N_ ("Encoder") },
  [HL_BLOCK_DECODER] = { "decoder", N_ ("Decoder") },
  [HL_BLOCK_CROSS] = { "cross", N_ ("Cross") },
};

/**
 * hl_block_kind_get_name:
 * @kind: a kind of block
 *
 * Returns: `attention`, `encoder`, `decoder` or `cross`, not translated
 */
const char *
hl_block_kind_get_name (HlBlockKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);

  return kinds[kind].name;
}

/**
 * hl_block_kind_get_label:
 * @kind: a kind of block
 *
 * Returns: its name for people, translated
 */
const char *
hl_block_kind_get_label (HlBlockKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);

  return _ (kinds[kind].label);
}

/**
 * hl_block_kind_from_name:
 * @name: as hl_block_kind_get_name() gives it
 * @kind: (out): the kind
 *
 * Returns: whether there is such a kind
 */
gboolean
hl_block_kind_from_name (const char  *name,
                         HlBlockKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (name, kinds[i].name) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}
