/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/checkpoint/hl-model-config.h"

G_BEGIN_DECLS

/**
 * HlSwitch:
 * @key: (nullable): where config.json says it
 * @fallback: what it is when it does not, or @key is %NULL
 *
 * A property that all models of a family have, none, or those whose configuration says so.
 */
typedef struct
{
  const char *key;
  gboolean    fallback;
} HlSwitch;

/**
 * HlAttentionNames:
 * @query: the weights of queries; %NULL when @fused
 * @key: those of keys
 * @value: those of values
 * @fused: (nullable): those of all three in one
 * @output: those that follow the heads
 * @query_norm: (nullable): the norm of a head's queries
 * @key_norm: (nullable): likewise
 * @sinks: (nullable): a score of each head that joins its softmax, by its whole name
 * @distance_query: (nullable): what makes queries of distances, in models that do not take the weights of tokens for it
 * @distance_key: (nullable): likewise keys
 * @before: (nullable): the norm of what goes into the sublayer
 * @inner: (nullable): the norm of what comes out of it, before it is added
 * @after: (nullable): the norm of the sum
 * @scale: (nullable): what each feature of the result is multiplied by before it is added (Touvron et al. 2021), by its whole name
 *
 * What the tensors of an attention sublayer are called, without `.weight`. A norm may have several names with bars between them, of which
 * the first that the file has is taken.
 */
typedef struct
{
  const char *query;
  const char *key;
  const char *value;
  const char *fused;
  const char *output;
  const char *query_norm;
  const char *key_norm;
  const char *sinks;
  const char *distance_query;
  const char *distance_key;
  const char *before;
  const char *inner;
  const char *after;
  const char *scale;
} HlAttentionNames;

/**
 * HlFeedForwardNames:
 * @gate: (nullable): the weights of the gate
 * @in: those of the first product, or of gate and first product in one
 * @plain: (nullable): what takes the place of both in models of the family that have no gate
 * @out: those of the second
 * @before: (nullable): as in #HlAttentionNames
 * @inner: (nullable): likewise
 * @after: (nullable): likewise
 * @scale: (nullable): likewise
 *
 * What the tensors of a feed-forward sublayer are called.
 */
typedef struct
{
  const char *gate;
  const char *in;
  const char *plain;
  const char *out;
  const char *before;
  const char *inner;
  const char *after;
  const char *scale;
} HlFeedForwardNames;

/**
 * HlLatentNames:
 * @query: the product that makes queries at once
 * @query_down: what takes the input to fewer features, of which queries are made
 * @query_norm: their norm
 * @query_up: what makes queries of them
 * @key_down: (nullable): likewise of keys and values, and behind that the part of a key that all heads share; %NULL in families without
 * @key_norm: likewise
 * @key_up: likewise
 * @head_keys: (nullable): what makes the keys of each head and takes the place of @key_up, as GGUF files have it: [heads, in, out]
 * @head_values: (nullable): likewise of values: [heads, out, in]
 *
 * What the tensors of queries, keys and values are called that are made by way of fewer features.
 */
typedef struct
{
  const char *query;
  const char *query_down;
  const char *query_norm;
  const char *query_up;
  const char *key_down;
  const char *key_norm;
  const char *key_up;
  const char *head_keys;
  const char *head_values;
} HlLatentNames;

/**
 * HlExpertNames:
 * @router: (nullable): the product that scores experts; %NULL in families that have none. A layer without it has a plain feed-forward
 * @correction: (nullable): a vector that is added to scores when experts are chosen, by its whole name
 * @gate: (nullable): the gate of an expert, `%u` being its number; without `%u`, one tensor has those of all
 * @in: its first product, or gate and first product in one
 * @out: its second
 * @all_in: (nullable): gate and first product of all experts in one tensor, which takes the place of both where a file has it
 * @all_out: (nullable): likewise of the second
 * @shared: what all tokens go through; without names when there is none
 * @shared_gate: (nullable): the product that gives its share
 *
 * What the tensors of a mixture of experts are called.
 */
typedef struct
{
  const char        *router;
  const char        *correction;
  const char        *gate;
  const char        *in;
  const char        *out;
  const char        *all_in;
  const char        *all_out;
  HlFeedForwardNames shared;
  const char        *shared_gate;
} HlExpertNames;

