/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HL_ADAPTER_CONFIG:
 *
 * The file that says that a folder is an adapter.
 */
#define HL_ADAPTER_CONFIG "adapter_config.json"

/**
 * HlAdapterConfig:
 * @base: the model that the adapter changes, as whoever trained it called that: a name or a path
 * @transposed: whether matrices of the model are stored as [in, out], where their sizes do not tell
 * @alpha: what products are multiplied by, before they are divided by the rank
 * @alphas: (element-type utf8): regular expressions of the modules that have another, the names of modules without that of their model
 * @alpha_values: (element-type double): what these have
 * @root: whether it is divided by the root of the rank: rank-stabilised LoRA, Kalajdzievski 2023
 *
 * The `adapter_config.json` of PEFT, of which only LoRA is known.
 */
typedef struct
{
  char      *base;
  gboolean   transposed;
  double     alpha;
  GPtrArray *alphas;
  GArray    *alpha_values;
  gboolean   root;
} HlAdapterConfig;

HlAdapterConfig *hl_adapter_config_load      (GFile                  *folder,
                                              GError                **error);
HlAdapterConfig *hl_adapter_config_parse     (const char             *text,
                                              gsize                   size,
                                              GError                **error);
void             hl_adapter_config_free      (HlAdapterConfig        *self);
gboolean         hl_adapter_config_get_scale (const HlAdapterConfig  *self,
                                              const char             *module,
                                              guint64                 rank,
                                              float                  *scale,
                                              GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlAdapterConfig, hl_adapter_config_free)

G_END_DECLS
