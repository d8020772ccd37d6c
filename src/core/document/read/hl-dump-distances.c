/* SPDX-License-Identifier: MIT */
/* What is added to scores by distance: `bias`, a number for each head (T5, ALiBi), and `distance_queries`, `distance_keys` with `distance_rows`,
 * which meet the content of keys and queries (DeBERTa). */
#include "core/document/read/hl-dump-distances.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

static const char *const table_names[] = { [HL_QUERIES] = "distance_queries", [HL_KEYS] = "distance_keys" };

void
hl_dump_distances_clear (HlDumpDistances *self)
{
  hl_dump_maps_clear (&self->biases);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    hl_dump_maps_clear (&self->tables[side]);
  g_clear_pointer (&self->distances, hl_distances_free);
}

/* One for all layers, if it has no axis of them. */
static gboolean
open_biases (HlDumpDistances     *self,
             const HlDumpContext *context,
             guint                n_layers,
             GError             **error)
{
  const HlDumpContext place = hl_dump_context_of_model (context, "bias");
  g_autofree char *path = hl_dump_context_get_path (&place, "bias");
  g_autoptr (HlTensor) tensor = NULL;

  if (hl_archive_get_kind (context->archive, path) == HL_MEMBER_TENSOR)
    {
      tensor = hl_archive_open_tensor (context->archive, path, error);
      if (tensor == NULL)
        return FALSE;
    }
  return tensor != NULL && hl_tensor_get_shape (tensor)->rank == 2
           ? hl_dump_maps_open_shared (&self->biases, tensor, path, HL_DUMP_MAPS_BIASES, n_layers, error)
           : hl_dump_open_maps (&place, "bias", HL_DUMP_MAPS_BIASES, &self->biases, error);
}

static gboolean
check_biases (const HlDumpDistances *self,
              const HlDumpContext   *context,
              const HlDumpMaps      *queries,
              guint64                n_distances,
              GError               **error)
{
  gboolean fits = self->biases.n_layers == queries->n_layers &&
                  (self->biases.n_batch == 1 || self->biases.n_batch == queries->n_batch);

  for (guint i = 0; fits && i < queries->n_layers; i++)
    {
      const guint64 n_heads = hl_layer_tensor_get_n_heads (&queries->layers[i]);

      fits = n_heads == 0 || (hl_layer_tensor_get_n_rows (&self->biases.layers[i]) == n_heads &&
                              hl_layer_tensor_get_n_columns (&self->biases.layers[i]) == n_distances);
    }
  if (!fits)
    g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                 _ ("“%s” is not %" PRIu64 " numbers, one for each distance, for each layer and head"),
                 hl_dump_context_get_name (context, "bias"), n_distances);
  return fits;
}

/* As many heads as queries have, as many features as they and keys have, and as many rows in all layers. */
static gboolean
check_tables (const HlDumpDistances *self,
              const HlDumpContext   *context,
              HlSide                 side,
              const HlDumpMaps      *queries,
              const HlDumpMaps      *keys,
              guint64                n_rows,
              GError               **error)
{
  const HlDumpMaps *maps = &self->tables[side];
  const char *name = hl_dump_context_get_name (context, table_names[side]);
  gboolean fits = maps->n_layers == queries->n_layers && (maps->n_batch == 1 || maps->n_batch == queries->n_batch);

  for (guint i = 0; fits && i < queries->n_layers; i++)
    {
      const HlLayerTensor *own = &queries->layers[i];

      fits = hl_layer_tensor_get_n_heads (own) == 0 ||
             (hl_layer_tensor_get_n_heads (&maps->layers[i]) == hl_layer_tensor_get_n_heads (own) &&
              hl_layer_tensor_get_n_columns (&maps->layers[i]) == hl_layer_tensor_get_n_columns (own) &&
              hl_layer_tensor_get_n_rows (&maps->layers[i]) == n_rows);
    }
  if (!fits)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” does not have the layers, heads and features of “%s”, and %" PRIu64 " rows in each"), name,
                   hl_dump_context_get_name (context, "queries"), n_rows);
      return FALSE;
    }
  /* What keys give with them is kept for a head. */
  const guint64 n_keys = hl_layer_tensor_get_n_rows (keys->layers);
  guint64 width = n_keys;
  for (guint i = 0; i < queries->n_layers; i++)
    width = MAX (width, hl_layer_tensor_get_n_columns (&queries->layers[i]));
  if (n_rows > HL_LIMIT_DISTANCE_PRODUCTS / width)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“%s” has %" PRIu64 " rows, which for %" PRIu64 " keys and features is too much"), name, n_rows,
                   width);
      return FALSE;
    }
  return TRUE;
}

