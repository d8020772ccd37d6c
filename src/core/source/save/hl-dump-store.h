/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/hl-document.h"
#include "core/source/derive/hl-lens.h"

G_BEGIN_DECLS

/**
 * HlDumpStore:
 * @HL_DUMP_STORE_ALL: what the document has
 * @HL_DUMP_STORE_ATTENTION: the weights only; they are computed if the document has queries and keys instead
 * @HL_DUMP_STORE_QK: queries, keys and values only
 *
 * Which numbers of a document go into a dump. Beside weights, and beside queries and keys, stand the lengths of values after the output
 * projection where they are known, since they are small.
 */
typedef enum {
  HL_DUMP_STORE_ALL,
  HL_DUMP_STORE_ATTENTION,
  HL_DUMP_STORE_QK,
} HlDumpStore;

HlExample *hl_dump_store_select (HlDumpStore   store,
                                 HlExample    *example,
                                 GError      **error);
HlExample *hl_dump_store_derive (const HlLens *lens,
                                 HlExample    *example,
                                 GPtrArray    *left_out,
                                 GError      **error);

G_END_DECLS
