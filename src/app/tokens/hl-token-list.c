/* SPDX-License-Identifier: MIT */
/* The rows of the token panel as a list model. A row stands for a rank, or a place in the text, and is made when somebody asks for it: when the
 * pointer moves to another token all ranks stay, only what is at them differs. That is told by "refreshed", not by
 * replacing thousands of items. */
#include "app/tokens/hl-token-list.h"

#include "app/tokens/hl-swatches.h"
#include "app/tokens/hl-token-weights-text.h"
#include "draw/text/hl-token-label.h"
#include "view/hl-weight-text.h"

#include <glib/gi18n.h>
#include <math.h>

/* Rows that were bound tell screen readers their text only when the pointer rests: a signal on the bus per row and
 * movement would cost more than drawing them. */
#define SETTLE_MILLISECONDS 150

/* GTK makes widgets for about two hundred rows however many there are; so many take two milliseconds. */
#define MAX_RESERVED 256
#define RESERVED_AT_ONCE 16

struct _HlTokenList
{
  GObject parent_instance;

  HlTokenWeights *weights;
  HlSwatches swatches;
  /* Rows stay when nothing is listed: to have the widgets of two hundred made anew took 20 ms. */
  guint n_rows;
  gboolean in_text_order;
  guint place_length;
  guint n_reserved;
  guint reserve_id;
  gsize marked;
  HlPick pointed; /* what the pointer is over, if that is a head */
  guint settle_id;
};

enum
{
  REFRESHED,
  SETTLED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void hl_token_list_iface_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlTokenList,
                               hl_token_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, hl_token_list_iface_init))

/* A place in the list and nothing else, so that a list of thousands costs nothing until it is scrolled to. */
struct _HlTokenRow
{
  GObject parent_instance;

  HlTokenList *list;
  guint position;
};

G_DEFINE_FINAL_TYPE (HlTokenRow, hl_token_row, G_TYPE_OBJECT)

static void
hl_token_row_finalize (GObject *object)
{
  g_clear_object (&HL_TOKEN_ROW (object)->list);
  G_OBJECT_CLASS (hl_token_row_parent_class)->finalize (object);
}

static void
hl_token_row_class_init (HlTokenRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_token_row_finalize;
}

static void
hl_token_row_init (HlTokenRow *self)
{
}

static HlTokenRow *
new_row (HlTokenList *list,
         guint        position)
{
  HlTokenRow *self = g_object_new (HL_TYPE_TOKEN_ROW, NULL);

  self->list = g_object_ref (list);
  self->position = position;
  return self;
}

HlTokenList *
hl_token_row_get_list (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  return self->list;
}

/* Of the weights, which it is by strength. */
static guint
get_rank (HlTokenRow *self)
{
  return self->list->in_text_order ? hl_token_weights_get_nth_in_text (self->list->weights, self->position)
                                   : self->position;
}

/* NULL when the list has become shorter. */
const HlTokenWeight *
hl_token_row_get_weight (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  HlTokenWeights *weights = hl_token_list_get_weights (self->list);
  if (weights == NULL || self->position >= hl_token_weights_get_n_rows (weights))
    return NULL;
  return hl_token_weights_get_row (weights, get_rank (self));
}

const float *
hl_token_row_get_parts (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  return hl_token_row_get_weight (self) != NULL
           ? hl_token_weights_get_parts (hl_token_list_get_weights (self->list), get_rank (self))
           : NULL;
}

/* Of a token that stands for a part of an image, that part: see hl_swatches_lookup(). NULL of others. */
GdkTexture *
hl_token_row_get_swatch (HlTokenRow *self,
                         double      size,
                         int         scale)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  HlTokenWeights *weights = hl_token_list_get_weights (self->list);
  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  if (weight == NULL)
    return NULL;
  return hl_swatches_lookup (&self->list->swatches, hl_token_weights_get_attention (weights),
                             hl_token_weights_get_side (weights), weight->index, size, scale);
}

/* Everything in it is visible, and rows begin on the same side whatever their letters. */
char *
hl_token_row_dup_token (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  return weight != NULL
           ? hl_token_text_quote (hl_token_weights_get_text (hl_token_list_get_weights (self->list), weight->index))
           : NULL;
}

/* Whether it stands for a part of an image: its name ends with what tells it from its like. */
gboolean
hl_token_row_is_patch (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), FALSE);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  HlTokenWeights *weights = hl_token_list_get_weights (self->list);
  HlPicturePatch patch;
  return weight != NULL && hl_attention_find_patch (hl_token_weights_get_attention (weights),
                                                    hl_token_weights_get_side (weights), weight->index, &patch);
}

