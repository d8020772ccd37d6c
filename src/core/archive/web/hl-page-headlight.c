/* SPDX-License-Identifier: MIT */
/* Headlight's own pages: maps of each layer in base64, every number as 16 bits between the least and the greatest. */
#include "core/archive/web/hl-page-example.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* More are no such lists. */
#define MAX_INDEX 1000000
#define MAX_LIST 65536

/* More heads are not seen together. */
#define MAX_SELECTED 4096

/* What is no finite number; src/draw/page/ writes it. */
#define NOT_FINITE 65535

typedef struct
{
  gint64 layer;
  guint n_heads;
  float *heads;
  float *sinks;        /* of each head the score of its learned sink, or NULL */
  const char *numbers; /* base64 */
} Layer;

/* Queries and keys are those of the document. */
typedef struct
{
  guint64 n_queries;
  guint64 n_keys;
  guint64 n_sinks; /* keys of the page before these, which are no tokens but learned sinks: 1 or 0 */
  double least;
  double step;
  guint masked;
  gboolean is_transposed; /* rows of the page stand for keys */
  GArray *layers;         /* of Layer, as they stand */
  guint8 *seen;           /* [n_places, queries, n_seen], a bit for each key that a mask does not hide */
  guint n_places;         /* layers of the document, if they go by their numbers; otherwise those of the page */
  gsize n_seen;
} Page;

static void
clear_layer (gpointer data)
{
  g_free (((Layer *) data)->heads);
  g_free (((Layer *) data)->sinks);
}

static void
page_clear (Page *self)
{
  g_clear_pointer (&self->layers, g_array_unref);
  g_free (self->seen);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Page, page_clear)

static gboolean
fail (const char *member,
      const char *what,
      GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” of the page %s"), member, what);
  return FALSE;
}

/* A list of numbers; NULL if the member is none, or is too long. */
static float *
read_list (const HlArchiveNode *node,
           const char          *name,
           gsize               *n)
{
  const HlArchiveNode *member = hl_archive_node_get (node, name);
  const HlShape *shape = member != NULL && member->tensor != NULL ? hl_tensor_get_shape (member->tensor) : NULL;
  const guint64 start[HL_LIMIT_RANK] = { 0 };

  if (shape == NULL || shape->rank != 1 || shape->dims[0] > MAX_LIST)
    return NULL;
  g_autofree float *numbers = g_new (float, shape->dims[0]);
  if (!hl_tensor_read_f32 (member->tensor, start, shape->dims, numbers, NULL, NULL))
    return NULL;
  *n = shape->dims[0];
  return g_steal_pointer (&numbers);
}

/* A whole number that is not negative, or @absent. */
static gint64
read_integer (const HlArchiveNode *node,
              const char          *name,
              gint64               absent)
{
  const HlArchiveNode *member = hl_archive_node_get (node, name);
  const gboolean is_integer = member != NULL && member->attribute != NULL &&
                              g_variant_is_of_type (member->attribute, G_VARIANT_TYPE_INT64);
  const gint64 found = is_integer ? g_variant_get_int64 (member->attribute) : absent;

  return found >= 0 && found <= MAX_INDEX ? found : absent;
}

static const char *
read_text (const HlArchiveNode *node,
           const char          *name)
{
  const HlArchiveNode *member = hl_archive_node_get (node, name);

  return member != NULL && member->attribute != NULL && g_variant_is_of_type (member->attribute, G_VARIANT_TYPE_STRING)
           ? g_variant_get_string (member->attribute, NULL)
           : NULL;
}

static gsize
count_strings (const HlArchiveNode *params,
               const char          *name)
{
  const HlArchiveNode *member = hl_archive_node_get (params, name);

  if (member == NULL)
    member = hl_archive_node_get (params, "tokens");
  return member != NULL && member->strings != NULL ? g_strv_length (member->strings) : 0;
}

