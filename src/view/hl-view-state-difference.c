/* SPDX-License-Identifier: MIT */
/* HlViewState: a second side, which the first is subtracted from. */
#include "view/hl-view-state-private.h"

#include "core/compare/hl-difference-source.h"
#include "core/source/make/hl-source-factory.h"

#include <glib/gi18n-lib.h>

/* What of the second side corresponds to what is derived of the first. */
static HlHeadPairing
get_shown_pairing (HlViewState  *self,
                   const HlLens *lens)
{
  return (HlHeadPairing){ hl_lens_merges_layers (lens) ? -1 : self->pairing.layer,
                          hl_lens_merges_heads (lens) ? -1 : self->pairing.head };
}

/* Takes what is derived of the first side, and leaves B − A in its place, unless tokens are still being aligned. */
void
hl_view_state_apply_difference (HlViewState        *self,
                                const HlLens       *lens,
                                HlAttention       **attention,
                                HlAttentionSource **source)
{
  g_autoptr (HlAttention) other_attention = NULL;
  g_autoptr (HlAttentionSource) other_source = NULL;

  g_clear_object (&self->comparison);
  self->awaits_alignment = FALSE;
  if (self->other_attention == NULL || hl_view_state_shows_steps (self))
    return;
  g_autoptr (HlAttentionSource) made = hl_attention_source_new_for_attention (self->other_attention);
  HlLens other_lens = *lens;
  g_autoptr (HlTokenSet) queries = NULL;
  g_autoptr (HlTokenSet) keys = NULL;
  if (!hl_view_state_translate_hidden (self, lens->hidden_queries, hl_attention_get_query_strings (self->attention),
                                       hl_attention_get_query_strings (self->other_attention), &queries) ||
      !hl_view_state_translate_hidden (self, lens->hidden_keys, hl_attention_get_key_strings (self->attention),
                                       hl_attention_get_key_strings (self->other_attention), &keys))
    {
      self->awaits_alignment = TRUE;
      return;
    }
  other_lens.hidden_queries = queries;
  other_lens.hidden_keys = keys;
  hl_lens_apply (&other_lens, self->other_attention, made, &other_attention, &other_source);
  const HlHeadPairing pairing = get_shown_pairing (self, lens);
  self->comparison = hl_comparison_new (*attention, *source, other_attention, other_source, &pairing, self->aligner);
  if (self->comparison == NULL)
    {
      self->awaits_alignment = TRUE;
      return;
    }
  g_object_unref (*attention);
  g_object_unref (*source);
  *attention = hl_difference_source_make_attention (self->comparison);
  *source = hl_difference_source_new (self->comparison);
}

gboolean
hl_view_state_difference_is_applied (HlViewState *self)
{
  const gboolean wanted = self->other_attention != NULL && !hl_view_state_shows_steps (self);

  return wanted == (self->comparison != NULL || self->awaits_alignment) && !self->difference_changed;
}

static gboolean
has_lone (const HlTokenAlignment *alignment)
{
  return hl_token_alignment_get_n_common (alignment) < hl_token_alignment_get_n (alignment);
}

/* Whether the difference that is shown has tokens of one side only. */
gboolean
hl_view_state_has_lone_tokens (HlViewState *self)
{
  return self->comparison != NULL && (has_lone (hl_comparison_get_queries (self->comparison)) ||
                                      has_lone (hl_comparison_get_keys (self->comparison)));
}

/*
 * "A: bert.h5 · B: tuned.h5, layer 5, head 2" of a difference, "A: bert.h5" of one side: what is written on the
 * picture.
 */
void
hl_view_state_describe_sides (HlViewState *self,
                              GString     *text)
{
  if (self->comparison == NULL)
    {
      /* Steps to the weights are those of one side, whatever is subtracted from what is made of them. */
      if (self->name != NULL && self->other_attention == NULL)
        g_string_append_printf (text, " · %s", self->name);
      return;
    }
  /* Translators: the first and the second side of a comparison, each by the name of a file or by its text */
  g_string_append_printf (text, _ (" · A: %s · B: %s"), self->name != NULL ? self->name : "?",
                          self->other_name != NULL ? self->other_name : "?");
  if (self->pairing.layer >= 0 && !hl_view_state_merges_layers (self))
    g_string_append_printf (text, _ (", layer %d"), self->pairing.layer);
  if (self->pairing.head >= 0 && !hl_view_state_merges_heads (self))
    g_string_append_printf (text, _ (", head %d"), self->pairing.head);
}

