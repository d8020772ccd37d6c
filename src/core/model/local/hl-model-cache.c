/* SPDX-License-Identifier: MIT */
/* The programs whose models are found, one row each. */
#include "core/model/local/hl-model-cache.h"

static const HlModelCache *const caches[] = {
  &hl_cache_hugging_face,
  &hl_cache_ollama,
  &hl_cache_llama_cpp,
  &hl_cache_lm_studio,
};

/**
 * hl_model_cache_get:
 * @index: from 0
 *
 * Returns: (nullable): a cache by its place in the table; %NULL behind the last
 */
const HlModelCache *
hl_model_cache_get (guint index)
{
  return index < G_N_ELEMENTS (caches) ? caches[index] : NULL;
}
