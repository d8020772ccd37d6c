/* SPDX-License-Identifier: MIT */
/* The tensors of a dump: one for all layers, or a group with one a layer. Their types and sizes are checked here, once,
 * so that nothing further on has to doubt them. */
#include "core/document/read/base/hl-dump-maps.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/base/tensor/hl-stacked-tensor.h"
#include "core/document/read/base/hl-dump-number.h"

void
hl_dump_maps_clear (HlDumpMaps *self)
{
  for (guint i = 0; i < self->n_layers; i++)
    g_clear_object (&self->layers[i].tensor);
  g_clear_pointer (&self->layers, g_free);
  self->n_layers = 0;
}

/* The axes that are needed, for people. */
static const char *
get_axes (HlDumpMapsKind kind,
          gboolean       one_layer)
{
  if (kind == HL_DUMP_MAPS_WEIGHTS)
    return one_layer ? _ ("rank 3 (head, query, key) or 4 (batch, head, query, key)")
                     : _ ("rank 4 (layer, head, query, key) or 5 (layer, batch, head, query, key)");
  if (kind == HL_DUMP_MAPS_STREAMS)
    return one_layer ? _ ("rank 2 (token, feature) or 3 (batch, token, feature)")
                     : _ ("rank 3 (layer, token, feature) or 4 (layer, batch, token, feature)");
  if (kind == HL_DUMP_MAPS_NORMS)
    return one_layer ? _ ("rank 2 (head, token) or 3 (batch, head, token)")
                     : _ ("rank 3 (layer, head, token) or 4 (layer, batch, head, token)");
  if (kind == HL_DUMP_MAPS_BIASES)
    return one_layer ? _ ("rank 2 (head, distance) or 3 (batch, head, distance)")
                     : _ ("rank 2 (head, distance), 3 (layer, head, distance) or 4 (layer, batch, head, distance)");
  return one_layer ? _ ("rank 3 (head, token, feature) or 4 (batch, head, token, feature)")
                   : _ ("rank 4 (layer, head, token, feature) or 5 (layer, batch, head, token, feature)");
}

/* Whether the elements are weights, and there are some. */
static gboolean
check_elements (const HlLayerTensor *layer,
                const char          *path,
                GError             **error)
{
  const HlShape *shape = hl_tensor_get_shape (layer->tensor);
  const HlDType dtype = hl_tensor_get_dtype (layer->tensor);

  if (!hl_dtype_is_float (dtype))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE,
                   _ ("“%s” holds numbers of type %s; float16, bfloat16, float32 or float64 is needed"), path,
                   hl_dtype_get_name (dtype));
      return FALSE;
    }
  for (guint i = 0; i < shape->rank; i++)
    if (shape->dims[i] == 0)
      {
        g_autofree char *sizes = hl_shape_to_string (shape);
        g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is empty: its sizes are %s"), path, sizes);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_axis (const HlLayerTensor *layer,
            int                  axis,
            const char          *path,
            guint64              limit,
            const char          *what,
            GError             **error)
{
  return axis < 0 || hl_limit_check (path, hl_tensor_get_shape (layer->tensor)->dims[axis], limit, what, error);
}

/* Heads are rows where each of them has a number for a token or a distance. */
static gboolean
check_limits (const HlLayerTensor *layer,
              const char          *path,
              HlDumpMapsKind       kind,
              GError             **error)
{
  const gboolean is_weights = kind == HL_DUMP_MAPS_WEIGHTS;

  if (kind == HL_DUMP_MAPS_BIASES)
    return check_axis (layer, layer->layer_axis, path, HL_LIMIT_LAYERS, _ ("layers"), error) &&
           check_axis (layer, layer->batch_axis, path, HL_LIMIT_MEMBERS, _ ("batch items"), error) &&
           check_axis (layer, layer->row_axis, path, HL_LIMIT_HEADS, _ ("heads"), error) &&
           check_axis (layer, layer->column_axis, path, 2 * HL_LIMIT_POSITIONS, _ ("distances"), error);
  return check_axis (layer, layer->layer_axis, path, HL_LIMIT_LAYERS, _ ("layers"), error) &&
         check_axis (layer, layer->batch_axis, path, HL_LIMIT_MEMBERS, _ ("batch items"), error) &&
         check_axis (layer, layer->head_axis, path, HL_LIMIT_HEADS, _ ("heads"), error) &&
         check_axis (layer, layer->row_axis, path, HL_LIMIT_POSITIONS, is_weights ? _ ("queries") : _ ("tokens"),
                     error) &&
         check_axis (layer, layer->column_axis, path, HL_LIMIT_POSITIONS, is_weights ? _ ("keys") : _ ("features"),
                     error);
}

