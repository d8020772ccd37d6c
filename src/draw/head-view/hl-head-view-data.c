/* SPDX-License-Identifier: MIT */
/* The weights that a head view shows. */
#include "draw/head-view/hl-head-view-data.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "draw/head-view/hl-head-view-layout.h"
#include "draw/lines/hl-line-raster.h"
#include "draw/lines/hl-line-strength.h"
#include "draw/scene/hl-map-read.h"

static void
clear (HlSceneData *data)
{
  HlHeadViewData *self = (HlHeadViewData *) data;

  for (guint i = 0; i < self->n_heads; i++)
    {
      g_clear_pointer (&self->weights[i], g_bytes_unref);
      g_clear_pointer (&self->lines[i], g_bytes_unref);
      if (self->negated != NULL)
        g_clear_pointer (&self->negated[i], g_bytes_unref);
    }
  g_free (self->weights);
  g_free (self->lines);
  g_free (self->negated);
  g_clear_pointer (&self->means, g_bytes_unref);
  g_free (self->heads);
  g_object_unref (self->source);
  g_clear_object (&self->whole);
  g_object_unref (self->attention);
}

static gboolean
is_same_part (const HlHeadViewData *a,
              const HlHeadViewData *b)
{
  return a->source == b->source && hl_range_equal (a->queries, b->queries) && hl_range_equal (a->keys, b->keys) &&
         memcmp (a->lead, b->lead, sizeof a->lead) == 0;
}

static gboolean
equal (const HlSceneData *self,
       const HlSceneData *other)
{
  const HlHeadViewData *a = (const HlHeadViewData *) self;
  const HlHeadViewData *b = (const HlHeadViewData *) other;

  return is_same_part (a, b) && a->relative == b->relative && a->least_whole == b->least_whole &&
         a->n_heads == b->n_heads &&
         (a->n_heads == 0 || memcmp (a->heads, b->heads, a->n_heads * sizeof *a->heads) == 0);
}

/* Whether the first tokens of a side are those that are known, all of them. */
static gboolean
has_first_tokens (const HlHeadViewData *self,
                  const HlHeadViewData *known,
                  HlSide                side)
{
  const HlRange range = side == HL_QUERIES ? self->queries : self->keys;
  const HlRange first = side == HL_QUERIES ? known->queries : known->keys;
  const char *const *tokens = hl_attention_get_tokens (self->attention, side);
  const char *const *others = hl_attention_get_tokens (known->attention, side);

  if (range.first != first.first || range.n < first.n)
    return FALSE;
  for (gsize i = range.first; i < range.first + first.n; i++)
    if (!g_str_equal (tokens[i], others[i]))
      return FALSE;
  return TRUE;
}

/* Whether no query's weights depend on what is written behind it. */
static gboolean
looks_back (const HlHeadViewData *self)
{
  for (guint i = 0; i < self->n_heads; i++)
    if (hl_attention_get_kind (self->attention) != HL_ATTENTION_CROSS &&
        !hl_attention_source_get_mask (self->source, self->heads[i].layer)->causal)
      return FALSE;
  return TRUE;
}

/* Whether what is known is true as far as it goes, while these are not read: the same heads of a text that goes on. */
gboolean
hl_head_view_data_goes_on (const HlHeadViewData *self,
                           const HlHeadViewData *known)
{
  if (self->relative != known->relative || self->least_whole != known->least_whole || self->n_heads != known->n_heads ||
      memcmp (self->heads, known->heads, self->n_heads * sizeof *self->heads) != 0 ||
      hl_attention_get_kind (self->attention) != hl_attention_get_kind (known->attention) ||
      !g_str_equal (hl_attention_source_get_quantity (self->source), hl_attention_source_get_quantity (known->source)))
    return FALSE;
  return looks_back (self) && looks_back (known) && self->queries.n > known->queries.n &&
         has_first_tokens (self, known, HL_QUERIES) && has_first_tokens (self, known, HL_KEYS);
}

/* The weights of one head, from what is known if it is there. */
static GBytes *
read_head (HlHeadViewData       *self,
           const HlShownHead    *head,
           const HlHeadViewData *known,
           GCancellable         *cancellable,
           GError              **error)
{
  if (known != NULL && is_same_part (self, known))
    for (guint i = 0; i < known->n_heads; i++)
      if (known->heads[i].layer == head->layer && known->heads[i].head == head->head && known->weights[i] != NULL)
        return g_bytes_ref (known->weights[i]);

  const gsize n_bytes = self->queries.n * self->keys.n * sizeof (float);
  float *weights = g_malloc (MAX (n_bytes, 1));
  g_autoptr (GBytes) bytes = g_bytes_new_take (weights, n_bytes);
  return hl_map_read (self->source, head, self->queries, self->keys, weights, cancellable, error)
           ? g_steal_pointer (&bytes)
           : NULL;
}

