/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/model/family/hl-family.h"

G_BEGIN_DECLS

/**
 * HlModelCache:
 *
 * A program's way of keeping models on this computer; see hl-model-cache.h.
 */
typedef struct _HlModelCache HlModelCache;

#define HL_TYPE_LOCAL_MODEL (hl_local_model_get_type ())
/**
 * HlLocalModel:
 *
 * A model that lies on this computer: what it is called there, how large it is, and of which family. Immutable; usable from any thread.
 */
G_DECLARE_FINAL_TYPE (HlLocalModel, hl_local_model, HL, LOCAL_MODEL, GObject)

HlLocalModel       *hl_local_model_new         (const HlModelCache  *cache,
                                                const char          *name,
                                                const char          *title,
                                                GFile               *file,
                                                guint64              size,
                                                const HlFamily      *family,
                                                const char          *problem);
const HlModelCache *hl_local_model_get_cache   (HlLocalModel        *self);
const char         *hl_local_model_get_name    (HlLocalModel        *self);
const char         *hl_local_model_get_title   (HlLocalModel        *self);
const char         *hl_local_model_get_spec    (HlLocalModel        *self);
GFile              *hl_local_model_get_file    (HlLocalModel        *self);
guint64             hl_local_model_get_size    (HlLocalModel        *self);
const HlFamily     *hl_local_model_get_family  (HlLocalModel        *self);
const char         *hl_local_model_get_problem (HlLocalModel        *self);
gboolean            hl_local_model_matches     (HlLocalModel        *self,
                                                const char          *search);

G_END_DECLS
