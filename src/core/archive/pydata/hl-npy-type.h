/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-dtype.h"

G_BEGIN_DECLS

/**
 * HlNpyKind:
 * @HL_NPY_NUMBERS: numbers that a tensor can hold
 * @HL_NPY_UNICODE: strings of so many code points of 4 bytes
 * @HL_NPY_BYTES: strings of so many bytes
 * @HL_NPY_OBJECTS: Python objects
 *
 * What the elements of an array of NumPy are.
 */
typedef enum {
  HL_NPY_NUMBERS,
  HL_NPY_UNICODE,
  HL_NPY_BYTES,
  HL_NPY_OBJECTS,
} HlNpyKind;

/**
 * HlNpyType:
 * @kind: what elements are
 * @dtype: of numbers
 * @size: bytes of an element; 0 for objects
 * @swapped: whether they are in the byte order foreign to this machine
 *
 * The type of the elements of an array of NumPy.
 */
typedef struct
{
  HlNpyKind kind;
  HlDType   dtype;
  gsize     size;
  gboolean  swapped;
} HlNpyType;

gboolean hl_npy_type_parse (HlNpyType   *self,
                            const char  *code,
                            GError     **error);

G_END_DECLS
