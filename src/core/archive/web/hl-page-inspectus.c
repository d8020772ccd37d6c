/* SPDX-License-Identifier: MIT */
/* The data of inspectus' chart: a list of maps, each float32 in base64, with its shape and a place in dimensions, which
 * are `layer` and `head` and whatever else somebody named. */
#include "core/archive/web/hl-page-example.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define MAX_INDEX 1000000

typedef struct
{
  const char *key;    /* in the list */
  const char *values; /* base64 */
  guint64 n_queries;
  guint64 n_keys;
  gint64 layer;
  gint64 head;
  char *rest; /* the other dimensions, for people; empty if there are none */
} Map;

static void
clear_map (gpointer data)
{
  g_free (((Map *) data)->rest);
}

static gboolean
fail (const Map  *map,
      const char *what,
      GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“attention/%s” of the page %s"), map->key, what);
  return FALSE;
}

static gboolean
read_shape (Map                 *map,
            const HlArchiveNode *node,
            GError             **error)
{
  const HlArchiveNode *member = hl_archive_node_get (node, "shape");
  const HlShape *shape = member != NULL && member->tensor != NULL ? hl_tensor_get_shape (member->tensor) : NULL;
  const guint64 start[1] = { 0 };
  float sizes[2];

  if (shape == NULL || shape->rank != 1 || shape->dims[0] != 2 ||
      !hl_tensor_read_f32 (member->tensor, start, shape->dims, sizes, NULL, NULL) ||
      !(sizes[0] >= 1 && sizes[0] <= 1 << 24 && sizes[1] >= 1 && sizes[1] <= 1 << 24))
    return fail (map, _ ("has no “shape” of two sizes"), error);
  map->n_queries = (guint64) sizes[0];
  map->n_keys = (guint64) sizes[1];
  return TRUE;
}

/* An index of a dimension that an axis can have. */
static gboolean
take_index (const HlArchiveNode *node,
            gint64              *index)
{
  if (node->attribute == NULL || !g_variant_is_of_type (node->attribute, G_VARIANT_TYPE_INT64) ||
      g_variant_get_int64 (node->attribute) < 0 || g_variant_get_int64 (node->attribute) > MAX_INDEX)
    return FALSE;
  *index = g_variant_get_int64 (node->attribute);
  return TRUE;
}

static void
read_place (Map                 *map,
            const HlArchiveNode *node)
{
  const HlArchiveNode *info = hl_archive_node_get (node, "info");
  g_autoptr (GString) rest = g_string_new (NULL);

  for (GTreeNode *i = info != NULL && info->members != NULL ? g_tree_node_first (info->members) : NULL; i != NULL;
       i = g_tree_node_next (i))
    {
      const char *name = g_tree_node_key (i);
      const HlArchiveNode *member = g_tree_node_value (i);

      if ((g_str_equal (name, "layer") && take_index (member, &map->layer)) ||
          (g_str_equal (name, "head") && take_index (member, &map->head)) || member->attribute == NULL)
        continue;
      g_autofree char *value = g_variant_is_of_type (member->attribute, G_VARIANT_TYPE_STRING)
                                 ? g_variant_dup_string (member->attribute, NULL)
                                 : g_variant_print (member->attribute, FALSE);
      g_string_append_printf (rest, "%s%s %s", rest->len > 0 ? ", " : "", name, value);
    }
  map->rest = g_string_free (g_steal_pointer (&rest), FALSE);
}

static gboolean
read_map (Map                 *map,
          const HlArchiveNode *node,
          GError             **error)
{
  const HlArchiveNode *values = hl_archive_node_get (node, "values");

  if (node->kind != HL_MEMBER_GROUP || values == NULL || values->attribute == NULL ||
      !g_variant_is_of_type (values->attribute, G_VARIANT_TYPE_STRING))
    return fail (map, _ ("has no “values” in base64"), error);
  map->values = g_variant_get_string (values->attribute, NULL);
  if (!read_shape (map, node, error))
    return FALSE;

  const gsize length = strlen (map->values);
  const gsize n_padding =
    length < 4 ? 0 : (gsize) (map->values[length - 1] == '=') + (gsize) (map->values[length - 2] == '=');
  if (length % 4 != 0 || length / 4 * 3 - n_padding != map->n_queries * map->n_keys * sizeof (float))
    return fail (map, _ ("does not have as many “values” as its “shape” says"), error);
  read_place (map, node);
  return TRUE;
}

