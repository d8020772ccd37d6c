/* SPDX-License-Identifier: MIT */
/* What of a scene's frame is measured. */
#include "draw/scene/hl-scene-frame.h"

#include "draw/text/hl-axis-labels.h"

/* Text and size are the same at every call. */
void
hl_label_room_measure (HlLabelRoom   *self,
                       HlSceneText   *text,
                       const HlShown *shown,
                       double         size)
{
  HlAttention *attention = shown->attention;
  const HlRange queries = shown->queries;
  const HlRange keys = shown->keys;
  const HlTextStyle style = { .size = size };

  if (self->attention == attention && hl_range_equal (self->queries, queries) && hl_range_equal (self->keys, keys))
    return;
  g_set_object (&self->attention, attention);
  self->queries = queries;
  self->keys = keys;
  const char *const *query_texts = hl_attention_get_texts (attention, HL_QUERIES) + queries.first;
  const char *const *key_texts = hl_attention_get_texts (attention, HL_KEYS) + keys.first;
  self->query_width = hl_axis_labels_measure (text, query_texts, queries.n, &style);
  self->key_width = key_texts == query_texts && keys.n == queries.n
                      ? self->query_width
                      : hl_axis_labels_measure (text, key_texts, keys.n, &style);
}

void
hl_label_room_clear (HlLabelRoom *self)
{
  g_clear_object (&self->attention);
  *self = (HlLabelRoom){ 0 };
}
