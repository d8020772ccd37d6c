/* SPDX-License-Identifier: MIT */
/* A row of the table of heads. */
#include "config.h"

#include "app/heads/hl-head-row.h"

#include <math.h>

struct _HlHeadRow
{
  GObject parent_instance;

  guint layer;
  guint head;
  guint index;
  HlHeadNumbers *numbers;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlHeadRow, hl_head_row, G_TYPE_OBJECT)

static void
hl_head_row_finalize (GObject *object)
{
  g_clear_pointer (&HL_HEAD_ROW (object)->numbers, hl_head_numbers_unref);
  G_OBJECT_CLASS (hl_head_row_parent_class)->finalize (object);
}

static void
hl_head_row_class_init (HlHeadRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_head_row_finalize;

  /**
   * HlHeadRow::changed:
   * @self: a row
   *
   * More is known of the head.
   */
  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_HEAD_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_head_row_init (HlHeadRow *self)
{
}

/**
 * hl_head_row_new:
 * @layer: a layer
 * @head: a head of it
 * @index: which of all heads it is
 *
 * Returns: (transfer full): a row that knows no numbers yet
 */
HlHeadRow *
hl_head_row_new (guint layer,
                 guint head,
                 guint index)
{
  HlHeadRow *self = g_object_new (HL_TYPE_HEAD_ROW, NULL);

  self->layer = layer;
  self->head = head;
  self->index = index;
  return self;
}

/**
 * hl_head_row_get_layer:
 * @self: a row
 *
 * Returns: the layer
 */
guint
hl_head_row_get_layer (HlHeadRow *self)
{
  g_return_val_if_fail (HL_IS_HEAD_ROW (self), 0);

  return self->layer;
}

/**
 * hl_head_row_get_head:
 * @self: a row
 *
 * Returns: the head
 */
guint
hl_head_row_get_head (HlHeadRow *self)
{
  g_return_val_if_fail (HL_IS_HEAD_ROW (self), 0);

  return self->head;
}

/**
 * hl_head_row_get_index:
 * @self: a row
 *
 * Returns: which of all heads it is
 */
guint
hl_head_row_get_index (HlHeadRow *self)
{
  g_return_val_if_fail (HL_IS_HEAD_ROW (self), 0);

  return self->index;
}

/**
 * hl_head_row_set_numbers:
 * @self: a row
 * @numbers: (nullable): what is known of the heads
 */
void
hl_head_row_set_numbers (HlHeadRow     *self,
                         HlHeadNumbers *numbers)
{
  g_return_if_fail (HL_IS_HEAD_ROW (self));

  if (self->numbers == numbers)
    return;
  g_clear_pointer (&self->numbers, hl_head_numbers_unref);
  if (numbers != NULL)
    self->numbers = hl_head_numbers_ref (numbers);
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * hl_head_row_get_value:
 * @self: a row
 * @column: a column
 *
 * Returns: what the table is sorted by in that column; NaN if it is not known, or not defined
 */
double
hl_head_row_get_value (HlHeadRow    *self,
                       HlHeadColumn  column)
{
  g_return_val_if_fail (HL_IS_HEAD_ROW (self), NAN);

  switch (column)
    {
    case HL_HEAD_COLUMN_LAYER:
      return self->layer * (double) HL_MAX_HEADS + self->head;
    case HL_HEAD_COLUMN_HEAD:
      return self->head * (double) HL_MAX_LAYERS + self->layer;
    case HL_HEAD_COLUMN_RANK:
      {
        HlPairRanking *ranking = self->numbers != NULL ? hl_head_numbers_get_ranking (self->numbers) : NULL;
        const guint rank = ranking != NULL ? hl_pair_ranking_get_rank (ranking, self->index) : 0;
        return rank > 0 ? rank : NAN;
      }
    case HL_HEAD_COLUMN_WEIGHT:
      return self->numbers != NULL ? hl_head_numbers_get (self->numbers, HL_HEAD_MEASURE_PAIR, self->index) : NAN;
    case HL_HEAD_COLUMN_CHANGE:
      return self->numbers != NULL ? hl_head_numbers_get (self->numbers, HL_HEAD_MEASURE_CHANGE, self->index) : NAN;
    default:
      if (self->numbers == NULL)
        return NAN;
      return hl_head_numbers_get (self->numbers, HL_HEAD_MEASURE_ENTROPY + column - HL_HEAD_COLUMN_STATS, self->index);
    }
}

/* A number that is known but not defined has a dash. */
static gboolean
is_known (HlHeadRow    *self,
          HlHeadColumn  column)
{
  if (self->numbers == NULL)
    return FALSE;
  if (column == HL_HEAD_COLUMN_CHANGE)
    return hl_head_numbers_knows (self->numbers, HL_HEAD_MEASURE_CHANGE);
  if (column < HL_HEAD_COLUMN_STATS)
    return hl_head_numbers_get_ranking (self->numbers) != NULL;
  return hl_head_numbers_get_stats (self->numbers, self->index) != NULL;
}

/**
 * hl_head_row_dup_text:
 * @self: a row
 * @column: a column
 *
 * Returns: (transfer full): what is written there; empty while it is not known
 */
char *
hl_head_row_dup_text (HlHeadRow    *self,
                      HlHeadColumn  column)
{
  const double value = hl_head_row_get_value (self, column);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (column == HL_HEAD_COLUMN_LAYER || column == HL_HEAD_COLUMN_HEAD)
    return g_strdup_printf ("%u", column == HL_HEAD_COLUMN_LAYER ? self->layer : self->head);
  if (!is_known (self, column))
    return g_strdup ("");
  if (isnan (value))
    return g_strdup ("–");
  if (column == HL_HEAD_COLUMN_RANK)
    return g_strdup_printf ("%u", (guint) value);
  /* Entropy and distance are no parts of 1. */
  const gboolean is_part =
    column == HL_HEAD_COLUMN_WEIGHT || column == HL_HEAD_COLUMN_CHANGE ||
    column >= HL_HEAD_COLUMN_STATS + HL_HEAD_STAT_FIRST;
  return g_strdup (g_ascii_formatd (number, sizeof number, is_part ? "%.3f" : "%.2f", value));
}