/* −0 where all heads mask it. */
static GBytes *
read_means (const HlHeadViewData *self,
            GCancellable         *cancellable,
            GError              **error)
{
  const gsize n = self->queries.n * self->keys.n;
  g_autofree float *map = g_new (float, MAX (n, 1));
  float *means = g_new (float, MAX (n, 1));
  g_autoptr (GBytes) bytes = g_bytes_new_take (means, n * sizeof (float));

  for (gsize i = 0; i < n; i++)
    means[i] = -0.0f;
  for (guint head = 0; head < self->n_heads; head++)
    {
      if (!hl_map_read (self->whole, &self->heads[head], self->queries, self->keys, map, cancellable, error))
        return NULL;
      for (gsize i = 0; i < n; i++)
        means[i] += map[i] / self->n_heads;
    }
  return g_steal_pointer (&bytes);
}

/* A pair has one line: that of its strongest head, whose colour it keeps. Lines of several would mix their colours. */
static void
make_lines (HlHeadViewData *self)
{
  const gsize n = self->queries.n * self->keys.n;
  g_autofree const float **weights = g_new (const float *, MAX (self->n_heads, 1));
  g_autofree float **lines = g_new (float *, MAX (self->n_heads, 1));

  if (self->n_heads == 0)
    return;
  if (self->n_heads == 1)
    {
      self->lines[0] = g_bytes_ref (self->weights[0]);
      return;
    }
  for (guint i = 0; i < self->n_heads; i++)
    {
      weights[i] = g_bytes_get_data (self->weights[i], NULL);
      lines[i] = g_new (float, MAX (n, 1));
      self->lines[i] = g_bytes_new_take (lines[i], n * sizeof (float));
    }
  hl_line_strength_keep_strongest (weights, self->n_heads, n, lines);
}

static GBytes *
negate (GBytes *bytes)
{
  gsize n_bytes;
  const float *weights = g_bytes_get_data (bytes, &n_bytes);
  float *negated = g_malloc (MAX (n_bytes, 1));

  for (gsize i = 0; i < n_bytes / sizeof (float); i++)
    negated[i] = -weights[i];
  return g_bytes_new_take (negated, n_bytes);
}

/* Every line needs its weight, and more where the rows of one side are not as high as those of the other: those of long texts and many
 * heads are too many. A filter may take a map more, lest it makes a picture too large. */
static gboolean
check_size (const HlHeadViewData *self,
            GError              **error)
{
  const guint n_copies = 1 + (self->n_heads > 1) + (self->negated != NULL);
  const double n_pairs = (double) self->queries.n * self->keys.n;
  const gsize n_rows[2] = { self->lead[HL_QUERIES] + self->queries.n, self->lead[HL_KEYS] + self->keys.n };
  const gboolean is_uneven = MAX (n_rows[0], n_rows[1]) / HL_HEAD_VIEW_SPREAD_RATIO >= MIN (n_rows[0], n_rows[1]);
  /* A pair has one line, whatever heads there are. */
  const double n_bytes = n_pairs *
                         (self->n_heads * sizeof (float) * n_copies + (is_uneven ? HL_LINE_RASTER_UNEVEN_BYTES : 0));
  g_autofree char *budget = NULL;

  if (n_bytes <= HL_LIMIT_HEAD_VIEW_LINES)
    return TRUE;
  budget = g_format_size_full (HL_LIMIT_HEAD_VIEW_LINES, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               g_dngettext (GETTEXT_PACKAGE,
                            "the lines of %u head with %zu queries and %zu"
                            " keys do not fit into %s; the heatmap shows it",
                            "the lines of %u heads with %zu queries and %zu"
                            " keys do not fit into %s; show fewer heads, or the heatmap",
                            self->n_heads),
               self->n_heads, self->queries.n, self->keys.n, budget);
  return FALSE;
}

static gboolean
read_numbers (HlSceneData       *data,
              const HlSceneData *known_data,
              GCancellable      *cancellable,
              GError           **error)
{
  HlHeadViewData *self = (HlHeadViewData *) data;
  const HlHeadViewData *known = (const HlHeadViewData *) known_data;

  if (!check_size (self, error))
    return FALSE;
  for (guint i = 0; i < self->n_heads; i++)
    {
      self->weights[i] = read_head (self, &self->heads[i], known, cancellable, error);
      if (self->weights[i] == NULL)
        return FALSE;
      self->greatest = fmaxf (self->greatest, hl_line_strength_find_greatest (g_bytes_get_data (self->weights[i], NULL),
                                                                              self->queries.n * self->keys.n));
    }
  if (self->whole != NULL && (self->means = read_means (self, cancellable, error)) == NULL)
    return FALSE;
  make_lines (self);
  for (guint i = 0; self->negated != NULL && i < self->n_heads; i++)
    self->negated[i] = negate (self->lines[i]);
  return TRUE;
}

static const HlSceneDataClass data_class = { equal, read_numbers, clear };

