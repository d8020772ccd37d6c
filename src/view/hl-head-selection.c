/* SPDX-License-Identifier: MIT */
#include "view/hl-head-selection.h"

#include <string.h>

gboolean
hl_head_places_find (const HlHeadPlaces *self,
                     guint               layer,
                     guint               head,
                     guint              *index)
{
  for (*index = 0; *index < self->n; (*index)++)
    if (self->heads[*index].layer == layer && self->heads[*index].head == head)
      return TRUE;
  return FALSE;
}

/* At the end, unless it is there. FALSE without room. */
gboolean
hl_head_places_add (HlHeadPlaces *self,
                    guint         layer,
                    guint         head)
{
  guint index;

  if (hl_head_places_find (self, layer, head, &index))
    return TRUE;
  if (self->n == HL_MAX_FARTHER_HEADS)
    return FALSE;
  self->heads[self->n++] = (HlHeadPlace){ layer, head };
  return TRUE;
}

/* The same, in the same order. */
gboolean
hl_head_places_equal (const HlHeadPlaces *a,
                      const HlHeadPlaces *b)
{
  return a->n == b->n && memcmp (a->heads, b->heads, a->n * sizeof *a->heads) == 0;
}

/* Adds "7.3", head 3 of layer 7. */
gboolean
hl_head_places_parse (HlHeadPlaces *self,
                      const char   *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ".", 2);
  guint64 layer, head;

  return parts[0] != NULL && parts[1] != NULL &&
         g_ascii_string_to_unsigned (g_strstrip (parts[0]), 10, 0, HL_MAX_LAYERS - 1, &layer, NULL) &&
         g_ascii_string_to_unsigned (g_strstrip (parts[1]), 10, 0, HL_MAX_HEADS - 1, &head, NULL) &&
         hl_head_places_add (self, (guint) layer, (guint) head);
}

/* "7.3,9.11"; empty without any. */
char *
hl_head_places_format (const HlHeadPlaces *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n; i++)
    g_string_append_printf (text, "%s%u.%u", i > 0 ? "," : "", self->heads[i].layer, self->heads[i].head);
  return g_string_free (text, FALSE);
}

static guint
get_n_heads (const HlHeadSelection *self,
             HlAttention           *attention)
{
  return hl_attention_get_n_heads (attention, self->layer);
}

/* The first head of the first layer alone, and all layers. */
void
hl_head_selection_init (HlHeadSelection *self,
                        HlAttention     *attention)
{
  memset (self, 0, sizeof *self);
  hl_head_set_add (&self->heads, 0);
  hl_head_selection_fit (self, attention);
}

/* What the attention does not have goes; of what was not empty one stays. */
void
hl_head_selection_fit (HlHeadSelection *self,
                       HlAttention     *attention)
{
  const guint n_layers = hl_attention_get_n_layers (attention);
  const gboolean was_empty = hl_head_set_count (&self->heads) == 0;
  const HlHeadPlaces farther = self->farther;

  self->layer = MIN (self->layer, n_layers - 1);
  hl_head_set_truncate (&self->heads, get_n_heads (self, attention));
  self->head = MIN (self->head, get_n_heads (self, attention) - 1);
  if (!was_empty && hl_head_set_count (&self->heads) == 0)
    hl_head_set_add (&self->heads, self->head);

  self->farther.n = 0;
  for (guint i = 0; i < farther.n; i++)
    if (farther.heads[i].layer < n_layers &&
        farther.heads[i].head < hl_attention_get_n_heads (attention, farther.heads[i].layer))
      hl_head_places_add (&self->farther, farther.heads[i].layer, farther.heads[i].head);

  hl_layer_set_truncate (&self->layers, n_layers);
  if (hl_layer_set_count (&self->layers) == 0)
    for (guint layer = 0; layer < n_layers; layer++)
      hl_layer_set_add (&self->layers, layer);
}

gboolean
hl_head_selection_equal (const HlHeadSelection *a,
                         const HlHeadSelection *b)
{
  return a->layer == b->layer && a->head == b->head && hl_head_set_equal (&a->heads, &b->heads) &&
         hl_layer_set_equal (&a->layers, &b->layers) && hl_head_places_equal (&a->farther, &b->farther);
}

/* Heads go along with the layer as far as it has them. */
void
hl_head_selection_set_layer (HlHeadSelection *self,
                             HlAttention     *attention,
                             guint            layer)
{
  self->layer = layer;
  hl_head_selection_fit (self, attention);
}

/* The first of them leads, unless the one that does is among them. */
void
hl_head_selection_set_heads (HlHeadSelection *self,
                             HlAttention     *attention,
                             const HlHeadSet *heads)
{
  self->heads = *heads;
  hl_head_set_truncate (&self->heads, get_n_heads (self, attention));
  if (hl_head_set_count (&self->heads) == 0 || hl_head_set_contains (&self->heads, self->head))
    return;
  for (self->head = 0; !hl_head_set_contains (&self->heads, self->head);)
    self->head++;
}

/* One head alone; past the last, the last. */
void
hl_head_selection_go_to (HlHeadSelection *self,
                         HlAttention     *attention,
                         guint            layer,
                         guint            head)
{
  self->layer = MIN (layer, hl_attention_get_n_layers (attention) - 1);
  self->head = MIN (head, get_n_heads (self, attention) - 1);
  self->heads = (HlHeadSet){ { 0 } };
  hl_head_set_add (&self->heads, self->head);
  self->farther.n = 0;
}

/* Goes to the layer of the first head that has one of its own. All of that layer go along then. */
void
hl_head_selection_lead_farther (HlHeadSelection *self,
                                HlAttention     *attention)
{
  const HlHeadPlaces farther = self->farther;
  HlHeadSet heads = { { 0 } };

  g_return_if_fail (farther.n > 0);

  hl_head_selection_go_to (self, attention, farther.heads[0].layer, farther.heads[0].head);
  for (guint i = 0; i < farther.n; i++)
    if (farther.heads[i].layer == self->layer)
      hl_head_set_add (&heads, farther.heads[i].head);
    else
      hl_head_places_add (&self->farther, farther.heads[i].layer, farther.heads[i].head);
  hl_head_selection_set_heads (self, attention, &heads);
}

/*
 * Adds a head to those shown together, or takes it away. When the layer that is looked at has no more of them, that of
 * the next is. FALSE if no more can be added.
 */
gboolean
hl_head_selection_toggle (HlHeadSelection *self,
                          HlAttention     *attention,
                          guint            layer,
                          guint            head)
{
  guint index;

  if (hl_head_places_find (&self->farther, layer, head, &index))
    {
      HlHeadPlace *place = self->farther.heads + index;
      self->farther.n--;
      memmove (place, place + 1, (self->farther.n - index) * sizeof *place);
    }
  else if (layer == self->layer)
    {
      HlHeadSet heads = self->heads;
      if (hl_head_set_contains (&heads, head))
        hl_head_set_remove (&heads, head);
      else
        hl_head_set_add (&heads, head);
      hl_head_selection_set_heads (self, attention, &heads);
      if (hl_head_set_count (&heads) == 0 && self->farther.n > 0)
        hl_head_selection_lead_farther (self, attention);
    }
  else if (hl_head_set_count (&self->heads) == 0)
    hl_head_selection_go_to (self, attention, layer, head);
  else
    return hl_head_places_add (&self->farther, layer, head);
  return TRUE;
}
