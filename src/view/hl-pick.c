/* SPDX-License-Identifier: MIT */
/* What a point of a scene stands for. */
#include "view/hl-pick.h"

G_DEFINE_BOXED_TYPE (HlPick, hl_pick, hl_pick_copy, hl_pick_free)

/**
 * hl_pick_copy:
 * @pick: (nullable): a pick
 *
 * Returns: (transfer full) (nullable): the same
 */
HlPick *
hl_pick_copy (const HlPick *pick)
{
  return g_memdup2 (pick, sizeof *pick);
}

/**
 * hl_pick_free:
 * @pick: (nullable) (transfer full): a pick on the heap
 */
void
hl_pick_free (HlPick *pick)
{
  g_free (pick);
}

/**
 * hl_pick_equal:
 * @a: a pick
 * @b: another
 *
 * Returns: whether both stand for the same
 */
gboolean
hl_pick_equal (const HlPick *a,
               const HlPick *b)
{
  return a->kind == b->kind && a->query == b->query && a->key == b->key && a->head == b->head &&
         a->step == b->step && a->feature == b->feature && a->layer == b->layer;
}
