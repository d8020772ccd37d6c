/* SPDX-License-Identifier: MIT */
#include "view/shown/hl-head-selection.h"

#include "core/base/hl-limits.h"

#include <string.h>

/* Those that go along with the layer come first, in rising order, and stand in a set besides. */
struct _HlHeadList
{
  HlHeadSet heads;
  HlHeadSet combined; /* also those that other layers have; all there can be for all, however many there are */
  guint n_own;
  guint n;
  HlHeadPlace places[];
};

gboolean
hl_head_places_find (const HlHeadPlace *places,
                     guint              n,
                     guint              layer,
                     guint              head,
                     guint             *index)
{
  for (*index = 0; *index < n; (*index)++)
    if (places[*index].layer == layer && places[*index].head == head)
      return TRUE;
  return FALSE;
}

/* Adds "7.3", head 3 of layer 7, unless it is there: @known has those that are, and gets it. */
gboolean
hl_head_places_parse (GArray     *places,
                      GHashTable *known,
                      const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ".", 2);
  guint64 layer, head;

  if (parts[0] == NULL || parts[1] == NULL ||
      !g_ascii_string_to_unsigned (g_strstrip (parts[0]), 10, 0, HL_LIMIT_LAYERS - 1, &layer, NULL) ||
      !g_ascii_string_to_unsigned (g_strstrip (parts[1]), 10, 0, HL_LIMIT_HEADS - 1, &head, NULL))
    return FALSE;
  const HlHeadPlace place = { (guint) layer, (guint) head };
  if (g_hash_table_add (known, GUINT_TO_POINTER (place.layer * HL_LIMIT_HEADS + place.head)))
    g_array_append_val (places, place);
  return TRUE;
}

/* "7.3,9.11"; empty without any. */
char *
hl_head_places_format (const HlHeadPlace *places,
                       guint              n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u.%u", i > 0 ? "," : "", places[i].layer, places[i].head);
  return g_string_free (text, FALSE);
}

static void
set_list (HlHeadSelection   *self,
          const HlHeadSet   *heads,
          const HlHeadSet   *combined,
          const HlHeadPlace *others,
          guint              n_others)
{
  const guint n_own = hl_head_set_count (heads);
  HlHeadList *before = self->list;
  guint n = 0;

  self->list = NULL;
  if (n_own + n_others > 0)
    {
      self->list = g_atomic_rc_box_alloc (sizeof *self->list + (n_own + n_others) * sizeof *others);
      self->list->heads = *heads;
      self->list->combined = n_own > 0 ? *combined : *heads;
      self->list->n_own = n_own;
      self->list->n = n_own + n_others;
      for (guint head = 0; n < n_own; head++)
        if (hl_head_set_contains (heads, head))
          self->list->places[n++] = (HlHeadPlace){ HL_LAYER_LOOKED_AT, head };
      for (guint i = 0; i < n_others; i++)
        self->list->places[n++] = others[i];
    }
  g_clear_pointer (&before, g_atomic_rc_box_release);
}

static guint
get_n_heads (const HlHeadSelection *self,
             HlAttention           *attention)
{
  return hl_attention_get_n_heads (attention, self->layer);
}

/* What no layer has goes; but all stay all. */
static void
truncate_combined (HlHeadSet   *combined,
                   HlAttention *attention)
{
  if (hl_head_set_count (combined) < HL_LIMIT_HEADS)
    hl_head_set_truncate (combined, hl_attention_get_max_heads (attention));
}

/* The layer itself, or, if it has no heads, the next that has, on the way there from another. */
static guint
find_layer (HlAttention *attention,
            guint        layer,
            guint        from)
{
  const guint n_layers = hl_attention_get_n_layers (attention);
  const gboolean back = layer < from;

  for (guint side = 0; side < 2; side++)
    for (guint distance = 0; distance < n_layers; distance++)
      {
        const gint64 found = (gint64) layer + ((side == 0) == back ? -(gint64) distance : (gint64) distance);

        if (found >= 0 && found < n_layers && hl_attention_get_n_heads (attention, (guint) found) > 0)
          return (guint) found;
      }
  return layer;
}

/* The layers that are combined, but for those without attention, of which there is nothing to combine. */
HlLayerSet
hl_head_selection_get_layers_with_heads (const HlHeadSelection *self,
                                         HlAttention           *attention)
{
  HlLayerSet layers = self->layers;

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_attention_get_n_heads (attention, layer) == 0)
      hl_layer_set_remove (&layers, layer);
  return layers;
}

