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
 * HlAdapterAlpha:
 * @name: what a module is called, without the name of its model, or the end of that from a dot; or a regular expression of it
 * @expression: (nullable): that expression; %NULL of what can only be a name
 * @value: what products of these modules are multiplied by
 *
 * What modules have that have another factor than the rest.
 */
typedef struct
{
  char   *name;
  GRegex *expression;
  double  value;
} HlAdapterAlpha;

/**
 * HlAdapterConfig:
 * @base: the model that the adapter changes, as whoever trained it called that: a name or a path
 * @alpha: what products are multiplied by, before they are divided by the rank
 * @alphas: (element-type HlAdapterAlpha): what some have in its place, of which the first that is meant counts
 * @n_expressions: how many of these are regular expressions
 * @saved: (array length=n_saved): how names of modules end that the adapter has whole, beside those of its base; each
 *   backwards, in order, and none the beginning of another
 * @n_saved: how many there are
 * @dora: whether lengths are changed, too
 * @root: whether it is divided by the root of the rank: rank-stabilised LoRA, Kalajdzievski 2023
 *
 * The `adapter_config.json` of PEFT, of which only LoRA is known.
 */
typedef struct
{
  char    *base;
  double   alpha;
  GArray  *alphas;
  guint    n_expressions;
  char   **saved;
  guint    n_saved;
  gboolean dora;
  gboolean root;
} HlAdapterConfig;

HlAdapterConfig *hl_adapter_config_load      (GFile                  *folder,
                                              GError                **error);
HlAdapterConfig *hl_adapter_config_parse     (const char             *text,
                                              gsize                   size,
                                              GError                **error);
gboolean         hl_adapter_config_check_modules
                                             (const HlAdapterConfig  *self,
                                              guint                   n_modules,
                                              GError                **error);
void             hl_adapter_config_free      (HlAdapterConfig        *self);
gboolean         hl_adapter_config_is_saved  (const HlAdapterConfig  *self,
                                              const char             *tensor);
gboolean         hl_adapter_config_get_scale (const HlAdapterConfig  *self,
                                              const char             *module,
                                              guint64                 rank,
                                              float                  *scale,
                                              GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlAdapterConfig, hl_adapter_config_free)

G_END_DECLS
