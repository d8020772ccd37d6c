/* SPDX-License-Identifier: MIT */
/* HlCompareView: how a comparison becomes part of a session that can be saved, and is as in one that was. */
#include "config.h"

#include "app/compare/hl-compare-view-private.h"

#include "app/base/hl-state-copy.h"
#include "app/session/hl-session-saved.h"
#include "view/hl-pick-sides.h"

/* How something is spelt that is pinned on one side of a difference. */
static char *
spell_pin (HlViewState  *side,
           const HlPick *pick)
{
  g_autoptr (HlViewState) state = hl_view_state_new (hl_view_state_get_example (side));
  g_auto (HlStateTexts) texts = { 0 };

  hl_state_copy (state, side);
  hl_view_state_set_difference (state, NULL, NULL);
  hl_view_state_set_pinned (state, pick);
  hl_state_texts_take (&texts, state);
  return g_strdup (hl_state_texts_get (&texts, "pinned"));
}

/* In the difference tokens are counted in a list of both sides', which exists as long as both do. */
static char *
save_pins_of_difference (HlViewState    *a,
                         HlViewState    *b,
                         HlSavedSession *saved)
{
  HlComparison *comparison = hl_view_state_get_comparison (a);
  const HlPick *pinned = hl_view_state_get_pinned (a);

  if (comparison == NULL || pinned->kind == HL_PICK_NONE)
    return NULL;
  const HlPick on_a = hl_pick_on_side (comparison, pinned, FALSE);
  const HlPick on_b = hl_pick_on_side (comparison, pinned, TRUE);
  g_autofree char *text = on_a.kind != HL_PICK_NONE ? spell_pin (a, &on_a) : NULL;
  hl_state_texts_set (&saved->state, "pinned", text);
  return on_a.kind != pinned->kind ? spell_pin (b, &on_b) : NULL;
}

/* The tokens that are hidden on the second side, if these are not the ones of the first. */
static char *
save_hidden (HlViewState *a,
             HlViewState *b)
{
  g_autoptr (HlViewState) alike = hl_view_state_new (hl_view_state_get_example (b));
  g_autofree char *hidden = hl_view_state_dup_hidden (b);

  hl_view_state_set_attention (alike, hl_view_state_get_attention (b));
  hl_view_state_hide_like (alike, a);
  g_autofree char *expected = hl_view_state_dup_hidden (alike);
  return g_strcmp0 (hidden, expected) != 0 ? g_steal_pointer (&hidden) : NULL;
}

static void
set_index (HlStateTexts *texts,
           const char   *property,
           int           index)
{
  g_autofree char *text = g_strdup_printf ("%d", index);

  hl_state_texts_set (texts, property, index >= 0 ? text : NULL);
}

/* What the second side has of its own. */
static void
save_state (HlCompareView  *self,
            HlSavedSession *saved,
            HlSavedSession *other)
{
  HlViewState *a = hl_session_get_view_state (self->session);
  HlViewState *b = hl_session_get_view_state (self->other);
  const HlHeadPairing *pairing = hl_compare_link_get_pairing (self->link);
  const HlAttentionKind kind = hl_attention_get_kind (hl_view_state_get_attention (b));
  const gboolean same_kind = kind == hl_attention_get_kind (hl_view_state_get_attention (a));
  g_autofree char *hidden = save_hidden (a, b);
  g_autofree char *pinned = NULL;

  if (other->difference)
    pinned = save_pins_of_difference (a, b, saved);
  else if (hl_view_state_get_pinned (a)->kind == HL_PICK_NONE)
    pinned = g_strdup (hl_state_texts_get (&other->state, "pinned"));
  hl_state_texts_clear (&other->state);
  hl_state_texts_set (&other->state, "attention", same_kind ? NULL : hl_attention_kind_get_name (kind));
  hl_state_texts_set (&other->state, "hidden", hidden);
  hl_state_texts_set (&other->state, "pinned", pinned);
  set_index (&other->state, "layer", pairing->layer);
  set_index (&other->state, "head", pairing->head);
}

/* The same document once more, or the same model on another text, are of the same file and read in the same way. */
static void
leave_out_file (HlCompareView  *self,
                HlSavedSession *saved,
                HlSavedSession *other)
{
  const gboolean is_same = hl_session_get_document (self->other) == hl_session_get_document (self->session);
  const gboolean is_live = hl_session_get_live (self->other) != NULL && hl_session_get_live (self->session) != NULL;

  if (!is_same && !(is_live && other->text != NULL && g_file_equal (other->file, saved->file)))
    return;
  g_clear_object (&other->file);
  hl_open_options_clear (&other->options);
}

/**
 * hl_compare_view_save:
 * @self: a compare view with a session
 * @saved: what hl_session_save() made of that
 *
 * Adds what it is compared with, if it is.
 */
void
hl_compare_view_save (HlCompareView  *self,
                      HlSavedSession *saved)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  if (self->link == NULL)
    return;
  HlSavedSession *other = hl_session_save (self->other, hl_scene_view_get_scene (self->other_view));

  other->difference = hl_compare_link_get_difference (self->link);
  leave_out_file (self, saved, other);
  save_state (self, saved, other);
  /* Both are zoomed alike; of a side that is not seen it is no matter where it is. */
  other->zoom = 0;
  if (other->difference)
    other->scroll_x = other->scroll_y = 0;
  saved->other = other;
}

/* What was pinned in particular on the second side. */
static void
restore_pin (HlCompareView *self,
             const HlPick  *on_a,
             const HlPick  *on_b)
{
  HlViewState *a = hl_session_get_view_state (self->session);
  HlComparison *comparison = hl_view_state_get_comparison (a);

  if (comparison == NULL)
    {
      hl_view_state_set_pinned (hl_session_get_view_state (self->other), on_b);
      return;
    }
  const HlPick pick = hl_pick_in_common (comparison, on_a, on_b);
  hl_view_state_set_pinned (a, &pick);
}

/* Begins the comparison that the session came with when it was opened, if there is one. */
void
hl_compare_view_restore (HlCompareView *self)
{
  g_autoptr (HlSession) other = hl_session_steal_other (self->session);

  if (other == NULL)
    return;
  const HlSavedSession *first = hl_session_get_saved (self->session);
  const HlSavedSession *saved = first->other;
  HlViewState *a = hl_session_get_view_state (self->session);
  HlViewState *b = hl_session_get_view_state (other);
  const HlHeadPairing pairing = hl_saved_session_get_pairing (saved);
  /* The first side rules from now on: what the second has of its own is put back. */
  const HlPick on_b = *hl_view_state_get_pinned (b);
  g_autofree char *hidden = hl_view_state_dup_hidden (b);

  hl_compare_view_start (self, other, &pairing);
  if (hl_state_texts_get (&saved->state, "hidden") != NULL)
    hl_view_state_set_hidden (b, hidden);
  const HlPick on_a = *hl_view_state_get_pinned (a);
  hl_compare_link_set_difference (self->link, saved->difference);
  if (hl_state_texts_get (&saved->state, "pinned") != NULL)
    restore_pin (self, &on_a, &on_b);
  /* The difference may be longer than the first side, and could not be scrolled so far before. */
  hl_scene_view_go_to (self->scene_view, first->zoom, first->scroll_x, first->scroll_y);
  hl_compare_scroll_go_to (self->scroll, saved->scroll_x, saved->scroll_y);
}
