/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/compare/hl-saved-comparison.h"

#include "view/pick/hl-pick-sides.h"
#include "view/hl-still.h"

/* How something is spelt that is pinned on one side of a difference. */
static char *
spell_pin (HlViewState   *side,
           const HlFocus *pin)
{
  g_auto (HlStill) still = { 0 };
  g_auto (HlStateTexts) texts = { 0 };

  hl_still_take (&still, side);
  g_autoptr (HlViewState) state = hl_still_show (&still);
  hl_view_state_set_difference (state, NULL, NULL);
  hl_view_state_set_pin (state, pin);
  hl_view_state_set_selection (state, hl_view_state_get_selection (side));
  hl_state_texts_take (&texts, state);
  return g_strdup (hl_state_texts_get (&texts, "pinned"));
}

/* In the difference tokens are counted in a list of both sides', which exists as long as both do. */
static char *
save_pins_of_difference (HlViewState    *a,
                         HlViewState    *b,
                         HlSavedSession *saved)
{
  HlComparison *comparison = hl_view_state_get_shown (a)->comparison;
  const HlFocus *pin = hl_view_state_get_pin (a);

  if (comparison == NULL || pin->pick.kind == HL_PICK_NONE)
    return NULL;
  g_auto (HlFocus) on_a = hl_focus_on_side (comparison, pin, FALSE);
  g_auto (HlFocus) on_b = hl_focus_on_side (comparison, pin, TRUE);
  g_autofree char *text = on_a.pick.kind != HL_PICK_NONE ? spell_pin (a, &on_a) : NULL;
  hl_state_texts_set (&saved->state, "pinned", text);
  /* What the first side tells alone need not be said again. */
  g_auto (HlFocus) again = hl_focus_in_common (comparison, &on_a, NULL);
  return !hl_focus_equal (&again, pin) && on_b.pick.kind != HL_PICK_NONE ? spell_pin (b, &on_b) : NULL;
}

/*
 * The tokens that are hidden on the second side, if these are not the ones that the first tells alone. More of them than can
 * be read again come back as the first has them, and so do those of texts that are still being aligned.
 */
static char *
save_hidden (HlViewState          *a,
             HlViewState          *b,
             const HlSavedSession *saved,
             const HlSavedSession *other)
{
  const HlHiddenTokens *hidden = hl_view_state_get_hidden (b);
  const gboolean is_any = hidden->sets[HL_QUERIES] != NULL || hidden->sets[HL_KEYS] != NULL;
  g_auto (HlHiddenTokens) alike = { { NULL } };

  if (hl_state_texts_get (&saved->state, "hidden") != NULL &&
      !hl_hidden_tokens_translate (hl_view_state_get_hidden (a), hl_view_state_get_attention (a),
                                   hl_view_state_get_attention (b), hl_view_state_get_counterpart (b)->aligner, &alike))
    return NULL;
  if (hl_hidden_tokens_equal (hidden, &alike))
    return NULL;
  return g_strdup (is_any ? hl_state_texts_get (&other->state, "hidden") : "");
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
save_state (HlSession      *first,
            HlSession      *second,
            HlSides        *sides,
            HlSavedSession *saved,
            HlSavedSession *other)
{
  HlViewState *a = hl_session_get_view_state (first);
  HlViewState *b = hl_session_get_view_state (second);
  const HlHeadPairing *pairing = hl_sides_get_pairing (sides);
  const HlAttentionKind kind = hl_attention_get_kind (hl_view_state_get_attention (b));
  const gboolean same_kind = kind == hl_attention_get_kind (hl_view_state_get_attention (a));
  g_autofree char *hidden = save_hidden (a, b, saved, other);
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
leave_out_file (HlSession      *first,
                HlSession      *second,
                HlSavedSession *saved,
                HlSavedSession *other)
{
  const gboolean is_same = hl_session_get_document (second) == hl_session_get_document (first);
  const gboolean is_live = hl_session_get_live (second) != NULL && hl_session_get_live (first) != NULL;

  if (!is_same && !(is_live && other->text != NULL && g_file_equal (other->file, saved->file)))
    return;
  g_clear_object (&other->file);
  hl_open_options_clear (&other->options);
  if (hl_saved_session_is_again (other))
    other->is_bare = saved->is_bare;
}

/* @saved: of the first side, to which the second is added; @picture: of the second side, which says where it is scrolled to. */
void
hl_saved_comparison_take (HlSavedSession *saved,
                          HlSession      *first,
                          HlSession      *second,
                          HlSides        *sides,
                          HlScene        *picture)
{
  g_return_if_fail (saved != NULL);
  g_return_if_fail (HL_IS_SESSION (first) && HL_IS_SESSION (second));
  g_return_if_fail (HL_IS_SIDES (sides));

  HlSavedSession *other = hl_session_save (second, picture);

  other->difference = hl_sides_get_difference (sides);
  leave_out_file (first, second, saved, other);
  save_state (first, second, sides, saved, other);
  /* Both are zoomed alike; of a side that is not seen it is no matter where it is. */
  other->zoom = 0;
  if (other->difference)
    other->scroll_x = other->scroll_y = 0;
  saved->other = other;
}
