/* SPDX-License-Identifier: MIT */
/* Everything that can be derived from the maps of a block before they are shown, in the one order in which it is done. */
#include "core/source/hl-lens.h"

#include "core/document/hl-derived-block.h"
#include "core/source/hl-asymmetry-source.h"
#include "core/source/hl-transpose-source.h"

#include <glib/gi18n-lib.h>

G_DEFINE_ENUM_TYPE (HlDirection, hl_direction,
                    G_DEFINE_ENUM_VALUE (HL_DIRECTION_AS_IS, "as-is"),
                    G_DEFINE_ENUM_VALUE (HL_DIRECTION_TRANSPOSED, "transposed"),
                    G_DEFINE_ENUM_VALUE (HL_DIRECTION_ASYMMETRY, "asymmetry"))

/* How far the maps have come: their numbers, and what attends to what in them. */
typedef struct
{
  HlBlock *block;
  HlAttentionSource *source;
} Stage;

/* Goes on with a source that was made of the stage's; @derived is what its block differs in by more than the source says itself. */
static void
stage_advance (Stage             *stage,
               HlAttentionSource *source,
               HlDerivedBlock    *derived)
{
  derived->n_layers = hl_attention_source_get_n_layers (source);
  derived->n_heads = g_renew (guint, derived->n_heads, derived->n_layers);
  derived->masks = g_renew (HlMask, derived->masks, derived->n_layers);
  for (guint layer = 0; layer < derived->n_layers; layer++)
    {
      derived->n_heads[layer] = hl_attention_source_get_n_heads (source, layer);
      derived->masks[layer] = *hl_attention_source_get_mask (source, layer);
    }
  derived->n_queries = hl_attention_source_get_n_queries (source);
  derived->n_keys = hl_attention_source_get_n_keys (source);

  g_object_unref (stage->block);
  stage->block = hl_block_new_derived (derived);
  g_object_unref (stage->source);
  stage->source = source;
}

static void
combine (const HlLens *self,
         Stage        *stage)
{
  g_auto (HlDerivedBlock) derived = { 0 };
  HlHeadSet heads = self->heads;

  if (self->combine == HL_COMBINE_NONE)
    return;
  if (hl_head_set_count (&heads) == 0)
    hl_head_set_add (&heads, 0);
  hl_derived_block_init (&derived, stage->block);
  const char *name = self->combine == HL_COMBINE_MEAN ? N_ ("mean") : N_ ("max");
  derived.layer_name = hl_lens_merges_layers (self) ? name : NULL;
  derived.head_name = hl_lens_merges_heads (self) ? name : NULL;
  stage_advance (stage, hl_combine_source_new (stage->source, self->combine, self->combine_over, &heads, &self->layers), &derived);
}

static void
transpose (Stage *stage)
{
  g_auto (HlDerivedBlock) derived = { 0 };

  hl_derived_block_init (&derived, stage->block);
  char **query_tokens = derived.query_tokens;
  derived.query_tokens = derived.key_tokens;
  derived.key_tokens = query_tokens;
  const gsize n_used_queries = derived.n_used_queries;
  derived.n_used_queries = derived.n_used_keys;
  derived.n_used_keys = n_used_queries;
  derived.is_transposed = !derived.is_transposed;
  stage_advance (stage, hl_transpose_source_new (stage->source), &derived);
}

static void
direct (const HlLens *self,
        Stage        *stage)
{
  g_auto (HlDerivedBlock) derived = { 0 };

  if (self->direction == HL_DIRECTION_TRANSPOSED)
    transpose (stage);
  else if (self->direction == HL_DIRECTION_ASYMMETRY && hl_lens_has_asymmetry (stage->block))
    {
      hl_derived_block_init (&derived, stage->block);
      stage_advance (stage, hl_asymmetry_source_new (stage->source), &derived);
    }
}

/**
 * hl_lens_equal:
 * @a: a lens
 * @b: another
 *
 * Returns: whether both derive the same
 */
gboolean
hl_lens_equal (const HlLens *a,
               const HlLens *b)
{
  if (a->direction != b->direction || a->combine != b->combine)
    return FALSE;
  if (a->combine == HL_COMBINE_NONE)
    return TRUE;
  return a->combine_over == b->combine_over &&
         (!hl_lens_merges_heads (a) || hl_head_set_equal (&a->heads, &b->heads)) &&
         (!hl_lens_merges_layers (a) || hl_layer_set_equal (&a->layers, &b->layers));
}

/**
 * hl_lens_merges_heads:
 * @self: a lens
 *
 * Returns: whether several heads become one
 */
gboolean
hl_lens_merges_heads (const HlLens *self)
{
  return self->combine != HL_COMBINE_NONE && self->combine_over != HL_COMBINE_OVER_LAYERS;
}

/**
 * hl_lens_merges_layers:
 * @self: a lens
 *
 * Returns: whether several layers become one
 */
gboolean
hl_lens_merges_layers (const HlLens *self)
{
  return self->combine != HL_COMBINE_NONE && self->combine_over != HL_COMBINE_OVER_HEADS;
}

/**
 * hl_lens_has_asymmetry:
 * @block: a block
 *
 * Returns: whether its queries and its keys are the same tokens, so that A − Aᵀ means something
 */
gboolean
hl_lens_has_asymmetry (HlBlock *block)
{
  g_return_val_if_fail (HL_IS_BLOCK (block), FALSE);

  return hl_block_get_kind (block) != HL_BLOCK_CROSS && hl_block_get_n_queries (block) == hl_block_get_n_keys (block);
}

/**
 * hl_lens_apply:
 * @self: a lens
 * @block: a block of a document
 * @source: its weights
 * @shown_block: (out) (transfer full): what attends to what in the maps that are derived: their layers, heads and tokens, without tensors;
 *   @block itself if nothing is
 * @shown_source: (out) (transfer full): the numbers of the maps; @source itself if nothing is derived
 *
 * Derives what is shown. In this order, as each builds on what came before: heads and layers are combined; rows and columns change over, or
 * are subtracted from one another. Filters, which leave out what is there, come after all of this.
 */
void
hl_lens_apply (const HlLens       *self,
               HlBlock            *block,
               HlAttentionSource  *source,
               HlBlock           **shown_block,
               HlAttentionSource **shown_source)
{
  Stage stage = { g_object_ref (block), g_object_ref (source) };

  combine (self, &stage);
  direct (self, &stage);
  *shown_block = stage.block;
  *shown_source = stage.source;
}
