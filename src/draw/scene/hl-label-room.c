/* SPDX-License-Identifier: MIT */
/* How wide the labels of tokens are, which layouts begin with. */
#include "draw/scene/hl-label-room.h"

#include "draw/text/hl-axis-labels.h"

/**
 * hl_label_room_measure: (skip)
 * @self: the room
 * @scene: the scene that shows them, the same at every call
 * @size: of their font, logical pixels; the same at every call
 *
 * Brings the widths up to date.
 */
void
hl_label_room_measure (HlLabelRoom *self,
                       HlScene     *scene,
                       double       size)
{
  HlViewState *state = hl_scene_get_state (scene);
  HlSceneText *text = hl_scene_get_text (scene);
  HlAttention *attention = hl_view_state_get_shown_attention (state);
  const HlRange queries = hl_view_state_get_shown_queries (state);
  const HlRange keys = hl_view_state_get_shown_keys (state);
  const HlTextStyle style = { .size = size };

  if (self->attention == attention && hl_range_equal (self->queries, queries) && hl_range_equal (self->keys, keys))
    return;
  g_set_object (&self->attention, attention);
  self->queries = queries;
  self->keys = keys;
  const char *const *query_texts = hl_attention_get_query_texts (attention) + queries.first;
  const char *const *key_texts = hl_attention_get_key_texts (attention) + keys.first;
  self->query_width = hl_axis_labels_measure (text, query_texts, queries.n, &style);
  self->key_width = key_texts == query_texts && keys.n == queries.n
                      ? self->query_width
                      : hl_axis_labels_measure (text, key_texts, keys.n, &style);
}

/**
 * hl_label_room_clear: (skip)
 * @self: the room
 *
 * Forgets what was measured.
 */
void
hl_label_room_clear (HlLabelRoom *self)
{
  g_clear_object (&self->attention);
  *self = (HlLabelRoom){ 0 };
}