/**
 * HlDeltaNames:
 * @mixed_and_gate: (nullable): the weights of both in one, by key heads, which take their place where a file has them
 * @write_and_decay: (nullable): likewise
 * @mixed: the weights of queries, keys and values of a gated delta net
 * @gate: those of what its result is gated with
 * @write: those of how much of the old a token replaces
 * @decay: those of how fast the old fades
 * @taps: the convolution over neighbouring tokens
 * @decay_bias: what is added to the product of @decay, a whole name
 * @rates: the logarithm of what that is multiplied by, likewise
 * @negative_rates: (nullable): what takes the place of @rates in GGUF files: what it is multiplied by, below 0
 * @norm: the weights of the norm of a head's result, likewise
 * @output: those that follow
 * @tiled: whether heads of values that share a key are as far apart as there are key heads, and not beside one another
 *
 * What the tensors of layers with linear attention are called.
 */
typedef struct
{
  const char *mixed_and_gate;
  const char *write_and_decay;
  const char *mixed;
  const char *gate;
  const char *write;
  const char *decay;
  const char *taps;
  const char *decay_bias;
  const char *rates;
  const char *negative_rates;
  const char *norm;
  const char *output;
  gboolean    tiled;
} HlDeltaNames;

/**
 * HlPatchNames:
 * @projection: (nullable): what makes a token of a patch of pixels; %NULL in stacks that take tokens of a text
 * @first: (nullable): a token before those of patches, that stands for the whole image; a whole name, as all that follow
 * @second: (nullable): another, which Touvron et al. 2021 distil from a teacher
 * @registers: (nullable): tokens behind these that stand for nothing (Darcet et al. 2024); without positions
 * @positions: (nullable): the position embeddings of @first, @second and of patches, row by row of the image
 *
 * What the tensors of a stack that takes pixels are called.
 */
typedef struct
{
  const char *projection;
  const char *first;
  const char *second;
  const char *registers;
  const char *positions;
} HlPatchNames;

/**
 * HlInputNames:
 * @words: (nullable): the embeddings that layers have of their own; %NULL in families without
 * @projection: what makes as many numbers of the embeddings of the model
 * @norm: the norm of these
 * @gate: in a layer: what its embeddings are multiplied by
 * @out: likewise: what takes them to the model's width
 * @after: likewise: the norm of that
 *
 * What the tensors of layers' own embeddings are called.
 */
typedef struct
{
  const char *words;
  const char *projection;
  const char *norm;
  const char *gate;
  const char *out;
  const char *after;
} HlInputNames;

/**
 * HlStackNames:
 * @patches: what takes the place of @words, @positions and @segments where the input is pixels
 * @words: (nullable): whole names that the word embeddings may have, the first being the usual one; %NULL-terminated
 * @positions: (nullable): the position embeddings
 * @segments: (nullable): the embeddings of the first and the second text, if `type_vocab_size` is not 0
 * @embedding_norm: (nullable): the norm of their sum; with a bar at its end, only of files that have it
 * @projection: (nullable): what takes embeddings to the model's width
 * @layer: what the names of a layer begin with; `%u` is its number; %NULL when there is no such stack
 * @attention: the self-attention
 * @latent: what takes the place of its queries, keys and values
 * @cross: the attention to the encoder
 * @delta: what some layers have in place of attention; its names are %NULL in families without
 * @feed_forward: the feed-forward sublayer
 * @experts: what takes the place of the products of the feed-forward in a mixture of experts
 * @inputs: the embeddings that layers have of their own
 * @factor: (nullable): in a layer, a number that all that leaves it is multiplied by, a whole name
 * @relative_bias: (nullable): the bias by distance that all layers share; with `%u`, each layer has its own
 * @distances: (nullable): what queries and keys of distances are made of, if `relative_attention`
 * @distance_norm: (nullable): its norm
 * @convolution: (nullable): the convolution beside the first layer, if `conv_kernel_size` is not 0
 * @convolution_norm: (nullable): the norm behind it
 * @final_norm: (nullable): the norm of what leaves the stack
 *
 * What the tensors of a stack of layers are called.
 */
typedef struct
{
  HlPatchNames       patches;
  const char *const *words;
  const char        *positions;
  const char        *segments;
  const char        *embedding_norm;
  const char        *projection;
  const char        *layer;
  HlAttentionNames   attention;
  HlLatentNames      latent;
  HlAttentionNames   cross;
  HlDeltaNames       delta;
  HlFeedForwardNames feed_forward;
  HlExpertNames      experts;
  HlInputNames       inputs;
  const char        *factor;
  const char        *relative_bias;
  const char        *distances;
  const char        *distance_norm;
  const char        *convolution;
  const char        *convolution_norm;
  const char        *final_norm;
} HlStackNames;

