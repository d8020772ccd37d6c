/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

/**
 * HlModelConfig:
 *
 * The `config.json` of a model folder, as transformers 4 and 5 write it, or what takes its place. Immutable.
 */
typedef struct _HlModelConfig HlModelConfig;

HlModelConfig *hl_model_config_load         (GFile                *folder,
                                             GError              **error);
HlModelConfig *hl_model_config_new          (HlArchive            *archive);
HlModelConfig *hl_model_config_new_part     (HlModelConfig        *whole,
                                             const char           *part);
void           hl_model_config_free         (HlModelConfig        *self);
char          *hl_model_config_dup_type     (HlModelConfig        *self,
                                             GError              **error);
gboolean       hl_model_config_has          (HlModelConfig        *self,
                                             const char           *keys);
gboolean       hl_model_config_read_size    (HlModelConfig        *self,
                                             const char           *keys,
                                             guint64               fallback,
                                             guint64              *value,
                                             GError              **error);
gboolean       hl_model_config_check_size   (const char           *key,
                                             guint64               size,
                                             guint64               most,
                                             GError              **error);
gboolean       hl_model_config_read_number  (HlModelConfig        *self,
                                             const char           *keys,
                                             double                fallback,
                                             double               *value,
                                             GError              **error);
gboolean       hl_model_config_read_boolean (HlModelConfig        *self,
                                             const char           *keys,
                                             gboolean              fallback,
                                             gboolean             *value,
                                             GError              **error);
gboolean       hl_model_config_read_string  (HlModelConfig        *self,
                                             const char           *keys,
                                             const char           *fallback,
                                             char                **value,
                                             GError              **error);
gboolean       hl_model_config_read_strings (HlModelConfig        *self,
                                             const char           *key,
                                             char               ***values,
                                             GError              **error);
gboolean       hl_model_config_read_numbers (HlModelConfig        *self,
                                             const char           *key,
                                             gsize                 max,
                                             double              **values,
                                             gsize                *n,
                                             GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlModelConfig, hl_model_config_free)

/**
 * HL_CONFIG_REQUIRED:
 *
 * As the fallback of a size: without the key there is an error.
 */
#define HL_CONFIG_REQUIRED G_MAXUINT64

G_END_DECLS
