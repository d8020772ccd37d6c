/* SPDX-License-Identifier: MIT */
/* Which numbers of a document go into a dump, and whether a dump can hold what they mean. */
#include "core/source/save/hl-dump-store.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/source/hl-attention-source.h"
#include "core/source/make/hl-source-factory.h"
#include "core/source/quantity/hl-residual-source.h"
#include "core/source/quantity/hl-transformed-values.h"

#define HL_TYPE_SOURCE_TENSOR (hl_source_tensor_get_type ())
G_DECLARE_FINAL_TYPE (HlSourceTensor, hl_source_tensor, HL, SOURCE_TENSOR, HlTensor)

struct _HlSourceTensor
{
  HlTensor parent_instance;

  HlAttentionSource *source;
  guint layer;
};

G_DEFINE_FINAL_TYPE (HlSourceTensor, hl_source_tensor, HL_TYPE_TENSOR)

static gboolean
hl_source_tensor_read_f32 (HlTensor      *tensor,
                           const guint64 *start,
                           const guint64 *count,
                           float         *target,
                           GCancellable  *cancellable,
                           GError       **error)
{
  HlSourceTensor *self = HL_SOURCE_TENSOR (tensor);

  if (count[1] == 0 || count[2] == 0)
    return TRUE;
  for (guint64 i = 0; i < count[0]; i++)
    {
      const HlAttentionRequest request = {
        .layer = self->layer,
        .head = (guint) (start[0] + i),
        .first_query = start[1],
        .n_queries = count[1],
        .first_key = start[2],
        .n_keys = count[2],
        .n_rows = count[1],
        .n_columns = count[2],
      };
      if (!hl_attention_source_read (self->source, &request, target + i * count[1] * count[2], cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static void
hl_source_tensor_finalize (GObject *object)
{
  g_clear_object (&HL_SOURCE_TENSOR (object)->source);
  G_OBJECT_CLASS (hl_source_tensor_parent_class)->finalize (object);
}

static void
hl_source_tensor_class_init (HlSourceTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_source_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_source_tensor_read_f32;
}

static void
hl_source_tensor_init (HlSourceTensor *self)
{
}

/* Returns the layer's weights, [heads, queries, keys], computed when they are read. */
static HlTensor *
hl_source_tensor_new (HlAttentionSource *source,
                      guint              layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);
  g_return_val_if_fail (layer < hl_attention_source_get_n_layers (source), NULL);

  HlSourceTensor *self = g_object_new (HL_TYPE_SOURCE_TENSOR, NULL);
  const HlShape shape = { 3,
                          { hl_attention_source_get_n_heads (source, layer),
                            hl_attention_source_get_n (source, HL_QUERIES),
                            hl_attention_source_get_n (source, HL_KEYS) } };

  self->source = g_object_ref (source);
  self->layer = layer;
  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_F32, &shape);
  return HL_TENSOR (self);
}

#define HL_TYPE_NORMS_TENSOR (hl_norms_tensor_get_type ())
/**
 * HlNormsTensor:
 *
 * How long the values of a layer are after the output projection: [heads, keys]. Computed when they are read.
 */
G_DECLARE_FINAL_TYPE (HlNormsTensor, hl_norms_tensor, HL, NORMS_TENSOR, HlTensor)

struct _HlNormsTensor
{
  HlTensor parent_instance;

  HlAttention *attention;
  guint layer;
};

G_DEFINE_FINAL_TYPE (HlNormsTensor, hl_norms_tensor, HL_TYPE_TENSOR)

static gboolean
hl_norms_tensor_read_f32 (HlTensor      *tensor,
                          const guint64 *start,
                          const guint64 *count,
                          float         *target,
                          GCancellable  *cancellable,
                          GError       **error)
{
  HlNormsTensor *self = HL_NORMS_TENSOR (tensor);

  for (guint64 i = 0; i < count[0]; i++)
    {
      g_autofree float *norms =
        hl_transformed_values_measure (self->attention, self->layer, (guint) (start[0] + i), cancellable, error);

      if (norms == NULL)
        return FALSE;
      memcpy (target + i * count[1], norms + start[1], count[1] * sizeof *target);
    }
  return TRUE;
}

static void
hl_norms_tensor_finalize (GObject *object)
{
  g_clear_object (&HL_NORMS_TENSOR (object)->attention);
  G_OBJECT_CLASS (hl_norms_tensor_parent_class)->finalize (object);
}

static void
hl_norms_tensor_class_init (HlNormsTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_norms_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_norms_tensor_read_f32;
}

static void
hl_norms_tensor_init (HlNormsTensor *self)
{
}

static HlTensor *
hl_norms_tensor_new (HlAttention *attention,
                     guint        layer)
{
  HlNormsTensor *self = g_object_new (HL_TYPE_NORMS_TENSOR, NULL);
  const HlShape shape = { 2, { hl_attention_get_n_heads (attention, layer), hl_attention_get_n (attention, HL_KEYS) } };

  self->attention = g_object_ref (attention);
  self->layer = layer;
  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_F32, &shape);
  return HL_TENSOR (self);
}

static HlLayerTensor
make_map_layer (HlTensor *tensor)
{
  return (HlLayerTensor){
    .tensor = tensor, .layer_axis = -1, .batch_axis = -1, .head_axis = 0, .row_axis = 1, .column_axis = 2
  };
}

/* The maps of an attention that has none, or scores, or those that it has. */
static HlLayerTensor *
make_weights (HlAttention *attention)
{
  const guint n_layers = hl_attention_get_n_layers (attention);
  HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);

  for (guint layer = 0; layer < n_layers; layer++)
    if (hl_attention_get_weights (attention, layer) != NULL && !hl_attention_has_scores (attention))
      {
        layers[layer] = *hl_attention_get_weights (attention, layer);
        g_object_ref (layers[layer].tensor);
      }
    else
      {
        layers[layer] = make_map_layer (hl_source_tensor_new (source, layer));
      }
  return layers;
}