/* Finds out which axis of a tensor is what, or why that cannot be. */
static gboolean
assign_axes (HlLayerTensor *layer,
             const char    *path,
             HlDumpMapsKind kind,
             gboolean       one_layer,
             GError       **error)
{
  const HlShape *shape = hl_tensor_get_shape (layer->tensor);
  const gboolean has_heads = kind == HL_DUMP_MAPS_WEIGHTS || kind == HL_DUMP_MAPS_PROJECTIONS;
  const guint lowest = (one_layer ? 2 : 3) + has_heads;

  if (hl_dtype_is_float (hl_tensor_get_dtype (layer->tensor)) && shape->rank != lowest && shape->rank != lowest + 1)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("“%s” has rank %u (%s); %s is needed"), path, shape->rank,
                   shape->rank > 0 ? sizes : _ ("a single number"), get_axes (kind, one_layer));
      return FALSE;
    }
  if (!check_elements (layer, path, error))
    return FALSE;

  const gboolean has_batch = shape->rank > lowest;
  layer->layer_axis = one_layer ? -1 : 0;
  layer->batch_axis = has_batch ? layer->layer_axis + 1 : -1;
  layer->head_axis = has_heads ? (int) shape->rank - 3 : -1;
  layer->row_axis = (int) shape->rank - 2;
  layer->column_axis = (int) shape->rank - 1;
  return check_limits (layer, path, kind, error);
}

static guint64
get_batch (const HlLayerTensor *layer)
{
  return layer->batch_axis < 0 ? 1 : hl_tensor_get_shape (layer->tensor)->dims[layer->batch_axis];
}

/* One tensor with all layers, or with the only one. */
static void
share_tensor (HlDumpMaps   *self,
              HlLayerTensor layer)
{
  self->n_layers = layer.layer_axis < 0 ? 1 : (guint) hl_tensor_get_shape (layer.tensor)->dims[layer.layer_axis];
  self->n_batch = get_batch (&layer);
  self->layers = g_new (HlLayerTensor, self->n_layers);
  for (guint i = 0; i < self->n_layers; i++)
    {
      layer.layer = i;
      self->layers[i] = layer;
      g_object_ref (layer.tensor);
    }
}

static gboolean
open_tensor (HlDumpMaps    *self,
             HlArchive     *archive,
             const char    *path,
             HlDumpMapsKind kind,
             GError       **error)
{
  HlLayerTensor layer = { .tensor = hl_archive_open_tensor (archive, path, error) };

  if (layer.tensor == NULL)
    return FALSE;
  g_autoptr (HlTensor) tensor = layer.tensor;
  if (!assign_axes (&layer, path, kind, FALSE, error))
    return FALSE;
  share_tensor (self, layer);
  return TRUE;
}

/* Whether a group's members are named 0, 1, 2 …; @names are in natural order. Where it is said how many layers there are, some may be
 * missing. */
static gboolean
check_names (const char *path,
             char      **names,
             guint       n_layers,
             GError    **error)
{
  gint64 before = -1;

  for (guint i = 0; names[i] != NULL; i++)
    {
      guint64 number;
      const gboolean may_lack = n_layers > g_strv_length (names);

      /* Not “03”, which is no name of a layer. */
      if (may_lack && (names[i][0] != '0' || names[i][1] == '\0') &&
          g_ascii_string_to_unsigned (names[i], 10, (guint64) (before + 1), n_layers - 1, &number, NULL))
        {
          before = (gint64) number;
          continue;
        }
      g_autofree char *expected = g_strdup_printf ("%u", i);

      if (g_str_equal (names[i], expected))
        continue;
      g_autofree char *start = hl_utf8_shorten (names[i], 60);
      g_autofree char *canonical = NULL;
      if (g_ascii_string_to_unsigned (names[i], 10, 0, G_MAXUINT64, &number, NULL))
        canonical = g_strdup_printf ("%" PRIu64, number);
      if (g_strcmp0 (names[i], canonical) == 0 && number > i)
        g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the group “%s” has a layer “%s” but no layer “%s”"), path,
                     names[i], expected);
      else
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                     _ ("the group “%s” has a member “%s”; layers are to be named 0, 1, 2 …"), path, start);
      return FALSE;
    }
  return TRUE;
}