/* @heads: (transfer full) */
static HlHeadViewData *
new_of_heads (const HlShown *shown,
              HlShownHead   *heads,
              guint          n_heads)
{
  HlHeadViewData *self = g_atomic_rc_box_new0 (HlHeadViewData);

  self->parent.klass = &data_class;
  self->attention = g_object_ref (shown->attention);
  self->source = g_object_ref (shown->filtered);
  if (shown->filtered != shown->source)
    self->whole = g_object_ref (shown->source);
  self->queries = shown->queries;
  self->keys = shown->keys;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    self->lead[side] = hl_shown_get_lead (shown, side);
  self->heads = heads;
  self->n_heads = n_heads;
  self->weights = g_new0 (GBytes *, MAX (self->n_heads, 1));
  self->relative = hl_shown_has_relative_lines (shown);
  self->least_whole = hl_shown_get_least_whole (shown);
  self->lines = g_new0 (GBytes *, MAX (self->n_heads, 1));
  if (hl_attention_source_is_signed (self->source))
    self->negated = g_new0 (GBytes *, MAX (self->n_heads, 1));
  return self;
}

HlHeadViewData *
hl_head_view_data_new (const HlShown *shown)
{
  guint n;
  HlShownHead *heads = hl_shown_list_heads (shown, &n);

  return new_of_heads (shown, heads, n);
}

/* The chosen heads in another layer, as far as it has them. */
HlHeadViewData *
hl_head_view_data_new_of_layer (const HlShown *shown,
                                guint          layer)
{
  guint n;
  HlShownHead *heads = hl_shown_list_heads_of_layer (shown, layer, &n);

  return new_of_heads (shown, heads, n);
}

HlHeadViewData *
hl_head_view_data_new_of_head (const HlShown *shown)
{
  const guint head = shown->head;
  HlShownHead *heads = g_new (HlShownHead, 1);

  *heads = (HlShownHead){ shown->layer, head, head };
  return new_of_heads (shown, heads, 1);
}

const float *
hl_head_view_data_get_map (const HlHeadViewData *self,
                           guint                 index)
{
  g_assert (index < self->n_heads && self->weights[index] != NULL);

  return g_bytes_get_data (self->weights[index], NULL);
}

/* What a weight is multiplied by to be the strength of a line, if the strongest that is seen has the weight given. */
double
hl_head_view_data_get_gain (const HlHeadViewData *self,
                            double                greatest)
{
  const double whole = MAX (greatest, self->least_whole);

  return self->relative && whole > 0 ? 1 / whole : 1;
}

/* The weights of a token over the other side; of several, their mean or their sum. */
void
hl_head_view_data_get_row (const HlHeadViewData *self,
                           guint                 index,
                           const HlFocus        *focus,
                           float                *target)
{
  HlMapRow row = { hl_head_view_data_get_map (self, index), self->queries, self->keys,
                   hl_pick_get_side (&focus->pick) };

  hl_focus_combine (focus, self->attention, row.side == HL_QUERIES ? self->keys.n : self->queries.n, hl_map_copy_row,
                    &row, target);
}

/* What was not filtered, where something is left of it in any head; else 0. */
static void
get_mean_of_whole (const HlHeadViewData *self,
                   const HlFocus        *focus,
                   gsize                 n,
                   float                *mean)
{
  g_autofree gboolean *is_left = g_new0 (gboolean, MAX (n, 1));
  HlMapRow row = { g_bytes_get_data (self->means, NULL), self->queries, self->keys, hl_pick_get_side (&focus->pick) };

  hl_focus_combine (focus, self->attention, n, hl_map_copy_row, &row, mean);
  for (guint head = 0; head < self->n_heads; head++)
    {
      row.map = hl_head_view_data_get_map (self, head);
      hl_focus_mark_left (focus, n, hl_map_copy_row, &row, is_left);
    }
  for (gsize i = 0; i < n; i++)
    if (!is_left[i] && mean[i] != 0)
      mean[i] = 0;
}

/*
 * The mean over the heads that are shown, as the numbers beside the labels have it; −0 where all mask it. Filters leave
 * numbers alone: one that some head has left counts with all heads, and all tokens.
 */
float *
hl_head_view_data_make_mean_row (const HlHeadViewData *data,
                                 const HlFocus        *focus,
                                 gsize                 n)
{
  float *mean = g_new (float, MAX (n, 1));

  if (data->means != NULL)
    {
      get_mean_of_whole (data, focus, n, mean);
      return mean;
    }
  g_autofree float *row = g_new (float, MAX (n, 1));
  for (gsize i = 0; i < n; i++)
    mean[i] = -0.0f;
  for (guint head = 0; head < data->n_heads; head++)
    {
      hl_head_view_data_get_row (data, head, focus, row);
      for (gsize i = 0; i < n; i++)
        mean[i] += row[i] / data->n_heads;
    }
  return mean;
}
