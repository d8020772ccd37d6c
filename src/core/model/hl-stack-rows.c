/* SPDX-License-Identifier: MIT */
/* Texts stand one behind another, and streams of one text side by side: rows go through linear layers together, and attend apart. */
#include "core/model/hl-stack-rows.h"

#include "core/model/hl-stack-rule.h"

static gboolean
add_text (HlStackRows   *self,
          const HlStack *stack,
          gsize          n,
          gsize          n_memory,
          GError       **error)
{
  const HlStackStream *before = self->n_texts > 0 ? &self->texts[self->n_texts - 1] : NULL;
  const gsize n_past = hl_past_get_n (self->run->past);
  HlStackStream text = {
    .first = before != NULL ? before->first + before->n : 0,
    .n = n,
    .first_memory = before != NULL ? before->first_memory + before->n_memory : 0,
    .n_memory = n_memory,
  };
  gboolean done = TRUE;

  for (guint layer = 0; n > 0 && layer < stack->n_layers; layer++)
    {
      const HlLayerRope rope = stack->shapes[layer].rope;

      if (rope != HL_LAYER_ROPE_NONE && text.rope_tables[rope] == NULL)
        text.rope_tables[rope] =
          stack->family->grid_rope
            ? hl_patches_new_rope_table (stack->patches, self->run->pixels, hl_stack_get_rope (stack, rope))
            : hl_rope_new_table (hl_stack_get_rope (stack, rope), n_past, n);
    }
  if (n > 0)
    {
      gsize n_numbers;
      text.n_distances = 2 * n + n_past - 1;
      done = hl_stack_new_bias (stack, text.n_distances, n_past + n, &text.bias, &n_numbers, error);
      if (stack->distances != NULL)
        text.distances = hl_distance_table_find_rows (stack->distances, n);
    }
  self->texts[self->n_texts++] = text;
  return done;
}

gboolean
hl_stack_rows_init (HlStackRows      *self,
                    const HlStack    *stack,
                    const HlStackRun *run,
                    GError          **error)
{
  const gsize n_texts = run->lengths != NULL ? run->n_streams : 1;

  *self = (HlStackRows){ .run = run, .texts = g_new (HlStackStream, n_texts), .n_tokens = run->n_tokens };
  hl_stack_rows_set_n_streams (self, MAX (run->n_streams, 1));
  if (run->lengths == NULL)
    return add_text (self, stack, run->n_tokens, run->n_memory, error);
  for (gsize i = 0; i < n_texts; i++)
    if (!add_text (self, stack, run->lengths[i], run->memory_lengths != NULL ? run->memory_lengths[i] : 0, error))
      return FALSE;
  return TRUE;
}

void
hl_stack_rows_clear (HlStackRows *self)
{
  for (gsize i = 0; i < self->n_texts; i++)
    {
      for (guint j = 0; j < HL_N_LAYER_ROPES; j++)
        g_free (self->texts[i].rope_tables[j]);
      g_free (self->texts[i].bias);
      g_clear_pointer (&self->texts[i].distances, hl_distances_free);
    }
  g_free (self->texts);
}

void
hl_stack_rows_set_n_streams (HlStackRows *self,
                             gsize        n_streams)
{
  self->n_streams = n_streams;
  self->n_rows = self->run->lengths != NULL ? self->n_tokens : n_streams * self->n_tokens;
}

gsize
hl_stack_rows_get_n_memory_streams (const HlStackRows *self)
{
  return MAX (self->run->n_streams, 1);
}

/* Rows of the memory, of all streams. */
gsize
hl_stack_rows_get_n_memory (const HlStackRows *self)
{
  return self->run->memory_lengths != NULL ? self->run->n_memory
                                           : hl_stack_rows_get_n_memory_streams (self) * self->run->n_memory;
}

/* Streams that parted in this decoder ask the same memory. */
HlStackStream
hl_stack_rows_get_stream (const HlStackRows *self,
                          gsize              index)
{
  if (self->run->lengths != NULL)
    return self->texts[index];
  HlStackStream stream = self->texts[0];
  stream.first = index * stream.n;
  stream.first_memory = hl_stack_rows_get_n_memory_streams (self) > 1 ? index * stream.n_memory : 0;
  return stream;
}
