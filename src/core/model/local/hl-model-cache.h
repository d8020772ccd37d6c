/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/local/hl-model-listing.h"

G_BEGIN_DECLS

/**
 * HlModelCache:
 * @nick: its name in tables
 * @label: its name for people
 * @prefix: what is before names of its models where any cache's could stand, may be empty
 * @suffix: (nullable): what a name means that ends before it
 * @add_folders: adds the #GFile of each folder that it can be, whether it is there or not
 * @list: adds the models that are in one of them
 *
 * How a program keeps the models that it has downloaded. Adding one is a file with one of these in it, and a row in the table of
 * hl-model-cache.c.
 */
struct _HlModelCache
{
  const char *nick;
  const char *label;
  const char *prefix;
  const char *suffix;
  void (*add_folders) (GPtrArray *folders);
  void (*list) (HlModelListing *listing, GFile *folder);
};

extern const HlModelCache hl_cache_hugging_face;
extern const HlModelCache hl_cache_ollama;
extern const HlModelCache hl_cache_llama_cpp;
extern const HlModelCache hl_cache_lm_studio;

const HlModelCache *hl_model_cache_get (guint index);

G_END_DECLS
