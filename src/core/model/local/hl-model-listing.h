/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/local/hl-local-model.h"

G_BEGIN_DECLS

/**
 * HlModelListing:
 * @models: (element-type HlLocalModel): what was found
 * @notes: (element-type utf8): sentences on what could not be looked at
 * @adapters: what was found that changes a model which may be found later
 *
 * A walk over caches, and what it has found: what caches list their models by. A folder is looked at once, to a fixed depth, and no more
 * than a fixed number of entries of a cache are: links that lead back, or a folder of millions, do no harm.
 */
typedef struct
{
  GPtrArray *models;
  GPtrArray *notes;
  /*< private >*/
  GPtrArray          *adapters;
  const HlModelCache *cache;
  const char         *wanted;
  GHashTable         *seen;
  GCancellable       *cancellable;
  guint               n_left;
} HlModelListing;

/**
 * HlCacheEntry:
 * @name: its name, the bytes of the file system
 * @is_folder: whether it is a folder, or a link to one
 * @size: bytes of a file
 *
 * What is in a folder of a cache.
 */
typedef struct
{
  char     *name;
  gboolean  is_folder;
  guint64   size;
} HlCacheEntry;

void       hl_model_listing_init         (HlModelListing     *self,
                                          const char         *wanted,
                                          GCancellable       *cancellable);
void       hl_model_listing_clear        (HlModelListing     *self);
void       hl_model_listing_begin        (HlModelListing     *self,
                                          const HlModelCache *cache);
gboolean   hl_model_listing_wants        (HlModelListing     *self,
                                          const char         *name);
GPtrArray *hl_model_listing_look         (HlModelListing     *self,
                                          GFile              *folder);
void       hl_model_listing_add_folder   (HlModelListing     *self,
                                          const char         *name,
                                          GFile              *folder);
void       hl_model_listing_add_gguf     (HlModelListing     *self,
                                          const char         *name,
                                          GFile              *file,
                                          guint64             size);
void       hl_model_listing_add_problem  (HlModelListing     *self,
                                          const char         *name,
                                          const char         *problem);
gboolean   hl_model_listing_add_ggufs    (HlModelListing     *self,
                                          const char         *name,
                                          GFile              *folder,
                                          GPtrArray          *entries);

void       hl_model_listing_end          (HlModelListing     *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlModelListing, hl_model_listing_clear)

G_END_DECLS