/**
 * HlHeadNames:
 * @rows: names that a row for each token may have, what a state is multiplied by; %NULL-terminated
 * @tied: whether, without such rows in the file, those of the word embeddings are taken
 * @bias: (nullable): names of what is added for each token; %NULL-terminated
 * @bias_needed: whether it has to be there
 * @project: (nullable): what takes states to the width of the rows, where it is another
 * @dense: (nullable): the product that states go through first, with an activation and @norm behind it
 * @dense_bias: whether that has a bias
 * @activation: (nullable): keys of config.json that name the activation; %NULL for gelu
 * @norm: (nullable): the norm behind it
 * @scaled: whether states are divided by √width
 * @softcap: (nullable): the key of config.json that bounds logits
 * @multiplier: (nullable): the key of what logits are multiplied by
 * @multiplier_fallback: what they are multiplied by without it
 * @discriminator: (nullable): a tensor of files that tell tokens apart and predict none
 *
 * What predicts tokens from the last layer's states, as tensors are called. Names that begin with a slash are whole names.
 */
typedef struct
{
  const char *const *rows;
  HlSwitch           tied;
  const char *const *bias;
  HlSwitch           bias_needed;
  const char        *project;
  const char        *dense;
  HlSwitch           dense_bias;
  const char        *activation;
  const char        *norm;
  HlSwitch           scaled;
  const char        *softcap;
  const char        *multiplier;
  double             multiplier_fallback;
  const char        *discriminator;
} HlHeadNames;

/**
 * HlPositions:
 * @HL_POSITIONS_NONE: nothing is added to words
 * @HL_POSITIONS_LEARNED: a row of a table by position
 * @HL_POSITIONS_AFTER_PADDING: likewise, counted from one past the padding token's number, as RoBERTa does
 * @HL_POSITIONS_SINUSOID: sines, then cosines (Vaswani et al. 2017)
 * @HL_POSITIONS_SINUSOID_AFTER_PADDING: likewise, whose slowest frequency is 1/10000 itself, counted as RoBERTa does, and nothing at padding, as
 *   M2M-100 has it
 *
 * What is added to the embeddings of words.
 */
typedef enum {
  HL_POSITIONS_NONE,
  HL_POSITIONS_LEARNED,
  HL_POSITIONS_AFTER_PADDING,
  HL_POSITIONS_SINUSOID,
  HL_POSITIONS_SINUSOID_AFTER_PADDING,
} HlPositions;

/**
 * HlResampling:
 * @HL_RESAMPLING_NONE: it is not
 * @HL_RESAMPLING_BICUBIC: from the four neighbours in each direction
 * @HL_RESAMPLING_SMOOTH_BICUBIC: likewise, from more of them where there are to be fewer
 * @HL_RESAMPLING_SMOOTH_BILINEAR: from two, likewise
 *
 * How a table of positions is made to fit an image of another size than those of the training.
 */
typedef enum {
  HL_RESAMPLING_NONE,
  HL_RESAMPLING_BICUBIC,
  HL_RESAMPLING_SMOOTH_BICUBIC,
  HL_RESAMPLING_SMOOTH_BILINEAR,
} HlResampling;

/**
 * HlUsualSizes:
 * @width: features of what goes from layer to layer
 * @n_layers: layers
 * @n_heads: heads
 * @inner_width: features within the feed-forward layer
 * @n_words: the vocabulary, of texts
 * @image: pixels of a side, of images
 * @patch: pixels of a patch's side
 * @n_key_heads: heads of keys; 0 for as many as heads
 * @head_size: features of a head; 0 for its part of the width
 * @window: keys that are seen where not all are; 0 for all
 * @scalar: what scores are divided by the square root of; 0 for the size of a head
 * @multiplier: what they are multiplied by in place of that; 0 for nothing
 *
 * What the sizes of a model are whose configuration does not say them, as parts of a configuration do not say what is usual; 0 where it has to.
 */
typedef struct
{
  guint width;
  guint n_layers;
  guint n_heads;
  guint inner_width;
  guint n_words;
  guint image;
  guint patch;
  guint n_key_heads;
  guint head_size;
  guint window;
  guint scalar;
  guint multiplier;
} HlUsualSizes;

