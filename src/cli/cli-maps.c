/* SPDX-License-Identifier: MIT */
/* --heads and --layers: which maps are shown together, or become one. */
#include "cli/cli-maps.h"

#include "cli/cli-text.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/**
 * cli_maps_add_entries:
 * @self: choices, nothing written yet
 * @context: what the options are added to; it keeps pointing into @self
 *
 * Adds the options.
 */
void
cli_maps_add_entries (CliMaps        *self,
                      GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "heads", 0, 0, G_OPTION_ARG_STRING, &self->heads_text,
      N_ ("Which heads of it, from 0; of all that are combined, unless named, all"), "H,H–H…|all" },
    { "layers", 0, 0, G_OPTION_ARG_STRING, &self->layers_text, N_ ("Which layers are combined, from 0; all unless named"),
      "L,L–L…|all" },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static gboolean
parse_number (const char *text,
              guint       limit,
              guint64    *number)
{
  return g_ascii_string_to_unsigned (text, 10, 0, limit - 1, number, NULL);
}

/* "0,2,5-8": numbers below @limit, with commas between them; the two ends of a run with a hyphen or a dash. */
static gboolean
parse_list (const char *text,
            guint       limit,
            guint64    *bits)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *const dash = strstr (parts[i], "–") != NULL ? "–" : "-";
      g_auto (GStrv) ends = g_strsplit (parts[i], dash, 2);
      guint64 first, last;

      if (ends[0] == NULL || !parse_number (g_strstrip (ends[0]), limit, &first))
        return FALSE;
      last = first;
      if (ends[1] != NULL && (!parse_number (g_strstrip (ends[1]), limit, &last) || last < first))
        return FALSE;
      for (; first <= last; first++)
        hl_bits_add (bits, (guint) first);
    }
  return parts[0] != NULL;
}

/**
 * cli_maps_parse:
 * @self: choices as they were written
 *
 * Finds out what was meant. What cannot be is said on standard error.
 *
 * Returns: 0, or the exit status for wrong usage
 */
int
cli_maps_parse (CliMaps *self)
{
  self->all_heads = g_strcmp0 (self->heads_text, "all") == 0;
  if (self->heads_text != NULL && !self->all_heads && !parse_list (self->heads_text, HL_MAX_HEADS, self->heads.bits))
    return cli_print_misuse (_ ("--heads cannot be “%s”; it is numbers with commas between them, or “all”"), self->heads_text);
  if (self->layers_text != NULL && !g_str_equal (self->layers_text, "all") &&
      !parse_list (self->layers_text, HL_MAX_LAYERS, self->layers.bits))
    return cli_print_misuse (_ ("--layers cannot be “%s”; it is numbers with commas between them, or “all”"), self->layers_text);
  return 0;
}

static gboolean
apply_layers (const CliMaps  *self,
              HlViewState    *state,
              GError        **error)
{
  const guint n_layers = hl_block_get_n_layers (hl_view_state_get_block (state));

  for (guint layer = n_layers; layer < HL_MAX_LAYERS; layer++)
    if (hl_layer_set_contains (&self->layers, layer))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no layer %u; the last one is %u"), layer, n_layers - 1);
        return FALSE;
      }
  hl_view_state_set_layers (state, &self->layers);
  return TRUE;
}

/**
 * cli_maps_apply:
 * @self: choices that were parsed
 * @state: a view state that shows the block, and derives of it what it is to derive
 * @layer: the layer
 * @error: %HL_ERROR_MISSING for what the block does not have
 *
 * Goes to the layer and chooses heads and layers. Where heads become one and none was named, all do.
 *
 * Returns: whether all are there
 */
gboolean
cli_maps_apply (const CliMaps  *self,
                HlViewState    *state,
                guint           layer,
                GError        **error)
{
  const guint n_layers = hl_block_get_n_layers (hl_view_state_get_block (state));

  if (layer >= n_layers)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no layer %u; the last one is %u"), layer, n_layers - 1);
      return FALSE;
    }
  if (!apply_layers (self, state, error))
    return FALSE;
  hl_view_state_set_layer (state, layer);
  if (self->all_heads || (self->heads_text == NULL && hl_view_state_merges_heads (state)))
    hl_view_state_select_all_heads (state);
  if (self->all_heads || self->heads_text == NULL)
    return TRUE;

  const guint n_heads = hl_view_state_get_n_heads (state);
  guint first = G_MAXUINT;
  for (guint head = 0; head < HL_MAX_HEADS; head++)
    {
      if (!hl_head_set_contains (&self->heads, head))
        continue;
      first = MIN (first, head);
      if (head >= n_heads)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no head %u in layer %u; the last one is %u"), head,
                       layer, n_heads - 1);
          return FALSE;
        }
    }
  hl_view_state_go_to (state, layer, first);
  hl_view_state_set_heads (state, &self->heads);
  return TRUE;
}

/**
 * cli_maps_clear:
 * @self: choices
 *
 * Frees what is in them.
 */
void
cli_maps_clear (CliMaps *self)
{
  g_clear_pointer (&self->heads_text, g_free);
  g_clear_pointer (&self->layers_text, g_free);
}
