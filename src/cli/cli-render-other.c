/* SPDX-License-Identifier: MIT */
/* headlight-cli render, with a second side: the difference from it, or both side by side. */
#include "cli/cli-render-other.h"

#include "core/base/hl-error.h"
#include "core/document/hl-side-names.h"

#include <glib/gi18n-lib.h>

static HlBlock *
find_block (CliOtherSide  *self,
            HlViewState   *state,
            HlExample     *other,
            GError       **error)
{
  HlBlock *block = cli_other_side_find_block (hl_view_state_get_example (state), other, hl_view_state_get_block (state));

  if (block == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” has no attention of the same kind"), self->file);
  else if (!cli_other_side_check_heads (self, block, error))
    return NULL;
  return block;
}

/* How far the heads of @state changed can be told from now on. */
static void
set_compared (CliOtherSide *self,
              HlViewState  *state,
              HlBlock      *block)
{
  const HlHeadPairing pairing = { self->layer, self->head };
  g_autoptr (HlAttentionSource) source = hl_attention_source_new_for_block (block);
  g_autoptr (HlComparison) comparison =
    hl_comparison_new (hl_view_state_get_block (state), hl_view_state_get_block_source (state), block, source, &pairing, NULL);

  hl_view_state_set_compared (state, comparison);
}

/* What is pinned moves to where its tokens stand in the common lists. */
static void
move_pin (HlViewState  *state,
          const HlPick *pinned)
{
  HlComparison *comparison = hl_view_state_get_comparison (state);
  HlPick pick = *pinned;

  if (pick.kind == HL_PICK_NONE)
    return;
  if (pick.kind != HL_PICK_KEY)
    pick.query = hl_token_alignment_find_a (hl_comparison_get_queries (comparison), pick.query);
  if (pick.kind != HL_PICK_QUERY)
    pick.key = hl_token_alignment_find_a (hl_comparison_get_keys (comparison), pick.key);
  hl_view_state_set_pinned (state, &pick);
}

/**
 * cli_render_difference:
 * @self: what the first side is compared with
 * @state: the first side, as it would be drawn by itself; becomes the difference
 * @document: what @state shows
 * @other_document: the second side
 * @other_example: likewise
 * @error: %HL_ERROR_MISSING
 *
 * Returns: whether there is a difference to draw
 */
gboolean
cli_render_difference (CliOtherSide  *self,
                       HlViewState   *state,
                       HlDocument    *document,
                       HlDocument    *other_document,
                       HlExample     *other_example,
                       GError       **error)
{
  HlBlock *block = find_block (self, state, other_example, error);
  const HlHeadPairing pairing = { self->layer, self->head };
  const HlPick pinned = *hl_view_state_get_pinned (state);
  g_autofree char *name = NULL;
  g_autofree char *other_name = NULL;

  if (block == NULL)
    return FALSE;
  hl_side_names_make (document, hl_view_state_get_example (state), other_document, other_example, &name, &other_name);
  hl_view_state_set_names (state, name, other_name);
  hl_view_state_set_difference (state, block, &pairing);
  set_compared (self, state, block);
  move_pin (state, &pinned);
  return TRUE;
}

static gboolean
choose_head (CliOtherSide  *self,
             HlViewState   *state,
             HlViewState   *other,
             GError       **error)
{
  HlBlock *block = hl_view_state_get_block (other);
  const guint layer = self->layer >= 0 ? (guint) self->layer : hl_view_state_get_layer (state);
  const guint head = self->head >= 0 ? (guint) self->head : hl_view_state_get_head (state);

  if (layer >= hl_block_get_n_layers (block))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no layer %u in “%s”; the last one is %u"), layer, self->file,
                   hl_block_get_n_layers (block) - 1);
      return FALSE;
    }
  if (head >= hl_block_get_n_heads (block, layer))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no head %u in layer %u of “%s”; the last one is %u"), head, layer,
                   self->file, hl_block_get_n_heads (block, layer) - 1);
      return FALSE;
    }
  hl_view_state_go_to (other, layer, head);
  if (self->head < 0)
    hl_view_state_set_heads (other, hl_view_state_get_heads (state));
  return TRUE;
}

static void
pin_partner (HlViewState *state,
             HlViewState *other)
{
  const HlHeadPairing same = { -1, -1 };
  const HlPick *pinned = hl_view_state_get_pinned (state);
  g_autoptr (HlComparison)
    comparison = hl_comparison_new (hl_view_state_get_shown_block (state), hl_view_state_get_source (state),
                                    hl_view_state_get_shown_block (other), hl_view_state_get_source (other), &same, NULL);
  const gsize partner = hl_token_alignment_a_to_b (hl_comparison_get_queries (comparison), pinned->query);
  const HlPick pick = { .kind = HL_PICK_QUERY, .query = partner };

  if (pinned->kind == HL_PICK_QUERY && partner != HL_TOKEN_NONE)
    hl_view_state_set_pinned (other, &pick);
}

/**
 * cli_render_beside:
 * @self: what the first side is compared with
 * @state: the first side, as it is to be drawn
 * @document: what @state shows
 * @other_document: the second side
 * @other: the second side, with all that the options say of both
 * @error: %HL_ERROR_MISSING
 *
 * Returns: whether @other is as it is to be drawn
 */
gboolean
cli_render_beside (CliOtherSide  *self,
                   HlViewState   *state,
                   HlDocument    *document,
                   HlDocument    *other_document,
                   HlViewState   *other,
                   GError       **error)
{
  HlBlock *block = find_block (self, state, hl_view_state_get_example (other), error);
  g_autofree char *name = NULL;
  g_autofree char *other_name = NULL;

  if (block == NULL)
    return FALSE;
  hl_view_state_set_block (other, block);
  if (!choose_head (self, state, other, error))
    return FALSE;
  hl_side_names_make (document, hl_view_state_get_example (state), other_document, hl_view_state_get_example (other), &name, &other_name);
  hl_view_state_set_side_name (state, "A", name);
  hl_view_state_set_side_name (other, "B", other_name);
  set_compared (self, state, block);
  if (self->layer < 0 && self->head < 0)
    set_compared (self, other, hl_view_state_get_block (state));
  hl_view_state_set_beside (state, other);
  hl_view_state_set_beside (other, state);
  pin_partner (state, other);
  return TRUE;
}