/**
 * HlFusedOrder:
 * @HL_FUSED_IN_TURN: those of all heads' queries, then keys, then values
 * @HL_FUSED_BY_KEY_HEAD: for each head of keys, the queries that ask it, its key and its value
 * @HL_FUSED_IN_QUARTERS: four times the queries, values, then keys of a fourth of the heads, as CodeGen's machines had them
 *
 * How weights of queries, keys and values in one lie.
 */
typedef enum {
  HL_FUSED_IN_TURN,
  HL_FUSED_BY_KEY_HEAD,
  HL_FUSED_IN_QUARTERS,
} HlFusedOrder;

/**
 * HlHeadNormKind:
 * @HL_HEAD_NORM_SHARED: over a head's features, all heads with the same weights
 * @HL_HEAD_NORM_OWN: likewise, each head with its own: `%u` in the name is the head; without `%u`, one tensor has those of all
 * @HL_HEAD_NORM_WIDE: over the features of all heads at once
 *
 * What queries and keys are normed over.
 */
typedef enum {
  HL_HEAD_NORM_SHARED,
  HL_HEAD_NORM_OWN,
  HL_HEAD_NORM_WIDE,
} HlHeadNormKind;

/**
 * HlAlibi:
 * @HL_ALIBI_NONE: nothing is added to scores for it
 * @HL_ALIBI_ADDED: a slope of the head's times the distance (Press et al. 2022)
 * @HL_ALIBI_SCALED: likewise, and it is scaled with them, as Falcon has it
 *
 * A bias by distance that has no weights.
 */
typedef enum {
  HL_ALIBI_NONE,
  HL_ALIBI_ADDED,
  HL_ALIBI_SCALED,
} HlAlibi;

/**
 * HlWindows:
 * @HL_WINDOWS_NONE: every layer sees all keys
 * @HL_WINDOWS_ALL: every layer has the window, if there is one
 * @HL_WINDOWS_ALL_IF_USED: likewise, if `use_sliding_window`
 * @HL_WINDOWS_ALL_UNLISTED: every layer has it
 * @HL_WINDOWS_UPPER: if `use_sliding_window`, layers from `max_window_layers` on
 * @HL_WINDOWS_ODD_BELOW: if `use_sliding_window`, every other layer before `max_window_layers`, the first included
 * @HL_WINDOWS_UNTURNED: if `use_sliding_window`, layers without a rotary embedding
 * @HL_WINDOWS_NOT_EVERY_NTH: all but the last of every n layers
 * @HL_WINDOWS_NOT_FIRST_OF_N: all but the first of every n layers
 * @HL_WINDOWS_CHUNKS: none has; those with a rotary embedding see chunks of `attention_chunk_size` keys
 *
 * Which layers have a sliding window when config.json has no `layer_types`; the first three, whatever these are.
 */
typedef enum {
  HL_WINDOWS_NONE,
  HL_WINDOWS_ALL,
  HL_WINDOWS_ALL_IF_USED,
  HL_WINDOWS_ALL_UNLISTED,
  HL_WINDOWS_UPPER,
  HL_WINDOWS_ODD_BELOW,
  HL_WINDOWS_UNTURNED,
  HL_WINDOWS_NOT_EVERY_NTH,
  HL_WINDOWS_NOT_FIRST_OF_N,
  HL_WINDOWS_CHUNKS,
} HlWindows;

/**
 * HlRopeLayers:
 * @HL_ROPE_LAYERS_ALL: every layer has the rotary embedding, if there is one
 * @HL_ROPE_LAYERS_LISTED: those of `no_rope_layers`, or all but every `no_rope_layer_interval`th
 * @HL_ROPE_LAYERS_WITH_WINDOW: those that have a window
 *
 * Which layers turn queries and keys by position (Kazemnejad et al. 2023 of those that do not).
 */
typedef enum {
  HL_ROPE_LAYERS_ALL,
  HL_ROPE_LAYERS_LISTED,
  HL_ROPE_LAYERS_WITH_WINDOW,
} HlRopeLayers;

/**
 * HlHeat:
 * @HL_HEAT_NONE: scores are scaled alike wherever a query stands
 * @HL_HEAT_UNTURNED: more the farther from the start, in layers without a rotary embedding, if `attn_temperature_tuning`
 * @HL_HEAT_ALL: likewise in all layers, by `llama_4_scaling_beta`
 *
 * Whether queries are multiplied by what grows with the logarithm of their position (Nakanishi 2025).
 */
typedef enum {
  HL_HEAT_NONE,
  HL_HEAT_UNTURNED,
  HL_HEAT_ALL,
} HlHeat;

