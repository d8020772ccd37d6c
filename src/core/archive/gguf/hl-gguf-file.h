/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/archive/gguf/hl-gguf-value.h"
#include "core/base/hl-tensor.h"

G_BEGIN_DECLS

#define HL_TYPE_GGUF_FILE (hl_gguf_file_get_type ())
/**
 * HlGgufFile:
 *
 * A GGUF file, as llama.cpp and what is built on it keep models: metadata by key, tensors by name. Mapped, not read. Immutable; usable from
 * any thread.
 */
G_DECLARE_FINAL_TYPE (HlGgufFile, hl_gguf_file, HL, GGUF_FILE, GObject)

gboolean           hl_gguf_file_recognise    (const guint8     *head,
                                              gsize             size);
HlGgufFile        *hl_gguf_file_open         (GFile            *file,
                                              GError          **error);
guint32            hl_gguf_file_get_version  (HlGgufFile       *self);
const HlGgufValue *hl_gguf_file_get_value    (HlGgufFile       *self,
                                              const char       *key);
guint              hl_gguf_file_get_n_tensors (HlGgufFile      *self);
const char        *hl_gguf_file_get_tensor_name (HlGgufFile    *self,
                                                 guint          index);
gboolean           hl_gguf_file_has_tensor   (HlGgufFile       *self,
                                              const char       *name);
HlTensor          *hl_gguf_file_open_tensor  (HlGgufFile       *self,
                                              const char       *name,
                                              GError          **error);
gboolean           hl_gguf_file_check        (HlGgufFile       *self,
                                              GError          **error);

G_END_DECLS