static gboolean
read_scale (Page                *self,
            const HlArchiveNode *params,
            GError             **error)
{
  gsize n;
  g_autofree float *range = read_list (params, "range", &n);
  const gint64 steps = read_integer (params, "steps", 0);

  if (range == NULL || n != 2 || !isfinite (range[0]) || !isfinite (range[1]) || range[0] > range[1])
    return fail ("range", _ ("is not two numbers in rising order"), error);
  if (steps < 1 || steps > G_MAXUINT16)
    return fail ("steps", _ ("is not 1 to 65535"), error);
  self->least = range[0];
  self->step = ((double) range[1] - range[0]) / (double) steps;
  self->masked = (guint) read_integer (params, "masked", NOT_FINITE);
  self->is_transposed = read_integer (params, "transposed", 0) == 1;
  self->n_sinks = read_integer (params, "sink", 0) == 1;
  self->n_queries = count_strings (params, self->is_transposed ? "key_tokens" : "query_tokens");
  self->n_keys = count_strings (params, self->is_transposed ? "query_tokens" : "key_tokens");
  if (self->n_queries == 0 || self->n_keys <= self->n_sinks)
    return fail ("tokens", _ ("holds none"), error);
  self->n_keys -= self->n_sinks;
  return TRUE;
}

static gboolean
read_layer (Page                *self,
            const HlArchiveNode *node,
            GError             **error)
{
  gsize n_heads = 0, n_sinks = 0;
  g_autofree float *heads = read_list (node, "heads", &n_heads);
  g_autofree float *sinks = read_list (node, "sinks", &n_sinks);
  Layer layer = { read_integer (node, "layer", -1), (guint) n_heads, NULL, NULL, read_text (node, "numbers") };

  if (node->kind != HL_MEMBER_GROUP || layer.layer < 0 || layer.n_heads == 0 || layer.numbers == NULL)
    return fail ("layers", _ ("has a member without “layer”, “heads” or “numbers”"), error);
  /* Layers and heads are compared with one another. */
  if (!hl_limit_check ("heads", n_heads, HL_LIMIT_HEADS, _ ("heads"), error))
    return FALSE;
  const gsize length = strlen (layer.numbers);
  const gsize n_padding =
    length < 4 ? 0 : (gsize) (layer.numbers[length - 1] == '=') + (gsize) (layer.numbers[length - 2] == '=');
  const double expected = (double) self->n_queries * (double) (self->n_keys + self->n_sinks) * layer.n_heads *
                          sizeof (guint16);
  if (length % 4 != 0 || (double) (length / 4 * 3 - n_padding) != expected)
    return fail ("layers", _ ("does not have as many “numbers” as heads and tokens say"), error);
  for (guint i = 0; i < self->layers->len; i++)
    if (g_array_index (self->layers, Layer, i).layer == layer.layer)
      return fail ("layers", _ ("has a layer twice"), error);
  layer.heads = g_steal_pointer (&heads);
  layer.sinks = n_sinks == n_heads ? g_steal_pointer (&sinks) : NULL;
  g_array_append_val (self->layers, layer);
  return TRUE;
}

static gboolean
read_layers (Page                *self,
             const HlArchiveNode *params,
             GError             **error)
{
  const HlArchiveNode *layers = hl_archive_node_get (params, "layers");

  if (layers != NULL && layers->members != NULL &&
      !hl_limit_check ("layers", (guint64) g_tree_nnodes (layers->members), HL_LIMIT_LAYERS, _ ("layers"), error))
    return FALSE;
  self->layers = g_array_new (FALSE, FALSE, sizeof (Layer));
  g_array_set_clear_func (self->layers, clear_layer);
  for (GTreeNode *i = layers != NULL && layers->members != NULL ? g_tree_node_first (layers->members) : NULL; i != NULL;
       i = g_tree_node_next (i))
    if (!read_layer (self, g_tree_node_value (i), error))
      return FALSE;
  return self->layers->len > 0 || fail ("layers", _ ("holds none"), error);
}

static gboolean
spend (HlJsonBudget *budget,
       gsize         n_bytes,
       GError      **error)
{
  if (n_bytes > budget->number_bytes)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("its numbers need more than the 1 GiB of memory that Headlight spends on a page"));
      return FALSE;
    }
  budget->number_bytes -= n_bytes;
  return TRUE;
}

