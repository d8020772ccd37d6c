/* SPDX-License-Identifier: MIT */
/* Keys and values that are kept. The room for them doubles, and is asked for before it is used. */
#include "core/model/hl-past.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hl-error.h"

/* What is kept may take this part of the machine's memory. */
#define MEMORY_SHARE 4

/* Tokens that there is room for at first. */
#define FIRST_ROOM 64

typedef struct
{
  float *keys;        /* [n_key_heads, capacity, head_size] */
  float *values;      /* [n_key_heads, capacity, value_size] */
  float *memory_keys; /* [n_key_heads, n_memory, head_size] */
  float *memory_values;
  HlDeltaState *state; /* of a layer without a map, once there was room for tokens */
  HlDeltaState *next;  /* with the tokens that are not finished */
} Kept;

struct _HlPast
{
  const HlStack *stack;
  gsize n;
  gsize capacity;
  gsize n_memory;
  Kept *layers; /* n_layers */
};

/* Begins with nothing. The stack must live as long. */
HlPast *
hl_past_new (const HlStack *stack)
{
  HlPast *self = g_new0 (HlPast, 1);

  self->stack = stack;
  self->layers = g_new0 (Kept, stack->n_layers);
  return self;
}

void
hl_past_free (HlPast *self)
{
  for (guint i = 0; i < self->stack->n_layers; i++)
    {
      g_free (self->layers[i].keys);
      g_free (self->layers[i].values);
      g_free (self->layers[i].memory_keys);
      g_free (self->layers[i].memory_values);
      g_clear_pointer (&self->layers[i].state, hl_delta_state_free);
      g_clear_pointer (&self->layers[i].next, hl_delta_state_free);
    }
  g_free (self->layers);
  g_free (self);
}

/* Returns the tokens whose keys are kept; none of %NULL. */
gsize
hl_past_get_n (const HlPast *self)
{
  return self != NULL ? self->n : 0;
}

/* Makes one of the arrays larger. */
static gboolean
grow (HlPast *self,
      gsize   capacity,
      guint   n_heads,
      gsize   size,
      float **rows)
{
  float *larger = g_try_new (float, n_heads *capacity *size);

  if (larger == NULL)
    return FALSE;
  for (guint head = 0; head < n_heads && self->n > 0; head++)
    memcpy (larger + head * capacity * size, *rows + head * self->capacity * size, self->n * size * sizeof *larger);
  g_free (*rows);
  *rows = larger;
  return TRUE;
}

/* Bytes that a token's keys and values take. */
static double
measure_token (const HlPast *self)
{
  double size = 0;

  for (guint layer = 0; layer < self->stack->n_layers; layer++)
    {
      const HlLayerShape *shape = &self->stack->shapes[layer];

      size += (double) shape->n_key_heads * (double) (shape->head_size + shape->value_size) * sizeof (float);
    }
  return size;
}

/* Bytes that are taken whatever the tokens are. */
static double
measure_states (const HlPast *self)
{
  double size = 0;

  for (guint layer = 0; layer < self->stack->n_layers; layer++)
    {
      const HlDeltaNet *net = hl_stack_get_layer (self->stack, layer)->delta;

      if (net != NULL)
        size += 2.0 * (double) hl_delta_net_get_state_size (net) * sizeof (float);
    }
  return size;
}

/* Makes room in a layer. */
static gboolean
grow_layer (HlPast *self,
            guint   layer,
            gsize   capacity)
{
  const HlLayerShape *shape = &self->stack->shapes[layer];
  const HlDeltaNet *net = hl_stack_get_layer (self->stack, layer)->delta;
  Kept *kept = &self->layers[layer];

  if (net != NULL && kept->state == NULL)
    kept->state = hl_delta_state_new (net);
  if (net != NULL && kept->next == NULL)
    kept->next = hl_delta_state_new (net);
  if (net != NULL && (kept->state == NULL || kept->next == NULL))
    return FALSE;
  return shape->n_key_heads == 0 || (grow (self, capacity, shape->n_key_heads, shape->head_size, &kept->keys) &&
                                     grow (self, capacity, shape->n_key_heads, shape->value_size, &kept->values));
}

/* Forgets all tokens of its own stack. */
static void
forget (HlPast *self)
{
  self->n = self->capacity = 0;
  for (guint layer = 0; layer < self->stack->n_layers; layer++)
    if (self->layers[layer].state != NULL)
      hl_delta_state_reset (self->layers[layer].state, hl_stack_get_layer (self->stack, layer)->delta);
}

