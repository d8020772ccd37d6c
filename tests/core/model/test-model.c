/* SPDX-License-Identifier: MIT */
/* Models of every family against the attention that transformers computes with them, in folders and in GGUF files, and folders that are
 * wrong. */
#include "core/archive/format/hl-format.h"
#include "core/archive/hl-archive.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/model/hl-model.h"

#include "test-dumps.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#define TOLERANCE 1e-5

typedef struct
{
  HlArchive *reference;
  double worst[4];   /* by kind of attention */
  guint n_layers[4]; /* seen */
} Comparison;

/* All numbers of a dataset of the reference, or NULL if there is no such. */
static float *
read_dataset (HlArchive  *archive,
              const char *name,
              HlShape    *shape)
{
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  g_autoptr (GError) error = NULL;
  guint64 n;

  if (hl_archive_get_kind (archive, name) != HL_MEMBER_TENSOR)
    return NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, name, &error);
  g_assert_no_error (error);
  *shape = *hl_tensor_get_shape (tensor);
  g_assert_true (hl_shape_get_n_elements (shape, &n));
  float *numbers = g_new (float, n);
  g_assert_true (hl_tensor_read_f32 (tensor, start, shape->dims, numbers, NULL, &error));
  return numbers;
}

static guint32 *
read_ids (HlArchive  *archive,
          const char *name,
          gsize      *n)
{
  HlShape shape;
  g_autofree float *numbers = read_dataset (archive, name, &shape);

  *n = 0;
  if (numbers == NULL)
    return NULL;
  guint32 *ids = g_new (guint32, shape.dims[0]);
  *n = shape.dims[0];
  for (gsize i = 0; i < *n; i++)
    ids[i] = (guint32) numbers[i];
  return ids;
}

/* Scores of one query, as they are defined. */
static void
make_scores (const HlLayerProjections *layer,
             guint                     head,
             gsize                     query_index,
             float                    *scores)
{
  const HlDistances *distances = layer->rule.distances;
  const guint key_head = head / (layer->n_heads / layer->n_key_heads);
  const float *query = layer->queries + (head * layer->n_queries + query_index) * layer->head_size;

  for (gsize key = 0; key < layer->n_keys; key++)
    {
      const float *features = layer->keys + (key_head * layer->n_keys + key) * layer->head_size;
      double sum = 0;

      for (gsize i = 0; i < layer->head_size; i++)
        sum += (double) query[i] * features[i];
      if (distances != NULL)
        {
          const gsize row = distances->rows[key + layer->n_queries - 1 - query_index];
          const gsize first = (head * distances->n_rows + row) * layer->head_size;

          for (gsize i = 0; distances->keys != NULL && i < layer->head_size; i++)
            sum += (double) query[i] * distances->keys[first + i];
          for (gsize i = 0; distances->queries != NULL && i < layer->head_size; i++)
            sum += (double) features[i] * distances->queries[first + i];
        }
      scores[key] = (float) (sum * layer->rule.scale);
    }
}

static void
compare_layer (const HlLayerProjections *layer,
               gpointer                  data)
{
  static const char *const names[] = { "attention", "encoder_attention", "decoder_attention", "cross_attention" };
  Comparison *self = data;
  HlShape shape;
  g_autofree float *all = read_dataset (self->reference, names[layer->attention], &shape);
  g_autofree float *row = g_new (float, layer->n_keys);

  g_assert_nonnull (all);
  if (layer->n_heads == 0)
    {
      /* A layer without a map, of which the reference has zeros. */
      g_assert_cmpuint (layer->layer, ==, self->n_layers[layer->attention]++);
      for (gsize i = 0; i < shape.dims[1] * shape.dims[2] * shape.dims[3]; i++)
        g_assert_cmpfloat (all[layer->layer * shape.dims[1] * shape.dims[2] * shape.dims[3] + i], ==, 0);
      return;
    }
  /* Where layers have fewer heads than others, the reference has zeros of the rest. */
  g_assert_cmpuint (shape.dims[1], >=, layer->n_heads);
  for (gsize i = layer->n_heads * shape.dims[2] * shape.dims[3]; i < shape.dims[1] * shape.dims[2] * shape.dims[3]; i++)
    g_assert_cmpfloat (all[layer->layer * shape.dims[1] * shape.dims[2] * shape.dims[3] + i], ==, 0);
  g_assert_cmpuint (shape.dims[2], ==, layer->n_queries);
  g_assert_cmpuint (shape.dims[3], ==, layer->n_keys);
  g_assert_cmpuint (layer->layer, ==, self->n_layers[layer->attention]++);
  for (guint head = 0; head < layer->n_heads; head++)
    for (gsize query = 0; query < layer->n_queries; query++)
      {
        const float *expected = all +
                                ((layer->layer * shape.dims[1] + head) * layer->n_queries + query) * layer->n_keys;

        make_scores (layer, head, query, row);
        hl_attend_rule_finish_row (&layer->rule, head, layer->n_queries, layer->n_keys, query, NULL, row);
        for (gsize key = 0; key < layer->n_keys; key++)
          {
            const double difference = fabs ((double) row[key] - expected[key]);
            if (!(difference <= self->worst[layer->attention]))
              self->worst[layer->attention] = difference;
          }
      }
}

/* Runs a model on what a reference was made of; returns the greatest difference of all kinds of attention. */
static double
compare_model (HlModel   *model,
               HlArchive *reference)
{
  Comparison comparison = { .reference = reference };
  HlModelInput input = { 0 };
  gsize n_segments;
  g_autofree guint32 *ids = read_ids (reference, "ids", &input.n_ids);
  g_autofree guint32 *segments = read_ids (reference, "segments", &n_segments);
  g_autofree guint32 *decoder_ids = read_ids (reference, "decoder_ids", &input.n_decoder_ids);
  g_autoptr (HlProgress) progress = hl_progress_new ();
  g_autoptr (GError) error = NULL;
  double worst = 0;

  input.ids = ids;
  input.segments = segments;
  input.decoder_ids = decoder_ids;
  g_assert_true (hl_model_forward (model, &input, compare_layer, &comparison, progress, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (decoder_ids != NULL, ==, hl_model_has_decoder (model));
  for (int attention = 0; attention < 4; attention++)
    {
      if ((attention == HL_ATTENTION_SELF) == hl_model_has_decoder (model))
        continue;
      g_assert_cmpuint (comparison.n_layers[attention], ==, hl_model_get_n_layers (model, attention));
      worst = MAX (worst, comparison.worst[attention]);
    }
  g_test_message ("%s: greatest difference %.2g", hl_model_get_name (model), worst);
  return worst;
}

static GFile *
get_checkpoint (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", name, NULL);

  return g_file_new_for_path (path);
}

/* What is opened of a folder: itself, the file in it, or the second of several, which leads to the others. */
static GFile *
find_source (GFile *folder)
{
  static const char *const names[] = { "model.gguf", "model-00002-of-00003.gguf" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = g_file_get_child (folder, names[i]);
      if (g_file_query_exists (file, NULL))
        return g_steal_pointer (&file);
    }
  return g_object_ref (folder);
}

static void
test_reference (gconstpointer path)
{
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GFile) file = g_file_get_child (folder, "reference.h5");
  g_autoptr (GFile) source = find_source (folder);
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_model_is_model (source));
  g_autoptr (HlModel) model = hl_model_load (source, &error);
  g_assert_no_error (error);
  g_autoptr (HlArchive) reference = hl_archive_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (compare_model (model, reference), <=, TOLERANCE);
}