/* The maps of a layer as float32: what is masked is 0, what is not finite is NaN. In @seen a bit is set for what is not masked. */
static HlTensor *
decode (const Page   *self,
        const Layer  *layer,
        guint8       *seen,
        HlJsonBudget *budget,
        GError      **error)
{
  const HlShape shape = { .rank = 3, .dims = { layer->n_heads, self->n_queries, self->n_keys } };
  const gsize n = layer->n_heads * self->n_queries * self->n_keys, n_columns = self->n_keys + self->n_sinks;
  const gsize n_page = layer->n_heads * self->n_queries * n_columns;
  gsize size;

  if (!spend (budget, n * sizeof (float), error))
    return NULL;
  float *numbers = g_try_new (float, n);
  if (numbers == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  g_autoptr (GBytes) bytes = g_bytes_new_take (numbers, n * sizeof (float));
  g_autofree guchar *decoded = g_base64_decode (layer->numbers, &size);
  if (size != n_page * sizeof (guint16))
    {
      fail ("numbers", _ ("is not base64"), error);
      return NULL;
    }
  for (gsize i = 0; i < n_page; i++)
    {
      const guint code = decoded[2 * i] | (guint) decoded[2 * i + 1] << 8;
      const gsize head = i / (self->n_queries * n_columns), cell = i % (self->n_queries * n_columns);
      const gsize query = self->is_transposed ? cell % self->n_queries : cell / n_columns;
      const gsize column = self->is_transposed ? cell / self->n_queries : cell % n_columns;

      if (column < self->n_sinks)
        continue;
      const gsize key = column - self->n_sinks;
      numbers[(head * self->n_queries + query) * self->n_keys + key] = code == NOT_FINITE ? NAN
                                                                       : code == self->masked
                                                                         ? 0
                                                                         : (float) (self->least + code * self->step);
      if (code != self->masked)
        seen[query * self->n_seen + key / 8] |= (guint8) (1 << key % 8);
    }
  return hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, 0, error);
}

/* What the attention of a file is called, and its tokens. */
static const struct
{
  const char *kind;
  const char *attention;
  const char *queries;
  const char *keys;
  const char *sinks;
  const char *mask;
  const char *query_mask;
  const char *key_mask;
} kinds[] = {
  { "self", "attention", "query_tokens", "key_tokens", "sinks", "mask", NULL, "key_mask" },
  { "encoder", "encoder_attention", "encoder_tokens", NULL, "encoder_sinks", "encoder_mask", NULL, "encoder_key_mask" },
  { "decoder", "decoder_attention", "decoder_tokens", NULL, "decoder_sinks", "decoder_mask", NULL, "decoder_key_mask" },
  { "cross", "cross_attention", "decoder_tokens", "encoder_tokens", "cross_sinks", "cross_mask", "decoder_key_mask",
    "cross_key_mask" },
};

static guint
find_kind (const HlArchiveNode *params)
{
  const char *text = read_text (params, "kind");

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (kinds[i].kind, text) == 0)
      return i;
  return 0;
}

/* What stands for the sinks is no token. */
static void
drop_sink (HlPageExample *example,
           const char    *name)
{
  HlArchiveNode *member = hl_archive_node_get (example->group, name);
  const gsize n = member != NULL && member->strings != NULL ? g_strv_length (member->strings) : 0;

  if (n == 0)
    return;
  g_free (member->strings[0]);
  memmove (member->strings, member->strings + 1, n * sizeof (char *));
}

static gboolean
add_tokens (HlPageExample       *example,
            const HlArchiveNode *params,
            guint                kind,
            const Page          *self,
            HlJsonBudget        *budget,
            GError             **error)
{
  const gboolean is_transposed = self->is_transposed;
  const char *names[] = { is_transposed ? "key_tokens" : "query_tokens",
                          is_transposed ? "query_tokens" : "key_tokens" };
  const gboolean same = hl_archive_node_get (params, "tokens") != NULL;

  if (read_integer (params, "unnamed", 0) == 1)
    return TRUE;
  if (same && kind == 0)
    return hl_page_example_copy (example, "tokens", params, "tokens", budget, error);
  if (!hl_page_example_copy (example, kinds[kind].queries, params, same ? "tokens" : names[0], budget, error) ||
      (kinds[kind].keys != NULL &&
       !hl_page_example_copy (example, kinds[kind].keys, params, same ? "tokens" : names[1], budget, error)))
    return FALSE;
  if (self->n_sinks > 0 && kinds[kind].keys != NULL)
    drop_sink (example, kinds[kind].keys);
  return TRUE;
}

/* Tokens that a mask says are padding. */
static gboolean
add_padding (HlPageExample       *example,
             const HlArchiveNode *params,
             guint                kind,
             HlJsonBudget        *budget,
             GError             **error)
{
  return (kinds[kind].query_mask == NULL ||
          hl_page_example_copy (example, kinds[kind].query_mask, params, "query_mask", budget, error)) &&
         hl_page_example_copy (example, kinds[kind].key_mask, params, "key_mask", budget, error);
}

