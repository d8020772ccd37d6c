/* SPDX-License-Identifier: MIT */
/* What the view shows, as options, one for each property of HlViewState that has a text. */
#include "cli/base/cli-view-options.h"

#include "cli/base/cli-need.h"
#include "cli/base/cli-text.h"
#include "core/base/hl-error.h"
#include "core/source/make/hl-source-factory.h"

#include <glib/gi18n-lib.h>

/* What makes other numbers, not only another picture of them. */
static const HlChanges derivations = HL_CHANGED_DERIVATION | HL_CHANGED_HIDDEN | HL_CHANGED_LAYERS | HL_CHANGED_HEADS;

static gboolean
is_given (const CliViewOptions *self,
          const char           *name)
{
  return self->is_given[hl_state_text_find (name)];
}

static void
add_entry (CliViewOptions *self,
           guint           i,
           GOptionContext *context)
{
  self->hints[i] = hl_state_text_dup_hint (i);
  const GOptionEntry entries[] = {
    { hl_state_text_get_name (i), 0, 0, G_OPTION_ARG_STRING, &self->written.texts[i], hl_state_text_get_description (i),
      self->hints[i] },
    G_OPTION_ENTRY_NULL,
  };
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* Adds an option for each property. */
void
cli_view_options_add_entries (CliViewOptions *self,
                              GOptionContext *context)
{
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    if (hl_state_text_get_description (i) != NULL)
      add_entry (self, i, context);
}

/* Adds an option for each property that makes other numbers, for those who print numbers. */
void
cli_view_options_add_derivations (CliViewOptions *self,
                                  GOptionContext *context)
{
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    if (hl_state_text_get_changes (i) & derivations)
      add_entry (self, i, context);
}

/* Adds options for what is made of the weights of all heads, for those who take the maps and not what is seen of them. */
void
cli_view_options_add_quantity (CliViewOptions *self,
                               GOptionContext *context)
{
  static const char *const names[] = { "quantity", "rollout-from", "combine", "combine-over", NULL };

  for (guint i = 0; i < hl_state_text_get_n (); i++)
    if (g_strv_contains (names, hl_state_text_get_name (i)))
      add_entry (self, i, context);
}

/* What these options make of weights. Heads and layers are not chosen. */
HlLens
cli_view_options_get_lens (const CliViewOptions *self)
{
  const HlViewOptions options = hl_state_texts_get_options (&self->written);

  return (HlLens){ .quantity = options.quantity,
                   .first_layer = options.rollout_from,
                   .combine = options.combine,
                   .combine_over = options.combine_over };
}

/* The maps that these options make of all heads and layers of an attention, or why they cannot. */
gboolean
cli_view_options_derive (const CliViewOptions *self,
                         HlAttention          *attention,
                         HlAttention         **derived,
                         HlAttentionSource   **source,
                         GError              **error)
{
  HlLens lens = cli_view_options_get_lens (self);
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);

  for (guint head = 0; head < hl_attention_get_max_heads (attention); head++)
    hl_head_set_add (&lens.heads, head);
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    hl_layer_set_add (&lens.layers, layer);
  if (!hl_lens_check (&lens, attention, error))
    {
      g_prefix_error (error, "%s ", _ ("the quantity"));
      return FALSE;
    }
  hl_lens_apply (&lens, attention, weights, derived, source);
  return TRUE;
}

/* The maps that numbers are of: those that a state shows, or why they cannot be had, where a picture would be of others. A
 * learned sink is none of their keys, as it is no token: it counts by what rows leave of 1. */
gboolean
cli_view_options_measure (HlViewState        *state,
                          HlAttention       **attention,
                          HlAttentionSource **source,
                          GError            **error)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  HlLens lens = shown->lens;
  g_autoptr (HlAttention) derived = NULL;
  g_autoptr (HlAttentionSource) maps = NULL;

  if (!hl_state_check_quantity (state, error))
    return FALSE;
  /* Those of all tokens would be taken for others. */
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (hl_lens_hides_all (&lens, shown->original, side))
      {
        g_set_error_literal (error, HL_ERROR, HL_ERROR_MISSING, _ ("no token would be left that is not hidden"));
        return FALSE;
      }
  lens.sinks = FALSE;
  hl_lens_apply (&lens, shown->original, shown->original_source, &derived, &maps);
  if (lens.direction == HL_DIRECTION_ASYMMETRY && !hl_lens_has_asymmetry (derived))
    {
      g_set_error_literal (error, HL_ERROR, HL_ERROR_MISSING,
                           _ ("asymmetry needs queries and keys that are the same tokens"));
      return FALSE;
    }
  *attention = g_steal_pointer (&derived);
  *source = g_steal_pointer (&maps);
  return TRUE;
}