/* A copy of a tiny model, to be spoilt. */
static GFile *
copy_checkpoint (const char *name,
                 const char *path)
{
  static const char *const names[] = { "config.json", "model.safetensors" };
  g_autoptr (GFile) from = get_checkpoint (name);
  g_autoptr (GError) error = NULL;
  GFile *to = g_file_new_for_path (path);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) source = g_file_get_child (from, names[i]);
      g_autoptr (GFile) target = g_file_get_child (to, names[i]);
      g_file_copy (source, target, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  return to;
}

/* Replaces all of one text by another; of weights by one of the same length, which is kept out of the numbers by being spelt out. */
static void
replace_in_file (GFile      *folder,
                 const char *name,
                 const char *from,
                 const char *to)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  g_autoptr (GString) spoilt = g_string_new (NULL);
  gsize size;
  guint n = 0;

  g_file_load_contents (file, NULL, &bytes, &size, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (strlen (from) == strlen (to) || g_str_equal (name, "config.json"));
  for (gsize i = 0; i < size;)
    if (i + strlen (from) <= size && memcmp (bytes + i, from, strlen (from)) == 0)
      {
        g_string_append (spoilt, to);
        i += strlen (from);
        n++;
      }
    else
      g_string_append_c (spoilt, bytes[i++]);
  g_assert_cmpuint (n, >, 0);
  g_file_replace_contents (file, spoilt->str, spoilt->len, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* The second of two layers uses the keys and values of the first. */
#define BORROWED "\"num_kv_shared_layers\": 1, \"layer_types\": [\"full_attention\", \"full_attention\"]"

static const struct
{
  const char *name;
  const char *model;
  const char *file;
  const char *from;
  const char *to;
  int code;
  const char *contains;
} spoilt[] = {
  { "missing-tensor", "bert", "model.safetensors", "encoder.layer.1.attention.self.key.weight",
    "encoder.layer.1.attention.self.kex.weight", HL_ERROR_MISSING, "“encoder.layer.1.attention.self.key.weight”" },
  { "nomic-pairs", "nomic-bert-hub", "config.json", "\"rotary_emb_interleaved\": false",
    "\"rotary_emb_interleaved\": true", HL_ERROR_UNSUPPORTED, "“rotary_emb_interleaved”" },
  { "nomic-bias", "nomic-bert-hub", "config.json", "\"mlp_fc1_bias\"", "\"mlp_fc2_bias\": true, \"mlp_fc1_bias\"",
    HL_ERROR_MISSING, "mlp.fc2.bias" },
  { "nomic-unturned", "nomic-bert-hub", "config.json", "\"rotary_emb_fraction\": 1.0", "\"rotary_emb_fraction\": 0.0",
    HL_ERROR_VALUE, "“rotary_emb_fraction”" },
  { "missing-words", "bert", "model.safetensors", "embeddings.word_embeddings.weight",
    "embeddings.wort_embeddings.weight", HL_ERROR_MISSING, "word_embeddings" },
  { "shape", "bert", "config.json", "\"intermediate_size\": 40", "\"intermediate_size\": 41", HL_ERROR_SHAPE,
    "“encoder.layer.0.intermediate.dense.weight” is 40 × 24" },
  { "vocabulary", "bert", "config.json", "\"vocab_size\": 60", "\"vocab_size\": 61", HL_ERROR_SHAPE, "60 rows" },
  { "heads", "bert", "config.json", "\"num_attention_heads\": 3", "\"num_attention_heads\": 0", HL_ERROR_VALUE,
    "0 heads" },
  { "layers", "bert", "config.json", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3", HL_ERROR_MISSING,
    "encoder.layer.2" },
  { "size-text", "bert", "config.json", "\"hidden_size\": 24", "\"hidden_size\":\"2\"", HL_ERROR_VALUE,
    "“hidden_size”" },
  { "size-missing", "bert", "config.json", "\"hidden_size\"", "\"hidden_sizo\"", HL_ERROR_MISSING, "“hidden_size”" },
  /* Sizes that files of Gemma 3 leave out. */
  { "usual-heads", "gemma3-old", "config.json", "\"num_attention_heads\"", "\"num_attention_hoads\"", HL_ERROR_SHAPE,
    "config.json makes it 96 × 32" },
  { "usual-head", "gemma3-old", "config.json", "\"head_dim\"", "\"hoad_dim\"", HL_ERROR_SHAPE,
    "config.json makes it 1024 × 32" },
  { "usual-width", "gemma3-old", "config.json", "\"hidden_size\"", "\"hidden_sizo\"", HL_ERROR_SHAPE, "2304" },
  { "usual-words", "gemma3-old", "config.json", "\"vocab_size\"", "\"vocab_sizo\"", HL_ERROR_SHAPE, "262208" },
  { "small-cap", "gemma2", "config.json", "\"attn_logit_softcapping\": 5.0", "\"attn_logit_softcapping\": 1e-300",
    HL_ERROR_VALUE, "is not above 0" },
  { "activation", "bert", "config.json", "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"gulp\"", HL_ERROR_UNSUPPORTED,
    "“gulp”" },
  { "unknown", "bert", "config.json", "\"model_type\": \"bert\"", "\"model_type\": \"bard\"", HL_ERROR_UNSUPPORTED,
    "“bard” are not known; known are BERT" },
  { "json", "bert", "config.json", "\"model_type\":", "\"model_type\";", HL_ERROR_CORRUPT, "config.json: " },
  { "integers", "bert", "model.safetensors", "\"F32\"", "\"I32\"", HL_ERROR_DTYPE, "embeddings" },
  { "experts-too-few", "qwen2-moe", "config.json", "\"num_experts_per_tok\": 3", "\"num_experts_per_tok\": 7",
    HL_ERROR_VALUE, "7 of 6" },
  { "experts-none", "qwen2-moe", "config.json", "\"num_experts\": 6", "\"num_experts\": 0", HL_ERROR_VALUE, "3 of 0" },
  { "experts-more", "qwen2-moe", "config.json", "\"num_experts\": 6", "\"num_experts\": 9", HL_ERROR_SHAPE,
    "mlp.gate.weight" },
  { "experts-of-all-layers", "olmoe", "config.json",
    "\"num_experts\": 4,\n \"num_experts_per_tok\": 2,\n \"num_hidden_layers\": 2",
    "\"num_experts\": 2000,\n \"num_experts_per_tok\": 2,\n \"num_hidden_layers\": 100", HL_ERROR_TOO_LARGE,
    "“num_hidden_layers × num_experts” in config.json is 200000" },
  { "experts-missing", "qwen2-moe", "model.safetensors", "layers.2.mlp.experts.4.up_proj",
    "layers.2.mlp.experts.4.op_proj", HL_ERROR_MISSING, "layers.2.mlp.experts.4.up_proj" },
  { "experts-shared", "qwen2-moe", "config.json", "\"shared_expert_intermediate_size\": 28",
    "\"shared_expert_intermediate_size\": 27", HL_ERROR_SHAPE, "shared_expert.gate_proj" },
  { "experts-width", "qwen2-moe", "config.json", "\"moe_intermediate_size\": 20", "\"moe_intermediate_size\":  0",
    HL_ERROR_VALUE, "moe_intermediate_size" },
  { "delta-matrices", "qwen3-next", "config.json",
    "\"linear_key_head_dim\": 6,\n \"linear_num_key_heads\": 2,\n \"linear_num_value_heads\": 4,\n "
    "\"linear_value_head_dim\": 8",
    "\"linear_key_head_dim\": 4096,\n \"linear_num_key_heads\": 2,\n \"linear_num_value_heads\": 4,\n "
    "\"linear_value_head_dim\": 4096",
    HL_ERROR_TOO_LARGE, "linear_value_head_dim” in config.json is 67108864" },
  { "relative-positions", "bert", "config.json", "\"model_type\"",
    "\"position_embedding_type\": \"relative_key\", \"model_type\"", HL_ERROR_UNSUPPORTED, "“relative_key”" },
  { "relative-positions-turned", "esm", "config.json", "\"position_embedding_type\": \"rotary\"",
    "\"position_embedding_type\": \"relative_key_query\"", HL_ERROR_UNSUPPORTED, "“relative_key_query”" },
  { "both-ways-window", "mistral", "config.json", "\"model_type\"", "\"is_causal\": false, \"model_type\"",
    HL_ERROR_UNSUPPORTED, "“is_causal: false”" },
  { "both-ways-chunk", "llama4", "config.json", "\"model_type\"", "\"is_causal\": false, \"model_type\"",
    HL_ERROR_UNSUPPORTED, "“is_causal: false”" },
  { "both-ways-decoder", "bart", "config.json", "\"model_type\"", "\"is_causal\": false, \"model_type\"",
    HL_ERROR_UNSUPPORTED, "“is_causal: false”" },
  { "feed-forward-bias", "deepseek-v2", "config.json", "\"mlp_bias\": false", "\"mlp_bias\": true",
    HL_ERROR_UNSUPPORTED, "“mlp_bias”" },
  { "layer-type", "gemma4-dense", "config.json", "sliding_attention", "slidi.g_attention", HL_ERROR_UNSUPPORTED,
    "“slidi.g_attention”" },
  /* Tables that layers share are as large as the first of them wants. */
  { "turned-sizes", "llama", "config.json", "\"model_type\"",
    "\"per_layer_config\": {\"1\": {\"head_dim\": 2}}, \"model_type\"", HL_ERROR_VALUE, "the sizes of layer 1" },
  { "slopes", "bloom", "config.json", "\"model_type\"",
    "\"per_layer_config\": {\"1\": {\"num_attention_heads\": 10}}, \"model_type\"", HL_ERROR_VALUE,
    "the sizes of layer 1" },
  { "shared-bias", "t5", "config.json", "\"model_type\"",
    "\"per_layer_config\": {\"1\": {\"num_heads\": 8}}, \"model_type\"", HL_ERROR_VALUE, "the sizes of layer 1" },
  /* Layers that share weights, and ways to queries, keys and values that are for some sizes only. */
  { "shared-weights", "albert", "config.json", "\"model_type\"",
    "\"per_layer_config\": {\"1\": {\"num_attention_heads\": 6, \"head_dim\": 4}}, \"model_type\"", HL_ERROR_VALUE,
    "layer 1 shares the weights of layer 0" },
  { "shared-groups", "llama", "config.json", "\"model_type\"",
    "\"num_hidden_groups\": 1, \"per_layer_config\": {\"1\": {\"num_attention_heads\": 64}}, \"model_type\"",
    HL_ERROR_VALUE, "layer 1 shares the weights of layer 0" },
  { "shared-kinds", "qwen3-next", "config.json", "\"model_type\"", "\"num_hidden_groups\": 1, \"model_type\"",
    HL_ERROR_VALUE, "layer 1 shares the weights of layer 0" },
  { "latent-heads", "deepseek-v2", "config.json", "\"model_type\"",
    "\"per_layer_config\": {\"1\": {\"num_key_value_heads\": 1}}, \"model_type\"", HL_ERROR_VALUE,
    "the sizes of layer 1" },
  { "latent-size", "deepseek-v2", "config.json", "\"model_type\"",
    "\"per_layer_config\": {\"0\": {\"head_dim\": 4}, \"1\": {\"head_dim\": 4}}, \"model_type\"", HL_ERROR_VALUE,
    "the sizes of layer 0" },
  { "latent-odd", "deepseek-v2", "config.json", "\"model_type\"",
    "\"per_layer_config\": {\"0\": {\"head_dim\": 13}, \"1\": {\"head_dim\": 13}}, \"model_type\"", HL_ERROR_VALUE,
    "the sizes of layer 0" },
  { "quarters", "codegen", "config.json", "\"n_head\": 8", "\"n_head\": 2", HL_ERROR_VALUE, "the sizes of layer 0" },
  { "quarters-of-layers", "codegen", "config.json", "\"model_type\"",
    "\"per_layer_config\": {\"0\": {\"num_attention_heads\": 2, \"num_key_value_heads\": 2, \"head_dim\": 16}, "
    "\"1\": {\"num_attention_heads\": 2, \"num_key_value_heads\": 2, \"head_dim\": 16}}, \"model_type\"",
    HL_ERROR_VALUE, "the sizes of layer 0" },
  { "quarters-of-keys", "codegen", "config.json", "\"model_type\"",
    "\"per_layer_config\": {\"1\": {\"num_key_value_heads\": 1}}, \"model_type\"", HL_ERROR_VALUE,
    "the sizes of layer 1" },
  { "distance-keys", "deberta-v2-keys", "config.json", "\"model_type\"", "\"num_key_value_heads\": 1, \"model_type\"",
    HL_ERROR_VALUE, "the sizes of layer 0" },
  { "distances-borrowed", "deberta-v2-keys", "config.json", "\"model_type\"", BORROWED ", \"model_type\"",
    HL_ERROR_VALUE, "the sizes of layer 1" },
  { "cross-borrowed", "t5", "config.json", "\"model_type\"", BORROWED ", \"model_type\"", HL_ERROR_VALUE,
    "the sizes of layer 1" },
  { "fused-borrowed", "gpt-neox", "config.json", "\"model_type\"", BORROWED ", \"model_type\"", HL_ERROR_VALUE,
    "the sizes of layer 1" },
  { "buckets", "t5", "config.json", "distance\": 20,\n \"relative_attention_num_buckets\": 8",
    "distance\": 268435456,\n \"relative_attention_num_buckets\": 268435456", HL_ERROR_SHAPE,
    "relative_attention_bias" },
  { "scales-type", "gpt-oss-mxfp4", "model.safetensors", "\"U8\"", "\"I8\"", HL_ERROR_SHAPE, "do not fit" },
  { "no-scales", "gpt-oss-mxfp4", "model.safetensors", "gate_up_proj_scales", "gate_up_proj_skales", HL_ERROR_MISSING,
    "gate_up_proj.weight" },
  { "sides", "deepseek-v3-fp8", "config.json", "   12\n", "   11\n", HL_ERROR_SHAPE, "do not fit" },
  { "no-sides", "deepseek-v3-fp8", "config.json", "   12\n", "    0\n", HL_ERROR_SHAPE, "do not fit" },
  { "all-both-ways", "gemma4-dense", "config.json", "\"use_bidirectional_attention\": null",
    "\"use_bidirectional_attention\": \"all\"", HL_ERROR_UNSUPPORTED, "with “use_bidirectional_attention”" },
  { "some-both-ways", "gemma4-dense", "config.json", "\"use_bidirectional_attention\": null",
    "\"use_bidirectional_attention\": \"most\"", HL_ERROR_UNSUPPORTED, "with “most”" },
  { "bitnet", "llama", "config.json", "\"model_type\"",
    "\"quantization_config\": {\"quant_method\": \"bitnet\"}, \"model_type\"", HL_ERROR_UNSUPPORTED, "“bitnet”" },
  { "no-float8-scales", "deepseek-v3-fp8", "model.safetensors", "o_proj.weight_scale_inv", "o_proj.weight_skale_inv",
    HL_ERROR_UNSUPPORTED, "of 8 bits" },
};

static void
test_spoilt (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *path = test_make_folder ();
  g_autoptr (GFile) folder = copy_checkpoint (spoilt[i].model, path);
  g_autoptr (GError) error = NULL;

  replace_in_file (folder, spoilt[i].file, spoilt[i].from, spoilt[i].to);
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_assert_null (model);
  g_assert_error (error, HL_ERROR, spoilt[i].code);
  g_test_message ("%s", error->message);
  test_assert_sentence (error);
  g_assert_nonnull (strstr (error->message, spoilt[i].contains));
  test_remove_folder (path);
}

typedef struct
{
  const char *from;
  const char *to;
} Change;

#define YARN "\"factor\": 8.0, \"original_max_position_embeddings\": 8, \"attention_factor\": 1.2"

/* Two ways of saying the same in config.json; the first is that of the file where nothing is changed, which the references are for. */
static const struct
{
  const char *name;
  const char *model;
  Change one[4];
  Change other[4];
} alike[] = {
  /* The scaling of this kind starts where the positions end. */
  { "dynamic", "llama-dynamic",
    .other = { { "\"factor\": 2.0", "\"factor\": 2.0, \"original_max_position_embeddings\": 8" } } },
  { "phi-moe-long",
    "phi-moe-short",
    { { "embeddings\": 32", "embeddings\": 16" } },
    { { "embeddings\": 32", "embeddings\": 16" },
      { "\"short_mscale\"", "\"short_mskale\"" },
      { "\"long_mscale\"", "\"attention_factor\"" } } },
  { "gemma-gelu", "gemma", .other = { { "\"gelu_pytorch_tanh\"", "\"gelu\"" } } },
  { "gemma-other", "gemma",
    .other = { { "\"hidden_act\": \"gelu_pytorch_tanh\"",
                 "\"hidden_act\": \"gelu\", \"hidden_activation\": \"silu\"" } } },
  { "gemma3-cap", "gemma3", .other = { { "\"attn_logit_softcapping\": null", "\"attn_logit_softcapping\": 5.0" } } },
  { "gpt-neo-types",
    "gpt-neo",
    { { "\"attention_types\"", "\"attention_tipes\"" },
      { "[\n  \"global\",\n  \"local\"\n", "[\n  \"local\",\n  \"global\"\n" } },
    { { "\"attention_layers\"", "\"attention_loyers\"" },
      { "[\n    \"global\",\n    \"local\"\n   ],\n   1", "[\"local\"], 1], [[\"global\"], 1" } } },
  { "gpt-neo-layers", "gpt-neo",
    .other = { { "[\n    \"global\",\n    \"local\"\n   ],\n   1", "[\"local\", \"global\"], 12" } } },
  { "gpt-neo-left-over", "gpt-neo",
    .other = { { "[\n  \"global\",\n  \"local\"\n", "[\n  \"global\",\n  \"local\",\n  \"global\"\n" } } },
  /* What is not said is what transformers takes then. */
  { "cohere-base", "cohere", .other = { { "\"rope_theta\"", "\"rope_thota\"" } } },
  { "cohere2-base", "cohere2", .other = { { "\"rope_theta\"", "\"rope_thota\"" } } },
  { "gemma3-window",
    "gemma3-old",
    { { "\"sliding_window\": 7", "\"sliding_window\": 4096" } },
    { { "\"sliding_window\"", "\"sliding_wandow\"" } } },
  { "gemma3-scalar",
    "gemma3-old",
    { { "\"query_pre_attn_scalar\": 20", "\"query_pre_attn_scalar\": 256" } },
    { { "\"query_pre_attn_scalar\"", "\"query_pre_attn_skalar\"" } } },
  { "gemma2-window",
    "gemma2",
    { { "\"sliding_window\": 7", "\"sliding_window\": 4096" } },
    { { "\"sliding_window\"", "\"sliding_wandow\"" } } },
  { "gemma2-scalar",
    "gemma2",
    { { "\"query_pre_attn_scalar\": 20", "\"query_pre_attn_scalar\": 256" } },
    { { "\"query_pre_attn_scalar\"", "\"query_pre_attn_skalar\"" } } },
  { "mixtral-base", "mixtral", .other = { { "\"rope_theta\"", "\"rope_thota\"" } } },
  { "phi-moe-base", "phi-moe", .other = { { "\"rope_theta\"", "\"rope_thota\"" } } },
  { "gpt-oss-base",
    "gpt-oss",
    { { "\"rope_theta\": 500.0", "\"rope_theta\": 150000.0" } },
    { { "\"rope_theta\"", "\"rope_thota\"" } } },
  { "olmo3-base", "olmo3", .other = { { "\"rope_theta\"", "\"rope_thota\"" } } },
  /* Scaling that is not said by the kind of layer is of those without a window, the base of all. */
  { "olmo3-together",
    "olmo3",
    { { "\"rope_theta\": 500000.0", "\"rope_theta\": 100.0" },
      { "\"rope_type\": \"default\"\n  },", "\"rope_type\": \"yarn\", " YARN "\n  }," } },
    { { "\"rope_parameters\": {",
        "\"rope_parameters\": {\"rope_theta\": 100.0, \"rope_type\": \"yarn\", " YARN "}, \"nested\": {" } } },
  { "olmo3-old",
    "olmo3",
    { { "\"rope_theta\": 500000.0", "\"rope_theta\": 100.0" },
      { "\"rope_type\": \"default\"\n  },", "\"rope_type\": \"yarn\", " YARN "\n  }," } },
    { { "\"rope_parameters\": {",
        "\"rope_theta\": 100.0, \"rope_scaling\": {\"rope_type\": \"yarn\", " YARN "}, \"nested\": {" } } },
  { "modernbert-window",
    "modernbert",
    { { "\"local_attention\": 8", "\"local_attention\": 128" } },
    { { "\"local_attention\"", "\"local_ottention\"" } } },
  { "gpt-oss-window",
    "gpt-oss",
    { { "\"sliding_window\": 7", "\"sliding_window\": 128" } },
    { { "\"sliding_window\"", "\"sliding_wandow\"" } } },
  { "cohere2-window",
    "cohere2",
    { { "\"sliding_window\": 7", "\"sliding_window\": 4096" } },
    { { "\"sliding_window\"", "\"sliding_wandow\"" } } },
  { "olmo3-window",
    "olmo3",
    { { "\"sliding_window\": 7", "\"sliding_window\": 4096" } },
    { { "\"sliding_window\"", "\"sliding_wandow\"" } } },
  { "granite-scale",
    "granite",
    { { "\"attention_multiplier\": 0.25", "\"attention_multiplier\": 1.0" } },
    { { "\"attention_multiplier\"", "\"ottention_multiplier\"" } } },
  { "granite-moe-scale",
    "granite-moe",
    { { "\"attention_multiplier\": 0.3", "\"attention_multiplier\": 1.0" } },
    { { "\"attention_multiplier\"", "\"ottention_multiplier\"" } } },
  /* Which layers have a window where they are not listed. */
  { "ministral-layers",
    "ministral",
    { { "\"full_attention\"", "\"sliding_attention\"" } },
    { { "\"layer_types\"", "\"layer_tipes\"" } } },
  { "qwen2-moe-layers",
    "qwen2-moe",
    { { "\"use_sliding_window\": false", "\"use_sliding_window\": true" },
      { "\"sliding_window\": 0", "\"sliding_window\": 5" },
      { "[\n  \"full_attention\"", "[\n  \"sliding_attention\"" } },
    { { "\"use_sliding_window\": false", "\"use_sliding_window\": true" },
      { "\"sliding_window\": 0", "\"sliding_window\": 5" },
      { "\"layer_types\"", "\"layer_tipes\"" },
      { "\"max_window_layers\": 28", "\"max_window_layers\": 2" } } },
  { "smollm3-layers",
    "smollm3",
    { { "\"use_sliding_window\": false", "\"use_sliding_window\": true" },
      { "\"sliding_window\": null", "\"sliding_window\": 5" },
      { "\"full_attention\",\n  \"full_attention\",\n", "\"full_attention\",\n  \"sliding_attention\",\n" } },
    { { "\"use_sliding_window\": false", "\"use_sliding_window\": true" },
      { "\"sliding_window\": null", "\"sliding_window\": 5" },
      { "\"layer_types\"", "\"layer_tipes\"" } } },
  /* Parts of heads that are turned, and the base that grows with the text, as the code of a model calls them. */
  { "nomic-fraction",
    "nomic-bert-hub",
    { { "\"rotary_emb_fraction\": 1.0", "\"rotary_emb_fraction\": 0.5" } },
    { { "\"rotary_emb_fraction\": 1.0", "\"partial_rotary_factor\": 0.5" } } },
  { "nomic-scaling",
    "nomic-bert-hub",
    { { "\"rotary_emb_fraction\"",
        "\"rotary_scaling_factor\": 2, \"max_trained_positions\": 8, \"rotary_emb_fraction\"" } },
    { { "\"rotary_emb_fraction\"",
        "\"rope_scaling\": {\"rope_type\": \"dynamic\", \"factor\": 2}, \"rotary_emb_fraction\"" },
      { "embeddings\": 32", "embeddings\": 8" } } },
  /* Which of two keys of one meaning a file has. */
  { "phi3-yarn", "phi4-mini-short", .other = { { "\"su\"", "\"yarn\"" } } },
  { "gemma4-images", "gemma4-dense",
    .other = { { "\"use_bidirectional_attention\": null", "\"use_bidirectional_attention\": \"vision\"" } } },
  { "yarn-factor", "llama-yarn", .other = { { "\"factor\": 4.0,", "" } } },
  { "falcon-heads", "falcon-new",
    .other = { { "\"new_decoder_architecture\"", "\"new_decodor_architecture\"" },
               { "\"num_kv_heads\"", "\"n_head_kv\"" },
               { "\"model_type\": \"falcon\"", "\"model_type\": \"RefinedWeb\"" } } },
  { "phi3-epsilon", "phi3", .other = { { "\"rms_norm_eps\"", "\"rms_norm_ips\"" } } },
  { "olmo2-epsilon", "olmo2", .other = { { "\"rms_norm_eps\"", "\"rms_norm_ips\"" } } },
  { "olmo3-epsilon", "olmo3", .other = { { "\"rms_norm_eps\"", "\"rms_norm_ips\"" } } },
};

/* The window and all weights of a layer. */
static void
add_weights (const HlLayerProjections *layer,
             gpointer                  data)
{
  GArray *all = data;
  g_autofree float *row = g_new (float, layer->n_keys);
  const float window = (float) layer->rule.mask.window;

  g_array_append_val (all, window);
  for (guint head = 0; head < layer->n_heads; head++)
    for (gsize query = 0; query < layer->n_queries; query++)
      {
        make_scores (layer, head, query, row);
        hl_attend_rule_finish_row (&layer->rule, head, layer->n_queries, layer->n_keys, query, NULL, row);
        g_array_append_vals (all, row, (guint) layer->n_keys);
      }
}

/* All weights of a model of a file or a folder. */
static GArray *
compute_weights (GFile *file)
{
  g_autoptr (GError) error = NULL;
  GArray *all = g_array_new (FALSE, FALSE, sizeof (float));
  guint32 ids[23];
  const HlModelInput input = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    ids[i] = 5 + 2 * i;
  g_autoptr (HlModel) model = hl_model_load (file, &error);
  g_assert_no_error (error);
  g_assert_true (hl_model_forward (model, &input, add_weights, all, NULL, NULL, &error));
  g_assert_no_error (error);
  return all;
}

/* Those of a model whose config.json is changed. */
static GArray *
compute_changed (const char   *name,
                 const Change *changes,
                 gsize         n_changes)
{
  g_autoptr (TestFolder) path = test_make_folder ();
  g_autoptr (GFile) folder = copy_checkpoint (name, path);

  for (gsize i = 0; i < n_changes && changes[i].from != NULL; i++)
    replace_in_file (folder, "config.json", changes[i].from, changes[i].to);
  return compute_weights (folder);
}

static void
test_alike (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GArray) one = compute_changed (alike[i].model, alike[i].one, G_N_ELEMENTS (alike[i].one));
  g_autoptr (GArray) other = compute_changed (alike[i].model, alike[i].other, G_N_ELEMENTS (alike[i].other));

  g_assert_cmpmem (one->data, one->len * sizeof (float), other->data, other->len * sizeof (float));
}

/* Changes a number of the metadata of a GGUF file. */
static void
replace_number (char       *bytes,
                gsize       size,
                const char *key,
                guint32     number)
{
  char *entry = memmem (bytes, size, key, strlen (key));

  g_assert_nonnull (entry);
  number = GUINT32_TO_LE (number);
  memcpy (entry + strlen (key) + sizeof (guint32), &number, sizeof number);
}

/* What GGUF files do not say, and the number that is taken then; of a base, its bits. */
static const struct
{
  const char *name;
  const char *model;
  const char *key;
  guint32 number;
} unsaid[] = {
  { "phi-moe-base", "phi-moe", "phimoe.rope.freq_base", 0x461c4000 },
  { "gpt-oss-base", "gpt-oss", "gpt-oss.rope.freq_base", 0x461c4000 },
  { "smollm3-base", "smollm3", "smollm3.rope.freq_base", 0x461c4000 },
  { "olmo3-base", "olmo3", "olmo2.rope.freq_base", 0x461c4000 },
  { "gemma3-window", "gemma3", "gemma3.attention.sliding_window", 0 },
  { "gemma2-window", "gemma2", "gemma2.attention.sliding_window", 4096 },
};

static void
test_unsaid (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "..", "gguf/models", unsaid[i].model, "model.gguf", NULL);
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *to = g_build_filename (folder, "model.gguf", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (to);
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (from, &bytes, &size, NULL));
  replace_number (bytes, size, unsaid[i].key, unsaid[i].number);
  g_assert_true (g_file_set_contents (to, bytes, (gssize) size, NULL));
  g_autoptr (GArray) said = compute_weights (file);
  ((char *) memmem (bytes, size, unsaid[i].key, strlen (unsaid[i].key)))[strlen (unsaid[i].key) - 1] = '-';
  g_assert_true (g_file_set_contents (to, bytes, (gssize) size, NULL));
  g_autoptr (GArray) left_out = compute_weights (file);
  g_assert_cmpmem (said->data, said->len * sizeof (float), left_out->data, left_out->len * sizeof (float));
}