/* The first head of the first layer alone, and all layers. */
void
hl_head_selection_init (HlHeadSelection *self,
                        HlAttention     *attention)
{
  memset (self, 0, sizeof *self);
  set_list (self, &(HlHeadSet){ { 1 } }, &(HlHeadSet){ { 1 } }, NULL, 0);
  hl_head_selection_fit (self, attention);
}

HlHeadSelection
hl_head_selection_copy (const HlHeadSelection *self)
{
  HlHeadSelection copy = *self;

  if (copy.list != NULL)
    g_atomic_rc_box_acquire (copy.list);
  return copy;
}

void
hl_head_selection_clear (HlHeadSelection *self)
{
  g_clear_pointer (&self->list, g_atomic_rc_box_release);
}

/* The same, in the same order. */
gboolean
hl_head_selection_same_heads (const HlHeadSelection *a,
                              const HlHeadSelection *b)
{
  return a->list == b->list || (a->list != NULL && b->list != NULL && a->list->n == b->list->n &&
                                hl_head_set_equal (&a->list->combined, &b->list->combined) &&
                                memcmp (a->list->places, b->list->places, a->list->n * sizeof *a->list->places) == 0);
}

gboolean
hl_head_selection_equal (const HlHeadSelection *a,
                         const HlHeadSelection *b)
{
  return a->layer == b->layer && a->head == b->head && hl_layer_set_equal (&a->layers, &b->layers) &&
         hl_head_selection_same_heads (a, b);
}

/* How many heads are chosen. */
guint
hl_head_selection_get_n (const HlHeadSelection *self)
{
  return self->list != NULL ? self->list->n : 0;
}

static const HlHeadSet none = { { 0 } };

/* Those that go along with the layer, as far as it has them; may be none. */
const HlHeadSet *
hl_head_selection_get_heads (const HlHeadSelection *self)
{
  return self->list != NULL ? &self->list->heads : &none;
}

/* Those that become one in each layer where heads do, also such as only other layers have; for all, as many as there can be. */
const HlHeadSet *
hl_head_selection_get_combined (const HlHeadSelection *self)
{
  return self->list != NULL ? &self->list->combined : &none;
}

/* Whether all heads of whichever layer are chosen. */
gboolean
hl_head_selection_has_all (const HlHeadSelection *self,
                           HlAttention           *attention)
{
  return hl_head_set_count (hl_head_selection_get_combined (self)) >= hl_attention_get_max_heads (attention);
}

/* Those that have a layer of their own. It may have become the one that is looked at. */
const HlHeadPlace *
hl_head_selection_get_others (const HlHeadSelection *self,
                              guint                 *n)
{
  *n = self->list != NULL ? self->list->n - self->list->n_own : 0;
  return self->list != NULL ? self->list->places + self->list->n_own : NULL;
}

/* What the attention does not have goes; of what was not empty one stays. */
void
hl_head_selection_fit (HlHeadSelection *self,
                       HlAttention     *attention)
{
  const guint n_layers = hl_attention_get_n_layers (attention);
  HlHeadSet combined = *hl_head_selection_get_combined (self);
  HlHeadSet heads = combined;
  const gboolean was_empty = hl_head_set_count (&combined) == 0;
  guint n;
  const HlHeadPlace *others = hl_head_selection_get_others (self, &n);
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof *others);

  self->layer = MIN (self->layer, n_layers - 1);
  self->layer = find_layer (attention, self->layer, self->layer);
  hl_head_set_truncate (&heads, get_n_heads (self, attention));
  truncate_combined (&combined, attention);
  self->head = MIN (self->head, get_n_heads (self, attention) - 1);
  if (!was_empty && hl_head_set_count (&heads) == 0)
    {
      hl_head_set_add (&heads, self->head);
      combined = heads;
    }

  for (guint i = 0; i < n; i++)
    if (others[i].layer < n_layers && others[i].head < hl_attention_get_n_heads (attention, others[i].layer))
      g_array_append_val (left, others[i]);
  if (left->len < n || !hl_head_set_equal (&heads, hl_head_selection_get_heads (self)) ||
      !hl_head_set_equal (&combined, hl_head_selection_get_combined (self)))
    set_list (self, &heads, &combined, &g_array_index (left, HlHeadPlace, 0), left->len);

  hl_layer_set_truncate (&self->layers, n_layers);
  const HlLayerSet layers = hl_head_selection_get_layers_with_heads (self, attention);
  if (hl_layer_set_count (&layers) == 0)
    for (guint layer = 0; layer < n_layers; layer++)
      hl_layer_set_add (&self->layers, layer);
}

