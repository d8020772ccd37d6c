/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-span.h"

G_BEGIN_DECLS

/**
 * HL_PICKLE_MAX_VALUES:
 *
 * The most values that a pickle can make.
 */
#define HL_PICKLE_MAX_VALUES 4000000

/**
 * HL_PICKLE_MAX_BYTES:
 *
 * The most bytes of text that are spelled anew, because the pickle has them with escapes: 256 MiB.
 */
#define HL_PICKLE_MAX_BYTES ((gsize) 256 << 20)

/**
 * HlPickleKind:
 * @HL_PICKLE_NONE: `None`, and what is of no use here
 * @HL_PICKLE_INTEGER: an integer, or a boolean
 * @HL_PICKLE_NUMBER: a float
 * @HL_PICKLE_TEXT: a string
 * @HL_PICKLE_BYTES: bytes
 * @HL_PICKLE_LIST: a list, tuple or set
 * @HL_PICKLE_DICTIONARY: a dictionary, or an object as its fields
 * @HL_PICKLE_GLOBAL: a name of a function or class that stands for data
 * @HL_PICKLE_STORAGE: the numbers of tensors of PyTorch
 * @HL_PICKLE_TENSOR: a tensor of PyTorch
 * @HL_PICKLE_TYPE: a type of NumPy
 * @HL_PICKLE_ARRAY: an array of NumPy
 *
 * What a value is.
 */
typedef enum {
  HL_PICKLE_NONE,
  HL_PICKLE_INTEGER,
  HL_PICKLE_NUMBER,
  HL_PICKLE_TEXT,
  HL_PICKLE_BYTES,
  HL_PICKLE_LIST,
  HL_PICKLE_DICTIONARY,
  HL_PICKLE_GLOBAL,
  HL_PICKLE_STORAGE,
  HL_PICKLE_TENSOR,
  HL_PICKLE_TYPE,
  HL_PICKLE_ARRAY,
} HlPickleKind;

typedef struct _HlPickleValue HlPickleValue;

/**
 * HlPickleText:
 * @data: the bytes; of a string too, which need not be UTF-8
 * @size: how many
 * @span: where they lie
 * @offset: where in it
 */
typedef struct
{
  const guint8 *data;
  gsize         size;
  HlSpan       *span;
  guint64       offset;
} HlPickleText;

/**
 * HlPickleList:
 * @items: elements, or keys and values in turn
 * @n_items: how many pointers
 * @n_allocated: room
 */
typedef struct
{
  HlPickleValue **items;
  guint           n_items;
  guint           n_allocated;
} HlPickleList;

/**
 * HlPickleGlobal:
 * @id: what it stands for, private to the machine
 * @dtype: of a type of PyTorch; -1 if its numbers cannot be read
 * @name: what it is called
 */
typedef struct
{
  int         id;
  int         dtype;
  const char *name;
} HlPickleGlobal;

/**
 * HlPickleStorage:
 * @type: the class of it, such as `FloatStorage`
 * @key: what the file calls it
 * @span: (nullable): its bytes, once they have been found
 * @swapped: whether they are in the byte order foreign to this machine
 */
typedef struct
{
  HlPickleGlobal type;
  char          *key;
  HlSpan        *span;
  gboolean       swapped;
} HlPickleStorage;

/**
 * HlPickleTensor:
 * @storage: where its numbers are
 * @type: of the elements
 * @offset: the first element
 * @shape: the sizes
 * @strides: elements from one index to the next along each axis
 */
typedef struct
{
  HlPickleStorage *storage;
  HlPickleGlobal   type;
  guint64          offset;
  HlShape          shape;
  gint64           strides[HL_MAX_RANK];
} HlPickleTensor;

/**
 * HlPickleArray:
 * @type: (nullable): of the elements, a value of kind %HL_PICKLE_TYPE
 * @shape: the sizes
 * @is_fortran: whether the first axis is the fastest
 * @data: (nullable): bytes, or a list of objects
 */
typedef struct
{
  HlPickleValue *type;
  HlShape        shape;
  gboolean       is_fortran;
  HlPickleValue *data;
} HlPickleArray;

/**
 * HlPickleValue:
 *
 * Something that a pickle made. It belongs to a heap.
 */
struct _HlPickleValue
{
  HlPickleKind kind;
  union
  {
    gint64           integer;
    double           number;
    HlPickleText     text;
    HlPickleList     list;
    HlPickleGlobal   global;
    HlPickleStorage *storage;
    HlPickleTensor  *tensor;
    HlPickleArray   *array;
    char             code[24];
  };
};

/**
 * HlPickleHeap:
 * @values: all values
 * @storages: (element-type HlPickleValue): those that are storages
 * @kept: what bytes of values lie in
 * @n_bytes: of text that was spelled anew
 * @n_copied: items that were copied from one value to another
 *
 * Owns all values of a file, however they refer to one another.
 */
typedef struct
{
  GPtrArray *values;
  GPtrArray *storages;
  GPtrArray *kept;
  gsize      n_bytes;
  gsize      n_copied;
} HlPickleHeap;

HlPickleHeap  *hl_pickle_heap_new         (void);
void           hl_pickle_heap_free        (HlPickleHeap   *self);
HlPickleValue *hl_pickle_heap_add         (HlPickleHeap   *self,
                                           HlPickleKind    kind,
                                           GError        **error);
HlPickleValue *hl_pickle_heap_add_integer (HlPickleHeap   *self,
                                           gint64          integer,
                                           GError        **error);
HlPickleValue *hl_pickle_heap_add_text    (HlPickleHeap   *self,
                                           HlPickleKind    kind,
                                           char           *text,
                                           gsize           size,
                                           GError        **error);
gboolean       hl_pickle_heap_copy        (HlPickleHeap   *self,
                                           HlPickleValue  *target,
                                           HlPickleValue  *source,
                                           GError        **error);
void           hl_pickle_list_append      (HlPickleValue  *self,
                                           HlPickleValue  *item);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPickleHeap, hl_pickle_heap_free)

G_END_DECLS
