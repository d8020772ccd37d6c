/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-stack-run.h"

G_BEGIN_DECLS

/**
 * HlStackStream:
 * @first: its first row
 * @n: how many rows it has
 * @first_memory: its first row of the memory
 * @n_memory: how many of the memory
 * @rope_tables: what turns its queries and keys, by the rotary embedding of a layer; %NULL where no layer has it
 * @bias: (nullable): what is added to its scores
 * @n_distances: how many distances that is of
 * @distances: (nullable): what distance and content add to them, in the layer that is computed
 *
 * Rows that attend to one another, and to rows of the memory. Tables and biases depend on how many they are.
 */
typedef struct
{
  gsize first;
  gsize n;
  gsize first_memory;
  gsize n_memory;
  float *rope_tables[HL_N_LAYER_ROPES];
  float *bias;
  gsize n_distances;
  HlDistances *distances;
} HlStackStream;

/**
 * HlStackRows:
 * @run: what is run
 * @texts: (array length=n_texts): the first stream of each text
 * @n_texts: how many texts
 * @n_tokens: tokens of all texts
 * @n_streams: streams now; more when they part
 * @n_rows: rows of all streams
 *
 * Which rows of a pass belong together. Set by hl_stack_rows_init(), which wants zeros and may find no memory; cleared by
 * hl_stack_rows_clear() in any case.
 */
typedef struct
{
  const HlStackRun *run;
  HlStackStream *texts;
  gsize n_texts;
  gsize n_tokens;
  gsize n_streams;
  gsize n_rows;
} HlStackRows;

gboolean      hl_stack_rows_init          (HlStackRows       *self,
                                           const HlStack     *stack,
                                           const HlStackRun  *run,
                                           GError           **error);
void          hl_stack_rows_clear         (HlStackRows       *self);
void          hl_stack_rows_set_n_streams (HlStackRows       *self,
                                           gsize              n_streams);
HlStackStream hl_stack_rows_get_stream    (const HlStackRows *self,
                                           gsize              index);
gsize         hl_stack_rows_get_n_memory_streams
                                          (const HlStackRows *self);
gsize         hl_stack_rows_get_n_memory  (const HlStackRows *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlStackRows, hl_stack_rows_clear)

G_END_DECLS
