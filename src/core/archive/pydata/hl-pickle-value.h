/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-span.h"
#include "core/base/hl-limits.h"

G_BEGIN_DECLS

typedef enum {
  HL_PICKLE_NONE,    /* and what is of no use here */
  HL_PICKLE_INTEGER, /* or a boolean */
  HL_PICKLE_NUMBER,
  HL_PICKLE_TEXT,
  HL_PICKLE_BYTES,
  HL_PICKLE_LIST,       /* a tuple or set too */
  HL_PICKLE_DICTIONARY, /* or an object as its fields */
  HL_PICKLE_GLOBAL,     /* a name of a function or class that stands for data */
  HL_PICKLE_STORAGE,    /* the numbers of tensors of PyTorch */
  HL_PICKLE_TENSOR,
  HL_PICKLE_TYPE, /* of NumPy */
  HL_PICKLE_ARRAY,
} HlPickleKind;

typedef struct _HlPickleValue HlPickleValue;

/* Of a string too, which need not be UTF-8. */
typedef struct
{
  const guint8 *data;
  gsize         size;
  HlSpan       *span; /* where they lie */
  guint64       offset;
} HlPickleText;

typedef struct
{
  HlPickleValue **items; /* elements, or keys and values in turn */
  guint           n_items;
  guint           n_allocated;
} HlPickleList;

typedef struct
{
  int         id;    /* what it stands for, private to the machine */
  int         dtype; /* of a type of PyTorch; -1 if its numbers cannot be read */
  const char *name;
} HlPickleGlobal;

typedef struct
{
  HlPickleGlobal type; /* its class, such as `FloatStorage` */
  char          *key;  /* what the file calls it */
  HlSpan        *span; /* once its bytes have been found */
  gboolean       swapped;
} HlPickleStorage;

typedef struct
{
  HlPickleStorage *storage;
  HlPickleGlobal   type;
  guint64          offset; /* of the first element, in elements like the strides */
  HlShape          shape;
  gint64           strides[HL_LIMIT_RANK];
} HlPickleTensor;

typedef struct
{
  HlPickleValue *type; /* nullable, of kind HL_PICKLE_TYPE */
  HlShape        shape;
  gboolean       is_fortran;
  HlPickleValue *data; /* nullable: bytes, or a list of objects */
} HlPickleArray;

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

/* Owns all values of a file, however they refer to one another. */
typedef struct
{
  GPtrArray *values;
  GPtrArray *storages; /* those of the values that are storages */
  GPtrArray *kept;     /* what bytes of values lie in */
  gsize      n_bytes;  /* of text that was spelled anew */
  gsize      n_copied; /* items, from one value to another */
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
gboolean       hl_pickle_fail             (GError        **error);
gboolean       hl_pickle_fail_full        (GError        **error);
gboolean       hl_pickle_fail_long        (GError        **error);
gpointer       hl_pickle_refuse           (GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPickleHeap, hl_pickle_heap_free)

G_END_DECLS
