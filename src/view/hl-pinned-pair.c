/* SPDX-License-Identifier: MIT */
#include "view/hl-pinned-pair.h"

#include "core/source/derive/hl-sink-source.h"

struct _HlPinnedPair
{
  GObject parent_instance;

  HlViewState *state;
  char *pairs; /* that heads are ranked by and that are pinned */
  guint idle;
};

G_DEFINE_FINAL_TYPE (HlPinnedPair, hl_pinned_pair, G_TYPE_OBJECT)

/* The tokens of the document that one of the shown stands for: none for one that only the other side of a difference has. */
static HlTokenRun
find_run (HlAttention *shown,
          HlSide       side,
          gsize        token)
{
  HlTokenMap *map = hl_attention_get_map (shown, side);

  if (map == NULL)
    return (HlTokenRun){ token, 1 };
  const HlTokenSpan *span = &hl_token_map_get_spans (map)[token];
  return (HlTokenRun){ span->first, span->n };
}

/* The pinned query and key as the document has them, unless one is no token of it: a sink, or the other side's alone. */
char *
hl_pinned_pair_spell (HlViewState *state)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), NULL);

  const HlPick *pin = hl_view_state_get_pinned (state);
  HlAttention *shown = hl_view_state_get_shown (state)->attention;
  const HlSide queries = hl_attention_is_transposed (shown) ? HL_KEYS : HL_QUERIES, keys = hl_side_get_other (queries);

  if (pin->kind != HL_PICK_CELL || hl_sink_is_at (shown, HL_QUERIES, pin->query) ||
      hl_sink_is_at (shown, HL_KEYS, pin->key))
    return NULL;
  const HlTokenRun query = find_run (shown, queries, pin->tokens[queries]);
  const HlTokenRun key = find_run (shown, keys, pin->tokens[keys]);
  if (query.n == 0 || key.n == 0)
    return NULL;
  return hl_token_pairs_spell (hl_view_state_get_attention (state), query, key);
}

static gboolean
compare (gpointer data)
{
  HlPinnedPair *self = data;
  const char *pairs = hl_view_state_get_pairs (self->state);
  g_autofree char *pinned = hl_pinned_pair_spell (self->state);

  self->idle = 0;
  if (g_strcmp0 (pairs, pinned) == 0)
    {
      g_free (self->pairs);
      self->pairs = g_steal_pointer (&pinned);
      return G_SOURCE_REMOVE;
    }
  const gboolean is_freed = pairs != NULL && g_strcmp0 (pairs, self->pairs) == 0;
  g_clear_pointer (&self->pairs, g_free);
  if (is_freed)
    hl_view_state_set_pairs (self->state, NULL);
  return G_SOURCE_REMOVE;
}

/* Where a view state is changed in several steps, as to a difference, the last one counts. */
static void
on_changed (HlPinnedPair *self,
            HlChanges     changes)
{
  if ((changes & (HL_CHANGED_PIN | HL_CHANGED_PAIRS)) && self->idle == 0)
    self->idle = g_idle_add_full (G_PRIORITY_HIGH, compare, self, NULL);
}

static void
hl_pinned_pair_dispose (GObject *object)
{
  HlPinnedPair *self = HL_PINNED_PAIR (object);

  g_clear_handle_id (&self->idle, g_source_remove);
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_clear_object (&self->state);
  g_clear_pointer (&self->pairs, g_free);
  G_OBJECT_CLASS (hl_pinned_pair_parent_class)->dispose (object);
}

static void
hl_pinned_pair_class_init (HlPinnedPairClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_pinned_pair_dispose;
}

static void
hl_pinned_pair_init (HlPinnedPair *self)
{
}

HlPinnedPair *
hl_pinned_pair_new (HlViewState *state)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), NULL);

  HlPinnedPair *self = g_object_new (HL_TYPE_PINNED_PAIR, NULL);
  self->state = g_object_ref (state);
  g_signal_connect_swapped (state, "changed", G_CALLBACK (on_changed), self);
  compare (self);
  return self;
}
