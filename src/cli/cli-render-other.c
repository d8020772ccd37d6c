/* SPDX-License-Identifier: MIT */
/* headlight-cli render, with a second side: the difference from it, or both side by side. */
#include "cli/cli-render-other.h"

#include "core/base/hl-error.h"
#include "core/compare/hl-side-names.h"
#include "core/source/make/hl-source-factory.h"
#include "view/hl-pick-sides.h"

#include <glib/gi18n-lib.h>

static HlAttention *
find_attention (CliOther    *self,
                HlViewState *state,
                GError     **error)
{
  HlExample *other = hl_view_state_get_example (self->state);
  const char *name = hl_state_texts_get (&self->view->written, "attention");
  HlAttentionKind kind;
  HlAttention *attention;

  if (name != NULL && hl_attention_kind_from_name (name, &kind))
    attention = hl_example_find_attention (other, kind);
  else
    attention =
      cli_other_side_find_attention (hl_view_state_get_example (state), other, hl_view_state_get_attention (state));
  if (attention == NULL && name != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no block “%s” in “%s”"), name, self->side->file);
  else if (attention == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” has no attention of the same kind"), self->side->file);
  else if (!cli_other_side_check_heads (self->side, attention, error))
    return NULL;
  return attention;
}

/* How far the heads of @state changed can be told from now on. */
static void
set_compared (CliOther    *self,
              HlViewState *state,
              HlAttention *attention)
{
  const HlHeadPairing pairing = { self->side->layer, self->side->head };
  g_autoptr (HlAttentionSource) source = hl_attention_source_new_for_attention (attention);
  g_autoptr (HlComparison)
    comparison = hl_comparison_new (hl_view_state_get_attention (state), hl_view_state_get_attention_source (state),
                                    attention, source, &pairing, NULL);

  hl_view_state_set_compared (state, comparison);
}

/* The token of the second side that is pinned in particular. */
static gboolean
pin_own (CliOther  *self,
         GError   **error)
{
  const char *token = hl_state_texts_get (&self->view->written, "pinned");
  g_auto (HlStateTexts) texts = { 0 };

  if (token == NULL)
    return TRUE;
  hl_state_texts_take (&texts, self->state);
  hl_state_texts_set (&texts, "pinned", token);
  if (hl_state_texts_apply (&texts, self->state, error))
    return TRUE;
  g_prefix_error (error, "“%s”: ", self->side->file);
  return FALSE;
}

/* All that follows from the first side, in the order of the window, and what does not. */
static gboolean
set_up_other (CliOther    *self,
              HlViewState *state,
              HlAttention *attention,
              GError     **error)
{
  const HlHeadPairing pairing = { self->side->layer, self->side->head };
  const HlHeadPairing same = { -1, -1 };
  const char *hidden = hl_state_texts_get (&self->view->written, "hidden");
  HlViewState *other = self->state;

  hl_view_state_set_attention (other, attention);
  hl_view_state_set_pairs (other, hl_view_state_get_pairs (state));
  hl_view_state_go_along (other, state, &pairing);
  if (hidden != NULL)
    hl_view_state_set_hidden (other, hidden);
  else
    hl_view_state_hide_like (other, state);
  g_autoptr (HlComparison) comparison =
    hl_comparison_new (hl_view_state_get_shown (state)->attention, hl_view_state_get_shown (state)->source,
                       hl_view_state_get_shown (other)->attention, hl_view_state_get_shown (other)->source, &same,
                       NULL);
  const HlPick pick = hl_pick_on_other_side (comparison, hl_view_state_get_pinned (state), TRUE);
  hl_view_state_set_pinned (other, &pick);
  return pin_own (self, error);
}

/* Returns whether there is a difference to draw. */
gboolean
cli_render_difference (CliOther      *self,
                       HlViewState   *state,
                       HlDocument    *document,
                       GError       **error)
{
  HlAttention *attention = find_attention (self, state, error);
  const HlHeadPairing pairing = { self->side->layer, self->side->head };
  const HlPick pinned = *hl_view_state_get_pinned (state);
  g_autofree char *name = NULL;
  g_autofree char *other_name = NULL;

  if (attention == NULL || !set_up_other (self, state, attention, error))
    return FALSE;
  hl_side_names_make (document, hl_view_state_get_example (state), self->document,
                      hl_view_state_get_example (self->state), &name, &other_name);
  hl_view_state_set_names (state, name, other_name);
  hl_view_state_set_difference (state, attention, &pairing);
  set_compared (self, state, attention);
  const HlPick moved =
    hl_pick_in_common (hl_view_state_get_shown (state)->comparison, &pinned, hl_view_state_get_pinned (self->state));
  hl_view_state_set_pinned (state, &moved);
  return TRUE;
}

/* Returns whether there is a second side to draw. */
gboolean
cli_render_beside (CliOther      *self,
                   HlViewState   *state,
                   HlDocument    *document,
                   GError       **error)
{
  HlAttention *attention = find_attention (self, state, error);
  g_autofree char *name = NULL;
  g_autofree char *other_name = NULL;

  if (attention == NULL || !set_up_other (self, state, attention, error))
    return FALSE;
  hl_side_names_make (document, hl_view_state_get_example (state), self->document,
                      hl_view_state_get_example (self->state), &name, &other_name);
  hl_view_state_set_side_name (state, "A", name);
  hl_view_state_set_side_name (self->state, "B", other_name);
  set_compared (self, state, attention);
  if (self->side->layer < 0 && self->side->head < 0)
    set_compared (self, self->state, hl_view_state_get_attention (state));
  hl_view_state_set_beside (state, self->state);
  hl_view_state_set_beside (self->state, state);
  return TRUE;
}
