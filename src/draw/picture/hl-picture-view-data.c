/* SPDX-License-Identifier: MIT */
#include "draw/picture/hl-picture-view-data.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "draw/scene/hl-map-read.h"

static void
clear (HlSceneData *data)
{
  HlPictureViewData *self = (HlPictureViewData *) data;

  g_object_unref (self->attention);
  g_object_unref (self->source);
  g_clear_object (&self->whole);
  g_free (self->heads);
  g_free (self->map);
  g_free (self->is_left);
  g_free (self->received);
}

static gboolean
equal (const HlSceneData *self,
       const HlSceneData *other)
{
  const HlPictureViewData *a = (const HlPictureViewData *) self;
  const HlPictureViewData *b = (const HlPictureViewData *) other;

  return a->source == b->source && hl_range_equal (a->queries, b->queries) && hl_range_equal (a->keys, b->keys) &&
         a->n_heads == b->n_heads &&
         (a->n_heads == 0 || memcmp (a->heads, b->heads, a->n_heads * sizeof *a->heads) == 0);
}

/* Filters may take more, lest they make it too large. */
static gboolean
check_size (const HlPictureViewData *self,
            GError                 **error)
{
  const guint n_maps = self->n_heads > 1 ? 2 : 1;

  if ((double) self->queries.n * (double) self->keys.n * sizeof (float) * n_maps <= HL_LIMIT_PICTURE_MAP)
    return TRUE;
  g_autofree char *budget = g_format_size_full (HL_LIMIT_PICTURE_MAP, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("a map of %zu queries and %zu keys does not fit into %s; the heatmap shows it"), self->queries.n,
               self->keys.n, budget);
  return FALSE;
}

void
hl_picture_view_ends_init (HlPictureViewEnds *self)
{
  *self = (HlPictureViewEnds){ INFINITY, INFINITY, -INFINITY };
}

void
hl_picture_view_ends_take (HlPictureViewEnds *self,
                           float              value)
{
  if (!isfinite (value))
    return;
  self->min = MIN (self->min, value);
  self->max = MAX (self->max, value);
  if (value > 0)
    self->min_positive = MIN (self->min_positive, value);
}

/* 0 where a filter leaves nothing; −0 stays, which is masked. */
static float
get_cell (const HlPictureViewData *self,
          gsize                    cell)
{
  return self->is_left != NULL && !self->is_left[cell] && self->map[cell] != 0 ? 0 : self->map[cell];
}

/* What is the same token on both sides is on the diagonal. */
static void
find_ends (HlPictureViewData *self)
{
  const gboolean has_diagonal = hl_attention_has_same_tokens (self->attention);

  hl_picture_view_ends_init (&self->ends);
  hl_picture_view_ends_init (&self->off_ends);
  for (gsize i = 0; i < self->queries.n; i++)
    for (gsize j = 0; j < self->keys.n; j++)
      {
        const float value = get_cell (self, i * self->keys.n + j);
        hl_picture_view_ends_take (&self->ends, value);
        if (!has_diagonal || self->queries.first + i != self->keys.first + j)
          hl_picture_view_ends_take (&self->off_ends, value);
      }
}

/*
 * What a key gets on average; a difference of tokens that only one side has is none. What is left of one query counts with
 * all, as where all are gathered.
 */
static void
find_received (HlPictureViewData *self)
{
  const gsize n = MAX (self->ranges[self->receivers].n, 1);
  g_autofree gboolean *is_left = g_new0 (gboolean, n);
  g_autofree double *sums = g_new0 (double, n);
  g_autofree gsize *counts = g_new0 (gsize, n);

  self->received = g_new (float, n);
  for (gsize i = 0; i < self->queries.n; i++)
    for (gsize j = 0; j < self->keys.n; j++)
      {
        const gsize cell = i * self->keys.n + j, receiver = self->receivers == HL_KEYS ? j : i;
        is_left[receiver] |= self->is_left == NULL || self->is_left[cell];
        if (isfinite (self->map[cell]))
          {
            sums[receiver] += self->map[cell];
            counts[receiver]++;
          }
      }
  for (gsize i = 0; i < self->ranges[self->receivers].n; i++)
    self->received[i] = counts[i] == 0 ? NAN : is_left[i] ? (float) (sums[i] / (double) counts[i]) : 0;
}