/* Layers may differ in heads and in their sizes. */
static gboolean
check_same_size (const HlDumpMaps    *self,
                 const HlLayerTensor *layer,
                 const char          *path,
                 HlDumpMapsKind       kind,
                 const char          *name,
                 GError             **error)
{
  const HlLayerTensor *first = self->layers;
  const gboolean of_rows = kind == HL_DUMP_MAPS_WEIGHTS || kind == HL_DUMP_MAPS_STREAMS;

  if ((!of_rows || hl_layer_tensor_get_n_rows (layer) == hl_layer_tensor_get_n_rows (first)) &&
      (kind == HL_DUMP_MAPS_PROJECTIONS ||
       hl_layer_tensor_get_n_columns (layer) == hl_layer_tensor_get_n_columns (first)) &&
      get_batch (layer) == self->n_batch)
    return TRUE;

  g_autofree char *sizes = hl_shape_to_string (hl_tensor_get_shape (layer->tensor));
  g_autofree char *first_sizes = hl_shape_to_string (hl_tensor_get_shape (first->tensor));
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s/%s” is %s, but “%s/0” is %s; layers may differ in heads only"),
               path, name, sizes, path, first_sizes);
  return FALSE;
}

/* How many layers an example is said to have, beside a group of it or for the whole file, perhaps for its kind of attention; 0 where nothing is
 * said. */
static guint
read_n_layers (HlArchive  *archive,
               const char *path)
{
  static const char *const prefixes[] = { "encoder_", "decoder_", "cross_" };
  const char *slash = strrchr (path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  g_autofree char *group = slash != NULL ? g_strndup (path, (gsize) (slash - path)) : g_strdup ("");
  const char *const places[] = { group, "" };
  g_autoptr (GVariant) value = NULL;
  double number;

  for (guint place = 0; place < G_N_ELEMENTS (places) && value == NULL; place++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (prefixes) && value == NULL; i++)
        if (g_str_has_prefix (name, prefixes[i]))
          {
            g_autofree char *own = g_strconcat (prefixes[i], "layers", NULL);
            value = hl_archive_get_attribute (archive, places[place], own, NULL);
          }
      if (value == NULL)
        value = hl_archive_get_attribute (archive, places[place], "layers", NULL);
    }

  /* Written so that NaN is none; what is odd is said by hl_dump_check_layers(). */
  if (value == NULL || !hl_dump_number_parse (value, &number) ||
      !(number >= 1 && number <= HL_LIMIT_LAYERS && number == floor (number)))
    return 0;
  return (guint) number;
}

/* What stands for a layer without attention: no heads, and otherwise the sizes of another. */
static gboolean
make_empty (HlLayerTensor       *layer,
            const HlLayerTensor *like,
            HlDumpMapsKind       kind,
            const char          *path,
            GError             **error)
{
  HlShape shape = *hl_tensor_get_shape (like->tensor);
  g_autoptr (GBytes) none = g_bytes_new (NULL, 0);
  const gboolean has_head_rows = kind == HL_DUMP_MAPS_NORMS || kind == HL_DUMP_MAPS_BIASES;

  if (like->head_axis < 0 && !has_head_rows)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("layers are missing from the group “%s”"), path);
      return FALSE;
    }
  shape.dims[has_head_rows ? like->row_axis : like->head_axis] = 0;
  *layer = *like;
  layer->tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, none, 0, error);
  return layer->tensor != NULL;
}

