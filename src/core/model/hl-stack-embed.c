/* SPDX-License-Identifier: MIT */
/* What goes into the first layer: rows of the tables of words, positions and segments, or what is made of pixels. */
#include "core/model/hl-stack-embed.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"

/* Adds a row of a table, or makes it the first. */
static gboolean
take_row (HlTensor *table,
          guint64   row,
          gsize     width,
          gboolean  add,
          float    *scratch,
          float    *target,
          GError  **error)
{
  const guint64 start[2] = { row, 0 }, count[2] = { 1, width };

  if (!hl_tensor_read_f32 (table, start, count, add ? scratch : target, NULL, error))
    return FALSE;
  for (gsize i = 0; add && i < width; i++)
    target[i] += scratch[i];
  return TRUE;
}

static gboolean
check_pixels (const HlStack    *self,
              const HlStackRun *run,
              GError          **error)
{
  if (run->pixels == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the model takes pixels, and no text"));
      return FALSE;
    }
  return hl_patches_check (self->patches, run->pixels, error);
}

gboolean
hl_stack_check_run (const HlStack    *self,
                    const HlStackRun *run,
                    GError          **error)
{
  if (self->patches != NULL)
    return check_pixels (self, run, error);
  const guint64 n_words = hl_tensor_get_shape (self->words)->dims[0];

  if (run->n_tokens == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the text has no tokens"));
      return FALSE;
    }
  if (self->positions != NULL && hl_past_get_n (run->past) + run->n_tokens > self->max_length)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the text has %zu tokens; the model takes at most %zu"),
                   hl_past_get_n (run->past) + run->n_tokens, self->max_length);
      return FALSE;
    }
  for (gsize i = 0; i < run->n_tokens; i++)
    {
      if (run->ids[i] >= n_words)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("token %u is none of the %" PRIu64
                          " that the weights have rows for; the tokenizer is of another model"),
                       run->ids[i], n_words);
          return FALSE;
        }
      if (self->segments != NULL && run->segments != NULL && run->segments[i] >= self->n_segments)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("the model tells %zu texts apart, and a token is of number %u"), self->n_segments,
                       run->segments[i] + 1);
          return FALSE;
        }
    }
  return TRUE;
}

/* Sines, then cosines, of frequencies that fall from 1 to 1/10000, or, where they are @whole, to that itself. A feature too many has nothing
 * then. */
static void
add_sinusoid (gsize    position,
              gsize    width,
              gboolean whole,
              float   *target)
{
  const gsize n_sines = whole ? width / 2 : (width + 1) / 2;
  const double n_steps = whole ? MAX ((double) n_sines - 1, 1) : (double) width / 2;

  for (gsize i = 0; i < (whole ? 2 * n_sines : width); i++)
    {
      const gsize pair = i < n_sines ? i : i - n_sines;
      const double angle = (double) position / pow (10000, (double) pair / n_steps);
      target[i] += (float) (i < n_sines ? sin (angle) : cos (angle));
    }
}

static gboolean
add_positions (const HlStack    *self,
               const HlStackRun *run,
               gsize             width,
               float            *scratch,
               float            *rows,
               GError          **error)
{
  guint64 n_seen = 0;

  for (gsize i = 0; i < run->n_tokens; i++)
    {
      const gsize position = hl_past_get_n (run->past) + i;
      const gboolean is_padding = run->ids[i] == self->padding_id;
      guint64 row = position + self->family->position_offset;

      if (self->position_kind == HL_POSITIONS_SINUSOID)
        add_sinusoid (position, width, FALSE, rows + i * width);
      if (self->position_kind == HL_POSITIONS_AFTER_PADDING)
        row = is_padding ? self->padding_id : self->padding_id + hl_past_get_n (run->past) + ++n_seen;
      if (self->position_kind == HL_POSITIONS_SINUSOID_AFTER_PADDING && !is_padding)
        add_sinusoid (self->padding_id + hl_past_get_n (run->past) + ++n_seen, width, TRUE, rows + i * width);
      if (self->positions != NULL && !take_row (self->positions, row, width, TRUE, scratch, rows + i * width, error))
        return FALSE;
    }
  return TRUE;
}

/* What words are multiplied by. Where the masking token has no embedding, others make up for that as in the training, in which 12 % of the
 * tokens were masked so. */
static float
get_word_scale (const HlStack    *self,
                const HlStackRun *run)
{
  gsize n_masked = 0;

  for (gsize i = 0; self->drops_mask && i < run->n_tokens; i++)
    n_masked += run->ids[i] == self->mask_id;
  if (!self->drops_mask || n_masked == run->n_tokens)
    return self->word_scale;
  return self->word_scale * (1 - 0.15f * 0.8f) / (1 - (float) n_masked / (float) run->n_tokens);
}

/* Of pixels. */
static gboolean
embed_patches (const HlStack    *self,
               const HlStackRun *run,
               float            *target,
               GError          **error)
{
  g_return_val_if_fail (run->n_tokens == hl_patches_count_tokens (self->patches, run->pixels), FALSE);

  if (!hl_patches_embed (self->patches, run->pixels, target, error))
    return FALSE;
  if (self->embedding_norm.weight != NULL)
    hl_norm_apply (&self->embedding_norm, run->n_tokens, self->width, target, self->width, target, self->width);
  return TRUE;
}

/* Writes what the first layer gets of the only text or image of @run, [n_tokens, width]. */
gboolean
hl_stack_embed (const HlStack    *self,
                const HlStackRun *run,
                float            *target,
                GError          **error)
{
  const gsize n = run->n_tokens;
  const gboolean projects = self->projection.tensor != NULL;
  const gboolean projects_first = projects && self->embedding_norm.weight == NULL;
  const gsize width = self->embedding_width;
  const float word_scale = get_word_scale (self, run);
  g_autofree float *scratch = g_new (float, MAX (width, self->width));
  g_autofree float *narrow = projects ? g_new (float, n *width) : NULL;
  float *rows = projects ? narrow : target;
  g_auto (HlScratch) room = { 0 };

  if (!hl_stack_check_run (self, run, error))
    return FALSE;
  if (self->patches != NULL)
    return embed_patches (self, run, target, error);
  for (gsize i = 0; i < n; i++)
    {
      float *row = rows + i * width;

      if (!take_row (self->words, run->ids[i], width, FALSE, NULL, row, error))
        return FALSE;
      for (gsize k = 0; word_scale != 1 && k < width; k++)
        row[k] *= word_scale;
      if (self->drops_mask && run->ids[i] == self->mask_id)
        memset (row, 0, width * sizeof *row);
      if (self->segments != NULL &&
          !take_row (self->segments, run->segments != NULL ? run->segments[i] : 0, width, TRUE, scratch, row, error))
        return FALSE;
    }
  if (!projects_first && !add_positions (self, run, width, scratch, rows, error))
    return FALSE;
  if (self->embedding_norm.weight != NULL)
    hl_norm_apply (&self->embedding_norm, n, width, rows, width, rows, width);
  if (projects)
    {
      hl_linear_apply (&self->projection, n, rows, width, target, self->width, &room);
      for (gsize i = 0; self->projection.bias != NULL && i < n * self->width; i++)
        target[i] += self->projection.bias[i % self->width];
    }
  return !projects_first || add_positions (self, run, self->width, scratch, target, error);
}