/* Features that are stored in pairs are no odd number. */
static void
test_odd_heads (void)
{
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "..", "gguf/models/llama/model.gguf", NULL);
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *to = g_build_filename (folder, "model.gguf", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (to);
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (from, &bytes, &size, NULL));
  replace_number (bytes, size, "llama.attention.key_length", 7);
  replace_number (bytes, size, "llama.rope.dimension_count", 6);
  g_assert_true (g_file_set_contents (to, bytes, (gssize) size, NULL));
  g_assert_null (hl_model_load (file, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  test_assert_sentence (error);
  g_assert_nonnull (strstr (error->message, "the sizes of layer 0"));
}

/* What multiplies weights of a layer, or what goes on in it; of layers that there are not, it is nothing. */
static void
test_factors (void)
{
  static const char norm[] = "blk.0.attn_norm.bias";
  static const struct
  {
    const char *name;
    gboolean refused;
  } others[] = {
    { "blk.0.attn_qkv.scale", TRUE },
    { "blk.0.ffn.act.scales", TRUE },
    { "blk.9.attn_qkv.scale", FALSE },
  };
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "..", "gguf/models/gpt2/model.gguf", NULL);
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *to = g_build_filename (folder, "model.gguf", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (to);
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (from, &bytes, &size, NULL));
  char *name = memmem (bytes, size, norm, strlen (norm));
  g_assert_nonnull (name);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (strlen (others[i].name), ==, strlen (norm));
      memcpy (name, others[i].name, strlen (norm));
      g_assert_true (g_file_set_contents (to, bytes, (gssize) size, NULL));
      g_autoptr (HlModel) model = hl_model_load (file, &error);
      if (!others[i].refused)
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_null (model);
      g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
      test_assert_sentence (error);
      g_assert_nonnull (strstr (error->message, others[i].name));
    }
}

