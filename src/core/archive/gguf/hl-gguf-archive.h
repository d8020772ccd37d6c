/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/gguf/hl-gguf-value.h"
#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

#define HL_TYPE_GGUF_ARCHIVE (hl_gguf_archive_get_type ())
/**
 * HlGgufArchive:
 *
 * A GGUF file, as llama.cpp and what is built on it keep models. It is mapped, not read: tensors are views of the mapping, single values of
 * the metadata are attributes of the root. Immutable; usable from any thread.
 */
G_DECLARE_FINAL_TYPE (HlGgufArchive, hl_gguf_archive, HL, GGUF_ARCHIVE, GObject)

gboolean           hl_gguf_archive_recognise (GFile          *file,
                                              const guint8   *head,
                                              gsize           size);
gboolean           hl_gguf_archive_is_such   (GFile          *file);
HlArchive         *hl_gguf_archive_open      (GFile          *file,
                                              HlProgress     *progress,
                                              GCancellable   *cancellable,
                                              GError        **error);
const HlGgufValue *hl_gguf_archive_get_value (HlGgufArchive  *self,
                                              const char     *key);

G_END_DECLS