/**
 * hl_view_state_set_difference:
 * @self: a view state
 * @other: (nullable): what the attention is subtracted from; %NULL to show the attention itself
 * @pairing: (nullable): which heads of it belong to those of the attention; must fit @other; %NULL for those of the same
 *   index
 *
 * Shows B − A, where A is the attention and B is @other, both seen through the same lens, with their tokens aligned.
 */
void
hl_view_state_set_difference (HlViewState         *self,
                              HlAttention         *other,
                              const HlHeadPairing *pairing)
{
  const HlHeadPairing wanted = pairing != NULL ? *pairing : (HlHeadPairing){ -1, -1 };

  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (other == NULL || hl_head_pairing_fits (&wanted, other));

  if (self->other_attention == other && self->pairing.layer == wanted.layer && self->pairing.head == wanted.head)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  g_set_object (&self->other_attention, other);
  self->pairing = wanted;
  self->difference_changed = TRUE;
  hl_view_state_notify (self, PROP_OTHER_ATTENTION);
  hl_view_state_update_source (self);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
on_aligned (HlViewState *self)
{
  if (!self->awaits_alignment)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->difference_changed = TRUE;
  hl_view_state_update_source (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_set_aligner:
 * @self: a view state
 * @aligner: (nullable): what aligns long texts in a worker; %NULL for waiting as long as it takes
 *
 * While the texts of a difference are being aligned, the attention itself is shown.
 */
void
hl_view_state_set_aligner (HlViewState *self,
                           HlAligner   *aligner)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (aligner == NULL || HL_IS_ALIGNER (aligner));

  if (self->aligner != NULL)
    g_signal_handlers_disconnect_by_data (self->aligner, self);
  g_set_object (&self->aligner, aligner);
  if (aligner != NULL)
    g_signal_connect_swapped (aligner, "aligned", G_CALLBACK (on_aligned), self);
}

/**
 * hl_view_state_get_aligner:
 * @self: a view state
 *
 * Returns: (transfer none) (nullable): what aligns its texts
 */
HlAligner *
hl_view_state_get_aligner (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->aligner;
}

/**
 * hl_view_state_get_other_attention:
 * @self: a view state
 *
 * Returns: (transfer none) (nullable): what the attention is subtracted from
 */
HlAttention *
hl_view_state_get_other_attention (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->other_attention;
}

/**
 * hl_view_state_get_pairing:
 * @self: a view state
 *
 * Returns: (transfer none): which heads belong together in the difference
 */
const HlHeadPairing *
hl_view_state_get_pairing (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return &self->pairing;
}

/**
 * hl_view_state_get_comparison:
 * @self: a view state
 *
 * Returns: (transfer none) (nullable): the two sides of the difference that is shown; %NULL while none is
 */
HlComparison *
hl_view_state_get_comparison (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->comparison;
}

/**
 * hl_view_state_hide_like:
 * @self: a view state
 * @other: another, perhaps of another text
 *
 * Hides the tokens that were chosen to be hidden in @other, those of them that @self has too. While its aligner aligns
 * the texts, nothing changes: then it is to be called again.
 */
void
hl_view_state_hide_like (HlViewState *self,
                         HlViewState *other)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (HL_IS_VIEW_STATE (other));

  g_autoptr (HlTokenSet) queries = NULL;
  g_autoptr (HlTokenSet) keys = NULL;
  if (!hl_view_state_translate_hidden (self, hl_view_state_get_hidden_queries (other),
                                       hl_attention_get_query_strings (other->attention),
                                       hl_attention_get_query_strings (self->attention), &queries) ||
      !hl_view_state_translate_hidden (self, hl_view_state_get_hidden_keys (other),
                                       hl_attention_get_key_strings (other->attention),
                                       hl_attention_get_key_strings (self->attention), &keys))
    return;
  g_autofree char *hidden = hl_token_sets_format (queries, keys);
  hl_view_state_set_hidden (self, hidden);
}

/**
 * hl_view_state_go_along:
 * @self: a view state
 * @other: another, that it is compared with
 * @pairing: which heads of @self belong to those of @other; must fit the attention of @self
 *
 * Goes to the layer and the heads that @other shows, as far as @self has them, or to those that belong to all of them.
 */
void
hl_view_state_go_along (HlViewState         *self,
                        HlViewState         *other,
                        const HlHeadPairing *pairing)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));
  g_return_if_fail (HL_IS_VIEW_STATE (other));

  hl_view_state_go_to (self, pairing->layer >= 0 ? (guint) pairing->layer : other->layer,
                       pairing->head >= 0 ? (guint) pairing->head : other->head);
  if (pairing->head < 0)
    hl_view_state_set_heads (self, &other->heads);
  if (pairing->head < 0 && pairing->layer < 0)
    hl_view_state_set_guests (self, &other->guests);
  hl_view_state_set_layers (self, hl_view_state_get_layers (other));
}

