/* SPDX-License-Identifier: MIT */
/* The rows of the token panel as a list model. A row stands for a rank, and is made when somebody asks for it: when the
 * pointer moves to another token all ranks stay, only what is at them differs. That is told by "refreshed", not by
 * replacing thousands of items. */
#include "app/tokens/hl-token-list.h"

#include "app/tokens/hl-token-row.h"

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
  /* Rows stay when nothing is listed: to have the widgets of two hundred made anew took 20 ms. */
  guint n_rows;
  guint n_reserved;
  guint reserve_id;
  gsize marked;
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
  return hl_token_row_new (HL_TOKEN_LIST (model), position);
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
  G_OBJECT_CLASS (hl_token_list_parent_class)->dispose (object);
}

static void
hl_token_list_class_init (HlTokenListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_token_list_dispose;

  /**
   * HlTokenList::refreshed:
   *
   * What rows stand for changed; there may be more or fewer of them.
   */
  signals[REFRESHED] = g_signal_new ("refreshed", HL_TYPE_TOKEN_LIST, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 0);
  /**
   * HlTokenList::settled:
   *
   * Some time has passed since rows were refreshed.
   */
  signals[SETTLED] = g_signal_new ("settled", HL_TYPE_TOKEN_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
hl_token_list_init (HlTokenList *self)
{
  self->marked = HL_TOKEN_LIST_NOTHING;
}

/**
 * hl_token_list_new:
 *
 * Returns: (transfer full): an empty list
 */
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

/**
 * hl_token_list_get_weights:
 * @self: a list
 *
 * Returns: (transfer none) (nullable): what is listed
 */
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

/**
 * hl_token_list_reserve:
 * @self: a list
 * @n: rows that are going to be listed
 *
 * Makes empty rows bit by bit when nothing else is to be done, so that the first token in focus need not wait for them.
 */
void
hl_token_list_reserve (HlTokenList *self,
                       gsize        n)
{
  g_return_if_fail (HL_IS_TOKEN_LIST (self));

  self->n_reserved = (guint) MIN (n, MAX_RESERVED);
  if (self->reserve_id == 0)
    self->reserve_id = g_idle_add_full (G_PRIORITY_LOW, on_reserve, self, NULL);
}

/**
 * hl_token_list_set_weights:
 * @self: a list
 * @weights: (nullable): an answer that was read; %NULL empties the rows, and they stay
 */
void
hl_token_list_set_weights (HlTokenList    *self,
                           HlTokenWeights *weights)
{
  g_return_if_fail (HL_IS_TOKEN_LIST (self));
  g_return_if_fail (weights == NULL || HL_IS_TOKEN_WEIGHTS (weights));

  if (!g_set_object (&self->weights, weights))
    return;
  if (weights != NULL)
    set_n_rows (self, hl_token_weights_get_n_rows (weights));
  refresh (self);
}

/**
 * hl_token_list_get_marked:
 * @self: a list
 *
 * Returns: the index in the attention of the token that stands out, or %HL_TOKEN_LIST_NOTHING
 */
gsize
hl_token_list_get_marked (HlTokenList *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_LIST (self), HL_TOKEN_LIST_NOTHING);

  return self->marked;
}

/**
 * hl_token_list_set_marked:
 * @self: a list
 * @index: the index in the attention of the token that is to stand out, or %HL_TOKEN_LIST_NOTHING
 */
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