/* Puts opened layers to the numbers that they are named by, and empty ones between them. */
static gboolean
spread_layers (HlDumpMaps    *self,
               const char    *path,
               HlDumpMapsKind kind,
               char         **names,
               guint          n_layers,
               GError       **error)
{
  for (guint i = n_layers, n_left = self->n_layers; i-- > 0;)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      if (n_left > 0 && g_str_equal (names[n_left - 1], name))
        {
          self->layers[i] = self->layers[--n_left];
          if (n_left < i)
            self->layers[n_left].tensor = NULL;
        }
      else
        {
          self->layers[i].tensor = NULL;
        }
    }
  self->n_layers = n_layers;
  const HlLayerTensor *like = self->layers;
  while (like->tensor == NULL)
    like++;
  for (guint i = 0; i < n_layers; i++)
    if (self->layers[i].tensor == NULL && !make_empty (&self->layers[i], like, kind, path, error))
      return FALSE;
  return TRUE;
}

static gboolean
open_group (HlDumpMaps    *self,
            HlArchive     *archive,
            const char    *path,
            HlDumpMapsKind kind,
            GCancellable  *cancellable,
            GError       **error)
{
  g_auto (GStrv) names = hl_archive_list (archive, path, error);
  const guint n_layers = names != NULL ? g_strv_length (names) : 0;
  const guint n_all = MAX (read_n_layers (archive, path), n_layers);

  if (names == NULL)
    return FALSE;
  if (n_layers == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the group “%s” is empty; it is to hold a dataset a layer"),
                   path);
      return FALSE;
    }
  if (!hl_limit_check (path, n_layers, HL_LIMIT_LAYERS, _ ("layers"), error) ||
      !check_names (path, names, n_all, error))
    return FALSE;

  self->layers = g_new0 (HlLayerTensor, n_all);
  for (guint i = 0; i < n_layers; i++)
    {
      g_autofree char *name = hl_archive_join (path, names[i]);
      HlLayerTensor *layer = &self->layers[i];

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      layer->tensor = hl_archive_open_tensor (archive, name, error);
      if (layer->tensor == NULL)
        return FALSE;
      self->n_layers++;
      if (!assign_axes (layer, name, kind, TRUE, error))
        return FALSE;
      if (i == 0)
        self->n_batch = get_batch (layer);
      else if (!check_same_size (self, layer, path, kind, names[i], error))
        return FALSE;
    }
  return n_all == n_layers || spread_layers (self, path, kind, names, n_all, error);
}

/* Opens the maps of all layers. No numbers are read. Returns whether that went well; if not, @self is empty. */
gboolean
hl_dump_maps_open (HlDumpMaps    *self,
                   HlArchive     *archive,
                   const char    *path,
                   HlDumpMapsKind kind,
                   GCancellable  *cancellable,
                   GError       **error)
{
  const gboolean opened = hl_archive_get_kind (archive, path) == HL_MEMBER_GROUP
                            ? open_group (self, archive, path, kind, cancellable, error)
                            : open_tensor (self, archive, path, kind, error);

  if (!opened)
    hl_dump_maps_clear (self);
  return opened;
}

/* Opens one layer's tensor as that of all @n_layers. */
gboolean
hl_dump_maps_open_shared (HlDumpMaps    *self,
                          HlTensor      *tensor,
                          const char    *path,
                          HlDumpMapsKind kind,
                          guint          n_layers,
                          GError       **error)
{
  HlLayerTensor layer = { .tensor = tensor };

  if (!assign_axes (&layer, path, kind, TRUE, error))
    return FALSE;
  self->n_layers = n_layers;
  self->n_batch = get_batch (&layer);
  self->layers = g_new (HlLayerTensor, n_layers);
  for (guint i = 0; i < n_layers; i++)
    {
      self->layers[i] = layer;
      g_object_ref (tensor);
    }
  return TRUE;
}

/* Whether all layers have as many rows, which are tokens. */
gboolean
hl_dump_maps_check_rows (const HlDumpMaps *self,
                         const char       *name,
                         GError          **error)
{
  const guint64 n = self->n_layers > 0 ? hl_layer_tensor_get_n_rows (self->layers) : 0;

  for (guint i = 1; i < self->n_layers; i++)
    if (hl_layer_tensor_get_n_rows (&self->layers[i]) != n)
      {
        g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                     _ ("layer %u of “%s” has %" PRIu64 " tokens, but layer 0 has %" PRIu64
                        "; layers may differ in heads and features only"),
                     i, name, hl_layer_tensor_get_n_rows (&self->layers[i]), n);
        return FALSE;
      }
  return TRUE;
}

