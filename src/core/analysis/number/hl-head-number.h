/* SPDX-License-Identifier: MIT */
/* The numbers that tell heads apart: a row of HL_HEAD_NUMBERS and a file each. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HL_HEAD_NUMBERS:
 *
 * All numbers, in the order of tables. What follows from a row: a value of #HlHeadStat and of #HlHeadMeasure, a column of every table and file,
 * an item to sort and to frame heads by, a line on a head's card.
 */
#define HL_HEAD_NUMBERS(ROW) \
  ROW (ENTROPY, entropy)     \
  ROW (DISTANCE, distance)   \
  ROW (FIRST, first)         \
  ROW (SPECIAL, special)     \
  ROW (PREVIOUS, previous)   \
  ROW (NEXT, next)           \
  ROW (SELF, self)           \
  ROW (SINK, sink)

#define HL_HEAD_NUMBER_STAT(NAME, nick) HL_HEAD_STAT_##NAME,

/**
 * HlHeadStat:
 * @HL_N_HEAD_STATS: how many there are
 *
 * Which number: what each is stands in its file.
 */
typedef enum {
  HL_HEAD_NUMBERS (HL_HEAD_NUMBER_STAT)
  HL_N_HEAD_STATS,
} HlHeadStat;

/**
 * HlHeadQuery:
 * @weights: [n_keys] what the query attends to; their sum is finite and not 0
 * @n_keys: keys of the map
 * @position: which key is at the query's own position, perhaps none of them
 * @special: [n_keys] whether a key is a special token
 * @is_derived: whether the row was made of others, so that it need not sum to 1
 *
 * A row of a head's map, and what is known of its query and its keys.
 */
typedef struct
{
  const float  *weights;
  gsize         n_keys;
  gint64        position;
  const guint8 *special;
  gboolean      is_derived;
} HlHeadQuery;

/**
 * HlHeadNumberNeeds:
 * @HL_HEAD_NUMBER_NEEDS_POSITIONS: that keys are of the queries' own text, one for each of its tokens
 * @HL_HEAD_NUMBER_NEEDS_TOKENS: that the keys' tokens are known
 *
 * What a number is not defined without.
 */
typedef enum {
  HL_HEAD_NUMBER_NEEDS_POSITIONS = 1 << 0,
  HL_HEAD_NUMBER_NEEDS_TOKENS = 1 << 1,
} HlHeadNumberNeeds;

/**
 * HlHeadNumber:
 * @nick: its name in tables that programs read, "first"
 * @label: on a head's card, to be translated: "on the first token"
 * @caption: of a figure, likewise: "weight on the first token"
 * @choice: where it is chosen, likewise: "First Token"
 * @title: of a column, likewise, in the context "table of heads": "First"
 * @column_width: of that column, in pixels
 * @is_share: whether it is a part of 1, which people read in percent
 * @needs: what it is not defined without
 * @measure: the number of a query, whose mean over queries is that of the head
 *
 * A number of a head.
 */
typedef struct
{
  const char       *nick;
  const char       *label;
  const char       *caption;
  const char       *choice;
  const char       *title;
  int               column_width;
  gboolean          is_share;
  HlHeadNumberNeeds needs;
  double (*measure) (const HlHeadQuery *query);
} HlHeadNumber;

#define HL_HEAD_NUMBER_DECLARE(NAME, nick) extern const HlHeadNumber hl_head_number_##nick;
HL_HEAD_NUMBERS (HL_HEAD_NUMBER_DECLARE)

const HlHeadNumber *hl_head_number_get (HlHeadStat stat);

G_END_DECLS
