/* SPDX-License-Identifier: MIT */
/* What the files of HlAttention share. */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

struct _HlAttention
{
  GObject parent_instance;

  HlAttentionKind kind;
  guint n_layers;
  guint *n_heads;
  guint max_heads;
  const char *layer_name;
  const char *head_name;
  HlLayerTensor *weights;
  HlLayerTensor *queries;
  HlLayerTensor *keys;
  HlLayerTensor *values;
  HlLayerTensor *inputs;
  gboolean has_scores;
  gsize n_queries;
  gsize n_keys;
  gsize n_used_queries;
  gsize n_used_keys;
  HlTokenStrings *query_tokens;
  HlTokenStrings *key_tokens;
  HlTokenStrings *query_texts;
  HlTokenStrings *key_texts;
  HlTokenMap *query_map;
  HlTokenMap *key_map;
  gboolean has_query_tokens;
  gboolean has_key_tokens;
  gsize sentence_b_start;
  gboolean is_transposed;
  HlAttentionRule *rules;
  GBytes *bias;
};

void hl_attention_name_tokens  (HlAttention           *self,
                                const HlAttentionInit *init);
void hl_attention_clear_tokens (HlAttention           *self);

G_END_DECLS