/* Where it stands, which tells it from its like: "8", or "B 8" of two sentences. */
char *
hl_token_row_dup_place (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  return weight != NULL ? hl_token_weights_dup_place (hl_token_list_get_weights (self->list), weight->index) : NULL;
}

char *
hl_token_row_dup_spelling (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  return weight != NULL ? hl_token_weights_dup_spelling (hl_token_list_get_weights (self->list), weight->index) : NULL;
}

gboolean
hl_token_row_is_marked (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), FALSE);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  return weight != NULL && weight->index == hl_token_list_get_marked (self->list);
}

/* A dash where one of two sides has none. */
char *
hl_token_row_dup_number (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  char number[HL_WEIGHT_TEXT_SIZE];

  if (weight == NULL)
    return NULL;
  if (isnan (weight->mean) && hl_token_weights_has_sides (hl_token_list_get_weights (self->list)))
    return g_strdup ("–");
  return g_strdup (weight->is_masked ? _ ("masked") : hl_weight_text_format (weight->mean, number));
}

char *
hl_token_row_dup_side_number (HlTokenRow *self,
                              guint       which)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);
  g_return_val_if_fail (which < 2, NULL);

  const HlTokenWeight *weight = hl_token_row_get_weight (self);
  return weight != NULL ? hl_token_weights_describe_side (weight, which) : NULL;
}

/* What a screen reader says: “flies, position 8, 0.41”. */
char *
hl_token_row_dup_label (HlTokenRow *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_ROW (self), NULL);

  HlTokenWeights *weights = hl_token_list_get_weights (self->list);
  if (hl_token_row_get_weight (self) == NULL)
    return NULL;
  const gsize position = hl_token_weights_get_position (weights, hl_token_row_get_weight (self)->index);
  g_autofree char *token = hl_token_row_dup_token (self);
  g_autofree char *number = hl_token_row_dup_number (self);
  if (!hl_token_weights_has_sides (weights))
    /* Translators: a token, where it stands in the text, and its weight */
    return g_strdup_printf (_ ("%s, position %zu, %s"), token, position, number);
  g_autofree char *first = hl_token_row_dup_side_number (self, 0);
  g_autofree char *second = hl_token_row_dup_side_number (self, 1);
  if (hl_token_weights_is_difference (weights))
    /* Translators: a token, its weight on the first and on the second side of a comparison, and how much it changed */
    return g_strdup_printf (_ ("%s: %s, other side %s, difference %s"), token, first, second, number);
  /* Translators: a token, its weight on the first and on the second side of a comparison */
  return g_strdup_printf (_ ("%s: %s, other side %s"), token, first, second);
}

static GType
hl_token_list_get_item_type (GListModel *model)
{
  return HL_TYPE_TOKEN_ROW;
}

static guint
hl_token_list_get_n_items (GListModel *model)
{
  return HL_TOKEN_LIST (model)->n_rows;
}

static gpointer
hl_token_list_get_item (GListModel *model,
                        guint       position)
{
  if (position >= hl_token_list_get_n_items (model))
    return NULL;
  return new_row (HL_TOKEN_LIST (model), position);
}

static void
hl_token_list_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = hl_token_list_get_item_type;
  iface->get_n_items = hl_token_list_get_n_items;
  iface->get_item = hl_token_list_get_item;
}

static void
hl_token_list_dispose (GObject *object)
{
  HlTokenList *self = HL_TOKEN_LIST (object);

  g_clear_handle_id (&self->settle_id, g_source_remove);
  g_clear_handle_id (&self->reserve_id, g_source_remove);
  g_clear_object (&self->weights);
  hl_swatches_clear (&self->swatches);
  G_OBJECT_CLASS (hl_token_list_parent_class)->dispose (object);
}

