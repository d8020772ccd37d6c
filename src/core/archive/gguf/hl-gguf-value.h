/* SPDX-License-Identifier: MIT */
/* The values of a GGUF file's metadata, where they lie in the file. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a value is, by its number in files. */
typedef enum {
  HL_GGUF_U8,
  HL_GGUF_I8,
  HL_GGUF_U16,
  HL_GGUF_I16,
  HL_GGUF_U32,
  HL_GGUF_I32,
  HL_GGUF_F32,
  HL_GGUF_BOOL,
  HL_GGUF_STRING,
  HL_GGUF_ARRAY,
  HL_GGUF_U64,
  HL_GGUF_I64,
  HL_GGUF_F64,
} HlGgufType;

#define HL_N_GGUF_TYPES (HL_GGUF_F64 + 1)

/* A value, or all of an array; every length in it has been checked. */
typedef struct
{
  HlGgufType    type; /* of the items, of an array */
  gboolean      is_array;
  gboolean      swapped; /* whether its byte order is the other one */
  guint64       n;       /* items; 1 when it is no array */
  const guint8 *data;    /* the first item */
} HlGgufValue;

/* A walk over the strings of an array, or the only one of a value. */
typedef struct
{
  const HlGgufValue *value;
  guint64            n_seen;
  const guint8      *at;
} HlGgufStrings;

gsize       hl_gguf_type_get_size      (HlGgufType          type);
gboolean    hl_gguf_value_get_integer  (const HlGgufValue  *self,
                                        guint64             index,
                                        gint64             *integer);
gboolean    hl_gguf_value_get_number   (const HlGgufValue  *self,
                                        guint64             index,
                                        double             *number);
const char *hl_gguf_value_get_string   (const HlGgufValue  *self,
                                        gsize              *length);
void        hl_gguf_strings_init       (HlGgufStrings      *self,
                                        const HlGgufValue  *value);
const char *hl_gguf_strings_next       (HlGgufStrings      *self,
                                        gsize              *length);

guint32     hl_gguf_load_u32           (const guint8       *bytes,
                                        gboolean            swapped);
guint64     hl_gguf_load_u64           (const guint8       *bytes,
                                        gboolean            swapped);

G_END_DECLS