/* Whether the tokens that they name are in the text of a state: a session may hold more than what is written. */
gboolean
cli_view_options_check_tokens (const CliViewOptions *self,
                               HlViewState          *state,
                               GError              **error)
{
  const char *hidden = is_given (self, "hidden") ? hl_state_texts_get (&self->written, "hidden") : "";

  if (is_given (self, "sentences") &&
      hl_view_state_get_shown (state)->options.sentences != hl_state_texts_get_options (&self->written).sentences)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("--sentences needs a pair of texts"));
      return FALSE;
    }
  if (*hidden == '\0' ||
      hl_hidden_tokens_count (hl_view_state_get_hidden (state), hl_view_state_get_attention (state)) > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("none of the tokens of --hidden is there: they count from 0"));
  return FALSE;
}

/* Finds out whether they can be meant, each by itself. What cannot be is said on standard error. Returns 0, or the exit status for
 * wrong usage. */
int
cli_view_options_read (CliViewOptions *self)
{
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    {
      const char *text = self->written.texts[i];
      self->is_given[i] = text != NULL;
      if (text == NULL || hl_state_text_check (i, text))
        continue;
      g_autofree char *rule = hl_state_text_dup_rule (i);
      return cli_print_misuse (_ ("--%s cannot be “%s”; it is %s"), hl_state_text_get_name (i), text, rule);
    }
  const HlViewOptions options = hl_state_texts_get_options (&self->written);
  if (hl_quantity_get (options.quantity)->heads == HL_QUANTITY_OF_LAYER &&
      options.combine_over == HL_COMBINE_OVER_HEADS &&
      (options.combine == HL_COMBINE_MAX || options.combine == HL_COMBINE_SUM))
    return cli_print_misuse (_ ("--quantity %s is of the mean of heads: --combine %s needs --combine-over layers"),
                             hl_state_texts_get (&self->written, "quantity"),
                             hl_state_texts_get (&self->written, "combine"));
  return 0;
}

static gboolean
names_no_head (const CliViewOptions *self)
{
  guint n_others;

  return hl_state_texts_get (&self->written, "heads") != NULL &&
         hl_state_texts_count_heads (&self->written, &n_others) == 0;
}

/* Finds out whether those that were written act on something, given what a session may say besides. What does not is said on standard
 * error. Returns 0, or the exit status for wrong usage. */
int
cli_view_options_check (const CliViewOptions *self)
{
  const HlViewOptions options = hl_state_texts_get_options (&self->written);
  const HlLens lens = cli_view_options_get_lens (self);
  const HlViewTraits *view = hl_view_kind_get_traits (options.view);
  const gboolean is_apart = !(hl_lens_merges_heads (&lens) || hl_lens_merges_layers (&lens));
  const gboolean is_sorted = is_given (self, "sort") && options.sort != HL_HEAD_MEASURE_NONE;
  const gboolean is_framed = is_given (self, "colour-by") && options.colour_by != HL_HEAD_MEASURE_NONE;
  const char *apart = _ ("the heads apart, of which --combine, or rollout or flow, makes one map");
  const CliNeed needs[] = {
    { "rollout-from", is_given (self, "rollout-from"),
      hl_quantity_get (options.quantity)->heads == HL_QUANTITY_OF_LAYER, _ ("--quantity rollout or flow") },
    { "combine-over", is_given (self, "combine-over"), options.combine != HL_COMBINE_NONE, "--combine" },
    { "layers", is_given (self, "layers"), hl_lens_merges_layers (&lens),
      _ ("--combine, and --combine-over layers or all") },
    { "chart", is_given (self, "chart"), view->shows_charts, "--view chart" },
    { "number", is_given (self, "number") && options.number != HL_HEAD_MEASURE_NONE, view->shows_charts,
      "--view chart" },
    { "sort", is_sorted, view->shows_all_heads, "--view model-view" },
    { "colour-by", is_framed, view->shows_all_heads, "--view model-view" },
    { "sort", is_sorted, is_apart, apart },
    { "colour-by", is_framed, is_apart, apart },
  };

  if ((hl_lens_merges_heads (&lens) || hl_lens_merges_layers (&lens)) && names_no_head (self))
    return cli_print_misuse (_ ("--heads names none, of which one map would be made"));
  return cli_needs_check (needs, G_N_ELEMENTS (needs));
}

/* Both. */
int
cli_view_options_parse (CliViewOptions *self)
{
  const int status = cli_view_options_read (self);

  return status == 0 ? cli_view_options_check (self) : status;
}

void
cli_view_options_clear (CliViewOptions *self)
{
  hl_state_texts_clear (&self->written);
  for (guint i = 0; i < HL_MAX_STATE_TEXTS; i++)
    g_clear_pointer (&self->hints[i], g_free);
}