/*
 * Lengths of values after the output projection, of which norms follow: a number a key, where the projection itself is as large as a
 * model. NULL if they are not known.
 */
static HlLayerTensor *
make_norms (HlAttention *attention)
{
  const guint n_layers = hl_attention_get_n_layers (attention);

  if (hl_attention_get_value_norms (attention, 0) != NULL || !hl_transformed_values_are_known (attention))
    return NULL;
  HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);
  for (guint layer = 0; layer < n_layers; layer++)
    layers[layer] = (HlLayerTensor){ .tensor = hl_norms_tensor_new (attention, layer),
                                     .layer_axis = -1,
                                     .batch_axis = -1,
                                     .head_axis = -1,
                                     .row_axis = 0,
                                     .column_axis = 1 };
  return layers;
}

/* What stays the same whatever is stored; projections too, unless there are to be weights alone. */
static HlAttentionInit
begin_init (HlAttention *attention,
            gboolean     with_projections)
{
  HlAttentionInit init = {
    .kind = hl_attention_get_kind (attention),
    .values = with_projections ? hl_attention_get_values (attention, 0) : NULL,
    .quantity = hl_attention_get_quantity (attention),
    .is_signed = hl_attention_is_signed (attention),
    .value_norms = hl_attention_get_value_norms (attention, 0),
    .n_layers = hl_attention_get_n_layers (attention),
    .sentence_b_start = hl_attention_get_sentence_b_start (attention),
    .biases = with_projections ? hl_attention_get_bias (attention, 0) : NULL,
    .bias = with_projections ? hl_attention_get_bias_bytes (attention) : NULL,
    .cells = hl_attention_get_cells (attention),
    .layer_types = hl_attention_get_layer_types (attention),
    .modules = hl_attention_get_modules (attention),
  };

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      init.projections[side] = with_projections ? hl_attention_get_projection (attention, side, 0) : NULL;
      init.distances[side] = with_projections ? hl_attention_get_distances (attention, side, 0) : NULL;
      init.tokens[side] = hl_attention_has_tokens (attention, side) ? hl_attention_get_tokens (attention, side) : NULL;
      init.n_used[side] = hl_attention_get_n_used (attention, side);
      init.text_spans[side] = hl_attention_get_text_span (attention, side);
      init.pictures[side] = hl_attention_get_picture (attention, side);
      init.times[side] = hl_attention_get_times (attention, side);
    }
  return init;
}

static HlAttention *
finish_init (HlAttentionInit *init,
             HlAttention     *attention)
{
  g_autofree HlLayerTensor *norms = make_norms (attention);

  if (norms != NULL)
    init->value_norms = norms;
  HlAttention *made = hl_attention_new (init);
  for (guint layer = 0; norms != NULL && layer < init->n_layers; layer++)
    g_object_unref (norms[layer].tensor);
  return made;
}