static void
add_sinks (HlArchiveNode *group,
           const char    *name,
           const Layer   *layer)
{
  const HlShape shape = { .rank = 1, .dims = { layer->n_heads } };
  g_autoptr (GBytes) bytes = g_bytes_new (layer->sinks, layer->n_heads * sizeof (float));
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_TENSOR);

  node->tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, 0, NULL);
  hl_archive_node_add (group, name, node);
}

/* Which keys queries see, where it is not all that such a rule says. */
static void
add_mask (HlPageExample       *example,
          Page                *self,
          const HlArchiveNode *params,
          guint                kind)
{
  const HlShape shape = { .rank = 3, .dims = { self->n_places, self->n_queries, self->n_seen } };
  const gsize n_rows = self->n_places * self->n_queries;
  const gboolean causal = read_integer (params, "causal", 0) > 0;
  gsize n_masked;
  g_autofree float *key_mask = read_list (params, "key_mask", &n_masked);
  gboolean hides = FALSE;

  for (gsize row = 0; row < n_rows && !hides; row++)
    {
      const guint8 *seen = self->seen + row * self->n_seen;
      /* The last query stands at the last key. */
      const gsize n_later = causal ? self->n_queries - 1 - row % self->n_queries : 0;
      for (gsize key = 0; key + n_later < self->n_keys && !hides; key++)
        hides = !(seen[key / 8] & (1 << key % 8)) && (key_mask == NULL || key >= n_masked || key_mask[key] != 0);
    }
  if (!hides)
    return;
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&self->seen), n_rows * self->n_seen);
  g_autoptr (HlTensor) mask = hl_tensor_new_for_bytes (HL_DTYPE_U8, &shape, NULL, FALSE, bytes, 0, NULL);
  if (mask != NULL)
    hl_page_example_add_tensor (example, kinds[kind].mask, mask);
}

/* Layers that are not on the page have no row that hides anything. */
static gboolean
make_seen (Page         *self,
           gboolean      by_number,
           HlJsonBudget *budget,
           GError      **error)
{
  self->n_seen = (self->n_keys + 7) / 8;
  const gsize n_bytes = self->n_queries * self->n_seen;

  if (!spend (budget, self->n_places * n_bytes, error))
    return FALSE;
  self->seen = g_try_malloc0_n (self->n_places, n_bytes);
  if (self->seen == NULL)
    return hl_error_set_no_memory (error);
  if (!by_number)
    return TRUE;
  memset (self->seen, 0xff, self->n_places * n_bytes);
  for (guint i = 0; i < self->layers->len; i++)
    {
      const Layer *layer = &g_array_index (self->layers, Layer, i);
      if (layer->layer >= self->n_places)
        return fail ("n_layers", _ ("is less than a layer says"), error);
      memset (self->seen + layer->layer * n_bytes, 0, n_bytes);
    }
  return TRUE;
}

/* Layers by their numbers, in a file where some of the model have no attention; otherwise one after the other. */
static gboolean
add_layers (HlPageExample       *example,
            Page                *self,
            const HlArchiveNode *params,
            guint                kind,
            HlJsonBudget        *budget,
            GError             **error)
{
  const guint n = self->layers->len;
  const gint64 n_layers = read_integer (params, "n_layers", 0);
  const gboolean by_number = n_layers > n;
  const Layer *first = &g_array_index (self->layers, Layer, 0);
  HlArchiveNode *group = hl_archive_node_new (HL_MEMBER_GROUP);
  HlArchiveNode *sinks = NULL;
  g_autofree float *numbers = g_new (float, n);
  gboolean have_same_heads = TRUE;

  hl_archive_node_add (example->group, kinds[kind].attention, group);
  self->n_places = by_number ? (guint) n_layers : n;
  if (!make_seen (self, by_number, budget, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const Layer *layer = &g_array_index (self->layers, Layer, i);
      const gint64 place = by_number ? layer->layer : (gint64) i;
      g_autofree char *name = g_strdup_printf ("%" G_GINT64_FORMAT, place);
      HlTensor *tensor = decode (self, layer, self->seen + place * self->n_queries * self->n_seen, budget, error);

      if (tensor == NULL)
        return FALSE;
      HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_TENSOR);
      node->tensor = tensor;
      hl_archive_node_add (group, name, node);
      if (layer->sinks != NULL && sinks == NULL)
        hl_archive_node_add (example->group, kinds[kind].sinks, sinks = hl_archive_node_new (HL_MEMBER_GROUP));
      if (layer->sinks != NULL)
        add_sinks (sinks, name, layer);
      numbers[i] = (float) layer->layer;
      have_same_heads = have_same_heads && layer->n_heads == first->n_heads &&
                        memcmp (layer->heads, first->heads, first->n_heads * sizeof (float)) == 0;
    }
  if (by_number)
    hl_page_example_add_attribute (example, "layers", g_variant_new_int64 (n_layers));
  else
    hl_page_example_add_numbers (example, "include_layers", numbers, n);
  if (have_same_heads)
    hl_page_example_add_numbers (example, "include_heads", first->heads, first->n_heads);
  add_mask (example, self, params, kind);
  return TRUE;
}