static void
ignore_layer (const HlLayerProjections *layer,
              gpointer                  data)
{
}

static void
cancel_at_layer (const HlLayerProjections *layer,
                 gpointer                  data)
{
  if (layer->layer == 0)
    g_cancellable_cancel (data);
  g_assert_cmpuint (layer->layer, <, 1);
}

/* What a good model is asked that it cannot do. */
static void
test_input (void)
{
  g_autoptr (GFile) folder = get_checkpoint ("bert");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  guint32 ids[40] = { 59, 60 }, segments[40] = { 2 };
  HlModelInput input = { .ids = ids, .n_ids = 2 };

  g_assert_no_error (error);
  g_assert_cmpstr (hl_model_get_family (model), ==, "BERT");
  g_assert_cmpuint (hl_model_get_max_length (model), ==, 32);
  g_assert_false (hl_model_forward (model, &input, ignore_layer, NULL, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "token 60"));
  g_clear_error (&error);

  ids[1] = 0;
  input.segments = segments;
  g_assert_false (hl_model_forward (model, &input, ignore_layer, NULL, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_clear_error (&error);

  input.segments = NULL;
  input.n_ids = 33;
  g_assert_false (hl_model_forward (model, &input, ignore_layer, NULL, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "33 tokens"));
  g_clear_error (&error);

  input.n_ids = 0;
  g_assert_false (hl_model_forward (model, &input, ignore_layer, NULL, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_clear_error (&error);

  input.n_ids = 32;
  g_assert_true (hl_model_forward (model, &input, ignore_layer, NULL, NULL, cancellable, &error));
  g_assert_false (hl_model_forward (model, &input, cancel_at_layer, cancellable, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Whether each token sees itself and those before it only. */
static void
check_causal (const HlLayerProjections *layer,
              gpointer                  data)
{
  const gboolean *causal = data;
  gsize first, end;

  for (gsize query = 0; query < layer->n_queries; query++)
    {
      hl_mask_get_visible (&layer->rule.mask, layer->n_queries, layer->n_keys, query, &first, &end);
      g_assert_cmpuint (first, ==, 0);
      g_assert_cmpuint (end, ==, *causal ? query + 1 : layer->n_keys);
    }
}

/* What sees both ways is a decoder where config.json says so. */
static void
test_decoder (gconstpointer name)
{
  g_autoptr (TestFolder) path = test_make_folder ();
  g_autoptr (GFile) folder = copy_checkpoint (name, path);
  const guint32 ids[] = { 3, 14, 15, 9 };
  const HlModelInput input = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };

  for (gboolean causal = FALSE; causal <= TRUE; causal++)
    {
      g_autoptr (GError) error = NULL;

      if (causal)
        replace_in_file (folder, "config.json", "\"is_decoder\": false", "\"is_decoder\": true");
      g_autoptr (HlModel) model = hl_model_load (folder, &error);
      g_assert_no_error (error);
      g_assert_cmpint (hl_model_is_causal (model), ==, causal);
      g_assert_true (hl_model_forward (model, &input, check_causal, &causal, NULL, NULL, &error));
      g_assert_no_error (error);
    }
}

/* Keeps the keys of the first layer, and compares those of the second with them. */
static void
compare_keys (const HlLayerProjections *layer,
              gpointer                  data)
{
  GByteArray *keys = data;
  const gsize n = layer->n_key_heads * layer->n_keys * layer->head_size * sizeof (float);

  if (layer->layer == 0)
    g_byte_array_append (keys, (const guint8 *) layer->keys, (guint) n);
  else
    g_assert_cmpmem (layer->keys, n, keys->data, keys->len);
}

/* A layer that uses the keys and values of another, where features are stored in pairs, has biases of queries only. */
static void
test_borrowed (void)
{
  /* Keys of metadata: one layer borrows, neither has a window, and what makes them five times the alignment long. */
  static const char more[] = "\x20\0\0\0\0\0\0\0llama.attention.shared_kv_layers\4\0\0\0\1\0\0\0"
                             "\x26\0\0\0\0\0\0\0llama.attention.sliding_window_pattern\x9\0\0\0\4\0\0\0"
                             "\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                             "\3\0\0\0\0\0\0\0end\x8\0\0\0\x13\0\0\0\0\0\0\0nineteen characters";
  const gsize n_more = sizeof more - 1, header = 24, n_keys = 16;
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "..", "gguf/models/llama-bias/model.gguf", NULL);
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *to = g_build_filename (folder, "model.gguf", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (to);
  g_autoptr (GByteArray) keys = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  const guint32 ids[] = { 3, 14, 15 };
  const HlModelInput input = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };
  gsize size;

  g_assert_cmpuint (n_more % 32, ==, 0);
  g_assert_true (g_file_get_contents (from, &bytes, &size, NULL));
  g_autoptr (GString) longer = g_string_new_len (bytes, (gssize) header);
  longer->str[n_keys] += 3;
  g_string_append_len (longer, more, (gssize) n_more);
  g_string_append_len (longer, bytes + header, (gssize) (size - header));
  g_assert_true (g_file_set_contents (to, longer->str, (gssize) longer->len, NULL));
  g_autoptr (HlModel) model = hl_model_load (file, &error);
  g_assert_no_error (error);
  g_assert_true (hl_model_forward (model, &input, compare_keys, keys, NULL, NULL, &error));
  g_assert_no_error (error);
}

typedef struct
{
  const char *path;
  guint n_layers;
} Shortening;

static void
shorten_at_first (const HlLayerProjections *layer,
                  gpointer                  data)
{
  Shortening *self = data;

  if (self->n_layers++ == 0)
    g_assert_cmpint (truncate (self->path, 4096), ==, 0);
}

/* Somebody shortens the weights after they were loaded, or while they are used. No layer that needs them is told of any more. */
static void
test_shortened (gconstpointer data)
{
  const guint n_layers = GPOINTER_TO_UINT (data);
  g_autofree char *path = test_make_folder ();
  g_autoptr (GFile) folder = copy_checkpoint ("bert", path);
  g_autofree char *weights = g_build_filename (path, "model.safetensors", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  const guint32 ids[2] = { 5, 6 };
  const HlModelInput input = { .ids = ids, .n_ids = 2 };
  Shortening shortening = { .path = weights };

  g_assert_no_error (error);
  if (n_layers == 0)
    g_assert_cmpint (truncate (weights, 4096), ==, 0);
  g_assert_false (hl_model_forward (model, &input, shorten_at_first, &shortening, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  test_assert_sentence (error);
  g_assert_true (g_str_has_prefix (error->message, "model.safetensors: it has become shorter"));
  g_assert_cmpuint (shortening.n_layers, ==, n_layers);
  test_remove_folder (path);
}

typedef struct
{
  const char *path;
  guint layer;
  guint n_told;
} LateShortening;

static void
count_layer (const HlLayerProjections *layer,
             gpointer                  data)
{
  LateShortening *self = data;

  self->n_told++;
}

static void
shorten_behind (const HlSublayerResult *result,
                gpointer                data)
{
  const LateShortening *self = data;

  if (result->sublayer == HL_SUBLAYER_FEED_FORWARD && result->layer == self->layer)
    g_assert_cmpint (truncate (self->path, 4096), ==, 0);
}

/* Somebody shortens the weights while the feed-forward of a layer is computed: the last, or one that is followed by a layer
 * without heads. */
static void
test_shortened_late (gconstpointer data)
{
  const gboolean last = GPOINTER_TO_INT (data);
  g_autoptr (TestFolder) path = test_make_folder ();
  g_autoptr (GFile) folder = copy_checkpoint (last ? "bert" : "qwen3-next", path);
  g_autofree char *weights = g_build_filename (path, "model.safetensors", NULL);
  const guint32 ids[2] = { 5, 6 };
  const HlModelInput input = { .ids = ids, .n_ids = 2 };
  LateShortening shortening = { .path = weights };
  const HlModelHooks hooks = { .func = count_layer, .sublayer_func = shorten_behind, .data = &shortening };
  g_autoptr (GError) error = NULL;
  guint n_layers;

  if (!last)
    {
      replace_in_file (folder, "model.safetensors", ".layers.0.", ".layers.9.");
      replace_in_file (folder, "model.safetensors", ".layers.1.", ".layers.0.");
      replace_in_file (folder, "model.safetensors", ".layers.9.", ".layers.1.");
      replace_in_file (folder, "config.json", "\"linear_attention\",\n  \"full_attention\"",
                       "\"full_attention\",\n  \"linear_attention\"");
      replace_in_file (folder, "config.json", "\"mlp_only_layers\": [\n  1\n ]", "\"mlp_only_layers\": [\n  0\n ]");
    }
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_assert_no_error (error);
  shortening.layer = last ? hl_model_get_last_layer (model, &n_layers) : 0;
  g_assert_false (hl_model_forward_with (model, &input, &hooks, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  g_assert_cmpuint (shortening.n_told, ==, shortening.layer + 1);
}

/* A NaN among the weights is found when it matters, and named. */
static void
test_nan (void)
{
  static const char name[] = "\"encoder.layer.1.attention.self.key.weight\":{";
  g_autofree char *path = test_make_folder ();
  g_autoptr (GFile) folder = copy_checkpoint ("bert", path);
  g_autoptr (GFile) file = g_file_get_child (folder, "model.safetensors");
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  guint32 ids[2] = { 5, 6 };
  const HlModelInput input = { .ids = ids, .n_ids = 2 };
  guint64 length, begin;
  gsize size;

  g_file_load_contents (file, NULL, &bytes, &size, NULL, &error);
  g_assert_no_error (error);
  memcpy (&length, bytes, sizeof length);
  length = GUINT64_FROM_LE (length);
  const char *entry = g_strstr_len (bytes + 8, (gssize) length, name);
  g_assert_nonnull (entry);
  const char *offsets = strstr (entry, "\"data_offsets\":[");
  begin = g_ascii_strtoull (strchr (offsets, '[') + 1, NULL, 10);
  memcpy (bytes + 8 + length + begin + 40, &(float){ NAN }, sizeof (float));
  g_file_replace_contents (file, bytes, size, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);

  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_assert_no_error (error);
  g_assert_false (hl_model_forward (model, &input, ignore_layer, NULL, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "“encoder.layer.1.attention.self.key.weight”"));
  test_assert_sentence (error);
  test_remove_folder (path);
}

/* What torch.save ({"a": torch.zeros (1).expand (1 << 20, 1 << 20)}) writes. */
static const char repeated[] = "\x80\x02}X\x01\0\0\0actorch._utils\n_rebuild_tensor_v2\n"
                               "((X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\0000X\x03\0\0\0cpuK\x01tQ"
                               "K\0J\0\0\x10\0J\0\0\x10\0\x86K\0K\0\x86\x89"
                               "ccollections\nOrderedDict\n)RtRs.";

static void
add_member (zipFile     zip,
            const char *name,
            const void *bytes,
            gsize       size)
{
  const zip_fileinfo info = { 0 };

  g_assert_cmpint (zipOpenNewFileInZip (zip, name, &info, NULL, 0, NULL, 0, NULL, 0, 0), ==, ZIP_OK);
  g_assert_cmpint (zipWriteInFileInZip (zip, bytes, (guint) size), ==, ZIP_OK);
}

/* Weights that repeat what a small file holds. */
static void
test_repeated (void)
{
  g_autoptr (TestFolder) path = test_make_folder ();
  g_autoptr (GFile) folder = copy_checkpoint ("bert", path);
  g_autoptr (GFile) weights = g_file_get_child (folder, "model.safetensors");
  g_autofree char *other = g_build_filename (path, "pytorch_model.bin", NULL);
  g_autoptr (GError) error = NULL;
  zipFile zip = zipOpen64 (other, APPEND_STATUS_CREATE);

  add_member (zip, "a/data.pkl", repeated, sizeof repeated - 1);
  add_member (zip, "a/data/0", "\0\0\0", sizeof (float));
  g_assert_cmpint (zipClose (zip, NULL), ==, ZIP_OK);
  g_assert_true (g_file_delete (weights, NULL, NULL));
  g_assert_null (hl_model_load (folder, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  test_assert_sentence (error);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, "pytorch_model.bin: the file announces 4.0"));
}

static void
test_empty_folder (void)
{
  g_autofree char *path = test_make_folder ();
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_model_load (folder, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
  g_assert_nonnull (strstr (error->message, "config.json"));
  g_clear_error (&error);

  g_autoptr (GFile) copy = copy_checkpoint ("bert", path);
  g_autoptr (GFile) weights = g_file_get_child (copy, "model.safetensors");
  g_assert_true (g_file_delete (weights, NULL, &error));
  g_assert_null (hl_model_load (folder, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
  g_assert_nonnull (strstr (error->message, "model.safetensors"));
  g_clear_error (&error);

  g_autofree char *index = g_build_filename (path, "model.safetensors.index.json", NULL);
  g_file_set_contents (index, "{\"weight_map\":{\"a\":\"../secret\"}}", -1, &error);
  g_assert_no_error (error);
  g_assert_null (hl_model_load (folder, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_EXTERNAL);
  g_clear_error (&error);

  /* What no file can be called is still told in a sentence. */
  g_autofree char *long_name = g_strnfill (100000, 'x');
  const char *const names[] = { "a\\u001b[2J\\nb", long_name };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"weight_map\":{\"a\":\"%s\"}}", names[i]);
      g_assert_true (g_file_set_contents (index, text, -1, NULL));
      g_assert_null (hl_model_load (folder, &error));
      test_assert_sentence (error);
      g_assert_null (strchr (error->message, '\033'));
      g_clear_error (&error);
    }
  test_remove_folder (path);
}

static void
copy_shard (const char *folder,
            const char *from,
            const char *to)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "gguf/models/llama-split", from, NULL);
  g_autofree char *new_path = g_build_filename (folder, to, NULL);
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  g_assert_true (g_file_set_contents (new_path, bytes, (gssize) size, NULL));
}

static void
fail_shard (const char *folder,
            const char *name,
            int         code,
            const char *contains)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_model_load (file, &error));
  g_assert_error (error, HL_ERROR, code);
  test_assert_sentence (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, contains));
}

/* One of several files, without the others, by another name, and beside one that is another part. */
static void
test_shards (void)
{
  static const char first[] = "model-00001-of-00003.gguf", second[] = "model-00002-of-00003.gguf";
  g_autofree char *folder = test_make_folder ();

  copy_shard (folder, second, second);
  fail_shard (folder, second, HL_ERROR_MISSING, "part 1 of 3, “model-00001-of-00003.gguf”, is not beside it");
  copy_shard (folder, first, first);
  fail_shard (folder, second, HL_ERROR_MISSING, "part 3 of 3");
  copy_shard (folder, first, "model-00003-of-00003.gguf");
  fail_shard (folder, second, HL_ERROR_CORRUPT, "“model-00003-of-00003.gguf” does not say that it is part 3 of 3");
  copy_shard (folder, first, "renamed.gguf");
  fail_shard (folder, "renamed.gguf", HL_ERROR_MISSING, "ends with “-00001-of-00003.gguf”");
  test_remove_folder (folder);
}

/* A test for each folder of a folder. */
static void
add_references (GPtrArray  *paths,
                const char *kind,
                const char *folder)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", folder, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (path, 0, &error);
  const char *name;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *test = g_strdup_printf ("/model/%s/%s", kind, name);

      g_ptr_array_add (paths, g_build_filename (path, name, NULL));
      g_test_add_data_func (test, paths->pdata[paths->len - 1], test_reference);
    }
}

int
main (int    argc,
      char **argv)
{
  static const char *const decoders[] = { "bert", "xlm-roberta", "camembert", "electra", "xlm-roberta-xl", "esm" };

  g_test_init (&argc, &argv, NULL);

  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  add_references (paths, "family", "model/checkpoints");
  add_references (paths, "folder", "model/folders");
  add_references (paths, "gguf", "gguf/models");
  for (gsize i = 0; i < G_N_ELEMENTS (spoilt); i++)
    {
      g_autofree char *test = g_strdup_printf ("/model/spoilt/%s", spoilt[i].name);
      g_test_add_data_func (test, GSIZE_TO_POINTER (i), test_spoilt);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (decoders); i++)
    {
      g_autofree char *test = g_strdup_printf ("/model/decoder/%s", decoders[i]);
      g_test_add_data_func (test, decoders[i], test_decoder);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (alike); i++)
    {
      g_autofree char *test = g_strdup_printf ("/model/alike/%s", alike[i].name);
      g_test_add_data_func (test, GSIZE_TO_POINTER (i), test_alike);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (unsaid); i++)
    {
      g_autofree char *test = g_strdup_printf ("/model/unsaid/%s", unsaid[i].name);
      g_test_add_data_func (test, GSIZE_TO_POINTER (i), test_unsaid);
    }
  g_test_add_func ("/model/input", test_input);
  g_test_add_func ("/model/odd-heads", test_odd_heads);
  g_test_add_func ("/model/factors", test_factors);
  g_test_add_func ("/model/borrowed", test_borrowed);
  g_test_add_func ("/model/nan", test_nan);
  g_test_add_data_func ("/model/shortened/loaded", GUINT_TO_POINTER (0), test_shortened);
  g_test_add_data_func ("/model/shortened/used", GUINT_TO_POINTER (1), test_shortened);
  g_test_add_data_func ("/model/shortened/last", GINT_TO_POINTER (TRUE), test_shortened_late);
  g_test_add_data_func ("/model/shortened/without-heads", GINT_TO_POINTER (FALSE), test_shortened_late);
  g_test_add_func ("/model/repeated", test_repeated);
  g_test_add_func ("/model/shards", test_shards);
  g_test_add_func ("/model/empty-folder", test_empty_folder);
  return g_test_run ();
}
