/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/pydata/hl-pickle-value.h"

G_BEGIN_DECLS

/* Reads a file of PyTorch that is inside a pickle, as the numbers of a tensor that was pickled on its own. */
typedef HlPickleValue *(*HlPickleUnpack) (HlPickleHeap   *heap,
                                          HlPickleValue  *bytes,
                                          gpointer        data,
                                          GError        **error);

gboolean       hl_pickle_global_find (HlPickleGlobal  *self,
                                      const char      *module,
                                      const char      *name,
                                      GError         **error);
HlPickleValue *hl_pickle_reduce      (HlPickleHeap    *heap,
                                      HlPickleValue   *function,
                                      HlPickleValue   *arguments,
                                      HlPickleUnpack   unpack,
                                      gpointer         data,
                                      GError         **error);
gboolean       hl_pickle_build       (HlPickleHeap    *heap,
                                      HlPickleValue   *object,
                                      HlPickleValue   *state,
                                      GError         **error);
HlPickleValue *hl_pickle_persistent  (HlPickleHeap    *heap,
                                      HlPickleValue   *id,
                                      GError         **error);

G_END_DECLS