/**
 * HlRouting:
 * @HL_ROUTING_SOFTMAX: the softmax of all scores
 * @HL_ROUTING_SOFTMAX_OF_CHOSEN: the softmax of the scores of those that are chosen
 * @HL_ROUTING_SIGMOID: σ of the scores (DeepSeek-AI 2024)
 * @HL_ROUTING_MIXER: of two, the softmax among those that are hardly worse (Liu et al. 2024)
 *
 * How the share of an expert follows from the scores.
 */
typedef enum {
  HL_ROUTING_SOFTMAX,
  HL_ROUTING_SOFTMAX_OF_CHOSEN,
  HL_ROUTING_SIGMOID,
  HL_ROUTING_MIXER,
} HlRouting;

/**
 * HlFamily:
 * @label: its name for people
 * @types: what config.json calls it, %NULL-terminated
 * @prefixes: what names of tensors may begin with, the usual one first
 * @stack: the names of the only stack, or of the encoder
 * @decoder: those of the decoder
 * @head: those of what predicts tokens
 * @usual: sizes that its configuration need not have
 * @inner_ratio: (nullable): the key of what the width is multiplied by for that within the feed-forward layer
 * @resampling: how the position table of patches is made to fit other images; those of another size are refused where it is not
 * @image_processor: (nullable): the class of transformers that makes pixels of images, where no file beside a model names one
 * @any_size: whether images may have any size
 * @patch_bias: whether what makes tokens of patches has a bias
 * @channels_last: whether its weights are [out, height · width · channels] and not [out, channels, height, width]
 * @grid_rope: whether the rotary embedding is by row and column of patches (Siméoni et al. 2025), and tokens before them are not turned
 * @positions: what is added to words
 * @position_type: (nullable): the key of config.json that says `rotary` of models that are @rotary and add nothing, and anything else of others
 * @positions_when: (nullable): the key of config.json that is false of models that add nothing
 * @position_offset: rows of the position table before position 0
 * @rotary: whether queries and keys are turned by position, unless there is a bias by distance
 * @interleaved: whether the two features that are turned together lie beside one another, and not half of the turned part apart
 * @rotary_fraction: the part of a head's features that is turned, unless config.json says
 * @rope_layers: in which layers
 * @theta: the base of the frequencies, unless config.json says
 * @local_theta: that of layers with a window, where it is another; 0 otherwise
 * @causal: whether the only stack is causal
 * @causal_when: whether it is, of a family that is not
 * @both_ways: whether it is not, after all, and predicts no tokens, where `use_bidirectional_attention` says so
 * @windows: which layers have a window
 * @window_period: n of the former, unless config.json says
 * @rms: whether norms are by root mean square
 * @plus_one: whether 1 is added to the weights of norms
 * @fused_order: how fused weights lie
 * @permuted: whether the features of a head's queries and keys are stored in pairs that are turned together, and not in halves
 * @transposed: whether weights are stored as [in, out]
 * @gated: whether the feed-forward layer has a gate; it also has one when config.json calls the activation gated
 * @unscaled: whether scores are q·k itself
 * @softcapped: whether scores are bounded by `attn_logit_softcapping`, if config.json has it
 * @alibi: the bias by distance, where @has_alibi
 * @has_alibi: whether there is one
 * @one_key_head: whether there is one head of keys, unless @key_heads_count
 * @key_heads_count: whether config.json's number of key heads counts all the same
 * @clip: (nullable): the key of what products of queries, keys and values are cut to
 * @clip_after_norm: whether that is behind norms over all heads, and not before
 * @scaled_words: whether embeddings are multiplied by √width
 * @mask_dropped: whether the masking token has no embedding, and the others make up for it, as in ESM-2 (Lin et al. 2023)
 * @parallel: whether attention and feed-forward get the same input
 * @norm_before: whether norms named @before are so, and not after
 * @qkv_bias: whether queries, keys and values have a bias
 * @unbiased_keys: whether keys have none all the same
 * @output_bias: whether what follows the heads has
 * @feed_forward_bias: whether the feed-forward layer has
 * @feed_forward_output_bias: (nullable): the key of config.json that says whether what ends that has, where it need not be as what begins it
 * @norm_bias: whether norms have
 * @norm_plain: whether norms have no weights at all, and the file nothing of them
 * @head_norm: whether norms of queries and keys are there
 * @head_norm_kind: what those are over
 * @head_norm_plain: whether those have no bias where others have
 * @head_norm_bare: whether those have no weights at all, and are in layers with a rotary embedding only
 * @value_norm: whether the values of a head are normed too, by norms without weights
 * @heat: whether queries are scaled by position
 * @output_gate: whether each query has a gate beside it that its head's result is multiplied by
 * @projection_bias: whether the projection of embeddings has a bias
 * @no_first_norm: whether the first layer has no norm before its attention
 * @rope_untruncated: whether the bounds of YaRN are not made whole, unless config.json says
 * @rope_mscales: whether scaled rotary embeddings have a factor each for short and long texts, `short_mscale` and `long_mscale`
 * @stretched_scale: whether the scaling of rotary embeddings is in the scale of scores too, as in DeepSeek
 * @routing: how the share of an expert follows
 * @shares_renormalised: whether the shares of those that are chosen are made to sum to 1
 * @expert_bias: whether router and experts have a bias
 * @experts_transposed: whether tensors of all experts are [experts, in, out]
 * @experts_weigh_input: whether an expert's share is what its input is multiplied by, and not what it comes to
 * @experts_clamped: whether the gates of experts are bounded as those of gpt-oss
 * @refused: (nullable): switches of config.json for parts that are not known; %NULL-terminated
 * @activation: which activation, unless config.json says
 * @gelu_is_tanh: whether `gelu` is its approximation by tanh, and `hidden_act` alone says which, as in files of the first Gemma
 * @epsilon: the norms' epsilon, unless config.json says
 * @own_epsilon: whether it is that all the same
 *
 * What tells a family of models from others: all that the shared blocks need to know. Adding a family is adding one of these.
 */