static gboolean
read_rows (HlDumpDistances     *self,
           const HlDumpContext *context,
           guint64              n_rows,
           guint64              n_distances,
           GError             **error)
{
  const HlDumpContext place = hl_dump_context_of_model (context, "distance_rows");
  const char *name = hl_dump_context_get_name (context, "distance_rows");
  g_autofree char *path = hl_dump_context_get_path (&place, "distance_rows");
  const guint64 start[1] = { 0 }, count[1] = { n_distances };

  if (hl_archive_get_kind (context->archive, path) == HL_MEMBER_NONE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                   _ ("there is no “%s”, which tells the row of “distance_queries” and “distance_keys” that a distance "
                      "has"),
                   name);
      return FALSE;
    }
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, error);
  if (tensor == NULL)
    return FALSE;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  if (shape->rank != 1 || shape->dims[0] != n_distances)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is not a number for each of %" PRIu64 " distances"), name,
                   n_distances);
      return FALSE;
    }
  g_autofree float *numbers = g_try_new (float, n_distances);
  g_autofree guint32 *rows = g_try_new (guint32, n_distances);
  if (numbers == NULL || rows == NULL)
    return hl_error_set_no_memory (error);
  if (!hl_tensor_read_f32 (tensor, start, count, numbers, context->cancellable, error))
    return FALSE;
  for (guint64 i = 0; i < n_distances; i++)
    {
      /* Written so that NaN is refused. */
      if (!(numbers[i] >= 0 && numbers[i] < (float) n_rows && numbers[i] == (float) (guint32) numbers[i]))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” has %g, but there are the rows 0 to %" PRIu64), name,
                       (double) numbers[i], n_rows - 1);
          return FALSE;
        }
      rows[i] = (guint32) numbers[i];
    }
  self->distances = g_new0 (HlDistances, 1);
  self->distances->rows = g_steal_pointer (&rows);
  self->distances->n_rows = n_rows;
  return TRUE;
}

/* Layers without attention have no rows; all others as many. */
static guint64
count_rows (const HlDumpMaps *maps)
{
  guint64 n = 0;

  for (guint i = 0; i < maps->n_layers; i++)
    n = MAX (n, hl_layer_tensor_get_n_rows (&maps->layers[i]));
  return n;
}

static gboolean
open_all (HlDumpDistances     *self,
          const HlDumpContext *context,
          const HlDumpMaps    *queries,
          const HlDumpMaps    *keys,
          GError             **error)
{
  const guint64 n_distances = hl_layer_tensor_get_n_rows (queries->layers) + hl_layer_tensor_get_n_rows (keys->layers) -
                              1;
  guint64 n_rows = 0;

  if (!open_biases (self, context, queries->n_layers, error) ||
      (self->biases.n_layers > 0 && !check_biases (self, context, queries, n_distances, error)))
    return FALSE;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      const HlDumpContext place = hl_dump_context_of_model (context, table_names[side]);

      if (!hl_dump_open_maps (&place, table_names[side], HL_DUMP_MAPS_PROJECTIONS, &self->tables[side], error))
        return FALSE;
      n_rows = MAX (n_rows, count_rows (&self->tables[side]));
    }
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (self->tables[side].n_layers > 0 && !check_tables (self, context, side, queries, keys, n_rows, error))
      return FALSE;
  return n_rows == 0 || read_rows (self, context, n_rows, n_distances, error);
}

/* Opens what there is. What does not fit is an error if @strict, when weights follow from it; otherwise it is left out. */
gboolean
hl_dump_distances_open (HlDumpDistances     *self,
                        const HlDumpContext *context,
                        const HlDumpMaps    *queries,
                        const HlDumpMaps    *keys,
                        gboolean             strict,
                        GError             **error)
{
  GError *reason = NULL;

  if (queries->n_layers == 0 || keys->n_layers == 0 || open_all (self, context, queries, keys, &reason))
    return TRUE;
  hl_dump_distances_clear (self);
  if (!strict)
    return hl_dump_context_leave_out (context, reason, error);
  g_propagate_error (error, reason);
  return FALSE;
}
