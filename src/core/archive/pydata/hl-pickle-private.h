/* SPDX-License-Identifier: MIT */
/* What the parts of the pickle machine share. */
#pragma once

#include "core/archive/pydata/hl-pickle-value.h"

G_BEGIN_DECLS

/* What a name stands for. */
typedef enum {
  HL_GLOBAL_DICTIONARY,
  HL_GLOBAL_LIST,
  HL_GLOBAL_FIELDS,
  HL_GLOBAL_PLAIN, /* named, never made */
  HL_GLOBAL_ENCODE,
  HL_GLOBAL_BYTES,
  HL_GLOBAL_COPY,
  HL_GLOBAL_ARRAY,
  HL_GLOBAL_ARRAY_BYTES,
  HL_GLOBAL_ARRAY_SCALAR,
  HL_GLOBAL_ARRAY_TYPE,
  HL_GLOBAL_STORAGE,
  HL_GLOBAL_TYPE,
  HL_GLOBAL_LOAD,
  HL_GLOBAL_TENSOR,
  HL_GLOBAL_TENSOR_TYPED,
  HL_GLOBAL_PARAMETER,
  HL_GLOBAL_SUBCLASS,
} HlGlobalId;

HlPickleValue *hl_pickle_make_tensor     (HlPickleHeap         *heap,
                                          HlPickleValue *const *arguments,
                                          guint                 n_arguments,
                                          gboolean              is_typed,
                                          GError              **error);
HlPickleValue *hl_pickle_make_array      (HlPickleHeap         *heap,
                                          HlPickleValue *const *arguments,
                                          guint                 n_arguments,
                                          int                   id,
                                          GError              **error);
gboolean       hl_pickle_build_array     (HlPickleValue        *object,
                                          HlPickleValue        *state,
                                          GError              **error);
gboolean       hl_pickle_get_shape       (const HlPickleValue  *value,
                                          HlShape              *shape,
                                          GError              **error);
gboolean       hl_pickle_is_text         (const HlPickleValue  *value,
                                          const char           *text);
gboolean       hl_pickle_fail            (GError              **error);

G_END_DECLS