/**
 * hl_view_state_is_on_both_sides:
 * @self: a view state
 * @pick: a query, a key or a cell that is shown
 *
 * Returns: whether both sides of the difference that is shown have its tokens; %TRUE while none is shown
 */
gboolean
hl_view_state_is_on_both_sides (HlViewState  *self,
                                const HlPick *pick)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), TRUE);

  if (self->comparison == NULL)
    return TRUE;
  const HlAlignedToken *queries = hl_token_alignment_get_positions (hl_comparison_get_queries (self->comparison));
  const HlAlignedToken *keys = hl_token_alignment_get_positions (hl_comparison_get_keys (self->comparison));
  const gboolean has_query = pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_CELL;
  const gboolean has_key = pick->kind == HL_PICK_KEY || pick->kind == HL_PICK_CELL;
  return (!has_query || (queries[pick->query].a != HL_TOKEN_NONE && queries[pick->query].b != HL_TOKEN_NONE)) &&
         (!has_key || (keys[pick->key].a != HL_TOKEN_NONE && keys[pick->key].b != HL_TOKEN_NONE));
}

/**
 * hl_view_state_get_name:
 * @self: a view state
 *
 * Returns: (nullable): what is looked at, as hl_view_state_set_names() was told
 */
const char *
hl_view_state_get_name (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->name;
}

/**
 * hl_view_state_get_other_name:
 * @self: a view state
 *
 * Returns: (nullable): what it is compared with, as hl_view_state_set_names() was told
 */
const char *
hl_view_state_get_other_name (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->other_name;
}

/**
 * hl_view_state_set_names:
 * @self: a view state
 * @name: (nullable): what is looked at: "A: bert.h5" beside another picture, "bert.h5" in a difference; %NULL where
 *   there is no need to say it
 * @other_name: (nullable): in a difference, what it is compared with
 *
 * Says what pictures are to be called where there is more than one thing to look at.
 */
void
hl_view_state_set_names (HlViewState *self,
                         const char  *name,
                         const char  *other_name)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (g_strcmp0 (self->name, name) == 0 && g_strcmp0 (self->other_name, other_name) == 0)
    return;
  g_free (self->name);
  self->name = g_strdup (name);
  g_free (self->other_name);
  self->other_name = g_strdup (other_name);
  hl_view_state_notify (self, PROP_NAME);
}

/**
 * hl_view_state_set_side_name:
 * @self: a view state
 * @side: "A" or "B"
 * @name: what is looked at
 *
 * Says which side of a comparison this is, where another picture beside it is the other.
 */
void
hl_view_state_set_side_name (HlViewState *self,
                             const char  *side,
                             const char  *name)
{
  g_autofree char *both = g_strdup_printf ("%s: %s", side, name);

  hl_view_state_set_names (self, both, NULL);
}