/* The weights; @all for queries, keys and values beside them, if there are. */
static HlAttention *
select_weights (HlAttention *attention,
                gboolean     all)
{
  HlAttentionInit init = begin_init (attention, all);
  g_autofree HlFinish *finishes = g_new0 (HlFinish, init.n_layers);
  if (all)
    {
      init.inputs = hl_attention_get_inputs (attention, 0);
      init.output = hl_attention_get_output (attention, 0);
      init.stream = hl_attention_get_stream (attention, 0);
      init.output_norm = hl_attention_get_output_norm (attention);
      for (guint layer = 0; layer < init.n_layers; layer++)
        finishes[layer] = hl_attention_get_finish (attention, layer);
      init.finishes = finishes;
      for (HlIngredient i = 0; i < HL_N_INGREDIENTS; i++)
        init.ingredients[i] = hl_attention_get_ingredient (attention, i, 0);
    }
  g_autofree HlLayerTensor *weights = make_weights (attention);
  g_autofree HlAttentionRule *rules = g_new (HlAttentionRule, init.n_layers);

  for (guint layer = 0; layer < init.n_layers; layer++)
    {
      rules[layer] = *hl_attention_get_rule (attention, layer);
      /* What is added to scores is in the weights. */
      rules[layer].bias = all ? rules[layer].bias : NULL;
      rules[layer].distances = all ? rules[layer].distances : NULL;
    }
  init.weights = weights;
  init.rules = rules;
  HlAttention *selected = finish_init (&init, attention);
  for (guint layer = 0; layer < init.n_layers; layer++)
    g_object_unref (weights[layer].tensor);
  return selected;
}

static HlAttention *
select_projections (HlAttention *attention)
{
  HlAttentionInit init = begin_init (attention, TRUE);

  g_autofree HlAttentionRule *rules = g_new (HlAttentionRule, init.n_layers);
  for (guint layer = 0; layer < init.n_layers; layer++)
    rules[layer] = *hl_attention_get_rule (attention, layer);
  init.rules = rules;
  return finish_init (&init, attention);
}

/* The example with other attentions. */
static HlExample *
copy_example (HlExample *example,
              GPtrArray *attentions)
{
  HlExample *copy = hl_example_new (hl_example_get_name (example), hl_example_get_text (example),
                                    hl_example_get_text_pair (example), attentions, hl_example_get_checks (example));

  hl_example_set_annotation (copy, hl_example_get_annotation (example));
  return copy;
}

/* Returns the example with those numbers only. */
HlExample *
hl_dump_store_select (HlDumpStore store,
                      HlExample  *example,
                      GError    **error)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (example), NULL);

  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      const gboolean has_projections = hl_attention_get_projection (attention, HL_QUERIES, 0) != NULL;

      if (store == HL_DUMP_STORE_QK && !has_projections)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there are no queries and keys to store"));
          return NULL;
        }
      if (store == HL_DUMP_STORE_ATTENTION || (store == HL_DUMP_STORE_ALL && hl_attention_has_scores (attention)))
        g_ptr_array_add (attentions, select_weights (attention, store == HL_DUMP_STORE_ALL));
      else if (store == HL_DUMP_STORE_QK)
        g_ptr_array_add (attentions, select_projections (attention));
      else
        g_ptr_array_add (attentions, g_object_ref (attention));
    }
  return copy_example (example, attentions);
}

/* What stands in place of weights, in words that are the same in every language: "norm · sum over heads". The mean of weights
 * sums to 1 as they do, but is of no head. */
static char *
name_quantity (const HlLens *lens,
               HlAttention  *attention)
{
  const char *before = hl_attention_get_quantity (attention);
  g_autoptr (GEnumClass) quantities = g_type_class_ref (HL_TYPE_QUANTITY);
  g_autoptr (GEnumClass) combines = g_type_class_ref (HL_TYPE_COMBINE);
  g_autoptr (GEnumClass) overs = g_type_class_ref (HL_TYPE_COMBINE_OVER);
  GString *name =
    g_string_new (before != NULL ? before : g_enum_get_value (quantities, (int) lens->quantity)->value_nick);

  if (lens->first_layer > 0 && hl_quantity_get (lens->quantity)->heads == HL_QUANTITY_OF_LAYER)
    g_string_append_printf (name, " from layer %u on", lens->first_layer);
  if (lens->combine != HL_COMBINE_NONE)
    g_string_append_printf (name, " · %s over %s", g_enum_get_value (combines, (int) lens->combine)->value_nick,
                            g_enum_get_value (overs, (int) lens->combine_over)->value_nick);
  return g_string_free (name, FALSE);
}

