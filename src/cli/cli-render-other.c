/* SPDX-License-Identifier: MIT */
/* headlight-cli render, with a second side: the difference from it, or both side by side. */
#include "cli/cli-render-other.h"

#include "core/base/hl-error.h"
#include "view/hl-side-names.h"

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
      hl_comparison_find_attention (hl_view_state_get_example (state), hl_view_state_get_attention (state), other);
  if (attention == NULL && name != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no block “%s” in “%s”"), name, self->side->file);
  else if (attention == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” has no attention of the same kind"), self->side->file);
  else if (!cli_other_side_check_heads (self->side, self->job, attention, error))
    return NULL;
  return attention;
}

static gboolean
check_quantity (CliOther *self,
                GError  **error)
{
  if (self->takes_quantity || hl_state_check_quantity (self->state, error))
    return TRUE;
  g_prefix_error (error, "“%s”: ", self->side->file);
  return FALSE;
}

/* The tokens of the second side that are hidden or pinned in particular. */
static gboolean
set_own (CliOther *self,
         GError  **error)
{
  const char *hidden = hl_state_texts_get (&self->view->written, "hidden");
  const char *token = hl_state_texts_get (&self->view->written, "pinned");
  g_auto (HlStateTexts) texts = { 0 };

  if (hidden != NULL)
    hl_view_state_set_hidden (self->state, hidden);
  if (token == NULL)
    return check_quantity (self, error);
  hl_state_texts_take (&texts, self->state);
  hl_state_texts_set (&texts, "pinned", token);
  if (hl_state_texts_apply (&texts, self->state, error))
    return check_quantity (self, error);
  g_prefix_error (error, "“%s”: ", self->side->file);
  return FALSE;
}

/* Returns both sides, as the window has them; these are to be kept until they are drawn. */
HlSides *
cli_render_compare (CliOther    *self,
                    HlViewState *state,
                    HlDocument  *document,
                    gboolean     difference,
                    GError     **error)
{
  HlAttention *attention = find_attention (self, state, error);
  const HlHeadPairing pairing = { self->side->layer, self->side->head };
  g_auto (HlFocus) pin = hl_focus_copy (hl_view_state_get_pin (state));
  g_autofree char *name = NULL;
  g_autofree char *other_name = NULL;

  if (attention == NULL)
    return NULL;
  hl_view_state_set_attention (self->state, attention);
  g_autoptr (HlSides) sides = hl_sides_new (state, self->state, &pairing, NULL);
  hl_side_names_make (sides, document, self->document, &name, &other_name);
  hl_sides_set_names (sides, name, other_name);
  hl_sides_hold (sides);
  /* A pair of texts has parts, also beside a single one. */
  hl_view_state_set_option (self->state, sentences, self->sentences);
  const gboolean is_set = set_own (self, error);
  hl_sides_release (sides);
  if (!is_set)
    return NULL;
  hl_sides_set_difference (sides, difference);
  /* What each side alone can make of heads of its own may be lacking in the difference, which is of the same heads. */
  if (difference && !self->takes_quantity && !hl_state_check_quantity (state, error))
    return NULL;
  if (difference)
    hl_sides_pin (sides, &pin, hl_view_state_get_pin (self->state));
  return g_steal_pointer (&sides);
}
