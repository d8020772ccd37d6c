/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/document/attention/hl-check.h"
#include "core/document/tokens/hl-annotation.h"

G_BEGIN_DECLS

#define HL_TYPE_EXAMPLE (hl_example_get_type ())
G_DECLARE_FINAL_TYPE (HlExample, hl_example, HL, EXAMPLE, GObject)

const char  *hl_example_get_name         (HlExample      *self);
const char  *hl_example_get_text         (HlExample      *self);
const char  *hl_example_get_text_pair    (HlExample      *self);
guint        hl_example_get_n_attentions (HlExample      *self);
HlAttention *hl_example_get_attention    (HlExample      *self,
                                          guint           index);
HlAttention *hl_example_find_attention   (HlExample      *self,
                                          HlAttentionKind kind);
HlAttention *hl_example_choose_attention (HlExample    *self);
GPtrArray   *hl_example_get_checks       (HlExample      *self);
HlAnnotation *hl_example_get_annotation  (HlExample      *self);
guint64      hl_example_get_stored       (HlExample      *self);

/* For those who read files. */
HlExample *hl_example_new (const char *name,
                           const char *text,
                           const char *text_pair,
                           GPtrArray  *attentions,
                           GPtrArray  *checks);
void       hl_example_set_annotation (HlExample    *self,
                                      HlAnnotation *annotation);
void       hl_example_set_stored     (HlExample    *self,
                                      guint64       stored);

G_END_DECLS