/* Heads go along with the layer as far as it has them. */
void
hl_head_selection_set_layer (HlHeadSelection *self,
                             HlAttention     *attention,
                             guint            layer)
{
  self->layer = find_layer (attention, MIN (layer, hl_attention_get_n_layers (attention) - 1), self->layer);
  hl_head_selection_fit (self, attention);
}

/* Those that only other layers have are combined there. The first leads, unless the one that does is among them. */
void
hl_head_selection_set_heads (HlHeadSelection *self,
                             HlAttention     *attention,
                             const HlHeadSet *wanted)
{
  HlHeadSet heads = *wanted, combined = *wanted;
  guint n;
  const HlHeadPlace *others = hl_head_selection_get_others (self, &n);

  hl_head_set_truncate (&heads, get_n_heads (self, attention));
  truncate_combined (&combined, attention);
  set_list (self, &heads, &combined, others, n);
  if (hl_head_set_count (&heads) == 0 || hl_head_set_contains (&heads, self->head))
    return;
  for (self->head = 0; !hl_head_set_contains (&heads, self->head);)
    self->head++;
}

/* Beside them those of the layer are single heads, whatever other layers have. */
void
hl_head_selection_set_others (HlHeadSelection   *self,
                              const HlHeadPlace *others,
                              guint              n)
{
  const HlHeadSet heads = *hl_head_selection_get_heads (self);
  const HlHeadSet combined = n > 0 ? heads : *hl_head_selection_get_combined (self);

  set_list (self, &heads, &combined, others, n);
}

/* One head alone; past the last, the last. */
void
hl_head_selection_go_to (HlHeadSelection *self,
                         HlAttention     *attention,
                         guint            layer,
                         guint            head)
{
  HlHeadSet heads = { { 0 } };

  self->layer = find_layer (attention, MIN (layer, hl_attention_get_n_layers (attention) - 1), self->layer);
  self->head = MIN (head, get_n_heads (self, attention) - 1);
  hl_head_set_add (&heads, self->head);
  set_list (self, &heads, &heads, NULL, 0);
}

/* Goes to the layer of the first head that has one of its own. All of that layer go along then. */
void
hl_head_selection_lead_other (HlHeadSelection *self,
                              HlAttention     *attention)
{
  g_auto (HlHeadSelection) before = hl_head_selection_copy (self);
  guint n;
  const HlHeadPlace *others = hl_head_selection_get_others (&before, &n);
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof *others);
  HlHeadSet heads = { { 0 } };

  g_return_if_fail (n > 0);

  hl_head_selection_go_to (self, attention, others[0].layer, others[0].head);
  for (guint i = 0; i < n; i++)
    if (others[i].layer == self->layer)
      hl_head_set_add (&heads, others[i].head);
    else
      g_array_append_val (left, others[i]);
  hl_head_selection_set_heads (self, attention, &heads);
  hl_head_selection_set_others (self, &g_array_index (left, HlHeadPlace, 0), left->len);
}

/* Adds a head to those shown together, or takes it away. When the layer that is looked at has no more of them, that of
 * the next is. */
void
hl_head_selection_toggle (HlHeadSelection *self,
                          HlAttention     *attention,
                          guint            layer,
                          guint            head)
{
  HlHeadSet heads = *hl_head_selection_get_heads (self);
  guint n, index;
  const HlHeadPlace *others = hl_head_selection_get_others (self, &n);
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof *others);
  const gboolean is_other = hl_head_places_find (others, n, layer, head, &index);

  if (!is_other && layer == self->layer)
    {
      if (hl_head_set_contains (&heads, head))
        hl_head_set_remove (&heads, head);
      else
        hl_head_set_add (&heads, head);
      hl_head_selection_set_heads (self, attention, &heads);
      if (hl_head_set_count (&heads) == 0 && n > 0)
        hl_head_selection_lead_other (self, attention);
      return;
    }
  if (!is_other && hl_head_set_count (&heads) == 0)
    {
      hl_head_selection_go_to (self, attention, layer, head);
      return;
    }
  g_array_append_vals (changed, others, n);
  if (is_other)
    g_array_remove_index (changed, index);
  else
    g_array_append_vals (changed, &(HlHeadPlace){ layer, head }, 1);
  hl_head_selection_set_others (self, &g_array_index (changed, HlHeadPlace, 0), changed->len);
}