/* Keys between others that no query sees, for so many layers; NULL if there are none, or tokens went through layers: what is made of that does not
 * know them. */
static HlCellMask *
make_gaps (const HlLens *lens,
           HlAttention  *attention,
           guint         n_layers)
{
  HlCellMask *cells = hl_attention_get_cells (attention);
  const gboolean knows = cells != NULL && hl_quantity_get (lens->quantity)->heads != HL_QUANTITY_OF_LAYER;
  const guint8 *keys = knows ? hl_cell_mask_get_keys (cells) : NULL;

  return keys != NULL ? hl_cell_mask_new (keys, hl_attention_get_n (attention, HL_KEYS), NULL, n_layers) : NULL;
}

static HlAttention *
derive (const HlLens *lens,
        HlAttention  *attention)
{
  HlLens whole = *lens;
  g_autofree char *quantity = name_quantity (lens, attention);
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
  g_autofree HlSeenKeys *seen = hl_residual_list_seen (weights);
  const HlSeenKeys *used = &seen[hl_attention_source_get_n_layers (weights) - 1];
  const gsize n_keys = hl_attention_get_n (attention, HL_KEYS), end = used->first + used->n;
  g_autoptr (HlAttentionSource) source = NULL;
  g_autoptr (HlAttention) shown = NULL;

  for (guint head = 0; head < hl_attention_get_max_heads (attention); head++)
    hl_head_set_add (&whole.heads, head);
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    hl_layer_set_add (&whole.layers, layer);
  hl_lens_apply (&whole, attention, weights, &shown, &source);

  const guint n_layers = hl_attention_get_n_layers (shown);
  g_autoptr (HlCellMask) gaps = make_gaps (lens, attention, n_layers);
  g_autofree HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);
  g_autofree HlAttentionRule *rules = g_new0 (HlAttentionRule, n_layers);
  for (guint layer = 0; layer < n_layers; layer++)
    {
      layers[layer] = make_map_layer (hl_source_tensor_new (source, layer));
      rules[layer].mask = *hl_attention_source_get_mask (source, layer);
      /* Where each token keeps itself, padding does, and it is padding all the same. */
      rules[layer].mask.first_key = used->first;
      rules[layer].mask.end_key = end < n_keys ? end : 0;
    }
  HlAttentionInit init = begin_init (attention, FALSE);
  init.n_layers = n_layers;
  /* What is derived has its own ways. */
  init.value_norms = NULL;
  init.cells = gaps;
  init.layer_types = init.modules = NULL;
  init.weights = layers;
  init.rules = rules;
  init.quantity = quantity;
  init.is_signed = hl_attention_source_is_signed (source);
  HlAttention *made = hl_attention_new (&init);
  for (guint layer = 0; layer < n_layers; layer++)
    g_object_unref (layers[layer].tensor);
  return made;
}

/* Returns the example with what the lens makes of all heads and layers in place of weights, and with nothing else. The lens has
 * a quantity, perhaps from a first layer on, or a combination, or both. An attention that lacks what it needs is left out, which
 * @left_out says; unless all do. */
HlExample *
hl_dump_store_derive (const HlLens *lens,
                      HlExample    *example,
                      GPtrArray    *left_out,
                      GError      **error)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (example), NULL);

  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) lacking = NULL;
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      const guint n_layers = hl_attention_get_n_layers (attention);

      g_clear_error (&lacking);
      if (hl_lens_check (lens, attention, &lacking) &&
          (hl_quantity_get (lens->quantity)->heads != HL_QUANTITY_OF_LAYER || lens->first_layer < n_layers))
        {
          g_ptr_array_add (attentions, derive (lens, attention));
          continue;
        }
      if (lacking == NULL)
        lacking = g_error_new (HL_ERROR, HL_ERROR_VALUE, _ ("begins with layer %u, and the last one is %u"),
                               lens->first_layer, n_layers - 1);
      if (left_out != NULL)
        g_ptr_array_add (left_out, g_strdup_printf (_ ("“%s” is left out: the quantity %s"),
                                                    hl_attention_kind_get_name (hl_attention_get_kind (attention)),
                                                    lacking->message));
    }
  if (attentions->len == 0)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&lacking), "%s ", _ ("the quantity"));
      return NULL;
    }
  return copy_example (example, attentions);
}