static gboolean
read_numbers (HlSceneData       *data,
              const HlSceneData *known,
              GCancellable      *cancellable,
              GError           **error)
{
  HlPictureViewData *self = (HlPictureViewData *) data;
  HlAttentionSource *numbers = self->whole != NULL ? self->whole : self->source;
  const gsize n = self->queries.n * self->keys.n;

  if (!check_size (self, error))
    return FALSE;
  self->map = g_new (float, MAX (n, 1));
  self->is_left = self->whole != NULL ? g_new0 (guint8, MAX (n, 1)) : NULL;
  g_autofree float *one = self->n_heads > 1 || self->whole != NULL ? g_new (float, MAX (n, 1)) : NULL;
  /* −0 is what is masked: it stays so where all heads mask it. */
  for (gsize i = 0; i < n; i++)
    self->map[i] = -0.0f;
  for (guint i = 0; n > 0 && i < self->n_heads; i++)
    {
      if (self->whole != NULL)
        {
          if (!hl_map_read (self->source, &self->heads[i], self->queries, self->keys, one, cancellable, error))
            return FALSE;
          for (gsize k = 0; k < n; k++)
            self->is_left[k] |= one[k] != 0;
        }
      if (!hl_map_read (numbers, &self->heads[i], self->queries, self->keys, one != NULL ? one : self->map, cancellable,
                        error))
        return FALSE;
      for (gsize k = 0; one != NULL && k < n; k++)
        self->map[k] += one[k] / (float) self->n_heads;
    }
  find_ends (self);
  find_received (self);
  return TRUE;
}

static const HlSceneDataClass data_class = { equal, read_numbers, clear };

HlPictureViewData *
hl_picture_view_data_new (const HlShown *shown)
{
  HlPictureViewData *self = g_atomic_rc_box_new0 (HlPictureViewData);

  self->parent.klass = &data_class;
  self->attention = g_object_ref (shown->attention);
  self->source = g_object_ref (shown->filtered);
  /* Cumulative mass is of what is left. */
  if (shown->filtered != shown->source && !shown->is_cumulative)
    self->whole = g_object_ref (shown->source);
  self->is_signed = hl_attention_source_is_signed (shown->filtered);
  self->heads = hl_shown_list_heads (shown, &self->n_heads);
  self->queries = shown->queries;
  self->keys = shown->keys;
  self->receivers = hl_attention_is_transposed (shown->attention) ? HL_QUERIES : HL_KEYS;
  return self;
}

/* Both of the shown attention. */
float
hl_picture_view_data_get (const HlPictureViewData *self,
                          gsize                    query,
                          gsize                    key)
{
  return get_cell (self, (query - self->queries.first) * self->keys.n + key - self->keys.first);
}

typedef struct
{
  const HlPictureViewData *data;
  HlSide side;
} Row;

static gboolean
copy_row_left (gsize    token,
               float   *target,
               gpointer data)
{
  const Row *row = data;
  const HlPictureViewData *self = row->data;
  const gsize n = self->ranges[hl_side_get_other (row->side)].n;

  for (gsize i = 0; i < n; i++)
    target[i] = self->is_left[row->side == HL_QUERIES ? (token - self->queries.first) * self->keys.n + i
                                                      : i * self->keys.n + token - self->keys.first];
  return TRUE;
}

/* The weights of a token over the other side; of several, their mean or their sum, of which nothing is missing that is left in one. */
void
hl_picture_view_data_get_row (const HlPictureViewData *self,
                              const HlFocus           *focus,
                              float                   *target)
{
  Row row = { self, hl_pick_get_side (&focus->pick) };
  const gsize n = self->ranges[hl_side_get_other (row.side)].n;
  g_autofree gboolean *is_left = self->is_left != NULL ? g_new0 (gboolean, MAX (n, 1)) : NULL;

  HlMapRow whole = { self->map, self->queries, self->keys, row.side };
  hl_focus_combine (focus, self->attention, n, hl_map_copy_row, &whole, target);
  if (is_left == NULL)
    return;
  hl_focus_mark_left (focus, n, copy_row_left, &row, is_left);
  for (gsize i = 0; i < n; i++)
    if (!is_left[i] && target[i] != 0)
      target[i] = 0;
}