static int
compare_maps (gconstpointer a,
              gconstpointer b)
{
  const Map *left = a;
  const Map *right = b;
  const int order = strcmp (left->rest, right->rest);

  if (order != 0)
    return order;
  if (left->layer != right->layer)
    return left->layer < right->layer ? -1 : 1;
  return left->head < right->head ? -1 : left->head > right->head;
}

/* All maps are of one size and in different places. */
static gboolean
check_maps (const Map *maps,
            guint      n,
            GError   **error)
{
  for (guint i = 1; i < n; i++)
    {
      if (maps[i].n_queries != maps[0].n_queries || maps[i].n_keys != maps[0].n_keys)
        return fail (&maps[i], _ ("has another “shape” than the others"), error);
      if (maps[i].layer == maps[i - 1].layer && maps[i].head == maps[i - 1].head)
        return fail (&maps[i], _ ("has the layer and head of another one"), error);
    }
  return TRUE;
}

/* The numbers of all maps behind one another. */
static GBytes *
decode_maps (const Map    *maps,
             guint         n,
             HlJsonBudget *budget,
             GError      **error)
{
  const gsize n_bytes = maps[0].n_queries * maps[0].n_keys * sizeof (float);
  char *numbers = n_bytes <= budget->number_bytes / n ? g_try_malloc (n_bytes * n) : NULL;

  if (numbers == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("its numbers need more than the 1 GiB of memory that Headlight spends on a page"));
      return NULL;
    }
  budget->number_bytes -= n_bytes * n;
  g_autoptr (GBytes) bytes = g_bytes_new_take (numbers, n_bytes * n);
  for (guint i = 0; i < n; i++)
    {
      gsize size;
      g_autofree guchar *decoded = g_base64_decode (maps[i].values, &size);

      /* Other characters than those of base64 are stepped over by it. */
      if (size != n_bytes)
        {
          fail (&maps[i], _ ("has “values” that are not base64"), error);
          return NULL;
        }
      memcpy (numbers + i * n_bytes, decoded, n_bytes);
    }
  return g_steal_pointer (&bytes);
}

static guint
count_heads (const Map *maps,
             guint      n)
{
  guint n_heads = 1;

  while (n_heads < n && maps[n_heads].layer == maps[0].layer)
    n_heads++;
  return n_heads;
}

/* Whether every layer has the heads of the first. */
static gboolean
is_grid (const Map *maps,
         guint      n,
         guint      n_heads)
{
  for (guint i = 0; i < n; i++)
    if (maps[i].head != maps[i % n_heads].head || maps[i].layer != maps[i - i % n_heads].layer)
      return FALSE;
  return n % n_heads == 0;
}

static HlTensor *
make_tensor (GBytes *bytes,
             HlShape shape,
             gsize   offset)
{
  return hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, G_BYTE_ORDER != G_LITTLE_ENDIAN, bytes, offset, NULL);
}

/* A tensor a layer, where layers have different heads. */
static void
add_layers (HlPageExample *example,
            const Map     *maps,
            guint          n,
            GBytes        *bytes)
{
  const guint64 map_size = maps[0].n_queries * maps[0].n_keys * sizeof (float);
  HlArchiveNode *layers = hl_archive_node_new (HL_MEMBER_GROUP);
  guint n_layers = 0;

  for (guint i = 0; i < n;)
    {
      const guint n_heads = count_heads (maps + i, n - i);
      g_autofree char *name = g_strdup_printf ("%u", n_layers++);
      HlArchiveNode *layer = hl_archive_node_new (HL_MEMBER_TENSOR);

      layer->tensor = make_tensor (bytes,
                                   (HlShape){ .rank = 3, .dims = { n_heads, maps[0].n_queries, maps[0].n_keys } },
                                   i * map_size);
      hl_archive_node_add (layers, name, layer);
      i += n_heads;
    }
  hl_archive_node_add (example->group, "attention", layers);
}