static void
hl_token_list_class_init (HlTokenListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_token_list_dispose;

  /* What rows stand for changed; there may be more or fewer of them. */
  signals[REFRESHED] =
    g_signal_new ("refreshed", HL_TYPE_TOKEN_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* Some time has passed since rows were refreshed. */
  signals[SETTLED] =
    g_signal_new ("settled", HL_TYPE_TOKEN_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_token_list_init (HlTokenList *self)
{
  self->marked = HL_TOKEN_LIST_NOTHING;
}

HlTokenList *
hl_token_list_new (void)
{
  return g_object_new (HL_TYPE_TOKEN_LIST, NULL);
}

static gboolean
on_settle (gpointer user_data)
{
  HlTokenList *self = HL_TOKEN_LIST (user_data);

  self->settle_id = 0;
  g_signal_emit (self, signals[SETTLED], 0);
  return G_SOURCE_REMOVE;
}

static void
refresh (HlTokenList *self)
{
  g_signal_emit (self, signals[REFRESHED], 0);
  g_clear_handle_id (&self->settle_id, g_source_remove);
  self->settle_id = g_timeout_add (SETTLE_MILLISECONDS, on_settle, self);
}

HlTokenWeights *
hl_token_list_get_weights (HlTokenList *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_LIST (self), NULL);

  return self->weights;
}

static void
set_n_rows (HlTokenList *self,
            guint        n)
{
  const guint n_before = self->n_rows;
  const guint n_common = MIN (n_before, n);

  self->n_rows = n;
  if (n != n_before)
    g_list_model_items_changed (G_LIST_MODEL (self), n_common, n_before - n_common, n - n_common);
}

static gboolean
on_reserve (gpointer user_data)
{
  HlTokenList *self = HL_TOKEN_LIST (user_data);
  const guint n = MIN (self->n_rows + RESERVED_AT_ONCE, self->n_reserved);

  if (n > self->n_rows)
    {
      set_n_rows (self, n);
      return G_SOURCE_CONTINUE;
    }
  self->reserve_id = 0;
  return G_SOURCE_REMOVE;
}

/* Makes empty rows bit by bit when nothing else is to be done, so that the first token in focus need not wait for
 * them. */
void
hl_token_list_reserve (HlTokenList *self,
                       gsize        n)
{
  g_return_if_fail (HL_IS_TOKEN_LIST (self));

  self->n_reserved = (guint) MIN (n, MAX_RESERVED);
  if (self->reserve_id == 0)
    self->reserve_id = g_idle_add_full (G_PRIORITY_LOW, on_reserve, self, NULL);
}

/* That of the last token. */
static guint
find_place_length (HlTokenWeights *weights)
{
  const guint n = hl_token_weights_get_n_rows (weights);

  if (n == 0)
    return 0;
  const HlTokenWeight *last = hl_token_weights_get_row (weights, hl_token_weights_get_nth_in_text (weights, n - 1));
  g_autofree char *place = hl_token_weights_dup_place (weights, last->index);
  return (guint) g_utf8_strlen (place, -1);
}

/* Without an answer rows are empty, and stay. */
void
hl_token_list_set_weights (HlTokenList    *self,
                           HlTokenWeights *weights)
{
  g_return_if_fail (HL_IS_TOKEN_LIST (self));
  g_return_if_fail (weights == NULL || HL_IS_TOKEN_WEIGHTS (weights));

  if (!g_set_object (&self->weights, weights))
    return;
  if (weights != NULL)
    {
      self->place_length = find_place_length (weights);
      set_n_rows (self, hl_token_weights_get_n_rows (weights));
    }
  else
    hl_swatches_clear (&self->swatches);
  refresh (self);
}

/* Rather than strongest first. */
void
hl_token_list_set_in_text_order (HlTokenList *self,
                                 gboolean     in_text_order)
{
  g_return_if_fail (HL_IS_TOKEN_LIST (self));

  if (self->in_text_order == !!in_text_order)
    return;
  self->in_text_order = !!in_text_order;
  refresh (self);
}

/* How many characters the longest place has: all have the same room. */
guint
hl_token_list_get_place_length (HlTokenList *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_LIST (self), 0);

  return self->place_length;
}

gsize
hl_token_list_get_marked (HlTokenList *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_LIST (self), HL_TOKEN_LIST_NOTHING);

  return self->marked;
}

void
hl_token_list_set_marked (HlTokenList *self,
                          gsize        index)
{
  g_return_if_fail (HL_IS_TOKEN_LIST (self));

  if (self->marked == index)
    return;
  self->marked = index;
  refresh (self);
}

/* Whether the parts of a head stand back: the pointer is over another. */
gboolean
hl_token_list_dims_head (HlTokenList *self,
                         guint        colour)
{
  g_return_val_if_fail (HL_IS_TOKEN_LIST (self), FALSE);

  return self->pointed.kind == HL_PICK_HEAD && self->pointed.head != colour;
}

void
hl_token_list_set_pointed (HlTokenList  *self,
                           const HlPick *pick)
{
  g_return_if_fail (HL_IS_TOKEN_LIST (self));
  g_return_if_fail (pick != NULL);

  const HlPick pointed = pick->kind == HL_PICK_HEAD ? *pick : (HlPick){ HL_PICK_NONE };
  if (hl_pick_equal (&pointed, &self->pointed))
    return;
  self->pointed = pointed;
  refresh (self);
}
