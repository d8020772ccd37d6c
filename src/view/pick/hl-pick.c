/* SPDX-License-Identifier: MIT */
/* What a point of a scene stands for. */
#include "view/pick/hl-pick.h"

G_DEFINE_BOXED_TYPE (HlPick, hl_pick, hl_pick_copy, hl_pick_free)

HlPick *
hl_pick_copy (const HlPick *pick)
{
  return g_memdup2 (pick, sizeof *pick);
}

void
hl_pick_free (HlPick *pick)
{
  g_free (pick);
}

/* Returns whether both stand for the same. */
gboolean
hl_pick_equal (const HlPick *a,
               const HlPick *b)
{
  return a->kind == b->kind && a->query == b->query && a->key == b->key && a->head == b->head && a->step == b->step &&
         a->feature == b->feature && a->row == b->row && a->layer == b->layer;
}