/* Makes room for more tokens. More than may be kept change nothing; without memory all are forgotten. */
gboolean
hl_past_reserve (HlPast  *self,
                 gsize    n,
                 GError **error)
{
  const double budget = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE) / MEMORY_SHARE;
  const double token = measure_token (self), states = measure_states (self);
  gsize capacity = MAX (self->capacity, FIRST_ROOM);

  while (capacity < self->n + n && capacity <= G_MAXSIZE / 4)
    capacity *= 2;
  if (capacity == self->capacity)
    return TRUE;
  if ((double) capacity * token + states > budget)
    capacity = self->n + n;
  if ((double) capacity * token + states > budget)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("keys and values of %zu tokens take %.1f GB; %.1f GB of memory may be used"), capacity,
                   ((double) capacity * token + states) / 1e9, budget / 1e9);
      return FALSE;
    }
  for (guint layer = 0; layer < self->stack->n_layers; layer++)
    {
      if (grow_layer (self, layer, capacity))
        continue;
      /* What has grown has another size than the rest. */
      forget (self);
      return hl_error_set_no_memory (error);
    }
  self->capacity = capacity;
  return TRUE;
}

/* Puts [n_key_heads, n, head_size] and [n_key_heads, n, value_size] of a layer behind what is kept, for which there must be room. */
void
hl_past_append (HlPast      *self,
                guint        layer,
                gsize        n,
                const float *keys,
                const float *values)
{
  const HlLayerShape *shape = &self->stack->shapes[layer];
  const gsize size = shape->head_size, value_size = shape->value_size;

  g_return_if_fail (self->n + n <= self->capacity);

  for (guint head = 0; head < shape->n_key_heads; head++)
    {
      const gsize target = head * self->capacity + self->n;

      memcpy (self->layers[layer].keys + target * size, keys + head * n * size, n * size * sizeof (float));
      memcpy (self->layers[layer].values + target * value_size, values + head * n * value_size,
              n * value_size * sizeof (float));
    }
}

/* Says that all layers that are computed have so many tokens more. Until then, a pass can be left at any layer and made again. */
void
hl_past_finish (HlPast *self,
                gsize   n)
{
  g_return_if_fail (self->n + n <= self->capacity);

  self->n += n;
  for (guint layer = 0; layer < self->stack->n_run_layers; layer++)
    {
      HlDeltaState *state = self->layers[layer].state;

      self->layers[layer].state = self->layers[layer].next;
      self->layers[layer].next = state;
    }
}

/* Returns what is kept of a layer, with tokens that were appended and are not finished. */
HlKeptKeys
hl_past_get_kept (const HlPast *self,
                  guint         layer,
                  gsize         n_new)
{
  return (HlKeptKeys){
    .keys = self->layers[layer].keys,
    .values = self->layers[layer].values,
    .stride = self->capacity * self->stack->shapes[layer].head_size,
    .value_stride = self->capacity * self->stack->shapes[layer].value_size,
    .n_key_heads = self->stack->shapes[layer].n_key_heads,
    .n_keys = self->n + n_new,
  };
}

/* Returns whether keys of the encoder's tokens are there. */
gboolean
hl_past_has_memory (const HlPast *self,
                    guint         layer)
{
  return self->layers[layer].memory_keys != NULL;
}

/* Keeps [n_key_heads, n, head_size] and [n_key_heads, n, value_size] of the encoder's tokens. */
void
hl_past_take_memory (HlPast      *self,
                     guint        layer,
                     gsize        n,
                     const float *keys,
                     const float *values)
{
  const HlLayerShape *shape = &self->stack->shapes[layer];
  const gsize n_rows = shape->n_key_heads * n;

  self->n_memory = n;
  self->layers[layer].memory_keys = g_memdup2 (keys, n_rows * shape->head_size * sizeof *keys);
  self->layers[layer].memory_values = g_memdup2 (values, n_rows * shape->value_size * sizeof *values);
}

/* Returns what a layer without a map keeps of all tokens that are finished, for a pass to change. */
HlDeltaState *
hl_past_begin_state (HlPast *self,
                     guint   layer)
{
  Kept *kept = &self->layers[layer];

  hl_delta_state_copy (kept->next, kept->state, hl_stack_get_layer (self->stack, layer)->delta);
  return kept->next;
}

HlKeptKeys
hl_past_get_memory (const HlPast *self,
                    guint         layer)
{
  return (HlKeptKeys){
    .keys = self->layers[layer].memory_keys,
    .values = self->layers[layer].memory_values,
    .stride = self->n_memory * self->stack->shapes[layer].head_size,
    .value_stride = self->n_memory * self->stack->shapes[layer].value_size,
    .n_key_heads = self->stack->shapes[layer].n_key_heads,
    .n_keys = self->n_memory,
  };
}
