/* SPDX-License-Identifier: MIT */
/* The actions of the table of heads, and of finding heads by what links two words. */
#include "config.h"

#include "app/window/hl-window-private.h"

static HlSidePanel *
get_panel (HlWindow *self)
{
  return hl_document_page_get_side_panel (self->page);
}

static void
reveal (HlWindow *self)
{
  g_object_set (self, "panel-visible", TRUE, NULL);
  hl_side_panel_set_shows_heads (get_panel (self), TRUE);
}

/* The pinned query and key as the document has them, in which pieces may stand apart that are shown as one. */
static char *
spell_pin (HlViewState *state)
{
  const HlPick *pin = hl_view_state_get_pinned (state);
  HlAttention *shown = hl_view_state_get_shown_attention (state);
  HlAttention *attention = hl_view_state_get_attention (state);

  if (pin->kind != HL_PICK_CELL)
    return NULL;
  const gboolean turned = hl_attention_is_transposed (shown);
  const gsize query = turned ? pin->key : pin->query;
  const gsize key = turned ? pin->query : pin->key;
  const gsize n_queries = turned ? hl_attention_get_n_keys (shown) : hl_attention_get_n_queries (shown);
  const gsize n_keys = turned ? hl_attention_get_n_queries (shown) : hl_attention_get_n_keys (shown);
  if (n_queries == hl_attention_get_n_queries (attention) && n_keys == hl_attention_get_n_keys (attention))
    return hl_token_pairs_spell (attention, query, key);
  const char *const *queries = turned ? hl_attention_get_key_tokens (shown) : hl_attention_get_query_tokens (shown);
  const char *const *keys = turned ? hl_attention_get_query_tokens (shown) : hl_attention_get_key_tokens (shown);
  return g_strdup_printf ("%s → %s", queries[query], keys[key]);
}

static void
find_pin (HlWindow *self)
{
  g_autofree char *pairs = spell_pin (hl_session_get_view_state (self->session));

  if (pairs != NULL)
    hl_heads_panel_find (hl_side_panel_get_heads (get_panel (self)), pairs);
}

static void
find_heads (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  reveal (data);
  find_pin (data);
  hl_heads_panel_focus_pairs (hl_side_panel_get_heads (get_panel (data)));
}

/* The keyboard stays where it is: somebody picks in the scene. */
static void
find_heads_of_pin (GSimpleAction *action,
                   GVariant      *parameter,
                   gpointer       data)
{
  reveal (data);
  find_pin (data);
}

static void
change_head_table (GSimpleAction *action,
                   GVariant      *value,
                   gpointer       data)
{
  HlWindow *self = data;

  if (self->page == NULL)
    return;
  if (g_variant_get_boolean (value))
    reveal (self);
  else
    hl_side_panel_set_shows_heads (get_panel (self), FALSE);
  hl_window_update_actions (self);
}

/* From the short list of a comparison to all of it. */
static void
show_changes (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  HlWindow *self = data;

  reveal (self);
  hl_heads_panel_sort_by_change (hl_side_panel_get_heads (get_panel (self)));
  hl_window_update_actions (self);
}

static const GActionEntry entries[] = {
  { "find-heads", find_heads },
  { "find-heads-of-pin", find_heads_of_pin },
  { "show-changes", show_changes },
  { "head-table", NULL, NULL, "false", change_head_table },
};

void
hl_window_install_heads_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  /* Which of the two panels is shown, whoever chose it. */
  g_signal_connect_object (self->settings, "changed::shows-heads", G_CALLBACK (hl_window_update_actions), self,
                           G_CONNECT_SWAPPED);
}

/* Whether the table is there to be seen. */
gboolean
hl_window_shows_head_table (HlWindow *self)
{
  return self->session != NULL && self->panel_visible && hl_side_panel_get_shows_heads (get_panel (self));
}

void
hl_window_update_heads_actions (HlWindow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      hl_window_enable_action (self, entries[i].name, self->session != NULL);
      if (entries[i].state != NULL)
        hl_window_set_action_state (self, entries[i].name, g_variant_new_boolean (hl_window_shows_head_table (self)));
    }
}