static void
add_places (HlPageExample *example,
            const Map     *maps,
            guint          n,
            guint          n_heads)
{
  g_autofree float *layers = g_new (float, n);
  g_autofree float *heads = g_new (float, n);
  guint n_layers = 0;

  for (guint i = 0; i < n; i++)
    {
      heads[i] = (float) maps[i].head;
      if (i == 0 || maps[i].layer != maps[i - 1].layer)
        layers[n_layers++] = (float) maps[i].layer;
    }
  hl_page_example_add_numbers (example, "include_layers", layers, n_layers);
  if (n_heads > 0)
    hl_page_example_add_numbers (example, "include_heads", heads, n_heads);
}

static gboolean
add_example (const Map           *maps,
             guint                n,
             const HlArchiveNode *params,
             HlJsonBudget        *budget,
             GPtrArray           *examples,
             GError             **error)
{
  g_autoptr (HlPageExample) example = hl_page_example_new (*maps->rest != '\0' ? maps->rest : NULL);
  const HlArchiveNode *source = hl_archive_node_get (params, "src_tokens");
  const HlArchiveNode *target = hl_archive_node_get (params, "tgt_tokens");
  const gboolean same = source != NULL && target != NULL && source->strings != NULL && target->strings != NULL &&
                        g_strv_equal ((const char *const *) source->strings, (const char *const *) target->strings);

  if (!check_maps (maps, n, error))
    return FALSE;
  g_autoptr (GBytes) bytes = decode_maps (maps, n, budget, error);
  if (bytes == NULL)
    return FALSE;

  const guint n_heads = count_heads (maps, n);
  const gboolean grid = is_grid (maps, n, n_heads);
  if (grid)
    {
      const HlShape shape = { .rank = 4, .dims = { n / n_heads, n_heads, maps[0].n_queries, maps[0].n_keys } };
      g_autoptr (HlTensor) tensor = make_tensor (bytes, shape, 0);
      hl_page_example_add_tensor (example, "attention", tensor);
    }
  else
    {
      add_layers (example, maps, n, bytes);
    }
  add_places (example, maps, n, grid ? n_heads : 0);
  if (!hl_page_example_copy (example, same ? "tokens" : "query_tokens", params, "src_tokens", budget, error) ||
      (!same && !hl_page_example_copy (example, "key_tokens", params, "tgt_tokens", budget, error)))
    return FALSE;
  g_ptr_array_add (examples, g_steal_pointer (&example));
  return TRUE;
}

static GArray *
read_maps (const HlArchiveNode *attention,
           GError             **error)
{
  g_autoptr (GArray) maps = g_array_new (FALSE, FALSE, sizeof (Map));

  g_array_set_clear_func (maps, clear_map);
  for (GTreeNode *i = attention->members != NULL ? g_tree_node_first (attention->members) : NULL; i != NULL;
       i = g_tree_node_next (i))
    {
      Map map = { .key = g_tree_node_key (i) };
      if (!read_map (&map, g_tree_node_value (i), error))
        return NULL;
      g_array_append_val (maps, map);
    }
  g_array_sort (maps, compare_maps);
  return g_steal_pointer (&maps);
}

/* Puts maps together by their layers and heads; by each place in other dimensions, to an example of its own. Data
 * without attention are none of its own. */
gboolean
hl_page_read_inspectus (const HlArchiveNode *params,
                        HlJsonBudget        *budget,
                        GPtrArray           *examples,
                        GError             **error)
{
  const HlArchiveNode *attention = hl_archive_node_get (params, "attention");

  if (attention == NULL)
    return TRUE;
  if (attention->problem != NULL)
    {
      g_propagate_error (error, g_error_copy (attention->problem));
      return FALSE;
    }
  g_autoptr (GArray) maps = read_maps (attention, error);
  if (maps == NULL)
    return FALSE;
  if (maps->len == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“attention” of the page holds none"));
      return FALSE;
    }
  for (guint first = 0, next; first < maps->len; first = next)
    {
      const Map *map = &g_array_index (maps, Map, first);

      for (next = first + 1; next < maps->len; next++)
        if (!g_str_equal (g_array_index (maps, Map, next).rest, map->rest))
          break;
      if (!add_example (map, next - first, params, budget, examples, error))
        return FALSE;
    }
  return TRUE;
}
