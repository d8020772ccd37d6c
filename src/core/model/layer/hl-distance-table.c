/* SPDX-License-Identifier: MIT */
/* The table of distances of a model whose scores depend on both distance and content: near ones have a row each, others share theirs with more
 * and more. */
#include "core/model/layer/hl-distance-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/model/layer/hl-norm-load.h"

#define MAX_SPAN (1 << 16)

static gboolean
is_listed (const char *const *words,
           const char        *word)
{
  for (; words != NULL && *words != NULL; words++)
    {
      g_autofree char *bare = g_strstrip (g_ascii_strdown (*words, -1));
      if (g_str_equal (bare, word))
        return TRUE;
    }
  return FALSE;
}

/* A list of words, or one string of them with bars between. */
static gboolean
read_words (HlModelConfig *config,
            const char    *key,
            char        ***words,
            GError       **error)
{
  g_autofree char *joined = NULL;

  if (!hl_model_config_read_strings (config, key, words, error))
    return FALSE;
  if (*words != NULL)
    return TRUE;
  if (!hl_model_config_read_string (config, key, "", &joined, error))
    return FALSE;
  *words = g_strsplit (joined, "|", -1);
  return TRUE;
}

gboolean
hl_distance_parts_read (HlDistanceParts *self,
                        HlModelConfig   *config,
                        GError         **error)
{
  g_auto (GStrv) words = NULL;

  if (!read_words (config, "pos_att_type", &words, error) ||
      !hl_model_config_read_boolean (config, "share_att_key", FALSE, &self->shared, error))
    return FALSE;
  self->has_keys = is_listed ((const char *const *) words, "c2p");
  self->has_queries = is_listed ((const char *const *) words, "p2c");
  return TRUE;
}

/* How distances fall into rows. −1 stands for what is not there. */
static gboolean
read_ranges (HlDistanceTable *self,
             HlModelConfig   *config,
             GError         **error)
{
  double n_buckets, max_distance;
  guint64 length;

  if (!hl_model_config_read_number (config, "position_buckets", -1, &n_buckets, error) ||
      !hl_model_config_read_number (config, "max_relative_positions", -1, &max_distance, error) ||
      !hl_model_config_read_size (config, "max_position_embeddings", 512, &length, error))
    return FALSE;
  if (max_distance < 1)
    max_distance = (double) length;
  if (max_distance > MAX_SPAN || n_buckets > MAX_SPAN || max_distance < 1 || (n_buckets > 0 && n_buckets < 2) ||
      (n_buckets > 0 && max_distance - 1 <= floor (n_buckets / 2)))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json does not fit “%s”"), "position_buckets",
                   "max_relative_positions");
      return FALSE;
    }
  self->span = (gsize) (n_buckets > 0 ? n_buckets : max_distance);
  self->n_near = n_buckets > 0 ? self->span / 2 : 0;
  self->max_distance = n_buckets > 0 ? (gsize) max_distance : 0;
  return TRUE;
}

/* Reads the table, through its norm if config.json has one. */
HlDistanceTable *
hl_distance_table_load (HlWeights     *weights,
                        HlModelConfig *config,
                        const char    *name,
                        const char    *norm_name,
                        gsize          width,
                        float          epsilon,
                        GError       **error)
{
  g_autoptr (HlDistanceTable) self = g_new0 (HlDistanceTable, 1);
  g_autofree char *weight = g_strconcat (name, ".weight", NULL);
  g_auto (GStrv) norms = NULL;

  self->width = width;
  if (!hl_distance_parts_read (&self->parts, config, error) || !read_ranges (self, config, error) ||
      !read_words (config, "norm_rel_ebd", &norms, error))
    return NULL;
  const guint64 start[2] = { 0, 0 }, dims[2] = { 2 * self->span, width };
  g_autoptr (HlTensor) tensor = hl_weights_get (weights, weight, 2, dims, error);
  if (tensor == NULL)
    return NULL;
  self->rows = g_new (float, dims[0] * width);
  if (!hl_tensor_read_f32 (tensor, start, dims, self->rows, NULL, error))
    return NULL;
  if (is_listed ((const char *const *) norms, "layer_norm"))
    {
      HlNorm norm = { .centre = TRUE, .epsilon = epsilon };
      const gboolean loaded = hl_norm_load (&norm, weights, norm_name, width, TRUE, error);

      if (loaded)
        hl_norm_apply (&norm, dims[0], width, self->rows, width, self->rows, width);
      hl_norm_clear (&norm);
      if (!loaded)
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
hl_distance_table_free (HlDistanceTable *self)
{
  g_free (self->rows);
  g_free (self);
}

/* The row of a query so many tokens behind a key. */
static gsize
find_row (const HlDistanceTable *self,
          gint64                 distance)
{
  const gint64 span = (gint64) self->span, near = (gint64) self->n_near;
  gint64 bucket = distance;

  if (near > 0 && ABS (distance) > near)
    {
      /* In float32, so that a distance at the border falls where it did in training. */
      const float part = logf ((float) ABS (distance) / (float) near) /
                         logf ((float) (((double) self->max_distance - 1) / (double) near));
      bucket = (gint64) ceilf (part * (float) (near - 1)) + near;
      bucket = distance < 0 ? -bucket : bucket;
    }
  return (gsize) CLAMP (bucket + span, 0, 2 * span - 1);
}

/* Returns the rows that a text of @n tokens needs. */
gsize
hl_distance_table_get_n_rows (const HlDistanceTable *self,
                              gsize                  n)
{
  const gint64 farthest = (gint64) n - 1;

  return find_row (self, farthest) - find_row (self, -farthest) + 1;
}

/* Returns where the distances of a text of @n tokens are, without tables; free with hl_distances_free(). */
HlDistances *
hl_distance_table_find_rows (const HlDistanceTable *self,
                             gsize                  n)
{
  HlDistances *distances = g_new0 (HlDistances, 1);
  const gint64 farthest = (gint64) n - 1;

  distances->n_rows = hl_distance_table_get_n_rows (self, n);
  distances->first_row = find_row (self, -farthest);
  distances->rows = g_new (guint32, 2 * n - 1);
  for (gint64 i = 0; i <= 2 * farthest; i++)
    distances->rows[i] = (guint32) (find_row (self, farthest - i) - distances->first_row);
  return distances;
}
