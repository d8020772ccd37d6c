/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-stack-run.h"
#include "core/tokenizer/hl-tokenizer.h"

G_BEGIN_DECLS

#define HL_TYPE_MODEL (hl_model_get_type ())
G_DECLARE_FINAL_TYPE (HlModel, hl_model, HL, MODEL, GObject)

/**
 * HlModelInput:
 * @ids: (nullable) (array length=n_ids): token numbers of the text, or of the encoder's; %NULL with @pixels
 * @pixels: (nullable): what takes their place in a model that takes pixels
 * @segments: (nullable) (array length=n_ids): 0 for the first text, 1 for the second
 * @n_ids: how many; of @pixels what hl_model_count_tokens() says
 * @decoder_ids: (nullable) (array length=n_decoder_ids): those of the decoder's text
 * @n_decoder_ids: how many
 *
 * What a model is run on. Without tokens for the decoder, an encoder–decoder model runs its encoder only.
 */
typedef struct
{
  const guint32  *ids;
  HlPixels       *pixels;
  const guint32  *segments;
  gsize           n_ids;
  const guint32  *decoder_ids;
  gsize          n_decoder_ids;
} HlModelInput;

/**
 * HlModelHooks:
 * @func: (nullable): told of queries, keys and values
 * @stream_func: (nullable): told of the residual stream
 * @sublayer_func: (nullable): told of what every sublayer comes to
 * @data: for these functions
 * @edits: (array length=n_edits): heads that are to be other than they are
 * @n_edits: how many
 *
 * What somebody wants to know of a pass over all layers, and to have otherwise in it; see #HlStackRun.
 */
typedef struct
{
  HlLayerFunc       func;
  HlStreamFunc      stream_func;
  HlSublayerFunc    sublayer_func;
  gpointer          data;
  const HlHeadEdit *edits;
  gsize             n_edits;
} HlModelHooks;

gboolean         hl_model_is_model          (GFile              *file);
HlModel         *hl_model_load              (GFile              *file,
                                             GError            **error);
HlModel         *hl_model_load_base         (GFile              *adapter,
                                             GError            **error);
gboolean         hl_model_check_files       (HlModel            *self,
                                             GError            **error);
GFile           *hl_model_get_file          (HlModel            *self);
GFile           *hl_model_get_checkpoint    (HlModel            *self);
gboolean         hl_model_has_adapter       (HlModel            *self);
gboolean         hl_model_takes_pixels      (HlModel            *self);
gboolean         hl_model_has_vision        (HlModel            *self);
HlModel         *hl_model_require_vision    (HlModel            *self,
                                             GError            **error);
char            *hl_model_describe_pixels   (HlModel            *self);
gboolean         hl_model_check_pixels      (HlModel            *self,
                                             const HlPixels     *pixels,
                                             GError            **error);
char            *hl_model_describe_grid     (HlModel            *self,
                                             const HlPixels     *pixels);
gsize            hl_model_count_tokens      (HlModel            *self,
                                             const HlPixels     *pixels);
char           **hl_model_dup_pixel_names   (HlModel            *self,
                                             const HlPixels     *pixels);
HlTokenizer     *hl_model_get_tokenizer     (HlModel            *self);
HlTokenizer     *hl_model_require_tokenizer (HlModel            *self,
                                             GError            **error);
const HlFamily  *hl_model_get_family_row    (HlModel            *self);
HlModelConfig   *hl_model_get_config        (HlModel            *self);
HlWeights       *hl_model_get_weights       (HlModel            *self);
char            *hl_model_dup_class         (HlModel            *self,
                                             guint32             id);
char            *hl_model_dup_token_name    (HlModel            *self,
                                             guint32             id);
const char      *hl_model_get_name          (HlModel            *self);
const char      *hl_model_get_family        (HlModel            *self);
gboolean         hl_model_is_file           (HlModel            *self);
gboolean         hl_model_has_decoder       (HlModel            *self);
guint            hl_model_get_n_layers      (HlModel            *self,
                                             HlAttentionKind     attention);
gboolean         hl_model_stop_after        (HlModel            *self,
                                             guint               layer,
                                             GError            **error);
guint            hl_model_get_last_layer    (HlModel            *self,
                                             guint              *n_layers);
gboolean         hl_model_check_whole       (HlModel            *self,
                                             GError            **error);
const HlLayerShape *
                 hl_model_get_shape         (HlModel            *self,
                                             HlAttentionKind     attention,
                                             guint               layer);
gsize            hl_model_get_width         (HlModel            *self,
                                             HlAttentionKind     attention);
const HlStack   *hl_model_get_stack         (HlModel            *self,
                                             HlAttentionKind     attention);
gsize            hl_model_get_max_length    (HlModel            *self);
gsize            hl_model_get_n_segments    (HlModel            *self);
gboolean         hl_model_is_causal         (HlModel            *self);
gboolean         hl_model_get_decoder_start (HlModel            *self,
                                             guint32            *id);
HlAttentionRule *hl_model_make_rules        (HlModel            *self,
                                             HlAttentionKind     attention,
                                             gsize               n_queries,
                                             GBytes            **bias,
                                             GError            **error);
HlTensor        *hl_model_open_output       (HlModel            *self,
                                             HlAttentionKind     attention,
                                             guint               layer);
HlTensor        *hl_model_open_weights      (HlModel            *self,
                                             HlAttentionKind     attention,
                                             guint               layer,
                                             HlIngredient        weights);
HlTensor        *hl_model_open_bias         (HlModel            *self,
                                             HlAttentionKind     attention,
                                             guint               layer,
                                             HlIngredient        weights);
HlFinish         hl_model_get_finish        (HlModel            *self,
                                             HlAttentionKind     attention,
                                             guint               layer);
HlTensor        *hl_model_open_output_norm  (HlModel            *self,
                                             HlAttentionKind     attention);
gboolean         hl_model_has_norm_before   (HlModel            *self,
                                             HlAttentionKind     attention);
gboolean         hl_model_check_input       (HlModel            *self,
                                             const HlModelInput *input,
                                             GError            **error);
gboolean         hl_model_forward           (HlModel            *self,
                                             const HlModelInput *input,
                                             HlLayerFunc         func,
                                             gpointer            data,
                                             HlProgress         *progress,
                                             GCancellable       *cancellable,
                                             GError            **error);
gboolean         hl_model_forward_with      (HlModel            *self,
                                             const HlModelInput *input,
                                             const HlModelHooks *hooks,
                                             HlProgress         *progress,
                                             GCancellable       *cancellable,
                                             GError            **error);
gboolean         hl_model_run_stack         (HlModel            *self,
                                             const HlStackRun   *run,
                                             float             **output,
                                             GCancellable       *cancellable,
                                             GError            **error);

G_END_DECLS
