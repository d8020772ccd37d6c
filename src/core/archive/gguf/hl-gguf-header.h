/* SPDX-License-Identifier: MIT */
/* The header of a GGUF file: its metadata, and where its tensors are. */
#pragma once

#include "core/archive/gguf/hl-gguf-value.h"
#include "core/base/tensor/hl-dtype.h"
#include "core/base/tensor/hl-shape.h"

G_BEGIN_DECLS

/* The number of Ollama's own type: MXFP4 with two neighbours a byte. */
#define HL_GGUF_MXFP4_IN_PAIRS 4

/* What it says of one tensor. */
typedef struct
{
  char    *name;
  guint32  type; /* its number in files */
  gboolean is_readable;
  HlDType  dtype; /* when it is readable */
  HlShape  shape; /* the last axis is the innermost, as everywhere here */
  guint64  begin; /* its first byte in the file */
  guint64  n_bytes; /* when it is readable */
} HlGgufEntry;

/* A header that has been checked in full. What it points to is in the file. */
typedef struct
{
  guint32     version;
  gboolean    swapped;
  GHashTable *values;  /* of HlGgufValue by key */
  GPtrArray  *entries; /* of HlGgufEntry, as listed */
  GHashTable *index;   /* the same by name */
} HlGgufHeader;

HlGgufHeader *hl_gguf_header_parse (const guint8  *bytes,
                                    gsize          size,
                                    GError       **error);
void          hl_gguf_header_free  (HlGgufHeader  *self);

char         *hl_gguf_header_find_string (const guint8  *bytes,
                                          gsize          size,
                                          const char    *key,
                                          GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlGgufHeader, hl_gguf_header_free)

G_END_DECLS