typedef struct
{
  const char        *label;
  const char *const *types;
  const char *const *prefixes;
  HlStackNames       stack;
  HlStackNames       decoder;
  HlHeadNames        head;
  HlUsualSizes       usual;
  const char        *inner_ratio;
  HlResampling       resampling;
  const char        *image_processor;
  gboolean           any_size;
  gboolean           patch_bias;
  gboolean           channels_last;
  gboolean           grid_rope;
  HlPositions        positions;
  const char        *position_type;
  const char        *positions_when;
  guint              position_offset;
  gboolean           rotary;
  gboolean           interleaved;
  double             rotary_fraction;
  HlRopeLayers       rope_layers;
  double             theta;
  double             local_theta;
  gboolean           causal;
  HlSwitch           causal_when;
  gboolean           both_ways;
  HlWindows          windows;
  guint              window_period;
  gboolean           rms;
  gboolean           plus_one;
  HlFusedOrder       fused_order;
  gboolean           permuted;
  gboolean           transposed;
  gboolean           gated;
  gboolean           unscaled;
  gboolean           softcapped;
  HlAlibi            alibi;
  HlSwitch           has_alibi;
  HlSwitch           one_key_head;
  HlSwitch           key_heads_count;
  const char        *clip;
  gboolean           clip_after_norm;
  HlSwitch           scaled_words;
  HlSwitch           mask_dropped;
  HlSwitch           parallel;
  HlSwitch           norm_before;
  HlSwitch           qkv_bias;
  gboolean           unbiased_keys;
  HlSwitch           output_bias;
  HlSwitch           feed_forward_bias;
  const char        *feed_forward_output_bias;
  HlSwitch           norm_bias;
  gboolean           norm_plain;
  HlSwitch           head_norm;
  HlHeadNormKind     head_norm_kind;
  gboolean           head_norm_plain;
  gboolean           head_norm_bare;
  gboolean           value_norm;
  HlHeat             heat;
  gboolean           output_gate;
  gboolean           projection_bias;
  gboolean           no_first_norm;
  gboolean           rope_untruncated;
  gboolean           rope_mscales;
  gboolean           stretched_scale;
  HlRouting          routing;
  HlSwitch           shares_renormalised;
  gboolean           expert_bias;
  gboolean           experts_transposed;
  gboolean           experts_weigh_input;
  gboolean           experts_clamped;
  const char *const *refused;
  const char        *activation;
  gboolean           gelu_is_tanh;
  double             epsilon;
  gboolean           own_epsilon;
} HlFamily;

const HlFamily *hl_family_get     (guint        index);
const HlFamily *hl_family_find    (const char  *type,
                                   GError     **error);
gboolean        hl_switch_read    (const HlSwitch *self,
                                   HlModelConfig  *config,
                                   gboolean       *value,
                                   GError        **error);

G_END_DECLS