/* Where a head of the page is among those that were read. */
static gboolean
find_place (const Page *self,
            double      layer,
            double      head,
            guint      *place)
{
  for (guint i = 0; i < self->layers->len; i++)
    {
      const Layer *one = &g_array_index (self->layers, Layer, i);

      for (guint j = 0; (double) one->layer == layer && j < one->n_heads; j++)
        if ((double) one->heads[j] == head)
          {
            place[0] = i;
            place[1] = j;
            return TRUE;
          }
    }
  return FALSE;
}

/* The heads that are seen first, the one that leads before the others, for whoever shows them: the attribute "selected", pairs of layer and
 * head. Those that are not there do not count. */
static void
add_selection (HlPageExample       *example,
               const Page          *self,
               const HlArchiveNode *params)
{
  const HlArchiveNode *member = hl_archive_node_get (params, "selected");
  const HlShape *shape = member != NULL && member->tensor != NULL ? hl_tensor_get_shape (member->tensor) : NULL;
  const gboolean by_number = read_integer (params, "n_layers", 0) > self->layers->len;
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  g_autoptr (GVariantBuilder) pairs = g_variant_builder_new (G_VARIANT_TYPE ("a(uu)"));

  if (shape == NULL || shape->rank != 2 || shape->dims[0] > MAX_SELECTED || shape->dims[1] != 2)
    return;
  g_autofree float *numbers = g_new (float, 2 * shape->dims[0]);
  if (!hl_tensor_read_f32 (member->tensor, start, shape->dims, numbers, NULL, NULL))
    return;
  for (guint64 i = 0; i < shape->dims[0]; i++)
    {
      guint place[2];
      if (find_place (self, (double) numbers[2 * i], (double) numbers[2 * i + 1], place))
        g_variant_builder_add (pairs, "(uu)", by_number ? (guint) numbers[2 * i] : place[0], place[1]);
    }
  hl_page_example_add_attribute (example, "selected", g_variant_builder_end (pairs));
}

static void
add_facts (HlPageExample       *example,
           const Page          *self,
           const HlArchiveNode *params)
{
  /* The view is for whoever shows the page; no other document says one. */
  static const char *const texts[] = { "text", "text_pair", "quantity", "model", "view" };
  static const char *const integers[] = { "causal", "signed" };
  const gint64 second = read_integer (params, "sentence_b_start", 0) - (gint64) self->n_sinks;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (read_text (params, texts[i]) != NULL)
      hl_page_example_add_attribute (example, texts[i], g_variant_new_string (read_text (params, texts[i])));
  for (guint i = 0; i < G_N_ELEMENTS (integers); i++)
    if (read_integer (params, integers[i], 0) > 0)
      hl_page_example_add_attribute (example, integers[i], g_variant_new_int64 (read_integer (params, integers[i], 0)));
  if (second > 0)
    hl_page_example_add_attribute (example, "sentence_b_start", g_variant_new_int64 (second));
}

/* Reads what the window or `render` exported: the maps, and what they are of. */
gboolean
hl_page_read_headlight (const HlArchiveNode *params,
                        HlJsonBudget        *budget,
                        GPtrArray           *examples,
                        GError             **error)
{
  g_autoptr (HlPageExample) example = hl_page_example_new (read_text (params, "title"));
  const guint kind = find_kind (params);
  g_auto (Page) page = { 0 };

  if (!read_scale (&page, params, error) || !read_layers (&page, params, error) ||
      !add_tokens (example, params, kind, &page, budget, error) ||
      !add_padding (example, params, kind, budget, error) || !add_layers (example, &page, params, kind, budget, error))
    return FALSE;
  add_facts (example, &page, params);
  add_selection (example, &page, params);
  g_ptr_array_add (examples, g_steal_pointer (&example));
  return TRUE;
}