/* The heads of a layer, which are tensors of their own, as one. */
static HlTensor *
open_heads (HlArchive    *archive,
            char        **paths,
            guint         n_heads,
            GCancellable *cancellable,
            GError      **error)
{
  g_autoptr (GPtrArray) heads = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n_heads; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      const HlLayerTensor head = { .tensor = hl_archive_open_tensor (archive, paths[i], error) };
      if (head.tensor == NULL)
        return NULL;
      g_ptr_array_add (heads, head.tensor);
      if (!check_elements (&head, paths[i], error))
        return NULL;
      if (!hl_stacked_tensor_fits (heads->pdata[0], head.tensor))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                       _ ("“%s” and “%s” are of different sizes; layers may differ in heads only"), paths[0], paths[i]);
          return NULL;
        }
    }
  return hl_stacked_tensor_new (g_steal_pointer (&heads));
}

static gboolean
open_paths (HlDumpMaps              *self,
            HlArchive               *archive,
            const HlLayoutAttention *attention,
            GCancellable            *cancellable,
            GError                 **error)
{
  const guint per_layer = MAX (attention->n_heads, 1);
  const guint n_paths = g_strv_length (attention->paths) / per_layer;

  /* Of heads that are apart, all would be opened before that is found out. */
  if (!hl_limit_check (attention->paths[0], n_paths, HL_LIMIT_LAYERS, _ ("layers"), error) ||
      (attention->axes.letters[0] == 'h' &&
       !hl_limit_check (attention->paths[0], attention->n_heads, HL_LIMIT_HEADS, _ ("heads"), error)))
    return FALSE;
  self->layers = g_new0 (HlLayerTensor, n_paths);
  for (guint i = 0; i < n_paths; i++)
    {
      char **paths = attention->paths + (gsize) i * per_layer;
      const char *path = paths[0];
      HlLayerTensor *layer = &self->layers[i];

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      layer->tensor = attention->n_heads > 0 ? open_heads (archive, paths, per_layer, cancellable, error)
                                             : hl_archive_open_tensor (archive, path, error);
      if (layer->tensor == NULL)
        return FALSE;
      self->n_layers++;
      if (!check_elements (layer, path, error))
        return FALSE;
      if (!hl_layout_axes_apply (&attention->axes, layer, path, error) ||
          !check_limits (layer, path, HL_DUMP_MAPS_WEIGHTS, error))
        return FALSE;
      if (n_paths > 1 && layer->layer_axis >= 0 && hl_tensor_get_shape (layer->tensor)->dims[layer->layer_axis] > 1)
        {
          g_autofree char *sizes = hl_shape_to_string (hl_tensor_get_shape (layer->tensor));
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                       _ ("“%s” (%s) is one of %u, a layer each, and cannot have an axis of layers"), path, sizes,
                       n_paths);
          return FALSE;
        }
      if (i == 0)
        self->n_batch = get_batch (layer);
      else if (hl_layer_tensor_get_n_rows (layer) != hl_layer_tensor_get_n_rows (self->layers) ||
               hl_layer_tensor_get_n_columns (layer) != hl_layer_tensor_get_n_columns (self->layers) ||
               get_batch (layer) != self->n_batch)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                       _ ("“%s” and “%s” are of different sizes; layers may differ in heads only"), attention->paths[0],
                       path);
          return FALSE;
        }
    }
  return TRUE;
}

/* Opens the weights of all layers as a layout has them. No numbers are read. */
gboolean
hl_dump_maps_open_layout (HlDumpMaps              *self,
                          HlArchive               *archive,
                          const HlLayoutAttention *attention,
                          GCancellable            *cancellable,
                          GError                 **error)
{
  if (!open_paths (self, archive, attention, cancellable, error))
    {
      hl_dump_maps_clear (self);
      return FALSE;
    }
  if (self->n_layers > 1 || self->layers[0].layer_axis < 0)
    return TRUE;
  /* The only tensor has a layer on each index of an axis. */
  const HlLayerTensor layer = self->layers[0];
  g_clear_pointer (&self->layers, g_free);
  share_tensor (self, layer);
  g_object_unref (layer.tensor);
  return TRUE;
}
