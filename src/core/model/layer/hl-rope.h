/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/family/hl-family.h"
#include "core/model/checkpoint/hl-model-config.h"

G_BEGIN_DECLS

/**
 * HlRopeScaling:
 * @HL_ROPE_PLAIN: none
 * @HL_ROPE_LINEAR: positions are divided by a factor (Chen et al. 2023)
 * @HL_ROPE_DYNAMIC: the base grows with texts longer than those of the training
 * @HL_ROPE_YARN: slow frequencies are divided, fast ones are not (Peng et al. 2023)
 * @HL_ROPE_LLAMA3: likewise, as LLaMA 3.1 does it
 * @HL_ROPE_PROPORTIONAL: a part of the frequencies of all pairs, the slow ones being 0
 * @HL_ROPE_LONG: each frequency has a divisor for texts like those of the training, and another for longer ones (Ding et al. 2024)
 *
 * How a model was made to take texts longer than those it was trained on.
 */
typedef enum {
  HL_ROPE_PLAIN,
  HL_ROPE_LINEAR,
  HL_ROPE_DYNAMIC,
  HL_ROPE_YARN,
  HL_ROPE_LLAMA3,
  HL_ROPE_PROPORTIONAL,
  HL_ROPE_LONG,
} HlRopeScaling;

/**
 * HlRope:
 * @scaling: how frequencies are scaled
 * @n_pairs: pairs of features that are turned
 * @n_turning: how many of them have a frequency above 0
 * @base: the base of the frequencies
 * @factor: the factor of @scaling
 * @low: the lower bound of LLaMA 3, the slow one of YaRN
 * @high: the upper bound of LLaMA 3, the fast one of YaRN
 * @truncate: whether YaRN's bounds are made whole
 * @original_length: the length of the training
 * @attention_factor: what cosines and sines are multiplied by
 * @long_attention_factor: what takes its place in texts longer than those of the training
 * @divisors: (nullable): [n_pairs]: what frequencies are divided by besides
 * @long_divisors: (nullable): [n_pairs]: what takes their place in texts longer than those of the training
 *
 * The rotary embedding of a model's layers of one kind.
 */
typedef struct
{
  HlRopeScaling scaling;
  gsize         n_pairs;
  gsize         n_turning;
  double        base;
  double        factor;
  double        low;
  double        high;
  gboolean      truncate;
  double        original_length;
  double        attention_factor;
  double        long_attention_factor;
  double       *divisors;
  double       *long_divisors;
} HlRope;

gboolean hl_rope_load      (HlRope          *self,
                            HlModelConfig   *config,
                            const HlFamily  *family,
                            gsize            head_size,
                            gboolean         local,
                            GError         **error);
void     hl_rope_clear     (HlRope          *self);
gboolean hl_rope_read_stretch
                           (HlModelConfig   *config,
                            double          *stretch,
                            GError         **error);
gboolean hl_rope_depends_on_length
                           (const HlRope    *self,
                            gsize            n_positions);
float   *hl_rope_new_table (const HlRope    *self,
                            gsize            first_position,
                            gsize            n_positions);

G_END_DECLS
